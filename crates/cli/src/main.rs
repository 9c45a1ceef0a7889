//! The command line. stdout is data, stderr is talk; exit 0 done, 1 failed or not to be trusted, 2 wrong request.
mod progress;
mod run;
mod stop;
mod table;
mod talk;

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// A laboratory for dynamic friction: any law, on any structure, under any analysis, from one file.
///
/// Exit codes: 0 done; 1 the run failed or can't be trusted; 2 the request was wrong and nothing was written.
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
        /// Write no report and no plots.
        #[arg(long)]
        data_only: bool,
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

/// The scenario, and changes to it.
#[derive(Args)]
pub struct Input {
    /// Scenario file.
    scenario: PathBuf,
    /// Change a value: --set drive.velocity="2 mm/s".
    #[arg(long = "set", value_name = "PATH=VALUE")]
    sets: Vec<String>,
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Run { input, json, out, quiet, data_only } => {
            run::run(&input, out, run::Shown { json, quiet, data_only })
        }
        Command::Check { input, json } => run::check(&input, json),
    }
}
