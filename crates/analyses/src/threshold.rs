//! Threshold: the value of a parameter at which an outcome changes.
use crate::analysis::{Analysis, Answer, Context};
use crate::axis::{between, path};
use crate::model::Model;
use crate::nested;
use stickslip_data::{Outcome, Status, Value};
use stickslip_structures::{Ask, Keys, Refused};

pub const NAME: &str = "threshold";
pub const ABOUT: &str = "The value of a parameter between two ends at which an outcome changes, by bisection.";
pub const ANSWERS: &[Answer] = &[
    Answer::value("threshold", "", "Value of the parameter at which the outcome changes."),
    Answer::value("bracket", "", "The two values between which it lies."),
    Answer::value("before", "", "Outcome at the first end of `between`."),
    Answer::value("after", "", "Outcome at the second."),
];

/// A threshold is found to this part of itself unless told otherwise.
const LOCATED: f64 = 1e-7;
/// Bisections: enough for any two numbers.
const MOST_STEPS: usize = 1100;

/// The value at which an outcome changes.
pub struct Threshold {
    parameter: String,
    between: [f64; 2],
    outcome: String,
    each: Box<dyn Analysis>,
    rtol: f64,
}

pub fn read(keys: &mut dyn Keys) -> Result<Box<dyn Analysis>, Refused> {
    let parameter = path(keys)?;
    let between = between(keys)?;
    let outcome = keys.text("outcome", "What changes: `regime`, a mode, or a value above or below 0")?;
    let rtol = keys.number(Ask::new("rtol", "1", "Relative width of the bracket").or(LOCATED).min(1e-15).max(0.5))?;
    let each = nested::read(keys, "each")?;
    Ok(Box::new(Threshold { parameter, between, outcome: outcome.unwrap_or("regime".into()), each, rtol }))
}

impl Threshold {
    /// What is compared: a word, or the sign of a number.
    fn look(&self, x: f64, context: &Context) -> Result<String, String> {
        let out = nested::ask(&*self.each, &[(&self.parameter, x)], context)?;
        let (status, reason) = out.verdict();
        if status != Status::Ok {
            return Err(reason.unwrap_or_else(|| status.to_string()));
        }
        nested::word(&out, &self.outcome).ok_or_else(|| format!("the run has no `{}`", self.outcome))
    }
}

impl Analysis for Threshold {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        self.each.refuse(model)
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
        let ends = self.look(a, context).and_then(|first| Ok((first, self.look(b, context)?)));
        let (first, last) = match ends {
            Ok(ends) => ends,
            Err(e) => {
                out.worsen(Status::Failed, e);
                return out;
            }
        };
        if first == last {
            out.worsen(
                Status::Failed,
                format!("`{}` is {first} at both ends: nothing changes between them", self.outcome),
            );
            return out;
        }
        let whole = (b - a).abs();
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
            match self.look(middle, context) {
                Ok(word) if word == first => a = middle,
                Ok(word) => {
                    if word != last {
                        out.health.warnings.push(format!("a third outcome, {word}, at {middle:.9e}"));
                    }
                    b = middle;
                }
                Err(e) => {
                    out.worsen(Status::Failed, e);
                    break;
                }
            }
        }
        let unit = context.unit_of(&self.parameter);
        out.set("threshold", Value::Number(0.5 * (a + b)), &unit);
        out.set("bracket", Value::List(vec![a, b]), &unit);
        out.set("before", Value::Text(first), "");
        out.set("after", Value::Text(last), "");
        out
    }
}
