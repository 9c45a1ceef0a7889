//! Who carries derivatives along a path: told what happens, step by step.
use super::Path;
use crate::dynamics::Dynamics;
use crate::transient::Adaptive;
use stickslip_laws::{Event, Mode};

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
}

/// Carries derivatives along a path.
pub trait Carrier {
    /// A step begins.
    fn begin(&mut self, adaptive: &Adaptive);
    /// A step was taken, of length `h` from the instant; whether it ends on an event.
    fn step(&mut self, here: Here, adaptive: &Adaptive, h: f64, event: bool);
    /// The load is about to be replaced.
    fn replace_load(&mut self, dynamics: &Dynamics);
    /// Tells the law of an event: one that was found on the way, or whose time is given.
    fn tell(&mut self, here: Here, event: Event<f64>, found: bool);
    /// Friction is all that stick can hold.
    fn hold(&mut self, here: Here);
    /// A row is kept.
    fn row(&mut self, here: Here);
    /// What follows can't be carried.
    fn lose(&mut self, why: &'static str);
    /// Whether something could not be carried: then nothing more is told.
    fn is_lost(&self) -> bool;
}

impl<'m> Path<'m> {
    /// The same path, with derivatives.
    pub fn carried_by(mut self, carrier: &'m mut dyn Carrier) -> Self {
        self.carrier = Some(carrier);
        self.carry(|carrier, here| carrier.row(here));
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

    /// Tells the law of an event.
    pub(super) fn tell(&mut self, event: Event<f64>, found: bool) {
        match self.carrier {
            Some(_) => self.carry(|carrier, here| carrier.tell(here, event, found)),
            None => self.dynamics.tell(0, event, &mut self.z),
        }
    }
}
