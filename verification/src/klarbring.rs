//! Searches over runs of Klarbring's mass.
use crate::rows::measure;
use crate::searches::{Found, at, bisect};
use crate::trusted;
use stickslip::analyses::{Output, Over, Probe};
use stickslip::laws::Mode;
use stickslip::prelude::*;

/// Runs the search of that name; None when there is none.
pub fn find(name: &str, scenario: &Scenario) -> Option<Found> {
    Some(match name {
        "slip frequency" => {
            let square = slip_stiffness(scenario);
            vec![("omega", square.max(0.0).sqrt()), ("growth", (-square).max(0.0).sqrt())]
        }
        "friction without slip stiffness" => critical_friction(scenario),
        "free frequencies" => free_frequencies(scenario),
        "error as printed" => printed_error(scenario),
        "edge of separation" => edge_of_separation(scenario),
        "limit of stick" => limit_of_stick(scenario),
        "sector of several states" => sector(scenario),
        "pulse that ends stick" => vec![("leaves", pulse(scenario, [0.5, 1.5], |o| o.events.is_empty()))],
        "pulse that separates" => {
            let returns = |o: &Outcome| measure(o, "mode_last") == Some(Mode::Stick as u8 as f64);
            vec![("separates", pulse(scenario, [1.7506784052549866, 1.8506784052549867], returns))]
        }
        _ => return None,
    })
}

/// Probes of a quantity.
fn probed(scenario: &Scenario, quantity: &str, times: &[f64]) -> Vec<f64> {
    let probe =
        Probe { quantity: quantity.into(), contact: None, name: None, point: None, over: Over::Times(times.to_vec()) };
    let context = Context { output: Output { probes: vec![probe], ..Output::default() }, ..Context::default() };
    let dataset = scenario.run(&context).unwrap_or_else(|e| panic!("{e}"));
    let out = dataset.plain().expect("no cases");
    assert_eq!(out.verdict(), (Status::Ok, None), "{}", scenario.name());
    let look = |k| measure(out, &format!("probe.{quantity}[{k}]")).expect("a probe");
    (0..times.len()).map(look).collect()
}

/// Square of the frequency in slip from rest under a growing load, v = A (1 - cos(w t)): negative where slip grows.
fn slip_stiffness(scenario: &Scenario) -> f64 {
    const T: f64 = 0.5;
    let v = probed(scenario, "rate.x", &[T, 2.0 * T]);
    // 1 - cos(w T) without cancellation.
    let versine = 2.0 - v[1] / (2.0 * v[0]);
    let half = (0.5 * versine.abs()).sqrt();
    let angle = 2.0 * if versine > 0.0 { half.asin() } else { half.asinh() };
    angle * angle * versine.signum() / (T * T)
}

/// Friction at which slip has no stiffness: its square of the frequency is a line in the coefficient.
fn critical_friction(scenario: &Scenario) -> Found {
    let at = |mu: f64| {
        let changed = scenario.clone().set("contact.friction.mu", mu).unwrap_or_else(|e| panic!("{e}"));
        slip_stiffness(&changed)
    };
    let (a, b) = (at(0.25), at(0.75));
    vec![("critical", 0.25 + 0.5 * a / (a - b))]
}

/// Both frequencies of free motion from rest: cos(w T) from four equally spaced values.
fn free_frequencies(scenario: &Scenario) -> Found {
    let s = probed(scenario, "x", &[0.0, 1.0, 2.0, 3.0]);
    // s_(k+2) + s_(k-2) - p (s_(k+1) + s_(k-1)) + q s_k = 0 with p = 2 (c1 + c2), q = 2 + 4 c1 c2, for k = 0 and 1.
    let (a, b, c) = (-2.0 * s[1], s[0], -2.0 * s[2]);
    let (d, e, f) = (-(s[2] + s[0]), s[1], -(s[3] + s[1]));
    let det = a * e - b * d;
    let (p, q) = ((c * e - b * f) / det, (a * f - c * d) / det);
    let (sum, product) = (0.5 * p, 0.25 * (q - 2.0));
    let root = (0.25 * sum * sum - product).sqrt();
    vec![("omega_1", (0.5 * sum + root).acos()), ("omega_2", (0.5 * sum - root).acos())]
}

/// Distance of the scheme as printed from the exact motion.
fn printed_error(scenario: &Scenario) -> Found {
    let exact = crate::scenario("klarbring.toml", &["analysis.duration=25".to_string()]);
    let times = [9.0, 25.0];
    let motion = |s: &Scenario| [probed(s, "x", &times), probed(s, "y", &times)];
    let (a, b) = (motion(scenario), motion(&exact));
    let error = |k: usize| (a[0][k] - b[0][k]).hypot(a[1][k] - b[1][k]);
    vec![("error_9", error(0)), ("error_25", error(1))]
}

/// Largest tangential velocity at the start that ends in separation.
fn edge_of_separation(scenario: &Scenario) -> Found {
    let first = trusted(scenario).events.first().map_or(0.0, |e| e.rates_before[1]);
    let shift = 1.25 * first.min(0.0);
    let open = |v: f64| measure(&at(scenario, "start.rates.x", v), "mode_last") == Some(Mode::Open as u8 as f64);
    vec![("edge", bisect(shift - 0.5, shift - 0.2, 1e-14, open))]
}

/// Coordinate at which a mass at rest starts to slip.
fn limit_of_stick(scenario: &Scenario) -> Found {
    let slips = |x: f64| measure(&at(scenario, "start.values.x", x), "mode_first") != Some(Mode::Stick as u8 as f64);
    vec![("limit", bisect(-4.0, -3.0, 1e-13, slips))]
}

/// Smallest peak of the pulse for which something no longer holds.
fn pulse(scenario: &Scenario, [a, b]: [f64; 2], holds: impl Fn(&Outcome) -> bool) -> f64 {
    let with = |peak: f64| {
        let changed = scenario.clone().set("drive[1].force[1].pulse.peak", peak).unwrap_or_else(|e| panic!("{e}"));
        trusted(&changed)
    };
    bisect(a, b, 1e-12, |peak| holds(&with(peak)))
}

/// Directions of the load rates, in degrees, between which there are several states, and the unit vector half-way.
fn sector(scenario: &Scenario) -> Found {
    let one = |angle: f64| measure(&at(scenario, "parameters.angle", angle), "states_count") == Some(1.0);
    let last = bisect(230.0, 222.0, 1e-14, one);
    let first = bisect(210.0, 222.0, 1e-14, one);
    let middle = (0.5 * (first + last)).to_radians();
    vec![("first", last), ("last", first), ("bisector_x", middle.cos()), ("bisector_y", middle.sin())]
}
