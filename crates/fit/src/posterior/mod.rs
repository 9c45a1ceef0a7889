//! The posterior of the parameters, sampled: which of them the records allow, beyond an ellipse about the best.
mod convergence;
mod likelihood;
mod sampler;

use crate::Fit;
use crate::posterior::convergence::{effective, r_hat};
use crate::posterior::likelihood::Likelihood;
use crate::posterior::sampler::{Chain, Proposal, walk};
use crate::report::uncertainty::Known;
use crate::search::objective::Objective;
use crate::unknowns::Unknown;
use stickslip_data::{Outcome, Status, Table};
use stickslip_model::Context;
use stickslip_solve::least_squares::Found;
use stickslip_structures::{Ask, Keys, Refused};

/// Draws unless given, their least and most.
const SAMPLES: f64 = 4000.0;
const LEAST: f64 = 100.0;
const MOST: f64 = 1e6;
/// Chains, and steps of each by which the proposal learns, twice.
const CHAINS: usize = 4;
const LEARNING: [usize; 2] = [200, 200];
/// From here on chains do not agree.
const APART: f64 = 1.05;
/// The middle of what is sampled.
const ENDS: [f64; 2] = [0.025, 0.975];

/// What is sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Draws of all chains together.
    pub samples: usize,
}

impl Sampling {
    /// Reads it.
    pub fn read(keys: &mut dyn Keys) -> Result<Option<Sampling>, Refused> {
        let mut found = None;
        keys.table("posterior", "Samples of the parameters that the records allow", &mut |k| {
            let ask = Ask::new("samples", "1", "Draws, of four chains together").or(SAMPLES).min(LEAST).max(MOST);
            found = Some(Sampling { samples: k.count(ask)? });
            Ok(())
        })?;
        Ok(found)
    }
}

/// The draws of all chains.
pub struct Posterior {
    /// Chain, logarithm of the likelihood and parameters in SI, draw after draw.
    rows: Vec<(usize, f64, Vec<f64>)>,
    /// Of each parameter.
    pub r_hat: Vec<f64>,
    /// Of each parameter.
    pub effective: Vec<f64>,
    /// Share of proposals that were taken.
    pub taken: f64,
    /// Of each parameter: its median and its interval of 95 %.
    pub summary: Vec<[f64; 3]>,
}

impl Posterior {
    /// Samples about the best fit.
    pub fn sample(
        (fit, sampling): (&Fit, Sampling),
        context: &Context,
        objective: &Objective,
        (best, known): (&Found, &Known),
        seed: u64,
    ) -> Result<Posterior, String> {
        let unknowns = objective.unknowns;
        if let Some(k) = (0..unknowns.len()).find(|k| !known.identifiable[*k]) {
            let path = &unknowns[k].path;
            return Err(format!(
                "the posterior is not sampled: `{path}` is not determined, and its draws would have no end"
            ));
        }
        let likelihood = Likelihood::new(fit, &objective.sigmas, known, unknowns);
        let mut proposal = Proposal::of_fit(&best.x, known)?;
        let mut chains: Vec<Chain> = (0..CHAINS).map(|c| Chain::new(best, c, seed)).collect();
        for (phase, steps) in LEARNING.into_iter().enumerate() {
            run(&likelihood, context, &proposal, &mut chains, steps, phase > 0);
            proposal = Proposal::of_draws(&chains).unwrap_or(proposal);
            chains.iter_mut().for_each(Chain::forget);
        }
        run(&likelihood, context, &proposal, &mut chains, sampling.samples.div_ceil(CHAINS), true);
        if context.stopped() || chains.iter().any(|c| c.draws.len() < 4) {
            return Err("the posterior was stopped before its end".into());
        }
        let n = unknowns.len();
        let series = |k: usize| -> Vec<Vec<f64>> {
            chains.iter().map(|c| c.draws.iter().map(|(_, u)| u[k]).collect()).collect()
        };
        let in_si = |u: &[f64]| -> Vec<f64> { unknowns.iter().zip(u).map(|(k, u)| k.outer(*u)).collect() };
        let one = |(c, chain): (usize, &Chain)| -> Vec<(usize, f64, Vec<f64>)> {
            chain.draws.iter().map(|(l, u)| (c + 1, *l, in_si(u))).collect()
        };
        let rows: Vec<_> = chains.iter().enumerate().flat_map(one).collect();
        let summary = |k: usize| {
            let mut all: Vec<f64> = rows.iter().map(|(_, _, x)| x[k]).collect();
            all.sort_by(f64::total_cmp);
            [0.5, ENDS[0], ENDS[1]].map(|part| all[((all.len() - 1) as f64 * part).round() as usize])
        };
        let tried: usize = chains.iter().map(|c| c.tried).sum();
        let taken: usize = chains.iter().map(|c| c.taken).sum();
        Ok(Posterior {
            r_hat: (0..n).map(|k| r_hat(&series(k))).collect(),
            effective: (0..n).map(|k| effective(&series(k))).collect(),
            taken: taken as f64 / tried.max(1) as f64,
            summary: (0..n).map(summary).collect(),
            rows,
        })
    }

    /// Writes the draws and how far they can be believed.
    pub fn report(&self, unknowns: &[Unknown], units: &[String], out: &mut Outcome) {
        let mut table = Table::new("posterior");
        table.push("chain", "", self.rows.iter().map(|(c, ..)| *c as i64).collect::<Vec<i64>>());
        table.push("log_likelihood", "1", self.rows.iter().map(|(_, l, _)| *l).collect::<Vec<f64>>());
        for (k, (unknown, unit)) in unknowns.iter().zip(units).enumerate() {
            table.push(unknown.path.clone(), unit, self.rows.iter().map(|(_, _, x)| x[k]).collect::<Vec<f64>>());
        }
        out.tables.push(table);
        out.set("r_hat", stickslip_data::Value::List(self.r_hat.clone()), "1");
        out.set("effective_samples", stickslip_data::Value::List(self.effective.clone()), "1");
        out.health.notes.push(format!("posterior: {:.0} % of the proposals were taken", 100.0 * self.taken));
        let worst = (0..self.r_hat.len()).max_by(|a, b| self.r_hat[*a].total_cmp(&self.r_hat[*b])).unwrap_or(0);
        if self.r_hat[worst].is_nan() || self.r_hat[worst] > APART {
            let text = format!(
                "the chains of the posterior do not agree: R-hat of `{}` is {:.3}. Raise `posterior.samples`, or narrow \
                 `between`",
                unknowns[worst].path, self.r_hat[worst]
            );
            out.worsen(Status::Untrusted, text);
        }
    }
}

/// All chains go on for some steps, side by side where there are threads.
fn run(l: &Likelihood, context: &Context, proposal: &Proposal, chains: &mut [Chain], steps: usize, far: bool) {
    if cfg!(target_family = "wasm") {
        chains.iter_mut().for_each(|chain| walk(l, context, proposal, chain, steps, far));
        return;
    }
    std::thread::scope(|scope| {
        for chain in chains {
            scope.spawn(move || walk(l, context, proposal, chain, steps, far));
        }
    });
}
