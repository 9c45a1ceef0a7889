//! Axes: from values to places between 0 and 1.

use crate::draw::scale::{Scale, minus};
use crate::draw::ticks::{self, Tick};

/// Values beyond this are drawn there, so that differences stay finite.
const HUGE: f64 = 1e300;
/// Positive data that span more than this are drawn on a logarithmic axis.
const DECADES: f64 = 1e3;
/// A range narrower than this share of its distance from zero is rounding; so is data this far below the largest.
const ROUNDING: f64 = 1e-12;
/// The same where what a solver leaves is no change.
const COARSE: f64 = 1e-6;
/// A range narrower than this share of its distance from zero is shown as a difference.
const NARROW: f64 = 1e-4;

/// Whether an axis is logarithmic.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Log {
    /// Where the data are positive and span more than three decades, the least of them not by rounding.
    #[default]
    Auto,
    /// Never.
    No,
    /// Where the data are positive.
    Yes,
}

/// What an axis shows, before the data are known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Name of the quantity.
    pub name: String,
    /// Its unit in the data.
    pub unit: String,
    /// Whether it is logarithmic.
    pub log: Log,
    /// Ends exactly at the data instead of a little beyond.
    pub tight: bool,
    /// Shows this range, whatever the data.
    pub range: Option<(f64, f64)>,
    /// Includes zero.
    pub zero: bool,
    /// Draws what differs by no more than a solver leaves as level.
    pub coarse: bool,
    /// Counts something: ticks at whole numbers only.
    pub whole: bool,
    /// Names of rows, counted from the top, instead of numbers.
    pub rows: Vec<String>,
}

/// An axis with its range.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// First value.
    pub lo: f64,
    /// Last value.
    pub hi: f64,
    /// Whether it is logarithmic.
    pub log: bool,
    /// How its numbers are written.
    pub scale: Scale,
    /// What stands beside it.
    pub label: String,
    /// Whether it counts.
    pub whole: bool,
    /// Names of rows.
    pub rows: Vec<String>,
}

impl Axis {
    /// An axis for a quantity.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Axis {
        Axis { name: name.into(), unit: unit.into(), ..Axis::default() }
    }

    /// Fits the axis to data.
    pub fn fit(&self, data: impl Iterator<Item = f64>) -> Fitted {
        if !self.rows.is_empty() {
            let (lo, hi) = (self.rows.len() as f64 - 0.5, -0.5);
            let rows = self.rows.clone();
            return Fitted {
                lo,
                hi,
                log: false,
                scale: Scale::plain(""),
                label: self.name.clone(),
                whole: false,
                rows,
            };
        }
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for v in data.filter(|v| v.is_finite()) {
            let v = v.clamp(-HUGE, HUGE);
            (lo, hi) = (lo.min(v), hi.max(v));
        }
        if let Some((a, b)) = self.range.filter(|(a, b)| a.is_finite() && b.is_finite() && a < b) {
            (lo, hi) = (a, b);
        }
        if lo > hi {
            (lo, hi) = (0.0, 1.0);
        }
        let log = match self.log {
            // An amplitude of 1e-15 beside one of 1e-2 is none: no decades for its noise.
            Log::Auto => lo > ROUNDING * hi.max(0.0) && hi / lo > DECADES,
            Log::Yes => lo > 0.0,
            Log::No => false,
        };
        let (lo, hi) = if log { self.widen_log(lo, hi) } else { self.widen(lo, hi) };
        let scale = if log { Scale::plain(&self.unit) } else { self.scale(lo, hi) };
        let label = scale.label(&self.name, &self.unit);
        Fitted { lo, hi, log, scale, label, whole: self.whole, rows: vec![] }
    }

    /// The axis with given ends, whatever the data.
    pub fn between(&self, range: (f64, f64)) -> Fitted {
        Axis { range: Some(range), log: Log::No, ..self.clone() }.fit(std::iter::empty())
    }

    fn widen(&self, mut lo: f64, mut hi: f64) -> (f64, f64) {
        if self.zero {
            (lo, hi) = (lo.min(0.0), hi.max(0.0));
        }
        let size = lo.abs().max(hi.abs());
        if hi - lo <= if self.coarse { COARSE } else { ROUNDING } * size {
            let half = if size > 0.0 { 0.1 * size } else { 1.0 };
            let middle = 0.5 * lo + 0.5 * hi;
            return (middle - half, middle + half);
        }
        if self.tight || self.range.is_some() {
            return (lo, hi);
        }
        let margin = 0.05 * (hi - lo);
        // Bars stand on zero.
        let keep = |end: f64| self.zero && end == 0.0;
        (if keep(lo) { lo } else { lo - margin }, if keep(hi) { hi } else { hi + margin })
    }

    fn widen_log(&self, lo: f64, hi: f64) -> (f64, f64) {
        if hi / lo <= 1.0 + ROUNDING {
            return (lo / 2.0, hi * 2.0);
        }
        let margin = if self.tight || self.range.is_some() { 1.0 } else { (hi / lo).powf(0.04) };
        (lo / margin, hi * margin)
    }

    fn scale(&self, lo: f64, hi: f64) -> Scale {
        let size = lo.abs().max(hi.abs());
        if hi - lo >= NARROW * size {
            return Scale::of(&self.unit, size);
        }
        let digit = 10f64.powf((hi - lo).log10().floor() + 1.0);
        let offset = (lo / digit).floor() * digit;
        Scale { offset, ..Scale::of(&self.unit, (hi - offset).abs()) }
    }
}

impl Fitted {
    /// Writes the numbers in another unit of the same kind.
    pub fn rescale(&mut self, scale: &Scale, axis: &Axis) {
        self.scale = scale.clone();
        self.label = scale.label(&axis.name, &axis.unit);
    }

    /// Where a value lies: 0 at the first end, 1 at the last; not a number where there is no place.
    pub fn place(&self, value: f64) -> f64 {
        if !value.is_finite() || (self.log && value <= 0.0) {
            return f64::NAN;
        }
        match self.log {
            true => (value.log10() - self.lo.log10()) / (self.hi.log10() - self.lo.log10()),
            false => (value.clamp(-HUGE, HUGE) - self.lo) / (self.hi - self.lo),
        }
    }

    /// At most so many ticks, with their places.
    pub fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        if !self.rows.is_empty() {
            return self.rows.iter().enumerate().map(|(i, r)| (self.place(i as f64), r.clone())).collect();
        }
        let (lo, hi) = (self.scale.show(self.lo), self.scale.show(self.hi));
        let mut ticks = if self.log { ticks::log(lo, hi, most) } else { ticks::linear(lo, hi, most) };
        if self.whole {
            ticks.retain(|t| t.at.fract() == 0.0);
            ticks.iter_mut().for_each(|t| t.label = minus(&format!("{:.0}", t.at)));
        }
        let back = |t: &Tick| self.scale.offset + self.scale.factor * t.at;
        ticks.iter().map(|t| (self.place(back(t)).clamp(0.0, 1.0), t.label.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fit(data: &[f64]) -> Fitted {
        Axis::new("x", "m").fit(data.iter().copied())
    }

    #[test]
    fn odd_data_still_give_an_axis() {
        let odd = [&[][..], &[0.0], &[3.0], &[f64::NAN], &[f64::INFINITY, 1.0], &[-f64::MAX, f64::MAX], &[5e-324, 0.0]];
        for data in odd {
            let axis = fit(data);
            assert!(axis.hi > axis.lo && (axis.hi - axis.lo).is_finite(), "{data:?}");
            assert!(axis.ticks(6).iter().all(|(p, _)| (0.0..=1.0).contains(p)), "{data:?}");
        }
    }

    #[test]
    fn decades_make_it_logarithmic() {
        assert!(fit(&[1e-9, 1e-2]).log);
        assert!(!fit(&[1e-15, 1e-2]).log);
        assert!(!fit(&[0.0, 1e-2]).log && !fit(&[1.0, 500.0]).log);
    }

    #[test]
    fn a_narrow_range_far_from_zero_is_shown_as_a_difference() {
        let axis = fit(&[1.2345678, 1.2345690]);
        assert_eq!(axis.label, "x \u{2212} 1.23456 m (\u{b5}m)");
        assert!(axis.ticks(6).iter().all(|(_, label)| label.len() <= 6));
    }

    proptest! {
        #[test]
        fn data_lie_on_the_axis(data in proptest::collection::vec(-1e9..1e9f64, 1..20)) {
            let axis = fit(&data);
            prop_assert!(data.iter().all(|v| (0.0..=1.0).contains(&axis.place(*v))));
            prop_assert!(axis.ticks(7).iter().filter(|(_, label)| !label.is_empty()).count() <= 7);
        }
    }
}
