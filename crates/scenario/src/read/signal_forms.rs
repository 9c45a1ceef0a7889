//! The forms of a function of time that have named numbers: ramp, sine, pulse.
use crate::context::Reading;
use crate::read::signal::{Component, Found};
use crate::text::paths::join;
use crate::text::tree::{Node, Table, Value};
use serde_json::json;
use std::f64::consts::TAU;
use std::sync::Arc;
use stickslip_formula::{Formula, Symbol};
use stickslip_structures::{Ask, Pulse, Refused, Signal};
use stickslip_units::{Dimension, Unit, nearest};

const SHAPES: [(&str, Pulse); 4] = [
    ("half-sine", Pulse::HalfSine),
    ("rectangle", Pulse::Rectangle),
    ("triangle", Pulse::Triangle),
    ("haversine", Pulse::Haversine),
];

/// A number, or the entry of a list that belongs to the component; `each`: a list is needed where there are several.
pub(crate) fn component(
    reading: &Reading,
    node: &Node,
    unit: &str,
    path: &str,
    part: Component,
    each: bool,
) -> Result<f64, Refused> {
    let wrong = |found: String, n: usize| {
        Err(Refused::new(path, "scenario::shape", found).expected(format!("a list of {n} numbers (unit {unit})")))
    };
    match (&node.value, part) {
        (Value::List(list), Some((i, n))) => match list.get(i) {
            Some(node) if list.len() == n => Ok(reading.amount(node, unit, &format!("{path}[{i}]"))?.value),
            _ => wrong(format!("{} values are given", list.len()), n),
        },
        (_, Some((_, n))) if n > 1 && each => wrong("one value is given".into(), n),
        _ => Ok(reading.amount(node, unit, path)?.value),
    }
}

/// The fields of a ramp, a sine or a pulse.
pub(crate) struct Fields<'r, 'a> {
    pub reading: &'r Reading<'a>,
    pub table: &'r Table,
    pub path: String,
    pub part: Component,
}

impl Fields<'_, '_> {
    fn find(&self, key: &str, unit: &str, each: bool) -> Result<Option<f64>, Refused> {
        self.reading.ask(&self.path, key, true);
        let Some(node) = self.table.get(key) else { return Ok(None) };
        component(self.reading, node, unit, &join(&self.path, key), self.part, each).map(Some)
    }

    fn need(&self, key: &str, unit: &str, each: bool) -> Result<f64, Refused> {
        self.find(key, unit, each)?.ok_or_else(|| {
            let e = Refused::new(join(&self.path, key), "scenario::missing", format!("`{key}` is missing"));
            e.expected(format!("{key}: a number (unit {unit})"))
        })
    }

    fn positive(&self, key: &str) -> Result<f64, Refused> {
        let x = self.need(key, "s", false)?;
        Ask::new(key, "s", "").above(0.0).check(x).map_err(|m| {
            Refused::new(join(&self.path, key), "scenario::out-of-range", m).expected("a number (unit s), above 0")
        })
    }

    pub fn ramp(&self, ask: &Ask) -> Found {
        let from = self.find("from", ask.unit, false)?.unwrap_or(0.0);
        let at = self.find("at", "s", false)?.unwrap_or(0.0);
        let Some(rate) = self.find("rate", &format!("{}/s", ask.unit), true)? else {
            let (to, duration) = (self.need("to", ask.unit, true)?, self.positive("duration")?);
            let spec = json!({ "ramp": { "from": from, "to": to, "at": at, "duration": duration }, "unit": ask.unit });
            return Ok((Signal::Points { times: vec![at, at + duration], values: vec![from, to] }, spec));
        };
        let names = ["t", "from", "rate", "at"].map(|n| Symbol::new(n, Dimension::NONE));
        // A ramp that starts at once has no kink to look for.
        let text = if at == 0.0 { "from + rate*t" } else { "from + rate*max(t - at, 0)" };
        let formula = Formula::parse(text, &names, &Unit::ONE)
            .map_err(|e| Refused::new(self.path.clone(), "scenario::quantity", e.to_string()))?;
        let signal = Signal::Formula { formula: Arc::new(formula), parameters: vec![from, rate, at] };
        Ok((signal, json!({ "ramp": { "from": from, "rate": rate, "at": at }, "unit": ask.unit })))
    }

    pub fn sine(&self, ask: &Ask) -> Found {
        let amplitude = self.need("amplitude", ask.unit, true)?;
        let omega = match self.find("frequency", "Hz", false)? {
            Some(_) if self.table.get("omega").is_some() => {
                let message = "`omega` and `frequency` are both given";
                return Err(Refused::new(join(&self.path, "frequency"), "scenario::conflict", message));
            }
            Some(frequency) => {
                self.reading.ask(&self.path, "omega", true);
                TAU * frequency
            }
            None => self.need("omega", "rad/s", false)?,
        };
        let phase = self.find("phase", "rad", false)?.unwrap_or(0.0);
        let mean = self.find("mean", ask.unit, false)?.unwrap_or(0.0);
        let spec = json!({ "amplitude": amplitude, "omega": omega, "phase": phase, "mean": mean });
        let sine = Signal::Sine { amplitude, omega, phase };
        let signal = if mean == 0.0 { sine } else { Signal::Sum(vec![Signal::Constant(mean), sine]) };
        Ok((signal, json!({ "sine": spec, "unit": ask.unit })))
    }

    pub fn pulse(&self, ask: &Ask) -> Found {
        self.reading.ask(&self.path, "shape", true);
        let names = SHAPES.map(|(n, _)| n);
        let path = join(&self.path, "shape");
        let Some(word) = self.table.text("shape") else {
            let e = Refused::new(path, "scenario::missing", "a pulse needs a `shape`");
            return Err(e.expected(format!("shape: one of {}", names.join(", "))));
        };
        let Some((_, shape)) = SHAPES.iter().find(|(n, _)| *n == word) else {
            let e = Refused::new(path, "scenario::choice", format!("unknown shape \"{word}\" of a pulse"));
            let hint = nearest(word, names).map(|n| format!("did you mean \"{n}\"?"));
            return Err(Refused { hint, ..e.expected(format!("one of {}", names.join(", "))) });
        };
        let at = self.find("at", "s", false)?.unwrap_or(0.0);
        let (duration, peak) = (self.positive("duration")?, self.need("peak", ask.unit, true)?);
        let spec = json!({ "shape": word, "at": at, "duration": duration, "peak": peak });
        Ok((Signal::Pulse { shape: *shape, at, duration, peak }, json!({ "pulse": spec, "unit": ask.unit })))
    }
}
