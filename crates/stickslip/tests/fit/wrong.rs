//! Bad data: a clear refusal or a result, never a hang.
use super::*;
use crate::step::STEP;
use std::time::Instant;

/// What is said to a file of measurements.
fn refusal(name: &str, content: &str, sets: &[String]) -> String {
    let folder = folder(name);
    std::fs::write(folder.join("step.csv"), content).unwrap();
    let scenario = Scenario::from_text_in(&folder, "fit", STEP, sets).unwrap();
    scenario.prepare().err().map_or_else(|| panic!("{name} was taken"), |e| e.to_string())
}

#[test]
fn bad_data_are_refused_with_their_place() {
    for (name, content, said) in [
        ("hole", "t,mu\n0,0.6\n1,\n2,0.6\n", "column 2 is empty"),
        ("word", "t,mu\n0,0.6\n1,abc\n2,0.6\n", "`abc` is not a number"),
        ("nan", "t,mu\n0,0.6\n1,nan\n2,0.6\n", "not a finite number"),
        ("unit", "t [kg],mu\n0,0.6\n1,0.7\n2,0.6\n", "column `t`"),
        ("unknown unit", "t [foo],mu\n0,0.6\n1,0.7\n", "the unit of `t [foo]`"),
        ("twice", "t,mu\n0,0.6\n1,0.61\n1,0.62\n2,0.6\n3,0.6\n4,0.7\n", "time 1 s stands twice"),
        ("back", "t,mu\n0,0.6\n2,0.61\n1,0.62\n", "goes back from 2 s to 1 s"),
        ("one", "t,mu\n0,0.6\n", "nothing can be determined from it"),
        ("few", "t,mu\n0,0.6\n1,0.61\n2,0.62\n", "3 values for 4 parameters"),
        ("constant", "t,mu\n0,0.6\n1,0.6\n2,0.6\n3,0.6\n4,0.6\n5,0.6\n", "a constant signal"),
        ("column", "t,friction\n0,0.6\n1,0.6\n", "has no column `mu`"),
        ("empty", "", "holds no numbers"),
        ("remark", "t (raw),mu\n0,0.6\n1,0.7\n", "the unit of `t (raw)`"),
        ("hidden", "t_ms,mu\n0,0.6\n1,0.7\n", "`step.csv` has no column `t`"),
        ("two", "t [ms],t [s],mu\n0,0,0.6\n1,1,0.7\n", "has 2 columns `t`"),
        ("early rows", "0,0.6\nt,mu\n1,0.7\n", "numbers before the header, which is line 2"),
        ("commas", "t,mu\n0,5,0,6\n1,5,0,7\n", "decimal commas can't be distinguished from the commas between columns"),
        ("both", "t;mu\n0,5;0.6\n1,5;0.7\n", "`0.6` has a point where numbers before it have a comma"),
        ("no unit", "t,mu\nsoon,high\n0,0.6\n", "line 2 has words, and `soon` is no unit"),
        ("early", "t,mu\n-1,0.6\n0,0.61\n1,0.62\n2,0.63\n3,0.6\n", "the first time is -1 s"),
    ] {
        let text = refusal(name, content, &[]);
        assert!(text.contains(said), "{name}: {text}");
    }
}

#[test]
fn what_is_asked_wrongly_is_refused() {
    let good = "t,mu\n0,0.6\n1,0.61\n2,0.62\n3,0.6\n4,0.6\n5,0.6\n";
    for (set, said) in [
        ("analysis.parameters=[{parameter='contact.friction.law'}]", "does not lead to a number"),
        ("analysis.parameters=[{parameter='contact.friction.q'}]", "does not lead to a number"),
        ("analysis.parameters=[]", "0 parameters"),
        ("analysis.parameters=[{parameter='structure.stiffness'},{parameter='structure.stiffness'}]", "stands twice"),
        (
            "analysis.records=[{file='step.csv',columns={when='t'}}]",
            "`when` is nothing that a velocity-step record holds",
        ),
        ("analysis.records=[{file='none.csv'}]", "can't be read"),
        (
            "analysis.records=[{file='step.csv',columns={time='t',friction='mu',force='mu'}}]",
            "`force` beside `friction`: a record has one measured quantity",
        ),
        (
            "analysis.records=[{of='force-velocity',file='step.csv',columns={velocity='t',pressure='mu'}}]",
            "`pressure` is nothing that a force-velocity record holds",
        ),
        (
            "analysis.records=[{of='force-displacement',file='step.csv',columns={time='t',load_velocity='mu'}}]",
            "`load_velocity` is nothing that a force-displacement record holds",
        ),
        ("analysis.records=[{file='step.csv',columns={time='mu',friction='forse'}}]", "has no column `forse`"),
        ("analysis.parameters=[{parameter='contact.friction.dc'}]", "did you mean `contact.friction.d_c`?"),
        ("analysis.starts=2.5", "`starts` = 2.5 is no whole number"),
        ("analysis.most=2.5", "`most` = 2.5 is no whole number"),
        ("analysis.parameters=[{parameter='structure.stiffness',start='5 mm'}]", "`5 mm` has the dimension"),
        ("analysis.parameters=[{parameter='structure.stiffness',start=5,between=[10,20]}]", "is not between 10 and 20"),
    ] {
        let text = refusal("asked", good, &[set.into()]);
        assert!(text.contains(said), "{set}: {text}");
    }
}

/// A unit in the header and another one in the scenario; one that the name of a column may hold.
#[test]
fn units_that_differ_are_refused() {
    let rows = "0,0.6\n1,0.61\n2,0.62\n3,0.6\n4,0.6\n5,0.6\n";
    for (head, column, said) in [
        ("t [ms],mu", "t [s]", "the unit of `t` is ms in its heading, s in `columns`"),
        ("t (ms),mu", "t (s)", "is ms in its heading, s in `columns`"),
        ("t / ms,mu", "t [s]", "the unit of `t` is ms in its heading, s in `columns`"),
        ("t [ms],mu\ns,1", "t", "the unit of `t` is ms in its heading, s in the line of units"),
        ("t_ms,mu", "t_ms", "`t_ms` may say that it is in ms"),
        ("t (mm),mu", "t", "`t (mm)` is in mm, it seems"),
    ] {
        let set = format!("analysis.records=[{{file='step.csv',columns={{time='{column}',friction='mu'}}}}]");
        let text = refusal("differ", &format!("{head}\n{rows}"), &[set]);
        assert!(text.contains(said), "{head} {column}: {text}");
    }
}

/// A file without lines is no table, however long it is.
#[test]
fn a_file_without_lines_is_refused_at_once() {
    let folder = folder("many");
    let file = std::fs::File::create(folder.join("step.csv")).unwrap();
    file.set_len(1 << 30).unwrap();
    let since = Instant::now();
    let text = Scenario::from_text_in(&folder, "fit", STEP, &[]).unwrap().prepare().err().unwrap().to_string();
    assert!(since.elapsed().as_secs_f64() < 2.0 && text.contains("line 1 is longer"), "{text}");
}

/// Friction that grows with speed, under a law whose static friction is the larger: the best fit lies behind a wall.
#[test]
fn a_wall_is_not_a_minimum() {
    let folder = folder("wall");
    let v: Vec<f64> = (1..60).map(|i| 0.4 * i as f64).collect();
    let mu: Vec<f64> = v.iter().map(|v| 0.5 - 0.2 * (-v / 5.0).exp()).collect();
    write(&folder, "curve.csv", "v,mu", &[&v, &mu]);
    let out = run(&folder, crate::decay::POINT, &[]);
    assert_eq!(out.status, Status::Untrusted, "{:?}", out.value("parameters"));
    assert!(out.reason.as_deref().is_some_and(|r| r.contains("not at a least cost")), "{:?}", out.reason);
}

/// Holes in time are no trouble: rows need not be evenly spaced.
#[test]
fn a_record_with_rows_left_out_is_fitted() {
    let folder = folder("gaps");
    let (t, mu) = crate::step::record(0.05, 40.0);
    let kept: Vec<usize> = (0..t.len()).filter(|i| i % 7 != 0 && !(150..190).contains(i)).collect();
    let pick = |list: &[f64]| kept.iter().map(|i| list[*i]).collect::<Vec<f64>>();
    write(&folder, "step.csv", "t,mu", &[&pick(&t), &pick(&mu)]);
    let out = run(&folder, STEP, &[]);
    assert!((value(&out, "contact.friction.a") / 0.005 - 1.0).abs() < 1e-6);
}
