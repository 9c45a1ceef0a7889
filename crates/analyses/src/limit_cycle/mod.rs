//! Limit cycles: periodic motions of a steadily driven model, stable or not, and how they change along a parameter.
mod branch;
mod family;
mod hopf;
mod orbit;
mod report;
mod section;
mod settled;

use crate::sliding::{ModelAt, Range, models, read_range};
use crate::stability;
use branch::{End, Row, Walk, Way};
use family::Cycles;
use orbit::Shape;
use section::{Facts, Returns};
use settled::{Found, settle, stuck};
use stickslip_data::{Outcome, Status, Value};
use stickslip_dynamics::Dynamics;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context, Model};
use stickslip_motion::not_followed;
use stickslip_structures::{Ask, Keys, Refused};

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "limit-cycle",
    about: "The periodic motion of a steadily driven model, stick and slip with exact events, and its Floquet multipliers;
with `along` the branch of such motions, through folds to its ends.

A cycle is closed by Newton's method on the map of a period. Its periods begin where a contact enters stick, or where the slip
speed rises through the drive's. Multipliers tell its stability: one is 1, that along the motion; where stick collapses a
direction it is 0. `start = \"transient\"` is the cycle in which the scenario's motion settles, `largest` that from a stuck
start, `unstable` that on the other side of a fold, `hopf` that born where steady sliding loses stability; without `along` the
last two are followed along `structure.stiffness`.

[analysis]
kind = \"limit-cycle\"
start = \"transient\"
along = { parameter = \"drive.velocity\", from = \"0.5 mm/s\", to = \"1.3 mm/s\", points = 60 }",
    answers: &[
        Answer::value("amplitude_pp", "m", "Peak to peak of the first coordinate."),
        Answer::value("period", "s", "Length of a cycle."),
        Answer::value("frequency", "Hz", "Cycles per second."),
        Answer::value("speed_max", "m/s", "Largest speed of the first coordinate."),
        Answer::value("value_max", "m", "Largest first coordinate."),
        Answer::value("multipliers", "1", "Floquet multipliers as [re, im], the trivial one included, by falling modulus."),
        Answer::value("trivial_error", "1", "How far the trivial multiplier is from 1; the worst of a branch."),
        Answer::value("spectral_radius", "1", "Largest modulus of the other multipliers."),
        Answer::value("stable", "", "Whether disturbances fade."),
        Answer::value("stick_fraction", "1", "Part of the time in stick; a list with several contacts."),
        Answer::value("sequence", "", "Modes in order, from the beginning of a period."),
        Answer::table("branch", "A row a cycle: the parameter and the values above, spectral radius."),
        Answer::value("folds", "", "Values of the parameter at which the branch turns back."),
        Answer::value("fold_amplitudes", "m", "Peak to peak there."),
        Answer::value("period_doublings", "", "Where a multiplier passes -1."),
        Answer::value("neimark_sacker", "", "Where a pair of multipliers leaves the unit circle."),
        Answer::value("hopf", "", "The Hopf point in which the branch is born; none where it has none."),
        Answer::value("bistable", "", "Ends of the range in which a stable cycle and stable steady sliding exist."),
        Answer::value("branch_end", "", "Why the branch ends: range, hopf, grazing, border-collision, period, ..."),
        Answer::value("branch_end_at", "", "The parameter there."),
        Answer::value("points", "", "Number of points of the branch."),
    ],
    read,
};

/// Steps along a range unless told otherwise.
const POINTS: f64 = 60.0;
/// The range of the stiffness, as a factor each way, where none is given.
const STIFFNESS: f64 = 100.0;
/// What varies where `along` is not given.
const OWN_PARAMETER: &str = "structure.stiffness";
/// Places of the range at which a cycle is sought, one after the other.
const SOUGHT: [f64; 9] = [0.0, 1.0, 0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    Transient,
    Hopf,
    Largest,
    Unstable,
}

/// Periodic motions.
pub struct LimitCycle {
    start: Start,
    along: Option<(Range, usize)>,
    collocation: bool,
}

fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let about = "Where it comes from: a settled motion, a Hopf point, a stuck start, or the other side of a fold";
    let start = keys.choice("start", &["transient", "hopf", "largest", "unstable"], false, about)?;
    let start = [Start::Transient, Start::Hopf, Start::Largest, Start::Unstable][start];
    let mut along = None;
    keys.table("along", "The parameter that varies", &mut |k| {
        let range = read_range(k)?;
        let ask = Ask::new("points", "1", "Steps along the range, at least").or(POINTS).min(5.0).max(1e5);
        along = Some((range, k.count(ask)?));
        Ok(())
    })?;
    let about = "How a cycle is closed; laws that stick are closed by shooting alone";
    let collocation = keys.choice("method", &["shooting", "collocation"], false, about)? == 1;
    Ok(Box::new(LimitCycle { start, along, collocation }))
}

impl Analysis for LimitCycle {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        if let Some(e) = stability::refuse_unsteady(model) {
            return Some(e);
        }
        if let Some(why) = not_followed(model) {
            let text = format!("{why} is not followed over a period");
            return Some(Refused::new("analysis.kind", "analysis::not-served", text));
        }
        let facts = Facts::of(model).ok()?;
        if facts.speed() == 0.0 {
            let e = Refused::new("drive", "analysis::not-served", "no contact slides at the speed of a drive: nothing feeds a cycle");
            return Some(e.hint("use a belt, or a pull with a velocity other than 0"));
        }
        let cone = facts.cones.first().copied().filter(|_| self.collocation);
        cone.map(|point| {
            let contact = Dynamics::new(model).map_or(0, |d| d.sites[point].contact);
            let text = format!("the law `{}` sticks: collocation needs a smooth one", model.contacts[contact].friction_law);
            Refused::new("analysis.method", "analysis::not-served", text).hint("leave `method` out: shooting follows the modes")
        })
    }

    fn varies(&self) -> Vec<(String, f64)> {
        let ends = |(r, _): &(Range, usize)| [(r.parameter.clone(), r.from), (r.parameter.clone(), r.to)];
        self.along.iter().flat_map(ends).collect()
    }

    fn starts_at(&self) -> Vec<String> {
        let own = self.along.is_none() && matches!(self.start, Start::Hopf | Start::Unstable);
        if own { vec![OWN_PARAMETER.into()] } else { vec![] }
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        let mut out = Outcome::default();
        if self.collocation {
            out.health.notes.push("closed by shooting with exact derivatives: that is what serves this law too".into());
        }
        let done = match (&self.along, self.start) {
            (Some((range, points)), _) => self.branch(range, *points, model, context, &mut out),
            (None, Start::Hopf | Start::Unstable) => self.own(model, context, &mut out),
            (None, start) => {
                let from = if start == Start::Largest { stuck(model) } else { model.clone() };
                settle(&from, context).map(|found| report::single(&found.cycle, model, &mut out))
            }
        };
        if let Err(e) = done {
            let status = if context.stopped() { Status::Partial } else { Status::Failed };
            out.worsen(status, e);
        }
        out
    }
}

/// A family through a cycle, and its point.
fn family<'a>(model_at: ModelAt<'a>, model: &Model, found: &Found, place: f64) -> Result<(Cycles<'a>, Vec<f64>), String> {
    let cycle = &found.cycle;
    let modes = cycle.round.sequence.first().cloned().unwrap_or_default();
    let returns = Returns::new(model, found.beginning, found.count, modes)?;
    let shape = Shape::new(&returns, &cycle.y, cycle.round.period, &cycle.round.map);
    let mut u = shape.encode(&cycle.y);
    u.push(place);
    Ok((Cycles::new(model_at, 1, (found.beginning, found.count), shape, &cycle.round), u))
}

impl LimitCycle {
    /// A cycle somewhere on the range, and its place.
    fn somewhere(&self, model_at: ModelAt, context: &Context) -> Result<(Model, Found, f64), String> {
        let mut why = None;
        for place in SOUGHT {
            let model = match model_at(&[place]) {
                Ok(model) if self.start == Start::Transient => model,
                Ok(model) => stuck(&model),
                Err(e) => {
                    why.get_or_insert(e);
                    continue;
                }
            };
            match settle(&model, context) {
                Ok(found) => return Ok((model, found, place)),
                Err(e) => {
                    why.get_or_insert(e);
                }
            }
            if context.stopped() {
                break;
            }
        }
        Err(why.unwrap_or_default())
    }

    fn branch(&self, range: &Range, points: usize, model: &Model, context: &Context, out: &mut Outcome) -> Result<(), String> {
        let ranges = std::slice::from_ref(range);
        let model_at = models(ranges, context);
        let walk = Walk { points, context, model_at: &model_at, until: None };
        let (mut rows, mut special, mut birth, mut ends): (Vec<Row>, Vec<branch::Special>, _, Vec<End>) =
            (vec![], vec![], None, vec![]);
        let mut take = |way: Way, reverse: bool, first: Option<Row>| {
            let Way { rows: mut next, special: mut more, birth: born, end } = way;
            if reverse {
                next.reverse();
                more.reverse();
            }
            let first = first.into_iter();
            let next: Vec<Row> = if reverse { next.into_iter().chain(first).collect() } else { first.chain(next).collect() };
            rows.extend(next);
            special.extend(more);
            birth = birth.or(born);
            ends.extend(end);
        };
        if self.start == Start::Hopf {
            let births = hopf::all(&model_at);
            let born = *births.first().ok_or("steady sliding has no Hopf point on the range: no cycle is born there")?;
            let (mut curve, u, toward) = hopf::small(&model_at, born)?;
            let first = branch::row(&mut curve, u, 0.0)?;
            let way = walk.follow(&mut curve, &first, &toward, out);
            take(way, false, Some(first));
            birth = Some(born);
        } else {
            let (at, found, place) = self.somewhere(&model_at, context)?;
            let (mut curve, u) = family(&model_at, &at, &found, place)?;
            let k = curve.dim();
            let toward = |by: f64| -> Vec<f64> { (0..=k).map(|i| if i == k { by } else { 0.0 }).collect() };
            let first = branch::row(&mut curve, u, 0.0)?;
            if place > 0.0 {
                let way = walk.follow(&mut curve, &first, &toward(-1.0), out);
                take(way, true, None);
            }
            let last = if place < 1.0 {
                walk.follow(&mut curve, &first, &toward(1.0), out)
            } else {
                Way::default()
            };
            take(last, false, Some(first));
        }
        report::branch(range, &rows, &special, model, context, out);
        let unit = context.unit_of(&range.parameter);
        if let Some(birth) = birth {
            out.set("hopf", Value::Number(range.value(birth.place)), &*unit);
            out.set("hopf_omega", Value::Number(birth.omega), "rad/s");
        }
        if let Some([a, b]) = report::bistable(&model_at, &rows, &special) {
            let (a, b) = (range.value(a), range.value(b));
            out.set("bistable", Value::List(vec![a.min(b), a.max(b)]), &*unit);
        }
        if ends.iter().any(|end| end.reason == "no-convergence" || end.reason == "points") {
            out.worsen(Status::Partial, "the branch was lost before an end that has a reason");
        }
        // An end other than that of the range says more.
        let end = ends.iter().rev().find(|e| e.reason != "range").or(ends.last());
        if let Some(end) = end {
            out.set("branch_end", Value::Text(end.reason.into()), "");
            out.set("branch_end_at", Value::Number(range.value(end.at)), &*unit);
            out.health.notes.push(format!("the branch ends at {}: {}", crate::sliding::shown(range, end.at, &unit), end.text));
        }
        Ok(())
    }

    /// The cycle at the scenario's own stiffness, from elsewhere along it.
    fn own(&self, model: &Model, context: &Context, out: &mut Outcome) -> Result<(), String> {
        let number = context.number.and_then(|number| number(OWN_PARAMETER));
        let own = number.map(|n| n.value).filter(|k| *k > 0.0).ok_or("`structure.stiffness` is no positive number here")?;
        let range =
            Range { parameter: OWN_PARAMETER.into(), from: own / STIFFNESS, to: own * STIFFNESS, logarithmic: true };
        let ranges = std::slice::from_ref(&range);
        let model_at = models(ranges, context);
        let walk = Walk { points: POINTS as usize, context, model_at: &model_at, until: Some(0.5) };
        let mut why = vec![];
        if self.start == Start::Unstable {
            let found = settle(model, context).or_else(|_| settle(&stuck(model), context))?;
            for by in [1.0, -1.0] {
                let (mut curve, u) = family(&model_at, model, &found, 0.5)?;
                let k = curve.dim();
                let toward: Vec<f64> = (0..=k).map(|i| if i == k { by } else { 0.0 }).collect();
                let first = branch::row(&mut curve, u, by)?;
                let way = walk.follow(&mut curve, &first, &toward, out);
                if let Some(row) = reached(&way) {
                    report::single(&row.cycle, model, out);
                    return Ok(());
                }
                why.extend(way.end.map(|e| e.text));
            }
        }
        for born in hopf::all(&model_at) {
            let (mut curve, u, toward) = hopf::small(&model_at, born)?;
            let first = branch::row(&mut curve, u, 0.0)?;
            let way = walk.follow(&mut curve, &first, &toward, out);
            if let Some(row) = reached(&way) {
                report::single(&row.cycle, model, out);
                return Ok(());
            }
            why.extend(way.end.map(|e| e.text));
        }
        let lack = if why.is_empty() { "steady sliding has no Hopf point along it".into() } else { why.join("; ") };
        Err(format!("no such cycle at this stiffness, followed from a hundredth to a hundred times of it: {lack}"))
    }
}

/// The cycle at the scenario's own parameter, where a branch came back to it.
fn reached(way: &Way) -> Option<&Row> {
    way.rows.last().filter(|_| way.end.as_ref().is_some_and(|end| end.reason == "own"))
}
