//! Modes tried by following them for a moment, where they have no power series.
use crate::transition::mode_search::{Motion, Tested};
use crate::transition::rigid::{Follow, KnownZeros, What};
use stickslip_dynamics::{Dynamics, Trouble};
use stickslip_laws::Mode;

/// Length of the moment, part of a natural time: what begins with the cube of it still stands out of rounding.
const MOMENT: f64 = 1e-3;
/// A value below this part of what the forces could have made it is none: what is left of the fourth power.
const NOTHING: f64 = 1e-11;

/// Follows modes by one step of Runge and Kutta's method.
pub struct Moment {
    length: f64,
}

impl Moment {
    /// For these equations.
    pub fn of(dynamics: &Dynamics) -> Moment {
        Moment { length: MOMENT * dynamics.natural_time() }
    }

    fn follow(&self, dynamics: &mut Dynamics, t: f64, y: &[f64], modes: &[Mode]) -> Result<Vec<f64>, Trouble> {
        let (h, m) = (self.length, y.len());
        let mut k = vec![vec![0.0; m]; 4];
        let mut at = y.to_vec();
        for (stage, part) in [0.0, 0.5, 0.5, 1.0].into_iter().enumerate() {
            if stage > 0 {
                (0..m).for_each(|j| at[j] = y[j] + part * h * k[stage - 1][j]);
            }
            dynamics.evaluate(t + part * h, &at, modes, &mut k[stage])?;
        }
        (0..m).for_each(|j| at[j] = y[j] + h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]));
        dynamics.evaluate(t + h, &at, modes, &mut k[0])?;
        Ok(at)
    }
}

impl Follow for Moment {
    fn begin(&mut self, _: f64) {}

    fn test(
        &mut self,
        dynamics: &mut Dynamics,
        (t, y): (f64, &[f64]),
        modes: &[Mode],
        standing: &[KnownZeros],
        _: f64,
    ) -> Tested {
        let later = match self.follow(dynamics, t, y, modes) {
            Ok(later) => later,
            Err(trouble) => return Tested::Singular(trouble),
        };
        let (n, h) = (dynamics.n, self.length);
        // Loads that only begin to grow are none at the start.
        let until = t + h;
        for i in 0..modes.len() {
            let site = &dynamics.sites[i];
            let (tangent, normal) = (&site.tangent[0], site.normal.as_ref().unwrap_or(&site.tangent[0]));
            let at = &dynamics.at[i];
            for (what, sign) in What::of(dynamics, modes, i).into_iter().flatten() {
                if what.settled(standing[i]) {
                    continue;
                }
                let along_normal = dynamics.strain(until, y, normal);
                let mobility: f64 = (0..n * n).map(|k| normal[k / n] * dynamics.inverse_mass[k] * normal[k % n]).sum();
                let (value, size) = match what {
                    What::Gap => (dynamics.gap_of(i, &later) - dynamics.gap_of(i, y), h * h * along_normal),
                    What::Load => (at.n, along_normal / mobility),
                    What::Slip => (sign * at.slip[0], h * dynamics.strain(until, y, tangent)),
                    What::Cone => (at.hold - sign * at.f[0], along_normal / mobility + at.f[0].abs()),
                };
                // A slip that does not begin is none, unless nothing would hold it.
                let idle = what == What::Slip && at.strength > 0.0 && value <= NOTHING * size;
                if value < -NOTHING * size || idle {
                    return Tested::Fails(i, what.instead(sign));
                }
            }
        }
        // Accelerations that differ at all are different motions; a moment later velocities show them.
        let sizes = (0..y.len()).map(|j| if j < n { f64::INFINITY } else { later[j].abs() + h }).collect();
        Tested::Holds(Motion::later(later, sizes))
    }

    fn start_from(&mut self, _: &[KnownZeros], _: f64) {}
}
