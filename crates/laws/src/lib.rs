//! Friction and normal laws of Stickslip: the contracts, one file per law, the one list, the conformance suite.
//!
//! A law is a value: state comes in and goes out, nothing is remembered. Its body is written once, generic over the
//! scalar; tangents come from that body by dual arithmetic. See [`Law`] for the contract and [`friction_kinds`] for the list.
extern crate self as stickslip_laws;

pub mod combine;
pub mod conformance;
mod contract;
pub mod friction;
pub mod normal;

pub use contract::{
    claims::Claims,
    group::{ContactGroup, Face, Failure, Group},
    jets::{Cubic, Jet, JetMaker, NormalJet, NormalJetMaker},
    kind::{Bound, Choice, Example, Kind, Lift, Param, Preset, Pressing, Shape, Side, Source},
    lanes::{LaneContact, LaneKinds, Laned, compatible},
    law::{Event, Friction, Inner, Law, Mode, Scale, State},
    nested::{GivenLaw, Nested},
    normal::{Impact, Normal, NormalFace, NormalGroup, NormalLaw, Press},
    parameter_laws::{DualLaw, SeededLaw, Seeding},
    registry::{FrictionKind, NormalKind},
    slide::{Slide, dot, norm},
    values::{Given, LawError, Values},
};
pub use friction::friction_kinds;
pub use normal::normal_kinds;
pub use stickslip_derive::Kind;
pub use stickslip_units::nearest;
