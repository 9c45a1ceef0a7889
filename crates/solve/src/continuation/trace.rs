//! Predictor and corrector along a curve of solutions.
use crate::dense::Lu;

/// m equations in m + 1 unknowns.
pub trait Curve {
    /// Number of unknowns.
    fn unknowns(&self) -> usize;
    /// What vanishes on the curve, or why there is none.
    fn residual(&mut self, u: &[f64], r: &mut [f64]) -> Result<(), String>;
    /// Derivatives of that, one row of all unknowns an equation. They steer: the solution does not depend on them.
    fn slopes(&mut self, u: &[f64], rows: &mut [f64]) -> Result<(), String>;
    /// Weight of each unknown in the length of the curve.
    fn weights(&self, u: &[f64], out: &mut [f64]);
    /// Corrections that no longer fall are rounding below this.
    fn rounding(&self) -> f64 {
        ROUNDING
    }
    /// Called at every point from which it may go on.
    fn kept(&mut self, _u: &[f64]) {}
}

/// A point of a curve, and which way it goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The unknowns.
    pub u: Vec<f64>,
    /// Change of the unknowns per length.
    pub tangent: Vec<f64>,
}

/// Lengths of steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// First step.
    pub first: f64,
    /// Longest.
    pub most: f64,
    /// Below this the curve is lost.
    pub least: f64,
}

/// Why a curve does not go on.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// There are no equations there.
    Lost(String),
    /// Newton did not converge; the last correction.
    NotConverged(f64),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::Lost(text) => f.write_str(text),
            Trouble::NotConverged(last) => write!(f, "Newton's method does not converge (last correction {last:.1e})"),
        }
    }
}

/// Newton corrections for one point.
const MOST_ITERATIONS: usize = 14;
/// A correction this small, in the length of the curve, is the last: what it leaves is smaller still.
const CONVERGED: f64 = 1e-11;
/// The same of a point that is sought for itself.
const LOCATED: f64 = 1e-13;
/// Corrections that no longer fall are rounding below this, with exact slopes and with those of a point near by.
const ROUNDING: f64 = 1e-8;
const NEAR: f64 = 1e-11;
/// A correction that leaves more than this part of the last one asks for new slopes: they cost as much as ten corrections.
const STALE: f64 = 0.8;
/// Corrections that fall less than this do not converge, or are rounding.
const SLOW: f64 = 0.2;
/// A step may turn the tangent by at most so much, as 1 - cos of the angle.
const TURN: f64 = 0.02;
/// Growth of the step where all goes well, and where a step failed.
const LONGER: f64 = 1.6;
const SHORTER: f64 = 0.4;

/// A square system with unknowns in units of their weights and rows of one size.
#[derive(Clone, Debug)]
pub struct Scaled {
    lu: Lu,
    rows: Vec<f64>,
    columns: Vec<f64>,
}

impl Scaled {
    /// Of derivatives at a point, closed by one more row.
    fn new(curve: &mut dyn Curve, u: &[f64], row: &[f64]) -> Result<Scaled, Trouble> {
        let n = curve.unknowns();
        let mut matrix = vec![0.0; n * n];
        curve.slopes(u, &mut matrix[..(n - 1) * n]).map_err(Trouble::Lost)?;
        matrix[(n - 1) * n..].copy_from_slice(row);
        let mut columns = vec![0.0; n];
        curve.weights(u, &mut columns);
        let mut rows = vec![0.0; n];
        for (row, by) in matrix.chunks_exact_mut(n).zip(&mut rows) {
            row.iter_mut().zip(&columns).for_each(|(x, w)| *x /= w);
            let most = crate::largest(row.iter().copied());
            if !most.is_finite() || most == 0.0 {
                return Err(Trouble::NotConverged(f64::NAN));
            }
            *by = 1.0 / most;
            row.iter_mut().for_each(|x| *x *= *by);
        }
        let lu = Lu::new(n, &matrix).ok_or(Trouble::NotConverged(f64::NAN))?;
        Ok(Scaled { lu, rows, columns })
    }

    /// Solves in place; the solution is in weighted unknowns.
    fn solve(&self, b: &mut [f64]) {
        b.iter_mut().zip(&self.rows).for_each(|(b, r)| *b *= r);
        self.lu.solve(b);
    }
}

/// Newton's method for a point with row . (u - start) = 0, from `start`; returns the number of corrections and the rounding
/// they ended in.
///
/// Slopes of a point near by serve as long as corrections fall fast; what each correction says of them is added as Broyden
/// does (C. T. Kelley, Iterative Methods for Linear and Nonlinear Equations (1995), ch. 7).
pub fn correct(
    curve: &mut dyn Curve,
    u: &mut [f64],
    row: &[f64],
    near: Option<&Scaled>,
) -> Result<(usize, f64), Trouble> {
    let n = curve.unknowns();
    let wanted = if near.is_some() { CONVERGED } else { LOCATED };
    let start = u.to_vec();
    let mut own: Option<Scaled> = None;
    let mut r = vec![0.0; n];
    let mut last = f64::INFINITY;
    let mut steps: Vec<Vec<f64>> = vec![];
    // Whether the slopes are those of this point, and whether those of the last correction were.
    let (mut fresh, mut exact) = (false, false);
    for iteration in 1..=MOST_ITERATIONS {
        curve.residual(u, &mut r[..n - 1]).map_err(Trouble::Lost)?;
        r[n - 1] = row.iter().zip(u.iter().zip(&start)).map(|(row, (u, s))| row * (u - s)).sum();
        if own.is_none() && near.is_none() {
            own = Some(Scaled::new(curve, u, row)?);
            fresh = true;
        }
        let Some(system) = own.as_ref().or(near) else { return Err(Trouble::NotConverged(f64::NAN)) };
        system.solve(&mut r);
        broyden(&steps, &mut r);
        let size = r.iter().map(|x| x * x).sum::<f64>().sqrt();
        if !size.is_finite() {
            return Err(Trouble::NotConverged(size));
        }
        if size > SLOW * last && size < if exact { curve.rounding() } else { NEAR } {
            // As good as rounding allows: the last correction is not better than what it corrects.
            return Ok((iteration, size));
        }
        u.iter_mut().zip(&r).zip(&system.columns).for_each(|((u, r), w)| *u -= r / w);
        let rate = size / last;
        if size <= wanted || (iteration > 1 && rate < SLOW && size * rate.max(SLOW) <= wanted) {
            return Ok((iteration, 0.0));
        }
        if size > 1e3 {
            return Err(Trouble::NotConverged(size));
        }
        exact = std::mem::replace(&mut fresh, false);
        steps.push(r.iter().map(|r| -r).collect());
        if rate > STALE && iteration > 1 {
            steps.clear();
            own = Some(Scaled::new(curve, u, row)?);
            fresh = true;
        }
        last = size;
    }
    Err(Trouble::NotConverged(last))
}

/// Turns the correction of the first slopes into that of slopes which know the steps so far.
fn broyden(steps: &[Vec<f64>], r: &mut [f64]) {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let Some(last) = steps.last() else { return };
    for pair in steps.windows(2) {
        let by = dot(&pair[0], r) / dot(&pair[0], &pair[0]);
        r.iter_mut().zip(&pair[1]).for_each(|(r, s)| *r += by * s);
    }
    // With z = -r: s = z / (1 - last z / |last|^2).
    let by = 1.0 + dot(last, r) / dot(last, last);
    if by.is_finite() && by > 0.1 {
        r.iter_mut().for_each(|r| *r /= by);
    }
}

/// The tangent at a point of the curve, on the side of `before`, of length 1; and the slopes there.
pub fn tangent(curve: &mut dyn Curve, u: &[f64], before: &[f64]) -> Result<(Vec<f64>, Scaled), Trouble> {
    let n = curve.unknowns();
    let mut weights = vec![0.0; n];
    curve.weights(u, &mut weights);
    let row: Vec<f64> = before.iter().zip(&weights).map(|(t, w)| t * w * w).collect();
    let system = Scaled::new(curve, u, &row)?;
    let mut t = vec![0.0; n];
    t[n - 1] = 1.0;
    system.solve(&mut t);
    let length = t.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !(length.is_finite() && length > 0.0) {
        return Err(Trouble::NotConverged(length));
    }
    t.iter_mut().zip(&weights).for_each(|(t, w)| *t /= w * length);
    Ok((t, system))
}

/// Cosine of the angle between two directions.
fn cosine(a: &[f64], b: &[f64], weights: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).zip(weights).map(|((a, b), w)| a * b * w * w).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

/// Where a curve is being followed.
#[derive(Clone)]
pub struct Tracer {
    /// The last point.
    pub point: Point,
    /// The next step.
    pub step: f64,
    /// Newton corrections so far, and steps that were tried in vain.
    pub counts: [u64; 2],
    settings: Settings,
    system: Scaled,
    /// The tangent before, and the length of the step from there.
    before: Option<(Vec<f64>, f64)>,
}

impl Tracer {
    /// Starts at a point of the curve, along `toward`.
    pub fn new(curve: &mut dyn Curve, u: Vec<f64>, toward: &[f64], settings: Settings) -> Result<Tracer, Trouble> {
        curve.kept(&u);
        // `toward` may lie across the curve: what it gives is a direction, but no well-conditioned system.
        let (rough, _) = tangent(curve, &u, toward)?;
        let (t, system) = tangent(curve, &u, &rough)?;
        Ok(Tracer {
            point: Point { u, tangent: t },
            step: settings.first,
            counts: [0; 2],
            settings,
            system,
            before: None,
        })
    }

    /// Allows longer steps, or shorter ones alone.
    pub fn set_most(&mut self, most: f64) {
        self.settings.most = most;
        self.step = self.step.min(most);
    }

    /// The row that holds the length of a step.
    fn row(&self, curve: &dyn Curve) -> Vec<f64> {
        let mut weights = vec![0.0; curve.unknowns()];
        curve.weights(&self.point.u, &mut weights);
        self.point.tangent.iter().zip(&weights).map(|(t, w)| t * w * w).collect()
    }

    /// The point at some length from the last one.
    pub fn at(&self, curve: &mut dyn Curve, step: f64) -> Result<Vec<f64>, Trouble> {
        let row = self.row(curve);
        let mut u = self.predicted(step);
        correct(curve, &mut u, &row, Some(&self.system))?;
        Ok(u)
    }

    fn predicted(&self, step: f64) -> Vec<f64> {
        let Point { u, tangent } = &self.point;
        let bend = |i: usize| match &self.before {
            Some((t, length)) => 0.5 * step * step * (tangent[i] - t[i]) / length,
            None => 0.0,
        };
        (0..u.len()).map(|i| u[i] + step * tangent[i] + bend(i)).collect()
    }

    /// Where unknown `k` is `value`, near the last point: an end of a range.
    pub fn landed(&self, curve: &mut dyn Curve, k: usize, value: f64) -> Result<Vec<f64>, Trouble> {
        let ahead = (value - self.point.u[k]) / self.point.tangent[k];
        let mut u = self.predicted(if ahead.is_finite() { ahead } else { 0.0 });
        u[k] = value;
        let mut row = vec![0.0; u.len()];
        row[k] = 1.0;
        correct(curve, &mut u, &row, None)?;
        u[k] = value;
        Ok(u)
    }

    /// The slopes at a new point, after the callback has seen it: what it scales by that point is in them.
    fn looked(curve: &mut dyn Curve, u: &[f64], before: &[f64]) -> Result<(Vec<f64>, Scaled), Trouble> {
        curve.kept(u);
        tangent(curve, u, before)
    }

    /// Goes on by one step, shorter ones where that fails; `least` is where it gives up.
    pub fn advance(&mut self, curve: &mut dyn Curve) -> Result<(), Trouble> {
        let row = self.row(curve);
        let mut weights = vec![0.0; curve.unknowns()];
        loop {
            let mut u = self.predicted(self.step);
            let tried = correct(curve, &mut u, &row, Some(&self.system));
            self.counts[0] += tried.as_ref().map_or(MOST_ITERATIONS, |t| t.0) as u64;
            let trouble = match tried {
                Ok((iterations, _)) => match Self::looked(curve, &u, &self.point.tangent) {
                    Ok((t, system)) => {
                        curve.weights(&u, &mut weights);
                        let along = cosine(&t, &self.point.tangent, &weights);
                        let shortest = self.step <= 4.0 * self.settings.least;
                        if 1.0 - along <= TURN || shortest {
                            let old = std::mem::replace(&mut self.point, Point { u, tangent: t });
                            self.before = Some((old.tangent, self.step));
                            self.system = system;
                            let gentle = iterations <= 5 && 1.0 - along <= 0.3 * TURN;
                            self.step = match gentle {
                                true => (self.step * LONGER).min(self.settings.most),
                                false if iterations > 8 => self.step * 0.7,
                                false => self.step,
                            };
                            return Ok(());
                        }
                        Trouble::NotConverged(1.0 - along)
                    }
                    Err(e) => e,
                },
                Err(e) => e,
            };
            self.counts[1] += 1;
            self.step *= SHORTER;
            if self.step < self.settings.least {
                return Err(trouble);
            }
        }
    }
}
