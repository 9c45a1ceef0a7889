//! The range of a parameter along which something is followed.
use stickslip_model::axis::path;
use stickslip_structures::{Ask, Keys, Refused};

/// What the second parameter of a pair is for.
pub const SECOND: &str = "Two parameters, each with its range";

/// A parameter and the two ends between which it varies; places between them are numbers from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// Path in the scenario.
    pub parameter: String,
    /// First value, as a number of the unit in which it is written.
    pub from: f64,
    /// Last value.
    pub to: f64,
    /// Places are spaced by the logarithm.
    pub logarithmic: bool,
}

impl Range {
    /// The value at a place.
    pub fn value(&self, place: f64) -> f64 {
        match place {
            // The ends as given, without rounding.
            0.0 => self.from,
            1.0 => self.to,
            _ if self.logarithmic => self.from * ((self.to / self.from).ln() * place).exp(),
            _ => self.from + (self.to - self.from) * place,
        }
    }

    /// Change of the value per change of the place.
    pub fn slope(&self, place: f64) -> f64 {
        match self.logarithmic {
            true => self.value(place) * (self.to / self.from).ln(),
            false => self.to - self.from,
        }
    }

    /// The same range, walked upwards.
    pub fn upwards(self) -> Range {
        match self.from > self.to {
            true => Range { from: self.to, to: self.from, ..self },
            false => self,
        }
    }
}

/// Reads `parameter`, `from`, `to` and `scale`.
pub fn read_range(keys: &mut dyn Keys) -> Result<Range, Refused> {
    let parameter = path(keys)?;
    let logarithmic = keys.choice("scale", &["linear", "log"], false, "Spacing along the range")? == 1;
    let from = keys.number(Ask::varied("from", "First value; it may lie above the last"))?;
    let to = keys.number(Ask::varied("to", "Last value"))?;
    if logarithmic && (from <= 0.0 || to <= 0.0) {
        let key = if from <= 0.0 { "from" } else { "to" };
        let e = keys.refuse(key, "analysis::out-of-range", "a logarithmic scale needs positive ends".into());
        return Err(e.expected("a number above 0").hint("use scale = \"linear\", or an end above 0"));
    }
    if from == to {
        let e = keys.refuse("to", "analysis::shape", "the range has no width: both ends are the same".into());
        return Err(e.expected("another number than `from`"));
    }
    Ok(Range { parameter, from, to, logarithmic })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_met_exactly_and_slopes_are_those_of_the_value() {
        for logarithmic in [false, true] {
            let range = Range { parameter: String::new(), from: 0.1, to: 1e4, logarithmic };
            assert_eq!([range.value(0.0), range.value(1.0)], [0.1, 1e4]);
            let h = 1e-6;
            let slope = (range.value(0.4 + h) - range.value(0.4 - h)) / (2.0 * h);
            assert!((range.slope(0.4) / slope - 1.0).abs() < 1e-8);
        }
    }
}
