//! W2: a block on a belt with two Coulomb coefficients, event by event.
use crate::clock::{Answer, Bench, Job, Measured, prepared};
use crate::options::Options;
use crate::table::{Row, time};
use serde_json::json;
use stickslip::prelude::*;

const STATIC: f64 = 0.4;
const KINETIC: f64 = 0.25;
const SPEED: f64 = 0.1;
const PERIODS: usize = 10_000;
const DAMPINGS: [f64; 3] = [0.02, 0.1, 0.005];
const ACCURACY: f64 = 1e-12;

pub fn run(bench: &mut Bench, options: &Options) -> Result<Vec<Row>, String> {
    let asked = DAMPINGS.into_iter().enumerate().filter(|(k, _)| options.takes(*k));
    Ok(asked.map(|(_, damping)| case(bench, options, damping)).collect())
}

fn case(bench: &mut Bench, options: &Options, damping: f64) -> Row {
    let text = format!(
        r#"
        structure = {{ kind = "spring-block", mass = 1, stiffness = 1, damping = {damping} }}
        drive = {{ kind = "belt", velocity = {SPEED} }}
        start = {{ state = "stuck" }}
        analysis = {{ kind = "transient", duration = {{ cycles = {PERIODS} }} }}
        [contact]
        normal = {{ law = "constant", force = 1 }}
        friction = {{ law = "coulomb", mu_s = {STATIC}, mu_k = {KINETIC} }}
        "#
    );
    let ours = prepared("belt", &text);
    let theirs = Job::Peer(json!({ "work": "w2", "damping": damping, "periods": PERIODS }));
    let found = bench.measure(&[ours, theirs], Bench::rule(options));
    let exact = exact_period(damping);
    println!("\nW2 damping {damping}, {PERIODS} periods, exact period {exact:.15}");
    let mut sides = found.iter().zip(["ours", "heyoka"]).map(|(run, who)| match run.as_ref() {
        Err(why) => {
            println!("  {who}: not shown: {why}");
            None
        }
        Ok(run) => {
            let error = period(run).map_or(f64::NAN, |p| (p / exact - 1.0).abs());
            println!("  {who}: {} a run, error {error:.1e}{}", time(run.best), steps(run));
            Some((run.best / PERIODS as f64, error))
        }
    });
    let (ours, peer) = (sides.next().flatten(), sides.next().flatten());
    let ratio = ours.zip(peer).map(|(o, p)| o.0 / p.0);
    let good = ours.is_some_and(|o| o.1 <= ACCURACY);
    Row {
        work: format!("W2 damping {damping}, per period"),
        peer,
        ours,
        ratio,
        bar: format!("1 of heyoka, error {ACCURACY:.0e}"),
        met: if good { ratio.map(|r| r <= 1.0) } else { Some(false) },
    }
}

fn period(run: &Measured) -> Option<f64> {
    match &run.answer {
        Answer::Ours(outcome) => outcome.number("period").filter(|_| outcome.status == Status::Ok),
        Answer::Values(answer) => answer["period"].as_f64(),
    }
}

fn steps(run: &Measured) -> String {
    run.outcome().map_or(String::new(), |o| {
        let reason = o.reason.as_ref().map_or(String::new(), |r| format!(" ({r})"));
        format!("  {}{reason} steps {} events {}", o.status, o.health.steps, o.health.events)
    })
}

/// Slip is a damped oscillation about the kinetic force: its end by bisection, then the time of stick.
fn exact_period(damping: f64) -> f64 {
    let decay = 0.5 * damping;
    let omega = (1.0 - decay * decay).sqrt();
    let q0 = STATIC - damping * SPEED - KINETIC;
    let s0 = (SPEED + decay * q0) / omega;
    let at = |t: f64| {
        let ((sin, cos), shrink) = ((omega * t).sin_cos(), (-decay * t).exp());
        let q = shrink * (q0 * cos + s0 * sin);
        (q, shrink * omega * (s0 * cos - q0 * sin) - decay * q)
    };
    // The velocity starts at the belt's, falls below it and comes back in the second half turn.
    let mut high = std::f64::consts::PI / omega;
    while at(high).1 < SPEED {
        high += 1e-3;
        assert!(high < 7.0, "no stick: the damping is too large for a cycle");
    }
    let mut low = high - 1e-3;
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if at(middle).1 < SPEED { low = middle } else { high = middle }
    }
    high + (q0 - at(high).0) / SPEED
}

#[cfg(test)]
mod tests {
    #[test]
    fn without_damping_the_period_is_known() {
        // Slip turns by 2 pi - 2 atan(q0/v), stick goes 2 q0 at the belt's speed.
        let q0: f64 = super::STATIC - super::KINETIC;
        let turn = 2.0 * std::f64::consts::PI - 2.0 * (q0 / super::SPEED).atan();
        assert!((super::exact_period(0.0) - turn - 2.0 * q0 / super::SPEED).abs() < 1e-13);
    }
}
