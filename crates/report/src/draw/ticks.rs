//! Ticks at round numbers.

use crate::draw::scale::minus;

/// A tick: where on the axis, and its label.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// The number, as shown on the axis.
    pub at: f64,
    /// Empty for a minor tick.
    pub label: String,
}

/// Steps of 1, 2 or 5 times a power of ten, at most `most` ticks (at least one where any fits).
pub fn linear(lo: f64, hi: f64, most: usize) -> Vec<Tick> {
    if !(lo.is_finite() && hi.is_finite() && hi > lo && (hi - lo).is_finite()) {
        return vec![];
    }
    let rough = (hi - lo) / most.max(1) as f64;
    let mut power = rough.log10().floor();
    loop {
        for round in [1.0, 2.0, 5.0] {
            let step = round * 10f64.powf(power);
            let (first, last) = ((lo / step - 1e-9).ceil(), (hi / step + 1e-9).floor());
            if step >= rough * (1.0 - 1e-9) && last - first < most.max(1) as f64 {
                return steps(first, last, step, power);
            }
        }
        power += 1.0;
    }
}

fn steps(first: f64, last: f64, step: f64, power: f64) -> Vec<Tick> {
    let digits = (-power).clamp(0.0, 17.0) as usize;
    let mut out = Vec::new();
    let mut n = first;
    while n <= last {
        // Adding zero takes the sign off a negative one.
        let at = n * step + 0.0;
        let label = if at.abs() < 1e6 { format!("{at:.digits$}") } else { format!("{at:.3e}") };
        out.push(Tick { at, label: minus(&label) });
        n += 1.0;
    }
    out
}

/// Powers of ten, with minor ticks between where there is room; less than two decades take round numbers between.
pub fn log(lo: f64, hi: f64, most: usize) -> Vec<Tick> {
    if !(lo > 0.0 && hi.is_finite() && hi > lo) {
        return vec![];
    }
    let (first, last) = ((lo.log10() - 1e-9).ceil() as i32, (hi.log10() + 1e-9).floor() as i32);
    let decades = (last - first + 1).max(0) as usize;
    if decades < 2 {
        return between(lo, hi, most);
    }
    let stride = decades.div_ceil(most.max(1)).max(1) as i32;
    let mut out = Vec::new();
    for power in first - 1..=last {
        let ten = 10f64.powi(power);
        for k in 1..10 {
            let at = k as f64 * ten;
            if at < lo * (1.0 - 1e-9) || at > hi * (1.0 + 1e-9) {
                continue;
            }
            let major = k == 1 && power.rem_euclid(stride) == 0;
            let label = if major { format!("10^{}", minus(&power.to_string())) } else { String::new() };
            if major || decades <= 8 || (k == 1 && decades <= 40) {
                out.push(Tick { at, label });
            }
        }
    }
    out
}

/// 1, 2, 5 and their like on an axis of less than two decades.
fn between(lo: f64, hi: f64, most: usize) -> Vec<Tick> {
    if hi / lo < 3.0 {
        return linear(lo, hi, most);
    }
    let mut out = Vec::new();
    for power in lo.log10().floor() as i32..=hi.log10().ceil() as i32 {
        for k in 1..10 {
            let at = k as f64 * 10f64.powi(power);
            if at >= lo * (1.0 - 1e-9) && at <= hi * (1.0 + 1e-9) {
                let digits = (-power).clamp(0, 17) as usize;
                let readable = (-3..5).contains(&power);
                let text = if readable {
                    minus(&format!("{at:.digits$}"))
                } else {
                    format!("{k}\u{b7}10^{}", minus(&power.to_string()))
                };
                let label = if matches!(k, 1 | 2 | 5) { text } else { String::new() };
                out.push(Tick { at, label });
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|t| t.label.as_str()).filter(|l| !l.is_empty()).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(&linear(0.0, 30.0, 8)), ["0", "5", "10", "15", "20", "25", "30"]);
        assert_eq!(labels(&linear(-0.31, 0.31, 5)), ["\u{2212}0.2", "0.0", "0.2"]);
        assert_eq!(labels(&log(1e-9, 2e-2, 4)), ["10^\u{2212}8", "10^\u{2212}6", "10^\u{2212}4", "10^\u{2212}2"]);
        assert_eq!(labels(&log(0.15, 6.0, 8)), ["0.2", "0.5", "1", "2", "5"]);
        assert!(linear(1.0, 1.0, 5).is_empty() && linear(f64::NAN, 1.0, 5).is_empty() && log(0.0, 1.0, 5).is_empty());
    }

    proptest! {
        #[test]
        fn ticks_stay_inside_and_apart(lo in -1e12..1e12f64, wide in 1e-3..1e12f64, most in 2usize..12) {
            let hi = lo + wide;
            let ticks = linear(lo, hi, most);
            prop_assert!(ticks.len() <= most);
            let hair = 1e-6 * wide;
            prop_assert!(ticks.iter().all(|t| t.at >= lo - hair && t.at <= hi + hair));
            prop_assert!(ticks.windows(2).all(|p| p[1].at > p[0].at));
        }

        #[test]
        fn log_ticks_stay_inside(lo in -300.0..300.0f64, wide in 0.01..8.0f64, most in 2usize..12) {
            let (lo, hi) = (10f64.powf(lo), 10f64.powf(lo + wide));
            let ticks = log(lo, hi, most);
            prop_assert!(ticks.iter().all(|t| t.at >= lo * 0.999999 && t.at <= hi * 1.000001));
            prop_assert!(ticks.iter().filter(|t| !t.label.is_empty()).count() <= most.max(8));
        }
    }
}
