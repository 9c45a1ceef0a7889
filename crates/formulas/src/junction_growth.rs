//! Growth of metallic junctions under a tangential force.
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "junction-growth",
    about: "Growth of the real area of contact of clean metals under a tangential force.\n\n(A_r/A_0)^2 = 1 + alpha (F/N)^2",
    reference: "F. P. Bowden and D. Tabor; J. T. Oden and J. A. C. Martins, Comput. Methods Appl. Mech. Eng. 52 (1985) 527, eqs 4.6, 4.7",
    inputs: &[
        Input::new("F_over_N", "1", "Tangential force over normal force").min(0.0),
        Input::new("alpha", "1", "Constant of the yield criterion p^2 + alpha s^2 = H^2").or(10.0).above(0.0),
    ],
    outputs: &[Answer::value("growth", "1", "Real area over that under the normal force alone.")],
    compute: |x| {
        let [ratio, alpha] = inputs(x);
        Ok(vec![(1.0 + alpha * ratio * ratio).sqrt()])
    },
};
