//! Edits: what a law sees and says, changed from outside.
use crate::{Claims, Friction, Law, LawError, Slide};
use stickslip_derive::delegate;
use stickslip_real::Real;

/// A change of what a law sees and of what it says. [`With`] makes a law of it and forwards everything else.
pub trait Edit<S: Real, const D: usize>: Send + Sync {
    /// What the law sees instead; None: as it is.
    fn see(&self, _at: &Slide<S, D>) -> Option<Slide<S, D>> {
        None
    }
    /// What is said instead of the law's answer. `at` is the true sliding, not the one seen.
    fn say(&self, _at: &Slide<S, D>, answer: Friction<S, D>) -> Friction<S, D> {
        answer
    }
    /// The delay whose history the edit needs, s.
    fn lag(&self) -> Option<S> {
        None
    }
    /// Shortest intrinsic time scale of the edit, s.
    fn intrinsic_time(&self) -> Option<f64> {
        None
    }
    /// The promises that remain of the law's.
    fn claims(&self, of_law: Claims) -> Claims {
        of_law
    }
    /// Why a law with these promises can't be under this edit.
    fn conflict(&self, _of_law: Claims) -> Option<&'static str> {
        None
    }
}

/// A law under an edit.
#[derive(Clone, Debug)]
pub struct With<E, L> {
    /// The edit.
    pub edit: E,
    /// The law.
    pub law: L,
}

#[delegate(to = &self.law, at = self.edit.see(at).as_ref().unwrap_or(at))]
impl<S: Real, const D: usize, E: Edit<S, D>, L: Law<S, D>> Law<S, D> for With<E, L> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        let seen = self.edit.see(at);
        self.edit.say(at, self.law.respond(seen.as_ref().unwrap_or(at), z, dz))
    }
    fn step(&self, at: &Slide<S, D>, dt: S, z0: &[S], z1: &mut [S], dz: &mut [S]) -> Option<[S; D]> {
        let seen = self.edit.see(at);
        let force = self.law.step(seen.as_ref().unwrap_or(at), dt, z0, z1, dz)?;
        match self.edit.say(at, Friction::Force(force)) {
            Friction::Force(force) => Some(force),
            Friction::Cone { .. } => None,
        }
    }
    /// A factor or an addend of the answer acts on what is inside alike.
    fn strength_inside(&self, at: &Slide<S, D>) -> Option<S> {
        let inside = self.law.strength_inside(self.edit.see(at).as_ref().unwrap_or(at))?;
        match self.edit.say(at, Friction::Cone { hold: inside, strength: inside }) {
            Friction::Cone { strength, .. } => Some(strength),
            Friction::Force(_) => None,
        }
    }
    fn lag(&self) -> Option<S> {
        self.edit.lag().or_else(|| self.law.lag())
    }
    fn intrinsic_time(&self) -> Option<f64> {
        self.edit.intrinsic_time().into_iter().chain(self.law.intrinsic_time()).reduce(f64::min)
    }
    fn claims(&self, of_kind: Claims) -> Claims {
        self.edit.claims(self.law.claims(of_kind))
    }
    fn fits(&self) -> Result<(), LawError> {
        if let Some(message) = self.edit.conflict(self.law.claims(Claims::NONE)) {
            return Err(LawError::new("of.law", "conflict", message.into(), "another law".into()));
        }
        self.law.fits()
    }
}

/// Adds a viscous force c v.
#[derive(Clone, Copy, Debug)]
pub struct Viscous<S = f64> {
    /// Force per speed, N s/m.
    pub c: S,
}

impl<S: Real, const D: usize> Edit<S, D> for Viscous<S> {
    #[inline(always)]
    fn say(&self, at: &Slide<S, D>, answer: Friction<S, D>) -> Friction<S, D> {
        match answer {
            Friction::Cone { hold, strength } => Friction::Cone { hold, strength: strength + self.c * at.speed() },
            Friction::Force(f) => Friction::Force(std::array::from_fn(|i| f[i] + self.c * at.v[i])),
        }
    }
    fn claims(&self, of_law: Claims) -> Claims {
        Claims { rate_independent: false, load_linear: false, ..of_law }
    }
}

/// Shows the law the velocity of one lag ago. Passivity is lost: the force answers a past motion. Whether the contact
/// sticks is no matter of the law: it sees the mode as it is.
#[derive(Clone, Copy, Debug)]
pub struct Lag<S = f64> {
    /// The delay, s.
    pub lag: S,
}

impl<S: Real, const D: usize> Edit<S, D> for Lag<S> {
    #[inline(always)]
    fn see(&self, at: &Slide<S, D>) -> Option<Slide<S, D>> {
        Some(Slide { v: at.lagged, ..*at })
    }
    /// Slip that would begin now meets the friction of the past: stick holds no less than that.
    fn say(&self, _: &Slide<S, D>, answer: Friction<S, D>) -> Friction<S, D> {
        match answer {
            Friction::Cone { hold, strength } => Friction::Cone { hold: hold.max(strength), strength },
            force => force,
        }
    }
    fn lag(&self) -> Option<S> {
        Some(self.lag)
    }
    /// A cone still resists the true motion; a force need not.
    fn claims(&self, of_law: Claims) -> Claims {
        let passive = of_law.passive && of_law.set_valued;
        let passive_if = !passive && (of_law.passive || of_law.passive_if);
        Claims { history: true, piecewise_linear: false, passive, passive_if, ..of_law }
    }
    /// One past is kept of a contact, and of its velocity alone.
    fn conflict(&self, of_law: Claims) -> Option<&'static str> {
        if of_law.history {
            return Some("the law inside has a lag of its own, and only one is kept");
        }
        of_law.acceleration.then_some("the law inside reads the slip acceleration, whose past is not kept")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friction::{Coulomb, LuGre, Stribeck};

    #[test]
    fn viscous_adds_to_cones_and_to_forces() {
        let at = Slide::new([-0.2], 10.0);
        let cone = With { edit: Viscous { c: 5.0 }, law: Coulomb { mu_k: 0.3, mu_s: 0.4 } };
        let Friction::Cone { hold, strength } = cone.respond(&at, &[], &mut []) else { panic!("a cone") };
        assert_eq!((hold, strength), (4.0, 4.0));
        let bristles = LuGre { mu_c: 0.3, mu_s: 0.4, v_s: 0.1, sigma_0: 1e4, sigma_1: 0.0, sigma_2: 0.0, alpha: 2.0 };
        let law = With { edit: Viscous { c: 5.0 }, law: bristles.clone() };
        let mut dz = [0.0];
        let Friction::Force([f]) = law.respond(&at, &[1e-6], &mut dz) else { panic!("a force") };
        assert!((f - (0.1 - 1.0)).abs() < 1e-15);
        assert_eq!(Law::<f64, 1>::stored(&law, &at, &[1e-6]), bristles.stored(&at, &[1e-6]));
    }

    #[test]
    fn lag_shows_the_past_and_declares_it() {
        let stribeck = Stribeck { mu_k: 0.3, mu_s: 0.5, v_s: 0.1, exponent: 2.0, viscous: 0.0 };
        let law = With { edit: Lag { lag: 0.02 }, law: stribeck.clone() };
        let mut at = Slide::new([0.3], 1.0);
        at.lagged = [0.05];
        let strength = |answer| match answer {
            Friction::Cone { strength, .. } => strength,
            Friction::Force::<f64, 1>(_) => panic!("a cone"),
        };
        let seen = strength(law.respond(&at, &[], &mut []));
        assert_eq!(seen, strength(stribeck.respond(&Slide::new([0.05], 1.0), &[], &mut [])));
        assert_eq!(Law::<f64, 1>::lag(&law), Some(0.02));
        assert!(Law::<f64, 1>::claims(&law, Claims::NONE).history);
    }
}
