//! Structures, drives and functions of time: what a contact acts on and what moves it.
//!
//! A structure is M q'' + C q' + K q with named coordinates. One file per structure, drive and controller, and one line each in
//! the lists [`structure_kinds`], [`drive_kinds`] and [`control_kinds`]. The reading code of a kind is its declaration: see [`Keys`].
mod body;
mod control;
mod drives;
mod keys;
mod kinds;
mod loading;
mod program;
mod signal;
mod structure;

pub use body::{Body, Observed, Reduction, Rule};
pub use control::{Acts, Channel, Control, ControlKind, ControlState, Measured, Plant, control_kinds, read_control};
pub use drives::{DriveKind, drive_kinds};
pub use keys::{ANY_UNIT, Ask, Column, Columns, Keys, LawEntry, NamedLaw, Refused};
pub use kinds::{MOST_FULL, StructureKind, structure_kinds};
pub use loading::{Impulse, Loading, Normal, Release, Shake};
pub use program::{Moves, Program, ProgramStep};
pub use signal::{Integral, Pulse, Signal, Stretch, common_period};
pub use structure::{Edge, Group, Loads, Place, Structure, Whole};
