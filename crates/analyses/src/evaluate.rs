//! Evaluate: a law at given inputs, or a contact formula.
mod friction;
mod function;
mod normal;

use function::Called;
use stickslip_data::{Outcome, Status, Table, Value};
use stickslip_laws::nearest;
use stickslip_model::Model;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context};
use stickslip_structures::{ANY_UNIT, Ask, Keys, Refused};

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "evaluate",
    about: "The law of the contact at given inputs: force, rates of the states, tangents.

Inputs are lists of one length, or single values: `velocity`, `normal` (else the contact's own load), `load_rate`,
`states` by name, or states = \"steady\" for the states of steady sliding at that velocity; `gap` (or `approach`, the same
with the other sign) and `gap_rate` for the normal law; the `displacement` of laws that read positions; `time`; the `lagged_velocity` of a law with a lag
(else the velocity); the `force_rate` of the tangential force in stick. With lists there is a table of it all, over the
first of them.

With `function` a contact formula is computed from inputs of its own: `stickslip explain` lists them. A structure is then not
needed.",
    answers: &[
    Answer::value(
        "force",
        "N",
        "Friction force (Pa for a law of tractions); a list over the inputs, as all that follows.",
    ),
    Answer::value("friction", "1", "Friction force over normal force; not a number without a load."),
    Answer::value("hold", "N", "Largest force that stick can hold, of a set-valued law."),
    Answer::value("strength", "N", "Friction force in slip, of a set-valued law."),
    Answer::value("state.<name>", "", "A state of the law."),
    Answer::value("rate.<name>", "", "Its rate."),
    Answer::value("tangent.<input>", "", "Derivative of the force in `velocity`, `normal` or a state."),
    Answer::value(
        "steady_slope",
        "s/m",
        "Derivative of the friction coefficient in the velocity along steady states, with states = \"steady\".",
    ),
    Answer::value("normal_force", "N", "Normal force, where it follows from the gap; so all that follows."),
    Answer::value("pressure", "Pa", "Normal force over the nominal area."),
    Answer::value("real_area", "m^2", "Area in real contact."),
    Answer::value("area_fraction", "1", "The same over the nominal area."),
    Answer::value("stiffness", "N/m", "Normal stiffness."),
    Answer::value("stored", "J", "Elastic energy of the normal law."),
    Answer::value("<observed>", "", "Quantities of the laws' own; the outputs of a formula."),
    Answer::table("evaluate", "All of it over the first input that is a list."),
],
    read,
};

/// A law at given inputs.
#[derive(Clone, Debug, Default)]
pub struct Evaluate {
    velocity: Vec<f64>,
    normal: Vec<f64>,
    load_rate: Vec<f64>,
    approach: Vec<f64>,
    time: Vec<f64>,
    lagged_velocity: Vec<f64>,
    force_rate: Vec<f64>,
    states: Vec<(String, Vec<f64>)>,
    steady: bool,
    mode: usize,
    gap: Vec<f64>,
    gap_rate: Vec<f64>,
    displacement: Vec<f64>,
    function: Option<Called>,
}

/// What a full area may exceed the nominal one by.
const ROUNDING: f64 = 1e-9;

fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    if let Some(name) = keys.has("function").then(|| keys.text("function", "A contact formula by its name")) {
        let function = Some(Called::read(&name?.unwrap_or_default(), keys)?);
        return Ok(Box::new(Evaluate { function, ..Evaluate::default() }));
    }
    let mut e = Evaluate::default();
    let found = keys.table("inputs", "What the law is shown", &mut |k| {
        e.velocity = k.list(Ask::new("velocity", "m/s", "Slip velocity").or(0.0))?;
        e.normal = k.list(
            Ask::new("normal", ANY_UNIT, "Normal force or pressure; the contact's own by default").or(0.0).min(0.0),
        )?;
        e.load_rate = k.list(Ask::new("load_rate", ANY_UNIT, "Rate of the normal force or pressure").or(0.0))?;
        e.gap = k.list(Ask::new("gap", "m", "Gap of the normal law; the contact's own by default").or(0.0))?;
        e.gap_rate = k.list(Ask::new("gap_rate", "m/s", "Rate of the gap").or(0.0))?;
        e.displacement = k.list(Ask::new("displacement", "m", "Displacement along the contact").or(0.0))?;
        if k.has("gap") && k.has("approach") {
            return Err(k.refuse("approach", "analysis::twice", "`approach` is `gap` with the other sign".into()));
        }
        e.approach = k.list(Ask::new("approach", "m", "Approach of the surfaces").or(0.0).min(0.0))?;
        e.time = k.list(Ask::new("time", "s", "Time").or(0.0))?;
        e.lagged_velocity = k.list(Ask::new("lagged_velocity", "m/s", "Slip velocity one lag ago").or(0.0))?;
        e.force_rate = k.list(Ask::new("force_rate", ANY_UNIT, "Rate of the tangential force in stick").or(0.0))?;
        e.mode = k.choice("mode", &["slip", "stick"], false, "Mode of a set-valued law")?;
        if k.has_table("states") {
            k.named("states", "States of the law, by name", &mut |name, k| {
                e.states.push((name.into(), k.list(Ask::new(name, ANY_UNIT, "A state of the law"))?));
                Ok(())
            })?;
        } else if let Some(text) = k.text("states", "States by name, or \"steady\"")? {
            if text != "steady" {
                return Err(k
                    .refuse("states", "analysis::choice", format!("`states` = \"{text}\" is not known"))
                    .expected("\"steady\", or a table of states by name"));
            }
            e.steady = true;
        }
        Ok(())
    })?;
    if !found {
        return Err(keys.refuse("inputs", "scenario::missing", "`inputs` is missing".into()));
    }
    Ok(Box::new(e))
}

impl Evaluate {
    fn lists(&self) -> impl Iterator<Item = (&str, &Vec<f64>)> {
        let named = self.states.iter().map(|(name, list)| (name.as_str(), list));
        let own = [
            ("velocity", &self.velocity),
            ("normal", &self.normal),
            ("load_rate", &self.load_rate),
            ("gap", &self.gap),
            ("approach", &self.approach),
            ("gap_rate", &self.gap_rate),
            ("displacement", &self.displacement),
            ("time", &self.time),
            ("lagged_velocity", &self.lagged_velocity),
            ("force_rate", &self.force_rate),
        ];
        own.into_iter().chain(named)
    }

    fn rows(&self) -> usize {
        self.lists().map(|(_, list)| list.len()).max().unwrap_or(0).max(1)
    }
}

/// Entry k of a list, its only one, or a default.
fn pick(list: &[f64], k: usize, default: f64) -> f64 {
    match list {
        [] => default,
        [one] => *one,
        _ => list[k],
    }
}

impl Analysis for Evaluate {
    fn needs_model(&self) -> bool {
        self.function.is_none()
    }

    fn refuse(&self, model: &Model) -> Option<Refused> {
        if let Some(function) = &self.function {
            return function.refuse();
        }
        let [contact] = model.contacts.as_slice() else {
            return Some(Refused::new("contact", "analysis::not-served", "evaluate needs exactly one contact"));
        };
        if let Some(e) = model.refuse_approach(0) {
            return Some(e);
        }
        if contact.is_rigid() && self.normal.is_empty() {
            let text = "the normal force of this contact is a reaction: it has no load of its own";
            let e = Refused::new("analysis.inputs", "analysis::missing", text);
            return Some(e.hint("give `inputs.normal`"));
        }
        if contact.friction.claims().position && self.displacement.is_empty() {
            let text = format!("the law `{}` reads positions, and none is given", contact.friction_law);
            let e = Refused::new("analysis.inputs", "analysis::missing", text);
            return Some(e.hint("give `inputs.displacement`"));
        }
        let rows = self.rows();
        for (name, list) in self.lists() {
            if list.len() > 1 && list.len() != rows {
                let text = format!("`{name}` has {} entries, another input {rows}", list.len());
                return Some(Refused::new(format!("analysis.inputs.{name}"), "analysis::shape", text));
            }
        }
        let states = contact.friction.states().iter().chain(contact.normal.states());
        let known: Vec<&str> = states.map(|s| s.name.as_str()).collect();
        for (name, _) in &self.states {
            if !known.contains(&name.as_str()) {
                let key = format!("analysis.inputs.states.{name}");
                let e = Refused::new(
                    key,
                    "analysis::unknown-name",
                    format!("`{}` has no state `{name}`", contact.friction_law),
                );
                let near = nearest(name, known.iter().copied()).map(|n| format!("did you mean `{n}`?"));
                return Some(e.expected(format!("one of {}", known.join(", "))).hint(near.unwrap_or_default()));
            }
        }
        None
    }

    fn units(&self, model: &Model) -> Vec<(String, String)> {
        if let Some(function) = &self.function {
            return function.units();
        }
        let Some(contact) = model.contacts.first() else { return vec![] };
        let traction = contact.friction.claims().traction || contact.per_area;
        let force = if traction { "Pa" } else { "N" };
        let mut units = vec![("inputs.normal".to_string(), force.to_string())];
        units.extend(["load_rate", "force_rate"].map(|key| (format!("inputs.{key}"), format!("{force}/s"))));
        let states = contact.friction.states().iter().chain(contact.normal.states());
        units.extend(states.map(|s| (format!("inputs.states.{}", s.name), s.unit.to_string())));
        units
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        if let Some(function) = &self.function {
            return function.run(context);
        }
        let mut out = Outcome::default();
        let contact = &model.contacts[0];
        let group = contact.friction.as_ref();
        let mut columns: Vec<Column> = vec![];
        for k in 0..self.rows() {
            let row = match self.evaluate(model, group, k) {
                Ok(row) => row,
                Err(reason) => {
                    out.worsen(Status::Failed, reason);
                    return out;
                }
            };
            let crowded = row.iter().find(|(name, _, x)| name == "area_fraction" && *x > 1.0 + ROUNDING);
            if let Some((_, _, fraction)) = crowded {
                let text = format!(
                    "the normal law \"{}\" gives {fraction:.6} times the nominal area as real area: it does not hold here",
                    contact.normal_law
                );
                out.worsen(Status::Untrusted, text);
            }
            for (j, (name, unit, x)) in row.into_iter().enumerate() {
                if columns.len() <= j {
                    columns.push((name, unit, vec![]));
                }
                columns[j].2.push(x);
            }
        }
        if self.rows() > 1 && !context.output.brief {
            out.tables.push(self.table(&columns));
        }
        let column = |name: &str| columns.iter().find(|(n, ..)| n == name).map_or(&[][..], |(.., list)| list);
        // Without a load there is no coefficient, while the force is known.
        let unloaded: Vec<bool> =
            column("force").iter().zip(column("friction")).map(|(f, mu)| f.is_finite() && mu.is_nan()).collect();
        for (name, unit, list) in columns {
            let absent = list.iter().zip(&unloaded).all(|(x, unloaded)| x.is_finite() || *unloaded);
            match name.as_str() {
                "friction" | "steady_slope" if absent => out.set_sparse(&name, Value::List(list), &unit),
                _ => out.set(&name, Value::List(list), &unit),
            }
        }
        out
    }
}

/// A column of the answer: name, unit, values.
type Column = (String, String, Vec<f64>);
/// One entry of every column.
type Row = Vec<(String, String, f64)>;

impl Evaluate {
    /// All outputs over the first input that is a list; the friction coefficient comes first.
    fn table(&self, columns: &[Column]) -> Table {
        let mut table = Table::new("evaluate");
        let units = [
            ("velocity", "m/s"),
            ("gap", "m"),
            ("approach", "m"),
            ("gap_rate", "m/s"),
            ("displacement", "m"),
            ("time", "s"),
            ("lagged_velocity", "m/s"),
        ];
        for (name, list) in self.lists().filter(|(_, list)| list.len() > 1) {
            // A state that is given stands among the outputs too, with its unit.
            let state = columns.iter().find(|(n, ..)| n.strip_prefix("state.") == Some(name));
            let unit = units.iter().find(|(n, _)| *n == name).map_or("", |(_, unit)| unit);
            match state {
                Some((name, unit, list)) => table.push(name.clone(), unit.clone(), list.clone()),
                None => table.push(name, unit, list.clone()),
            }
        }
        let (first, rest): (Vec<&Column>, Vec<&Column>) = columns.iter().partition(|(name, ..)| name == "friction");
        for (name, unit, list) in first.into_iter().chain(rest) {
            if table.column(name).is_none() {
                table.push(name.clone(), unit.clone(), list.clone());
            }
        }
        table
    }
}
