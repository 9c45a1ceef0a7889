//! A structure as matrices with named coordinates.

/// M v' = F(t) - o (K q + C q') + contact forces,   q' = o (v - base V(t)).
///
/// `v` are the velocities in the laboratory. For most structures o = 1, base = 0 and q' = v. For a pulled one the
/// coordinate is what the driver is ahead: o = -1, base = 1, so that q' = V - v and no digits drown in the distance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Structure {
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
    /// Names of the rates.
    pub rates: Vec<String>,
    /// Coordinates that are angles, rad; the others, also those beyond the end of the list, are lengths.
    pub angles: Vec<bool>,
    /// Constant force on each coordinate, such as a weight; empty for none.
    pub weight: Vec<f64>,
    /// Damping to be added, as a part of the critical one of each coordinate alone in frictionless equilibrium on its
    /// contacts; empty for none.
    pub damping_ratio: Vec<f64>,
    /// Mass, row after row.
    pub mass: Vec<f64>,
    /// The stiffness is per normal load, 1/m, until the load of the contact is known.
    pub per_load: bool,
    /// Damping.
    pub damping: Vec<f64>,
    /// Stiffness.
    pub stiffness: Vec<f64>,
    /// The antisymmetric part of the stiffness, which stores nothing but feeds energy in, or takes it; empty for none.
    pub circulatory: Vec<f64>,
    /// Springs whose force grows with the cube of a coordinate: K q + k_3 q^3, N/m^3; empty for none.
    pub cubic: Vec<f64>,
    /// The o of the equation: 1 or -1.
    pub orientation: f64,
    /// Part of the base velocity that each coordinate feels.
    pub base: Vec<f64>,
    /// Where the points of its contact sit, for structures that imply it; else empty.
    pub places: Vec<Place>,
}

/// Slip and gap of a contact as rows on the structure: slip = tangent v + surface V_s, gap = gap_0 + normal q.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    /// One row for each tangential direction.
    pub tangent: Vec<Vec<f64>>,
    /// Row of the gap.
    pub normal: Option<Vec<f64>>,
    /// Factor of the surface velocity in the slip velocity.
    pub surface: f64,
    /// The contact is spread over an edge.
    pub edge: Option<Edge>,
}

/// A straight edge on which a contact is spread: gap(s) = gap_0 + (normal + s lever) q for |s| <= length/2. All of it
/// slips at one velocity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edge {
    /// Row of the tilt: what the gap gains along the edge, per metre.
    pub lever: Vec<f64>,
    /// Length, m.
    pub length: f64,
    /// Width across, m.
    pub width: f64,
}

impl Structure {
    /// Number of coordinates.
    pub fn len(&self) -> usize {
        self.coordinates.len()
    }

    /// Force of the cubic spring of a coordinate at `q`, and its stiffness there.
    #[inline]
    pub fn hardening(&self, i: usize, q: f64) -> (f64, f64) {
        let k = self.cubic.get(i).copied().unwrap_or(0.0);
        (k * q * q * q, 3.0 * k * q * q)
    }

    /// Energy of all cubic springs.
    pub fn cubic_energy(&self, q: &[f64]) -> f64 {
        self.cubic.iter().zip(q).map(|(k, q)| 0.25 * k * q * q * q * q).sum()
    }

    /// True for a point without inertia.
    pub fn is_empty(&self) -> bool {
        self.coordinates.is_empty()
    }

    /// Unit of a coordinate.
    pub fn unit(&self, i: usize) -> &'static str {
        if self.is_angle(i) { "rad" } else { "m" }
    }

    /// Unit of the rate of a coordinate.
    pub fn rate_unit(&self, i: usize) -> &'static str {
        if self.is_angle(i) { "rad/s" } else { "m/s" }
    }

    fn is_angle(&self, i: usize) -> bool {
        self.angles.get(i).copied().unwrap_or(false)
    }

    /// Sum of all masses: what rests on a single contact.
    pub fn total_mass(&self) -> f64 {
        (0..self.len()).map(|i| self.mass[i * self.len() + i]).sum()
    }
}
