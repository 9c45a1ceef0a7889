//! The traction between surfaces that atoms attract.
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "lennard-jones",
    about: "The traction between surfaces by the forces of their atoms, positive where they repel.\n\n\
            traction = 8 w/(3 z_0) [(z/z_0)^-9 - (z/z_0)^-3],   strongest pull 16 w/(9 sqrt(3) z_0) at z = 3^(1/6) z_0",
    reference: "E. J. Berger, Appl. Mech. Rev. 55 (2002) 535, eq 21; J. A. Greenwood, Proc. R. Soc. Lond. A 453 (1997) 1277",
    inputs: &[
        Input::new("w", "J/m^2", "Work of adhesion").min(0.0),
        Input::new("z_0", "m", "Equilibrium separation").above(0.0),
        Input::new("z", "m", "Separation").above(0.0),
    ],
    outputs: &[
        Answer::value("traction", "Pa", "Traction."),
        Answer::value("stiffness", "Pa/m", "Its fall with the separation."),
        Answer::value("energy", "J/m^2", "Work to part the surfaces from there."),
    ],
    compute: |x| {
        let [w, z_0, z] = inputs(x);
        let s = z / z_0;
        let [third, ninth] = [s.powi(-3), s.powi(-9)];
        let unit = 8.0 * w / (3.0 * z_0);
        Ok(vec![unit * (ninth - third), unit * (9.0 * ninth - 3.0 * third) / z, unit * z * (third / 2.0 - ninth / 8.0)])
    },
};
