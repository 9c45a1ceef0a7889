//! The searches of a fit: where they begin, how many there are, and whether they agree.
use crate::Fit;
use crate::records::{Of, Record};
use crate::report::uncertainty::{Basis, Known, Part};
use crate::search::loss::{Loss, deviation, roughness};
use crate::search::objective::Objective;
use stickslip_solve::least_squares::{End, Found, Search};
use stickslip_solve::statistics::Random;

/// Searches where nothing else is asked for, and in each further round where there is doubt.
const ROUND: usize = 3;
/// Most searches that are begun without being asked for.
const MOST_SEARCHES: usize = 15;
/// So many searches that end at one place leave no doubt that it is the best; more where the best misses the records.
const ENOUGH: usize = 3;
const ENOUGH_IN_DOUBT: usize = 6;
/// Places tried about a start at which the model has no answer.
const MOST_REPLACED: usize = 20;
/// Evaluations after which a search is broken off; the best goes on.
const BRIEF: usize = 60;
/// Searches agree whose parameters do to this part of a factor e, or of a standard error.
const AGREE: f64 = 1e-4;
const AGREE_ERRORS: f64 = 0.05;
/// Residuals below this part of the spread of the records are none.
const EXACT: f64 = 1e-6;
/// A fit that leaves more than this part of the spread of the records, and no noise, may miss them; one that leaves more
/// than the second does; one that leaves more than the third does, however rough it is.
const MISSES: f64 = 0.01;
const SYSTEMATIC: f64 = 0.1;
const GROSS: f64 = 0.5;
/// Residuals that exceed what changes from row to row by this factor are smooth: an autoregression whose neighbours have a
/// correlation of 0.95 reaches 8 in one record of a hundred.
const SMOOTH: f64 = 12.0;
/// Neighbouring residuals that go together by more than this are no noise.
const TOGETHER: f64 = 0.3;
/// Standard deviations by which what noise does by chance is exceeded.
const CHANCE: f64 = 3.0;

/// What all searches found, and how they were begun.
#[derive(Default)]
pub struct Searches {
    /// Where they ended, the best first.
    pub found: Vec<Found>,
    /// How many were begun.
    pub begun: usize,
    /// Places that were looked at, the best last.
    pub places: Vec<(f64, Vec<f64>)>,
}

/// What the best fit leaves, where that is no noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Misfit {
    /// Root mean square of what is left, as a part of the spread of the records.
    pub left: f64,
    /// The same over what changes from row to row.
    pub smooth: f64,
}

impl Misfit {
    /// Whether the records can't be of this model with these parameters, whatever their noise.
    pub fn is_wrong(&self) -> bool {
        self.left > GROSS || (self.left > SYSTEMATIC && self.smooth > SMOOTH)
    }

    /// Whether correlated noise would hardly look like that.
    pub fn is_systematic(&self) -> bool {
        self.left > GROSS || (self.left > MISSES && self.smooth > SMOOTH)
    }
}

/// A fit as its searches see it.
pub struct Seeker<'s, 'a> {
    pub fit: &'a Fit,
    pub objective: &'s mut Objective<'a>,
    pub search: &'s Search,
    pub seed: u64,
}

impl Seeker<'_, '_> {
    /// Searches from the scenario's own values and from other places: as many as were asked for; else some, and more while
    /// what is left of the data is no noise and the searches do not agree.
    pub fn all(&mut self) -> Searches {
        let seed = self.seed;
        let (mut starts, mut replaced) = (Random::new(seed), Random::new(seed.wrapping_add(1)));
        let mut all = Searches::default();
        let mut wanted = self.fit.starts.unwrap_or(ROUND);
        loop {
            match all.found.first().cloned().filter(|best| self.misses(best)) {
                Some(best) => self.look_farther(&mut all, &best, wanted, &mut starts),
                None => self.look_about(&mut all, wanted, &mut starts),
            }
            while all.begun < wanted && !self.objective.context.stopped() && !self.exact(&all) {
                let start = all.places.pop().map_or_else(|| self.another(&mut starts), |(_, place)| place);
                all.begun += 1;
                all.found.extend(self.from(start, &mut replaced));
                all.found.sort_by(|a, b| a.look.cost().total_cmp(&b.look.cost()));
            }
            let enough = self.fit.starts.is_some() || wanted >= MOST_SEARCHES || self.objective.context.stopped();
            if enough || self.settled(&all) {
                self.go_on(&mut all);
                return all;
            }
            wanted += ROUND;
        }
    }

    /// The best search goes on where it was broken off.
    fn go_on(&mut self, all: &mut Searches) {
        let Some(best) = all.found.first_mut().filter(|f| f.end == End::Exhausted) else { return };
        if let Some(end) = self.run_from(&best.x) {
            *best = end;
        }
    }

    /// A search from a place at which the model has an answer, however many steps that takes.
    pub fn run_from(&mut self, x: &[f64]) -> Option<Found> {
        let search = self.search;
        self.objective.afresh(|objective| search.run(objective, x))
    }

    /// All searches go on from where they ended, under the weights of now.
    pub fn again(&mut self, all: &mut Searches) {
        let brief = Search { most: self.search.most.min(BRIEF), ..self.search.clone() };
        let on = |found: &Found| self.objective.afresh(|objective| brief.run(objective, &found.x));
        all.found = all.found.iter().filter_map(on).collect();
        all.found.sort_by(|a, b| a.look.cost().total_cmp(&b.look.cost()));
    }

    /// Whether the best fit leaves nothing to be found: then no other search can say more.
    fn exact(&self, all: &Searches) -> bool {
        let least = EXACT * spread(&self.fit.records, &self.objective.sigmas);
        all.found.first().is_some_and(|best| best.end == End::Converged && best.look.cost().sqrt() <= least)
    }

    fn settled(&mut self, all: &Searches) -> bool {
        let Some(best) = all.found.first() else { return false };
        if best.end != End::Converged {
            return false;
        }
        if self.noise(best) {
            return true;
        }
        let enough = if self.misses(best) { ENOUGH_IN_DOUBT } else { ENOUGH };
        self.known(best).is_some_and(|known| agreeing(all, best, &known) >= enough)
    }

    /// Whether a fit may leave something of the records that is no noise: its place is a wrong minimum, or its model is wrong.
    pub fn misses(&self, best: &Found) -> bool {
        self.left(best) > MISSES && !self.noise(best)
    }

    /// What a fit leaves, unless that is noise.
    pub fn misfit(&self, best: &Found) -> Option<Misfit> {
        if self.noise(best) {
            return None;
        }
        let parts = by_record(&self.fit.records, &best.look.residuals);
        let smooth = parts.map(|(_, residuals)| (mean_square(residuals) / roughness(residuals).powi(2)).sqrt());
        Some(Misfit { left: self.left(best), smooth: smooth.fold(0.0, f64::max) })
    }

    /// What a fit leaves, as part of the spread of the records.
    fn left(&self, best: &Found) -> f64 {
        best.look.cost().sqrt() / spread(&self.fit.records, &self.objective.sigmas)
    }

    /// One search; a start at which the model has no answer is replaced by places about it.
    fn from(&mut self, start: Vec<f64>, random: &mut Random) -> Option<Found> {
        let unknowns = self.objective.unknowns;
        let mut place = start.clone();
        let brief = Search { most: self.search.most.min(BRIEF), ..self.search.clone() };
        for tried in 1..=MOST_REPLACED {
            if let Some(end) = brief.run(self.objective, &place) {
                return Some(end);
            }
            place = unknowns.iter().zip(&start).map(|(k, u)| k.near(*u, tried, random)).collect();
        }
        None
    }

    /// Whether what is left of the data looks like noise: of the size that was given, or without memory.
    pub fn noise(&self, best: &Found) -> bool {
        let (records, sigmas) = (&self.fit.records, &self.objective.sigmas);
        if best.look.cost().sqrt() <= EXACT * spread(records, sigmas) {
            return true;
        }
        by_record(records, &best.look.residuals).all(|(record, residuals)| {
            let chance = 1.0 + CHANCE * (2.0 / residuals.len() as f64).sqrt();
            let as_given = record.sigma.is_some() && mean_square(residuals) / record.mean_factor() <= chance;
            as_given || together(residuals).is_none()
        })
    }

    /// What is known of the parameters at the end of a search.
    pub fn known(&mut self, best: &Found) -> Option<Known> {
        let plain = match self.fit.loss {
            Loss::Squares => best.look.clone(),
            _ => self.objective.afresh(|objective| objective.look_with(&best.x, Loss::Squares))?,
        };
        let part = |r: &Record| Part {
            rows: r.values.len(),
            factor: r.mean_factor(),
            given: r.sigma.is_some(),
            in_time: matches!(r.of(), Of::Motion | Of::Path),
        };
        let parts: Vec<Part> = self.fit.records.iter().map(part).collect();
        let spread = spread(&self.fit.records, &self.objective.sigmas);
        let basis =
            Basis { loss: self.fit.loss, parts: &parts, spread, intervals: self.fit.intervals, seed: self.seed };
        Some(Known::new(&plain, self.objective.unknowns, &basis))
    }

    /// Records whose noise is not given, beside others: their unit becomes the noise that the fit leaves. True where one
    /// changed.
    pub fn reweigh(&mut self, best: &Found) -> bool {
        let records = &self.fit.records;
        if records.len() < 2 || self.fit.loss != Loss::Squares {
            return false;
        }
        let all = best.look.residuals.len() as f64;
        let share = all / (all - self.objective.unknowns.len() as f64).max(1.0);
        let unit = |((record, residuals), sigmas): ((&Record, &[f64]), &Vec<f64>)| {
            let noise = (mean_square(residuals) * share / record.mean_factor()).sqrt() * sigmas[0];
            let noise = noise.max(EXACT * deviation(&record.values)).max(f64::MIN_POSITIVE);
            if record.sigma.is_some() { sigmas[0] } else { noise }
        };
        let sigmas = &mut self.objective.sigmas;
        let units: Vec<f64> = by_record(records, &best.look.residuals).zip(&*sigmas).map(unit).collect();
        // Where none changes, all stay: what was found stays comparable.
        let changed = units.iter().zip(&*sigmas).any(|(unit, sigmas)| (unit / sigmas[0] - 1.0).abs() > 1e-3);
        if changed {
            let free = records.iter().zip(units).zip(sigmas).filter(|((record, _), _)| record.sigma.is_none());
            free.for_each(|((_, unit), sigmas)| sigmas.fill(unit));
        }
        changed
    }
}

impl Objective<'_> {
    /// Runs something with the count of steps begun again: at a place that has an answer it never binds.
    pub fn afresh<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let fewest = std::mem::replace(&mut self.fewest, vec![None; self.fit.records.len()]);
        let out = run(self);
        self.fewest = fewest;
        out
    }
}

/// How many searches ended at the best place.
pub fn agreeing(all: &Searches, best: &Found, known: &Known) -> usize {
    all.found.iter().filter(|f| same(f, best, known)).count()
}

/// Whether two searches ended at one place, as far as the data can distinguish them.
pub fn same(a: &Found, b: &Found, known: &Known) -> bool {
    let close = |(k, (a, b)): (usize, (&f64, &f64))| {
        !known.errors[k].is_finite() || (a - b).abs() <= AGREE.max(AGREE_ERRORS * known.errors[k])
    };
    a.x.iter().zip(&b.x).enumerate().all(close)
}

/// A search that ended elsewhere with a cost as good as the best's, within what the noise does.
pub fn rival<'f>(all: &'f Searches, best: &Found, known: &Known) -> Option<&'f Found> {
    let unit = known.units.iter().fold(0.0f64, |m, u| m.max(*u));
    let as_good = |f: &&Found| f.look.cost() - best.look.cost() <= (known.t * unit).powi(2);
    let elsewhere = |f: &&Found| {
        let off = |k: usize| (f.x[k] - best.x[k]).abs() > AGREE.max(2.0 * known.t * known.errors[k]);
        (0..best.x.len()).any(|k| known.identifiable[k] && off(k))
    };
    all.found.iter().filter(|f| f.end == End::Converged).filter(as_good).find(elsewhere)
}

/// Each record with its part of all residuals.
fn by_record<'r>(records: &'r [Record], all: &'r [f64]) -> impl Iterator<Item = (&'r Record, &'r [f64])> {
    let mut left = all;
    records.iter().map(move |record| {
        let (own, rest) = left.split_at(record.values.len());
        left = rest;
        (record, own)
    })
}

fn mean_square(residuals: &[f64]) -> f64 {
    residuals.iter().map(|r| r * r).sum::<f64>() / residuals.len() as f64
}

/// Size of all records in units of their residuals.
fn spread(records: &[Record], sigmas: &[Vec<f64>]) -> f64 {
    let one = |(record, sigma): (&Record, &Vec<f64>)| {
        let size = deviation(&record.values) * record.mean_factor().sqrt();
        sigma.iter().map(|s| (size / s).powi(2)).sum::<f64>()
    };
    records.iter().zip(sigmas).map(one).sum::<f64>().sqrt()
}

/// Correlation of each residual with the next, where it is more than chance.
pub fn together(residuals: &[f64]) -> Option<f64> {
    let square: f64 = residuals.iter().map(|r| r * r).sum();
    let next: f64 = residuals.windows(2).map(|w| w[0] * w[1]).sum();
    let least = TOGETHER.max(CHANCE / (residuals.len() as f64).sqrt());
    Some(next / square).filter(|part| *part > least)
}
