//! How well a fit predicts what it did not see, and what it costs to have so many parameters.
use crate::report::uncertainty::Known;
use crate::search::objective::Objective;
use stickslip_data::{Outcome, Value};
use stickslip_solve::least_squares::Found;

/// Windows of each record that are left out in turn.
const WINDOWS: usize = 8;
/// A window without which a direction of the parameters keeps less than this is not predicted.
const KEPT: f64 = 1e-3;

/// Error of predicting windows that were left out, record by record in their own units, to first order in what the
/// parameters then change: r + U (1 - U^T U)^-1 U^T r with the rows of the window.
fn held_out(objective: &Objective, best: &Found, known: &Known) -> Vec<f64> {
    let f = known.width;
    let mut at = 0;
    let mut all = vec![];
    for (record, sigmas) in objective.fit.records.iter().zip(&objective.sigmas) {
        let rows = record.values.len();
        let window = rows.div_ceil(WINDOWS).max(1);
        let (mut squares, mut count) = (0.0, 0usize);
        for from in (0..rows).step_by(window) {
            let part = from..(from + window).min(rows);
            let row = |i: usize| &known.directions[(at + i) * f..(at + i + 1) * f];
            let residual = |i: usize| best.look.residuals[at + i];
            let mut kept = vec![0.0; f * f];
            let mut pull = vec![0.0; f];
            (0..f).for_each(|k| kept[k * f + k] = 1.0);
            for i in part.clone() {
                (0..f * f).for_each(|k| kept[k] -= row(i)[k / f] * row(i)[k % f]);
                (0..f).for_each(|k| pull[k] += row(i)[k] * residual(i));
            }
            let Some(change) = solve(f, kept, pull) else { continue };
            for i in part {
                let off = residual(i) + row(i).iter().zip(&change).map(|(u, c)| u * c).sum::<f64>();
                squares += (off * sigmas[i] / record.factor(i)).powi(2);
                count += 1;
            }
        }
        all.push(if count > 0 { (squares / count as f64).sqrt() } else { f64::NAN });
        at += rows;
    }
    all
}

/// The solution with a symmetric positive matrix; none where it keeps too little of a direction.
fn solve(n: usize, mut g: Vec<f64>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| g[i * n + k] * g[j * n + k]).sum();
            let x = g[i * n + j] - sum;
            if i == j && (x.is_nan() || x < KEPT) {
                return None;
            }
            g[i * n + j] = if i == j { x.sqrt() } else { x / g[j * n + j] };
        }
        let sum: f64 = (0..i).map(|k| g[i * n + k] * b[k]).sum();
        b[i] = (b[i] - sum) / g[i * n + i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| g[k * n + i] * b[k]).sum();
        b[i] = (b[i] - sum) / g[i * n + i];
    }
    Some(b)
}

/// Information criteria of residuals whose rows count as a share of independent ones: BIC and AICc.
pub fn criteria(rms: &[f64], rows: &[usize], share: f64, parameters: f64) -> [f64; 2] {
    let n = share * rows.iter().sum::<usize>() as f64;
    let one = |(rms, rows): (&f64, &usize)| share * *rows as f64 * rms.max(f64::MIN_POSITIVE).powi(2).ln();
    let left: f64 = rms.iter().zip(rows).map(one).sum();
    let small = 2.0 * parameters * (parameters + 1.0) / (n - parameters - 1.0).max(f64::MIN_POSITIVE);
    let aicc = if n > parameters + 1.0 { left + 2.0 * parameters + small } else { f64::INFINITY };
    [left + parameters * n.ln(), aicc]
}

/// Writes them.
pub fn report(objective: &Objective, best: &Found, known: &Known, rms: &[f64], out: &mut Outcome) {
    let rows: Vec<usize> = objective.fit.records.iter().map(|r| r.values.len()).collect();
    let effective: f64 = known.noise.iter().map(|n| n.effective).sum();
    let share = effective / rows.iter().sum::<usize>() as f64;
    let [bic, aicc] = criteria(rms, &rows, share, known.width as f64);
    out.set("bic", Value::Number(bic), "1");
    if aicc.is_finite() {
        out.set("aicc", Value::Number(aicc), "1");
    }
    out.set("determined", Value::Count(known.width as u64), "1");
    let held_out = held_out(objective, best, known);
    let unit = objective.fit.records[0].observed.1;
    if held_out.iter().all(|x| x.is_finite()) {
        match &held_out[..] {
            [one] => out.set("held_out", Value::Number(*one), unit),
            all => {
                let same = objective.fit.records.iter().all(|r| r.observed.1 == unit);
                out.set("held_out", Value::List(all.to_vec()), if same { unit } else { "" });
            }
        }
    }
}
