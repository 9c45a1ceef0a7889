//! Whether the cycles of the settled part still change.
use super::Settled;

/// Cycles of the last half of the settled part from which on they are compared.
const ENOUGH: usize = 3;
/// Cycles of a driven motion whose heights differ by more than this part of its range, over the last half of the settled part,
/// have not settled: cycles that agree to this part count as one.
const DIFFER: f64 = 1e-3;

impl Settled<'_> {
    /// What to say of a driven motion that has not come to its cycle yet.
    ///
    /// A motion that nothing sustains decays, which is its answer; so is one that decays towards steady sliding. A motion
    /// without a cycle of its own has none to come to, unless the drive gives it one.
    pub(super) fn drift(&self, regime: Option<&str>) -> Option<String> {
        let loading = &self.dynamics.model.loading;
        let forced = loading.period().is_some_and(|period| period > 0.0);
        let moves = loading.speed().is_some_and(|v| v > 0.0) && self.period.is_some();
        if self.rippled || !(forced || moves) || matches!(regime, Some("steady-sliding" | "stuck" | "separated")) {
            return None;
        }
        let late = &self.heights[self.heights.len() / 2..];
        if late.len() < ENOUGH * self.in_cycle {
            return None;
        }
        // Of several maxima in a cycle each is compared with its like.
        let differs = |k: usize| {
            let like = late.iter().skip(k).step_by(self.in_cycle);
            let (low, high) = like.fold((f64::INFINITY, 0.0f64), |(low, high), h| (low.min(*h), high.max(*h)));
            high - low
        };
        let most = (0..self.in_cycle).map(differs).fold(0.0, f64::max);
        let (high, low) = self.extremes();
        (most > DIFFER * (high - low)).then(|| {
            format!(
                "the motion has not settled: the heights of its last {} cycles differ by {:.2} % of its range, and amplitude_pp \
                 and the means may change with a longer duration",
                late.len() / self.in_cycle,
                100.0 * most / (high - low)
            )
        })
    }
}
