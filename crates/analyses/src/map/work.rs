//! The work of a map: points shared out to all threads, recorded as they finish.
use super::Map;
use super::kept::Kept;
use crate::analysis::{Context, Run, Vary};
use crate::model::Model;
use crate::nested;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use stickslip_data::{Finished, Outcome, Status};

/// Most work of a thread that a kill may lose, s.
const MOST_TO_LOSE: f64 = 0.2;
/// Work that a thread takes at once, s: small against the above, so that threads end together.
const AT_ONCE: f64 = 0.05;
/// Points that a thread takes at once at most: enough to fill lanes, few enough that their models need little room.
const MOST_AT_ONCE: usize = 64;

/// Points that are being worked on.
pub struct Work<'a> {
    map: &'a Map,
    context: &'a Context<'a>,
    /// Points that cost hardly more than one.
    abreast: usize,
    /// Points that an earlier run has done.
    known: Vec<bool>,
    kept: Mutex<Kept>,
    next: AtomicUsize,
    done: AtomicUsize,
    trouble: Mutex<Option<String>>,
}

/// Points of one thread that are done but not recorded.
struct Batch {
    points: Vec<Finished>,
    since: Instant,
    /// Time that the last point took, s.
    last: f64,
}

impl<'a> Work<'a> {
    pub fn new(map: &'a Map, model: &Model, context: &'a Context<'a>) -> Self {
        let mut kept = Kept::new(map.count(), map.collect.len());
        let read = context.recorder.map(|r| r.known(context.case, &mut |point| kept.put(point)));
        let trouble = read.and_then(Result::err).map(|e| format!("recorded points can't be read: {e}"));
        let known = kept.done();
        let done = known.iter().filter(|k| **k).count();
        Work {
            map,
            context,
            abreast: map.each.abreast(model),
            known,
            kept: Mutex::new(kept),
            next: AtomicUsize::new(0),
            done: AtomicUsize::new(done),
            trouble: Mutex::new(trouble),
        }
    }

    /// Does everything that is left: what is kept, how many points were known, and what went wrong with the records.
    pub fn finish(self) -> (Kept, usize, Option<String>) {
        let known = self.done.load(Ordering::Relaxed);
        self.report();
        rayon::scope(|scope| {
            for _ in 0..rayon::current_num_threads() {
                scope.spawn(|_| self.share());
            }
        });
        let inner = |e: std::sync::PoisonError<Kept>| e.into_inner();
        (self.kept.into_inner().unwrap_or_else(inner), known, self.trouble.into_inner().unwrap_or_default())
    }

    fn report(&self) {
        self.context.report(self.done.load(Ordering::Relaxed) as f64 / self.known.len() as f64);
    }

    /// The work of one thread.
    fn share(&self) {
        let mut batch = Batch { points: vec![], since: Instant::now(), last: 0.0 };
        let mut size = self.abreast;
        while !self.context.stopped() {
            let start = self.next.fetch_add(size, Ordering::Relaxed);
            if start >= self.known.len() {
                break;
            }
            let todo: Vec<usize> = (start..(start + size).min(self.known.len())).filter(|i| !self.known[*i]).collect();
            if todo.is_empty() {
                continue;
            }
            let begun = Instant::now();
            if batch.points.is_empty() {
                batch.since = begun;
            }
            self.chunk(&todo, &mut batch);
            // Twice as many at most: points about the next corner may be slower.
            let pace = begun.elapsed().as_secs_f64() / todo.len() as f64;
            let left = self.known.len().saturating_sub(start + size);
            let fair = (left / (2 * rayon::current_num_threads())).max(1);
            size = (2 * size).min((AT_ONCE / pace) as usize).min(fair).clamp(self.abreast, MOST_AT_ONCE);
        }
        self.record(&mut batch);
    }

    /// Points in their order; those that can go side by side do, the others follow one by one.
    fn chunk(&self, todo: &[usize], batch: &mut Batch) {
        let (map, context) = (self.map, self.context);
        let mut served: Vec<(usize, Model)> = vec![];
        for i in todo {
            let model = context.model_at(&map.place(*i)).and_then(|model| match map.each.refuse(&model) {
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
        for (((i, _), run), outcome) in served.iter().zip(&runs).zip(map.each.side_by_side(&runs)) {
            match outcome {
                Some(outcome) => self.keep(*i, &outcome, batch),
                None => alone.push((*i, run)),
            }
        }
        for (i, run) in alone {
            if context.stopped() {
                return;
            }
            self.record_in_time(batch);
            let begun = Instant::now();
            self.keep(i, &run.analysis.run(run.model, &run.context), batch);
            batch.last = begun.elapsed().as_secs_f64();
        }
        self.record_in_time(batch);
    }

    fn keep(&self, i: usize, outcome: &Outcome, batch: &mut Batch) {
        let point = self.map.keep(i, outcome);
        // Stopped on its way: not done.
        if point.status != Status::Partial || !self.context.stopped() {
            batch.points.push(point);
        }
    }

    /// Records what is done, unless there is time for another point.
    fn record_in_time(&self, batch: &mut Batch) {
        if batch.since.elapsed().as_secs_f64() + batch.last.max(AT_ONCE) > MOST_TO_LOSE {
            self.record(batch);
        }
    }

    fn record(&self, batch: &mut Batch) {
        let points = std::mem::take(&mut batch.points);
        if !points.is_empty() {
            let recorded = self.context.recorder.map(|r| r.record(self.context.case, &points));
            if let (Some(Err(e)), Ok(mut trouble)) = (recorded, self.trouble.lock()) {
                trouble.get_or_insert_with(|| format!("finished points can't be recorded: {e}"));
            }
            self.done.fetch_add(points.len(), Ordering::Relaxed);
            if let Ok(mut kept) = self.kept.lock() {
                points.into_iter().for_each(|point| kept.put(point));
            }
            self.report();
        }
        batch.since = Instant::now();
    }
}
