//! Steady sliding along one parameter, through folds, with the points at which something changes.
mod follow;
mod others;
mod report;
mod special;

use crate::sliding::{self, Range, Sliding, models, read_range};
use crate::{limit_cycle, stability};
use stickslip_data::{Outcome, Status};
use stickslip_dynamics::start::NO_EQUILIBRIUM;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context, Model};
use stickslip_motion::not_followed;
use stickslip_structures::{Ask, Keys, Refused};

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "continuation",
    about: "Steady sliding along a parameter as a curve that may turn back: each point with its growth rate, and the folds,
Hopf points and branch points on it, located to 1e-9.

At a Hopf point an oscillation is born: `super` where a stable cycle grows from it, `sub` where an unstable one shrinks into
it. Other equilibria at the same parameters are sought too, and followed as segments of their own. `from` above `to` walks
downwards. Steps are at most a `points`-th part of the range.

[analysis]
kind = \"continuation\"
along = { parameter = \"structure.stiffness\", from = \"2e3 N/m\", to = \"1e6 N/m\", scale = \"log\" }",
    answers: &[
        Answer::table(
            "branch",
            "A row a point: the parameter, the equilibrium, growth rate and frequency, whether it is stable, segment.",
        ),
        Answer::table("cycles", "With `cycles = true`: a row a cycle born at a Hopf point, with the columns of a `limit-cycle` branch."),
        Answer::value(
            "special",
            "",
            "Folds, Hopf and branch points: `kind`, `parameter`; of a Hopf point `omega`, `l1`, `criticality`.",
        ),
        Answer::value("ends", "", "Where each segment ends, and why: range, equilibrium, unbounded, closed, ..."),
        Answer::value("equilibrium_lost", "", "Values of the parameter at which steady sliding ceases to exist."),
        Answer::value("points", "", "Number of points."),
        Answer::value("unstable_fraction", "1", "Part of the points that is unstable."),
    ],
    read,
};

/// Steps along the range unless set otherwise.
const POINTS: f64 = 200.0;
/// Most steps along it for the cycles.
const CYCLE_POINTS: usize = 60;
/// Places that tell how large the coordinates are.
const TYPICAL: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// Places at which steady sliding is sought where it does not exist at the first end.
const SOUGHT: usize = 64;

/// Steady sliding along a parameter.
pub struct Continuation {
    range: Range,
    points: usize,
    cycles: bool,
}

fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let mut range = None;
    keys.table("along", "The parameter that varies", &mut |k| {
        range = Some(read_range(k)?);
        Ok(())
    })?;
    let points =
        keys.count(Ask::new("points", "1", "Steps along the range, at least").or(POINTS).min(10.0).max(1e5))?;
    let cycles = keys.flag("cycles", "Follow what is born at each Hopf point")?;
    let missing = || {
        let e = keys.refuse("along", "scenario::missing", "`along` is missing".into());
        e.expected("a table such as { parameter = \"structure.stiffness\", from = 1e3, to = 1e5 }")
    };
    Ok(Box::new(Continuation { range: range.ok_or_else(missing)?, points, cycles }))
}

impl Analysis for Continuation {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        let why = if self.cycles { not_followed(model) } else { None };
        let refused = why.map(|why| {
            let text = format!("{why} is not followed over a period");
            let e = Refused::new("analysis.cycles", "analysis::not-served", text);
            e.hint("leave `cycles` out: `special` lists the Hopf points and their kinds")
        });
        stability::refuse_unsteady(model).or(refused)
    }

    fn varies(&self) -> Vec<(String, f64)> {
        [self.range.from, self.range.to].map(|x| (self.range.parameter.clone(), x)).into()
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        let mut out = Outcome::default();
        let ranges = std::slice::from_ref(&self.range);
        let model_at = models(ranges, context);
        let mut segments = vec![];
        let mut lack: Option<Refused> = None;
        for k in 0..=SOUGHT {
            let place = k as f64 / SOUGHT as f64;
            match Sliding::new(&model_at, &[place]) {
                Ok((mut family, found)) => {
                    for place in TYPICAL {
                        if let Ok((_, other)) = Sliding::new(&model_at, &[place]) {
                            family.note_sizes(&other.x);
                        }
                    }
                    let ways: &[f64] = if k == 0 { &[1.0] } else { &[-1.0, 1.0] };
                    let walk = follow::Walk { points: self.points, context, model_at: &model_at };
                    walk.all(&mut family, found.x, place, ways, &mut segments, &mut out);
                    out.health.jacobians += family.evaluations;
                    break;
                }
                Err(e) => {
                    let elsewhere = e.code == NO_EQUILIBRIUM;
                    lack.get_or_insert(e);
                    if !elsewhere || sliding::stopped(context, &mut out) {
                        break;
                    }
                }
            }
        }
        match (lack, segments.is_empty()) {
            (Some(e), true) => out.worsen(Status::Failed, e.message),
            (Some(e), false) => {
                let at = sliding::shown(&self.range, 0.0, &context.unit_of(&self.range.parameter));
                out.health.warnings.push(format!("no steady sliding at {at}: {}", e.message));
            }
            (None, true) => out.worsen(Status::Failed, "no branch was followed"),
            _ => {}
        }
        report::report(&self.range, &segments, model, context, &mut out);
        if self.cycles {
            limit_cycle::born(&self.range, self.points.min(CYCLE_POINTS), model, context, &mut out);
        }
        out
    }
}
