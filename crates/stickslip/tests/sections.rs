//! Sections of motions, walks along a parameter, conditions of thresholds: closed forms and other methods.
use std::f64::consts::{PI, TAU};
use stickslip::prelude::*;
use stickslip_data::{Outcome, Value, Values};

fn outcome(text: &str) -> Outcome {
    let scenario = Scenario::from_text("test.toml", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let dataset = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(dataset.status(), Status::Ok, "{:?}", dataset.reason());
    dataset.plain().expect("no cases").clone()
}

fn number(out: &Outcome, name: &str) -> f64 {
    out.number(name).unwrap_or_else(|| panic!("no `{name}` in {:?}", out.values))
}

fn list(out: &Outcome, name: &str) -> Vec<f64> {
    match out.value(name).map(|q| &q.value) {
        Some(Value::List(list)) => list.clone(),
        other => panic!("{name}: {other:?}"),
    }
}

fn column(out: &Outcome, table: &str, name: &str) -> Vec<f64> {
    let values = out.table(table).and_then(|t| t.column(name)).map(|c| &c.values);
    match values {
        Some(Values::Float(values)) => values.clone(),
        Some(Values::Int(values)) => values.iter().map(|x| *x as f64).collect(),
        other => panic!("{table}.{name}: {other:?}"),
    }
}

fn close(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{found} is not {expected} within {within}");
}

/// A forced block without friction.
fn forced(structure: &str, analysis: &str) -> Outcome {
    outcome(&format!(
        "[parameters]\nw = \"1.3 rad/s\"\n[structure]\nkind = \"spring-block\"\nmass = 1\n{structure}\n[drive]\nkind = \"force\"\n\
         force = {{ sine = {{ amplitude = 7.5, omega = \"w\", phase = \"90 deg\" }} }}\n[analysis]\n{analysis}"
    ))
}

#[test]
fn a_linear_oscillator_comes_back_to_the_point_of_its_closed_form() {
    let c = 0.2;
    let out = forced(
        "stiffness = 1\ndamping = 0.2",
        "kind = \"poincare\"\nexponents = true\neach = { kind = \"transient\", duration = { cycles = 120 } }",
    );
    assert_eq!(number(&out, "repeats"), 1.0);
    let (re, im) = (1.0 - 1.69, c * 1.3);
    let square = re * re + im * im;
    let x = column(&out, "points", "x");
    assert_eq!(x.len(), 60);
    close(*x.last().unwrap(), 7.5 * re / square, 1e-9);
    close(*column(&out, "points", "rate.x").last().unwrap(), 7.5 * 1.3 * im / square, 1e-9);
    // Both decay at half the damping over the mass; together they lose all of it.
    let exponents = list(&out, "exponents");
    close(exponents.iter().sum(), -c, 1e-9);
    exponents.iter().for_each(|x| close(*x, -0.5 * c, 2e-3));
    assert_eq!(number(&out, "rank"), 2.0);
}

/// Ueda's oscillator, x'' + 0.05 x' + x^3 = 7.5 cos t: chaos, and areas that shrink at the rate of the damping.
#[test]
fn chaos_has_a_positive_exponent_and_the_sum_is_the_damping() {
    let out = outcome(
        "[parameters]\nw = \"1 rad/s\"\n[structure]\nkind = \"spring-block\"\nmass = 1\nstiffness = 0\nstiffness_cubic = 1\n\
         damping = 0.05\n[drive]\nkind = \"force\"\nforce = { sine = { amplitude = 7.5, omega = \"w\", phase = \"90 deg\" } }\n\
         [analysis]\nkind = \"poincare\"\nexponents = true\neach = { kind = \"transient\", duration = { cycles = 300 } }",
    );
    let exponents = list(&out, "exponents");
    close(exponents.iter().sum(), -0.05, 1e-7);
    assert!((0.06..0.16).contains(&exponents[0]), "{exponents:?}");
    assert_eq!(number(&out, "repeats"), 0.0);
}

fn belt(velocity: f64, analysis: &str) -> Outcome {
    outcome(&format!(
        "[structure]\nkind = \"spring-block\"\nmass = 1\nstiffness = 1\ndamping = 0.02\n[contact]\n\
         normal = {{ law = \"constant\", force = 1 }}\nfriction = {{ law = \"coulomb\", mu_s = 0.4, mu_k = 0.25 }}\n[drive]\n\
         kind = \"belt\"\nvelocity = {velocity}\n[analysis]\n{analysis}"
    ))
}

const SLIP: &str = "kind = \"poincare\"\nexponents = true\neach = { kind = \"transient\", duration = { cycles = 40 } }";

#[test]
fn stick_collapses_a_direction_and_the_section_is_the_highest_place_of_the_cycle() {
    for velocity in [0.05, 0.1, 0.17] {
        let out = belt(velocity, SLIP);
        assert_eq!((number(&out, "rank"), number(&out, "repeats")), (1.0, 1.0));
        close(list(&out, "exponents")[0], 0.0, 1e-9);
        let cycle = belt(velocity, "kind = \"limit-cycle\"");
        let (x, t) = (column(&out, "points", "x"), column(&out, "points", "t"));
        x.iter().for_each(|x| close(*x, number(&cycle, "value_max"), 1e-10));
        t.windows(2).for_each(|w| close(w[1] - w[0], number(&cycle, "period"), 1e-9));
    }
}

#[test]
fn without_stick_both_exponents_are_those_of_steady_sliding() {
    let out = belt(0.5, SLIP);
    assert_eq!(number(&out, "rank"), 2.0);
    close(list(&out, "exponents").iter().sum(), -0.02, 1e-9);
}

/// The exponents of a smooth cycle are the logarithms of its multipliers over its period.
#[test]
fn exponents_of_a_cycle_are_its_multipliers() {
    let text = |analysis: &str| {
        format!(
            "[structure]\nkind = \"spring-block\"\nmass = \"1.2 kg\"\nstiffness = \"100 N/cm\"\n[contact]\n\
             normal = {{ law = \"weight\", gravity = \"9.81 m/s^2\" }}\nfriction = {{ law = \"rate-state\", mu_0 = 0.369, a = 0.011, \
             b = 0.025, v_0 = \"1 um/s\", d_c = \"0.9 um\", eta = \"14 s/m\" }}\n[drive]\nkind = \"pull\"\nvelocity = \"0.5 mm/s\"\n\
             [analysis]\n{analysis}"
        )
    };
    let out = outcome(&text(
        "kind = \"poincare\"\nexponents = true\neach = { kind = \"transient\", duration = { cycles = 60 } }",
    ));
    let cycle = outcome(&text("kind = \"limit-cycle\""));
    let Some(Value::Rows(multipliers)) = cycle.value("multipliers").map(|q| &q.value) else { panic!() };
    let logs: Vec<f64> = multipliers.iter().map(|v| v[0].hypot(v[1]).ln() / number(&cycle, "period")).collect();
    let found = list(&out, "exponents");
    close(found[0], 0.0, 1e-3);
    close(found[1], logs[1], 5e-3 * logs[1].abs());
}

/// Along a parameter and back: each motion starts where the last one ended.
#[test]
fn a_walk_stays_on_its_branch() {
    let out = forced(
        "stiffness = 1\nstiffness_cubic = 0.5\ndamping = 0.1",
        "kind = \"poincare\"\nalong = { parameter = \"drive.force.sine.amplitude\", from = 0.05, to = 1.45, points = 15, \
         both_ways = true }\neach = { kind = \"transient\", duration = { cycles = 60 } }",
    );
    let (at, x) = (column(&out, "points", "drive.force.sine.amplitude"), column(&out, "points", "x"));
    let Some(Values::Coded { codes, .. }) = out.table("points").and_then(|t| t.column("way")).map(|c| &c.values) else {
        panic!()
    };
    let settled = |value: f64, way: u8| {
        let row = (0..x.len()).rfind(|i| (at[*i] - value).abs() < 1e-9 && codes[*i] == way).unwrap();
        x[row]
    };
    close(settled(0.05, 0), settled(0.05, 1), 1e-5);
    close(settled(1.45, 0), settled(1.45, 1), 1e-3);
    let apart = (0..15)
        .filter(|k| (settled(0.05 + 0.1 * f64::from(*k), 0) - settled(0.05 + 0.1 * f64::from(*k), 1)).abs() > 0.1);
    assert!(apart.count() >= 2);
}

/// A map that walks finds the same branches as responses followed through their folds.
#[test]
fn a_map_that_walks_jumps_where_the_response_folds() {
    let structure = "stiffness = 1\nstiffness_cubic = 0.5\ndamping = 0.1";
    let sweep = |walk: &str| {
        outcome(&format!(
            "[parameters]\nw = \"1 rad/s\"\n[structure]\nkind = \"spring-block\"\nmass = 1\n{structure}\n[drive]\nkind = \"force\"\n\
             force = {{ sine = {{ amplitude = 0.6, omega = \"w\" }} }}\n[analysis]\nkind = \"map\"\naxes = [{{ parameter = \
             \"parameters.w\", from = 1.0, to = 2.2, points = 25, walk = \"{walk}\" }}]\ncollect = [\"amplitude_pp\", \"maxima\"]\n\
             each = {{ kind = \"transient\", duration = {{ cycles = 60 }} }}"
        ))
    };
    let (up, down, both) = (sweep("up"), sweep("down"), sweep("both"));
    let a = |out: &Outcome| column(out, "map", "amplitude_pp");
    assert_eq!(a(&up), a(&both)[..25], "the way up is the same with the way back behind it");
    let mut falling = a(&down);
    falling.reverse();
    let apart: Vec<usize> = (0..25).filter(|i| (a(&up)[*i] - falling[*i]).abs() > 0.2).collect();
    assert!(apart.len() >= 3 && apart.windows(2).all(|w| w[1] == w[0] + 1), "{apart:?}");
    assert!(apart.iter().all(|i| a(&up)[*i] > falling[*i]), "the way up stays on the higher branch");
    // Every maximum has its row: one a period of the settled half.
    let (maxima, x) = (column(&up, "maxima", "maxima"), column(&up, "maxima", "parameters.w"));
    for (i, w) in [(0, 1.0), (24, 2.2)] {
        let own: Vec<f64> = (0..x.len()).filter(|k| (x[*k] - w).abs() < 1e-12).map(|k| maxima[k]).collect();
        assert!((29..=31).contains(&own.len()), "{own:?}");
        close(2.0 * own[own.len() - 1], a(&up)[i], 1e-3);
    }
}

#[test]
fn thresholds_take_conditions() {
    let threshold = |outcome: &str| {
        belt(
            0.1,
            &format!(
                "kind = \"threshold\"\nparameter = \"drive.velocity\"\nbetween = [0.1, 0.9]\noutcome = \"{outcome}\"\nrtol = 1e-5\n\
                 each = {{ kind = \"transient\", duration = {{ cycles = 20 }} }}"
            ),
        )
    };
    let by_regime = threshold("regime = stick-slip");
    let by_stick = threshold("stick_fraction > 1e-9");
    assert_eq!(by_regime.value("before").map(|q| q.value.clone()), Some(Value::Text("stick-slip".into())));
    // The condition on a value ends where stick does, at the latest where its phases become short.
    assert!(number(&by_regime, "threshold") <= number(&by_stick, "threshold") * (1.0 + 1e-4));
    let text = "[analysis]\nkind = \"threshold\"\nparameter = \"drive.velocity\"\nbetween = [1, 2]\noutcome = \"regime =\"\n\
                each = { kind = \"transient\", duration = 1 }\n[structure]\nkind = \"spring-block\"\nmass = 1\nstiffness = 1\n\
                [drive]\nkind = \"belt\"\nvelocity = 1\n";
    let asked = Scenario::from_text("test.toml", text, &[]);
    assert!(asked.is_err() || asked.is_ok_and(|s| s.run(&Context::default()).is_err()));
}

/// Of an evaluated law the sign of a value, or where it passes a number: here where the coefficient is 0.35.
#[test]
fn thresholds_take_values_of_evaluate() {
    let out = outcome(
        "[structure]\nkind = \"point\"\n[contact]\nnormal = { law = \"constant\", force = 1 }\n\
         friction = { law = \"exponential\", mu_0 = 0.3, mu_1 = 0.1, alpha = 10 }\n\
         [analysis]\nkind = \"threshold\"\nparameter = \"contact.friction.alpha\"\nbetween = [1, 100]\n\
         outcome = \"friction > 0.35\"\neach = { kind = \"evaluate\", inputs = { velocity = [\"0.1 m/s\"] } }",
    );
    close(number(&out, "threshold"), 10.0 * 2f64.ln(), 1e-5);
}

#[test]
fn a_base_that_shakes_gives_the_relative_response() {
    for (given, factor) in [("displacement", 1.0), ("velocity", 1.0 / 1.7), ("acceleration", 1.0 / (1.7 * 1.7))] {
        let out = outcome(&format!(
            "[parameters]\nw = \"1.7 rad/s\"\n[structure]\nkind = \"spring-block\"\nmass = 2\nstiffness = 3\ndamping = 0.3\n\
             [drive]\nkind = \"base\"\n{given} = {{ sine = {{ amplitude = 0.5, omega = \"w\" }} }}\n\
             [analysis]\nkind = \"frequency-response\""
        ));
        let size = (3.0f64 - 2.0 * 1.7 * 1.7).hypot(0.3 * 1.7);
        close(number(&out, "amplitude"), 2.0 * 1.7 * 1.7 * 0.5 * factor / size, 1e-9);
    }
    // A formula gives the same as a sine.
    let out = outcome(
        "[structure]\nkind = \"spring-block\"\nmass = 2\nstiffness = 3\ndamping = 0.3\n[drive]\nkind = \"base\"\n\
         displacement = \"0.5*sin(1.7*t)\"\n[analysis]\nkind = \"frequency-response\"",
    );
    let size = (3.0f64 - 2.0 * 1.7 * 1.7).hypot(0.3 * 1.7);
    close(number(&out, "amplitude"), 2.0 * 1.7 * 1.7 * 0.5 / size, 1e-8);
}

/// A ring of equal sectors under an engine order is a single sector with the stiffness of that many nodal diameters.
#[test]
fn a_tuned_ring_answers_as_one_sector() {
    for (order, sectors) in [(0usize, 6usize), (2, 6), (5, 6), (3, 7), (9, 7), (1, 2), (1, 1)] {
        let out = outcome(&format!(
            "[parameters]\nw = \"1.1 rad/s\"\n[structure]\nkind = \"cyclic\"\nsectors = {sectors}\n\
             sector = {{ mass = 1, stiffness = 1, damping = 0.1 }}\ncoupling = 0.5\n[drive]\nkind = \"force\"\n\
             engine_order = {order}\nforce = {{ sine = {{ amplitude = 0.1, omega = \"w\" }} }}\n\
             [analysis]\nkind = \"frequency-response\""
        ));
        // Two sectors meet once.
        let meets = if sectors == 2 { 1.0 } else { 2.0 };
        let k = 1.0 + meets * 0.5 * (1.0 - (TAU * order as f64 / sectors as f64).cos());
        close(number(&out, "amplitude"), 0.1 / (k - 1.21).hypot(0.11), 1e-10);
    }
}

/// A ring is the lumped system that one would write for it, mistuning and all.
#[test]
fn a_ring_is_its_matrices() {
    let damper = "[contact]\nnormal = { law = \"constant\", force = 1 }\nfriction = { law = \"jenkins\", stiffness = 0.4, limit = 0.02 }";
    let ring = outcome(&format!(
        "[structure]\nkind = \"cyclic\"\nsectors = 3\nsector = {{ mass = [[2, 0], [0, 1]], stiffness = [[3, -1], [-1, 1]], \
         damping = [[0.1, 0], [0, 0.1]], coordinates = [\"disc\", \"blade\"] }}\ncoupling = 0.5\nslips = \"disc\"\n\
         mistuning = {{ deviations = [0.1, 0, -0.05] }}\n{damper}\n[drive]\nkind = \"force\"\n\
         force = [\"0.1*sin(t)\", 0, \"0.1*sin(t + 1)\", 0, \"0.1*sin(t + 2)\", 0]\n\
         [analysis]\nkind = \"transient\"\nduration = 30\n[output]\nprobes = [{{ quantity = \"blade2\", at = [30] }}]"
    ));
    let mut text = String::from(
        "[structure]\nkind = \"lumped\"\ncoordinates = [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\"]\nmass = [[2,0,0,0,0,0],[0,1,0,0,0,0],\
         [0,0,2,0,0,0],[0,0,0,1,0,0],[0,0,0,0,2,0],[0,0,0,0,0,1]]\ndamping = [[0.1,0,0,0,0,0],[0,0.1,0,0,0,0],[0,0,0.1,0,0,0],\
         [0,0,0,0.1,0,0],[0,0,0,0,0.1,0],[0,0,0,0,0,0.1]]\nstiffness = [[4.3,-1.1,-0.5,0,-0.5,0],[-1.1,1.1,0,0,0,0],\
         [-0.5,0,4,-1,-0.5,0],[0,0,-1,1,0,0],[-0.5,0,-0.5,0,3.85,-0.95],[0,0,0,0,-0.95,0.95]]\n",
    );
    for (name, row) in [("p", "[1,0,0,0,0,0]"), ("q", "[0,0,1,0,0,0]"), ("r", "[0,0,0,0,1,0]")] {
        text +=
            &format!("[[contact]]\nname = \"{name}\"\ntangent = {row}\nnormal = {{ law = \"constant\", force = 1 }}\n");
        text += "friction = { law = \"jenkins\", stiffness = 0.4, limit = 0.02 }\n";
    }
    text += "[drive]\nkind = \"force\"\nforce = [\"0.1*sin(t)\", 0, \"0.1*sin(t + 1)\", 0, \"0.1*sin(t + 2)\", 0]\n[analysis]\n\
             kind = \"transient\"\nduration = 30\n[output]\nprobes = [{ quantity = \"d\", at = [30] }]";
    let lumped = outcome(&text);
    close(list(&ring, "probe.blade2")[0], list(&lumped, "probe.d")[0], 1e-11);
}

#[test]
fn mistuning_follows_from_its_seed() {
    let ring = |seed: usize| {
        outcome(&format!(
            "[parameters]\nw = \"1 rad/s\"\n[structure]\nkind = \"cyclic\"\nsectors = 12\nsector = {{ mass = 1, stiffness = 1, \
             damping = 0.02 }}\ncoupling = 0.01\nmistuning = {{ spread = 0.03, seed = {seed} }}\n[drive]\nkind = \"force\"\n\
             engine_order = 3\nforce = {{ sine = {{ amplitude = 0.1, omega = \"w\" }} }}\n[analysis]\nkind = \"frequency-response\""
        ))
    };
    let a = |seed: usize| number(&ring(seed), "amplitude");
    assert_eq!(a(1), a(1));
    assert_ne!(a(1), a(2));
}

/// A disc on a shaft is a block on a spring, its contact at a radius.
#[test]
fn a_disc_is_a_block_with_a_lever() {
    let text = |structure: &str, unit: &str, load: &str| {
        format!(
            "[structure]\nkind = \"spring-block\"\n{structure}\n[contact]\nnormal = {{ law = \"constant\", force = \"{load}\" }}\n\
             friction = {{ law = \"coulomb\", mu_s = 0.5, mu_k = 0.3 }}\n[drive]\nkind = \"pull\"\nvelocity = \"0.3 {unit}\"\n\
             [analysis]\nkind = \"transient\"\nduration = {{ cycles = 8 }}"
        )
    };
    let disc = outcome(&text(
        "rotation = true\nmass = \"2 kg m^2\"\nstiffness = \"3 N m/rad\"\ndamping = \"0.1 N m s/rad\"\nradius = \"20 cm\"",
        "rad/s",
        "10 N",
    ));
    let block = outcome(&text("mass = 2\nstiffness = 3\ndamping = 0.1", "m/s", "2 N"));
    for name in ["amplitude_pp", "period", "stick_fraction", "speed_max"] {
        close(number(&disc, name), number(&block, name), 1e-9 * number(&block, name));
    }
    assert_eq!(disc.value("amplitude_pp").map(|q| q.unit.as_str()), Some("rad"));
    assert_eq!(disc.value("speed_max").map(|q| q.unit.as_str()), Some("rad/s"));
}

/// The loop of an elastic-plastic element: area 4 f (A - f/k), width 2 A, height 2 f.
#[test]
fn loops_have_an_equivalent_stiffness_and_a_loss_factor() {
    let out = outcome(
        "[structure]\nkind = \"point\"\n[contact]\nnormal = { law = \"constant\", force = 1 }\n\
         friction = { law = \"jenkins\", stiffness = 5, limit = 2 }\n[drive]\nkind = \"program\"\n\
         steps = [{ cycle = { amplitude = 1.5, frequency = 1, count = 3 } }]\n[analysis]\nkind = \"hysteresis\"",
    );
    close(number(&out, "stiffness_secant"), 2.0 / 1.5, 1e-9);
    close(number(&out, "loss_factor"), 4.0 * (1.0 - 0.4 / 1.5) / PI, 1e-9);
}

/// Two modes that friction couples flutter from the coefficient on at which the frequencies meet.
#[test]
fn two_modes_flutter_where_their_frequencies_meet() {
    let flutter = |kx: f64, ky: f64, k: f64, c: f64| {
        let out = outcome(&format!(
            "[structure]\nkind = \"lumped\"\nmass = [[1, 0], [0, 1]]\nstiffness = [[{kx}, {c}], [{c}, {ky}]]\n\
             coordinates = [\"x\", \"y\"]\n[contact]\ntangent = [1, 0]\nnormal_direction = [0, -1]\ngap = -1\narea = 1\n\
             normal = {{ law = \"linear\", k = {k} }}\nfriction = {{ law = \"coulomb\", mu = 0.1 }}\n[drive]\nkind = \"belt\"\n\
             velocity = 1\n[analysis]\nkind = \"stability\"\nalong = {{ parameter = \"contact.friction.mu\", from = 0, to = 3, \
             points = 31 }}"
        ));
        list(&out, "critical")[0]
    };
    for (kx, ky, k, c) in [(11.0, 6.5, 4.0, 2.0), (9.0, 4.0, 3.0, 1.0), (5.0, 2.5, 6.0, 1.5)] {
        // (kx - ky - k)^2 + 4 c (c - mu k) = 0
        let mu = (f64::powi(kx - ky - k, 2) / (4.0 * c) + c) / k;
        close(flutter(kx, ky, k, c), mu, 1e-7 * mu);
    }
}

/// A block under rate-and-state friction on a spring that is inclined: the spring presses the block on as it stretches, so that
/// friction takes part of its stiffness. P. E. Dupont and D. Bapna, ASME J. Vib. Acoust. 116 (1994) 237.
#[test]
fn an_inclined_spring_is_softer_by_the_friction_that_it_makes() {
    let (w, k, v, m, a, b, mu_0) = (10.0, 2e4, 1e-5, 1.5, 0.01, 0.02, 0.4);
    for degrees in [-20.0f64, 0.0, 15.0, 35.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let out = outcome(&format!(
            "[structure]\nkind = \"lumped\"\ncoordinates = [\"x\", \"y\"]\nmass = [[{m}, 0], [0, {m}]]\n\
             stiffness = [[{}, {}], [{1}, {}]]\n[contact]\ntangent = [1, 0]\nnormal_direction = [0, 1]\ngap = 0\n\
             normal = {{ law = \"rigid\", restitution = 0 }}\nfriction = {{ law = \"rate-state\", mu_0 = {mu_0}, a = {a}, b = {b}, \
             v_0 = {v}, d_c = 1e-5 }}\n[[drive]]\nkind = \"belt\"\nvelocity = {v}\n[[drive]]\nkind = \"force\"\nforce = [0, -{w}]\n\
             [analysis]\nkind = \"stability\"\nalong = {{ parameter = \"contact.friction.d_c\", from = 1e-6, to = 1e-4, points = 12, \
             scale = \"log\" }}",
            k * cos * cos,
            k * cos * sin,
            k * sin * sin
        ));
        let n = w / (1.0 - mu_0 * sin / cos);
        let soft = k * cos * (cos - mu_0 * sin);
        // soft d^2 - n (b - a) d - (b - a) m v^2/a = 0
        let half = 0.5 * n * (b - a) / soft;
        let d = half + (half * half + (b - a) * m * v * v / (a * soft)).sqrt();
        close(list(&out, "critical")[0], d, 1e-6 * d);
    }
}
