//! Analyses of Stickslip: what is asked of a model.
//!
//! One file per analysis, and one line in the list [`analysis_kinds`]. An analysis takes any model, or says before any
//! work why that combination has no meaning.
mod analysis;
mod axis;
mod combinations;
mod compare;
mod dynamics;
mod equilibrium;
mod formulas;
mod formulation;
mod model;
mod nested;
mod rigid_door;
mod start;

/// Declares the files and makes the list.
macro_rules! analysis_kinds {
    ($($file:ident;)*) => {
        $(mod $file;)*
        static KINDS: &[AnalysisKind] =
            &[$(AnalysisKind { name: $file::NAME, about: $file::ABOUT, answers: $file::ANSWERS, read: $file::read }),*];
    };
}

analysis_kinds! {
    transient;
    hysteresis;
    evaluate;
    stability;
    quasi_static;
    threshold;
    map;
    fit;
    calibrate;
    roughness;
}

/// Every analysis of the catalogue.
pub fn analysis_kinds() -> &'static [AnalysisKind] {
    KINDS
}

pub use analysis::{
    Analysis, AnalysisKind, Answer, Context, NumberAt, Numbered, Output, Over, Probe, Read, Run, UnitOf, Vary, Written,
    WrittenAt,
};
pub use compare::{COMPARED, compare, to_compare_with};
pub use evaluate::Evaluate;
pub use fit::forward;
pub use formulas::{Formula, Input, formulas};
pub use formulation::{FORMULATION_ABOUTS, FORMULATIONS, Formulation};
pub use hysteresis::Hysteresis;
pub use model::{Contact, Model, Named, Start, StartState};
pub use quasi_static::{Algorithm, QuasiStatic};
pub use transient::{Duration, Scheme, Transient, run_in_lanes};
