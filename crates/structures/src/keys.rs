//! How a kind reads its keys. The reading code is the declaration: schema and catalogue come from a dry reading.
use crate::Signal;

/// What is wrong with a request, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// The key it is about, as a path.
    pub key: String,
    /// A stable code, such as "scenario::missing".
    pub code: &'static str,
    /// What happened.
    pub message: String,
    /// What was expected, with unit and range.
    pub expected: Option<String>,
    /// What one can do.
    pub hint: Option<String>,
}

impl Refused {
    /// A refusal about a key.
    pub fn new(key: impl Into<String>, code: &'static str, message: impl Into<String>) -> Refused {
        Refused { key: key.into(), code, message: message.into(), expected: None, hint: None }
    }

    /// With what was expected.
    pub fn expected(mut self, text: impl Into<String>) -> Refused {
        self.expected = Some(text.into());
        self
    }

    /// With a hint.
    pub fn hint(mut self, text: impl Into<String>) -> Refused {
        self.hint = Some(text.into());
        self
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for Refused {}

/// A column of a file that is wanted.
#[derive(Clone, Debug)]
pub struct Column<'a> {
    /// What it holds: `time`, `force`, ...; the key of `columns` that names it.
    pub role: &'a str,
    /// Its heading in the file, or its number from 1. A unit in brackets may follow: `t [ms]`.
    pub heading: String,
    /// The unit that is expected.
    pub unit: &'a str,
}

/// Columns of numbers from a file.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// The numbers of each, in SI.
    pub values: Vec<Vec<f64>>,
    /// What was taken for granted: units that nothing gives, for instance.
    pub notes: Vec<String>,
}

/// A friction law among others: as a table that could stand in its place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LawEntry {
    /// Its name, with what tells it from others of this name in the list.
    pub label: String,
    /// Its name.
    pub law: String,
    /// Whether a table gives its parameters; else they are those of its example.
    pub given: bool,
    /// The table, as TOML in one line.
    pub table: String,
    /// Its keys but for the name, each with its value as TOML.
    pub keys: Vec<(String, String)>,
    /// Keys of the table that hold a number.
    pub numbers: Vec<String>,
}

/// A friction law of the catalogue that a table names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NamedLaw {
    /// Its name.
    pub name: String,
    /// Whether the table gives none of its parameters.
    pub alone: bool,
}

/// The unit of a question for a number of any unit: what it belongs to knows its own.
pub const ANY_UNIT: &str = "*";

/// A question for a number or a function of time.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// Key.
    pub key: &'a str,
    /// SI unit.
    pub unit: &'a str,
    /// What it is, for the catalogue.
    pub about: &'a str,
    /// Default; None: required.
    pub default: Option<f64>,
    /// Smallest value.
    pub min: Option<f64>,
    /// Value that must be exceeded.
    pub above: Option<f64>,
    /// Largest value.
    pub max: Option<f64>,
    /// A value of the parameter that the table varies: the number of the unit in which it is written, not of SI.
    pub as_written: bool,
}

impl<'a> Ask<'a> {
    /// A required key with any value.
    pub const fn new(key: &'a str, unit: &'a str, about: &'a str) -> Self {
        Ask { key, unit, about, default: None, min: None, above: None, max: None, as_written: false }
    }
    /// With a default.
    pub fn or(mut self, default: f64) -> Self {
        self.default = Some(default);
        self
    }
    /// At least this.
    pub fn min(mut self, limit: f64) -> Self {
        self.min = Some(limit);
        self
    }
    /// More than this.
    pub fn above(mut self, limit: f64) -> Self {
        self.above = Some(limit);
        self
    }
    /// At most this.
    pub fn max(mut self, limit: f64) -> Self {
        self.max = Some(limit);
        self
    }

    /// A value of the parameter that the table varies, as a number of the unit in which it is written.
    pub fn varied(key: &'a str, about: &'a str) -> Self {
        Ask { as_written: true, ..Ask::new(key, ANY_UNIT, about) }
    }

    /// Checks a value against the range.
    pub fn check(&self, x: f64) -> Result<f64, String> {
        let fails = |holds: bool, words: &str, limit: f64| (!holds).then(|| format!("{words} {}", shown(limit)));
        if !x.is_finite() {
            return Err(format!("`{}` = {x} is not a finite number", self.key));
        }
        let broken = self
            .min
            .and_then(|l| fails(x >= l, "below", l))
            .or(self.above.and_then(|l| fails(x > l, "not above", l)))
            .or(self.max.and_then(|l| fails(x <= l, "above", l)));
        match broken {
            Some(words) => Err(format!("`{}` = {} is {words}", self.key, shown(x))),
            None => Ok(x),
        }
    }

    /// The range in words.
    pub fn expected(&self) -> String {
        let mut text = format!("a number (unit {})", self.unit);
        for (limit, words) in [(self.min, "at least"), (self.above, "above"), (self.max, "at most")] {
            if let Some(l) = limit {
                text.push_str(&format!(", {words} {}", shown(l)));
            }
        }
        text
    }
}

/// A number without a row of zeros.
fn shown(x: f64) -> String {
    if x != 0.0 && !(1e-4..1e6).contains(&x.abs()) { format!("{x:e}") } else { x.to_string() }
}

/// A table of a scenario, as a kind reads it. Keys that nobody asked for are refused after the reading.
pub trait Keys {
    /// A number.
    fn number(&mut self, ask: Ask) -> Result<f64, Refused>;
    /// A whole number.
    fn count(&mut self, ask: Ask) -> Result<usize, Refused> {
        let x = self.number(ask)?;
        if x.fract() != 0.0 || x < 0.0 {
            let message = format!("`{}` = {} is no whole number", ask.key, shown(x));
            let e = self.refuse(ask.key, "scenario::out-of-range", message);
            return Err(e.expected(ask.expected().replacen("a number", "a whole number", 1)));
        }
        Ok(x as usize)
    }
    /// A function of time.
    fn signal(&mut self, ask: Ask) -> Result<Signal, Refused>;
    /// One function of time for each of `count` components.
    fn signals(&mut self, ask: Ask, count: usize) -> Result<Vec<Signal>, Refused>;
    /// One function of time for each unit.
    fn signals_of(&mut self, key: &str, about: &str, units: &[&str]) -> Result<Vec<Signal>, Refused> {
        self.signals(Ask::new(key, units.first().copied().unwrap_or("1"), about), units.len())
    }
    /// Rows of numbers, or one row, whose units differ: `unit` tells that of a row's entry, of so many.
    fn rows(
        &mut self,
        key: &str,
        about: &str,
        unit: &dyn Fn(usize, usize, usize) -> String,
    ) -> Result<Vec<Vec<f64>>, Refused> {
        self.matrix(Ask::new(key, &unit(0, 0, 1), about), 1)
    }
    /// A list of numbers; empty when the key is absent and `ask` has a default.
    fn list(&mut self, ask: Ask) -> Result<Vec<f64>, Refused>;
    /// A matrix, row after row; one of `size` rows and columns filled with the default when absent.
    fn matrix(&mut self, ask: Ask, size: usize) -> Result<Vec<Vec<f64>>, Refused>;
    /// One of the words, as its index; the first is the default unless `required`.
    fn choice(&mut self, key: &str, words: &[&str], required: bool, about: &str) -> Result<usize, Refused>;
    /// A text; None when absent.
    fn text(&mut self, key: &str, about: &str) -> Result<Option<String>, Refused>;
    /// A list of texts; None when absent.
    fn texts(&mut self, key: &str, about: &str) -> Result<Option<Vec<String>>, Refused>;
    /// Friction laws by name, or as tables; none when the key is absent.
    fn law_entries(&mut self, key: &str, about: &str) -> Result<Vec<LawEntry>, Refused> {
        let names = self.texts(key, about)?.unwrap_or_default();
        Ok(names.into_iter().map(|law| LawEntry { label: law.clone(), law, ..LawEntry::default() }).collect())
    }
    /// Whether the value of a key is written in a unit of the dimension of `unit`, for a key that is understood in two.
    fn measures(&mut self, _key: &str, _unit: &str) -> Result<bool, Refused> {
        Ok(false)
    }
    /// A truth value; false when absent.
    fn flag(&mut self, key: &str, about: &str) -> Result<bool, Refused>;
    /// Reads a table inside this one; false when it is absent.
    fn table(
        &mut self,
        key: &str,
        about: &str,
        read: &mut dyn FnMut(&mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused>;
    /// Reads each table of a list; false when it is absent.
    fn tables(
        &mut self,
        key: &str,
        about: &str,
        read: &mut dyn FnMut(&mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused>;
    /// Reads a table whose keys are names chosen by the user (coordinates, states, parameters), in order;
    /// false when it is absent.
    fn named(
        &mut self,
        key: &str,
        about: &str,
        read: &mut dyn FnMut(&str, &mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused>;
    /// Reads each entry of a list of kinds: a table, or a name, which reads as a table that holds nothing but this name
    /// under `name`; false when it is absent.
    fn kinds(
        &mut self,
        key: &str,
        name: &str,
        about: &str,
        read: &mut dyn FnMut(&mut dyn Keys) -> Result<(), Refused>,
    ) -> Result<bool, Refused> {
        let _ = name;
        self.tables(key, about, read)
    }
    /// Reads this table as a friction law with its parameters; one that holds a name alone is not asked for them.
    fn friction_law(&mut self) -> Result<NamedLaw, Refused> {
        let name = self.text("law", "A friction law")?.unwrap_or_default();
        Ok(NamedLaw { name, alone: true })
    }
    /// Takes all keys of this table: whoever puts it in the place of another reads them there.
    fn unread(&mut self) {}
    /// Columns of numbers of the file that a key names.
    fn columns(&mut self, key: &str, about: &str, wanted: &[Column]) -> Result<Columns, Refused>;
    /// The bytes of the file that a key names.
    fn bytes(&mut self, key: &str, about: &str) -> Result<Vec<u8>, Refused>;
    /// Names of the boundaries on which the scenario's contacts lie.
    fn contact_boundaries(&mut self) -> Vec<String>;
    /// Whether a key is given, and not as a table.
    fn has(&self, key: &str) -> bool;
    /// Whether a key is given as a table.
    fn has_table(&self, key: &str) -> bool;
    /// A refusal that points at a key of this table.
    fn refuse(&self, key: &str, code: &'static str, message: String) -> Refused;
}
