//! Limit cycles: against settled transients, closed forms, normal forms at their birth, and published folds.
use stickslip::prelude::*;
use stickslip_verification::{number, run, scenario};

fn of(file: &str, sets: &[&str]) -> Outcome {
    let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
    run(&scenario(file, &sets))
}

fn get(out: &Outcome, name: &str) -> f64 {
    number(out, name).unwrap_or_else(|| panic!("no `{name}`: {:?}", out.verdict()))
}

fn near(found: f64, expected: f64, part: f64) {
    assert!((found - expected).abs() <= part * expected.abs(), "{found:e}, not {expected:e}");
}

/// The cycle is the one in which the transient settles.
#[test]
fn cycles_are_those_of_settled_transients() {
    for speed in ["1e-3", "1e-4"] {
        let speed = format!("drive.velocity={speed}");
        let cycle = of("rate-state-cycle.toml", &[&speed]);
        let transient = "analysis={kind=\"transient\",duration={cycles=40},rtol=1e-11}";
        let settled = of("rate-state-cycle.toml", &[&speed, transient]);
        for name in ["amplitude_pp", "period", "speed_max", "stick_fraction"] {
            near(get(&cycle, name), get(&settled, name), 1e-7);
        }
        assert!(get(&cycle, "trivial_error") < 1e-6, "{:?}", cycle.value("trivial_error"));
    }
}

/// Cycles just beside a supercritical Hopf point grow as its normal form says, and are stable.
#[test]
fn small_cycles_grow_as_the_normal_form_says() {
    let along = "analysis={kind=\"limit-cycle\",start=\"hopf\",along={parameter=\"structure.stiffness\",from=2e5,to=2.4e5,points=20}}";
    let out = of("rate-state-cycle.toml", &["drive.velocity=5e-4", along]);
    let born = get(&out, "hopf");
    near(born, 1963.274348422497 * 120.0, 1e-9);
    let half = 0.5 * get(&out, "branch.amplitude_pp[0]");
    near(half * half / (get(&out, "branch.structure.stiffness[0]") - born), -3.471286083013573e-17, 0.01);
    assert_eq!(get(&out, "branch.stable[0]"), 1.0);
}

/// The other side of the fold at the scenario's own parameters: Lim & Chen's threshold cycle.
#[test]
fn the_unstable_cycle_divides_the_starts() {
    let out = of("rate-state-cycle.toml", &["drive.velocity=1.1e-3", "analysis.start=\"unstable\""]);
    near(get(&out, "amplitude_pp"), 24.3e-6, 2e-3);
    near(get(&out, "multipliers[0][0]"), 2.49, 3e-3);
    near(get(&out, "multipliers[1][0]"), 1.0, 1e-6);
}

/// Started beside stable steady sliding the motion ends there: that is no cycle.
#[test]
fn a_decay_to_steady_sliding_is_no_cycle() {
    let start = "start={state=\"steady-sliding\",scale={rates={velocity=1.05}}}";
    let out = of("rate-state-cycle.toml", &["drive.velocity=1.1e-3", start]);
    let (status, reason) = out.verdict();
    assert!(status == Status::Failed && out.value("amplitude_pp").is_none(), "{status:?} {reason:?}");
}

/// The branch begins where stability along the parameter changes, and folds where stick-slip is lost.
#[test]
fn a_branch_tells_its_birth_its_fold_and_the_bistable_range() {
    let along = "analysis.along={parameter=\"drive.velocity\",from=9e-4,to=1.1e-3,points=20}";
    let out = of("rate-state-cycle.toml", &["structure.stiffness=6e4", along]);
    near(get(&out, "folds[0]"), 1.008247143399391e-3, 1e-6);
    near(get(&out, "hopf"), 0.0009359608883940902, 1e-9);
    near(get(&out, "bistable[0]"), get(&out, "hopf"), 1e-9);
    near(get(&out, "bistable[1]"), get(&out, "folds[0]"), 1e-9);
}
