//! A coarse map of how many disturbances grow: between two of its points that differ a Hopf curve passes.
use super::follow::{Curve, Start};
use crate::sliding::{ModelAt, Range, Sliding};
use stickslip_model::Context;
use stickslip_solve::continuation::{Curve as _, HopfCurve, correct};

/// Points of the map along each range, and of the finer one that is looked at where nothing changes on the first.
const COARSE: usize = 13;
const FINE: usize = 41;
/// A real part below this part of its eigenvalue is rounding.
const NEUTRAL: f64 = 1e-11;
/// The same against the largest eigenvalue.
const ROUNDING: f64 = 1e-15;
/// Halvings of the way between two points of the map before Newton's method takes over.
const HALVINGS: usize = 12;
/// A frequency below this part of the largest eigenvalue is none.
const NO_FREQUENCY: f64 = 1e-13;

/// Numbers of growing disturbances over both ranges.
pub struct Grid {
    count: usize,
    /// None where steady sliding does not exist.
    growing: Vec<Option<usize>>,
    /// Why there is none at the first such point.
    lack: Option<String>,
}

/// Two neighbours of the map that differ.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    ends: [[f64; 2]; 2],
    /// The parameter that differs between them.
    along: usize,
    /// How many pairs cross.
    pairs: usize,
    /// How many grow at each end.
    growing: [usize; 2],
}

/// How many eigenvalues have a positive real part.
pub fn growing(values: &[[f64; 2]]) -> usize {
    let fastest = values.iter().map(|v| v[0].hypot(v[1])).fold(0.0, f64::max);
    values.iter().filter(|v| v[0] > (NEUTRAL * v[0].hypot(v[1])).max(ROUNDING * fastest)).count()
}

impl Grid {
    /// Asks at all points; on a finer map where all are alike.
    pub fn of(model_at: ModelAt, context: &Context) -> Result<Grid, String> {
        let coarse = Grid::with(COARSE, model_at, context);
        let changes = !coarse.crossings().is_empty();
        let grid = if changes || context.stopped() { coarse } else { Grid::with(FINE, model_at, context) };
        match grid.growing.iter().any(Option::is_some) {
            true => Ok(grid),
            false => Err(grid.lack.unwrap_or_else(|| "steady sliding exists nowhere in the ranges".into())),
        }
    }

    fn with(count: usize, model_at: ModelAt, context: &Context) -> Grid {
        let mut grid = Grid { count, growing: vec![], lack: None };
        for k in 0..count * count {
            context.report(0.2 * k as f64 / (count * count) as f64);
            let found = if context.stopped() { Err("stopped".into()) } else { spectrum(model_at, &grid.place(k)) };
            grid.growing.push(match found {
                Ok(values) => Some(growing(&values)),
                Err(e) => {
                    grid.lack.get_or_insert(e);
                    None
                }
            });
        }
        grid
    }

    fn place(&self, k: usize) -> [f64; 2] {
        [k / self.count, k % self.count].map(|i| i as f64 / (self.count - 1) as f64)
    }

    /// All neighbours between which pairs cross.
    pub fn crossings(&self) -> Vec<Crossing> {
        let n = self.count;
        let mut all = vec![];
        for k in 0..n * n {
            for (along, next) in [(0, k + n), (1, k + 1)] {
                if next >= n * n || (along == 1 && next % n == 0) {
                    continue;
                }
                if let (Some(a), Some(b)) = (self.growing[k], self.growing[next])
                    && a.abs_diff(b) >= 2
                {
                    let ends = [self.place(k), self.place(next)];
                    all.push(Crossing { ends, along, pairs: a.abs_diff(b) / 2, growing: [a, b] });
                }
            }
        }
        all
    }

    /// Whether curves that are known pass between the two.
    pub fn is_explained(&self, crossing: &Crossing, curves: &[Curve]) -> bool {
        let [a, b] = crossing.ends;
        let (along, across) = (crossing.along, 1 - crossing.along);
        let passes = |w: &[super::follow::Row]| {
            let [p, q] = [w[0].parameters(), w[1].parameters()];
            let level = a[across];
            let straddles = (p[across] - level) * (q[across] - level) <= 0.0 && p[across] != q[across];
            let at = p[along] + (q[along] - p[along]) * (level - p[across]) / (q[across] - p[across]);
            straddles && at >= a[along] && at <= b[along]
        };
        let passing = curves.iter().flat_map(|c| c.points.windows(2)).filter(|w| passes(w)).count();
        passing >= crossing.pairs
    }

    /// A Hopf point between the two, on the line that joins them.
    pub fn start<'a>(&self, model_at: ModelAt<'a>, crossing: &Crossing) -> Option<(Sliding<'a>, Start)> {
        let [mut a, mut b] = crossing.ends;
        for _ in 0..HALVINGS {
            let middle = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
            let count = growing(&spectrum(model_at, &middle).ok()?);
            if count == crossing.growing[0] { a = middle } else { b = middle }
        }
        let middle = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
        let (mut family, found) = Sliding::new(model_at, &middle).ok()?;
        let fastest = found.values.iter().map(|v| v[0].hypot(v[1])).fold(0.0, f64::max);
        let mut pairs: Vec<[f64; 2]> = found.values.into_iter().filter(|v| v[1] > NO_FREQUENCY * fastest).collect();
        pairs.sort_by(|v, w| (v[0] / v[1]).abs().total_cmp(&(w[0] / w[1]).abs()));
        let omega = pairs.first()?[1];
        let mut curve = HopfCurve::new(&mut family, &middle, &[0, 1], &found.x, omega).ok()?;
        let n = found.x.len();
        let mut u = found.x;
        u.extend([middle[0], middle[1], omega.ln()]);
        let mut row = vec![0.0; curve.unknowns()];
        row[n + 1 - crossing.along] = 1.0;
        correct(&mut curve, &mut u, &row, None).ok()?;
        let at = u[n + crossing.along];
        let [low, high] = crossing.ends.map(|end| end[crossing.along]);
        (at >= low && at <= high).then_some((family, Start { u }))
    }

    /// Why there is no Hopf curve.
    pub fn nothing(&self, ranges: &[Range; 2], context: &Context) -> String {
        let known: Vec<usize> = self.growing.iter().flatten().copied().collect();
        let unstable = known.iter().filter(|n| **n > 0).count();
        let course = match unstable {
            0 => "stable or neutral at all".to_string(),
            n if n == known.len() => "unstable at all".to_string(),
            n => format!("unstable at {n}"),
        };
        let over: Vec<String> = ranges
            .iter()
            .map(|r| format!("{} = {:.4e} to {:.4e} {}", r.parameter, r.from, r.to, context.unit_of(&r.parameter)))
            .map(|text| text.trim_end().to_string())
            .collect();
        format!(
            "no pair of eigenvalues crosses the imaginary axis over {}: steady sliding is {course} of {} points looked at; \
             hint: wider ranges, or a law whose friction falls with the speed (kind = \"stability\" with `along` shows the \
             growth rate)",
            over.join(" and "),
            known.len()
        )
    }
}

fn spectrum(model_at: ModelAt, place: &[f64; 2]) -> Result<Vec<[f64; 2]>, String> {
    Sliding::new(model_at, place).map(|(_, found)| found.values).map_err(|e| e.message)
}
