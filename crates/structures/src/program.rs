//! Programs: lists of steps that a point or a structure is put through.
use crate::{Loading, Normal, Release, Signal};
use std::f64::consts::{FRAC_PI_2, TAU};

/// A function that ends within this part of its extent from where it began has come back.
const CLOSED: f64 = 1e-6;
/// Instants at which the extent of a function is looked at.
const SAMPLES: u32 = 64;

/// A list of steps.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The steps, one after the other.
    pub steps: Vec<ProgramStep>,
    /// What they move, on a structure with inertia.
    pub moves: Moves,
}

/// What a program moves on a structure with inertia.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Moves {
    /// The far end of the spring.
    #[default]
    Driver,
    /// The surface under the contacts.
    Surface,
}

/// One step of a program. Functions are of the step's own time.
#[derive(Clone, Debug)]
pub enum ProgramStep {
    /// Slide a distance at a velocity (the sign of the velocity gives the direction).
    Slide {
        /// Distance, m.
        distance: f64,
        /// Velocity, m/s.
        velocity: f64,
    },
    /// Unload at once and elastically, to this part of the force.
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
    /// Load to and fro: F = amplitude sin(2 pi frequency t).
    ForceCycle {
        /// Amplitude, N or Pa.
        amplitude: f64,
        /// Cycles per second.
        frequency: f64,
        /// How many cycles.
        count: f64,
    },
    /// Follow a velocity in each direction.
    Velocity {
        /// One function for each direction.
        velocity: Vec<Signal>,
        /// For so long, s.
        duration: f64,
    },
    /// Follow a displacement, counted from where the step begins.
    Displacement {
        /// Displacement; only its changes count.
        displacement: Signal,
        /// For so long, s.
        duration: f64,
    },
    /// Follow a force.
    Force {
        /// Force.
        force: Signal,
        /// For so long, s.
        duration: f64,
    },
    /// Another step while the contact frame turns.
    Spun {
        /// rad/s.
        rate: f64,
        /// What happens in the frame, in fixed directions.
        step: Box<ProgramStep>,
    },
    /// Another step while the normal force (or pressure) follows a function; its last value stays.
    Loaded {
        /// Normal force.
        normal: Signal,
        /// What happens under it.
        step: Box<ProgramStep>,
    },
}

impl ProgramStep {
    /// How long it lasts, s.
    pub fn duration(&self) -> f64 {
        match self {
            ProgramStep::Slide { distance, velocity } => distance / velocity.abs(),
            ProgramStep::Unload { .. } => 0.0,
            ProgramStep::Cycle { frequency, count, .. } | ProgramStep::ForceCycle { frequency, count, .. } => {
                count / frequency
            }
            ProgramStep::Hold { duration }
            | ProgramStep::Velocity { duration, .. }
            | ProgramStep::Displacement { duration, .. }
            | ProgramStep::Force { duration, .. } => *duration,
            ProgramStep::Spun { step, .. } | ProgramStep::Loaded { step, .. } => step.duration(),
        }
    }

    /// The step without its load and its spin, and the load.
    pub fn parts(&self) -> (&ProgramStep, Option<&Signal>) {
        match self {
            ProgramStep::Loaded { normal, step } => (step.parts().0, Some(normal)),
            ProgramStep::Spun { step, .. } => step.parts(),
            step => (step, None),
        }
    }

    /// The spin of the contact frame, rad/s, where the step gives one.
    pub fn spin(&self) -> Option<f64> {
        match self {
            ProgramStep::Spun { rate, .. } => Some(*rate),
            ProgramStep::Loaded { step, .. } => step.spin(),
            _ => None,
        }
    }

    /// The velocity that it follows in each direction; None where it follows a force, or lets go.
    pub fn velocity(&self) -> Option<Vec<Signal>> {
        match self {
            ProgramStep::Slide { velocity, .. } => Some(vec![Signal::Constant(*velocity)]),
            ProgramStep::Hold { .. } => Some(vec![Signal::ZERO]),
            ProgramStep::Cycle { amplitude, frequency, .. } => {
                let omega = TAU * frequency;
                Some(vec![Signal::Sine { amplitude: amplitude * omega, omega, phase: FRAC_PI_2 }])
            }
            ProgramStep::Velocity { velocity, .. } => Some(velocity.clone()),
            ProgramStep::Displacement { displacement, .. } => Some(vec![Signal::Rate(Box::new(displacement.clone()))]),
            ProgramStep::Spun { step, .. } | ProgramStep::Loaded { step, .. } => step.velocity(),
            ProgramStep::Unload { .. } | ProgramStep::Force { .. } | ProgramStep::ForceCycle { .. } => None,
        }
    }

    /// The force that it follows.
    pub fn force(&self) -> Option<Signal> {
        match self {
            ProgramStep::Force { force, .. } => Some(force.clone()),
            ProgramStep::ForceCycle { amplitude, frequency, .. } => {
                Some(Signal::Sine { amplitude: *amplitude, omega: TAU * frequency, phase: 0.0 })
            }
            ProgramStep::Spun { step, .. } | ProgramStep::Loaded { step, .. } => step.force(),
            _ => None,
        }
    }

    /// Whether it moves or loads what it drives: not a hold, an unloading or a turn of the frame.
    pub fn drives(&self) -> bool {
        match self.parts().0 {
            ProgramStep::Unload { .. } | ProgramStep::Hold { .. } => false,
            ProgramStep::Velocity { velocity, .. } => velocity.iter().any(|v| !v.is_constant() || v.value(0.0) != 0.0),
            _ => true,
        }
    }

    /// The length of a cycle and their number, where it goes to and fro.
    pub fn cycles(&self) -> Option<(f64, f64)> {
        let period = match self.parts().0 {
            ProgramStep::Cycle { frequency, count, .. } | ProgramStep::ForceCycle { frequency, count, .. } => {
                return Some((1.0 / frequency, *count));
            }
            ProgramStep::Displacement { displacement, .. } => displacement.written_period(),
            ProgramStep::Force { force, .. } => force.written_period(),
            ProgramStep::Velocity { velocity, .. } if velocity.len() == 1 => velocity[0].written_period(),
            _ => None,
        };
        match period.filter(|p| *p > 0.0 && *p <= self.duration()) {
            Some(period) => Some((period, self.duration() / period)),
            None => self.returns().then_some((self.duration(), 1.0)),
        }
    }

    /// Whether a displacement or a force that changes ends where it began: that is a cycle.
    fn returns(&self) -> bool {
        let (ProgramStep::Displacement { displacement: x, duration } | ProgramStep::Force { force: x, duration }) =
            self.parts().0
        else {
            return false;
        };
        let off = |k: u32| (x.value(duration * f64::from(k) / f64::from(SAMPLES)) - x.value(0.0)).abs();
        off(SAMPLES) <= CLOSED * (0..SAMPLES).map(off).fold(0.0, f64::max) && !x.is_constant()
    }
}

impl Program {
    /// When each step starts, and the end of the last, s.
    pub fn times(&self) -> Vec<f64> {
        let mut times = vec![0.0];
        self.steps.iter().for_each(|s| times.push(times[times.len() - 1] + s.duration()));
        times
    }

    /// Whether it gives forces instead of motions.
    pub fn is_forced(&self) -> bool {
        self.steps.iter().any(|s| s.force().is_some())
    }

    /// The slowest speed of its steps at their starts; None where none has one.
    pub fn slowest(&self) -> Option<f64> {
        let speeds = self.steps.iter().filter_map(|s| Some(s.velocity()?.first()?.value(0.0).abs()));
        let slowest = speeds.filter(|v| *v > 0.0).fold(f64::INFINITY, f64::min);
        slowest.is_finite().then_some(slowest)
    }

    /// What its steps add up to on a structure with inertia, or why they make no sense there.
    pub fn drive(&self, size: usize, loading: &mut Loading) -> Result<(), String> {
        let times = self.times();
        let forced = self.is_forced();
        let (mut driven, mut load) = (vec![], vec![]);
        for (k, step) in self.steps.iter().enumerate() {
            let (start, lasts) = (times[k], times[k + 1] > times[k]);
            if let Some(normal) = step.parts().1 {
                load.push((start, normal.clone()));
                // What follows is under the last value.
                load.push((times[k + 1], Signal::Constant(normal.value(step.duration()))));
            }
            if step.spin().is_some() {
                return Err("a spinning frame is for a point in two directions".into());
            }
            match step.parts().0 {
                ProgramStep::Velocity { velocity, .. } if velocity.len() > 1 => {
                    return Err("a structure is driven in one direction".into());
                }
                ProgramStep::Unload { .. } if self.moves == Moves::Surface => {
                    return Err("a surface has no spring that could let go: `unload` needs a driver".into());
                }
                ProgramStep::Unload { to } if !forced => loading.releases.push(Release { at: start, to: *to }),
                other if forced && other.force().is_none() => {
                    return Err("a structure under given forces can't be moved at the same time: \
                                every step must be a force"
                        .into());
                }
                other => {
                    let signal = other.force().or_else(|| other.velocity()?.into_iter().next());
                    driven.extend(signal.filter(|_| lasts).map(|s| (start, s)));
                }
            }
        }
        let driven = pieces(driven);
        match self.moves {
            _ if forced => {
                loading.forces.resize(size, Signal::ZERO);
                loading.forces[0] = Signal::Sum(vec![loading.forces[0].clone(), driven]);
            }
            Moves::Driver => Loading::add(&mut loading.base, driven),
            Moves::Surface => Loading::add(&mut loading.surface, driven),
        }
        if let Some((from, _)) = load.first() {
            loading.normal = Some(Normal { from: *from, load: pieces(load) });
        }
        Ok(())
    }
}

/// One function after the other; of two at the same time the later holds.
fn pieces(list: Vec<(f64, Signal)>) -> Signal {
    let (mut starts, mut parts): (Vec<f64>, Vec<Signal>) = (vec![], vec![]);
    for (start, part) in list {
        if starts.last() == Some(&start) {
            parts.pop();
            starts.pop();
        }
        starts.push(start);
        parts.push(part);
    }
    match parts.len() {
        0 => Signal::ZERO,
        1 if starts[0] == 0.0 => parts.remove(0),
        _ => Signal::Pieces { starts, parts },
    }
}
