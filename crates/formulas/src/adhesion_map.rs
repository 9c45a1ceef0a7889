//! Which theory of an adhesive sphere holds: the place on the map of adhesion.
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

/// Adhesion below this part of the load is left out.
const NEGLIGIBLE: f64 = 0.05;
/// Maugis' parameter below which a sphere is as good as rigid (DMT), and above which adhesion acts at once (JKR).
const DMT: f64 = 0.1;
const JKR: f64 = 5.0;

pub const FORMULA: Formula = Formula {
    name: "adhesion-map",
    about: "Where an adhesive elastic sphere lies between DMT and JKR, and its force of pull-off there.\n\nmu = (R w^2/(E^2 z_0^3))^(1/3),   lambda = 1.157 mu,   load = P/(pi w R)\n\
pull_off/(pi w R) = 7/4 - (4.04 lambda^1.4 - 1)/(4 (4.04 lambda^1.4 + 1))\n\n`region`: 0 Hertz (pull-off below 5 % of the load), 1 DMT (lambda below 0.1), 2 Maugis, 3 JKR (lambda above 5).",
    reference: "K. L. Johnson and J. A. Greenwood, J. Colloid Interface Sci. 192 (1997) 326; R. W. Carpick, D. F. Ogletree and M. Salmeron, J. Colloid Interface Sci. 211 (1999) 395",
    inputs: &[
        Input::new("R", "m", "Relative radius").above(0.0),
        Input::new("E", "Pa", "Contact modulus").above(0.0),
        Input::new("w", "J/m^2", "Work of adhesion").above(0.0),
        Input::new("z_0", "m", "Equilibrium distance of the surfaces").above(0.0),
        Input::new("P", "N", "Normal force").or(0.0),
    ],
    outputs: &[
        Answer::value("mu", "1", "Tabor's parameter."),
        Answer::value("lambda", "1", "Maugis' parameter."),
        Answer::value("load", "1", "Load over pi w R."),
        Answer::value("pull_off", "N", "Size of the force of pull-off."),
        Answer::value("region", "1", "0 Hertz, 1 DMT, 2 Maugis, 3 JKR."),
    ],
    compute: |x| {
        let [r, e, w, z_0, p] = inputs(x);
        let mu = (r * w * w / (e * e * z_0.powi(3))).cbrt();
        let lambda = 1.157 * mu;
        let unit = std::f64::consts::PI * w * r;
        let power = 4.04 * lambda.powf(1.4);
        let pull_off = unit * (1.75 - 0.25 * (power - 1.0) / (power + 1.0));
        let region = match lambda {
            _ if pull_off < NEGLIGIBLE * p => 0.0,
            l if l < DMT => 1.0,
            l if l > JKR => 3.0,
            _ => 2.0,
        };
        Ok(vec![mu, lambda, p / unit, pull_off, region])
    },
};
