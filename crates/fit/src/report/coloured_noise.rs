//! Correlated noise of a record: which correlations its residuals allow, and what each makes of the parameters.
//!
//! The noise is a sum of white noise and of a first-order autoregression, x_t = rho x_{t-1} + e_t. Its two numbers, rho and
//! the share of white noise, are not estimated but weighed: each pair on a grid has the restricted likelihood of what the
//! fit leaves (H. D. Patterson and R. Thompson, Biometrika 58 (1971) 545), which counts the parameters that were fitted; the
//! correlation of residuals alone is too small by what the fit took from them. Long correlations are so allowed for in
//! proportion to what the record says of them, also where only a few of its values are independent.

/// Grid of rho on the scale artanh(rho), its ends and its places.
const RHO: [f64; 2] = [-1.0, 3.8];
const PLACES: usize = 41;
/// Shares of white noise.
const WHITE: [f64; 7] = [0.0, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85];
/// White noise beside an autoregression is looked for from this rho on.
const LEAST_RHO: f64 = 0.2;
/// Prior weight of a share of white noise, beside that of none.
const MIXED: f64 = 0.3;
/// Rows beyond which the grid is coarse at first, and refined about its best place.
const MANY: usize = 5_000;
const COARSE: usize = 3;
const MOST_REFINED: usize = 4;
/// Weights below this part of the largest count for nothing.
const NOTHING: f64 = 1e-4;
/// A share of white noise is named where it gains this much in the logarithm of the likelihood.
const GAIN: f64 = 3.0;
/// Rows below which correlations are not looked for.
pub const FEW: usize = 16;

/// Noise of one kind, and its weight.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Weight; those of all cells add up to 1.
    pub weight: f64,
    /// Variance of the noise.
    pub variance: f64,
    /// U^T R U with the correlations R of this noise, row after row.
    pub middle: Vec<f64>,
}

/// The noise of a record.
#[derive(Clone, Debug)]
pub struct ColouredNoise {
    /// Kinds of noise that the residuals allow.
    pub cells: Vec<Cell>,
    /// The likeliest correlation of neighbours.
    pub rho: f64,
    /// The likeliest share of white noise; 0 unless it gains much.
    pub white: f64,
    /// Number of independent values that would determine a mean as well.
    pub effective: f64,
}

impl ColouredNoise {
    /// White noise of a variance, for records without an order of time.
    pub fn white(rows: usize, columns: &[f64], width: usize, variance: f64) -> ColouredNoise {
        let mut middle = vec![0.0; width * width];
        for row in columns.chunks_exact(width.max(1)) {
            (0..width * width).for_each(|k| middle[k] += row[k / width] * row[k % width]);
        }
        let cell = Cell { weight: 1.0, variance, middle };
        ColouredNoise { cells: vec![cell], rho: 0.0, white: 0.0, effective: rows as f64 }
    }

    /// From residuals and the directions in which the fit could change them: `columns` has a row of `width` for each
    /// residual, and `rest` is what other records know of these directions.
    pub fn of(residuals: &[f64], columns: &[f64], width: usize, rest: &[f64]) -> ColouredNoise {
        let record = Record { residuals, columns, width, rest };
        let mut grid = Grid::whole(residuals.len());
        let mut places = record.weigh(&grid);
        for _ in 0..if residuals.len() > MANY { MOST_REFINED } else { 0 } {
            let best = best(&places);
            let sum: f64 = places.iter().map(|p| p.weight(places[best].likelihood)).sum();
            // Enough places share the weight for a sum over them to be an integral.
            if sum > COARSE as f64 * places[best].weight(places[best].likelihood) {
                break;
            }
            grid = grid.about(&places[best]);
            places = record.weigh(&grid);
        }
        let top = &places[best(&places)];
        let plain = places.iter().filter(|p| p.white == 0.0).max_by(|a, b| a.likelihood.total_cmp(&b.likelihood));
        let named = plain.filter(|p| top.likelihood - p.likelihood < GAIN).unwrap_or(top);
        let (rho, white) = (named.rho, named.white);
        let spread = white + (1.0 - white) * (1.0 + rho) / (1.0 - rho);
        let effective = residuals.len() as f64 / spread.max(1.0);
        let highest = top.likelihood;
        let largest = places.iter().map(|p| p.weight(highest)).fold(0.0, f64::max);
        let kept: Vec<&Place> = places.iter().filter(|p| p.weight(highest) > NOTHING * largest).collect();
        let sum: f64 = kept.iter().map(|p| p.weight(highest)).sum();
        let cell = |p: &&Place| Cell {
            weight: p.weight(highest) / sum,
            variance: p.variance,
            middle: record.middle(p.rho, p.white),
        };
        ColouredNoise { cells: kept.iter().map(cell).collect(), rho, white, effective }
    }

    /// The likeliest of its cells.
    pub fn likeliest(&self) -> &Cell {
        let best = (0..self.cells.len()).max_by(|a, b| self.cells[*a].weight.total_cmp(&self.cells[*b].weight));
        &self.cells[best.unwrap_or(0)]
    }
}

fn best(places: &[Place]) -> usize {
    (0..places.len()).max_by(|a, b| places[*a].likelihood.total_cmp(&places[*b].likelihood)).unwrap_or(0)
}

/// Places at which the likelihood is asked for.
struct Grid {
    z: Vec<f64>,
    white: Vec<f64>,
}

impl Grid {
    fn whole(rows: usize) -> Grid {
        let many = rows > MANY;
        let count = if many { PLACES / 2 } else { PLACES };
        let step = (RHO[1] - RHO[0]) / (count - 1) as f64;
        let white = if many { WHITE.iter().copied().step_by(2).collect() } else { WHITE.to_vec() };
        Grid { z: (0..count).map(|i| RHO[0] + step * i as f64).collect(), white }
    }

    /// A finer one about a place.
    fn about(&self, place: &Place) -> Grid {
        let step = self.z[1] - self.z[0];
        let middle = place.rho.atanh();
        let z = (-6..=6).map(|i| middle + step * f64::from(i) / 4.0).collect();
        let finer = |x: f64| (0.5 * (place.white + x)).clamp(0.0, 1.0);
        let k = self.white.iter().position(|w| *w == place.white).unwrap_or(0);
        let near = |k: Option<usize>| k.and_then(|k| self.white.get(k)).copied().unwrap_or(place.white);
        let (low, high) = (near(k.checked_sub(1)), near(Some(k + 1)));
        let mut white = vec![finer(low), place.white, finer(high)];
        white.dedup();
        Grid { z, white }
    }
}

/// What residuals say of one kind of noise.
struct Place {
    rho: f64,
    white: f64,
    likelihood: f64,
    variance: f64,
}

impl Place {
    /// Even in rho, on a grid that is even in artanh(rho).
    fn weight(&self, highest: f64) -> f64 {
        let prior = (1.0 - self.rho * self.rho) * if self.white > 0.0 { MIXED } else { 1.0 };
        prior * (self.likelihood - highest).exp()
    }
}

struct Record<'r> {
    residuals: &'r [f64],
    columns: &'r [f64],
    width: usize,
    rest: &'r [f64],
}

impl Record<'_> {
    fn weigh(&self, grid: &Grid) -> Vec<Place> {
        let mut out = vec![];
        for z in &grid.z {
            for white in &grid.white {
                let rho = z.tanh();
                if *white == 0.0 || rho >= LEAST_RHO {
                    out.push(self.place(rho, *white));
                }
            }
        }
        out
    }

    /// The restricted likelihood of a kind of noise, by Kalman's filter: the innovations of the residuals and of each
    /// direction are white.
    fn place(&self, rho: f64, white: f64) -> Place {
        let (rows, w) = (self.residuals.len(), self.width);
        let (mut gram, mut pull, mut square) = (self.rest.to_vec(), vec![0.0; w], 0.0);
        let mut known = vec![0.0; w + 1];
        let mut new = vec![0.0; w + 1];
        let (mut variance, mut logarithm) = (1.0 - white, 0.0);
        for i in 0..rows {
            let whole = variance + white;
            let gain = variance / whole;
            let scale = 1.0 / whole.sqrt();
            logarithm += whole.ln();
            for k in 0..=w {
                let x = if k < w { self.columns[i * w + k] } else { self.residuals[i] };
                let off = x - known[k];
                new[k] = off * scale;
                known[k] = rho * (known[k] + gain * off);
            }
            square += new[w] * new[w];
            for a in 0..w {
                pull[a] += new[a] * new[w];
                for b in 0..=a {
                    gram[a * w + b] += new[a] * new[b];
                }
            }
            variance = rho * rho * variance * (1.0 - gain) + (1.0 - white) * (1.0 - rho * rho);
        }
        let (taken, determinant) = solve(w, &mut gram, &pull);
        let freedom = rows.saturating_sub(w).max(1) as f64;
        let left = (square - taken).max(f64::EPSILON * square).max(f64::MIN_POSITIVE);
        let likelihood = -0.5 * (freedom * left.ln() + logarithm + determinant);
        Place { rho, white, likelihood, variance: left / freedom }
    }

    /// U^T R U, where R has 1 on its diagonal and (1 - white) rho^|i - j| beside it.
    fn middle(&self, rho: f64, white: f64) -> Vec<f64> {
        let (rows, w) = (self.residuals.len(), self.width);
        let mut out = vec![0.0; w * w];
        // Row by row with what came before: half of the sum, the other half is its mirror.
        let mut before = vec![0.0; w];
        for i in 0..rows {
            let row = &self.columns[i * w..(i + 1) * w];
            for a in 0..w {
                for b in 0..w {
                    out[a * w + b] += row[a] * row[b] + (1.0 - white) * (row[a] * before[b] + before[a] * row[b]);
                }
            }
            (0..w).for_each(|k| before[k] = rho * (before[k] + row[k]));
        }
        out
    }
}

/// b G^-1 b and the logarithm of the determinant of G, whose lower half is given, by Cholesky's factors.
fn solve(n: usize, g: &mut [f64], b: &[f64]) -> (f64, f64) {
    let (mut square, mut logarithm) = (0.0, 0.0);
    let mut y = b.to_vec();
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| g[i * n + k] * g[j * n + k]).sum();
            let x = g[i * n + j] - sum;
            g[i * n + j] = if i == j { x.max(f64::MIN_POSITIVE).sqrt() } else { x / g[j * n + j] };
        }
        let sum: f64 = (0..i).map(|k| g[i * n + k] * y[k]).sum();
        y[i] = (y[i] - sum) / g[i * n + i];
        square += y[i] * y[i];
        logarithm += 2.0 * g[i * n + i].ln();
    }
    (square, logarithm)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip_solve::statistics::Random;

    fn autoregression(rho: f64, rows: usize, seed: u64) -> Vec<f64> {
        let mut random = Random::new(seed);
        let mut x = random.normal();
        let next = |_| {
            let now = x;
            x = rho * x + (1.0 - rho * rho).sqrt() * random.normal();
            now
        };
        (0..rows).map(next).collect()
    }

    /// The mean of an autoregression is as uncertain as that of N (1 - rho)/(1 + rho) independent values.
    #[test]
    fn the_number_of_independent_values_is_that_of_theory() {
        for rho in [0.0, 0.5, 0.8, 0.95] {
            let rows = 20_000;
            let noise = ColouredNoise::of(&autoregression(rho, rows, 3), &vec![1.0; rows], 1, &[0.0]);
            let theory = rows as f64 * (1.0 - rho) / (1.0 + rho);
            assert!((noise.effective / theory - 1.0).abs() < 0.15, "{rho}: {} {theory}", noise.effective);
            let (middle, exact) = (noise.likeliest().middle[0], rows as f64 * (1.0 + rho) / (1.0 - rho));
            assert!((middle / exact - 1.0).abs() < 0.15, "{rho}: {middle} {exact}");
        }
    }

    /// Means of short series: what is known of them comes from the grid, and the intervals hold 0 in 95 of 100.
    #[test]
    fn intervals_of_a_mean_hold_it() {
        for rho in [0.0, 0.5, 0.9] {
            let (rows, trials) = (150, 400);
            let mut held = 0;
            for seed in 0..trials {
                let x = autoregression(rho, rows, 100 + seed);
                let mean = x.iter().sum::<f64>() / rows as f64;
                let residuals: Vec<f64> = x.iter().map(|x| x - mean).collect();
                let noise = ColouredNoise::of(&residuals, &vec![1.0; rows], 1, &[0.0]);
                let inside = |c: &Cell| {
                    let error = (c.variance * c.middle[0]).sqrt() / rows as f64;
                    c.weight * stickslip_solve::statistics::chi_square_above((mean / error).powi(2), 1.0)
                };
                held += usize::from(noise.cells.iter().map(inside).sum::<f64>() >= 0.05);
            }
            let share = held as f64 / trials as f64;
            assert!((share - 0.95).abs() < 0.04, "{rho}: {share}");
        }
    }
}
