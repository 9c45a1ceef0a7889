//! Every friction law of the catalogue conforms, and so do the combinators.
mod samples;

use samples::samples;
use stickslip_laws::combine::{Compliant, Lag, Slider, Viscous, With};
use stickslip_laws::conformance::{Sample, assert_conforms};
use stickslip_laws::friction::{LuGre, Stribeck};
use stickslip_laws::{FrictionKind, Kind, conformance, friction_kinds};
use stickslip_real::{Dual, Real};

/// A new kind is tested as soon as it is in the list; it needs samples. One thread a kind.
#[test]
fn every_kind_of_the_catalogue_conforms() {
    let check = |kind: &FrictionKind| {
        let samples = samples(kind.name);
        assert!(!samples.is_empty(), "no samples for `{}`: add them in crates/laws/tests/samples/mod.rs", kind.name);
        assert_conforms(kind, &samples);
    };
    std::thread::scope(|scope| {
        let runs: Vec<_> = friction_kinds().iter().map(|kind| (kind.name, scope.spawn(move || check(kind)))).collect();
        let failed: Vec<_> = runs.into_iter().filter_map(|(name, run)| run.join().err().map(|_| name)).collect();
        assert!(failed.is_empty(), "these do not conform: {}", failed.join(", "));
    });
}

/// Bristles with a viscous force beside them.
#[derive(Clone, Debug, Kind)]
#[kind("viscous-bristles", into = "With<Viscous<S>, LuGre<S>>", claims = "odd passive_if load_linear")]
struct ViscousBristles<S = f64> {
    /// Viscous force per speed.
    #[param(unit = "N s/m", min = 0.0)]
    c: S,
}

impl<S: Real> From<ViscousBristles<S>> for With<Viscous<S>, LuGre<S>> {
    fn from(p: ViscousBristles<S>) -> Self {
        let l = S::lit;
        #[rustfmt::skip]
        let law = LuGre {
            mu_c: l(1.0), mu_s: l(1.5), v_s: l(1e-3), sigma_0: l(1e5), sigma_1: l(300.0), sigma_2: l(0.0), alpha: l(2.0),
        };
        With { edit: Viscous { c: p.c }, law }
    }
}

conformance!(
    viscous_bristles,
    FrictionKind::plane::<ViscousBristles<f64>, ViscousBristles<Dual<4>>>(),
    [Sample::new("viscous", 2.0, 1e-2, 1.5e-5).set("c", 3.0).passive_if(true)]
);

/// Stribeck friction that answers late.
#[derive(Clone, Debug, Kind)]
#[kind("late", into = "With<Lag<S>, Stribeck<S>>", claims = "odd memoryless passive set_valued load_linear")]
struct Late<S = f64> {
    /// The delay.
    #[param(unit = "s", min = 0.0)]
    lag: S,
}

impl<S: Real> From<Late<S>> for With<Lag<S>, Stribeck<S>> {
    fn from(p: Late<S>) -> Self {
        let l = S::lit;
        let law = Stribeck { mu_k: l(0.3), mu_s: l(0.5), v_s: l(0.02), exponent: l(2.0), viscous: l(0.0) };
        With { edit: Lag { lag: p.lag }, law }
    }
}

conformance!(
    late_stribeck,
    FrictionKind::plane::<Late<f64>, Late<Dual<4>>>(),
    [Sample::new("late", 10.0, 0.1, 1e-3).set("lag", 0.01)]
);

/// A spring and a dashpot in series with a slider.
#[derive(Clone, Debug, Kind)]
#[kind("dashpot", into = "Compliant<Slider<S>, S>", claims = "odd passive rate_independent load_rate")]
struct Dashpot<S = f64> {
    /// Damping beside the spring.
    #[param(unit = "N s/m", above = 0.0)]
    c: S,
}

impl<S: Real> From<Dashpot<S>> for Compliant<Slider<S>, S> {
    fn from(p: Dashpot<S>) -> Self {
        Compliant::slider(Slider { mu: S::lit(0.3), limit: S::zero() }, S::lit(3e3), p.c)
    }
}

conformance!(
    slider_with_dashpot,
    FrictionKind::plane::<Dashpot<f64>, Dashpot<Dual<4>>>(),
    [Sample::new("dashpot", 10.0, 0.1, 1e-3).set("c", 10.0).visit(&[3.0]).visit(&[-2.5])]
);
