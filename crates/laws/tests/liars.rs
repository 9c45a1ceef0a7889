//! The conformance suite finds laws that do not keep what they say.
use stickslip_laws::conformance::{Finding, Sample, findings};
use stickslip_laws::{Friction, FrictionKind, Kind, Law, Scale, Slide, State, norm};
use stickslip_real::{Dual, Scalar};

/// The findings of one check with the one parameter `p` = 1.
fn found(kind: FrictionKind, check: &str) -> Vec<Finding> {
    let sample = Sample::new("liar", 2.0, 1.0, 1.0).set("p", 1.0);
    findings(&kind, &[sample]).into_iter().filter(|f| f.check == check).collect()
}

fn assert_found(kind: FrictionKind, check: &str, words: &str) {
    let all = found(kind, check);
    assert!(all.iter().any(|f| f.message.contains(words)), "no finding [{check}] with \"{words}\": {all:?}");
}

/// Declares a law with the parameter `p`: its claims and the body of `respond`.
macro_rules! liar {
    ($name:ident, $claims:literal, |$law:ident, $at:ident, $z:ident, $dz:ident| $body:expr $(, states: $states:expr)? $(, step: $factor:expr)?) => {
        /// A law for a test.
        #[derive(Clone, Debug, Kind)]
        #[kind("liar", claims = $claims)]
        struct $name<S = f64> {
            /// A parameter.
            #[param(unit = "1", above = 0.0)]
            p: S,
        }

        impl<S: Scalar, const D: usize> Law<S, D> for $name<S> {
            fn respond(&self, $at: &Slide<S, D>, $z: &[S], $dz: &mut [S]) -> Friction<S, D> {
                let $law = self;
                $body
            }
            $(fn states(&self) -> Vec<State> {
                $states
            })?
            $(fn step(&self, at: &Slide<S, D>, dt: S, z0: &[S], z1: &mut [S], dz: &mut [S]) -> Option<[S; D]> {
                let Friction::Force(f) = self.respond(at, z0, dz) else { return None };
                for i in 0..z0.len() {
                    z1[i] = (z0[i] + dt * $factor) / (dt * $factor + 1.0);
                }
                Some(f)
            })?
        }

        impl $name {
            fn kind() -> FrictionKind {
                FrictionKind::plane::<$name<f64>, $name<Dual<4>>>()
            }
        }
    };
}

liar!(Honest, "odd memoryless passive load_linear", |law, at, _z, _dz| {
    Friction::Force(at.along(|speed| at.n * law.p * speed.tanh()))
});

stickslip_laws::conformance!(
    an_honest_law_passes,
    Honest::kind(),
    [Sample::new("honest", 2.0, 1.0, 1.0).set("p", 1.0)]
);

liar!(FalseOdd, "odd memoryless passive load_linear", |law, at, _z, _dz| {
    let weaker_in_reverse = S::select(at.v[0].lt(S::zero()), S::lit(0.5), S::lit(1.0));
    Friction::Force(at.along(|speed| at.n * law.p * speed.tanh() * weaker_in_reverse))
});

#[test]
fn a_false_claim_of_oddness_is_found() {
    assert_found(FalseOdd::kind(), "claim", "not odd");
    assert_found(FalseOdd::kind(), "two directions", "");
}

liar!(Jump, "odd memoryless passive load_linear rate_independent", |law, at, _z, _dz| {
    let size = norm(&at.v);
    let safe = S::select(size.lt(S::lit(1e-200)), S::lit(1.0), size);
    Friction::Force(at.v.map(|v| at.n * law.p * (v / safe)))
});

#[test]
fn a_cone_in_disguise_is_found() {
    assert_found(Jump::kind(), "jump at rest", "jumps");
}

liar!(NotANumber, "odd memoryless passive load_linear", |law, at, _z, _dz| {
    let size = norm(&at.v);
    Friction::Force(at.v.map(|v| at.n * law.p * size.tanh() * v / size))
});

#[test]
fn nan_at_rest_is_found() {
    assert_found(NotANumber::kind(), "finite", "at rest");
    assert_found(NotANumber::kind(), "claim", "not defined at rest");
}

liar!(LostSlope, "odd memoryless passive load_linear", |law, at, _z, _dz| {
    Friction::Force(at.along(|speed| at.n * law.p * S::lit(speed.re().tanh())))
});

#[test]
fn a_lost_derivative_is_found() {
    assert_found(LostSlope::kind(), "tangent", "d(answer 0)/d(v_1)");
}

// A state that relaxes to one with the rate p; the step relaxes twice as fast.
liar!(
    WrongRates, "odd passive load_linear",
    |law, at, z, dz| {
        dz[0] = law.p * (S::lit(1.0) - z[0]);
        Friction::Force(at.along(|speed| at.n * z[0].abs() * speed.tanh()))
    },
    states: vec![State::new("s", "1", 0.2, Scale::Linear(1.0))],
    step: law_rate()
);

fn law_rate() -> f64 {
    2.0
}

#[test]
fn a_step_that_contradicts_the_rates_is_found() {
    assert_found(WrongRates::kind(), "order of the step", "16 steps");
}

#[test]
fn a_wrong_steady_state_is_found() {
    let sample = Sample::new("liar", 2.0, 1.0, 1.0).set("p", 1.0).steady(|v, n| 1.001 * n * v.tanh());
    let all = findings(&Honest::kind(), &[sample]);
    assert!(all.len() == 3 && all.iter().all(|f| f.check == "steady state"), "{all:?}");
}

liar!(Pusher, "odd memoryless passive load_linear", |law, at, _z, _dz| {
    Friction::Force(at.along(|speed| at.n * law.p * (speed.tanh() - speed * 0.8)))
});

#[test]
fn a_law_that_gives_energy_away_is_found() {
    assert_found(Pusher::kind(), "claim", "not passive");
}

liar!(Silent, "set_valued", |law, at, _z, _dz| Friction::Cone { hold: at.n * law.p, strength: at.n * law.p });

#[test]
fn properties_that_are_not_claimed_are_found() {
    for property in ["odd", "memoryless", "rate-independent", "load-linear", "passive"] {
        assert_found(Silent::kind(), "unclaimed", property);
    }
}

liar!(Peeking, "odd memoryless passive set_valued", |law, at, _z, _dz| {
    Friction::Cone { hold: at.n * law.p, strength: at.n * law.p * ((at.n_rate * 0.1).tanh() + 2.0) }
});

#[test]
fn an_input_read_without_a_claim_is_found() {
    assert_found(Peeking::kind(), "claim", "not blind to the load rate");
}

liar!(PerAxis, "odd memoryless passive load_linear", |law, at, _z, _dz| {
    Friction::Force(at.v.map(|v| at.n * law.p * v.tanh()))
});

/// Trap 8: friction of each axis on its own.
#[test]
fn friction_per_axis_is_found() {
    assert_found(PerAxis::kind(), "two directions", "expected");
}

liar!(Negative, "odd memoryless set_valued load_linear", |law, at, _z, _dz| {
    Friction::Cone { hold: at.n * law.p, strength: at.n * law.p * (S::lit(1.0) - at.speed()) }
});

#[test]
fn a_negative_strength_is_found() {
    assert_found(Negative::kind(), "finite", "negative");
}

#[test]
fn a_sample_that_cannot_be_built_is_found() {
    let sample = Sample::new("misspelt", 2.0, 1.0, 1.0).set("q", 1.0);
    assert_eq!(findings(&Honest::kind(), &[sample])[0].check, "sample");
}

liar!(Bent, "odd memoryless passive piecewise_linear", |law, at, _z, _dz| {
    Friction::Force(at.along(|speed| law.p * speed.min(S::lit(0.5))))
});

liar!(Product, "odd memoryless passive piecewise_linear load_linear", |law, at, _z, _dz| {
    Friction::Force(at.along(|speed| at.n * law.p * speed))
});

/// A corner without a guard, and a force that is a line in the speed under one load alone.
#[test]
fn a_law_that_is_not_made_of_lines_is_found() {
    assert_found(Bent::kind(), "claim", "not piecewise-linear");
    assert_found(Product::kind(), "claim", "not piecewise-linear");
}

liar!(Line, "odd memoryless passive", |law, at, _z, _dz| Friction::Force(at.along(|speed| law.p * speed)));

#[test]
fn a_line_that_does_not_say_so_is_found() {
    assert_found(Line::kind(), "unclaimed", "piecewise-linear");
}
