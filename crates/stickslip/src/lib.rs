//! Stickslip: a laboratory for dynamic friction. Any friction law, on any structure, under any analysis, from one file.
//!
//! ```
//! use stickslip::prelude::*;
//! let scenario = Scenario::from_text("belt", r#"
//!     structure = { kind = "spring-block", mass = 1, stiffness = 1 }
//!     contact = { normal = { law = "constant", force = 1 }, friction = { law = "coulomb", mu_s = 0.4, mu_k = 0.25 } }
//!     drive = { kind = "belt", velocity = 0.1 }
//!     analysis = { kind = "transient", duration = { cycles = 20 } }
//! "#, &[])?;
//! let run = scenario.run(&Context::default())?;
//! let outcome = run.plain().unwrap();
//! assert_eq!(outcome.regime.as_deref(), Some("stick-slip"));
//! # Ok::<(), Diagnostics>(())
//! ```
pub mod distributed;
pub mod law_arrays;
mod signature;
pub mod stepping;
pub mod store;

pub use signature::{Signature, normal_signature, normal_states, normal_usage, signature, states, usage};
pub use stickslip_data as data;
pub use stickslip_formula as formula;
pub use stickslip_gallery as gallery;
pub use stickslip_laws as laws;
pub use stickslip_real as real;
pub use stickslip_report as report;
pub use stickslip_scenario as scenario;
pub use stickslip_solve as solve;
pub use stickslip_structures as structures;
pub use stickslip_units as units;

/// What is asked of a model: the contract of an analysis, every analysis as a type, and the catalogue of them.
pub mod analyses {
    pub use stickslip_analyses::evaluate::Evaluate;
    pub use stickslip_analyses::hysteresis::Hysteresis;
    pub use stickslip_analyses::quasi_static::{Algorithm, QuasiStatic};
    pub use stickslip_fit::forward;
    pub use stickslip_formulas::{Formula, Input, formulas};
    pub use stickslip_model::*;
    pub use stickslip_motion::{Duration, Family, Halt, Part, Scheme, Transient, run_in_lanes};
    pub use stickslip_scenario::analysis_kinds;
}

/// Where motions end, with derivatives in parameters and in their start.
pub mod flow {
    pub use stickslip_dynamics::ParameterEntry;
    pub use stickslip_motion::{
        About, Cause, FlowCause, FlowEnd, FlowEvent, FlowStart, Lost, Parameters, Section, Seeds, Until, flow, ways,
    };
}

/// What most programs need.
pub mod prelude {
    pub use stickslip_data::{Dataset, Outcome, Status, Value};
    pub use stickslip_model::{Analysis, Context, Model, Run};
    pub use stickslip_scenario::{Catalogue, Diagnostics, Scenario};
}
