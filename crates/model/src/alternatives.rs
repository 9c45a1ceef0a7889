//! The same scenario with other tables in it: another law, formulation or structure.
use crate::analysis::Context;
use crate::model::Model;
use stickslip_data::{Outcome, Value};
use stickslip_laws::GivenLaw;
use stickslip_structures::Refused;

/// What is put at a path of the scenario.
#[derive(Clone, Debug, PartialEq)]
pub enum Replacement {
    /// What stands at another path; a name as a table that holds nothing but this name under the key.
    Copy(String, &'static str),
    /// The same laid over what stands there, unless both name different kinds.
    Merge(String),
    /// The example of a friction law.
    Example(String),
    /// A number in SI.
    Number(f64),
    /// Numbers in SI.
    Numbers(Vec<f64>),
    /// Nothing: the default holds.
    Absent,
}

/// Paths and what is put there, in this order.
pub type Replacements = [(String, Replacement)];

/// Who makes the scenario with other tables in it.
pub trait Alternatives: Sync {
    /// The kind of a friction law and the values of its example.
    fn example(&self, law: &str) -> Result<GivenLaw, String>;
    /// What stands at a path of the scenario itself, as it would be written.
    fn written(&self, path: &str) -> Option<Value>;
    /// The model with these replacements, whatever is asked of it.
    fn model(&self, replacements: &Replacements) -> Result<Model, Refused>;
    /// The scenario with these replacements, and the analysis that stands in `each` as its own: refused as that scenario
    /// would be.
    fn scenario(&self, replacements: &Replacements) -> Result<Box<dyn Alternative>, Refused>;
}

/// A scenario in which something is replaced.
pub trait Alternative: Send + Sync {
    /// Its model.
    fn model(&self) -> &Model;
    /// What stands at a path, as it would be written.
    fn written(&self, path: &str) -> Option<Value>;
    /// Its answer.
    fn run(&self, context: &Context) -> Outcome;
}
