//! Which theory of adhesion serves.
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "tabor-parameter",
    about: "The Tabor parameter: which theory of adhesion serves.\n\n(R w^2/(E^2 z_0^3))^(1/3);   below 0.1 DMT, above 5 JKR",
    reference: "D. Tabor, J. Colloid Interface Sci. 58 (1977) 2; E. J. Berger, Appl. Mech. Rev. 55 (2002) 535, eq 22 (E squared)",
    inputs: &[
        Input::new("R", "m", "Relative radius").above(0.0),
        Input::new("w", "J/m^2", "Work of adhesion").min(0.0),
        Input::new("E", "Pa", "Contact modulus").above(0.0),
        Input::new("z_0", "m", "Equilibrium separation").above(0.0),
    ],
    outputs: &[Answer::value("tabor", "1", "The parameter.")],
    compute: |x| {
        let [r, w, e, z_0] = inputs(x);
        Ok(vec![(r * (w / (e * z_0)).powi(2) / z_0).cbrt()])
    },
};
