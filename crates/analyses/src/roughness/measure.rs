//! A profile, and what can be read from it.
use std::f64::consts::PI;
use stickslip_solve::dense::Lu;
use stickslip_solve::fourier::{transform, transform_back};
use stickslip_structures::{Column, Keys, Refused};

/// Steps may differ by this part of their mean.
const EVEN: f64 = 1e-3;
/// Least points of a profile.
const LEAST: usize = 16;
/// Lags that count for a statistical error, in units of the lags that go together.
const WINDOW: f64 = 3.0;
/// Bands of the spectrum in a decade.
const BANDS: f64 = 20.0;

/// Heights at even steps.
#[derive(Clone, Debug)]
pub struct Profile {
    /// First position, m.
    pub first: f64,
    /// Distance of neighbouring points, m.
    pub step: f64,
    /// Heights, m.
    pub heights: Vec<f64>,
    /// What was taken for granted when it was read.
    pub notes: Vec<String>,
}

impl Profile {
    /// Reads a profile from a file.
    pub fn read(keys: &mut dyn Keys) -> Result<Profile, Refused> {
        let mut named = [("position", "position".to_string()), ("height", "height".to_string())];
        keys.named("columns", "Columns of the file: position and height", &mut |name, k| {
            let Some(slot) = named.iter_mut().find(|(n, _)| *n == name) else {
                let e = k.refuse(name, "roughness::column", format!("`{name}` is nothing that a profile holds"));
                return Err(e.expected("position, height"));
            };
            slot.1 = k.text(name, "Name of the column, its unit in brackets")?.unwrap_or_default();
            Ok(())
        })?;
        let wanted = named.map(|(role, heading)| Column { role, heading, unit: "m" });
        let mut columns = keys.columns("file", "File of the profile, units in its header", &wanted)?;
        let (heights, x) = (columns.values.pop().unwrap_or_default(), columns.values.pop().unwrap_or_default());
        let refuse = |message: String| keys.refuse("file", "roughness::profile", message);
        if heights.len() < LEAST {
            return Err(refuse(format!("{} points", heights.len())).expected(format!("at least {LEAST} points")));
        }
        let step = (x[x.len() - 1] - x[0]) / (x.len() - 1) as f64;
        let steps: Vec<f64> = x.windows(2).map(|pair| pair[1] - pair[0]).collect();
        if step <= 0.0 || steps.iter().any(|own| (own - step).abs() > EVEN * step) {
            // A gap changes the mean, and no row but its own: most steps are like the middle one.
            let mut sorted = steps.clone();
            sorted.sort_by(f64::total_cmp);
            let usual = sorted[sorted.len() / 2];
            let off = |i: &usize| (steps[i - 1] - usual).abs();
            let i = (1..x.len()).max_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(1);
            let own = x[i] - x[i - 1];
            let e = refuse(format!("row {}: a step of {own:.4e} m where most are of {usual:.4e} m", i + 1));
            return Err(e.expected("positions that rise in even steps").hint("resample the profile at even steps"));
        }
        if heights.iter().all(|z| *z == heights[0]) {
            return Err(refuse("every height is the same: a constant signal".into()).expected("a profile"));
        }
        Ok(Profile { first: x[0], step, heights, notes: columns.notes })
    }
}

/// The profile without the polynomial of a degree that fits it best; as it is for none.
pub fn detrended(profile: &Profile, degree: Option<usize>) -> Profile {
    let Some(degree) = degree else { return profile.clone() };
    let n = profile.heights.len();
    let place = |i: usize| 2.0 * i as f64 / (n - 1) as f64 - 1.0;
    let k = degree + 1;
    let (mut matrix, mut right) = (vec![0.0; k * k], vec![0.0; k]);
    for (i, z) in profile.heights.iter().enumerate() {
        for a in 0..k {
            right[a] += z * place(i).powi(a as i32);
            for b in 0..k {
                matrix[a * k + b] += place(i).powi((a + b) as i32);
            }
        }
    }
    if let Some(lu) = Lu::new(k, &matrix) {
        lu.solve(&mut right);
    }
    let trend = |i: usize| (0..k).map(|a| right[a] * place(i).powi(a as i32)).sum::<f64>();
    let heights = profile.heights.iter().enumerate().map(|(i, z)| z - trend(i)).collect();
    Profile { heights, ..profile.clone() }
}

/// Autocorrelation over all lags, 1 at lag 0: the mean product over what overlaps, times the part that overlaps.
pub fn autocorrelation(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut padded: Vec<(f64, f64)> = x.iter().map(|x| (*x, 0.0)).collect();
    padded.resize((2 * n).next_power_of_two(), (0.0, 0.0));
    let power: Vec<(f64, f64)> = transform(&padded).iter().map(|(re, im)| (re * re + im * im, 0.0)).collect();
    let lags = transform_back(&power);
    let whole = lags[0].0;
    lags[..n].iter().map(|l| l.0 / whole).collect()
}

/// Root mean square of a series and its standard error: neighbours that go together count as fewer.
pub fn root_mean_square(x: &[f64]) -> (f64, f64) {
    let n = x.len() as f64;
    let size = (x.iter().map(|x| x * x).sum::<f64>() / n).sqrt();
    if size == 0.0 {
        return (0.0, 0.0);
    }
    // The variance of a mean of squares of a Gaussian series: 2/n times the sum of squared autocorrelations. Far lags add
    // nothing but noise: the sum ends at a few times itself (Sokal's window).
    let mut sum = 1.0;
    for (k, r) in autocorrelation(x).iter().enumerate().skip(1) {
        sum += 2.0 * r * r;
        if k as f64 >= WINDOW * sum {
            break;
        }
    }
    (size, size * (sum / (2.0 * n)).sqrt())
}

/// The spectrum in bands: wavenumber, power on one side of it, relative error, number of waves.
pub fn spectrum(z: &[f64], step: f64) -> Vec<[f64; 4]> {
    let n = z.len();
    // A window keeps the ends of a profile, which do not meet, out of the short waves.
    let window: Vec<f64> = (0..n).map(|i| 0.5 - 0.5 * (2.0 * PI * i as f64 / n as f64).cos()).collect();
    let passed: f64 = window.iter().map(|w| w * w).sum();
    let shown: Vec<(f64, f64)> = z.iter().zip(&window).map(|(z, w)| (z * w, 0.0)).collect();
    let waves = transform(&shown);
    let unit = 2.0 * PI / (n as f64 * step);
    let mut bands: Vec<(i64, f64, f64, f64)> = vec![];
    for (k, (re, im)) in waves.iter().enumerate().take(n / 2).skip(2) {
        // Power over wavenumber on one side: its integral from 0 on is the variance.
        let power = (re * re + im * im) / passed * step / PI;
        let band = (BANDS * (k as f64).log10()).floor() as i64;
        match bands.last_mut().filter(|b| b.0 == band) {
            Some(b) => (b.1, b.2, b.3) = (b.1 + k as f64, b.2 + power, b.3 + 1.0),
            None => bands.push((band, k as f64, power, 1.0)),
        }
    }
    // A power is distributed exponentially; this window makes neighbours go together: 18/35 of the waves count.
    let one = |(_, k, power, count): &(i64, f64, f64, f64)| {
        [unit * k / count, power / count, 1.0 / (count * 18.0 / 35.0).max(1.0).sqrt(), *count]
    };
    bands.iter().map(one).collect()
}
