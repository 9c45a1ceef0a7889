//! Runs that once said `ok` and were wrong, at further parameters: drives and events inside a step, against closed forms and
//! the same model in other words. The cases by name are in `events.rs`.
use std::f64::consts::PI;
use stickslip::prelude::*;

fn trusted(text: &str) -> Outcome {
    let scenario = Scenario::from_text("sound", text, &[]).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let out = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}")).plain().expect("no cases").clone();
    assert_eq!(out.status, Status::Ok, "{:?}\n{text}", out.reason);
    out
}

fn number(out: &Outcome, name: &str) -> f64 {
    out.number(name).unwrap_or_else(|| panic!("no number `{name}`"))
}

/// A trusted run, and a quantity at these times.
fn probed(text: &str, quantity: &str, at: &[f64]) -> (Outcome, Vec<f64>) {
    let out = trusted(&format!("{text}\n[output]\nprobes = [{{ quantity = '{quantity}', at = {at:?} }}]\n"));
    let list = match out.value(&format!("probe.{quantity}")).map(|v| v.value.clone()) {
        Some(Value::List(list)) => list,
        other => panic!("{other:?}"),
    };
    (out, list)
}

/// All alike, to this part of the largest.
fn same(found: &[f64], right: &[f64], tolerance: f64) {
    let size = found.iter().chain(right).fold(0.0f64, |m, x| m.max(x.abs()));
    assert_eq!(found.len(), right.len());
    let close = found.iter().zip(right).all(|(a, b)| (a - b).abs() <= tolerance * size);
    assert!(close, "{found:?} instead of {right:?}");
}

const LOAD: &str = "{ law = 'constant', force = 1 }";

/// A block of mass, stiffness and damping. Without a law it touches nothing.
fn block([m, k, c]: [f64; 3], contact: Option<(&str, &str)>, rest: &str, duration: f64) -> String {
    let contact = contact.map_or(String::new(), |(n, f)| format!("[contact]\nnormal = {n}\nfriction = {f}\n"));
    format!(
        "[structure]\nkind = 'spring-block'\nmass = {m:?}\nstiffness = {k:?}\ndamping = {c:?}\n{contact}{rest}\n\
         [analysis]\nkind = 'transient'\nduration = {duration:?}\n"
    )
}

/// A signal by its points.
fn points(signal: impl Fn(f64) -> f64, from: f64, to: f64) -> String {
    let list = (0..=4000).map(|k| from + (to - from) * k as f64 / 4000.0);
    let list: Vec<String> = list.map(|t| format!("[{t:?}, {:?}]", signal(t))).collect();
    format!("{{ points = [{}] }}", list.join(", "))
}

/// Decay and frequency of a damped block.
fn swing([m, k, c]: [f64; 3]) -> (f64, f64) {
    let decay = 0.5 * c / m;
    (decay, (k / m - decay * decay).sqrt())
}

/// A block at rest, a time after a force of one has set in.
fn step_response(body: [f64; 3], t: f64) -> f64 {
    let (decay, omega) = swing(body);
    (1.0 - (-decay * t).exp() * ((omega * t).cos() + decay / omega * (omega * t).sin())) / body[1]
}

/// A free block, a time after the middle of exp(-(t/width)^2): the impulse response under the Gaussian's transform.
fn pulse_response(body: [f64; 3], width: f64, t: f64) -> f64 {
    let (decay, omega) = swing(body);
    let size = (0.25 * width * width * (decay * decay - omega * omega) - decay * t).exp();
    width * PI.sqrt() / (body[0] * omega) * size * (omega * t - 0.5 * width * width * decay * omega).sin()
}

const PULSES: [([f64; 3], [f64; 3]); 3] =
    [([1.0, 1.0, 0.1], [16.6667, 5.0, 0.03]), ([1.0, 1.0, 0.1], [30.0, 3.3, 0.01]), ([2.0, 5.0, 0.3], [2.5, 7.7, 0.2])];

/// A1: without a contact, and in steady sliding, where friction is constant and only moves the centre.
#[test]
fn a_narrow_pulse_moves_a_block_as_its_closed_form_says() {
    for (body, [peak, at, width]) in PULSES {
        let force = format!("kind = 'force'\nforce = '{peak:?}*exp(-((t-{at:?})/{width:?})^2)'");
        let times = [at - 10.0 * width, at + 10.0 * width, 12.0];
        let right = times.map(|t| if t < at { 0.0 } else { peak * pulse_response(body, width, t - at) });
        let (_, free) = probed(&block(body, None, &format!("[drive]\n{force}"), 12.0), "x", &times);
        same(&free, &right, 1e-9);
        let belt = format!(
            "[start]\nstate = 'steady-sliding'\n[[drive]]\n{force}\n[[drive]]\nkind = 'belt'\nvelocity = {:?}",
            1.0 + 4.0 * peak * width / body[0]
        );
        let text = block(body, Some((LOAD, "{ law = 'coulomb', mu = 0.1 }")), &belt, 12.0);
        same(&probed(&text, "x", &times).1, &right.map(|x| x + 0.1 / body[1]), 1e-9);
    }
}

/// A1: a load that falls in a front far ahead lets a block go.
#[test]
fn a_load_in_a_front_is_that_of_its_points() {
    for ([high, low], at, width, force) in
        [([1.0, 0.1], 5.0, 0.01, 0.05), ([1.0, 0.3], 3.3, 0.05, 0.06), ([2.0, 0.2], 6.2, 0.003, 0.1)]
    {
        let (mean, half) = (0.5 * (high + low), 0.5 * (high - low));
        let formula = format!("'{mean:?}-{half:?}*tanh((t-{at:?})/{width:?})'");
        let listed = points(|t| mean - half * ((t - at) / width).tanh(), at - 20.0 * width, at + 20.0 * width);
        for law in ["{ law = 'coulomb', mu = 0.1 }", "{ law = 'stribeck', mu_s = 0.1, mu_k = 0.08, v_s = 0.1 }"] {
            let [(a, x), (b, y)] = [&formula, &listed].map(|load| {
                let load = format!("{{ law = 'prescribed', force = {load} }}");
                let drive = format!("[drive]\nkind = 'force'\nforce = {force:?}");
                let text = block([1.0, 1.0, 0.1], Some((&load, law)), &drive, 10.0);
                probed(&text, "x", &[at - 1.0, at + 1.0, 10.0])
            });
            same(&x, &y, 1e-5);
            assert!(x[0] == 0.0 && x[1] > 0.01, "{x:?}");
            assert_eq!(number(&a, "state_changes"), number(&b, "state_changes"));
        }
    }
}

fn path(friction: &str, displacement: &str, duration: f64) -> String {
    format!(
        "[structure]\nkind = 'point'\n[contact]\nnormal = {LOAD}\nfriction = {friction}\n[drive]\nkind = 'program'\n\
         steps = [{{ displacement = {displacement}, duration = {duration:?} }}]\n[analysis]\nkind = 'hysteresis'\n"
    )
}

/// Friction of an elastic element at the end of a slide that begins with this friction.
fn jenkins(before: f64, slide: f64) -> f64 {
    (before + 1000.0 * slide).clamp(-0.3, 0.3)
}

/// The same where friction approaches its limit exponentially.
fn dahl(before: f64, slide: f64) -> f64 {
    let limit = 0.3f64.copysign(slide);
    limit + (before - limit) * (-1000.0 * slide.abs() / 0.3).exp()
}

type Closed = fn(f64, f64) -> f64;
const ELASTIC: [(&str, Closed); 3] = [
    ("{ law = 'jenkins', mu = 0.3, stiffness = 1000 }", jenkins),
    ("{ law = 'dahl', mu = 0.3, sigma_0 = 1000 }", dahl),
    ("{ law = 'lugre', mu_c = 0.3, mu_s = 0.3, v_s = 0.01, sigma_0 = 1000, sigma_1 = 0, sigma_2 = 0 }", dahl),
];

/// A1, A8: a point under a pulse far narrower than its run, and under a triangle that begins after a rest.
#[test]
fn a_point_that_goes_and_comes_back_has_the_friction_of_its_path() {
    for (law, closed) in ELASTIC {
        for peak in [0.001, 0.02, -2e-4] {
            let there = closed(0.0, peak);
            let right = [0.0, there, closed(there, -peak)];
            let triangle = format!("{{ points = [[0, 0], [1, 0], [2, {peak:?}], [3, 0]] }}");
            same(&probed(&path(law, &triangle, 3.0), "friction_force", &[1.0, 2.0, 3.0]).1, &right, 1e-7);
            for (at, width) in [(5.0, 0.03), (3.0, 0.01), (6.0, 0.2)] {
                let pulse = format!("'{peak:?}*exp(-((t-{at:?})/{width:?})^2)'");
                let times = [at - 8.0 * width, at, 10.0];
                same(&probed(&path(law, &pulse, 10.0), "friction_force", &times).1, &right, 1e-7);
            }
        }
    }
}

/// A2: a block that a step sets in motion, with a probe at the step: it slides to its turn and, pulled hard, on from there.
#[test]
fn what_a_step_sets_in_motion_follows_its_closed_form() {
    let body = [1.0, 1.0, 0.1];
    let coulomb = Some((LOAD, "{ law = 'coulomb', mu = 0.1 }"));
    for (at, speed) in [(5.0, 0.1), (3.0, 0.4), (1.7, -0.2)] {
        let drive = format!("[drive]\nkind = 'belt'\nvelocity = '{speed:?}*step(t-{at:?})'");
        let (out, x) = probed(&block(body, coulomb, &drive, 10.0), "x", &[at, at + 1.0]);
        same(&x, &[0.0, 0.1f64.copysign(speed) * step_response(body, 1.0)], 1e-9);
        let [all, lasting] = ["state_changes", "state_changes_positive"].map(|name| number(&out, name));
        assert!(all >= lasting && lasting >= 1.0, "{all} {lasting}");
    }
    let half = PI / swing(body).1;
    for (at, height) in [(5.0, 100.0), (2.5, 3.0), (6.1, 40.0)] {
        let drive = format!("[drive]\nkind = 'force'\nforce = '{height:?}*step(t-{at:?})'");
        let (_, x) = probed(&block(body, coulomb, &drive, 10.0), "x", &[at, at + 1.0, at + half + 0.5]);
        let way = |t: f64| (height - 0.1) * step_response(body, t);
        // Back from the turn to where the force less the friction of the way back holds it.
        let (turn, centre) = (way(half), height + 0.1);
        let back = centre + (turn - centre) * (1.0 - step_response(body, 0.5));
        same(&x, &[0.0, way(1.0), back], 1e-9);
    }
}

/// A3: where a mass without spring stands after a hop under a max(0, sin w t) against what holds it, friction and hold alike.
fn hop(amplitude: f64, omega: f64, mu: f64, mass: f64) -> f64 {
    let begin = (mu / amplitude).asin() / omega;
    let rate = |t: f64| amplitude / omega * ((omega * begin).cos() - (omega * t).cos()) - mu * (t - begin);
    let (mut low, mut high) = (PI / omega - begin, PI / omega);
    assert!(rate(low) > 0.0 && rate(high) < 0.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if rate(middle) > 0.0 { low = middle } else { high = middle }
    }
    let along = amplitude / omega * (omega * begin).cos() * (low - begin);
    let sines = amplitude / (omega * omega) * ((omega * low).sin() - (omega * begin).sin());
    (along - sines - 0.5 * mu * (low - begin).powi(2)) / mass
}

#[test]
fn a_force_that_is_held_but_for_a_moment_moves_a_mass_as_its_closed_form_says() {
    for (amplitude, omega, mu, mass) in
        [(0.11, 5.0, 0.1, 1.0), (0.2035, 9.0, 0.2, 2.0), (3.003, 2.0, 3.0, 1.0), (0.1001, 5.0, 0.1, 1.0)]
    {
        let (each, period) = (hop(amplitude, omega, mu, mass), 2.0 * PI / omega);
        for law in [
            format!("{{ law = 'coulomb', mu = {mu:?} }}"),
            format!("{{ law = 'stribeck', mu_s = {mu:?}, mu_k = {mu:?}, v_s = 0.05 }}"),
        ] {
            for rtol in [1e-6, 1e-8, 1e-10] {
                let drive = format!("[drive]\nkind = 'force'\nforce = '{amplitude:?}*max(0,sin({omega:?}*t))'");
                let text = block([mass, 0.0, 0.0], Some((LOAD, &law)), &drive, 3.0 * period);
                let (out, x) = probed(&format!("{text}rtol = {rtol:e}"), "x", &[0.9 * period, 2.9 * period]);
                same(&x, &[each, 3.0 * each], 1e-7);
                assert_eq!(number(&out, "state_changes"), 6.0);
            }
        }
    }
    let drive = "[drive]\nkind = 'force'\nforce = '0.11*max(0,sin(5*t))'";
    let law = "{ law = 'stribeck', mu_s = 0.1, mu_k = 0.1, v_s = 0.1 }";
    let (_, x) = probed(&block([1.0, 1.0, 0.1], Some((LOAD, law)), drive, 10.0), "x", &[5.0]);
    same(&x, &[6.245e-4], 1e-4);
}

/// A4: elements side by side are contacts at one place, each with its own guard; turns of two branches.
#[test]
fn guards_in_one_law_are_those_of_its_parts() {
    let sine = |[a, w]: [f64; 2]| {
        format!("[drive]\nkind = 'belt'\nvelocity = {{ sine = {{ amplitude = {a:?}, omega = {w:?} }} }}")
    };
    let drives = [[0.3, 1.7], [0.2, 3.1], [0.5, 0.9]];
    let elements: [&[[f64; 2]]; 3] =
        [&[[4.0, 0.05], [2.0, 0.1], [1.0, 0.15]], &[[6.0, 0.1], [3.0, 0.2]], &[[5.0, 0.02], [4.0, 0.05], [1.0, 0.2]]];
    for (elements, drive) in elements.iter().zip(drives) {
        let parts: Vec<String> = elements
            .iter()
            .enumerate()
            .map(|(i, [stiffness, mu])| {
                let law = format!("{{ law = 'jenkins', stiffness = {stiffness:?}, mu = {mu:?} }}");
                format!("[[contact]]\nname = 'part{i}'\ntangent = [1]\nnormal = {LOAD}\nfriction = {law}\n")
            })
            .collect();
        let [stiffness, mu] = [0, 1].map(|k| elements.iter().map(|e| e[k]).collect::<Vec<_>>());
        let whole = format!(
            "[contact]\ntangent = [1]\nnormal = {LOAD}\nfriction = {{ law = 'iwan', stiffness = {stiffness:?}, mu = {mu:?} }}\n"
        );
        let [a, b] = [whole, parts.concat()].map(|contacts| {
            let text = format!(
                "[structure]\nkind = 'lumped'\nmass = [[1]]\nstiffness = [[1]]\ndamping = [[0.1]]\ncoordinates = ['x']\n\
                 {contacts}{}\n[analysis]\nkind = 'transient'\nduration = 10\n",
                sine(drive)
            );
            probed(&text, "x", &[3.0, 10.0]).1
        });
        same(&a, &b, 1e-6);
    }
    let branches = "{ law = 'two-branch', accelerating = { law = 'stribeck', mu_s = 0.4, mu_k = 0.3, v_s = 0.1 }, \
                    decelerating = { law = 'stribeck', mu_s = 0.4, mu_k = 0.2, v_s = 0.1 }, turn = 0.05 }";
    for drive in drives {
        let at = |rtol: f64| {
            let text = block([1.0, 1.0, 0.1], Some((LOAD, branches)), &sine(drive), 10.0);
            probed(&format!("{text}rtol = {rtol:e}"), "x", &[3.0, 10.0]).1
        };
        same(&at(1e-8), &at(1e-11), 1e-6);
    }
    let bristles = "{ law = 'bristle', count = 4, sigma = 3, length = 0.05, spread = 0.2 }";
    let text = block([1.0, 1.0, 0.1], Some((LOAD, bristles)), &sine(drives[0]), 10.0);
    same(&probed(&text, "x", &[10.0]).1, &[0.1228], 1e-3);
}

/// A8: forces that are flat to many orders, and logistic curves.
#[test]
fn flat_and_steep_forces_are_those_of_their_points() {
    let logistic = |t: f64| 1.0 / (1.0 + (-(t - 5.0) / 0.005).exp());
    let signals: [(&str, String); 3] = [
        ("5*sin(t)^41", points(|t| 5.0 * t.sin().powi(41), 0.0, 10.0)),
        ("1/(1+exp(-(t-5)/0.005))", points(logistic, 4.8, 5.2)),
        ("3*sin(2*t)^21", points(|t| 3.0 * (2.0 * t).sin().powi(21), 0.0, 10.0)),
    ];
    for (formula, listed) in &signals {
        for law in [
            "{ law = 'stribeck', mu_s = 0.3, mu_k = 0.2, v_s = 0.1 }",
            "{ law = 'lugre', mu_c = 0.3, mu_s = 0.4, v_s = 0.01, sigma_0 = 1000, sigma_1 = 1, sigma_2 = 0 }",
        ] {
            let [a, b] = [&format!("'{formula}'"), listed].map(|force| {
                let drive = format!("[drive]\nkind = 'force'\nforce = {force}");
                probed(&block([1.0, 1.0, 0.1], Some((LOAD, law)), &drive, 10.0), "x", &[4.0, 7.0, 10.0]).1
            });
            same(&a, &b, 1e-5);
        }
    }
}
