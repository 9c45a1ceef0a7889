//! The coefficient of friction of an interface with two power laws.
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "friction-power",
    about: "How the coefficient of friction depends on the pressure where both follow powers of the approach.\n\n\
            p = c_n a^m_n,   friction = c_T a^m_T,   mu = C p^alpha,   alpha = m_T/m_n - 1,   C = c_T c_n^(-m_T/m_n)",
    reference: "J. T. Oden and J. A. C. Martins, Comput. Methods Appl. Mech. Eng. 52 (1985) 527, eqs 7.7, 7.8",
    inputs: &[
        Input::power("c_n", "Pa/m", "m_n", "Normal coefficient, Pa/m^m_n").above(0.0),
        Input::new("m_n", "1", "Normal exponent").above(0.0),
        Input::power("c_T", "Pa/m", "m_T", "Tangential coefficient, Pa/m^m_T").above(0.0),
        Input::new("m_T", "1", "Tangential exponent").above(0.0),
    ],
    outputs: &[
        Answer::value("C", "", "Coefficient of the pressure, 1/Pa^alpha."),
        Answer::value("alpha", "1", "Its exponent."),
    ],
    compute: |x| {
        let [c_n, m_n, c_t, m_t] = inputs(x);
        Ok(vec![c_t * c_n.powf(-m_t / m_n), m_t / m_n - 1.0])
    },
};
