//! What a controller is connected to, by names.
use super::{Acts, Measured};
use crate::{Keys, Refused, Structure};

/// Names and units of what can be measured and acted on.
#[derive(Clone, Debug, Default)]
pub struct Plant {
    /// Names of coordinates and whether each is an angle.
    coordinates: Vec<(String, bool)>,
    /// Names of their rates.
    rates: Vec<String>,
    /// Names of contacts; empty for a single one without a name.
    contacts: Vec<String>,
    /// Anything is connected: a reading without a model.
    any: bool,
}

impl Plant {
    /// Of a structure and its contacts.
    pub fn new(structure: &Structure, contacts: Vec<String>) -> Plant {
        let angle = |i: usize| structure.unit(i) == "rad";
        Plant {
            coordinates: structure.coordinates.iter().cloned().enumerate().map(|(i, c)| (c, angle(i))).collect(),
            rates: structure.rates.clone(),
            contacts,
            any: false,
        }
    }

    /// One coordinate `x`, whatever name is asked for: for the list of keys.
    pub fn any() -> Plant {
        Plant { coordinates: vec![("x".into(), false)], rates: vec!["x".into()], contacts: vec![], any: true }
    }

    /// Whether any name will do.
    pub(super) fn is_any(&self) -> bool {
        self.any
    }

    fn unknown(&self, keys: &dyn Keys, key: &str, name: &str, names: Vec<String>) -> Refused {
        let e = keys.refuse(key, "control::unknown-name", format!("there is no `{name}` in this model"));
        let hint = names.iter().find(|known| near(known, name)).map(|known| format!("did you mean \"{known}\"?"));
        let e = e.expected(format!("one of {}", names.join(", ")));
        match hint {
            Some(hint) => e.hint(hint),
            None => e,
        }
    }

    /// What a name measures.
    pub fn measured(&self, keys: &dyn Keys, key: &str, name: &str) -> Result<Measured, Refused> {
        if self.any {
            return Ok(Measured::Coordinate(0));
        }
        if let Some(i) = self.coordinates.iter().position(|(c, _)| c == name) {
            return Ok(Measured::Coordinate(i));
        }
        // A rate with a name of its own, such as `velocity`, needs no prefix.
        let rate = name.strip_prefix("rate.").unwrap_or(name);
        if let Some(i) = self.rates.iter().position(|r| r == rate) {
            return Ok(Measured::Rate(i));
        }
        let rates = self.rates.iter().map(|r| format!("rate.{r}"));
        Err(self.unknown(keys, key, name, self.coordinates.iter().map(|(c, _)| c.clone()).chain(rates).collect()))
    }

    /// What a name acts on.
    pub fn acts(&self, keys: &dyn Keys, key: &str, name: &str) -> Result<Acts, Refused> {
        if self.any {
            return Ok(Acts::Coordinate(0));
        }
        if let Some(i) = self.coordinates.iter().position(|(c, _)| c == name) {
            return Ok(Acts::Coordinate(i));
        }
        let normals: Vec<String> = self.contacts.iter().map(|c| normal_of(c)).collect();
        if let Some(i) = normals.iter().position(|normal| normal == name) {
            return Ok(Acts::Normal(i));
        }
        Err(self.unknown(keys, key, name, self.coordinates.iter().map(|(c, _)| c.clone()).chain(normals).collect()))
    }

    /// SI unit of what is measured.
    pub fn unit(&self, measured: Measured) -> &'static str {
        match measured {
            Measured::Coordinate(i) if self.coordinates[i].1 => "rad",
            Measured::Coordinate(_) => "m",
            Measured::Rate(i) if self.coordinates[i].1 => "rad/s",
            Measured::Rate(_) => "m/s",
        }
    }

    /// SI unit of an output.
    pub fn output_unit(&self, acts: Acts) -> &'static str {
        match acts {
            Acts::Coordinate(i) if self.coordinates[i].1 => "N m",
            _ => "N",
        }
    }

    /// SI unit of an output over a measured quantity, times a power of time.
    pub fn gain_unit(&self, acts: Acts, measured: Measured, seconds: i32) -> String {
        let (seconds, length) = match measured {
            Measured::Coordinate(_) => (seconds, self.unit(measured)),
            Measured::Rate(i) => (seconds + 1, self.unit(Measured::Coordinate(i))),
        };
        let output = self.output_unit(acts);
        match seconds {
            0 => format!("{output}/{length}"),
            1 => format!("{output} s/{length}"),
            -1 => format!("{output}/({length} s)"),
            s if s > 0 => format!("{output} s^{s}/{length}"),
            s => format!("{output}/({length} s^{})", -s),
        }
    }
}

/// The name under which the normal force of a contact is acted on.
fn normal_of(contact: &str) -> String {
    if contact.is_empty() { "contact.normal".into() } else { format!("contact.{contact}.normal") }
}

/// Names that differ by their case or by a prefix.
fn near(known: &str, name: &str) -> bool {
    let plain = |s: &str| s.trim_start_matches("rate.").trim_start_matches("contact.").to_lowercase();
    plain(known) == plain(name) || known.starts_with(name) || name.starts_with(known)
}
