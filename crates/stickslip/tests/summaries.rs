//! Extremes, means and cycle counts of a run are those of the motion, not of the rows that happen to be kept.
use stickslip::data::Values;
use stickslip::prelude::*;

fn run(text: &str) -> Outcome {
    let scenario = Scenario::from_text("summary", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let dataset = scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}"));
    dataset.plain().expect("no cases").clone()
}

fn trusted(text: &str) -> Outcome {
    let out = run(text);
    assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
    out
}

fn number(out: &Outcome, name: &str) -> f64 {
    out.number(name).unwrap_or_else(|| panic!("no number `{name}`"))
}

fn column(out: &Outcome, table: &str, name: &str) -> Vec<f64> {
    let table = out.tables.iter().find(|t| t.name == table).expect("the table");
    let column = table.columns.iter().find(|c| c.name == name).expect("the column");
    match &column.values {
        Values::Float(list) => list.clone(),
        other => panic!("{other:?}"),
    }
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * expected.abs().max(1e-300), "{found} is not {expected}");
}

/// A block of mass 1 on a spring of stiffness 1.
fn block(damping: f64, normal: &str, friction: &str, drive: &str, analysis: &str) -> String {
    format!(
        "[structure]\nkind = 'spring-block'\nmass = 1\nstiffness = 1\ndamping = {damping}\n\
         [contact]\nnormal = {normal}\nfriction = {friction}\n[drive]\n{drive}\n[analysis]\n{analysis}\n"
    )
}

const UNIT: &str = "{ law = 'constant', force = 1 }";

fn for_time(duration: f64) -> String {
    format!("kind = 'transient'\nduration = {duration}")
}

/// What a map of one axis with this single value collects of the same run.
fn in_map(text: &str, parameter: &str, value: f64, names: &[&str]) -> Vec<f64> {
    let (model, analysis) = text.split_once("[analysis]\n").expect("an analysis");
    let each = analysis.trim().lines().collect::<Vec<_>>().join(", ");
    let list: Vec<String> = names.iter().map(|n| format!("'{n}'")).collect();
    let map = format!(
        "{model}[analysis]\nkind = 'map'\naxes = [{{ parameter = '{parameter}', values = [{value}] }}]\n\
         collect = [{}]\neach = {{ {each} }}\n",
        list.join(", ")
    );
    let out = trusted(&map);
    names.iter().map(|n| column(&out, "map", n)[0]).collect()
}

/// Held all the time, the block carries the force itself: 0.5 sin t has its extremes between any rows.
#[test]
fn friction_of_a_held_block_has_the_extremes_of_the_force() {
    for (amplitude, omega, duration) in [(0.5, 1.0, 20.0), (0.7, 2.3, 13.0), (0.93, 0.41, 61.0)] {
        let drive = format!("kind = 'force'\nforce = {{ sine = {{ amplitude = {amplitude}, omega = {omega} }} }}");
        let text = block(0.0, UNIT, "{ law = 'coulomb', mu = 1 }", &drive, &for_time(duration));
        let out = trusted(&text);
        close(number(&out, "friction_max"), amplitude, 1e-12);
        close(number(&out, "friction_min"), -amplitude, 1e-12);
        let found = in_map(&text, "structure.mass", 1.0, &["friction_max", "friction_min"]);
        close(found[0], amplitude, 1e-12);
        close(found[1], -amplitude, 1e-12);
    }
}

#[test]
fn friction_of_a_held_block_under_a_formula_or_a_smooth_law_has_the_extremes_of_the_force() {
    for law in ["{ law = 'coulomb', mu = 1 }", "{ law = 'stribeck', mu_s = 1, mu_k = 0.8, v_s = 0.1 }"] {
        for (amplitude, omega) in [(0.5, 1.0), (0.62, 3.1), (0.31, 0.77)] {
            let drive = format!("kind = 'force'\nforce = '{amplitude}*sin({omega}*t)'");
            let out = trusted(&block(0.0, UNIT, law, &drive, &for_time(20.0)));
            close(number(&out, "friction_max"), amplitude, 1e-9);
            close(number(&out, "friction_min"), -amplitude, 1e-9);
        }
    }
}

#[test]
fn friction_under_a_pulse_reaches_its_peak() {
    for (shape, at, duration, peak) in
        [("half-sine", 11.3, 4.0, 0.8), ("half-sine", 14.0, 0.37, 0.55), ("haversine", 16.0, 1.7, 0.91)]
    {
        let pulse = format!("{{ shape = '{shape}', at = {at}, duration = {duration}, peak = {peak} }}");
        let drive = format!("kind = 'force'\nforce = {{ pulse = {pulse} }}");
        let out = trusted(&block(0.0, UNIT, "{ law = 'coulomb', mu = 1 }", &drive, &for_time(20.0)));
        close(number(&out, "friction_max"), peak, 1e-12);
    }
}

#[test]
fn the_largest_load_is_that_of_the_signal() {
    for (mean, amplitude, omega) in [(2.0, 1.0, 1.0), (5.0, 2.5, 3.7), (1.0, 0.9, 0.6)] {
        for law in ["{ law = 'coulomb', mu = 0.5 }", "{ law = 'stribeck', mu_s = 0.5, mu_k = 0.4, v_s = 0.1 }"] {
            let normal = format!("{{ law = 'prescribed', force = '{mean} + {amplitude}*sin({omega}*t)' }}");
            let out = trusted(&block(0.1, &normal, law, "kind = 'belt'\nvelocity = 0.001", &for_time(20.0)));
            close(number(&out, "normal_force_max"), mean + amplitude, 1e-9);
        }
    }
}

/// Carried along by the belt all the time, the block moves by its speed times half of the duration.
#[test]
fn the_amplitude_of_a_carried_block_is_what_it_moves_in_the_settled_half() {
    for (law, speed, duration) in [
        ("{ law = 'coulomb', mu_s = 0.4, mu_k = 0.25 }", 0.01, 33.0),
        ("{ law = 'coulomb', mu = 0.9 }", 0.003, 211.0),
        ("{ law = 'stribeck', mu_s = 0.5, mu_k = 0.3, v_s = 0.1 }", 0.01, 30.0),
        ("{ law = 'stribeck', mu_s = 0.8, mu_k = 0.3, v_s = 0.1 }", 0.02, 37.0),
        ("{ law = 'exponential', mu_0 = 0.3, mu_1 = 0.5, alpha = 10 }", 0.015, 41.0),
    ] {
        let drive = format!("kind = 'belt'\nvelocity = {speed}");
        let start = "\n[start]\nstate = 'stuck'";
        let text = block(0.0, UNIT, law, &(drive + start), &for_time(duration));
        let out = trusted(&text);
        close(number(&out, "amplitude_pp"), 0.5 * speed * duration, 1e-9);
        close(number(&out, "friction_max"), speed * duration, 1e-9);
        close(number(&out, "friction_min"), 0.5 * speed * duration, 1e-9);
        close(in_map(&text, "structure.mass", 1.0, &["amplitude_pp"])[0], 0.5 * speed * duration, 1e-9);
    }
}

#[test]
fn friction_stays_below_what_stick_holds_where_a_belt_has_kinks() {
    for (mu_s, mu_k, omega) in [(0.6, 0.5, 2.0), (0.35, 0.3, 3.0), (0.8, 0.2, 1.3)] {
        let friction = format!("{{ law = 'coulomb', mu_s = {mu_s}, mu_k = {mu_k} }}");
        let drive = format!("kind = 'belt'\nvelocity = 'min(0.1, max(-0.1, 0.5*sin({omega}*t)))'");
        let out = trusted(&block(0.05, UNIT, &friction, &drive, &for_time(40.0)));
        for name in ["friction_max", "friction_min"] {
            assert!(number(&out, name).abs() <= mu_s * (1.0 + 1e-9), "{name} {}", number(&out, name));
        }
        let rows = column(&out, "series", "friction_force");
        assert!(rows.iter().all(|f| f.abs() <= mu_s * (1.0 + 1e-9)));
    }
}

/// A mass held by a rigid plane under forces that grow with time: -0.7 t down and along, of which the springs carry nothing.
fn held_mass(mu: f64, along: f64, down: f64) -> String {
    format!(
        "[structure]\nkind = 'lumped'\nmass = [[1, 0], [0, 1]]\nstiffness = [[1, -1], [-1, 2]]\n\
         coordinates = ['x', 'y']\n[contact]\ntangent = [1, 0]\nnormal_direction = [0, 1]\ngap = 0\n\
         normal = {{ law = 'rigid', restitution = 0 }}\nfriction = {{ law = 'coulomb', mu = {mu} }}\n\
         [drive]\nkind = 'force'\nforce = ['{along}*t', '{down}*t']\n[analysis]\nkind = 'transient'\nduration = 50\n"
    )
}

#[test]
fn the_mean_coefficient_of_a_held_mass_is_right_where_its_load_grows_from_zero() {
    for (mu, along, down) in [(1.25, -0.7, -0.7), (0.9, -0.3, -0.5), (2.0, 0.4, -0.25)] {
        let out = trusted(&held_mass(mu, along, down));
        assert_eq!(out.regime.as_deref(), Some("stuck"));
        for name in ["friction_mean", "friction_max", "friction_min"] {
            close(number(&out, name), -along / down, 1e-9);
        }
    }
}

fn point(load: f64, friction: &str, steps: &str, rtol: f64) -> Outcome {
    trusted(&format!(
        "[structure]\nkind = 'point'\n[contact]\nnormal = {{ law = 'constant', force = {load} }}\nfriction = {friction}\n\
         [drive]\nkind = 'program'\nsteps = [{steps}]\n[analysis]\nkind = 'hysteresis'\nrtol = {rtol}\n"
    ))
}

/// The largest friction of these laws is at rest; a cycle comes to rest twice, with an infinite slope or a finite one.
#[test]
fn friction_on_a_path_is_never_more_than_its_law_says() {
    let cycle = "{ cycle = { amplitude = 1, frequency = 1, count = 2 } }";
    for (law, most) in [
        ("{ law = 'stribeck', mu_s = 0.5, mu_k = 0.3, v_s = 0.1, exponent = 0.5 }", 0.5),
        ("{ law = 'stribeck', mu_s = 0.7, mu_k = 0.1, v_s = 1e-3, exponent = 0.3 }", 0.7),
        ("{ law = 'stribeck', mu_s = 0.7, mu_k = 0.1, v_s = 0.02 }", 0.7),
        ("{ law = 'exponential', mu_0 = 0.2, mu_1 = 0.3, alpha = 30 }", 0.5),
    ] {
        for rtol in [1e-4, 1e-6, 1e-9] {
            let out = point(1.0, law, cycle, rtol);
            assert!(number(&out, "force_max") <= most * (1.0 + 1e-12), "{law} {}", number(&out, "force_max"));
            let Some(Value::List(peaks)) = out.values.iter().find(|(n, _)| n == "peaks").map(|(_, q)| &q.value) else {
                panic!("no peaks")
            };
            assert!(peaks.iter().all(|p| *p <= most * (1.0 + 1e-12)), "{law} {peaks:?}");
        }
    }
}

/// mu is at most mu_0 + a asinh-like growth at the largest speed with the oldest state: 1.2 here is far above it.
#[test]
fn friction_of_rate_and_state_on_a_path_stays_finite_at_any_tolerance() {
    let steps = "{ slide = 1e-4, velocity = 1e-6 }, { hold = 100 }, { slide = 1e-4, velocity = 1e-3 }";
    let law = "{ law = 'rate-state', mu_0 = 0.6, a = 0.01, b = 0.015, v_0 = 1e-6, d_c = 1e-5 }";
    let exact = number(&point(1.0, law, steps, 1e-11), "force_max");
    for rtol in [1e-3, 1e-5, 1e-6, 1e-8] {
        close(number(&point(1.0, law, steps, rtol), "force_max"), exact, 30.0 * rtol);
    }
}

#[test]
fn break_away_of_a_law_that_only_approaches_its_limit_has_no_slip() {
    let slide = "{ slide = 3, velocity = 0.1 }";
    for law in [
        "{ law = 'bouc-wen', mu = 0.5, u_y = 0.1, n = 1 }",
        "{ law = 'bouc-wen', mu = 0.3, u_y = 0.03, n = 2 }",
        "{ law = 'dahl', mu = 0.4, sigma_0 = 6 }",
    ] {
        for rtol in [1e-5, 1e-7, 1e-9] {
            let out = point(1.0, law, slide, rtol);
            assert_eq!(out.number("breakaway_slip"), None, "{law}");
            assert!(out.health.notes.iter().any(|n| n.contains("only approaches")), "{:?}", out.health.notes);
        }
    }
}

#[test]
fn break_away_slip_does_not_move_with_the_tolerance() {
    let slide = "{ slide = 0.3, velocity = 0.1 }";
    for law in [
        "{ law = 'jenkins', stiffness = 5, limit = 0.4 }",
        "{ law = 'iwan', stiffness = [3, 2], mu = [0.2, 0.3] }",
        "{ law = 'rate-state', mu_0 = 0.6, a = 0.01, b = 0.015, v_0 = 1e-2, d_c = 1e-3 }",
    ] {
        let slip = |rtol: f64| number(&point(1.0, law, slide, rtol), "breakaway_slip");
        let exact = slip(1e-12);
        for rtol in [1e-5, 1e-7, 1e-9] {
            assert!((slip(rtol) - exact).abs() <= 1e-3 * exact.abs() + 1e-12, "{law} {rtol}: {} {exact}", slip(rtol));
        }
    }
}

/// The rigid block of `scenarios/rigid-block.toml` with a stiff spring: a slow cycle with twenty ripples on it.
fn rigid_block(stiffness: f64, duration: f64) -> String {
    format!(
        "[structure]\nkind = 'rigid-block'\nmass = '450 kg'\ninertia = '70e3 kg cm^2'\nlength = '48.8 cm'\n\
         height = '30.5 cm'\nwidth = '14 cm'\nweight = '450e3 kg cm/s^2'\nstiffness = {{ x = '{stiffness}e3 kg/s^2' }}\n\
         damping_ratio = {{ x = 0.005, y = 0.04, theta = 0.04 }}\n\
         [contact]\nnormal = {{ law = 'power', c = '1e13 kg cm^-3.5 s^-2', m = 2.5 }}\n\
         friction = {{ law = 'coulomb', mu = 1 }}\n[drive]\nkind = 'belt'\nvelocity = '0.127 cm/s'\n\
         [formulation]\nkind = 'regularised'\nshape = 'quadratic'\nwidth = '0.0127 cm/s'\n\
         [start]\nstate = 'steady-sliding'\nadd = {{ rates = {{ y = '-0.01 cm/s' }} }}\n\
         [analysis]\nkind = 'transient'\nduration = {duration}\nrtol = 1e-7\n"
    )
}

#[test]
fn the_period_of_a_motion_with_ripples_does_not_depend_on_the_duration() {
    for (stiffness, period) in [(44410.0, 0.0941), (30000.0, 0.12688), (38000.0, 0.10591)] {
        for duration in [1.5, 1.8, 2.0, 2.7, 3.5] {
            close(number(&trusted(&rigid_block(stiffness, duration)), "period"), period, 1e-3);
        }
    }
}

/// A response that is reached slowly says so; one that is reached, a free decay and steady sliding do not.
#[test]
fn a_forced_response_that_has_not_settled_says_so() {
    let forced = |f: f64, r: f64, cycles: f64| {
        let drive = format!("kind = 'force'\nforce = {{ sine = {{ amplitude = 1, omega = {r} }} }}");
        let law = format!("{{ law = 'coulomb', mu = {f} }}");
        let analysis = format!("kind = 'transient'\nduration = {{ cycles = {cycles} }}");
        trusted(&block(0.0, UNIT, &law, &drive, &analysis))
    };
    let drifts = |out: &Outcome| out.health.warnings.iter().any(|w| w.contains("not settled"));
    assert!(drifts(&forced(0.2, 1.3, 50.0)));
    assert!(drifts(&forced(0.1, 1.2, 40.0)));
    assert!(drifts(&forced(0.05, 0.7, 60.0)));
    for (f, r, cycles) in [(0.2, 0.7, 200.0), (0.4, 0.7, 200.0), (0.5, 1.5, 400.0)] {
        assert!(!drifts(&forced(f, r, cycles)), "{f} {r} {cycles}");
    }
    let decay = "kind = 'belt'\nvelocity = 0\n[start]\nvalues = { x = 5 }";
    assert!(!drifts(&trusted(&block(0.01, UNIT, "{ law = 'coulomb', mu = 0.01 }", decay, &for_time(300.0)))));
}

/// A block that slides steadily from its equilibrium stays there but for rounding, which is no motion.
#[test]
fn rounding_about_an_equilibrium_is_no_cycle() {
    for (mu, speed, stiffness) in [(0.25, 0.1, 1.0), (0.3, 0.7, 3.0), (0.111, 0.013, 0.7)] {
        let text = block(0.0, UNIT, &format!("{{ law = 'coulomb', mu = {mu} }}"), "", &for_time(200.0));
        let text = text.replace("stiffness = 1\n", &format!("stiffness = {stiffness}\n"));
        let drive = format!("[drive]\nkind = 'belt'\nvelocity = {speed}\n[start]\nstate = 'steady-sliding'\n");
        let out = trusted(&text.replace("[drive]\n", &drive));
        assert_eq!(number(&out, "amplitude_pp"), 0.0);
        assert_eq!(out.number("period"), None);
        assert_eq!(out.regime.as_deref(), Some("steady-sliding"));
    }
}

/// Two pads on one block share its load: together they are one contact under all of it, or the run says that it failed.
#[test]
fn two_pads_are_one_contact_or_the_run_is_untrusted() {
    let block = |contacts: &str, speed: f64| {
        run(&format!(
            "[structure]\nkind = 'lumped'\nmass = [[1]]\nstiffness = [[1]]\ndamping = [[0.05]]\ncoordinates = ['x']\n\
             {contacts}[drive]\nkind = 'belt'\nvelocity = {speed}\n[analysis]\nkind = 'transient'\nduration = 20\n\
             [output]\nprobes = [{{ quantity = 'x', at = [20] }}]\n"
        ))
    };
    let x = |out: &Outcome| match out.values.iter().find(|(n, _)| n == "probe.x").map(|(_, q)| &q.value) {
        Some(Value::List(list)) => list[0],
        other => panic!("{other:?}"),
    };
    for (mu_s, mu_k, speed) in [(0.5, 0.3, 0.2), (0.4, 0.25, 0.1), (0.6, 0.5, 0.3)] {
        let friction = format!("tangent = [1]\nfriction = {{ law = 'coulomb', mu_s = {mu_s}, mu_k = {mu_k} }}\n");
        let pad = |name: &str, force: f64| {
            format!("[[contact]]\nname = '{name}'\nnormal = {{ law = 'constant', force = {force} }}\n{friction}")
        };
        let one = block(&pad("pad", 1.0), speed);
        assert_eq!(one.status, Status::Ok, "{:?}", one.reason);
        let two = block(&(pad("left", 0.5) + &pad("right", 0.5)), speed);
        if two.status == Status::Ok {
            assert!((x(&two) - x(&one)).abs() < 1e-9, "{} {}", x(&two), x(&one));
        }
    }
}
