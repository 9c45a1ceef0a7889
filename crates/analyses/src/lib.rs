//! Analyses of Stickslip: what is asked of a model.
//!
//! One file per analysis, and one line in the list [`KINDS`]. An analysis takes any model, or says before any work why that
//! combination has no meaning. The motion in time and fits have crates of their own; the catalogue of scenarios joins the lists.
use stickslip_model::AnalysisKind;

mod harmonic_balance;
mod period_map;
mod sliding;

/// Declares the files and makes the list.
macro_rules! analysis_kinds {
    ($($file:ident;)*) => {
        $(pub mod $file;)*
        /// Every analysis of this crate.
        pub const KINDS: &[AnalysisKind] = &[$($file::KIND),*];
    };
}

analysis_kinds! {
    hysteresis;
    evaluate;
    stability;
    continuation;
    hopf_curve;
    limit_cycle;
    poincare;
    frequency_response;
    backbone;
    quasi_static;
    threshold;
    map;
    calibrate;
    friction_estimate;
    compare;
    roughness;
}
