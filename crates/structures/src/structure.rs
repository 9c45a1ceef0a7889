//! A structure as matrices with named coordinates.
use crate::{Body, Loading, Signal};
use std::sync::Arc;
use stickslip_solve::sparse::Matrix;

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
    /// So many coordinates, the first ones, are displacements, where the others are modes: rows of contacts are on these alone.
    pub physical: Option<usize>,
    /// Where the points of its contact sit, for structures that imply it; else empty.
    pub places: Vec<Place>,
    /// Functions of time that act on the coordinates beside the drives.
    pub loads: Loads,
    /// Coordinates that one name of a scenario addresses together.
    pub groups: Vec<Group>,
    /// All unknowns of a body that is too large for full matrices; its coordinates are then those of its boundaries, with
    /// masses of one, no springs, and no matrices.
    pub whole: Option<Arc<Whole>>,
    /// Its loads move it as a whole where nothing but a contact holds it.
    pub loose: bool,
    /// The meshed body whose displacements the coordinates are.
    pub body: Option<Arc<Body>>,
}

/// A body too large for full matrices.
#[derive(Clone, Debug)]
pub struct Whole {
    /// Mass.
    pub mass: Matrix,
    /// Damping.
    pub damping: Matrix,
    /// Stiffness.
    pub stiffness: Matrix,
    /// Loads on all unknowns.
    pub loads: Vec<Signal>,
    /// The unknown of each coordinate.
    pub interface: Vec<u32>,
    /// The place of each unknown, as an order of elimination wants it.
    pub places: Vec<[f64; 3]>,
}

/// What it was made of is compared with the body.
impl PartialEq for Whole {
    fn eq(&self, other: &Self) -> bool {
        self.interface == other.interface
    }
}

/// Functions of time, one for each coordinate; empty for none.
#[derive(Clone, Debug, Default)]
pub struct Loads(pub Vec<Signal>);

/// Functions are not compared: those of two structures are the same where there are none.
impl PartialEq for Loads {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_empty() && other.0.is_empty()
    }
}

/// Coordinates under one name: the displacements of a body along an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// The name.
    pub name: String,
    /// The coordinates.
    pub members: Vec<usize>,
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
    /// Its part of the area of the contact, m^2: a weight of a quadrature. None: all of it.
    pub area: Option<f64>,
    /// Where it lies in a mesh, m.
    pub at: Option<[f64; 2]>,
    /// Nodes of a mesh with their shape functions there; empty without one.
    pub nodes: Vec<(u32, f64)>,
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

    /// Names of the coordinates as results list them: a mesh has too many, and gives results by place.
    pub fn listed(&self) -> &[String] {
        if self.body.is_some() { &[] } else { &self.coordinates }
    }

    /// Names of the rates as results list them.
    pub fn listed_rates(&self) -> &[String] {
        if self.body.is_some() { &[] } else { &self.rates }
    }

    /// Number of unknowns: of a large body more than coordinates.
    pub fn unknowns(&self) -> usize {
        self.whole.as_ref().map_or(self.len(), |whole| whole.mass.n())
    }

    /// The coordinates that a name addresses.
    pub fn members(&self, name: &str) -> Option<&[usize]> {
        self.groups.iter().find(|group| group.name == name).map(|group| &group.members[..])
    }

    /// Adds the loads that act on it to those of the drives.
    pub fn load(&mut self, loading: &mut Loading) {
        if self.loads.0.is_empty() || self.whole.is_some() {
            return;
        }
        loading.forces.resize(self.coordinates.len(), Signal::ZERO);
        for (force, load) in loading.forces.iter_mut().zip(self.loads.0.drain(..)) {
            *force = match (std::mem::replace(force, Signal::ZERO), load) {
                (Signal::Constant(0.0), load) => load,
                (force, Signal::Constant(0.0)) => force,
                (force, load) => Signal::Sum(vec![force, load]),
            };
        }
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

    /// Whether a coordinate is an angle.
    pub fn is_angle(&self, i: usize) -> bool {
        self.angles.get(i).copied().unwrap_or(false)
    }

    /// Sum of all masses: what rests on a single contact.
    pub fn total_mass(&self) -> f64 {
        (0..self.len()).map(|i| self.mass[i * self.len() + i]).sum()
    }
}
