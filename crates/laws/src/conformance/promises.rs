//! Claims: each one kept where it is made, and made where it is kept.
use super::regimes::{Regime, sliding};
use super::{Finding, Subject, energy, linear};
use crate::{Claims, Mode, Slide};

/// A property that a law has or has not.
struct Property {
    name: &'static str,
    /// Whether it is promised.
    promised: fn(&Claims) -> bool,
    /// Whether keeping it without a promise is a fault.
    complete: fn(&Claims) -> bool,
    /// Where it does not hold, in words.
    violated: fn(&Subject) -> Option<String>,
}

const PROPERTIES: &[Property] = &[
    Property { name: "odd", promised: |c| c.odd, complete: |c| !c.positive_speed, violated: odd },
    Property {
        name: "memoryless",
        promised: |c| c.memoryless,
        complete: |_| true,
        violated: |s| (s.line.states > 0).then(|| format!("it has {} states", s.line.states)),
    },
    Property {
        name: "set-valued",
        promised: |c| c.set_valued,
        complete: |_| true,
        violated: |s| {
            let force = |r: &&Regime| !s.line.respond(&r.at, &r.z).cone;
            s.regimes.iter().find(force).map(|r| format!("{}: it answers a force", r.name))
        },
    },
    Property {
        name: "rate-independent",
        promised: |c| c.rate_independent,
        complete: |_| true,
        violated: rate_independent,
    },
    Property {
        name: "piecewise-linear",
        promised: |c| c.piecewise_linear,
        complete: |_| true,
        violated: linear::violated,
    },
    Property { name: "load-linear", promised: |c| c.load_linear, complete: |_| true, violated: load_linear },
    Property {
        name: "passive",
        promised: |c| c.passive,
        complete: |c| !c.passive_if,
        violated: |s| energy::violated(s, !s.claims.constant_load),
    },
    Property {
        name: "blind to the load rate (no claim load-rate)",
        promised: |c| !c.load_rate,
        complete: |_| true,
        violated: |s| blind(s, |at, s| at.n_rate += 0.37 * s.sample.load / s.sample.time()),
    },
    Property {
        name: "blind to the position (no claim position)",
        promised: |c| !c.position,
        complete: |_| true,
        violated: |s| {
            blind(s, |at, s| {
                at.slip = [1.3 * s.sample.length, 0.0];
                at.u = [-0.7 * s.sample.length, 0.0];
            })
        },
    },
    Property {
        name: "blind to the past (no claim history)",
        promised: |c| !c.history,
        complete: |_| true,
        violated: |s| {
            blind(s, |at, s| {
                at.lagged = [0.11 * s.sample.speed, 0.0];
                at.lagged_mode = Mode::Stick;
            })
        },
    },
    Property {
        name: "blind to the acceleration (no claim acceleration)",
        promised: |c| !c.acceleration,
        complete: |_| true,
        violated: |s| {
            blind(s, |at, s| at.acceleration = [-0.4 * s.sample.speed / s.sample.time(), 0.0]).or_else(|| guarded(s))
        },
    },
    Property {
        name: "blind to the rate of the tangential force (no claim force-rate)",
        promised: |c| !c.force_rate,
        complete: |_| true,
        violated: |s| blind(s, |at, s| at.force_rate = 0.6 * s.sample.load / s.sample.time()),
    },
    Property {
        name: "blind to the approach (no claim approach)",
        promised: |c| !c.approach,
        complete: |_| true,
        violated: |s| blind(s, |at, _| at.approach = 3e-7),
    },
    Property {
        name: "blind to the real area (no claim real-area)",
        promised: |c| !c.real_area,
        complete: |_| true,
        violated: |s| blind(s, |at, _| at.area = 0.4),
    },
    Property {
        name: "blind to the seed (no claim random)",
        promised: |c| !c.random,
        complete: |_| true,
        violated: |s| blind(s, |at, _| at.seed = 77),
    },
    Property {
        name: "defined at rest (no claim positive-speed)",
        promised: |c| !c.positive_speed,
        complete: |_| true,
        violated: |s| {
            let answer = s.line.respond(&sliding(0.0, s.sample.load), &s.line.start());
            answer.values.iter().any(|x| !x.is_finite()).then(|| "the answer at rest is not finite".into())
        },
    },
];

pub fn check(subjects: &[Subject], found: &mut Vec<Finding>) {
    for property in PROPERTIES {
        let mut unpromised = vec![];
        for subject in subjects {
            let violation = (property.violated)(subject);
            match ((property.promised)(&subject.claims), violation) {
                (true, Some(message)) => {
                    found.push(subject.finding("claim", format!("not {}: {message}", property.name)));
                }
                (false, violation) if (property.complete)(&subject.claims) => {
                    unpromised.push((subject, violation.is_none()));
                }
                _ => {}
            }
        }
        if let Some((subject, _)) = unpromised.first()
            && unpromised.iter().all(|(_, holds)| *holds)
        {
            let message = format!("{} in every regime and sample, but does not say so", property.name);
            found.push(subject.finding("unclaimed", message));
        }
    }
    for subject in subjects {
        for (i, state) in subject.line.group.states().iter().enumerate().filter(|(_, state)| state.held) {
            let moves = |r: &&Regime| subject.line.respond(&r.at, &r.z).values[2 + i] != 0.0;
            if let Some(regime) = subject.regimes.iter().find(moves) {
                let message = format!("{}: the state `{}` has a rate, though it is held", regime.name, state.name);
                found.push(subject.finding("states", message));
            }
        }
        if subject.claims.fixed_load {
            found.push(subject.finding("claim", "fixed-load is a claim of normal laws".into()));
        }
        if subject.claims.passive && subject.claims.passive_if {
            found.push(subject.finding("claim", "passive and passive-if exclude each other".into()));
        }
        if let (true, Some(met)) = (subject.claims.passive_if, subject.sample.conditional) {
            match (met, energy::violated(subject, false)) {
                (true, Some(message)) => found.push(subject.finding("claim", format!("not passive: {message}"))),
                (false, None) => {
                    found.push(subject.finding("claim", "passive, though the condition is not met".into()));
                }
                _ => {}
            }
        }
    }
}

/// Compares an answer with what is expected, output by output.
fn differ(subject: &Subject, regime: &Regime, got: &[f64], expected: &[f64]) -> Option<String> {
    (0..got.len())
        .find(|&i| !subject.close(i, got[i], expected[i]))
        .map(|i| format!("{}: output {i} is {:e}, expected {:e}", regime.name, got[i], expected[i]))
}

fn odd(s: &Subject) -> Option<String> {
    s.regimes.iter().find_map(|regime| {
        let flip = |i: usize| if s.line.group.states()[i].axis.is_some() { -1.0 } else { 1.0 };
        let mut at = regime.at;
        let back = |x: [f64; 2]| x.map(|x| -x);
        (at.v, at.slip, at.u, at.lagged) = (back(at.v), back(at.slip), back(at.u), back(at.lagged));
        at.acceleration = back(at.acceleration);
        at.mode = Mode::slipping(at.v[0]);
        let z: Vec<f64> = regime.z.iter().enumerate().map(|(i, z)| z * flip(i)).collect();
        let answer = s.line.respond(&regime.at, &regime.z);
        let head = if answer.cone { 1.0 } else { -1.0 };
        let sign = |i: usize| if i < 2 { head } else { flip(i - 2) };
        let expected: Vec<f64> = answer.values.iter().enumerate().map(|(i, x)| x * sign(i)).collect();
        differ(s, regime, &s.line.respond(&at, &z).values, &expected)
    })
}

fn rate_independent(s: &Subject) -> Option<String> {
    let pace = 10.0;
    s.regimes.iter().find_map(|regime| {
        let mut at = regime.at;
        (at.v, at.lagged) = (at.v.map(|v| v * pace), at.lagged.map(|v| v * pace));
        at.n_rate *= pace;
        let mut slow = regime.at;
        (slow.force_rate, at.force_rate) = (s.sample.load / s.sample.time(), pace * s.sample.load / s.sample.time());
        let answer = s.line.respond(&slow, &regime.z).values;
        let expected: Vec<f64> = answer.iter().enumerate().map(|(i, x)| if i < 2 { *x } else { x * pace }).collect();
        differ(s, regime, &s.line.respond(&at, &regime.z).values, &expected)
    })
}

fn load_linear(s: &Subject) -> Option<String> {
    let factor = 2.0;
    s.regimes.iter().find_map(|regime| {
        let mut at = regime.at;
        at.n *= factor;
        at.n_rate *= factor;
        let mut light = regime.at;
        light.force_rate = 0.6 * s.sample.load / s.sample.time();
        at.force_rate = factor * light.force_rate;
        let base = s.line.respond(&light, &regime.z).values;
        let answer = s.line.respond(&at, &regime.z).values;
        (0..2)
            .find(|&i| !s.close(i, answer[i], factor * base[i]))
            .map(|i| format!("{}: twice the load gives {:e} instead of {:e}", regime.name, answer[i], factor * base[i]))
    })
}

/// Whether guards see the acceleration.
fn guarded(s: &Subject) -> Option<String> {
    s.regimes.iter().find_map(|regime| {
        let mut at = regime.at;
        at.acceleration = [-0.4 * s.sample.speed / s.sample.time(), 0.0];
        let differs = s.line.guards(&at, &regime.z) != s.line.guards(&regime.at, &regime.z);
        differs.then(|| format!("{}: a guard sees the acceleration", regime.name))
    })
}

/// Whether a change of an input changes no output and no guard.
fn blind(s: &Subject, change: fn(&mut Slide<f64, 2>, &Subject)) -> Option<String> {
    s.regimes.iter().find_map(|regime| {
        let mut at = regime.at;
        change(&mut at, s);
        let expected = s.line.respond(&regime.at, &regime.z).values;
        let guards = s.line.guards(&regime.at, &regime.z) != s.line.guards(&at, &regime.z);
        let guarded = guards.then(|| format!("{}: its guards change", regime.name));
        guarded.or_else(|| differ(s, regime, &s.line.respond(&at, &regime.z).values, &expected))
    })
}
