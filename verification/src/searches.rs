//! Reference numbers that need a search over runs. Each goes through the public path, run by run.
use crate::{block, klarbring, number, rows::measure, trusted};
use stickslip::analyses::{Output, Over, Probe};
use stickslip::prelude::*;

/// What a search found, by name.
pub type Found = Vec<(&'static str, f64)>;

/// Runs the search of that name on a scenario.
pub fn find(name: &str, scenario: &Scenario) -> Found {
    match name {
        "resonance" => resonance(scenario),
        "non-stop limit" => non_stop_limit(scenario),
        "fastest stick-slip" => fastest_stick_slip(scenario),
        "resonance bound" => resonance_bound(scenario),
        "first peak" => first_peak(scenario),
        "largest dissipation" => largest_dissipation(scenario),
        "largest critical stiffness" => largest_critical_stiffness(scenario),
        "lowest steady friction" => lowest_steady_friction(scenario),
        "friction for an amplitude of 1.85" => friction_for_amplitude(scenario),
        "limit of the lowest peak" => limit_of_lowest_peak(scenario),
        _ => klarbring::find(name, scenario)
            .or_else(|| block::find(name, scenario))
            .unwrap_or_else(|| panic!("there is no search `{name}`")),
    }
}

pub(crate) fn at(scenario: &Scenario, path: &str, x: f64) -> Outcome {
    trusted(&scenario.clone().set(path, x).unwrap_or_else(|e| panic!("{e}")))
}

/// Halves an interval until it can't be halved; `low` says whether a value lies below the limit.
pub(crate) fn bisect(mut a: f64, mut b: f64, closeness: f64, low: impl Fn(f64) -> bool) -> f64 {
    assert!(low(a) && !low(b), "the limit is not between {a} and {b}");
    while (b - a).abs() > closeness * a.abs().max(b.abs()) {
        let m = 0.5 * (a + b);
        if low(m) { a = m } else { b = m }
    }
    0.5 * (a + b)
}

/// Vertex of the parabola through three equally spaced points.
fn vertex(x: f64, h: f64, [left, middle, right]: [f64; 3]) -> (f64, f64) {
    let (slope, bend) = (0.5 * (right - left), left - 2.0 * middle + right);
    let s = -slope / bend;
    (x + s * h, middle + s * slope + 0.5 * s * s * bend)
}

/// Largest amplitude over the frequency ratio, and where: parabolas around ever closer points.
fn resonance(scenario: &Scenario) -> Found {
    let amplitude = |r: f64| number(&at(scenario, "parameters.r", r), "amplitude_pp").expect("an amplitude") / 2.0;
    let (mut r, mut most, mut h) = (1.0, 0.0, 2e-3);
    for _ in 0..4 {
        (r, most) = vertex(r, h, [amplitude(r - h), amplitude(r), amplitude(r + h)]);
        h *= 0.5;
    }
    vec![("r", r), ("amplitude", most)]
}

/// Largest friction at which the settled motion has no stick.
fn non_stop_limit(scenario: &Scenario) -> Found {
    let runs_on = |f: f64| {
        let out = at(scenario, "contact.friction.mu", f);
        let half = 0.5 * out.events.last().expect("events").t;
        !out.events.iter().any(|e| e.t > half && e.to == "stick")
    };
    vec![("limit", bisect(0.5, 0.95, 1e-8, runs_on))]
}

/// Largest belt speed at which slip ends in stick again. Each cycle starts from the same break-away: one is enough.
fn fastest_stick_slip(scenario: &Scenario) -> Found {
    let sticks_again = |v: f64| at(scenario, "drive.velocity", v).events.iter().any(|e| e.to == "stick");
    vec![("velocity", bisect(0.3, 0.8, 1e-9, sticks_again))]
}

/// Friction at which the resonant amplitude neither grows nor falls, from a start in phase with the force.
fn resonance_bound(scenario: &Scenario) -> Found {
    let grows = |f: f64| {
        let out = at(scenario, "contact.friction.mu", f);
        let first = out.events.first().expect("events").coordinates[0].abs();
        let last = out.events.last().expect("events").coordinates[0].abs();
        last > first
    };
    vec![("limit", bisect(0.7, 0.9, 1e-14, grows))]
}

/// Largest loop area over the limit of a Jenkins element, and where: the area is a parabola in the limit.
fn largest_dissipation(scenario: &Scenario) -> Found {
    let area = |f: f64| measure(&at(scenario, "contact.friction.limit", f), "loop_area").expect("an area");
    let (limit, area) = vertex(0.25, 0.1, [area(0.15), area(0.25), area(0.35)]);
    vec![("limit", limit), ("area", area)]
}

/// Speed at which the stiffness that keeps sliding steady is largest: a parabola through ever closer points.
fn largest_critical_stiffness(scenario: &Scenario) -> Found {
    let critical = |v: f64| measure(&at(scenario, "drive.velocity", v), "critical[0]").expect("a critical stiffness");
    let (mut v, mut k) = (5e-4, 0.0);
    for step in [1e-4, 3e-5, 1e-5, 3e-6] {
        (v, k) = vertex(v, step, [critical(v - step), critical(v), critical(v + step)]);
    }
    vec![("velocity", v), ("stiffness", k)]
}

/// Speed at which steady friction is lowest: its slope changes sign.
fn lowest_steady_friction(scenario: &Scenario) -> Found {
    let falls =
        |v: f64| measure(&at(scenario, "analysis.inputs.velocity", v), "steady_slope[0]").expect("a slope") < 0.0;
    vec![("velocity", bisect(1e-4, 1e-2, 1e-9, falls))]
}

/// Limit of a damper at which the peak of the response over the frequency is lowest: parabolas around ever closer points.
fn limit_of_lowest_peak(scenario: &Scenario) -> Found {
    let peak = |f: f64| number(&at(scenario, "contact.friction.limit", f), "peak.amplitude").expect("a peak");
    let mut limit = 1.5;
    for h in [0.03, 3e-3, 5e-4] {
        limit = vertex(limit, h, [peak(limit - h), peak(limit), peak(limit + h)]).0;
    }
    vec![("limit", limit)]
}

/// Friction that holds the amplitude of forced motion to 1.85: more friction, less motion.
fn friction_for_amplitude(scenario: &Scenario) -> Found {
    let larger =
        |f: f64| number(&at(scenario, "contact.friction.mu", f), "amplitude_pp").expect("an amplitude") > 2.0 * 1.85;
    vec![("friction", bisect(0.4, 0.7, 1e-8, larger))]
}

/// Probes over a slide.
const LOOKS: usize = 400;

/// The first friction peak of a law put through a program: friction, slip and size of the surface there.
///
/// Probes over the first slide, then closer around the highest, and a parabola at last.
fn first_peak(scenario: &Scenario) -> Found {
    const ASKED: [&str; 3] = ["friction", "slip", "state.F"];
    let path = trusted(scenario);
    let end = crate::column(&path, "path", "t").last().copied().expect("a path");
    let (mut from, mut to) = (0.0, end);
    loop {
        let times: Vec<f64> = (0..=LOOKS).map(|k| from + (to - from) * k as f64 / LOOKS as f64).collect();
        let probes = ASKED.map(|quantity| Probe {
            quantity: quantity.into(),
            contact: None,
            name: None,
            point: None,
            over: Over::Times(times.clone()),
        });
        let context = Context { output: Output { probes: probes.to_vec(), ..Output::default() }, ..Context::default() };
        let dataset = scenario.run(&context).unwrap_or_else(|e| panic!("{e}"));
        let out = dataset.plain().expect("no cases");
        assert_eq!(out.verdict(), (Status::Ok, None), "{}", scenario.name());
        let look = |what: &str, k: usize| number(out, &format!("probe.{what}[{k}]")).expect("a probe");
        let top = (1..LOOKS).max_by(|a, b| look("friction", *a).total_cmp(&look("friction", *b))).expect("looks");
        if to - from < 1e-3 * end {
            let three = |what: &str| [look(what, top - 1), look(what, top), look(what, top + 1)];
            let (s, friction) = vertex(0.0, 1.0, three("friction"));
            let at_top = |what: &str| {
                let [a, b, c] = three(what);
                b + 0.5 * s * (c - a) + 0.5 * s * s * (a - 2.0 * b + c)
            };
            return vec![("friction", friction), ("slip", at_top("slip")), ("F", at_top("state.F"))];
        }
        (from, to) = (times[top - 1], times[top + 1]);
    }
}
