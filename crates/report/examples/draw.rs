//! Runs a scenario and writes its report: `cargo run -p stickslip-report --example draw -- scenarios/first.toml OUT`.

use std::path::Path;
use stickslip::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("usage: draw SCENARIO FOLDER [PATH=VALUE]...".into());
    };
    let scenario = Scenario::from_file(Path::new(&file), &arguments.collect::<Vec<_>>()).map_err(|e| e.to_string())?;
    let dataset = scenario.run(&Context::default()).map_err(|e| e.to_string())?;
    let report = stickslip_report::write_report(&dataset, &[]);
    for (name, content) in &report {
        println!("{name}: {} bytes", content.len());
    }
    stickslip::data::write_dataset_with(&dataset, Path::new(&folder), &report)?;
    Ok(())
}
