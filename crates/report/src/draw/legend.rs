//! Legends stand in rows above their panel, where they hide no data.

use crate::draw::colour::Ink;
use crate::draw::font;
use crate::draw::layout::{LABEL, fitted, label};
use crate::draw::panel::line;
use crate::draw::scene::{Anchor, Area, Mark};
use crate::figures::parts::Key;

const SAMPLE: f64 = 24.0;
const BOX: f64 = 16.0;
const GAP: f64 = 7.0;
const BETWEEN: f64 = 20.0;
const ROW: f64 = 20.0;

/// Draws the legend from `top` on and gives where it ends.
pub fn draw(marks: &mut Vec<Mark>, keys: &[Key], left: f64, right: f64, top: f64) -> f64 {
    if keys.is_empty() {
        return top;
    }
    let (mut x, mut y) = (left, top);
    for key in keys {
        let name = fitted(&key.name, LABEL, right - left - SAMPLE - GAP);
        let sample = if key.line.is_some() { SAMPLE } else { BOX };
        let width = sample + GAP + font::width(&name, LABEL);
        if x > left && x + width > right {
            (x, y) = (left, y + ROW);
        }
        let middle = y + ROW / 2.0;
        match key.line {
            Some(dash) => {
                let mut mark = line([x, middle], [x + SAMPLE, middle], key.ink, 2.2);
                if let Mark::Line { dash: d, .. } = &mut mark {
                    *d = dash;
                }
                marks.push(mark);
            }
            None => {
                let area = Area { x, y: middle - 6.0, w: BOX, h: 12.0 };
                let opacity = if key.ink == Ink::Stick { crate::draw::panel::SHADE } else { 1.0 };
                marks.push(Mark::Fill { area, ink: key.ink, opacity });
            }
        }
        marks.push(label([x + sample + GAP, middle + LABEL * 0.35], &name, LABEL, Anchor::Start, false));
        x += width + BETWEEN;
    }
    y + ROW
}
