//! The rigid block: closed forms, growth against the spectrum, energy, bad input.
use stickslip::prelude::*;
use stickslip_verification::{assert_close, run, scenario, trusted, value};

fn block(file: &str, sets: &[&str]) -> Scenario {
    scenario(file, &sets.iter().map(|s| s.to_string()).collect::<Vec<_>>())
}

/// Beyond full contact the closed part is l = (m + 2)(L - mu H)/2 long; N = W gives the tilt.
#[test]
fn partial_separation_has_its_closed_form() {
    let (length, height, width, weight) = (0.488, 0.305, 0.305, 4500.0);
    // Half integers are exact; of the others the lowest power is the hardest.
    for (m, tolerance) in
        [(1.0, 1e-11), (1.2, 1e-7), (2.0, 1e-11), (2.3, 1e-9), (2.5, 1e-11), (3.5, 1e-11), (3.7, 1e-10)]
    {
        for mu in [1.3, 1.5, 1.59] {
            let closed = (m + 2.0) * (length - mu * height) / 2.0;
            if closed > length {
                continue;
            }
            let c: f64 = 1e12;
            let tilt = (weight * (m + 1.0) / (width * c * f64::powf(closed, m + 1.0))).powf(1.0 / m);
            let sets = [format!("contact.friction.mu={mu}"), format!("contact.normal={{law=\"power\",c={c},m={m}}}")];
            let out = trusted(&block("rigid-block.toml", &sets.each_ref().map(String::as_str)));
            assert_close!(value(&out, "equilibrium.theta"), tilt, rel = tolerance);
            assert_close!(value(&out, "equilibrium.y"), tilt * (closed - 0.5 * length), rel = 10.0 * tolerance);
        }
    }
}

/// A small disturbance grows as the spectrum says: seen once a period, late enough for the growing mode to be alone.
#[test]
fn growth_agrees_with_the_spectrum() {
    let damped = "contact.normal.b=\"4.35e12 kg cm^-4.5 s^-1\"";
    for sets in [
        &["contact.friction.mu=0.6"][..],
        &["contact.friction.mu=0.6", "structure.damping_ratio={y=0.01,theta=0.01}"],
        &["contact.friction.mu=0.6", damped],
        &["contact.friction.mu=0.6", damped, "contact.normal.friction_follows=all"],
    ] {
        let spectrum = trusted(&block("rigid-block.toml", sets));
        let (growth, omega) = (value(&spectrum, "growth_rate"), value(&spectrum, "omega"));
        let period = std::f64::consts::TAU / omega;
        let (first, last) = (10.0 * period, 15.0 * period);
        let probes = format!("output.probes=[{{quantity=\"rate.y\",at=[0.0, {first}, {last}]}}]");
        let duration = format!("analysis={{kind=\"transient\",duration={last},rtol=1e-10}}");
        let start = "start={state=\"steady-sliding\",add={rates={y=\"-1e-7 cm/s\"}}}";
        let all: Vec<&str> = sets.iter().copied().chain([probes.as_str(), &duration, start]).collect();
        let out = trusted(&block("rigid-block.toml", &all));
        let (a, b) = (value(&out, "probe.rate.y[1]"), value(&out, "probe.rate.y[2]"));
        assert_close!((b / a).ln() / (last - first), growth, rel = 0.01);
    }
}

/// Friction that follows all of a damped pressure, as an independent solution of the linearised equations has it. With
/// friction that follows the elastic part the same solution gives 268.1075 + 5305.6654 i, the published one.
#[test]
fn friction_may_follow_the_whole_pressure() {
    let sets = [
        "contact.friction.mu=0.6",
        "contact.normal.b=\"4.35e12 kg cm^-4.5 s^-1\"",
        "contact.normal.friction_follows=all",
    ];
    let out = trusted(&block("rigid-block.toml", &sets));
    assert_close!(value(&out, "growth_rate"), 269.0622, rel = 1e-6);
    assert_close!(value(&out, "omega"), 5412.4575, rel = 1e-7);
}

/// Inside the width friction is below its strength: a belt faster than that finds stick there, a slower one slides.
#[test]
fn sliding_inside_the_width_is_not_stuck() {
    let regime = |width: &str| {
        let text = format!(
            "[structure]\nkind = 'spring-block'\nmass = 1\nstiffness = 1\ndamping = 0.5\n[contact]\n\
             normal = {{ law = 'constant', force = 1 }}\nfriction = {{ law = 'coulomb', mu = 0.3 }}\n[drive]\n\
             kind = 'belt'\nvelocity = 0.1\n[formulation]\nkind = 'regularised'\nshape = 'quadratic'\n\
             width = {width}\n[analysis]\nkind = 'transient'\nduration = 400\n"
        );
        trusted(&stickslip_verification::text(&text)).regime
    };
    assert_eq!(regime("0.01").as_deref(), Some("steady-sliding"));
    assert_eq!(regime("0.3").as_deref(), Some("steady-sliding"));
}

/// Nothing moves but by rounding, whatever the formulation: there is nothing to distrust.
#[test]
fn rounding_is_no_open_balance() {
    for more in [&[][..], &["formulation={kind=\"regularised\",width=\"1e-6 m/s\"}"]] {
        let rest = ["drive={kind=\"force\",force=[\"10 N\",0,0]}", "start={state=\"static\"}"];
        for first in [1, 0] {
            let transient = ["analysis={kind=\"transient\",duration=\"0.1 s\"}"];
            let sets: Vec<&str> = rest[first..].iter().chain(&transient).chain(more).copied().collect();
            let still = if first == 1 { vec!["drive.velocity=0"] } else { vec![] };
            let out = trusted(&block("rigid-block.toml", &[sets, still].concat()));
            assert_eq!((out.regime.as_deref(), value(&out, "energy_residual")), (Some("stuck"), 0.0), "{more:?}");
        }
    }
}

/// Exact stick and a smoothing, jumps and partial separation, a surface that shakes: energy is balanced term by term.
#[test]
fn energy_is_balanced() {
    let exact = ["formulation={kind=\"exact\"}", "analysis.duration=\"0.3 s\"", "analysis.rtol=1e-9"];
    let shaken = "drive=[{kind=\"belt\",velocity=\"0.127 cm/s\"},{kind=\"profile\",height={sine={amplitude=\"1e-5 cm\",omega=\"3000 rad/s\"}}}]";
    let damped = "contact.normal.b=\"4e12 kg cm^-4.5 s^-1\"";
    for more in [&[][..], &[shaken], &[damped]] {
        let sets: Vec<&str> = exact.iter().chain(more).copied().collect();
        let out = trusted(&block("rigid-block-stick-slip.toml", &sets));
        assert!(value(&out, "energy_residual") < 1e-7, "{more:?}: {}", value(&out, "energy_residual"));
    }
}

/// The printed scheme is of order 2: a quarter of the error at half the step.
#[test]
fn the_central_difference_converges() {
    let at = |sets: &[&str]| {
        let probe = "output.probes=[{quantity=\"y\",at=[\"2 ms\"]}]";
        let sets: Vec<&str> = sets.iter().copied().chain([probe]).collect();
        value(&run(&block("rigid-block-small.toml", &sets)), "probe.y[0]")
    };
    let exact = at(&["analysis.duration=\"2 ms\"", "analysis.rtol=1e-11"]);
    let error = |step: &str| {
        let analysis =
            format!("analysis={{kind=\"transient\",scheme=\"as-printed\",step=\"{step}\",duration=\"2 ms\"}}");
        let smooth = "formulation={kind=\"regularised\",width=\"0.002 cm/s\"}";
        at(&[&analysis, smooth]) - exact
    };
    assert_close!(error("4 us") / error("2 us"), 4.0, rel = 0.02);
}

/// A surface that lies higher lifts the block by as much.
#[test]
fn the_block_follows_its_surface() {
    let flat = value(&trusted(&block("rigid-block.toml", &[])), "equilibrium.y");
    let raised = "drive=[{kind=\"belt\",velocity=\"0.08 cm/s\"},{kind=\"profile\",height=\"1e-4 cm\"}]";
    let out = trusted(&block("rigid-block.toml", &[raised]));
    assert_close!(value(&out, "equilibrium.y"), flat - 1e-6, abs = 1e-15);
}

/// Figures 41 to 43: with one coefficient, friction measured as a mean over 10 ms is lower while a slide slows down than at the
/// same velocities while it starts.
#[test]
fn a_constant_coefficient_shows_a_loop() {
    let out = trusted(&block("rigid-block-stick-slip.toml", &["analysis.duration=\"0.19 s\""]));
    let read = |name: &str| stickslip_verification::column(&out, "series", name);
    let (t, slip, friction) = (read("t"), read("slip_velocity"), read("friction_force"));
    let mut means = [[0.0f64; 3]; 19];
    for i in 1..t.len() {
        let span = t[i] - t[i - 1];
        let mean = &mut means[((t[i] / 0.01) as usize).min(18)];
        [span, span * slip[i] / 1.27e-3, span * friction[i] / 4500.0].iter().zip(mean).for_each(|(x, sum)| *sum += x);
    }
    let means = means.map(|[span, slip, friction]| (slip / span, friction / span));
    let fastest = (0..19).max_by(|a, b| means[*a].0.total_cmp(&means[*b].0)).unwrap();
    let mean = |range: std::ops::Range<usize>| {
        let middle: Vec<f64> = range.filter(|k| (3.0..6.0).contains(&means[*k].0)).map(|k| means[k].1).collect();
        assert!(middle.len() > 1, "{means:?}");
        middle.iter().sum::<f64>() / middle.len() as f64
    };
    let (starting, slowing) = (mean(0..fastest), mean(fastest..19));
    assert!(starting > 0.85 && slowing < 0.65, "{starting} and {slowing}");
}

/// Section 5.4: a normal vibration beside the belt lowers the mean friction of a block that slides steadily without it.
#[test]
fn vibration_lowers_the_mean_friction() {
    let sets = [
        "formulation={kind=\"exact\"}",
        "analysis.duration=\"1 s\"",
        "structure.damping_ratio={x=0.05,y=0.2,theta=0.2}",
    ];
    let shaken =
        "drive=[{kind=\"belt\",velocity=\"0.127 cm/s\"},{kind=\"force\",force=[0,\"8000 N*sin(4000 rad/s*t)\",0]}]";
    let mean = |more: &[&str]| {
        let sets: Vec<&str> = sets.iter().chain(more).copied().collect();
        value(&trusted(&block("rigid-block-stick-slip.toml", &sets)), "probe.x.mean") * 2388e3 / 4500.0
    };
    assert_close!(mean(&[]), 1.0, rel = 1e-3);
    assert!(mean(&[shaken]) < 0.5);
}

#[test]
fn what_cannot_be_is_refused() {
    let file = stickslip_verification::folder("scenarios").join("rigid-block.toml");
    for (set, code) in [
        ("contact.friction.mu=1.7", "start::no-equilibrium"),
        ("structure.width=0", "scenario::out-of-range"),
        ("structure.inertia=-1", "scenario::out-of-range"),
        ("contact.normal={law=\"power\",c=1e12,m=0.5}", "law::out-of-range"),
        ("contact.normal.m=0.5", "law::out-of-range"),
        ("contact.normal={law=\"constant\",force=1}", "contact::edge"),
        ("contact.area=1", "contact::implied"),
        ("structure.damping_ratio={x=0.1,y=0.1}\u{0}structure.weight=0", "structure::no-frequency"),
        ("structure.lenght=1", "scenario::unknown-key"),
    ] {
        let sets: Vec<String> = set.split('\u{0}').map(String::from).collect();
        let text = match Scenario::from_file(&file, &sets).map(|s| s.run(&Context::default()).map(drop)) {
            Err(e) | Ok(Err(e)) => e.to_string(),
            Ok(Ok(())) => panic!("{set} is taken"),
        };
        assert!(text.contains(code), "{set}: {text}");
    }
}
