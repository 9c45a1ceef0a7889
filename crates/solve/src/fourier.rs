//! Fourier transforms of any length.
use std::f64::consts::PI;

/// A complex number as its two parts.
type Pair = (f64, f64);

fn times(a: Pair, b: Pair) -> Pair {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

fn turn(angle: f64) -> Pair {
    (angle.cos(), angle.sin())
}

/// X_k = sum x_j exp(-2 pi i j k/n) of any length: by halving where it is a power of two, else by Bluestein's chirp.
pub fn transform(x: &[Pair]) -> Vec<Pair> {
    let n = x.len();
    if n.is_power_of_two() {
        let mut out = x.to_vec();
        halving(&mut out, -1.0);
        return out;
    }
    if n == 0 {
        return vec![];
    }
    // j k = (j^2 + k^2 - (k - j)^2)/2; the square is taken modulo 2 n so that long transforms keep their digits.
    let chirp: Vec<Pair> = (0..n).map(|j| turn(-PI * ((j * j) % (2 * n)) as f64 / n as f64)).collect();
    let long = (2 * n - 1).next_power_of_two();
    let mut a = vec![(0.0, 0.0); long];
    let mut b = vec![(0.0, 0.0); long];
    for j in 0..n {
        a[j] = times(x[j], chirp[j]);
        let back = (chirp[j].0, -chirp[j].1);
        b[j] = back;
        if j > 0 {
            b[long - j] = back;
        }
    }
    halving(&mut a, -1.0);
    halving(&mut b, -1.0);
    a.iter_mut().zip(&b).for_each(|(a, b)| *a = times(*a, *b));
    halving(&mut a, 1.0);
    (0..n).map(|k| times(a[k], chirp[k])).map(|(re, im)| (re / long as f64, im / long as f64)).collect()
}

/// x_j = sum X_k exp(+2 pi i j k/n), without the division by n.
pub fn transform_back(x: &[Pair]) -> Vec<Pair> {
    let turned: Vec<Pair> = x.iter().map(|(re, im)| (*re, -im)).collect();
    transform(&turned).into_iter().map(|(re, im)| (re, -im)).collect()
}

/// Cooley and Tukey's method in place for a power of two.
fn halving(x: &mut [Pair], sign: f64) {
    let n = x.len();
    let mut j = 0;
    for i in 1..n {
        let mut bit = n >> 1;
        while j & bit != 0 {
            j ^= bit;
            bit >>= 1;
        }
        j |= bit;
        if i < j {
            x.swap(i, j);
        }
    }
    let mut length = 2;
    while length <= n {
        let turns: Vec<Pair> = (0..length / 2).map(|k| turn(sign * 2.0 * PI * k as f64 / length as f64)).collect();
        for block in x.chunks_exact_mut(length) {
            let (low, high) = block.split_at_mut(length / 2);
            for ((a, b), w) in low.iter_mut().zip(high).zip(&turns) {
                let t = times(*b, *w);
                *b = (a.0 - t.0, a.1 - t.1);
                *a = (a.0 + t.0, a.1 + t.1);
            }
        }
        length *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the sum itself, and back again.
    #[test]
    fn any_length_is_the_sum_it_stands_for() {
        for n in [1usize, 2, 3, 8, 12, 17, 100] {
            let x: Vec<Pair> = (0..n).map(|j| ((j as f64 * 1.3).sin(), (j as f64 * 0.7).cos())).collect();
            let found = transform(&x);
            for k in 0..n {
                let mut sum = (0.0, 0.0);
                for (j, x) in x.iter().enumerate() {
                    let t = times(*x, turn(-2.0 * PI * ((j * k) % n) as f64 / n as f64));
                    sum = (sum.0 + t.0, sum.1 + t.1);
                }
                assert!((sum.0 - found[k].0).abs() < 1e-11 && (sum.1 - found[k].1).abs() < 1e-11, "{n} {k}");
            }
            let back = transform_back(&found);
            assert!(back.iter().zip(&x).all(|(b, x)| (b.0 / n as f64 - x.0).abs() < 1e-12));
        }
    }
}
