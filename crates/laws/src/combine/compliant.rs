//! A spring, and a dashpot beside it, in series with a set-valued law.
use super::spring_series::behind;
use crate::{Claims, Event, Friction, Inner, Law, LawError, Mode, Slide, State, dot, norm};
use stickslip_derive::delegate;
use stickslip_real::{Real, Scalar};

/// Coulomb friction with one limit: hold = strength = mu N + limit.
#[derive(Clone, Debug)]
pub struct Slider<S = f64> {
    /// Friction coefficient.
    pub mu: S,
    /// Limit that does not depend on the normal force, N.
    pub limit: S,
}

impl<S: Real, const D: usize> Law<S, D> for Slider<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, _: &[S], _: &mut [S]) -> Friction<S, D> {
        let limit = at.n * self.mu + self.limit;
        Friction::Cone { hold: limit, strength: limit }
    }
}

/// A spring (stiffness k) and a dashpot (damping c) beside it, both in series with a set-valued law.
///
/// The state is the spring force f. The inner element sticks while |f + c v| is below its limit: f' = k v.
/// It slides on the limit; with c = 0:  f' = k (v - (v.e) e) + limit' e, e = f/|f|: f turns and follows the limit,
/// with c > 0:  F = the point of the disc |F| <= limit nearest to f + c v, f' = k (F - f)/c.
/// An integrator of the rates under a varying limit holds the inner mode between events by `Slide::inner`.
/// Over a step: F = the point of the disc nearest to f0 + (k dt + c) v, a radial return.
///
/// A limit that depends on the speed w of the inner element needs the dashpot: F = f + c (v - w) and |F| = strength(w)
/// give w, see `behind`. It is unique where c exceeds the steepest fall of the strength.
///
/// The inner law answers that speed, not the contact's: its velocity scale and what it observes are not handed on. It has no
/// memory, so no guards, no energy and no lag of its own either.
#[derive(Clone, Debug)]
pub struct Compliant<L, S = f64> {
    inner: L,
    stiffness: S,
    damping: S,
    /// Whether the limit depends on the speed.
    rated: bool,
}

/// The inner element counts as on its limit from this part below it: rounding does not unseat a slide.
const BAND: f64 = 1e-9;
/// An element that sticks gives way this part above its limit: more than rounding, and nothing else.
const BEYOND: f64 = 1e-13;

impl<L, S: Scalar> Compliant<L, S> {
    /// Puts a spring and a dashpot in series with `inner`, whose kind makes `claims`.
    ///
    /// Refused unless `inner` is set-valued and memoryless, holds at rest what it resists in the slowest slip, and has a
    /// dashpot beside the spring if it depends on the rate: otherwise the force that belongs to a motion is not unique.
    /// The limit must be linear in the normal force.
    pub fn new(inner: L, claims: Claims, stiffness: S, damping: S) -> Result<Self, LawError>
    where
        L: Law<S, 1>,
    {
        let claims = inner.claims(claims);
        let refuse = |message: &str| {
            let expected =
                "a set-valued, memoryless law with hold = strength at rest; c_t > 0 if it depends on the rate";
            let expected = expected.to_string();
            Err(LawError::new("law", "conflict", message.to_string(), expected))
        };
        if !(claims.set_valued && claims.memoryless) {
            return refuse("the law in series with a spring has memory, or has no cone");
        }
        let rated = !claims.rate_independent;
        if rated && damping.re() <= 0.0 {
            return refuse(
                "the law in series with a spring depends on the rate, and no dashpot stands beside the spring",
            );
        }
        match inner.respond(&Slide::new([S::zero()], S::lit(1.0)), &[], &mut []) {
            Friction::Cone { hold, strength } if hold.re() == strength.re() => (),
            _ => return refuse("the law in series with a spring holds more in stick than it resists in slip"),
        }
        Ok(Compliant { inner, stiffness, damping, rated })
    }

    /// The limit at rest at the normal force of `at`, and its rate.
    #[inline(always)]
    fn limit<const D: usize>(&self, at: &Slide<S, D>) -> (S, S)
    where
        L: Law<S, D>,
    {
        let strength = |n: S| match self.inner.respond(&Slide { n, v: [S::zero(); D], ..*at }, &[], &mut []) {
            Friction::Cone { strength, .. } => strength,
            Friction::Force(_) => S::lit(f64::NAN),
        };
        let limit = strength(at.n);
        (limit, strength(at.n + at.n_rate) - limit)
    }

    /// The force through the inner element where a rigid one would carry `x` and gives way by `per_speed` of its speed.
    #[inline(always)]
    fn through<const D: usize>(&self, at: &Slide<S, D>, x: [S; D], per_speed: S) -> [S; D]
    where
        L: Law<S, D>,
    {
        let (limit, _) = self.limit(at);
        if self.rated && norm(&x).re() > limit.re() {
            return behind(&self.inner, at, x, per_speed).unwrap_or([S::lit(f64::NAN); D]);
        }
        onto_disc(x, limit)
    }

    /// Without a dashpot: distance to the band below the limit, how fast the elastic force would leave it, and e.
    #[inline(always)]
    fn sliding<const D: usize>(&self, at: &Slide<S, D>, f: &[S; D]) -> Sliding<S, D>
    where
        L: Law<S, D>,
    {
        let (limit, limit_rate) = self.limit(at);
        let size = norm(f);
        let e = match at.inner {
            // Which way it slides is held too.
            Some(held) if D == 1 && !held.any() => [S::lit(held.sign()); D],
            _ => direction(f, direction(&at.v, [S::zero(); D])),
        };
        Sliding { inside: limit * (1.0 - BAND) - size, outward: self.stiffness * dot(&at.v, &e) - limit_rate, limit, e }
    }
}

/// Where a spring force without dashpot stands.
struct Sliding<S, const D: usize> {
    inside: S,
    outward: S,
    limit: S,
    e: [S; D],
}

impl<S: Scalar, const D: usize> Sliding<S, D> {
    fn holds(&self) -> bool {
        self.inside.re() <= 0.0 && self.outward.re() > 0.0
    }
}

/// The direction of a vector, or `otherwise` where it has none.
#[inline(always)]
pub(super) fn direction<S: Scalar, const D: usize>(x: &[S; D], otherwise: [S; D]) -> [S; D] {
    let size = norm(x);
    if size.re() < 1e-200 {
        otherwise
    } else if D == 1 {
        // A quotient may miss 1 by its last bit.
        x.map(|c| S::lit(1f64.copysign(c.re())))
    } else {
        x.map(|c| c / size)
    }
}

/// The point of the disc nearest to x. On its edge the slopes are those of the inside, if there is one.
#[inline(always)]
fn onto_disc<S: Scalar, const D: usize>(x: [S; D], radius: S) -> [S; D] {
    let size = norm(&x);
    if size.re() <= radius.re() && radius.re() > 0.0 { x } else { direction(&x, [S::zero(); D]).map(|e| e * radius) }
}

#[delegate(to = &self.inner, default(rest_speed, lag, observe, velocity_scale))]
impl<S: Scalar, const D: usize, L: Law<S, D>> Law<S, D> for Compliant<L, S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        let f: [S; D] = std::array::from_fn(|i| z[i]);
        if self.damping.re() > 0.0 {
            let force = self.through(at, std::array::from_fn(|i| f[i] + self.damping * at.v[i]), self.damping);
            for i in 0..D {
                dz[i] = self.stiffness * ((force[i] - f[i]) / self.damping);
            }
            return Friction::Force(force);
        }
        let state = self.sliding(at, &f);
        if state.limit.re() <= 0.0 {
            dz[..D].fill(S::zero());
            return Friction::Force([S::zero(); D]);
        }
        let slides = at.inner.map_or(state.holds(), |held| !held.any());
        let along = if slides { state.outward } else { S::zero() };
        for i in 0..D {
            dz[i] = self.stiffness * at.v[i] - along * state.e[i];
        }
        if D == 1 && slides && at.inner.is_some() {
            return Friction::Force(state.e.map(|e| e * state.limit));
        }
        if at.inner.is_none() || slides {
            return Friction::Force(onto_disc(f, state.limit));
        }
        // An element that is known to stick does so up to the event, just beyond the limit: its slopes have no corner before.
        let over = (state.limit.re() / norm(&f).re()).min(1.0);
        Friction::Force(if over < 1.0 { f.map(|f| f * over) } else { f })
    }

    fn states(&self) -> Vec<State> {
        State::vector::<D>("f", "N", 1.0, "Force in the spring before the slider.")
    }

    fn step(&self, at: &Slide<S, D>, dt: S, z0: &[S], z1: &mut [S], _: &mut [S]) -> Option<[S; D]> {
        let per_speed = self.stiffness * dt + self.damping;
        let force = self.through(at, std::array::from_fn(|i| z0[i] + per_speed * at.v[i]), per_speed);
        for i in 0..D {
            z1[i] = z0[i] + self.stiffness * dt * ((force[i] - z0[i]) / per_speed);
        }
        Some(force)
    }

    /// Without a dashpot: the distance to the limit, and the loading beyond it. Where it is known whether the element slides,
    /// only the one that can end this: a force that leaves its limit, or changes its sign, is no event. With a dashpot: the
    /// distance.
    fn guards(&self, at: &Slide<S, D>, z: &[S], g: &mut Vec<S>) {
        let f: [S; D] = std::array::from_fn(|i| z[i]);
        if self.damping.re() > 0.0 {
            let force: [S; D] = std::array::from_fn(|i| f[i] + self.damping * at.v[i]);
            g.push(self.limit(at).0 - norm(&force));
        } else {
            let state = self.sliding(at, &f);
            g.extend(match at.inner.map(Inner::any) {
                None => [state.inside, state.outward],
                // Beyond the limit by rounding, so that a force that is let go on it is on the right side. In one direction
                // the limits of both: a size has a corner. Without a limit one of them fails.
                Some(true) if D == 1 => {
                    let limit = state.limit * (1.0 + BEYOND);
                    [limit - f[0], limit + f[0]]
                }
                Some(true) => [state.limit * (1.0 + BEYOND) - norm(&f), state.limit],
                Some(false) => [state.limit, state.outward],
            });
        }
    }

    /// Reaching the limit puts the force exactly on it; a drop of the limit takes the force along; open, it is zero.
    fn on(&self, event: Event<S>, at: &Slide<S, D>, z: &mut [S]) {
        let f: [S; D] = std::array::from_fn(|i| z[i]);
        let new = match event {
            Event::Guard(k) if self.damping.re() == 0.0 && (k == 0 || at.inner.is_some_and(Inner::any)) => {
                let state = self.sliding(at, &f);
                match state.outward.re() > 0.0 {
                    true => state.e.map(|e| e * state.limit),
                    false => onto_disc(f, state.limit),
                }
            }
            Event::Load { to, .. } => onto_disc(f, self.limit(&Slide { n: to, ..*at }).0),
            Event::Enter(Mode::Open) => [S::zero(); D],
            _ => f,
        };
        z[..D].copy_from_slice(&new);
    }

    fn stored(&self, _: &Slide<S, D>, z: &[S]) -> S {
        z.iter().fold(S::zero(), |sum, f| sum + f.square()) / self.stiffness * 0.5
    }

    fn inner(&self, at: &Slide<S, D>, z: &[S]) -> Option<Inner> {
        let f: [S; D] = std::array::from_fn(|i| z[i]);
        if self.damping.re() > 0.0 {
            let force: [S; D] = std::array::from_fn(|i| f[i] + self.damping * at.v[i]);
            // Behind a dashpot the force itself decides, at any time: on its limit it can't say which way it goes.
            return Some(Inner::shown(norm(&force).re() < self.limit(at).0.re()));
        }
        let state = self.sliding(at, &f);
        Some(if state.holds() { Inner::sliding(D == 1 && state.e[0].re() < 0.0) } else { Inner::stuck() })
    }

    /// At rest; what a slider has at its speed is the force through it.
    fn strength_inside(&self, at: &Slide<S, D>) -> Option<S> {
        Some(self.limit(at).0)
    }

    fn fault(&self, at: &Slide<S, D>, z: &[S]) -> Option<&'static str> {
        let x: [S; D] = std::array::from_fn(|i| z[i] + self.damping * at.v[i]);
        let slides = self.rated && norm(&x).re() > self.limit(at).0.re();
        let behind = slides.then(|| behind(&self.inner, at, x, self.damping).err());
        self.inner.fault(at, &[]).or(behind.flatten())
    }

    fn claims(&self, of_kind: Claims) -> Claims {
        let rigid = self.damping.re() == 0.0;
        let unit_load = Slide::new([S::zero(); D], S::lit(1.0)).with_load_rate(S::lit(1.0));
        Claims {
            rate_independent: of_kind.rate_independent && rigid,
            piecewise_linear: of_kind.piecewise_linear && of_kind.rate_independent && rigid && D == 1,
            load_rate: rigid && self.limit(&unit_load).1.re() != 0.0,
            ..of_kind
        }
    }
}

impl<S: Real> Compliant<Slider<S>, S> {
    /// A spring and a dashpot in series with a slider: always allowed.
    pub fn slider(slider: Slider<S>, stiffness: S, damping: S) -> Self {
        Compliant { inner: slider, stiffness, damping, rated: false }
    }
}

#[cfg(test)]
#[path = "compliant_tests.rs"]
mod tests;
