//! Several records at once, drives that come from a record, and records of each kind.
use super::*;
use crate::step::{STEP, TRUTH, record, under};

fn truth_is_found(out: &Outcome, paths: &[&str]) {
    assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
    for (path, truth) in TRUTH.iter().filter(|(path, _)| paths.contains(path)) {
        let off = value(out, path) / truth - 1.0;
        assert!(off.abs() < 1e-6, "{path} is off by {off:e}");
    }
}

/// A record with its driver beside it: a command, which jumps at a row, or straight lines with corners at rows.
pub fn driven(folder: &std::path::Path, name: &str, velocity: impl Fn(f64) -> f64, sigma: f64) {
    let times: Vec<f64> = (0..=200).map(|i| 0.2 * i as f64).collect();
    let v: Vec<f64> = times.iter().map(|t| velocity(*t)).collect();
    let (t, mu) = under(velocity, 0.2, 40.0);
    let microns: Vec<f64> = v.iter().map(|v| v * 1e6).collect();
    write(folder, name, "t [s],V [um/s],mu", &[&t, &microns, &noisy(&mu, sigma, 9)]);
}

pub const TWO: &str = r#"
records = [
    { file = "up.csv", columns = { time = "t", load_velocity = "V", friction = "mu" } },
    { file = "down.csv", columns = { time = "t", load_velocity = "V", friction = "mu" } },
]"#;

pub fn two() -> String {
    let own =
        "records = [{ of = \"velocity-step\", file = \"step.csv\", columns = { time = \"t\", friction = \"mu\" } }]";
    // The scenario's own drive is none of the two.
    STEP.replace(own, TWO).replace("[[0, 1e-6], [10, 1e-6]", "[[0, 2e-6], [10, 2e-6]")
}

pub fn up(t: f64) -> f64 {
    if t < 10.0 { 1e-6 } else { 1e-5 }
}

pub fn down(t: f64) -> f64 {
    if t < 5.0 { 5e-6 } else { 5e-7 }
}

#[test]
fn two_records_under_drives_of_their_own_give_one_law() {
    let folder = folder("two");
    driven(&folder, "up.csv", up, 0.0);
    driven(&folder, "down.csv", down, 0.0);
    let out = run(&folder, &two(), &[]);
    truth_is_found(&out, &TRUTH.map(|t| t.0));
    assert!(out.table("fit-1").is_some() && out.table("fit-2").is_some());
}

/// One record is ten times as noisy as the other: it counts by its noise, and the pair is as good as the better of them.
#[test]
fn a_noisy_record_does_not_spoil_a_good_one() {
    let folder = folder("weights");
    driven(&folder, "up.csv", up, 1e-5);
    driven(&folder, "down.csv", down, 1e-3);
    let error = |out: &Outcome| match of(out, "contact.friction.a", "stderr") {
        Some(Value::Number(x)) => x,
        other => panic!("{other:?} {:?}", out.reason),
    };
    let both = run(&folder, &two(), &[]);
    let alone = "analysis.records=[{file='up.csv',columns={time='t',load_velocity='V',friction='mu'}}]";
    let good = run(&folder, &two(), &[alone.into()]);
    assert!(error(&both) < 1.02 * error(&good), "{} {}", error(&both), error(&good));
    // The search ended under equal weights and went on under those of the noise: it is compared with the final fit.
    assert_eq!(both.number("starts_agree"), both.number("starts"), "{:?}", both.health.notes);
    let known = two()
        .replace("\"up.csv\",", "\"up.csv\", sigma = 1e-5,")
        .replace("\"down.csv\",", "\"down.csv\", sigma = 1e-3,");
    let given = run(&folder, &known, &[]);
    assert!((value(&both, "contact.friction.a") / value(&given, "contact.friction.a") - 1.0).abs() < 1e-4);
}

/// Commands jump, and what goes up and down from row to row does not; the result says which it was.
#[test]
fn a_driver_that_was_measured_goes_in_straight_lines() {
    let folder = folder("ramp");
    let ramp = |t: f64| 1e-6 + 9e-6 * ((t - 10.0) / 2.0).clamp(0.0, 1.0);
    driven(&folder, "up.csv", ramp, 0.0);
    driven(&folder, "down.csv", down, 0.0);
    let out = run(&folder, &two(), &[]);
    truth_is_found(&out, &TRUTH.map(|t| t.0));
    let told = |text: &str| out.health.notes.iter().any(|n| n.contains(text));
    assert!(told("`up.csv`: `load_velocity` goes in straight lines"), "{:?}", out.health.notes);
    assert!(told("`down.csv`: `load_velocity` stays as it is between its jumps (1)"), "{:?}", out.health.notes);
}

/// The load enters through the equations of neighbouring models; steady sliding at the start follows the record's drive.
#[test]
fn a_start_follows_the_drive_of_its_record() {
    let folder = folder("driven-start");
    driven(&folder, "up.csv", down, 0.0);
    let parameters = "analysis.parameters=[{parameter='contact.friction.a'},{parameter='contact.normal.force'}]";
    let records = "analysis.records=[{file='up.csv',columns={time='t',load_velocity='V',friction='mu'}}]";
    let fixed = [
        "contact.friction.b=0.01",
        "contact.friction.d_c=1e-5",
        "structure.stiffness=1000",
        "contact.normal.force=1.3",
    ];
    let sets: Vec<String> = [parameters, records].iter().chain(&fixed).map(|s| s.to_string()).collect();
    let out = run(&folder, &two(), &sets);
    truth_is_found(&out, &["contact.friction.a"]);
    assert!((value(&out, "contact.normal.force") - 1.0).abs() < 1e-6);
    assert!(out.number("runs_with_derivatives").unwrap() < 15.0, "{:?}", out.value("runs_with_derivatives"));
}

#[test]
fn a_law_comes_out_of_slide_hold_slide() {
    let folder = folder("hold");
    let drive = |t: f64| if (5.0..25.0).contains(&t) { 0.0 } else { 1e-5 };
    let (t, mu) = under(drive, 0.1, 40.0);
    write(&folder, "step.csv", "t [s],mu", &[&t, &mu]);
    let text = STEP.replace("of = \"velocity-step\"", "of = \"slide-hold-slide\"").replace(
        "[[0, 1e-6], [10, 1e-6], [10, 1e-5], [60, 1e-5]]",
        "[[0, 1e-5], [5, 1e-5], [5, 0], [25, 0], [25, 1e-5], [60, 1e-5]]",
    );
    truth_is_found(&run(&folder, &text, &[]), &TRUTH.map(|t| t.0));
}

/// A record with holes in time, in other units, and a column of words that nobody asked for.
#[test]
fn columns_that_nobody_asks_for_may_hold_words() {
    let folder = folder("words");
    let (t, mu) = record(0.2, 40.0);
    let rows: String = t.iter().zip(&mu).map(|(t, mu)| format!("{:?};ok;{mu:?}\n", t * 1e3)).collect();
    std::fs::write(folder.join("step.csv"), format!("# by hand\nt [ms];remark;mu\n{rows}")).unwrap();
    truth_is_found(&run(&folder, STEP, &[]), &TRUTH.map(|t| t.0));
}

/// 300,000 rows are averaged in pairs, and the result says so.
#[test]
fn long_records_are_averaged_and_it_is_said() {
    let folder = folder("long");
    let (t, mu) = record(0.0025, 40.0);
    let (mut long, mut values) = (vec![], vec![]);
    for i in 0..t.len() - 1 {
        for part in 0..20 {
            let s = f64::from(part) / 20.0;
            long.push(t[i] + s * 0.0025);
            values.push(mu[i] + s * (mu[i + 1] - mu[i]));
        }
    }
    write(&folder, "step.csv", "t,mu", &[&long, &noisy(&values, 1e-4, 1)]);
    let out = run(&folder, STEP, &[]);
    assert_eq!(out.status, Status::Ok, "{:?}", out.reason);
    assert!((value(&out, "contact.friction.a") / 0.005 - 1.0).abs() < 1e-3);
    assert!(
        out.health.notes.iter().any(|n| n.contains("320000 rows were averaged in blocks of 2")),
        "{:?}",
        out.health
    );
}

/// Derivatives in the stiffness of a block so light that its equation is stiff by ten decades, through a hold, against
/// differences of the motion. With a row of 0 at the start the standard error is that of a single slope.
#[test]
fn derivatives_of_a_light_block_through_a_hold_are_those_of_its_motion() {
    let folder = folder("light");
    let text = STEP
        .replace("1e-6 kg", "1e-9 kg")
        .replace("a = 0.006, b = 0.009", "a = 0.008, b = 0.012")
        .replace("[10, 1e-5], [60, 1e-5]", "[10, 0], [60, 0]")
        .replace("starts = 1\n", "starts = 1\nmost = 1\n");
    write(&folder, "step.csv", "t,mu", &[&[0.0, 5.0, 40.0], &[0.6, 0.5, 0.4]]);
    let wanted = "analysis.parameters=[{parameter='structure.stiffness'}]";
    let at = |k: f64| run(&folder, &text, &[wanted.into(), format!("structure.stiffness={k:?}")]);
    let model = |out: &Outcome| {
        let table = out.table("fit").unwrap();
        let column = |name: &str| table.column(name).and_then(|c| c.values.floats()).unwrap().to_vec();
        (column("friction.model"), column("friction.residual"))
    };
    let (k, e) = (4000.0, 1e-4);
    let out = at(k);
    let (values, residuals) = model(&out);
    let noise = (residuals.iter().map(|r| r * r).sum::<f64>() / 2.0).sqrt();
    let Some(Value::Number(error)) = of(&out, "structure.stiffness", "stderr") else { panic!("{:?}", out.reason) };
    let slope = noise / (error / k);
    let (more, less) = (model(&at(k * (1.0 + e))).0, model(&at(k * (1.0 - e))).0);
    let differences: Vec<f64> = more.iter().zip(&less).map(|(a, b)| (a - b) / (2.0 * e)).collect();
    let size = differences.iter().map(|d| d * d).sum::<f64>().sqrt();
    assert!((slope / size - 1.0).abs() < 1e-4, "{slope:e} {size:e} {values:?}");
}
