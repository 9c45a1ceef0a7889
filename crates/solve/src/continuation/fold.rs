//! Folds of a branch of equilibria: where the Jacobian is singular and the branch turns back.
use super::branch::weights;
use super::{Curve, Family, Frame, Trouble, around, correct, jacobian_slope};

/// F(x, p) = 0 and g(J(x, p)) = 0: the unknowns are x and p, and one that stays, so that this is a curve with one point.
struct Fold<'a> {
    family: &'a mut dyn Family,
    p: Vec<f64>,
    k: usize,
    frame: Frame,
    rates: Vec<f64>,
    jac: Vec<f64>,
}

/// The fold near a point of a branch along parameter `k`: (x, p) and its null vector.
pub fn locate(family: &mut dyn Family, p: &[f64], k: usize, x: &[f64]) -> Result<(Vec<f64>, Vec<f64>), Trouble> {
    let n = family.dim();
    let (mut rates, mut jac) = (vec![0.0; n], vec![0.0; n * n]);
    family.evaluate(x, p, &mut rates, &mut jac).map_err(Trouble::Lost)?;
    let frame = Frame::of(n, &jac).real();
    let mut fold = Fold { family, p: p.to_vec(), k, frame, rates, jac };
    for _ in 0..3 {
        if let Some(null) = fold.frame.solve(&fold.jac, 0.0) {
            fold.frame.border(&null);
        }
    }
    let mut u = x.to_vec();
    u.extend([p[k], 0.0]);
    let mut row = vec![0.0; n + 2];
    row[n + 1] = 1.0;
    correct(&mut fold, &mut u, &row, None)?;
    let null = fold.frame.solve(&fold.jac, 0.0).ok_or(Trouble::NotConverged(f64::NAN))?;
    let vector = fold.frame.unscaled(&null).re;
    u.truncate(n + 1);
    Ok((u, vector))
}

impl Curve for Fold<'_> {
    fn unknowns(&self) -> usize {
        self.rates.len() + 2
    }

    fn residual(&mut self, u: &[f64], r: &mut [f64]) -> Result<(), String> {
        let n = self.rates.len();
        self.p[self.k] = u[n];
        self.family.evaluate(&u[..n], &self.p, &mut r[..n], &mut self.jac)?;
        r[n] = self.frame.solve(&self.jac, 0.0).ok_or("the bordered matrix is singular")?.g[0];
        Ok(())
    }

    fn slopes(&mut self, u: &[f64], rows: &mut [f64]) -> Result<(), String> {
        let n = self.rates.len();
        let (m, x) = (n + 2, &u[..n]);
        self.p[self.k] = u[n];
        let near = around(self.family, x, &self.p, self.k)?;
        self.family.evaluate(x, &self.p, &mut self.rates, &mut self.jac)?;
        let null = self.frame.solve(&self.jac, 0.0).ok_or("the bordered matrix is singular")?;
        let (v, w) = (self.frame.unscaled(&null).re, self.frame.left_unscaled(&null).re);
        let mut sizes = vec![0.0; n];
        self.family.sizes(x, &mut sizes);
        let along = jacobian_slope(self.family, x, &self.p, &v, &sizes)?;
        rows.fill(0.0);
        for i in 0..n {
            rows[i * m..i * m + n].copy_from_slice(&self.jac[i * n..(i + 1) * n]);
            rows[i * m + n] = (near.high.0[i] - near.low.0[i]) / near.width;
        }
        for column in 0..n {
            rows[n * m + column] = -(0..n).map(|i| w[i] * along[i * n + column]).sum::<f64>();
        }
        let slope = |k: usize| (near.high.1[k] - near.low.1[k]) / near.width;
        let moved = |i: usize| (0..n).map(|k| slope(i * n + k) * v[k]).sum::<f64>();
        rows[n * m + n] = -(0..n).map(|i| w[i] * moved(i)).sum::<f64>();
        Ok(())
    }

    fn weights(&self, u: &[f64], out: &mut [f64]) {
        let n = self.rates.len();
        weights(self.family, &u[..n], &mut out[..n]);
        out[n..].fill(1.0);
    }
}
