//! Stiffness of a joint whose approach is the logarithm of the pressure.
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "pressure-log",
    about: "Stiffness of a joint whose approach grows with the logarithm of the pressure.\n\na = ln(p)/B + Q,   stiffness dp/da = B p",
    reference: "J. T. Oden and J. A. C. Martins, Comput. Methods Appl. Mech. Eng. 52 (1985) 527, eqs 3.6, 3.8",
    inputs: &[
        Input::new("p", "Pa", "Nominal pressure").above(0.0),
        Input::new("B", "1/m", "Constant of the joint").above(0.0),
    ],
    outputs: &[Answer::value("stiffness", "Pa/m", "Stiffness of a unit of area.")],
    compute: |x| {
        let [p, b] = inputs(x);
        Ok(vec![b * p])
    },
};
