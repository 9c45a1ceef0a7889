//! A law whose loops do not depend on the pace under a given force: from one force to the next at any velocity.
use super::super::report::asked;
use super::step::{Before, LONGEST, SHORTEST};
use super::{Ended, Path};
use stickslip_solve::root::Bracket;
use stickslip_structures::Signal;

/// Stretches into which a step is cut at least.
const STRETCHES: usize = 50;
/// Ends that are nearer to each other than this part of the step are one.
const BESIDE: f64 = 1e-9;
/// At their ends the force is met to this part.
const MET: f64 = 1e-13;
/// Where the travel has no digits left the force counts as met to this part; beyond it friction jumps.
const CARRIED: f64 = 1e-9;
/// A force that is off by more than this part is brought to the given one at once.
const OFF: f64 = 1e-6;
/// Halvings of the stretch in which the force is lost.
const MOST_HALVINGS: usize = 40;
/// Column of the friction force.
const FORCE: usize = 4;

impl Path<'_> {
    /// Follows a force, a function of the run's time, until `end`.
    ///
    /// Over each stretch of time the velocity is constant, such that the force is met at its end. Stretches end where the
    /// force turns: for a law whose loops do not depend on the pace that is all.
    pub(super) fn pace_for(&mut self, force: &Signal, end: f64) -> Result<(), Ended> {
        let start = self.clock.now();
        // Inside of a stretch the force is not the given one: where it is asked for a stretch ends.
        let mut rows = vec![];
        let mut next = asked(self.probes, start);
        while next < end && !self.rows_inside {
            rows.push(next);
            next = asked(self.probes, next);
        }
        let ends = ends(force, start, end, &rows);
        let known = self.record.largest(self.record.force(), 0..self.record.rows.len());
        let first = force.value(start).abs().max(known);
        let scale = ends.iter().map(|t| force.value(*t).abs()).fold(first, f64::max);
        self.rests = None;
        let mut guess = SHORTEST;
        let mut from = start;
        for to in ends {
            // The force may begin elsewhere than what is held, and jump on the way: what it goes back from counts too.
            let wanted = force.value(from);
            if (wanted - self.held()).abs() > OFF * scale {
                self.bring(wanted)?;
            }
            // A jump at the end of a stretch belongs to the next one.
            let jumps = force.smooth_from(from, to).knot;
            let target = force.value(if jumps { to.next_down() } else { to });
            let travel = match self.reach_force(to, target, scale, guess) {
                Err(Ended::There(why)) => {
                    self.approach(force, (from, to), scale, guess)?;
                    return Err(Ended::There(why));
                }
                other => other?,
            };
            self.last_speed = travel.abs() / (to - from);
            self.found_speed = true;
            guess = if travel == 0.0 { guess } else { travel.abs() };
            from = to;
        }
        Ok(())
    }

    /// Goes on to the last instant of a stretch at which the force is carried.
    fn approach(
        &mut self,
        force: &Signal,
        (mut good, mut bad): (f64, f64),
        scale: f64,
        guess: f64,
    ) -> Result<(), Ended> {
        for _ in 0..MOST_HALVINGS {
            let middle = 0.5 * (good + bad);
            if middle <= good || middle >= bad {
                break;
            }
            match self.reach_force(middle, force.value(middle), scale, guess) {
                Ok(_) => good = middle,
                Err(Ended::There(_)) => bad = middle,
                Err(failed) => return Err(failed),
            }
        }
        Ok(())
    }

    /// Moves until the time `to` at the constant velocity at whose end the force is `target`; the travel.
    fn reach_force(&mut self, to: f64, target: f64, scale: f64, guess: f64) -> Result<f64, Ended> {
        let before = self.before();
        // Derivatives go along where the travel is known.
        let carrier = self.carrier.take();
        let found = self.find_travel(&before, to, target, scale, guess);
        self.carrier = carrier;
        let travel = found?;
        if self.carrier.is_some() {
            self.restore(&before);
            self.carry(|carrier, here| carrier.pace(here.t));
            self.pace_to(to, travel).map_err(Ended::Failed)?;
            self.carry(|carrier, here| carrier.meet(here));
        }
        Ok(travel)
    }

    /// Moves so far until the time `to`.
    fn pace_to(&mut self, to: f64, travel: f64) -> Result<(), String> {
        let length = to - self.clock.now();
        self.travel_for(&[Signal::Constant(travel / length)], 0.0, length)?;
        self.clock.arrive(to);
        Ok(())
    }

    /// The travel at whose end the force is `target`; the path is there.
    fn find_travel(&mut self, before: &Before, to: f64, target: f64, scale: f64, guess: f64) -> Result<f64, Ended> {
        let attempt = |path: &mut Self, travel: f64| -> Result<f64, Ended> {
            path.restore(before);
            path.pace_to(to, travel).map_err(Ended::Failed)?;
            let off = path.record.rows[path.record.rows.len() - 1][FORCE] - target;
            if off.is_finite() { Ok(off) } else { Err(Ended::Failed(path.no_number())) }
        };
        let lost = |path: &mut Self, carried: f64| -> Result<f64, Ended> {
            path.restore(before);
            Err(Ended::There(format!(
                "between t = {:.6e} s and {to:.6e} s no slip velocity carries the force {target:.6e} on (friction is \
                 {carried:.6e}): without inertia there is no answer beyond",
                before.clock.now()
            )))
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
                return lost(self, gb + target);
            }
            gb = attempt(self, b)?;
        }
        let mut bracket = Bracket::new((a, ga), (b, gb));
        while let Some(travel) = bracket.next(0.0).filter(|_| !near(gb)) {
            gb = attempt(self, travel)?;
            b = travel;
            bracket.narrow(b, gb);
        }
        if gb.abs() <= CARRIED * scale { Ok(b) } else { lost(self, gb + target) }
    }
}

/// Times at which stretches end: evenly spaced, at rows that are asked for, and where the force turns or has a kink.
fn ends(force: &Signal, start: f64, end: f64, rows: &[f64]) -> Vec<f64> {
    let even = |i: usize| if i == STRETCHES { end } else { start + (end - start) * i as f64 / STRETCHES as f64 };
    // A row takes the place of an even end beside it: between the two there would be no travel to speak of.
    let beside = |t: &f64| *t < end && rows.iter().any(|row| (row - t).abs() < BESIDE * (end - start));
    let mut ends: Vec<f64> = (1..=STRETCHES).map(even).filter(|t| !beside(t)).chain(rows.iter().copied()).collect();
    let mut smooth = force.smooth_from(start, end);
    while smooth.end < end {
        ends.extend(smooth.knot.then_some(smooth.end));
        smooth = force.smooth_from(smooth.end, end);
    }
    ends.sort_by(f64::total_cmp);
    let mut from = start;
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
