//! The contract of an analysis, and the list of analyses.
use crate::alternatives::Alternatives;
use crate::lens::Varying;
use crate::model::Model;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use stickslip_data::{Outcome, Recorder};
use stickslip_structures::{Keys, Refused};

/// What is asked of a model.
pub trait Analysis: Send + Sync + std::any::Any {
    /// Whether it asks anything of a model: a scenario without one will do where it does not.
    fn needs_model(&self) -> bool {
        true
    }
    /// Why this model can't be served, before any work.
    fn refuse(&self, model: &Model) -> Option<Refused>;
    /// Whether it serves a body too large for full matrices.
    fn serves_large_bodies(&self) -> bool {
        false
    }
    /// Paths of parameters that it varies, each with a value to try: checked before any work.
    fn varies(&self) -> Vec<(String, f64)> {
        vec![]
    }
    /// Paths of parameters that start from the scenario's own values: each must lead to a number.
    fn starts_at(&self) -> Vec<String> {
        vec![]
    }
    /// Why the models at the values of [`Analysis::varies`] can't be served together: `key` is the path that is varied in vain.
    fn refuse_together(&self, _: &[(String, Model)]) -> Option<Refused> {
        None
    }
    /// Units of what it has asked for with any unit, now that the model is known: keys of its table, each with its unit.
    fn units(&self, _: &Model) -> Vec<(String, String)> {
        vec![]
    }
    /// Names of the quantities that probes may ask for; None where only the run can tell.
    fn quantities(&self, _: &Model) -> Option<Vec<String>> {
        None
    }
    /// The last instant that a probe can ask for, s; None where only the run can tell.
    fn ends(&self, _: &Model) -> Option<f64> {
        None
    }
    /// The answer. Failures are part of it: the outcome says so and keeps what was found.
    fn run(&self, model: &Model, context: &Context) -> Outcome;
    /// The answer, or why this model can't be served: the same as to refuse it, else to run it, in less work where both begin
    /// alike.
    fn run_served(&self, model: &Model, context: &Context) -> Result<Outcome, Refused> {
        self.refuse(model).map_or_else(|| Ok(self.run(model, context)), Err)
    }
    /// Tables that it puts in the place of others, as paths of both: each is read before any work.
    fn replaces(&self) -> Vec<(String, String)> {
        vec![]
    }
    /// Whether it asks for the whole scenario, and so can't be asked at the points of another analysis.
    fn needs_scenario(&self) -> bool {
        false
    }
    /// Whether it hands finished points to the recorder of its context.
    fn records(&self) -> bool {
        false
    }
    /// How many points it has, and how many values it keeps of each, where it hands them to the recorder.
    fn grid(&self) -> [usize; 2] {
        [0, 0]
    }
    /// How many runs of such a model cost hardly more than one when they go side by side.
    fn batch_width(&self, _: &Model) -> usize {
        1
    }
    /// The answers to those of several runs of this kind that can go side by side; none for a run that must go alone.
    ///
    /// Each is what `run` would give, within the tolerances, and depends on no other run, to the last bit: a map gives the
    /// same bytes however its points were shared out.
    fn run_batch(&self, runs: &[Run]) -> Vec<Option<Outcome>> {
        runs.iter().map(|_| None).collect()
    }
    /// The answers to several runs of this kind, in their order.
    fn run_together(&self, runs: &[Run]) -> Vec<Outcome> {
        let alone = |run: &Run| run.analysis.run(run.model, &run.context);
        let run_batch = self.run_batch(runs);
        run_batch.into_iter().zip(runs).map(|(out, run)| out.unwrap_or_else(|| alone(run))).collect()
    }
}

/// One of several runs that are asked for together.
pub struct Run<'a> {
    /// What is asked.
    pub analysis: &'a dyn Analysis,
    /// Of which model.
    pub model: &'a Model,
    /// What surrounds it.
    pub context: Context<'a>,
}

/// A kind of analysis.
#[derive(Clone, Copy)]
pub struct AnalysisKind {
    /// Name in scenarios.
    pub name: &'static str,
    /// What it answers.
    pub about: &'static str,
    /// Values and tables that it gives.
    pub answers: &'static [Answer],
    /// Reads it.
    pub read: Read,
}

/// A value or a table that an analysis gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// Its name; parts in angle brackets stand for names of the scenario: `equilibrium.<coordinate>`.
    pub name: &'static str,
    /// Unit; empty for words and for units that depend on the question.
    pub unit: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Whether it is a table instead of a value.
    pub table: bool,
}

impl Answer {
    /// A value.
    pub const fn value(name: &'static str, unit: &'static str, about: &'static str) -> Answer {
        Answer { name, unit, about, table: false }
    }

    /// A table.
    pub const fn table(name: &'static str, about: &'static str) -> Answer {
        Answer { name, unit: "", about, table: true }
    }

    /// Whether a result of that name is this one, or an entry of it: `peaks[1]`.
    pub fn covers(&self, name: &str) -> bool {
        let name = match name.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
            Some((list, index)) if index.parse::<usize>().is_ok() => list,
            _ => name,
        };
        match self.name.split_once('<') {
            None => self.name == name,
            Some((before, rest)) => {
                let after = rest.split_once('>').map_or("", |(_, after)| after);
                let long_enough = name.len() > before.len() + after.len();
                long_enough && name.starts_with(before) && name.ends_with(after)
            }
        }
    }
}

/// Reads an analysis from its table. The kinds are those that it may hold inside, as a map holds the analysis of each point.
pub type Read = fn(&mut dyn Keys, &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused>;

/// What is to be reported.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// Quantities at given times or over the settled part.
    pub probes: Vec<Probe>,
    /// List events in the summary.
    pub events: bool,
    /// Every row of the tables of a motion, however many there are.
    pub all_rows: bool,
    /// Fields of a body as files for ParaView.
    pub fields: bool,
    /// Rows of a motion in even steps of this time, s, in place of those of the integrator.
    pub sampling: Option<f64>,
    /// Spectra of the settled part of a motion, from its rows in even steps.
    pub spectra: Vec<Spectrum>,
    /// Values only: no tables and no list of events. So a sweep asks each of its points.
    pub brief: bool,
    /// The only values that are looked at, and no regime: what else a run would gather may be left out.
    pub only: Option<Vec<String>>,
}

/// A spectrum to be made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spectrum {
    /// The quantity.
    pub of: String,
    /// The quantity that it answers: then also the transfer function and the coherence of the two.
    pub from: Option<String>,
}

/// A quantity to be reported.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Probe {
    /// `elongation`, `rate.x`, `state.phi`, `friction`, ...
    pub quantity: String,
    /// Contact it belongs to, where there are several.
    pub contact: Option<String>,
    /// When.
    pub over: Over,
    /// The place in a body, m.
    pub point: Option<[f64; 2]>,
    /// What results call it; else they name the quantity.
    pub name: Option<String>,
}

impl Probe {
    /// The name of its value.
    pub fn value_name(&self) -> String {
        format!("probe.{}", self.name.as_ref().unwrap_or(&self.quantity))
    }
}

/// When a probe looks.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Over {
    /// At these times, s.
    Times(Vec<f64>),
    /// Largest, smallest and mean over the settled part.
    #[default]
    Settled,
    /// Largest, smallest and mean over the whole run.
    Run,
}

/// What surrounds a run: progress, cancellation, what to report.
#[derive(Default)]
pub struct Context<'a> {
    /// Receives the part done, between 0 and 1.
    pub progress: Option<&'a (dyn Fn(f64) + Sync)>,
    /// Set from outside to stop early with a partial result.
    pub stop: Option<&'a AtomicBool>,
    /// What is to be reported.
    pub output: Output,
    /// The model with other parameters: paths, and numbers in the units in which the analysis was given them, else in SI.
    pub vary: Option<Vary<'a>>,
    /// The unit of the parameter at a path.
    pub unit: Option<UnitOf<'a>>,
    /// The number at a path of the scenario, and its range.
    pub number: Option<NumberAt<'a>>,
    /// The scenario as text with other numbers, and another `[analysis]`.
    pub written: Option<WrittenAt<'a>>,
    /// The scenario with another law, formulation or structure in it.
    pub alternatives: Option<&'a dyn Alternatives>,
    /// Where finished points go as they finish, and come back from.
    pub recorder: Option<&'a dyn Recorder>,
    /// Number of the case, for the recorder.
    pub case: usize,
    /// The only points of a map that are asked for; all of them without it.
    pub points: Option<Range<usize>>,
}

/// Gives the unit of the parameter at a path, with other numbers in the scenario: exponents are part of some units.
pub type UnitOf<'a> = &'a (dyn Fn(&str, &[(&str, f64)]) -> Option<String> + Sync);

/// A number of the scenario.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbered {
    /// Its value, in SI.
    pub value: f64,
    /// The range that its kind declares.
    pub between: [f64; 2],
}

/// Gives the number at a path.
pub type NumberAt<'a> = &'a (dyn Fn(&str) -> Option<Numbered> + Sync);

/// Writes the scenario with other numbers, and with another velocity of its driver, as TOML, where one is given; the last
/// text stands in the place of its `[analysis]`, unless that says how `each` motion is run.
pub type WrittenAt<'a> = &'a (dyn Fn(&[(&str, f64)], Option<&str>, &str) -> Result<Written, String> + Sync);

/// A scenario as text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// Path of the velocity of its driver.
    pub driver: String,
    /// Whether it names other files.
    pub files: bool,
}

/// Makes the model with other parameters.
pub type Vary<'a> = &'a dyn Varying;

impl<'a> Context<'a> {
    /// The same surroundings for another run: what is given from outside, without a case and its models.
    pub fn again(&self) -> Context<'a> {
        let (progress, stop, recorder) = (self.progress, self.stop, self.recorder);
        Context {
            progress,
            stop,
            recorder,
            output: self.output.clone(),
            points: self.points.clone(),
            ..Context::default()
        }
    }
}

impl Context<'_> {
    /// The model with other parameters.
    pub fn model_at(&self, settings: &[(&str, f64)]) -> Result<Model, String> {
        let vary = self.vary.ok_or("this run can't vary parameters")?;
        vary.vary(settings).map_err(|e| e.message)
    }

    /// The unit of the parameter at a path; empty where it is not known.
    pub fn unit_of(&self, path: &str) -> String {
        self.unit_at(path, &[])
    }

    /// The unit of the parameter at a path, with other numbers in the scenario; empty where it is not known.
    pub fn unit_at(&self, path: &str, settings: &[(&str, f64)]) -> String {
        self.unit.and_then(|unit| unit(path, settings)).unwrap_or_default()
    }

    /// Whether the run was asked to stop.
    pub fn stopped(&self) -> bool {
        self.stop.is_some_and(|s| s.load(Ordering::Relaxed))
    }

    /// Reports the part done.
    pub fn report(&self, part: f64) {
        if let Some(progress) = self.progress {
            progress(part);
        }
    }
}
