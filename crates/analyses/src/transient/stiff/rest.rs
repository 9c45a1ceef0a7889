//! Rest of points with two directions, seen from slip: how slow is a stop, and how slip begins.
use super::{Adaptive, PER_POINT};
use crate::dynamics::{Dynamics, Stiff};
use stickslip_laws::{Mode, dot, norm};

/// A speed below this part of the fastest of this slip is a stop.
const STOP: f64 = 1e-12;
/// A speed below this part of the velocities it is the difference of is a stop.
const ROUNDING: f64 = 1e-14;
/// A speed across the heading below so many tolerances belongs to a stop.
const ACROSS: f64 = 10.0;
/// Slip begins at this part of the velocity that friction gives or takes in a first step: from there on it has a
/// direction.
const BEGIN: f64 = 1e-10;

/// Fastest slip of each point since it began to slip.
pub(super) struct Fastest {
    speeds: Vec<f64>,
    rtol: f64,
}

impl Fastest {
    pub(super) fn new(points: usize, rtol: f64) -> Fastest {
        Fastest { speeds: vec![0.0; points], rtol }
    }

    /// The speed of a stop.
    fn stop(&self, dynamics: &Dynamics, t: f64, y: &[f64], i: usize) -> f64 {
        (STOP * self.speeds[i]).max(ROUNDING * velocities(dynamics, t, y, i))
    }
}

/// The size of what the slip velocity of a point is the difference of.
fn velocities(dynamics: &Dynamics, t: f64, y: &[f64], i: usize) -> f64 {
    let site = &dynamics.sites[i];
    let own = site.tangent.iter().map(|row| row.iter().zip(&y[dynamics.n..]).map(|(r, v)| (r * v).abs()).sum::<f64>());
    own.fold((site.surface * dynamics.surface_velocity(t)).abs(), f64::max)
}

impl Adaptive {
    /// Lets points that were let go at rest begin to slip, so that their velocity has a direction.
    pub(super) fn set_out(&mut self, dynamics: &mut Dynamics, t: f64, y: &[f64], modes: &[Mode]) {
        let starts = |d: &Dynamics, i: usize| d.sites[i].plane && modes[i].sign() != 0.0 && d.headings[i].at_rest;
        let points = modes.len();
        if !(0..points).any(|i| starts(dynamics, i)) {
            return;
        }
        let speeds: Vec<f64> = (0..points)
            .map(|i| {
                let site = &dynamics.sites[i];
                let (n, row) = (dynamics.n, &site.tangent[0]);
                let mobility: f64 = (0..n * n).map(|k| row[k / n] * dynamics.inverse_mass[k] * row[k % n]).sum();
                let soon = BEGIN * mobility * dynamics.at[i].hold.max(dynamics.at[i].strength) * self.next;
                soon.max(STOP * velocities(dynamics, t, y, i))
            })
            .collect();
        let half_way = self.speeds_half_way(dynamics, t, y, modes);
        let mut moved = y.to_vec();
        if dynamics.nudge(t, &mut moved, modes, &speeds).is_err() {
            return;
        }
        for i in (0..points).filter(|i| dynamics.sites[*i].plane) {
            dynamics.headings[i].at_rest = false;
            dynamics.headings[i].least = half_way[i];
        }
        self.variables.encode(dynamics, t, &moved, &mut self.x);
        let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
        self.radau.begin(&mut system, 0.0, &self.x);
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
    pub(super) fn set_bands(&mut self, dynamics: &Dynamics, modes: &[Mode], t: f64) {
        for (i, (site, at)) in dynamics.sites.iter().zip(&dynamics.at).enumerate() {
            let (speed, band) = match site.plane {
                false => (at.slip[0].abs(), site.band),
                true => {
                    let speed = norm(&at.slip);
                    let before = if modes[i].sign() == 0.0 { 0.0 } else { self.fastest.speeds[i] };
                    self.fastest.speeds[i] = before.max(speed);
                    (speed, self.fastest.stop(dynamics, t, &self.room.y, i))
                }
            };
            self.bands[i] = if speed > band { band } else { 0.0 };
        }
    }

    /// Whether a point that came to the end of its heading did not stop, but turned away from it.
    pub(super) fn turned(&self, dynamics: &Dynamics, modes: &[Mode], k: usize) -> bool {
        let i = k / PER_POINT;
        let slips = i < modes.len() && k.is_multiple_of(PER_POINT) && dynamics.sites[i].plane && modes[i].sign() != 0.0;
        slips && norm(&dynamics.at[i].slip) > (ACROSS * self.fastest.rtol).max(2.0 * STOP) * self.fastest.speeds[i]
    }
}
