//! A few thousand scenarios agree with themselves; `differential/run` tries a hundred thousand.
use std::process::Command;

/// How many. About a minute on two cores.
const COUNT: &str = "3000";
/// Another series than that of `differential/run`.
const SEED: &str = "20260101";

#[test]
fn a_few_thousand_scenarios_agree_with_themselves() {
    let run = Command::new(env!("CARGO_BIN_EXE_stickslip-differential")).args([COUNT, SEED]).output();
    let run = run.expect("the program runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}
