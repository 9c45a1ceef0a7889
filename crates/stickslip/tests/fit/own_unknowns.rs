//! Records as they are: offsets, trends, dead times, steps at unknown times, other columns, windows and weights.
use super::*;
use crate::step::{STEP, TRUTH, record, step_up, under};

const NOISE: f64 = 1e-4;

/// The step with more keys in its record.
fn with(keys: &str) -> String {
    STEP.replace("file = \"step.csv\"", &format!("file = \"step.csv\", {keys}")).replace("starts = 1\n", "")
}

/// Whether an interval holds a value, and the unit beside it.
fn holds(out: &Outcome, path: &str, truth: f64, unit: &str) {
    let Some(Value::List(ends)) = of(out, path, "ci95") else { panic!("no interval of {path}: {:?}", out.reason) };
    let Some(Value::Number(error)) = of(out, path, "stderr") else { panic!() };
    // Four standard errors: these are single records.
    let off = (value(out, path) - truth).abs();
    assert!(off < 4.0 * error, "{path}: {} {error} {ends:?} {truth}", value(out, path));
    assert_eq!(of(out, path, "unit"), Some(Value::Text(unit.into())), "{path}");
}

fn holds_truth(out: &Outcome) {
    assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
    TRUTH.iter().zip(["1", "1", "m", "N/m"]).for_each(|((path, truth), unit)| holds(out, path, *truth, unit));
}

#[test]
fn offset_and_trend_are_recovered() {
    let folder = folder("trend");
    let (t, mu) = record(0.2, 40.0);
    let (offset, trend) = (0.003, -2e-4);
    let data: Vec<f64> = t.iter().zip(&mu).map(|(t, mu)| mu + offset + trend * t).collect();
    write(&folder, "step.csv", "t [s],mu", &[&t, &noisy(&data, NOISE, 1)]);
    let out = run(&folder, &with("trend = true, offset = true"), &[]);
    holds_truth(&out);
    holds(&out, "records[0].offset", offset, "1");
    holds(&out, "records[0].trend", trend, "1/s");
    // Without them the fit is not believed, or it is said what is missing.
    let out = run(&folder, &with("weight = 1"), &[]);
    assert!(out.status != Status::Ok || !out.health.warnings.is_empty());
}

/// The sensor begins 3.2 s before the motion.
#[test]
fn a_dead_time_is_recovered() {
    let folder = folder("dead");
    let (t, mu) = record(0.2, 40.0);
    let late: Vec<f64> = (0..16).map(|i| 0.2 * f64::from(i)).chain(t.iter().map(|t| t + 3.2)).collect();
    let data: Vec<f64> = std::iter::repeat_n(mu[0], 16).chain(mu.iter().copied()).collect();
    write(&folder, "step.csv", "t [s],mu", &[&late, &noisy(&data, NOISE, 2)]);
    let out = run(&folder, &with("dead_time = true"), &[]);
    holds_truth(&out);
    holds(&out, "records[0].dead_time", 3.2, "s");
}

/// The driver steps at 12.3 s, and the scenario says 10 s.
#[test]
fn the_time_of_a_step_is_recovered() {
    let folder = folder("late-step");
    let (t, mu) = under(|t| step_up(t - 2.3), 0.2, 40.0);
    write(&folder, "step.csv", "t [s],mu", &[&t, &noisy(&mu, NOISE, 3)]);
    let out = run(&folder, &with("step_time = true, offset = true"), &[]);
    holds_truth(&out);
    holds(&out, "records[0].step_time", 12.3, "s");
    // A driver of the record itself says the same, a little off.
    let drive: Vec<f64> = t.iter().map(|t| if *t < 12.0 { 1e-6 } else { 1e-5 }).collect();
    write(&folder, "step.csv", "t [s],mu,v [m/s]", &[&t, &noisy(&mu, NOISE, 3), &drive]);
    let text = with("step_time = true").replace("friction = \"mu\"", "friction = \"mu\", load_velocity = \"v\"");
    let out = run(&folder, &text, &[]);
    holds_truth(&out);
    holds(&out, "records[0].step_time", 12.3, "s");
}

#[test]
fn a_record_over_the_load_displacement_is_that_over_the_time() {
    let folder = folder("load-displacement");
    let (t, mu) = record(0.2, 40.0);
    let data = noisy(&mu, NOISE, 4);
    let far: Vec<f64> = t.iter().map(|t| if *t < 10.0 { 1e-6 * t } else { 1e-5 + 1e-5 * (t - 10.0) }).collect();
    write(&folder, "step.csv", "t [s],mu,d [m]", &[&t, &data, &far]);
    let by_time = run(&folder, &with("weight = 1"), &[]);
    let text = with("weight = 1").replace("time = \"t\"", "load_displacement = \"d\"");
    let by_distance = run(&folder, &text, &[]);
    let drive: Vec<f64> = t.iter().map(|t| step_up(*t)).collect();
    write(&folder, "step.csv", "t [s],mu,d [m],v [m/s]", &[&t, &data, &far, &drive]);
    let text = with("weight = 1").replace("time = \"t\"", "load_displacement = \"d\", load_velocity = \"v\"");
    let by_both = run(&folder, &text, &[]);
    for (path, _) in TRUTH {
        let own = value(&by_time, path);
        for other in [&by_distance, &by_both] {
            assert!((value(other, path) / own - 1.0).abs() < 1e-6, "{path} {own} {}", value(other, path));
        }
    }
}

#[test]
fn stresses_windows_and_weights_are_what_they_say() {
    let folder = folder("columns");
    let (t, mu) = record(0.2, 40.0);
    let data = noisy(&mu, NOISE, 5);
    let plain = |rows: &[usize]| {
        let pick = |list: &[f64]| rows.iter().map(|i| list[*i]).collect::<Vec<f64>>();
        write(&folder, "step.csv", "t [s],mu", &[&pick(&t), &pick(&data)]);
        run(&folder, &with("weight = 1"), &[])
    };
    let all = plain(&(0..t.len()).collect::<Vec<_>>());
    let inside: Vec<usize> = (0..t.len()).filter(|i| (5.0..=30.0).contains(&t[*i])).collect();
    let part = plain(&inside);
    let same = |a: &Outcome, b: &Outcome| {
        for (path, _) in TRUTH {
            assert!((value(a, path) / value(b, path) - 1.0).abs() < 1e-7, "{path}");
        }
    };
    let normal: Vec<f64> = t.iter().map(|t| 5.0 + 0.1 * (0.3 * t).sin()).collect();
    let shear: Vec<f64> = data.iter().zip(&normal).map(|(mu, n)| mu * n).collect();
    let weights: Vec<f64> = (0..t.len()).map(|i| if inside.contains(&i) { 2.0 } else { 0.0 }).collect();
    write(&folder, "step.csv", "t [s],tau [MPa],s [MPa],mu,w", &[&t, &shear, &normal, &data, &weights]);
    let text = with("weight = 1").replace("friction = \"mu\"", "shear_stress = \"tau\", normal_stress = \"s\"");
    same(&run(&folder, &text, &[]), &all);
    same(&run(&folder, &with("window = [\"5 s\", \"30 s\"]"), &[]), &part);
    same(&run(&folder, &with("weights = \"w\""), &[]), &part);
    for (text, said) in [
        (with("window = [5, 3]"), "is no pair of ends"),
        (with("window = [100, 200]"), "0 of 201 rows are left"),
        (with("weights = [1, 2]"), "2 weights for 201 rows"),
        (with("weight = 1").replace("friction = \"mu\"", "shear_stress = \"tau\""), "`columns` has no `normal_stress`"),
        (
            with("step_time = true").replace(
                "points = [[0, 1e-6], [10, 1e-6], [10, 1e-5], [60, 1e-5]]",
                "points = [[0, 1e-6], [60, 1e-5]]",
            ),
            "has no jump",
        ),
        (with("weight = 1").replace("time = \"t\"", "time = \"t\", load_displacement = \"mu\""), "beside `time`"),
    ] {
        let found = Scenario::from_text_in(&folder, "fit", &text, &[]).and_then(|s| s.prepare().map(|_| ()));
        let words = found.err().map_or_else(|| panic!("{text} was taken"), |e| e.to_string());
        assert!(words.contains(said), "{words}");
    }
}

/// A slider without mass, and a stiffness in 1/m under a load of 5 kN: the same as 1 mg and the stiffness in N/m.
#[test]
fn a_slider_without_mass_is_the_limit_of_a_small_one() {
    let folder = folder("massless");
    let (t, mu) = record(0.2, 40.0);
    write(&folder, "step.csv", "t [s],mu", &[&t, &noisy(&mu, NOISE, 6)]);
    let text = with("weight = 1");
    let small = run(&folder, &text, &[]);
    let none = run(&folder, &text, &["structure.mass=0".into()]);
    let sets = ["structure.mass=0", "structure.stiffness=1.5e-3 1/um", "contact.normal.force=5 kN"];
    let loaded = run(&folder, &text, &sets.map(String::from));
    for (path, _) in TRUTH {
        assert!((value(&none, path) / value(&small, path) - 1.0).abs() < 1e-6, "{path}");
        assert!((value(&loaded, path) / value(&small, path) - 1.0).abs() < 1e-6, "{path} {}", value(&loaded, path));
    }
    assert_eq!(of(&loaded, "structure.stiffness", "unit"), Some(Value::Text("1/m".into())));
    for (set, said) in [
        ("formulation.kind=exact", "is set-valued"),
        ("formulation={kind='regularised',width='1 um/s'}", "does not grow"),
    ] {
        let law = "contact.friction={law='stribeck',mu_s=0.5,mu_k=0.3,v_s='1 mm/s'}";
        let sets = ["structure.mass=0", law, set, "analysis={kind='transient',duration=1}"].map(String::from);
        let found = Scenario::from_text_in(&folder, "fit", &text, &sets).and_then(|s| s.prepare().map(|_| ()));
        let words = found.err().map_or_else(|| panic!("{set} was taken"), |e| e.to_string());
        assert!(words.contains(said), "{words}");
    }
}
