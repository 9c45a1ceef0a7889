//! How far chains have come: R-hat of split chains and the effective number of samples (A. Gelman et al., Bayesian Data
//! Analysis, 3rd ed. (2013), 11.4 and 11.5).

fn mean(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() / x.len() as f64
}

/// Sum of products of deviations at a lag, over the length.
fn covariance(x: &[f64], middle: f64, lag: usize) -> f64 {
    let pairs = x.iter().zip(&x[lag..]);
    pairs.map(|(a, b)| (a - middle) * (b - middle)).sum::<f64>() / x.len() as f64
}

/// Halves of all chains, of one length.
fn halves(chains: &[Vec<f64>]) -> Vec<&[f64]> {
    let half = chains.iter().map(Vec::len).min().unwrap_or(0) / 2;
    chains.iter().flat_map(|c| [&c[..half], &c[c.len() - half..]]).collect()
}

/// Variance within the sequences, and that of all together.
fn variances(parts: &[&[f64]]) -> (f64, f64) {
    let n = parts[0].len() as f64;
    let means: Vec<f64> = parts.iter().map(|p| mean(p)).collect();
    let within = parts.iter().zip(&means).map(|(p, m)| covariance(p, *m, 0) * n / (n - 1.0)).sum::<f64>();
    let within = within / parts.len() as f64;
    let middle = mean(&means);
    let between = means.iter().map(|m| (m - middle).powi(2)).sum::<f64>() / (means.len() - 1) as f64;
    (within, within * (n - 1.0) / n + between)
}

/// The root of all variance over that within the halves: 1 where these can't be told apart.
pub fn r_hat(chains: &[Vec<f64>]) -> f64 {
    let (within, all) = variances(&halves(chains));
    (all / within).sqrt()
}

/// Number of independent draws that would determine a mean as well.
pub fn effective(chains: &[Vec<f64>]) -> f64 {
    let parts = halves(chains);
    let (within, all) = variances(&parts);
    let (count, n) = (parts.len() as f64, parts[0].len());
    let means: Vec<f64> = parts.iter().map(|p| mean(p)).collect();
    let rho = |lag: usize| {
        let together = parts.iter().zip(&means).map(|(p, m)| covariance(p, *m, lag)).sum::<f64>() / count;
        1.0 - (within - together) / all
    };
    // Sums of neighbours are positive and fall; noise of the tail is cut off where they end.
    let (mut sum, mut last) = (-1.0, f64::INFINITY);
    for pair in 0..n / 2 {
        let next = (rho(2 * pair) + rho(2 * pair + 1)).min(last);
        if next <= 0.0 {
            break;
        }
        sum += 2.0 * next;
        last = next;
    }
    count * n as f64 / sum.max(1.0 / (count * n as f64).log10().max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip_solve::statistics::Random;

    fn chains(rho: f64, shift: f64) -> Vec<Vec<f64>> {
        let one = |seed: u64| {
            let mut random = Random::new(seed);
            let mut x = random.normal();
            let next = |_| {
                x = rho * x + (1.0 - rho * rho).sqrt() * random.normal();
                x + shift * seed as f64
            };
            (0..4000).map(next).collect()
        };
        (0..4).map(one).collect()
    }

    #[test]
    fn an_autoregression_has_the_samples_of_theory() {
        for rho in [0.0, 0.5, 0.9] {
            let theory = 16_000.0 * (1.0 - rho) / (1.0 + rho);
            let found = effective(&chains(rho, 0.0));
            assert!((found / theory - 1.0).abs() < 0.2, "{rho} {found} {theory}");
        }
        assert!(r_hat(&chains(0.5, 0.0)) < 1.01 && r_hat(&chains(0.5, 0.5)) > 1.1);
    }
}
