//! The drives: one file each, and one line in the list below.
use crate::{Keys, Loading, Refused};

/// A kind of drive.
#[derive(Clone, Copy)]
pub struct DriveKind {
    /// Name in scenarios.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Reads it and adds it to the loading of a structure with this many coordinates.
    pub read: fn(&mut dyn Keys, usize, &mut Loading) -> Result<(), Refused>,
}

macro_rules! drive_kinds {
    ($($file:ident;)*) => {
        $(mod $file;)*
        static KINDS: &[DriveKind] = &[$(DriveKind { name: $file::NAME, about: $file::ABOUT, read: $file::read }),*];
    };
}

drive_kinds! {
    belt;
    pull;
    force;
    impulse;
    program;
    profile;
}

/// Every drive of the catalogue.
pub fn drive_kinds() -> &'static [DriveKind] {
    KINDS
}
