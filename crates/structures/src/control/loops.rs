//! A loop as linear equations between what it measures and what it applies.
use crate::Signal;

/// A linear controller, with what makes a real one of it: saturation, delay, sampling.
///
/// Channels g = reference - measured; states c' = A c + B g; output u = C c + D g + E g'. A sampled loop obeys the backward
/// differences of these equations at k `sampling`, and holds its output in between.
#[derive(Clone, Debug, Default)]
pub struct Control {
    /// Name; empty where none is given.
    pub name: String,
    /// What is measured, against what.
    pub channels: Vec<Channel>,
    /// What it acts on, an entry for each output.
    pub on: Vec<Acts>,
    /// Its states.
    pub states: Vec<ControlState>,
    /// A: rates of the states in the states, row after row.
    pub a: Vec<f64>,
    /// B: rates of the states in the channels.
    pub b: Vec<f64>,
    /// C: outputs in the states.
    pub c: Vec<f64>,
    /// D: outputs in the channels.
    pub d: Vec<f64>,
    /// E: outputs in the rates of the channels.
    pub e: Vec<f64>,
    /// The state that integrates channel 0 and stops while the output is clipped.
    pub integral: Option<usize>,
    /// Largest size of each output.
    pub saturation: Option<f64>,
    /// Time by which the output is late, s.
    pub delay: f64,
    /// Time between two samples, s; None: continuous.
    pub sampling: Option<f64>,
}

/// A reference less a measured quantity.
#[derive(Clone, Debug)]
pub struct Channel {
    /// What is measured.
    pub measured: Measured,
    /// The reference.
    pub reference: Signal,
}

/// A quantity of the structure that a loop measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// A coordinate.
    Coordinate(usize),
    /// A velocity, as `rate.<name>` of the results.
    Rate(usize),
}

/// What an output acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acts {
    /// A force on a coordinate, positive where it raises the coordinate.
    Coordinate(usize),
    /// Normal force of a contact, in addition to that of its law.
    Normal(usize),
}

/// A state of a controller.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlState {
    /// Name.
    pub name: &'static str,
    /// Unit; empty where it has none of its own.
    pub unit: String,
    /// The channel whose value it has at the start; None: it starts at zero.
    pub follows: Option<usize>,
}

impl Control {
    /// Whether an output reads the rate of a channel.
    pub fn differentiates(&self) -> bool {
        self.e.iter().any(|x| *x != 0.0)
    }

    /// Whether the loop is continuous and not late: then its output is a function of the present.
    pub fn is_present(&self) -> bool {
        self.sampling.is_none() && self.delay == 0.0
    }

    /// A row of one of its matrices.
    pub fn row(matrix: &[f64], width: usize, i: usize) -> &[f64] {
        &matrix[i * width..(i + 1) * width]
    }
}
