//! What an oracle needs of a scenario.
use super::law::has_law;
use stickslip::laws::{FrictionKind, NormalKind};
use stickslip::structures::{DriveKind, StructureKind};

/// What an oracle needs of a scenario.
pub struct Wish {
    /// Analysis.
    pub analysis: &'static str,
    /// Friction laws that will do.
    pub law: fn(&FrictionKind) -> bool,
    /// Laws inside laws that will do.
    pub inner: fn(&FrictionKind) -> bool,
    /// Normal laws that will do.
    pub normal: fn(&NormalKind) -> bool,
    /// Structures that will do.
    pub structure: fn(&StructureKind) -> bool,
    /// Drives that will do.
    pub drive: fn(&DriveKind) -> bool,
    /// Formulations that will do.
    pub formulation: fn(&str) -> bool,
    /// More than one contact.
    pub several: bool,
    /// More than one drive.
    pub drives: bool,
    /// Another start than rest.
    pub start: bool,
}

impl Default for Wish {
    fn default() -> Self {
        Wish {
            analysis: "transient",
            law: |_| true,
            inner: |k| {
                k.claims.set_valued && k.claims.memoryless && !has_law(k) && !k.claims.traction && !k.claims.force_rate
            },
            normal: |_| true,
            structure: |k| k.name != "point",
            drive: |_| true,
            formulation: |_| true,
            several: true,
            drives: true,
            start: true,
        }
    }
}

impl Wish {
    /// A law alone, put through a program.
    pub fn point() -> Wish {
        let structure = |k: &StructureKind| k.name == "point";
        let drive = |k: &DriveKind| k.name == "program";
        Wish {
            analysis: "hysteresis",
            structure,
            drive,
            formulation: |f| f == "exact",
            drives: false,
            ..Wish::default()
        }
    }

    /// One block and one contact under a load that stays, exact, from rest.
    pub fn simple() -> Wish {
        Wish {
            normal: |k| k.name == "constant",
            structure: |k| k.name == "spring-block",
            formulation: |f| f == "exact",
            several: false,
            drives: false,
            start: false,
            ..Wish::default()
        }
    }
}
