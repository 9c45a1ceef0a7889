//! Kinds: a law's name and parameters, declared once by `#[derive(Kind)]`.
use super::claims::Claims;
use super::nested::{GivenLaw, Nested};
use super::parameter_laws::SeededLaw;
use super::values::{Given, LawError, Values};
use stickslip_real::Real;

/// Index into the `choices` of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice(pub usize);

/// How a parameter is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// One number.
    Number,
    /// A list of numbers; a single number stands for a list of one.
    List,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Sets these other parameters at once.
    Shorthand(&'static [&'static str]),
    /// A text, such as a formula; a number is a text too.
    Text,
    /// A number in a unit of any dimension.
    Quantity,
    /// A table in which the user chooses the names; the values are given like this.
    Named(&'static Param),
    /// A table with these keys.
    Record(&'static [Param]),
    /// A list of rows of numbers in these units.
    Rows(&'static [&'static str]),
    /// A file with columns of numbers in these units.
    File(&'static [&'static str]),
    /// The numbers that the scenario names for all its formulas; no key of its own.
    Inherited,
    /// A friction law, with its own parameters.
    Law,
}

/// A default, or one end of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Preset {
    /// No default.
    Required,
    /// Nothing: the law does without.
    Absent,
    /// This number.
    Number(f64),
    /// This choice.
    Word(&'static str),
    /// The value of another parameter.
    Same(&'static str),
}

/// Which side a bound is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// At least.
    Min,
    /// More than.
    Above,
    /// At most.
    Max,
    /// Less than.
    Below,
}

impl Side {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Side::Min => "at least",
            Side::Above => "above",
            Side::Max => "at most",
            Side::Below => "below",
        }
    }
}

/// A bound of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// Its side.
    pub side: Side,
    /// The number, or the parameter that gives it.
    pub limit: Preset,
}

/// A parameter of a kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Key in the scenario.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// SI unit; exponents may name other parameters: "Pa/m^m".
    pub unit: &'static str,
    /// How it is given.
    pub shape: Shape,
    /// Its default.
    pub preset: Preset,
    /// Its range.
    pub bounds: &'static [Bound],
    /// The list of tables from which a list may also be read, one entry a table.
    pub column: Option<&'static str>,
}

impl Param {
    /// A parameter declared by hand, dimensionless and required; a derive declares it on a field.
    pub const fn new(name: &'static str, about: &'static str, shape: Shape) -> Param {
        Param { name, about, unit: "1", shape, preset: Preset::Required, bounds: &[], column: None }
    }

    /// With this default.
    pub const fn or(self, preset: Preset) -> Param {
        Param { preset, ..self }
    }

    /// With this range.
    pub const fn within(self, bounds: &'static [Bound]) -> Param {
        Param { bounds, ..self }
    }

    /// The range in words: "a number (unit 1), at least mu_k".
    pub fn expected(&self) -> String {
        let mut text = match self.shape {
            Shape::Choice(words) => return format!("one of {}", words.join(", ")),
            Shape::Text => return "a text".into(),
            Shape::Law => return "a friction law, { law = \"..\", .. }".into(),
            Shape::Quantity => "a number with its unit".into(),
            Shape::Named(of) => return format!("a table of names, each with {}", of.expected()),
            Shape::Record(fields) => {
                let names: Vec<_> = fields.iter().map(|p| p.name).collect();
                return format!("a table with {}", names.join(", "));
            }
            Shape::Rows(units) => {
                return format!("a list of rows of {} numbers (units {})", units.len(), units.join(", "));
            }
            Shape::File(units) => return format!("a file of {} columns (units {})", units.len(), units.join(", ")),
            Shape::List => format!("a list of numbers (unit {})", self.unit),
            _ => format!("a number (unit {})", self.unit),
        };
        for bound in self.bounds {
            let limit = match bound.limit {
                Preset::Number(x) => format!("{x}"),
                Preset::Same(name) | Preset::Word(name) => name.to_string(),
                Preset::Required | Preset::Absent => continue,
            };
            text.push_str(&format!(", {} {limit}", bound.side.words()));
        }
        text
    }
}

/// The lift of a parameter (name, index in its list, number) to a scalar.
pub type Lift<'a, S> = &'a dyn Fn(&str, usize, f64) -> S;

/// Where a law reads its parameters: checked values, and the lift to its scalar.
pub struct Source<'a, S> {
    values: &'a Values,
    lift: Lift<'a, S>,
    /// Makes laws inside the law with derivatives in their parameters.
    inner: Option<Inside<'a>>,
}

/// Makes the law that stands under a key, in so many directions, with derivatives in its parameters; None where it has none.
pub(super) type Inside<'a> = &'a dyn Fn(&str, &GivenLaw, usize) -> Result<Option<SeededLaw>, LawError>;

impl<'a, S: Real> Source<'a, S> {
    /// Values read through a lift: constants, seeded duals, or one value a lane.
    pub fn new(values: &'a Values, lift: Lift<'a, S>) -> Self {
        Source { values, lift, inner: None }
    }

    /// The same, with laws inside the law whose parameters carry derivatives.
    pub(super) fn with_inner(self, inner: Inside<'a>) -> Self {
        Source { inner: Some(inner), ..self }
    }

    /// A value as it is, if it was given or has a default.
    pub fn get(&self, name: &str) -> Option<&'a Given> {
        self.values.get(name)
    }

    /// A number of a parameter as a scalar.
    pub fn lift(&self, name: &str, index: usize, x: f64) -> S {
        (self.lift)(name, index, x)
    }

    /// A number.
    pub fn number(&self, name: &str) -> Result<S, LawError> {
        match self.values.get(name) {
            Some(Given::Number(x)) => Ok((self.lift)(name, 0, *x)),
            _ => Err(absent(name)),
        }
    }

    /// A list.
    pub fn list(&self, name: &str) -> Result<Vec<S>, LawError> {
        match self.values.get(name) {
            Some(Given::List(list)) => Ok(list.iter().enumerate().map(|(i, x)| (self.lift)(name, i, *x)).collect()),
            _ => Err(absent(name)),
        }
    }

    /// A law inside the law.
    pub fn law(&self, name: &'static str) -> Result<Nested, LawError> {
        match self.values.get(name) {
            Some(Given::Law(inner)) => {
                let law = Nested::build(name, inner)?;
                match self.inner {
                    Some(make) => law.seeded(|directions| make(name, inner, directions)),
                    None => Ok(law),
                }
            }
            _ => Err(absent(name)),
        }
    }

    /// A choice, as its index among `words`.
    pub fn choice(&self, name: &str, words: &[&str]) -> Result<Choice, LawError> {
        match self.values.get(name) {
            Some(Given::Word(w)) => words.iter().position(|c| c == w).map(Choice).ok_or_else(|| absent(name)),
            _ => Err(absent(name)),
        }
    }
}

fn absent(name: &str) -> LawError {
    LawError::new(name, "missing", format!("`{name}` is missing"), "a resolved value".into())
}

/// A use that shows a friction law at work: `explain` prints it and draws the law's signature from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example {
    /// Parameters as a scenario has them: `mu_s = 0.5, v_s = '2 cm/s'`.
    pub parameters: &'static str,
    /// Normal force N, or pressure Pa for a law of tractions.
    pub load: f64,
    /// Slip speed, m/s, at which the law is at work.
    pub speed: f64,
    /// Slip, m, over which its states change.
    pub slip: f64,
}

/// A use that shows a normal law at work: `explain` prints it and draws force and area over the approach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pressing {
    /// Parameters as a scenario has them.
    pub parameters: &'static str,
    /// Gap at which the drawing begins, m.
    pub opening: f64,
    /// Approach at which it ends, m.
    pub approach: f64,
}

/// A kind of law: what `#[derive(Kind)]` makes from the fields.
pub trait Kind<S>: Sized {
    /// The law that these parameters make.
    type Law;
    /// Name in scenarios.
    const NAME: &'static str;
    /// What it is, with its equations.
    const ABOUT: &'static str;
    /// Where it comes from.
    const REFERENCE: &'static str;
    /// Its parameters.
    const PARAMS: &'static [Param];
    /// Parameters of which exactly one must be given.
    const ONE_OF: &'static [&'static str];
    /// Its promises.
    const CLAIMS: Claims;
    /// A use that shows it at work.
    const EXAMPLE: Option<Example> = None;
    /// The same for a normal law.
    const PRESSING: Option<Pressing> = None;
    /// Reads the parameters.
    fn read(source: &Source<S>) -> Result<Self::Law, LawError>;
}
