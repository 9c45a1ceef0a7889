//! Hysteresis: a law or a structure put through a program.
mod loop_log;
mod loops;
mod model;
mod path;
mod report;
mod requirements;
mod turns;
mod velocity;

use model::Seen;
use path::Path;
pub use path::{Carrier, Forced, Here};
use stickslip_data::{Outcome, Status};
use stickslip_dynamics::Dynamics;
use stickslip_dynamics::start::initial;
use stickslip_model::Model;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context};
use stickslip_motion::{Duration, Motion, Scheme, Transient};
use stickslip_structures::{Ask, Keys, Program, Refused};

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "hysteresis",
    about: "A law alone or a structure, put through a program: loop area, backbone, break-away, peaks, \
recovery.

A point follows its program exactly and has no inertia: the loop is friction force against slip. On a structure the
transient moves the driver, the surface or the force, and the loop is the force of the drive against what it moves: the
slower the drive, the nearer the two are. A law with stick breaks away where that ends (the inner slider of Jenkins'
element on a structure too), others at the first peak of the force in the first slide, or at its end where it only rises.
Of many cycles the rows of the first and last ten are kept, and the values of all.",
    answers: &[
    Answer::value(
        "force_max",
        "N",
        "Largest force: friction of a point (Pa under a pressure without an area), else of the drive.",
    ),
    Answer::value(
        "breakaway",
        "N",
        "Force at which stick ends; without stick the first peak, or the end of a slide in which it only rises.",
    ),
    Answer::value(
        "breakaway_slip",
        "m",
        "Slip in the first slide before the force gets there; left out where it only approaches its largest value.",
    ),
    Answer::value("breakaway_time", "s", "Time at rest before the first slide and until the force gets there."),
    Answer::value("breakaway_rate", "N/s", "Mean rate of loading until then, in the slide in which that happens."),
    Answer::value("peaks", "1", "Largest friction coefficient of each slide."),
    Answer::value("recovery", "1", "Peak of each later slide that follows a hold, over that of the first: a list."),
    Answer::value(
        "recovery_fraction",
        "1",
        "The same as a part of the drop from the first peak to the end of its slide.",
    ),
    Answer::value("slide_start.<quantity>", "", "A state at the start of each slide: a list."),
    Answer::value(
        "slide_end.<quantity>",
        "",
        "Friction, slip, a state, or a quantity of the law's own at the end of each slide: a list.",
    ),
    Answer::value(
        "loop_area",
        "J",
        "Energy taken in the last cycle, also that of a displacement or force that comes back (J/m^2 under a pressure without an area).",
    ),
    Answer::value("loop_areas", "J", "The same of every cycle, up to a thousand: a list."),
    Answer::value("stiffness_tangent", "N/m", "Slope of the force where the first slide begins, unless it jumps."),
    Answer::value("stiffness_secant", "N/m", "Height of the last loop over its width: its equivalent stiffness."),
    Answer::value("loss_factor", "1", "Area of the last loop over 2 pi times the energy that its equivalent stiffness stores."),
    Answer::value("energy_residual", "1", "What the energy balance of a structure leaves open, over its largest term."),
    Answer::value("probe.<quantity>", "", "A probed quantity at the times given: a list."),
    Answer::value(
        "probe.<quantity>.max",
        "",
        "Its largest value, with `over`: of the last cycle, or else the last slide, where that is \"settled\".",
    ),
    Answer::value("probe.<quantity>.min", "", "Its smallest value."),
    Answer::value("probe.<quantity>.mean", "", "Its mean over time, where all rows are kept."),
    Answer::table(
        "path",
        "Along the program: t, slip, slip velocity, friction, forces, states; of a structure also displacement and force of the drive, coordinates and rates.",
    ),
    Answer::table("backbone", "The virgin curve: force against displacement until the first slide turns."),
    Answer::table("cycles", "Every cycle: its start, area, extremes of force and displacement."),
],
    read,
};

/// Relative tolerance unless given.
const RTOL: f64 = 1e-9;
/// Steps before a run is given up unless the user says otherwise.
const MOST_STEPS: f64 = 1e8;

/// A law or a structure put through a program.
#[derive(Clone, Debug)]
pub struct Hysteresis {
    /// Relative tolerance.
    pub rtol: f64,
    /// Most steps.
    pub max_steps: u64,
    /// Rows that are asked for lie inside the stretches over which a force is followed, and do not end them.
    pub rows_inside: bool,
}

impl Default for Hysteresis {
    fn default() -> Self {
        Hysteresis { rtol: RTOL, max_steps: MOST_STEPS as u64, rows_inside: false }
    }
}

fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let rtol = keys.number(Ask::new("rtol", "1", "Relative tolerance").or(RTOL).min(1e-13).max(1e-2))?;
    let ask = Ask::new("max_steps", "1", "Most steps before the run is given up").or(MOST_STEPS).min(1.0);
    Ok(Box::new(Hysteresis { rtol, max_steps: keys.number(ask)? as u64, ..Hysteresis::default() }))
}

impl Hysteresis {
    /// The transient that runs a program on a structure.
    fn transient(&self, program: &Program) -> Transient {
        let end = program.times().last().copied().unwrap_or(0.0);
        let duration = Duration::Time(end.max(f64::MIN_POSITIVE));
        Transient { scheme: Scheme::Exact, duration, rtol: self.rtol, limit: f64::MAX, max_steps: self.max_steps }
    }

    fn run_point(
        &self,
        model: &Model,
        program: &Program,
        dynamics: Dynamics,
        z: Vec<f64>,
        context: &Context,
        carrier: Option<&mut dyn Carrier>,
    ) -> Outcome {
        let mut path = Path::new(dynamics, self, z, context);
        if let Some(carrier) = carrier {
            path = path.carried_by(carrier);
        }
        let ended = program.steps.iter().enumerate().find_map(|(k, step)| {
            context.report(k as f64 / program.steps.len() as f64);
            path.follow(step).err()
        });
        let mut out = path.outcome(ended);
        out.health.notes.extend(model.formulation.note());
        out
    }

    fn run_structure(&self, program: &Program, dynamics: Dynamics, y: Vec<f64>, context: &Context) -> Outcome {
        let transient = self.transient(program);
        let Duration::Time(end) = transient.duration else { return Outcome::default() };
        let mut seen = Seen::new(program, &dynamics);
        let mut out = Motion::new(dynamics, &transient, y).seen_by(&mut seen).in_full((end, f64::INFINITY), context);
        // What the transient said of the motion belongs to a run without end.
        out.regime = None;
        seen.record.report(&context.output.probes, false, &mut out);
        out
    }
}

impl Analysis for Hysteresis {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        let transient = self.transient(model.loading.program.as_ref().unwrap_or(&Program::default()));
        requirements::refuse_model(model, &transient)
    }

    fn ends(&self, model: &Model) -> Option<f64> {
        model.loading.program.as_ref().and_then(|program| program.times().last().copied())
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        self.run_carried(model, context, None)
    }
}

impl Hysteresis {
    /// The same with derivatives of the path of a point, which `carrier` carries along.
    pub fn run_carried(&self, model: &Model, context: &Context, carrier: Option<&mut dyn Carrier>) -> Outcome {
        let failed = |text: String| Outcome { status: Status::Failed, reason: Some(text), ..Outcome::default() };
        let (Some(program), Some(mut dynamics)) = (&model.loading.program, Dynamics::new(model)) else {
            return failed("no program, or no equations".into());
        };
        match initial(&mut dynamics) {
            Err(e) => failed(e.message),
            Ok(z) if model.structure.is_empty() => self.run_point(model, program, dynamics, z, context, carrier),
            Ok(y) => self.run_structure(program, dynamics, y, context),
        }
    }
}
