//! Transient: the motion in time, with its events, its energy ledger and its regime.
mod ahead;
mod between;
mod inside;
mod lanes;
mod linear;
mod modes;
mod motion;
mod probes;
mod settled;
mod stiff;
mod trace;

use crate::analysis::{Analysis, Context, Run};
use crate::dynamics::Dynamics;
use crate::model::Model;
use crate::start::{initial, steady_states};
pub use linear::from_known_zero;
use motion::Motion;
use stickslip_data::{Outcome, Status};
use stickslip_laws::{Friction, Mode, Slide};
use stickslip_solve::dense::positive_definite;
use stickslip_structures::{Ask, Keys, Refused};
pub use stiff::{Adaptive, Found};
pub use trace::Clock;

pub const NAME: &str = "transient";
pub const ABOUT: &str =
    "The motion in time: event-driven and exact for set-valued laws, adaptive and L-stable for the others.

Modes that are linear are propagated by their power series to machine precision; others by Radau IIA of order 5 or 9, which steps
exactly onto each event. Energy is balanced term by term.";

/// How long a run lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Duration {
    /// A time, s.
    Time(f64),
    /// Completed cycles of the motion.
    Cycles(f64),
    /// Times the drive needs to load the spring to the steady friction force.
    Loads(f64),
}

/// The motion in time.
#[derive(Clone, Debug)]
pub struct Transient {
    /// How long.
    pub duration: Duration,
    /// Relative tolerance.
    pub rtol: f64,
    /// A coordinate beyond this has diverged; m.
    pub limit: f64,
    /// Most steps.
    pub max_steps: u64,
}

/// Relative tolerance unless given: an energy balance to six digits, event times to eight.
const RTOL: f64 = 1e-8;
/// Tightest tolerance: beyond it rounding rules.
const TIGHTEST: f64 = 1e-13;
const LOOSEST: f64 = 1e-2;
/// Steps before a run is given up unless the user says otherwise: about a minute of work.
const MOST_STEPS: f64 = 1e8;

pub fn read(keys: &mut dyn Keys) -> Result<Box<dyn Analysis>, Refused> {
    Ok(Box::new(Transient {
        duration: read_duration(keys)?,
        rtol: keys.number(Ask::new("rtol", "1", "Relative tolerance").or(RTOL).min(TIGHTEST).max(LOOSEST))?,
        limit: keys.number(Ask::new("limit", "m", "A coordinate beyond this has diverged").or(1e9).above(0.0))?,
        max_steps: keys
            .number(Ask::new("max_steps", "1", "Most steps before the run is given up").or(MOST_STEPS).min(1.0))?
            as u64,
    }))
}

fn read_duration(keys: &mut dyn Keys) -> Result<Duration, Refused> {
    if !keys.has_table("duration") {
        return Ok(Duration::Time(keys.number(Ask::new("duration", "s", "How long the run lasts").above(0.0))?));
    }
    let mut duration = None;
    keys.table("duration", "Counted in cycles or loads", &mut |d| {
        duration = Some(if d.has("loads") {
            Duration::Loads(d.number(Ask::new("loads", "1", "Loading times of the spring").above(0.0))?)
        } else {
            Duration::Cycles(d.number(Ask::new("cycles", "1", "Completed cycles of the motion").above(0.0))?)
        });
        Ok(())
    })?;
    duration.ok_or_else(|| keys.refuse("duration", "scenario::missing", "`duration` is missing".into()))
}

impl Analysis for Transient {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        let n = model.structure.len();
        if n == 0 {
            let e = Refused::new("structure.kind", "analysis::not-served", "a point has no motion of its own");
            return Some(e.hint("use analysis kind \"hysteresis\" for a point under a program"));
        }
        if !positive_definite(n, &model.structure.mass) {
            let e =
                Refused::new("structure.mass", "structure::not-positive", "the mass matrix is not positive definite");
            return Some(e.expected("a symmetric matrix with positive eigenvalues"));
        }
        if model.loading.program.is_some() {
            let e = Refused::new(
                "drive.kind",
                "analysis::not-served",
                "a program drives a point, not a structure with mass",
            );
            return Some(e.hint("use drive kind \"pull\", \"belt\" or \"force\""));
        }
        for contact in &model.contacts {
            if let Some(e) = refuse_contact(contact) {
                return Some(e);
            }
        }
        let mut dynamics = Dynamics::new(model)?;
        initial(&mut dynamics).and_then(|y| self.end(model, &y)).err()
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        let failed = |reason: String| Outcome { status: Status::Failed, reason: Some(reason), ..Outcome::default() };
        let Some(mut dynamics) = Dynamics::new(model) else { return failed("the mass matrix is singular".into()) };
        let start = initial(&mut dynamics).and_then(|y| Ok((self.end(model, &y)?, y)));
        match start {
            Err(e) => failed(e.message),
            Ok((end, y)) => Motion::new(dynamics, self, y).run(end, context),
        }
    }

    /// Smooth models walk in lanes.
    fn run_together(&self, runs: &[Run]) -> Vec<Outcome> {
        let alone = |run: &Run| run.analysis.run(run.model, &run.context);
        lanes::run(runs).into_iter().zip(runs).map(|(out, run)| out.unwrap_or_else(|| alone(run))).collect()
    }
}

fn refuse_contact(contact: &crate::Contact) -> Option<Refused> {
    let claims = contact.friction.claims();
    let refuse = |what: &str| {
        let text = format!("the law `{}` {what}, which a transient does not serve", contact.friction_law);
        Some(Refused::new("contact.friction.law", "analysis::not-served", text))
    };
    if claims.stepped {
        return refuse("has no rate form");
    }
    if claims.history || contact.friction.lag().is_some() {
        return refuse("needs history");
    }
    if claims.random {
        return refuse("has a random part");
    }
    if claims.position {
        return refuse("reads positions");
    }
    if contact.friction.coupling().is_some() {
        return refuse("couples the points of a contact");
    }
    if claims.load_rate && !contact.normal.claims().fixed_load {
        return refuse("reads the rate of a load that depends on the motion");
    }
    if claims.set_valued && contact.friction.directions() == 2 {
        return refuse("is set-valued in two directions");
    }
    None
}

impl Transient {
    /// The end of the run: a time and a number of cycles, one of which is infinite.
    fn end(&self, model: &Model, y: &[f64]) -> Result<(f64, f64), Refused> {
        match self.duration {
            Duration::Time(t) => Ok((t, f64::INFINITY)),
            Duration::Cycles(n) => match model.loading.period() {
                Some(period) if period > 0.0 => Ok((n * period, f64::INFINITY)),
                _ => Ok((f64::INFINITY, n)),
            },
            Duration::Loads(n) => Ok((n * loading_time(model, y)?, f64::INFINITY)),
        }
    }
}

/// Steady friction force at the drive speed over stiffness times drive speed.
fn loading_time(model: &Model, y: &[f64]) -> Result<f64, Refused> {
    let refuse = |text: &str| Refused::new("analysis.duration", "analysis::not-served", text);
    let speed = model.loading.speed().filter(|v| *v > 0.0);
    let speed = speed.ok_or_else(|| refuse("`loads` needs a belt or a pull with a velocity"))?;
    let stiffness = model.structure.stiffness[0];
    if stiffness <= 0.0 || model.contacts.is_empty() {
        return Err(refuse("`loads` needs a spring and a contact"));
    }
    let mut dynamics = Dynamics::new(model).ok_or_else(|| refuse("the mass matrix is singular"))?;
    let modes = vec![Mode::Forward; dynamics.sites.len()];
    let mut dy = vec![0.0; dynamics.dim()];
    let _ = dynamics.evaluate(0.0, y, &modes, &mut dy);
    let mut force = 0.0;
    for (i, site) in dynamics.sites.iter().enumerate() {
        let contact = &model.contacts[site.contact];
        let area = site.traction_area.unwrap_or(1.0);
        let slide = Slide::new([speed, 0.0], dynamics.at[i].n.max(0.0) / area);
        let mut z: Vec<f64> = contact.friction.states().iter().map(|s| s.start).collect();
        steady_states(model, site.contact, &slide, &mut z)?;
        let mut answer = [Friction::Cone { hold: 0.0, strength: 0.0 }];
        let mut dz = vec![0.0; z.len()];
        contact.friction.respond(&[slide], &z, &mut dz, &mut answer);
        force += area
            * match answer[0] {
                Friction::Cone { strength, .. } => strength,
                Friction::Force(f) => f[0].abs(),
            };
    }
    Ok(force / (stiffness * speed))
}
