//! What disagreed once agrees.
use std::path::Path;
use stickslip_differential::corpus;

#[test]
fn what_was_found_agrees() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let found = corpus::check(&folder).expect("the corpus can be read");
    assert!(found.is_empty(), "{}", found.join("\n"));
}
