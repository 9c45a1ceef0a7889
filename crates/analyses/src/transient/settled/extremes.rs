//! Extremes of the settled part, at rows and between them.
use super::Settled;
use crate::transient::between::{friction_extreme, velocity_extreme};

impl Settled<'_> {
    /// Largest and smallest first coordinate in the window.
    pub(super) fn extremes(&self) -> (f64, f64) {
        let (from, to) = self.window;
        let turns = self.peaks.maxima.iter().chain(&self.peaks.minima);
        let turns = turns.filter(|(t, _)| *t >= from && *t <= to).map(|(_, q)| *q);
        let rows = self.rows().map(|i| self.trace.q(i, 0));
        rows.chain(turns).fold((f64::NEG_INFINITY, f64::INFINITY), |(hi, lo), q| (hi.max(q), lo.min(q)))
    }

    /// Smallest and largest coefficient of friction of a point in the window: at the rows, and between them where friction
    /// is smooth; set-valued laws have rows where theirs is not.
    pub(super) fn friction_extremes(&self, point: usize) -> (f64, f64) {
        let rows = self.rows();
        let wider = |(low, high): (f64, f64), x: f64| (low.min(x), high.max(x));
        let known =
            rows.clone().map(|i| self.trace.coefficient(i, point)).fold((f64::INFINITY, f64::NEG_INFINITY), wider);
        let inner = rows.start.max(1)..rows.end.min(self.trace.len() - 1);
        inner.fold(known, |known, i| {
            let between = friction_extreme(self.trace, self.dynamics, i, point, known);
            between.map_or(known, |x| wider(known, x))
        })
    }

    /// Largest speed of the first coordinate's rate in the window, between rows too.
    pub(super) fn speed_max(&self) -> f64 {
        let rows = self.rows();
        let mut most: f64 = 0.0;
        for i in rows.clone() {
            most = most.max(self.trace.v(i, 0).abs());
            if i + 1 >= rows.end {
                break;
            }
            if let Some((_, v)) = velocity_extreme(self.trace, self.dynamics, i + 1, 0) {
                most = most.max(v.abs());
            }
        }
        most
    }
}
