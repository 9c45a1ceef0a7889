//! Times runs of Stickslip beside the tools a user would pick instead, in one process tree, under one load.
mod belt;
mod body;
mod clock;
mod ensemble;
mod envelope;
mod options;
mod peer;
mod single;
mod slider;
mod spectrum;
mod steps;
mod system;
mod table;
mod velocity_step;

use clock::Bench;
use options::{Options, Work};
use std::process::ExitCode;

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(wrong) => {
            eprintln!("{wrong}\n{}", options::USAGE);
            return ExitCode::from(2);
        }
    };
    let mut bench = Bench::new(&options);
    let mut rows = vec![];
    for work in &options.works {
        let found = match work {
            Work::Single => single::run(&mut bench, &options),
            Work::Ensemble => ensemble::run(&mut bench, &options),
            Work::Belt => belt::run(&mut bench, &options),
            Work::Steps => steps::run(&mut bench, &options),
            Work::System => system::run(&mut bench, &options),
            Work::Spectrum => spectrum::run(&mut bench, &options),
            Work::VelocityStep => velocity_step::run(&mut bench, &options),
        };
        match found {
            Ok(found) => rows.extend(found),
            Err(wrong) => {
                eprintln!("{wrong}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!("\n{}", table::table(&rows));
    if rows.iter().any(|r| r.met == Some(false)) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
