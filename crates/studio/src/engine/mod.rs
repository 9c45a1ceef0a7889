//! Requests about a scenario, and answers as frames of bytes: the same in a browser and behind the server.
//!
//! A request is a JSON object: `op` (`check`, `run`, `report`), `name`, `text`, `files` (names and texts), and for `run`
//! `figures` (`true`, `false`; without it, where there is no motion to draw). A frame is a byte that names its kind, its
//! length (u32, little endian) and its content:
//!
//! - `p`: JSON `{ "part": 0.4 }`, the part done;
//! - `m`: JSON `{ "case": 0, "points": [..] }`, points of a map that are finished;
//! - `r`: the answer, the last frame. See [`answer`](mod@answer).
pub mod answer;
mod live;
mod request;

pub use request::Request;

use live::Live;
use serde_json::{Value as Json, json};
use std::sync::atomic::AtomicBool;
use stickslip::prelude::*;
use stickslip::report;
use stickslip::scenario::Prepared;

/// Most points of a map: larger ones are for the command line, which keeps finished points on the disk.
const MOST_POINTS: f64 = 1e6;

/// Takes frames: their kind and content. Any thread may send one.
pub type Send<'a> = &'a (dyn Fn(u8, &[u8]) + Sync);

/// Answers a request. The last frame is the answer, also where the request is wrong.
pub fn respond(request: &[u8], folder: Option<&std::path::Path>, stop: &AtomicBool, send: Send) {
    let bytes = match Request::read(request) {
        Ok(request) => answer_to(&request, folder, stop, send),
        Err(message) => answer::plain(&json!({ "ok": false, "error": message })),
    };
    send(b'r', &bytes);
}

fn answer_to(request: &Request, folder: Option<&std::path::Path>, stop: &AtomicBool, send: Send) -> Vec<u8> {
    let read = request.scenario(folder).and_then(|s| Ok((s.prepare()?, s)));
    let (cases, scenario) = match read {
        Ok(read) => read,
        Err(wrong) => return answer::plain(&answer::diagnostics(&wrong)),
    };
    if request.op == "check" {
        let spec: Vec<Json> = cases.iter().map(|c| json!({ "name": c.name, "spec": c.spec })).collect();
        return answer::plain(&json!({ "ok": true, "cases": spec }));
    }
    if let Some(count) = cases.iter().map(points).find(|n| *n > MOST_POINTS) {
        let message = format!("a map of {count:.3e} points is for the command line: stickslip run {}", request.name);
        return answer::plain(&json!({ "ok": false, "error": message }));
    }
    let dataset = run(&scenario, &cases, stop, send);
    if request.op == "report" {
        return answer::plain(&json!({ "ok": true, "html": report::html(&dataset, &dataset.summary(&[])) }));
    }
    let moves = dataset.cases.iter().any(|(_, o)| o.tables.iter().any(|t| t.name == "series"));
    let figures = if request.figures.unwrap_or(!moves) { report::figures(&dataset) } else { vec![] };
    answer::dataset(&dataset, &figures)
}

fn run(scenario: &Scenario, cases: &[Prepared], stop: &AtomicBool, send: Send) -> Dataset {
    let live = Live::new(send);
    let tick = |part: f64| live.part(part);
    let context = Context { progress: Some(&tick), stop: Some(stop), recorder: Some(&live), ..Context::default() };
    scenario.run_prepared(cases, &context)
}

/// Number of points of a map; 1 for anything else.
fn points(case: &Prepared) -> f64 {
    let axes = case.spec["analysis"]["axes"].as_array();
    let count = |axis: &Json| match &axis["values"] {
        Json::Array(values) => values.len() as f64,
        _ => axis["points"]["value"].as_f64().unwrap_or(1.0),
    };
    axes.map_or(1.0, |axes| axes.iter().map(count).product())
}
