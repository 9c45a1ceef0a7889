//! The friction laws: one file each, and one line in the list below.
#[cfg(target_arch = "x86_64")]
use crate::LaneKinds;
use crate::{Cubic, FrictionKind};
use stickslip_real::Dual;
#[cfg(target_arch = "x86_64")]
use stickslip_real::Logged;
#[cfg(target_arch = "x86_64")]
use stickslip_real::lanes::{Avx2, Avx512, Lanes};

/// Adds the constructors of lanes where the machine has vectors.
macro_rules! in_lanes {
    ($kind:ident, $entry:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            type Wide<V> = $kind<Logged<Lanes<V>>>;
            type Tangent<V> = $kind<Dual<4, Lanes<V>>>;
            $entry.with_lanes(LaneKinds::new::<Wide<Avx512>, Tangent<Avx512>, Wide<Avx2>, Tangent<Avx2>>())
        }
        #[cfg(not(target_arch = "x86_64"))]
        $entry
    }};
}

/// Declares the files and makes the list. Flag `plane`: the law works in two directions too; `lanes`: its body runs on
/// several models at once.
macro_rules! friction_kinds {
    ($($file:ident :: $kind:ident $(: $($flag:ident)+)?;)*) => {
        $(
            mod $file;
            pub use $file::$kind;
        )*
        static KINDS: &[FrictionKind] = &[$(friction_kinds!(@entry $kind $($($flag)+)?)),*];
    };
    (@entry $kind:ident) => { FrictionKind::line::<$kind<f64>, $kind<Dual<4>>>().with_line_jet::<$kind<Cubic>>() };
    (@entry $kind:ident plane) => {
        FrictionKind::plane::<$kind<f64>, $kind<Dual<4>>>().with_plane_jet::<$kind<Cubic>>()
    };
    (@entry $kind:ident plane lanes) => { in_lanes!($kind, friction_kinds!(@entry $kind plane)) };
}

friction_kinds! {
    coulomb::Coulomb: plane;
    stribeck::Stribeck: plane;
    exponential::Exponential: plane;
    humped::Humped: plane;
    two_branch::TwoBranch: plane;
    dwell::Dwell: plane;
    dwell_power::DwellPower: plane;
    dwell_exponential::DwellExponential: plane;
    dwell_stretched::DwellStretched: plane;
    dwell_log::DwellLog: plane;
    loading_rate::LoadingRate: plane;
    static_kinetic::StaticKinetic: plane;
    slip_weakening::SlipWeakening: plane;
    junction::Junction: plane;
    approach_power::ApproachPower: plane;
    armstrong::Armstrong: plane;
    lugre::LuGre: plane lanes;
    rate_state::RateState: plane lanes;
    thermal_creep::ThermalCreep: plane;
    subloading::Subloading: plane;
    dahl::Dahl: plane;
    bouc_wen::BoucWen: plane;
    reset_integrator::ResetIntegrator;
    bristle::Bristle;
    rice::Rice: plane;
    maxwell::Maxwell: plane;
    prandtl_tomlinson::PrandtlTomlinson;
    nonlocal::Nonlocal: plane;
    jenkins::Jenkins: plane;
    iwan::Iwan: plane;
    iwan_series::IwanSeries;
    iwan_distributed::IwanDistributed;
    mindlin::Mindlin;
    menq_griffin::MenqGriffin;
    table::Table: plane;
    formula::Written: plane;
    lagged::Lagged: plane;
    noisy::Noisy: plane;
    prakash_clifton::PrakashClifton: plane;
}

pub use rate_state::AgeingContacts;
pub use subloading::Surface;

/// Every friction law of the catalogue.
pub fn friction_kinds() -> &'static [FrictionKind] {
    KINDS
}
