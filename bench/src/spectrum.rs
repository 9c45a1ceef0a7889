//! F3: the 20 eigenvalues nearest to 3i of a meshed body on a belt, with vectors and true residuals.
use crate::body::Body;
use crate::clock::{Answer, Bench, Job, Measured};
use crate::options::Options;
use crate::system::{Folder, side};
use crate::table::Row;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use stickslip::solve::quadratic::{Near, Problem};
use stickslip::solve::sparse::{Complex, Order};

/// Part of the peer's time that ours may take.
const BAR: f64 = 0.9;
const SHIFT: f64 = 3.0;
const COUNT: usize = 20;
/// Values that differ by less are the same.
const SAME: f64 = 1e-7;

const CASES: [(&str, bool); 2] = [("F3 19,740", false), ("F3 19,740, triangles", true)];

pub fn run(bench: &mut Bench, options: &Options) -> Result<Vec<Row>, String> {
    let asked = CASES.iter().enumerate().filter(|(k, _)| options.takes(*k));
    asked.map(|(_, case)| measured(bench, options, case)).collect()
}

fn ours(body: Arc<Body>) -> Job {
    Job::Computed(Box::new(move || {
        let problem = Problem { mass: &body.mass, damping: &body.damping, stiffness: &body.stiffness };
        let order = Order { points: Some(&body.points), last: &[] };
        let found = Near::new(Complex::new(0.0, SHIFT), COUNT).modes(&problem, order);
        Box::new(move || {
            let modes = found.map_err(|e| e.to_string())?;
            let values: Vec<Json> = modes.iter().map(|mode| json!([mode.value.re, mode.value.im])).collect();
            let residual = modes.iter().map(|mode| mode.residual).fold(0.0, f64::max);
            Ok(json!({ "values": values, "residual": residual }))
        })
    }))
}

fn values(run: &Result<Measured, String>) -> Vec<Complex> {
    let Ok(Measured { answer: Answer::Values(answer), .. }) = run else { return vec![] };
    let number = |x: &Json| x.as_f64().unwrap_or(f64::NAN);
    answer["values"]
        .as_array()
        .iter()
        .flat_map(|v| v.iter())
        .map(|v| Complex::new(number(&v[0]), number(&v[1])))
        .collect()
}

fn measured(bench: &mut Bench, options: &Options, case: &(&str, bool)) -> Result<Row, String> {
    let body = Arc::new(if case.1 { Body::triangles(70, 35) } else { Body::squares(70, 35) });
    let folder = Folder::of(&body)?;
    let theirs = json!({ "work": "f3", "folder": folder.path(), "shift": SHIFT, "count": COUNT, "system": true });
    let runs = bench.measure(&[ours(body), Job::Peer(theirs)], Bench::rule(options));
    println!("\n{}", case.0);
    let [ours, peer] = [0, 1].map(|k| side(&runs[k], ["ours", "SLEPc"][k]));
    let (own, other) = (values(&runs[0]), values(&runs[1]));
    let near = |x: &Complex| other.iter().map(|y| (x - y).norm()).fold(f64::INFINITY, f64::min);
    let off = own.iter().map(near).fold(0.0, f64::max);
    if let Some(first) = own.iter().max_by(|x, y| x.re.total_cmp(&y.re)) {
        println!("  rightmost {first:.8}, largest difference of a value {off:.1e}");
    }
    let ratio = ours.zip(peer).map(|(o, p)| o.0 / p.0);
    let right = own.len() == COUNT && (peer.is_none() || off <= SAME);
    Ok(Row {
        work: case.0.into(),
        peer,
        ours,
        ratio,
        bar: format!("{BAR} of SLEPc, the same values"),
        met: if right { ratio.map(|r| r <= BAR) } else { Some(false) },
    })
}
