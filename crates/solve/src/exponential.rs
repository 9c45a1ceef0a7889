//! The exponential of a small matrix: its series on a part of it, squared up again.

/// Terms of the series: a matrix of norm 1/2 leaves less than 1e-17 after thirteen.
const TERMS: usize = 13;
/// Squarings at most: of a matrix this large only what has long vanished is known.
const MOST_SQUARINGS: i32 = 48;

/// Radians of which rounding leaves twelve digits, and the logarithm of what is nothing beside one.
const MOST_RADIANS: f64 = 8192.0;
const VANISHED: f64 = -40.0;

/// exp(t A) of an n by n matrix, row after row. None where t A is too large, or no number.
///
/// A slow mode keeps its digits beside fast ones that decay. One that turns by many radians knows its angle to their
/// rounding: [`keeps_its_angle`] says whether that is enough.
pub fn exponential(n: usize, a: &[f64], t: f64) -> Option<Vec<f64>> {
    let row = |i: usize| a[i * n..(i + 1) * n].iter().map(|x| (x * t).abs()).sum::<f64>();
    let norm = (0..n).map(row).reduce(f64::max)?;
    if !norm.is_finite() {
        return None;
    }
    let squarings = if norm > 0.5 { (2.0 * norm).log2().ceil() as i32 } else { 0 };
    if squarings > MOST_SQUARINGS {
        return None;
    }
    let part = t * 0.5_f64.powi(squarings);
    let small: Vec<f64> = a.iter().map(|x| x * part).collect();
    // E = exp(A) - 1 = A (1 + A/2 (1 + A/3 (..))): beside a one, what is slow would lose its digits.
    let diagonal = |i: usize| i.is_multiple_of(n + 1);
    let mut sum: Vec<f64> = (0..n * n).map(|i| if diagonal(i) { 1.0 } else { 0.0 }).collect();
    let mut room = vec![0.0; n * n];
    for k in (1..=TERMS).rev() {
        multiply(n, &small, &sum, &mut room);
        let one = if k > 1 { 1.0 } else { 0.0 };
        for (i, x) in room.iter().enumerate() {
            sum[i] = x / k as f64 + if diagonal(i) { one } else { 0.0 };
        }
    }
    // (1 + E)^2 = 1 + 2 E + E^2.
    for _ in 0..squarings {
        multiply(n, &sum, &sum, &mut room);
        sum.iter_mut().zip(&room).for_each(|(sum, square)| *sum = 2.0 * *sum + square);
    }
    (0..n).for_each(|i| sum[i * (n + 1)] += 1.0);
    Some(sum)
}

/// Whether a mode with this rate (real and imaginary part) is known to twelve digits after a time t: it turns by so little,
/// or it has vanished.
pub fn keeps_its_angle([re, im]: [f64; 2], t: f64) -> bool {
    re.hypot(im) * t <= MOST_RADIANS || re * t < VANISHED
}

fn multiply(n: usize, a: &[f64], b: &[f64], out: &mut [f64]) {
    for i in 0..n {
        for j in 0..n {
            out[i * n + j] = (0..n).map(|k| a[i * n + k] * b[k * n + j]).sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A decaying oscillation: rotation times decay.
    #[test]
    fn oscillation_in_closed_form() {
        let (decay, omega, t) = (0.3, 2.0, 5.0);
        let e = exponential(2, &[-decay, omega, -omega, -decay], t).expect("small");
        let (size, angle): (f64, f64) = ((-decay * t).exp(), omega * t);
        let exact = [size * angle.cos(), size * angle.sin(), -size * angle.sin(), size * angle.cos()];
        for (x, y) in e.iter().zip(exact) {
            assert!((x - y).abs() < 1e-14, "{x} {y}");
        }
    }

    /// Fast and slow decays, coupled: the eigenvalues of a triangle stand on its diagonal.
    #[test]
    fn stiff_triangle_in_closed_form() {
        let (fast, slow, t) = (-1000.0, -1.0, 1.0);
        let e = exponential(2, &[fast, 1.0, 0.0, slow], t).expect("not too large");
        let exact = ((slow * t).exp() - (fast * t).exp()) / (slow - fast);
        assert!(e[0].abs() < 1e-12 && e[2] == 0.0);
        assert!((e[1] / exact - 1.0).abs() < 1e-11, "{} {exact}", e[1]);
        assert!((e[3] / (slow * t).exp() - 1.0).abs() < 1e-11);
    }

    /// The same over ten million of the fast decay's times, with a coupling both ways.
    #[test]
    fn a_slow_mode_keeps_its_digits_beside_a_decay_that_has_long_vanished() {
        // Eigenvectors (1, p) and (q, 1).
        let (fast, slow, p, q, t): (f64, f64, f64, f64, f64) = (-1e7, -1.0, 1e-6, 0.3, 1.0);
        let det = 1.0 - p * q;
        let mix = |f: f64, s: f64| [f - s * p * q, q * (s - f), p * (f - s), s - f * p * q].map(|x| x / det);
        let e = exponential(2, &mix(fast, slow), t).expect("a decay");
        for (x, y) in e.iter().zip(mix(0.0, (slow * t).exp())) {
            assert!((x - y).abs() <= 1e-9 * y.abs(), "{x} {y}");
        }
    }

    #[test]
    fn too_large_or_no_number_is_refused() {
        assert!(exponential(1, &[-1e15], 1.0).is_none());
        assert!(!keeps_its_angle([-1.0, 1e6], 1.0) && keeps_its_angle([-50.0, 1e6], 1.0));
        assert!(exponential(1, &[f64::NAN], 1.0).is_none());
    }
}
