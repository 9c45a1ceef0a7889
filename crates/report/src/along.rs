//! Stability along a parameter: the eigenvalues first, the line between stable and unstable, the critical values.

use crate::figure::{Layer, Panel, Rule};
use crate::ink::Ink;
use crate::scale::readable;
use stickslip_data::{Column, Dataset, Value};

/// The table of such an analysis.
pub const NAME: &str = "along";
/// Quantities whose sign tells stability.
const SIGNED: [&str; 2] = ["re", "growth_rate"];
/// Columns that the eigenvalues show already.
const BESIDE: [&str; 2] = ["growth_rate", "omega"];

/// Puts the eigenvalues first, and leaves out what they show already.
pub fn order(ys: &mut Vec<(&str, Vec<&Column>)>) {
    if ["re", "im"].iter().all(|part| ys.iter().any(|(stem, _)| stem == part)) {
        ys.retain(|(stem, _)| !BESIDE.contains(stem));
    }
    ys.sort_by_key(|(stem, _)| match *stem {
        "re" => 0,
        "im" => 1,
        _ => 2,
    });
}

/// Draws zero where the sign tells stability, and the critical values of every case through all panels.
pub fn mark(panels: &mut [Panel], stems: &[&str], dataset: &Dataset, cases: &[&str]) {
    for (panel, _) in panels.iter_mut().zip(stems).filter(|(_, stem)| SIGNED.contains(stem)) {
        let zero = Rule { at: 0.0, upright: false, ink: Ink::Text, text: String::new() };
        panel.layers.insert(0, Layer::Rule(zero));
    }
    for (i, case) in cases.iter().enumerate() {
        let found = dataset.cases.iter().find(|(name, _)| name == case).and_then(|(_, o)| o.value("critical"));
        let Some((Value::List(values), unit)) = found.map(|q| (&q.value, &q.unit)) else { continue };
        let ink = if cases.len() == 1 { Ink::Text } else { Ink::Curve(i) };
        for (k, panel) in panels.iter_mut().enumerate() {
            for at in values.iter().copied().filter(|at| at.is_finite()) {
                let text = if k == 0 { readable(at, unit) } else { String::new() };
                panel.layers.push(Layer::Rule(Rule { at, upright: true, ink, text }));
            }
        }
    }
}
