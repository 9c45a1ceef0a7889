//! What the series of a step say of quantities inside it: their values, and where they turn.
use super::Linear;
use super::step::turns_once;
use crate::observers::extrema::Quantity;
use std::f64::consts::PI;
use stickslip_solve::polynomial::{Coefficients, TERMS, derivative, first_root, value, vanishes};

/// Part of a quantity that is rounding: what changes by less over a step is constant.
const ROUNDING: f64 = 8.0 * f64::EPSILON;
/// Turns of one quantity that are looked for in a step, which is at most some two radians long.
const MOST_TURNS: usize = 32;

impl Linear {
    /// Says where a quantity turns inside (0, h) of the last expansion, and its value there.
    pub fn turns(&self, quantity: Quantity, h: f64, note: impl FnMut(f64, f64)) {
        let (n, mut note) = (self.first_state / 2, note);
        match quantity {
            Quantity::Coordinate(j) => along(&self.y[j], h, note),
            // An oscillator under constant forces turns at most once in half a turn: its acceleration follows the same
            // equation without forces, whose solutions vanish half a turn apart, or once where it is overdamped.
            Quantity::Rate(0)
                if n == 1 && self.steady && !self.pieces && self.y.len() == 2 && h < PI * self.natural_time =>
            {
                if let Some(s) = turns_once(&self.y[1], h) {
                    note(s, value(&self.y[1], s));
                }
            }
            Quantity::Rate(j) => along(&self.y[n + j], h, note),
            Quantity::FrictionForce(p, 0) => along(&self.friction[p], h, note),
            Quantity::Load(p) => along(&self.loads[p], h, note),
            Quantity::Slip(p, 0) => along(&self.slips[p], h, note),
            Quantity::Friction(p) => of_quotient(&self.friction[p], &self.loads[p], h, note),
            Quantity::State(k) => along(&self.y[2 * n + k], h, note),
            Quantity::Control(k) => along(&self.outputs[k], h, note),
            // Modes are linear without compliance or a second direction.
            Quantity::FrictionForce(..) | Quantity::Slip(..) | Quantity::Approach(_) => {}
        }
    }
}

/// Turns of a series.
fn along(c: &Coefficients, h: f64, mut note: impl FnMut(f64, f64)) {
    if !is_constant(c, h) {
        roots(&derivative(c), h, |s| note(s, value(c, s)));
    }
}

/// Turns of a quotient: (f/n)' = 0 where f' n = f n'.
fn of_quotient(f: &Coefficients, n: &Coefficients, h: f64, mut note: impl FnMut(f64, f64)) {
    if vanishes(&n[1..]) {
        if n[0] > 0.0 {
            along(f, h, |s, x| note(s, x / n[0]));
        }
        return;
    }
    let (df, dn) = (derivative(f), derivative(n));
    let mut slope = [0.0; TERMS];
    let mut size = [0.0; TERMS];
    for i in 0..TERMS {
        for j in 0..TERMS - i {
            let (a, b) = (df[i] * n[j], f[i] * dn[j]);
            slope[i + j] += a - b;
            size[i + j] += a.abs() + b.abs();
        }
    }
    // Friction in slip goes with the load: what is left of the difference is rounding.
    slope.iter_mut().zip(&size).filter(|(x, size)| x.abs() <= ROUNDING * **size).for_each(|(x, _)| *x = 0.0);
    if !vanishes(&slope) {
        roots(&slope, h, |s| {
            let load = value(n, s);
            if load > 0.0 {
                note(s, value(f, s) / load);
            }
        });
    }
}

/// Whether a series is a line, or changes by no more than rounding over (0, h).
fn is_constant(c: &Coefficients, h: f64) -> bool {
    if vanishes(&c[2..]) {
        return true;
    }
    let mut sizes = c.map(f64::abs);
    sizes[0] = 0.0;
    value(&sizes, h) <= ROUNDING * c[0].abs()
}

/// All roots in (0, h), one after the other.
fn roots(c: &Coefficients, h: f64, mut note: impl FnMut(f64)) {
    let (mut c, mut from, mut known) = (*c, 0.0, 0);
    for _ in 0..MOST_TURNS {
        let Some(root) = first_root(&c, h - from, known).filter(|root| root.s > 0.0) else { return };
        if from + root.s >= h {
            return;
        }
        from += root.s;
        if root.crosses {
            note(from);
        }
        c = moved(&c, root.s);
        // The root is now at the start, but for rounding.
        (c[0], known) = (0.0, 1);
    }
}

/// The same polynomial counted from `s` on.
fn moved(c: &Coefficients, s: f64) -> Coefficients {
    let mut d = *c;
    for k in 0..TERMS {
        for i in (k..TERMS - 1).rev() {
            d[i] += s * d[i + 1];
        }
    }
    d
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(c: &Coefficients, h: f64) -> Vec<(f64, f64)> {
        let mut all = vec![];
        along(c, h, |s, x| all.push((s, x)));
        all
    }

    /// Coefficients of sin(w s + p).
    fn sine(w: f64, p: f64) -> Coefficients {
        let mut factor = 1.0;
        std::array::from_fn(|k| {
            let x = factor * (p + k as f64 * std::f64::consts::FRAC_PI_2).sin();
            factor *= w / (k + 1) as f64;
            x
        })
    }

    #[test]
    fn every_turn_of_a_wave_is_found() {
        let turns = found(&sine(2.0, 1.2), 2.0);
        assert_eq!(turns.len(), 2, "{turns:?}");
        for (k, (s, x)) in turns.iter().enumerate() {
            let place = (std::f64::consts::FRAC_PI_2 + k as f64 * std::f64::consts::PI - 1.2) / 2.0;
            assert!((s - place).abs() < 1e-8 && (x.abs() - 1.0).abs() < 1e-12, "{turns:?}");
        }
    }

    #[test]
    fn lines_and_rounding_do_not_turn() {
        let mut line = [0.0; TERMS];
        (line[0], line[1]) = (3.0, -2.0);
        assert!(found(&line, 10.0).is_empty());
        let mut noise = [1e-18; TERMS];
        (noise[0], noise[1]) = (1.0, -1e-18);
        assert!(found(&noise, 0.5).is_empty());
    }

    #[test]
    fn friction_in_slip_goes_with_the_load_and_does_not_turn() {
        let mut load = sine(1.0, 0.2);
        load[0] += 2.0;
        let mut all = vec![];
        of_quotient(&load.map(|x| 0.3 * x), &load, 2.0, |s, x| all.push((s, x)));
        assert!(all.is_empty(), "{all:?}");
        of_quotient(&sine(1.0, 0.0), &load, 3.0, |s, x| all.push((s, x)));
        assert_eq!(all.len(), 1, "{all:?}");
    }
}
