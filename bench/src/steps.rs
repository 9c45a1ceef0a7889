//! N1: a block on a belt under Coulomb's law, in steps of fixed length; N1c: a chain of 100 of them.
use crate::clock::{Answer, Bench, Job, Measured, prepared};
use crate::options::Options;
use crate::table::{Row, largest, time};
use serde_json::json;
use stickslip::prelude::*;

/// Friction force, belt speed; mass, stiffness and coupling are 1.
const FORCE: f64 = 0.5;
const SPEED: f64 = 0.2;
const BLOCKS: usize = 100;
/// Errors of one scheme that differ by less than this factor are equal.
const SAME: f64 = 1.001;
/// A chain's reference takes steps so much shorter.
const FINER: f64 = 64.0;

struct Case {
    name: &'static str,
    blocks: usize,
    step: f64,
    duration: f64,
    /// How many times faster than the peer.
    bar: f64,
}

const CASES: [Case; 2] = [
    Case { name: "N1 block", blocks: 1, step: 1e-3, duration: 20.0, bar: 50.0 },
    Case { name: "N1c chain of 100", blocks: BLOCKS, step: 1e-2, duration: 5.0, bar: 100.0 },
];

pub fn run(bench: &mut Bench, options: &Options) -> Result<Vec<Row>, String> {
    let asked = CASES.iter().enumerate().filter(|(k, _)| options.takes(*k));
    asked.map(|(_, case)| measured(bench, options, case)).collect()
}

fn scenario(case: &Case, step: f64) -> Job {
    let start = match case.blocks {
        1 => String::new(),
        n => format!(", values = {{ x = \"0.3*sin(2*pi*(i-1)/{n})\" }}"),
    };
    let probes: Vec<String> = match case.blocks {
        1 => vec![],
        n => (1..=n).map(|i| format!("{{ quantity = \"x{i}\", at = [{}] }}", case.duration)).collect(),
    };
    let text = format!(
        r#"
        structure = {{ kind = "chain", blocks = {}, mass = 1, coupling = 1, stiffness = 1 }}
        drive = {{ kind = "belt", velocity = {SPEED} }}
        start = {{ state = "stuck"{start} }}
        formulation = {{ kind = "time-stepping", step = {step:e} }}
        analysis = {{ kind = "transient", duration = {} }}
        contact.normal = {{ law = "constant", force = 1 }}
        contact.friction = {{ law = "coulomb", mu = {FORCE} }}
        output.probes = [{}]
        "#,
        case.blocks,
        case.duration,
        probes.join(", ")
    );
    prepared("steps", &text)
}

/// What is compared: twice the swing of the block beyond where friction holds it, which is its amplitude; the coordinates of the chain at the end.
fn found(case: &Case, run: &Measured) -> Option<Vec<f64>> {
    match (&run.answer, case.blocks) {
        (Answer::Ours(out), _) if out.status != Status::Ok => None,
        (Answer::Ours(out), 1) => out.number("amplitude_pp").map(|x| vec![x]),
        (Answer::Ours(out), n) => (1..=n)
            .map(|i| match &out.value(&format!("probe.x{i}"))?.value {
                Value::List(at) => at.first().copied(),
                _ => None,
            })
            .collect(),
        (Answer::Values(answer), 1) => answer["largest"].as_f64().map(|x| vec![2.0 * (x - FORCE)]),
        (Answer::Values(answer), _) => answer["end"].as_array()?.iter().map(|x| x.as_f64()).collect(),
    }
}

fn measured(bench: &mut Bench, options: &Options, case: &Case) -> Result<Row, String> {
    let theirs = json!({ "work": "n1", "blocks": case.blocks, "step": case.step, "duration": case.duration });
    let runs = bench.measure(&[scenario(case, case.step), Job::Peer(theirs)], Bench::rule(options));
    // The block sticks until its spring holds the friction, then swings about that place; a chain has no closed form.
    let exact = match case.blocks {
        1 => vec![2.0 * SPEED],
        _ => {
            let fine = bench.measure(&[scenario(case, case.step / FINER)], crate::clock::Enough::Turns(1)).remove(0)?;
            found(case, &fine).ok_or("the reference of the chain failed")?
        }
    };
    let steps = (case.duration / case.step).round();
    println!("\n{}, {steps} steps of {:e} s", case.name, case.step);
    let sides = runs.iter().zip(["ours", "Siconos"]).map(|(run, who)| match run {
        Err(why) => {
            println!("  {who}: not shown: {why}");
            None
        }
        Ok(run) => {
            let off = |x: Vec<f64>| largest(x.iter().zip(&exact).map(|(a, b)| (a - b).abs()));
            let error = found(case, run).map_or(f64::NAN, off);
            println!("  {who}: {} a run, {} a step, error {error:.1e}", time(run.best), time(run.best / steps));
            Some((run.best / steps, error))
        }
    });
    let mut sides = sides.collect::<Vec<_>>().into_iter();
    let (ours, peer) = (sides.next().flatten(), sides.next().flatten());
    let ratio = ours.zip(peer).map(|(o, p)| o.0 / p.0);
    let right = ours.is_some_and(|o| o.1.is_finite());
    let no_worse = ours.zip(peer).is_none_or(|(o, p)| o.1 <= SAME * p.1);
    Ok(Row {
        work: format!("{}, per step", case.name),
        peer,
        ours,
        ratio,
        bar: format!("1/{} of Siconos, no larger error", case.bar),
        met: if right && no_worse { ratio.map(|r| r <= 1.0 / case.bar) } else { Some(false) },
    })
}
