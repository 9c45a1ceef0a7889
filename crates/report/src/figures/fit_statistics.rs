//! Figures of what a fit leaves and allows: autocorrelation of residuals, posterior, ranking of laws.
use crate::draw::axis::{Axis, Log};
use crate::draw::colour::Ink;
use crate::draw::scene::Dash;
use crate::figures::parts::{Block, Curve, Figure, Key, Layer, Panel, Rule};
use stickslip_data::{Column, Outcome, Table};

/// Names of the tables.
const AUTOCORRELATION: &str = "autocorrelation";
const POSTERIOR: &str = "posterior";
const RANKING: &str = "ranking";
/// Columns of draws that are no parameters.
const BESIDE: [&str; 2] = ["chain", "log_likelihood"];
const HEIGHT: f64 = 220.0;
/// Height of a row of names.
const ROW: f64 = 34.0;
/// Largest height of a corner, and of each of its cells.
const CORNER: f64 = 620.0;
const CELL: f64 = 150.0;
/// Part of a cell that is drawn on, bars of a histogram, and dots of a cell.
const FILLED: f64 = 0.88;
const BARS: usize = 24;
const MOST_DOTS: usize = 400;
/// Draws beyond this part on either side lie outside.
const OUTSIDE: f64 = 0.002;
/// The noise of a correlation of white residuals, in standard deviations.
const CHANCE: f64 = 1.96;

/// Whether a table is drawn here.
pub fn is_drawn(table: &Table) -> bool {
    table.name.starts_with(AUTOCORRELATION) || table.name == POSTERIOR || table.name == RANKING
}

/// The figures of an outcome.
pub fn figures(outcome: &Outcome) -> Vec<Figure> {
    let rows = |name: &str| {
        let fit = name.replacen(AUTOCORRELATION, "fit", 1);
        outcome.table(&fit).and_then(|t| t.columns.first()).map_or(1, |c| c.values.len())
    };
    let correlations = outcome.tables.iter().filter(|t| t.name.starts_with(AUTOCORRELATION));
    let mut out: Vec<Figure> = correlations.filter_map(|t| autocorrelation(t, rows(&t.name))).collect();
    out.extend(outcome.table(POSTERIOR).and_then(corner));
    out.extend(outcome.table(RANKING).and_then(ranking));
    out
}

fn floats(table: &Table, name: &str) -> Option<Vec<f64>> {
    table.column(name)?.values.floats().map(<[f64]>::to_vec)
}

/// Correlation of residuals over the lag, that of the noise, and what white noise does by chance.
fn autocorrelation(table: &Table, rows: usize) -> Option<Figure> {
    let (lag, found, noise) = (floats(table, "lag")?, floats(table, "correlation")?, floats(table, "noise")?);
    let end = *lag.last()?;
    let chance = CHANCE / (rows as f64).sqrt();
    let level = |at: f64| Layer::Rule(Rule { at, upright: false, ink: Ink::Faint, text: String::new() });
    let fitted = Curve { dash: Dash::Solid, ..Curve::rising(lag.clone(), noise, Ink::Curve(1)) };
    let panel = Panel {
        x: Axis { log: Log::No, range: Some((0.0, end)), whole: true, ..Axis::new("lag in rows", "1") },
        y: Axis { log: Log::No, zero: true, ..Axis::new("correlation of residuals", "1") },
        height: HEIGHT,
        layers: vec![
            level(chance),
            level(-chance),
            Layer::Curve(Curve { dots: true, ..Curve::rising(lag, found, Ink::Curve(0)) }),
            Layer::Curve(fitted),
        ],
        keys: vec![
            Key::line("residuals", Ink::Curve(0), Dash::Solid),
            Key::line("noise of the intervals", Ink::Curve(1), Dash::Solid),
        ],
        ..Panel::default()
    };
    Some(Figure::new(table.name.clone(), "Autocorrelation of the residuals", vec![panel]))
}

/// Draws on the scale of a cell: its middle 99.6 % from -1/2 to 1/2.
fn scaled(values: &[f64]) -> Option<Vec<f64>> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |part: f64| sorted[((sorted.len() - 1) as f64 * part).round() as usize];
    let (low, high) = (at(OUTSIDE), at(1.0 - OUTSIDE));
    (high > low).then(|| values.iter().map(|x| (x - low) / (high - low) - 0.5).collect())
}

/// Each parameter against each other, and the share of draws of each.
fn corner(table: &Table) -> Option<Figure> {
    let parameters: Vec<&Column> = table.columns.iter().filter(|c| !BESIDE.contains(&c.name.as_str())).collect();
    let n = parameters.len();
    let all: Vec<Vec<f64>> = parameters.iter().map(|c| scaled(c.values.floats()?)).collect::<Option<_>>()?;
    let rows = all.first()?.len();
    let each = rows.div_ceil(MOST_DOTS);
    let mut layers = vec![];
    let mut bars = vec![];
    for i in 0..n {
        // Rows are counted from the far end of an axis.
        let middle = |k: usize| (n - 1 - k) as f64;
        let mut counts = [0usize; BARS];
        for x in all[i].iter().filter(|x| x.abs() < 0.5) {
            counts[((x + 0.5) * BARS as f64) as usize % BARS] += 1;
        }
        let most = counts.iter().copied().max().unwrap_or(1).max(1) as f64;
        let bottom = i as f64 + 0.5 * FILLED;
        for (k, count) in counts.iter().enumerate() {
            let place = |k: usize| middle(i) - FILLED * (k as f64 / BARS as f64 - 0.5);
            let top = bottom - FILLED * *count as f64 / most;
            let ends = (place(k + 1), place(k));
            bars.push(Block { x: ends, y: (top, bottom), ink: Ink::Curve(0) });
        }
        for j in 0..i {
            let dots = |k: usize, sign: f64, at: f64| -> Vec<f64> {
                let inside = |r: &usize| all[i][*r].abs() < 0.5 && all[j][*r].abs() < 0.5;
                (0..rows).step_by(each).filter(inside).map(|r| at + sign * FILLED * all[k][r]).collect()
            };
            let (x, y) = (dots(j, -1.0, middle(j)), dots(i, -1.0, i as f64));
            layers.push(Layer::Curve(Curve { dots: true, width: 0.0, ..Curve::path(x, y, Ink::Curve(0)) }));
        }
    }
    layers.insert(0, Layer::Boxes(bars));
    let short = |c: &&Column| c.name.rsplit('.').next().unwrap_or(&c.name).to_string();
    let panel = Panel {
        x: Axis { rows: parameters.iter().rev().map(short).collect(), ..Axis::default() },
        y: Axis { rows: parameters.iter().map(short).collect(), ..Axis::default() },
        height: (CELL * n as f64).min(CORNER),
        layers,
        ..Panel::default()
    };
    Some(Figure::new(POSTERIOR, "Draws of the parameters, each against each other", vec![panel]))
}

/// How far each law lies behind the best by its BIC.
fn ranking(table: &Table) -> Option<Figure> {
    let laws = table.column("law")?.values.texts()?;
    let behind = floats(table, "bic_over_best")?;
    let ranked: Vec<(String, f64)> =
        laws.iter().zip(&behind).filter(|(_, x)| x.is_finite()).map(|(law, x)| (law.to_string(), *x)).collect();
    if ranked.len() < 2 {
        return None;
    }
    let block = |(i, (_, x)): (usize, &(String, f64))| Block {
        x: (0.0, *x),
        y: (i as f64 - 0.25, i as f64 + 0.25),
        ink: Ink::Curve(0),
    };
    let panel = Panel {
        x: Axis { log: Log::No, zero: true, ..Axis::new("BIC above that of the best law", "1") },
        y: Axis { rows: ranked.iter().map(|(law, _)| law.clone()).collect(), ..Axis::default() },
        height: ROW * ranked.len() as f64,
        layers: vec![Layer::Boxes(ranked.iter().enumerate().map(block).collect())],
        ..Panel::default()
    };
    Some(Figure::new(RANKING, "Laws by their BIC: the smaller, the better supported", vec![panel]))
}
