//! A point of a map keeps fewer rows than a single run, and gives the same.
use stickslip::prelude::*;

fn outcome(text: &str) -> Outcome {
    let scenario = Scenario::from_text("brief", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    scenario.run(&Context::default()).unwrap_or_else(|e| panic!("{e}")).plain().expect("no cases").clone()
}

/// Values of a single run and of the same run as the only point of a map.
fn both(model: &str, analysis: &str, output: &str, names: &[&str]) -> [Vec<f64>; 2] {
    let probes = if output.is_empty() { String::new() } else { format!("[output]\nprobes = [{output}]\n") };
    let single = outcome(&format!("{model}[analysis]\nkind = 'transient'\n{analysis}\n{probes}"));
    assert_eq!(single.status, Status::Ok, "{:?}", single.reason);
    let number = |name: &&str| {
        let (list, i) = name.trim_end_matches(']').split_once('[').unwrap_or((name, "0"));
        match single.value(list).map(|v| &v.value) {
            Some(Value::Number(x)) => *x,
            Some(Value::List(list)) => list[i.parse::<usize>().expect("an index")],
            other => panic!("{name}: {other:?}"),
        }
    };
    let alone = names.iter().map(number).collect();
    let collected: Vec<String> = names.iter().map(|n| format!("'{n}'")).collect();
    let inside = analysis.replace('\n', ", ");
    let map = outcome(&format!(
        "{model}[analysis]\nkind = 'map'\naxes = [{{ parameter = 'structure.stiffness', values = [1] }}]\n\
         each = {{ kind = 'transient', {inside} }}\ncollect = [{}]\n{probes}",
        collected.join(", ")
    ));
    assert_eq!(map.status, Status::Ok, "{:?}", map.reason);
    let column = |name: &&str| -> Vec<f64> {
        let of = |t: &stickslip::data::Table| {
            let named = |c: &&stickslip::data::Column| c.name == **name;
            t.columns.iter().filter(named).filter_map(|c| c.values.floats()).flatten().copied().collect::<Vec<f64>>()
        };
        map.tables.iter().map(of).find(|list| !list.is_empty()).unwrap_or_else(|| panic!("no column {name}"))
    };
    [alone, names.iter().flat_map(column).collect()]
}

fn same([single, point]: [Vec<f64>; 2], tolerance: f64, what: &str) {
    assert_eq!(single.len(), point.len(), "{what}");
    for (a, b) in single.iter().zip(&point) {
        assert!((a - b).abs() <= tolerance * a.abs().max(1e-3), "{what}: {single:?} and {point:?}");
    }
}

const BLOCK: &str = "[structure]\nkind = 'spring-block'\nmass = 1\nstiffness = 1\ndamping = 0.3\n\
                     [drive]\nkind = 'force'\nforce = '0.1*t + 0.3*sin(t)'\n";

/// Whether it ends before its middle or after it, another part of it is the settled one.
#[test]
fn a_motion_that_ends_at_its_limit_tells_of_its_own_second_half() {
    let names = ["amplitude_pp", "stick_fraction", "friction_mean", "friction_min", "friction_max", "speed_max"];
    for (law, more) in [
        ("law = 'coulomb', mu = 0.1", ""),
        ("law = 'stribeck', mu_s = 0.15, mu_k = 0.1, v_s = 0.05", ""),
        ("law = 'lugre', mu_s = 0.15, mu_c = 0.1, v_s = 0.05, sigma_0 = 100, sigma_1 = 3", ""),
        ("law = 'coulomb', mu = 0.1", "[formulation]\nkind = 'time-stepping'\nstep = 0.01\n"),
    ] {
        let model =
            format!("{BLOCK}[contact]\nnormal = {{ law = 'constant', force = 1 }}\nfriction = {{ {law} }}\n{more}");
        for limit in [4.0, 6.0, 8.5] {
            let analysis = format!("duration = 100\nlimit = {limit}");
            same(both(&model, &analysis, "", &names), 1e-9, &format!("{law} {limit}"));
        }
    }
}

#[test]
fn probes_in_the_first_half_are_answered_everywhere() {
    let block = |law: &str, more: &str| {
        format!(
            "[structure]\nkind = 'spring-block'\nmass = 1\nstiffness = 1\ndamping = 0.1\n[drive]\nkind = 'belt'\nvelocity = 0.1\n\
             [contact]\nnormal = {{ law = 'constant', force = 1 }}\nfriction = {{ {law} }}\n{more}"
        )
    };
    let coulomb = "law = 'coulomb', mu_s = 0.4, mu_k = 0.3";
    let sinh = "law = 'rate-state', form = 'sinh', mu_0 = 0.4, a = 0.02, b = 0.01, v_0 = 0.1, d_c = 0.1";
    for model in [
        block(coulomb, ""),
        block(coulomb, "[formulation]\nkind = 'time-stepping'\nstep = 0.01\n"),
        block(
            sinh,
            "[start]\nstate = 'steady-sliding'\nscale = { rates = { x = 1 } }\nadd = { values = { x = 0.01 } }\n",
        ),
    ] {
        for (at, names) in [
            ("[5]", &["probe.x"][..]),
            ("[5, 20]", &["probe.x[0]", "probe.x[1]"]),
            ("[15, 15.01, 29]", &["probe.x[0]", "probe.x[1]", "probe.x[2]"]),
        ] {
            let probe = format!("{{ quantity = 'x', at = {at} }}");
            same(both(&model, "duration = 30", &probe, &[names, &["amplitude_pp"]].concat()), 1e-6, at);
        }
    }
}

/// What is beyond its limit by a little, and falls, slips by a little: it is neither held nor does it slip for ever.
#[test]
fn a_force_that_exceeds_its_limit_by_a_little_and_falls_ends_nothing() {
    for e in [0.0, 1e-13, 1e-12, 1e-11, 5e-11, 2e-10, 3.9e-10, 1e-9, 1e-8] {
        for side in [1.0, -1.0] {
            let text = format!(
                "[structure]\nkind = 'spring-block'\nmass = 1\nstiffness = 1\n\
                 [contact]\nnormal = {{ law = 'constant', force = 1 }}\nfriction = {{ law = 'coulomb', mu = 0.4 }}\n\
                 [drive]\nkind = 'force'\nforce = '{side}*((0.4+{e:e})*step(t-10) - 0.01*(t-10)*step(t-10))'\n\
                 [analysis]\nkind = 'transient'\nduration = 30\n[output]\nprobes = [{{ quantity = 'x', at = [12] }}]\n"
            );
            let out = outcome(&text);
            assert_eq!(out.status, Status::Ok, "{e} {side}: {:?}", out.reason);
            // Forces beyond by e for a time e/0.01 move it by about e^3/0.01^2.
            match out.value("probe.x").map(|v| v.value.clone()) {
                Some(Value::List(x)) => assert!(x[0].abs() <= 1e-18, "{e} {side}: {x:?}"),
                other => panic!("{other:?}"),
            }
        }
    }
}
