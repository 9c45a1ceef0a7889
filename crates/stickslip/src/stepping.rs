//! A motion step by step, for co-simulation, live plots and controllers in programs of one's own.
//!
//! ```
//! use stickslip::prelude::*;
//! use stickslip::stepping::Stepper;
//! let scenario = Scenario::from_text("belt", r#"
//!     structure = { kind = "spring-block", mass = 1, stiffness = 1 }
//!     contact = { normal = { law = "constant", force = 1 }, friction = { law = "coulomb", mu_s = 0.4, mu_k = 0.25 } }
//!     drive = { kind = "belt", velocity = 0.1 }
//!     analysis = { kind = "transient", duration = 40 }
//! "#, &[])?;
//! let mut stepper = Stepper::new(&scenario)?;
//! // The belt takes the block along until its spring holds 0.4 N, after 4 s.
//! let step = stepper.do_step(0.0, 5.0, &[])?;
//! assert_eq!(step.events.len(), 1);
//! assert!((step.events.first().unwrap().t - 4.0).abs() < 1e-12);
//! let step = stepper.do_step(5.0, 0.1, &["drive.velocity=0.2".into()])?;
//! assert_eq!(step.rows.len() > 1, true);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use stickslip_data::{Ledger, Values};
use stickslip_model::{Context, Model};
use stickslip_motion::{Halt, Part, Transient, not_in_parts};
use stickslip_scenario::{Diagnostics, Prepared, Scenario};

/// Why a step was not made.
#[derive(Clone, Debug)]
pub enum StepError {
    /// The scenario, or an input.
    Wrong(Diagnostics),
    /// What is asked can't be served.
    Refused(String),
    /// The motion failed.
    Failed(String),
}

impl std::fmt::Display for StepError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StepError::Wrong(all) => write!(f, "{all}"),
            StepError::Refused(why) | StepError::Failed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for StepError {}

impl From<Diagnostics> for StepError {
    fn from(all: Diagnostics) -> StepError {
        StepError::Wrong(all)
    }
}

/// Times may differ from where the motion is by this part of a step.
const SAME_TIME: f64 = 1e-9;

/// A motion that goes on from call to call.
#[derive(Clone)]
pub struct Stepper {
    scenario: Scenario,
    model: Model,
    analysis: Transient,
    halt: Halt,
    ledger: Ledger,
}

impl Stepper {
    /// At the start of the motion of a scenario, which asks for a transient; its duration is of no account.
    pub fn new(scenario: &Scenario) -> Result<Stepper, StepError> {
        let (model, analysis) = prepared(scenario)?;
        if let Some(why) = not_in_parts(&model, &analysis) {
            return Err(StepError::Refused(format!("{why} does not go in steps of one's own")));
        }
        let halt = Halt::at_start(&model).map_err(StepError::Refused)?;
        let scenario = scenario.clone();
        Ok(Stepper { scenario, model, analysis, halt, ledger: Ledger::default() })
    }

    /// Time that it has reached, s.
    pub fn now(&self) -> f64 {
        self.halt.t
    }

    /// Names of the coordinates.
    pub fn coordinates(&self) -> &[String] {
        &self.model.structure.coordinates
    }

    /// The energy of all steps together.
    pub fn ledger(&self) -> Ledger {
        self.ledger
    }

    /// Whether the energy of all steps balances to what a run is trusted with.
    pub fn is_trusted(&self) -> bool {
        self.ledger.residual() <= 100.0 * self.analysis.rtol
    }

    /// The scenario with the inputs as they are.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Steps from `t`, where it is, to `t + h`. Inputs are settings `path=value` as on the command line: they change at `t` and
    /// hold until they are changed again. Events inside the step happen at their own times.
    pub fn do_step(&mut self, t: f64, h: f64, inputs: &[String]) -> Result<Part, StepError> {
        self.do_step_until(t, h, inputs, None)
    }

    /// The same, to be stopped from outside: then the part is partial, and the motion halts where it ends.
    pub fn do_step_until(
        &mut self,
        t: f64,
        h: f64,
        inputs: &[String],
        stop: Option<&AtomicBool>,
    ) -> Result<Part, StepError> {
        if !(h > 0.0 && h.is_finite() && t.is_finite()) {
            return Err(StepError::Refused(format!("a step of {h} s from t = {t} s: expected a length above 0")));
        }
        if (t - self.halt.t).abs() > SAME_TIME * h {
            let text = format!("the motion is at t = {} s, not at {t} s: it does not go back or ahead", self.halt.t);
            return Err(StepError::Refused(text));
        }
        let mut next = None;
        if !inputs.is_empty() {
            let scenario = self.scenario.clone().with_settings(inputs)?;
            let (mut model, _) = prepared(&scenario)?;
            // What has happened does not happen again.
            let loading = Arc::make_mut(&mut model.loading);
            loading.impulses.retain(|blow| blow.at > self.halt.t);
            loading.releases.retain(|release| release.at > self.halt.t);
            next = Some((scenario, model));
        }
        let changed = next.is_some() && self.halt.modes.is_some();
        let model = next.as_ref().map_or(&self.model, |(_, model)| model);
        let context = Context { stop, ..Context::default() };
        let mut halt = self.halt.clone();
        let part = halt.follow(model, &self.analysis, (t + h, changed), &context).map_err(StepError::Failed)?;
        self.halt = halt;
        if let Some((scenario, model)) = next {
            (self.scenario, self.model) = (scenario, model);
        }
        self.keep_books(&part.ledger);
        Ok(part)
    }

    fn keep_books(&mut self, part: &Ledger) {
        let l = &mut self.ledger;
        l.work_in += part.work_in;
        l.stored += part.stored;
        l.friction += part.friction;
        l.damping += part.damping;
        l.contact += part.contact;
        l.at_play = l.at_play.max(part.at_play);
    }
}

fn prepared(scenario: &Scenario) -> Result<(Model, Transient), StepError> {
    let mut cases = scenario.prepare()?;
    let Some(Prepared { model, analysis, .. }) = cases.pop().filter(|_| cases.is_empty()) else {
        return Err(StepError::Refused("a scenario with cases does not go in steps: give one of them".into()));
    };
    let analysis = (&*analysis as &dyn Any).downcast_ref::<Transient>().cloned();
    let analysis = analysis.ok_or_else(|| StepError::Refused("stepping needs the analysis `transient`".into()))?;
    Ok((model, analysis))
}

/// The numbers at the end of a part: names, units and values of its columns; words as their codes.
pub fn outputs(part: &Part) -> Vec<(&str, &str, f64)> {
    let last = |values: &Values| match values {
        Values::Float(v) => v.last().copied(),
        Values::Int(v) => v.last().map(|x| *x as f64),
        Values::Coded { codes, .. } => codes.last().map(|c| f64::from(*c)),
        Values::Text(_) => None,
    };
    let column = |c: &'_ stickslip_data::Column| last(&c.values).unwrap_or(f64::NAN);
    part.rows.columns.iter().map(|c| (c.name.as_str(), c.unit.as_str(), column(c))).collect()
}
