//! The period of a function of time.
use super::Signal;
use std::f64::consts::TAU;

/// Frequencies whose ratios are fractions to this part have a common period.
const COMMENSURATE: f64 = 1e-12;
/// The largest denominator of such a fraction.
const MOST_CYCLES: u32 = 1000;
/// Parts of a common period that may be one already, as of a product of sines.
const MOST_PARTS: u32 = 12;
/// Instants at which that is asked, in no regular pattern.
const INSTANTS: u32 = 23;
/// Values that differ by less than this part of the largest are one.
const SAME: f64 = 1e-11;

impl Signal {
    /// Angular frequencies of which it is made, rad/s; None where it need not repeat.
    fn frequencies(&self) -> Option<Vec<f64>> {
        match self {
            Signal::Sine { omega, .. } => Some(vec![omega.abs()]),
            Signal::Scaled(_, s) | Signal::Shifted(_, s) | Signal::Rate(s) => s.frequencies(),
            Signal::Sum(parts) => Some(parts.iter().map(Signal::frequencies).collect::<Option<Vec<_>>>()?.concat()),
            Signal::Formula { formula, parameters } => {
                let numbers: Vec<f64> = std::iter::once(f64::NAN).chain(parameters.iter().copied()).collect();
                formula.frequencies(0, &numbers)
            }
            s if s.is_constant() => Some(vec![]),
            _ => None,
        }
    }

    /// The period: 0 for a constant, None where there is none or it is not known.
    pub fn period(&self) -> Option<f64> {
        common_period(&[self])
    }

    /// The period of a function that is written as one: of sines, not of formulas, whose cycles nobody has asked for.
    pub fn written_period(&self) -> Option<f64> {
        if self.has_formula() { None } else { self.period() }
    }

    fn has_formula(&self) -> bool {
        match self {
            Signal::Formula { formula, .. } => formula.uses(0),
            Signal::Sum(parts) | Signal::Pieces { parts, .. } => parts.iter().any(Signal::has_formula),
            Signal::Scaled(_, s) | Signal::Shifted(_, s) | Signal::Rate(s) => s.has_formula(),
            Signal::Constant(_) | Signal::Sine { .. } | Signal::Points { .. } | Signal::Pulse { .. } => false,
        }
    }

    /// Whether it may bend or jump anywhere: lists of points, pulses, formulas that switch.
    pub fn has_corners(&self) -> bool {
        match self {
            s if s.is_constant() => false,
            Signal::Constant(_) | Signal::Sine { .. } => false,
            Signal::Formula { formula, .. } => formula.switch_count() > 0,
            Signal::Sum(parts) => parts.iter().any(Signal::has_corners),
            Signal::Scaled(_, s) | Signal::Shifted(_, s) | Signal::Rate(s) => s.has_corners(),
            Signal::Points { .. } | Signal::Pieces { .. } | Signal::Pulse { .. } => true,
        }
    }

    /// Whether it repeats after so long: its values do at some instants.
    fn repeats(&self, period: f64, within: f64) -> bool {
        let instants = (0..INSTANTS).map(|k| within * (f64::from(k) + 0.31) / f64::from(INSTANTS));
        let pairs: Vec<[f64; 2]> = instants.map(|t| [self.value(t), self.value(t + period)]).collect();
        let largest = pairs.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        pairs.iter().all(|[a, b]| (a - b).abs() <= SAME * largest)
    }
}

/// The period of several functions together: 0 where all are constant, None where there is none or it is not known.
pub fn common_period(signals: &[&Signal]) -> Option<f64> {
    let all: Vec<Vec<f64>> = signals.iter().map(|s| s.frequencies()).collect::<Option<_>>()?;
    let all: Vec<f64> = all.into_iter().flatten().filter(|w| *w > 0.0).collect();
    let Some(slowest) = all.iter().copied().reduce(f64::min) else { return Some(0.0) };
    // The slowest frequency goes around so many times until all others have gone around whole times.
    let mut cycles = 1;
    for w in &all {
        let whole = |k: u32| {
            let turns = f64::from(k) * w / slowest;
            (turns - turns.round()).abs() <= COMMENSURATE * turns
        };
        cycles = (1..).map(|k| k * cycles).take_while(|k| *k <= MOST_CYCLES).find(|k| whole(*k))?;
    }
    let longest = f64::from(cycles) * TAU / slowest;
    let parts = (2..=MOST_PARTS).rev().map(|k| longest / f64::from(k));
    Some(parts.into_iter().find(|part| signals.iter().all(|s| s.repeats(*part, longest))).unwrap_or(longest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use stickslip_formula::Formula;

    fn formula(text: &str) -> Signal {
        Signal::Formula { formula: Arc::new(Formula::of_time(text).unwrap()), parameters: vec![] }
    }

    fn close(found: Option<f64>, expected: f64) {
        assert!(found.is_some_and(|p| (p - expected).abs() <= 1e-12 * expected), "{found:?} for {expected}");
    }

    #[test]
    fn formulas_and_sums_have_the_period_of_their_parts_together() {
        close(formula("2 + 0.3*sin(3*t)").period(), TAU / 3.0);
        close(formula("sin(2*t) + cos(3*t)").period(), TAU);
        close(formula("abs(sin(t))").period(), TAU / 2.0);
        close(formula("sin(t)*cos(t)").period(), TAU / 2.0);
        let sine = |omega: f64| Signal::Sine { amplitude: 1.0, omega, phase: 0.2 };
        close(Signal::Sum(vec![sine(0.6), sine(0.8), Signal::Constant(3.0)]).period(), TAU / 0.2);
        close(common_period(&[&sine(1.5), &formula("cos(t)"), &Signal::Constant(1.0)]), 2.0 * TAU);
        assert_eq!(Signal::Constant(2.0).period(), Some(0.0));
    }

    #[test]
    fn what_does_not_repeat_has_none() {
        assert_eq!(formula("t").period(), None);
        assert_eq!(formula("sin(t) + sin(sqrt(2)*t)").period(), None);
        assert_eq!(Signal::Points { times: vec![0.0, 1.0], values: vec![0.0, 1.0] }.period(), None);
    }
}
