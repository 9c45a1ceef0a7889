//! Armstrong-Helouvry's integrated friction model.
use crate::{Claims, Event, Friction, Inner, Kind, Law, LawError, Mode, Scale, Slide, State, norm};
use stickslip_real::Scalar;

/// Coulomb, viscous and Stribeck friction with memory: the Stribeck part answers the speed of one lag ago, and its size
/// grows with the time at rest. In stick the contact is a spring.
///
/// strength = F_c + F_v v + F_s/(1 + (v(t - lag)/v_s)^2),   hold = F_c + F_s
/// F_s = start + (F_sinf - start) clock/(clock + gamma);   clock' = 1 in stick, 0 in slip
/// on entry to stick start = F_s/(1 + (v(t - lag)/v_s)^2), the Stribeck friction of that moment, and clock = 0
///
/// With a stiffness `k_f` stick is elastic: F = k_f x, x' = v, until |k_f x| reaches what is held; the contact then slides
/// at the strength above until it turns back. The deflection x is there from the start of stick, k_f x = strength: friction
/// is continuous where sliding ends. `way` is the direction of sliding, 0 in stick. Without `k_f` stick is rigid.
///
/// The forces do not depend on the load. Passive where stick is rigid; else over closed paths, for the deflection that is
/// there when stick begins brings energy of its own.
#[derive(Clone, Debug, Kind)]
#[kind(
    "armstrong",
    claims = "odd passive set_valued",
    reference = "B. Armstrong-Helouvry, Control of Machines with Friction, 1991; Berger 2002, eqs 11-13",
    example = "F_c = '1 N', F_v = '3 N s/m', F_sa = '0.2 N', F_sinf = '0.8 N', v_s = '2 cm/s', gamma = '0.5 s'",
    load = 10.0,
    speed = 1e-2,
    slip = 1e-2
)]
#[allow(non_snake_case, reason = "the paper's letters")]
pub struct Armstrong<S = f64> {
    /// Coulomb friction.
    #[param(unit = "N", min = 0.0)]
    pub F_c: S,
    /// Viscous friction per speed.
    #[param(unit = "N s/m", default = 0.0, min = 0.0)]
    pub F_v: S,
    /// Stribeck friction at the onset of the first stick.
    #[param(unit = "N", min = 0.0)]
    pub F_sa: S,
    /// Stribeck friction after a long stick.
    #[param(unit = "N", min = "F_sa")]
    pub F_sinf: S,
    /// Speed over which the Stribeck friction falls.
    #[param(unit = "m/s", above = 0.0)]
    pub v_s: S,
    /// Lag with which the Stribeck friction follows the speed.
    #[param(unit = "s", default = 0.0, min = 0.0)]
    pub lag: S,
    /// Time at rest after which half of the growth is reached.
    #[param(unit = "s", above = 0.0)]
    pub gamma: S,
    /// Stiffness of the contact before it breaks away; 0 where stick is rigid.
    #[param(unit = "N/m", default = 0.0, min = 0.0)]
    pub k_f: S,
}

/// Time in stick.
const CLOCK: usize = 0;
/// Stribeck friction at the beginning of stick.
const START: usize = 1;
/// Deflection of elastic stick.
const DEFLECTION: usize = 2;
/// Direction of sliding, where stick is elastic: 1, -1, or 0 in stick.
const WAY: usize = 3;
/// Break-away lies this part beyond what is held: where sliding ends, friction is exactly there.
const BAND: f64 = 1e-9;

impl<S: Scalar> Armstrong<S> {
    fn rested(&self, z: &[S]) -> S {
        z[START] + (self.F_sinf - z[START]) * (z[CLOCK] / (z[CLOCK] + self.gamma))
    }

    /// What the speed of one lag ago leaves of the Stribeck friction.
    fn left<const D: usize>(&self, at: &Slide<S, D>) -> S {
        let speed = if self.lag.re() > 0.0 { norm(&at.lagged) } else { at.speed() };
        S::lit(1.0) / ((speed / self.v_s).square() + 1.0)
    }

    fn is_elastic(&self) -> bool {
        self.k_f.re() > 0.0
    }

    /// The size of friction in sliding at this speed, which may be slightly negative where the motion turns.
    fn strength<const D: usize>(&self, at: &Slide<S, D>, z: &[S], speed: S) -> S {
        self.F_c + self.F_v * speed + self.rested(z) * self.left(at)
    }

    /// Friction of elastic stick and of the sliding that follows, in one direction.
    fn carried<const D: usize>(&self, at: &Slide<S, D>, z: &[S]) -> S {
        match slides(z) {
            true => z[WAY] * self.strength(at, z, z[WAY] * at.v[0]),
            false => self.k_f * z[DEFLECTION],
        }
    }

    /// Sliding ends: the contact keeps its friction as a deflection, and its clock starts.
    fn stop<const D: usize>(&self, at: &Slide<S, D>, z: &mut [S]) {
        z[DEFLECTION] = z[WAY] * self.strength(at, z, S::zero()) / self.k_f;
        (z[START], z[CLOCK], z[WAY]) = (self.rested(z) * self.left(at), S::zero(), S::zero());
    }

    /// What elastic stick holds beyond what it carries, less than nothing where it breaks away.
    fn spare(&self, z: &[S]) -> S {
        (self.F_c + self.rested(z)) * (1.0 + BAND) - (self.k_f * z[DEFLECTION]).abs()
    }

    /// The clock at which elastic stick that begins with these states breaks away, at a constant velocity.
    ///
    /// It carries q + a c at the clock c, and holds h + D c/(c + gamma): the larger root of a c^2 + (a gamma + p - D) c + p gamma,
    /// where p = q - h. (Between the roots, where stick begins, it holds more than it carries.)
    fn end_of_stick(&self, v: S, z: &[S]) -> S {
        let a = self.k_f * v.abs();
        if a.re() == 0.0 || self.spare(z).re() < 0.0 {
            return z[CLOCK];
        }
        let along = if v.re() < 0.0 { -z[DEFLECTION] } else { z[DEFLECTION] };
        let p = self.k_f * along - a * z[CLOCK] - (self.F_c + z[START]) * (1.0 + BAND);
        let b = a * self.gamma + p - (self.F_sinf - z[START]) * (1.0 + BAND);
        let root = (b.square() - a * p * self.gamma * 4.0).max(S::zero()).sqrt();
        let c = if b.re() < 0.0 { (root - b) / (a * 2.0) } else { -(p * self.gamma * 2.0) / (b + root) };
        c.max(z[CLOCK])
    }

    /// The contact breaks away in the direction of its deflection.
    fn break_away(&self, z: &mut [S]) {
        z[WAY] = S::lit(1f64.copysign(z[DEFLECTION].re()));
        z[DEFLECTION] = S::zero();
    }
}

/// Whether an elastic contact slides.
fn slides<S: Scalar>(z: &[S]) -> bool {
    z[WAY].re().abs() > 0.5
}

impl<S: Scalar, const D: usize> Law<S, D> for Armstrong<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        dz[START] = S::zero();
        if self.is_elastic() {
            let sticks = if slides(z) { 0.0 } else { 1.0 };
            (dz[CLOCK], dz[DEFLECTION], dz[WAY]) = (S::lit(sticks), at.v[0] * sticks, S::zero());
            return Friction::Force([self.carried(at, z); D]);
        }
        dz[CLOCK] = S::lit(if at.mode == Mode::Stick { 1.0 } else { 0.0 });
        let rested = self.rested(z);
        Friction::Cone { hold: self.F_c + rested, strength: self.strength(at, z, at.speed()) }
    }

    fn states(&self) -> Vec<State> {
        let mut states = vec![
            State::new("clock", "s", 0.0, Scale::Linear(self.gamma.re())).means("Time in stick."),
            State::new("start", "N", self.F_sa.re(), Scale::Linear(self.F_sinf.re().max(1e-30)))
                .means("Level of static friction at which the last slide ended."),
        ];
        if self.is_elastic() {
            let reach = (self.F_c.re() + self.F_sinf.re()).max(1e-30) / self.k_f.re();
            states.extend(State::vector::<1>("x", "m", reach, "Deflection since stick began."));
            states.extend(State::vector::<1>("way", "1", 1.0, "Direction of sliding; 0 in stick."));
        }
        states
    }

    fn step(&self, at: &Slide<S, D>, dt: S, z0: &[S], z1: &mut [S], _: &mut [S]) -> Option<[S; D]> {
        if !self.is_elastic() {
            return None;
        }
        z1.copy_from_slice(z0);
        if slides(z1) && (z1[WAY] * at.v[0]).re() < 0.0 {
            self.stop(at, z1);
        }
        if !slides(z1) {
            let ends = self.end_of_stick(at.v[0], z1);
            (z1[CLOCK], z1[DEFLECTION]) = (z1[CLOCK] + dt, z1[DEFLECTION] + at.v[0] * dt);
            if self.spare(z1).re() < 0.0 {
                // The clock stops where stick does, not at the end of the step.
                z1[CLOCK] = ends;
                self.break_away(z1);
            }
        }
        Some([self.carried(at, z1); D])
    }

    /// Elastic stick: what it holds beyond what it carries; in sliding the speed.
    fn guards(&self, at: &Slide<S, D>, z: &[S], g: &mut Vec<S>) {
        if self.is_elastic() {
            g.push(if slides(z) { z[WAY] * at.v[0] } else { self.spare(z) });
        }
    }

    fn on(&self, event: Event<S>, at: &Slide<S, D>, z: &mut [S]) {
        match event {
            Event::Enter(Mode::Stick) if !self.is_elastic() => {
                (z[START], z[CLOCK]) = (self.rested(z) * self.left(at), S::zero());
            }
            _ if !self.is_elastic() => (),
            Event::Enter(Mode::Open) => (z[DEFLECTION], z[WAY]) = (S::zero(), S::zero()),
            Event::Guard(_) if !slides(z) => self.break_away(z),
            Event::Guard(_) => self.stop(at, z),
            Event::Enter(_) if slides(z) && (z[WAY] * at.v[0]).re() <= 0.0 => self.stop(at, z),
            _ => (),
        }
    }

    /// Of the deflection, also of that which sliding keeps up.
    fn stored(&self, at: &Slide<S, D>, z: &[S]) -> S {
        if self.is_elastic() { self.carried(at, z).square() / self.k_f * 0.5 } else { S::zero() }
    }

    fn inner(&self, _: &Slide<S, D>, z: &[S]) -> Option<Inner> {
        self.is_elastic().then(|| Inner::shown(!slides(z)))
    }

    fn lag(&self) -> Option<S> {
        (self.lag.re() > 0.0).then_some(self.lag)
    }

    fn claims(&self, of_kind: Claims) -> Claims {
        let elastic = self.is_elastic();
        Claims {
            history: self.lag.re() > 0.0,
            set_valued: of_kind.set_valued && !elastic,
            passive: of_kind.passive && !elastic,
            passive_if: elastic,
            ..of_kind
        }
    }

    fn fits(&self) -> Result<(), LawError> {
        if self.is_elastic() && D > 1 {
            let message = "the stiffness before break-away, `k_f`, is one along a line";
            return Err(LawError::new("k_f", "directions", message.into(), "`k_f` = 0 in two directions".into()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step of any length stops the clock where the path itself does: in steady sliding it gives the time of the only stick.
    #[test]
    fn the_clock_stops_where_stick_ends() {
        let law = Armstrong { F_c: 1.0, F_v: 3.0, F_sa: 0.2, F_sinf: 0.8, v_s: 0.02, lag: 0.0, gamma: 0.5, k_f: 100.0 };
        let step = |v: f64, dt: f64, z0: &[f64]| {
            let (mut z1, at) = ([0.0; 4], Slide::<f64, 1>::new([v], 10.0));
            let force = law.step(&at, dt, z0, &mut z1, &mut [0.0; 4]).unwrap();
            (z1, force[0])
        };
        for v in [1e-3, -1e-3, 0.02, -5.0] {
            for begins in [[0.0, 0.2, 0.0, 0.0], [0.3, 0.4, 2e-3, 0.0], [2.0, 0.1, -5e-3, 0.0]] {
                let (once, force) = step(v, 1e18, &begins);
                let clock = once[CLOCK];
                // What is carried then is what is held.
                let carried = law.k_f * (begins[DEFLECTION] * v.signum() + v.abs() * (clock - begins[CLOCK]));
                let held = 1.0 + begins[START] + (0.8 - begins[START]) * clock / (clock + 0.5);
                assert!((carried / held - 1.0).abs() < 1e-8, "{v} {begins:?}: {carried} {held}");
                // Many short steps lead there too.
                let (mut z, steps) = (begins, 1000.0);
                for _ in 0..1100 {
                    z = step(v, (clock - begins[CLOCK]) / steps, &z).0;
                }
                assert!((z[CLOCK] / clock - 1.0).abs() < 1e-9 && z[WAY] == v.signum(), "{v} {z:?} {clock}");
                assert!((step(v, 1.0, &z).1 / force - 1.0).abs() < 1e-9);
            }
        }
    }
}
