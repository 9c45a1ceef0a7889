//! Mass, damping and stiffness about an instant, contacts included, as matrices of their own.
use crate::tangents::step_contacts::{ALONG, GAP, PORTS};
use crate::{Dynamics, Site};
use stickslip_laws::Mode;
use stickslip_solve::sparse::Matrix;

/// M q'' + C q' + K q = 0 about an instant.
#[derive(Clone, Debug)]
pub struct Linearised {
    /// M
    pub mass: Matrix,
    /// C
    pub damping: Matrix,
    /// K, which friction makes non-symmetric.
    pub stiffness: Matrix,
}

impl Dynamics<'_> {
    /// The equations about an instant, with points in these modes; `evaluate` must have been called at `y`. For structures
    /// whose points neither stick nor have states or edges.
    pub fn linearised(&mut self, y: &[f64], modes: &[Mode]) -> Linearised {
        let points = self.point_tangents(y, modes);
        let (n, s) = (self.n, &self.model.structure);
        let dense = |values: Vec<f64>| Matrix::Dense { n, values };
        let (mut damping, mut stiffness) = (s.damping.clone(), s.stiffness.clone());
        for (i, y) in y[..n].iter().enumerate().filter(|_| !s.cubic.is_empty()) {
            stiffness[i * n + i] += s.hardening(i, *y).1;
        }
        for (site, point) in self.sites.iter().zip(&points) {
            subtract(site, &point.stiffness, n, &mut stiffness);
            subtract(site, &point.damping, n, &mut damping);
        }
        Linearised { mass: dense(s.mass.clone()), damping: dense(damping), stiffness: dense(stiffness) }
    }
}

/// Subtracts what a point adds to the forces.
fn subtract(site: &Site, slopes: &[[f64; PORTS]; PORTS], n: usize, matrix: &mut [f64]) {
    let row = |port: usize| -> Vec<(usize, f64)> {
        let row = match port {
            GAP => site.normal.as_deref(),
            ALONG.. => site.tangent.get(port - ALONG).map(Vec::as_slice),
            _ => None,
        };
        row.unwrap_or(&[]).iter().copied().enumerate().filter(|(_, x)| *x != 0.0).collect()
    };
    let rows: [Vec<(usize, f64)>; PORTS] = std::array::from_fn(row);
    for (slopes, force) in slopes.iter().zip(&rows) {
        for (slope, along) in slopes.iter().zip(&rows).filter(|(slope, _)| **slope != 0.0) {
            for (a, x) in force {
                along.iter().for_each(|(b, y)| matrix[a * n + b] -= x * slope * y);
            }
        }
    }
}
