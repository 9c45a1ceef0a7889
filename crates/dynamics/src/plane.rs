//! Set-valued friction in two directions: along the slip velocity, and at rest along the way that slip will take.
//!
//! The unit vector of a velocity has no value at rest, and changes at a rate without bound near it. So each point has a
//! heading. A step that passes a stop continues as on a line, friction unchanged, so that the stop is a plain zero of
//! the velocity along the heading; a point that is let go at rest takes its heading from the forces.
use crate::{Dynamics, Site, Trouble};
use stickslip_laws::{Mode, dot, norm};
use stickslip_solve::largest;
use stickslip_structures::Signal;

/// Speeds below this have no direction, m/s.
const NO_DIRECTION: f64 = 1e-290;
/// Friction that could hold the point though it exceeds the drive by less than this part is rounding.
const ROUNDING: f64 = 1e-9;
/// Sweeps over points that are let go together; they hardly ever move each other.
const MOST_SWEEPS: usize = 50;
/// Headings that change by less than this have settled.
const SETTLED: f64 = 1e-12;
/// Halvings of a bracket down to rounding.
const HALVINGS: usize = 80;

/// Where a point slips to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Heading {
    /// Unit vector; zero: not known.
    pub along: [f64; 2],
    /// The point is let go but still at rest: what its slip velocity says is rounding.
    pub at_rest: bool,
    /// Speed below which the tangent is that at this speed, m/s: half-way in a first step from rest.
    pub least: f64,
    /// A speed along the heading that is added where the direction is read, m/s: after rest, until slip has outgrown it.
    pub offset: f64,
}

/// Slip has outgrown an offset when it is so many times faster.
const OUTGROWN: f64 = 100.0;

impl Heading {
    /// The direction of friction at a slip velocity; beyond a stop that of the line on which the point came.
    #[inline]
    pub(crate) fn friction(self, slip: [f64; 2]) -> [f64; 2] {
        let read = self.read(slip);
        let speed = norm(&read);
        if self.at_rest || speed.is_nan() || speed <= NO_DIRECTION {
            return self.along;
        }
        let side = self.side(slip);
        read.map(|v| side * v / speed)
    }

    /// The velocity whose direction is read.
    #[inline]
    fn read(self, slip: [f64; 2]) -> [f64; 2] {
        [slip[0] + self.offset * self.along[0], slip[1] + self.offset * self.along[1]]
    }

    /// The slip velocity at which the tangent is taken.
    #[inline]
    pub(crate) fn tangent_at(self, slip: [f64; 2]) -> [f64; 2] {
        if norm(&slip) < self.least { self.along.map(|e| e * self.least) } else { self.read(slip) }
    }

    /// 1, or -1 beyond a stop.
    #[inline]
    pub(crate) fn side(self, slip: [f64; 2]) -> f64 {
        if dot(&self.read(slip), &self.along) < 0.0 { -1.0 } else { 1.0 }
    }
}

impl Dynamics<'_> {
    /// Lets points in slip head along their slip velocity, after [`Dynamics::evaluate`]; whether there are any.
    pub fn face(&mut self, modes: &[Mode]) -> bool {
        let mut any = false;
        for i in (0..self.sites.len()).filter(|i| self.sites[*i].plane) {
            if let Some(along) = unit(self.at[i].slip).filter(|_| modes[i].sign() != 0.0) {
                let before = self.headings[i];
                // A slip that its offset still leads has no direction of its own yet.
                let led = norm(&self.at[i].slip) < OUTGROWN * before.offset;
                self.headings[i] =
                    if led { Heading { least: 0.0, ..before } } else { Heading { along, ..Heading::default() } };
                any = true;
            }
        }
        any
    }

    /// Lets those of these points that slip from rest head where the forces send them; one that would not move at all.
    ///
    /// With a the slip acceleration without friction and B e what friction along e takes from it, slip begins along its
    /// own acceleration: (B + c) e = a, |e| = 1, c > 0. The length of e falls with c, so that there is one solution, or
    /// friction can hold the point.
    pub fn head(
        &mut self,
        t: f64,
        y: &[f64],
        modes: &[Mode],
        dy: &mut [f64],
        points: &[usize],
    ) -> Result<Option<usize>, Trouble> {
        let starts = |i: &usize| self.sites[*i].plane && modes[*i].sign() != 0.0;
        let points: Vec<usize> = points.iter().copied().filter(starts).collect();
        for _ in 0..MOST_SWEEPS {
            let mut turned = 0.0;
            let mut held = None;
            for &i in &points {
                let before = self.headings[i].along;
                let mut seen = [[0.0; 2]; 3];
                for (seen, along) in seen.iter_mut().zip([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]) {
                    self.headings[i] = Heading { along, at_rest: true, ..Heading::default() };
                    self.evaluate(t, y, modes, dy)?;
                    *seen = [0, 1].map(|d| self.slip_acceleration_along(i, d, t, dy));
                }
                let [free, by_1, by_2] = seen;
                let taken = [[free[0] - by_1[0], free[0] - by_2[0]], [free[1] - by_1[1], free[1] - by_2[1]]];
                let (along, moves) = sets_out(free, taken);
                self.headings[i] = Heading { along, at_rest: true, ..Heading::default() };
                held = held.or((!moves).then_some(i));
                turned = largest([turned, along[0] - before[0], along[1] - before[1]]);
                if !seen.iter().flatten().all(|a| a.is_finite()) {
                    return Err(Trouble::NoDirection(points));
                }
            }
            if points.len() < 2 || turned < SETTLED {
                return Ok(held);
            }
        }
        Err(Trouble::NoDirection(points))
    }
}

/// Direction of friction where the motion is given: at an instant of rest that of the acceleration.
pub(crate) fn given(site: &Site, surface: &[Signal; 2], t: f64, slip: [f64; 2]) -> [f64; 2] {
    let starts = || unit([0, 1].map(|d| site.surface * surface[d].rate(t)));
    unit(slip).or_else(starts).unwrap_or([0.0; 2])
}

/// A unit vector along a vector that is not zero.
fn unit(x: [f64; 2]) -> Option<[f64; 2]> {
    let length = norm(&x);
    (length > NO_DIRECTION).then(|| x.map(|x| x / length))
}

/// The direction in which slip begins, and whether it does.
fn sets_out(free: [f64; 2], taken: [[f64; 2]; 2]) -> ([f64; 2], bool) {
    let [[a, b], [c, d]] = taken;
    let along = |more: f64| {
        let (a, d) = (a + more, d + more);
        let scale = a * d - b * c;
        [(free[0] * d - free[1] * b) / scale, (free[1] * a - free[0] * c) / scale]
    };
    let longest = norm(&free);
    let Some(ahead) = unit(free) else { return ([1.0, 0.0], true) };
    // Without friction there is nothing to turn the way.
    if a * d - b * c <= (ROUNDING * longest).powi(2) {
        return (ahead, true);
    }
    let still = along(0.0);
    if norm(&still) <= 1.0 {
        return (unit(still).unwrap_or(ahead), norm(&still) >= 1.0 - ROUNDING);
    }
    let (mut low, mut high) = (0.0, longest);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if norm(&along(middle)) > 1.0 { low = middle } else { high = middle }
    }
    (unit(along(high)).unwrap_or(ahead), true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slip_sets_out_along_its_own_acceleration() {
        // Friction of 2 N on masses of 1 kg and 4 kg, pulled with 3 N at 45 degrees.
        let (free, taken) = ([3.0 * 0.5f64.sqrt(), 0.75 * 0.5f64.sqrt()], [[2.0, 0.0], [0.0, 0.5]]);
        let (e, moves) = sets_out(free, taken);
        let left = [free[0] - taken[0][0] * e[0], free[1] - taken[1][1] * e[1]];
        assert!(moves && (norm(&e) - 1.0).abs() < 1e-15);
        assert!((left[0] * e[1] - left[1] * e[0]).abs() < 1e-14 && dot(&left, &e) > 0.0, "{e:?} {left:?}");
        assert!(!sets_out([1.9, 0.0], taken).1 && sets_out([0.0, 0.6], taken).1);
    }

    #[test]
    fn friction_is_continued_on_the_line_beyond_a_stop() {
        let heading = Heading { along: [0.6, 0.8], ..Heading::default() };
        for slip in [[3.0, 4.0], [-3.0, -4.0], [0.0, 0.0]] {
            let f = heading.friction(slip);
            assert!((f[0] - 0.6).abs() < 1e-15 && (f[1] - 0.8).abs() < 1e-15, "{f:?}");
        }
    }
}
