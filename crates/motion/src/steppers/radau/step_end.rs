//! What ends a step, or all of them.
use crate::transition::modes::Cause;

/// An event found in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    /// The slip velocity of a point vanishes.
    Arrives(usize),
    /// The reaction of a point reaches its hold limit, with this sign.
    Leaves(usize, f64),
    /// The normal reaction of a rigid point vanishes, or the surfaces of a compliant one part.
    Opens(usize),
    /// The gap of a rigid point vanishes, or the surfaces of a compliant one meet.
    Lands(usize),
    /// Guard number `k`, of all guards of all points, changes sign.
    Guard(usize),
}

impl Found {
    /// What it changes at a point; None for a guard.
    pub fn cause(&self) -> Option<Cause> {
        match *self {
            Found::Arrives(i) => Some(Cause::Arrives(i)),
            Found::Leaves(i, sign) => Some(Cause::Leaves(i, sign)),
            Found::Opens(i) => Some(Cause::Opens(i)),
            Found::Lands(i) => Some(Cause::Lands(i)),
            Found::Guard(_) => None,
        }
    }

    /// The number of the guard, of all guards of all points.
    pub fn guard(&self) -> Option<usize> {
        if let Found::Guard(k) = self { Some(*k) } else { None }
    }
}

/// Why the integration can't go on.
#[derive(Clone, Debug, PartialEq)]
pub struct Stopped {
    /// The last step tried.
    pub step: f64,
    /// What the law says about it.
    pub fault: Option<&'static str>,
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no step succeeds (last tried {:.1e} s)", self.step)?;
        self.fault.map_or(Ok(()), |why| write!(f, ": {why}"))
    }
}
