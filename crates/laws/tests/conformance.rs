//! Every friction law of the catalogue conforms.
mod samples;

use samples::samples;
use stickslip_laws::conformance::assert_conforms;
use stickslip_laws::friction_kinds;

fn conforms(name: &str) {
    let kind = friction_kinds().iter().find(|k| k.name == name).expect("a kind of the catalogue");
    assert_conforms(kind, &samples(name));
}

macro_rules! kinds {
    ($($test:ident: $name:literal;)*) => {
        $(
            #[test]
            fn $test() {
                conforms($name);
            }
        )*
        const TESTED: &[&str] = &[$($name),*];
    };
}

kinds! {
    coulomb: "coulomb";
    stribeck: "stribeck";
    exponential: "exponential";
    dwell: "dwell";
    lugre: "lugre";
    rate_state: "rate-state";
    subloading: "subloading";
    jenkins: "jenkins";
}

#[test]
fn every_kind_is_tested_and_has_samples() {
    for kind in friction_kinds() {
        assert!(TESTED.contains(&kind.name) && !samples(kind.name).is_empty(), "no samples for `{}`", kind.name);
    }
}
