//! The states of a law, as its example has them.
use super::{Shown, pressing};
use stickslip_laws::{FrictionKind, NormalKind, State};

/// The states of a friction law with the parameters of its example; none without an example.
///
/// ```
/// let kind = stickslip::laws::friction_kinds().iter().find(|k| k.name == "lugre").unwrap();
/// assert_eq!(stickslip::states(kind)[0].name, "z");
/// ```
pub fn states(kind: &FrictionKind) -> Vec<State> {
    kind.example.map_or(vec![], |example| Shown { kind, example }.states())
}

/// The states of a normal law with the parameters of its example; none without an example.
pub fn normal_states(kind: &NormalKind) -> Vec<State> {
    kind.example.map_or(vec![], |example| pressing::states(kind, example))
}
