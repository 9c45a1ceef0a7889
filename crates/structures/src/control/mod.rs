//! Controllers: the loops of a scenario, one file a kind and one line each in the list below.
mod common;
mod loops;
mod names;
mod plant;

pub use common::read_control;
pub use loops::{Acts, Channel, Control, ControlState, Measured};
pub use plant::Plant;

use crate::{Keys, Refused};

/// A kind of controller.
#[derive(Clone, Copy)]
pub struct ControlKind {
    /// Name in scenarios.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Reads what is its own: the keys that all controllers share come first.
    pub read: fn(&mut dyn Keys, &Plant) -> Result<Control, Refused>,
}

macro_rules! control_kinds {
    ($($file:ident;)*) => {
        $(mod $file;)*
        static KINDS: &[ControlKind] = &[$(ControlKind { name: $file::NAME, about: $file::ABOUT, read: $file::read }),*];
    };
}

control_kinds! {
    pid;
    state_feedback;
    transfer;
}

/// Every controller of the catalogue.
pub fn control_kinds() -> &'static [ControlKind] {
    KINDS
}
