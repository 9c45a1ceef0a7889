//! What a fit that ended well may still have wrong: units of a record, the order of elements.
use crate::records::{Of, Own, Record};
use crate::search::objective::{Answer, Objective};
use stickslip_data::{Outcome, short};
use stickslip_dynamics::Dynamics;
use stickslip_model::Model;

/// Friction coefficients above this are seldom seen.
const SELDOM: f64 = 5.0;
/// Two answers are one if they differ by less than this part of their size.
const SAME: f64 = 1e-6;

/// Warns of a friction coefficient that is seldom seen.
pub fn implausible(record: &Record, values: &[f64], model: &Model, out: &mut Outcome) {
    let Some(mu) = coefficient(record, values, model).filter(|mu| *mu > SELDOM) else { return };
    out.health.warnings.push(format!(
        "`{}`: the fitted friction coefficient reaches {}: look at the units of `{}` in this record, and at the normal force",
        record.name,
        short(mu, 3),
        record.observed.0
    ));
}

/// A value that so many rows in a row share, and this part of all, is where a sensor ends.
const LEAST_STUCK: usize = 5;
const PART_STUCK: f64 = 0.01;
/// Shares of the residuals that a shift in time or a straight line would take out, from which on they are named.
const SHIFT: f64 = 0.3;
const DRIFT: f64 = 0.5;

/// What residuals that are no noise look like: a saturated sensor, a shift in time, a drift.
pub fn resembles(record: &Record, values: &[f64], times: &[f64], out: &mut Outcome) {
    let name = &record.name;
    let mut warn = |text: String| out.health.warnings.push(format!("`{name}`: {text}"));
    for (end, word) in [(record.values.iter().copied().fold(f64::MIN, f64::max), "largest"),
        (record.values.iter().copied().fold(f64::MAX, f64::min), "smallest")]
    {
        let (mut longest, mut here) = (0, 0);
        for value in &record.values {
            here = if *value == end { here + 1 } else { 0 };
            longest = longest.max(here);
        }
        if longest >= LEAST_STUCK.max((PART_STUCK * record.values.len() as f64) as usize) {
            let observed = record.observed.0;
            warn(format!("`{observed}` stays at its {word} value {} for {longest} rows: a saturated sensor?", short(end, 4)));
        }
    }
    if times.len() != values.len() || times.len() < 3 {
        return;
    }
    let residuals: Vec<f64> = record.values.iter().zip(values).map(|(data, model)| data - model).collect();
    let last = times.len() - 1;
    let slope = |i: usize| {
        let (a, b) = (i.saturating_sub(1), (i + 1).min(last));
        (values[b] - values[a]) / (times[b] - times[a])
    };
    let slopes: Vec<f64> = (0..=last).map(slope).collect();
    let (share, by) = explained(&residuals, &slopes);
    if share > SHIFT && !record.own.iter().any(|own| own.is_time()) {
        let later = if by < 0.0 { "later" } else { "earlier" };
        let text = "the residuals follow the slope of the model";
        warn(format!(
            "{text}: {} s {later} it would leave {:.0} % less of their squares; `dead_time = true` or `step_time = true` fits that",
            short(by.abs(), 3),
            100.0 * share
        ));
    }
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let line: Vec<f64> = times.iter().map(|t| t - mean).collect();
    let (share, by) = explained(&residuals, &line);
    if share > DRIFT && !record.own.contains(&Own::Trend) {
        warn(format!(
            "the residuals follow a straight line of {} {}/s: a drift? `trend = true` fits that",
            short(by, 3),
            record.observed.1
        ));
    }
}

/// The share of the squares of a list that a multiple of another explains, and that factor.
fn explained(list: &[f64], by: &[f64]) -> (f64, f64) {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (product, square, whole) = (dot(list, by), dot(by, by), dot(list, list));
    if square > 0.0 && whole > 0.0 { (product * product / (square * whole), product / square) } else { (0.0, 0.0) }
}

/// The largest friction over the largest load at a record; None where it does not tell friction, or the load follows the
/// motion.
fn coefficient(record: &Record, values: &[f64], model: &Model) -> Option<f64> {
    let most = values.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    match (record.observed.0, record.of()) {
        (_, Of::Approach) => None,
        ("friction", _) => Some(most),
        ("force", _) => {
            let program = model.loading.program.iter().flat_map(|p| &p.steps);
            if program.into_iter().any(|step| step.parts().1.is_some()) {
                return None;
            }
            let dynamics = Dynamics::new(model)?;
            let (a, b) = dynamics.sites.first()?.fixed_load?;
            let timed = record.along.0 == "time";
            let times = record.x.iter().map(|x| if timed { *x } else { 0.0 });
            let load = times.map(|t| a + b * dynamics.given[0].value(t)).fold(0.0f64, f64::max);
            (load > 0.0).then_some(most / load)
        }
        _ => None,
    }
}

/// A fitted element of a list.
struct Element<'a> {
    /// Which parameter it is.
    k: usize,
    /// Its path before and after its number.
    place: (&'a str, &'a str),
    number: usize,
}

impl<'a> Element<'a> {
    /// None where a path leads through no list, or through several.
    fn new(k: usize, path: &'a str) -> Option<Element<'a>> {
        let (before, rest) = path.split_once('[')?;
        let (number, after) = rest.split_once(']')?;
        let one = !after.contains('[');
        Some(Element { k, place: (before, after), number: number.parse().ok()? }).filter(|_| one)
    }

    /// What the lists belong to that are read together.
    fn owner(&self) -> &'a str {
        let (before, after) = self.place;
        if after.is_empty() { before.rsplit_once('.').map_or("", |(owner, _)| owner) } else { before }
    }
}

/// Says so where two elements of a list may change places and nothing that was measured changes.
pub fn exchangeable(objective: &mut Objective, x: &[f64], answers: &[Answer], out: &mut Outcome) {
    let unknowns = objective.unknowns;
    let all: Vec<Element> = {
        let of_scenario = unknowns.iter().enumerate().filter(|(_, u)| u.own.is_none());
        of_scenario.filter_map(|(k, u)| Element::new(k, &u.path)).collect()
    };
    let mut owners: Vec<&str> = all.iter().map(Element::owner).collect();
    owners.dedup();
    for owner in owners {
        let own = |number: usize| all.iter().filter(move |e| e.owner() == owner && e.number == number);
        let mut numbers: Vec<usize> = all.iter().filter(|e| e.owner() == owner).map(|e| e.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let found = numbers.windows(2).find(|pair| {
            let mut other = x.to_vec();
            for a in own(pair[0]) {
                let Some(b) = own(pair[1]).find(|b| b.place == a.place) else { return false };
                let (one, two) = (&unknowns[a.k], &unknowns[b.k]);
                (other[a.k], other[b.k]) = (one.inner(two.outer(x[b.k])), two.inner(one.outer(x[a.k])));
            }
            let inside = unknowns.iter().zip(&other).all(|(k, u)| (k.bounds()[0]..=k.bounds()[1]).contains(u));
            own(pair[0]).count() == own(pair[1]).count()
                && inside
                && objective.answers(&other, false).is_ok_and(|swapped| same(answers, &swapped))
        });
        if let Some(&[a, b]) = found {
            out.health.notes.push(format!(
                "elements {a} and {b} of `{owner}` may change places without any change of the fit: which is which depends \
                 on the start alone"
            ));
        }
    }
}

/// Whether the model says the same of every record.
fn same(one: &[Answer], other: &[Answer]) -> bool {
    one.iter().zip(other).all(|((a, _), (b, _))| {
        let size = a.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME * size)
    })
}
