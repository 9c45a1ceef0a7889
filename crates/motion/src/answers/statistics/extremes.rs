//! Extremes of the settled part, at rows and between them.
use super::Settled;
use crate::answers::row_extrema::velocity_extreme;
use crate::observers::extrema::Quantity;

impl Settled<'_> {
    /// Largest and smallest first coordinate in the second half.
    pub(super) fn extremes(&self) -> (f64, f64) {
        let (from, to) = self.half;
        let turns = self.peaks.maxima.iter().chain(&self.peaks.minima);
        let turns = turns.filter(|(t, _)| *t >= from && *t <= to).map(|(_, q)| *q);
        let (low, high) = self.range(Quantity::Coordinate(0));
        turns.fold((high, low), |(hi, lo), q| (hi.max(q), lo.min(q)))
    }

    /// Smallest and largest value of a quantity in the second half.
    pub(super) fn range(&self, quantity: Quantity) -> (f64, f64) {
        let turns = self.extrema.of_quantity(quantity, self.half);
        turns.chain(self.at_ends(quantity, self.half)).fold(self.range_of_rows(quantity), wider)
    }

    /// The same of its rows alone: most quantities are columns of them.
    fn range_of_rows(&self, quantity: Quantity) -> (f64, f64) {
        let (none, rows) = ((f64::INFINITY, f64::NEG_INFINITY), self.rows_of_half());
        match (quantity, quantity.column(self.trace)) {
            (Quantity::Friction(p), _) => self.trace.coefficients(rows, p).fold(none, wider),
            (_, Some(column)) => self.trace.column(rows, column).fold(none, wider),
            (_, None) => rows.map(|i| quantity.of_row(self.trace, self.dynamics, i)).fold(none, wider),
        }
    }

    /// Values of a quantity at those ends of a window that lie between rows.
    pub fn at_ends(&self, quantity: Quantity, (from, to): (f64, f64)) -> impl Iterator<Item = f64> {
        [from, to].into_iter().filter_map(move |t| self.between_rows(quantity, t))
    }

    /// A value at a time between two rows, on a line: it keeps between theirs.
    fn between_rows(&self, quantity: Quantity, t: f64) -> Option<f64> {
        let value = |i: usize| quantity.of_row(self.trace, self.dynamics, i);
        let i = super::row_after(self.trace, t);
        let (before, after) = (self.trace.t(i.checked_sub(1)?), self.trace.t(i));
        if !(before < t && t < after) {
            return None;
        }
        let part = (t - before) / (after - before);
        Some((1.0 - part) * value(i - 1) + part * value(i))
    }

    /// Largest speed of the first coordinate's rate in the second half.
    pub(super) fn speed_max(&self) -> f64 {
        let (low, high) = self.range(Quantity::Rate(0));
        let most = high.abs().max(low.abs());
        if self.extrema.observed() {
            return most;
        }
        // Steps of fixed length tell nothing of what lies between them but rates at their ends.
        let rows = self.rows_of_half();
        let steps = rows.start + 1..rows.end;
        let turns = steps.filter_map(|i| velocity_extreme(self.trace, self.dynamics, i, 0));
        turns.fold(most, |most, (_, v)| most.max(v.abs()))
    }
}

/// A range that holds one more value; what is no number is not lost.
fn wider((low, high): (f64, f64), x: f64) -> (f64, f64) {
    match low.is_nan() || x.is_nan() {
        true => (f64::NAN, f64::NAN),
        false => (low.min(x), high.max(x)),
    }
}
