//! Threshold: the value of a parameter at which an outcome changes.
use stickslip_data::{Health, Outcome, Status, Value};
use stickslip_model::Model;
use stickslip_model::axis::{BETWEEN, between, path};
use stickslip_model::nested;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context, Lens};
use stickslip_structures::{Ask, Keys, Refused};

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "threshold",
    about: "The value of a parameter between two ends at which an outcome changes, by bisection.

[analysis]
kind = \"threshold\"
parameter = \"drive.velocity\"
between = [\"0.1 m/s\", \"0.7 m/s\"]
outcome = \"regime\"
each = { kind = \"transient\", duration = \"60 s\" }",
    answers: &[
        Answer::value("threshold", "", "Value of the parameter at which the outcome changes."),
        Answer::value("bracket", "", "The two values between which it lies."),
        Answer::value("before", "", "Outcome at the first end of the bracket, as at that of `between`."),
        Answer::value("after", "", "Outcome at the second; a warning says where it is not that of `between`."),
    ],
    read,
};

/// A threshold is found to this part of its own value unless set otherwise.
const LOCATED: f64 = 1e-7;
/// What `outcome` names.
const OUTCOME: &str = "What changes: `regime`, a word such as `mode_last`, a value such as `stick_fraction` by its sign; or a \
                       condition: `regime = stick-slip`, `amplitude_pp > 1e-3` in the unit of the value";
/// Bisections: enough for any two numbers.
const MOST_STEPS: usize = 1100;

/// A condition that holds.
const HOLDS: &str = "true";

/// What an outcome is compared with.
#[derive(Clone, Debug, PartialEq)]
enum Condition {
    Is(String),
    Above(f64),
    Below(f64),
}

/// What changes.
#[derive(Clone, Debug, PartialEq)]
struct Changing {
    text: String,
    name: String,
    condition: Option<Condition>,
}

impl Changing {
    /// Reads a name, or a name, a sign and what it is compared with.
    fn read(text: &str) -> Result<Changing, String> {
        let Some(at) = text.find(['=', '>', '<']) else {
            return Ok(Changing { text: text.into(), name: text.trim().into(), condition: None });
        };
        let (name, sign, rest) = (text[..at].trim(), &text[at..at + 1], text[at + 1..].trim());
        if name.is_empty() || rest.is_empty() {
            return Err(format!("`{text}` compares nothing"));
        }
        let number = || rest.parse::<f64>().ok().filter(|x| x.is_finite()).ok_or(format!("`{rest}` is no number"));
        let condition = match sign {
            "=" => Condition::Is(rest.into()),
            ">" => Condition::Above(number()?),
            _ => Condition::Below(number()?),
        };
        Ok(Changing { text: text.into(), name: name.into(), condition: Some(condition) })
    }

    /// What is compared, and the outcome as it is shown; None where the run has no such value.
    fn look(&self, out: &Outcome) -> Option<[String; 2]> {
        let Some(condition) = &self.condition else {
            let word = nested::word(out, &self.name)?;
            return Some([word.clone(), word]);
        };
        let number = nested::number(out, &self.name);
        let shown = match number {
            Some(x) => format!("{x:.6e}"),
            None => nested::word(out, &self.name)?,
        };
        let holds = match condition {
            Condition::Is(word) => match (number, word.parse::<f64>()) {
                (Some(x), Ok(y)) => x == y,
                _ => *word == shown,
            },
            Condition::Above(limit) => number? > *limit,
            Condition::Below(limit) => number? < *limit,
        };
        Some([holds.to_string(), shown])
    }
}

/// The value at which an outcome changes.
pub struct Threshold {
    parameter: String,
    between: [f64; 2],
    outcome: Changing,
    each: Box<dyn Analysis>,
    rtol: f64,
}

fn read(keys: &mut dyn Keys, kinds: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let parameter = path(keys)?;
    let between = between(keys, BETWEEN)?;
    let outcome = keys.text("outcome", OUTCOME)?;
    let rtol = keys.number(Ask::new("rtol", "1", "Relative width of the bracket").or(LOCATED).min(1e-15).max(0.5))?;
    let (each, answers) = nested::read(keys, kinds, "each")?;
    let outcome = Changing::read(&outcome.unwrap_or("regime".into())).map_err(|text| {
        keys.refuse("outcome", "analysis::shape", text).expected("a name, or a condition such as `regime = stick-slip`")
    })?;
    nested::known(keys, "outcome", &outcome.name, answers)?;
    Ok(Box::new(Threshold { parameter, between, outcome, each, rtol }))
}

impl Threshold {
    /// What is compared, a word, the sign of a number, or whether the condition holds; and the outcome as it is shown.
    fn look(&self, lens: &Lens, x: f64, context: &Context, health: &mut Health) -> Result<[String; 2], String> {
        let out = nested::ask(&*self.each, (lens, &[(&self.parameter, x)]), context)?;
        health.add(&Health { warnings: vec![], notes: vec![], ..out.health.clone() });
        let (status, reason) = out.verdict();
        if status != Status::Ok {
            return Err(reason.unwrap_or_else(|| status.to_string()));
        }
        self.outcome.look(&out).ok_or_else(|| format!("the run has no `{}`", self.outcome.name))
    }
}

impl Analysis for Threshold {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        self.each.refuse(model)
    }

    fn units(&self, model: &Model) -> Vec<(String, String)> {
        self.each.units(model).into_iter().map(|(key, unit)| (format!("each.{key}"), unit)).collect()
    }

    fn quantities(&self, model: &Model) -> Option<Vec<String>> {
        self.each.quantities(model)
    }

    fn varies(&self) -> Vec<(String, f64)> {
        let own = self.between.iter().map(|x| (self.parameter.clone(), *x));
        own.chain(self.each.varies()).collect()
    }

    fn run(&self, _: &Model, context: &Context) -> Outcome {
        let mut out = Outcome::default();
        let [mut a, mut b] = self.between;
        let lens = context.lens(&[&self.parameter]);
        let mut look = |x: f64| self.look(lens.as_ref().map_err(String::clone)?, x, context, &mut out.health);
        let ends = look(a).and_then(|first| Ok((first, look(b)?)));
        let (first, last) = match ends {
            Ok(ends) => ends,
            Err(e) => {
                out.worsen(Status::Failed, e);
                return out;
            }
        };
        if first[0] == last[0] {
            let text = match &self.outcome.condition {
                None => format!("`{}` is {} at both ends: nothing changes between them", self.outcome.name, first[0]),
                Some(_) => format!(
                    "`{}` {} at both ends, where it is {} and {}: nothing changes between them",
                    self.outcome.text,
                    if first[0] == HOLDS { "holds" } else { "does not hold" },
                    first[1],
                    last[1]
                ),
            };
            out.worsen(Status::Failed, text);
            return out;
        }
        let unit = context.unit_of(&self.parameter);
        let whole = (b - a).abs();
        let (mut before, mut after) = (first.clone(), last.clone());
        for _ in 0..MOST_STEPS {
            let middle = 0.5 * (a + b);
            if (b - a).abs() <= self.rtol * middle.abs().max(f64::MIN_POSITIVE) || middle == a || middle == b {
                break;
            }
            context.report(((b - a).abs() / whole).log2() / self.rtol.log2());
            if context.stopped() {
                out.worsen(Status::Partial, "stopped before its end");
                break;
            }
            match look(middle) {
                Ok(word) if word[0] == first[0] => (a, before) = (middle, word),
                Ok(word) => (b, after) = (middle, word),
                Err(e) => {
                    out.worsen(Status::Failed, e);
                    break;
                }
            }
        }
        if after[0] != last[0] {
            let end = self.between[1];
            let [first, after, last] = [&first[1], &after[1], &last[1]];
            out.health.warnings.push(format!(
                "this is where {first} turns into {after}; at {end} {unit} it is {last}: begin `between` beyond {b:.6} {unit} \
                 to find where that begins"
            ));
        }
        out.set("threshold", Value::Number(0.5 * (a + b)), &unit);
        out.set("bracket", Value::List(vec![a, b]), &unit);
        out.set("before", Value::Text(before[1].clone()), "");
        out.set("after", Value::Text(after[1].clone()), "");
        out
    }
}
