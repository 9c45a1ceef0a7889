//! Hunting: the cycle of a stage whose integral overcomes static friction again and again.
use crate::{list, number, run};
use stickslip::prelude::*;

fn stage(analysis: &str, law: &str) -> Outcome {
    run(&format!(
        "structure = {{ kind = 'spring-block', mass = '2 kg', stiffness = 0 }}\nanalysis = {{ {analysis} }}\n\
         [contact]\nnormal = {{ law = 'constant', force = 20 }}\nfriction = {{ {law} }}\n\
         [[control]]\nkind = 'pid'\nof = 'x'\non = 'x'\nreference = '10 mm'\nproportional = '3 N/mm'\n\
         integral = '20 N/(mm s)'\nderivative = '0.1 N s/mm'\nfilter = '2 ms'\n"
    ))
}

#[test]
fn the_period_of_hunting_is_that_of_the_transient() {
    let law = "law = 'coulomb', mu_s = 0.5, mu_k = 0.3";
    let transient = stage("kind = 'transient', duration = 200, rtol = 1e-11", law);
    assert_eq!(transient.regime.as_deref(), Some("stick-slip"), "{:?}", transient.reason);
    let cycle = stage("kind = 'limit-cycle'", law);
    assert_eq!(cycle.status, Status::Ok, "{:?}", cycle.reason);
    let (a, b) = (number(&transient, "period"), number(&cycle, "period"));
    assert!((a / b - 1.0).abs() < 1e-8, "{a} {b}");
    let (a, b) = (number(&transient, "amplitude_pp"), number(&cycle, "amplitude_pp"));
    assert!((a / b - 1.0).abs() < 1e-8, "{a} {b}");
    assert!(list(&cycle, "stick_fraction")[0] > 0.3);
}
