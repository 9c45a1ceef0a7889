//! Files of measurements as instruments write them, and records that a program does or does not tell.
use super::*;

const CURVE: &str = r#"
structure = { kind = "spring-block", mass = 1, stiffness = 100 }
drive = { kind = "belt", velocity = "1 cm/s" }
contact.normal = { law = "constant", force = 3 }
contact.friction = { law = "rate-state", form = "log", mu_0 = 0.5, a = 0.008, b = 0.01, v_0 = "1 um/s", d_c = "5 um" }
[analysis]
kind = "fit"
records = [{ of = "force-velocity", file = "curve.csv", columns = { velocity = "v", force = "F" } }]
parameters = [{ parameter = "contact.friction.mu_0" }]
starts = 1
"#;

/// What is read of a file: velocities and forces, and what is noted.
fn read(name: &str, content: &str, columns: &str) -> (Vec<f64>, Vec<f64>, Vec<String>) {
    let folder = folder(name);
    std::fs::write(folder.join("curve.csv"), content).unwrap();
    let set = format!("analysis.records=[{{of='force-velocity',file='curve.csv',columns={{{columns}}}}}]");
    let out = run(&folder, CURVE, &[set]);
    let table = out.table("fit").unwrap_or_else(|| panic!("{name}: {:?}", out.reason));
    let column = |name: &str| table.column(name).and_then(|c| c.values.floats()).unwrap().to_vec();
    (column("velocity"), column("force.data"), out.health.notes)
}

/// One record in many forms.
#[test]
fn files_of_instruments_are_read_alike() {
    let named = "velocity='v',force='F'";
    for (name, content, columns) in [
        ("brackets", "v [mm/s],F [mN]\n1,1500\n2,1700\n4,2000\n", named),
        ("parentheses", "Speed (mm/s),Force (mN)\n1,1500\n2,1700\n4,2000\n", "velocity='Speed',force='Force'"),
        ("all of it", "v (mm/s),F (mN)\n1,1500\n2,1700\n4,2000\n", "velocity='v (mm/s)',force='F (mN) [mN]'"),
        ("slash", "v / (mm/s)\tF/N\n1\t1,5\n2\t1,7\n4\t2\n", named),
        ("comma", "v [mm/s];F [N]\n1,0;1,5\n2,0;1,7\n4,0;2,0\n", named),
        ("quotes", "\"v [mm/s]\",\"F [N]\",\"what, where\"\n1,1.5,\"a, b\"\n2,1.7,c\n4,2,d\n", named),
        ("percent", "% made by hand\nv [mm/s],F [N]\n1,1.5\n% a pause\n2,1.7\n4,2\n", named),
        ("comment", "# v [mm/s] F [N]\n1 1.5\n2 1.7\n4 2\n", named),
        ("preamble", "Specimen: 4\nAt, noon, in May\n\nv [mm/s],F [N]\n1,1.5\n2,1.7\n4,2\n", named),
        ("units", "v,F,T\nmm/s,(N),degC\n1,1.5,20\n2,1.7,20\n4,2,20\n", named),
        ("own units", "v,F\n1,1.5\n2,1.7\n4,2\n", "velocity='v [mm/s]',force='F [N]'"),
        ("numbers", "1,1.5\n2,1.7\n4,2\n", "velocity='1 [mm/s]',force='2 [N]'"),
        ("remark", "v (raw),F/S\n1,1.5\n2,1.7\n4,2\n", "velocity='v (raw) [mm/s]',force='F/S [N]'"),
        ("ends", "v [mm/s];F [N]\r\n1;1.5;\r\n2;1.7;\r\n4;2;\r\n", named),
        ("unknown elsewhere", "v [mm/s],F [N],T [foo]\n1,1.5,x\n2,1.7,x\n4,2,x\n", named),
    ] {
        let (v, f, notes) = read(name, content, columns);
        let close = |a: &[f64], b: [f64; 3]| a.len() == 3 && a.iter().zip(b).all(|(a, b)| (a / b - 1.0).abs() < 1e-12);
        assert!(close(&v, [1e-3, 2e-3, 4e-3]) && close(&f, [1.5, 1.7, 2.0]), "{name}: {v:?} {f:?}");
        assert!(!notes.iter().any(|n| n.contains("taken as SI")), "{name}: {notes:?}");
        assert_eq!(notes.iter().any(|n| n.contains("decimal commas")), ["slash", "comma"].contains(&name), "{name}");
    }
    let (v, _, notes) = read("plain", "v,F\n1,1.5\n2,1.7\n4,2\n", named);
    assert_eq!(v, [1.0, 2.0, 4.0]);
    let said = "`curve.csv`: no unit given for these columns; SI assumed: `v` in m/s, `F` in N";
    assert!(notes.iter().any(|n| n == said), "{notes:?}");
}

/// A fit of a Jenkins element's loops under a program.
fn loops(program: &str, columns: &str) -> String {
    format!(
        "structure = {{ kind = 'point' }}\ndrive = {{ kind = 'program', steps = [{program}] }}\n[contact]\n\
         normal = {{ law = 'constant', force = 10 }}\nfriction = {{ law = 'jenkins', stiffness = '15 N/mm', mu = 0.3 }}\n\
         [analysis]\nkind = 'fit'\nstarts = 1\nparameters = [{{ parameter = 'contact.friction.stiffness' }}]\n\
         records = [{{ of = 'force-displacement', file = 'loop.csv', columns = {{ {columns} }} }}]\n"
    )
}

const FORCED: &str = "{ cycle = { force = '2 N', frequency = '1 Hz', count = 1 } }";
const MOVED: &str = "{ cycle = { amplitude = '1 mm', frequency = '1 Hz', count = 1 } }";

/// Below its limit a Jenkins element is a spring: u = F/k.
#[test]
fn a_displacement_under_given_forces_is_what_is_measured() {
    let folder = folder("forced");
    let t: Vec<f64> = (1..20).map(|i| 0.05 * f64::from(i)).collect();
    let u: Vec<f64> = t.iter().map(|t| 2.0 * (std::f64::consts::TAU * t).sin() / 2e4).collect();
    write(&folder, "loop.csv", "t [s],u [m]", &[&t, &u]);
    let out = run(&folder, &loops(FORCED, "time = 't', displacement = 'u'"), &[]);
    assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
    assert!((value(&out, "contact.friction.stiffness") / 2e4 - 1.0).abs() < 1e-6);
    assert!(out.table("fit").unwrap().column("displacement.model").is_some());
}

/// What a program prescribes says nothing, and beyond its end there is nothing.
#[test]
fn records_that_a_program_does_not_serve_are_refused_at_once() {
    let folder = folder("nothing");
    let t: Vec<f64> = (0..40).map(|i| f64::from(i) / 20.0).collect();
    let u: Vec<f64> = t.iter().map(|t| 1e-4 * (std::f64::consts::TAU * t).sin()).collect();
    let back = |(i, x): (usize, &f64)| if i == 2 { u[1] - 1e-6 } else { *x };
    let noisy: Vec<f64> = u.iter().enumerate().map(back).collect();
    write(&folder, "loop.csv", "t [s],u [m],F [N],n [m]", &[&t, &u, &u, &noisy]);
    let twice = |steps: &str| steps.replace("count = 1", "count = 2");
    for (steps, columns, said) in [
        (twice(FORCED), "time = 't', force = 'F'", "the program gives the force: `force` says nothing of the law"),
        (
            twice(FORCED),
            "displacement = 'n', force = 'F'",
            "row 3: the displacement goes back and on again, and the program gives forces",
        ),
        (twice(MOVED), "time = 't', displacement = 'u'", "the program gives the motion: its displacement says nothing"),
        (
            MOVED.into(),
            "time = 't', force = 'F'",
            "goes on until 1.95 s, and the program ends at 1 s (rows beyond it: 19)",
        ),
    ] {
        let scenario = Scenario::from_text_in(&folder, "fit", &loops(&steps, columns), &[]).unwrap();
        let text = scenario.prepare().err().map_or_else(|| panic!("{columns} was taken"), |e| e.to_string());
        assert!(text.contains(said), "{columns}: {text}");
    }
}

/// Displacements with noise of a part of their amplitude: along them, and beside the time with an offset.
#[test]
fn displacements_may_be_noisy_and_begin_anywhere() {
    let folder = folder("noise");
    let t: Vec<f64> = (0..=200).map(|i| 0.005 * f64::from(i)).collect();
    let u: Vec<f64> = t.iter().map(|t| 1e-3 * (std::f64::consts::TAU * t).sin()).collect();
    // 3 N at 20 N/mm, from turn to turn.
    let (mut f, mut last) = (vec![], (0.0, 0.0f64));
    for x in &u {
        let force = (last.1 + 2e4 * (x - last.0)).clamp(-3.0, 3.0);
        f.push(force);
        last = (*x, force);
    }
    let seen = noisy(&u, 1.7e-6, 4);
    let f = noisy(&f, 5e-3, 5);
    let fit = |seen: &[f64], columns: &str| {
        write(&folder, "loop.csv", "t [s],u [m],F [N]", &[&t, seen, &f]);
        run(&folder, &loops(MOVED, columns), &[])
    };
    for (out, name) in [
        (fit(&seen, "displacement = 'u', force = 'F'"), "along"),
        (
            fit(&seen.iter().map(|x| x + 5e-3).collect::<Vec<_>>(), "time = 't', displacement = 'u', force = 'F'"),
            "beside",
        ),
    ] {
        assert_eq!(out.status, Status::Ok, "{name}: {:?}", out.reason);
        let off = value(&out, "contact.friction.stiffness") / 2e4 - 1.0;
        assert!(off.abs() < 0.01, "{name}: {off:e}");
    }
    // Neither another motion nor an offset along the displacement is searched for.
    let shifted: Vec<f64> = seen.iter().map(|x| x + 1e-3).collect();
    let out = fit(&shifted, "displacement = 'u', force = 'F'");
    assert!(out.reason.as_ref().is_some_and(|r| r.contains("An offset can be subtracted")), "{:?}", out.reason);
    let larger: Vec<f64> = seen.iter().map(|x| 1.2 * x).collect();
    let out = fit(&larger, "time = 't', displacement = 'u', force = 'F'");
    assert!(out.reason.as_ref().is_some_and(|r| r.contains("they must be one motion")), "{:?}", out.reason);
    assert_eq!(out.health.steps, 0);
}
