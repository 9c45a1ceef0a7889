//! Quantiles of Student's distribution, tails of squares, and seeded random numbers.
use stickslip_real::random::{SplitMix64, scramble};

/// Logarithm of the gamma function for x > 0 (Lanczos).
fn ln_gamma(x: f64) -> f64 {
    const G: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let sum = (1..9).fold(G[0], |sum, i| sum + G[i] / (x + i as f64));
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

/// The regularised incomplete beta function, by its continued fraction (Lentz).
fn beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    // The fraction converges fast on this side only.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta(b, a, 1.0 - x);
    }
    let tiny = 1e-300;
    let safe = |x: f64| if x.abs() < tiny { tiny } else { x };
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp() / a;
    let (mut c, mut d) = (1.0, 1.0 / safe(1.0 - (a + b) * x / (a + 1.0)));
    let mut f = d;
    for m in 1..10_000 {
        let m = f64::from(m);
        for term in [
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        ] {
            d = 1.0 / safe(1.0 + term * d);
            c = safe(1.0 + term / c);
            f *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front * f
}

/// The t that Student's distribution with so many degrees of freedom stays within, on both sides, with probability `p`.
pub fn student(p: f64, freedom: f64) -> f64 {
    let inside = |t: f64| 1.0 - beta(0.5 * freedom, 0.5, freedom / (freedom + t * t));
    let mut high = 1.0;
    while inside(high) < p && high < 1e300 {
        high *= 2.0;
    }
    let mut low = 0.0;
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if inside(middle) < p { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The probability that a sum of the squares of so many normal numbers lies above `x`.
pub fn chi_square_above(x: f64, freedom: f64) -> f64 {
    let (a, x) = (0.5 * freedom, 0.5 * x);
    if x <= 0.0 {
        return 1.0;
    }
    let front = (a * x.ln() - x - ln_gamma(a)).exp();
    // The series converges fast below the mean, the continued fraction (Lentz) above it.
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        while term > 1e-16 * sum {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        return (1.0 - front * sum).clamp(0.0, 1.0);
    }
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1e300, 1.0 / b);
    let mut f = d;
    for i in 1..1_000_000 {
        let i = f64::from(i);
        let an = -i * (i - a);
        b += 2.0;
        d = 1.0 / (an * d + b);
        c = b + an / c;
        f *= c * d;
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    (front * f).clamp(0.0, 1.0)
}

/// Random numbers from a seed: the same on every machine.
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

impl Random {
    /// The numbers of a seed. Seeds are mixed: neighbouring ones must not give one series, shifted.
    pub fn new(seed: u64) -> Random {
        Random(SplitMix64(scramble(scramble(seed.wrapping_add(0x1234_5678_9abc_def1)) ^ seed.rotate_left(32))))
    }

    /// Evenly in [0, 1).
    pub fn even(&mut self) -> f64 {
        self.0.even()
    }

    /// Normally distributed with mean 0 and variance 1 (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let u = 1.0 - self.even();
        (-2.0 * u.ln()).sqrt() * (2.0 * std::f64::consts::PI * self.even()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of Student's distribution.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, t) in [(1.0, 12.706_204_74), (2.0, 4.302_652_73), (10.0, 2.228_138_85), (100.0, 1.983_971_52)] {
            assert!((student(0.95, freedom) - t).abs() < 1e-7, "{freedom}");
        }
        assert!((student(0.95, 1e6) - 1.959_963_985).abs() < 1e-5);
    }

    /// With two degrees of freedom it is exp(-x/2); the rest from tables.
    #[test]
    fn squares_lie_above_as_often_as_tables_say() {
        for x in [0.1, 1.0, 3.0, 10.0, 50.0] {
            assert!((chi_square_above(x, 2.0) / (-0.5 * x).exp() - 1.0).abs() < 1e-12, "{x}");
        }
        for (freedom, x) in [(1.0, 3.841_458_821), (10.0, 18.307_038_05), (100.0, 124.342_113_4)] {
            assert!((chi_square_above(x, freedom) - 0.05).abs() < 1e-9, "{freedom}");
        }
        assert!((chi_square_above(1e5, 1e5) - 0.5).abs() < 2e-3);
    }

    #[test]
    fn neighbouring_seeds_share_no_series() {
        let series = |seed| {
            let mut random = Random::new(seed);
            (0..200).map(|_| random.even()).collect::<Vec<f64>>()
        };
        let first = series(0);
        assert!((1..50).all(|seed| series(seed).iter().all(|x| !first.contains(x))));
    }

    #[test]
    fn random_numbers_have_their_moments() {
        let mut random = Random::new(7);
        let all: Vec<f64> = (0..100_000).map(|_| random.normal()).collect();
        let mean = all.iter().sum::<f64>() / 1e5;
        let square = all.iter().map(|x| x * x).sum::<f64>() / 1e5;
        assert!(mean.abs() < 0.015 && (square - 1.0).abs() < 0.02, "{mean} {square}");
    }
}
