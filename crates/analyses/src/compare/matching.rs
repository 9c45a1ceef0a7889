//! The parameters of a law with which it answers a protocol as another law does: bounded least squares from its example, in
//! as few parameters as the protocol needs.
use super::point::{Point, Target};
use super::protocol::Protocol;
use super::unknowns::{Unknown, unknowns, values_at};
use std::sync::atomic::{AtomicBool, Ordering};
use stickslip_laws::{Given, GivenLaw, Param};
use stickslip_solve::least_squares::{Look, Problem, Search};

/// A law that misses nothing by more than this part meets the protocol.
pub const MATCHED: f64 = 1e-6;
/// A search this close is done.
const EXACT: f64 = 1e-9;
/// Step of the differences in the unknowns.
const DIFFERENCE: f64 = 1e-6;
/// A parameter that changes the answers by less than this part of the most influential one is left alone.
const IDLE: f64 = 1e-4;
/// Weight of the influence of parameters that are no strengths.
const LATER: f64 = 0.05;
/// Sizes tried for a parameter that was zero, by powers of this, up to where the answers change by `FELT`.
const SIZES: i32 = 12;
const FELT: f64 = 0.01;
/// Evaluations of a search, and the largest change of an unknown in one of its steps.
const MOST: usize = 60;
const REACH: f64 = 1.5;

/// A matched law.
pub struct Match {
    /// Its values.
    pub law: GivenLaw,
    /// Names of the parameters that were changed.
    pub changed: Vec<&'static str>,
}

/// The law that comes closest; an error where it has no answer to the protocol.
pub fn match_law(
    example: &GivenLaw,
    point: &Point,
    (protocol, targets): (&Protocol, &[(Target, f64)]),
    stop: Option<&AtomicBool>,
) -> Result<Match, String> {
    let mut best: Option<(f64, usize, Match)> = None;
    let mut why = None;
    for law in starts(example, protocol) {
        let mut problem = match Fitting::new((&law, example), point, targets, stop) {
            Ok(problem) => problem,
            Err(e) => {
                why.get_or_insert(e);
                continue;
            }
        };
        // The fewest parameters first, then all that have an influence, then also those that were zero.
        for stage in 0..3 {
            let Some(chosen) = problem.choose(stage) else { continue };
            let Some((miss, found)) = problem.search(&chosen) else { continue };
            let better = best.as_ref().is_none_or(|(least, ..)| miss < 0.99 * least && *least > EXACT);
            if better {
                best = Some((miss, chosen.len(), found));
            }
            if best.as_ref().is_some_and(|(least, ..)| *least <= EXACT) || problem.stopped() {
                return best.map(|(.., found)| found).ok_or_else(|| "stopped before its end".into());
            }
        }
    }
    let none = || why.unwrap_or_else(|| "it has no answer to the protocol".into());
    best.map(|(.., found)| found).ok_or_else(none)
}

/// Places from which a search begins: the example, and the example at the speeds and the time of the protocol.
fn starts(example: &GivenLaw, protocol: &Protocol) -> Vec<GivenLaw> {
    let fastest = protocol.speeds.iter().copied().fold(0.0, f64::max);
    let slowest = protocol.speeds.iter().copied().fold(fastest, f64::min);
    let at = |speed: f64, time: Option<f64>| {
        let mut law = example.clone();
        for (name, value) in &mut law.values.0 {
            let unit = law.kind.params.iter().find(|p: &&Param| p.name == *name).map_or("", |p| p.unit);
            let put = match (unit, time) {
                ("m/s", _) => speed,
                ("s/m", _) => 1.0 / speed,
                ("s", Some(time)) => time,
                _ => continue,
            };
            match value {
                Given::Number(x) if *x != 0.0 => *x = put,
                _ => {}
            }
        }
        law
    };
    let mut all = vec![example.clone()];
    if fastest > 0.0 {
        let middle = (fastest * slowest).sqrt();
        for law in [middle, fastest, slowest, 10.0 * fastest].map(|speed| at(speed, protocol.hold)) {
            if !all.contains(&law) && law.values.check(law.kind.params).is_ok() {
                all.push(law);
            }
        }
    }
    all
}

/// The unknowns of a law and what its answers are to be.
struct Fitting<'a> {
    /// The law where the search begins, and its example.
    law: &'a GivenLaw,
    example: &'a GivenLaw,
    point: &'a Point,
    targets: &'a [(Target, f64)],
    stop: Option<&'a AtomicBool>,
    all: Vec<Unknown>,
    /// Unknowns of the search under way.
    free: Vec<usize>,
    /// Influence of each unknown on each answer at the start, unknown after unknown.
    influence: Vec<Vec<f64>>,
    answered: Vec<bool>,
}

impl<'a> Fitting<'a> {
    fn new(
        (law, example): (&'a GivenLaw, &'a GivenLaw),
        point: &'a Point,
        targets: &'a [(Target, f64)],
        stop: Option<&'a AtomicBool>,
    ) -> Result<Fitting<'a>, String> {
        let all = unknowns(law);
        let mut fitting =
            Fitting { law, example, point, targets, stop, all, free: vec![], influence: vec![], answered: vec![] };
        let start: Vec<f64> = fitting.all.iter().map(|u| u.start).collect();
        let own = fitting.answers(&start)?;
        fitting.answered = own.iter().map(Option::is_some).collect();
        let base = fitting.misses(&start).ok_or("its friction there is no number")?;
        for k in 0..fitting.all.len() {
            if fitting.all[k].was_zero() {
                fitting.size(k, &start, &base);
            }
            let slopes = fitting.slopes(&start, k, &base).unwrap_or_else(|| vec![0.0; base.len()]);
            fitting.influence.push(slopes);
        }
        Ok(fitting)
    }

    /// The answers at u; None for what the law does not have.
    fn answers(&self, u: &[f64]) -> Result<Vec<Option<f64>>, String> {
        let values = values_at(self.law, &self.all, u);
        values.check(self.law.kind.params).map_err(|e| e.message)?;
        let point = self.point.with(&self.law.kind, &values)?;
        self.targets.iter().map(|(target, _)| target.of(&point)).collect()
    }

    /// Relative misses of what the law has.
    fn misses(&self, u: &[f64]) -> Option<Vec<f64>> {
        let answers = self.answers(u).ok()?;
        let relevant = self.targets.iter().zip(answers).zip(&self.answered).filter(|(_, answered)| **answered);
        let all: Option<Vec<f64>> = relevant.map(|(((_, wanted), is), _)| Some(is? / wanted - 1.0)).collect();
        all.filter(|all| all.iter().all(|x| x.is_finite()))
    }

    /// Derivatives of the relative answers in unknown `k`, inside its range.
    fn slopes(&self, u: &[f64], k: usize, base: &[f64]) -> Option<Vec<f64>> {
        let at = |step: f64| {
            let mut moved = u.to_vec();
            moved[k] += step;
            self.misses(&moved)
        };
        let [low, high] = self.all[k].between;
        let (fits_up, fits_down) = (u[k] + DIFFERENCE <= high, u[k] - DIFFERENCE >= low);
        let up = if fits_up { at(DIFFERENCE) } else { None };
        let down = if fits_down { at(-DIFFERENCE) } else { None };
        let (up, down, width) = match (up, down) {
            (Some(up), Some(down)) => (up, down, 2.0 * DIFFERENCE),
            (Some(up), None) => (up, base.to_vec(), DIFFERENCE),
            (None, Some(down)) => (base.to_vec(), down, DIFFERENCE),
            (None, None) => return None,
        };
        Some(up.iter().zip(&down).map(|(up, down)| (up - down) / width).collect())
    }

    /// Finds the size of a parameter that was zero at which the answers feel it.
    fn size(&mut self, k: usize, u: &[f64], base: &[f64]) {
        for power in -SIZES..=SIZES {
            let size = 10f64.powi(power);
            self.all[k] = self.all[k].sized(size);
            let mut moved = u.to_vec();
            moved[k] = 1.0;
            let misses = self.misses(&moved).unwrap_or_default();
            if misses.iter().zip(base).any(|(x, base)| (x - base).abs() > FELT) {
                return;
            }
        }
    }

    /// The unknowns of a stage: as many as there are answers, the most influential first; all; all with those that were zero.
    fn choose(&self, stage: usize) -> Option<Vec<usize>> {
        let norm = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let most = self.influence.iter().map(|v| norm(v)).fold(0.0, f64::max);
        let zero = |k: usize| self.all[k].was_zero();
        let felt: Vec<usize> = (0..self.all.len()).filter(|k| norm(&self.influence[*k]) > IDLE * most).collect();
        if most == 0.0 {
            return None;
        }
        match stage {
            0 => {
                let weighed = |k: &usize| {
                    let weight = if self.is_strength(*k) { 1.0 } else { LATER };
                    (*k, self.influence[*k].iter().map(|x| weight * x).collect())
                };
                let mut left: Vec<(usize, Vec<f64>)> = felt.iter().filter(|k| !zero(**k)).map(weighed).collect();
                let mut chosen = vec![];
                let rows = self.answered.iter().filter(|a| **a).count();
                while chosen.len() < rows {
                    // The column that is longest across those chosen already.
                    let longest = left.iter().enumerate().max_by(|a, b| norm(&a.1.1).total_cmp(&norm(&b.1.1)));
                    let Some((at, length)) = longest.map(|(at, (_, v))| (at, norm(v))) else { break };
                    if length <= LATER * IDLE * most {
                        break;
                    }
                    let (k, direction) = left.remove(at);
                    let unit: Vec<f64> = direction.iter().map(|x| x / length).collect();
                    for (_, v) in &mut left {
                        let along: f64 = v.iter().zip(&unit).map(|(a, b)| a * b).sum();
                        v.iter_mut().zip(&unit).for_each(|(x, e)| *x -= along * e);
                    }
                    chosen.push(k);
                }
                chosen.sort_unstable();
                Some(chosen)
            }
            1 => Some(felt.into_iter().filter(|k| !zero(*k)).collect()),
            _ if felt.iter().any(|k| zero(*k)) => Some(felt),
            _ => None,
        }
        .filter(|chosen| !chosen.is_empty())
    }

    /// Whether a parameter is a coefficient, a force or a stiffness: those are changed before speeds, times and lengths.
    fn is_strength(&self, k: usize) -> bool {
        let unit = self.law.kind.params.iter().find(|p| p.name == self.all[k].name).map_or("", |p| p.unit);
        matches!(unit, "1" | "N" | "Pa" | "N/m" | "1/m" | "Pa/m")
    }

    /// The best values in these unknowns, and their largest miss.
    fn search(&mut self, chosen: &[usize]) -> Option<(f64, Match)> {
        self.free = chosen.to_vec();
        let search = Search {
            lower: chosen.iter().map(|k| self.all[*k].between[0]).collect(),
            upper: chosen.iter().map(|k| self.all[*k].between[1]).collect(),
            most: MOST,
            reach: REACH,
            near: 1e-13,
        };
        let start: Vec<f64> = chosen.iter().map(|k| self.all[*k].start).collect();
        let found = search.run(self, &start)?;
        let u = self.whole(&found.x);
        let miss = self.misses(&u)?.into_iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let mut values = values_at(self.law, &self.all, &u);
        // What the answers do not feel stays as it is in the example.
        let most = self.influence.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
        for (k, unknown) in self.all.iter().enumerate() {
            let idle = self.influence[k].iter().all(|x| x.abs() <= IDLE * most) && !chosen.contains(&k);
            let own = self.example.values.get(unknown.name).cloned();
            if let (true, Some(own), Some((_, value))) =
                (idle, own, values.0.iter_mut().find(|(name, _)| *name == unknown.name))
            {
                *value = own;
            }
        }
        let changed = values.0.iter().filter(|(name, value)| self.example.values.get(name) != Some(value));
        let changed = changed.map(|(name, _)| *name).collect();
        Some((miss, Match { law: GivenLaw { kind: self.law.kind, values: values.clone() }, changed }))
    }

    fn whole(&self, free: &[f64]) -> Vec<f64> {
        let mut u: Vec<f64> = self.all.iter().map(|u| u.start).collect();
        self.free.iter().zip(free).for_each(|(k, x)| u[*k] = *x);
        u
    }
}

impl Problem for Fitting<'_> {
    fn look(&mut self, x: &[f64]) -> Option<Look> {
        let u = self.whole(x);
        let residuals = self.misses(&u)?;
        let columns: Option<Vec<Vec<f64>>> = self.free.iter().map(|k| self.slopes(&u, *k, &residuals)).collect();
        let columns = columns?;
        let jacobian = (0..residuals.len()).flat_map(|i| columns.iter().map(move |c| c[i])).collect();
        Some(Look { residuals, jacobian })
    }

    fn stopped(&mut self) -> bool {
        self.stop.is_some_and(|s| s.load(Ordering::Relaxed))
    }
}
