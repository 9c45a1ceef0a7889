//! Units of mass, length and time of one's own.
use stickslip::units::{Dimension, unit};

/// The dimension of a unit; none for what is not a unit.
pub fn dimension(text: &str) -> Dimension {
    unit(text).map_or(Dimension::NONE, |u| u.dimension)
}

/// Natural units of a model, in SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// kg.
    pub mass: f64,
    /// m.
    pub length: f64,
    /// s.
    pub time: f64,
}

impl Scale {
    /// No change.
    pub const ONE: Scale = Scale { mass: 1.0, length: 1.0, time: 1.0 };

    /// The size of a quantity in a unit.
    pub fn of(&self, unit: &str) -> f64 {
        let d = dimension(unit);
        // Temperatures go with energies: Boltzmann's constant stays what it is.
        let energy = self.mass * (self.length / self.time).powi(2);
        self.mass.powf(d.mass) * self.length.powf(d.length) * self.time.powf(d.time) * energy.powf(d.temperature)
    }

    /// Both, one after the other.
    pub fn times(&self, other: &Scale) -> Scale {
        Scale { mass: self.mass * other.mass, length: self.length * other.length, time: self.time * other.time }
    }
}

/// A number of an SI unit in grams, millimetres and milliseconds; none where it has no dimension.
pub fn in_other_units(x: f64, si: &str) -> Option<(f64, String)> {
    let d = dimension(si);
    if d.angle != 0.0 {
        // Cycles and radians stay what they are.
        let (factor, other) = if si.contains("Hz") { (1e-3, si.replace("Hz", "kHz")) } else { (1.0, si.to_string()) };
        return Some((x * factor, other));
    }
    let parts = [(d.mass, "g", 1e3), (d.length, "mm", 1e3), (d.time, "ms", 1e3), (d.temperature, "K", 1.0)];
    let mut factor = 1.0;
    let mut text = vec![];
    for (power, name, size) in parts {
        if power != 0.0 {
            factor *= f64::powf(size, power);
            text.push(if power == 1.0 { name.to_string() } else { format!("{name}^{power}") });
        }
    }
    (!text.is_empty()).then(|| (x * factor, text.join(" ")))
}

/// The SI unit of a dimension in base units.
pub fn si(d: Dimension) -> String {
    let parts = [(d.mass, "kg"), (d.length, "m"), (d.time, "s"), (d.temperature, "K")];
    let text: Vec<String> = parts.iter().filter(|(p, _)| *p != 0.0).map(|(p, n)| format!("{n}^{p}")).collect();
    if text.is_empty() { "1".into() } else { text.join(" ") }
}
