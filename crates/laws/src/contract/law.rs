//! The friction law.
use super::claims::Claims;
use super::slide::Slide;
use super::values::LawError;
use std::borrow::Cow;
use stickslip_formula::Formula;
use stickslip_real::Real;

/// Mode of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// No slip: friction is a reaction.
    Stick,
    /// Slip with positive velocity (in two directions: any slip).
    Forward,
    /// Slip with negative velocity.
    Backward,
    /// No contact.
    Open,
}

impl Mode {
    /// Names of all modes, in the order of their numbers.
    pub const NAMES: &'static [&'static str] = &["stick", "slip+", "slip-", "open"];

    /// The name used in results.
    pub fn name(self) -> &'static str {
        Mode::NAMES[self as usize]
    }

    /// Direction of slip: 1, -1 or 0.
    pub fn sign(self) -> f64 {
        match self {
            Mode::Forward => 1.0,
            Mode::Backward => -1.0,
            Mode::Stick | Mode::Open => 0.0,
        }
    }

    /// The slip mode of a direction; stick for zero. (`f64::signum(0.0)` is 1.0: not to be used for this.)
    pub fn slipping(direction: f64) -> Mode {
        if direction > 0.0 {
            Mode::Forward
        } else if direction < 0.0 {
            Mode::Backward
        } else {
            Mode::Stick
        }
    }
}

/// What a friction law answers. Its variant is the flavour.
#[derive(Clone, Copy, Debug)]
pub enum Friction<S, const D: usize> {
    /// Set-valued: |F| <= hold at rest, F = strength along the slip velocity in slip.
    Cone {
        /// Largest force that stick can hold.
        hold: S,
        /// Friction force in slip.
        strength: S,
    },
    /// Single-valued; positive resists positive velocity.
    Force([S; D]),
}

/// The variable in which a quantity is smooth: solvers work in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// The quantity itself, whose magnitude is about this.
    Linear(f64),
    /// Its logarithm: positive over decades.
    Log,
    /// asinh(x / c): either sign, over decades beyond the scale c.
    Asinh(f64),
}

/// A state variable of a law.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Name, as in `start.states`.
    pub name: String,
    /// Unit.
    pub unit: Cow<'static, str>,
    /// Value at the start unless the scenario gives another.
    pub start: f64,
    /// The variable in which it is smooth.
    pub scale: Scale,
    /// The direction whose component it is: it then turns and reverses with the velocity, and is carried along by a
    /// contact that turns. The components of a vector follow one another. None: a scalar.
    pub axis: Option<usize>,
    /// Whether it changes at events alone: its rate is zero, and solvers leave it out.
    pub held: bool,
    /// What it is, in words.
    pub about: &'static str,
}

impl State {
    /// A state with these properties.
    pub fn new(name: impl Into<String>, unit: impl Into<Cow<'static, str>>, start: f64, scale: Scale) -> State {
        State { name: name.into(), unit: unit.into(), start, scale, axis: None, held: false, about: "" }
    }

    /// The same, which changes at events alone.
    pub fn held(self) -> State {
        State { held: true, ..self }
    }

    /// The same, with words that say what it is.
    pub fn means(self, about: &'static str) -> State {
        State { about, ..self }
    }

    /// The D components of a vector, zero at the start; named `name`, or `name_1`, `name_2` in two directions; and what
    /// it is, in words.
    pub fn vector<const D: usize>(name: &str, unit: &'static str, magnitude: f64, about: &'static str) -> Vec<State> {
        let one = |i: usize| {
            let name = if D == 1 { name.to_string() } else { format!("{name}_{}", i + 1) };
            State { axis: Some(i), ..State::new(name, unit, 0.0, Scale::Linear(magnitude)).means(about) }
        };
        (0..D).map(one).collect()
    }
}

/// Something that happens at an instant, reported to the law so that it may change its state.
#[derive(Clone, Copy, Debug)]
pub enum Event<S> {
    /// The contact is looked at for the first time: states that begin at what it meets there take it over.
    Start,
    /// The contact enters a mode.
    Enter(Mode),
    /// The normal force jumps.
    Load {
        /// Before.
        from: S,
        /// After.
        to: S,
    },
    /// A drive has a jump or a corner: the slip speed jumps by this much, and its rate may jump. Reported in slip alone, and only
    /// to laws that claim `acceleration`.
    Jump {
        /// The speed after it less that before it.
        by: S,
    },
    /// Guard number i changed sign.
    Guard(usize),
}

/// Which of a law's own inner elements stick: one bit each; and, in one direction, which of the others slide backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Inner {
    sticks: u64,
    backward: u64,
    /// Whether an integrator must keep it between events.
    pub held: bool,
}

impl Inner {
    /// The most elements that a law may have.
    pub const MOST: usize = 64;

    /// One element that sticks; an integrator must keep it in this mode between events.
    pub fn stuck() -> Inner {
        Inner { sticks: 1, backward: 0, held: true }
    }

    /// One element that slides, likewise: backwards, or forwards (as is said of any slide in two directions).
    pub fn sliding(backward: bool) -> Inner {
        Inner { sticks: 0, backward: u64::from(backward), held: true }
    }

    /// One element whose states tell at any time whether it sticks.
    pub fn shown(sticks: bool) -> Inner {
        Inner { sticks: u64::from(sticks), backward: 0, held: false }
    }

    /// The elements of laws in a row, the first first; only the first of each counts.
    pub fn row(elements: impl Iterator<Item = Inner>) -> Inner {
        let none = Inner { sticks: 0, backward: 0, held: false };
        elements.take(Inner::MOST).enumerate().fold(none, |row, (i, e)| Inner {
            sticks: row.sticks | (e.sticks & 1) << i,
            backward: row.backward | (e.backward & 1) << i,
            held: row.held || e.held,
        })
    }

    /// Element i alone.
    pub fn part(self, i: usize) -> Inner {
        Inner { sticks: self.sticks >> i & 1, backward: self.backward >> i & 1, held: self.held }
    }

    /// Whether any element sticks: a law without one slides as a whole.
    pub fn any(self) -> bool {
        self.sticks != 0
    }

    /// -1 for one element that slides backwards, 1 otherwise.
    pub fn sign(self) -> f64 {
        if self.backward & 1 == 1 { -1.0 } else { 1.0 }
    }
}

/// A friction law at a point, in D directions.
pub trait Law<S: Real, const D: usize>: Send + Sync {
    /// Friction and the rates of the states. `dz` is right at rest too: surfaces heal while they stick.
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D>;

    /// The states of the law; none by default.
    fn states(&self) -> Vec<State> {
        vec![]
    }

    /// The variable in which the slip velocity is smooth.
    fn velocity_scale(&self) -> Scale {
        Scale::Linear(1.0)
    }

    /// Speed, m/s, below which the law is linear at these states: where an asinh scale of the velocity belongs. None: it does
    /// not move with the states.
    fn rest_speed(&self, _z: &[S]) -> Option<S> {
        None
    }

    /// A return map over a step, for laws with memory that jumps; pure in `z0`. `dz` is room. None: the rates serve.
    fn step(&self, _at: &Slide<S, D>, _dt: S, _z0: &[S], _z1: &mut [S], _dz: &mut [S]) -> Option<[S; D]> {
        None
    }

    /// Functions whose sign change makes the rates jump or the state change; the same number at every call.
    fn guards(&self, _at: &Slide<S, D>, _z: &[S], _g: &mut Vec<S>) {}

    /// Changes the states at an event.
    fn on(&self, _event: Event<S>, _at: &Slide<S, D>, _z: &mut [S]) {}

    /// Elastic energy stored in the states, J.
    fn stored(&self, _at: &Slide<S, D>, _z: &[S]) -> S {
        S::zero()
    }

    /// Which of the law's own inner elements stick (Jenkins and its relatives); None for laws without any.
    fn inner(&self, _at: &Slide<S, D>, _z: &[S]) -> Option<Inner> {
        None
    }

    /// Strength of a set-valued law inside this one, which shows a force alone; None: there is none.
    fn strength_inside(&self, _at: &Slide<S, D>) -> Option<S> {
        None
    }

    /// The delay whose history the law needs, s.
    fn lag(&self) -> Option<S> {
        None
    }

    /// Shortest intrinsic time scale, s; None if the law evolves with the motion alone.
    fn intrinsic_time(&self) -> Option<f64> {
        None
    }

    /// Formulas of the time alone by which the law reads the clock, everything else at rest: they are drives, whose jumps and
    /// waves no step may miss.
    fn clocks(&self) -> Vec<Formula> {
        vec![]
    }

    /// Weights with which a point sees the normal forces of its neighbours: its own, that of the next, and so on. Empty:
    /// it sees its own alone. A law around another hands on the weights of that one.
    fn kernel(&self) -> Vec<S> {
        vec![]
    }

    /// The promises of the kind, as these parameters keep them: a choice may add or take away some.
    fn claims(&self, of_kind: Claims) -> Claims {
        of_kind
    }

    /// Refuses parameters that make no law in D directions.
    fn fits(&self) -> Result<(), LawError> {
        Ok(())
    }

    /// Quantities of the law's own that explain its answer: name, unit, value.
    fn observe(&self, _at: &Slide<S, D>, _z: &[S]) -> Vec<(&'static str, &'static str, S)> {
        vec![]
    }

    /// Why the law has no answer here, where its rates are not numbers; asked when a run cannot go on.
    fn fault(&self, _at: &Slide<S, D>, _z: &[S]) -> Option<&'static str> {
        None
    }
}
