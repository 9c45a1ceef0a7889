//! The exponential of a small matrix: its series on a part of it, squared up again.

/// Terms of the series: a matrix of norm 1/2 leaves less than 1e-17 after thirteen.
const TERMS: usize = 13;
/// Squarings at most; each may double the rounding.
const MOST_SQUARINGS: i32 = 14;

/// exp(t A) of an n by n matrix, row after row. None where t A is so large that digits would be lost.
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
    // 1 + A (1 + A/2 (1 + A/3 (..))).
    let mut sum = identity(n);
    let mut room = vec![0.0; n * n];
    for k in (1..=TERMS).rev() {
        multiply(n, &small, &sum, &mut room);
        for (i, x) in room.iter().enumerate() {
            sum[i] = x / k as f64 + if i % (n + 1) == 0 { 1.0 } else { 0.0 };
        }
    }
    for _ in 0..squarings {
        multiply(n, &sum, &sum, &mut room);
        std::mem::swap(&mut sum, &mut room);
    }
    Some(sum)
}

fn identity(n: usize) -> Vec<f64> {
    (0..n * n).map(|i| if i % (n + 1) == 0 { 1.0 } else { 0.0 }).collect()
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

    #[test]
    fn too_large_or_no_number_is_refused() {
        assert!(exponential(1, &[-1e6], 1.0).is_none());
        assert!(exponential(1, &[f64::NAN], 1.0).is_none());
    }
}
