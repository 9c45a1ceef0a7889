//! Stiffness of a joint whose approach is a power of the pressure.
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "pressure-power",
    about: "Approach and stiffness of a joint whose approach is a power of the pressure.\n\na = C p^m + K,   stiffness dp/da = p^(1 - m)/(m C)",
    reference: "J. T. Oden and J. A. C. Martins, Comput. Methods Appl. Mech. Eng. 52 (1985) 527, eqs 3.5, 3.7",
    inputs: &[
        Input::new("p", "Pa", "Nominal pressure").above(0.0),
        Input::power("C", "m/Pa", "m", "Coefficient, m/Pa^m").above(0.0),
        Input::new("m", "1", "Exponent, 0.3 to 0.5 for metals").above(0.0),
        Input::new("K", "m", "Offset").or(0.0),
    ],
    outputs: &[
        Answer::value("approach", "m", "Approach a."),
        Answer::value("stiffness", "Pa/m", "Stiffness of a unit of area."),
    ],
    compute: |x| {
        let [p, c, m, k] = inputs(x);
        Ok(vec![c * p.powf(m) + k, p.powf(1.0 - m) / (m * c)])
    },
};
