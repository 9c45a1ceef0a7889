//! Wear of sliding surfaces.
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "archard",
    about: "Volume and depth that sliding wears off.\n\nV = K P s/H,   depth = V/A,   specific wear rate k = K/H",
    reference: "J. F. Archard, J. Appl. Phys. 24 (1953) 981",
    inputs: &[
        Input::new("K", "1", "Wear coefficient").min(0.0),
        Input::new("P", "N", "Normal force").min(0.0),
        Input::new("s", "m", "Distance slid").min(0.0),
        Input::new("H", "Pa", "Hardness of the softer surface").above(0.0),
        Input::new("A", "m^2", "Nominal area").or(1.0).above(0.0),
    ],
    outputs: &[
        Answer::value("volume", "m^3", "Volume that is worn off."),
        Answer::value("depth", "m", "Its depth over the nominal area."),
        Answer::value("rate", "1/Pa", "Volume for each distance and load: the specific wear rate."),
        Answer::value("loss", "m^2", "Volume for each distance."),
    ],
    compute: |x| {
        let [k, p, s, h, area] = inputs(x);
        let volume = k * p * s / h;
        Ok(vec![volume, volume / area, k / h, k * p / h])
    },
};
