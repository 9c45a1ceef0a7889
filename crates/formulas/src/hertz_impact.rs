//! The impact of elastic spheres.
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

/// 4 sqrt(pi) Gamma(2/5)/(5 Gamma(9/10)): the integral of 2 dx/sqrt(1 - x^(5/2)) over (0, 1).
const LASTS: f64 = 2.943_275_184_324_704_3;

pub const FORMULA: Formula = Formula {
    name: "hertz-impact",
    about: "The impact of elastic spheres.\n\napproach = (15 m v^2/(16 E sqrt(R)))^(2/5),   force = 4/3 E sqrt(R) approach^(3/2),   \
            duration = 2.9433 approach/v",
    reference: "K. L. Johnson, Contact Mechanics (1985), eqs 11.22 to 11.24; J. T. Oden and J. A. C. Martins, Comput. Methods Appl. Mech. Eng. \
                52 (1985) 527, section 3.2",
    inputs: &[
        Input::new("m", "kg", "Relative mass: 1/m = 1/m_1 + 1/m_2").above(0.0),
        Input::new("v", "m/s", "Velocity of approach").above(0.0),
        Input::new("R", "m", "Relative radius").above(0.0),
        Input::new("E", "Pa", "Contact modulus").above(0.0),
    ],
    outputs: &[
        Answer::value("approach", "m", "Largest approach."),
        Answer::value("force", "N", "Largest force."),
        Answer::value("duration", "s", "Duration of the contact."),
    ],
    compute: |x| {
        let [m, v, r, e] = inputs(x);
        let approach = (15.0 * m * v * v / (16.0 * e * r.sqrt())).powf(0.4);
        Ok(vec![approach, 4.0 / 3.0 * e * r.sqrt() * approach.powf(1.5), LASTS * approach / v])
    },
};
