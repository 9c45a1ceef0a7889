//! Units and quantities as values.
use crate::{Dimension, Mismatch};
use std::f64::consts::TAU;
use std::ops::{Div, Mul};

/// A scale whose value or inverse is this near to a whole number is meant to be that number: 1/0.001 is 1000.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A unit of measurement: a number of it times `scale` is the SI value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// SI value of one unit; for Hz, in rad/s.
    pub scale: f64,
    /// What it measures.
    pub dimension: Dimension,
    /// Power of Hz in the unit: a number of Hz counts cycles although the angle inside is in radians.
    pub cycles: f64,
}

impl Unit {
    /// The pure number 1.
    pub const ONE: Unit = Unit::si(Dimension::NONE);

    /// The SI unit of a dimension.
    pub const fn si(dimension: Dimension) -> Unit {
        Unit { scale: 1.0, dimension, cycles: 0.0 }
    }

    /// The SI value of a number of this unit, rounded once where the scale is a whole number or its inverse:
    /// 5 um is the f64 nearest to 5e-6, as if it had been written so.
    pub fn to_si(&self, number: f64) -> f64 {
        let whole = |x: f64| ((1.0..1e15).contains(&x) && (x / x.round() - 1.0).abs() < ROUNDING).then(|| x.round());
        match (whole(self.scale), whole(1.0 / self.scale)) {
            (Some(scale), _) => number * scale,
            (None, Some(inverse)) => number / inverse,
            _ => number * self.scale,
        }
    }

    /// The unit raised to `power`.
    pub fn pow(self, power: f64) -> Unit {
        Unit { scale: self.scale.powf(power), dimension: self.dimension.pow(power), cycles: self.cycles * power }
    }

    /// What an SI value holds too much where this unit counts cycles: 2 pi for Hz, else 1.
    fn radians(&self) -> f64 {
        TAU.powf(self.cycles)
    }
}

impl Mul for Unit {
    type Output = Unit;
    fn mul(self, o: Unit) -> Unit {
        Unit { scale: self.scale * o.scale, dimension: self.dimension * o.dimension, cycles: self.cycles + o.cycles }
    }
}

impl Div for Unit {
    type Output = Unit;
    fn div(self, o: Unit) -> Unit {
        Unit { scale: self.scale / o.scale, dimension: self.dimension / o.dimension, cycles: self.cycles - o.cycles }
    }
}

/// A value with its dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// In SI; an angle in radians, a frequency in Hz in rad/s.
    pub value: f64,
    /// What it measures.
    pub dimension: Dimension,
}

impl Quantity {
    /// The SI value, if the quantity measures what `unit` measures.
    ///
    /// Where Hz is expected, the value is in cycles per second, where rad/s is expected, in radians: `1 rad/s` as Hz is
    /// 0.159..., `50 Hz` as rad/s is 314.1.... A plain `1/s` says neither and is taken as the number it is. Elsewhere
    /// angle has no meaning: a `deg` where a pure number is expected gives radians.
    pub fn expect(&self, unit: &Unit) -> Result<f64, Mismatch> {
        if !self.dimension.same_kind(&unit.dimension) {
            return Err(Mismatch { found: self.dimension, expected: unit.dimension });
        }
        let counts_cycles = unit.cycles != 0.0 && self.dimension.same_angle(&unit.dimension);
        Ok(if counts_cycles { self.value / unit.radians() } else { self.value })
    }

    /// The number of `unit` in the quantity: `1 m` in `mm` is 1000.
    pub fn number_of(&self, unit: &Unit) -> Result<f64, Mismatch> {
        self.expect(unit).map(|si| si / (unit.scale / unit.radians()))
    }
}
