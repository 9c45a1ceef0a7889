//! A scenario whose cases are run, one after the other.
use crate::alternatives::CaseAlternatives;
use crate::build::Prepared;
use crate::compare_cases::compare_cases;
use crate::lens::CaseLens;
use crate::read::output::meet_end;
use crate::scenario::Scenario;
use crate::text::diagnostic::Diagnostics;
use crate::text::document::{Case, Setting};
use crate::units_at::axis_units::Units;
use crate::units_at::unit_at::number_at;
use serde_json::{Map, json};
use stickslip_data::{Dataset, Outcome, Provenance, Status};
use stickslip_model::{Context, Model, Patches, Varying};
use stickslip_structures::Refused;
use stickslip_units::unit;

impl Scenario {
    /// Runs all cases, one after the other. What the context asks to report is added to what the scenario asks for.
    pub fn run(&self, context: &Context) -> Result<Dataset, Diagnostics> {
        let prepared = self.prepare()?;
        Ok(self.run_prepared(&prepared, context))
    }

    /// Runs cases that are prepared already.
    pub fn run_prepared(&self, prepared: &[Prepared], context: &Context) -> Dataset {
        let count = prepared.len().max(1) as f64;
        let mut dataset = Dataset { title: self.title().map(String::from), ..Dataset::default() };
        for (i, case) in prepared.iter().enumerate() {
            let part = |done: f64| context.report((i as f64 + done) / count);
            let outcome = match context.stopped() {
                true => {
                    let mut outcome = Outcome::default();
                    outcome.worsen(Status::Partial, "stopped before this case");
                    outcome
                }
                false => self.run_case(prepared, i, &Context { progress: Some(&part), ..context.again() }),
            };
            dataset.list_events |= case.output.events || context.output.events;
            dataset.cases.push((case.name.clone(), outcome));
        }
        compare_cases(prepared, &mut dataset.cases);
        dataset.provenance = provenance(prepared);
        dataset
    }

    /// Runs one of the cases that are prepared already; without comparing it with the others.
    pub fn run_case(&self, prepared: &[Prepared], i: usize, context: &Context) -> Outcome {
        let case = &prepared[i];
        let mut output = case.output.clone();
        output.probes.extend(context.output.probes.iter().cloned());
        meet_end(&mut output.probes, case.analysis.ends(&case.model));
        output.events |= context.output.events;
        output.all_rows |= context.output.all_rows;
        self.run_alternative(case, &Context { output, case: i, points: context.points.clone(), ..*context })
    }

    /// Runs a case, or one in its place: the context says all that is reported, to whom, and where points are kept.
    pub(crate) fn run_alternative(&self, case: &Prepared, context: &Context) -> Outcome {
        let models = CaseModels { scenario: self, prepared: case };
        let own = models.case();
        let alternatives = own.map(|own| CaseAlternatives { scenario: self, case: own });
        let inner = Context {
            output: context.output.clone(),
            points: context.points.clone(),
            vary: Some(&models),
            unit: Some(&|path, settings| self.unit_with(case, path, settings)),
            number: Some(&|path| number_at(&case.spec, &self.catalogue, path)),
            written: Some(&|settings, velocity, analysis| self.written(case, settings, velocity, analysis)),
            alternatives: alternatives.as_ref().map(|a| a as _),
            ..*context
        };
        case.analysis.run(&case.model, &inner)
    }
}

/// The models of a case with other numbers.
struct CaseModels<'a> {
    scenario: &'a Scenario,
    prepared: &'a Prepared,
}

impl<'a> CaseModels<'a> {
    fn case(&self) -> Option<&'a Case> {
        self.scenario.cases.iter().find(|c| c.name == self.prepared.name)
    }
}

impl Varying for CaseModels<'_> {
    fn vary(&self, settings: &[(&str, f64)]) -> Result<Model, Refused> {
        // Another start needs nothing read again.
        if let Some(model) = started(self.prepared, settings) {
            return Ok(model);
        }
        let none = || Refused::new("case", "scenario::missing", "there is no such case");
        let varied = self.scenario.vary(self.case().ok_or_else(none)?, settings, self.prepared);
        varied.map(|(model, _)| model).map_err(|all| first(&all))
    }

    fn rerun(&self, settings: &[String], context: &Context) -> Result<Outcome, Refused> {
        let none = || Refused::new("case", "scenario::missing", "there is no such case");
        let mut case = self.case().ok_or_else(none)?.clone();
        for text in settings {
            let setting = Setting::parse(text, &self.scenario.folder).map_err(|all| first(&all))?;
            setting.apply(&mut case.root).map_err(|all| first(&all))?;
        }
        let scenario = self.scenario.with_case(case);
        let prepared = scenario.prepare().map_err(|all| first(&all))?;
        let mut dataset = scenario.run_prepared(&prepared, context);
        dataset.cases.pop().map(|(_, outcome)| outcome).ok_or_else(none)
    }

    fn patches<'s>(&'s self, paths: &[&str]) -> Option<Box<dyn Patches + 's>> {
        Some(Box::new(CaseLens::new(self.scenario, self.case()?, self.prepared, paths)))
    }
}

/// The model of a case from another start; None where a path leads elsewhere.
pub(crate) fn started(prepared: &Prepared, settings: &[(&str, f64)]) -> Option<Model> {
    settings.iter().all(|(path, _)| path.starts_with("start.")).then_some(())?;
    in_si(settings, &prepared.varied).and_then(|all| prepared.model.started(&all))
}

/// The first of what is wrong.
pub(crate) fn first(all: &Diagnostics) -> Refused {
    Refused::new("", "scenario::varied", all.0.first().map_or(String::new(), |d| d.message.clone()))
}

/// Settings in SI; none where cycles are to be counted as radians, which the reading does.
fn in_si<'s>(settings: &[(&'s str, f64)], varied: &Units) -> Option<Vec<(&'s str, f64)>> {
    let one = |(path, x): &(&'s str, f64)| match varied.get(*path).map(|text| unit(text)) {
        None => Some((*path, *x)),
        Some(Ok(unit)) if !unit.dimension.has_cycles() => Some((*path, unit.to_si(*x))),
        Some(_) => None,
    };
    settings.iter().map(one).collect()
}

/// Where the results of cases come from; known before they are run.
pub fn provenance(prepared: &[Prepared]) -> Provenance {
    let spec = match prepared {
        [only] if only.name.is_empty() => only.spec.clone(),
        cases => json!({ "cases": cases.iter().map(|c| (c.name.clone(), c.spec.clone())).collect::<Map<_, _>>() }),
    };
    let mut formulations: Vec<&str> = prepared.iter().map(|c| c.model.formulation.name()).collect();
    formulations.dedup();
    Provenance {
        spec,
        version: env!("CARGO_PKG_VERSION").into(),
        formulation: formulations.join(", "),
        seed: prepared.first().map_or(0, |c| c.model.seed),
    }
}
