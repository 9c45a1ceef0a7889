//! Extremes between the rows of a trace, on polynomials through what the rows know.
use crate::observers::trace::Trace;
use stickslip_dynamics::Dynamics;
use stickslip_laws::norm;
use stickslip_solve::root::Bracket;

/// Accelerations whose rounding, over a step, is below this part of the velocities are used.
const KNOWN: f64 = 1e-6;

/// A polynomial over a step, from 0 to 1: its coefficients, the constant first.
pub struct Polynomial([f64; 6]);

impl Polynomial {
    /// Through values and rates at both ends, in units of the step.
    pub fn cubic([x0, x1]: [f64; 2], [d0, d1]: [f64; 2]) -> Polynomial {
        let step = x1 - x0;
        Polynomial([x0, d0, 3.0 * step - 2.0 * d0 - d1, d0 + d1 - 2.0 * step, 0.0, 0.0])
    }

    /// Through values, rates and accelerations at both ends.
    pub fn quintic([x0, x1]: [f64; 2], [d0, d1]: [f64; 2], [a0, a1]: [f64; 2]) -> Polynomial {
        let step = x1 - x0;
        Polynomial([
            x0,
            d0,
            0.5 * a0,
            10.0 * step - 6.0 * d0 - 4.0 * d1 - 1.5 * a0 + 0.5 * a1,
            -15.0 * step + 8.0 * d0 + 7.0 * d1 + 1.5 * a0 - a1,
            6.0 * step - 3.0 * (d0 + d1) - 0.5 * (a0 - a1),
        ])
    }

    /// Its value.
    pub fn value(&self, s: f64) -> f64 {
        let [c0, c1, c2, c3, c4, c5] = self.0;
        c0 + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5))))
    }

    /// Its slope.
    pub fn slope(&self, s: f64) -> f64 {
        let [_, c1, c2, c3, c4, c5] = self.0;
        c1 + s * (2.0 * c2 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))
    }
}

/// Whether the accelerations of coordinate j at both ends of the step to row i are more than rounding.
///
/// Over a day of creep the balance of forces leaves some 1e-16 of them: times the length of the step, a speed.
fn accelerations_known(trace: &Trace, dynamics: &Dynamics, i: usize, j: usize) -> bool {
    let (n, s) = (dynamics.n, &dynamics.model.structure);
    // Those of a body are the scheme's own, and its full inverse mass costs more than the step.
    if s.body.is_some() {
        return true;
    }
    let at = |i: usize| -> f64 {
        let force = |k: usize| (0..n).map(|l| (s.stiffness[k * n + l] * trace.q(i, l)).abs()).sum::<f64>();
        // Most masses are their own.
        let coupled = (0..n).filter(|k| dynamics.inverse_mass[j * n + k] != 0.0);
        coupled.map(|k| dynamics.inverse_mass[j * n + k].abs() * force(k)).sum()
    };
    let rounding = 4.0 * f64::EPSILON * at(i).max(at(i - 1)) * trace.span(i);
    rounding <= KNOWN * trace.v(i - 1, j).abs().max(trace.v(i, j).abs())
}

/// The extreme of velocity j between rows i - 1 and i, and when: on the cubic through values and rates.
pub fn velocity_extreme(trace: &Trace, dynamics: &Dynamics, i: usize, j: usize) -> Option<(f64, f64)> {
    let h = trace.span(i);
    let (a0, a1) = (trace.dv(i - 1, j) * h, trace.dv(i, j) * h);
    if h <= 0.0 || a0 * a1 >= 0.0 || !accelerations_known(trace, dynamics, i, j) {
        return None;
    }
    let cubic = Polynomial::cubic([trace.v(i - 1, j), trace.v(i, j)], [a0, a1]);
    let [_, _, c2, c3, ..] = cubic.0;
    // a0 + 2 c2 s + 3 c3 s^2 = 0 has one root inside, its ends having opposite signs: the form without cancellation.
    let sum = -(c2 + (c2 * c2 - 3.0 * c3 * a0).max(0.0).sqrt().copysign(c2));
    let (first, second) = (a0 / sum, sum / (3.0 * c3));
    let s = if (0.0..=1.0).contains(&first) { first } else { second.clamp(0.0, 1.0) };
    Some((trace.t(i - 1) + s * h, cubic.value(s)))
}

/// Where coordinate j turns between rows i - 1 and i, its rates having opposite signs there: on the quintic through
/// values, rates and accelerations, or the cubic without the latter.
pub fn turning_point(trace: &Trace, dynamics: &Dynamics, i: usize, j: usize) -> (f64, f64) {
    let h = trace.span(i);
    if h <= 0.0 {
        return (trace.t(i), trace.q(i, j));
    }
    let (q, d) = ([trace.q(i - 1, j), trace.q(i, j)], [trace.dq(i - 1, j) * h, trace.dq(i, j) * h]);
    // The rows know the accelerations of the velocities: a driver's own would be missing in those of the coordinates.
    let complete = dynamics.base.is_constant() && accelerations_known(trace, dynamics, i, j);
    let square = dynamics.model.structure.orientation * h * h;
    let through = match complete {
        true => Polynomial::quintic(q, d, [trace.dv(i - 1, j) * square, trace.dv(i, j) * square]),
        false => Polynomial::cubic(q, d),
    };
    let s = turn(d[1], |s| through.slope(s));
    (trace.t(i - 1) + s * h, through.value(s))
}

/// What a straight line leaves out of the integral of coordinate j from row i - 1 to row i.
pub fn beyond_line(trace: &Trace, dynamics: &Dynamics, i: usize, j: usize) -> f64 {
    let h = trace.span(i);
    let rates = trace.dq(i - 1, j) - trace.dq(i, j);
    if !accelerations_known(trace, dynamics, i, j) {
        return h * h * rates / 12.0;
    }
    let bends = dynamics.model.structure.orientation * (trace.dv(i - 1, j) + trace.dv(i, j));
    h * h * (rates / 10.0 + h * bends / 120.0)
}

/// Parts of a step that are looked at for a slip speed that passes a limit and comes back.
const PARTS: usize = 8;
/// Speeds this many times above or below a limit at both ends stay there over a step.
const FAR: f64 = 10.0;

/// Finds the parts of the step to row i, from 0 to 1, in which the slip speed of a point is below a limit.
pub fn slow_parts(trace: &Trace, dynamics: &Dynamics, i: usize, point: usize, limit: f64, parts: &mut Vec<(f64, f64)>) {
    parts.clear();
    let plane = dynamics.sites[point].tangent.len() > 1;
    let slip = |row: usize| if plane { trace.speed(row, point) } else { trace.slip(row, point) };
    let (v0, v1) = (slip(i - 1), slip(i));
    let (least, most) = (v0.abs().min(v1.abs()), v0.abs().max(v1.abs()));
    if most * FAR < limit {
        return parts.push((0.0, 1.0));
    }
    if v0 * v1 > 0.0 && least > FAR * limit {
        return;
    }
    let speed = slip_speed(trace, dynamics, i, point);
    let spare = |s: f64| limit - speed(s);
    for k in 0..PARTS {
        let (a, b) = (k as f64 / PARTS as f64, (k + 1) as f64 / PARTS as f64);
        let root = || a + (b - a) * turn(spare(b), |s| spare(a + s * (b - a)));
        let part = match (spare(a) > 0.0, spare(b) > 0.0) {
            (true, true) => (a, b),
            (true, false) => (a, root()),
            (false, true) => (root(), b),
            (false, false) => continue,
        };
        match parts.last_mut() {
            Some(last) if last.1 >= part.0 => last.1 = part.1,
            _ => parts.push(part),
        }
    }
}

/// The slip speed of a point over the step to row i, from 0 to 1: on the quartic with the velocities, the accelerations and
/// the slip of that step; where these are not all known, exponential. In two directions the velocity is taken as linear.
fn slip_speed(trace: &Trace, dynamics: &Dynamics, i: usize, point: usize) -> Box<dyn Fn(f64) -> f64> {
    let (v0, v1, h) = (trace.slip(i - 1, point), trace.slip(i, point), trace.span(i));
    if dynamics.sites[point].tangent.len() > 1 {
        let (a, b) = (trace.slips(i - 1, point), trace.slips(i, point));
        return Box::new(move |s| norm(&[0, 1].map(|d| (1.0 - s) * a[d] + s * b[d])));
    }
    let (site, s) = (&dynamics.sites[point], &dynamics.model.structure);
    let steady = dynamics.base.is_constant() && dynamics.surface[0].is_constant();
    if steady && h > 0.0 && (0..dynamics.n).all(|j| accelerations_known(trace, dynamics, i, j)) {
        let rate = |row: usize| h * (0..dynamics.n).map(|j| site.tangent[0][j] * trace.dv(row, j)).sum::<f64>();
        let base = dynamics.base_velocity(0.0);
        // q' = orientation (v - base): the mean of v over the step is known from the coordinates.
        let mean = |j: usize| s.orientation * (trace.q(i, j) - trace.q(i - 1, j)) / h + s.base[j] * base;
        let slip = (0..dynamics.n).map(|j| site.tangent[0][j] * mean(j)).sum::<f64>();
        let mean = slip + site.surface * dynamics.surface_velocity(0.0);
        let cubic = Polynomial::cubic([v0, v1], [rate(i - 1), rate(i)]);
        let [_, d0, c2, c3, ..] = cubic.0;
        // The cubic, and what s^2 (1 - s)^2, whose mean is 1/30, must add to its mean.
        let more = 30.0 * (mean - (v0 + d0 / 2.0 + c2 / 3.0 + c3 / 4.0));
        return Box::new(move |s| {
            let bump = s * (1.0 - s);
            (cubic.value(s) + more * bump * bump).abs()
        });
    }
    if v0 * v1 > 0.0 {
        return Box::new(move |s| v0.abs() * (v1 / v0).powf(s));
    }
    Box::new(move |s| ((1.0 - s) * v0 + s * v1).abs())
}

/// Where a slope that ends with the value `end` on (0, 1), and starts with the other sign, vanishes; 0 where it does not.
fn turn(end: f64, slope: impl Fn(f64) -> f64) -> f64 {
    let start = slope(0.0);
    if start * end >= 0.0 {
        return 0.0;
    }
    let mut bracket = Bracket::new((0.0, start), (1.0, end));
    while let Some(s) = bracket.next(f64::EPSILON) {
        bracket.narrow(s, slope(s));
    }
    bracket.best().0
}

#[cfg(test)]
mod tests {
    use super::turn;

    #[test]
    fn a_turn_is_found_to_rounding() {
        for place in [1e-9, 0.1, 0.5, 0.987] {
            for power in [1, 3, 9] {
                let slope = |s: f64| (s - place) * (1.0 + s.powi(power)) + (s - place).powi(power);
                let found = turn(slope(1.0), slope);
                assert!((found - place).abs() < 1e-14, "{found} {place} {power}");
            }
        }
        // Flat about the root: as near as the values can tell.
        let found = turn(0.25f64.powi(5), |s| (s - 0.75).powi(5));
        assert!((found - 0.75).abs() < 1e-3, "{found}");
    }
}
