//! Cylinders in contact.
use super::partial_slip::hertz_line;
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "hertz-line",
    about: "Half width and pressure of cylinders in contact.\n\na^2 = 4 P R/(pi E),   p_0 = 2 P/(pi a)",
    reference: "K. L. Johnson, Contact Mechanics (1985), eqs 4.43, 4.44",
    inputs: &[
        Input::new("P", "N/m", "Normal force on a unit of length").above(0.0),
        Input::new("R", "m", "Relative radius").above(0.0),
        Input::new("E", "Pa", "Contact modulus").above(0.0),
    ],
    outputs: &[
        Answer::value("a", "m", "Half width of the contact."),
        Answer::value("p_0", "Pa", "Pressure in its middle."),
    ],
    compute: |x| {
        let [p, r, e] = inputs(x);
        Ok(hertz_line(p, r, e).into())
    },
};
