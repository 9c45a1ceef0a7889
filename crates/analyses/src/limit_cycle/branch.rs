//! A branch of cycles along a parameter, through folds, to its ends.
use super::family::{COLLAPSE, Cycles, OTHER};
use super::hopf::{self, Birth};
use super::orbit::Cycle;
use super::section::Beginning;
use crate::sliding::{EDGE, ModelAt, stopped};
use stickslip_data::Outcome;
use stickslip_model::Context;
use stickslip_solve::continuation::trace::Tracer;
use stickslip_solve::continuation::{Curve as _, Settings, Trouble, tangent};
use stickslip_solve::root::Bracket;

/// First and shortest step, as parts of the longest.
const FIRST: f64 = 0.1;
const LEAST: f64 = 1e-9;
const LEAST_OF_STICK: f64 = 2e-2;
/// Steps shorter than this part of the longest, so many one after the other, go nowhere.
const CRAWLS: f64 = 1e-2;
const MOST_CRAWLED: usize = 25;
/// The parameter stands still where it changes by less than this part of the length of the branch.
const STANDING: f64 = 0.05;
/// Such a cycle is larger than this part of the way that the drive goes in a period.
const LARGE: f64 = 0.2;
/// The end of cycles that stick is located to this part of the range.
const LAST: f64 = 1e-13;
/// Most points of one way, for every step of the range.
const MOST: usize = 60;
/// What changes between two points is located to this part of the step.
const LOCATED: f64 = 1e-7;
/// A cycle this small against the largest of its branch, and shrinking, is about to vanish in a Hopf point.
const SMALL: f64 = 0.04;
/// The next beginning comes so much later beyond a grazing.
const LATER: f64 = 1.2;
/// A period that has grown so many times has no bound.
const GROWN: f64 = 1e3;

/// A point of a branch.
#[derive(Clone)]
pub struct Row {
    /// Unknowns, then the place.
    pub u: Vec<f64>,
    /// Change of the place along the branch.
    pub way: f64,
    /// The cycle there.
    pub cycle: Cycle,
}

impl Row {
    /// Its place.
    pub fn place(&self) -> f64 {
        self.u[self.u.len() - 1]
    }
}

/// What a branch says on which no step gets far.
const CRAWLED: &str = "steps along the branch became too short";

/// What changes on a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// It turns back.
    Fold,
    /// A multiplier passes -1.
    Doubling,
    /// A pair leaves the unit circle.
    Torus,
}

/// A point at which something changes.
pub struct Special {
    /// What.
    pub what: What,
    /// Unknowns, then the place.
    pub u: Vec<f64>,
    /// Peak to peak there.
    pub amplitude: f64,
}

/// Why a branch ends.
#[derive(Clone, Debug)]
pub struct End {
    /// A word.
    pub reason: &'static str,
    /// What happened.
    pub text: String,
    /// The place.
    pub at: f64,
}

/// One way along a branch.
#[derive(Default)]
pub struct Way {
    /// Points after the first.
    pub rows: Vec<Row>,
    /// What changes between them.
    pub special: Vec<Special>,
    /// The Hopf point in which it ends.
    pub birth: Option<Birth>,
    /// Why it ends.
    pub end: Option<End>,
}

/// What following needs.
pub struct Walk<'w, 'a> {
    /// Longest step is one over this.
    pub points: usize,
    /// Progress and stop.
    pub context: &'w Context<'a>,
    /// The models.
    pub model_at: ModelAt<'w>,
    /// Ends where this place is passed again, at other unknowns.
    pub until: Option<f64>,
}

/// The point of a branch.
pub fn row(curve: &mut Cycles, u: Vec<f64>, way: f64) -> Result<Row, String> {
    let cycle = curve.cycle(&u)?;
    Ok(Row { u, way, cycle })
}

impl Walk<'_, '_> {
    /// Follows a branch from a point on, towards.
    pub fn follow(&self, curve: &mut Cycles, first: &Row, toward: &[f64], out: &mut Outcome) -> Way {
        let k = curve.dim();
        let most = 1.0 / self.points as f64;
        // Where stick is lost the end is sought on its own: the map has a root there, and steps would fall without end.
        let least = if matches!(curve.beginning, Beginning::Stick(_)) { LEAST_OF_STICK } else { LEAST };
        let settings = Settings { first: FIRST * most, most, least: least * most };
        let mut found = Way::default();
        curve.period = first.cycle.round.period;
        let mut tracer = match Tracer::new(curve, first.u.clone(), toward, settings) {
            Ok(tracer) => tracer,
            Err(e) => {
                found.end = Some(End { reason: "no-convergence", text: e.to_string(), at: first.place() });
                return found;
            }
        };
        let mut last = Row { way: tracer.point.tangent[k], ..first.clone() };
        let mut largest = first.cycle.amplitude;
        let mut crawled = 0;
        let end = loop {
            let at = last.place();
            if stopped(self.context, out) {
                break End { reason: "stopped", text: "the run was stopped".into(), at };
            }
            if found.rows.len() > MOST * self.points {
                break End { reason: "points", text: "the branch has no end".into(), at };
            }
            let before = tracer.clone();
            if let Err(e) = tracer.advance(curve) {
                break self.lost(curve, e, (&before, &last), &mut found.rows, out);
            }
            out.health.steps += 1;
            let place = tracer.point.u[k];
            let beyond = |bound: f64| (at - bound) * (place - bound) < 0.0;
            let bound = match self.until {
                Some(own) if beyond(own) && (at - own).abs() > EDGE => Some((own, "own")),
                _ if place < -EDGE => Some((0.0, "range")),
                _ if place > 1.0 + EDGE => Some((1.0, "range")),
                _ => None,
            };
            let (u, way) = match bound {
                None => (tracer.point.u.clone(), tracer.point.tangent[k]),
                Some((bound, reason)) => {
                    if (at - bound).abs() <= EDGE {
                        break End { reason, text: "the end of the range".into(), at: bound };
                    }
                    let landed = before.landed(curve, k, bound);
                    match landed.and_then(|u| tangent(curve, &u, &before.point.tangent).map(|(t, _)| (u, t[k]))) {
                        Ok(landed) => landed,
                        Err(e) => break self.lost(curve, e, (&before, &last), &mut found.rows, out),
                    }
                }
            };
            let next = match row(curve, u, way) {
                Ok(next) => next,
                Err(text) if text == COLLAPSE => break End { reason: "collapse", text, at },
                Err(text) => break End { reason: "no-convergence", text, at },
            };
            between(curve, &before, &last, &next, &mut found.special, out);
            self.context.report(next.place().clamp(0.0, 1.0));
            largest = largest.max(next.cycle.amplitude);
            let shrinks = next.cycle.amplitude < last.cycle.amplitude;
            last = next;
            found.rows.push(last.clone());
            if let Some((bound, reason)) = bound {
                break End { reason, text: "the end of the range".into(), at: bound };
            }
            let vanishes = shrinks && last.cycle.amplitude < SMALL * largest;
            if vanishes
                && matches!(curve.beginning, Beginning::Slip(_))
                && let Some(birth) = hopf::near(self.model_at, last.place(), last.cycle.round.period)
            {
                let (at, text) = (birth.place, "the cycle vanishes in a Hopf point".into());
                found.birth = Some(birth);
                break End { reason: "hopf", text, at };
            }
            crawled = if tracer.step < CRAWLS * most { crawled + 1 } else { 0 };
            if crawled > MOST_CRAWLED {
                break match curve.beginning {
                    Beginning::Stick(_) => {
                        self.lost(curve, Trouble::Lost(CRAWLED.into()), (&tracer, &last), &mut found.rows, out)
                    }
                    Beginning::Slip(_) => crawls(curve, &last, out),
                };
            }
            if last.cycle.round.period > GROWN * first.cycle.round.period {
                break End { reason: "period", text: "the period grows without bound".into(), at: last.place() };
            }
        };
        found.end = Some(end);
        found
    }

    /// Names the end of a branch that does not go on.
    fn lost(
        &self,
        curve: &mut Cycles,
        e: Trouble,
        (before, last): (&Tracer, &Row),
        rows: &mut Vec<Row>,
        out: &mut Outcome,
    ) -> End {
        let at = last.place();
        let text = match &e {
            Trouble::Lost(text) => text.clone(),
            Trouble::NotConverged(_) => e.to_string(),
        };
        if text == COLLAPSE
            && let Some(birth) = hopf::near(self.model_at, at, last.cycle.round.period)
        {
            return End { reason: "hopf", text: "the cycle vanishes in a Hopf point".into(), at: birth.place };
        }
        if let Beginning::Stick(_) = curve.beginning
            && let Some((end, u)) =
                last_of_stick(curve, last, before.point.tangent[curve.dim()].signum(), 1.0 / self.points as f64)
        {
            rows.extend(row(curve, u, last.way));
            return end;
        }
        out.health.warnings.push(format!("a branch of cycles was lost: {text}"));
        End { reason: "no-convergence", text, at }
    }
}

/// The end of a branch on which no step gets far: where the parameter stands still the cycle explodes.
fn crawls(curve: &Cycles, last: &Row, out: &mut Outcome) -> End {
    let at = last.place();
    // Small cycles of a Hopf point at which hardly anything bends the branch are lost in errors of the steps instead.
    let large = last.cycle.amplitude > LARGE * curve.distance(last.cycle.round.period);
    if large && last.way.abs() < STANDING {
        let text = "the cycle changes as a whole while the parameter stands still: a canard explosion".to_string();
        out.health.warnings.push(format!("the branch was not followed through its end: {text}"));
        return End { reason: "canard", text, at };
    }
    End { reason: "no-convergence", text: CRAWLED.into(), at }
}

/// The last cycle that sticks, beyond one that does and before a place where Newton's method finds none; and why.
fn last_of_stick(curve: &mut Cycles, last: &Row, way: f64, reach: f64) -> Option<(End, Vec<f64>)> {
    let k = curve.dim();
    let (mut good, mut u) = (last.place(), last.u.clone());
    let mut bad = good + way * reach;
    let mut why = curve.closed_at(&u, bad).err()?;
    while (bad - good).abs() > LAST {
        let middle = 0.5 * (good + bad);
        match curve.closed_at(&u, middle) {
            Ok(next) => (good, u) = (middle, next),
            Err(e) => (bad, why) = (middle, e),
        }
    }
    let end = u.clone();
    u[k] = bad;
    let (reason, text) = match &*why {
        _ if later(curve, &u, last.cycle.round.period) => {
            ("grazing", "slip no longer ends in stick: its speed and its rate vanish together")
        }
        OTHER => ("border-collision", "beyond it the modes come in another order"),
        _ => return None,
    };
    Some((End { reason, text: text.into(), at: good }, end))
}

/// Whether the next beginning comes later than it did.
fn later(curve: &mut Cycles, u: &[f64], period: f64) -> bool {
    curve.duration(u).is_none_or(|t| t > LATER * period)
}

/// What a point of a curve is asked for: it changes its sign where something happens.
fn test(what: What, row: &Row) -> f64 {
    match what {
        What::Fold => row.way,
        What::Doubling => {
            row.cycle.others.iter().filter(|v| v[1] == 0.0).map(|v| v[0] + 1.0).fold(1.0, |a, b| a * b.signum())
        }
        What::Torus => {
            let pairs = row.cycle.others.iter().filter(|v| v[1] != 0.0);
            pairs.map(|v| (v[0].hypot(v[1]) - 1.0).signum()).fold(1.0, |a: f64, b| a.max(b))
        }
    }
}

/// The same as a smooth function.
fn smooth(what: What, row: &Row) -> f64 {
    let others = &row.cycle.others;
    match what {
        What::Fold => row.way,
        What::Doubling => others.iter().filter(|v| v[1] == 0.0).map(|v| v[0]).fold(f64::INFINITY, f64::min) + 1.0,
        What::Torus => others.iter().filter(|v| v[1] != 0.0).map(|v| v[0].hypot(v[1]) - 1.0).fold(-1.0, f64::max),
    }
}

/// Adds what lies between two neighbours, of which the tracer stands at the first.
fn between(curve: &mut Cycles, tracer: &Tracer, a: &Row, b: &Row, found: &mut Vec<Special>, out: &mut Outcome) {
    let pairs = |row: &Row| row.cycle.others.iter().filter(|v| v[1] != 0.0).count();
    for what in [What::Fold, What::Doubling, What::Torus] {
        if test(what, a) * test(what, b) >= 0.0 || (what == What::Torus && (pairs(a) == 0 || pairs(b) == 0)) {
            continue;
        }
        match locate(curve, tracer, what, a, b) {
            Ok(special) => found.push(special),
            Err(e) => out.health.warnings.push(format!("a change between two cycles was not located: {e}")),
        }
    }
}

fn locate(curve: &mut Cycles, tracer: &Tracer, what: What, a: &Row, b: &Row) -> Result<Special, String> {
    let k = curve.dim();
    let mut weights = vec![0.0; k + 1];
    curve.weights(&a.u, &mut weights);
    let from = &tracer.point;
    let length: f64 = (0..=k).map(|i| from.tangent[i] * weights[i] * weights[i] * (b.u[i] - from.u[i])).sum();
    let mut bracket = Bracket::new((0.0, smooth(what, a)), (length, smooth(what, b)));
    let mut best = if smooth(what, a).abs() < smooth(what, b).abs() { a.clone() } else { b.clone() };
    while let Some(s) = bracket.next(LOCATED * length.abs()) {
        let Ok(u) = tracer.at(curve, s) else { break };
        let (t, _) = tangent(curve, &u, &from.tangent).map_err(|e| e.to_string())?;
        let here =
            if what == What::Fold { Row { u, way: t[k], cycle: best.cycle.clone() } } else { row(curve, u, t[k])? };
        let value = smooth(what, &here);
        bracket.narrow(s, value);
        if value.abs() <= smooth(what, &best).abs() {
            best = here;
        }
    }
    let amplitude = curve.cycle(&best.u)?.amplitude;
    Ok(Special { what, u: best.u, amplitude })
}
