//! Gaussian profiles of a given spectrum.
use super::measure::Profile;
use std::f64::consts::PI;
use stickslip_solve::fourier::transform_back;
use stickslip_solve::statistics::Random;
use stickslip_structures::{Ask, Keys, Refused};

/// Most points of a profile.
const MOST: f64 = 4e6;

/// A spectrum: power over wavenumber on one side, whose integral is the variance.
#[derive(Clone, Debug)]
pub enum Spectrum {
    /// Autocorrelation exp(-(x/length)^2).
    Gaussian {
        /// Correlation length, m.
        length: f64,
    },
    /// Autocorrelation exp(-|x|/length).
    Exponential {
        /// Correlation length, m.
        length: f64,
    },
    /// Falls as wavenumber^-(1 + 2 hurst) from the longest to the shortest wave; flat above the longest.
    SelfAffine {
        /// Hurst exponent.
        hurst: f64,
        /// Longest wave of the fall, m.
        longest: f64,
        /// Shortest wave there is, m.
        shortest: f64,
    },
}

/// Makes profiles.
#[derive(Clone, Debug)]
pub struct Generator {
    spectrum: Spectrum,
    sigma: f64,
    points: usize,
    step: f64,
}

impl Generator {
    /// Reads what is to be made.
    pub fn read(keys: &mut dyn Keys) -> Result<Generator, Refused> {
        let kinds = ["gaussian", "exponential", "self-affine"];
        let kind = keys.choice("spectrum", &kinds, false, "Form of the spectrum")?;
        let sigma = keys.number(Ask::new("sigma", "m", "Root mean square of the heights").above(0.0))?;
        let points = keys.count(Ask::new("points", "1", "Number of points").or(4096.0).min(16.0).max(MOST))?;
        let step = keys.number(Ask::new("step", "m", "Distance of neighbouring points").above(0.0))?;
        let mut length = |key: &str, about: &str| keys.number(Ask::new(key, "m", about).above(0.0));
        let spectrum = match kind {
            0 => Spectrum::Gaussian { length: length("correlation_length", "Where the autocorrelation falls to 1/e")? },
            1 => Spectrum::Exponential {
                length: length("correlation_length", "Where the autocorrelation falls to 1/e")?,
            },
            _ => Spectrum::SelfAffine {
                longest: length("longest", "Longest wave of the fall")?,
                shortest: length("shortest", "Shortest wave there is")?,
                hurst: keys.number(Ask::new("hurst", "1", "Hurst exponent").or(0.8).above(0.0).max(1.0))?,
            },
        };
        Ok(Generator { spectrum, sigma, points, step })
    }

    /// Power at a wavenumber, up to a factor.
    fn power(&self, q: f64) -> f64 {
        match self.spectrum {
            Spectrum::Gaussian { length } => (-(q * length / 2.0).powi(2)).exp(),
            Spectrum::Exponential { length } => 1.0 / (1.0 + (q * length).powi(2)),
            Spectrum::SelfAffine { hurst, longest, shortest } => {
                let (low, high) = (2.0 * PI / longest, 2.0 * PI / shortest);
                if q > high { 0.0 } else { (q.max(low) / low).powf(-1.0 - 2.0 * hurst) }
            }
        }
    }

    /// The profile of a seed. Each wave has an amplitude of its own at random: the spectrum is that of all profiles.
    pub fn profile(&self, seed: u64) -> Profile {
        let n = self.points;
        let mut random = Random::new(seed);
        let unit = 2.0 * PI / (n as f64 * self.step);
        let half = n.div_ceil(2);
        let powers: Vec<f64> = (1..half).map(|k| self.power(unit * k as f64)).collect();
        let scale = self.sigma * self.sigma / powers.iter().sum::<f64>();
        let mut waves = vec![(0.0, 0.0); n];
        for (k, power) in powers.iter().enumerate() {
            // Two waves, k and n - k, share the variance; so do their two parts.
            let size = (scale * power / 4.0).sqrt();
            let (re, im) = (size * random.normal(), size * random.normal());
            waves[k + 1] = (re, im);
            waves[n - k - 1] = (re, -im);
        }
        let heights = transform_back(&waves).into_iter().map(|z| z.0).collect();
        Profile { first: 0.0, step: self.step, heights, notes: vec![] }
    }
}

#[cfg(test)]
mod tests {
    use super::super::measure::{root_mean_square, spectrum};
    use super::*;

    const LENGTH: f64 = 2e-5;
    const STEP: f64 = 1e-6;

    fn generator(points: usize) -> Generator {
        Generator { spectrum: Spectrum::Gaussian { length: LENGTH }, sigma: 1e-6, points, step: STEP }
    }

    /// rho = exp(-(x/l)^2): slopes by differences over two steps, curvatures by second differences, all in closed form.
    #[test]
    fn profiles_give_back_their_sigmas() {
        let rho = |steps: f64| (-(steps * STEP / LENGTH).powi(2)).exp();
        let slope = ((1.0 - rho(2.0)) / 2.0).sqrt() * 1e-6 / STEP;
        let curvature = (6.0 - 8.0 * rho(1.0) + 2.0 * rho(2.0)).sqrt() * 1e-6 / STEP.powi(2);
        let mut scores = [0.0; 3];
        let profiles = 40;
        for seed in 0..profiles {
            let z = generator(5000).profile(seed).heights;
            let slopes: Vec<f64> = z.windows(3).map(|w| (w[2] - w[0]) / (2.0 * STEP)).collect();
            let bends: Vec<f64> = z.windows(3).map(|w| (w[2] - 2.0 * w[1] + w[0]) / STEP.powi(2)).collect();
            for (score, (list, truth)) in scores.iter_mut().zip([(z, 1e-6), (slopes, slope), (bends, curvature)]) {
                let (found, error) = root_mean_square(&list);
                let off: f64 = (found - truth) / error;
                assert!(off.abs() < 4.0, "seed {seed}: {found} for {truth}, error {error}");
                *score += off * off / profiles as f64;
            }
        }
        // The errors are of the size they say: a sum of 40 squares lies within these bounds but for one in a thousand.
        assert!(scores.iter().all(|s| (0.4..1.9).contains(s)), "{scores:?}");
    }

    #[test]
    fn profiles_give_back_their_spectrum() {
        let mut outside = 0;
        let mut bands = 0;
        for seed in 0..100 {
            let z = generator(8192).profile(seed).heights;
            for [q, power, error, waves] in spectrum(&z, STEP) {
                // One side of sigma^2 l/(2 sqrt(pi)) exp(-(q l/2)^2), where it stands out of rounding.
                let truth = 1e-12 * LENGTH / PI.sqrt() * (-(q * LENGTH / 2.0).powi(2)).exp();
                if waves < 20.0 || q * LENGTH > 4.0 {
                    continue;
                }
                bands += 1;
                outside += usize::from((power / truth - 1.0).abs() > 3.0 * error);
            }
        }
        assert!(bands > 200 && outside < bands / 50, "{outside} of {bands}");
    }
}
