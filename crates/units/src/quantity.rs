//! Units and quantities as values.
use crate::{Dimension, Mismatch};
use std::f64::consts::TAU;
use std::ops::{Div, Mul};

/// A scale whose value or inverse is this near to a whole number is meant to be that number: 1/0.001 is 1000.
const ROUNDING: f64 = 8.0 * f64::EPSILON;
/// Scales that agree to this part are those of one unit: psi and lbf/in^2 are rounded in different order.
const SAME: f64 = 1e-12;

/// A unit of measurement: a number of it times `scale` is the SI value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// SI value of one unit; that of Hz is 1.
    pub scale: f64,
    /// What it measures.
    pub dimension: Dimension,
}

impl Unit {
    /// The pure number 1.
    pub const ONE: Unit = Unit::si(Dimension::NONE);

    /// The SI unit of a dimension.
    pub const fn si(dimension: Dimension) -> Unit {
        Unit { scale: 1.0, dimension }
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
        Unit { scale: self.scale.powf(power), dimension: self.dimension.pow(power) }
    }

    /// A number of this unit.
    pub fn of(&self, number: f64) -> Quantity {
        Quantity { value: self.to_si(number), dimension: self.dimension }
    }

    /// The same unit, whatever it is called.
    pub fn same(&self, other: &Unit) -> bool {
        let dimensions = self.dimension.same_kind(&other.dimension) && self.dimension.same_cycles(&other.dimension);
        dimensions && (self.scale / other.scale - 1.0).abs() < SAME
    }
}

impl Mul for Unit {
    type Output = Unit;
    fn mul(self, o: Unit) -> Unit {
        Unit { scale: self.scale * o.scale, dimension: self.dimension * o.dimension }
    }
}

impl Div for Unit {
    type Output = Unit;
    fn div(self, o: Unit) -> Unit {
        Unit { scale: self.scale / o.scale, dimension: self.dimension / o.dimension }
    }
}

/// A value with its dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// In SI; an angle in radians, a frequency in Hz or rad/s as the dimension says.
    pub value: f64,
    /// What it measures.
    pub dimension: Dimension,
}

impl Quantity {
    /// The SI value, if the quantity measures what `unit` measures.
    ///
    /// Where Hz is expected, the value is in cycles per second, where rad/s is expected, in radians: `1 rad/s` as Hz is
    /// 0.159..., `50 Hz` as rad/s is 314.1.... A plain `1/s` says neither: it is taken as the number it is, and where it is
    /// expected so is the number of Hz or rad/s. A `deg` where a pure number is expected gives radians.
    pub fn expect(&self, unit: &Unit) -> Result<f64, Mismatch> {
        if !self.dimension.same_kind(&unit.dimension) {
            return Err(Mismatch { found: self.dimension, expected: unit.dimension });
        }
        let comparable = self.dimension.same_angle(&unit.dimension) && !self.dimension.same_cycles(&unit.dimension);
        let radians = || TAU.powf(self.dimension.cycles - unit.dimension.cycles);
        Ok(if comparable { self.value * radians() } else { self.value })
    }

    /// The number of `unit` in the quantity: `1 m` in `mm` is 1000.
    pub fn number_of(&self, unit: &Unit) -> Result<f64, Mismatch> {
        self.expect(unit).map(|si| si / unit.scale)
    }
}
