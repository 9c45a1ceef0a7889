//! What the drives of a scenario add up to.
use crate::Signal;

/// Sum of all drives.
#[derive(Clone, Debug, Default)]
pub struct Loading {
    /// Force on each coordinate, N.
    pub forces: Vec<Signal>,
    /// Blows, in any order.
    pub impulses: Vec<Impulse>,
    /// Velocity of the driver that pulls, m/s.
    pub base: Option<Signal>,
    /// Velocity of the surface, m/s.
    pub surface: Option<Signal>,
    /// Height of the surface, m.
    pub profile: Option<Signal>,
    /// What a point without inertia is put through.
    pub program: Option<Program>,
}

impl Loading {
    /// Adds a velocity or a height to one that may be there already.
    pub fn add(slot: &mut Option<Signal>, more: Signal) {
        *slot = Some(match slot.take() {
            None => more,
            Some(old) => Signal::Sum(vec![old, more]),
        });
    }

    /// A typical speed of the drive: of the driver or of the surface at the start.
    pub fn speed(&self) -> Option<f64> {
        let v = self.base.as_ref().or(self.surface.as_ref())?;
        Some(v.value(0.0).abs())
    }

    /// The common period of the forces, where they have one.
    pub fn period(&self) -> Option<f64> {
        if !self.impulses.is_empty() {
            return None;
        }
        let mut found = None;
        for signal in self.forces.iter().chain(&self.base).chain(&self.surface).chain(&self.profile) {
            match (signal.period(), found) {
                (None, _) => return None,
                (Some(0.0), _) => {}
                (Some(p), None) => found = Some(p),
                (Some(p), Some(q)) if p == q => {}
                _ => return None,
            }
        }
        found
    }
}

/// A jump of the momentum.
#[derive(Clone, Debug, PartialEq)]
pub struct Impulse {
    /// When, s.
    pub at: f64,
    /// Of each coordinate, N s.
    pub momentum: Vec<f64>,
}

/// A list of steps for a point.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The steps, one after the other.
    pub steps: Vec<ProgramStep>,
}

/// One step of a program.
#[derive(Clone, Debug)]
pub enum ProgramStep {
    /// Slide a distance at a velocity (the sign of the velocity gives the direction).
    Slide {
        /// Distance, m.
        distance: f64,
        /// Velocity, m/s.
        velocity: f64,
    },
    /// Unload at once and elastically, to this part of the friction force.
    Unload {
        /// The part that stays.
        to: f64,
    },
    /// Hold still.
    Hold {
        /// For so long, s.
        duration: f64,
    },
    /// Move to and fro: u = amplitude sin(2 pi frequency t).
    Cycle {
        /// Amplitude, m.
        amplitude: f64,
        /// Cycles per second.
        frequency: f64,
        /// How many cycles.
        count: f64,
    },
    /// Follow a velocity in each direction.
    Velocity {
        /// One function of the step's own time for each direction.
        velocity: Vec<Signal>,
        /// For so long, s.
        duration: f64,
    },
    /// Change the normal force (or pressure) while standing still.
    Normal {
        /// A function of the step's own time.
        force: Signal,
        /// For so long, s.
        duration: f64,
    },
    /// Follow a friction force.
    Force {
        /// A function of the step's own time.
        force: Signal,
        /// For so long, s.
        duration: f64,
    },
    /// Turn the contact frame.
    Spin {
        /// rad/s.
        rate: f64,
        /// For so long, s.
        duration: f64,
    },
}
