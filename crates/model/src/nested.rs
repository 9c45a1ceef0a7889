//! Analyses inside analyses: how a sweep, a map or a threshold asks each of its points.
use crate::analysis::{Analysis, AnalysisKind, Answer, Context, Output, Vary};
use crate::lens::{Lens, Patches, Varying};
use crate::model::Model;
use stickslip_data::{Outcome, Value};
use stickslip_laws::nearest;
use stickslip_structures::{Keys, Refused};

/// The analysis of each point, and what it answers.
pub type Each = (Box<dyn Analysis>, &'static [Answer]);

/// The regime is no value, but named as one.
const REGIME: &str = "regime";

/// Reads the analysis of each point.
pub fn read(keys: &mut dyn Keys, kinds: &[AnalysisKind], key: &str) -> Result<Each, Refused> {
    let mut each = None;
    let found = keys.table(key, "The analysis of each point", &mut |k| {
        let name = k.text("kind", "Kind of analysis")?.unwrap_or_default();
        let kind = kinds.iter().find(|a| a.name == name).ok_or_else(|| {
            let names: Vec<&str> = kinds.iter().map(|a| a.name).collect();
            let e = k.refuse("kind", "analysis::unknown", format!("unknown analysis \"{name}\""));
            let e = e.expected(format!("one of {}", names.join(", ")));
            match nearest(&name, names) {
                Some(near) => e.hint(format!("did you mean \"{near}\"?")),
                None => e,
            }
        })?;
        each = Some(((kind.read)(k, kinds)?, kind.answers));
        Ok(())
    })?;
    match each {
        Some((each, _)) if found && each.needs_scenario() => {
            let e = keys.refuse(key, "analysis::not-served", "this analysis compares whole scenarios".into());
            Err(e.expected("an analysis of one model").hint("put it outermost, with the other one as its `each`"))
        }
        Some(each) if found => Ok(each),
        _ => {
            let e = keys.refuse(key, "scenario::missing", format!("`{key}` is missing"));
            Err(e.expected("a table with a `kind`, such as { kind = \"transient\", duration = \"20 s\" }"))
        }
    }
}

/// Refuses a name, given under `key`, of nothing that the analysis of each point answers.
pub fn known(keys: &dyn Keys, key: &str, name: &str, answers: &[Answer]) -> Result<(), Refused> {
    let values = || answers.iter().filter(|a| !a.table);
    if name == REGIME || values().any(|a| a.covers(name)) {
        return Ok(());
    }
    let names: Vec<&str> = [REGIME].into_iter().chain(values().map(|a| a.name)).collect();
    let e = keys.refuse(key, "analysis::no-value", format!("`each` has no value `{name}`"));
    let e = e.expected(format!("one of {}", names.join(", ")));
    Err(match nearest(name, names) {
        Some(near) => e.hint(format!("did you mean `{near}`?")),
        None => e,
    })
}

/// The models about a point, for an analysis that varies parameters of its own there.
pub struct About<'a> {
    /// Paths and numbers of the point.
    at: Vec<(&'a str, f64)>,
    outer: &'a Context<'a>,
}

/// The models about a point: `at` are its paths and numbers.
pub fn about<'a>(at: Vec<(&'a str, f64)>, outer: &'a Context) -> About<'a> {
    About { at, outer }
}

impl Varying for About<'_> {
    fn vary(&self, inner: &[(&str, f64)]) -> Result<Model, Refused> {
        let none = || Refused::new("", "analysis::not-served", "this run can't vary parameters");
        let all: Vec<(&str, f64)> = self.at.iter().chain(inner).copied().collect();
        self.outer.vary.ok_or_else(none)?.vary(&all)
    }

    fn patches<'s>(&'s self, paths: &[&str]) -> Option<Box<dyn Patches + 's>> {
        let own = self.at.iter().map(|(path, _)| *path);
        let all: Vec<&str> = own.chain(paths.iter().copied()).collect();
        let first = self.at.iter().map(|(_, x)| *x).collect();
        Some(Box::new(Within { first, all: self.outer.vary?.patches(&all)? }))
    }
}

/// Models of which the values at the first paths are given.
struct Within<'a> {
    first: Vec<f64>,
    all: Box<dyn Patches + 'a>,
}

impl Patches for Within<'_> {
    fn model(&self, values: &[f64], asked: bool) -> Result<Model, Refused> {
        let all: Vec<f64> = self.first.iter().chain(values).copied().collect();
        self.all.model(&all, asked)
    }

    fn reads_text(&self) -> bool {
        self.all.reads_text()
    }
}

/// The context of one point: the same probes; no progress and no records of its own.
pub fn context<'a>(outer: &Context<'a>, vary: Vary<'a>) -> Context<'a> {
    let output = Output { probes: outer.output.probes.clone(), brief: true, ..Output::default() };
    Context { stop: outer.stop, output, vary: Some(vary), unit: outer.unit, ..Context::default() }
}

/// The outcome at one point, whose model a lens gives at its paths and numbers.
pub fn ask(each: &dyn Analysis, (lens, at): (&Lens, &[(&str, f64)]), outer: &Context) -> Result<Outcome, String> {
    let values: Vec<f64> = at.iter().map(|(_, x)| *x).collect();
    let model = lens.unasked(&values)?;
    if let Some(e) = each.refuse(&model) {
        return Err(e.message);
    }
    let vary = about(at.to_vec(), outer);
    Ok(each.run(&model, &context(outer, &vary)))
}

/// An outcome as a word: the regime, a mode, or the sign of a number.
pub fn word(out: &Outcome, name: &str) -> Option<String> {
    if name == REGIME {
        return out.regime.clone();
    }
    Some(match &out.value(name)?.value {
        Value::Text(text) => text.clone(),
        Value::Flag(flag) => flag.to_string(),
        Value::Number(x) => return sign(*x).map(String::from),
        Value::Count(n) => n.to_string(),
        Value::Texts(list) => list.join(", "),
        Value::List(list) if list.len() == 1 => return sign(list[0]).map(String::from),
        Value::List(_) | Value::Rows(_) | Value::Records(_) | Value::Record(_) => return None,
    })
}

/// The sign of a number as a word; what is no number has none.
fn sign(x: f64) -> Option<&'static str> {
    match x {
        x if x > 0.0 => Some("positive"),
        x if x < 0.0 => Some("negative"),
        x if x.is_nan() => None,
        _ => Some("zero"),
    }
}

/// An outcome as a number: a value, the only entry of a list, or an entry by its index in brackets.
pub fn number(out: &Outcome, name: &str) -> Option<f64> {
    let found = match out.find(name)?.value {
        Value::Number(x) => x,
        Value::Count(n) => n as f64,
        Value::List(list) if list.len() == 1 => list[0],
        _ => return None,
    };
    (!found.is_nan()).then_some(found)
}
