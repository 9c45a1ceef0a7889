//! The energy ledger as bars.

use crate::draw::axis::{Axis, Log};
use crate::draw::colour::Ink;
use crate::draw::scale::{Scale, minus};
use crate::figures::parts::{Block, Figure, Key, Layer, Panel};
use crate::figures::series::MOST_CASES;
use stickslip_data::{Dataset, Ledger};

const ROWS: [&str; 5] = ["work in", "stored", "friction", "damping", "contact"];

fn terms(l: &Ledger) -> [f64; 5] {
    [l.work_in, l.stored, l.friction, l.damping, l.contact]
}

/// One bar a term and case.
pub fn figure(dataset: &Dataset) -> Option<Figure> {
    let found: Vec<(&str, Ledger)> = dataset
        .cases
        .iter()
        .filter_map(|(n, o)| Some((n.as_str(), o.ledger.filter(|l| l.is_finite() && terms(l) != [0.0; 5])?)))
        .take(MOST_CASES)
        .collect();
    let largest = found.iter().flat_map(|(_, l)| terms(l)).fold(0.0, |m: f64, x| m.max(x.abs()));
    if found.is_empty() {
        return None;
    }
    let scale = Scale::of("J", largest);
    let thick = 0.76 / found.len() as f64;
    let (mut blocks, mut labels) = (Vec::new(), Vec::new());
    for (i, (_, ledger)) in found.iter().enumerate() {
        for (row, value) in terms(ledger).into_iter().enumerate() {
            let y = (row as f64 - 0.38 + i as f64 * thick, row as f64 - 0.38 + (i + 1) as f64 * thick);
            blocks.push(Block { x: (0.0, value), y, ink: Ink::Curve(i) });
            if found.len() <= 3 {
                let text = format!("{} {}", short(scale.show(value)), scale.unit);
                labels.push(Layer::Label { x: value.max(0.0), y: (y.0 + y.1) / 2.0, text });
            }
        }
    }
    let mut layers = vec![Layer::Boxes(blocks)];
    layers.extend(labels);
    // Room for the numbers beside the longest bar.
    let ends = found.iter().flat_map(|(_, l)| terms(l));
    let (lo, hi) = ends.fold((0.0, 0.0), |(a, b): (f64, f64), v| (a.min(v), b.max(v)));
    let room = if found.len() <= 3 { 0.18 } else { 0.04 } * (hi - lo);
    let range = Some((if lo < 0.0 { lo - 0.04 * (hi - lo) } else { 0.0 }, hi + room));
    let x = Axis { log: Log::No, zero: true, range, ..Axis::new("energy", "J") };
    let y = Axis { rows: ROWS.map(String::from).to_vec(), ..Axis::default() };
    let height = 5.0 * (26.0_f64).max(14.0 * found.len() as f64) + 30.0;
    let mut panel = Panel { x, y, height, layers, ..Panel::default() };
    if found.len() > 1 {
        panel.keys = found.iter().enumerate().map(|(i, (n, _))| Key::area(*n, Ink::Curve(i))).collect();
    }
    let worst = found.iter().map(|(_, l)| l.residual()).fold(0.0, f64::max);
    let note = format!("residual of the balance {}", minus(&format!("{worst:.1e}")));
    Some(Figure::new("energy", "Energy: where the work went", vec![panel]).noted(note))
}

/// Four digits are enough beside a bar.
fn short(x: f64) -> String {
    let digits = if x == 0.0 { 0 } else { (3 - x.abs().log10().floor() as i32).clamp(0, 4) as usize };
    let text = format!("{x:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    minus(if text == "-0" { "0" } else { text })
}
