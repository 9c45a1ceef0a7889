//! The velocity of the driver that a record has beside it.
use stickslip_structures::Signal;

/// Slopes of a driver that differ by less than this part of its largest value are one.
const STRAIGHT: f64 = 1e-9;
/// A velocity that stays for so many rows each time, but for the last, was switched and not measured.
const STAYS: usize = 3;

/// A velocity of the driver through the rows of a record, and how it was taken.
pub fn driver(times: &[f64], values: &[f64]) -> (Signal, String) {
    match switched(times, values) {
        Some(signal) => {
            let jumps = jumps(values).len();
            (
                signal,
                format!(
                    "`load_velocity` stays as it is between its jumps ({jumps}), each at the first row of its new value"
                ),
            )
        }
        None => (lines(times, values), "`load_velocity` goes in straight lines from row to row".into()),
    }
}

/// Rows at which another value begins.
fn jumps(values: &[f64]) -> Vec<usize> {
    (1..values.len()).filter(|i| values[*i] != values[i - 1]).collect()
}

/// Whether a velocity is constant between jumps, and does not change from row to row.
pub fn is_command(values: &[f64]) -> bool {
    let all = jumps(values);
    let starts = std::iter::once(0).chain(all.iter().copied());
    !all.is_empty() && starts.zip(&all).all(|(start, end)| end - start >= STAYS)
}

/// A velocity that is constant between jumps; None where it changes from row to row.
fn switched(times: &[f64], values: &[f64]) -> Option<Signal> {
    if !is_command(values) {
        return None;
    }
    let all = jumps(values);
    let (mut knots, mut kept) = (vec![times[0]], vec![values[0]]);
    for i in all {
        knots.extend([times[i]; 2]);
        kept.extend([values[i - 1], values[i]]);
    }
    knots.push(times[times.len() - 1]);
    kept.push(values[values.len() - 1]);
    Some(Signal::Points { times: knots, values: kept })
}

/// Straight lines, without the rows on them.
fn lines(times: &[f64], values: &[f64]) -> Signal {
    let largest = values.iter().fold(0.0f64, |m, v| m.max(v.abs())).max(f64::MIN_POSITIVE);
    let mut kept: Vec<usize> = vec![0];
    for i in 1..times.len().saturating_sub(1) {
        let from = kept[kept.len() - 1];
        let slope = (values[i + 1] - values[from]) / (times[i + 1] - times[from]);
        let off = values[from] + slope * (times[i] - times[from]) - values[i];
        if off.abs() > STRAIGHT * largest {
            kept.push(i);
        }
    }
    kept.push(times.len() - 1);
    kept.dedup();
    let pick = |list: &[f64]| kept.iter().map(|i| list[*i]).collect();
    Signal::Points { times: pick(times), values: pick(values) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(values: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let times: Vec<f64> = (0..values.len()).map(|i| i as f64).collect();
        let (Signal::Points { times, values }, _) = driver(&times, values) else { panic!() };
        (times, values)
    }

    #[test]
    fn a_command_jumps() {
        let (times, values) = points(&[1.0, 1.0, 1.0, 5.0, 5.0, 5.0, 5.0, 0.0]);
        assert_eq!(times, [0.0, 3.0, 3.0, 7.0, 7.0, 7.0]);
        assert_eq!(values, [1.0, 1.0, 5.0, 5.0, 0.0, 0.0]);
    }

    #[test]
    fn a_measured_driver_keeps_its_corners_only() {
        let (times, values) = points(&[1.0, 1.0, 1.0, 3.0, 5.0, 5.0, 5.0]);
        assert_eq!(times, [0.0, 2.0, 4.0, 6.0]);
        assert_eq!(values, [1.0, 1.0, 5.0, 5.0]);
        // Without a jump there is nothing to tell apart.
        assert_eq!(points(&[2.0; 4]).1, [2.0, 2.0]);
    }
}
