//! Roughness: what a profile says of a surface, and profiles with a given spectrum.
mod generate;
mod measure;
mod spikes;

use generate::Generator;
use measure::{Profile, autocorrelation, detrended, spectrum};
use spikes::spikes;
use stickslip_data::{Outcome, Status, Table, Value, short};
use stickslip_model::Model;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context};
use stickslip_structures::{Keys, Refused};

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "roughness",
    about: "Heights, slopes and curvatures of a measured profile, its autocorrelation and its spectrum.

The root mean squares are sigma, sigma' and sigma'', by differences of neighbouring points: slopes and curvatures are those of
the sampling step, and grow as it shrinks. The spectral moments m0, m2, m4 give the summits of an isotropic Gaussian surface
(Nayak 1971, McCool 1987), as the law \"greenwood-williamson\" takes them. With `generate` the profile is made: Gaussian, of a
given spectrum, from the scenario's seed; else file = \"profile.csv\" with columns = { position = \"x [mm]\", height =
\"z [um]\" }.

[analysis]
kind = \"roughness\"
generate = { sigma = \"0.5 um\", correlation_length = \"20 um\", step = \"1 um\" }",
    answers: &[
    Answer::value("sigma", "m", "Root mean square of the heights."),
    Answer::value("Ra", "m", "Mean size of the heights."),
    Answer::value("Rz", "m", "From the lowest to the highest point."),
    Answer::value("sigma_slope", "1", "Root mean square of the slopes, sigma'."),
    Answer::value("sigma_curvature", "1/m", "Root mean square of the curvatures, sigma''."),
    Answer::value("stderr.<name>", "", "Statistical error of each of them, from a single profile of this length."),
    Answer::value("m0", "m^2", "Spectral moment of order 0: the variance of the heights."),
    Answer::value("m2", "1", "Of order 2: of the slopes."),
    Answer::value("m4", "1/m^2", "Of order 4: of the curvatures."),
    Answer::value("bandwidth", "1", "Nayak's m0 m4/m2^2."),
    Answer::value("summit_density", "1/m^2", "Summits on a unit of area, of an isotropic surface: `density`."),
    Answer::value("summit_radius", "m", "Mean radius of the summits: `R`."),
    Answer::value("summit_sigma", "m", "Standard deviation of the summits' heights: `sigma` of the asperities."),
    Answer::value("skewness", "1", "Of the heights; 0 for a Gaussian surface."),
    Answer::value("kurtosis", "1", "Of the heights; 3 for a Gaussian surface."),
    Answer::value("correlation_length", "m", "Where the autocorrelation falls to 1/e."),
    Answer::value("shortest_wavelength", "m", "Sampling limit: twice the step."),
    Answer::value("longest_wavelength", "m", "Length of the profile."),
    Answer::table("profile", "Position and height, without its trend."),
    Answer::table("heights", "Distribution of the heights: height, density, and that of a Gaussian surface of this sigma."),
    Answer::table("autocorrelation", "Lag and autocorrelation of the heights."),
    Answer::table(
        "spectrum",
        "Wavenumber (rad/m), power on one side (m^3), relative error, number of waves of each band.",
    ),
],
    read,
};

/// Most bins of the distribution of heights.
const MOST_BINS: usize = 400;
/// Rows of the table of autocorrelation.
const MOST_LAGS: usize = 2000;

/// What a profile says.
pub struct Roughness {
    from: From,
    degree: Option<usize>,
}

enum From {
    Measured(Profile),
    Made(Generator),
}

fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let trends = ["line", "none", "mean", "parabola"];
    let degree = match keys.choice("detrend", &trends, false, "Trend that is taken off")? {
        0 => Some(1),
        1 => None,
        2 => Some(0),
        _ => Some(2),
    };
    if keys.has_table("generate") {
        let mut made = None;
        keys.table("generate", "A Gaussian profile of a given spectrum instead of a file", &mut |k| {
            made = Some(Generator::read(k)?);
            Ok(())
        })?;
        if let Some(made) = made {
            return Ok(Box::new(Roughness { from: From::Made(made), degree }));
        }
    }
    Ok(Box::new(Roughness { from: From::Measured(Profile::read(keys)?), degree }))
}

impl Analysis for Roughness {
    fn refuse(&self, _: &Model) -> Option<Refused> {
        None
    }

    fn run(&self, model: &Model, _: &Context) -> Outcome {
        let mut out = Outcome::default();
        let profile = match &self.from {
            From::Measured(profile) => {
                out.health.notes.extend(profile.notes.iter().cloned());
                profile.clone()
            }
            From::Made(generator) => generator.profile(model.seed),
        };
        report(&detrended(&profile, self.degree), &mut out);
        out
    }
}

/// Slopes and curvatures by differences of neighbouring points.
fn differences(z: &[f64], step: f64) -> [Vec<f64>; 2] {
    [
        z.windows(3).map(|w| (w[2] - w[0]) / (2.0 * step)).collect(),
        z.windows(3).map(|w| (w[2] - 2.0 * w[1] + w[0]) / (step * step)).collect(),
    ]
}

/// Summits on a unit of area of an isotropic Gaussian surface.
fn density(m2: f64, m4: f64) -> f64 {
    m4 / (6.0 * std::f64::consts::PI * 3f64.sqrt() * m2)
}

/// Names the highest point that its neighbours do not follow, what it does to the summits, and the way out.
fn warn_of_spikes(profile: &Profile, summits: f64, out: &mut Outcome) -> bool {
    let (found, mended) = spikes(&profile.heights);
    let Some(first) = found.first() else { return false };
    let [m2, m4] = differences(&mended, profile.step).map(|list| list.iter().map(|x| x * x).sum::<f64>());
    let place = profile.first + (first.row - 1) as f64 * profile.step;
    let (which, their, they) = match found.len() {
        1 => ("is a spike".into(), "its", "it is"),
        many => (format!("is the highest of {many} spikes"), "their", "they are"),
    };
    out.health.warnings.push(format!(
        "row {}, at {} m, {which}: {} m high, {:.0} sigma, and its neighbours do not follow. With the mean of {their} \
         neighbours in {their} place the summit density is {:.3e} 1/m^2 instead of {summits:.3e}: mend the file \
         so, unless {they} of the surface",
        first.row,
        short(place, 6),
        short(first.height, 3),
        first.sigmas,
        density(m2, m4),
    ));
    true
}

/// The lowest and the highest of the heights.
fn ends(z: &[f64]) -> (f64, f64) {
    z.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), z| (low.min(*z), high.max(*z)))
}

/// How often each height is met, beside a Gaussian surface of the same standard deviation. The width of the bins is that of
/// Scott (Biometrika 66 (1979) 605).
fn distribution(z: &[f64], sigma: f64) -> Table {
    let (lowest, highest) = ends(z);
    let width = 3.49 * sigma / (z.len() as f64).cbrt();
    let count = (((highest - lowest) / width).ceil().max(1.0) as usize).min(MOST_BINS);
    let width = (highest - lowest) / count as f64;
    let mut bins = vec![0.0; count];
    let share = 1.0 / (z.len() as f64 * width);
    for height in z {
        bins[(((height - lowest) / width) as usize).min(count - 1)] += share;
    }
    let middle: Vec<f64> = (0..count).map(|k| lowest + (k as f64 + 0.5) * width).collect();
    let bell = |z: &f64| (-0.5 * (z / sigma).powi(2)).exp() / (sigma * (2.0 * std::f64::consts::PI).sqrt());
    let mut table = Table::new("heights");
    table.push("density.gaussian", "1/m", middle.iter().map(bell).collect::<Vec<f64>>());
    table.push("density", "1/m", bins);
    table.push("height", "m", middle);
    table.columns.reverse();
    table
}

fn report(profile: &Profile, out: &mut Outcome) {
    let (z, step) = (&profile.heights, profile.step);
    let [slopes, curvatures] = differences(z, step);
    let mut moments = [0.0; 3];
    for (k, (name, unit, list)) in
        [("sigma", "m", z), ("sigma_slope", "1", &slopes), ("sigma_curvature", "1/m", &curvatures)]
            .into_iter()
            .enumerate()
    {
        let (size, error) = measure::root_mean_square(list);
        moments[k] = size * size;
        out.set(name, Value::Number(size), unit);
        out.set(format!("stderr.{name}"), Value::Number(error), unit);
    }
    let [m0, m2, m4] = moments;
    out.set("Ra", Value::Number(z.iter().map(|z| z.abs()).sum::<f64>() / z.len() as f64), "m");
    let (lowest, highest) = ends(z);
    out.set("Rz", Value::Number(highest - lowest), "m");
    for (name, unit, x) in [("m0", "m^2", m0), ("m2", "1", m2), ("m4", "1/m^2", m4)] {
        out.set(name, Value::Number(x), unit);
    }
    if m2 == 0.0 || m4 == 0.0 {
        out.worsen(Status::Failed, "the profile is flat once its trend is off: it has no roughness");
        return;
    }
    let alpha = m0 * m4 / (m2 * m2);
    let pi = std::f64::consts::PI;
    out.set("bandwidth", Value::Number(alpha), "1");
    out.set("summit_density", Value::Number(density(m2, m4)), "1/m^2");
    out.set("summit_radius", Value::Number(3.0 * pi.sqrt() / (8.0 * m4.sqrt())), "m");
    let spread = 1.0 - 0.8968 / alpha;
    match spread > 0.0 {
        true => out.set("summit_sigma", Value::Number((m0 * spread).sqrt()), "m"),
        false => {
            out.health.warnings.push(format!("bandwidth {alpha:.3}: no isotropic Gaussian surface has less than 1.5"))
        }
    }
    let count = z.len() as f64;
    let power = |k: i32| z.iter().map(|z| z.powi(k)).sum::<f64>() / count;
    out.set("skewness", Value::Number(power(3) / m0.powf(1.5)), "1");
    out.set("kurtosis", Value::Number(power(4) / (m0 * m0)), "1");
    let lags = autocorrelation(z);
    match (1..lags.len()).find(|k| lags[*k] < (-1f64).exp()) {
        Some(k) => {
            let (a, b) = (lags[k - 1], lags[k]);
            out.set("correlation_length", Value::Number(step * ((k - 1) as f64 + (a - (-1f64).exp()) / (a - b))), "m");
        }
        None => out.health.warnings.push("the heights stay correlated over the whole profile: it is too short".into()),
    }
    let length = step * count;
    out.set("shortest_wavelength", Value::Number(2.0 * step), "m");
    out.set("longest_wavelength", Value::Number(length), "m");
    out.health.notes.push(format!(
        "sampling limit: waves from {:.3e} m, twice the step, to {length:.3e} m, the length of the profile; slopes and \
         curvatures belong to this step",
        2.0 * step
    ));
    let spiked = warn_of_spikes(profile, density(m2, m4), out);
    if !spiked && m2 * step * step > 0.1 * m0 {
        out.health.warnings.push(
            "the profile is rough at its sampling step: sigma' and sigma'' would grow with finer sampling".into(),
        );
    }
    let mut table = Table::new("profile");
    table.push("position", "m", (0..z.len()).map(|i| profile.first + i as f64 * step).collect::<Vec<f64>>());
    table.push("height", "m", z.clone());
    out.tables.push(table);
    out.tables.push(distribution(z, m0.sqrt()));
    let most = lags.len().min(MOST_LAGS).min(z.len() / 2 + 1);
    let mut table = Table::new("autocorrelation");
    table.push("lag", "m", (0..most).map(|k| k as f64 * step).collect::<Vec<f64>>());
    table.push("autocorrelation", "1", lags[..most].to_vec());
    out.tables.push(table);
    let bands = spectrum(z, step);
    let mut table = Table::new("spectrum");
    for (k, (name, unit)) in
        [("wavenumber", "rad/m"), ("power_density", "m^3"), ("relative_error", "1"), ("waves", "1")]
            .into_iter()
            .enumerate()
    {
        table.push(name, unit, bands.iter().map(|b| b[k]).collect::<Vec<f64>>());
    }
    out.tables.push(table);
    out.health.steps = 1;
}
