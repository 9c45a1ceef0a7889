//! The conformance suite: what every friction law must keep, in named regimes.
//!
//! A law of one's own, in one's own crate, is tested like those of the catalogue:
//!
//! ```
//! use stickslip_laws::{FrictionKind, conformance::{Sample, findings}, friction::Coulomb};
//! use stickslip_real::Dual;
//!
//! let kind = FrictionKind::plane::<Coulomb<f64>, Coulomb<Dual<4>>>();
//! let sample = Sample::new("steel", 10.0, 0.1, 1e-3).set("mu_k", 0.3).set("mu_s", 0.4);
//! assert!(findings(&kind, &[sample]).is_empty());
//! ```
//! or, as a test, `conformance!(my_law_conforms, kind, [sample]);`.
mod energy;
mod linear;
mod normal;
mod plane;
mod probe;
mod promises;
mod regimes;
mod smooth;
mod steps;

pub use normal::{NormalSample, normal_findings};

use crate::{Claims, ContactGroup, FrictionKind, Given, LawError, Values};
use probe::Probe;
use regimes::Regime;

/// Parameter values of a kind with which the suite runs, and the size of the motion that shows its behaviour.
#[derive(Clone, Debug)]
pub struct Sample {
    name: &'static str,
    given: Vec<(String, Given)>,
    load: f64,
    speed: f64,
    length: f64,
    states: Vec<Vec<f64>>,
    steady: Option<fn(f64, f64) -> f64>,
    conditional: Option<bool>,
}

impl Sample {
    /// A sample at a typical normal force (or pressure), a fast slip speed, and the slip over which the states change.
    pub fn new(name: &'static str, load: f64, speed: f64, length: f64) -> Sample {
        Sample { name, given: vec![], load, speed, length, states: vec![], steady: None, conditional: None }
    }

    /// With this parameter.
    pub fn set(mut self, key: &str, value: impl Into<Given>) -> Sample {
        self.given.push((key.into(), value.into()));
        self
    }

    /// With a state at its bounds (in one direction), to be visited besides those that motion reaches.
    pub fn visit(mut self, states: &[f64]) -> Sample {
        self.states.push(states.to_vec());
        self
    }

    /// With the closed form of the force in steady sliding, of speed and normal force.
    pub fn steady(mut self, force: fn(f64, f64) -> f64) -> Sample {
        self.steady = Some(force);
        self
    }

    /// For a kind that is passive under a condition: whether these parameters meet it (at constant normal force).
    pub fn passive_if(mut self, met: bool) -> Sample {
        self.conditional = Some(met);
        self
    }

    /// The parameters.
    pub fn given(&self) -> &[(String, Given)] {
        &self.given
    }

    /// The time in which the states change.
    fn time(&self) -> f64 {
        self.length / self.speed
    }
}

/// Something that a law does not keep.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Which check.
    pub check: &'static str,
    /// Which sample.
    pub sample: &'static str,
    /// What happened, and in which regime.
    pub message: String,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}] sample \"{}\": {}", self.check, self.sample, self.message)
    }
}

/// A kind with the values of a sample: what the checks look at.
struct Subject<'a> {
    sample: &'a Sample,
    claims: Claims,
    line: Probe,
    plane: Option<Probe>,
    regimes: Vec<Regime>,
    /// Largest finite magnitude of each output over the regimes: what rounding is measured by.
    sizes: Vec<f64>,
}

impl<'a> Subject<'a> {
    fn new(kind: &FrictionKind, sample: &'a Sample) -> Result<Subject<'a>, LawError> {
        let values = Values::resolve(kind.params, kind.one_of, &sample.given)?;
        let group =
            |d: usize| -> Result<Box<dyn ContactGroup>, LawError> { kind.build(std::slice::from_ref(&values), 1, d) };
        let line = Probe::new(group(1)?, sample.load);
        let plane = match (kind.directions == 2).then(|| group(2)).transpose() {
            Ok(plane) => plane.map(|group| Probe::new(group, sample.load)),
            // With these parameters the law works in a line alone, and says so.
            Err(e) if e.code == "directions" => None,
            Err(e) => return Err(e),
        };
        let claims = line.group.claims();
        let regimes = regimes::regimes(&line, sample);
        let mut sizes = vec![0.0; line.outputs()];
        for regime in &regimes {
            for (size, x) in sizes.iter_mut().zip(line.respond(&regime.at, &regime.z).values) {
                *size = if x.is_finite() { x.abs().max(*size) } else { *size };
            }
        }
        Ok(Subject { sample, claims, line, plane, regimes, sizes })
    }

    /// Whether two outputs (number i) agree but for rounding.
    fn close(&self, i: usize, a: f64, b: f64) -> bool {
        // Symmetric arithmetic differs by a few units in the last place of its largest term.
        (a - b).abs() <= 1e-9 * (a.abs() + b.abs()) + 1e-12 * self.sizes[i] || (a.is_nan() && b.is_nan())
    }

    fn finding(&self, check: &'static str, message: String) -> Finding {
        Finding { check, sample: self.sample.name, message }
    }
}

/// Runs the suite on a kind; what it does not keep, or keeps without claiming it.
pub fn findings(kind: &FrictionKind, samples: &[Sample]) -> Vec<Finding> {
    let mut found = vec![];
    let mut subjects = vec![];
    for sample in samples {
        match Subject::new(kind, sample) {
            Ok(subject) => subjects.push(subject),
            Err(e) => {
                found.push(Finding { check: "sample", sample: sample.name, message: format!("cannot be built: {e}") });
            }
        }
    }
    for subject in &subjects {
        smooth::check(subject, &mut found);
        steps::check(subject, &mut found);
        plane::check(subject, &mut found);
    }
    promises::check(&subjects, &mut found);
    found
}

/// Panics with all findings, if there are any.
pub fn assert_conforms(kind: &FrictionKind, samples: &[Sample]) {
    let found = findings(kind, samples);
    let text: Vec<String> = found.iter().map(|f| format!("  {f}")).collect();
    assert!(found.is_empty(), "law `{}` does not conform:\n{}", kind.name, text.join("\n"));
}

/// A test that a kind conforms: `conformance!(test_name, kind, samples);`.
#[macro_export]
macro_rules! conformance {
    ($test:ident, $kind:expr, $samples:expr) => {
        #[test]
        fn $test() {
            $crate::conformance::assert_conforms(&$kind, &$samples);
        }
    };
}
