//! Frequency responses: amplitude with what is stable solid and what is not dashed, phase and stick below.
use crate::draw::axis::{Axis, Log};
use crate::draw::colour::Ink;
use crate::draw::scene::Dash;
use crate::figures::branches::pieces;
use crate::figures::parts::{Curve, Figure, Key, Layer, Panel};
use crate::figures::series::MOST_CASES;
use crate::pages::names::words;
use stickslip_data::{Dataset, Outcome, Table, Value, Values};

const RESPONSE: &str = "response";
/// Heights of the panels.
const TALL: f64 = 300.0;
const LOW: f64 = 140.0;

/// Whether a table is drawn here: a curve of responses.
pub fn is_drawn(table: &Table) -> bool {
    table.name == RESPONSE && table.column("omega").is_some() && table.column("amplitude").is_some()
}

/// Rows of one level of a case.
struct Level<'a> {
    name: String,
    table: &'a Table,
    rows: std::ops::Range<usize>,
}

impl Level<'_> {
    fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        Some(self.table.column(name)?.values.floats()?[self.rows.clone()].to_vec())
    }
}

/// The levels of a table, one after the other.
fn levels<'a>(case: &str, table: &'a Table) -> Vec<Level<'a>> {
    let whole = |name: String| vec![Level { name, table, rows: 0..table.len() }];
    let Some(column) = table.column("level") else { return whole(case.into()) };
    let Some(values) = column.values.floats() else { return whole(case.into()) };
    let mut out: Vec<Level> = vec![];
    let mut first = 0;
    for i in 1..=values.len() {
        if i == values.len() || values[i] != values[i - 1] {
            let name = format!("{case} {} {}", values[first], column.unit).trim().to_string();
            out.push(Level { name, table, rows: first..i });
            first = i;
        }
    }
    out
}

fn peaks(outcome: &Outcome) -> Vec<(f64, f64)> {
    let list = |name: &str| match outcome.value(name).map(|q| &q.value) {
        Some(Value::Number(x)) => vec![*x],
        Some(Value::List(list)) => list.clone(),
        _ => vec![],
    };
    list("peak.omega").into_iter().zip(list("peak.amplitude")).collect()
}

/// Responses over the frequency of the drive.
pub fn figures(dataset: &Dataset) -> Vec<Figure> {
    let drawn = |t: &&Table| is_drawn(t) && t.check().is_ok() && t.len() > 1;
    let cases: Vec<_> =
        dataset.cases.iter().filter_map(|(case, o)| Some((case, o, o.tables.iter().find(drawn)?))).collect();
    let all: Vec<Level> = cases.iter().flat_map(|(case, _, table)| levels(case, table)).take(MOST_CASES).collect();
    let Some(first) = all.first() else { return vec![] };
    let points = ["stick_fraction", "stick_fraction[0]"].into_iter().find(|name| first.table.column(name).is_some());
    let names = [("amplitude", TALL), ("phase", LOW)].into_iter().chain(points.map(|name| (name, LOW)));
    let mut panels = vec![];
    for (name, height) in names {
        let Some(unit) = first.table.column(name).map(|c| &c.unit) else { continue };
        let across = Axis { tight: true, ..Axis::new("frequency of the drive", "rad/s") };
        let log = if name == "amplitude" { Log::Auto } else { Log::No };
        let up = Axis { log, ..Axis::new(words(name), unit) };
        let mut panel = Panel { x: across, y: up, height, ..Panel::default() };
        for (i, level) in all.iter().enumerate() {
            let (Some(x), Some(y)) = (level.numbers("omega"), level.numbers(name)) else { continue };
            let solid: Vec<bool> = match level.table.column("stable").map(|c| &c.values) {
                Some(Values::Int(stable)) => stable[level.rows.clone()].iter().map(|s| *s != 0).collect(),
                _ => vec![true; x.len()],
            };
            panel.layers.extend(pieces(&x, &y, &vec![0; x.len()], &solid, Ink::Curve(i)));
        }
        if name == "amplitude" {
            let mut ink = 0;
            for (case, outcome, table) in &cases {
                let count = levels(case, table).len();
                for (k, (x, y)) in peaks(outcome).into_iter().enumerate().filter(|(_, (x, _))| x.is_finite()) {
                    let curve =
                        Curve { dots: true, ..Curve::path(vec![x], vec![y], Ink::Curve(ink + k.min(count - 1))) };
                    panel.layers.push(Layer::Curve(curve));
                }
                ink += count;
            }
            let lines = [("stable", Dash::Solid), ("unstable", Dash::Dashed)];
            panel.keys = lines.map(|(name, dash)| Key::line(name, Ink::Curve(0), dash)).into();
            if all.len() > 1 {
                panel.keys.extend(
                    all.iter().enumerate().map(|(i, level)| Key::line(&level.name, Ink::Curve(i), Dash::Solid)),
                );
            }
        }
        panels.push(panel);
    }
    vec![Figure::new(RESPONSE, "Response over the frequency of the drive", panels)]
}
