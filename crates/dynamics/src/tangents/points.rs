//! What each contact point adds to damping and stiffness about an instant.
use crate::Dynamics;
use crate::tangents::jacobian::{LOAD, SLIP, STATES};
use crate::tangents::step_contacts::{ALONG, GAP, PORTS, PointForces};
use stickslip_laws::Mode;

impl Dynamics<'_> {
    /// Derivatives of the forces of every point along its ports, in these modes; `evaluate` must have been called at `y`. States
    /// of laws are taken as they are, and so is an edge.
    pub fn point_tangents(&mut self, y: &[f64], modes: &[Mode]) -> Vec<PointForces> {
        let mut room = std::mem::take(&mut self.tangent);
        self.friction_tangents(y, &mut room);
        let mut all = vec![PointForces::default(); self.sites.len()];
        for (i, (site, point)) in self.sites.iter().zip(&mut all).enumerate() {
            let (mut load, mut area) = ([[0.0; PORTS]; 2], [[0.0; PORTS]; 2]);
            if site.is_pressed() && site.normal.is_some() {
                let pushed = self.normal_tangent(i, y);
                for (k, into) in [&mut point.stiffness, &mut point.damping].into_iter().enumerate() {
                    (into[GAP][GAP], into[GAP][ALONG]) = (pushed.force[k], pushed.force[2 + k]);
                    (load[k][GAP], load[k][ALONG]) = (pushed.load[k], pushed.load[2 + k]);
                    (area[k][GAP], area[k][ALONG]) = (pushed.area[k], pushed.area[2 + k]);
                }
            }
            let columns = STATES + site.states + if site.approach { 2 } else { 0 };
            let sign = match modes[i].sign() {
                sign if site.plane => sign.abs() * self.headings[i].side(self.at[i].slip),
                sign if site.cone || modes[i] == Mode::Open => sign,
                _ => 1.0,
            };
            for k in 0..site.tangent.len() {
                let d = &room.local[i][k * columns..(k + 1) * columns];
                let port = ALONG + k;
                for (into, (load, area)) in
                    [&mut point.stiffness, &mut point.damping].into_iter().zip(load.iter().zip(&area))
                {
                    for j in 0..PORTS {
                        into[port][j] -= sign * d[LOAD] * load[j];
                        into[port][j] -= if site.approach { sign * d[columns - 1] * area[j] } else { 0.0 };
                    }
                }
                for j in 0..site.tangent.len() {
                    point.damping[port][ALONG + j] -= sign * d[SLIP + j];
                }
                if site.approach && self.at[i].gap < site.reach {
                    point.stiffness[port][GAP] += sign * d[columns - 2];
                }
            }
        }
        self.tangent = room;
        all
    }
}
