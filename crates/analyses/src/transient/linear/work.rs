//! Integrals over a step: works, and means of what is reported.
use super::Linear;
use crate::dynamics::{Dynamics, Integrals};
use stickslip_solve::polynomial::{
    Coefficients, TERMS, derivative, integral, integral_of_product, integral_of_square, value,
};

/// Parts of a step over which the mean of a quotient is gathered.
const PARTS: usize = 32;

impl Linear {
    /// Adds the integrals of coordinate and friction over (0, s) of the last expansion.
    pub fn integrate_means(&self, dynamics: &Dynamics, s: f64, sum: &mut Integrals) {
        for i in 0..dynamics.sites.len() {
            let f = &self.friction[i];
            let load = &self.loads[i];
            sum.coefficient[i] += if load[1..].iter().all(|x| *x == 0.0) {
                if load[0] > 0.0 { integral(f, s) / load[0] } else { 0.0 }
            } else {
                // A quotient of series has no sum of its own: Simpson's rule on parts of a step that is at most some two
                // radians long leaves less than 1e-8.
                let ratio = |x: f64| {
                    let n = value(load, x);
                    if n > 0.0 { value(f, x) / n } else { 0.0 }
                };
                let part = s / PARTS as f64;
                let simpson = |k: usize| {
                    let x = k as f64 * part;
                    part / 6.0 * (ratio(x) + 4.0 * ratio(x + 0.5 * part) + ratio(x + part))
                };
                (0..PARTS).map(simpson).sum()
            };
        }
        if dynamics.n > 0 {
            sum.coordinate += integral(&self.y[0], s);
        }
    }

    /// Adds the works over (0, s) of the last expansion.
    pub fn integrate_work(&self, dynamics: &Dynamics, s: f64, sum: &mut Integrals) {
        let n = dynamics.n;
        let structure = &dynamics.model.structure;
        let product = |a: &Coefficients, b: &Coefficients| -> f64 {
            if short(b) {
                integral_with_short(a, b, s)
            } else if short(a) {
                integral_with_short(b, a, s)
            } else {
                integral_of_product(a, b, s)
            }
        };
        let base = self.base.series(&self.y, &self.u);
        for i in 0..n {
            let force = self.force[i].series(&self.y, &self.u);
            if force.iter().any(|x| *x != 0.0) {
                sum.work_in += product(&self.y[n + i], &force);
            }
            for j in 0..n {
                let (k, c) = (structure.stiffness[i * n + j], structure.damping[i * n + j]);
                if c != 0.0 && i == j {
                    sum.damping += c * integral_of_square(&derivative(&self.y[i]), s);
                } else if c != 0.0 {
                    sum.damping += c * product(&derivative(&self.y[i]), &derivative(&self.y[j]));
                }
                if structure.base[i] != 0.0 {
                    sum.work_in -= structure.orientation * structure.base[i] * k * product(&self.y[j], &base);
                    if c != 0.0 {
                        sum.work_in -=
                            structure.orientation * structure.base[i] * c * product(&derivative(&self.y[j]), &base);
                    }
                }
            }
        }
        let surface = self.surface.series(&self.y, &self.u);
        for (i, site) in dynamics.sites.iter().enumerate() {
            let f = &self.friction[i];
            sum.friction += product(&self.slips[i], f);
            if surface.iter().any(|x| *x != 0.0) {
                sum.work_in += site.surface * product(f, &surface);
            }
            // The reaction of a rigid contact does no work: the gap stays.
            if let Some(row) = site.normal.as_ref().filter(|_| site.rigid.is_none()) {
                let load = &self.loads[i];
                for j in 0..n {
                    if row[j] != 0.0 {
                        sum.work_in += row[j] * product(&self.y[n + j], load);
                    }
                }
            }
        }
    }
}

/// Terms of a series that counts as short: a constant, a line, a parabola.
const SHORT: usize = 3;

fn short(c: &Coefficients) -> bool {
    c[SHORT..].iter().all(|x| *x == 0.0)
}

/// Integral from 0 to `s` of a product with a short series: a few plain integrals.
fn integral_with_short(a: &Coefficients, short: &Coefficients, s: f64) -> f64 {
    if short[1] == 0.0 && short[2] == 0.0 {
        return if short[0] == 0.0 { 0.0 } else { short[0] * integral(a, s) };
    }
    let mut product = [0.0; TERMS];
    for (j, b) in short[..SHORT].iter().enumerate().filter(|(_, b)| **b != 0.0) {
        for k in 0..TERMS - j {
            product[k + j] += a[k] * b;
        }
    }
    // The last terms leave the list: they are summed on their own.
    let mut beyond = 0.0;
    for (j, b) in short[..SHORT].iter().enumerate().skip(1).filter(|(_, b)| **b != 0.0) {
        for k in TERMS - j..TERMS {
            beyond += a[k] * b * s.powi((k + j) as i32 + 1) / (k + j + 1) as f64;
        }
    }
    integral(&product, s) + beyond
}
