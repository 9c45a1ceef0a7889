//! Figures without time: phase plane, friction against velocity, path of a hysteresis program.

use crate::draw::axis::{Axis, Log};
use crate::draw::colour::Ink;
use crate::draw::layout::dash;
use crate::draw::scene::Dash;
use crate::figures::parts::{CURVE, Curve, Figure, Key, Layer, Panel};
use crate::figures::series::{Series, quasi_static};
use crate::figures::time::case_keys;
use crate::pages::names::{self, words};
use stickslip_data::{Dataset, Table};

const HEIGHT: f64 = 400.0;

/// A quantity: name, unit, values.
type Quantity = (String, String, Vec<f64>);

/// Phase plane and friction loop.
pub fn figures(all: &[Series]) -> Vec<Figure> {
    // Without mass a rate is no coordinate of the state.
    if all.iter().any(|s| quasi_static(s.table)) {
        return vec![];
    }
    let phase = plane("phase-plane", "Phase plane", all, |s| {
        // The first coordinate that moves, if any does.
        let moving = s.coordinates.iter().position(|c| moves(s.table, &c.name)).unwrap_or(0);
        let (q, v) = (s.coordinates.get(moving)?, s.rates.get(moving)?);
        let of = |c: &stickslip_data::Column| Some((words(&c.name), c.unit.clone(), c.values.floats()?.to_vec()));
        Some((of(q)?, of(v)?))
    });
    let friction = plane("friction-velocity", "Friction against slip velocity", all, |s| {
        let c = s.contacts.first()?;
        let slip = (c.slip_name.clone(), c.slip_unit.to_owned(), c.slip.clone());
        if slip.2.iter().all(|v| *v == 0.0) {
            return None;
        }
        Some((slip, (names::of("friction coefficient".into(), c.prefix), "1".into(), c.coefficient.clone())))
    });
    // Two coordinates of a contact in a plane: where it goes.
    let path = plane("plane", "Path in the plane", all, |s| {
        let ([one, two, ..], true) = (&s.coordinates[..], s.contacts.iter().any(|c| c.plane)) else { return None };
        let of = |c: &stickslip_data::Column| Some((c.name.clone(), c.unit.clone(), c.values.floats()?.to_vec()));
        (one.unit == two.unit).then_some((of(one)?, of(two)?))
    });
    let path = path.map(|mut figure| {
        figure.panels.iter_mut().for_each(|p| p.equal = true);
        figure
    });
    [path, phase, friction].into_iter().flatten().collect()
}

fn plane(
    name: &str,
    title: &str,
    all: &[Series],
    of: impl Fn(&Series) -> Option<(Quantity, Quantity)>,
) -> Option<Figure> {
    // Without a time axis each case may show last cycles of its own.
    let window = |s: &Series| s.last();
    let windows = all.iter().any(|s| window(s).is_some());
    let mut panel: Option<Panel> = None;
    for (i, s) in all.iter().enumerate() {
        let Some((x, y)) = of(s).filter(|(x, y)| !x.2.is_empty() && x.2.len() == y.2.len()) else { continue };
        let panel = panel.get_or_insert_with(|| Panel {
            // A coordinate that decays over decades still is a length: a plane has no logarithms.
            x: Axis { log: Log::No, ..Axis::new(&x.0, &x.1) },
            y: Axis { log: Log::No, ..Axis::new(&y.0, &y.1) },
            height: HEIGHT,
            ..Panel::default()
        });
        if panel.x.unit != x.1 || panel.y.unit != y.1 {
            continue;
        }
        let mut add = |rows: std::ops::Range<usize>, ink: Ink, width: f64| {
            let curve = Curve::path(x.2[rows.clone()].to_vec(), y.2[rows].to_vec(), ink);
            panel.layers.push(Layer::Curve(Curve { dash: dash(i), width, ..curve }));
        };
        if all.len() == 1 && windows {
            add(0..s.t.len(), Ink::Pale(i), 1.0);
        }
        add(s.rows(window(s)), Ink::Curve(i), CURVE);
    }
    let mut panel = panel?;
    let mut note = String::new();
    if all.len() > 1 {
        panel.keys = case_keys(all, None);
        if windows {
            note = "last cycles".into();
        }
    } else if windows {
        panel.keys = vec![
            Key::line("last cycles", Ink::Curve(0), Dash::Solid),
            Key::line("whole run", Ink::Pale(0), Dash::Solid),
        ];
    }
    Some(Figure::new(name, title, vec![panel]).noted(note))
}

/// Friction along the slip of a hysteresis program, and over time.
pub fn paths(dataset: &Dataset) -> Vec<Figure> {
    let tables: Vec<(&str, &Table)> = dataset
        .cases
        .iter()
        .filter_map(|(name, outcome)| Some((name.as_str(), outcome.table("path")?)))
        .filter(|(_, table)| table.check().is_ok() && !table.is_empty() && !quasi_static(table))
        .take(crate::figures::series::MOST_CASES)
        .collect();
    let has = |name: &str| tables.iter().any(|(_, t)| moves(t, name));
    let y = ["friction", "friction_force"].into_iter().find(|y| has(y)).unwrap_or("friction");
    let mut out = Vec::new();
    // A structure has a drive of its own: its force against what it moves is the loop.
    if has("displacement") && has("force") {
        out.extend(overlay("loop", "Force against displacement", &tables, "displacement", &["force"], false));
    }
    out.extend(overlay("path", "Friction along the slip", &tables, "slip", &[y], false));
    if has("slip_2") {
        let forces = &["friction_force_2"];
        let slip = overlay("path-plane", "Path of the slip", &tables, "slip", &["slip_2"], false);
        let force = overlay("force-plane", "Path of the friction force", &tables, "friction_force", forces, false);
        for mut figure in [slip, force].into_iter().flatten() {
            figure.panels.iter_mut().for_each(|p| p.equal = true);
            out.push(figure);
        }
    }
    let over_time: Vec<&str> =
        ["displacement", "force", "slip", y, "normal_force"].into_iter().filter(|n| has(n)).collect();
    out.extend(overlay("path-time", "Program over time", &tables, "t", &over_time, true));
    out
}

fn moves(table: &Table, name: &str) -> bool {
    let values = table.column(name).and_then(|c| c.values.floats()).unwrap_or_default();
    values.iter().any(|v| *v != values[0] && v.is_finite())
}

/// Whether the second row of a path is the same instant as the first, at rest without friction, but moves.
fn at_once(table: &Table) -> bool {
    let of = |name: &str| table.column(name).and_then(|c| c.values.floats()).unwrap_or_default();
    match (of("t"), of("friction"), of("slip_velocity")) {
        ([t0, t1, ..], [f0, f1, ..], [v0, v1, ..]) => t0 == t1 && *f0 == 0.0 && *f1 != 0.0 && *v0 == 0.0 && *v1 != 0.0,
        _ => false,
    }
}

/// Columns of one table of every case against one of them.
pub fn overlay(
    name: &str,
    title: &str,
    tables: &[(&str, &Table)],
    x: &str,
    ys: &[&str],
    rising: bool,
) -> Option<Figure> {
    let mut panels = Vec::new();
    for y in ys {
        let mut panel: Option<Panel> = None;
        for (i, (_, table)) in tables.iter().enumerate() {
            let (Some(cx), Some(cy)) = (table.column(x), table.column(y)) else { continue };
            let (Some(vx), Some(vy)) = (cx.values.floats(), cy.values.floats()) else { continue };
            let height = if ys.len() == 1 { HEIGHT } else { 150.0 };
            let panel = panel.get_or_insert_with(|| Panel {
                x: Axis { tight: rising, ..Axis::new(words(x), &cx.unit) },
                y: Axis::new(words(y), &cy.unit),
                height,
                ..Panel::default()
            });
            // Friction springs up at once where a law alone is set in motion: the rest before has no extent.
            let skip = usize::from(*y == "friction" && at_once(table));
            let curve = Curve::path(vx[skip..].to_vec(), vy[skip..].to_vec(), Ink::Curve(i));
            panel.layers.push(Layer::Curve(Curve { dash: dash(i), rising, ..curve }));
        }
        panels.extend(panel);
    }
    if let Some(first) = panels.first_mut().filter(|_| tables.len() > 1) {
        first.keys = tables.iter().enumerate().map(|(i, (n, _))| Key::line(*n, Ink::Curve(i), dash(i))).collect();
    }
    (!panels.is_empty()).then(|| Figure::new(name, title, panels))
}
