//! Cycles of a motion that carries a fast ripple: turns that matter against its whole range.

/// A turn counts when the motion comes back from it by this part of its range.
const SWING: f64 = 0.25;
/// Cycles that fall to less than this part of the first are a decay, not a motion with a ripple.
const LASTING: f64 = 0.5;

/// The maxima that matter among all turns of the settled part, where most turns are ripple and the cycles last.
pub fn beneath_ripple(maxima: &[(f64, f64)], minima: &[(f64, f64)]) -> Option<Vec<(f64, f64)>> {
    let all = |f: fn(f64, f64) -> f64, from: f64| maxima.iter().chain(minima).map(|(_, q)| *q).fold(from, f);
    let range = all(f64::max, f64::NEG_INFINITY) - all(f64::min, f64::INFINITY);
    let mut turns: Vec<(f64, f64)> = maxima.iter().chain(minima).copied().collect();
    turns.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut found, mut heights) = (vec![], vec![]);
    let (mut high, mut low) = (*turns.first()?, *turns.first()?);
    let mut rising = false;
    for turn in turns {
        if turn.1 > high.1 {
            high = turn;
        }
        if turn.1 < low.1 {
            low = turn;
        }
        if rising && high.1 - turn.1 >= SWING * range {
            heights.push(high.1 - low.1);
            found.push(high);
            (rising, low) = (false, turn);
        } else if !rising && turn.1 - low.1 >= SWING * range {
            (rising, high) = (true, turn);
        }
    }
    let lasts = heights.len() > 2 && heights[heights.len() - 1] >= LASTING * heights[0];
    (lasts && maxima.len() > 2 * found.len()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Turns = Vec<(f64, f64)>;

    /// Turns of a slow triangle with a ripple on it.
    fn turns(cycles: usize, decay: f64) -> (Turns, Turns) {
        let (mut maxima, mut minima) = (vec![], vec![]);
        for k in 0..100 * cycles {
            let (t, part) = (k as f64 / 100.0, (k % 100) as f64 / 100.0);
            let height = decay.powf(t);
            let slow = height * if part < 0.8 { part / 0.8 } else { (1.0 - part) / 0.2 };
            if k % 2 == 0 { maxima.push((t, slow + 0.02)) } else { minima.push((t, slow - 0.02)) }
        }
        (maxima, minima)
    }

    #[test]
    fn a_ripple_hides_no_cycles() {
        let (maxima, minima) = turns(6, 1.0);
        let found = beneath_ripple(&maxima, &minima).unwrap();
        assert_eq!(found.len(), 6);
        assert!(found.windows(2).all(|w| (w[1].0 - w[0].0 - 1.0).abs() < 1e-9));
    }

    #[test]
    fn a_decay_is_no_ripple() {
        let (maxima, minima) = turns(12, 0.5);
        assert_eq!(beneath_ripple(&maxima, &minima), None);
    }
}
