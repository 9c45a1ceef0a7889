//! Limit cycles: periodic motions of a steadily driven model, stable or not, and how they change along a parameter.
mod branch;
mod family;
mod fold_curve;
mod hopf;
mod orbit;
mod report;
pub(crate) mod section;
mod settled;

use crate::sliding::{ModelAt, Range, models, read_range};
use crate::stability;
use branch::{End, Row, Special, Walk, Way, What};
use family::Cycles;
use hopf::Birth;
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
        Answer::table("fold_curve", "A row a fold: both parameters under their paths, amplitude_pp, period."),
        Answer::value("fold_max", "", "Largest value of the first parameter on the fold curve."),
        Answer::value("hopf_omega", "rad/s", "Frequency at the Hopf point."),
        Answer::value("points", "", "Number of points of the branch."),
    ],
    read,
};

/// Steps along a range unless set otherwise.
const POINTS: f64 = 60.0;
const FOLD_POINTS: f64 = 20.0;
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
    fold_curve: Option<(Range, usize)>,
    collocation: bool,
}

/// A branch of cycles.
struct Explored<'a> {
    curve: Cycles<'a>,
    rows: Vec<Row>,
    special: Vec<Special>,
    birth: Option<Birth>,
    ends: Vec<End>,
}

impl Explored<'_> {
    fn take(&mut self, way: Way, first: Option<Row>) {
        self.rows.extend(first.into_iter().chain(way.rows));
        self.special.extend(way.special);
        self.birth = self.birth.or(way.birth);
        self.ends.extend(way.end);
    }
}

fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let about = "Where it comes from: a settled motion, a Hopf point, a stuck start, or the other side of a fold";
    let start = keys.choice("start", &["transient", "hopf", "largest", "unstable"], false, about)?;
    let start = [Start::Transient, Start::Hopf, Start::Largest, Start::Unstable][start];
    let mut along = None;
    keys.table("along", "The parameter that varies", &mut |k| {
        let ask = Ask::new("points", "1", "Steps along the range, at least").or(POINTS).min(5.0).max(1e5);
        let points = k.count(ask)?;
        along = Some((read_range(k)?, points));
        Ok(())
    })?;
    let mut fold_curve = None;
    let about = "A second parameter, in which the folds are followed";
    keys.table("fold_curve", about, &mut |k| {
        let ask = Ask::new("points", "1", "Steps along the range, at least").or(FOLD_POINTS).min(2.0).max(1e5);
        let points = k.count(ask)?;
        fold_curve = Some((read_range(k)?, points));
        Ok(())
    })?;
    match (&along, &fold_curve) {
        (None, Some(_)) => {
            let e = keys.refuse("fold_curve", "analysis::shape", "`fold_curve` needs `along`".into());
            return Err(e.hint("give `along`: the parameter in which the branch has a fold"));
        }
        (Some((a, _)), Some((b, _))) if a.parameter == b.parameter => {
            let e = keys.refuse("fold_curve", "analysis::shape", "both parameters are the same one".into());
            return Err(e.expected("two different paths"));
        }
        _ => {}
    }
    let about = "How a cycle is closed; laws that stick are closed by shooting alone";
    let collocation = keys.choice("method", &["shooting", "collocation"], false, about)? == 1;
    Ok(Box::new(LimitCycle { start, along, fold_curve, collocation }))
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
        // An integral may feed a cycle: hunting.
        if facts.speed() == 0.0 && model.loading.controls.is_empty() {
            let e = Refused::new(
                "drive",
                "analysis::not-served",
                "no contact slides at the speed of a drive: nothing feeds a cycle",
            );
            return Some(e.hint("use a belt, or a pull with a velocity other than 0"));
        }
        let cone = facts.cones.first().copied().filter(|_| self.collocation);
        cone.map(|point| {
            let contact = Dynamics::new(model).map_or(0, |d| d.sites[point].contact);
            let text =
                format!("the law `{}` sticks: collocation needs a smooth one", model.contacts[contact].friction_law);
            Refused::new("analysis.method", "analysis::not-served", text)
                .hint("leave `method` out: shooting follows the modes")
        })
    }

    fn varies(&self) -> Vec<(String, f64)> {
        let ends = |(r, _): &(Range, usize)| [(r.parameter.clone(), r.from), (r.parameter.clone(), r.to)];
        self.along.iter().chain(&self.fold_curve).flat_map(ends).collect()
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
            (Some(along), _) => self.branch(along, model, context, &mut out),
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
fn family<'a>(
    model_at: ModelAt<'a>,
    model: &Model,
    found: &Found,
    place: f64,
) -> Result<(Cycles<'a>, Vec<f64>), String> {
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

    /// The branch along a range of one parameter.
    fn explore<'a>(
        &self,
        model_at: ModelAt<'a>,
        points: usize,
        context: &Context,
        out: &mut Outcome,
    ) -> Result<Explored<'a>, String> {
        let walk = Walk { points, context, model_at, until: None };
        if self.start == Start::Hopf {
            let births = hopf::all(model_at);
            let born =
                *births.first().ok_or("steady sliding has no Hopf point on the range: no cycle is born there")?;
            let (mut curve, u, toward) = hopf::small(model_at, born)?;
            let first = branch::row(&mut curve, u, 0.0)?;
            let way = walk.follow(&mut curve, &first, &toward, out);
            let mut all = Explored { curve, rows: vec![], special: vec![], birth: Some(born), ends: vec![] };
            all.take(way, Some(first));
            return Ok(all);
        }
        let (at, found, place) = self.somewhere(model_at, context)?;
        let (mut curve, u) = family(model_at, &at, &found, place)?;
        let k = curve.dim();
        let toward = |by: f64| -> Vec<f64> { (0..=k).map(|i| if i == k { by } else { 0.0 }).collect() };
        let first = branch::row(&mut curve, u, 0.0)?;
        let mut ways = vec![];
        for by in [-1.0, 1.0] {
            let inside = if by < 0.0 { place > 0.0 } else { place < 1.0 };
            ways.push(if inside { walk.follow(&mut curve, &first, &toward(by), out) } else { Way::default() });
        }
        let mut all = Explored { curve, rows: vec![], special: vec![], birth: None, ends: vec![] };
        let forward = ways.pop().unwrap_or_default();
        let mut backward = ways.pop().unwrap_or_default();
        backward.rows.reverse();
        backward.special.reverse();
        all.take(backward, None);
        all.rows.push(first);
        all.take(forward, None);
        Ok(all)
    }

    fn branch(
        &self,
        along: &(Range, usize),
        model: &Model,
        context: &Context,
        out: &mut Outcome,
    ) -> Result<(), String> {
        let (range, points) = along;
        let ranges = std::slice::from_ref(range);
        let model_at = models(ranges, context);
        let Explored { rows, special, birth, ends, .. } = self.explore(&model_at, *points, context, out)?;
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
        if ends.iter().any(|end| matches!(end.reason, "no-convergence" | "points" | "collapse")) {
            out.worsen(Status::Partial, "the branch was lost before an end that has a reason");
        }
        // An end other than that of the range says more.
        let end = ends.iter().rev().find(|e| e.reason != "range").or(ends.last());
        if let Some(end) = end {
            out.set("branch_end", Value::Text(end.reason.into()), "");
            out.set("branch_end_at", Value::Number(range.value(end.at)), &*unit);
            out.health.notes.push(format!(
                "the branch ends at {}: {}",
                crate::sliding::shown(range, end.at, &unit),
                end.text
            ));
        }
        if let Some((second, points)) = &self.fold_curve {
            self.folds(along, (second, *points), model, context, out)?;
        }
        Ok(())
    }

    /// The folds in a second parameter.
    fn folds(
        &self,
        (first, along): &(Range, usize),
        (second, points): (&Range, usize),
        model: &Model,
        context: &Context,
        out: &mut Outcome,
    ) -> Result<(), String> {
        let ranges = [first.clone(), second.clone()];
        let both = models(&ranges, context);
        let mut rows = vec![];
        let mut why = String::from("the branch has no fold at the ends and in the middle of the second range");
        for place in [0.0, 1.0, 0.5] {
            let one = |p: &[f64]| both(&[p[0], place]);
            let explored = match self.explore(&one, *along, context, &mut Outcome::default()) {
                Ok(explored) => explored,
                Err(e) => {
                    why = e;
                    continue;
                }
            };
            let folds: Vec<Vec<f64>> =
                explored.special.iter().filter(|p| p.what == What::Fold).map(|p| p.u.clone()).collect();
            for mut u in folds {
                let mut curve = explored.curve.over(&both, 2);
                u.push(place);
                rows.extend(fold_curve::follow(&mut curve, u, points, context, out));
            }
            if !rows.is_empty() {
                break;
            }
        }
        if rows.is_empty() {
            return Err(format!("no fold curve: {why}"));
        }
        report::fold_curve([first, second], &rows, model, context, out);
        Ok(())
    }

    /// The cycle at the scenario's own stiffness, from elsewhere along it.
    fn own(&self, model: &Model, context: &Context, out: &mut Outcome) -> Result<(), String> {
        let number = context.number.and_then(|number| number(OWN_PARAMETER));
        let own =
            number.map(|n| n.value).filter(|k| *k > 0.0).ok_or("`structure.stiffness` is no positive number here")?;
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

/// Branches of all cycles that are born at Hopf points along a range, into the table `cycles`.
pub(crate) fn born(range: &Range, points: usize, model: &Model, context: &Context, out: &mut Outcome) {
    let ranges = std::slice::from_ref(range);
    let model_at = models(ranges, context);
    let walk = Walk { points, context, model_at: &model_at, until: None };
    let (mut rows, mut numbers): (Vec<Row>, Vec<i64>) = (vec![], vec![]);
    for (number, birth) in hopf::all(&model_at).into_iter().enumerate() {
        // A branch that ends in another Hopf point was followed from there.
        let at = range.value(birth.place);
        let followed = hopf::small(&model_at, birth).and_then(|(mut curve, u, toward)| {
            let first = branch::row(&mut curve, u, 0.0)?;
            let way = walk.follow(&mut curve, &first, &toward, out);
            Ok((first, way))
        });
        match followed {
            Ok((first, way)) => {
                numbers.extend(std::iter::repeat_n(number as i64, 1 + way.rows.len()));
                rows.push(first);
                rows.extend(way.rows);
                if let Some(end) = way.end {
                    if matches!(end.reason, "no-convergence" | "points" | "collapse") {
                        out.worsen(Status::Partial, format!("the cycles born at {at:.6e} were lost: {}", end.text));
                    }
                    let text = format!("the cycles born at {at:.6e} end at {:.6e}: {}", range.value(end.at), end.text);
                    out.health.notes.push(text);
                }
            }
            Err(e) => out.health.warnings.push(format!("no cycles were followed from the Hopf point at {at:.6e}: {e}")),
        }
    }
    let unit = context.unit_of(&range.parameter);
    let mut table = report::table("cycles", range, &rows, model, &unit);
    table.push("hopf_point", "", numbers);
    out.tables.push(table);
    for row in &rows {
        report::trust(&row.cycle, &format!(" at {}", crate::sliding::shown(range, row.place(), &unit)), out);
    }
}

/// The cycle at the scenario's own parameter, where a branch came back to it.
fn reached(way: &Way) -> Option<&Row> {
    way.rows.last().filter(|_| way.end.as_ref().is_some_and(|end| end.reason == "own"))
}
