//! Which unknowns a mesh has: all displacements, or those that no support holds.
use crate::{Mesh, Refused};
use stickslip_solve::sparse::Assembly;

/// The unknown of each displacement; the displacements of node k are 2 k along x and 2 k + 1 along y.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbering {
    unknowns: Vec<u32>,
    displacements: Vec<u32>,
}

impl Numbering {
    /// No displacement is held.
    pub fn all(mesh: &Mesh) -> Numbering {
        let all: Vec<u32> = (0..mesh.unknowns() as u32).collect();
        Numbering { unknowns: all.clone(), displacements: all }
    }

    /// The displacements that are held have no unknown.
    pub fn without(mesh: &Mesh, held: &[bool]) -> Result<Numbering, Refused> {
        if held.len() != mesh.unknowns() {
            return Err(Refused::Size { expected: mesh.unknowns(), found: held.len() });
        }
        let displacements: Vec<u32> = (0..held.len() as u32).filter(|d| !held[*d as usize]).collect();
        let mut unknowns = vec![Assembly::HELD; held.len()];
        displacements.iter().enumerate().for_each(|(i, d)| unknowns[*d as usize] = i as u32);
        Ok(Numbering { unknowns, displacements })
    }

    /// Number of unknowns.
    pub fn len(&self) -> usize {
        self.displacements.len()
    }

    /// Whether everything is held.
    pub fn is_empty(&self) -> bool {
        self.displacements.is_empty()
    }

    /// The unknown of a node's displacement along x (0) or y (1); None where it is held.
    #[inline]
    pub fn unknown(&self, node: u32, axis: usize) -> Option<u32> {
        let unknown = self.unknowns[2 * node as usize + axis];
        (unknown != Assembly::HELD).then_some(unknown)
    }

    /// For each displacement its unknown, or [`Assembly::HELD`].
    pub fn unknowns(&self) -> &[u32] {
        &self.unknowns
    }

    /// For each unknown its displacement.
    pub fn displacements(&self) -> &[u32] {
        &self.displacements
    }

    /// Numbers of the unknowns from those of all displacements.
    pub fn gather(&self, all: &[f64]) -> Vec<f64> {
        self.displacements.iter().map(|d| all[*d as usize]).collect()
    }

    /// Numbers of all displacements from those of the unknowns; zero where held.
    pub fn spread(&self, own: &[f64]) -> Vec<f64> {
        let mut all = vec![0.0; self.unknowns.len()];
        self.displacements.iter().zip(own).for_each(|(d, x)| all[*d as usize] = *x);
        all
    }

    /// The place of each unknown, as an order of elimination wants it.
    pub fn places(&self, mesh: &Mesh) -> Vec<[f64; 3]> {
        let place = |d: &u32| {
            let [x, y] = mesh.nodes[*d as usize / 2];
            [x, y, 0.0]
        };
        self.displacements.iter().map(place).collect()
    }
}
