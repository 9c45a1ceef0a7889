//! Times at equal achieved error.

/// A run: its error and its seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub error: f64,
    pub seconds: f64,
}

/// The runs that no other run beats in both, from the largest error (and the shortest time) on.
pub fn envelope(points: &[Point]) -> Vec<Point> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.seconds.total_cmp(&b.seconds).then(a.error.total_cmp(&b.error)));
    let mut kept: Vec<Point> = vec![];
    for p in sorted {
        if kept.last().is_none_or(|best| p.error < best.error) {
            kept.push(p);
        }
    }
    kept
}

/// The seconds at an error, in straight lines of the logarithms; None below the smallest error.
pub fn seconds_at(envelope: &[Point], error: f64) -> Option<f64> {
    let first = envelope.first()?;
    if error >= first.error {
        return Some(first.seconds); // a larger error has no run of its own
    }
    let pair = envelope.windows(2).find(|w| w[1].error <= error)?;
    let (a, b) = (pair[0], pair[1]);
    let floor = |e: f64| e.max(1e-300).ln();
    let part = (floor(a.error) - floor(error)) / (floor(a.error) - floor(b.error));
    Some((a.seconds.ln() + part * (b.seconds / a.seconds).ln()).exp())
}

/// The same runs, from the loosest tolerance to the tightest, each with the largest error from it on: what can be
/// relied on, without the luck of a single end state.
pub fn without_luck(ladder: &[Point]) -> Vec<Point> {
    let mut worst = 0.0;
    let mut points: Vec<Point> = ladder
        .iter()
        .rev()
        .map(|p| {
            worst = p.error.max(worst);
            Point { error: worst, ..*p }
        })
        .collect();
    points.reverse();
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(list: &[(f64, f64)]) -> Vec<Point> {
        list.iter().map(|&(error, seconds)| Point { error, seconds }).collect()
    }

    #[test]
    fn beaten_runs_are_left_out() {
        let all = points(&[(1e-2, 1.0), (1e-5, 2.0), (1e-3, 3.0), (1e-6, 4.0)]);
        assert_eq!(envelope(&all), points(&[(1e-2, 1.0), (1e-5, 2.0), (1e-6, 4.0)]));
    }

    #[test]
    fn between_runs_the_line_is_logarithmic() {
        let all = points(&[(1e-2, 1.0), (1e-4, 4.0)]);
        assert!((seconds_at(&all, 1e-3).unwrap() - 2.0).abs() < 1e-12);
        assert_eq!(seconds_at(&all, 1.0), Some(1.0));
        assert_eq!(seconds_at(&all, 1e-5), None);
    }

    #[test]
    fn a_lucky_run_has_the_error_of_the_next() {
        let ladder = points(&[(1e-3, 1.0), (1e-7, 2.0), (1e-5, 3.0)]);
        assert_eq!(without_luck(&ladder), points(&[(1e-3, 1.0), (1e-5, 2.0), (1e-5, 3.0)]));
    }
}
