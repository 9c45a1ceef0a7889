//! The modulus of a contact.
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "contact-modulus",
    about: "The modulus of a contact of two elastic bodies.\n\n1/E = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2",
    reference: "J. T. Oden and J. A. C. Martins, Comput. Methods Appl. Mech. Eng. 52 (1985) 527, eq 3.1",
    inputs: &[
        Input::new("E_1", "Pa", "Young's modulus of the first body").above(0.0),
        Input::new("nu_1", "1", "Its Poisson's ratio").min(-1.0).max(0.5),
        Input::new("E_2", "Pa", "Young's modulus of the second body").above(0.0),
        Input::new("nu_2", "1", "Its Poisson's ratio").min(-1.0).max(0.5),
    ],
    outputs: &[Answer::value("E", "Pa", "Contact modulus.")],
    compute: |x| {
        let [e_1, nu_1, e_2, nu_2] = inputs(x);
        Ok(vec![1.0 / ((1.0 - nu_1 * nu_1) / e_1 + (1.0 - nu_2 * nu_2) / e_2)])
    },
};
