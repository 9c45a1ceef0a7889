//! Folds of cycles in two parameters.
use super::family::Cycles;
use super::orbit::Cycle;
use crate::sliding::{EDGE, stopped};
use stickslip_data::{Outcome, Status};
use stickslip_model::Context;
use stickslip_solve::continuation::trace::Tracer;
use stickslip_solve::continuation::{Curve, Settings, correct};

/// Difference by which the determinant is compared, against the size of each unknown.
const DIFFERENCE: f64 = 1e-5;
/// First and shortest step, as parts of the longest.
const FIRST: f64 = 0.3;
const LEAST: f64 = 1e-5;
/// Most points, for every step of the range.
const MOST: usize = 20;

/// Cycles with a multiplier 1 besides the trivial one: their unknowns, then the places of both parameters.
struct Folds<'c, 'a> {
    cycles: &'c mut Cycles<'a>,
}

impl Folds<'_, '_> {
    /// det(I - P'): zero where the branch turns back.
    fn determinant(&mut self, u: &[f64]) -> Result<f64, String> {
        let k = self.cycles.dim();
        let mut matrix = self.cycles.map(u)?;
        matrix.iter_mut().enumerate().for_each(|(e, x)| *x = f64::from(u8::from(e / k == e % k)) - *x);
        Ok(determinant(k, matrix))
    }
}

fn determinant(n: usize, mut a: Vec<f64>) -> f64 {
    let mut product = 1.0;
    for j in 0..n {
        let pivot = (j..n).max_by(|x, y| a[x * n + j].abs().total_cmp(&a[y * n + j].abs())).unwrap_or(j);
        if pivot != j {
            (0..n).for_each(|c| a.swap(pivot * n + c, j * n + c));
            product = -product;
        }
        let d = a[j * n + j];
        product *= d;
        if d == 0.0 {
            return 0.0;
        }
        for i in j + 1..n {
            let by = a[i * n + j] / d;
            (j..n).for_each(|c| a[i * n + c] -= by * a[j * n + c]);
        }
    }
    product
}

impl Curve for Folds<'_, '_> {
    fn unknowns(&self) -> usize {
        self.cycles.dim() + 2
    }

    fn residual(&mut self, u: &[f64], r: &mut [f64]) -> Result<(), String> {
        let k = self.cycles.dim();
        self.cycles.residual(u, &mut r[..k])?;
        r[k] = self.determinant(u)?;
        Ok(())
    }

    fn slopes(&mut self, u: &[f64], rows: &mut [f64]) -> Result<(), String> {
        let (k, n) = (self.cycles.dim(), self.unknowns());
        self.cycles.slopes(u, &mut rows[..k * n])?;
        let mut weights = vec![1.0; n];
        self.cycles.weights(u, &mut weights);
        for j in 0..n {
            let h = DIFFERENCE / weights[j];
            let mut at = |by: f64| {
                let mut moved = u.to_vec();
                moved[j] += by;
                self.determinant(&moved)
            };
            rows[k * n + j] = (at(h)? - at(-h)?) / (2.0 * h);
        }
        Ok(())
    }

    fn weights(&self, u: &[f64], out: &mut [f64]) {
        self.cycles.weights(u, out);
    }

    fn kept(&mut self, u: &[f64]) {
        self.cycles.kept(u);
    }
}

/// Follows a fold in the second parameter to the ends of the ranges: places of both, and the cycle there.
pub fn follow(
    cycles: &mut Cycles,
    u: Vec<f64>,
    points: usize,
    context: &Context,
    out: &mut Outcome,
) -> Vec<([f64; 2], Cycle)> {
    let n = cycles.dim() + 2;
    let mut all: Vec<([f64; 2], Cycle)> = vec![];
    let start = u;
    for way in [-1.0, 1.0] {
        let edge = if way < 0.0 { 0.0 } else { 1.0 };
        let mut u = start.clone();
        if (u[n - 1] - edge).abs() <= EDGE && !all.is_empty() {
            continue;
        }
        let row: Vec<f64> = (0..n).map(|i| if i == n - 1 { way } else { 0.0 }).collect();
        let mut folds = Folds { cycles: &mut *cycles };
        let most = 1.0 / points as f64;
        let settings = Settings { first: FIRST * most, most, least: LEAST * most };
        let first =
            correct(&mut folds, &mut u, &row, None).and_then(|_| Tracer::new(&mut folds, u.clone(), &row, settings));
        let mut tracer = match first {
            Ok(tracer) => tracer,
            Err(e) => {
                out.worsen(Status::Partial, format!("no fold curve goes on from a fold: {e}"));
                return all;
            }
        };
        let mut half = vec![];
        let mut take = |folds: &mut Folds, u: &[f64]| {
            let cycle = folds.cycles.cycle(u)?;
            half.push(([u[n - 2], u[n - 1]], cycle));
            Ok::<usize, String>(half.len())
        };
        if all.is_empty() {
            let _ = take(&mut folds, &u);
        }
        if (u[n - 1] - edge).abs() > EDGE {
            loop {
                if stopped(context, out) {
                    break;
                }
                let before = tracer.clone();
                if let Err(e) = tracer.advance(&mut folds) {
                    let at = before.point.u[n - 1];
                    out.health.warnings.push(format!("a fold curve was lost at {at:.4} of the second range: {e}"));
                    break;
                }
                out.health.steps += 1;
                let u = tracer.point.u.clone();
                context.report(u[n - 1].clamp(0.0, 1.0));
                let crossed = [n - 2, n - 1].into_iter().find(|i| !(-EDGE..=1.0 + EDGE).contains(&u[*i]));
                let done = match crossed {
                    None => take(&mut folds, &u),
                    Some(i) => match before.landed(&mut folds, i, if u[i] < 0.0 { 0.0 } else { 1.0 }) {
                        Ok(u) => take(&mut folds, &u),
                        Err(e) => Err(e.to_string()),
                    },
                };
                if let Err(e) = &done {
                    out.health.warnings.push(format!("a point of a fold curve was left out: {e}"));
                }
                if crossed.is_some() || done.is_ok_and(|count| count > MOST * points) {
                    break;
                }
            }
        }
        if way < 0.0 {
            half.reverse();
        }
        all.extend(half);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::determinant;

    #[test]
    fn determinants_of_small_matrices() {
        assert_eq!(determinant(2, vec![0.0, 2.0, 3.0, 4.0]), -6.0);
        assert!((determinant(3, vec![2.0, 1.0, 0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 4.0]) - 18.0).abs() < 1e-14);
        assert_eq!(determinant(2, vec![1.0, 2.0, 2.0, 4.0]), 0.0);
    }
}
