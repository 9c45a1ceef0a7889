//! Sparse matrices: one shared pattern for mass, damping and stiffness, their assembly, and a direct solver.
//!
//! [`Pattern`] says where the entries are, [`Matrix`] holds the numbers, [`Assembly`] refills them, [`Symbolic`] is what a
//! factorisation knows before it sees a number, and [`Lu`] is the factorisation: multifrontal, on the symmetric pattern.
mod assembly;
mod inertia;
mod lu;
mod matrix;
mod order;
mod pattern;
mod refused;
mod scalar;
mod small;
mod symbolic;

pub use assembly::Assembly;
pub use inertia::{Inertia, inertia};
pub use lu::{Accuracy, Lu};
pub use matrix::Matrix;
pub use order::Order;
pub use pattern::Pattern;
pub use refused::Refused;
pub(crate) use scalar::vectorised;
pub use scalar::{Complex, Scalar};
pub use small::{Sparse, Tridiagonal};
pub use symbolic::Symbolic;
