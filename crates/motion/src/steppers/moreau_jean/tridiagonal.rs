//! Impulses where each contact point sits on a coordinate of its own and the matrices are tridiagonal: a chain.
//!
//! Which points stick is found as an active set: with the modes given the velocities follow from one tridiagonal
//! system, and what the modes can't hold changes. A set that nothing contradicts is the solution itself, without a
//! tolerance on an iteration.
use super::impulses::{Asked, HELD, Impulses, Unfound};
use stickslip_dynamics::Dynamics;
use stickslip_laws::Mode;
use stickslip_solve::sparse::Tridiagonal;

/// Passes in which all points change at once; then one at a time, which ends for every positive definite matrix.
const TOGETHER: usize = 20;
/// Further passes, for each point.
const ALONE: usize = 20;
/// No contact at a coordinate.
const NONE: usize = usize::MAX;

/// The equations of a chain.
pub struct Band {
    matrix: Tridiagonal,
    /// Contact point of each coordinate, and its factor in the slip velocity.
    points: Vec<(usize, f64)>,
    room: Vec<f64>,
    passes: u64,
}

impl Band {
    /// With M + theta h C + theta^2 h^2 K in full, where it and the contacts allow it.
    pub fn of(dynamics: &Dynamics, full: &[f64]) -> Option<Band> {
        let n = dynamics.n;
        let matrix = Tridiagonal::of(n, full)?;
        let mut points = vec![(NONE, 0.0); n];
        for (i, site) in dynamics.sites.iter().enumerate() {
            let mut entries = site.tangent[0].iter().enumerate().filter(|(_, x)| **x != 0.0);
            let (Some((j, factor)), None, true) = (entries.next(), entries.next(), site.rigid.is_none()) else {
                return None;
            };
            if site.normal.is_some() || points[j].0 != NONE {
                return None;
            }
            points[j] = (i, *factor);
        }
        Some(Band { matrix, points, room: vec![0.0; n], passes: 0 })
    }
}

impl Impulses for Band {
    fn find(
        &mut self,
        asked: &Asked,
        modes: &mut [Mode],
        impulses: &mut [[f64; 2]],
        jump: &mut [f64],
    ) -> Result<(), Unfound> {
        let n = jump.len();
        let most = TOGETHER + ALONE * n;
        for pass in 0..most {
            self.passes += 1;
            let (points, matrix) = (&self.points, &self.matrix);
            let force = |j: usize| match points[j] {
                (NONE, _) => asked.push[j],
                (i, factor) => asked.push[j] - factor * modes[i].sign() * asked.limits[i][0],
            };
            let still = |j: usize| match points[j] {
                (i, factor) if i != NONE && modes[i] == Mode::Stick => Some(-asked.slips[i] / factor),
                _ => None,
            };
            matrix.solve(force, still, jump, &mut self.room);
            let mut changes = 0;
            for (j, &(i, factor)) in points.iter().enumerate() {
                if i == NONE {
                    continue;
                }
                let instead = match modes[i] {
                    Mode::Stick => {
                        let p = (asked.push[j] - matrix.row(j, jump)) / factor;
                        impulses[i][0] = p;
                        (p.abs() > asked.limits[i][0] * (1.0 + HELD)).then(|| Mode::slipping(p))
                    }
                    slip => {
                        impulses[i][0] = slip.sign() * asked.limits[i][0];
                        let turned = (asked.slips[i] + factor * jump[j]) * slip.sign() < 0.0;
                        turned.then_some(Mode::Stick)
                    }
                };
                if let Some(mode) = instead {
                    changes += 1;
                    if pass < TOGETHER || changes == 1 {
                        modes[i] = mode;
                    }
                }
            }
            if changes == 0 {
                // What is no number contradicts no mode.
                let sound = jump.iter().all(|x| x.is_finite());
                return if sound { Ok(()) } else { Err(Unfound::Unsettled) };
            }
        }
        Err(Unfound::Unsettled)
    }

    fn passes(&self) -> u64 {
        self.passes
    }
}
