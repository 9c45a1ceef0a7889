//! A short series of inputs; `fuzz/run` tries a million.
use stickslip_fuzz::{door, try_many};

#[test]
fn a_few_thousand_inputs_are_answered() {
    door::quiet_panics();
    let found = try_many(0..4000, 20260101);
    door::clean();
    let told: Vec<String> = found
        .iter()
        .map(|f| format!("{:?} {:?}: {:?}", f.input.reader, f.verdict, String::from_utf8_lossy(&f.input.text)))
        .collect();
    assert!(found.is_empty(), "{}", told.join("\n"));
}
