//! Whether asperities yield.
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "plasticity-index",
    about: "Whether the asperities of a surface yield.\n\npsi = E/H sqrt(sigma/R)\n\nBelow 0.6 contact is elastic under all but extreme \
            pressures, above 1 plastic under any.",
    reference: "J. A. Greenwood and J. B. P. Williamson, Proc. R. Soc. Lond. A 295 (1966) 300",
    inputs: &[
        Input::new("E", "Pa", "Contact modulus").above(0.0),
        Input::new("H", "Pa", "Hardness of the softer body").above(0.0),
        Input::new("sigma", "m", "Standard deviation of the asperities' heights").min(0.0),
        Input::new("R", "m", "Radius of their tips").above(0.0),
    ],
    outputs: &[Answer::value("plasticity_index", "1", "The index psi.")],
    compute: |x| {
        let [e, h, sigma, r] = inputs(x);
        Ok(vec![e / h * (sigma / r).sqrt()])
    },
};
