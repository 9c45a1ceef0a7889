//! The friction laws: one file each, and one line in the list below.
use crate::FrictionKind;
use stickslip_real::Dual;

/// Declares the files and makes the list. Flag `plane`: the law works in two directions too.
macro_rules! friction_kinds {
    ($($file:ident :: $kind:ident $(: $flag:ident)?;)*) => {
        $(
            mod $file;
            pub use $file::$kind;
        )*
        static KINDS: &[FrictionKind] = &[$(friction_kinds!(@entry $kind $($flag)?)),*];
    };
    (@entry $kind:ident) => { FrictionKind::line::<$kind<f64>, $kind<Dual<4>>>() };
    (@entry $kind:ident plane) => { FrictionKind::plane::<$kind<f64>, $kind<Dual<4>>>() };
}

friction_kinds! {
    coulomb::Coulomb: plane;
    stribeck::Stribeck: plane;
    exponential::Exponential: plane;
    dwell::Dwell: plane;
    lugre::LuGre: plane;
    rate_state::RateState: plane;
    subloading::Subloading: plane;
    jenkins::Jenkins: plane;
    table::Table: plane;
    formula::Written: plane;
}

pub use rate_state::AgeingContacts;
pub use subloading::Surface;

/// Every friction law of the catalogue.
pub fn friction_kinds() -> &'static [FrictionKind] {
    KINDS
}
