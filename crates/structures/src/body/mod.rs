//! A meshed body behind a structure's coordinates: its boundaries, its places, and what of it can be observed.
mod held;
mod observed;
mod reduction;
mod rule;

pub use observed::Observed;
pub use reduction::Reduction;
pub use rule::Rule;

use crate::Place;
use std::sync::Arc;
use stickslip_mesh::{Mesh, Numbering, Section, SidePoint};
use stickslip_solve::sparse::Matrix;

/// A place is on a boundary that it misses by no more than this part of the mesh's extent.
const ON_BOUNDARY: f64 = 1e-6;

/// A body in the plane.
#[derive(Clone, Debug)]
pub struct Body {
    /// Nodes, elements, boundaries.
    pub mesh: Mesh,
    /// What the elements are made of.
    pub section: Section,
    /// The coordinate of each displacement.
    pub numbering: Numbering,
    /// Mass on the coordinates.
    pub mass: Matrix,
    /// Mass of the body, kg.
    pub total_mass: f64,
    /// The coordinate of each unknown, where coordinates are those of the boundaries alone.
    pub interface: Option<Vec<Option<u32>>>,
    /// The reduction whose coordinates the structure has: those of the interface, then modes.
    pub reduction: Option<Arc<Reduction>>,
    /// 1 where slip is that of the surface ahead of the body, as on a belt; -1 where it is that of the body.
    pub ahead: f64,
}

/// Two bodies are the same where all that they were made of is.
impl PartialEq for Body {
    fn eq(&self, other: &Self) -> bool {
        (&self.mesh, &self.section, &self.numbering, &self.reduction, self.ahead)
            == (&other.mesh, &other.section, &other.numbering, &other.reduction, other.ahead)
    }
}

impl Body {
    /// Names of the boundaries.
    pub fn boundaries(&self) -> Vec<String> {
        self.mesh.boundaries.keys().cloned().collect()
    }

    /// The coordinate of a node's displacement along x (0) or y (1).
    pub fn coordinate(&self, node: u32, axis: usize) -> Option<usize> {
        let unknown = self.numbering.unknown(node, axis)? as usize;
        match &self.interface {
            None => Some(unknown),
            Some(places) => places[unknown].map(|j| j as usize),
        }
    }

    /// Number of coordinates.
    fn coordinates(&self) -> usize {
        match (&self.reduction, &self.interface) {
            (Some(reduction), _) => reduction.len(),
            (None, Some(places)) => places.iter().flatten().count(),
            (None, None) => self.numbering.len(),
        }
    }

    /// The rule that suits the sides: nodes.
    pub fn own_rule(&self) -> Rule {
        if self.mesh.elements.iter().any(|e| e.kind.is_quadratic()) { Rule::Simpson } else { Rule::Trapezoid }
    }

    /// The points of a contact on a boundary, by a quadrature rule.
    pub fn contact(&self, on: &str, rule: Rule) -> Result<Vec<Place>, String> {
        let mut quadratic = self.mesh.boundary(on).map_err(|e| e.to_string())?.iter();
        let quadratic = quadratic.any(|side| self.mesh.elements[side.element as usize].kind.is_quadratic());
        if let Some(why) = rule.misfit(quadratic) {
            return Err(why);
        }
        let points = self.mesh.side_points(on, rule.of_mesh(), self.section.thickness).map_err(|e| e.to_string())?;
        Ok(points.iter().map(|point| self.place(point)).collect())
    }

    /// A place on a boundary as a contact sees it; none where it is elsewhere.
    pub fn place_on(&self, on: &str, at: [f64; 2]) -> Option<Place> {
        let points = self.mesh.side_points(on, stickslip_mesh::Rule::Nodal, self.section.thickness).ok()?;
        let far = |p: &SidePoint| (p.place[0] - at[0]).hypot(p.place[1] - at[1]);
        let nearest = points.iter().min_by(|a, b| far(a).total_cmp(&far(b)))?;
        // On a line through the nearest node along the boundary, no farther than its neighbours are.
        let off = [at[0] - nearest.place[0], at[1] - nearest.place[1]];
        let across = off[0] * nearest.normal[0] + off[1] * nearest.normal[1];
        let margin = ON_BOUNDARY * self.mesh.extent() + 0.1 * far(nearest);
        let [x, y] = self.mesh.displacement_rows(at).ok()?;
        let mut shape = vec![];
        // Both rows have the same shape functions.
        x.iter().for_each(|(d, value)| shape.push((d / 2, *value)));
        debug_assert_eq!(x.len(), y.len());
        let point = SidePoint { place: at, shape, ..nearest.clone() };
        let on_side =
            across.abs() <= margin && (far(nearest) <= ON_BOUNDARY * self.mesh.extent() || self.touches(on, at));
        on_side.then(|| Place { area: None, ..self.place(&point) })
    }

    /// Whether a side of a boundary ends on both sides of a place.
    fn touches(&self, on: &str, at: [f64; 2]) -> bool {
        let Ok(sides) = self.mesh.boundary(on) else { return false };
        let margin = ON_BOUNDARY * self.mesh.extent();
        sides.iter().any(|side| {
            let (nodes, count) = self.mesh.elements[side.element as usize].side(side.side);
            let places = nodes[..count].iter().map(|k| self.mesh.nodes[*k as usize]);
            (0..2).all(|e| {
                let own = places.clone().map(|p| p[e]);
                let (low, high) = own.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
                low - margin <= at[e] && at[e] <= high + margin
            })
        })
    }

    /// Rows of slip and gap at a point of a boundary. Where displacements are held they have no entries.
    fn place(&self, point: &SidePoint) -> Place {
        let row = |direction: [f64; 2], factor: f64| {
            let mut row = vec![0.0; self.coordinates()];
            for (node, value) in &point.shape {
                for (axis, along) in direction.iter().enumerate() {
                    if let Some(j) = self.coordinate(*node, axis) {
                        row[j] += factor * along * value;
                    }
                }
            }
            row
        };
        Place {
            tangent: vec![row(point.tangent_along_axes(), -self.ahead)],
            // What moves out of the body closes the gap.
            normal: Some(row(point.normal, -1.0)),
            surface: self.ahead,
            edge: None,
            area: Some(point.area),
            at: Some(point.place),
            nodes: point.shape.clone(),
        }
    }

    /// Displacements of all nodes from the coordinates.
    pub fn displacements(&self, coordinates: &[f64]) -> Result<Vec<f64>, String> {
        match (&self.reduction, &self.interface) {
            (Some(reduction), _) => Ok(self.of_unknowns(&reduction.expand(coordinates)?)),
            (None, None) => Ok(self.of_unknowns(coordinates)),
            (None, Some(_)) => Err("the coordinates of so large a body are those of its boundaries alone".into()),
        }
    }

    /// Displacements of all nodes from the unknowns; zero where they are held.
    pub fn of_unknowns(&self, unknowns: &[f64]) -> Vec<f64> {
        self.numbering.spread(unknowns)
    }
}
