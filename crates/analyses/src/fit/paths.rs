//! Paths of a law through a program, and motions that are run as a whole.
use super::Fit;
use super::along::Along;
use super::duals::Duals;
use super::others::not_measured;
use super::records::Record;
use crate::analysis::{Analysis, Context, Output, Over, Probe};
use crate::hysteresis::Hysteresis;
use crate::model::Model;
use crate::transient::{Duration, Transient};
use std::any::Any;
use stickslip_data::{Outcome, Status, Value};
use stickslip_solve::radau::tableau::ORDER_9;
use stickslip_structures::Program;

/// Displacements of a record and of its program agree to this part of their range.
const FOLLOWED: f64 = 1e-3;
/// Iterations until the time of a displacement is known to rounding.
const MOST_ITERATIONS: usize = 100;

/// The quantity that an analysis probes for a record.
fn probed(record: &Record, model: &Model) -> Result<String, String> {
    let s = &model.structure;
    Ok(match record.observed.0 {
        "friction" => "friction".into(),
        "force" => "friction_force".into(),
        "displacement" => s.coordinates.first().cloned().unwrap_or_else(|| "slip".into()),
        "velocity" => s.rates.first().map_or_else(|| "slip_velocity".into(), |r| format!("rate.{r}")),
        _ => return Err(not_measured(record)),
    })
}

/// Derivatives, row after row; or why they can't be carried along.
pub type Carried = Result<Vec<f64>, String>;

/// A record as the scenario's own analysis gives it: a motion, or a law's path through a program.
pub struct Paths<'a> {
    /// The fit.
    pub fit: &'a Fit,
    /// The record.
    pub record: &'a Record,
    /// Told whether to stop.
    pub context: &'a Context<'a>,
}

impl Paths<'_> {
    /// The analysis that runs a model, at the tolerance of the fit.
    fn run(&self, model: &Model, context: &Context, along: Option<&mut Along>) -> Result<Outcome, String> {
        let hysteresis = Hysteresis { rtol: self.fit.rtol, ..Hysteresis::default() };
        let duration = Duration::Time(self.record.x.last().copied().unwrap_or(0.0));
        let transient = Transient { duration, ..Transient::plain(self.fit.rtol) };
        let each: &dyn Analysis = match &self.fit.each {
            Some(each) => &**each,
            None if model.structure.is_empty() => &hysteresis,
            None => &transient,
        };
        if let Some(e) = each.refuse(model) {
            return Err(e.message);
        }
        Ok(match (along, (each as &dyn Any).downcast_ref::<Hysteresis>()) {
            (Some(along), Some(hysteresis)) => hysteresis.run_carried(model, context, Some(along)),
            _ => each.run(model, context),
        })
    }

    /// Why paths of this model are not carried with derivatives.
    pub fn not_carried(&self, model: &Model) -> Option<&'static str> {
        let other = self.fit.each.as_deref().is_some_and(|each| !(each as &dyn Any).is::<Hysteresis>());
        if other || !model.structure.is_empty() {
            return Some("the motion of a structure under its own analysis");
        }
        None
    }

    /// Times of the rows; these do not depend on parameters of contacts and structures where the program gives the motion.
    pub fn times(&self, model: &Model) -> Result<Vec<f64>, String> {
        match self.record.along.0 {
            "time" => Ok(self.record.x.clone()),
            _ => {
                let output = Output::default();
                let context = Context { stop: self.context.stop, output, ..Context::default() };
                let out = self.run(model, &context, None)?;
                times_of(&self.record.x, &out, model.loading.program.as_ref())
            }
        }
    }

    /// The values of the record at its times.
    pub fn values(&self, model: &Model, times: &[f64], along: Option<&mut Along>) -> Result<Vec<f64>, String> {
        let record = self.record;
        let quantity = probed(record, model)?;
        let probe =
            |quantity: &str| Probe { quantity: quantity.into(), contact: None, over: Over::Times(times.to_vec()) };
        let moved = record.moved.iter().map(|_| probe("slip"));
        let probes = std::iter::once(probe(&quantity)).chain(moved).collect();
        let output = Output { probes, brief: true, ..Output::default() };
        let out = self.run(model, &Context { stop: self.context.stop, output, ..Context::default() }, along)?;
        match out.verdict() {
            (Status::Ok, _) => {}
            (_, why) => return Err(why.unwrap_or_default()),
        }
        let at_times = |quantity: &str| match out.value(&format!("probe.{quantity}")).map(|q| &q.value) {
            Some(Value::List(list)) if list.len() == record.x.len() => Ok(list.clone()),
            _ => Err(format!("the run gives no `{quantity}` at the times of the record")),
        };
        if let Some(moved) = &record.moved {
            let slip = at_times("slip")?;
            let range = moved.iter().fold(0.0f64, |m, x| m.max((x - moved[0]).abs()));
            let off = |i: &usize| (slip[*i] - moved[*i]).abs() > FOLLOWED * range || slip[*i].is_nan();
            if let Some(i) = (0..moved.len()).find(off) {
                let (t, own, theirs) = (record.x[i], slip[i], moved[i]);
                return Err(format!(
                    "at t = {t} s the program is at {own:.4e} m, and `{}` at {theirs:.4e} m: they must be one motion",
                    record.name
                ));
            }
        }
        at_times(&quantity)
    }

    /// The same with derivatives in the parameters; the reason where these can't be carried along.
    pub fn slopes(
        &self,
        model: &Model,
        times: &[f64],
        duals: Duals,
        start: Vec<f64>,
    ) -> Result<(Vec<f64>, Carried), String> {
        let mut along = Along::new(duals, start, times, self.record.observed.0 == "friction");
        let values = self.values(model, times, Some(&mut along))?;
        Ok((values, along.lost.map_or(Ok(along.slopes), Err)))
    }
}

/// Whether a program gives the motion of a point: no force is followed or let go.
pub fn gives_motion(program: &Program) -> bool {
    program.steps.iter().all(|step| step.velocity().is_some())
}

/// When a path passes the displacements of a record, one after the other.
fn times_of(wanted: &[f64], out: &Outcome, program: Option<&Program>) -> Result<Vec<f64>, String> {
    let column = |name: &str| out.table("path").and_then(|t| t.column(name)).and_then(|c| c.values.floats());
    let (t, slip) = column("t").zip(column("slip")).ok_or("a record over the displacement needs a program")?;
    let exact = program.filter(|program| gives_motion(program));
    let (low, high) = slip.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
    let spare = FOLLOWED * (high - low);
    // The step in which the last one was passed, and the place: on the same step none is passed before it.
    let (mut at, mut from) = (1, slip.first().copied().unwrap_or(f64::NAN));
    let mut times = vec![];
    for x in wanted {
        let begins = |k: usize| if k == at { from } else { slip[k - 1] };
        let passes = |k: &usize| {
            let (a, b) = (begins(*k), slip[*k]);
            (a.min(b)..=a.max(b)).contains(x) && slip[*k] != slip[k - 1]
        };
        // Where a path turns, a record that goes a little further is at the turn.
        let turns = |k: &usize| {
            let rises = slip[*k] - slip[k - 1];
            let back = slip[k + 1..].iter().map(|next| next - slip[*k]).find(|d| *d != 0.0);
            let beyond = (x - slip[*k]) * rises.signum();
            rises != 0.0 && back.is_none_or(|back| back * rises < 0.0) && beyond > 0.0 && beyond <= spare
        };
        let Some(k) = (at..t.len()).find(|k| passes(k) || turns(k)) else {
            return Err(format!("the program does not pass the displacement {x} m"));
        };
        let rows = [(t[k - 1], slip[k - 1]), (t[k], slip[k])];
        times.push(match exact {
            _ if !passes(&k) => t[k],
            Some(program) => passed(program, rows, *x),
            None => t[k - 1] + (t[k] - t[k - 1]) * (x - slip[k - 1]) / (slip[k] - slip[k - 1]),
        });
        from = if passes(&k) { *x } else { slip[k] };
        at = k;
    }
    Ok(times)
}

/// When a program passes the displacement `x` between two rows: by its own velocity, not on the line between them.
fn passed(program: &Program, [(t0, slip0), (t1, slip1)]: [(f64, f64); 2], x: f64) -> f64 {
    let starts = program.times();
    let step = starts.partition_point(|start| *start <= 0.5 * (t0 + t1)).saturating_sub(1).min(program.steps.len() - 1);
    let signal = program.steps[step].velocity().and_then(|v| v.into_iter().next());
    let Some(signal) = signal else { return t0 };
    let velocity = |t: f64| signal.value((t - starts[step]).min((t1 - starts[step]).next_down()));
    let travelled = |t: f64| {
        let nodes = ORDER_9.nodes.iter().zip(ORDER_9.weights);
        (t - t0) * nodes.map(|(node, weight)| weight * velocity(t0 + node * (t - t0))).sum::<f64>()
    };
    let rises = slip1 > slip0;
    let (mut low, mut high) = (t0, t1);
    let mut t = t0 + (t1 - t0) * (x - slip0) / (slip1 - slip0);
    for _ in 0..MOST_ITERATIONS {
        let off = slip0 + travelled(t) - x;
        if off == 0.0 {
            return t;
        }
        if (off > 0.0) == rises {
            high = t
        } else {
            low = t
        }
        let newton = t - off / velocity(t);
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - t).abs() <= f64::EPSILON * t.abs() {
            return next;
        }
        t = next;
    }
    t
}
