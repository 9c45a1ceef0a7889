//! Units of maps, thresholds, stability and fits; what carries the load in an equilibrium; probes at the last instant.
use stickslip::data::Values;
use stickslip::prelude::*;

fn run(text: &str, sets: &[&str]) -> Outcome {
    let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
    let scenario = Scenario::from_text("units", text, &sets).unwrap_or_else(|e| panic!("{e}"));
    let dataset = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}"));
    dataset.plain().expect("no cases").clone()
}

fn refused(text: &str, sets: &[&str]) -> Diagnostics {
    let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
    match Scenario::from_text("units", text, &sets) {
        Err(e) => e,
        Ok(scenario) => scenario.prepare().expect_err("nothing is wrong"),
    }
}

fn column(out: &Outcome, table: &str, name: &str) -> (Vec<f64>, String) {
    let table = out.tables.iter().find(|t| t.name == table).unwrap();
    let column = table.column(name).unwrap_or_else(|| panic!("no column {name}"));
    match &column.values {
        Values::Float(list) => (list.clone(), column.unit.clone()),
        other => panic!("{name} is {other:?}"),
    }
}

fn number(out: &Outcome, name: &str) -> f64 {
    match &out.value(name).unwrap_or_else(|| panic!("no {name}: {:?}", out.reason)).value {
        Value::Number(x) => *x,
        Value::List(list) => list[0],
        other => panic!("{other:?}"),
    }
}

const FORCED: &str = r#"
structure = { kind = "spring-block", mass = 1, stiffness = 100, damping = 1 }
contact = { normal = { law = "constant", force = 1 }, friction = { law = "coulomb", mu = 0.1 } }
parameters = { f = "1 Hz" }
drive = { kind = "force", force = { sine = { amplitude = "10 N", frequency = "f" } } }
analysis = { kind = "transient", duration = "20 s" }
"#;

/// The forms in which a force of frequency f can be written.
const FORCES: [&str; 3] = [
    "{ sine = { amplitude = '10 N', frequency = 'f' } }",
    "'10 N * sin(2*pi*f*t)'",
    "{ sine = { amplitude = '10 N', omega = '2*pi*f' } }",
];

/// Sound C15: a map over a frequency is the runs with that text, in every unit and every form of the drive.
#[test]
fn a_map_over_a_frequency_is_its_runs_one_by_one() {
    for force in FORCES {
        for values in
            [["0.5 Hz", "1 Hz", "2 Hz"], ["0.9 rad/s", "7 rad/s", "11 rad/s"], ["20 rpm", "75 rpm", "1e-3 kHz"]]
        {
            let drive = format!("drive.force={force}");
            // The unit that is written first decides how a formula counts: all of an axis are of one kind.
            let formula_in_radians = force.contains("2*pi*f") && !values[0].contains("Hz");
            if formula_in_radians {
                continue;
            }
            let axis = format!(
                "analysis={{ kind = 'map', axes = [{{ parameter = 'parameters.f', values = {values:?} }}], \
                 collect = ['amplitude_pp'], each = {{ kind = 'transient', duration = '20 s' }} }}"
            );
            let map = run(FORCED, &[&drive, &axis]);
            let (amplitudes, _) = column(&map, "map", "amplitude_pp");
            for (value, amplitude) in values.iter().zip(amplitudes) {
                let alone = number(&run(FORCED, &[&drive, &format!("parameters.f={value}")]), "amplitude_pp");
                let off = (amplitude / alone - 1.0).abs();
                assert!(off < 1e-12, "{force} at {value}: {amplitude} {alone}");
            }
        }
    }
}

/// Columns, thresholds and critical values carry the unit that was written.
#[test]
fn results_carry_the_unit_that_was_written() {
    let map = |axis: &str| {
        let text =
            format!("analysis={{ kind = 'map', axes = [{axis}], each = {{ kind = 'transient', duration = '1 s' }} }}");
        run(FORCED, &[&text])
    };
    let out = map("{ parameter = 'parameters.f', values = ['0.5 Hz', '2 Hz'] }");
    assert_eq!(column(&out, "map", "parameters.f"), (vec![0.5, 2.0], "Hz".into()));
    let out = map("{ parameter = 'structure.stiffness', from = '1 N/cm', to = '3 N/cm', points = 3 }");
    assert_eq!(column(&out, "map", "structure.stiffness"), (vec![1.0, 2.0, 3.0], "N/cm".into()));
    let out = map("{ parameter = 'drive.force.sine.amplitude', values = [1, 2] }");
    assert_eq!(column(&out, "map", "drive.force.sine.amplitude"), (vec![1.0, 2.0], "N".into()));
    let threshold = |between: &str| {
        let text = format!(
            "analysis={{ kind = 'threshold', parameter = 'parameters.f', between = {between}, outcome = 'stick_fraction', \
             each = {{ kind = 'transient', duration = '40 s' }} }}"
        );
        let out = run(FORCED, &["drive.force.sine.amplitude=0.5 N", &text]);
        (number(&out, "threshold"), out.value("threshold").unwrap().unit.clone())
    };
    let (hz, unit) = threshold("['0.1 Hz', '1.5 Hz']");
    assert_eq!(unit, "Hz");
    for (between, name, factor) in
        [("['6 rpm', '90 rpm']", "rpm", 60.0), ("['0.6 rad/s', '9 rad/s']", "rad/s", std::f64::consts::TAU)]
    {
        let (found, unit) = threshold(between);
        assert_eq!(unit, name);
        assert!((found / factor / hz - 1.0).abs() < 3e-7, "{found} {name}, {hz} Hz");
    }
}

const WRITTEN: &str = r#"
structure = { kind = "spring-block", mass = 1, stiffness = 1, damping = 0.2 }
drive = { kind = "belt", velocity = "1 m/s" }
[contact]
normal = { law = "constant", force = 1 }
[contact.friction]
law = "formula"
strength = "1 + S*(v - V)"
hold = "1 - S*V"
parameters = { S = "-0.1 s/m", V = "1 m/s" }
[analysis]
kind = "stability"
along = { parameter = "contact.friction.parameters.S", from = "-0.3 s/m", to = "-0.1 s/m", points = 5 }
"#;

/// Sound C15b: steady sliding is stable while c + S N > 0.
#[test]
fn stability_along_a_parameter_of_a_formula_keeps_its_unit() {
    for (damping, from, to, unit, critical) in [
        ("0.2", "-0.3 s/m", "-0.1 s/m", "s/m", -0.2),
        ("0.15", "-3e-4 s/mm", "-1e-4 s/mm", "s/mm", -1.5e-4),
        ("0.27", "-0.9 ms/mm", "-0.05 s/m", "ms/mm", -0.27),
    ] {
        let sets = [
            format!("structure.damping={damping}"),
            format!("analysis.along.from={from}"),
            format!("analysis.along.to={to}"),
        ];
        let out = run(WRITTEN, &sets.each_ref().map(String::as_str));
        assert_eq!(out.value("critical").unwrap().unit, unit);
        assert!((number(&out, "critical") / critical - 1.0).abs() < 1e-9, "{}", number(&out, "critical"));
    }
}

/// The matrix of springs between the last three of four coordinates, and 1e6 N/m on the first.
fn springs(k: [f64; 3]) -> String {
    let [a, b, c] = k;
    format!(
        "[[1e6, 0, 0, 0], [0, {}, {}, {}], [0, {}, {}, {}], [0, {}, {}, {}]]",
        a + c,
        -a,
        -c,
        -a,
        a + b,
        -b,
        -c,
        -b,
        b + c
    )
}

const HELD: &str = r#"
[structure]
kind = "lumped"
coordinates = ["x", "y1", "y2", "y3"]
mass = [[450, 0, 0, 0], [0, 33, 0, 0], [0, 0, 77, 0], [0, 0, 0, 340]]
stiffness = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
[contact]
tangent = [1, 0, 0, 0]
normal_direction = [0, 1, 0, 0]
area = "100 cm^2"
normal = { law = "power", c = "1e13 kg cm^-3.5 s^-2", m = 2.5 }
friction = { law = "coulomb", mu = 0.3 }
[[drive]]
kind = "belt"
velocity = "0.1 cm/s"
[[drive]]
kind = "force"
force = [0, -450, -1500, -2550]
[analysis]
kind = "stability"
"#;

/// Sound C16: bodies that only their contact holds rest on it, at c A a^m = load, whatever their masses and springs.
#[test]
fn an_equilibrium_is_where_the_contact_carries_the_load() {
    let held = |masses: [f64; 3], k: [f64; 3], loads: [f64; 3]| {
        let [a, b, c] = masses;
        let sets = [
            format!("structure.mass=[[450, 0, 0, 0], [0, {a}, 0, 0], [0, 0, {b}, 0], [0, 0, 0, {c}]]"),
            format!("structure.stiffness={}", springs(k)),
            format!("drive[1].force=[0, {}, {}, {}]", loads[0], loads[1], loads[2]),
        ];
        run(HELD, &sets.each_ref().map(String::as_str))
    };
    for (masses, k, loads) in [
        ([33.0, 77.0, 340.0], [1e9 / 3.0, 1e9 / 7.0, 1e9 / 11.0], [-450.0, -1500.0, -2550.0]),
        ([45.0, 150.0, 255.0], [1e9 / 3.0, 1e9 / 7.0, 1e9 / 11.0], [-450.0, -1500.0, -2550.0]),
        ([3.3, 0.7, 1100.0], [1e10 / 3.0, 1e10 / 13.0, 1e8 / 7.0], [-1.0, -0.3, -0.07]),
        ([1e-3, 7.0, 0.3], [1e7 / 3.0, 1e7 / 7.0, 1e7 / 11.0], [0.0, 0.0, -9000.0]),
    ] {
        let out = held(masses, k, loads);
        assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
        let load = -loads.iter().sum::<f64>();
        // 1e13 kg cm^-3.5 s^-2 is 1e20 in SI, over 0.01 m^2.
        let right = -(load / 1e18).powf(0.4);
        let found = number(&out, "equilibrium.y1");
        assert!((found / right - 1.0).abs() < 1e-6, "{masses:?}: {found}, not {right}");
        let right = 0.3 * load / 1e6;
        assert!((number(&out, "equilibrium.x") / right - 1.0).abs() < 1e-6);
    }
}

/// Nothing carries a load that pulls bodies away from their contact.
#[test]
fn a_load_that_nothing_carries_has_no_equilibrium() {
    for (masses, force) in [
        ("[[450, 0, 0, 0], [0, 33, 0, 0], [0, 0, 77, 0], [0, 0, 0, 340]]", "[0, 450, 1500, 2550]"),
        ("[[450, 0, 0, 0], [0, 33, 0, 0], [0, 0, 77, 0], [0, 0, 0, 340]]", "[0, 0, 0, 1e-3]"),
        ("[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 3]]", "[0, -450, -1500, 2550]"),
    ] {
        let sets = [
            format!("structure.mass={masses}"),
            format!("structure.stiffness={}", springs([1e9 / 3.0, 1e9 / 7.0, 1e9 / 11.0])),
            format!("drive[1].force={force}"),
        ];
        let e = refused(HELD, &sets.each_ref().map(String::as_str));
        assert_eq!(e.0[0].code, "start::no-equilibrium", "{e}");
    }
}

/// What a program that assembles a matrix rounds is no asymmetry; a slip of the pen is.
#[test]
fn an_assembled_matrix_is_symmetric_to_its_rounding() {
    let matrix = |off: &str| {
        format!("structure.stiffness=[[1e10, {off}, 0, 0], [1e-6, 2e10, 0, 0], [0, 0, 1, 0.5], [0, 0, 0.5, 1]]")
    };
    run(HELD, &[&matrix("0")]);
    run(HELD, &[&matrix("-3e-7")]);
    for off in ["0.5", "1e3"] {
        assert_eq!(refused(HELD, &[&matrix(off)]).0[0].code, "structure::not-symmetric", "{off}");
    }
}

const UNLOADED: &str = r#"
[structure]
kind = "lumped"
mass = [[1, 0], [0, 1]]
stiffness = [[2, -0.5], [-0.5, 1]]
[contact]
tangent = [1, 0]
normal_direction = [0, -1]
area = 1
normal = { law = "linear", k = 1 }
friction = { law = "coulomb", mu = 0.3 }
[[drive]]
kind = "belt"
velocity = 1
[[drive]]
kind = "force"
force = [0, 0]
[analysis]
kind = "stability"
"#;

/// Sound C18: without a normal force friction does nothing, and a warning says so.
#[test]
fn steady_sliding_without_a_normal_force_is_reported() {
    let along = "analysis.along={ parameter = 'contact.friction.mu', from = 0, to = 2, points = 11 }";
    for sets in [vec![], vec![along], vec!["structure.stiffness=[[3, -1], [-1, 2]]"], vec![along, "contact.normal.k=5"]]
    {
        let warned = |out: &Outcome| out.health.warnings.iter().any(|w| w.contains("no normal force"));
        assert!(warned(&run(UNLOADED, &sets)), "{sets:?}");
        let pressed: Vec<&str> = sets.iter().copied().chain(["drive[1].force=[0, 1]"]).collect();
        assert!(!warned(&run(UNLOADED, &pressed)), "{sets:?}");
    }
}

const PROGRAM: &str = r#"
structure = { kind = "point" }
drive = { kind = "program", steps = [{ slide = "0.3 mm", velocity = "0.01 mm/s" }] }
analysis = { kind = "hysteresis" }
output = { probes = [{ quantity = "friction", at = ["30 s"] }] }
[contact]
normal = { law = "constant", force = 10 }
friction = { law = "dahl", sigma_0 = "1e5 1/m", mu = 0.3 }
"#;

/// Sound B13: the durations of steps are quotients, 0.3 mm at 0.01 mm/s is not 30 s to the last digit.
#[test]
fn a_probe_at_the_last_instant_is_answered_and_a_later_one_refused() {
    let probe = |t: &str| format!("output.probes=[{{ quantity = 'friction', at = ['{t}'] }}]");
    for (steps, end, late) in [
        ("[{ slide = '0.3 mm', velocity = '0.01 mm/s' }]", "30 s", "30.001 s"),
        ("[{ slide = '0.7 mm', velocity = '0.03 mm/s' }, { hold = '0.1 s' }]", "23.433333333333334 s", "24 s"),
        (
            "[{ slide = '0.1 mm', velocity = '0.03 mm/s' }, { slide = '0.7 mm', velocity = '0.1 mm/s' }]",
            "10.333333333333334 s",
            "1 h",
        ),
    ] {
        let steps = format!("drive.steps={steps}");
        let out = run(PROGRAM, &[&steps, &probe(end)]);
        assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
        assert!((number(&out, "probe.friction") - 0.3).abs() < 1e-9);
        assert_eq!(refused(PROGRAM, &[&steps, &probe(late)]).0[0].code, "output::too-late");
    }
    for structure in ["spring-block', mass = 1, stiffness = 100", "spring-block', mass = 3, stiffness = 7"] {
        let sets = [
            format!("structure={{ kind = '{structure} }}"),
            "analysis={ kind = 'transient', duration = '2 s' }".into(),
            "drive={ kind = 'pull', velocity = 1 }".into(),
        ];
        let with = |t: &str| {
            let mut all: Vec<String> = sets.to_vec();
            all.push(probe(t));
            all
        };
        let all = with("2 s");
        assert_eq!(run(PROGRAM, &all.iter().map(String::as_str).collect::<Vec<_>>()).status, Status::Ok);
        let all = with("2.5 s");
        assert_eq!(refused(PROGRAM, &all.iter().map(String::as_str).collect::<Vec<_>>()).0[0].code, "output::too-late");
    }
}

const BLOCK: &str = r#"
[structure]
kind = "rigid-block"
mass = "450 kg"
inertia = "124188.375 kg cm^2"
length = "48.8 cm"
height = "30.5 cm"
width = "30.5 cm"
weight = "450e3 kg cm/s^2"
stiffness = { x = "2388e3 kg/s^2" }
[contact]
normal = { law = "power", c = "1e13 kg cm^-3.5 s^-2", m = 2.5 }
friction = { law = "rate-state", form = "sinh", mu_0 = 0.3, a = 0.011, b = 0.009, v_0 = "1 um/s", d_c = "0.9 um" }
[drive]
kind = "belt"
velocity = "0.08 cm/s"
[analysis]
kind = "stability"
"#;

/// Damping as a part of the critical one needs the equilibrium without friction: law states at their starts, not at zero.
#[test]
fn a_damping_ratio_serves_laws_with_states() {
    for (law, ratio) in [
        (
            "{ law = 'rate-state', form = 'sinh', mu_0 = 0.3, a = 0.011, b = 0.009, v_0 = '1 um/s', d_c = '0.9 um' }",
            0.04,
        ),
        ("{ law = 'rate-state', mu_0 = 0.2, a = 0.02, b = 0.015, v_0 = '1 mm/s', d_c = '5 um' }", 0.1),
        ("{ law = 'lugre', mu_c = 0.25, mu_s = 0.3, v_s = '1 mm/s', sigma_0 = '1e5 1/m', sigma_1 = '3 s/m' }", 0.01),
    ] {
        let friction = format!("contact.friction={law}");
        let ratios = format!("structure.damping_ratio={{ y = {ratio}, theta = {ratio} }}");
        let out = run(BLOCK, &[&friction, &ratios]);
        // y and theta are damped by 2 ratio sqrt(k m) at the stiffness of the contact without friction: W = c A a^m.
        let (c, area, weight) = (1e20, 0.488 * 0.305, 4500.0);
        let approach = f64::powf(weight / (c * area), 0.4);
        let stiffness = 2.5 * weight / approach;
        let (inertia, lever) = (12.4188375, 0.488f64.powi(2) / 12.0);
        let damping = format!(
            "structure.damping={{ y = {:e}, theta = {:e} }}",
            2.0 * ratio * f64::sqrt(stiffness * 450.0),
            2.0 * ratio * f64::sqrt(stiffness * lever * inertia)
        );
        let other = run(BLOCK, &[&friction, &damping]);
        let (a, b) = (number(&out, "growth_rate"), number(&other, "growth_rate"));
        assert!((a / b - 1.0).abs() < 1e-6, "{law}: {a} {b}");
    }
}
