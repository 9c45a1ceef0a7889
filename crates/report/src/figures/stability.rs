//! Stability along a parameter: the eigenvalues first, the line between stable and unstable, the critical values.

use crate::draw::colour::Ink;
use crate::draw::scale::readable;
use crate::figures::parts::{Layer, Panel, Rule};
use stickslip_data::{Column, Dataset, Table, Value, Values};

/// The table of such an analysis.
pub const NAME: &str = "along";
/// Quantities whose sign decides stability.
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

/// The same table with each eigenvalue in one column all along: the solver lists them by size, and a curve that changes its
/// column where two pass each other would jump.
pub fn tracked(table: &Table) -> Table {
    let mut table = table.clone();
    let place = |stem: &str, k: usize| table.columns.iter().position(|c| c.name == format!("{stem}_{k}"));
    let pairs: Vec<[usize; 2]> = (1..).map_while(|k| Some([place("re", k)?, place("im", k)?])).collect();
    let value = |table: &Table, column: usize, row: usize| {
        table.columns[column].values.floats().and_then(|v| v.get(row)).copied().unwrap_or(f64::NAN)
    };
    for row in 1..table.len() {
        let now: Vec<[f64; 2]> = pairs.iter().map(|p| p.map(|c| value(&table, c, row))).collect();
        let mut left: Vec<usize> = (0..now.len()).collect();
        let mut order = vec![];
        for pair in &pairs {
            let [re, im] = pair.map(|c| value(&table, c, row - 1));
            // Along its own direction, so that curves which cross go on.
            let ahead = |column: usize, x: f64| match row {
                1 => x,
                _ => 2.0 * x - value(&table, column, row - 2),
            };
            let (re, im) = (ahead(pair[0], re), ahead(pair[1], im));
            let far = |k: &usize| (now[*k][0] - re).hypot(now[*k][1] - im);
            let Some(at) = (0..left.len()).min_by(|a, b| far(&left[*a]).total_cmp(&far(&left[*b]))) else { break };
            order.push(left.remove(at));
        }
        for (pair, from) in pairs.iter().zip(order) {
            for (column, x) in pair.iter().zip(now[from]) {
                if let Values::Float(values) = &mut table.columns[*column].values {
                    values[row] = x;
                }
            }
        }
    }
    table
}

/// Draws zero where the sign decides stability, and the critical values of every case through all panels.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Two that pass each other, listed by size: each keeps its own column.
    #[test]
    fn eigenvalues_that_cross_go_on() {
        let along: Vec<f64> = (0..21).map(|i| i as f64 - 10.0).collect();
        let mut table = Table::new(NAME);
        table.push("mu", "1", along.clone());
        for k in 1..3 {
            table.push(format!("re_{k}"), "1/s", vec![0.0; 21]);
            let sign = if k == 1 { 1.0 } else { -1.0 };
            table.push(format!("im_{k}"), "1/s", along.iter().map(|x| sign * x.abs()).collect::<Vec<_>>());
        }
        let out = tracked(&table);
        let im = |k: usize| out.column(&format!("im_{k}")).and_then(|c| c.values.floats()).unwrap().to_vec();
        assert_eq!(im(1), along.iter().map(|x| -x).collect::<Vec<_>>());
        assert_eq!(im(2), along);
    }
}
