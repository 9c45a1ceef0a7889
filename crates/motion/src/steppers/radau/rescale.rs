//! Asinh scales of slip velocities follow the speeds below which their laws are linear.
//!
//! Below that speed c the force is linear in v/c, above it in ln(v/c). On a scale far below c a velocity that reverses passes
//! through zero in a part scale/c of the time, which rounding of the forces does not resolve; on one far above c the force is
//! lost in the tolerance of the velocity.
use super::Adaptive;
use stickslip_dynamics::{Dynamics, Stiff, Stretches};
use stickslip_laws::{Mode, Scale, norm};

/// Where v/c is above this, asinh(v/c) is ln(2v/c) to the last bit: another c shifts it.
const FAR: f64 = 1e8;
/// A scale that is off by more is moved: far from rest, where that is a shift; near it, where the solver forgets its past.
const OFF_FAR: f64 = 2.0;
const OFF_NEAR: f64 = 100.0;

/// Part of a velocity to which steps can know it.
const ROUNDED: f64 = 1e-13;
/// Part of its usual size to which a velocity in a sum is known: the forces that drive the others leave no more digits to it.
const IN_SUMS: f64 = 1e-9;

impl Adaptive {
    /// Puts the scales where the states want them, before the unknowns become variables.
    pub(super) fn set_scales(&mut self, dynamics: &Dynamics, y: &[f64]) {
        for j in 0..dynamics.n {
            if let Some((_, speed)) = self.wanted(dynamics, j, y) {
                self.set_asinh(dynamics.n + j, speed);
            }
        }
    }

    /// Moves the scales along with the states, at the start of a step; a second time changes nothing.
    pub fn rescale(&mut self, dynamics: &mut Dynamics, t: f64, y: &[f64], modes: &[Mode]) {
        let n = dynamics.n;
        let mut again = false;
        for j in 0..n {
            let Some((old, new)) = self.wanted(dynamics, j, y) else { continue };
            let off = (new / old).max(old / new);
            if off <= OFF_FAR.min(OFF_NEAR) {
                continue;
            }
            let x = self.x[n + j];
            let v = Scale::Asinh(old).decode(x);
            let far = v.abs() > FAR * old.max(new);
            if off <= if far { OFF_FAR } else { OFF_NEAR } {
                continue;
            }
            self.x[n + j] = if far { x + x.signum() * (old / new).ln() } else { Scale::Asinh(new).encode(v) };
            again |= !far;
            self.set_asinh(n + j, new);
        }
        if again {
            self.radau.restart();
            let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
            self.radau.begin(&mut system, 0.0, &self.x);
        }
    }

    /// Sizes of the velocities behind slip velocities that have no variable of their own, of laws that read the logarithm of
    /// the speed: those in two directions, and those that are sums of several velocities.
    ///
    /// Their speed has a scale, the velocities have not: all are known to its tolerance, as far as rounding lets them.
    pub(super) fn size_slips(&mut self, dynamics: &Dynamics, y: &[f64]) {
        let n = dynamics.n;
        // Of most models every slip velocity is a variable.
        if (0..n).all(|j| self.variables.slip(j).is_some()) {
            return;
        }
        let rounding = (ROUNDED / self.radau.tolerance()).min(1.0);
        let mut seen = vec![];
        for (i, site) in dynamics.sites.iter().enumerate() {
            let friction = &dynamics.model.contacts[site.contact].friction;
            let Scale::Asinh(natural) = friction.velocity_scale() else { continue };
            let rest = dynamics.rest_speed(i, &y[2 * n..]).filter(|c| *c > 0.0 && c.is_finite()).unwrap_or(natural);
            let speed = rest.max(norm(&dynamics.at[i].slip));
            for row in &site.tangent {
                let is_sum = row.iter().filter(|x| **x != 0.0).count() > 1;
                for j in (0..n).filter(|j| row[*j] != 0.0 && self.variables.slip(*j).is_none()) {
                    let usual = Stretches::size(&self.variables.scale(n + j));
                    let least = if is_sum { IN_SUMS * usual } else { 0.0 };
                    let size = (speed / row[j].abs()).max(rounding * y[n + j].abs()).max(least);
                    let least = if seen.contains(&j) { self.scale[n + j].min(size) } else { size };
                    (self.scale[n + j], self.relative[n + j]) = (least, false);
                    seen.push(j);
                }
            }
        }
    }

    /// The speed of the asinh scale of velocity j, and the one that the law wants at these unknowns.
    fn wanted(&self, dynamics: &Dynamics, j: usize, y: &[f64]) -> Option<(f64, f64)> {
        let (site, _) = self.variables.slip(j)?;
        let Scale::Asinh(old) = self.variables.scale(dynamics.n + j) else { return None };
        let new = dynamics.rest_speed(site, &y[2 * dynamics.n..])?;
        (self.follows_states && new > 0.0 && new.is_finite()).then_some((old, new))
    }

    fn set_asinh(&mut self, i: usize, speed: f64) {
        self.variables.set_asinh(i, speed);
        if let Some(beside) = &mut self.room.beside {
            beside.set_asinh(i, speed);
        }
        self.room.forget();
    }
}
