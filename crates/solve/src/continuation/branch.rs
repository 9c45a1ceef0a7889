//! Equilibria along one parameter.
use super::{Curve, Family, around};

/// Sizes of unknowns count this much against the range of the parameter.
const SHARE: f64 = 0.02;

/// Weights of unknowns of these sizes in the length of a curve.
pub(super) fn weights(family: &dyn Family, x: &[f64], out: &mut [f64]) {
    family.sizes(x, out);
    out.iter_mut().for_each(|w| *w = SHARE / *w);
}

/// The curve F(x, p) = 0 in the unknowns (x, p); all other parameters of the family stay.
pub struct Branch<'a, F: Family> {
    /// The equations.
    pub family: &'a mut F,
    /// The parameters; the one that varies is written over.
    p: Vec<f64>,
    /// Which one varies.
    k: usize,
    rates: Vec<f64>,
    /// The Jacobian in x at the last residual.
    pub jac: Vec<f64>,
}

impl<'a, F: Family> Branch<'a, F> {
    /// Along parameter `k` from these parameters.
    pub fn new(family: &'a mut F, p: &[f64], k: usize) -> Branch<'a, F> {
        let n = family.dim();
        Branch { family, p: p.to_vec(), k, rates: vec![0.0; n], jac: vec![0.0; n * n] }
    }

    /// The parameters at a point.
    pub fn parameters(&self, u: &[f64]) -> Vec<f64> {
        let mut p = self.p.clone();
        p[self.k] = u[u.len() - 1];
        p
    }
}

impl<F: Family> Curve for Branch<'_, F> {
    fn unknowns(&self) -> usize {
        self.rates.len() + 1
    }

    fn residual(&mut self, u: &[f64], r: &mut [f64]) -> Result<(), String> {
        let n = self.rates.len();
        self.p[self.k] = u[n];
        self.family.evaluate(&u[..n], &self.p, r, &mut self.jac)
    }

    fn slopes(&mut self, u: &[f64], rows: &mut [f64]) -> Result<(), String> {
        let n = self.rates.len();
        self.p[self.k] = u[n];
        let near = around(self.family, &u[..n], &self.p, self.k)?;
        self.family.evaluate(&u[..n], &self.p, &mut self.rates, &mut self.jac)?;
        for (i, row) in rows.chunks_exact_mut(n + 1).enumerate() {
            row[..n].copy_from_slice(&self.jac[i * n..(i + 1) * n]);
            row[n] = (near.high.0[i] - near.low.0[i]) / near.width;
        }
        Ok(())
    }

    fn weights(&self, u: &[f64], out: &mut [f64]) {
        let n = self.rates.len();
        weights(self.family, &u[..n], &mut out[..n]);
        out[n] = 1.0;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::continuation::trace::{Settings, Tracer};

    /// x' = f(x, p), y' = -y + x, on p = 0.5 + 0.2 (what stands in the law).
    pub struct Cubic;

    impl Family for Cubic {
        fn dim(&self) -> usize {
            2
        }
        fn evaluate(&mut self, x: &[f64], p: &[f64], f: &mut [f64], jac: &mut [f64]) -> Result<(), String> {
            let q = (p[0] - 0.5) * 5.0;
            f.copy_from_slice(&[q + x[0] - x[0].powi(3), x[0] - x[1]]);
            jac.copy_from_slice(&[1.0 - 3.0 * x[0] * x[0], 0.0, 1.0, -1.0]);
            Ok(())
        }
        fn sizes(&self, _: &[f64], out: &mut [f64]) {
            out.fill(1.0);
        }
    }

    /// The S of a cubic is followed through both folds, every point on it.
    #[test]
    fn a_branch_goes_through_folds() {
        let mut family = Cubic;
        let mut branch = Branch::new(&mut family, &[0.0], 0);
        let settings = Settings { first: 1e-3, most: 5e-3, least: 1e-9 };
        let mut u = vec![-1.68, -1.68, 0.0];
        crate::continuation::correct(&mut branch, &mut u, &[0.0, 0.0, 1.0], None).unwrap();
        let mut tracer = Tracer::new(&mut branch, u, &[0.0, 0.0, 1.0], settings).unwrap();
        let (mut turns, mut last) = (0, 1.0);
        while tracer.point.u[2] <= 1.0 {
            tracer.advance(&mut branch).unwrap();
            let u = &tracer.point.u;
            assert!(((u[2] - 0.5) * 5.0 + u[0] - u[0].powi(3)).abs() < 1e-10);
            let sign = tracer.point.tangent[2].signum();
            turns += usize::from(sign != last);
            last = sign;
        }
        assert_eq!(turns, 2);
        assert!(tracer.point.u[0] > 1.6);
    }
}
