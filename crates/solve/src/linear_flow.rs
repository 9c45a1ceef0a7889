//! The exact flow of a linear system y' = A y + B u(t), as a power series summed to machine precision.
//!
//! The series serves where eigenvectors would not: it does not care about repeated or zero eigenvalues, it takes any
//! analytic input, and every linear function of the state is a polynomial whose first root can be certified.
use crate::polynomial::{Coefficients, RECIPROCAL, TERMS, value, vanishes};

/// A linear system with `n` states and `m` inputs; matrices row after row.
#[derive(Clone, Debug)]
pub struct LinearFlow {
    n: usize,
    m: usize,
    /// Empty for large systems.
    a: Vec<f64>,
    b: Vec<f64>,
    /// A^(k - 1)/k! for k = 1, 2, ..: one series for each entry. Under constant inputs they make the whole expansion. Empty
    /// for large systems, where they would cost more than they save.
    powers: Vec<Coefficients>,
    /// Entries of A that are not zero, row after row; for large systems, which are mostly empty.
    entries: Vec<Vec<(usize, f64)>>,
}

/// Systems with more states than this are large.
const LARGE: usize = 12;

impl LinearFlow {
    /// The system y' = A y + B u.
    pub fn new(n: usize, m: usize, a: Vec<f64>, b: Vec<f64>) -> Self {
        assert!(a.len() == n * n && b.len() == n * m);
        if n > LARGE {
            let row = |i: usize| (0..n).map(|j| (j, a[i * n + j])).filter(|(_, x)| *x != 0.0).collect();
            let entries = (0..n).map(row).collect();
            return LinearFlow { n, m, a: vec![], b, powers: vec![], entries };
        }
        let mut powers = vec![[0.0; TERMS]; n * n];
        for i in 0..n {
            powers[i * n + i][1] = 1.0;
        }
        for k in 1..TERMS - 1 {
            for i in 0..n {
                for j in 0..n {
                    let next: f64 = (0..n).map(|l| a[i * n + l] * powers[l * n + j][k]).sum();
                    powers[i * n + j][k + 1] = next * RECIPROCAL[k];
                }
            }
        }
        LinearFlow { n, m, a, b, powers, entries: vec![] }
    }

    /// Expands the solution from `y` with the inputs' own expansions; `out` holds one series a state.
    #[inline(always)]
    pub fn expand(&self, y: &[f64], inputs: &[Coefficients], out: &mut [Coefficients]) {
        self.expand_to(TERMS, y, inputs, out);
    }

    /// The first `terms` terms of [`LinearFlow::expand`]; the others are zero.
    #[inline(always)]
    pub fn expand_to(&self, terms: usize, y: &[f64], inputs: &[Coefficients], out: &mut [Coefficients]) {
        match self.n {
            2 => self.expand_sized::<2>(terms, y, inputs, out),
            4 => self.expand_sized::<4>(terms, y, inputs, out),
            _ => self.expand_sized::<0>(terms, y, inputs, out),
        }
    }

    /// A bound on what each of the first `terms` coefficients is the sum of: the same recursion on absolute values. What
    /// lies far below it is rounding.
    pub fn majorant(&self, terms: usize, y: &[f64], inputs: &[Coefficients], out: &mut [Coefficients]) {
        for (series, y) in out.iter_mut().zip(y) {
            series[0] = y.abs();
        }
        for k in 0..terms - 1 {
            for i in 0..self.n {
                let mut sum = match self.entries.get(i) {
                    Some(row) => row.iter().map(|(j, x)| x.abs() * out[*j][k]).sum(),
                    None => 0.0,
                };
                for (x, series) in self.a.iter().skip(i * self.n).zip(out.iter().take(self.n)) {
                    sum += x.abs() * series[k];
                }
                for (j, u) in inputs.iter().enumerate().take(self.m) {
                    sum += (self.b[i * self.m + j] * u[k]).abs();
                }
                out[i][k + 1] = sum * RECIPROCAL[k];
            }
        }
    }

    #[inline(always)]
    fn expand_sized<const N: usize>(&self, terms: usize, y: &[f64], inputs: &[Coefficients], out: &mut [Coefficients]) {
        let n = if N > 0 { N } else { self.n };
        let constant = |u: &Coefficients| vanishes(&u[1..]);
        if terms == TERMS && !self.powers.is_empty() && inputs.iter().take(self.m).all(constant) {
            return self.expand_constant::<N>(y, inputs, out);
        }
        let a = if self.entries.is_empty() { &self.a[..n * n] } else { &[] };
        let (y, out) = (&y[..n], &mut out[..n]);
        for series in out.iter_mut() {
            series.fill(0.0);
        }
        // What the inputs give goes in first; a constant one ends after its first term.
        for (j, u) in inputs.iter().enumerate().take(self.m) {
            let last = u.iter().rposition(|x| *x != 0.0).map_or(0, |k| k + 1).min(terms - 1);
            for (i, series) in out.iter_mut().enumerate() {
                let b = self.b[i * self.m + j];
                for k in 0..if b == 0.0 { 0 } else { last } {
                    series[k + 1] += b * u[k];
                }
            }
        }
        for i in 0..n {
            out[i][0] = y[i];
        }
        for k in 0..terms - 1 {
            let divisor = RECIPROCAL[k];
            for (i, row) in self.entries.iter().enumerate() {
                let sum: f64 = row.iter().map(|(j, x)| x * out[*j][k]).sum();
                out[i][k + 1] = (out[i][k + 1] + sum) * divisor;
            }
            for i in 0..if self.entries.is_empty() { n } else { 0 } {
                let mut sum = out[i][k + 1];
                for j in 0..n {
                    sum += a[i * n + j] * out[j][k];
                }
                out[i][k + 1] = sum * divisor;
            }
        }
    }
}

impl LinearFlow {
    /// Number of states.
    pub fn states(&self) -> usize {
        self.n
    }

    /// What is not zero in a row of A.
    fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let few = self.entries.get(i).map_or(&[][..], |row| row).iter().copied();
        let all = self.a.iter().skip(i * self.n).take(self.n).copied().enumerate();
        few.chain(all).filter(|(_, x)| *x != 0.0)
    }

    /// The rates A y + B u as series.
    pub fn rates(&self, y: &[Coefficients], inputs: &[Coefficients], out: &mut [Coefficients]) {
        for (i, out) in out.iter_mut().enumerate() {
            let b = &self.b[i * self.m..(i + 1) * self.m];
            out.fill(0.0);
            let given = b.iter().copied().zip(inputs).filter(|(factor, _)| *factor != 0.0);
            for (factor, series) in self.row(i).map(|(j, x)| (x, &y[j])).chain(given) {
                out.iter_mut().zip(series).for_each(|(out, x)| *out += factor * x);
            }
        }
    }

    /// Expands the solution of s' = A s + f from `s`, where `f` are series.
    pub fn expand_forced(&self, s: &[f64], f: &[Coefficients], out: &mut [Coefficients]) {
        out.iter_mut().zip(s).for_each(|(out, s)| out[0] = *s);
        for k in 0..TERMS - 1 {
            for i in 0..self.n {
                let own: f64 = self.row(i).map(|(j, a)| a * out[j][k]).sum();
                out[i][k + 1] = (own + f[i][k]) * RECIPROCAL[k];
            }
        }
    }

    /// The expansion under constant inputs: no term waits for the one before it.
    #[inline(always)]
    fn expand_constant<const N: usize>(&self, y: &[f64], inputs: &[Coefficients], out: &mut [Coefficients]) {
        let n = if N > 0 { N } else { self.n };
        let (mut few, mut many) = ([0.0; N], vec![]);
        if N == 0 {
            many.resize(n, 0.0);
        }
        let rates = if N > 0 { &mut few[..] } else { &mut many[..] };
        for j in 0..n {
            for l in 0..n {
                rates[j] += self.a[j * n + l] * y[l];
            }
            for (l, u) in inputs.iter().enumerate().take(self.m) {
                rates[j] += self.b[j * self.m + l] * u[0];
            }
        }
        for i in 0..n {
            // Summed apart from `out`, so that it stays in registers.
            let mut series = [0.0; TERMS];
            for j in 0..n {
                let power = &self.powers[i * n + j];
                for k in 0..TERMS {
                    series[k] += power[k] * rates[j];
                }
            }
            series[0] = y[i];
            out[i] = series;
        }
    }
}

/// The last terms may reach this part of the largest before the sum counts as cut off.
const REMAINDER: f64 = 1e-17;

/// Terms among which the largest is looked for, from the first that is there.
const EARLY: usize = 4;

/// The logarithm in units of 1/2^52 of an octave, too small by less than a tenth of an octave: the bits of a number.
#[inline(always)]
fn rough_log(x: f64) -> f64 {
    (x.to_bits() & !SIGN) as i64 as f64 - ONE as f64
}

/// A number whose logarithm is rough, a few percent too small and never too large.
#[inline(always)]
fn rough_exp(log: f64) -> f64 {
    let bits = (log as i64).saturating_add(ONE);
    if bits > 0 { 0.93 * f64::from_bits(bits as u64) } else { 0.0 }
}

const SIGN: u64 = 1 << 63;
const ONE: i64 = 1.0f64.to_bits() as i64;

/// The largest offset, at most `limit`, at which all series are summed to machine precision.
#[inline(always)]
pub fn radius(series: &[Coefficients], limit: f64) -> f64 {
    let mut log = f64::INFINITY;
    for c in series {
        // Two terms, so that an even or odd series does not hide its growth behind a zero.
        for k in [TERMS - 1, TERMS - 2] {
            if c[k] == 0.0 {
                continue;
            }
            // |c_k| h^k <= REMAINDER |c_j| h^j for some early j: the best of these bounds.
            let mut best = f64::NEG_INFINITY;
            let first = c.iter().position(|x| *x != 0.0).unwrap_or(0);
            for j in first..(first + EARLY).min(k) {
                if c[j] != 0.0 {
                    let ratio = rough_log(c[j]) - rough_log(c[k]) + rough_log(REMAINDER);
                    let bound = ratio * RECIPROCAL[k - j - 1];
                    if bound > best {
                        best = bound;
                    }
                }
            }
            log = log.min(best);
        }
    }
    if log < f64::INFINITY { rough_exp(log).min(limit) } else { limit }
}

/// Values of all series at an offset.
#[inline(always)]
pub fn at(series: &[Coefficients], s: f64, out: &mut [f64]) {
    for (x, c) in out.iter_mut().zip(series) {
        *x = value(c, s);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A damped oscillator over a thousand radians: the flow is exact to rounding, step after step.
    #[test]
    fn oscillator_keeps_machine_precision() {
        let (w, z) = (1.0f64, 0.01f64);
        let flow = LinearFlow::new(2, 0, vec![0.0, 1.0, -w * w, -2.0 * z * w], vec![]);
        let (mut y, mut t, end) = ([1.0, 0.0], 0.0, 1000.0);
        let mut out = [[0.0; TERMS]; 2];
        let mut steps = 0;
        while t < end {
            flow.expand(&y, &[], &mut out);
            let h = radius(&out, end - t);
            at(&out, h, &mut y);
            t += h;
            steps += 1;
        }
        let wd = w * (1.0 - z * z).sqrt();
        let exact = (-z * w * end).exp() * ((wd * end).cos() + z * w / wd * (wd * end).sin());
        assert!((y[0] - exact).abs() < 1e-13 * (-z * w * end).exp() * 1e3, "{} {exact}", y[0]);
        assert!(steps < 1000, "{steps} steps");
    }

    /// A remainder of the tolerated size, or up to a tenth less in its length.
    #[test]
    fn a_radius_is_close_and_not_too_large() {
        for k in [TERMS - 1, TERMS - 2] {
            for x in [1e-30, 3e-8, 0.3, 1.0, 7.7e9, 1e200] {
                let mut c = [0.0; TERMS];
                (c[0], c[k]) = (1.3, -x);
                let exact = f64::powf(REMAINDER * 1.3 / x, 1.0 / k as f64);
                let found = radius(&[c], f64::INFINITY);
                assert!(found <= exact && found > 0.85 * exact, "{x} {k}: {found} {exact}");
            }
        }
        assert_eq!(radius(&[[1.0; TERMS]], 1e-3), 1e-3);
    }

    /// A motion that begins with a high power of the time, as a chain of masses does at its far end.
    #[test]
    fn a_late_beginning_does_not_stop_the_series() {
        let mut c = [0.0; TERMS];
        (6..TERMS).for_each(|k| c[k] = 0.5f64.powi(k as i32));
        assert!(radius(&[c], 10.0) > 0.2);
    }

    #[test]
    fn a_terminating_series_has_no_limit() {
        let flow = LinearFlow::new(2, 0, vec![0.0, 1.0, 0.0, 0.0], vec![]);
        let mut out = [[0.0; TERMS]; 2];
        flow.expand(&[1.0, 2.0], &[], &mut out);
        assert_eq!(radius(&out, 1e9), 1e9);
        assert_eq!(value(&out[0], 1e9), 2e9 + 1.0);
    }
}
