//! Hopf points: on a branch, and as a curve in two parameters.
//!
//! A minimally augmented system: F(x, p) = 0 and g(J(x, p), omega) = 0, where g says how far J - i omega is from singular.
use super::branch::weights;
use super::{Complex, Curve, Family, Frame, around, jacobian_slope};
use crate::dense::Lu;

/// Change of ln omega that counts as much as the sizes of the unknowns.
const DECADE: f64 = 1.0;
/// Share of the frequency in the length of a curve.
const SHARE: f64 = 0.05;

/// Equilibria with a pair of eigenvalues +- i omega: unknowns x, then two free parameters, then ln omega.
///
/// With one free parameter the second is a number without meaning: a single point, found with that number held.
pub struct HopfCurve<'a, F: Family> {
    /// The equations.
    pub family: &'a mut F,
    p: Vec<f64>,
    /// Which parameters are free.
    free: Vec<usize>,
    frame: Frame,
    rates: Vec<f64>,
    /// The Jacobian in x at the last residual.
    pub jac: Vec<f64>,
    /// Where slopes were asked for last, with the null vectors there.
    last: Option<Sloped>,
}

/// Derivatives at a point, and the null vectors they refer to.
#[derive(Clone)]
struct Sloped {
    u: Vec<f64>,
    rows: Vec<f64>,
    jac: Vec<f64>,
    q: Complex,
    left: Complex,
}

/// A Hopf point with what its normal form needs.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Frequency, rad per time.
    pub omega: f64,
    /// Right eigenvector q of J q = i omega q.
    pub q: Complex,
    /// Left one with J^T p = -i omega p, and <p, q> = 1.
    pub p: Complex,
    /// Derivatives of the eigenvalue in each free parameter along the equilibria: real and imaginary parts.
    pub drift: Vec<[f64; 2]>,
}

impl<'a, F: Family> HopfCurve<'a, F> {
    /// Near an equilibrium with a pair near +- i omega.
    pub fn new(
        family: &'a mut F,
        p: &[f64],
        free: &[usize],
        x: &[f64],
        omega: f64,
    ) -> Result<HopfCurve<'a, F>, String> {
        let n = family.dim();
        let (mut rates, mut jac) = (vec![0.0; n], vec![0.0; n * n]);
        family.evaluate(x, p, &mut rates, &mut jac)?;
        let frame = Frame::of(n, &jac);
        let mut curve = HopfCurve { family, p: p.to_vec(), free: free.to_vec(), frame, rates, jac, last: None };
        for _ in 0..2 {
            curve.reframe(omega);
        }
        Ok(curve)
    }

    /// All parameters at a point.
    pub fn parameters(&self, u: &[f64]) -> Vec<f64> {
        let mut p = self.p.clone();
        self.free.iter().enumerate().for_each(|(i, k)| p[*k] = u[self.rates.len() + i]);
        p
    }

    fn place(&mut self, u: &[f64]) -> f64 {
        let n = self.rates.len();
        for (i, k) in self.free.iter().enumerate() {
            self.p[*k] = u[n + i];
        }
        u[n + 2].exp()
    }

    /// Scales and borders of the Jacobian at hand.
    fn reframe(&mut self, omega: f64) {
        let mut frame = Frame::of(self.rates.len(), &self.jac);
        for frame in [&mut self.frame, &mut frame] {
            if let Some(null) = frame.solve(&self.jac, omega) {
                frame.border(&null);
            }
        }
        if let Some(null) = frame.solve(&self.jac, omega) {
            frame.border(&null);
            self.frame = frame;
        }
    }

    /// Eigenvectors and the drift of the eigenvalue at a point of the curve.
    pub fn pair(&mut self, u: &[f64]) -> Result<Pair, String> {
        let n = self.rates.len();
        let m = n + 3;
        if self.last.as_ref().is_none_or(|last| last.u != u) {
            self.slopes(u, &mut vec![0.0; (m - 1) * m])?;
        }
        let Some(Sloped { rows, jac, q, left, .. }) = self.last.clone() else { return Err("no slopes".into()) };
        let omega = self.place(u);
        self.jac.copy_from_slice(&jac);
        let overlap = left.dot(&q);
        let size = overlap[0].hypot(overlap[1]);
        if size.is_nan() || size <= 1e-12 * left.length() * q.length() {
            return Err("two pairs of eigenvalues meet there".into());
        }
        // dg = -left^H (dJ - i d omega) q: an eigenvalue moves by left^H dJ q / left^H q = -dg / overlap.
        let lu = Lu::new(n, &self.jac).ok_or("steady sliding has a fold there")?;
        let mut drift = vec![];
        for j in 0..self.free.len() {
            let mut x: Vec<f64> = (0..n).map(|i| -rows[i * m + n + j]).collect();
            lu.solve(&mut x);
            let g = |row: usize| {
                let row = &rows[(n + row) * m..(n + row + 1) * m];
                row[n + j] + row.iter().zip(&x).map(|(g, x)| g * x).sum::<f64>()
            };
            let (re, im) = (-g(0), -g(1));
            let square = size * size;
            drift.push([(re * overlap[0] + im * overlap[1]) / square, (im * overlap[0] - re * overlap[1]) / square]);
        }
        // <p, q> = conj(p) q = 1 for p = left / conj(overlap).
        let p = left.times([overlap[0] / (size * size), overlap[1] / (size * size)]);
        Ok(Pair { omega, q, p, drift })
    }
}

impl<F: Family> Curve for HopfCurve<'_, F> {
    fn unknowns(&self) -> usize {
        self.rates.len() + 3
    }

    fn residual(&mut self, u: &[f64], r: &mut [f64]) -> Result<(), String> {
        let n = self.rates.len();
        let omega = self.place(u);
        self.family.evaluate(&u[..n], &self.p, &mut r[..n], &mut self.jac)?;
        let null = self.frame.solve(&self.jac, omega).ok_or("the bordered matrix is singular")?;
        r[n..n + 2].copy_from_slice(&null.g);
        Ok(())
    }

    fn slopes(&mut self, u: &[f64], rows: &mut [f64]) -> Result<(), String> {
        let n = self.rates.len();
        let m = self.unknowns();
        let omega = self.place(u);
        let p = self.p.clone();
        let x = &u[..n];
        rows.fill(0.0);
        let near: Vec<_> = self.free.iter().map(|k| around(self.family, x, &p, *k)).collect::<Result<_, _>>()?;
        self.family.evaluate(x, &p, &mut self.rates, &mut self.jac)?;
        let null = self.frame.solve(&self.jac, omega).ok_or("the bordered matrix is singular")?;
        let (q, left) = (self.frame.unscaled(&null), self.frame.left_unscaled(&null));
        let mut sizes = vec![0.0; n];
        self.family.sizes(x, &mut sizes);
        let by_re = jacobian_slope(self.family, x, &p, &q.re, &sizes)?;
        let by_im = jacobian_slope(self.family, x, &p, &q.im, &sizes)?;
        for (i, row) in rows[..n * m].chunks_exact_mut(m).enumerate() {
            row[..n].copy_from_slice(&self.jac[i * n..(i + 1) * n]);
            for (j, near) in near.iter().enumerate() {
                row[n + j] = (near.high.0[i] - near.low.0[i]) / near.width;
            }
        }
        let mut set = |column: usize, moved: &Complex| {
            let [re, im] = left.dot(moved);
            (rows[n * m + column], rows[(n + 1) * m + column]) = (-re, -im);
        };
        // J_x applied to q is symmetric: its columns are those of the slope of J along q.
        for column in 0..n {
            let entry = |slope: &[f64]| (0..n).map(|i| slope[i * n + column]).collect();
            set(column, &Complex { re: entry(&by_re), im: entry(&by_im) });
        }
        for (j, near) in near.iter().enumerate() {
            let apply = |q: &[f64]| -> Vec<f64> {
                let slope = |k: usize| (near.high.1[k] - near.low.1[k]) / near.width;
                (0..n).map(|i| (0..n).map(|k| slope(i * n + k) * q[k]).sum()).collect()
            };
            set(n + j, &Complex { re: apply(&q.re), im: apply(&q.im) });
        }
        // d(J - i omega)/d(ln omega) = -i omega.
        set(m - 1, &q.times([0.0, -omega]));
        self.last = Some(Sloped { u: u.to_vec(), rows: rows.to_vec(), jac: self.jac.clone(), q, left });
        Ok(())
    }

    fn weights(&self, u: &[f64], out: &mut [f64]) {
        let n = self.rates.len();
        weights(self.family, &u[..n], &mut out[..n]);
        out[n..].fill(1.0);
        out[n + 2] = SHARE / DECADE;
    }

    fn kept(&mut self, u: &[f64]) {
        let omega = self.place(u);
        self.reframe(omega);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::continuation::trace::{Settings, Tracer};
    use crate::continuation::{correct, fold};

    /// An oscillator whose growth is p1 - (p2 - 0.5)^2 + (x - x0)^2 and whose frequency is 1 + p2, beside a fast decay.
    pub struct Oscillator;

    impl Family for Oscillator {
        fn dim(&self) -> usize {
            3
        }
        fn evaluate(&mut self, x: &[f64], p: &[f64], f: &mut [f64], jac: &mut [f64]) -> Result<(), String> {
            let (a, w) = (p[0] - (p[1] - 0.5).powi(2) - 0.1, 1.0 + p[1]);
            let (y, z) = (x[0] - 0.3 * p[1], x[1]);
            let r = y * y + z * z;
            f.copy_from_slice(&[a * y - w * z - r * y, w * y + a * z - r * z, 1e6 * (y * z - x[2])]);
            jac.copy_from_slice(&[
                a - r - 2.0 * y * y,
                -w - 2.0 * y * z,
                0.0,
                w - 2.0 * y * z,
                a - r - 2.0 * z * z,
                0.0,
                1e6 * z,
                1e6 * y,
                -1e6,
            ]);
            Ok(())
        }
        fn sizes(&self, _: &[f64], out: &mut [f64]) {
            out.fill(1.0);
        }
    }

    /// The curve of Hopf points is the parabola where growth vanishes, and its drift the growth in each parameter.
    #[test]
    fn a_hopf_curve_is_where_growth_vanishes() {
        let mut family = Oscillator;
        let start = [0.29, 0.1, 0.0, 0.25, 0.9, 0.0f64];
        let mut curve = HopfCurve::new(&mut family, &[0.25, 0.9], &[0, 1], &[0.27, 0.0, 0.0], 1.9).unwrap();
        let mut u = vec![0.27, 0.0, 0.0, start[3], start[4], 1.9f64.ln()];
        correct(&mut curve, &mut u, &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0], None).unwrap();
        let settings = Settings { first: 1e-3, most: 1e-2, least: 1e-9 };
        let mut tracer = Tracer::new(&mut curve, u, &[0.0, 0.0, 0.0, 0.0, -1.0, 0.0], settings).unwrap();
        while tracer.point.u[4] > 0.1 {
            tracer.advance(&mut curve).unwrap();
            let u = tracer.point.u.clone();
            assert!((u[3] - (u[4] - 0.5).powi(2) - 0.1).abs() < 1e-11, "{u:?}");
            assert!((u[5].exp() - 1.0 - u[4]).abs() < 1e-11);
        }
        let u = tracer.point.u.clone();
        let pair = curve.pair(&u).unwrap();
        let exact = [[1.0, 0.0], [-2.0 * (u[4] - 0.5), 1.0]];
        for (drift, exact) in pair.drift.iter().flatten().zip(exact.iter().flatten()) {
            assert!((drift - exact).abs() < 1e-8, "{drift} {exact}");
        }
    }

    /// The fold of a cubic, from a point a tenth away.
    #[test]
    fn a_fold_is_located() {
        let mut family = crate::continuation::branch::tests::Cubic;
        let (u, _) = fold::locate(&mut family, &[0.4], 0, &[-0.6, -0.6]).unwrap();
        let exact = 1.0 / 3f64.sqrt();
        assert!((u[0] + exact).abs() < 1e-11 && ((u[2] - 0.5) * 5.0 - exact + exact.powi(3)).abs() < 1e-11, "{u:?}");
    }
}
