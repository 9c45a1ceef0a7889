//! Rigid contact: the pitfalls that Klarbring's mass is known for, each by name, and other masses with closed forms.
use stickslip::data::EventKind;
use stickslip::prelude::*;
use stickslip_verification::{assert_close, column, number, run, text, trusted};

/// Klarbring's mass with settings.
fn klarbring(sets: &[&str]) -> Scenario {
    let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
    stickslip_verification::scenario("klarbring.toml", &sets)
}

fn word<'a>(out: &'a Outcome, name: &str) -> &'a str {
    match &out.value(name).unwrap_or_else(|| panic!("no {name}")).value {
        Value::Text(word) => word,
        other => panic!("{other:?}"),
    }
}

fn probes(quantity: &str, times: &[f64]) -> String {
    format!("output.probes=[{{ quantity = \"{quantity}\", at = {times:?} }}]")
}

fn probe(out: &Outcome, quantity: &str, k: usize) -> f64 {
    number(out, &format!("probe.{quantity}[{k}]")).expect("a probe")
}

/// A function that begins with the cube of the time since the event: eight times as much after twice the time.
fn assert_cubic(out: &Outcome, quantity: &str) {
    assert_close!(
        probe(out, quantity, 2) - probe(out, quantity, 0),
        8.0 * (probe(out, quantity, 1) - probe(out, quantity, 0)),
        rel = 0.01
    );
}

#[test]
fn lift_off_is_cubic_and_makes_no_spurious_impact() {
    let t = 2.85739514863674;
    let out = trusted(&klarbring(&["parameters.C2=-0.8", &probes("y", &[t, t + 1e-3, t + 2e-3])]));
    assert_eq!(out.events.len(), 1);
    assert_cubic(&out, "y");
}

#[test]
fn slip_starts_from_stick_without_velocity_or_acceleration() {
    let force = "drive.force={ points = [[0, [0, 0]], [40, [-8, -10]], [120, [-24, -10]]] }";
    let looks = probes("x", &[62.5, 62.501, 62.502]);
    let out = trusted(&klarbring(&["contact.friction.mu=1.25", force, "analysis.duration=63", &looks]));
    let first = out.events.first().unwrap();
    assert_eq!((first.from.as_ref(), first.to.as_ref()), ("stick", "slip-"));
    assert_close!(first.t, 62.5, abs = 1e-12);
    assert_cubic(&out, "x");
}

/// A landing with R2 < 0 leaves at once: one impact, two changes, no state between.
#[test]
fn a_bounce_of_zero_duration_counts_twice_or_not_at_all() {
    let out = trusted(&klarbring(&["analysis.duration=9"]));
    let bounce = out.events.last().unwrap();
    assert_eq!((bounce.kind, bounce.from.as_ref(), bounce.to.as_ref()), (EventKind::Impact, "open", "open"));
    assert_eq!(bounce.rates_after[1], 0.0);
    assert_eq!((number(&out, "state_changes"), number(&out, "state_changes_positive")), (Some(3.0), Some(1.0)));
}

/// The impulse stops the mass, but the forces are outside of the cone: slip starts from rest.
#[test]
fn an_impact_that_stops_is_followed_by_slip_where_stick_cannot_hold() {
    let out = trusted(&klarbring(&[
        "structure.stiffness=[[1, 0], [0, 1]]",
        "drive.force=[\"-4*step(t - 0.5)\", -1]",
        "start={ values = { y = 0.2 }, rates = { x = 0.0 } }",
        "contact.friction.mu=2",
        "analysis.duration=0.8",
    ]));
    let landing = out.events.first().unwrap();
    assert_eq!((landing.kind, landing.to.as_ref()), (EventKind::Impact, "slip-"));
    assert_eq!(landing.rates_after, [0.0, 0.0]);
    assert!(landing.t < 0.8 && landing.t > 0.5);
    // Open, stick for no time, slip.
    assert_eq!((number(&out, "state_changes"), number(&out, "state_changes_positive")), (Some(1.0), Some(1.0)));
}

/// R1 = R2 = 0: the load rates decide, and without a normal one the sign of k12 C1.
#[test]
fn at_the_apex_of_the_cone_load_rates_decide() {
    for (c1, k12, expected) in [(1.0, 0.5, "slip+"), (-1.0, -0.5, "slip-"), (-1.0, 0.5, "open"), (1.0, -0.5, "open")] {
        let stiffness = format!("structure.stiffness=[[1, {k12}], [{k12}, 2]]");
        let out = trusted(&klarbring(&[
            &stiffness,
            &format!("parameters.C1={c1}"),
            "parameters.C2=0.0",
            "analysis.duration=0.1",
        ]));
        assert_eq!(word(&out, "mode_first"), expected, "C1 = {c1}, k12 = {k12}");
    }
}

/// At f* slip has no stiffness and x = (C1 - f C2) t^3/6; near it the solution changes as little.
#[test]
fn friction_at_its_critical_value_is_no_special_case() {
    let x = |mu: f64| {
        let set = format!("contact.friction.mu={mu:?}");
        let out = trusted(&klarbring(&[&set, "parameters.C2=-0.5", "analysis.duration=1", &probes("x", &[1.0])]));
        assert_eq!(word(&out, "mode_last"), "slip-");
        probe(&out, "x", 0)
    };
    assert_close!(x(1.0), -0.5 / 6.0, rel = 1e-14);
    for off in [1e-9, -1e-9, 1e-13, -1e-13] {
        // d/df of (C1 - f C2) t^3/6 (1 - (k11 - f k12) t^2/20).
        let slope = 0.5 / 6.0 - 0.5 / 6.0 / 20.0;
        assert_close!(x(1.0 + off), -0.5 / 6.0 + off * slope, abs = 1e-15 + off.abs() * 1e-3);
    }
}

/// A mass that bobs on a spring above a plane and just does not, just does, or exactly touches it.
#[test]
fn grazing_is_neither_missed_nor_an_impact() {
    let bob = |height: f64| {
        let out = trusted(&klarbring(&[
            "structure.stiffness=[[1, 0], [0, 1]]",
            "drive.force=[0, 1]",
            &format!("start={{ values = {{ y = {height:?} }} }}"),
            "analysis.duration=30",
        ]));
        let lowest = column(&out, "series", "y").iter().copied().fold(f64::INFINITY, f64::min);
        let speeds: Vec<f64> = out.events.iter().map(|e| e.rates_before[1]).collect();
        (lowest, speeds)
    };
    assert!(bob(2.0 - 1e-9).1.is_empty());
    let (lowest, speeds) = bob(2.0 + 1e-9);
    assert!(lowest >= -1e-14);
    // y = 1 + (1 + d) cos t meets zero with the speed sqrt(2 d), and only once: then it bobs from rest on the plane.
    assert_close!(speeds[0], -(2.0f64 * 1e-9).sqrt(), rel = 1e-6);
    assert!(speeds[1..].iter().all(|v| v.abs() < 1e-7), "{speeds:?}");
    assert!(bob(2.0).1.iter().all(|v| v.abs() < 1e-7));
}

/// From rest on the plane under a constant upward force the mass returns to it again and again, and never strikes.
#[test]
fn a_gap_that_returns_to_zero_for_ever_loses_no_energy() {
    let out = trusted(&klarbring(&[
        "structure.stiffness=[[1, 0.3], [0.3, 2]]",
        "drive.force=[0.0, 1.0]",
        "analysis.duration=400",
    ]));
    let ledger = out.ledger.unwrap();
    assert!(ledger.contact.abs() < 1e-12 && ledger.friction.abs() < 1e-12, "{ledger:?}");
    assert_eq!(word(&out, "mode_last"), "open");
}

#[test]
fn an_approach_at_the_start_is_an_impact_at_once() {
    let out = trusted(&klarbring(&["start={ rates = { x = 1.0, y = -2.0 } }", "analysis.duration=0.1"]));
    let first = out.events.first().unwrap();
    assert_eq!((first.t, first.kind), (0.0, EventKind::Impact));
    assert_eq!((first.rates_before.as_slice(), first.rates_after.as_slice()), (&[1.0, -2.0][..], &[0.5, 0.0][..]));
    assert_eq!(word(&out, "mode_first"), "slip+");
    assert_close!(out.ledger.unwrap().contact, 0.5 * (5.0 - 0.25), rel = 1e-14);
}

/// Stiffness damping makes slip damping cm + ck (k11 - f k12), which is negative beyond f*.
#[test]
fn negative_slip_damping_is_followed_exactly() {
    let (f, ck): (f64, f64) = (1.25, 0.2);
    let (c, k) = (ck * (1.0 - f), 1.0 - f);
    let out = trusted(&klarbring(&[
        "contact.friction.mu=1.25",
        "structure.damping=[[0.2, 0.2], [0.2, 0.4]]",
        "parameters.C2=-0.2",
        "analysis.duration=0.8",
        &probes("x", &[0.8]),
    ]));
    assert_eq!(word(&out, "mode_last"), "slip-");
    let t = 0.8;
    // x'' + c x' + k x = g t from rest: x = g/k (t - c/k) + a e^(p t) + b e^(q t).
    let g = -1.0 + f * 0.2;
    let root = (0.25 * c * c - k).sqrt();
    let (p, q) = (-0.5 * c + root, -0.5 * c - root);
    let (x0, v0) = (g * c / (k * k), -g / k);
    let (a, b) = ((v0 - q * x0) / (p - q), (p * x0 - v0) / (p - q));
    assert_close!(probe(&out, "x", 0), g / k * (t - c / k) + a * (p * t).exp() + b * (q * t).exp(), rel = 1e-12);
}

/// The counts of the printed scheme, which gains energy.
#[test]
fn the_scheme_as_printed_counts_as_it_does() {
    for (dt, count) in [(0.1, 27.0), (0.05, 21.0), (0.02, 15.0), (0.01, 13.0), (0.005, 15.0), (0.002, 13.0)] {
        let out = run(&klarbring(&["analysis.scheme=as-printed", &format!("analysis.step={dt}")]));
        assert_eq!(number(&out, "state_changes"), Some(count), "dt = {dt}");
    }
}

#[test]
fn the_scheme_as_printed_converges_at_order_one() {
    let at_5 = |sets: &[&str]| {
        let looks = probes("x", &[5.0]);
        let all: Vec<&str> = sets.iter().copied().chain(["analysis.duration=5", &looks]).collect();
        probe(&run(&klarbring(&all)), "x", 0)
    };
    let exact = at_5(&[]);
    let error = |dt: f64| (at_5(&["analysis.scheme=as-printed", &format!("analysis.step={dt:?}")]) - exact).abs();
    let (coarse, fine) = (error(1e-3), error(1.25e-4));
    let order = (coarse / fine).log2() / 3.0;
    assert!((order - 1.0).abs() < 0.15, "order {order}: {coarse:e}, {fine:e}");
}

/// A ball on the ground under gravity, without any spring.
fn ball(restitution: f64, impact: &str) -> Scenario {
    text(&format!(
        "[structure]\nkind = 'lumped'\nmass = [[2, 0], [0, 2]]\ncoordinates = ['x', 'y']\n\
         [contact]\ntangent = [1, 0]\nnormal_direction = [0, 1]\n\
         normal = {{ law = 'rigid', restitution = {restitution}, impact = '{impact}' }}\n\
         friction = {{ law = 'coulomb', mu = 0.1 }}\n[drive]\nkind = 'force'\nforce = [0, -20]\n\
         [start]\nvalues = {{ y = 5 }}\n[analysis]\nkind = 'transient'\nduration = 100\n"
    ))
}

/// Infinitely many bounces in a time t_0 (1 + e)/(1 - e), then rest; each takes its part of the energy.
#[test]
fn a_zeno_sequence_ends_where_its_sum_says() {
    for (e, impact) in [(0.5, "moreau"), (0.9, "moreau"), (0.5, "poisson")] {
        let out = trusted(&ball(e, impact));
        assert_eq!(word(&out, "mode_last"), "stick");
        let last = out.events.last().unwrap();
        assert_close!(last.t, (1.0 + e) / (1.0 - e), rel = 1e-11);
        assert_close!(out.ledger.unwrap().contact, 100.0, rel = 1e-12);
        assert_eq!(number(&out, "state_changes_positive"), Some(1.0));
        let second = out.events.iter().nth(1).unwrap();
        assert_close!(second.t, 1.0 + 2.0 * e, rel = 1e-13);
    }
}

#[test]
fn a_perfect_ball_keeps_its_energy() {
    let out = trusted(&ball(1.0, "moreau"));
    assert_eq!(out.events.len(), 50);
    assert!(out.ledger.unwrap().contact.abs() < 1e-9);
    assert_eq!(out.regime.as_deref(), Some("separated"));
}

/// A vibrating belt carries a mass as long as its acceleration stays below mu g.
#[test]
fn a_vibrating_belt_carries_a_mass_up_to_its_friction() {
    let on_belt = |amplitude: f64| {
        text(&format!(
            "[structure]\nkind = 'lumped'\nmass = [[1, 0], [0, 1]]\ncoordinates = ['x', 'y']\n\
             [contact]\ntangent = [1, 0]\nnormal_direction = [0, 1]\nnormal = {{ law = 'rigid' }}\n\
             friction = {{ law = 'coulomb', mu = 0.5 }}\n\
             [[drive]]\nkind = 'belt'\nvelocity = {{ sine = {{ amplitude = {amplitude}, omega = 2 }} }}\n\
             [[drive]]\nkind = 'force'\nforce = [0, -10]\n[analysis]\nkind = 'transient'\nduration = 10\n\
             [output]\nprobes = [{{ quantity = 'rate.x', at = [1.0, 7.0] }}]\n"
        ))
    };
    let held = trusted(&on_belt(2.49));
    assert_eq!((word(&held, "mode_last"), held.events.len()), ("stick", 0));
    assert_close!(probe(&held, "rate.x", 1), 2.49 * 14f64.sin(), rel = 1e-12);
    assert!(trusted(&on_belt(2.51)).events.len() > 4);
}

/// The same motion by power series and by adaptive steps: a Stribeck curve that is flat is Coulomb's law.
#[test]
fn adaptive_steps_agree_with_the_exact_ones() {
    let flat = "contact.friction={ law = \"stribeck\", mu_s = 0.25, mu_k = 0.25, v_s = 1.0 }";
    let exact = trusted(&klarbring(&["analysis.duration=40"]));
    let adaptive = trusted(&klarbring(&["analysis.duration=40", "analysis.rtol=1e-11", flat]));
    assert!(adaptive.health.notes.iter().any(|n| n.contains("Radau")));
    assert_eq!(adaptive.events.len(), exact.events.len());
    for (a, b) in adaptive.events.iter().zip(exact.events.iter()) {
        assert_eq!((a.kind, &a.from, &a.to), (b.kind, &b.from, &b.to));
        assert_close!(a.t, b.t, abs = 1e-7);
    }
}

/// Friction that falls with the speed, and a viscous part that does not grow with the load.
#[test]
fn laws_that_depend_on_the_speed_keep_the_contact_inequalities() {
    let law = "contact.friction={ law = \"stribeck\", mu_s = 0.5, mu_k = 0.25, v_s = 0.1, viscous = 0.02 }";
    let force = "drive.force=[\"-1.0*t\", \"-0.99*t - 1 + 3*sin(1.3*t)\"]";
    let out = trusted(&klarbring(&["analysis.duration=30", law, force]));
    assert!(out.events.len() > 10, "{}", out.events.len());
    let rows = ["y", "normal_force", "friction_force", "slip_velocity"].map(|q| column(&out, "series", q));
    for k in 0..rows[0].len() {
        let [y, n, f, v] = [0, 1, 2, 3].map(|q| rows[q][k]);
        assert!(y > -1e-9 && n > -1e-7 && y * n < 1e-6, "row {k}: gap {y:e}, normal force {n:e}");
        assert!(f.abs() <= 0.5 * n.max(0.0) + 0.02 * v.abs() + 1e-6, "row {k}: friction {f:e} under {n:e}");
    }
}

/// A slanted mass matrix on a drive with kinks: a point that sticks goes on sticking through them.
#[test]
fn stick_survives_the_kinks_of_a_drive() {
    let out = trusted(&klarbring(&[
        "structure.mass=[[1.3, 0.4], [0.4, 0.9]]",
        "contact.friction.mu=0.9",
        "drive.force={ points = [[0, [0, 0]], [1, [-0.5, -3]], [2, [0.7, -2]], [3, [0.1, -5]], [9, [0.3, -1]]] }",
        "analysis.duration=10",
    ]));
    assert_eq!((out.events.len(), word(&out, "mode_first"), word(&out, "mode_last")), (0, "stick", "stick"));
}
