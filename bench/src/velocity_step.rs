//! W4: one velocity step of a rate-and-state slider, the forward model of a fit; with derivatives in four parameters.
use crate::clock::{Answer, Bench, Enough, Job, processor_seconds};
use crate::options::Options;
use crate::table::{Row, largest, time};
use serde_json::json;
use stickslip::analyses::forward::{ParameterEntry, Quantity, Samples, forward, ways};
use stickslip::prelude::*;

/// Tolerances of ours, the loosest first.
const OURS: [f64; 7] = [1e-5, 1e-6, 1e-7, 3e-8, 1e-8, 1e-9, 1e-10];
/// The peer's.
const PEER: f64 = 1e-8;
/// With derivatives at most so many times the plain run.
const BAR: f64 = 6.0;
/// A fit of all parameters at most so many times the plain run.
const FIT_BAR: f64 = 200.0;
/// Tolerance of a fit's own motions.
const FIT_RTOL: f64 = 1e-9;
/// What is asked in place of the motion: all parameters from the record, from a start that is off by half.
const FIT: &str = r#"
[analysis]
kind = "fit"
starts = 1
records = [{ of = "velocity-step", file = "step.csv", columns = { time = "t", friction = "mu" } }]
parameters = [
    { parameter = "contact.friction.a", start = 0.006 },
    { parameter = "contact.friction.b", start = 0.008 },
    { parameter = "contact.friction.d_c", start = 1.5e-5 },
    { parameter = "structure.stiffness", start = 1500 },
]
"#;
/// Seconds for each tolerance.
const SECONDS: f64 = 0.3;

const SCENARIO: &str = r#"
structure = { kind = "spring-block", mass = "1e-6 kg", stiffness = "1000 N/m" }
drive = { kind = "pull", velocity = { points = [[0, 1e-6], [10, 1e-6], [10, 1e-5], [50, 1e-5]] } }
start = { state = "steady-sliding" }

[contact]
normal = { law = "constant", force = 1 }
friction = { law = "rate-state", form = "log", mu_0 = 0.6, a = 0.005, b = 0.01, v_0 = "1 um/s", d_c = "10 um" }
"#;
const MOTION: &str = "[analysis]\nkind = \"transient\"\nduration = 40\n";

const PARAMETERS: [(&str, f64); 4] = [
    ("contact.friction.a", 0.005),
    ("contact.friction.b", 0.01),
    ("contact.friction.d_c", 1e-5),
    ("structure.stiffness", 1000.0),
];

pub fn run(bench: &mut Bench, _: &Options) -> Result<Vec<Row>, String> {
    let scenario = Scenario::from_text("step", &format!("{SCENARIO}{MOTION}"), &[]).map_err(|e| e.to_string())?;
    let model = first(scenario.clone())?;
    let vary = |settings: &[(&str, f64)]| {
        let refused = |e: Diagnostics| stickslip::structures::Refused::new("", "bench", e.to_string());
        let set = settings.iter().try_fold(scenario.clone(), |s, (path, x)| s.set(path, *x)).map_err(refused)?;
        first(set).map_err(|e| stickslip::structures::Refused::new("", "bench", e))
    };
    let context = Context { vary: Some(&vary), ..Context::default() };
    let ways = ways(&PARAMETERS, &[[0.0, f64::INFINITY]; 4], &context)?;
    let times: Vec<f64> = (0..4001).map(|i| f64::from(i) * 0.01).collect();
    let truth = reference();
    let peer =
        bench.measure(&[Job::Peer(json!({ "work": "w4", "rtol": PEER }))], Enough::Stable { runs: 50, seconds: 2.0 });
    let peer = peer.into_iter().next().and_then(Result::ok).and_then(|m| match &m.answer {
        Answer::Values(answer) => Some((m.best, answer["off"].as_f64()?)),
        Answer::Ours(_) => None,
    });
    println!("\nW4 velocity step, 4,001 samples; numbalsoda at rtol {PEER:.0e}: {peer:?}");
    let mut best: Option<(f64, f64, f64)> = None;
    for rtol in OURS {
        let (plain, samples) = timed(&model, &times, rtol, None)?;
        let (sensed, _) = timed(&model, &times, rtol, Some(&ways))?;
        let off = largest(samples.values.iter().zip(&truth).map(|(a, b)| (a - b).abs()));
        let (shown, with) = (time(plain), time(sensed));
        println!("  ours rtol {rtol:.0e}: {shown}, error {off:.1e}, {} steps; with derivatives {with}", samples.steps);
        let good = peer.is_none_or(|p| off <= p.1);
        if good && best.is_none_or(|b| plain < b.0) {
            best = Some((plain, off, sensed));
        }
    }
    let (plain, off, sensed) = best.ok_or("no tolerance of ours has an error as small")?;
    let ratio = peer.map(|p| plain / p.0);
    let (own, _) = timed(&model, &times, FIT_RTOL, None)?;
    let (fitted, wrong) = fit(&times, &truth)?;
    println!("  fit of four parameters: {}; the plain run at its tolerance {}", time(fitted), time(own));
    Ok(vec![
        Row {
            work: "W4 velocity step".into(),
            peer,
            ours: Some((plain, off)),
            ratio,
            bar: "no slower than numbalsoda, no larger error".into(),
            met: ratio.map(|r| r <= 1.0),
        },
        Row {
            work: "W4 with derivatives, over plain".into(),
            peer: None,
            ours: Some((sensed, off)),
            ratio: Some(sensed / plain),
            bar: format!("{BAR}"),
            met: Some(sensed <= BAR * plain),
        },
        Row {
            work: "W4 fit of four parameters, over plain".into(),
            peer: None,
            ours: Some((fitted, wrong)),
            ratio: Some(fitted / own),
            bar: format!("{FIT_BAR}, truth to 1e-6"),
            met: Some(fitted <= FIT_BAR * own && wrong < 1e-6),
        },
    ])
}

/// Shortest seconds of a fit to the record, and its largest relative error.
fn fit(times: &[f64], mu: &[f64]) -> Result<(f64, f64), String> {
    let folder = std::env::temp_dir().join(format!("stickslip-bench-{}", std::process::id()));
    let rows: String = times.iter().zip(mu).map(|(t, mu)| format!("{t:?},{mu:?}\n")).collect();
    let wrote = std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(folder.join("step.csv"), "t,mu\n".to_string() + &rows));
    wrote.map_err(|e| e.to_string())?;
    let scenario =
        Scenario::from_text_in(&folder, "fit", &format!("{SCENARIO}{FIT}"), &[]).map_err(|e| e.to_string())?;
    let prepared = scenario.prepare().map_err(|e| e.to_string())?;
    let (mut best, mut spent, mut wrong) = (f64::INFINITY, 0.0, f64::NAN);
    while spent < SECONDS {
        let begin = processor_seconds();
        let dataset = scenario.run_prepared(&prepared, &Context::default());
        let once = processor_seconds() - begin;
        (best, spent) = (once.min(best), spent + once);
        let out = dataset.plain().ok_or("no result")?;
        let value = |path: &str| out.number(&format!("parameter.{path}")).unwrap_or(f64::NAN);
        wrong = largest(PARAMETERS.iter().map(|(path, truth)| (value(path) / truth - 1.0).abs()));
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok((best, wrong))
}

fn first(scenario: Scenario) -> Result<Model, String> {
    let cases = scenario.prepare().map_err(|e| e.to_string())?;
    cases.into_iter().next().map(|c| c.model).ok_or_else(|| "no case".into())
}

/// Shortest seconds of a run, and its samples.
fn timed(model: &Model, times: &[f64], rtol: f64, ways: Option<&[ParameterEntry]>) -> Result<(f64, Samples), String> {
    let (mut best, mut spent) = (f64::INFINITY, 0.0);
    loop {
        let begin = processor_seconds();
        let samples = forward(model, times, Quantity::Friction, rtol, ways)?;
        let once = processor_seconds() - begin;
        (best, spent) = (once.min(best), spent + once);
        if spent > SECONDS {
            return Ok((best, samples));
        }
    }
}

/// The same equations without inertia, by Runge and Kutta's method in ln th, 4,000 steps a second: good to 1e-12.
fn reference() -> Vec<f64> {
    let (a, b, d_c, k, mu_0, v_0) = (0.005, 0.01, 1e-5, 1000.0, 0.6, 1e-6_f64);
    let rates = |y: [f64; 2], drive: f64| {
        let v: f64 = v_0 * ((y[0] - mu_0 - b * (y[1] + (v_0 / d_c).ln())) / a).exp();
        [k * (drive - v), (-y[1]).exp() - v / d_c]
    };
    let mut y: [f64; 2] = [mu_0, (d_c / v_0).ln()];
    let h = 1.0 / 4000.0;
    let mut values = vec![];
    for i in 0..=160_000 {
        if i % 40 == 0 {
            values.push(y[0]);
        }
        let drive = if i < 40_000 { 1e-6 } else { 1e-5 };
        let moved = |k: [f64; 2], h: f64| [y[0] + h * k[0], y[1] + h * k[1]];
        let k1 = rates(y, drive);
        let k2 = rates(moved(k1, 0.5 * h), drive);
        let k3 = rates(moved(k2, 0.5 * h), drive);
        let k4 = rates(moved(k3, h), drive);
        y = [0, 1].map(|j| y[j] + h / 6.0 * (k1[j] + 2.0 * k2[j] + 2.0 * k3[j] + k4[j]));
    }
    values
}
