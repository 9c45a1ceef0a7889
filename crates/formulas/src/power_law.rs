//! The power law of the approach from the one of the pressure.
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "power-law",
    about: "Coefficient and exponent of p = c_n a^m_n from those of a = C p^m.\n\nc_n = C^(-1/m),   m_n = 1/m",
    reference: "J. T. Oden and J. A. C. Martins, Comput. Methods Appl. Mech. Eng. 52 (1985) 527, eqs 3.5, 7.7",
    inputs: &[
        Input::power("C", "m/Pa", "m", "Coefficient, m/Pa^m").above(0.0),
        Input::new("m", "1", "Exponent").above(0.0),
    ],
    outputs: &[Answer::value("c_n", "", "Coefficient, Pa/m^m_n."), Answer::value("m_n", "1", "Exponent.")],
    compute: |x| {
        let [c, m] = inputs(x);
        Ok(vec![c.powf(-1.0 / m), 1.0 / m])
    },
};
