//! Metropolis and Hastings' walk with proposals of two kinds: about the whole posterior, and about where it is.
//!
//! A fit knows its posterior to first order, from exact derivatives: draws from a distribution of Student's about the best
//! fit are taken in eight of ten cases where the model is nearly linear over the noise, and then hardly depend on each other.
//! Steps about the present place keep a chain moving where that fails.
use crate::posterior::likelihood::Likelihood;
use crate::report::uncertainty::Known;
use crate::search::objective::Objective;
use stickslip_model::Context;
use stickslip_solve::least_squares::Found;
use stickslip_solve::statistics::Random;

/// Share of proposals about the whole posterior.
const FAR: f64 = 0.75;
/// Degrees of freedom of Student's distribution: tails heavier than those of any posterior that data determine.
const TAILS: usize = 6;
/// Its spread over that of the draws it learnt from.
const WIDER: f64 = 1.1;
/// Length of a step about the present place, over the root of the number of parameters.
const STEP: f64 = 2.4;
/// A standard error is at least this part of a factor e.
const LEAST: f64 = 1e-12;
/// A correlation is believed to this part.
const BELIEVED: f64 = 0.995;

/// Where proposals come from.
pub struct Proposal {
    middle: Vec<f64>,
    /// Factor L of the covariance L L^T, row after row.
    factor: Vec<f64>,
}

impl Proposal {
    /// As the fit knows it.
    pub fn of_fit(x: &[f64], known: &Known) -> Result<Proposal, String> {
        let n = x.len();
        let error = |k: usize| known.errors[k].max(LEAST);
        let covariance = (0..n * n).map(|i| {
            let (a, b) = (i / n, i % n);
            let together = if a == b { 1.0 } else { BELIEVED * known.correlation[a][b] };
            together * error(a) * error(b)
        });
        let factor = cholesky(n, covariance.collect()).ok_or("the covariance of the fit is singular")?;
        Ok(Proposal { middle: x.to_vec(), factor })
    }

    /// As draws know it; none where these are too few.
    pub fn of_draws(chains: &[Chain]) -> Option<Proposal> {
        // What comes first remembers the start.
        let all: Vec<&Vec<f64>> =
            chains.iter().flat_map(|c| c.draws[c.draws.len() / 2..].iter().map(|d| &d.1)).collect();
        let n = all.first()?.len();
        let mean = |k: usize| all.iter().map(|u| u[k]).sum::<f64>() / all.len() as f64;
        let middle: Vec<f64> = (0..n).map(mean).collect();
        let product = |i: usize| {
            let off = |u: &Vec<f64>, k: usize| u[k] - middle[k];
            all.iter().map(|u| off(u, i / n) * off(u, i % n)).sum::<f64>() / (all.len() - 1) as f64
        };
        let factor = cholesky(n, (0..n * n).map(product).collect())?;
        Some(Proposal { middle, factor })
    }

    fn off(&self, random: &mut Random, scale: f64) -> Vec<f64> {
        let n = self.middle.len();
        let z: Vec<f64> = (0..n).map(|_| scale * random.normal()).collect();
        (0..n).map(|i| (0..=i).map(|j| self.factor[i * n + j] * z[j]).sum()).collect()
    }

    /// Logarithm of the density of Student's distribution, up to a constant.
    fn density(&self, u: &[f64]) -> f64 {
        let n = self.middle.len();
        let mut z = vec![0.0; n];
        for i in 0..n {
            let sum: f64 = (0..i).map(|j| self.factor[i * n + j] * z[j]).sum();
            z[i] = (u[i] - self.middle[i] - sum) / self.factor[i * n + i];
        }
        let square = z.iter().map(|z| z * z).sum::<f64>() / (WIDER * WIDER);
        -0.5 * (TAILS + n) as f64 * (1.0 + square / TAILS as f64).ln()
    }
}

/// L of L L^T; none where the matrix is not positive.
fn cholesky(n: usize, mut g: Vec<f64>) -> Option<Vec<f64>> {
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| g[i * n + k] * g[j * n + k]).sum();
            let x = g[i * n + j] - sum;
            if i == j && (x.is_nan() || x <= 0.0) {
                return None;
            }
            g[i * n + j] = if i == j { x.sqrt() } else { x / g[j * n + j] };
        }
    }
    Some(g)
}

/// A chain under way.
pub struct Chain {
    here: Vec<f64>,
    likelihood: Option<f64>,
    random: Random,
    /// Logarithms of the likelihood, and places on the scale of the search.
    pub draws: Vec<(f64, Vec<f64>)>,
    /// Proposals, and those that were taken.
    pub tried: usize,
    pub taken: usize,
}

impl Chain {
    /// A chain from the best fit, with random numbers of its own.
    pub fn new(best: &Found, number: usize, seed: u64) -> Chain {
        let random = Random::new(seed.wrapping_add(1000 + number as u64));
        Chain { here: best.x.clone(), likelihood: None, random, draws: vec![], tried: 0, taken: 0 }
    }

    /// Goes on from where it is, without what was drawn.
    pub fn forget(&mut self) {
        self.draws.clear();
        (self.tried, self.taken) = (0, 0);
    }
}

/// Some steps of a chain; `far`: also about the whole posterior.
pub fn walk(l: &Likelihood, context: &Context, proposal: &Proposal, chain: &mut Chain, steps: usize, far: bool) {
    let mut objective = Objective::new(l.fit, context, l.unknowns);
    objective.sigmas.clone_from(&l.sigmas);
    let near = STEP / (chain.here.len() as f64).sqrt();
    if chain.likelihood.is_none() {
        chain.likelihood = l.at(&mut objective, &chain.here);
    }
    for _ in 0..steps {
        if context.stopped() {
            return;
        }
        // A motion that takes long is no reason to call a place impossible.
        objective.fewest.fill(None);
        let whole = far && chain.random.even() < FAR;
        let place: Vec<f64> = if whole {
            let square = (0..TAILS).map(|_| chain.random.normal().powi(2)).sum::<f64>() / TAILS as f64;
            let off = proposal.off(&mut chain.random, WIDER / square.sqrt());
            proposal.middle.iter().zip(off).map(|(m, off)| m + off).collect()
        } else {
            let off = proposal.off(&mut chain.random, near);
            chain.here.iter().zip(off).map(|(x, off)| x + off).collect()
        };
        let ratio = if whole { proposal.density(&chain.here) - proposal.density(&place) } else { 0.0 };
        chain.tried += 1;
        let luck = chain.random.even();
        if let Some(there) = l.at(&mut objective, &place) {
            let gain = chain.likelihood.map_or(f64::INFINITY, |here| there - here + ratio);
            if luck.ln() < gain {
                (chain.here, chain.likelihood) = (place, Some(there));
                chain.taken += 1;
            }
        }
        chain.draws.push((chain.likelihood.unwrap_or(f64::NEG_INFINITY), chain.here.clone()));
    }
}
