//! What ends a step, or all of them.

/// An event found in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    /// The slip velocity of a point vanishes.
    Arrives(usize),
    /// The reaction of a point reaches its hold limit.
    Leaves(usize),
    /// The normal reaction of a rigid point vanishes, or the surfaces of a compliant one part.
    Opens(usize),
    /// The gap of a rigid point vanishes, or the surfaces of a compliant one meet.
    Lands(usize),
    /// Guard number `k`, of all guards of all points, changes sign.
    Guard(usize),
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
