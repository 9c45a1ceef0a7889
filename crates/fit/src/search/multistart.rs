//! Places from which the searches of a fit begin.
use crate::search::loss::deviation;
use crate::search::searches::{Searches, Seeker};
use crate::unknowns::Unknown;
use stickslip_solve::least_squares::Found;
use stickslip_solve::statistics::Random;

/// Distances on the scale of the search at which places about the best are looked at.
const HOPS: [f64; 2] = [0.05, 2.0];
/// Places nearer than this to where a search ended are no other.
const ELSEWHERE: f64 = 0.05;
/// A place at which the cost is so many times smaller than at the scenario's own values is taken before them.
const MUCH_BETTER: f64 = 4.0;
/// Places looked at for each further start; so many times as many where the best misses the records.
const LOOKED: usize = 8;
const LOOKED_IN_DOUBT: usize = 6;
/// A model that goes with a record by less than this goes against it.
const AGAINST: f64 = -0.5;

impl Seeker<'_, '_> {
    /// Looks at the scenario's own values and at places about them, for the searches of a round: they begin at the best.
    pub(crate) fn look_about(&mut self, all: &mut Searches, wanted: usize, random: &mut Random) {
        let first = all.begun == 0;
        let mut own: Vec<f64> = self.objective.unknowns.iter().map(|k| k.inner(k.start)).collect();
        if wanted == 1 {
            self.objective.align(&mut own);
            all.places.push((0.0, own));
            return;
        }
        for _ in 0..LOOKED * (wanted - all.begun - usize::from(first)) {
            let mut place = self.another(random);
            let cost = self.cost(&mut place);
            if cost.is_finite() {
                all.places.push((cost, place));
            }
        }
        all.places.sort_by(|a, b| b.0.total_cmp(&a.0));
        if first {
            // One of the first searches begins at the scenario's own values, however they look; the very first unless
            // another place is much better.
            let cost = self.cost(&mut own);
            let better = all.places.partition_point(|(c, _)| *c > cost / MUCH_BETTER);
            all.places.insert(better.max((all.places.len() + 1).saturating_sub(wanted)), (cost, own));
        }
    }

    /// Looks at many more places, half of them about the best so far: as far off as may be.
    pub(crate) fn look_farther(&mut self, all: &mut Searches, best: &Found, wanted: usize, random: &mut Random) {
        for k in 0..LOOKED * LOOKED_IN_DOUBT * (wanted - all.begun) {
            let mut place = if k % 2 == 0 { self.another(random) } else { self.hop(&best.x, random) };
            let cost = self.cost(&mut place);
            if cost.is_finite() {
                all.places.push((cost, place));
            }
        }
        all.places.sort_by(|a, b| b.0.total_cmp(&a.0));
        // Where searches ended they need not begin again.
        let ended: Vec<Vec<f64>> = all.found.iter().map(|f| f.x.clone()).collect();
        let off = |place: &[f64], end: &[f64]| place.iter().zip(end).any(|(a, b)| (a - b).abs() > ELSEWHERE);
        all.places.retain(|(_, place)| ended.iter().all(|end| off(place, end)));
    }

    /// A place at some distance of `x`, of any order of magnitude.
    fn hop(&self, x: &[f64], random: &mut Random) -> Vec<f64> {
        let [near, far] = HOPS;
        let reach = near * (far / near).powf(random.even());
        let one = |(k, u): (&Unknown, &f64)| {
            let [low, high] = k.bounds();
            (u + reach * random.normal()).clamp(low, high)
        };
        self.objective.unknowns.iter().zip(x).map(one).collect()
    }

    pub(crate) fn another(&self, random: &mut Random) -> Vec<f64> {
        self.objective.unknowns.iter().map(|k| k.another(random)).collect()
    }

    /// The cost at a place, where the unknowns of single records are first put where they serve best.
    fn cost(&mut self, place: &mut [f64]) -> f64 {
        let loss = self.fit.loss;
        self.objective.align(place);
        self.objective.answers(place, false).map_or(f64::INFINITY, |answers| {
            self.objective.residuals(&answers).iter().map(|r| loss.of(*r).0.powi(2)).sum()
        })
    }

    /// A record against which the model goes at the scenario's own values: its sign may be the other one.
    pub(crate) fn against(&mut self) -> Option<&str> {
        let own: Vec<f64> = self.objective.unknowns.iter().map(|k| k.inner(k.start)).collect();
        let answers = self.objective.answers(&own, false).ok()?;
        let records = self.fit.records.iter();
        let opposite = records.zip(&answers).find(|(r, (model, _))| correlation(&r.values, model) < AGAINST)?;
        Some(&opposite.0.name)
    }
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let (middle, other) = (mean(a), mean(b));
    let product: f64 = a.iter().zip(b).map(|(x, y)| (x - middle) * (y - other)).sum();
    product / (a.len() as f64 * deviation(a) * deviation(b))
}
