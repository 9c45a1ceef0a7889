//! A broadband random part of friction.
use super::edit::Edit;
use crate::{Claims, Friction, Slide};
use std::f64::consts::TAU;
use stickslip_real::Real;
use stickslip_real::random::uniform;

/// Waves that make the noise: their sum is normal to a few parts in a hundred.
const WAVES: usize = 64;

/// Multiplies friction by 1 + intensity xi(t), never below zero: xi has mean 0 and variance 1, and is band-limited.
///
/// xi = sqrt(2/64) sum cos(2 pi f_i t + phase_i): one frequency in each 64th of the band, frequencies and phases drawn
/// from the seed of the run and the point. A function of time alone: evaluation stays pure, and smooth.
#[derive(Clone, Copy, Debug)]
pub struct Noise<S = f64> {
    /// Standard deviation, as part of the friction.
    pub intensity: S,
    /// Lowest frequency, Hz.
    pub low: S,
    /// Highest frequency, Hz.
    pub high: S,
}

impl<S: Real> Noise<S> {
    /// xi at a time, for the point of a run.
    pub fn at(&self, t: S, seed: u64, point: usize) -> S {
        let mut sum = S::zero();
        let cell = (self.high - self.low) / WAVES as f64;
        for i in 0..WAVES {
            let counter = (point as u64).wrapping_mul(WAVES as u64).wrapping_add(i as u64).wrapping_mul(2);
            let frequency = self.low + cell * (i as f64 + uniform(seed, counter));
            sum = sum + (frequency * t * TAU + TAU * uniform(seed, counter.wrapping_add(1))).cos();
        }
        sum * (2.0 / WAVES as f64).sqrt()
    }
}

impl<S: Real, const D: usize> Edit<S, D> for Noise<S> {
    fn say(&self, at: &Slide<S, D>, answer: Friction<S, D>) -> Friction<S, D> {
        let factor = (self.intensity * self.at(at.t, at.seed, at.point) + 1.0).pos();
        match answer {
            Friction::Cone { hold, strength } => Friction::Cone { hold: hold * factor, strength: strength * factor },
            Friction::Force(f) => Friction::Force(f.map(|f| f * factor)),
        }
    }
    fn intrinsic_time(&self) -> Option<f64> {
        Some(1.0 / (TAU * self.high.sample()))
    }
    /// Energy that a law without stick has stored comes back with another factor.
    fn claims(&self, of_law: Claims) -> Claims {
        let passive = of_law.passive && of_law.set_valued;
        let passive_if = !passive && (of_law.passive || of_law.passive_if);
        Claims { random: true, rate_independent: false, piecewise_linear: false, passive, passive_if, ..of_law }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean 0, variance 1 over a long time, nothing beyond the band, another course for another seed.
    #[test]
    fn noise_has_its_variance_its_band_and_its_seed() {
        let noise = Noise { intensity: 0.1, low: 10.0, high: 20.0 };
        let (count, h) = (200_000, 1e-3);
        let course: Vec<f64> = (0..count).map(|k| noise.at(k as f64 * h, 7, 0)).collect();
        let mean = course.iter().sum::<f64>() / count as f64;
        let variance = course.iter().map(|x| x * x).sum::<f64>() / count as f64;
        assert!(mean.abs() < 1e-3 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
        let power = |f: f64| {
            let (mut c, mut s) = (0.0, 0.0);
            for (k, x) in course.iter().enumerate() {
                let phase = TAU * f * k as f64 * h;
                (c, s) = (c + x * phase.cos(), s + x * phase.sin());
            }
            c.hypot(s) / count as f64
        };
        let most =
            |from: f64, to: f64| (0..20).map(|k| power(from + (to - from) * k as f64 / 20.0)).fold(0.0, f64::max);
        assert!(most(1.0, 9.0) < 1e-2 && most(21.0, 60.0) < 1e-2);
        assert!((noise.at(0.3, 7, 0) - noise.at(0.3, 8, 0)).abs() > 1e-3);
        assert!((noise.at(0.3, 7, 0) - noise.at(0.3, 7, 1)).abs() > 1e-3);
        assert_eq!(noise.at(0.3, 7, 0), noise.at(0.3, 7, 0));
    }
}
