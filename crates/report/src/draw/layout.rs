//! Places a figure on a sheet.

use crate::draw::axis::Fitted;
use crate::draw::colour::{Ink, heat};
use crate::draw::font;
use crate::draw::legend;
use crate::draw::panel;
use crate::draw::scene::{Anchor, Area, Dash, Mark, Scene};
use crate::figures::parts::{Figure, Layer, Panel};

/// Width of a sheet. At 17 cm, a text width in print, tick labels are 8.7 points high.
pub const WIDTH: f64 = 720.0;
/// Size of titles.
const TITLE: f64 = 16.0;
/// Size of axis labels and legends.
pub const LABEL: f64 = 13.5;
/// Size of tick labels.
pub const TICK: f64 = 13.0;
const EDGE: f64 = 12.0;
/// Between ticks and the labels of an axis.
const SPACE: f64 = 8.0;
const BAR: f64 = 16.0;
/// Points of all curves of a figure, which keeps its SVG below 300 kB.
const POINTS: usize = 19_000;

/// A panel with its axes fitted.
pub struct Sized<'a> {
    /// The panel.
    pub panel: &'a Panel,
    /// Horizontal axis.
    pub x: Fitted,
    /// Vertical axis.
    pub y: Fitted,
    /// Where the axes are.
    pub area: Area,
    /// Whether the numbers of the x axis stand below.
    pub numbers: bool,
    /// Most points of one curve.
    pub most: usize,
}

/// The laid-out figure, with or without its title.
pub fn scene(figure: &Figure, titled: bool) -> Scene {
    let mut marks = Vec::new();
    let mut top = EDGE;
    if titled {
        top += TITLE;
        marks.push(text([EDGE, top - 3.0], &fitted(&figure.title, TITLE, WIDTH - 2.0 * EDGE), TITLE, Ink::Text, true));
        if !figure.note.is_empty() {
            top += LABEL + 5.0;
            let note = fitted(&figure.note, LABEL, WIDTH - 2.0 * EDGE);
            marks.push(text([EDGE, top - 3.0], &note, LABEL, Ink::Faint, false));
        }
        top += 6.0;
    }
    let mut fits: Vec<(Fitted, Fitted)> = fit(figure);
    let curves = figure.panels.iter().flat_map(|p| &p.layers).filter(|l| matches!(l, Layer::Curve(_))).count();
    let most = POINTS / curves.max(1);

    let bars = figure.panels.iter().filter_map(|p| p.bar.as_ref()).map(bar_width).fold(0.0, f64::max);
    let right = WIDTH - EDGE - 10.0 - bars;
    let (mut left, _) = left_edge(figure, &fits);
    if figure.panels.iter().any(|p| p.equal) {
        // Wider axes may have wider numbers, which leave less room: the second time there is no more to take.
        keep_shape(figure, &mut fits, right - left);
        (left, _) = left_edge(figure, &fits);
        keep_shape(figure, &mut fits, right - left);
    }
    let numbers_width = left_edge(figure, &fits).1;

    let last = figure.panels.len().saturating_sub(1);
    for (i, (panel, (x, y))) in figure.panels.iter().zip(fits).enumerate() {
        top = legend::draw(&mut marks, &panel.keys, left, right, top);
        let area = Area { x: left, y: top + 4.0, w: right - left, h: panel.height };
        let numbers = i == last || !figure.shared;
        let sized = Sized { panel, x, y, area, numbers, most };
        marks.push(Mark::Fill { area, ink: Ink::Paper, opacity: 1.0 });
        panel::draw(&mut marks, &sized);
        if let Some(bar) = &panel.bar {
            colour_bar(&mut marks, bar, &area);
        }
        top = area.y + area.h + 8.0;
        if !sized.y.label.is_empty() {
            let size = LABEL.min(LABEL * (area.h + 24.0) / font::width(&sized.y.label, LABEL));
            let at = [left - 2.0 * SPACE - numbers_width, area.y + area.h / 2.0];
            marks.push(label(at, &sized.y.label, size, Anchor::Middle, true));
        }
        if numbers {
            top += TICK + 2.0;
            if !sized.x.label.is_empty() {
                top += LABEL + 5.0;
                let size = LABEL.min(LABEL * area.w / font::width(&sized.x.label, LABEL));
                marks.push(label([area.x + area.w / 2.0, top - 4.0], &sized.x.label, size, Anchor::Middle, false));
            }
        }
    }
    let height = top + EDGE - 4.0;
    marks.insert(0, Mark::Fill { area: Area { x: 0.0, y: 0.0, w: WIDTH, h: height }, ink: Ink::Paper, opacity: 1.0 });
    Scene { width: WIDTH, height, marks }
}

/// One left edge for all panels, wide enough for every label, and the width of the numbers.
fn left_edge(figure: &Figure, fits: &[(Fitted, Fitted)]) -> (f64, f64) {
    let width = |(p, (_, y)): (&Panel, &(Fitted, Fitted))| panel::label_width(y, p.height);
    let all = || figure.panels.iter().zip(fits);
    let widest = all().map(width).fold(0.0, f64::max);
    let numbers = all().filter(|(_, (_, y))| y.rows.is_empty()).map(width).fold(0.0, f64::max);
    let named = fits.iter().any(|(_, y)| !y.label.is_empty());
    (EDGE + if named { LABEL + SPACE } else { 0.0 } + widest.min(WIDTH / 3.0) + SPACE, numbers)
}

/// Widens the axes of panels that keep the shape of what they show, until a length is as long across as upwards.
fn keep_shape(figure: &Figure, fits: &mut [(Fitted, Fitted)], width: f64) {
    for (panel, (x, y)) in figure.panels.iter().zip(fits).filter(|(p, _)| p.equal) {
        let per_unit = ((x.hi - x.lo) / width).max((y.hi - y.lo) / panel.height);
        let ends = |axis: &Fitted, room: f64| {
            let (middle, half) = (0.5 * axis.lo + 0.5 * axis.hi, 0.5 * per_unit * room);
            (middle - half, middle + half)
        };
        let (across, up) = (ends(x, width), ends(y, panel.height));
        *x = panel.x.between(across);
        *y = panel.y.between(up);
        // One unit for both, that of the larger numbers.
        let scale = if x.scale.factor >= y.scale.factor { x.scale.clone() } else { y.scale.clone() };
        if x.scale.offset == 0.0 && y.scale.offset == 0.0 {
            x.rescale(&scale, &panel.x);
            y.rescale(&scale, &panel.y);
        }
    }
}

/// Fits the axes of all panels; a shared x axis sees the data of all.
fn fit(figure: &Figure) -> Vec<(Fitted, Fitted)> {
    let all = figure.panels.first().filter(|_| figure.shared).map(|first| {
        let data = figure.panels.iter().flat_map(|p| panel::values(p, true));
        (first.x.clone(), first.x.fit(data))
    });
    let one = |p: &Panel| {
        let x = match &all {
            Some((_, fitted)) => fitted.clone(),
            None => p.x.fit(panel::values(p, true)),
        };
        (x, p.y.fit(panel::values(p, false)))
    };
    figure.panels.iter().map(one).collect()
}

fn bar_width(bar: &crate::figures::parts::Bar) -> f64 {
    let axis = bar.axis.fit([bar.range.0, bar.range.1].into_iter());
    14.0 + BAR + SPACE + panel::label_width(&axis, 300.0) + SPACE + LABEL
}

fn colour_bar(marks: &mut Vec<Mark>, bar: &crate::figures::parts::Bar, beside: &Area) {
    const STEPS: usize = 64;
    let axis = bar.axis.fit([bar.range.0, bar.range.1].into_iter());
    let area = Area { x: beside.x + beside.w + 14.0, w: BAR, ..*beside };
    let pixels = (0..STEPS).rev().map(|i| Some(heat(i as f64 / (STEPS - 1) as f64).rgb())).collect();
    marks.push(Mark::Picture { area, columns: 1, pixels });
    panel::frame(marks, &area);
    for (place, name) in axis.ticks((area.h / 40.0) as usize) {
        let y = area.y + area.h * (1.0 - place);
        let edge = area.x + area.w;
        let tick = if name.is_empty() { 2.5 } else { 5.0 };
        marks.push(panel::line([edge, y], [edge + tick, y], Ink::Text, 1.0));
        marks.push(label([edge + SPACE, y + TICK * 0.35], &name, TICK, Anchor::Start, false));
    }
    let size = LABEL.min(LABEL * (area.h + 24.0) / font::width(&axis.label, LABEL).max(1.0));
    let widest = panel::label_width(&axis, area.h);
    let at = [area.x + area.w + 2.0 * SPACE + widest + LABEL - 4.0, area.y + area.h / 2.0];
    marks.push(label(at, &axis.label, size, Anchor::Middle, true));
}

/// A text cut to a width.
pub fn fitted(text: &str, size: f64, width: f64) -> String {
    if font::width(text, size) <= width {
        return text.to_owned();
    }
    let mut short = text.to_owned();
    while !short.is_empty() && font::width(&short, size) + font::width("\u{2026}", size) > width {
        short.pop();
    }
    format!("{}\u{2026}", short.trim_end())
}

/// A text that begins at a point.
fn text(at: [f64; 2], text: &str, size: f64, ink: Ink, bold: bool) -> Mark {
    let text = text.to_owned();
    Mark::Text { at, text, size, anchor: Anchor::Start, turned: false, bold, ink }
}

/// A text of the axes.
pub fn label(at: [f64; 2], text: &str, size: f64, anchor: Anchor, turned: bool) -> Mark {
    Mark::Text { at, text: text.to_owned(), size, anchor, turned, bold: false, ink: Ink::Text }
}

/// The dash of the curve of that number: colours first, then dashes.
pub fn dash(number: usize) -> Dash {
    [Dash::Solid, Dash::Dashed, Dash::Dotted][(number / crate::draw::colour::CURVES.len()) % 3]
}
