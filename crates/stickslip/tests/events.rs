//! No event is missed inside a step, and no drive goes unsampled: what a run finds does not depend on where its steps end.
use stickslip::data::Value;
use stickslip::prelude::*;

fn run(text: &str) -> Outcome {
    let scenario = Scenario::from_text("events", text, &[]).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let dataset = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}"));
    dataset.plain().expect("no cases").clone()
}

/// A run that is trusted.
fn trusted(text: &str) -> Outcome {
    let out = run(text);
    assert_eq!(out.status, Status::Ok, "{:?}\n{text}", out.reason);
    out
}

fn number(out: &Outcome, name: &str) -> f64 {
    out.number(name).unwrap_or_else(|| panic!("no number `{name}`"))
}

/// Values of a coordinate at the times given, with the state changes.
fn probed(text: &str, quantity: &str, at: &[f64]) -> (Vec<f64>, f64) {
    let out = trusted(&format!("{text}\n[output]\nprobes = [{{ quantity = '{quantity}', at = {at:?} }}]\n"));
    let found = out.value(&format!("probe.{quantity}")).unwrap_or_else(|| panic!("no probe of {quantity}"));
    let list = match &found.value {
        Value::List(list) => list.clone(),
        Value::Number(x) => vec![*x],
        other => panic!("{other:?}"),
    };
    (list, number(&out, "state_changes"))
}

fn same(a: &[f64], b: &[f64], tolerance: f64) {
    let size = a.iter().chain(b).fold(0.0f64, |m, x| m.max(x.abs()));
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= tolerance * size, "{a} and {b} differ");
    }
}

/// A block of given mass, stiffness and damping under a unit load.
fn block([mass, stiffness, damping]: [f64; 3], friction: &str, drive: &str, duration: f64, more: &str) -> String {
    format!(
        "[structure]\nkind = 'spring-block'\nmass = {mass}\nstiffness = {stiffness}\ndamping = {damping}\n\
         [contact]\nnormal = {{ law = 'constant', force = 1 }}\nfriction = {friction}\n[drive]\n{drive}\n\
         [analysis]\nkind = 'transient'\nduration = {duration}\n{more}"
    )
}

const UNIT: [f64; 3] = [1.0, 1.0, 0.1];
const COULOMB: &str = "{ law = 'coulomb', mu = 0.1 }";

/// Exact answer of a free block of mass 1, stiffness 1 to an impulse that is short but not instant: the same force as points.
fn as_points(force: impl Fn(f64) -> f64, from: f64, to: f64, count: usize) -> String {
    let list: Vec<String> = (0..=count)
        .map(|k| from + (to - from) * k as f64 / count as f64)
        .map(|t| format!("[{t:?}, {:?}]", force(t)))
        .collect();
    format!("kind = 'force'\nforce = {{ points = [{}] }}", list.join(", "))
}

/// A1: a pulse written as a formula, far narrower than the natural time, and far from the start.
#[test]
fn a_pulse_written_as_a_formula_is_felt() {
    let (x, _) = probed(
        &block(UNIT, COULOMB, "kind = 'force'\nforce = '16.6667*exp(-((t-5)/0.03)^2)'", 10.0, ""),
        "x",
        &[4.0, 6.0, 10.0],
    );
    same(&x, &[0.0, 0.659, -0.405], 1e-3);
    for (peak, at, width) in [(30.0, 3.3, 0.01), (2.5, 7.7, 0.2)] {
        let formula = format!("kind = 'force'\nforce = '{peak:?}*exp(-((t-{at:?})/{width:?})^2)'");
        let force = |t: f64| peak * f64::exp(-((t - at) / width).powi(2));
        let points = as_points(force, at - 6.0 * width, at + 6.0 * width, 4000);
        for law in [COULOMB, "{ law = 'stribeck', mu_s = 0.1, mu_k = 0.08, v_s = 0.1 }"] {
            let [a, b] =
                [&formula, &points].map(|drive| probed(&block(UNIT, law, drive, 10.0, ""), "x", &[4.0, 6.0, 10.0]));
            same(&a.0, &b.0, 1e-5);
            assert_eq!(a.1, b.1);
        }
    }
}

/// A1: fronts in tanh and in a logistic curve, of forces, loads and belts.
#[test]
fn a_front_far_ahead_is_felt() {
    for (front, steep) in
        [("0.5+0.5*tanh((t-5)/0.05)", 0.05), ("1/(1+exp(-(t-5)/0.004))", 0.002), ("0.5+0.5*tanh((t-5)*200)", 0.005)]
    {
        let (x, changes) = probed(
            &block(UNIT, COULOMB, &format!("kind = 'force'\nforce = '{front}'"), 10.0, ""),
            "x",
            &[4.0, 6.0, 10.0],
        );
        // A step at 5 s moves the block alike, but for the time that the front takes.
        let (step, same_changes) =
            probed(&block(UNIT, COULOMB, "kind = 'force'\nforce = 'step(t-5)'", 10.0, ""), "x", &[4.0, 6.0, 10.0]);
        same(&x, &step, 4.0 * steep);
        assert_eq!(changes, same_changes);
    }
    // A load that falls away lets a block go that a force pulls.
    let text = |load: &str| {
        format!(
            "[structure]\nkind = 'spring-block'\nmass = 1\nstiffness = 1\ndamping = 0.1\n[contact]\n\
             normal = {{ law = 'prescribed', force = {load} }}\nfriction = {COULOMB}\n[drive]\nkind = 'force'\nforce = 0.05\n\
             [analysis]\nkind = 'transient'\nduration = 10\n"
        )
    };
    let (smooth, _) = probed(&text("'0.55-0.45*tanh((t-5)/0.01)'"), "x", &[4.0, 6.0, 10.0]);
    let (sharp, _) = probed(&text("'1-0.9*step(t-5)'"), "x", &[4.0, 6.0, 10.0]);
    same(&smooth, &sharp, 0.05);
    assert!(smooth[1] > 0.01);
}

/// A2: a probe at the very instant of a step, or beside it, changes nothing; a step of a belt is a jump however it is written.
#[test]
fn probing_changes_nothing() {
    for (at, height) in [(5.0, 100.0), (2.5, 3.0), (7.1, 40.0)] {
        let drive = format!("kind = 'force'\nforce = '{height:?}*step(t-{at:?})'");
        for law in [COULOMB, "{ law = 'stribeck', mu_s = 0.1, mu_k = 0.08, v_s = 0.1 }"] {
            let plain = probed(&block(UNIT, law, &drive, 10.0, ""), "x", &[10.0]);
            let with = probed(&block(UNIT, law, &drive, 10.0, ""), "x", &[at, 10.0]);
            same(&plain.0, &with.0[1..], 1e-9);
            assert_eq!(plain.1, with.1);
        }
    }
    let (x, _) = probed(&block(UNIT, COULOMB, "kind = 'force'\nforce = '100*step(t-5)'", 10.0, ""), "x", &[10.0]);
    assert!((x[0] - 82.28).abs() < 0.01, "{x:?}");
}

#[test]
fn a_jump_of_a_belt_is_an_event_however_it_is_written() {
    for (at, speed) in [(5.0, 0.1), (3.0, 0.4), (1.7, -0.2)] {
        let formula = format!("kind = 'belt'\nvelocity = '{speed:?}*step(t-{at:?})'");
        let points = format!(
            "kind = 'belt'\nvelocity = {{ points = [[0, 0], [{at:?}, 0], [{at:?}, {speed:?}], [10, {speed:?}]] }}"
        );
        let [a, b] = [formula, points].map(|drive| probed(&block(UNIT, COULOMB, &drive, 10.0, ""), "x", &[at + 1.0]));
        same(&a.0, &b.0, 1e-12);
        assert!(a.1 >= 1.0 && a.1 == b.1, "{a:?} {b:?}");
    }
    let (x, _) = probed(&block(UNIT, COULOMB, "kind = 'belt'\nvelocity = '0.1*step(t-5)'", 10.0, ""), "x", &[6.0]);
    assert!((x[0] - 0.0445).abs() < 1e-5, "{x:?}");
}

/// A3: a force that exceeds what stick holds for a small part of a step, at every tolerance.
#[test]
fn stick_is_bounded_over_the_whole_step() {
    let weak = "{ law = 'stribeck', mu_s = 0.2, mu_k = 0.15, v_s = 0.05, exponent = 1 }";
    let strong = "{ law = 'stribeck', mu_s = 3, mu_k = 2, v_s = 0.1 }";
    for (model, law, force) in [
        ([2.0, 5.0, 0.0], weak, "'0.2035*max(0,sin(9*t))'"),
        ([2.0, 5.0, 0.0], weak, "'0.2002*max(0,sin(3*t))'"),
        (UNIT, strong, "{ sine = { amplitude = 3.003, omega = 2 } }"),
        (UNIT, strong, "'3.0003*sin(5*t)'"),
    ] {
        let at = |rtol: f64| {
            let text =
                block(model, law, &format!("kind = 'force'\nforce = {force}"), 10.0, &format!("rtol = {rtol:e}\n"));
            probed(&text, "x", &[5.0, 10.0])
        };
        let tight = at(1e-11);
        assert!(tight.1 >= 4.0, "{tight:?}");
        for rtol in [1e-6, 1e-8, 1e-10] {
            let loose = at(rtol);
            assert_eq!(loose.1, tight.1, "{force} at {rtol:e}");
            same(&loose.0, &tight.0, 1e3 * rtol);
        }
    }
}

#[test]
fn loading_rate_friction_follows_a_harmonic_force() {
    for (amplitude, omega) in [(3.3, 2.0), (3.2, 0.7), (3.5, 5.0)] {
        let law = "{ law = 'loading-rate', mu_s = 3, mu_k = 2, rate = 2 }";
        let at = |rtol: f64| {
            let drive =
                format!("kind = 'force'\nforce = {{ sine = {{ amplitude = {amplitude:?}, omega = {omega:?} }} }}");
            probed(&block(UNIT, law, &drive, 10.0, &format!("rtol = {rtol:e}\n")), "x", &[5.0, 10.0])
        };
        let (loose, tight) = (at(1e-6), at(1e-10));
        same(&loose.0, &tight.0, 1e-3);
        assert_eq!(loose.1, tight.1);
    }
}

/// A4: guards that change sign twice in a step.
#[test]
fn guards_are_bounded_over_the_whole_step() {
    for law in [
        "{ law = 'bristle', count = 4, sigma = 3, length = 0.05, spread = 0.2 }",
        "{ law = 'iwan', mu = [0.05, 0.1, 0.15], stiffness = [4, 2, 1] }",
        "{ law = 'iwan-distributed', mu = 0.3, stiffness = 4 }",
        "{ law = 'reset-integrator', sigma_0 = 3, z_0 = 0.1 }",
        "{ law = 'iwan-series', spring = 3, limit = [0.1, 0.2], stiffness = [4, 2] }",
        "{ law = 'jenkins', mu = 0.3, stiffness = 6 }",
    ] {
        for (amplitude, omega) in [(0.3, 1.7), (0.2, 3.1), (0.5, 0.9)] {
            let at = |rtol: f64| {
                let drive = format!(
                    "kind = 'belt'\nvelocity = {{ sine = {{ amplitude = {amplitude:?}, omega = {omega:?} }} }}"
                );
                probed(&block(UNIT, law, &drive, 10.0, &format!("rtol = {rtol:e}\n")), "x", &[3.0, 10.0]).0
            };
            same(&at(1e-8), &at(1e-11), 1e-6);
        }
    }
}

/// A4: guards of two contacts at one instant: equal blocks move as one.
#[test]
fn guards_of_several_contacts_may_change_at_once() {
    for (friction, coupling) in [
        ("{ law = 'reset-integrator', sigma_0 = 3, z_0 = 0.1 }", 2.0),
        ("{ law = 'jenkins', mu = 0.3, stiffness = 6 }", 5.0),
        ("{ law = 'bristle', count = 4, sigma = 3, length = 0.05, spread = 0.2 }", 1.0),
    ] {
        let text = |structure: &str| {
            format!(
                "[structure]\n{structure}\nmass = 1\nstiffness = 1\ndamping = 0.1\n[contact]\n\
                 normal = {{ law = 'constant', force = 1 }}\nfriction = {friction}\n[drive]\nkind = 'pull'\n\
                 velocity = {{ sine = {{ amplitude = 1, omega = 1.3 }} }}\n[analysis]\nkind = 'transient'\nduration = 10\n"
            )
        };
        let one = probed(&text("kind = 'spring-block'"), "elongation", &[5.0, 10.0]).0;
        for which in ["elongation1", "elongation2"] {
            let chain = text(&format!("kind = 'chain'\nblocks = 2\ncoupling = {coupling:?}"));
            // Bristles are drawn for each point of its own.
            if !friction.contains("bristle") {
                same(&probed(&chain, which, &[5.0, 10.0]).0, &one, 1e-6);
            } else {
                trusted(&chain);
            }
        }
    }
}

/// A5: two pads on one mass stick and slip as one, and as one pad under both loads.
#[test]
fn two_pads_on_one_mass_are_as_good_as_one() {
    let pads = |friction: &str, loads: &[f64], belt: f64| {
        let contacts: Vec<String> = loads
            .iter()
            .enumerate()
            .map(|(k, load)| {
                format!(
                    "[[contact]]\nname = 'pad{k}'\ntangent = [1]\nnormal = {{ law = 'constant', force = {load:?} }}\n\
                     friction = {friction}\n"
                )
            })
            .collect();
        format!(
            "[structure]\nkind = 'lumped'\nmass = [[1]]\nstiffness = [[1]]\ndamping = [[0.05]]\ncoordinates = ['x']\n{}\
             [drive]\nkind = 'belt'\nvelocity = {belt:?}\n[analysis]\nkind = 'transient'\nduration = 20\n",
            contacts.concat()
        )
    };
    for friction in
        ["{ law = 'coulomb', mu_s = 0.5, mu_k = 0.3 }", "{ law = 'stribeck', mu_s = 0.5, mu_k = 0.3, v_s = 0.1 }"]
    {
        for (loads, belt) in [(&[0.5, 0.5][..], 0.2), (&[0.3, 0.7], 0.1), (&[0.2, 0.3, 0.5], 0.3)] {
            let (two, _) = probed(&pads(friction, loads, belt), "x", &[5.0, 20.0]);
            let (one, _) = probed(&pads(friction, &[1.0], belt), "x", &[5.0, 20.0]);
            same(&two, &one, 1e-6);
        }
    }
    let (x, _) = probed(&pads("{ law = 'coulomb', mu_s = 0.5, mu_k = 0.3 }", &[0.5, 0.5], 0.2), "x", &[20.0]);
    assert!((x[0] - 0.0479).abs() < 1e-4, "{x:?}");
}

/// A6: a law that reads the time is a drive too: the same as a load that changes in time.
#[test]
fn a_law_that_reads_the_time_is_a_drive() {
    for (dip, omega) in [(0.6, 3.0), (0.7, 1.1), (0.55, 7.0)] {
        let strength = format!("0.1-0.1*{dip:?}*max(0,sin({omega:?}*t))");
        let law = block(
            UNIT,
            &format!("{{ law = 'formula', hold = '{strength}', strength = '{strength}' }}"),
            "kind = 'force'\nforce = 0.05",
            10.0,
            "",
        );
        let load = block(UNIT, COULOMB, "kind = 'force'\nforce = 0.05", 10.0, "").replace(
            "{ law = 'constant', force = 1 }",
            &format!("{{ law = 'prescribed', force = '1-{dip:?}*max(0,sin({omega:?}*t))' }}"),
        );
        let (a, b) = (probed(&law, "x", &[5.0, 10.0]), probed(&load, "x", &[5.0, 10.0]));
        same(&a.0, &b.0, 1e-6);
        assert!(a.1 >= 4.0, "{a:?}");
        assert_eq!(a.1, b.1);
    }
}

/// A8: what was refused for no reason.
#[test]
fn nothing_fails_that_has_an_answer() {
    for friction in [
        "{ law = 'jenkins', mu = 0.3, stiffness = 1000 }",
        "{ law = 'dahl', mu = 0.3, sigma_0 = 1000 }",
        "{ law = 'lugre', mu_c = 0.3, mu_s = 0.4, v_s = 0.01, sigma_0 = 1000, sigma_1 = 1, sigma_2 = 0 }",
    ] {
        for peak in [0.001, 0.02, -0.003] {
            trusted(&format!(
                "[structure]\nkind = 'point'\n[contact]\nnormal = {{ law = 'constant', force = 1 }}\nfriction = {friction}\n\
                 [drive]\nkind = 'program'\nsteps = [{{ displacement = {{ points = [[0, 0], [1, 0], [2, {peak:?}], [3, 0]] }}, duration = 3 }}]\n\
                 [analysis]\nkind = 'hysteresis'\n"
            ));
        }
        for force in ["5*sin(t)^41", "1/(1+exp(-(t-5)/0.005))", "3*sin(2*t)^21"] {
            if !friction.contains("jenkins") {
                trusted(&block(UNIT, friction, &format!("kind = 'force'\nforce = '{force}'"), 10.0, ""));
            }
        }
    }
    for force in ["5*sin(t)^41", "1/(1+exp(-(t-5)/0.005))", "2*sin(3*t)^31"] {
        let law = "{ law = 'stribeck', mu_s = 0.3, mu_k = 0.2, v_s = 0.1 }";
        trusted(&block(UNIT, law, &format!("kind = 'force'\nforce = '{force}'"), 10.0, ""));
    }
}

/// A8c: long chains whose blocks break loose together.
#[test]
fn a_long_chain_breaks_loose_at_once() {
    for blocks in [20, 50, 60] {
        let out = trusted(&format!(
            "[structure]\nkind = 'chain'\nblocks = {blocks}\nmass = 1\nstiffness = 1\ncoupling = 10\n[contact]\n\
             normal = {{ law = 'constant', force = 1 }}\nfriction = {{ law = 'coulomb', mu_s = 0.4, mu_k = 0.25 }}\n\
             [drive]\nkind = 'pull'\nvelocity = 0.1\n[analysis]\nkind = 'transient'\nduration = 8\n"
        ));
        assert!(number(&out, "state_changes") >= blocks as f64);
    }
}

/// Probes change not a bit of a motion: it is followed to their times beside its own steps.
#[test]
fn what_is_probed_changes_nothing() {
    let laws = [
        "{ law = 'coulomb', mu_s = 0.4, mu_k = 0.25 }",
        "{ law = 'stribeck', mu_s = 0.4, mu_k = 0.25, v_s = 0.1 }",
        "{ law = 'lugre', mu_c = 0.3, mu_s = 0.4, v_s = 0.01, sigma_0 = 1000, sigma_1 = 1, sigma_2 = 0 }",
        "{ law = 'iwan', stiffness = [20, 10], limit = [0.1, 0.2] }",
        "{ law = 'rate-state', mu_0 = 0.4, a = 0.01, b = 0.02, v_0 = 1e-3, d_c = 1e-2 }",
    ];
    let drive = "kind = 'belt'\nvelocity = '0.1+0.05*sin(3*t)'";
    for law in laws {
        let plain = trusted(&block(UNIT, law, drive, 10.0, ""));
        let probed = trusted(&block(
            UNIT,
            law,
            drive,
            10.0,
            "[output]\nprobes = [{ quantity = 'x', at = [1e-6, 0.5, 3, 3.0000001, 7.77, 10] }, { quantity = 'friction', at = [4.2] }]\n",
        ));
        assert_eq!(plain.health.steps, probed.health.steps, "{law}");
        for (name, value) in &plain.values {
            assert_eq!(Some(value), probed.value(name), "{law}: {name}");
        }
    }
}
