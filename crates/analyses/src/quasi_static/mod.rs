//! Quasi-statics: rigid contacts with friction on a structure whose mass is neglected.
mod body_probe;
mod choose;
mod explain;
mod jump;
mod path;
mod report;
mod requirements;
mod start;
mod states;
mod system;

use path::Path;
use stickslip_data::{Outcome, Status};
use stickslip_dynamics::Dynamics;
use stickslip_dynamics::start::initial;
use stickslip_model::Model;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context, Over};
use stickslip_structures::{Ask, Keys, Refused};
use system::Problem;

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "quasi-static",
    about: "States of rigid contacts under loads that change slowly, without mass: every state that load rates admit, or the \
path along the loads.

`revised` follows stable states and jumps where none leads on, to where the limit of zero mass and vanishing damping goes
(Cho and Barber, Appendix B, for any number of contacts). `incremental` knows continuous solutions only and fails where
there is none or more than one. `all-states` lists what the load rates admit at the start. No energy is balanced: a jump
loses what it does not say.",
    answers: &[
    Answer::value(
        "states",
        "",
        "The states in their order, or all that are admissible; modes of several contacts as a/b.",
    ),
    Answer::value("state_times", "s", "When each state begins."),
    Answer::value("state_changes", "1", "How often the state changes."),
    Answer::value("jumps", "", "Jumps: t, states before and after, coordinates before and after."),
    Answer::value("mode_first", "", "Mode at the start, of each contact."),
    Answer::value("mode_last", "", "Mode at the end, of each contact."),
    Answer::value("final.<quantity>", "", "Coordinates and reactions at the end."),
    Answer::value("states_count", "1", "How many states are admissible, with `all-states`."),
    Answer::value("unique", "", "Whether there is exactly one."),
    Answer::value("probe.<quantity>", "", "A probed quantity at the times given: a list."),
    Answer::table("path", "Along the loads: t, coordinates, rates, slip velocity, reactions, modes."),
    Answer::table("jumps", "A row a jump: t, states, coordinates before and after."),
    Answer::table("states", "A row an admissible state: modes, rates of coordinates, gaps and reactions."),
],
    read,
};

/// How the path is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Stable states, and jumps where they end.
    Revised,
    /// Continuous solutions only.
    Incremental,
    /// No path: every admissible state.
    AllStates,
}

/// Equilibria under loads that change slowly.
#[derive(Clone, Debug)]
pub struct QuasiStatic {
    /// How.
    pub algorithm: Algorithm,
    /// How long, s; 0 goes to the last point of the loads.
    pub duration: f64,
    /// Load rates, N/s; none: those of the drive.
    pub rates: Vec<f64>,
}

fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let words = ["revised", "incremental", "all-states"];
    let algorithm = match keys.choice("algorithm", &words, false, "What is sought, and what follows where it ends")? {
        0 => Algorithm::Revised,
        1 => Algorithm::Incremental,
        _ => Algorithm::AllStates,
    };
    let about = "How long the path is followed; 0 goes to the last point of the loads";
    let duration = keys.number(Ask::new("duration", "s", about).or(0.0).min(0.0))?;
    let about = "Load rate of each coordinate, for `all-states`; those of the drive at the start by default";
    let rates = keys.list(Ask::new("rates", "N/s", about).or(0.0))?;
    if !rates.is_empty() && algorithm != Algorithm::AllStates {
        let e = keys.refuse("rates", "analysis::not-served", "a path has the rates of its drive".into());
        return Err(e.hint("use algorithm = \"all-states\", or leave out `rates`"));
    }
    Ok(Box::new(QuasiStatic { algorithm, duration, rates }))
}

impl QuasiStatic {
    /// The end of the path.
    fn end(&self, model: &Model) -> Option<f64> {
        if self.duration > 0.0 {
            return Some(self.duration);
        }
        let mut t = 0.0;
        loop {
            let next = model.loading.forces.iter().map(|s| s.next_knot(t)).fold(f64::INFINITY, f64::min);
            if !next.is_finite() {
                return (t > 0.0).then_some(t);
            }
            t = next;
        }
    }
}

/// Coordinates at the start.
fn start(model: &Model) -> Result<Vec<f64>, String> {
    let mut dynamics = Dynamics::new(model).ok_or("the mass matrix is singular")?;
    let y = initial(&mut dynamics).map_err(|e| e.message)?;
    Ok(y[..model.structure.len()].to_vec())
}

impl Analysis for QuasiStatic {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        if let Some(e) = requirements::refuse(model) {
            return Some(e);
        }
        let n = model.structure.len();
        if !self.rates.is_empty() && self.rates.len() != n {
            let text = format!("{} load rates for {n} coordinates", self.rates.len());
            return Some(Refused::new("analysis.rates", "analysis::shape", text).expected(format!("{n} numbers")));
        }
        if self.algorithm != Algorithm::AllStates && self.end(model).is_none() {
            let text = "`duration` is missing: these loads have no last point";
            let e = Refused::new("analysis.duration", "scenario::missing", text);
            return Some(e.hint("try --set analysis.duration=10"));
        }
        None
    }

    fn quantities(&self, model: &Model) -> Option<Vec<String>> {
        Some(report::names(&Problem::new(model)).into_iter().map(|(name, _)| name).collect())
    }

    fn ends(&self, model: &Model) -> Option<f64> {
        self.end(model)
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        let problem = Problem::new(model);
        let mut out = Outcome { coordinates: model.structure.listed().to_vec(), ..Outcome::default() };
        let u = match start(model) {
            Ok(u) => u,
            Err(reason) => {
                out.worsen(Status::Failed, reason);
                return out;
            }
        };
        if self.algorithm == Algorithm::AllStates {
            states::list(&problem, &u, &self.rates, &mut out);
            return out;
        }
        let Some(end) = self.end(model) else {
            out.worsen(Status::Failed, "the path has no end");
            return out;
        };
        let mut stops = vec![];
        for probe in &context.output.probes {
            match &probe.over {
                Over::Times(times) => stops.extend(times),
                Over::Settled | Over::Run => {
                    let text = format!("`{}` is probed at times only by a quasi-static analysis", probe.quantity);
                    out.worsen(Status::Failed, text);
                }
            }
        }
        let mut path = Path::new(&problem, self.algorithm, &u, end);
        let done = path.follow(end, &stops, &|part| {
            context.report(part);
            context.stopped()
        });
        if let Err(reason) = done {
            let status = if context.stopped() { Status::Partial } else { Status::Failed };
            out.worsen(status, reason);
        }
        report::fill(&path, &context.output, &mut out);
        out
    }
}
