//! A mesh: nodes, elements, named boundaries.
use crate::Refused;
use crate::element::{Kind, MOST_NODES, Shape};
use std::collections::BTreeMap;

/// Most nodes of a mesh: four million unknowns.
pub const MOST: usize = 2_000_000;

/// An element with its nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Element {
    /// Its kind.
    pub kind: Kind,
    /// Number of its material.
    pub material: u16,
    nodes: [u32; MOST_NODES],
}

impl Element {
    /// An element with as many nodes as its kind has; None with another number of them.
    pub fn new(kind: Kind, nodes: &[u32], material: u16) -> Option<Element> {
        let mut own = [0; MOST_NODES];
        own.get_mut(..nodes.len())?.copy_from_slice(nodes);
        (nodes.len() == kind.nodes()).then_some(Element { kind, material, nodes: own })
    }

    /// Its nodes.
    #[inline]
    pub fn nodes(&self) -> &[u32] {
        &self.nodes[..self.kind.nodes()]
    }

    /// The nodes of one of its sides: start and end, counterclockwise, and the middle where there is one.
    pub fn side(&self, side: u8) -> ([u32; 3], usize) {
        let (local, count) = self.kind.side(usize::from(side));
        (local.map(|k| self.nodes[k]), count)
    }
}

/// A side of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side {
    /// The element.
    pub element: u32,
    /// Which of its sides, from the one of its first two nodes on.
    pub side: u8,
}

/// A plane mesh. Unknown 2 k is the displacement of node k along x, 2 k + 1 that along y.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Places of the nodes, m.
    pub nodes: Vec<[f64; 2]>,
    /// The elements.
    pub elements: Vec<Element>,
    /// Boundaries by name.
    pub boundaries: BTreeMap<String, Vec<Side>>,
    /// Names of the materials, by number, where the mesh has them.
    pub materials: Vec<String>,
    /// Named lines of a file that are not wholly on the outside: no boundaries.
    pub inner_lines: Vec<String>,
}

/// Where a local point of an element is, and how the element is stretched there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// Its place.
    pub place: [f64; 2],
    /// Area there over local area: the Jacobian's determinant.
    pub stretch: f64,
    /// Slopes of the shape functions along x and y.
    pub slopes: [[f64; MOST_NODES]; 2],
}

impl Mesh {
    /// Number of displacements, supports not counted out.
    pub fn unknowns(&self) -> usize {
        2 * self.nodes.len()
    }

    /// The sides of a boundary.
    pub fn boundary(&self, name: &str) -> Result<&[Side], Refused> {
        if let Some(sides) = self.boundaries.get(name) {
            return Ok(sides);
        }
        let name = name.to_string();
        match self.inner_lines.contains(&name) {
            true => Err(Refused::Inner { name }),
            false => Err(Refused::Boundary { name, known: self.boundaries.keys().cloned().collect() }),
        }
    }

    /// The nodes of a boundary, ascending.
    pub fn boundary_nodes(&self, name: &str) -> Result<Vec<u32>, Refused> {
        let mut nodes: Vec<u32> = vec![];
        for side in self.boundary(name)? {
            let (own, count) = self.elements[side.element as usize].side(side.side);
            nodes.extend(&own[..count]);
        }
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes)
    }

    /// The nearest node, and its distance.
    pub fn nearest_node(&self, place: [f64; 2]) -> Option<(u32, f64)> {
        let far = |at: &[f64; 2]| (at[0] - place[0]).hypot(at[1] - place[1]);
        let (node, at) = self.nodes.iter().enumerate().min_by(|a, b| far(a.1).total_cmp(&far(b.1)))?;
        Some((node as u32, far(at)))
    }

    /// The node at a place, to a millionth of the mesh's extent.
    pub fn node_at(&self, place: [f64; 2]) -> Result<u32, Refused> {
        let (node, distance) = self.nearest_node(place).ok_or(Refused::Empty)?;
        match distance <= 1e-6 * self.extent() {
            true => Ok(node),
            false => Err(Refused::NoNode { place, nearest: self.nodes[node as usize] }),
        }
    }

    /// Least and greatest coordinates.
    pub fn bounds(&self) -> [[f64; 2]; 2] {
        let start = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        self.nodes.iter().fold(start, |[low, high], at| {
            [[low[0].min(at[0]), low[1].min(at[1])], [high[0].max(at[0]), high[1].max(at[1])]]
        })
    }

    /// The diagonal of its bounds.
    pub fn extent(&self) -> f64 {
        let [low, high] = self.bounds();
        (high[0] - low[0]).hypot(high[1] - low[1])
    }

    /// Refuses nodes that are none, elements that are reversed or lack a node, and nodes of no element.
    pub fn check(&self) -> Result<(), Refused> {
        if self.elements.is_empty() {
            return Err(Refused::Empty);
        }
        if self.nodes.len() > MOST || self.elements.len() > MOST {
            return Err(Refused::TooLarge { nodes: self.nodes.len().max(self.elements.len()) as u128 });
        }
        if let Some(node) = self.nodes.iter().position(|at| at.iter().any(|x| !x.is_finite())) {
            return Err(Refused::Coordinate { node });
        }
        let mut used = vec![false; self.nodes.len()];
        for (e, element) in self.elements.iter().enumerate() {
            for node in element.nodes() {
                let node = *node as usize;
                *used.get_mut(node).ok_or(Refused::Node { element: e, node })? = true;
            }
        }
        if let Some(node) = used.iter().position(|used| !used) {
            return Err(Refused::Loose { node });
        }
        // At the corners and at the quadrature points: a middle node may fold an element between its corners.
        let tables = crate::element::Table::all();
        let corners = Kind::ALL.map(|kind| (0..kind.corners()).map(|k| kind.shape(kind.place(k))).collect::<Vec<_>>());
        for (e, element) in self.elements.iter().enumerate() {
            let kind = element.kind;
            let shapes = tables[kind as usize].points.iter().map(|p| &p.shape).chain(&corners[kind as usize]);
            for shape in shapes {
                let spot = self.spot(element, shape);
                if spot.stretch.is_nan() || spot.stretch <= 0.0 {
                    return Err(Refused::Reversed { element: e, kind, place: spot.place });
                }
            }
        }
        Ok(())
    }

    /// Groups of elements that share no node: 1 for a body in one piece.
    pub fn pieces(&self) -> usize {
        fn root(parents: &mut [u32], mut k: u32) -> u32 {
            while parents[k as usize] != k {
                parents[k as usize] = parents[parents[k as usize] as usize];
                k = parents[k as usize];
            }
            k
        }
        let mut parents: Vec<u32> = (0..self.nodes.len() as u32).collect();
        for element in &self.elements {
            let first = root(&mut parents, element.nodes()[0]);
            for node in element.nodes() {
                let other = root(&mut parents, *node);
                parents[other as usize] = first;
            }
        }
        (0..parents.len() as u32).filter(|k| parents[*k as usize] == *k).count()
    }

    /// An element at a local point.
    #[inline]
    pub(crate) fn spot(&self, element: &Element, shape: &Shape) -> Spot {
        let mut place = [0.0; 2];
        // Slopes of x and y in the local coordinates.
        let mut local = [[0.0; 2]; 2];
        for (k, node) in element.nodes().iter().enumerate() {
            let at = self.nodes[*node as usize];
            for e in 0..2 {
                place[e] += shape.values[k] * at[e];
                local[0][e] += shape.slopes[0][k] * at[e];
                local[1][e] += shape.slopes[1][k] * at[e];
            }
        }
        let stretch = local[0][0] * local[1][1] - local[0][1] * local[1][0];
        let mut slopes = [[0.0; MOST_NODES]; 2];
        for k in 0..element.kind.nodes() {
            let [a, b] = [shape.slopes[0][k], shape.slopes[1][k]];
            slopes[0][k] = (local[1][1] * a - local[0][1] * b) / stretch;
            slopes[1][k] = (local[0][0] * b - local[1][0] * a) / stretch;
        }
        Spot { place, stretch, slopes }
    }
}
