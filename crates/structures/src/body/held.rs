//! Which motions of the body as a whole nothing holds.
use super::Body;

/// A motion is held when its square, of length one, is at least this.
const HELD: f64 = 1e-12;

impl Body {
    /// Motions as a whole that neither supports nor springs hold: displacements along x and y and a rotation, each over the
    /// extent of the mesh, combined. `springs` are coordinates with a stiffness of their own.
    pub fn free_motions(&self, springs: &[usize]) -> Vec<Vec<f64>> {
        let scale = 1.0 / self.mesh.extent();
        let [low, high] = self.mesh.bounds();
        let centre = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
        let shape = |d: usize| -> [f64; 3] {
            let at = self.mesh.nodes[d / 2];
            match d % 2 {
                0 => [1.0, 0.0, scale * (centre[1] - at[1])],
                _ => [0.0, 1.0, scale * (at[0] - centre[0])],
            }
        };
        // A basis of what is still free, from which each held displacement takes one direction at most.
        let mut free: Vec<[f64; 3]> = vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let held = (0..self.mesh.unknowns()).filter(|d| self.numbering.unknown((d / 2) as u32, d % 2).is_none());
        let sprung = springs.iter().map(|j| self.numbering.displacements()[*j] as usize);
        for d in held.chain(sprung) {
            let row = shape(d);
            let along = |v: &[f64; 3]| (0..3).map(|k| row[k] * v[k]).sum::<f64>();
            let Some(most) = (0..free.len()).max_by(|a, b| along(&free[*a]).abs().total_cmp(&along(&free[*b]).abs()))
            else {
                break;
            };
            let pivot = free[most];
            let size = along(&pivot);
            if size * size < HELD {
                continue;
            }
            free.swap_remove(most);
            for v in &mut free {
                let part = along(v) / size;
                (0..3).for_each(|k| v[k] -= part * pivot[k]);
                let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
                v.iter_mut().for_each(|x| *x /= length);
            }
        }
        let motion = |v: [f64; 3]| {
            let of = |d: &u32| (0..3).map(|k| shape(*d as usize)[k] * v[k]).sum();
            self.numbering.displacements().iter().map(of).collect()
        };
        free.into_iter().map(motion).collect()
    }
}
