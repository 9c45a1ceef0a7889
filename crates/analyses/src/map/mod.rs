//! Map: an analysis over one parameter (a sweep) or two (a picture).
//!
//! No point depends on another, and the table is in their order: it is the same on any number of threads, and the same
//! when an earlier run recorded some of them.
mod columns;
mod scheduler;
mod stopwatch;
mod walk;

use columns::Kept;
pub use columns::cell;
use scheduler::{Done, work};
use std::ops::Range;
use stickslip_data::{Cell, Finished, Outcome, Status, Table, Value, Values};
use stickslip_model::Model;
use stickslip_model::axis::Axis;
use stickslip_model::nested;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context};
use stickslip_structures::{Keys, Refused};
use walk::Walk;

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "map",
    about: "An analysis at each point of one axis (a sweep) or two (a picture), on all cores.

A row a point: the axes, then what `collect` names, then the status of the point. Lists such as `maxima` have tables of their own, a
row an entry. On an axis with `walk` each motion starts where the one before has ended: `up` (rising values), `down`, or `both`, up
and then down, told apart by the column `way`; so coexisting motions and their hysteresis are found by marching alone.

[analysis]
kind = \"map\"
axes = [{ parameter = \"drive.velocity\", from = \"0.05 m/s\", to = \"0.7 m/s\", points = 27 }]
collect = [\"regime\", \"amplitude_pp\", \"period\"]
each = { kind = \"transient\", duration = \"60 s\" }",
    answers: &[
        Answer::value("points", "1", "Points that are done."),
        Answer::value("fractions.<word>", "1", "Part of the points with that regime, mode or word."),
        Answer::table("map", "A row a point: the axes, `way` where one is walked both ways, what `collect` names, the status."),
        Answer::table("maxima", "Where it is collected: the axes and each maximum of the settled part."),
        Answer::table("minima", "Where it is collected: the axes and each minimum."),
    ],
    read,
};

/// Most points of a map.
const MOST_POINTS: f64 = 1e8;

/// An analysis over one or two parameters.
pub struct Map {
    axes: Vec<Axis>,
    walk: Option<Walk>,
    each: Box<dyn Analysis>,
    collect: Vec<String>,
}

/// Values that are lists, and have tables of their own.
const LISTED: [&str; 2] = ["maxima", "minima"];

fn read(keys: &mut dyn Keys, kinds: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    let mut axes: Vec<Axis> = vec![];
    let mut walk = None;
    keys.tables("axes", "One axis (a sweep) or two (a picture)", &mut |k| {
        let found = walk::read(k)?;
        let mut axis = Axis::read(k)?;
        if let Some(way) = found {
            if walk.is_some() {
                let e = k.refuse("walk", "analysis::shape", "only one axis of a map can be walked".into());
                return Err(e.expected("one axis with `walk`"));
            }
            way.order(&mut axis.values);
            walk = Some(Walk { axis: axes.len(), way });
        }
        axes.push(axis);
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
    let (each, answers) = nested::read(keys, kinds, "each")?;
    let collect = keys.texts("collect", "Results to keep of each point")?.unwrap_or_else(|| vec!["regime".into()]);
    for name in &collect {
        nested::known(keys, "collect", name, answers)?;
    }
    if walk.is_some() {
        walk::refuse_each(keys, &*each)?;
    }
    Ok(Box::new(Map { axes, walk, each, collect }))
}

impl Map {
    /// Settings of point `i`: the last axis runs fastest.
    fn place(&self, i: usize) -> Vec<(&str, f64)> {
        let inner = self.axes.last().map_or(1, |a| a.values.len());
        let index = [i / inner, i % inner];
        let index = if self.axes.len() == 1 { &index[1..] } else { &index[..] };
        self.axes.iter().zip(index).map(|(a, k)| (a.parameter.as_str(), a.values[*k])).collect()
    }

    /// How many points there are.
    fn count(&self) -> usize {
        self.axes.iter().map(|a| a.values.len()).product()
    }

    /// The points that are asked for.
    fn points(&self, context: &Context) -> Range<usize> {
        let count = self.count();
        context.points.clone().map_or(0..count, |asked| asked.start.min(count)..asked.end.min(count))
    }

    fn keep(&self, index: usize, out: &Outcome) -> Finished {
        let (status, reason) = out.verdict();
        let keep = |name: &String| match name.as_str() {
            "regime" => Ok(out.regime.clone().map_or(Cell::Missing, |r| Cell::Word(r.into(), "".into()))),
            name => {
                let listed = LISTED.contains(&name);
                let kept = out.find(name).map_or(Ok(Cell::Missing), |quantity| cell(&quantity, listed));
                kept.map_err(|why| format!("`{name}` {why}"))
            }
        };
        match self.collect.iter().map(keep).collect() {
            Ok(cells) => Finished { index, status, reason, cells },
            Err(why) => self.broken(index, why),
        }
    }

    /// A point that could not be asked.
    fn broken(&self, index: usize, reason: String) -> Finished {
        let cells = self.collect.iter().map(|_| Cell::Missing).collect();
        Finished { index, status: Status::Failed, reason: Some(reason), cells }
    }
}

impl Analysis for Map {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        self.each.refuse(model).or_else(|| self.walk.as_ref().and_then(|_| walk::refuse_phase(&*self.each, model)))
    }

    fn units(&self, model: &Model) -> Vec<(String, String)> {
        self.each.units(model).into_iter().map(|(key, unit)| (format!("each.{key}"), unit)).collect()
    }

    fn quantities(&self, model: &Model) -> Option<Vec<String>> {
        self.each.quantities(model)
    }

    fn varies(&self) -> Vec<(String, f64)> {
        let own = self.axes.iter().map(|a| (a.parameter.clone(), a.values[0]));
        own.chain(self.each.varies()).collect()
    }

    fn records(&self) -> bool {
        true
    }

    fn grid(&self) -> [usize; 2] {
        [self.count(), self.collect.len()]
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        let Done { kept, known, trouble, foreign } = work(self, model, context);
        if let Some(why) = foreign {
            let mut out = Outcome::default();
            out.worsen(Status::Failed, format!("recorded points are not those of this map: {why}"));
            return out;
        }
        let mut out = self.outcome(&kept, context);
        out.health.resumed = known as u64;
        out.health.warnings.extend(trouble);
        out
    }
}

impl Map {
    /// Whether a point lies on the way back.
    fn is_back(&self, walk: &Walk, point: usize) -> bool {
        let inner = self.axes.last().map_or(1, |a| a.values.len());
        let place = if walk.axis + 1 == self.axes.len() { point % inner } else { point / inner };
        2 * place >= self.axes[walk.axis].values.len()
    }

    /// A row an entry of the lists of all points.
    fn entries(&self, name: &str, unit: &str, lists: &[(usize, &[f64])], context: &Context) -> Table {
        let mut table = Table::new(name);
        let rows = || lists.iter().flat_map(|(i, list)| list.iter().map(move |x| (*i, *x)));
        for (k, axis) in self.axes.iter().enumerate() {
            let values: Vec<f64> = rows().map(|(i, _)| self.place(i)[k].1).collect();
            table.push(axis.parameter.clone(), context.unit_of(&axis.parameter), values);
        }
        if let Some(walk) = self.walk.as_ref().filter(|walk| walk.way == walk::Way::Both) {
            let codes = rows().map(|(i, _)| u8::from(self.is_back(walk, i))).collect();
            table.push("way", "", Values::Coded { codes, words: vec!["up".into(), "down".into()] });
        }
        table.push(name, unit, rows().map(|(_, x)| x).collect::<Vec<f64>>());
        table
    }

    fn outcome(&self, kept: &Kept, context: &Context) -> Outcome {
        let mut out = Outcome::default();
        let count = self.points(context).len();
        let finished: Vec<usize> = kept.finished().map(|(i, _)| i).collect();
        if finished.len() < count {
            out.worsen(Status::Partial, format!("stopped with {} of {count} points done", finished.len()));
        }
        if let Some((i, why)) = &kept.first_bad {
            let place: Vec<String> = self.place(*i).iter().map(|(name, x)| format!("{name} = {x:.6e}")).collect();
            let bad = || kept.finished().map(|(_, status)| status).filter(|s| *s != Status::Ok);
            let text = format!("{} of {count} points are not ok; first at {}: {why}", bad().count(), place.join(", "));
            out.worsen(bad().max().unwrap_or(Status::Failed), text);
        }
        let mut table = Table::new("map");
        for (k, axis) in self.axes.iter().enumerate() {
            let values: Vec<f64> = finished.iter().map(|i| self.place(*i)[k].1).collect();
            table.push(axis.parameter.clone(), context.unit_of(&axis.parameter), values);
        }
        if let Some(walk) = self.walk.as_ref().filter(|walk| walk.way == walk::Way::Both) {
            let codes = finished.iter().map(|i| u8::from(self.is_back(walk, *i))).collect();
            table.push("way", "", Values::Coded { codes, words: vec!["up".into(), "down".into()] });
        }
        for (k, name) in self.collect.iter().enumerate() {
            if let Some(lists) = kept.lists(k) {
                out.tables.push(self.entries(name, kept.unit(k), &lists, context));
            }
            if LISTED.contains(&name.as_str()) {
                continue;
            }
            let (values, fractions) = kept.column(k);
            for (word, part) in fractions {
                out.set(format!("fractions.{word}"), Value::Number(part), "1");
            }
            table.push(name.clone(), kept.unit(k), values);
        }
        let words = [Status::Ok, Status::Partial, Status::Untrusted, Status::Failed];
        let code = |status| words.iter().position(|w| *w == status).unwrap_or(words.len() - 1) as u8;
        let codes = kept.finished().map(|(_, status)| code(status)).collect();
        table.push("status", "", Values::Coded { codes, words: words.map(|w| w.as_str().into()).to_vec() });
        out.set("points", Value::Count(finished.len() as u64), "1");
        out.tables.push(table);
        out
    }
}
