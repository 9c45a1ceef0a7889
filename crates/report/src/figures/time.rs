//! Figures over time: coordinates, slip velocity, friction; stick is shaded.

use crate::draw::axis::{Axis, Log};
use crate::draw::colour::Ink;
use crate::draw::layout::dash;
use crate::figures::modes;
use crate::figures::parts::{Curve, Figure, Key, Layer, Panel};
use crate::figures::series::{Contact, Series, last_cycles, quasi_static, spans};
use crate::pages::names::{self, words};
use stickslip_data::Column;

/// Most curves of one panel.
const MOST: usize = 8;
const HEIGHT: f64 = 150.0;

type Window = Option<(f64, f64)>;

/// The whole run and, where it is long, its last cycles.
pub fn figures(all: &[Series]) -> Vec<Figure> {
    if all.iter().all(|s| s.t.is_empty()) {
        return vec![];
    }
    if all.iter().all(|s| quasi_static(s.table)) {
        return vec![path(all)];
    }
    let whole = stack("series", "Time series, whole run", all, None);
    let last = last_cycles(all).map(|w| stack("series-last", "Time series, last cycles", all, Some(w)));
    [Some(whole), last].into_iter().flatten().chain(states(all)).collect()
}

/// Coordinates and reactions along a path through equilibria, over the ribbon of modes.
fn path(all: &[Series]) -> Figure {
    let mut panels = Vec::new();
    if let [only] = all {
        panels.extend(coordinates(only, None));
        for (name, words) in [("normal_force", "normal force"), ("friction_force", "friction force")] {
            let values = |c: &Contact| only.table.column(&format!("{}{name}", c.prefix)).map(floats);
            panels.extend(per_contact(only, None, words, "N", values));
        }
        shade(only, &mut panels);
    } else {
        let columns = |s: &Series| -> Vec<String> { s.coordinates.iter().map(|c| c.name.clone()).collect() };
        let first = all.first().map(columns).unwrap_or_default();
        let force = |s: &Series| s.contacts.first().map(|c| format!("{}normal_force", c.prefix));
        for name in first.into_iter().take(2).chain(all.first().and_then(force)) {
            panels.extend(over_cases(all, None, |s| {
                s.table.column(&name).map(|c| (words(&c.name), c.unit.clone(), floats(c)))
            }));
        }
        if let Some(first) = panels.first_mut() {
            first.keys = case_keys(all, None);
        }
    }
    panels.extend(modes::strip(all, None));
    Figure::new("path", "Path through equilibria", panels)
}

/// The axis of time.
pub fn time(window: Window) -> Axis {
    Axis { tight: true, log: Log::No, range: window, ..Axis::new("time", "s") }
}

fn stack(name: &str, title: &str, all: &[Series], window: Window) -> Figure {
    let mut panels = Vec::new();
    let mut note = String::new();
    if let [only] = all {
        let count = only.coordinates.len().max(only.contacts.len());
        if count > MOST {
            note = format!("the first {MOST} of {count} are drawn");
        }
        panels.extend(coordinates(only, window));
        if !frictionless(all) {
            let slip = if only.contacts.iter().any(|c| c.plane) { "slip speed" } else { "slip velocity" };
            panels.extend(per_contact(only, window, slip, "m/s", |c| Some(c.slip.clone())));
            panels.extend(per_contact(only, window, "friction coefficient", "1", |c| Some(c.coefficient.clone())));
        }
        if only.contacts.iter().any(|c| c.normal.is_some_and(varies)) {
            let normal = |c: &Contact| c.normal.and_then(|c| c.values.floats()).map(<[f64]>::to_vec);
            let unit = only.contacts[0].normal.map_or("N", |c| &c.unit);
            panels.extend(per_contact(only, window, "normal force", unit, normal));
        }
        shade(only, &mut panels);
    } else {
        panels.extend(over_cases(all, window, |s| {
            s.coordinates.first().map(|c| (words(&c.name), c.unit.clone(), floats(c)))
        }));
        panels.iter_mut().for_each(|p| p.y.log = Log::No);
        if !frictionless(all) {
            panels.extend(over_cases(all, window, |s| {
                s.contacts.first().map(|c| (c.slip_name.clone(), c.slip_unit.into(), c.slip.clone()))
            }));
            panels.extend(over_cases(all, window, |s| {
                let c = s.contacts.first()?;
                Some((names::of("friction coefficient".into(), c.prefix), "1".into(), c.coefficient.clone()))
            }));
        }
        if let Some(first) = panels.first_mut() {
            first.keys = case_keys(all, window);
        }
        panels.extend(modes::strip(all, window));
    }
    Figure::new(name, title, panels).noted(note)
}

/// Entries of the legend, one a case that has rows in the window.
pub fn case_keys(all: &[Series], window: Window) -> Vec<Key> {
    let seen = all.iter().enumerate().filter(|(_, s)| s.reaches(window));
    seen.map(|(i, s)| Key::line(s.case, Ink::Curve(i), dash(i))).collect()
}

/// Whether no contact ever slips or carries friction: panels of nothing but zeros tell nothing.
fn frictionless(all: &[Series]) -> bool {
    let nothing = |values: &[f64]| values.iter().all(|v| *v == 0.0 || v.is_nan());
    all.iter().flat_map(|s| &s.contacts).all(|c| nothing(&c.slip) && nothing(&c.coefficient))
}

fn floats(column: &Column) -> Vec<f64> {
    column.values.floats().map(<[f64]>::to_vec).unwrap_or_default()
}

fn varies(column: &Column) -> bool {
    let values = column.values.floats().unwrap_or_default();
    let (lo, hi) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
    hi - lo > 1e-9 * hi.abs().max(lo.abs())
}

fn coordinates(s: &Series, window: Window) -> Option<Panel> {
    let first = s.coordinates.first()?;
    let alike: Vec<&&Column> = s.coordinates.iter().filter(|c| c.unit == first.unit).take(MOST).collect();
    let name = if alike.len() == 1 { first.name.clone() } else { "coordinates".into() };
    // A coordinate that dies out still is a length.
    let y = Axis { log: Log::No, ..Axis::new(name, &first.unit) };
    let mut panel = Panel { x: time(window), y, height: HEIGHT, ..Panel::default() };
    for (i, c) in alike.iter().enumerate() {
        add(&mut panel, s, window, &floats(c), i);
        if alike.len() > 1 {
            panel.keys.push(Key::line(&c.name, Ink::Curve(i), dash(i)));
        }
    }
    Some(panel)
}

fn per_contact(
    s: &Series,
    window: Window,
    name: &str,
    unit: &str,
    of: impl Fn(&Contact) -> Option<Vec<f64>>,
) -> Option<Panel> {
    let mut panel = Panel { x: time(window), y: Axis::new(name, unit), height: HEIGHT, ..Panel::default() };
    let several = s.contacts.len() > 1;
    for (i, c) in s.contacts.iter().take(MOST).enumerate() {
        let Some(y) = of(c).filter(|y| !y.is_empty()) else { continue };
        add(&mut panel, s, window, &y, i);
        if several {
            panel.keys.push(Key::line(names::contact(c.prefix), Ink::Curve(i), dash(i)));
        }
    }
    (!panel.layers.is_empty()).then_some(panel)
}

fn over_cases(
    all: &[Series],
    window: Window,
    of: impl Fn(&Series) -> Option<(String, String, Vec<f64>)>,
) -> Option<Panel> {
    let mut panel: Option<Panel> = None;
    for (i, s) in all.iter().enumerate().filter(|(_, s)| s.reaches(window)) {
        let Some((name, unit, y)) = of(s).filter(|(_, _, y)| !y.is_empty()) else { continue };
        let panel = panel.get_or_insert_with(|| Panel {
            x: time(window),
            y: Axis::new(name, &unit),
            height: HEIGHT,
            ..Panel::default()
        });
        // A case whose quantity is another one has no place on this axis.
        if panel.y.unit == unit {
            add(panel, s, window, &y, i);
        }
    }
    panel
}

fn add(panel: &mut Panel, s: &Series, window: Window, y: &[f64], number: usize) {
    let rows = s.rows(window);
    let mut curve = Curve::rising(s.t[rows.clone()].to_vec(), y[rows].to_vec(), Ink::Curve(number));
    curve.dash = dash(number);
    panel.layers.push(Layer::Curve(curve));
}

/// Shades stick in every panel and says so in the first.
fn shade(s: &Series, panels: &mut [Panel]) {
    let contacts = &s.contacts;
    let all = spans(s.t, |i| !contacts.is_empty() && contacts.iter().all(|c| c.sticks[i]));
    let some = match contacts.len() {
        0 | 1 => vec![],
        _ => spans(s.t, |i| contacts.iter().any(|c| c.sticks[i])),
    };
    if all.is_empty() && some.is_empty() {
        return;
    }
    let name = match &contacts[..] {
        [one] => one.meaning.map_or("stick".to_owned(), |m| format!("stick ({m})")),
        _ => "stick (darker: all contacts)".to_owned(),
    };
    for (i, panel) in panels.iter_mut().enumerate() {
        for spans in [&all, &some] {
            if !spans.is_empty() {
                panel.layers.insert(0, Layer::Shade { spans: spans.clone() });
            }
        }
        if i == 0 {
            panel.keys.push(Key::area(&name, Ink::Stick));
        }
    }
}

/// The states of the contacts' laws.
fn states(all: &[Series]) -> Option<Figure> {
    let [only] = all else { return None };
    let window = last_cycles(all);
    let found = only.table.columns.iter().filter(|c| c.name.starts_with("state.") || c.name.contains(".state."));
    let mut panels: Vec<Panel> = found
        .filter(|c| varies(c))
        .take(4)
        .map(|c| {
            let y = Axis::new(words(&c.name), &c.unit);
            let mut panel = Panel { x: time(window), y, height: HEIGHT, ..Panel::default() };
            add(&mut panel, only, window, &floats(c), 0);
            panel
        })
        .collect();
    shade(only, &mut panels);
    (!panels.is_empty()).then(|| Figure::new("states", "States of the laws", panels))
}
