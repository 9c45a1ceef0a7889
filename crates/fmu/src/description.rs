//! What a unit says of itself: its variables with their units.
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::fmt::Write;
use stickslip::data::Values;
use stickslip::prelude::Scenario;
use stickslip::scenario::provenance;
use stickslip::stepping::{StepError, Stepper, outputs};

/// Parts of a scenario whose numbers are parameters.
const PARTS: [&str; 5] = ["structure", "contact", "drive", "formulation", "parameters"];
/// Length of the step that shows the start, s: its first row is the start itself.
const SHORT: f64 = 1e-9;

/// What kind of variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A number of the motion.
    Output,
    /// A word of the motion as a number: the mode.
    Code,
    /// A number of the scenario.
    Parameter,
}

/// A variable. Its value reference is its place in the list, from 1: 0 is the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Name of a column of the series, or path of a parameter.
    pub name: String,
    /// Unit; empty where it has no meaning.
    pub unit: String,
    /// What kind.
    pub role: Role,
    /// Its value at the start.
    pub start: f64,
    /// What it is.
    pub about: String,
}

/// The description of a unit.
#[derive(Clone, Debug)]
pub struct Description {
    name: String,
    title: String,
    token: String,
    stop: Option<f64>,
    /// The variables.
    pub variables: Vec<Variable>,
}

impl Description {
    /// Of a scenario that goes in steps.
    pub fn of(scenario: &Scenario) -> Result<Description, StepError> {
        let mut variables = start_outputs(&mut Stepper::new(scenario)?)?;
        let spec = provenance(&scenario.prepare()?).spec;
        for part in PARTS {
            parameters(&spec[part], part, &mut variables);
        }
        let stop = spec["analysis"]["duration"]["value"].as_f64();
        Ok(Description {
            name: scenario.name().into(),
            title: scenario.title().unwrap_or_default().into(),
            token: token(&scenario.text()),
            stop,
            variables,
        })
    }

    /// The token by which an importer shows that description and library belong together.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The file `modelDescription.xml`.
    pub fn xml(&self) -> String {
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let (name, title, id) = (escaped(&self.name), escaped(&self.title), identifier(&self.name));
        let _ = writeln!(
            out,
            "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"{name}\" instantiationToken=\"{}\" description=\"{title}\" \
             generationTool=\"Stickslip {}\">\n  <CoSimulation modelIdentifier=\"{id}\" \
             canHandleVariableCommunicationStepSize=\"true\" canGetAndSetFMUState=\"true\"/>\n  <UnitDefinitions>",
            self.token,
            env!("CARGO_PKG_VERSION"),
        );
        let own = self.variables.iter().map(|v| v.unit.as_str()).filter(|u| has_unit(u));
        for unit in own.chain(["s"]).collect::<BTreeSet<_>>() {
            let _ = writeln!(out, "    <Unit name=\"{}\"/>", escaped(unit));
        }
        let stop = self.stop.map(|t| format!(" stopTime=\"{t:?}\"")).unwrap_or_default();
        let _ = writeln!(
            out,
            "  </UnitDefinitions>\n  <DefaultExperiment startTime=\"0.0\"{stop}/>\n  <ModelVariables>\n    <Float64 \
             name=\"time\" valueReference=\"0\" causality=\"independent\" variability=\"continuous\" unit=\"s\"/>"
        );
        for (i, variable) in self.variables.iter().enumerate() {
            let _ = writeln!(out, "    {}", variable.xml(i + 1));
        }
        let _ = writeln!(out, "  </ModelVariables>\n  <ModelStructure>");
        for kind in ["Output", "InitialUnknown"] {
            for (i, _) in self.variables.iter().enumerate().filter(|(_, v)| v.role != Role::Parameter) {
                let _ = writeln!(out, "    <{kind} valueReference=\"{}\"/>", i + 1);
            }
        }
        out.push_str("  </ModelStructure>\n</fmiModelDescription>\n");
        out
    }
}

impl Variable {
    fn xml(&self, reference: usize) -> String {
        let unit = if has_unit(&self.unit) { format!(" unit=\"{}\"", escaped(&self.unit)) } else { String::new() };
        let about =
            if self.about.is_empty() { String::new() } else { format!(" description=\"{}\"", escaped(&self.about)) };
        let head = format!("name=\"{}\" valueReference=\"{reference}\"{about}", escaped(&self.name));
        match self.role {
            Role::Output => format!("<Float64 {head} causality=\"output\" variability=\"continuous\"{unit}/>"),
            Role::Code => format!("<Int32 {head} causality=\"output\" variability=\"discrete\"/>"),
            Role::Parameter => {
                format!(
                    "<Float64 {head} causality=\"parameter\" variability=\"tunable\"{unit} start=\"{:?}\"/>",
                    self.start
                )
            }
        }
    }
}

/// The columns of the series with their values at the start; the motion stays where it is.
pub fn start_outputs(stepper: &mut Stepper) -> Result<Vec<Variable>, StepError> {
    let part = stepper.clone().do_step(stepper.now(), SHORT, &[])?;
    let mut rows = part.clone();
    rows.rows.columns.iter_mut().for_each(|c| first_row(&mut c.values));
    let one = |((name, unit, start), column): ((&str, &str, f64), &stickslip::data::Column)| {
        let words = if let Values::Coded { words, .. } = &column.values { words.clone() } else { vec![] };
        let listed: Vec<String> = words.iter().enumerate().map(|(i, w)| format!("{i}: {w}")).collect();
        let role = if listed.is_empty() { Role::Output } else { Role::Code };
        Variable { name: name.into(), unit: unit.into(), role, start, about: listed.join(", ") }
    };
    Ok(outputs(&rows).into_iter().zip(&part.rows.columns).map(one).collect())
}

fn first_row(values: &mut Values) {
    match values {
        Values::Float(v) => v.truncate(1),
        Values::Int(v) => v.truncate(1),
        Values::Text(v) => v.truncate(1),
        Values::Coded { codes, .. } => codes.truncate(1),
    }
}

/// The numbers below a part of the resolved scenario.
fn parameters(spec: &Json, path: &str, out: &mut Vec<Variable>) {
    match spec {
        Json::Object(table) => match (table.get("value"), table.get("unit").and_then(Json::as_str)) {
            (Some(value), Some(unit)) => numbers(value, unit, path, out),
            _ => table.iter().for_each(|(key, inner)| parameters(inner, &format!("{path}.{key}"), out)),
        },
        Json::Array(list) => {
            list.iter().enumerate().for_each(|(i, inner)| parameters(inner, &format!("{path}[{i}]"), out));
        }
        _ => {}
    }
}

fn numbers(value: &Json, unit: &str, path: &str, out: &mut Vec<Variable>) {
    match value {
        Json::Number(x) => {
            let start = x.as_f64().unwrap_or(f64::NAN);
            out.push(Variable {
                name: path.into(),
                unit: unit.into(),
                role: Role::Parameter,
                start,
                about: String::new(),
            });
        }
        Json::Array(list) => {
            list.iter().enumerate().for_each(|(i, inner)| numbers(inner, unit, &format!("{path}[{i}]"), out));
        }
        _ => {}
    }
}

fn has_unit(unit: &str) -> bool {
    !unit.is_empty() && unit != "1"
}

/// A name as one of C: importers load the library by it.
pub fn identifier(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if plain.starts_with(|c: char| c.is_ascii_alphabetic()) { plain } else { format!("m_{plain}") }
}

/// A token that another text does not have (FNV-1a, twice).
pub fn token(text: &str) -> String {
    let hash = |start: u64| {
        text.bytes()
            .chain(env!("CARGO_PKG_VERSION").bytes())
            .fold(start, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
    };
    format!("{{{:016x}{:016x}}}", hash(0xcbf2_9ce4_8422_2325), hash(0x8422_2325_cbf2_9ce4))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
