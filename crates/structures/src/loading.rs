//! What the drives of a scenario add up to.
use crate::signal::common_period;
use crate::{Control, Program, Signal};

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
    /// Normal force or pressure of every contact, in place of that of its normal law.
    pub normal: Option<Normal>,
    /// Motion of the base, relative to which coordinates are counted.
    pub shake: Option<Shake>,
    /// Instants at which the driver lets go.
    pub releases: Vec<Release>,
    /// The period that is given for drives whose functions do not tell it, s.
    pub given_period: Option<f64>,
    /// Loops that act on what they measure.
    pub controls: Vec<Control>,
    /// The program that the drives above were made of, or that a point is put through.
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

    /// Whether something happens at an instant: a blow, or a driver that lets go.
    pub fn is_sudden(&self) -> bool {
        !self.impulses.is_empty() || !self.releases.is_empty()
    }

    /// A typical speed of the drive: of the driver or of the surface at the start; the slowest of a program.
    pub fn speed(&self) -> Option<f64> {
        if let Some(program) = &self.program {
            return program.slowest();
        }
        let v = self.base.as_ref().or(self.surface.as_ref())?;
        Some(v.value(0.0).abs())
    }

    /// Where the diagnostics of a controller point: `rest` is a key of it.
    pub fn control_key(&self, control: usize, rest: &str) -> String {
        if self.controls.len() == 1 { format!("control.{rest}") } else { format!("control[{control}].{rest}") }
    }

    /// References of all controllers.
    pub fn references(&self) -> impl Iterator<Item = &Signal> {
        self.controls.iter().flat_map(|control| &control.channels).map(|channel| &channel.reference)
    }

    /// The common period of the drives, where they have one: the one that is given, else that of the functions themselves.
    pub fn period(&self) -> Option<f64> {
        if !self.impulses.is_empty() || self.program.is_some() {
            return None;
        }
        if self.given_period.is_some() {
            return self.given_period;
        }
        let all: Vec<&Signal> = self
            .forces
            .iter()
            .chain(self.shake.as_ref().map(|s| &s.acceleration))
            .chain(&self.base)
            .chain(&self.surface)
            .chain(&self.profile)
            .chain(self.references())
            .collect();
        common_period(&all).filter(|period| *period > 0.0)
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

/// A load that replaces that of the normal laws.
#[derive(Clone, Debug)]
pub struct Normal {
    /// From here on, s; the laws' own loads hold before.
    pub from: f64,
    /// Normal force or pressure.
    pub load: Signal,
}

/// The driver goes back at once until this part of its force is left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Release {
    /// When, s.
    pub at: f64,
    /// The part that stays.
    pub to: f64,
}

/// A base that moves.
#[derive(Clone, Debug)]
pub struct Shake {
    /// Its acceleration, m/s^2.
    pub acceleration: Signal,
    /// Part of it that each coordinate feels; empty: all of it for lengths, nothing for angles.
    pub direction: Vec<f64>,
}
