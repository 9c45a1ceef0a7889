//! Dimensions: powers of the SI base quantities, with angle kept beside them.
use std::fmt;
use std::ops::{Div, Mul};

/// Exponents closer than this are equal: they come from sums and products of decimal fractions.
const EXPONENT_TOLERANCE: f64 = 1e-9;
/// Exponents are written in steps of one part of this, well within the tolerance.
const SHOWN: f64 = 1e10;

/// What a quantity measures, as real powers of base quantities.
#[derive(Clone, Copy, Debug)]
pub struct Dimension {
    /// Power of length (m).
    pub length: f64,
    /// Power of mass (kg).
    pub mass: f64,
    /// Power of time (s).
    pub time: f64,
    /// Power of temperature (K).
    pub temperature: f64,
    /// Power of electric current (A).
    pub current: f64,
    /// Power of angle (rad): no dimension in SI, kept to tell cycles from radians.
    pub angle: f64,
    /// Power of Hz: angles that are counted in cycles instead of radians.
    pub cycles: f64,
}

impl Dimension {
    /// A pure number.
    pub const NONE: Dimension =
        Dimension { length: 0.0, mass: 0.0, time: 0.0, temperature: 0.0, current: 0.0, angle: 0.0, cycles: 0.0 };
    /// Length, m.
    pub const LENGTH: Dimension = Dimension { length: 1.0, ..Self::NONE };
    /// Mass, kg.
    pub const MASS: Dimension = Dimension { mass: 1.0, ..Self::NONE };
    /// Time, s.
    pub const TIME: Dimension = Dimension { time: 1.0, ..Self::NONE };
    /// Temperature, K.
    pub const TEMPERATURE: Dimension = Dimension { temperature: 1.0, ..Self::NONE };
    /// Electric current, A.
    pub const CURRENT: Dimension = Dimension { current: 1.0, ..Self::NONE };
    /// Angle, rad.
    pub const ANGLE: Dimension = Dimension { angle: 1.0, ..Self::NONE };
    /// Angle per time, rad/s.
    pub const TURNING: Dimension = Dimension { angle: 1.0, time: -1.0, ..Self::NONE };
    /// Cycles per time, Hz.
    pub const FREQUENCY: Dimension = Dimension { cycles: 1.0, ..Self::TURNING };

    /// The dimension of a quantity raised to `power`.
    pub fn pow(self, power: f64) -> Dimension {
        self.zip(Self::NONE, |a, _| a * power)
    }

    /// A pure number or an angle.
    pub fn is_dimensionless(&self) -> bool {
        self.same_kind(&Self::NONE)
    }

    /// Equal apart from angle.
    pub fn same_kind(&self, other: &Dimension) -> bool {
        let plain = |d: &Dimension| Dimension { angle: 0.0, cycles: 0.0, ..*d };
        plain(self) == plain(other)
    }

    /// Equal powers of angle.
    pub fn same_angle(&self, other: &Dimension) -> bool {
        (self.angle - other.angle).abs() < EXPONENT_TOLERANCE
    }

    /// Angles, if any, are counted alike: in cycles or in radians.
    pub fn same_cycles(&self, other: &Dimension) -> bool {
        (self.cycles - other.cycles).abs() < EXPONENT_TOLERANCE
    }

    /// It holds an angle.
    pub fn has_angle(&self) -> bool {
        !self.same_angle(&Self::NONE)
    }

    /// It holds an angle in cycles.
    pub fn has_cycles(&self) -> bool {
        !self.same_cycles(&Self::NONE)
    }

    /// The largest power, by magnitude.
    pub(crate) fn largest_power(&self) -> f64 {
        self.powers().iter().fold(0.0, |m, (_, p)| m.max(p.abs()))
    }

    /// Powers of the units in which the dimension is written. A cycle a second is one Hz.
    fn powers(&self) -> [(&'static str, f64); 7] {
        [
            ("kg", self.mass),
            ("m", self.length),
            ("s", self.time + self.cycles),
            ("K", self.temperature),
            ("A", self.current),
            ("rad", self.angle - self.cycles),
            ("Hz", self.cycles),
        ]
    }

    fn zip(self, o: Dimension, f: impl Fn(f64, f64) -> f64) -> Dimension {
        Dimension {
            length: f(self.length, o.length),
            mass: f(self.mass, o.mass),
            time: f(self.time, o.time),
            temperature: f(self.temperature, o.temperature),
            current: f(self.current, o.current),
            angle: f(self.angle, o.angle),
            cycles: f(self.cycles, o.cycles),
        }
    }
}

impl Mul for Dimension {
    type Output = Dimension;
    fn mul(self, o: Dimension) -> Dimension {
        self.zip(o, |a, b| a + b)
    }
}

impl Div for Dimension {
    type Output = Dimension;
    fn div(self, o: Dimension) -> Dimension {
        self.zip(o, |a, b| a - b)
    }
}

impl PartialEq for Dimension {
    fn eq(&self, o: &Dimension) -> bool {
        self.powers().iter().zip(o.powers()).all(|(a, b)| (a.1 - b.1).abs() < EXPONENT_TOLERANCE)
    }
}

/// In base units: `kg m s^-2`; a pure number is `1`. The text is a unit that parses back to the same dimension.
impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "";
        for (name, power) in self.powers() {
            // Sums of decimal fractions leave dust in the last digits that no one wants to read.
            let shown = (power * SHOWN).round() / SHOWN;
            if shown == 0.0 {
                continue;
            }
            write!(f, "{gap}{name}")?;
            if shown != 1.0 {
                write!(f, "^{shown}")?;
            }
            gap = " ";
        }
        if gap.is_empty() { f.write_str("1") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_names_base_units_in_a_fixed_order() {
        let force = Dimension { mass: 1.0, length: 1.0, time: -2.0, ..Dimension::NONE };
        assert_eq!(force.to_string(), "kg m s^-2");
        assert_eq!((force / Dimension::LENGTH.pow(2.5)).to_string(), "kg m^-1.5 s^-2");
        assert_eq!((force / Dimension::LENGTH.pow(4.412)).to_string(), "kg m^-3.412 s^-2");
        assert_eq!(Dimension::NONE.to_string(), "1");
        assert_eq!(Dimension::ANGLE.to_string(), "rad");
        assert_eq!(Dimension::FREQUENCY.to_string(), "Hz");
        assert_eq!((force / Dimension::FREQUENCY).to_string(), "kg m s^-2 Hz^-1");
        assert_eq!((Dimension::LENGTH.pow(0.1).pow(3.0) / Dimension::LENGTH.pow(0.3)).to_string(), "1");
    }

    #[test]
    fn angle_is_no_kind_of_its_own() {
        assert!(Dimension::ANGLE.is_dimensionless());
        assert!(Dimension::ANGLE != Dimension::NONE);
        assert!((Dimension::ANGLE / Dimension::TIME).same_kind(&Dimension::TIME.pow(-1.0)));
        assert!(!Dimension::TIME.is_dimensionless());
    }
}
