//! The drives: one file each, and one line in the list below.
use crate::{Ask, Keys, Loading, Refused};

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

impl DriveKind {
    /// Reads a drive with what all drives may have, and adds it to the loading of a structure with this many coordinates.
    pub fn add(&self, keys: &mut dyn Keys, size: usize, loading: &mut Loading) -> Result<(), Refused> {
        (self.read)(keys, size, loading)?;
        if !keys.has("period") {
            return Ok(());
        }
        let about = "Period of all drives together, where their functions do not tell it";
        let period = keys.number(Ask::new("period", "s", about).above(0.0))?;
        if loading.given_period.is_some_and(|other| other != period) {
            let e = keys.refuse("period", "drive::period", "two drives give different periods".into());
            return Err(e.expected("the period of all drives together"));
        }
        loading.given_period = Some(period);
        Ok(())
    }
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
    base;
}

/// Every drive of the catalogue.
pub fn drive_kinds() -> &'static [DriveKind] {
    KINDS
}
