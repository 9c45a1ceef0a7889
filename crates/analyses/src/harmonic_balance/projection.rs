//! Set-valued friction by projection.
use super::Balance;
use super::lap::{DIFFERENCE, Room};
use super::states::At;
use stickslip_solve::dense::{Lu, dot};

impl Balance<'_> {
    /// A lap in which set-valued friction is what the rest of the equations asks for, projected onto what the law holds.
    pub(super) fn projected(&mut self, x: &[f64], count: usize, room: &mut Room) -> Result<(), String> {
        let (n, functions, period) = (self.dynamics.n, self.basis.len(), self.basis.period);
        room.seen.reversals = self.reversals(x, room).len();
        let wants = room.slopes.take().is_some();
        let rows: Vec<Vec<f64>> = self.dynamics.sites.iter().map(|site| site.tangent[0].clone()).collect();
        let points = rows.len();
        let z = self.states.clone();
        let dt = period / count as f64;
        let once = |this: &mut Self, x: &[f64], room: &mut Room| -> Result<Vec<f64>, String> {
            room.r.fill(0.0);
            let mut at = vec![];
            for k in 0..count {
                let t = k as f64 * dt;
                this.add((t, dt), x, &At { z: z.clone(), slopes: vec![] }, room)?;
                let points: Vec<[f64; 3]> =
                    this.dynamics.at.iter().map(|at| [at.slip[0], at.f[0], at.strength]).collect();
                at.push((room.functions.value.clone(), points));
            }
            // Without what the law answered to the sign of the slip.
            let mut r = room.r.clone();
            let mut project = |value: &[f64], forces: &[f64], sign: f64| {
                for (row, f) in rows.iter().zip(forces) {
                    for i in 0..n {
                        for b in 0..functions {
                            r[i * functions + b] += sign * dt * this.basis.norm(b) * value[b] * row[i] * f;
                        }
                    }
                }
            };
            for (value, points) in &at {
                project(value, &points.iter().map(|p| p[1]).collect::<Vec<_>>(), -1.0);
            }
            let inverse = &this.dynamics.inverse_mass;
            let through = |row: &[f64], force: &dyn Fn(usize) -> f64| -> f64 {
                (0..n * n).map(|k| row[k / n] * inverse[k] * force(k % n)).sum()
            };
            let mobility: Vec<f64> =
                (0..points * points).map(|k| through(&rows[k / points], &|j| rows[k % points][j])).collect();
            let lu = Lu::new(points, &mobility).ok_or("points that slip as one are not projected")?;
            let bare = r.clone();
            for (value, seen) in &at {
                let left = |i: usize| dot(&bare[i * functions..(i + 1) * functions], value);
                let mut asked: Vec<f64> = rows.iter().map(|row| -through(row, &left)).collect();
                lu.solve(&mut asked);
                let forces: Vec<f64> = (0..points)
                    .map(|p| {
                        let weight = this.basis.omega() / mobility[p * points + p];
                        let [slip, _, strength] = seen[p];
                        (asked[p] + weight * slip).clamp(-strength, strength)
                    })
                    .collect();
                for (row, f) in rows.iter().zip(&forces) {
                    for i in 0..n {
                        for b in 0..functions {
                            r[i * functions + b] += dt * this.basis.norm(b) * value[b] * row[i] * f;
                        }
                    }
                }
            }
            Ok(r)
        };
        let r = once(self, x, room)?;
        if wants {
            let unknowns = self.len();
            let size = stickslip_solve::largest(x.iter().copied());
            let h = DIFFERENCE * if size > 0.0 { size } else { 1.0 };
            let mut slopes = vec![0.0; unknowns * unknowns];
            for u in 0..unknowns {
                let mut moved = x.to_vec();
                moved[u] += h;
                let other = once(self, &moved, room)?;
                (0..unknowns).for_each(|i| slopes[i * unknowns + u] = (other[i] - r[i]) / h);
            }
            room.slopes = Some(slopes);
        }
        room.r = r;
        Ok(())
    }
}
