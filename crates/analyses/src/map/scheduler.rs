//! The work of a map: points shared out to all threads, recorded as they finish.
use super::Map;
use super::columns::Kept;
use super::stopwatch::Stopwatch;
use super::walk::Walk;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use stickslip_data::{Finished, Outcome, Status};
use stickslip_model::Model;
use stickslip_model::nested;
use stickslip_model::{Context, Lens, Run, Vary};

/// Work of a thread after which its points are handed over to be recorded, s. A kill may lose 0.2 s: the rest is for the
/// disk.
const HAND_OVER: f64 = 0.15;
/// Work that a thread takes at once, s: small against the above, so that threads end together.
const AT_ONCE: f64 = 0.05;
/// Points that a thread takes at once at most: enough to fill lanes, few enough that their models need little room.
const MOST_AT_ONCE: usize = 64;

/// Points that are to be worked on.
pub struct Work<'a> {
    map: &'a Map,
    context: &'a Context<'a>,
    /// The models of its points; or why there are none.
    lens: Result<Lens<'a>, String>,
    /// Points that cost hardly more than one.
    batch_width: usize,
    /// The number of the first point.
    first: usize,
    /// Points that an earlier run has done.
    known: Vec<bool>,
    next: AtomicUsize,
}

/// What was done.
pub struct Done {
    pub kept: Kept,
    /// How many points an earlier run had done.
    pub known: usize,
    /// What went wrong with the records.
    pub trouble: Option<String>,
    /// Why recorded points are not those of this map: then nothing was computed.
    pub foreign: Option<String>,
}

/// Points of one thread that are done but not handed over.
struct Batch<'a> {
    points: Vec<Finished>,
    since: Stopwatch,
    /// Time that the last point took, s.
    last: f64,
    out: &'a mut dyn FnMut(Vec<Finished>),
}

/// Does all points of a map that no earlier run has done.
pub fn work(map: &Map, model: &Model, context: &Context) -> Done {
    let points = map.points(context);
    let mut kept = Kept::new(&points, map.collect.len());
    let mut foreign = None;
    let read = context.recorder.map(|r| {
        r.known(context.case, &mut |point| {
            if let Err(why) = kept.put(point) {
                foreign.get_or_insert(why);
            }
        })
    });
    let trouble = read.and_then(Result::err).map(|e| format!("recorded points can't be read: {e}"));
    let known = kept.done();
    let mut done = Done { kept, known: known.iter().filter(|k| **k).count(), trouble, foreign };
    if done.foreign.is_some() {
        return done;
    }
    let paths: Vec<&str> = map.axes.iter().map(|a| a.parameter.as_str()).collect();
    let lens = context.lens(&paths);
    let first = points.start;
    let work =
        Work { map, context, lens, batch_width: map.each.batch_width(model), first, known, next: AtomicUsize::new(0) };
    // A page in a browser has one thread.
    if cfg!(target_family = "wasm") {
        let mut count = done.known;
        work.share(&mut |points| {
            work.take(points, &mut count, &mut done);
            context.report(count as f64 / work.known.len() as f64);
        });
        return done;
    }
    std::thread::scope(|scope| {
        // A separate thread writes, so that workers do not wait for the disk; if it falls far behind, they do.
        let (out, finished) = sync_channel(rayon::current_num_threads());
        scope.spawn(|| work.record(finished, &mut done));
        rayon::scope(|scope| {
            for _ in 0..rayon::current_num_threads() {
                let out = out.clone();
                scope.spawn(|_| {
                    // Who receives lives as long as there are senders.
                    let mut out = move |points| drop(out.send(points));
                    work.share(&mut out);
                });
            }
        });
        // The last sender: with it the list of points ends.
        drop(out);
    });
    done
}

impl Work<'_> {
    /// Takes what the threads have done, all that waits at once, until there is no more.
    fn record(&self, finished: Receiver<Vec<Finished>>, done: &mut Done) {
        let mut count = done.known;
        loop {
            self.context.report(count as f64 / self.known.len() as f64);
            let Ok(mut points) = finished.recv() else { return };
            finished.try_iter().for_each(|more| points.extend(more));
            self.take(points, &mut count, done);
        }
    }

    /// Records points and keeps them.
    fn take(&self, points: Vec<Finished>, count: &mut usize, done: &mut Done) {
        if let Some(Err(e)) = self.context.recorder.map(|r| r.record(self.context.case, &points)) {
            done.trouble.get_or_insert_with(|| format!("finished points can't be recorded: {e}"));
        }
        *count += points.len();
        for point in points {
            if let Err(why) = done.kept.put(point) {
                done.foreign.get_or_insert(why);
            }
        }
    }

    /// The work of one thread.
    fn share(&self, out: &mut dyn FnMut(Vec<Finished>)) {
        let mut batch = Batch { points: vec![], since: Stopwatch::start(), last: 0.0, out };
        let mut size = if self.map.walk.is_some() { 1 } else { self.batch_width };
        while !self.context.stopped() {
            let start = self.next.fetch_add(size, Ordering::Relaxed);
            if start >= self.map.lines().unwrap_or(self.known.len()) {
                break;
            }
            if let Some(walk) = &self.map.walk {
                self.line(walk, start, &mut batch);
                continue;
            }
            let part = start..(start + size).min(self.known.len());
            let todo: Vec<usize> = part.filter(|i| !self.known[*i]).map(|i| self.first + i).collect();
            if todo.is_empty() {
                continue;
            }
            let begun = Stopwatch::start();
            if batch.points.is_empty() {
                batch.since = begun;
            }
            self.chunk(&todo, &mut batch);
            // Twice as many at most: points about the next corner may be slower.
            let pace = begun.seconds() / todo.len() as f64;
            let left = self.known.len().saturating_sub(start + size);
            let fair = (left / (2 * rayon::current_num_threads())).max(1);
            size = (2 * size).min((AT_ONCE / pace) as usize).min(fair).clamp(self.batch_width, MOST_AT_ONCE);
        }
        batch.hand_over();
    }

    /// The points of a line that is walked, each from the end of the one before; all of them, unless an earlier run has done all.
    fn line(&self, walk: &Walk, line: usize, batch: &mut Batch<'_>) {
        let (map, context) = (self.map, self.context);
        let points = map.points_of(walk, line);
        if points.iter().all(|i| self.known[*i]) {
            return;
        }
        let mut last: Vec<f64> = vec![];
        for i in points {
            if context.stopped() {
                return;
            }
            let begun = Stopwatch::start();
            let at = map.place(i);
            let values: Vec<f64> = at.iter().map(|(_, x)| *x).collect();
            let model = self.lens.as_ref().map_err(String::clone).and_then(|lens| lens.unasked(&values));
            let asked = model.and_then(|mut model| {
                model.start.unknowns = std::mem::take(&mut last);
                let about = nested::about(at.clone(), context);
                let mut inner = nested::context(context, &about);
                inner.output.only = Some(map.collect.clone());
                // Ends of motions are kept by those that keep rows.
                inner.output.only.iter_mut().for_each(|names| names.push("amplitude_pp".into()));
                map.each.run_served(&model, &inner).map_err(|e| e.message)
            });
            match asked {
                Ok(outcome) => {
                    last = outcome.end.clone();
                    if !self.known[i] {
                        self.keep(i, &outcome, batch);
                    }
                }
                Err(_) if self.known[i] => {}
                Err(reason) => batch.points.push(map.broken(i, reason)),
            }
            batch.last = begun.seconds();
            batch.hand_over_in_time();
        }
    }

    /// Points in their order; those that can go side by side do, the others follow one by one.
    fn chunk(&self, todo: &[usize], batch: &mut Batch<'_>) {
        let (map, context) = (self.map, self.context);
        let mut served: Vec<(usize, Model)> = vec![];
        // What goes alone is asked for at once whether it is served, and run.
        let together = self.batch_width > 1;
        for i in todo {
            let values: Vec<f64> = map.place(*i).into_iter().map(|(_, x)| x).collect();
            let model = self.lens.as_ref().map_err(String::clone).and_then(|lens| lens.unasked(&values));
            let model = model.and_then(|model| match together.then(|| map.each.refuse(&model)).flatten() {
                Some(e) => Err(e.message),
                None => Ok(model),
            });
            match model {
                Ok(model) => served.push((*i, model)),
                Err(reason) => batch.points.push(map.broken(*i, reason)),
            }
        }
        let abouts: Vec<_> = served.iter().map(|(i, _)| nested::about(map.place(*i), context)).collect();
        let mut runs: Vec<Run> = vec![];
        for ((_, model), about) in served.iter().zip(&abouts) {
            let mut inner = nested::context(context, about as Vary);
            inner.output.only = Some(map.collect.clone());
            runs.push(Run { analysis: map.each.as_ref(), model, context: inner });
        }
        let mut alone = vec![];
        let outcomes = if together { map.each.run_batch(&runs) } else { runs.iter().map(|_| None).collect() };
        for (((i, _), run), outcome) in served.iter().zip(&runs).zip(outcomes) {
            match outcome {
                Some(outcome) => self.keep(*i, &outcome, batch),
                None => alone.push((*i, run)),
            }
        }
        for (i, run) in alone {
            if context.stopped() {
                return;
            }
            batch.hand_over_in_time();
            let begun = Stopwatch::start();
            match together {
                true => self.keep(i, &run.analysis.run(run.model, &run.context), batch),
                false => match run.analysis.run_served(run.model, &run.context) {
                    Ok(outcome) => self.keep(i, &outcome, batch),
                    Err(e) => batch.points.push(map.broken(i, e.message)),
                },
            }
            batch.last = begun.seconds();
        }
        batch.hand_over_in_time();
    }

    fn keep(&self, i: usize, outcome: &Outcome, batch: &mut Batch<'_>) {
        let point = self.map.keep(i, outcome);
        // Stopped on its way: not done.
        if point.status != Status::Partial || !self.context.stopped() {
            batch.points.push(point);
        }
    }
}

impl Batch<'_> {
    /// Hands over what is done, unless there is time for another point.
    fn hand_over_in_time(&mut self) {
        if self.since.seconds() + self.last.max(AT_ONCE) > HAND_OVER {
            self.hand_over();
        }
    }

    fn hand_over(&mut self) {
        let points = std::mem::take(&mut self.points);
        if !points.is_empty() {
            (self.out)(points);
        }
        self.since = Stopwatch::start();
    }
}
