//! Derivatives of functions that are known by value only, by a central stencil of order six.
//!
//! It is put on the equations, never on a motion: these are smooth between events, mostly polynomials in a number of the
//! scenario, and the stencil is exact for polynomials up to degree six.
use stickslip_model::{Lens, Model};

/// Places, in steps, and weights.
pub const STENCIL: [(f64, f64); 6] =
    [(-3.0, -1.0 / 60.0), (-2.0, 0.15), (-1.0, -0.75), (1.0, 0.75), (2.0, -0.15), (3.0, 1.0 / 60.0)];

/// Length of a step as part of the number's own size.
const STEP: f64 = 1e-2;
/// How often a tenth of it is tried where a model is refused.
const CLOSER: usize = 3;

/// The step at `x` inside its bounds, and the place about which it is taken: off a bound.
pub fn step(x: f64, [low, high]: [f64; 2]) -> (f64, f64) {
    let size = if x != 0.0 { x.abs() } else { 1.0f64.min(high - low) };
    let wanted = STEP * size;
    let room = (x - low).min(high - x) / 3.5;
    if room >= wanted {
        return (x, wanted);
    }
    // On a bound: a hair inside, with what room there is.
    let inside = (1e-4 * size).min(0.25 * (high - low));
    let centre = x.clamp(low + inside, high - inside);
    (centre, ((centre - low).min(high - centre) / 3.5).min(wanted))
}

/// Models about a parameter: one at each place of the stencil, and the length of its step.
pub struct About {
    /// The models.
    pub models: Vec<Model>,
    /// The step.
    pub step: f64,
}

impl About {
    /// The models about parameter `k` of the settings, whose paths are those of the lens.
    pub fn new(settings: &[(&str, f64)], k: usize, bounds: [f64; 2], lens: &Lens) -> Result<About, String> {
        let (centre, mut step) = step(settings[k].1, bounds);
        let mut closer = CLOSER;
        loop {
            let at = |(place, _): &(f64, f64)| {
                let mut moved: Vec<f64> = settings.iter().map(|(_, x)| *x).collect();
                moved[k] = centre + place * step;
                lens.at(&moved)
            };
            match STENCIL.iter().map(at).collect::<Result<_, _>>() {
                Ok(models) => return Ok(About { models, step }),
                Err(why) if closer == 0 => return Err(why),
                // Bounds may lie between parameters too, as that static friction is not below kinetic.
                Err(_) => (step, closer) = (0.1 * step, closer - 1),
            }
        }
    }
}

/// The derivative of a function along a direction, whose values at the stencil `f` gives.
pub fn slope(step: f64, mut f: impl FnMut(f64) -> Option<f64>) -> Option<f64> {
    let mut sum = 0.0;
    for (place, weight) in STENCIL {
        sum += weight * f(place * step)?;
    }
    Some(sum / step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_of_degree_six_are_exact() {
        let found = slope(0.02, |s| Some((2.0 + s).powi(6))).unwrap();
        assert!((found - 192.0).abs() < 1e-11);
        // Of order six elsewhere: the seventh derivative of ln x at 2 is 720/2^7, and h^6/140 of it is left.
        let error = |h: f64| slope(h, |s| Some((2.0 + s).ln())).unwrap() - 0.5;
        assert!((error(0.1) / (720.0 / 128.0 * 1e-6 / 140.0)).abs() < 1.1);
        assert!((error(0.2) / error(0.1) / 64.0 - 1.0).abs() < 0.1);
    }

    #[test]
    fn a_step_stays_inside_its_bounds() {
        for x in [0.0, 1e-9, 0.5, 1.0] {
            let (centre, step) = step(x, [0.0, 1.0]);
            assert!(step > 0.0 && centre - 3.0 * step >= 0.0 && centre + 3.0 * step <= 1.0, "{x} {centre} {step}");
        }
        assert_eq!(step(2.0, [0.0, 10.0]), (2.0, 0.02));
    }
}
