//! Map: an analysis over one parameter (a sweep) or two (a picture).
use crate::analysis::{Analysis, Answer, Context, Run, Vary};
use crate::axis::Axis;
use crate::model::Model;
use crate::nested;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use stickslip_data::{Health, Outcome, Quantity, Status, Table, Value};
use stickslip_structures::{Keys, Refused};

pub const NAME: &str = "map";
pub const ABOUT: &str = "An analysis at each point of one axis (a sweep) or two (a picture), on all cores.

A row a point: the axes, then what `collect` names, then the status of the point.

[analysis]
kind = \"map\"
axes = [{ parameter = \"drive.velocity\", from = \"0.05 m/s\", to = \"0.7 m/s\", points = 27 }]
collect = [\"regime\", \"amplitude_pp\", \"period\"]
each = { kind = \"transient\", duration = \"60 s\" }";
pub const ANSWERS: &[Answer] = &[
    Answer::value("points", "1", "Points that are done."),
    Answer::value("fractions.<word>", "1", "Part of the points with that regime, mode or word."),
    Answer::table("map", "A row a point: the axes, what `collect` names, the status."),
];

/// Most points of a map.
const MOST_POINTS: f64 = 1e8;

/// Points that a thread takes at once: enough to fill lanes, few enough to share and to stop between.
const FEWEST_AT_ONCE: usize = 1;
const MOST_AT_ONCE: usize = 64;

/// An analysis over one or two parameters.
pub struct Map {
    axes: Vec<Axis>,
    each: Box<dyn Analysis>,
    collect: Vec<String>,
}

pub fn read(keys: &mut dyn Keys) -> Result<Box<dyn Analysis>, Refused> {
    let mut axes = vec![];
    keys.tables("axes", "One axis (a sweep) or two (a picture)", &mut |k| {
        axes.push(Axis::read(k)?);
        Ok(())
    })?;
    if axes.is_empty() || axes.len() > 2 {
        let e = keys.refuse("axes", "analysis::shape", format!("a map has one axis or two, not {}", axes.len()));
        return Err(e.expected("a list of one or two tables"));
    }
    let points: f64 = axes.iter().map(|a| a.values.len() as f64).product();
    if points > MOST_POINTS {
        let sides: Vec<String> = axes.iter().map(|a| a.values.len().to_string()).collect();
        let e = keys.refuse("axes", "analysis::too-large", format!("{} are {points:e} points", sides.join(" x ")));
        let e = e.expected(format!("at most {MOST_POINTS:e} points"));
        // Even a point that takes a millisecond.
        let days = points * 1e-3 / 86_400.0;
        return Err(e.hint(format!("at a millisecond each they take {days:.0} days; lower `points` of an axis")));
    }
    let (each, answers) = nested::read(keys, "each")?;
    let collect = keys.texts("collect", "Results to keep of each point")?.unwrap_or_else(|| vec!["regime".into()]);
    for name in &collect {
        nested::known(keys, "collect", name, answers)?;
    }
    Ok(Box::new(Map { axes, each, collect }))
}

/// What is kept of a point.
struct Point {
    health: Health,
    status: Status,
    reason: Option<String>,
    kept: Vec<Option<Quantity>>,
}

impl Map {
    /// Settings of point `i`: the last axis runs fastest.
    fn place(&self, i: usize) -> Vec<(&str, f64)> {
        let inner = self.axes.last().map_or(1, |a| a.values.len());
        let index = [i / inner, i % inner];
        let index = if self.axes.len() == 1 { &index[1..] } else { &index[..] };
        self.axes.iter().zip(index).map(|(a, k)| (a.parameter.as_str(), a.values[*k])).collect()
    }

    /// Points in their order; smooth models among them are run several at once.
    fn points(&self, range: Range<usize>, context: &Context) -> Vec<Point> {
        let broken = |reason: String| Point {
            health: Health::default(),
            status: Status::Failed,
            reason: Some(reason),
            kept: vec![],
        };
        let places = range.clone();
        let models: Vec<Result<Model, Point>> = range
            .map(|i| {
                let model = context.model_at(&self.place(i)).map_err(broken)?;
                match self.each.refuse(&model) {
                    Some(e) => Err(broken(e.message)),
                    None => Ok(model),
                }
            })
            .collect();
        let abouts: Vec<_> = places.map(|i| nested::about(self.place(i), context)).collect();
        let run = |(model, about)| {
            let mut inner = nested::context(context, about);
            inner.output.only = Some(self.collect.clone());
            Run { analysis: self.each.as_ref(), model, context: inner }
        };
        let served =
            models.iter().zip(&abouts).filter_map(|(model, about)| Some((model.as_ref().ok()?, about as Vary)));
        let runs: Vec<Run> = served.map(run).collect();
        let mut outcomes = self.each.run_together(&runs).into_iter();
        let keep = |model: Result<Model, Point>| match model {
            Err(point) => point,
            Ok(_) => outcomes.next().map_or_else(|| broken("no answer".into()), |out| self.keep(&out)),
        };
        models.into_iter().map(keep).collect()
    }

    fn keep(&self, out: &Outcome) -> Point {
        let (status, reason) = out.verdict();
        let keep = |name: &String| match name.as_str() {
            "regime" => out.regime.clone().map(|r| Quantity { value: Value::Text(r), unit: String::new() }),
            name => out.value(name).cloned(),
        };
        // Its counts: what every point has to say stands in the table.
        let health = Health { warnings: vec![], notes: vec![], ..out.health.clone() };
        Point { health, status, reason, kept: self.collect.iter().map(keep).collect() }
    }
}

impl Analysis for Map {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        self.each.refuse(model)
    }

    fn quantities(&self, model: &Model) -> Option<Vec<String>> {
        self.each.quantities(model)
    }

    fn varies(&self) -> Vec<(String, f64)> {
        let own = self.axes.iter().map(|a| (a.parameter.clone(), a.values[0]));
        own.chain(self.each.varies()).collect()
    }

    fn run(&self, _: &Model, context: &Context) -> Outcome {
        let count: usize = self.axes.iter().map(|a| a.values.len()).product();
        let done = AtomicUsize::new(0);
        // Points in their order whatever the number of threads, and none depends on its neighbours: the table is the same.
        let chunk = (count / (4 * rayon::current_num_threads())).clamp(FEWEST_AT_ONCE, MOST_AT_ONCE);
        let starts: Vec<usize> = (0..count).step_by(chunk).collect();
        let points: Vec<Option<Point>> = starts
            .into_par_iter()
            .flat_map_iter(|start| {
                let range = start..(start + chunk).min(count);
                let size = range.len();
                let points: Vec<Option<Point>> = if context.stopped() {
                    range.map(|_| None).collect()
                } else {
                    self.points(range, context).into_iter().map(Some).collect()
                };
                context.report((done.fetch_add(size, Ordering::Relaxed) + size) as f64 / count as f64);
                points
            })
            .collect();
        self.outcome(&points, context)
    }
}

impl Map {
    fn outcome(&self, points: &[Option<Point>], context: &Context) -> Outcome {
        let mut out = Outcome::default();
        let finished: Vec<(usize, &Point)> =
            points.iter().enumerate().filter_map(|(i, p)| p.as_ref().map(|p| (i, p))).collect();
        if finished.len() < points.len() {
            out.worsen(Status::Partial, format!("stopped with {} of {} points done", finished.len(), points.len()));
        }
        let bad: Vec<&(usize, &Point)> = finished.iter().filter(|(_, p)| p.status != Status::Ok).collect();
        if let Some((i, p)) = bad.first() {
            let place: Vec<String> = self.place(*i).iter().map(|(name, x)| format!("{name} = {x:.6e}")).collect();
            let why = p.reason.clone().unwrap_or_else(|| p.status.to_string());
            let text =
                format!("{} of {} points are not ok; first at {}: {why}", bad.len(), points.len(), place.join(", "));
            let worst = bad.iter().map(|(_, p)| p.status).max().unwrap_or(Status::Failed);
            out.worsen(worst, text);
        }
        let mut table = Table::new("map");
        for (k, axis) in self.axes.iter().enumerate() {
            table.push(
                axis.parameter.clone(),
                context.unit_of(&axis.parameter),
                finished.iter().map(|(i, _)| self.place(*i)[k].1).collect::<Vec<f64>>(),
            );
        }
        for (k, name) in self.collect.iter().enumerate() {
            let unit = finished.iter().find_map(|(_, p)| p.kept.get(k)?.as_ref()).map_or("", |q| &q.unit).to_string();
            let values: Vec<Option<&Value>> =
                finished.iter().map(|(_, p)| p.kept.get(k).and_then(|q| q.as_ref()).map(|q| &q.value)).collect();
            let words = values.iter().flatten().any(|v| matches!(v, Value::Text(_) | Value::Texts(_) | Value::Flag(_)));
            if words {
                let list: Vec<String> = values.iter().map(|v| v.map_or(String::new(), text)).collect();
                let mut fractions: BTreeMap<&str, f64> = BTreeMap::new();
                for word in list.iter().filter(|w| !w.is_empty()) {
                    *fractions.entry(word).or_default() += 1.0 / list.len() as f64;
                }
                for (word, part) in fractions {
                    out.set(format!("fractions.{word}"), Value::Number(part), "1");
                }
                table.push(name.clone(), unit, list);
            } else {
                let list: Vec<f64> = values.iter().map(|v| v.map_or(f64::NAN, number)).collect();
                table.push(name.clone(), unit, list);
            }
        }
        table.push("status", "", finished.iter().map(|(_, p)| p.status.to_string()).collect::<Vec<String>>());
        out.set("points", Value::Count(finished.len() as u64), "1");
        finished.iter().for_each(|(_, p)| out.health.add(&p.health));
        out.tables.push(table);
        out
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Texts(list) => list.join(", "),
        Value::Flag(flag) => flag.to_string(),
        _ => String::new(),
    }
}

fn number(value: &Value) -> f64 {
    match value {
        Value::Number(x) => *x,
        Value::Count(n) => *n as f64,
        Value::List(list) => list.first().copied().unwrap_or(f64::NAN),
        _ => f64::NAN,
    }
}
