//! Passivity: over random cyclic motions, power in is at least the rate of the stored energy.
use super::{Subject, probe::Probe};
use crate::{Mode, Slide};
use stickslip_real::random::SplitMix64;

/// Power below zero that rounding and differences of the stored energy explain, relative to their terms.
const ROUNDING: f64 = 1e-6;
/// Slopes ahead and across which still differ by this part over half of the distance have a kink between them.
const KINK: f64 = 0.7;
const HISTORIES: u64 = 6;
const STEPS: usize = 3000;

/// A motion in which a law gives energy away, in words. The normal force varies, or is constant.
pub fn violated(subject: &Subject, loaded: bool) -> Option<String> {
    let probes = std::iter::once(&subject.line).chain(&subject.plane);
    probes.into_iter().find_map(|probe| (0..HISTORIES).find_map(|seed| history(subject, probe, seed, loaded)))
}

fn history(subject: &Subject, probe: &Probe, seed: u64, loaded: bool) -> Option<String> {
    let sample = subject.sample;
    let mut random = SplitMix64(seed);
    // Sums of three sines; a motion over many decades of speed comes from its many reversals.
    let mut sines: [[(f64, f64, f64); 3]; 3] = Default::default();
    for component in &mut sines {
        for sine in component.iter_mut() {
            *sine = (random.even() * 2.0 - 1.0, 0.05 + random.even(), 6.3 * random.even());
        }
    }
    let sum = |k: usize, t: f64| sines[k].iter().map(|(a, w, p)| a * (w * t / sample.time() + p).sin()).sum::<f64>();
    let slope = |k: usize, t: f64| {
        let w0 = 1.0 / sample.time();
        sines[k].iter().map(|(a, w, p)| a * w * w0 * (w * w0 * t + p).cos()).sum::<f64>()
    };
    let motion = |t: f64| -> Slide<f64, 2> {
        let mut v = [sample.speed * sum(0, t), sample.speed * sum(1, t)];
        if probe.directions == 1 {
            v[1] = 0.0;
        }
        if subject.claims.positive_speed {
            v[0] = sample.speed * (30.0 * (sum(0, t) - 1.0)).exp();
        }
        let (share, rate) = if loaded { (0.3 * sum(2, t), 0.3 * slope(2, t)) } else { (0.0, 0.0) };
        let mode = if probe.directions == 2 { Mode::Forward } else { Mode::slipping(v[0]) };
        Slide::new(v, sample.load * (1.0 + share)).with_load_rate(sample.load * rate).with_mode(mode)
    };
    let h = 0.02 * sample.time();
    let mut z = probe.start();
    let mut typical: f64 = 0.0;
    for i in 0..STEPS {
        let t = i as f64 * h;
        let at = motion(t);
        let answer = probe.respond(&at, &z);
        let power = if answer.cone {
            answer.values[1] * at.speed()
        } else {
            answer.values[0] * at.v[0] + answer.values[1] * at.v[1]
        };
        let stored = rate_of_stored(probe, &at, &z, &answer.values[2..], 1e-4 * sample.time());
        typical = typical.max(power.abs());
        if power - stored < -ROUNDING * (power.abs() + stored.abs()) - 1e-9 * typical {
            return Some(format!(
                "motion {seed}, t = {t:e}: power {power:e} in, {stored:e} stored, v = {:?}, n = {:e}, states {z:?}",
                at.v, at.n
            ));
        }
        z = probe.march(&z, t, h, &motion);
    }
    None
}

fn rate_of_stored(probe: &Probe, at: &Slide<f64, 2>, z: &[f64], dz: &[f64], h: f64) -> f64 {
    let energy = |h: f64| {
        let mut at = *at;
        at.n += h * at.n_rate;
        let z: Vec<f64> = z.iter().zip(dz).map(|(z, d)| z + h * d).collect();
        probe.stored(&at, &z)
    };
    slope(energy, h)
}

/// The slope of a function at zero: the central one, and at a kink, as what is stored has at a turning point, that ahead.
fn slope(f: impl Fn(f64) -> f64, h: f64) -> f64 {
    let here = f(0.0);
    let slopes = |h: f64| {
        let (near, far) = (f(h), f(2.0 * h));
        ((4.0 * near - 3.0 * here - far) / (2.0 * h), (near - f(-h)) / (2.0 * h))
    };
    let ((ahead, central), (further, across)) = (slopes(h), slopes(2.0 * h));
    // Without a kink the two differ by a quarter over half of the distance.
    let kink = (ahead - central).abs() > KINK * (further - across).abs();
    if kink { ahead } else { central }
}

#[cfg(test)]
mod tests {
    use super::slope;

    #[test]
    fn a_slope_is_central_but_at_a_kink_the_one_ahead() {
        let h = 1e-4;
        let curved = |t: f64| (1.0 + t).powi(3);
        assert!((slope(curved, h) - 3.0).abs() < 1.1 * h * h, "{}", slope(curved, h));
        let rounded = |t: f64| t * t - t.abs().powi(3);
        assert!(slope(rounded, h).abs() < 1e-15, "{}", slope(rounded, h));
        for (before, after) in [(-1.0, 1.0), (1.0, -1.0), (0.0, 2.0), (2.0, 0.5)] {
            let bent = |t: f64| if t < 0.0 { before * t } else { after * t };
            assert!((slope(bent, h) - after).abs() < 1e-12, "{before} {after}: {}", slope(bent, h));
        }
    }
}
