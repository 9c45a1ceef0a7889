//! The part of friction that plowing makes.
use super::{Formula, Input, inputs};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};
use stickslip_model::Answer;

/// An angle so close to a right one, as a part of it, is one: units leave this rounding.
const UPRIGHT: f64 = 1e-14;

pub const FORMULA: Formula = Formula {
    name: "plowing-friction",
    about: "The coefficient of friction of a hard cone that plows a softer surface.\n\nmu = 2/pi tan(theta)",
    reference: "J. T. Oden and J. A. C. Martins, Comput. Methods Appl. Mech. Eng. 52 (1985) 527, eq 4.10",
    inputs: &[Input::new("theta", "rad", "Angle between the cone and the surface, below 90 deg")
        .min(0.0)
        .max(FRAC_PI_2)],
    outputs: &[Answer::value("mu", "1", "Coefficient of friction.")],
    compute: |x| {
        let [theta] = inputs(x);
        if theta >= FRAC_PI_2 * (1.0 - UPRIGHT) {
            return Err(
                "at theta = 90 deg the cone is a needle that cuts at no load: the coefficient is infinite".into()
            );
        }
        Ok(vec![FRAC_2_PI * theta.tan()])
    },
};
