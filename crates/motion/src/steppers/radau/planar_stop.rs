//! Rest of points with two directions, seen from slip: how slow is a stop, and how slip begins.
//!
//! The direction of a velocity below the tolerance is noise. So slip ends a few tolerances before its stop, which is then
//! reached on a line; and slip from rest reads its direction with an offset along the heading, until it has outgrown it.
use super::{Adaptive, Found};
use stickslip_dynamics::{Dynamics, Integrals, Stiff, powers};
use stickslip_laws::{Mode, dot, norm};

/// Speeds below so many tolerances have no direction of their own.
const SLOW: f64 = 5.0;
/// A speed across the heading of so many slow ones is no stop.
const ACROSS: f64 = 3.0;

impl Adaptive {
    /// Lets points at rest, or nearly, begin to slip.
    pub(super) fn set_out(&mut self, dynamics: &mut Dynamics, t: f64, y: &[f64], modes: &[Mode]) {
        let slips = |d: &Dynamics, i: usize| d.sites[i].plane && d.n > 0 && modes[i].sign() != 0.0;
        if !(0..modes.len()).any(|i| slips(dynamics, i)) {
            return;
        }
        let half_way = self.speeds_half_way(dynamics, t, y, modes);
        for i in 0..modes.len() {
            if !slips(dynamics, i) {
                continue;
            }
            let (slow, rests) = (self.slow(dynamics, y, i), dynamics.headings[i].at_rest);
            if rests || norm(&dynamics.at[i].slip) < 2.0 * slow {
                let heading = &mut dynamics.headings[i];
                (heading.at_rest, heading.least, heading.offset) = (false, half_way[i], 2.0 * slow);
            }
        }
        let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
        self.radau.begin(&mut system, 0.0, &self.x);
    }

    /// The slip speed of a point below which its direction is noise.
    fn slow(&self, dynamics: &Dynamics, y: &[f64], i: usize) -> f64 {
        let n = dynamics.n;
        let size = |j: usize| self.scale[n + j].max(y[n + j].abs());
        let along = |row: &Vec<f64>| (0..n).map(|j| row[j].abs() * size(j)).fold(0.0, f64::max);
        SLOW * self.radau.tolerance() * dynamics.sites[i].tangent.iter().map(along).fold(0.0, f64::max)
    }

    /// Speeds that points let go at rest will have half-way in the first step: by their accelerations now and then.
    ///
    /// The tangent across the way is strength/speed. One taken at rest would pass off any turn as small.
    fn speeds_half_way(&mut self, dynamics: &mut Dynamics, t: f64, y: &[f64], modes: &[Mode]) -> Vec<f64> {
        let half = 0.5 * self.next;
        let mut speeds = vec![0.0; modes.len()];
        let mut ahead = y.to_vec();
        for at in [0.0, half] {
            let mut dy = vec![0.0; y.len()];
            if dynamics.evaluate(t + at, &ahead, modes, &mut dy).is_err() {
                break;
            }
            for (i, speed) in speeds.iter_mut().enumerate().filter(|(i, _)| dynamics.sites[*i].plane) {
                let grows = [0, 1].map(|d| dynamics.slip_acceleration_along(i, d, t + at, &dy));
                *speed += 0.5 * half * dot(&grows, &dynamics.headings[i].along).max(0.0);
            }
            (0..y.len()).for_each(|j| ahead[j] = y[j] + half * dy[j]);
        }
        speeds
    }

    /// What counts as rest at each point.
    ///
    /// In two directions a slip that begins stops only where it turns back by as much as has a direction: the sign of less is
    /// noise, and Newton's method need not turn friction at such speeds.
    pub(super) fn set_bands(&mut self, dynamics: &Dynamics) {
        for (i, (site, at)) in dynamics.sites.iter().zip(&dynamics.at).enumerate() {
            self.bands[i] = match site.plane {
                // On its edge a step ended that left the band.
                false if at.slip[0].abs() >= site.band => site.band,
                false => 0.0,
                true => {
                    let slow = self.slow(dynamics, &self.room.y, i);
                    if norm(&at.slip) > slow { slow } else { -slow }
                }
            };
        }
    }

    /// Ends a slip that is nearly over: a point that only turned goes on, one that stops does so on a line. Says what is
    /// left of the event, and how much longer the step is.
    pub(super) fn close(
        &self,
        dynamics: &Dynamics,
        (t, longest): (f64, f64),
        y: &mut [f64],
        dy: &[f64],
        found: Vec<Found>,
        sum: &mut Integrals,
    ) -> (f64, Vec<Found>) {
        let &[Found::Arrives(i)] = &found[..] else { return (0.0, found) };
        if !dynamics.sites[i].plane {
            return (0.0, found);
        }
        let slip = dynamics.at[i].slip;
        let speed = norm(&slip);
        if speed > ACROSS * self.slow(dynamics, y, i) {
            return (0.0, vec![]);
        }
        let slows = -dot(&slip, &[0, 1].map(|d| dynamics.slip_acceleration_along(i, d, t, dy))) / speed;
        let rest = speed / slows;
        if !(rest > 0.0 && rest <= longest) {
            return (0.0, found);
        }
        let mut rates = Integrals::zero(dynamics.sites.len());
        powers(dynamics, t, y, dy, &mut rates);
        sum.add(rest, &rates);
        let n = dynamics.n;
        // Displacements by the mean velocity.
        (0..n).for_each(|j| y[j] += rest * (dy[j] + 0.5 * rest * dynamics.model.structure.orientation * dy[n + j]));
        (n..y.len()).for_each(|j| y[j] += rest * dy[j]);
        (rest, found)
    }
}
