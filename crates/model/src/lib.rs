//! What is asked, and of what: models, formulations, the contract of an analysis.
pub mod axis;
pub mod nested;

mod alternatives;
mod analysis;
mod compare;
mod difference;
mod formulation;
mod lens;
mod model;

pub use alternatives::{Alternative, Alternatives, Replacement, Replacements};
pub use analysis::{
    Analysis, AnalysisKind, Answer, Context, NumberAt, Numbered, Output, Over, Probe, Read, Run, Spectrum, UnitOf,
    Vary, Written, WrittenAt,
};
pub use compare::{COMPARED, compare, to_compare_with};
pub use difference::difference;
pub use formulation::{FORMULATION_ABOUTS, FORMULATIONS, Formulation};
pub use lens::{Lens, Patches, Varying};
pub use model::{Contact, Model, Named, Start, StartState, contact_key};
