//! The normal laws: one file each, and one line in the list below.
use crate::{Cubic, NormalKind};
use stickslip_real::{Dual, Real};

macro_rules! normal_kinds {
    ($($file:ident :: $kind:ident;)*) => {
        $(
            mod $file;
            pub use $file::$kind;
        )*
        static KINDS: &[NormalKind] =
            &[$(NormalKind::of::<$kind<f64>, $kind<Dual<4>>>().with_jet::<$kind<Cubic>>()),*];
    };
}

normal_kinds! {
    constant::Constant;
    weight::Weight;
    prescribed::Prescribed;
    power::Power;
    rigid::Rigid;
    linear::Linear;
    exponential_pressure::ExponentialPressure;
    elastic_plastic::ElasticPlastic;
    greenwood_williamson::GreenwoodWilliamson;
    tsukizoe_hisakado::TsukizoeHisakado;
    bush_gibson_thomas::BushGibsonThomas;
    hertz::Hertz;
    jkr::Jkr;
    dmt::Dmt;
    anderson_ferri::AndersonFerri;
}

/// Every normal law of the catalogue.
pub fn normal_kinds() -> &'static [NormalKind] {
    KINDS
}

/// Standard deviations at which a Gaussian, and decay lengths at which an exponential, is zero in floating point.
const NO_GAUSSIAN: f64 = 40.0;
const NO_EXPONENTIAL: f64 = 750.0;

/// The Tabor parameter: elastic deformation by adhesion over the range of the surface forces.
fn tabor<S: Real>(radius: S, work: S, modulus: S, range: S) -> S {
    (radius * work * work / (modulus * modulus * range * range * range)).powf(1.0 / 3.0)
}
