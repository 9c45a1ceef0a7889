//! The normal laws: one file each, and one line in the list below.
use crate::NormalKind;
use stickslip_real::Dual;

macro_rules! normal_kinds {
    ($($file:ident :: $kind:ident;)*) => {
        $(
            mod $file;
            pub use $file::$kind;
        )*
        static KINDS: &[NormalKind] = &[$(NormalKind::of::<$kind<f64>, $kind<Dual<4>>>()),*];
    };
}

normal_kinds! {
    constant::Constant;
    weight::Weight;
    prescribed::Prescribed;
    power::Power;
    rigid::Rigid;
}

/// Every normal law of the catalogue.
pub fn normal_kinds() -> &'static [NormalKind] {
    KINDS
}
