//! A motion in parts: each begins where the one before ended, with a model whose inputs may have changed.
use crate::march::{Broken, Motion};
use crate::transition::instant::Happening;
use crate::{Scheme, Transient};
use stickslip_data::{Events, Ledger, Status, Table};
use stickslip_dynamics::start::initial;
use stickslip_dynamics::{AtSite, Dynamics, pressed, stored};
use stickslip_laws::Mode;
use stickslip_model::{Context, Formulation, Model};

/// Where a part ends and the next one begins.
#[derive(Clone, Debug)]
pub struct Halt {
    /// Time, s.
    pub t: f64,
    /// Unknowns: coordinates, velocities, states of the laws.
    pub y: Vec<f64>,
    /// Modes of all points; None at the start of a run, where those are found that hold.
    pub modes: Option<Vec<Mode>>,
    /// What the contacts were shown.
    at: Vec<AtSite>,
}

/// A part of a motion.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its rows, with those at its start and its end.
    pub rows: Table,
    /// What happened in it.
    pub events: Events,
    /// Its energy.
    pub ledger: Ledger,
    /// Accepted steps.
    pub steps: u64,
    /// `partial` where it was stopped.
    pub status: Status,
}

/// Why motions of this model don't go in parts; None where they do.
pub fn not_in_parts(model: &Model, analysis: &Transient) -> Option<&'static str> {
    let stepping = matches!(model.formulation, Formulation::TimeStepping { .. } | Formulation::Karnopp { .. });
    let why = [
        (analysis.scheme != Scheme::Exact, "a scheme of fixed steps"),
        (stepping, "a formulation with steps of its own"),
        (model.contacts.iter().any(|c| c.friction.lag().is_some()), "a law that reads the past"),
    ];
    why.into_iter().find(|(holds, _)| *holds).map(|(_, why)| why)
}

impl Halt {
    /// The start of a run of this model.
    pub fn at_start(model: &Model) -> Result<Halt, String> {
        let mut dynamics = Dynamics::new(model).ok_or("the mass matrix is singular")?;
        let y = initial(&mut dynamics).map_err(|e| e.message)?;
        Ok(Halt { t: 0.0, y, modes: None, at: vec![] })
    }

    /// Follows the motion from here to a time, and halts there. `changed`: drives, loads or parameters of the model differ from
    /// those of the part before; they jump at this instant.
    pub fn follow(
        &mut self,
        model: &Model,
        analysis: &Transient,
        (end, changed): (f64, bool),
        context: &Context,
    ) -> Result<Part, String> {
        let dynamics = Dynamics::new(model).ok_or("the mass matrix is singular")?;
        let points = dynamics.sites.len();
        if dynamics.dim() != self.y.len() || self.modes.as_ref().is_some_and(|modes| modes.len() != points) {
            return Err("the model has other unknowns than before".into());
        }
        let mut motion = Motion::new(dynamics, analysis, self.y.clone());
        (motion.bounds, motion.dynamics.horizon) = ((end, f64::INFINITY), end);
        (motion.full, motion.lists_events) = (true, true);
        motion.clock.arrive(self.t);
        let broken = motion.go_on(self, changed).and_then(|()| motion.march((end, f64::INFINITY), context)).err();
        let status = match broken {
            None => Status::Ok,
            Some(Broken::Stopped) => Status::Partial,
            Some(Broken::Failed(why)) => return Err(why),
            Some(Broken::Lost(why)) => return Err(why.to_string()),
            Some(Broken::Diverged) => return Err(format!("the motion diverges at t = {:.6e} s", motion.clock.now())),
        };
        let i = &motion.integrals;
        let ledger = Ledger {
            work_in: i.work_in,
            stored: stored(&motion.dynamics, &motion.y) + pressed(&motion.dynamics) - motion.start_energy,
            friction: i.friction,
            damping: i.damping,
            contact: i.contact,
            at_play: motion.most_energy,
            parts: None,
        };
        let rows = motion.trace.table(&motion.dynamics, usize::MAX);
        (self.t, self.y, self.modes) = (motion.clock.now(), motion.y, Some(motion.modes));
        self.at.clone_from(&motion.dynamics.at);
        Ok(Part { rows, events: motion.events, ledger, steps: motion.health.steps, status })
    }
}

impl Motion<'_> {
    /// Begins in the modes of a halt.
    fn go_on(&mut self, from: &Halt, changed: bool) -> Result<(), Broken> {
        let Some(modes) = &from.modes else { return self.first_modes() };
        self.modes.clone_from(modes);
        self.dynamics.renew_inner();
        let held = self.dynamics.hold_inner(from.t, &self.y, &self.modes, &mut self.dy);
        held.map_err(|e| self.no_modes(e.into()))?;
        self.start_energy = stored(&self.dynamics, &self.y) + pressed(&self.dynamics);
        if changed {
            // What it is now is compared with what the contacts were shown last.
            self.dynamics.at.clone_from(&from.at);
            self.happen(&Happening::Knot)?;
        }
        Ok(())
    }
}
