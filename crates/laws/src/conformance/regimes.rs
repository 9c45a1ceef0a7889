//! The named regimes: where a law is looked at.
use super::{Sample, probe::Probe};
use crate::{Event, Mode, Slide};

/// A sliding and states, with a name.
#[derive(Clone, Debug)]
pub struct Regime {
    pub name: String,
    pub at: Slide<f64, 2>,
    pub z: Vec<f64>,
}

/// How far surfaces in contact are pressed together, m.
const APPROACH: f64 = 1e-6;

/// Sliding in one direction, in the mode that belongs to its velocity.
pub fn sliding(v: f64, n: f64) -> Slide<f64, 2> {
    let mut at = Slide::new([v, 0.0], n).with_mode(Mode::slipping(v));
    at.approach = APPROACH;
    at
}

/// Rates of the load, as parts of the load over the time in which states change.
const LOADS: [(&str, f64); 3] = [("", 0.0), (", loading", 0.3), (", unloading", -0.3)];

/// The regimes of a sample, in one direction. A law for positive speeds alone is looked at there.
pub fn regimes(probe: &Probe, sample: &Sample) -> Vec<Regime> {
    let positive = probe.group.claims().positive_speed;
    let mut velocities = vec![("at rest", 0.0), ("creeping 1e-20", 1e-20), ("creeping 1e-12", 1e-12)];
    velocities.extend([("creeping 1e-6", 1e-6), ("moderate", 0.03 * sample.speed), ("fast", sample.speed)]);
    velocities.push(("very fast", 10.0 * sample.speed));
    let rate = sample.load / sample.time();
    // A law for a constant load is not shown another.
    let constant = probe.group.claims().constant_load;
    let loads = if constant { &LOADS[..1] } else { &LOADS[..] };
    let mut list = vec![];
    for (state, z) in states(probe, sample) {
        for (name, v) in &velocities {
            for sign in if *v == 0.0 { &[1.0][..] } else { &[1.0, -1.0] } {
                if positive && sign * v <= 0.0 {
                    continue;
                }
                for (load, part) in loads {
                    let name = format!("{name}{}{load}, state {state}", if *sign < 0.0 { " in reverse" } else { "" });
                    let at = sliding(sign * v, sample.load).with_load_rate(part * rate);
                    list.push(Regime { name, at, z: told(probe, &at, &z) });
                }
            }
        }
        if constant {
            continue;
        }
        // The load falls at once to (almost) nothing, and doubles; the law receives the event.
        for (name, n) in [("N = 1e-9", 1e-9), ("N = 0", 0.0), ("N halved", 0.5), ("N doubled", 2.0)] {
            let n = if n >= 0.5 { n * sample.load } else { n };
            for v in [0.0, sample.speed, -sample.speed] {
                if positive && v <= 0.0 {
                    continue;
                }
                let at = sliding(v, n);
                let z = probe.on(Event::Load { from: sample.load, to: n }, &at, &z);
                let z = told(probe, &at, &z);
                list.push(Regime { name: format!("load step to {name}, v = {v}, state {state}"), at, z });
            }
        }
    }
    list
}

/// The states once the law has met the direction of slip.
fn told(probe: &Probe, at: &Slide<f64, 2>, z: &[f64]) -> Vec<f64> {
    if at.mode.sign() == 0.0 { z.to_vec() } else { probe.on(Event::Enter(at.mode), at, z) }
}

/// States: the start, those given, and those that motion reaches.
fn states(probe: &Probe, sample: &Sample) -> Vec<(String, Vec<f64>)> {
    let start = probe.start();
    let mut list = vec![("start".to_string(), start.clone())];
    if start.is_empty() {
        return list;
    }
    list.extend(sample.states.iter().enumerate().map(|(i, z)| (format!("given {}", i + 1), z.clone())));
    let positive = probe.group.claims().positive_speed;
    let mut z = start;
    let legs = [("begun", 0.3, 0.2), ("slid", 1.0, 3.0), ("reversed", -0.5, 2.0), ("rested", 0.0, 10.0)];
    for (name, v, time) in legs {
        let v: f64 = v;
        let v = if positive { v.abs() + 0.1 } else { v };
        let at = sliding(v * sample.speed, sample.load);
        if at.mode == Mode::Stick {
            z = probe.on(Event::Enter(Mode::Stick), &at, &z);
        }
        z = told(probe, &at, &z);
        let steps = 2000;
        let h = time * sample.time() / steps as f64;
        for i in 0..steps {
            z = probe.march(&z, i as f64 * h, h, &|_| at);
        }
        list.push((name.into(), z.clone()));
    }
    list
}
