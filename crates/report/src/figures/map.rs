//! Tables of a parameter or two: which of them are curves, and the pictures of a map.

use crate::draw::axis::{Axis, Log};
use crate::draw::colour::{self, Ink};
use crate::figures::parts::{Bar, Block, Figure, Key, Layer, Panel};
use crate::figures::series::{numbers, spec, word};
use crate::figures::sweep::sweep;
use crate::figures::xy::slug;
use crate::figures::{branches, density, fit, responses};
use crate::pages::names::words;
use stickslip_data::{Column, Dataset, Status, Table};

/// Tables that other figures show, or lists of states.
const KNOWN: [&str; 7] = ["series", "path", "events", "jumps", "states", "comparison", "overlay"];

/// Figures of every other table.
pub fn figures(dataset: &Dataset) -> Vec<Figure> {
    let mut out = Vec::new();
    let mut done: Vec<(&str, &str)> = Vec::new();
    for (case, outcome) in &dataset.cases {
        for table in outcome.tables.iter().filter(|t| {
            let drawn = fit::is_fit(t) || branches::is_drawn(t) || responses::is_drawn(t) || density::is_drawn(t);
            !KNOWN.contains(&t.name.as_str()) && !drawn
        }) {
            if table.check().is_err() || table.is_empty() {
                continue;
            }
            if let Some((x, y)) = plane(table, dataset, case) {
                out.extend(pictures(table, case, x, y));
            } else if let Some(x) = table.columns.first()
                && !done.contains(&(table.name.as_str(), x.name.as_str()))
            {
                // Curves of all cases over one quantity go together.
                done.push((&table.name, &x.name));
                out.extend(sweep(dataset, &table.name, &x.name));
            }
        }
    }
    out
}

/// The two axes of a map: as the scenario names them, or the first two columns where their values form a grid.
fn plane<'a>(table: &'a Table, dataset: &Dataset, case: &str) -> Option<(&'a Column, &'a Column)> {
    let axes = spec(dataset, case).get("analysis").and_then(|a| a.get("axes")).and_then(|a| a.as_array());
    if let Some(axes) = axes {
        let named: Vec<&Column> =
            axes.iter().filter_map(|a| table.column(a.get("parameter")?.as_str()?)).filter(|c| is_float(c)).collect();
        if axes.len() != 2 || named.len() == 2 {
            return if let [x, y] = named[..] { Some((x, y)) } else { None };
        }
    }
    let [x, y, _, ..] = &table.columns[..] else { return None };
    let (nx, ny) = (levels(x.values.floats()?).len(), levels(y.values.floats()?).len());
    (nx > 1 && ny > 1 && nx * ny == table.len()).then_some((x, y))
}

pub fn is_float(column: &Column) -> bool {
    column.values.floats().is_some()
}

/// The different values, in order.
pub fn levels(values: &[f64]) -> Vec<f64> {
    let mut out: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    out.sort_by(f64::total_cmp);
    out.dedup();
    out
}

/// Whether values are spaced by ratios rather than by differences.
pub fn geometric(levels: &[f64]) -> bool {
    let [first, .., last] = levels else { return false };
    if *first <= 0.0 || levels.len() < 3 {
        return false;
    }
    let spread = |gaps: Vec<f64>| {
        let (lo, hi) = gaps.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), g| (a.min(*g), b.max(*g)));
        hi / lo
    };
    let ratios = spread(levels.windows(2).map(|p| (p[1] / p[0]).ln()).collect());
    let steps = spread(levels.windows(2).map(|p| p[1] - p[0]).collect());
    last / first > 2.0 && ratios < steps
}

/// The edges of the cell around each level: half way to its neighbours, by ratio on a logarithmic axis.
pub fn edges(levels: &[f64], log: bool) -> Vec<f64> {
    let to = |v: f64| if log { v.ln() } else { v };
    let back = |v: f64| if log { v.exp() } else { v };
    let u: Vec<f64> = levels.iter().map(|v| to(*v)).collect();
    let n = u.len();
    if n == 1 {
        return vec![back(u[0] - 0.5), back(u[0] + 0.5)];
    }
    let mut out = vec![back(1.5 * u[0] - 0.5 * u[1])];
    out.extend(u.windows(2).map(|p| back(0.5 * p[0] + 0.5 * p[1])));
    out.push(back(1.5 * u[n - 1] - 0.5 * u[n - 2]));
    out
}

/// One picture for every column that is not an axis.
fn pictures(table: &Table, case: &str, x: &Column, y: &Column) -> Vec<Figure> {
    let (vx, vy) = (x.values.floats().unwrap_or_default(), y.values.floats().unwrap_or_default());
    let side = |column: &Column, values: &[f64]| {
        let levels = levels(values);
        let log = geometric(&levels);
        let edges = edges(&levels, log);
        let axis =
            Axis { log: if log { Log::Yes } else { Log::No }, tight: true, ..Axis::new(&column.name, &column.unit) };
        (levels, edges, axis)
    };
    let (xl, xe, xa) = side(x, vx);
    let (yl, ye, ya) = side(y, vy);
    let cell = |levels: &[f64], edges: &[f64], v: f64| {
        let i = levels.binary_search_by(|l| l.total_cmp(&v)).ok()?;
        Some((edges[i], edges[i + 1]))
    };
    let mut out = Vec::new();
    for column in table.columns.iter().filter(|c| c.name != x.name && c.name != y.name && tells(c)) {
        let Some((colours, keys, bar)) = colours(column) else { continue };
        let blocks = (0..table.len())
            .filter_map(|i| Some(Block { x: cell(&xl, &xe, vx[i])?, y: cell(&yl, &ye, vy[i])?, ink: colours[i]? }));
        let layers = vec![Layer::Boxes(blocks.collect())];
        let panel = Panel { x: xa.clone(), y: ya.clone(), height: 420.0, layers, keys, bar, ..Panel::default() };
        let (name, title) = match case {
            "" => (format!("{}-{}", slug(&table.name), slug(&column.name)), words(&column.name)),
            case => (
                format!("{}-{}-{}", slug(&table.name), slug(&column.name), slug(case)),
                format!("{}, {case}", words(&column.name)),
            ),
        };
        out.push(Figure::new(name, format!("Map of {title}"), vec![panel]));
    }
    out
}

/// Whether a column says anything: that all points are well needs no picture.
pub fn tells(column: &Column) -> bool {
    column.name != "status" || (0..column.values.len()).any(|i| word(column, i) != Status::Ok.as_str())
}

pub type Colours = (Vec<Option<Ink>>, Vec<Key>, Option<Bar>);

/// The colour of every row: a word has its own, a number one of the bar; none where it is undefined.
pub fn colours(column: &Column) -> Option<Colours> {
    if let Some(values) = numbers(column) {
        let found = || values.iter().copied().filter(|v| v.is_finite());
        let range = (found().fold(f64::INFINITY, f64::min), found().fold(f64::NEG_INFINITY, f64::max));
        if range.0 > range.1 {
            return None;
        }
        let axis = Axis { tight: true, ..Axis::new(words(&column.name), &column.unit) };
        let fitted = axis.fit(found());
        let of = |v: &f64| Some(colour::heat(fitted.place(*v))).filter(|_| fitted.place(*v).is_finite());
        return Some((values.iter().map(of).collect(), vec![], Some(Bar { axis, range })));
    }
    let rows = column.values.len();
    let mut known: Vec<&str> = (0..rows).map(|i| word(column, i)).filter(|w| !w.is_empty()).collect();
    known.sort_unstable();
    known.dedup();
    let of = |w: &str| known.iter().position(|k| *k == w).map(|turn| colour::word(w, turn));
    let keys = known.iter().take(16).filter_map(|w| Some(Key::area(*w, of(w)?))).collect();
    Some(((0..rows).map(|i| of(word(column, i))).collect(), keys, None))
}
