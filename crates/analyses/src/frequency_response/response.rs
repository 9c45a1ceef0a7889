//! One response: what a motion that repeats does in a period.
use super::drive::Drive;
use std::f64::consts::TAU;
use stickslip_model::Model;
use stickslip_motion::{PeriodAsk, PeriodMotion, period_motion};

/// A part of a period in stick below this is a stop without a rest.
const RESTS: f64 = 1e-12;

/// A motion that repeats with the drive.
#[derive(Clone, Debug, Default)]
pub struct Response {
    /// Value of the parameter that changes the frequency, if there is one.
    pub place: f64,
    /// Value of the parameter with a curve for each value.
    pub level: Option<f64>,
    /// rad/s.
    pub omega: f64,
    /// Half of peak to peak.
    pub amplitude: f64,
    /// deg.
    pub phase: f64,
    /// deg.
    pub lag: f64,
    /// Of each point.
    pub stick: Vec<f64>,
    /// A period.
    pub stops: f64,
    /// J a period.
    pub dissipation: f64,
    /// None where disturbances were not followed.
    pub radius: Option<f64>,
    /// Whether disturbances do not grow.
    pub stable: bool,
    /// Drive periods after which the motion repeats.
    pub periods: usize,
    /// Factors of cosine and sine against the drive's phase, the mean first; of the drive's frequency over `periods`.
    pub harmonics: Vec<[f64; 2]>,
    /// Of harmonic balance.
    pub truncation: Option<f64>,
    /// Unknowns at t = 0.
    pub start: Vec<f64>,
    /// Factors of the basis, of harmonic balance.
    pub factors: Vec<f64>,
    /// What the energy balance of the period leaves open.
    pub open_energy: f64,
    /// Why it is not to be trusted.
    pub doubt: Option<String>,
}

impl Response {
    /// Whether any contact rests.
    pub fn sticks(&self) -> bool {
        self.stick.iter().any(|part| *part > RESTS)
    }

    /// Of a motion from `start` that repeats after so many drive periods.
    pub fn of(
        model: &Model,
        drive: Drive,
        start: &[f64],
        (coordinate, harmonics, rtol): (usize, usize, f64),
        periods: usize,
    ) -> Result<Response, String> {
        let period = drive.period * periods as f64;
        let ask = PeriodAsk { period, coordinate, harmonics: harmonics * periods, rtol };
        let found = period_motion(model, start, ask)?;
        let PeriodMotion { range: [low, high], top, harmonics, stick, stops, friction, .. } = &found;
        let amplitude = 0.5 * (high - low);
        let harmonics = shifted(harmonics, drive.phase / periods as f64);
        Ok(Response {
            omega: drive.omega(),
            amplitude,
            phase: phase_of(harmonics.get(periods)),
            lag: lag(drive, *top),
            stick: stick.clone(),
            stops: *stops as f64 / periods as f64,
            dissipation: friction / periods as f64,
            periods,
            harmonics,
            start: start.to_vec(),
            open_energy: found.open_energy(),
            ..Response::default()
        })
    }
}

/// Harmonics from t = 0 on, from the maximum of the drive on: cos(w t + phase) is largest at w t = -phase.
pub fn shifted(harmonics: &[[f64; 2]], phase: f64) -> Vec<[f64; 2]> {
    let turn = |(k, [a, b]): (usize, &[f64; 2])| {
        let (sin, cos) = (k as f64 * phase).sin_cos();
        [a * cos - b * sin, a * sin + b * cos]
    };
    harmonics.iter().enumerate().map(turn).collect()
}

/// Phase of a harmonic a cos + b sin, deg: negative when it lags.
pub fn phase_of(harmonic: Option<&[f64; 2]>) -> f64 {
    harmonic.map_or(0.0, |[a, b]| if *a == 0.0 && *b == 0.0 { 0.0 } else { (-b).atan2(*a).to_degrees() })
}

/// Phase of the drive at a time, deg.
pub fn lag(drive: Drive, t: f64) -> f64 {
    let turns = t / drive.period + drive.phase / TAU;
    let lag = (360.0 * turns).rem_euclid(360.0);
    // Rounding of no lag at all.
    if 360.0 - lag < 1e-9 { 0.0 } else { lag }
}
