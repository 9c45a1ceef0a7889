//! Steps of a program that follow a force.
use super::Path;
use stickslip_laws::Mode;
use stickslip_structures::Signal;

/// Stretches into which a step is cut at least.
const STRETCHES: usize = 50;
/// A law that depends on the rate follows the force to this part of its largest value between the ends of stretches.
const FOLLOWED: f64 = 1e-6;
/// At their ends it is met to this part.
const MET: f64 = 1e-13;
/// Halvings of a stretch.
const MOST_HALVINGS: usize = 30;
/// Trials of a velocity.
const MOST_TRIALS: usize = 200;
/// First travel tried, m, and the longest.
const SHORTEST: f64 = 1e-12;
const LONGEST: f64 = 1e3;
/// Column of the friction force.
const FORCE: usize = 4;

/// A path before a trial.
struct Before {
    clock: crate::transient::Clock,
    z: Vec<f64>,
    travel: [f64; 2],
    integrals: crate::dynamics::Integrals,
    modes: Vec<Mode>,
    rows: usize,
}

impl Path<'_> {
    /// Follows a force, a function of the step's own time.
    ///
    /// Over each stretch of time the velocity is constant, such that the force is met at its end. Stretches end where the
    /// force turns. For a law whose loops do not depend on the pace that is all; for others stretches are halved until
    /// the force is met in their middle too.
    pub(super) fn follow_force(&mut self, force: &Signal, duration: f64) -> Result<(), String> {
        let start = self.clock.now();
        let ends = ends(force, duration);
        let scale = ends.iter().map(|t| force.value(*t).abs()).fold(0.0, f64::max);
        let begun = (self.rows.len(), self.integrals.friction, self.rows[self.rows.len() - 1][FORCE]);
        self.slides.push(begun.0);
        let paced = self.dynamics.model.contacts[0].friction.claims().rate_independent;
        let mut guess = SHORTEST;
        let mut waiting: Vec<(f64, usize)> = ends.into_iter().rev().map(|t| (t, 0)).collect();
        let mut from = 0.0;
        while let Some((to, depth)) = waiting.pop() {
            let (middle, before) = (0.5 * (from + to), self.before());
            let travel = self.reach_force(start, to, force.value(to), scale, guess)?;
            let error = |path: &Self| {
                let row = path.rows[before.rows..].iter().rev().find(|r| r[0] <= start + middle);
                row.map_or(0.0, |r| (r[FORCE] - force.value(r[0] - start)).abs())
            };
            if !paced && depth < MOST_HALVINGS && error(self) > FOLLOWED * scale {
                self.restore(&before);
                guess = (0.5 * travel).abs();
                waiting.extend([(to, depth + 1), (middle, depth + 1)]);
                continue;
            }
            self.last_speed = travel.abs() / (to - from);
            guess = if travel == 0.0 { guess } else { travel.abs() };
            from = to;
        }
        let back = (self.rows[self.rows.len() - 1][FORCE] - begun.2).abs() <= FOLLOWED * scale;
        if back {
            self.loop_area = Some(self.integrals.friction - begun.1);
        }
        Ok(())
    }

    /// Moves until the step's time `to` at the constant velocity at whose end the force is `target`; the travel.
    fn reach_force(&mut self, start: f64, to: f64, target: f64, scale: f64, guess: f64) -> Result<f64, String> {
        let before = self.before();
        let length = start + to - before.clock.now();
        let attempt = |path: &mut Self, travel: f64| -> Result<f64, String> {
            path.restore(&before);
            path.travel_for(vec![Signal::Constant(travel / length)], 0.0, length)?;
            path.clock.arrive(start + to);
            Ok(path.rows[path.rows.len() - 1][FORCE] - target)
        };
        let near = |g: f64| g.abs() <= MET * scale;
        let (mut a, mut ga) = (0.0, attempt(self, 0.0)?);
        if near(ga) {
            return Ok(0.0);
        }
        let sign = if ga > 0.0 { -1.0 } else { 1.0 };
        let (mut b, mut gb) = (sign * guess, attempt(self, sign * guess)?);
        while gb * ga > 0.0 && !near(gb) {
            (a, ga) = (b, gb);
            b *= 2.0;
            if b.abs() > LONGEST {
                return Err(format!(
                    "the force {target:.6e} is not reached at t = {:.6e} s: the law slides",
                    start + to
                ));
            }
            gb = attempt(self, b)?;
        }
        for trial in 0..MOST_TRIALS {
            if near(gb) || (b - a).abs() <= f64::EPSILON * b.abs() {
                break;
            }
            let secant = b - gb * (b - a) / (gb - ga);
            let inside = (secant - a) * (secant - b) < 0.0;
            let middle = if inside && trial % 4 != 3 { secant } else { 0.5 * (a + b) };
            if middle == a || middle == b {
                break;
            }
            let g = attempt(self, middle)?;
            if g * gb < 0.0 {
                (a, ga) = (b, gb)
            } else {
                ga *= 0.5
            }
            (b, gb) = (middle, g);
        }
        Ok(b)
    }

    fn before(&self) -> Before {
        Before {
            clock: self.clock,
            z: self.z.clone(),
            travel: self.travel,
            integrals: self.integrals.clone(),
            modes: self.modes.clone(),
            rows: self.rows.len(),
        }
    }

    fn restore(&mut self, before: &Before) {
        self.clock = before.clock;
        self.z.clone_from(&before.z);
        self.travel = before.travel;
        self.integrals.clone_from(&before.integrals);
        self.modes.clone_from(&before.modes);
        self.rows.truncate(before.rows);
        self.slopes.truncate(before.rows);
    }
}

/// Times at which stretches end: evenly spaced, and where the force turns or has a kink.
fn ends(force: &Signal, duration: f64) -> Vec<f64> {
    let mut ends: Vec<f64> = (1..=STRETCHES).map(|i| duration * i as f64 / STRETCHES as f64).collect();
    let mut knot = force.next_knot(0.0);
    while knot < duration {
        ends.push(knot);
        knot = force.next_knot(knot);
    }
    ends.sort_by(f64::total_cmp);
    let mut from = 0.0;
    for to in ends.clone() {
        let (mut a, mut b) = (from, to);
        let (first, last) = (force.rate(a), force.rate(b));
        from = to;
        if first * last >= 0.0 {
            continue;
        }
        while b - a > f64::EPSILON * b {
            let middle = 0.5 * (a + b);
            if middle <= a || middle >= b {
                break;
            }
            if force.rate(middle) * first > 0.0 { a = middle } else { b = middle }
        }
        ends.push(b);
    }
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    ends
}
