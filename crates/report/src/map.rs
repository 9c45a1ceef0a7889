//! Tables of a parameter or two: curves of a sweep, pictures of a map.

use crate::axis::{Axis, Log};
use crate::figure::{Bar, Block, Curve, Figure, Key, Layer, Panel};
use crate::fit;
use crate::ink::{self, Ink};
use crate::layout::dash;
use crate::names::words;
use crate::source::{MOST_CASES, numbers, spec, word};
use crate::xy::slug;
use stickslip_data::{Column, Dataset, Status, Table, Values};

/// Tables that other figures show, or lists of states.
const KNOWN: [&str; 5] = ["series", "path", "events", "jumps", "states"];
/// The table of a law that is evaluated.
const EVALUATED: &str = "evaluate";
/// Most panels of one sweep.
const MOST: usize = 6;
/// Up to so many points are marked by dots.
const FEW: usize = 60;

/// Figures of every other table.
pub fn figures(dataset: &Dataset) -> Vec<Figure> {
    let mut out = Vec::new();
    let mut done: Vec<(&str, &str)> = Vec::new();
    for (case, outcome) in &dataset.cases {
        for table in outcome.tables.iter().filter(|t| !KNOWN.contains(&t.name.as_str()) && !fit::is_fit(t)) {
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

fn is_float(column: &Column) -> bool {
    column.values.floats().is_some()
}

/// The different values, in order.
fn levels(values: &[f64]) -> Vec<f64> {
    let mut out: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    out.sort_by(f64::total_cmp);
    out.dedup();
    out
}

/// Whether values are spaced by ratios rather than by differences.
fn geometric(levels: &[f64]) -> bool {
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
fn edges(levels: &[f64], log: bool) -> Vec<f64> {
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
        let panel = Panel { x: xa.clone(), y: ya.clone(), height: 420.0, layers, keys, bar };
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
fn tells(column: &Column) -> bool {
    column.name != "status" || (0..column.values.len()).any(|i| word(column, i) != Status::Ok.as_str())
}

type Colours = (Vec<Option<Ink>>, Vec<Key>, Option<Bar>);

/// The colour of every row: a word has its own, a number one of the bar; none where it is undefined.
fn colours(column: &Column) -> Option<Colours> {
    if let Some(values) = numbers(column) {
        let found = || values.iter().copied().filter(|v| v.is_finite());
        let range = (found().fold(f64::INFINITY, f64::min), found().fold(f64::NEG_INFINITY, f64::max));
        if range.0 > range.1 {
            return None;
        }
        let axis = Axis { tight: true, ..Axis::new(words(&column.name), &column.unit) };
        let fitted = axis.fit(found());
        let of = |v: &f64| Some(ink::heat(fitted.place(*v))).filter(|_| fitted.place(*v).is_finite());
        return Some((values.iter().map(of).collect(), vec![], Some(Bar { axis, range })));
    }
    let rows = column.values.len();
    let mut known: Vec<&str> = (0..rows).map(|i| word(column, i)).filter(|w| !w.is_empty()).collect();
    known.sort_unstable();
    known.dedup();
    let of = |w: &str| known.iter().position(|k| *k == w).map(|turn| ink::word(w, turn));
    let keys = known.iter().take(16).filter_map(|w| Some(Key::area(*w, of(w)?))).collect();
    Some(((0..rows).map(|i| of(word(column, i))).collect(), keys, None))
}

/// Every column against the first, cases overlaid; words become a strip of colours below.
fn sweep(dataset: &Dataset, name: &str, along: &str) -> Option<Figure> {
    let tables: Vec<(&str, &Table)> = dataset
        .cases
        .iter()
        .filter_map(|(case, o)| Some((case.as_str(), o.table(name).filter(|t| t.check().is_ok() && !t.is_empty())?)))
        .filter(|(_, table)| table.columns.first().is_some_and(|c| c.name == along))
        .take(MOST_CASES)
        .collect();
    let first = tables.first()?.1;
    let x = first.columns.first().filter(|c| is_float(c))?;
    let log = if geometric(&levels(x.values.floats()?)) { Log::Yes } else { Log::No };
    let axis = Axis { log, tight: first.len() > FEW, ..Axis::new(words(&x.name), &x.unit) };
    // Along an even axis a value that falls to nearly nothing falls to nothing: no logarithms.
    let up = |name: &str, unit: &str| {
        let log = if axis.log == Log::Yes { Log::Auto } else { Log::No };
        Axis { log, ..Axis::new(words(name), unit) }
    };
    let panel = |y: Axis, height: f64| Panel { x: axis.clone(), y, height, ..Panel::default() };
    let ys = stems(first, |c| name != EVALUATED || changes(c, &tables));
    let mut panels = Vec::new();
    for (stem, columns) in &ys {
        let mut panel = panel(up(stem, &columns[0].unit), if ys.len() == 1 { 360.0 } else { 160.0 });
        for (i, (_, table)) in tables.iter().enumerate() {
            for y in columns {
                let (Some(cx), Some(cy)) = (table.column(&x.name), table.column(&y.name)) else { continue };
                let (Some(vx), Some(vy)) = (numbers(cx), numbers(cy)) else { continue };
                let rising = vx.windows(2).all(|p| p[1] >= p[0]);
                let dots = vx.len() <= FEW;
                let curve = Curve::path(vx, vy, Ink::Curve(i));
                panel.layers.push(Layer::Curve(Curve { rising, dots, dash: dash(i), ..curve }));
            }
        }
        panels.push(panel);
    }
    for y in first.columns[1..].iter().filter(|c| is_word(c) && tells(c)).take(2) {
        panels.extend(strip(panel(Axis::default(), 0.0), &tables, &x.name, &y.name));
    }
    if let Some(top) = panels.first_mut().filter(|_| tables.len() > 1) {
        let keys = tables.iter().enumerate().map(|(i, (n, _))| Key::line(*n, Ink::Curve(i), dash(i)));
        top.keys = keys.chain(std::mem::take(&mut top.keys)).collect();
    }
    let title = match name {
        "map" => format!("Sweep over {}", words(&x.name)),
        "along" => format!("Along {}", words(&x.name)),
        EVALUATED => format!("Evaluated over {}", words(&x.name)),
        name => capital(&format!("{name} over {}", words(&x.name))),
    };
    (!panels.is_empty()).then(|| Figure::new(slug(name), title, panels))
}

/// The columns of numbers after the first, up to [`MOST`] panels; `re_1`, `re_2`, .. go together.
fn stems(table: &Table, telling: impl Fn(&Column) -> bool) -> Vec<(&str, Vec<&Column>)> {
    let mut out: Vec<(&str, Vec<&Column>)> = Vec::new();
    for column in table.columns[1..].iter().filter(|c| !is_word(c) && telling(c)) {
        let (stem, number) = column.name.rsplit_once('_').unwrap_or((&column.name, ""));
        let counted = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        let stem = if counted { stem } else { &column.name };
        match out.iter_mut().find(|(s, of)| *s == stem && of[0].unit == column.unit) {
            Some((_, of)) => of.push(column),
            None => out.push((stem, vec![column])),
        }
    }
    out.truncate(MOST);
    out
}

/// Columns of an evaluated law that others show already: forces beside coefficients, slopes, rates.
const BESIDE: [&str; 6] = ["force", "strength", "steady_slope", "normal_force", "area_fraction", "stored"];

/// Of a law or formula that is evaluated: all that changes, but for slopes, rates and what another column shows; under a
/// load that changes, what stick holds tells no more than the load.
fn changes(column: &Column, tables: &[(&str, &Table)]) -> bool {
    let varies = |name: &str| {
        let differs = |t: &Table| {
            let values = t.column(name).and_then(numbers).unwrap_or_default();
            values.iter().any(|v| *v != values[0])
        };
        tables.iter().any(|(_, table)| differs(table))
    };
    let name = column.name.as_str();
    let beside = BESIDE.contains(&name) || name.starts_with("tangent.") || name.starts_with("rate.");
    !beside && varies(name) && !(name == "hold" && varies("normal_force"))
}

fn is_word(column: &Column) -> bool {
    matches!(column.values, Values::Text(_) | Values::Coded { .. })
}

fn strip(mut panel: Panel, tables: &[(&str, &Table)], x: &str, y: &str) -> Option<Panel> {
    let mut blocks = Vec::new();
    let mut rows = Vec::new();
    for (case, table) in tables {
        let (vx, column) = (table.column(x)?.values.floats()?, table.column(y)?);
        let row = rows.len() as f64;
        rows.push(if case.is_empty() { words(y) } else { case.to_string() });
        let levels = levels(vx);
        let edges = edges(&levels, panel.x.log == Log::Yes);
        let (of, keys, _) = colours(column)?;
        for (i, v) in vx.iter().enumerate() {
            let Ok(k) = levels.binary_search_by(|l| l.total_cmp(v)) else { continue };
            // Nothing was computed beyond the ends.
            let x = (edges[k].max(levels[0]), edges[k + 1].min(levels[levels.len() - 1]));
            blocks.extend(of[i].map(|ink| Block { x, y: (row - 0.38, row + 0.38), ink }));
        }
        for key in keys {
            if !panel.keys.contains(&key) {
                panel.keys.push(key);
            }
        }
    }
    panel.height = 26.0 * rows.len() as f64 + 8.0;
    panel.y = Axis { rows, ..Axis::default() };
    panel.layers = vec![Layer::Boxes(blocks)];
    Some(panel)
}

/// With a capital letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |c| c.to_uppercase().chain(letters).collect())
}
