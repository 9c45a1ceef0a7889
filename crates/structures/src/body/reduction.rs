//! A reduction behind a body: rows on its coordinates, and displacements from them.
use std::sync::Mutex;
use stickslip_solve::component_modes::Reduced;

/// A body's reduction to an interface and modes. Solutions with its factors need room, which one thread at a time has.
#[derive(Debug)]
pub struct Reduction {
    reduced: Mutex<Reduced>,
    len: usize,
    interface: usize,
}

/// Reductions of one body are the same where they have the same coordinates.
impl PartialEq for Reduction {
    fn eq(&self, other: &Self) -> bool {
        (self.len, self.interface) == (other.len, other.interface)
    }
}

impl Reduction {
    /// Of a reduction with so many coordinates of the interface.
    pub fn new(reduced: Reduced, interface: usize) -> Reduction {
        Reduction { len: reduced.len(), reduced: Mutex::new(reduced), interface }
    }

    /// Number of coordinates.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A row on so many unknowns as one on the coordinates.
    pub fn row(&self, row: &[(usize, f64)], unknowns: usize) -> Result<Vec<(usize, f64)>, String> {
        let mut full = vec![0.0; unknowns];
        row.iter().for_each(|(j, x)| full[*j] += x);
        let mut reduced = self.reduced.lock().map_err(|_| "a solution with the reduction failed before")?;
        let own = reduced.force(&full).map_err(|e| e.to_string())?;
        Ok(own.into_iter().enumerate().filter(|(_, x)| *x != 0.0).collect())
    }

    /// All unknowns from the coordinates.
    pub fn expand(&self, coordinates: &[f64]) -> Result<Vec<f64>, String> {
        let mut reduced = self.reduced.lock().map_err(|_| "a solution with the reduction failed before")?;
        reduced.expand(coordinates).map_err(|e| e.to_string())
    }
}
