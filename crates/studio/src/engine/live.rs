//! What a run sends before its end: the part done, and points of maps.
use super::Send;
use serde_json::{Value as Json, json};
use std::sync::atomic::{AtomicU32, Ordering};
use stickslip::data::{Cell, DataError, Finished, Recorder};

/// Steps in which the part done is sent.
const STEPS: f64 = 200.0;

/// Sends what a run reports.
pub struct Live<'a> {
    send: Send<'a>,
    sent: AtomicU32,
}

impl<'a> Live<'a> {
    pub fn new(send: Send<'a>) -> Live<'a> {
        Live { send, sent: AtomicU32::new(0) }
    }

    /// The part done, sent where it has grown enough to be seen.
    pub fn part(&self, part: f64) {
        let step = (part.clamp(0.0, 1.0) * STEPS) as u32;
        if self.sent.fetch_max(step, Ordering::Relaxed) < step {
            (self.send)(b'p', json!({ "part": part }).to_string().as_bytes());
        }
    }
}

impl Recorder for Live<'_> {
    fn known(&self, _: usize, _: &mut dyn FnMut(Finished)) -> Result<(), DataError> {
        Ok(())
    }

    fn record(&self, case: usize, points: &[Finished]) -> Result<(), DataError> {
        let cell = |cell: &Cell| match cell {
            Cell::Missing => Json::Null,
            Cell::Number(x, _) => json!(x),
            Cell::Numbers(list, _) => json!(list),
            Cell::Word(word, _) => json!(word),
        };
        let point = |p: &Finished| {
            let cells: Vec<Json> = p.cells.iter().map(cell).collect();
            json!({ "index": p.index, "status": p.status.as_str(), "cells": cells })
        };
        let points: Vec<Json> = points.iter().map(point).collect();
        (self.send)(b'm', json!({ "case": case, "points": points }).to_string().as_bytes());
        Ok(())
    }
}
