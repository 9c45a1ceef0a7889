//! Draws one panel: grid, layers, frame, ticks.

use crate::draw::axis::Fitted;
use crate::draw::colour::Ink;
use crate::draw::downsample;
use crate::draw::font;
use crate::draw::layout::{Sized, TICK, fitted, label};
use crate::draw::scene::{Anchor, Area, Dash, Mark, Point};
use crate::figures::parts::{Block, Curve, Layer, Panel, Rule};

/// Opacity of the shading of stick.
pub const SHADE: f64 = 0.6;
/// Words at the heads of lines, one below the other, before the first height is taken again.
const HEADS: usize = 4;
/// More rectangles than this become a picture.
const MOST_BLOCKS: usize = 1500;
/// More spans than one in so many units become a share of time.
const SPAN: f64 = 5.0;

/// The values along one axis.
pub fn values(panel: &Panel, along_x: bool) -> Box<dyn Iterator<Item = f64> + '_> {
    Box::new(panel.layers.iter().flat_map(move |layer| -> Box<dyn Iterator<Item = f64> + '_> {
        match layer {
            Layer::Curve(c) => Box::new(if along_x { &c.x } else { &c.y }.iter().copied()),
            Layer::Boxes(blocks) => {
                Box::new(blocks.iter().map(move |b| if along_x { b.x } else { b.y }).flat_map(|(a, b)| [a, b]))
            }
            Layer::Shade { spans } if along_x => Box::new(spans.iter().flat_map(|(a, b)| [*a, *b])),
            Layer::Rule(rule) if rule.upright == along_x => Box::new(std::iter::once(rule.at)),
            Layer::Shade { .. } | Layer::Label { .. } | Layer::Rule(_) => Box::new(std::iter::empty()),
        }
    }))
}

fn vertical_ticks(axis: &Fitted, height: f64) -> Vec<(f64, String)> {
    let most = ((height / 30.0) as usize).clamp(2, 10);
    // A range such as -0.44 to 0.44 has one round number unless a few more are allowed.
    let tries = (most..=most + 2).map(|m| axis.ticks(m));
    tries.clone().find(|t| t.iter().filter(|t| !t.1.is_empty()).count() > 2).unwrap_or_else(|| axis.ticks(most))
}

/// Width of the labels of a vertical axis.
pub fn label_width(axis: &Fitted, height: f64) -> f64 {
    vertical_ticks(axis, height).iter().map(|(_, l)| font::width(l, TICK)).fold(0.0, f64::max)
}

/// As many ticks as fit side by side.
fn horizontal_ticks(axis: &Fitted, width: f64) -> Vec<(f64, String)> {
    const APART: f64 = 18.0;
    (2..=9)
        .rev()
        .map(|most| axis.ticks(most))
        .find(|ticks| {
            let named: Vec<_> = ticks.iter().filter(|t| !t.1.is_empty()).collect();
            named.windows(2).all(|p| {
                let room = (p[1].0 - p[0].0) * width;
                room >= (font::width(&p[0].1, TICK) + font::width(&p[1].1, TICK)) / 2.0 + APART
            })
        })
        .unwrap_or_else(|| axis.ticks(2))
}

/// Draws a panel.
pub fn draw(marks: &mut Vec<Mark>, sized: &Sized) {
    let area = &sized.area;
    marks.push(Mark::Axes);
    ticks(marks, sized);
    marks.push(Mark::EndAxes);
    marks.push(Mark::Begin { area: *area, about: about(sized) });
    let at = |x: f64, y: f64| [area.x + area.w * sized.x.place(x), area.y + area.h * (1.0 - sized.y.place(y))];
    let mut heads = 0;
    for layer in &sized.panel.layers {
        match layer {
            Layer::Rule(r) => rule(marks, sized, r, &mut heads),
            Layer::Shade { spans } => shade(marks, sized, spans),
            Layer::Boxes(list) => blocks(marks, sized, list),
            Layer::Curve(c) => curve(marks, c, c.x.iter().zip(&c.y).map(|(x, y)| at(*x, *y)).collect(), sized.most),
            Layer::Label { x, y, text } => {
                let [px, py] = at(*x, *y);
                // Beside the value, on the side that has room.
                let inside = px + 6.0 + font::width(text, TICK) > area.x + area.w;
                let (px, anchor) = if inside { (px - 6.0, Anchor::End) } else { (px + 6.0, Anchor::Start) };
                marks.push(label([px, py + TICK * 0.35], text, TICK, anchor, false));
            }
        }
    }
    marks.push(Mark::End);
    frame(marks, area);
}

/// A line through the panel. Words at the heads of upright lines stand one below the other, so that near ones can be read.
fn rule(marks: &mut Vec<Mark>, sized: &Sized, rule: &Rule, heads: &mut usize) {
    let area = &sized.area;
    let (across, up) = (area.x + area.w * sized.x.place(rule.at), area.y + area.h * (1.0 - sized.y.place(rule.at)));
    let (from, to) = match rule.upright {
        true => ([across, area.y], [across, area.y + area.h]),
        false => ([area.x, up], [area.x + area.w, up]),
    };
    if !(from[0].is_finite() && from[1].is_finite()) {
        return;
    }
    let dash = if rule.upright { Dash::Dashed } else { Dash::Solid };
    marks.push(Mark::Line { points: vec![from, to], ink: rule.ink, width: 1.0, dash });
    if !rule.text.is_empty() {
        let inside = across + 6.0 + font::width(&rule.text, TICK) > area.x + area.w;
        let (x, anchor) = if inside { (across - 6.0, Anchor::End) } else { (across + 6.0, Anchor::Start) };
        let y = area.y + TICK * (1.2 + 1.2 * (*heads % HEADS) as f64);
        marks.push(label([x, y], &rule.text, TICK, anchor, false));
        *heads += 1;
    }
}

fn curve(marks: &mut Vec<Mark>, c: &Curve, points: Vec<Point>, most: usize) {
    let thin = if c.rising {
        let per_unit = (most as f64 / 4.0 / 640.0).min(2.0);
        downsample::columns(&points, per_unit)
    } else {
        downsample::trail(&points, most)
    };
    let finite = |p: Option<&Point>| p.is_some_and(|p| p[0].is_finite() && p[1].is_finite());
    let alone = |i: usize| finite(thin.get(i)) && (i == 0 || !finite(thin.get(i - 1))) && !finite(thin.get(i + 1));
    let dots: Vec<Point> =
        (0..thin.len()).filter(|&i| c.dots && finite(thin.get(i)) || alone(i)).map(|i| thin[i]).collect();
    if thin.len() > 1 {
        marks.push(Mark::Line { points: thin, ink: c.ink, width: c.width, dash: c.dash });
    }
    if !dots.is_empty() {
        marks.push(Mark::Dots { points: dots, ink: c.ink, radius: 2.6 });
    }
}

/// Spans of stick. Where they are too many to tell apart, the shade says which share of the time they take.
fn shade(marks: &mut Vec<Mark>, sized: &Sized, spans: &[(f64, f64)]) {
    let area = &sized.area;
    let place = |t: f64| (sized.x.place(t) * area.w).clamp(0.0, area.w);
    let spans: Vec<(f64, f64)> = spans.iter().map(|(a, b)| (place(*a), place(*b))).filter(|(a, b)| b > a).collect();
    let mut fill = |a: f64, b: f64, opacity: f64| {
        let area = Area { x: area.x + a, w: b - a, ..*area };
        marks.push(Mark::Fill { area, ink: Ink::Stick, opacity });
    };
    if (spans.len() as f64) < area.w / SPAN {
        spans.iter().for_each(|(a, b)| fill(*a, *b, SHADE));
        return;
    }
    let mut share = vec![0.0; (area.w / SPAN).ceil() as usize];
    for (a, b) in spans {
        for (i, s) in share.iter_mut().enumerate().take((b / SPAN) as usize + 1).skip((a / SPAN) as usize) {
            let (left, right) = (i as f64 * SPAN, (i + 1) as f64 * SPAN);
            *s += (b.min(right) - a.max(left)).max(0.0) / SPAN;
        }
    }
    let level = |s: f64| (s.min(1.0) * 20.0).round() / 20.0;
    let mut from = 0;
    for i in 1..=share.len() {
        if i == share.len() || level(share[i]) != level(share[from]) {
            if level(share[from]) > 0.0 {
                fill(from as f64 * SPAN, (i as f64 * SPAN).min(area.w), SHADE * level(share[from]));
            }
            from = i;
        }
    }
}

fn blocks(marks: &mut Vec<Mark>, sized: &Sized, list: &[Block]) {
    let area = &sized.area;
    let corner = |b: &Block| {
        let along = |axis: &Fitted, (a, b): (f64, f64)| {
            let (a, b) = (axis.place(a), axis.place(b));
            (a.min(b).clamp(0.0, 1.0), a.max(b).clamp(0.0, 1.0))
        };
        (along(&sized.x, b.x), along(&sized.y, b.y))
    };
    if list.len() <= MOST_BLOCKS {
        for b in list {
            let ((x0, x1), (y0, y1)) = corner(b);
            if x1 > x0 && y1 > y0 {
                let (x, y) = (area.x + area.w * x0, area.y + area.h * (1.0 - y1));
                let one = Area { x, y, w: area.w * (x1 - x0), h: area.h * (y1 - y0) };
                marks.push(Mark::Fill { area: one, ink: b.ink, opacity: 1.0 });
            }
        }
        return;
    }
    let (columns, rows) = (area.w.round() as usize, area.h.round() as usize);
    let mut pixels = vec![None; columns * rows];
    for b in list {
        let ((x0, x1), (y0, y1)) = corner(b);
        let range =
            |a: f64, b: f64, n: usize| (a * n as f64).round() as usize..((b * n as f64).round() as usize).min(n);
        for row in range(1.0 - y1, 1.0 - y0, rows) {
            pixels[row * columns..][range(x0, x1, columns)].fill(Some(b.ink.rgb()));
        }
    }
    marks.push(Mark::Picture { area: *area, columns, pixels });
}

/// A straight line.
pub fn line(a: Point, b: Point, ink: Ink, width: f64) -> Mark {
    Mark::Line { points: vec![a, b], ink, width, dash: Default::default() }
}

/// The outline of an area.
pub fn frame(marks: &mut Vec<Mark>, area: &Area) {
    let (x0, y0, x1, y1) = (area.x, area.y, area.x + area.w, area.y + area.h);
    let points = vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]];
    marks.push(Mark::Line { points, ink: Ink::Text, width: 1.0, dash: Default::default() });
}

fn ticks(marks: &mut Vec<Mark>, sized: &Sized) {
    let area = &sized.area;
    let (bottom, right) = (area.y + area.h, area.x + area.w);
    for (place, name) in horizontal_ticks(&sized.x, area.w) {
        let x = area.x + area.w * place;
        if name.is_empty() {
            marks.push(line([x, bottom], [x, bottom - 3.0], Ink::Text, 0.8));
            continue;
        }
        marks.push(line([x, area.y], [x, bottom], Ink::Grid, 1.0));
        if sized.numbers {
            marks.push(label([x, bottom + TICK + 4.0], &name, TICK, Anchor::Middle, false));
        }
    }
    for (place, name) in vertical_ticks(&sized.y, area.h) {
        let y = bottom - area.h * place;
        if name.is_empty() {
            marks.push(line([area.x, y], [area.x + 3.0, y], Ink::Text, 0.8));
            continue;
        }
        if sized.y.rows.is_empty() {
            marks.push(line([area.x, y], [right, y], Ink::Grid, 1.0));
        }
        let name = fitted(&name, TICK, area.x - 18.0);
        marks.push(label([area.x - 7.0, y + TICK * 0.35], &name, TICK, Anchor::End, false));
    }
}

/// What a page's script needs to read values off and to enlarge.
fn about(sized: &Sized) -> Vec<(&'static str, String)> {
    let axis = |a: &Fitted| {
        let (lo, hi) = if a.log { (a.lo.log10(), a.hi.log10()) } else { (a.scale.show(a.lo), a.scale.show(a.hi)) };
        format!("{lo:e} {hi:e} {}", if !a.rows.is_empty() { 2 } else { a.log as u8 })
    };
    let Area { x, y, w, h } = sized.area;
    vec![
        ("box", format!("{x:.2} {y:.2} {w:.2} {h:.2}")),
        ("x", axis(&sized.x)),
        ("y", axis(&sized.y)),
        ("xname", sized.x.label.clone()),
        ("yname", sized.y.label.clone()),
        ("numbers", (sized.numbers as u8).to_string()),
    ]
}
