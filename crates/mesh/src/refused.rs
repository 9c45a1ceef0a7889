//! Why a mesh, a material or a place is not accepted.
use crate::element::Kind;
use std::fmt;

/// Why a mesh or a request to it is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    /// A length, a thickness or a material's number that is none, or out of its range.
    Number {
        /// What it is.
        name: &'static str,
        /// The number.
        value: f64,
        /// What was expected.
        expected: &'static str,
    },
    /// No elements at all, in one direction or in all.
    Empty,
    /// More nodes than are accepted.
    TooLarge {
        /// How many nodes the mesh would have.
        nodes: u128,
    },
    /// An element with a node that does not exist.
    Node {
        /// The element, from 0.
        element: usize,
        /// The node, from 0.
        node: usize,
    },
    /// A coordinate that is no finite number.
    Coordinate {
        /// The node, from 0.
        node: usize,
    },
    /// An element whose nodes run clockwise, or which is folded: its Jacobian is not positive.
    Reversed {
        /// The element, from 0.
        element: usize,
        /// Its kind.
        kind: Kind,
        /// A place in it where that is so.
        place: [f64; 2],
    },
    /// An element of a material that is not given.
    Material {
        /// The element, from 0.
        element: usize,
        /// The number of its material.
        material: usize,
    },
    /// A node that no element has.
    Loose {
        /// The node, from 0.
        node: usize,
    },
    /// A boundary that the mesh does not have.
    Boundary {
        /// The name that was asked for.
        name: String,
        /// Those there are.
        known: Vec<String>,
    },
    /// Lines that have a name, but are not wholly on the outside.
    Inner {
        /// The name.
        name: String,
    },
    /// A place that no element contains.
    Outside {
        /// The place.
        place: [f64; 2],
    },
    /// No node at a place.
    NoNode {
        /// The place.
        place: [f64; 2],
        /// The nearest node.
        nearest: [f64; 2],
    },
    /// A quadrature rule of no points, or of more than are accepted.
    Rule {
        /// How many points it has.
        points: usize,
    },
    /// Numbers of the wrong count.
    Size {
        /// What was needed.
        expected: usize,
        /// What came.
        found: usize,
    },
    /// A sparse system that can't be built or solved.
    Sparse(stickslip_solve::sparse::Refused),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Number { name, value, expected } => write!(f, "{name} is {value}; expected {expected}"),
            Refused::Empty => write!(f, "the mesh has no element"),
            Refused::TooLarge { nodes } => {
                write!(
                    f,
                    "the mesh would have {:.2e} nodes; at most {:.0e} are accepted",
                    *nodes as f64,
                    crate::MOST as f64
                )
            }
            Refused::Node { element, node } => write!(f, "element {element} has node {node}, which does not exist"),
            Refused::Coordinate { node } => write!(f, "a coordinate of node {node} is not a finite number"),
            Refused::Reversed { element, kind, place: [x, y] } => {
                let name = kind.name();
                write!(
                    f,
                    "element {element} ({name}) is reversed or folded at ({x}, {y}): nodes must be counterclockwise"
                )
            }
            Refused::Material { element, material } => {
                write!(f, "element {element} is of material {material}, which is not given")
            }
            Refused::Loose { node } => write!(f, "node {node} belongs to no element"),
            Refused::Boundary { name, known } => {
                write!(f, "the mesh has no boundary `{name}`; it has {}", listed(known))
            }
            Refused::Inner { name } => {
                write!(f, "the lines `{name}` of the mesh are no boundary: some are inside, or no sides of an element")
            }
            Refused::Outside { place: [x, y] } => write!(f, "no element contains the place ({x}, {y})"),
            Refused::NoNode { place: [x, y], nearest: [a, b] } => {
                write!(f, "no node is at ({x}, {y}); the nearest is at ({a}, {b})")
            }
            Refused::Rule { points } => {
                write!(f, "a Gauss rule of {points} points a side; expected 1 to {}", crate::MOST_GAUSS)
            }
            Refused::Size { expected, found } => write!(f, "{found} numbers where {expected} are needed"),
            Refused::Sparse(reason) => reason.fmt(f),
        }
    }
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

impl std::error::Error for Refused {}

impl From<stickslip_solve::sparse::Refused> for Refused {
    fn from(reason: stickslip_solve::sparse::Refused) -> Refused {
        Refused::Sparse(reason)
    }
}
