//! Spectra of the settled part of a motion: power density, and transfer function and coherence of two quantities.
//!
//! P. D. Welch, IEEE Trans. Audio Electroacoust. 15 (1967) 70: segments that overlap by half, each less its mean and under
//! Hann's window, are transformed and their products averaged.
use stickslip_data::{Outcome, Table};
use stickslip_model::Spectrum;
use stickslip_solve::fourier::transform;

/// Segments at least, with half of each over the next: fewer have no coherence to speak of.
const SEGMENTS: usize = 7;
/// Fewest samples of a segment.
const FEWEST: usize = 16;

/// Averaged products of two transformed signals, for each frequency.
struct Products {
    of: Vec<f64>,
    from: Vec<f64>,
    both: Vec<(f64, f64)>,
}

/// Adds a table for each spectrum that is asked for; `rows` are in even steps.
pub fn report(asked: &[Spectrum], rows: &Table, step: f64, out: &mut Outcome) -> Result<(), String> {
    for (k, spectrum) in asked.iter().enumerate() {
        let find = |name: &str| {
            let column = rows.column(name).and_then(|c| Some((c.values.floats()?, c.unit.to_string())));
            column.ok_or_else(|| format!("there is no `{name}` of which a spectrum could be made"))
        };
        let (of, unit) = find(&spectrum.of)?;
        let from = spectrum.from.as_deref().map(find).transpose()?;
        let half = of.len() / 2;
        let length =
            segment(of.len() - half).ok_or("too few rows in even steps for a spectrum: lower output.sampling")?;
        let products = products(&of[half..], from.as_ref().map(|(list, _)| &list[half..]), length);
        let frequency = |i: usize| i as f64 / (length as f64 * step);
        let all = 1..length / 2;
        let squared = if unit == "1" { "1/Hz".to_string() } else { format!("({unit})^2/Hz") };
        let mut table = Table::new(if asked.len() == 1 { "spectrum".into() } else { format!("spectrum-{}", k + 1) });
        table.push("frequency", "Hz", all.clone().map(frequency).collect::<Vec<f64>>());
        // One side: each frequency has the power of its negative too.
        let density: Vec<f64> = all.clone().map(|i| 2.0 * step * products.of[i]).collect();
        table.push(format!("density.{}", spectrum.of), squared, density);
        if let Some((_, other)) = &from {
            let gain = |i: usize| products.both[i].0.hypot(products.both[i].1) / products.from[i];
            let phase = |i: usize| products.both[i].1.atan2(products.both[i].0).to_degrees();
            let together = |i: usize| {
                let (re, im) = products.both[i];
                (re * re + im * im) / (products.of[i] * products.from[i])
            };
            let ratio = if *other == unit { "1".to_string() } else { format!("({unit})/({other})") };
            table.push("gain", ratio, all.clone().map(gain).collect::<Vec<f64>>());
            table.push("phase", "deg", all.clone().map(phase).collect::<Vec<f64>>());
            table.push("coherence", "1", all.clone().map(together).collect::<Vec<f64>>());
        }
        out.tables.push(table);
    }
    Ok(())
}

/// Length of a segment: a power of two, so that enough of them fit.
fn segment(count: usize) -> Option<usize> {
    let most = 2 * count / (SEGMENTS + 1);
    let length = if most == 0 { 0 } else { 1 << most.ilog2() };
    (length >= FEWEST).then_some(length)
}

fn products(of: &[f64], from: Option<&[f64]>, length: usize) -> Products {
    let turn = std::f64::consts::TAU / length as f64;
    let window: Vec<f64> = (0..length).map(|j| 0.5 - 0.5 * (turn * j as f64).cos()).collect();
    let power: f64 = window.iter().map(|w| w * w).sum();
    let transformed = |list: &[f64]| {
        let mean = list.iter().sum::<f64>() / list.len() as f64;
        transform(&list.iter().zip(&window).map(|(x, w)| ((x - mean) * w, 0.0)).collect::<Vec<_>>())
    };
    let mut sums = Products { of: vec![0.0; length], from: vec![0.0; length], both: vec![(0.0, 0.0); length] };
    // The last segments of the run: what is left over is at the beginning.
    let count = (of.len() - length) / (length / 2) + 1;
    let first = of.len() - length - (count - 1) * (length / 2);
    for k in 0..count {
        let range = first + k * (length / 2)..first + k * (length / 2) + length;
        let y = transformed(&of[range.clone()]);
        let x = from.map(|from| transformed(&from[range]));
        for (i, (re, im)) in y.iter().enumerate() {
            let share = 1.0 / (power * count as f64);
            sums.of[i] += share * (re * re + im * im);
            if let Some((a, b)) = x.as_ref().map(|x| x[i]) {
                sums.from[i] += share * (a * a + b * b);
                // Y X*: the transfer function from x to y, times the power of x.
                sums.both[i].0 += share * (re * a + im * b);
                sums.both[i].1 += share * (im * a - re * b);
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The power under the density is the variance; a quantity that is another one, larger and late, has that gain and phase.
    #[test]
    fn power_gain_and_phase_are_those_of_the_signals() {
        let (step, f) = (1e-3, 125.0 / 4.096);
        let t: Vec<f64> = (0..40_000).map(|i| i as f64 * step).collect();
        let omega = std::f64::consts::TAU * f;
        let mut rows = Table::new("series");
        rows.push("x", "m", t.iter().map(|t| 2.0 + 0.5 * (omega * t).sin()).collect::<Vec<f64>>());
        rows.push("rate.x", "m/s", t.iter().map(|t| 0.5 * omega * (omega * t).cos()).collect::<Vec<f64>>());
        let asked = [Spectrum { of: "rate.x".into(), from: Some("x".into()) }, Spectrum { of: "x".into(), from: None }];
        let mut out = Outcome::default();
        report(&asked, &rows, step, &mut out).unwrap();
        let table = out.table("spectrum-2").unwrap();
        let list = |name: &str| table.column(name).unwrap().values.floats().unwrap().to_vec();
        let densities = list("density.x");
        let top = (0..densities.len()).max_by(|a, b| densities[*a].total_cmp(&densities[*b])).unwrap();
        assert!((list("frequency")[top] - f).abs() < 1e-9);
        let width = list("frequency")[1] - list("frequency")[0];
        let power: f64 = list("density.x").iter().sum::<f64>() * width;
        assert!((power - 0.125).abs() < 1e-9, "{power}");
        let table = out.table("spectrum-1").unwrap();
        let list = |name: &str| table.column(name).unwrap().values.floats().unwrap().to_vec();
        let at = list("frequency").iter().position(|g| (g - f).abs() < 1e-9).unwrap();
        assert!((list("gain")[at] / omega - 1.0).abs() < 1e-9);
        assert!((list("phase")[at] - 90.0).abs() < 1e-7);
        assert!((list("coherence")[at] - 1.0).abs() < 1e-12);
    }
}
