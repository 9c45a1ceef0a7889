//! Units that suit a range: 0.00023 m reads as 230 um.

/// How the numbers of an axis are written: value = offset + factor * shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// Size of the unit shown.
    pub factor: f64,
    /// What is taken off first, where a range is narrow and far from zero.
    pub offset: f64,
    /// The unit shown, empty for a pure number.
    pub unit: String,
}

/// Units that may take a prefix, and which powers: there are no kiloseconds and no millihertz.
const PREFIXED: [(&str, i32, i32); 8] = [
    ("m", -15, 3),
    ("s", -15, 0),
    ("N", -15, 9),
    ("J", -15, 9),
    ("Pa", -3, 9),
    ("W", -15, 9),
    ("Hz", 0, 9),
    ("rad", -9, 0),
];
const PREFIXES: [(i32, &str); 9] =
    [(9, "G"), (6, "M"), (3, "k"), (0, ""), (-3, "m"), (-6, "\u{b5}"), (-9, "n"), (-12, "p"), (-15, "f")];

/// A unit without one.
pub fn is_pure(unit: &str) -> bool {
    unit.is_empty() || unit == "1"
}

impl Scale {
    /// Numbers as they are.
    pub fn plain(unit: &str) -> Scale {
        Scale { factor: 1.0, offset: 0.0, unit: if is_pure(unit) { String::new() } else { unit.into() } }
    }

    /// The unit that suits numbers of up to this size.
    pub fn of(unit: &str, largest: f64) -> Scale {
        let plain = Scale::plain(unit);
        if !(largest.is_finite() && largest > 0.0) {
            return plain;
        }
        // A hair above, so that 1 mm reads 1 mm where 0.999... was meant.
        let power = ((largest * (1.0 + 1e-9)).log10() / 3.0).floor() as i32 * 3;
        let end = plain.unit.find(|c: char| !c.is_alphabetic()).unwrap_or(plain.unit.len());
        let raised = plain.unit[end..].starts_with('^');
        let known = PREFIXED.iter().find(|(u, ..)| *u == &plain.unit[..end] && !raised);
        if let Some((_, least, most)) = known {
            let power = power.clamp(*least, *most);
            let near_one = largest >= 0.1 && *most == 0;
            if near_one || power == 0 {
                return if largest < 1e5 { plain } else { plain.by_power(largest) };
            }
            if let Some((p, prefix)) = PREFIXES.iter().find(|(p, _)| *p == power)
                && largest / 10f64.powi(power) < 1e5
            {
                let unit = format!("{prefix}{}", plain.unit);
                return Scale { factor: 10f64.powi(*p), unit, ..plain };
            }
        }
        plain.by_power(largest)
    }

    /// A power of ten before the unit, where numbers are too large or too small to read.
    fn by_power(self, largest: f64) -> Scale {
        if (1e-2..1e5).contains(&largest) {
            return self;
        }
        let power = (largest.log10() / 3.0).floor() as i32 * 3;
        let factor = 10f64.powi(power);
        if !(factor.is_finite() && factor > 0.0) {
            return self;
        }
        let unit = format!("10^{} {}", minus(&power.to_string()), self.unit).trim_end().to_owned();
        Scale { factor, unit, ..self }
    }

    /// The number shown for a value.
    pub fn show(&self, value: f64) -> f64 {
        (value - self.offset) / self.factor
    }

    /// Name and unit as an axis carries them.
    pub fn label(&self, name: &str, unit: &str) -> String {
        let mut text = name.to_owned();
        if self.offset != 0.0 {
            let sign = if self.offset < 0.0 { "+" } else { "\u{2212}" };
            let unit = if is_pure(unit) { String::new() } else { format!(" {unit}") };
            text = format!("{text} {sign} {}{unit}", number(self.offset.abs()));
        }
        if self.unit.is_empty() { text } else { format!("{text} ({})", self.unit) }
    }
}

/// A quantity for people, in the unit that suits it: `1 µm/s` for 1e-6 m/s.
pub fn readable(x: f64, unit: &str) -> String {
    let scale = Scale::of(unit, x.abs());
    format!("{} {}", number(scale.show(x)), scale.unit).trim_end().to_owned()
}

/// A hyphen in front of a number becomes a minus sign.
pub fn minus(text: &str) -> String {
    text.replace('-', "\u{2212}")
}

/// A number for people, to six digits.
pub fn number(x: f64) -> String {
    if !x.is_finite() {
        return "undefined".into();
    }
    let size = x.abs();
    if x == 0.0 {
        return "0".into();
    }
    let text = if (1e-3..1e6).contains(&size) {
        let digits = (5 - size.log10().floor() as i32).clamp(0, 9) as usize;
        let text = format!("{x:.digits$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    } else {
        let text = format!("{x:.5e}");
        let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
        let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
        format!("{mantissa}e{power}")
    };
    minus(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_suit_the_size() {
        for (unit, largest, shown) in [
            ("m", 2.3e-4, "\u{b5}m"),
            ("m", 0.06, "mm"),
            ("m", 1e-3, "mm"),
            ("m", 5.0, "m"),
            ("m/s", 5e-6, "\u{b5}m/s"),
            ("N", 11.8e3, "kN"),
            ("Pa", 5.8e6, "MPa"),
            ("s", 200.0, "s"),
            ("s", 4e4, "s"),
            ("s", 2e-4, "\u{b5}s"),
            ("s", 3e6, "10^6 s"),
            ("1", 0.5, ""),
            ("", 0.5, ""),
            ("1", 1e-7, "10^\u{2212}9"),
            ("m^2", 1e-7, "10^\u{2212}9 m^2"),
            ("kg", 0.2, "kg"),
            ("rad/s", 0.7, "rad/s"),
            ("Hz", 0.02, "Hz"),
            ("m", 0.0, "m"),
            ("m", f64::NAN, "m"),
        ] {
            assert_eq!(Scale::of(unit, largest).unit, shown, "{largest} {unit}");
        }
    }

    #[test]
    fn numbers_for_people_are_short() {
        for (x, text) in
            [(0.25, "0.25"), (1e-9, "1e\u{2212}9"), (123456.7, "123457"), (-0.1, "\u{2212}0.1"), (0.0, "0")]
        {
            assert_eq!(number(x), text);
        }
    }
}
