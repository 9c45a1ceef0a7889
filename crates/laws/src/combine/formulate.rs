//! Set-valued laws made single-valued: the user's choice, never a law's own.
use super::Compliant;
use crate::contract::jets::shared;
use crate::contract::nested::One;
use crate::contract::parameter_laws::alone;
use crate::{Claims, ContactGroup, Cubic, Friction, Group, Law, LawError, Scale, SeededLaw, Seeding, Slide, Values};
use std::sync::Arc;
use stickslip_derive::delegate;
use stickslip_real::{Dual, Real};

/// How a jump at rest is smoothed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Smoothing {
    /// (2 - x) x up to x = 1, then 1: once differentiable (Oden & Martins 1985).
    Quadratic,
    /// (2/pi) atan x.
    Arctan,
    /// tanh x.
    Tanh,
    /// x up to x = 1, then 1: a dashpot in front of the cone, not differentiable at its edge.
    Linear,
}

impl Smoothing {
    /// Names, in order.
    pub const NAMES: [&'static str; 4] = ["quadratic", "arctan", "tanh", "linear"];
    /// All, in order.
    pub const ALL: [Smoothing; 4] = [Smoothing::Quadratic, Smoothing::Arctan, Smoothing::Tanh, Smoothing::Linear];

    /// The integral of [`Smoothing::part`] from rest to x: what |x| is smoothed to.
    pub fn potential<S: Real>(self, x: S) -> S {
        match self {
            Smoothing::Quadratic => {
                let inside = x.min(S::lit(1.0));
                inside * inside * (S::lit(1.0) - inside / 3.0) + (x - 1.0).pos()
            }
            Smoothing::Arctan => (x * x.atan() - (x * x).ln_1p() * 0.5) * std::f64::consts::FRAC_2_PI,
            // ln cosh x, without overflow.
            Smoothing::Tanh => x + (-(x * 2.0)).exp().ln_1p() - std::f64::consts::LN_2,
            Smoothing::Linear => {
                let inside = x.min(S::lit(1.0));
                inside * inside * 0.5 + (x - 1.0).pos()
            }
        }
    }

    /// The part of the strength at x = speed / width.
    pub fn part<S: Real>(self, x: S) -> S {
        match self {
            Smoothing::Quadratic => {
                let inside = x.min(S::lit(1.0));
                (S::lit(2.0) - inside) * inside
            }
            Smoothing::Arctan => x.atan() * std::f64::consts::FRAC_2_PI,
            Smoothing::Tanh => x.tanh(),
            Smoothing::Linear => x.min(S::lit(1.0)),
        }
    }
}

/// A set-valued law whose force grows from zero over a width of speed: stick becomes creep.
///
/// F = strength(|v|) part(|v|/width) along v. What stick could hold beyond the strength is lost.
/// The law inside has no memory, so neither a step nor inner elements of its own; the speed is smooth over the width.
#[derive(Clone, Debug)]
pub struct Regularised<L> {
    inner: L,
    smoothing: Smoothing,
    width: f64,
}

#[delegate(to = &self.inner, default(rest_speed, step, inner))]
impl<S: Real, const D: usize, L: Law<S, D>> Law<S, D> for Regularised<L> {
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        match self.inner.respond(at, z, dz) {
            Friction::Cone { strength, .. } => {
                Friction::Force(at.along(|speed| strength * self.smoothing.part(speed / self.width)))
            }
            force => force,
        }
    }
    fn velocity_scale(&self) -> Scale {
        Scale::Linear(self.width)
    }
    fn strength_inside(&self, at: &Slide<S, D>) -> Option<S> {
        match self.inner.respond(at, &[], &mut []) {
            Friction::Cone { strength, .. } => Some(strength),
            Friction::Force(_) => None,
        }
    }
    /// What stands for the sign of the slip velocity, and for its size.
    fn observe(&self, at: &Slide<S, D>, z: &[S]) -> Vec<(&'static str, &'static str, S)> {
        let x = at.speed() / self.width;
        let own = [
            ("smoothed_sign", "1", self.smoothing.part(x)),
            ("smoothed_speed", "m/s", self.smoothing.potential(x) * self.width),
        ];
        own.into_iter().chain(self.inner.observe(at, z)).collect()
    }
    fn claims(&self, of_kind: Claims) -> Claims {
        let inner = self.inner.claims(of_kind);
        Claims { set_valued: false, rate_independent: false, piecewise_linear: false, ..inner }
    }
}

fn refuse(message: &str) -> LawError {
    LawError::new("law", "conflict", message.into(), "a set-valued law without memory".into())
}

/// The group with its jump at rest smoothed over a width of speed, m/s.
pub fn regularised(
    group: impl Into<Arc<dyn ContactGroup>>,
    smoothing: Smoothing,
    width: f64,
) -> Result<Box<dyn ContactGroup>, LawError> {
    let group = group.into();
    let claims = group.claims();
    if !claims.memoryless {
        return Err(refuse("a law that remembers its time in stick has none when stick is smoothed away"));
    }
    let (points, directions) = (group.points(), group.directions());
    let (one, inner) = taken(group);
    let law = Regularised { inner: one.clone(), smoothing, width };
    let mut new: Box<dyn ContactGroup> = match directions {
        2 => Box::new(Group::<_, _, 2>::new(vec![law.clone()], vec![law], points, claims)),
        _ => Box::new(Group::<_, _, 1>::new(vec![law.clone()], vec![law], points, claims)),
    };
    let inside = one.clone();
    new.offer_jet(Arc::new(move || {
        let law = vec![Regularised { inner: inside.clone(), smoothing, width }];
        Ok(if directions == 2 { shared::<_, 2>(law) } else { shared::<_, 1>(law) })
    }));
    offer(&mut *new, one, inner, move |one| {
        let law = Regularised { inner: one, smoothing, width };
        Ok(if directions == 2 { alone::<_, 2>(law) } else { alone::<_, 1>(law) })
    });
    Ok(new)
}

/// A group as a law, and what it takes to make that with derivatives in its parameters.
fn taken(group: Arc<dyn ContactGroup>) -> (One, Option<(Seeding, Values)>) {
    let seeds = group.seeds().cloned();
    (One::new(group, None), seeds)
}

/// Offers derivatives in the parameters of the law inside, as it is seen through what was put around it.
fn offer(
    group: &mut dyn ContactGroup,
    one: One,
    inner: Option<(Seeding, Values)>,
    around: impl Fn(One) -> Result<SeededLaw, LawError> + Send + Sync + 'static,
) {
    if let Some((seeding, values)) = inner {
        let seeding: Seeding = Arc::new(move |values, lift| around(one.with_seeds(seeding(values, lift)?)));
        group.offer_seeds(seeding, &values);
    }
}

/// The group behind a spring (N/m) and a dashpot (N s/m).
pub fn compliant(
    group: impl Into<Arc<dyn ContactGroup>>,
    k_t: f64,
    c_t: f64,
) -> Result<Box<dyn ContactGroup>, LawError> {
    let group = group.into();
    let claims = group.claims();
    if claims.history || claims.random || claims.force_rate || claims.approach || claims.real_area {
        return Err(refuse("a law behind a spring answers its own speed and load alone"));
    }
    let (points, directions) = (group.points(), group.directions());
    let (one, inner) = taken(group);
    let law = Compliant::new(one.clone(), claims, k_t, c_t)?;
    let dual = move |one: One| Compliant::new(one, claims, Dual::constant(k_t), Dual::constant(c_t));
    let (lifted, claims) =
        (dual(one.clone())?, Claims { set_valued: false, memoryless: false, load_linear: false, ..claims });
    let mut new: Box<dyn ContactGroup> = match directions {
        2 => Box::new(Group::<_, _, 2>::new(vec![law], vec![lifted], points, claims)),
        _ => Box::new(Group::<_, _, 1>::new(vec![law], vec![lifted], points, claims)),
    };
    let inside = one.clone();
    new.offer_jet(Arc::new(move || {
        let law = vec![Compliant::new(inside.clone(), claims, Cubic::lit(k_t), Cubic::lit(c_t))?];
        Ok(if directions == 2 { shared::<_, 2>(law) } else { shared::<_, 1>(law) })
    }));
    offer(&mut *new, one, inner, move |one| {
        let law = dual(one)?;
        Ok(if directions == 2 { alone::<_, 2>(law) } else { alone::<_, 1>(law) })
    });
    Ok(new)
}
