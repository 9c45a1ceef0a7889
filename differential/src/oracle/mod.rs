//! Pairs of scenarios that must give the same, without knowing what is right.
mod answers;
mod chain;
mod change;
mod fit;
mod form;
mod growth;
mod halves;
mod invariants;
mod limits;
mod map;
mod mirror;
mod plane;
mod probing;
mod rescaled;
mod restart;
mod threshold;
mod tolerance;
mod twins;
mod units;
mod wrapper;

use crate::compare::Limits;
use crate::draw::{MOST_STEPS, Scene, Wish};
use crate::item::{number, plain};
use crate::random::Random;
use stickslip::prelude::Outcome;

/// A pair that must agree.
pub struct Oracle {
    /// Name in the table of counts and in the corpus.
    pub name: &'static str,
    /// What it needs of a scenario.
    pub wish: fn(&Random) -> Wish,
    /// The second scenario; None where this one has none.
    pub twin: fn(&Scene) -> Option<Twin>,
    /// How near they must be.
    pub limits: Limits,
    /// Whether a difference may be chaos: never between units, probes, threads, map and single run.
    pub may_be_chaos: bool,
}

/// What is run.
#[derive(Clone, Default)]
pub struct Request {
    /// The scenario.
    pub text: String,
    /// Settings `path=value`.
    pub sets: Vec<String>,
    /// Threads, where their number matters.
    pub threads: Option<usize>,
    /// A file that it names: its name and what it holds.
    pub file: Option<(&'static str, String)>,
}

impl Request {
    /// A scenario alone.
    pub fn of(scene: &Scene) -> Request {
        Request { text: scene.text(), ..Request::default() }
    }
}

/// Turns a name, or name and unit, into another.
pub type Rename = Box<dyn Fn(&str) -> Option<String>>;
/// What a value of that name and unit is multiplied by.
pub type Factor = Box<dyn Fn(&str, &str) -> f64>;
/// Makes the second request from the first outcome.
pub type Follow = Box<dyn Fn(&Outcome) -> Option<Request>>;
/// What is compared with the first outcome, from both; or what is wrong already.
pub type View = Box<dyn Fn(&Outcome, &Outcome) -> Result<Outcome, String>>;

/// Two requests and how their values belong together.
pub struct Twin {
    /// The scenario of the first, to be disturbed.
    pub base: Scene,
    /// The first.
    pub left: Request,
    /// The second, or how it follows from the first outcome.
    pub right: Result<Request, Follow>,
    /// The second's name of a value of the first.
    pub name: Rename,
    /// What a value of the second is multiplied by.
    pub factor: Factor,
    /// What is compared of the second outcome.
    pub view: View,
    /// Whether the requests are made of the scenario that was drawn: its kinds are counted then.
    pub of_scene: bool,
    /// What is asked where they differ, but tend to each other.
    pub finer: Option<Finer>,
}

/// Runs in finer steps, or to a tighter tolerance: of a small enough difference less must be left.
pub struct Finer {
    /// The first; None where it is exact.
    pub left: Option<Request>,
    /// The second.
    pub right: Request,
    /// The largest difference that may be one of the steps.
    pub most: f64,
    /// The part of it that may be left.
    pub left_over: f64,
}

/// A difference above this, over its size, is none of steps that keep the tolerance.
const MOST_OF_STEPS: f64 = 1e-3;
/// How much tighter the tolerance is where two runs differ, and the part of their difference that may be left.
const TIGHTER: (f64, f64) = (1e-3, 0.1);
/// How much shorter steps of fixed length are, and the part that may be left: they are of first order, and events fall elsewhere
/// in them.
const SHORTER: (f64, f64) = (0.125, 0.25);
/// Tolerance of a scenario that gives none.
const RTOL: f64 = 1e-8;

impl Finer {
    /// Two scenarios, each with finer steps.
    fn of(scene: &Scene, other: &Scene) -> Finer {
        let fixed = scene.root.number("formulation.step").is_some();
        let (part, left_over) = if fixed { SHORTER } else { TIGHTER };
        let finer = |scene: &Scene| {
            let mut finer = scene.clone();
            match scene.root.number("formulation.step") {
                Some(step) => finer.root.set("formulation.step", number(step * part, "s")),
                None => finer.root.set("analysis.rtol", plain(RTOL * part)),
            }
            finer.root.set("analysis.max_steps", plain(MOST_STEPS / SHORTER.0));
            Request::of(&finer)
        };
        Finer { left: Some(finer(scene)), right: finer(other), most: MOST_OF_STEPS, left_over }
    }
}

impl Twin {
    /// Another scenario whose values are the same.
    pub fn same(scene: &Scene, other: &Scene) -> Twin {
        let transient = scene.root.word("analysis.kind") == Some("transient");
        let finer = transient.then(|| Finer::of(scene, other));
        Twin { finer, ..Twin::texts(scene, Request::of(other)) }
    }

    /// Another request whose values are the same.
    pub fn texts(scene: &Scene, right: Request) -> Twin {
        Twin {
            base: scene.clone(),
            left: Request::of(scene),
            right: Ok(right),
            name: Box::new(|n| Some(n.into())),
            factor: Box::new(|_, _| 1.0),
            view: Box::new(|_, right| Ok(right.clone())),
            of_scene: true,
            finer: None,
        }
    }
}

/// Every oracle.
pub const ORACLES: &[Oracle] = &[
    probing::ORACLE,
    probing::POINT,
    tolerance::ORACLE,
    tolerance::POINT,
    form::ORACLE,
    units::ORACLE,
    units::POINT,
    rescaled::ORACLE,
    rescaled::POINT,
    mirror::ORACLE,
    chain::ORACLE,
    halves::ORACLE,
    restart::ORACLE,
    plane::ORACLE,
    map::MAP,
    map::SET,
    map::THREADS,
    threshold::ORACLE,
    twins::JENKINS,
    twins::IWAN,
    twins::FORMULA,
    twins::NONLOCAL,
    twins::TIMED,
    wrapper::ORACLE,
    limits::STEPPING,
    limits::REGULARISED,
    growth::ORACLE,
    invariants::EXTREMES,
    invariants::BOUND,
    answers::STABILITY,
    answers::EVALUATE,
    answers::FUNCTION,
    answers::CALIBRATE,
    answers::ROUGHNESS,
    answers::QUASI_STATIC,
    fit::ORACLE,
];
