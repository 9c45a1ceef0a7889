//! The part of friction that adhesion makes.
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "adhesion-friction",
    about: "The coefficient of friction at which weak films end the growth of junctions.\n\nmu = 1/sqrt(alpha (K^-2 - 1)),   \
            A_r/A_0 = 1/sqrt(1 - K^2);   a weak film: mu = K/sqrt(alpha)",
    reference: "F. P. Bowden and D. Tabor; J. T. Oden and J. A. C. Martins, Comput. Methods Appl. Mech. Eng. 52 (1985) 527, eqs 4.8, 4.9",
    inputs: &[
        Input::new("K", "1", "Shear strength of the film over that of the metal, below 1").min(0.0).max(1.0),
        Input::new("alpha", "1", "Constant of the yield criterion p^2 + alpha s^2 = H^2").or(10.0).above(0.0),
    ],
    outputs: &[
        Answer::value("mu", "1", "Coefficient of friction."),
        Answer::value("growth", "1", "Real area over that under the normal force alone, when it slides."),
        Answer::value("mu_weak", "1", "Coefficient for a weak film."),
    ],
    compute: |x| {
        let [k, alpha] = inputs(x);
        if k >= 1.0 {
            return Err("with K = 1 junctions grow without end: the coefficient is infinite".into());
        }
        let rest = 1.0 - k * k;
        Ok(vec![k / (alpha * rest).sqrt(), 1.0 / rest.sqrt(), k / alpha.sqrt()])
    },
};
