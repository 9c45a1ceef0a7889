//! Searches over runs of the rigid block.
use crate::searches::{Found, at, bisect};
use crate::{column, number, trusted};
use stickslip::analyses::Formulation;
use stickslip::prelude::*;

/// Runs the search of that name; None when there is none.
pub fn find(name: &str, scenario: &Scenario) -> Option<Found> {
    Some(match name {
        "loss of full contact" => loss_of_full_contact(scenario),
        "impact" => impact(scenario),
        "first stick" => first_stick(scenario),
        "normal cycle" => normal_cycle(scenario),
        "stick" => stick(scenario),
        _ => return None,
    })
}

/// Friction coefficient at which the front end of the bottom, 48.8 cm long, begins to lift in steady sliding.
fn loss_of_full_contact(scenario: &Scenario) -> Found {
    let touches = |mu: f64| {
        let out = at(scenario, "contact.friction.mu", mu);
        let of = |name: &str| number(&out, name).expect("an equilibrium");
        of("equilibrium.y") > 0.244 * of("equilibrium.theta")
    };
    vec![("mu", bisect(0.5, 1.2, 1e-11, touches))]
}

/// A fall onto the whole bottom until it leaves again.
fn impact(scenario: &Scenario) -> Found {
    let out = trusted(scenario);
    let (t, y, v) = (column(&out, "series", "t"), column(&out, "series", "y"), column(&out, "series", "rate.y"));
    let force = column(&out, "series", "normal_force");
    let leaves = (1..y.len()).find(|&i| y[i] <= 0.0 && v[i] < 0.0 && t[i] > 0.0).expect("it leaves");
    let (a, b) = (leaves - 1, leaves);
    // The cubic through both ends and their rates.
    let h = t[b] - t[a];
    let place = |s: f64| {
        let (d0, d1, rise) = (v[a] * h, v[b] * h, y[b] - y[a]);
        y[a] + s * (d0 + s * (3.0 * rise - 2.0 * d0 - d1 + s * (d0 + d1 - 2.0 * rise)))
    };
    let s = bisect(0.0, 1.0, 1e-13, |s| place(s) > 0.0);
    let speed = {
        let (d0, d1, rise) = (v[a] * h, v[b] * h, y[b] - y[a]);
        -(d0 + s * (2.0 * (3.0 * rise - 2.0 * d0 - d1) + s * 3.0 * (d0 + d1 - 2.0 * rise))) / h
    };
    let deepest = (1..b).max_by(|i, j| y[*i].total_cmp(&y[*j])).expect("rows");
    let top = |x: &[f64]| (1..b).map(|i| x[i]).fold(0.0, f64::max);
    // The turning point lies beside the deepest row: y + v^2/(2 |a|), with the acceleration between its neighbours.
    let slope = (v[deepest + 1] - v[deepest - 1]) / (t[deepest + 1] - t[deepest - 1]);
    let depth = y[deepest] - 0.5 * v[deepest] * v[deepest] / slope;
    vec![
        ("restitution", speed / v[0]),
        ("depth", depth),
        ("speed", speed),
        ("loss", 0.5 * 450.0 * (v[0] * v[0] - speed * speed)),
        ("force", top(force)),
        ("duration", t[a] + s * h),
    ]
}

/// When the slip velocity first falls below the width of the smoothing, a tenth of the belt's velocity.
fn first_stick(scenario: &Scenario) -> Found {
    let out = trusted(scenario);
    let (t, slip) = (column(&out, "series", "t"), column(&out, "series", "slip_velocity"));
    let width = 0.1 * slip[0];
    let i = (1..t.len()).find(|&i| slip[i] < width).expect("it sticks");
    vec![("t", t[i - 1] + (t[i] - t[i - 1]) * (slip[i - 1] - width) / (slip[i - 1] - slip[i]))]
}

/// A slip velocity below the width for longer than this is stick that a look at the spring would show.
const MACROSCOPIC: f64 = 0.02;

/// Whether the settled half of a run holds macroscopic stick, and what the regime of the run says of it.
fn stick(scenario: &Scenario) -> Found {
    let out = trusted(scenario);
    let prepared = scenario.prepare().unwrap_or_else(|e| panic!("{e}"));
    let Formulation::Regularised { width, .. } = prepared[0].model.formulation else {
        panic!("friction that is not smoothed");
    };
    let (t, slip) = (column(&out, "series", "t"), column(&out, "series", "slip_velocity"));
    let half = 0.5 * t[t.len() - 1];
    let (mut longest, mut since) = (0.0f64, None);
    for (t, slip) in t.iter().zip(slip).filter(|(t, _)| **t >= half) {
        since = if slip.abs() < width { since.or(Some(*t)) } else { None };
        longest = longest.max(since.map_or(0.0, |since| t - since));
    }
    let yes = |is: bool| if is { 1.0 } else { 0.0 };
    let read = |name: &'static str| (name, number(&out, name).unwrap_or(f64::NAN));
    vec![
        ("stick", yes(longest > MACROSCOPIC)),
        ("stick_slip", yes(out.regime.as_deref() == Some("stick-slip"))),
        ("mean", number(&out, "probe.x.mean").unwrap_or(f64::NAN)),
        ("lowest", number(&out, "probe.x.min").unwrap_or(f64::NAN)),
        read("frequency"),
        read("amplitude_pp"),
    ]
}

/// Frequency of the normal motion over the last fifth of a run.
fn normal_cycle(scenario: &Scenario) -> Found {
    let out = trusted(scenario);
    let (t, v) = (column(&out, "series", "t"), column(&out, "series", "rate.y"));
    let from = 0.8 * t[t.len() - 1];
    let ups: Vec<f64> = (1..t.len())
        .filter(|&i| t[i] >= from && v[i - 1] < 0.0 && v[i] >= 0.0)
        .map(|i| t[i] - (t[i] - t[i - 1]) * v[i] / (v[i] - v[i - 1]))
        .collect();
    let of = |name: &str| number(&out, name).expect("a probe");
    vec![
        ("frequency", (ups.len() - 1) as f64 / (ups[ups.len() - 1] - ups[0])),
        ("lowest", of("probe.rate.y.min")),
        ("highest", of("probe.rate.y.max")),
        ("mean", of("probe.x.mean")),
    ]
}
