//! A short series of inputs; `fuzz/run` tries a million.
use stickslip_fuzz::door::{self, Verdict};
use stickslip_fuzz::try_many;

#[test]
fn a_few_thousand_inputs_are_answered() {
    door::quiet_panics();
    let found = try_many(0..4000, 20260101);
    door::clean();
    // Tests share a machine that may be busy: what takes so long there is slow anywhere.
    let busy = |v: &Verdict| matches!(v, Verdict::Slow(time) if time.as_secs() < 20);
    let told: Vec<String> = found
        .iter()
        .filter(|f| !busy(&f.verdict))
        .map(|f| format!("{:?} {:?}: {:?}", f.input.reader, f.verdict, String::from_utf8_lossy(&f.input.text)))
        .collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
}
