//! Paths of a law through a program, and motions that are run as a whole.
use crate::Fit;
use crate::predict::lost::Lost;
use crate::predict::path_sensitivity::{Along, Asked, Observed};
use crate::predict::path_times::{Passes, one_motion};
use crate::predict::static_records::not_measured;
use crate::records::Record;
use std::any::Any;
use stickslip_analyses::hysteresis::Hysteresis;
use stickslip_data::{Outcome, Status, Value};
use stickslip_model::Model;
use stickslip_model::{Analysis, Context, Output, Over, Probe};
use stickslip_motion::Duals;
use stickslip_motion::{Duration, Transient};
use stickslip_structures::Program;

/// Runs until it is known when a path under a given force passes the displacements of a record.
const MOST_PASSES: usize = 20;
/// They are passed to this part of their range.
const MET: f64 = 1e-12;

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
pub type Carried = Result<Vec<f64>, Lost>;

/// A record as the scenario's own analysis gives it: a motion, or a law's path through a program.
pub struct Paths<'a> {
    /// The fit.
    pub fit: &'a Fit,
    /// The record.
    pub record: &'a Record,
    /// Asks whether to stop.
    pub context: &'a Context<'a>,
}

impl Paths<'_> {
    /// The analysis that runs a model, at the tolerance of the fit.
    fn run(&self, model: &Model, context: &Context, along: Option<&mut Along>) -> Result<Outcome, String> {
        // When a displacement is passed is looked for on one path, which must not change with the rows.
        let rows_inside = self.record.along.0 == "displacement";
        let hysteresis = Hysteresis { rtol: self.fit.rtol, rows_inside, ..Hysteresis::default() };
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

    /// Why no parameters of contacts make the program pass the rows: known at once where it gives the motion.
    pub fn never_met(&self, model: &Model) -> Option<String> {
        let own = model.structure.is_empty() && self.not_carried(model).is_none();
        model.loading.program.as_ref().filter(|program| own && gives_motion(program))?;
        let record = self.record;
        if let Some(moved) = &record.moved {
            let found = self.probe(model, &record.x, &["slip"], None).ok()?;
            return one_motion((&record.name, &record.x), moved, &found[0]).err();
        }
        let context = Context { stop: self.context.stop, ..Context::default() };
        // Another law may come to the end where this one does not.
        let whole = |out: Outcome| out.verdict().0 == Status::Ok;
        let over = record.along.0 == "displacement" && self.run(model, &context, None).is_ok_and(whole);
        if over { self.times(model).err() } else { None }
    }

    /// Times of the rows; these do not depend on parameters of contacts and structures where the program gives the motion.
    pub fn times(&self, model: &Model) -> Result<Vec<f64>, String> {
        match self.record.along.0 {
            "time" => Ok(self.record.x.clone()),
            _ => {
                let output = Output::default();
                let context = Context { stop: self.context.stop, output, ..Context::default() };
                let out = self.run(model, &context, None)?;
                let column =
                    |name: &str| out.table("path").and_then(|t| t.column(name)).and_then(|c| c.values.floats());
                let (t, slip) =
                    column("t").zip(column("slip")).ok_or("a record over the displacement needs a program")?;
                let program = model.loading.program.as_ref().filter(|program| gives_motion(program));
                let mut times = Passes { t, slip, program }.times(&self.record.x)?;
                if program.is_none() && model.structure.is_empty() {
                    self.pass(model, (t, slip), &mut times)?;
                }
                Ok(times)
            }
        }
    }

    /// Finds when a path under a given force passes the displacements: its rows are only near that.
    fn pass(&self, model: &Model, (t, slip): (&[f64], &[f64]), times: &mut [f64]) -> Result<(), String> {
        let wanted = &self.record.x;
        let range = wanted.iter().fold(0.0f64, |m, x| m.max((x - wanted[0]).abs()));
        // Rows between which each is passed; what was met at a row, or is put at a turn, stays there.
        let mut between: Vec<Option<[f64; 2]>> = times
            .iter()
            .map(|time| {
                let k = t.partition_point(|row| row < time);
                (0 < k && k < t.len() && t[k] > *time && slip[k] != slip[k - 1]).then(|| [t[k - 1], t[k]])
            })
            .collect();
        for _ in 0..MOST_PASSES {
            let order = Order::of(times);
            let found = self.probe(model, &order.times, &["slip", "slip_velocity"], None)?;
            let (slip, velocity) = (order.back(&found[0], 1), order.back(&found[1], 1));
            let off = |i: usize| slip[i] - wanted[i];
            if (0..times.len()).all(|i| between[i].is_none() || off(i).abs() <= MET * range) {
                break;
            }
            for (i, between) in between.iter_mut().enumerate() {
                let Some([low, high]) = between else { continue };
                match off(i) * velocity[i] > 0.0 {
                    true => *high = times[i],
                    false => *low = times[i],
                }
                let newton = times[i] - off(i) / velocity[i];
                times[i] = if newton >= *low && newton <= *high { newton } else { 0.5 * (*low + *high) };
            }
        }
        Ok(())
    }

    /// The values of the record at its times.
    pub fn values(&self, model: &Model, times: &[f64]) -> Result<Vec<f64>, String> {
        let order = Order::of(times);
        Ok(order.back(&self.values_in_order(model, &order.times, None)?, 1))
    }

    /// The values at rising times.
    fn values_in_order(&self, model: &Model, times: &[f64], along: Option<&mut Along>) -> Result<Vec<f64>, String> {
        let record = self.record;
        let quantity = probed(record, model)?;
        let quantities = [&quantity[..], "slip"];
        let wanted = if record.moved.is_some() { &quantities[..] } else { &quantities[..1] };
        let mut found = self.probe(model, times, wanted, along)?;
        if let Some(moved) = &record.moved {
            one_motion((&record.name, &record.x), moved, &found[1])?;
        }
        Ok(found.swap_remove(0))
    }

    /// Quantities at rising times.
    fn probe(
        &self,
        model: &Model,
        times: &[f64],
        quantities: &[&str],
        along: Option<&mut Along>,
    ) -> Result<Vec<Vec<f64>>, String> {
        let probe = |quantity: &&str| Probe {
            quantity: quantity.to_string(),
            over: Over::Times(times.to_vec()),
            ..Probe::default()
        };
        let output = Output { probes: quantities.iter().map(probe).collect(), brief: true, ..Output::default() };
        let out = self.run(model, &Context { stop: self.context.stop, output, ..Context::default() }, along)?;
        match out.verdict() {
            (Status::Ok, _) => {}
            (_, why) => return Err(why.unwrap_or_default()),
        }
        let at_times = |quantity: &&str| match out.value(&format!("probe.{quantity}")).map(|q| &q.value) {
            Some(Value::List(list)) if list.len() == times.len() => Ok(list.clone()),
            _ => Err(format!("the run gives no `{quantity}` at the times of the record")),
        };
        quantities.iter().map(at_times).collect()
    }

    /// The same with derivatives in the parameters; the reason where these can't be carried along.
    pub fn slopes(
        &self,
        model: &Model,
        times: &[f64],
        duals: Duals,
        start: Vec<f64>,
    ) -> Result<(Vec<f64>, Carried), String> {
        let (order, count) = (Order::of(times), duals.seeds.count());
        let observed = Observed::of(self.record.observed.0).ok_or_else(|| not_measured(self.record))?;
        let over = (self.record.along.0 != "time").then(|| order.put(&self.record.x));
        let free = model.loading.program.as_ref().is_some_and(|program| !gives_motion(program));
        let duals = match free {
            true => duals.with_velocity(model).ok_or("a law without derivatives in its numbers")?,
            false => duals,
        };
        let asked = Asked { observed, times: &order.times, over: over.as_deref() };
        let mut along = Along::new(duals, start, count, asked);
        let values = self.values_in_order(model, &order.times, Some(&mut along))?;
        Ok((order.back(&values, 1), along.end().map(|slopes| order.back(&slopes, count))))
    }
}

/// Times of rows put in order, and the place of each row among them.
struct Order {
    times: Vec<f64>,
    places: Vec<usize>,
}

impl Order {
    fn of(times: &[f64]) -> Order {
        let mut rows: Vec<usize> = (0..times.len()).collect();
        rows.sort_by(|a, b| times[*a].total_cmp(&times[*b]));
        let mut places = vec![0; times.len()];
        rows.iter().enumerate().for_each(|(place, row)| places[*row] = place);
        Order { times: rows.iter().map(|row| times[*row]).collect(), places }
    }

    /// What belongs to the rows, in the order of their times.
    fn put(&self, rows: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; rows.len()];
        self.places.iter().zip(rows).for_each(|(place, row)| out[*place] = *row);
        out
    }

    /// What was found at the times in order, row after row.
    fn back(&self, found: &[f64], width: usize) -> Vec<f64> {
        self.places.iter().flat_map(|place| &found[place * width..(place + 1) * width]).copied().collect()
    }
}

/// Whether a program gives the motion of a point: no force is followed or let go.
pub fn gives_motion(program: &Program) -> bool {
    program.steps.iter().all(|step| step.velocity().is_some())
}
