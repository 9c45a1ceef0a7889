//! Plane finite elements of Stickslip: meshes, their matrices and boundaries. Nothing here knows what friction is.
//!
//! A [`Mesh`] has nodes, elements and named boundaries; a [`Section`] says what it is made of. [`Numbering`] leaves out the
//! displacements that are held, [`Assembler`] fills stiffness and mass on one sparse pattern, [`Mesh::side_points`] are the
//! quadrature points of a boundary, and [`Mesh::displacement_rows`] and [`Mesh::stress_rows`] are fields at a place.
mod assembler;
mod boundary;
pub mod element;
mod fields;
pub mod gmsh;
mod mass;
mod material;
pub mod matrix_file;
mod mesh;
mod numbering;
mod place;
mod rectangle;
mod refused;

pub use assembler::Assembler;
pub use boundary::{MOST_GAUSS, Rule, SidePoint};
pub use element::Kind;
pub use mass::Lumping;
pub use material::{Elasticity, Material, Plane, Section};
pub use mesh::{Element, MOST, Mesh, Side};
pub use numbering::Numbering;
pub use place::{Located, Row, Stress, value};
pub use refused::Refused;
