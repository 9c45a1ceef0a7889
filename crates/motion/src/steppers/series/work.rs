//! Integrals over a step: works, and means of what is reported.
use super::Linear;
use stickslip_dynamics::{AtSite, Dynamics, Integrals, LEAST_LOAD, coefficient};
use stickslip_laws::Mode;
use stickslip_real::lanes::{Vector, WideWork, widest};
use stickslip_solve::polynomial::{
    Coefficients, TERMS, derivative, integral, integral_of_product, slope, value, vanishes,
};
use stickslip_structures::Acts;

/// Parts of a step over which the mean of a quotient is gathered.
const PARTS: usize = 32;
/// Nodes and weights of Gauss' quadrature on (0, 1).
const GAUSS: [(f64, f64); 3] =
    [(0.112_701_665_379_258_3, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

impl Linear {
    /// The unknowns at an offset of the last expansion, which is the time `t`, their rates, and every contact point as it is in
    /// these modes; adds the integrals of coordinate and friction up to there.
    pub fn reach(
        &self,
        dynamics: &mut Dynamics,
        (t, s): (f64, f64),
        modes: &[Mode],
        (y, dy): (&mut [f64], &mut [f64]),
        sum: &mut Integrals,
    ) {
        widest(Reach { linear: self, n: dynamics.n, s, y, dy, sum, at: &mut dynamics.at });
        if self.pieces {
            // States of laws and what follows from them; the reactions of these modes are known to be there.
            let _ = dynamics.evaluate(t, y, modes, dy);
        } else {
            dynamics.complete(t, modes, y, dy);
        }
    }

    /// Adds the works over (0, s) of the last expansion.
    pub fn integrate_work(&self, dynamics: &Dynamics, s: f64, sum: &mut Integrals) {
        widest(Works { linear: self, dynamics, s, sum });
    }
}

struct Reach<'a> {
    linear: &'a Linear,
    n: usize,
    s: f64,
    y: &'a mut [f64],
    dy: &'a mut [f64],
    sum: &'a mut Integrals,
    at: &'a mut [AtSite],
}

impl WideWork for Reach<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Reach { linear, n, s, y, dy, sum, at } = self;
        linear.state(s, y);
        for (rate, velocity) in dy[n..2 * n].iter_mut().zip(&linear.y[n..2 * n]) {
            *rate = if vanishes(&velocity[2..]) { velocity[1] } else { slope(velocity, s) };
        }
        for (i, (f, load)) in linear.friction.iter().zip(&linear.loads).enumerate() {
            let at = &mut at[i];
            let constant = vanishes(&load[1..]);
            (at.n, at.n_rate) = if constant { (load[0], 0.0) } else { (value(load, s), slope(load, s)) };
            (at.load, at.hold, at.strength) = (at.n, linear.hold[i] * at.n, linear.strength[i] * at.n);
            at.f = [if vanishes(&f[2..]) { f[0] + s * f[1] } else { value(f, s) }, 0.0];
            sum.coefficient[i] += match constant {
                true => coefficient(integral(f, s), load[0], LEAST_LOAD),
                false => mean_of_quotient(f, load, s),
            };
        }
        if n > 0 {
            sum.coordinate += integral(&linear.y[0], s);
        }
    }
}

/// Integral of friction over load from 0 to `s`, where both vary.
///
/// A quotient of series has no sum of its own: Gauss' rule on parts of a step that is at most some two radians long leaves
/// less than 1e-10. Its nodes lie inside: at either end the load may be zero, and the quotient none.
fn mean_of_quotient(f: &Coefficients, load: &Coefficients, s: f64) -> f64 {
    let ratio = |x: f64| coefficient(value(f, x), value(load, x), LEAST_LOAD);
    let part = s / PARTS as f64;
    let gauss = |k: usize| GAUSS.iter().map(|(x, w)| w * ratio((k as f64 + x) * part)).sum::<f64>();
    part * (0..PARTS).map(gauss).sum::<f64>()
}

struct Works<'a> {
    linear: &'a Linear,
    dynamics: &'a Dynamics<'a>,
    s: f64,
    sum: &'a mut Integrals,
}

impl WideWork for Works<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Works { linear, dynamics, s, sum } = self;
        let n = dynamics.n;
        let structure = &dynamics.model.structure;
        let (mut base, mut force, mut surface) = ([0.0; TERMS], [0.0; TERMS], [0.0; TERMS]);
        linear.base.series(&linear.y, &linear.u, &mut base);
        for i in 0..n {
            if !linear.force[i].is_zero() {
                linear.force[i].series(&linear.y, &linear.u, &mut force);
                sum.work_in += product::<V>(&linear.y[n + i], &force, s);
            }
            for j in 0..n {
                let (k, c) = (structure.stiffness[i * n + j], structure.damping[i * n + j]);
                if c != 0.0 {
                    sum.damping += c * product::<V>(&derivative(&linear.y[i]), &derivative(&linear.y[j]), s);
                }
                if structure.base[i] != 0.0 {
                    let by_base = structure.orientation * structure.base[i];
                    sum.work_in -= by_base * k * product::<V>(&linear.y[j], &base, s);
                    if c != 0.0 {
                        sum.work_in -= by_base * c * product::<V>(&derivative(&linear.y[j]), &base, s);
                    }
                }
            }
        }
        for ((_, _, on), force) in dynamics.controls.outputs().zip(&linear.outputs) {
            if let Acts::Coordinate(i) = on {
                sum.work_in += structure.orientation * product::<V>(&linear.y[n + i], force, s);
            }
        }
        if !dynamics.controls.is_empty() {
            sum.clipped.resize(dynamics.controls.len(), 0.0);
            let clipped = sum.clipped.iter_mut().zip(dynamics.controls.clipped());
            clipped.filter(|(_, clipped)| *clipped).for_each(|(time, _)| *time += s);
        }
        for (k, feeding) in structure.circulatory.iter().enumerate().filter(|(_, feeding)| **feeding != 0.0) {
            sum.work_in -= feeding * product::<V>(&derivative(&linear.y[k / n]), &linear.y[k % n], s);
        }
        linear.surface.series(&linear.y, &linear.u, &mut surface);
        for (i, site) in dynamics.sites.iter().enumerate() {
            let f = &linear.friction[i];
            sum.friction += product::<V>(&linear.slips[i], f, s);
            if !linear.surface.is_zero() {
                sum.work_in += site.surface * product::<V>(f, &surface, s);
            }
            // The reaction of a rigid contact does no work: the gap stays.
            if let Some(row) = site.normal.as_ref().filter(|_| site.rigid.is_none()) {
                for j in (0..n).filter(|j| row[*j] != 0.0) {
                    sum.work_in += row[j] * product::<V>(&linear.y[n + j], &linear.loads[i], s);
                }
            }
        }
    }
}

/// Integral of a product from 0 to `s`, by the shortest way.
#[inline(always)]
fn product<V: Vector>(a: &Coefficients, b: &Coefficients, s: f64) -> f64 {
    if short(b) {
        integral_with_short(a, b, s)
    } else if short(a) {
        integral_with_short(b, a, s)
    } else {
        integral_of_product::<V>(a, b, s)
    }
}

/// Terms of a series that counts as short: a constant, a line, a parabola.
const SHORT: usize = 3;

#[inline(always)]
fn short(c: &Coefficients) -> bool {
    vanishes(&c[SHORT..])
}

/// Integral from 0 to `s` of a product with a short series: a few plain integrals.
#[inline(always)]
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
