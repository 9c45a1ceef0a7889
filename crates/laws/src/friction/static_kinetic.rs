//! The static friction of one law with the kinetic friction of another.
use crate::contract::nested::same_neighbours;
use crate::{Claims, Event, Friction, Kind, Law, LawError, Nested, Scale, Slide, State};
use std::marker::PhantomData;
use stickslip_derive::delegate;
use stickslip_formula::Formula;
use stickslip_real::Real;

/// The static friction of one law with the kinetic friction of another: any dwell law with any velocity curve.
///
/// strength is that of `kinetic`;   hold is that of `static`, and no less than what `kinetic` resists at the slowest slip
#[derive(Clone, Debug, Kind)]
#[kind(
    "static-kinetic",
    claims = "odd passive set_valued",
    reference = "Oden & Martins 1985, Fig 38; Berger 2002, Table 1",
    example = "static = { law = 'dwell-exponential', mu_0 = 0.3, mu_inf = 0.5, c = '2 1/s' }, kinetic = { law = 'exponential', mu_0 = 0.2, mu_1 = 0.1, alpha = '30 s/m' }",
    load = 10.0,
    speed = 1e-2,
    slip = 1e-2
)]
pub struct StaticKinetic<S = f64> {
    /// Law of the friction that stick can hold.
    #[param()]
    pub r#static: Nested,
    /// Law of the friction in slip.
    #[param()]
    pub kinetic: Nested,
    scalar: PhantomData<S>,
}

impl<S: Real> StaticKinetic<S> {
    /// States of the static law: they come first.
    fn first<const D: usize>(&self) -> usize
    where
        Nested: Law<S, D>,
    {
        Law::<S, D>::states(&self.r#static).len()
    }

    /// Guards of the static law: they come first too.
    fn first_guards<const D: usize>(&self, at: &Slide<S, D>, z: &[S]) -> usize
    where
        Nested: Law<S, D>,
    {
        let mut g = vec![];
        self.r#static.guards(at, z, &mut g);
        g.len()
    }
}

#[delegate(default(step, inner, strength_inside))]
impl<S: Real, const D: usize> Law<S, D> for StaticKinetic<S>
where
    Nested: Law<S, D>,
{
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        let (z_s, z_k) = z.split_at(self.first::<D>());
        let (dz_s, dz_k) = dz.split_at_mut(z_s.len());
        let standing = self.kinetic.respond(&Slide { v: [S::zero(); D], ..*at }, z_k, dz_k);
        match (self.r#static.respond(at, z_s, dz_s), standing, self.kinetic.respond(at, z_k, dz_k)) {
            (
                Friction::Cone { hold, .. },
                Friction::Cone { strength: slowest, .. },
                Friction::Cone { strength, .. },
            ) => Friction::Cone { hold: hold.max(slowest), strength },
            _ => Friction::Cone { hold: S::lit(f64::NAN), strength: S::lit(f64::NAN) },
        }
    }

    /// A state of the kinetic law whose name the static law has too is kept apart.
    fn states(&self) -> Vec<State> {
        let mut all = Law::<S, D>::states(&self.r#static);
        for state in Law::<S, D>::states(&self.kinetic) {
            let taken = all.iter().any(|s| s.name == state.name);
            let name = if taken { format!("kinetic_{}", state.name) } else { state.name.clone() };
            all.push(State { name, ..state });
        }
        all
    }

    fn velocity_scale(&self) -> Scale {
        Law::<S, D>::velocity_scale(&self.kinetic)
    }

    fn rest_speed(&self, z: &[S]) -> Option<S> {
        Law::<S, D>::rest_speed(&self.kinetic, &z[self.first::<D>()..])
    }

    fn guards(&self, at: &Slide<S, D>, z: &[S], g: &mut Vec<S>) {
        let (z_s, z_k) = z.split_at(self.first::<D>());
        self.r#static.guards(at, z_s, g);
        self.kinetic.guards(at, z_k, g);
    }

    fn on(&self, event: Event<S>, at: &Slide<S, D>, z: &mut [S]) {
        let (z_s, z_k) = z.split_at_mut(self.first::<D>());
        let Event::Guard(i) = event else {
            self.r#static.on(event, at, z_s);
            return self.kinetic.on(event, at, z_k);
        };
        match i.checked_sub(self.first_guards(at, z_s)) {
            None => self.r#static.on(event, at, z_s),
            Some(i) => self.kinetic.on(Event::Guard(i), at, z_k),
        }
    }

    fn lag(&self) -> Option<S> {
        Law::<S, D>::lag(&self.r#static).or_else(|| Law::<S, D>::lag(&self.kinetic))
    }

    fn intrinsic_time(&self) -> Option<f64> {
        let both = [&self.r#static, &self.kinetic];
        both.into_iter().filter_map(Law::<S, D>::intrinsic_time).reduce(f64::min)
    }

    fn clocks(&self) -> Vec<Formula> {
        let both = [&self.r#static, &self.kinetic];
        both.into_iter().flat_map(Law::<S, D>::clocks).collect()
    }

    /// `fits` sees to it that both have the same.
    fn kernel(&self) -> Vec<S> {
        Law::<S, D>::kernel(&self.kinetic)
    }

    fn stored(&self, at: &Slide<S, D>, z: &[S]) -> S {
        let (z_s, z_k) = z.split_at(self.first::<D>());
        self.r#static.stored(at, z_s) + self.kinetic.stored(at, z_k)
    }

    fn claims(&self, _: Claims) -> Claims {
        self.r#static.promises().common(self.kinetic.promises())
    }

    fn fits(&self) -> Result<(), LawError> {
        for law in [&self.r#static, &self.kinetic] {
            let message = "`static` needs a set-valued law";
            law.require(law.promises().set_valued, message, "a set-valued law, such as \"dwell\" or \"stribeck\"")?;
            Law::<S, D>::fits(law)?;
        }
        let lags = [&self.r#static, &self.kinetic].map(|law| Law::<S, D>::lag(law).map(|lag| lag.sample()));
        let same = lags[0].is_none() || lags[1].is_none() || lags[0] == lags[1];
        self.kinetic.require(same, "two lags stand side by side", "one lag, around the whole law")?;
        same_neighbours::<S, D>(&self.r#static, &self.kinetic)?;
        let traction = self.r#static.promises().traction == self.kinetic.promises().traction;
        self.kinetic.require(traction, "one law works on forces, the other on tractions", "two laws of the same kind")
    }

    fn observe(&self, at: &Slide<S, D>, z: &[S]) -> Vec<(&'static str, &'static str, S)> {
        let (z_s, z_k) = z.split_at(self.first::<D>());
        self.r#static.observe(at, z_s).into_iter().chain(self.kinetic.observe(at, z_k)).collect()
    }

    fn fault(&self, at: &Slide<S, D>, z: &[S]) -> Option<&'static str> {
        let (z_s, z_k) = z.split_at(self.first::<D>());
        self.r#static.fault(at, z_s).or_else(|| self.kinetic.fault(at, z_k))
    }
}
