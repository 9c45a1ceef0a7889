//! The drive as the responses see it: its period and phase.
use std::f64::consts::TAU;
use stickslip_model::Model;
use stickslip_structures::Signal;

/// Samples of a period.
const SAMPLES: usize = 512;
/// A harmonic below this part of the largest value is none.
const NONE: f64 = 1e-9;

/// Period and phase of the drives.
#[derive(Clone, Copy, Debug)]
pub struct Drive {
    /// s.
    pub period: f64,
    /// Phase of its first harmonic at t = 0, counted from its maximum, in rad: cos(w t + phase).
    pub phase: f64,
}

impl Drive {
    /// Of a model whose drives have a period.
    pub fn of(model: &Model) -> Result<Drive, String> {
        let period = model.period().ok_or("the drives have no common period here")?;
        let drives = [&model.loading.base, &model.loading.surface, &model.loading.profile].into_iter().flatten();
        let shaken = model.loading.shake.iter().map(|shake| &shake.acceleration);
        let all =
            model.loading.forces.iter().chain(shaken).chain(drives).chain(model.contacts.iter().map(|c| &c.given));
        let phase = all.filter(|s| !s.is_constant()).find_map(|s| phase(s, period)).unwrap_or(0.0);
        Ok(Drive { period, phase })
    }

    pub fn omega(&self) -> f64 {
        TAU / self.period
    }
}

/// Phase of the first harmonic.
fn phase(signal: &Signal, period: f64) -> Option<f64> {
    let (mut a, mut b, mut most) = (0.0, 0.0, 0.0f64);
    for k in 0..SAMPLES {
        let part = k as f64 / SAMPLES as f64;
        let (x, (sin, cos)) = (signal.value(part * period), (TAU * part).sin_cos());
        (a, b, most) = (a + x * cos, b + x * sin, most.max(x.abs()));
    }
    (f64::hypot(a, b) > NONE * most * SAMPLES as f64).then(|| (-b).atan2(a))
}
