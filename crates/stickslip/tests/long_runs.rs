//! Motions of more rows than stay in memory, or are written.
use std::path::Path;
use stickslip::prelude::*;

/// Enough for rows to wait on the disk: seven a cycle.
const CYCLES: f64 = 58_000.0;
/// Rows and events that are written unless all are asked for.
const LISTED: usize = 200_000;

fn run(cycles: f64, all: bool) -> Outcome {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/coulomb-belt.toml");
    let sets = [format!("analysis.duration.cycles={cycles}"), format!("output.all_rows={all}")];
    let dataset = Scenario::from_file(&path, &sets).unwrap().run(&Context::default()).unwrap();
    dataset.cases.into_iter().next().unwrap().1
}

fn times(outcome: &Outcome) -> Vec<f64> {
    outcome.table("series").unwrap().column("t").unwrap().values.floats().unwrap().to_vec()
}

#[test]
fn a_long_motion_has_the_values_of_a_short_one_and_all_its_rows_where_they_are_asked_for() {
    let (short, long, whole) = (run(200.0, false), run(CYCLES, false), run(CYCLES, true));
    for name in
        ["period", "amplitude_pp", "stick_fraction", "friction_max", "friction_min", "friction_mean", "speed_max"]
    {
        let [a, b, c] = [&short, &long, &whole].map(|o| o.number(name).unwrap());
        assert!((a / b - 1.0).abs() < 1e-9, "{name}: {a} {b}");
        assert_eq!(b, c, "{name}");
    }
    assert_eq!((&short.regime, &long.regime), (&whole.regime, &whole.regime));
    // Their number is reported, and those in the middle are not written.
    let (some, all) = (times(&long), times(&whole));
    assert!(all.len() > 2 * LISTED && all.is_sorted());
    assert_eq!((some.len(), long.events.len()), (LISTED, whole.events.len().min(LISTED)));
    assert_eq!((&some[..LISTED / 2], &some[LISTED / 2..]), (&all[..LISTED / 2], &all[all.len() - LISTED / 2..]));
    let note = format!("the first and the last 100000 of {} rows of the series are written", all.len());
    assert!(long.health.notes.iter().any(|n| n.starts_with(&note)), "{:?}", long.health.notes);
    assert!(!whole.health.notes.iter().any(|n| n.contains("are written")) && short.health.notes == whole.health.notes);
}
