//! The named units.
use crate::{Dimension, Unit, nearest};
use std::f64::consts::{PI, TAU};

const PREFIXES: [(&str, f64); 16] = [
    ("f", 1e-15),
    ("p", 1e-12),
    ("n", 1e-9),
    ("u", 1e-6),
    ("\u{b5}", 1e-6),  // micro sign
    ("\u{3bc}", 1e-6), // Greek mu
    ("m", 1e-3),
    ("c", 1e-2),
    ("d", 1e-1),
    ("da", 1e1),
    ("h", 1e2),
    ("k", 1e3),
    ("M", 1e6),
    ("G", 1e9),
    ("T", 1e12),
    ("", 1.0),
];

/// Powers of (kg, m, s).
const fn mechanical(mass: f64, length: f64, time: f64) -> Dimension {
    Dimension { mass, length, time, ..Dimension::NONE }
}

const FORCE: Dimension = mechanical(1.0, 1.0, -2.0);
const PRESSURE: Dimension = mechanical(1.0, -1.0, -2.0);
const ENERGY: Dimension = mechanical(1.0, 2.0, -2.0);
const CHARGE: Dimension = Dimension { current: 1.0, time: 1.0, ..Dimension::NONE };
const VOLTAGE: Dimension = Dimension { current: -1.0, ..mechanical(1.0, 2.0, -3.0) };

/// Pound of mass, kg, and standard gravity, m/s^2: exact by definition.
const POUND: f64 = 0.45359237;
const GRAVITY: f64 = 9.80665;
const INCH: f64 = 0.0254;

/// Units that take prefixes. Tonne, foot, inch and hour do not, so that `ft`, `min` and `cd` mean one thing or nothing.
const PREFIXED: [(&str, f64, Dimension); 22] = [
    ("m", 1.0, Dimension::LENGTH),
    ("g", 1e-3, Dimension::MASS),
    ("s", 1.0, Dimension::TIME),
    ("K", 1.0, Dimension::TEMPERATURE),
    ("A", 1.0, Dimension::CURRENT),
    ("N", 1.0, FORCE),
    ("Pa", 1.0, PRESSURE),
    ("J", 1.0, ENERGY),
    ("W", 1.0, mechanical(1.0, 2.0, -3.0)),
    ("Hz", 1.0, Dimension::FREQUENCY),
    ("C", 1.0, CHARGE),
    ("V", 1.0, VOLTAGE),
    ("rad", 1.0, Dimension::ANGLE),
    ("L", 1e-3, mechanical(0.0, 3.0, 0.0)),
    ("l", 1e-3, mechanical(0.0, 3.0, 0.0)),
    ("bar", 1e5, PRESSURE),
    ("gf", 1e-3 * GRAVITY, FORCE),
    ("eV", 1.602176634e-19, ENERGY),
    ("dyn", 1e-5, FORCE),
    ("erg", 1e-7, ENERGY),
    ("P", 0.1, mechanical(1.0, -1.0, -1.0)),
    ("St", 1e-4, mechanical(0.0, 2.0, -1.0)),
];

const PLAIN: [(&str, f64, Dimension); 30] = [
    ("%", 1e-2, Dimension::NONE),
    ("ppm", 1e-6, Dimension::NONE),
    ("deg", PI / 180.0, Dimension::ANGLE),
    ("\u{b0}", PI / 180.0, Dimension::ANGLE), // degree sign
    ("rev", TAU, Dimension::ANGLE),
    ("turn", TAU, Dimension::ANGLE),
    ("rpm", TAU / 60.0, Dimension::TURNING),
    ("min", 60.0, Dimension::TIME),
    ("h", 3600.0, Dimension::TIME),
    ("d", 86400.0, Dimension::TIME),
    ("day", 86400.0, Dimension::TIME),
    ("yr", 365.25 * 86400.0, Dimension::TIME),
    ("year", 365.25 * 86400.0, Dimension::TIME),
    ("t", 1e3, Dimension::MASS),
    ("tonne", 1e3, Dimension::MASS),
    ("lb", POUND, Dimension::MASS),
    ("lbf", POUND * GRAVITY, FORCE),
    ("atm", 101325.0, PRESSURE),
    ("psi", POUND * GRAVITY / (INCH * INCH), PRESSURE),
    ("ksi", 1e3 * POUND * GRAVITY / (INCH * INCH), PRESSURE),
    ("in", INCH, Dimension::LENGTH),
    ("ft", 12.0 * INCH, Dimension::LENGTH),
    ("yd", 36.0 * INCH, Dimension::LENGTH),
    ("mile", 63360.0 * INCH, Dimension::LENGTH),
    ("\u{c5}", 1e-10, Dimension::LENGTH), // angstrom
    ("angstrom", 1e-10, Dimension::LENGTH),
    ("micron", 1e-6, Dimension::LENGTH),
    ("cal", 4.184, ENERGY),
    ("hp", 550.0 * 12.0 * INCH * POUND * GRAVITY, mechanical(1.0, 2.0, -3.0)),
    ("g0", GRAVITY, mechanical(0.0, 1.0, -2.0)),
];

/// Words people write for units, to suggest the symbol.
const WORDS: [(&str, &str); 24] = [
    ("kg", "kg"), // of Kg and kgs
    ("lb", "lb"),
    ("meter", "m"),
    ("metre", "m"),
    ("gram", "g"),
    ("kilogram", "kg"),
    ("sec", "s"),
    ("second", "s"),
    ("minute", "min"),
    ("hr", "h"),
    ("hour", "h"),
    ("newton", "N"),
    ("pascal", "Pa"),
    ("joule", "J"),
    ("watt", "W"),
    ("hertz", "Hz"),
    ("kelvin", "K"),
    ("ampere", "A"),
    ("degree", "deg"),
    ("radian", "rad"),
    ("inch", "in"),
    ("foot", "ft"),
    ("percent", "%"),
    ("pound", "lb"),
];

/// The unit of that name.
pub(crate) fn lookup(name: &str) -> Option<Unit> {
    if let Some(&(_, scale, dimension)) = PLAIN.iter().find(|u| u.0 == name) {
        return Some(Unit { scale, dimension });
    }
    PREFIXES.iter().find_map(|&(prefix, factor)| {
        let stem = name.strip_prefix(prefix)?;
        let &(_, scale, dimension) = PREFIXED.iter().find(|u| u.0 == stem)?;
        // The gram carries its own factor: 1e3 * 1e-3 is exactly 1.
        Some(Unit { scale: scale * factor, dimension })
    })
}

/// What an unknown name may have meant: a word for a unit, two units run together, a power, or the nearest name.
pub(crate) fn suggest(name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    if let Some((_, symbol)) = WORDS.iter().find(|(word, _)| lower == *word || lower.strip_suffix('s') == Some(word)) {
        return Some(symbol.to_string());
    }
    let stem = name.trim_end_matches(|c: char| c.is_numeric());
    if stem.len() < name.len() && lookup(stem).is_some() {
        let power: String = name[stem.len()..]
            .chars()
            .map(|c| match c {
                '\u{b2}' => '2',
                '\u{b3}' => '3',
                c => c,
            })
            .collect();
        return Some(format!("{stem}^{power}"));
    }
    let joined = name.char_indices().skip(1).take(16).map(|(i, _)| name.split_at(i));
    for (a, b) in joined {
        // One letter too many is no second unit.
        if a.ends_with(b) && lookup(a).is_some() {
            return Some(a.into());
        }
        if a != b && lookup(a).is_some() && lookup(b).is_some() {
            return Some(format!("{a} {b}"));
        }
    }
    nearest(name, unit_names().iter().map(String::as_str)).map(str::to_string)
}

/// The names of all units, with every prefix.
pub fn unit_names() -> Vec<String> {
    let prefixed = PREFIXED.iter().flat_map(|u| PREFIXES.iter().rev().map(move |p| format!("{}{}", p.0, u.0)));
    prefixed.chain(PLAIN.iter().map(|u| u.0.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name has one meaning: no prefixed unit reads like another, or like a plain one.
    #[test]
    fn no_two_units_share_a_name() {
        let mut names = unit_names();
        names.sort();
        let twice: Vec<_> = names.windows(2).filter(|w| w[0] == w[1]).map(|w| &w[0]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }

    #[test]
    fn suggestions_are_what_was_likely_meant() {
        for (wrong, right) in [
            ("Nm", "N m"),
            ("Pas", "Pa s"),
            ("Mpa", "MPa"),
            ("ss", "s"),
            ("lbs", "lb"),
            ("Kg", "kg"),
            ("sec", "s"),
            ("Newtons", "N"),
            ("m2", "m^2"),
            ("s\u{b2}", "s^2"),
            ("rads", "rad s"),
        ] {
            assert_eq!(suggest(wrong).as_deref(), Some(right), "{wrong}");
        }
        assert_eq!(suggest("furlong"), None);
    }
}
