//! The ribbon of modes: who sticks when.

use crate::draw::axis::Axis;
use crate::draw::colour::word as colour;
use crate::figures::parts::{Block, Figure, Key, Layer, Panel};
use crate::figures::series::{Series, last_cycles, spans, word};
use crate::figures::time::time;
use crate::pages::names;

const MODES: [&str; 4] = ["stick", "slip+", "slip-", "open"];
/// Height of a row, and how much of it the ribbon takes.
const ROW: f64 = 26.0;
const FULL: f64 = 0.38;
/// Most rows.
const MOST: usize = 24;
/// Finest pieces along the ribbon, as a share of its length.
const PIECES: f64 = 1500.0;

/// A figure of the modes of every contact, where there is more than one mode.
pub fn figure(all: &[Series]) -> Option<Figure> {
    let window = last_cycles(all);
    let panel = strip(all, window)?;
    let title = if window.is_some() { "Modes of contact, last cycles" } else { "Modes of contact" };
    Some(Figure::new("modes", title, vec![panel]))
}

/// One row a contact and case.
pub fn strip(all: &[Series], window: Option<(f64, f64)>) -> Option<Panel> {
    let mut rows = Vec::new();
    let mut blocks = Vec::new();
    let mut seen = [false; MODES.len()];
    let (from, to) = window.unwrap_or_else(|| {
        let ends = all.iter().map(Series::ends);
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), (c, d)| (a.min(c), b.max(d)))
    });
    for s in all.iter().filter(|s| s.reaches(window)) {
        let range = s.rows(window);
        let t = &s.t[range.clone()];
        for c in &s.contacts {
            if rows.len() == MOST {
                break;
            }
            let v = &c.slip;
            let row = rows.len() as f64;
            rows.push(match (s.case, s.contacts.len()) {
                ("", _) => names::contact(c.prefix),
                (case, 1) => case.to_owned(),
                (case, _) => format!("{case}, {}", names::contact(c.prefix)),
            });
            let in_mode = |i: usize, mode: &str| match c.sticks[range.start + i] {
                true => mode == "stick",
                // A law with an inner element, or one that creeps, has a finer notion of stick than its mode.
                false => match c.mode.map(|m| word(m, range.start + i)) {
                    Some(word) if word != "stick" => word == mode,
                    _ => mode == if v[range.start + i] < 0.0 { "slip-" } else { "slip+" },
                },
            };
            for (k, mode) in MODES.iter().enumerate() {
                let found = coarse(spans(t, |i| in_mode(i, mode)), (to - from) / PIECES);
                seen[k] |= !found.is_empty();
                let y = (row - FULL, row + FULL);
                blocks.extend(found.into_iter().map(|x| Block { x, y, ink: colour(mode, 0) }));
            }
        }
    }
    if seen.iter().filter(|s| **s).count() < 2 {
        return None;
    }
    let keys = MODES.iter().zip(seen).filter(|(_, s)| *s).map(|(m, _)| Key::area(*m, colour(m, 0))).collect();
    let height = ROW * rows.len() as f64 + 8.0;
    let y = Axis { rows, ..Axis::default() };
    Some(Panel { x: time(window), y, height, layers: vec![Layer::Boxes(blocks)], keys, ..Panel::default() })
}

/// Joins spans that no eye can tell apart.
fn coarse(spans: Vec<(f64, f64)>, finest: f64) -> Vec<(f64, f64)> {
    let mut out: Vec<(f64, f64)> = Vec::new();
    for (a, b) in spans {
        match out.last_mut() {
            Some(last) if a - last.1 < finest && b - last.0 < 2.0 * finest => last.1 = b,
            _ => out.push((a, b)),
        }
    }
    out
}
