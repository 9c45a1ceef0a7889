//! Spheres in contact.
use super::partial_slip::hertz_point;
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "hertz-point",
    about: "Radius, pressure and approach of spheres in contact.\n\na^3 = 3 P R/(4 E),   p_0 = 3 P/(2 pi a^2),   approach = a^2/R",
    reference: "K. L. Johnson, Contact Mechanics (1985), eqs 4.22 to 4.24",
    inputs: &[
        Input::new("P", "N", "Normal force").above(0.0),
        Input::new("R", "m", "Relative radius").above(0.0),
        Input::new("E", "Pa", "Contact modulus").above(0.0),
    ],
    outputs: &[
        Answer::value("a", "m", "Radius of the contact."),
        Answer::value("p_0", "Pa", "Pressure in its middle."),
        Answer::value("approach", "m", "Approach of the spheres."),
        Answer::value("stiffness", "N/m", "Normal stiffness."),
    ],
    compute: |x| {
        let [p, r, e] = inputs(x);
        let [a, p_0] = hertz_point(p, r, e);
        Ok(vec![a, p_0, a * a / r, 2.0 * e * a])
    },
};
