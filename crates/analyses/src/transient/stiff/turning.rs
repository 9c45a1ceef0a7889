//! How fast a linear motion turns.
use stickslip_solve::dense::dot;

/// Part of a velocity across the place below which both go along one line.
const ONE_LINE: f64 = 1e-6;

/// Radians per second of the motion x' = A x at hand: its acceleration is that of one decaying oscillation, or of two decays,
/// the faster of which counts, as nearly as can be. None where it does not move.
pub fn turning(a: &[f64], x: &[f64]) -> Option<f64> {
    let apply = |x: &[f64]| -> Vec<f64> { a.chunks_exact(x.len()).map(|row| dot(row, x)).collect() };
    let first = apply(x);
    let second = apply(&first);
    let (xx, xv, vv) = (dot(x, x), dot(x, &first), dot(&first, &first));
    let (xa, va) = (dot(x, &second), dot(&first, &second));
    let across = xx * vv - xv * xv;
    // x'' = -p x' - q x, least squares; along one line the two are not told apart.
    let (p, q) = ((xa * xv - va * xx) / across, (va * xv - xa * vv) / across);
    let rate = match (across > ONE_LINE * xx * vv && q > 0.0, p * p - 4.0 * q) {
        (false, _) => (vv / xx).sqrt(),
        (true, apart) if apart > 0.0 => 0.5 * (p.abs() + apart.sqrt()),
        (true, _) => q.sqrt(),
    };
    (rate.is_finite() && rate > 0.0).then_some(rate)
}

#[cfg(test)]
mod tests {
    use super::turning;

    #[test]
    fn one_oscillation_or_the_faster_of_two_decays_counts() {
        let oscillation = [0.0, 1.0, -4.0, -0.4];
        assert!((turning(&oscillation, &[1.0, 0.3]).unwrap() - 2.0).abs() < 1e-12);
        let decays = [-1.0, 0.0, 0.0, -50.0];
        assert!((turning(&decays, &[1.0, 0.2]).unwrap() - 50.0).abs() < 1e-9);
        assert!((turning(&decays, &[1.0, 0.0]).unwrap() - 1.0).abs() < 1e-12);
        assert!(turning(&decays, &[0.0, 0.0]).is_none());
    }
}
