//! The command line. stdout is data, stderr is talk; exit 0 done, 1 failed or not to be trusted, 2 wrong request.
mod catalogue;
mod compare;
mod difference;
mod dry_run;
mod explain;
mod export;
mod input;
mod new;
mod output;
mod progress;
mod questions;
mod reproduce;
mod resolved;
mod results;
mod resume;
mod run;
mod schema;
mod shards;
mod stop;
mod studio;
mod table;

use crate::input::Input;
use clap::{CommandFactory, Parser, Subcommand};
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
        /// Folder for the results; `<name>.out` beside the scenario by default.
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// Of a map only part i of n, counted from 1; `merge` makes one result of all parts.
        #[arg(long, value_name = "i/n")]
        shard: Option<shards::Shard>,
        #[command(flatten)]
        shown: run::Shown,
    },
    /// Make one result of the parts of a map: those of `run --shard`, all of them.
    Merge {
        /// Folders of the parts.
        #[arg(required = true, value_name = "PART")]
        parts: Vec<PathBuf>,
        /// Folder for the results.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// The scenario file, where it is not where the parts found it.
        #[arg(long, value_name = "FILE")]
        scenario: Option<PathBuf>,
        #[command(flatten)]
        shown: run::Shown,
    },
    /// Ask the same under other friction laws, matched to the scenario's own: does the conclusion survive?
    Compare {
        #[command(flatten)]
        input: Input,
        #[command(flatten)]
        asked: compare::Asked,
        /// Folder for the results; `<name>.out` beside the scenario by default.
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        #[command(flatten)]
        shown: run::Shown,
    },
    /// Go on with a map that was killed or interrupted: finished points are not computed again.
    Resume {
        /// Folder of the run, or its scenario file.
        run: PathBuf,
        /// Folder of the run, where it is not the one beside the scenario.
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        #[command(flatten)]
        shown: run::Shown,
    },
    /// Check a scenario without running it.
    Check {
        #[command(flatten)]
        input: Input,
        /// Print the fully resolved scenario as JSON.
        #[arg(long)]
        json: bool,
    },
    /// List the friction laws and the normal laws.
    Laws {
        /// Print everything known of them as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Explain a law, structure, drive, formulation or analysis by its name; or a scenario, with every default.
    Explain {
        /// Name of a kind, or scenario file; without one, a list of what there is.
        #[arg(value_name = "NAME|FILE")]
        what: Option<PathBuf>,
        /// Change a value of the scenario.
        #[arg(long = "set", value_name = "PATH=VALUE")]
        sets: Vec<String>,
        /// Print it as JSON.
        #[arg(long)]
        json: bool,
        /// Draw the signature of a law to a file, .svg or .png, instead of the text.
        #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "sets"])]
        plot: Option<PathBuf>,
    },
    /// Print a scenario to start from, or list them: stickslip new spring-block > slider.toml.
    New {
        /// Name of the scenario.
        name: Option<String>,
    },
    /// Run figures of the papers and compare what comes out with what is expected; without a name, list them.
    Reproduce {
        /// Names such as lim-chen/fig-4a, or a paper for all of its figures.
        #[arg(value_name = "ENTRY")]
        entries: Vec<String>,
        /// Run everything there is.
        #[arg(long, conflicts_with = "entries")]
        all: bool,
        /// Change a value of the scenarios: values are then shown without a verdict.
        #[arg(long = "set", value_name = "PATH=VALUE")]
        sets: Vec<String>,
        /// Print the comparison as JSON.
        #[arg(long)]
        json: bool,
        /// Folder for the page and the results; `gallery.out` by default.
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// Say nothing on the terminal but errors and data.
        #[arg(long, short)]
        quiet: bool,
    },
    /// Write a table of an earlier run as CSV, or a scenario as a unit for co-simulation.
    Export {
        /// Folder of the run, or its scenario file.
        run: PathBuf,
        /// Write the scenario as an FMI 3.0 unit for co-simulation.
        #[arg(long, value_name = "FILE")]
        fmu: Option<PathBuf>,
        /// Name of the table, `case/table` where there are cases; the motion by default.
        #[arg(conflicts_with = "fmu")]
        table: Option<String>,
        /// File to write; stdout by default.
        #[arg(long, short, value_name = "FILE", conflicts_with = "fmu")]
        out: Option<PathBuf>,
    },
    /// Draw a column of an earlier run against another.
    Plot {
        /// Folder of the run, or its scenario file.
        run: PathBuf,
        /// Column along.
        x: String,
        /// Column up; several of one unit with commas between.
        y: String,
        /// Name of the table, `case/table` where there are cases; the motion by default.
        #[arg(long)]
        table: Option<String>,
        /// File to write, .svg or .png; SVG to stdout by default.
        #[arg(long, short, value_name = "FILE")]
        out: Option<PathBuf>,
        #[command(flatten)]
        look: export::Look,
    },
    /// Edit scenarios in a browser and see them move: a page on this machine alone.
    Studio {
        /// Folder of the scenarios; this one by default.
        folder: Option<PathBuf>,
        /// Port; any free one by default.
        #[arg(long, value_name = "N", default_value_t = 0)]
        port: u16,
        /// Open no browser.
        #[arg(long)]
        no_open: bool,
    },
    /// Answer one request of the studio.
    #[command(name = "studio-engine", hide = true)]
    StudioEngine {
        /// Folder of the scenarios.
        folder: PathBuf,
    },
    /// Print a JSON Schema of scenario files, for editors.
    Schema,
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Compare { input, asked, out, shown } => compare::compare(&input, &asked, out, shown),
        Command::Run { input, out, shard: Some(shard), shown } => shards::run(&input, out, shard, shown),
        Command::Run { input, out, shard: None, shown } => run::run(&input, out, shown),
        Command::Merge { parts, out, scenario, shown } => shards::merge::merge(&parts, &out, scenario, shown),
        Command::Resume { run, out, shown } => resume::resume(&run, out, shown),
        Command::Check { input, json } => run::check(&input, json),
        Command::Schema => schema::schema(),
        Command::Studio { folder, port, no_open } => studio::studio(folder, port, no_open),
        Command::StudioEngine { folder } => studio::engine(&folder),
        Command::Completions { shell } => completions(shell),
        Command::New { name } => new::new(name.as_deref()),
        Command::Reproduce { entries, all, sets, json, out, quiet } => {
            let wish = reproduce::Wish { entries, all, sets };
            reproduce::reproduce(&wish, out, json, quiet)
        }
        Command::Export { run, fmu: Some(fmu), .. } => export::fmu::export(&run, &fmu),
        Command::Export { run, table, out, fmu: None } => export::export(&run, table.as_deref(), out),
        Command::Plot { run, x, y, table, out, look } => export::plot(&run, table.as_deref(), (&x, &y), &look, out),
        Command::Laws { json } => explain::laws(json),
        Command::Explain { what: None, json, .. } => explain::list(json),
        Command::Explain { what: Some(name), plot: Some(file), .. } => explain::plot(&name.to_string_lossy(), &file),
        Command::Explain { what: Some(scenario), sets, json, .. } => explain::explain(&Input { scenario, sets }, json),
    }
}

fn completions(shell: clap_complete::Shell) -> ExitCode {
    let mut text = vec![];
    clap_complete::generate(shell, &mut Cli::command(), "stickslip", &mut text);
    output::data(&String::from_utf8_lossy(&text)).err().unwrap_or(ExitCode::SUCCESS)
}
