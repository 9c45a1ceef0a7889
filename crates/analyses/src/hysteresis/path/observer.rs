//! Observer that propagates parameter derivatives along a path.
use super::Path;
use stickslip_dynamics::Dynamics;
use stickslip_laws::{Event, Mode, Scale};
use stickslip_motion::Adaptive;

/// A path at an instant, whose equations were evaluated there.
pub struct Here<'a, 'm> {
    /// The equations.
    pub dynamics: &'a mut Dynamics<'m>,
    /// Time, s.
    pub t: f64,
    /// States of the law.
    pub z: &'a mut [f64],
    /// Their rates.
    pub dz: &'a [f64],
    /// Mode of the point.
    pub modes: &'a [Mode],
    /// How far the point has come, m.
    pub travel: f64,
}

/// A step under a given force: the states are integrated with the slip velocity found at every stage.
pub struct Forced<'a> {
    /// Its length, s.
    pub h: f64,
    /// The method's matrix.
    pub matrix: &'a [f64],
    /// Scales on which the states are smooth.
    pub scales: &'a [Scale],
    /// States at its start.
    pub start: &'a [f64],
    /// Time, states and slip velocity at each stage; the last is its end.
    pub stages: &'a [(f64, Vec<f64>, f64)],
    /// Whether it ends on an event.
    pub event: bool,
}

/// Carries derivatives along a path.
pub trait Carrier {
    /// A step begins.
    fn begin(&mut self, adaptive: &Adaptive);
    /// A step was taken, of length `h` from the instant; whether it ends on an event.
    fn step(&mut self, here: Here, adaptive: &Adaptive, h: f64, event: bool);
    /// The load is about to be replaced.
    fn replace_load(&mut self, dynamics: &Dynamics);
    /// Notifies the law of an event: one that was found on the way, or whose time is given.
    fn tell(&mut self, here: Here, event: Event<f64>, found: bool);
    /// Friction is all that stick can hold.
    fn hold(&mut self, here: Here);
    /// A row is kept, in which coefficient and force have these rates.
    fn row(&mut self, here: Here, rates: [f64; 2]);
    /// A stretch begins, of a constant velocity at whose end a force will be met.
    fn pace(&mut self, t: f64);
    /// The stretch ends there.
    fn meet(&mut self, here: Here);
    /// The part `part` of friction is left of what is held at this instant, at rest; a set-valued law holds it at once.
    fn let_go(&mut self, here: Here, part: f64);
    /// What follows is so fast that nothing else happens: no row is kept until a force is reached. Whether its speed was
    /// found under a force, and so depends on the law.
    fn at_once(&mut self, found: bool);
    /// The force is reached, and the point at rest: rates of the states and velocity of the motion that led there.
    fn reach(&mut self, here: Here, rates: &[f64], velocity: f64);
    /// Friction is a given force from here on; whether it reads the states alone.
    fn give(&mut self, here: Here, elastic: bool);
    /// No force is given any more.
    fn take(&mut self);
    /// A step was taken under a given force.
    fn carry(&mut self, here: Here, step: Forced);
    /// Notifies the law of a guard that was found under a given force of this rate.
    fn tell_forced(&mut self, here: Here, guard: usize, rate: f64);
    /// The motion turns back under a given force.
    fn turn(&mut self, here: Here);
    /// The motion goes on under a given force.
    fn resume(&mut self, here: Here);
    /// What follows can't be carried.
    fn lose(&mut self, why: &'static str);
    /// Whether something could not be carried: then nothing more is derived.
    fn is_lost(&self) -> bool;
}

impl<'m> Path<'m> {
    /// The same path, with derivatives.
    pub fn carried_by(mut self, carrier: &'m mut dyn Carrier) -> Self {
        self.carrier = Some(carrier);
        let rates = self.row().1;
        self.carry(|carrier, here| carrier.row(here, rates));
        self
    }

    /// Calls the carrier, if there is one.
    pub(super) fn carry(&mut self, mut call: impl FnMut(&mut dyn Carrier, Here)) {
        if let Some(carrier) = &mut self.carrier {
            let here = Here {
                dynamics: &mut self.dynamics,
                t: self.clock.now(),
                z: &mut self.z,
                dz: &self.dz,
                modes: &self.modes,
                travel: self.travel[0],
            };
            call(&mut **carrier, here);
            if carrier.is_lost() {
                self.carrier = None;
            }
        }
    }

    /// The step just taken, of length `h`.
    pub(super) fn carry_step(&mut self, h: f64, event: bool) {
        let Some(adaptive) = self.adaptive.take() else { return };
        self.carry(|carrier, here| carrier.step(here, &adaptive, h, event));
        self.adaptive = Some(adaptive);
    }

    /// Goes on without derivatives.
    pub(super) fn lose(&mut self, why: &'static str) {
        if let Some(carrier) = self.carrier.take() {
            carrier.lose(why);
        }
    }

    /// Notifies the law of a guard that was found under a given force of this rate.
    pub(super) fn tell_forced(&mut self, guard: usize, rate: f64) {
        match self.carrier {
            Some(_) => self.carry(|carrier, here| carrier.tell_forced(here, guard, rate)),
            None => self.dynamics.tell(0, Event::Guard(guard), &mut self.z),
        }
    }

    /// Notifies the law of an event.
    pub(super) fn tell(&mut self, event: Event<f64>, found: bool) {
        match self.carrier {
            Some(_) => self.carry(|carrier, here| carrier.tell(here, event, found)),
            None => self.dynamics.tell(0, event, &mut self.z),
        }
    }
}
