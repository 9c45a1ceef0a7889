//! States of laws by their rates, along a motion that is given: collocation at the stages of Radau IIA.
use super::Balance;
use super::lap::Room;
use stickslip_laws::Mode;
use stickslip_solve::dense::Lu;
use stickslip_solve::radau::Radau;

/// Tolerance that selects the method of order 9.
const TIGHT: f64 = 1e-11;
/// Newton steps, and the part of the states that the last one may be.
const MOST_STEPS: usize = 30;
const CONVERGED: f64 = 1e-13;
/// What no longer falls is rounding below this.
const ROUNDING: f64 = 1e-9;
/// Halvings of a stretch on which Newton's method fails.
const MOST_HALVINGS: usize = 10;

/// An instant, its weight and the states there.
pub(super) type Node = (f64, f64, Vec<f64>);

impl Balance<'_> {
    /// States at the end of a stretch; the stages on the way where they are wanted.
    pub(super) fn collocated(
        &mut self,
        x: &[f64],
        ends: (f64, f64),
        z: &[f64],
        room: &mut Room,
        nodes: Option<&mut Vec<Node>>,
    ) -> Result<Vec<f64>, String> {
        let mut own = vec![];
        let z = self.stretch(x, ends, z, room, &mut own, 0)?;
        if let Some(nodes) = nodes {
            *nodes = own;
        }
        Ok(z)
    }

    fn stretch(
        &mut self,
        x: &[f64],
        (a, b): (f64, f64),
        z: &[f64],
        room: &mut Room,
        nodes: &mut Vec<Node>,
        halvings: usize,
    ) -> Result<Vec<f64>, String> {
        match self.stages(x, (a, b), z, room) {
            Some(mut found) => {
                let end = found.last().map_or(z.to_vec(), |(_, _, z)| z.clone());
                nodes.append(&mut found);
                Ok(end)
            }
            None if halvings == MOST_HALVINGS => Err("the states of a law do not follow a balanced motion".into()),
            None => {
                let middle = 0.5 * (a + b);
                let z = self.stretch(x, (a, middle), z, room, nodes, halvings + 1)?;
                self.stretch(x, (middle, b), &z, room, nodes, halvings + 1)
            }
        }
    }

    fn stages(&mut self, x: &[f64], (a, b): (f64, f64), z: &[f64], room: &mut Room) -> Option<Vec<Node>> {
        let (n, m, nz, h) = (self.dynamics.n, self.dynamics.dim(), z.len(), b - a);
        let radau = Radau::new(nz, TIGHT);
        let (times, weights, matrix) = (radau.nodes(), radau.quadrature(), radau.matrix());
        let s = times.len();
        let all = s * nz;
        let mut stages: Vec<f64> = (0..all).map(|k| z[k % nz]).collect();
        let (mut dy, mut jac) = (vec![0.0; m], vec![0.0; m * m]);
        let mut last = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            let (mut rates, mut blocks) = (vec![0.0; all], vec![0.0; s * nz * nz]);
            for k in 0..s {
                let t = a + h * times[k];
                self.place(t, x, &stages[k * nz..(k + 1) * nz], room);
                let modes: Vec<Mode> = self.modes(t, &room.y);
                self.dynamics.evaluate(t, &room.y, &modes, &mut dy).ok()?;
                self.dynamics.jacobian(t, &room.y, &modes, &mut jac);
                rates[k * nz..(k + 1) * nz].copy_from_slice(&dy[2 * n..]);
                for i in 0..nz {
                    for j in 0..nz {
                        blocks[(k * nz + i) * nz + j] = jac[(2 * n + i) * m + 2 * n + j];
                    }
                }
            }
            let mut r = vec![0.0; all];
            let mut slopes = vec![0.0; all * all];
            for k in 0..s {
                for i in 0..nz {
                    let sum: f64 = (0..s).map(|l| matrix[k * s + l] * rates[l * nz + i]).sum();
                    r[k * nz + i] = stages[k * nz + i] - z[i] - h * sum;
                    for l in 0..s {
                        for j in 0..nz {
                            let own = if k == l && i == j { 1.0 } else { 0.0 };
                            slopes[(k * nz + i) * all + l * nz + j] =
                                own - h * matrix[k * s + l] * blocks[(l * nz + i) * nz + j];
                        }
                    }
                }
            }
            Lu::new(all, &slopes)?.solve(&mut r);
            stages.iter_mut().zip(&r).for_each(|(x, r)| *x -= r);
            let size = stickslip_solve::largest(stages.iter().chain(z).copied());
            let step = stickslip_solve::largest(r.iter().copied());
            if !step.is_finite() {
                return None;
            }
            if step <= CONVERGED * size || (step >= 0.5 * last && step <= ROUNDING * size) {
                let node = |k: usize| (a + h * times[k], h * weights[k], stages[k * nz..(k + 1) * nz].to_vec());
                return Some((0..s).map(node).collect());
            }
            last = step;
        }
        None
    }
}
