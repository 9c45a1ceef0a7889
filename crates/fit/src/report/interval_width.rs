//! Half widths of intervals in units of a standard error: from weighed kinds of noise, or from blocks drawn again.
use crate::report::coloured_noise::ColouredNoise;
use crate::report::uncertainty::{Basis, CONFIDENCE};
use stickslip_solve::least_squares::Look;
use stickslip_solve::statistics::{Random, chi_square_above, student};

/// Draws of the noise of several records.
const DRAWS: usize = 400;
/// Samples of a bootstrap.
const SAMPLES: usize = 2000;
/// A block holds so many times the rows that go together, and a record at least so many blocks.
const LONG: f64 = 2.0;
const BLOCKS: usize = 8;
/// Degrees of freedom beyond which Student's distribution is the normal one.
const MANY: f64 = 1e7;
const BISECTIONS: usize = 60;

/// The standard error of each parameter such that its interval of 95 % holds the truth under all kinds of noise together;
/// `by` is the change of each parameter per change of each direction.
pub fn half_widths(noise: &[ColouredNoise], by: &[Vec<f64>], seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed.wrapping_add(2));
    // Of one record all kinds; of several, kinds drawn by their weights.
    let drawn: Vec<Vec<usize>> = match noise {
        [one] => (0..one.cells.len()).map(|c| vec![c]).collect(),
        _ => (0..DRAWS).map(|_| noise.iter().map(|n| draw(n, &mut random)).collect()).collect(),
    };
    let weight = |cells: &[usize]| if noise.len() == 1 { noise[0].cells[cells[0]].weight } else { 1.0 / DRAWS as f64 };
    let weights: Vec<f64> = drawn.iter().map(|cells| weight(cells)).collect();
    by.iter()
        .map(|by| {
            let variance = |cells: &Vec<usize>| -> f64 {
                noise.iter().zip(cells).map(|(n, c)| n.cells[*c].variance * form(&n.cells[*c].middle, by)).sum()
            };
            let variances: Vec<f64> = drawn.iter().map(variance).collect();
            quantile(&variances, &weights) / student(CONFIDENCE, MANY)
        })
        .collect()
}

fn draw(noise: &ColouredNoise, random: &mut Random) -> usize {
    let mut left = random.even();
    let found = noise.cells.iter().position(|cell| {
        left -= cell.weight;
        left < 0.0
    });
    found.unwrap_or(noise.cells.len() - 1)
}

fn form(middle: &[f64], by: &[f64]) -> f64 {
    let f = by.len();
    (0..f * f).map(|k| by[k / f] * middle[k] * by[k % f]).sum::<f64>().max(0.0)
}

/// The distance within which a sum of normal distributions stays with the probability of an interval.
fn quantile(variances: &[f64], weights: &[f64]) -> f64 {
    let largest = variances.iter().fold(0.0f64, |m, v| m.max(*v)).sqrt();
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    let outside = |q: f64| -> f64 {
        let one = |(v, w): (&f64, &f64)| if *v > 0.0 { w * chi_square_above(q * q / v, 1.0) } else { 0.0 };
        variances.iter().zip(weights).map(one).sum()
    };
    let (mut low, mut high) = (0.0, 3.0 * largest);
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        if outside(middle) > 1.0 - CONFIDENCE { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The same from moving blocks of residuals that are drawn again (H. R. Kuensch, Ann. Statist. 17 (1989) 1217), their effect
/// on the parameters linearised.
pub fn bootstrap(look: &Look, turned: &[f64], by: &[Vec<f64>], noise: &[ColouredNoise], basis: &Basis) -> Vec<f64> {
    let f = by.first().map_or(0, Vec::len);
    let mut random = Random::new(basis.seed.wrapping_add(3));
    let rows = look.residuals.len() as f64;
    let inflate = (rows / (rows - by.len() as f64).max(1.0)).sqrt();
    let mut sizes = vec![vec![]; by.len()];
    for _ in 0..SAMPLES {
        let mut change = vec![0.0; f];
        let mut at = 0;
        for (part, noise) in basis.parts.iter().zip(noise) {
            let pulls: Vec<f64> =
                look.residuals[at..at + part.rows].iter().map(|r| inflate * basis.loss.pull(*r).0).collect();
            let together = LONG * part.rows as f64 / noise.effective;
            let block = (together.ceil() as usize).max((part.rows as f64).cbrt() as usize);
            let block = block.clamp(1, (part.rows / BLOCKS).max(1));
            let mut from = 0;
            for i in 0..part.rows {
                if i % block == 0 {
                    from = (random.even() * (part.rows - block + 1) as f64) as usize;
                }
                let pull = pulls[from + i % block];
                (0..f).for_each(|k| change[k] += pull * turned[(at + i) * f + k]);
            }
            at += part.rows;
        }
        for (sizes, by) in sizes.iter_mut().zip(by) {
            sizes.push(by.iter().zip(&change).map(|(a, b)| a * b).sum::<f64>().abs());
        }
    }
    let end = |sizes: &mut Vec<f64>| {
        sizes.sort_by(f64::total_cmp);
        sizes[(CONFIDENCE * SAMPLES as f64) as usize] / student(CONFIDENCE, MANY)
    };
    sizes.iter_mut().map(end).collect()
}
