//! The signature of a friction law: one figure that sets it apart from others, computed by the analyses from its example.
//!
//! What is drawn follows from what the law claims: friction over the slip velocity for one without memory, or over the
//! input that it alone reads; the loop of a motion to and fro for one that does not know the pace; static friction over
//! the time at rest for one that sticks and remembers, and above it friction in steady sliding where that depends on the
//! speed; else the answer to steps of the speed.
mod pressing;
mod programs;
mod states;
mod steady;

pub use pressing::{normal_signature, normal_usage};
pub use states::{normal_states, states};

use stickslip_data::{Outcome, Status, Table, Value};
use stickslip_laws::{Claims, Example, FrictionKind, State};
use stickslip_model::Context;
use stickslip_report::{Figure, readable, xy};
use stickslip_scenario::{Catalogue, Scenario};

/// Points of a curve to each side of rest.
const SPEEDS: usize = 120;
/// The higher speed over the lower.
const STEP: f64 = 10.0;

/// Times (slip over speed) over which a random part is shown.
const COURSE: f64 = 100.0;
/// Fastest growth of the tangential force shown, as part of the load, 1/s.
const FASTEST_LOADING: f64 = 5.0;
/// The name of what is drawn upwards.
const COEFFICIENT: &str = "friction coefficient";

/// What sets a law apart from others.
pub struct Signature {
    /// Two columns: what is drawn along, and the friction coefficient.
    pub table: Table,
    /// Drawn.
    pub figure: Figure,
}

/// The signature of a kind; none for a kind without an example. What went wrong is reported in words.
///
/// ```
/// let kind = &stickslip::laws::friction_kinds()[0];
/// let signature = stickslip::signature(kind).unwrap().unwrap();
/// assert!(signature.figure.title.starts_with("coulomb"));
/// println!("{}", signature.figure.text(72, 16));
/// ```
pub fn signature(kind: &FrictionKind) -> Option<Result<Signature, String>> {
    kind.example.map(|example| Shown { kind, example }.signature())
}

/// The example as a scenario has it: `friction = { law = "stribeck", mu_s = 0.5, .. }`.
pub fn usage(kind: &FrictionKind) -> Option<String> {
    kind.example.map(|e| format!("friction = {{ law = \"{}\", {} }}", kind.name, e.parameters.replace('\'', "\"")))
}

struct Shown<'a> {
    kind: &'a FrictionKind,
    example: Example,
}

impl Shown<'_> {
    fn signature(&self) -> Result<Signature, String> {
        let claims = self.scenario("evaluate", "inputs = { velocity = 0 }", "")?.1;
        let (what, table) = if claims.random {
            ("friction over time at one speed", self.course()?)
        } else if claims.force_rate && claims.memoryless {
            ("static friction over the rate of the tangential force", self.loading()?)
        } else if claims.approach || claims.real_area {
            ("friction over the approach", self.approach()?)
        } else if claims.memoryless {
            ("friction over the slip velocity", self.curve(claims)?)
        } else if claims.acceleration {
            ("friction over a slip velocity that rises and falls", self.rise_and_fall()?)
        } else if claims.rate_independent {
            ("a motion to and fro", self.to_and_fro()?)
        } else if claims.set_valued {
            if let Some(steady) = self.steady()? {
                return self.steady_and_rest(steady);
            }
            ("static friction over the time at rest", self.rest()?)
        } else {
            ("a slide, then ten times faster, then as before", self.steps()?)
        };
        let mut figure = xy(&table, &table.columns[0].name, COEFFICIENT).map_err(|e| e.to_string())?.linear();
        let mut note = format!("under {}", readable(self.example.load, if claims.traction { "Pa" } else { "N" }));
        if !(claims.memoryless || claims.set_valued || claims.rate_independent) {
            note = format!("{note}, at {} and its tenfold", readable(self.example.speed, "m/s"));
        }
        figure.name = self.kind.name.into();
        figure.title = format!("{}: {what}", self.kind.name);
        figure.note = note;
        Ok(Signature { table, figure })
    }

    /// The states of the law with these parameters.
    fn states(&self) -> Vec<State> {
        self.scenario("evaluate", "inputs = { velocity = 0 }", "").map_or(vec![], |(.., states)| states)
    }

    /// A point under the example's load, and the claims and states of the law with these parameters.
    fn scenario(&self, analysis: &str, keys: &str, drive: &str) -> Result<(Scenario, Claims, Vec<State>), String> {
        let Example { parameters, load, .. } = self.example;
        let given = if self.kind.claims.traction { "pressure" } else { "force" };
        let text = format!(
            "structure = {{ kind = 'point' }}\n{drive}\nanalysis = {{ kind = '{analysis}'{} {keys} }}\n[contact]\n\
             normal = {{ law = 'constant', {given} = {load} }}\nfriction = {{ law = '{}', {parameters} }}\n",
            if keys.is_empty() { "" } else { "," },
            self.kind.name,
        );
        let catalogue = Catalogue::default().with_friction(*self.kind);
        let scenario = Scenario::from_text(self.kind.name, &text, &[]).map_err(|e| e.to_string())?;
        let scenario = scenario.with_catalogue(catalogue);
        let prepared = scenario.prepare().map_err(|e| e.to_string())?;
        let contact = prepared.first().and_then(|p| p.model.contacts.first()).ok_or("a point has one contact")?;
        let (claims, states) = (contact.friction.claims(), contact.friction.states().to_vec());
        Ok((scenario, claims, states))
    }

    fn run(&self, analysis: &str, keys: &str, drive: &str) -> Result<Outcome, String> {
        let run = self.scenario(analysis, keys, drive)?.0.run(&Context::default()).map_err(|e| e.to_string())?;
        let outcome = run.plain().ok_or("there are no cases")?.clone();
        match outcome.status {
            Status::Ok => Ok(outcome),
            _ => Err(outcome.reason.unwrap_or_default()),
        }
    }

    fn curve(&self, claims: Claims) -> Result<Table, String> {
        let forward: Vec<f64> = (0..=SPEEDS).map(|k| self.example.speed * k as f64 / SPEEDS as f64).collect();
        let ask = |velocity: &[f64]| self.run("evaluate", &format!("inputs = {{ velocity = {velocity:?} }}"), "");
        let forward = &forward[usize::from(claims.positive_speed)..];
        let outcome = ask(forward)?;
        let (mut velocity, mut friction) = (forward.to_vec(), list(&outcome, "friction")?);
        if claims.set_valued {
            // At rest friction is any value up to the limit of stick.
            velocity.insert(0, 0.0);
            friction.insert(0, list(&outcome, "hold")?[0] / self.example.load);
        }
        if !claims.positive_speed {
            // A set-valued law is shown the speed alone: its direction is that of the velocity.
            let backward: Vec<f64> = velocity.iter().rev().map(|v| -v).collect();
            let answer: Vec<f64> = match claims.set_valued {
                true => friction.iter().rev().map(|f| -f).collect(),
                false => list(&ask(&backward)?, "friction")?,
            };
            velocity.splice(0..0, backward);
            friction.splice(0..0, answer);
        }
        Ok(two(("slip_velocity", "m/s", velocity), friction))
    }

    /// What a list of one input gives.
    fn over(&self, input: &str, unit: &str, list_of: Vec<f64>, others: &str, asked: &str) -> Result<Table, String> {
        let outcome = self.run("evaluate", &format!("inputs = {{ {input} = {list_of:?}, {others} }}"), "")?;
        let friction = list(&outcome, asked)?;
        let per = if asked == "friction" { 1.0 } else { self.example.load };
        Ok(two((input, unit, list_of), friction.iter().map(|f| f / per).collect()))
    }

    fn course(&self) -> Result<Table, String> {
        let span = COURSE * self.example.slip / self.example.speed;
        let times = (0..=4 * SPEEDS).map(|k| span * k as f64 / (4 * SPEEDS) as f64).collect();
        self.over("time", "s", times, &format!("velocity = {}", self.example.speed), "friction")
    }

    fn loading(&self) -> Result<Table, String> {
        let rates = (0..=SPEEDS).map(|k| FASTEST_LOADING * self.example.load * k as f64 / SPEEDS as f64).collect();
        self.over("force_rate", "N/s", rates, "mode = 'stick', velocity = 0", "hold")
    }

    fn approach(&self) -> Result<Table, String> {
        let approaches = (0..=SPEEDS).map(|k| self.example.slip * k as f64 / SPEEDS as f64).collect();
        self.over("approach", "m", approaches, &format!("velocity = {}", self.example.speed), "friction")
    }
}

/// A table of two columns.
fn two((name, unit, along): (&str, &str, Vec<f64>), friction: Vec<f64>) -> Table {
    let mut table = Table::new("signature");
    table.push(name, unit, along);
    table.push(COEFFICIENT, "1", friction);
    table
}

fn column<'a>(path: &'a Table, name: &str) -> Result<&'a [f64], String> {
    path.column(name).and_then(|c| c.values.floats()).ok_or_else(|| format!("the path has no `{name}`"))
}

fn list(outcome: &Outcome, name: &str) -> Result<Vec<f64>, String> {
    match outcome.values.iter().find(|(n, _)| n == name).map(|(_, q)| &q.value) {
        Some(Value::List(list)) => Ok(list.clone()),
        Some(Value::Number(x)) => Ok(vec![*x]),
        _ => Err(format!("the law has no `{name}`")),
    }
}
