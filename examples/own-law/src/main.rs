//! Runs a scenario with the law of this crate: `cargo run -p own-law`.
use std::path::Path;
use stickslip::prelude::*;

fn main() -> Result<(), Diagnostics> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fade.toml");
    let scenario = Scenario::from_file(&file, &[])?.with_catalogue(own_law::catalogue());
    let dataset = scenario.run(&Context::default())?;
    println!("{:#}", dataset.summary(&[])["values"]);
    Ok(())
}
