//! The command line. stdout is data, stderr is talk; exit 0 done, 1 failed or not to be trusted, 2 wrong request.
mod table;

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;
use stickslip::data::{Dataset, Status, write_dataset};
use stickslip::prelude::*;

/// A laboratory for dynamic friction: any law, on any structure, under any analysis, from one file.
#[derive(Parser)]
#[command(name = "stickslip", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scenario and write its results.
    Run {
        #[command(flatten)]
        input: Input,
        /// Print the summary as JSON.
        #[arg(long)]
        json: bool,
        /// Folder for the results; `<name>.out` beside the scenario by default.
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// Say nothing on the terminal but errors and data.
        #[arg(long, short)]
        quiet: bool,
    },
    /// Check a scenario without running it.
    Check {
        #[command(flatten)]
        input: Input,
        /// Print the fully resolved scenario as JSON.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args)]
struct Input {
    /// Scenario file.
    scenario: PathBuf,
    /// Change a value: --set drive.velocity="2 mm/s".
    #[arg(long = "set", value_name = "PATH=VALUE")]
    sets: Vec<String>,
}

const WRONG_REQUEST: u8 = 2;
const NOT_TRUSTED: u8 = 1;

fn main() -> ExitCode {
    // A closed pipe ends the program quietly instead of with a panic about printing.
    match Cli::parse().command {
        Command::Run { input, json, out, quiet } => run(&input, json, out, quiet),
        Command::Check { input, json } => check(&input, json),
    }
}

fn wrong(diagnostics: impl std::fmt::Display) -> ExitCode {
    eprintln!("{diagnostics}");
    ExitCode::from(WRONG_REQUEST)
}

fn run(input: &Input, json: bool, out: Option<PathBuf>, quiet: bool) -> ExitCode {
    let scenario = match Scenario::from_file(&input.scenario, &input.sets) {
        Ok(scenario) => scenario,
        Err(e) => return wrong(e),
    };
    let dataset = match scenario.run(&Context::default()) {
        Ok(dataset) => dataset,
        Err(e) => return wrong(e),
    };
    let folder = out.unwrap_or_else(|| scenario.output_folder());
    let files = match write_dataset(&dataset, &folder) {
        Ok(files) => files,
        Err(e) => {
            eprintln!("error[{}]: {e}", e.code());
            if let Some(hint) = e.hint() {
                eprintln!("hint: {hint}");
            }
            return ExitCode::from(WRONG_REQUEST);
        }
    };
    if json {
        println!("{:#}", dataset.summary(&files));
    } else {
        print!("{}", table::summary(&dataset));
        if !quiet {
            eprintln!("results in {}", folder.display());
        }
    }
    exit(&dataset)
}

fn exit(dataset: &Dataset) -> ExitCode {
    if dataset.status() == Status::Ok {
        return ExitCode::SUCCESS;
    }
    if let Some(reason) = dataset.reason() {
        eprintln!("{}: {reason}", dataset.status());
    }
    ExitCode::from(NOT_TRUSTED)
}

fn check(input: &Input, json: bool) -> ExitCode {
    let prepared = Scenario::from_file(&input.scenario, &input.sets).and_then(|s| s.prepare());
    match prepared {
        Err(e) => wrong(e),
        Ok(cases) => {
            if json {
                for case in &cases {
                    println!("{:#}", case.spec);
                }
            } else {
                eprintln!("{} is in order", input.scenario.display());
            }
            ExitCode::SUCCESS
        }
    }
}
