//! The spring slider of Lim and Chen, by scenario text. `peers/slider.py` has the same in Python.
use crate::clock::{Answer, Job, Measured, prepared};
use crate::table::largest;
use serde_json::{Value as Json, json};
use stickslip::prelude::*;

const MU_0: f64 = 0.369;
const NORMAL_FORCE: f64 = 1.2 * 9.81;
const LOADS: f64 = 40.0;

/// One run.
#[derive(Clone, Copy)]
pub struct Slider {
    /// Drive speed, m/s.
    pub velocity: f64,
    /// Spring stiffness, N/m.
    pub stiffness: f64,
    /// s.
    pub duration: f64,
}

/// The end state of a run, to compare with.
pub struct Reference {
    pub pair: Option<usize>,
    pub of: Slider,
    /// Elongation, velocity, phi.
    pub end: [f64; 3],
    /// How well it is known: the relative difference of two tolerances.
    pub difference: f64,
}

impl Slider {
    /// A run of 40 loading times.
    pub fn loads(velocity: f64, stiffness: f64) -> Slider {
        Slider { velocity, stiffness, duration: LOADS * MU_0 * NORMAL_FORCE / (stiffness * velocity) }
    }

    /// The grid of the ensemble: 40 velocities, and for each 25 stiffnesses.
    pub fn grid() -> Vec<Slider> {
        let log = |low: f64, high: f64, i: usize, n: usize| 10f64.powf(low + (high - low) * i as f64 / (n - 1) as f64);
        (0..1000).map(|i| Slider::loads(log(-7.0, -2.0, i / 25, 40), log(3.0, 6.0, i % 25, 25))).collect()
    }

    /// This run by Stickslip.
    pub fn ours(&self, rtol: f64) -> Job {
        let Slider { velocity, stiffness, duration } = self;
        let text = format!(
            r#"
            structure = {{ kind = "spring-block", mass = 1.2, stiffness = {stiffness:e} }}
            drive = {{ kind = "pull", velocity = {velocity:e} }}
            start = {{ state = "steady-sliding", scale = {{ states = {{ phi = 1.05 }} }} }}
            analysis = {{ kind = "transient", duration = {duration:e}, rtol = {rtol:e} }}
            [contact]
            normal = {{ law = "weight", gravity = 9.81 }}
            [contact.friction]
            law = "rate-state"
            mu_0 = {MU_0}
            a = 0.011
            b = 0.025
            v_0 = 1e-6
            d_c = 0.9e-6
            eta = 14
            [output]
            probes = [
                {{ quantity = "elongation", at = [{duration:e}] }},
                {{ quantity = "rate.velocity", at = [{duration:e}] }},
                {{ quantity = "state.phi", at = [{duration:e}] }},
            ]
            "#
        );
        prepared("slider", &text)
    }

    /// This run by numbalsoda.
    pub fn peer(&self, form: &str, rtol: f64) -> Job {
        Job::Peer(json!({
            "work": "w1", "form": form, "rtol": rtol,
            "velocity": self.velocity, "stiffness": self.stiffness, "duration": self.duration,
        }))
    }

    pub fn shown(&self) -> String {
        format!("V {:.2e} K {:.2e}", self.velocity, self.stiffness)
    }
}

/// The end state of a run that was completed, in finite numbers.
pub fn end(run: &Measured) -> Option<[f64; 3]> {
    let end = match &run.answer {
        Answer::Ours(outcome) => {
            if outcome.status > Status::Untrusted {
                return None;
            }
            let at_end = |name: &str| match &outcome.value(name)?.value {
                Value::List(list) => list.first().copied(),
                _ => None,
            };
            [at_end("probe.elongation")?, at_end("probe.rate.velocity")?, at_end("probe.state.phi")?]
        }
        Answer::Values(answer) => numbers(&answer["end"])?,
    };
    end.iter().all(|x| x.is_finite()).then_some(end)
}

impl Reference {
    /// The references of a work.
    pub fn all(work: &str) -> Result<Vec<Reference>, String> {
        let text = include_str!("../reference.json");
        let file: Json = serde_json::from_str(text).map_err(|e| format!("reference.json: {e}"))?;
        let runs = file[work]["runs"].as_array().ok_or(format!("reference.json has no `{work}`"))?;
        let one = |run: &Json| {
            let number = |key: &str| run[key].as_f64();
            let of = Slider {
                velocity: number("velocity")?,
                stiffness: number("stiffness")?,
                duration: number("duration")?,
            };
            let pair = run["pair"].as_u64().map(|i| i as usize);
            Some(Reference { pair, of, end: numbers(&run["end"])?, difference: number("difference")? })
        };
        runs.iter().map(one).collect::<Option<_>>().ok_or("reference.json: a number is missing".into())
    }

    /// Largest relative error of an end state.
    pub fn error(&self, end: [f64; 3]) -> f64 {
        largest((0..3).map(|i| (end[i] / self.end[i] - 1.0).abs()))
    }
}

fn numbers(list: &Json) -> Option<[f64; 3]> {
    Some([list[0].as_f64()?, list[1].as_f64()?, list[2].as_f64()?])
}
