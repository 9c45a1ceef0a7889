//! A structure as matrices with named coordinates.

/// M v' = F(t) - o (K q + C q') + contact forces,   q' = o (v - base V(t)).
///
/// `v` are the velocities in the laboratory. For most structures o = 1, base = 0 and q' = v. For a pulled one the
/// coordinate is what the driver is ahead: o = -1, base = 1, so that q' = V - v and no digits drown in the distance.
#[derive(Clone, Debug, PartialEq)]
pub struct Structure {
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
    /// Names of the rates.
    pub rates: Vec<String>,
    /// Mass, row after row.
    pub mass: Vec<f64>,
    /// Damping.
    pub damping: Vec<f64>,
    /// Stiffness.
    pub stiffness: Vec<f64>,
    /// The o of the equation: 1 or -1.
    pub orientation: f64,
    /// Part of the base velocity that each coordinate feels.
    pub base: Vec<f64>,
    /// Where the points of its contact sit, for structures that imply it; else empty.
    pub places: Vec<Place>,
}

/// Slip and gap of a contact as rows on the structure: slip = tangent v + surface V_s, gap = gap_0 + normal q.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// One row for each tangential direction.
    pub tangent: Vec<Vec<f64>>,
    /// Row of the gap.
    pub normal: Option<Vec<f64>>,
    /// Factor of the surface velocity in the slip velocity.
    pub surface: f64,
}

impl Structure {
    /// Number of coordinates.
    pub fn len(&self) -> usize {
        self.coordinates.len()
    }

    /// True for a point without inertia.
    pub fn is_empty(&self) -> bool {
        self.coordinates.is_empty()
    }

    /// Sum of all masses: what rests on a single contact.
    pub fn total_mass(&self) -> f64 {
        (0..self.len()).map(|i| self.mass[i * self.len() + i]).sum()
    }
}
