//! The structures: one file each, and one line in the list below.
use crate::{Keys, Loading, Refused, Structure};

/// A kind of structure.
#[derive(Clone, Copy)]
pub struct StructureKind {
    /// Name in scenarios.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Reads it; what drives it is known already.
    pub read: fn(&mut dyn Keys, &Loading) -> Result<Structure, Refused>,
    /// Number of coordinates, read before the drives, whose forces need it.
    pub size: fn(&mut dyn Keys) -> Result<usize, Refused>,
}

macro_rules! structure_kinds {
    ($($file:ident;)*) => {
        $(mod $file;)*
        static KINDS: &[StructureKind] = &[$(StructureKind { name: $file::NAME, about: $file::ABOUT, read: $file::read, size: $file::size }),*];
    };
}

structure_kinds! {
    spring_block;
    lumped;
    chain;
    cyclic;
    point;
    rigid_block;
    body;
    reduced;
}

pub use body::MOST_FULL;

/// Every structure of the catalogue.
pub fn structure_kinds() -> &'static [StructureKind] {
    KINDS
}
