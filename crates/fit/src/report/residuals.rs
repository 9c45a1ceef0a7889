//! Autocorrelation of the residuals, beside that of the noise that the intervals are of.
use crate::report::coloured_noise::ColouredNoise;
use stickslip_data::Table;

/// Lags that are shown: this part of the rows, and no more than so many.
const PART: usize = 4;
const MOST: usize = 100;

/// Correlations of residuals with those so many rows later; none of records that are too short.
pub fn autocorrelation(name: String, residuals: &[f64], noise: &ColouredNoise) -> Option<Table> {
    let rows = residuals.len();
    let lags = (rows / PART).min(MOST);
    let square: f64 = residuals.iter().map(|r| r * r).sum();
    if lags < 2 || square == 0.0 {
        return None;
    }
    let all = || 0..=lags;
    let sum = |lag: usize| residuals.iter().zip(&residuals[lag..]).map(|(a, b)| a * b).sum::<f64>() / square;
    let model = |lag: usize| match lag {
        0 => 1.0,
        _ => (1.0 - noise.white) * noise.rho.powi(lag as i32),
    };
    let mut table = Table::new(name);
    table.push("lag", "1", all().map(|lag| lag as f64).collect::<Vec<f64>>());
    table.push("correlation", "1", all().map(sum).collect::<Vec<f64>>());
    table.push("noise", "1", all().map(model).collect::<Vec<f64>>());
    Some(table)
}
