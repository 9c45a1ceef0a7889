//! An adhesive sphere under a load.
use super::{Formula, Input, inputs};
use std::f64::consts::PI;
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "adhesive-sphere",
    about: "Contact radius, approach and pull-off force of an adhesive elastic sphere under a load.\n\n\
            JKR: r^3 = 3 R/(4 E) [P + 3 pi w R + sqrt(6 pi w R P + (3 pi w R)^2)],   approach = r^2/R - sqrt(2 pi w r/E),   pull-off \
            3/2 pi w R\nDMT: r^3 = 3 R/(4 E) (P + 2 pi w R),   pull-off 2 pi w R",
    reference: "K. L. Johnson, K. Kendall and A. D. Roberts, Proc. R. Soc. Lond. A 324 (1971) 301; B. V. Derjaguin, V. M. Muller and Y. P. \
                Toporov, J. Colloid Interface Sci. 53 (1975) 314",
    inputs: &[
        Input::new("R", "m", "Relative radius").above(0.0),
        Input::new("w", "J/m^2", "Work of adhesion").min(0.0),
        Input::new("E", "Pa", "Contact modulus").above(0.0),
        Input::new("P", "N", "Load; negative where it is pulled").or(0.0),
    ],
    outputs: &[
        Answer::value("pull_off", "N", "Pull-off force after JKR."),
        Answer::value("pull_off_dmt", "N", "The same after DMT."),
        Answer::value("radius", "m", "Contact radius after JKR."),
        Answer::value("approach", "m", "Approach after JKR."),
        Answer::value("radius_dmt", "m", "Contact radius after DMT; zero where it can't hold."),
    ],
    compute: |x| {
        let [r, w, e, p] = inputs(x);
        let unit = PI * w * r;
        let root = 6.0 * unit * p + 9.0 * unit * unit;
        // Rounding alone at the pull-off force itself.
        if root < -1e-12 * unit * unit {
            return Err(format!("P = {p} N is beyond the pull-off force {} N", 1.5 * unit));
        }
        let radius = (0.75 * r / e * (p + 3.0 * unit + root.max(0.0).sqrt())).cbrt();
        let approach = radius * radius / r - (2.0 * PI * w * radius / e).sqrt();
        let hard = (0.75 * r / e * (p + 2.0 * unit).max(0.0)).cbrt();
        Ok(vec![1.5 * unit, 2.0 * unit, radius, approach, hard])
    },
};
