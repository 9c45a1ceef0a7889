//! `run` and `check`.
use crate::input::{Input, refused};
use crate::output::{data, failed, say, wrong};
use crate::progress::Bar;
use crate::{resume, stop, table};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use stickslip::data::{
    DataError, Dataset, Recorder, Records, Status, check_folder, data_files, write_dataset_in_place, write_dataset_with,
};
use stickslip::prelude::*;
use stickslip::report::write_report;
use stickslip::scenario::{Diagnostics, Prepared};

/// What a run shows and writes.
#[derive(Clone, Copy, Args)]
pub struct Shown {
    /// Print the summary as JSON.
    #[arg(long)]
    pub json: bool,
    /// Say nothing on the terminal but errors and data.
    #[arg(long, short)]
    pub quiet: bool,
    /// Write no report and no plots.
    #[arg(long)]
    pub data_only: bool,
    /// Threads that points of a map are shared out to; one for each core by default. The results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}

/// Runs a scenario. Everything that can be refused is refused before anything is computed.
pub fn run(input: &Input, out: Option<PathBuf>, shown: Shown) -> ExitCode {
    run_scenario(input, input.read(), out, shown)
}

/// Runs a scenario that was read from a file and may be changed since.
pub fn run_scenario(
    input: &Input,
    read: Result<Scenario, Diagnostics>,
    out: Option<PathBuf>,
    shown: Shown,
) -> ExitCode {
    let (cases, scenario) = match read.and_then(|s| Ok((s.prepare()?, s))) {
        Ok(read) => read,
        Err(e) => return refused(&e, shown.json),
    };
    let folder = out.unwrap_or_else(|| scenario.output_folder());
    if lies_in(&input.scenario, &folder) {
        let why = format!("`{}` holds the scenario itself and would be replaced", folder.display());
        return wrong(format_args!("error[cli::scenario-inside]: {why}\nhint: choose another folder with --out"));
    }
    if let Err(e) = check_folder(&folder) {
        return wrong(told(&e));
    }
    let records = match resume::begin(input, &cases, &folder) {
        Ok(records) => records,
        Err(e) => return wrong(e),
    };
    work(&scenario, &cases, &folder, records, shown)
}

/// Runs cases that are in order, with the points of maps recorded as they finish, and writes the results.
pub fn work(
    scenario: &Scenario,
    cases: &[Prepared],
    folder: &Path,
    records: Option<Records>,
    shown: Shown,
) -> ExitCode {
    if let Some(threads) = shown.threads {
        // Fails only where threads are at work already, and there are none.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    }
    let (dataset, stopped) = {
        let bar = Bar::new(shown.quiet);
        let tick = |part: f64| bar.tick(part);
        let recorder = records.as_ref().map(|r| r as &dyn Recorder);
        let context = Context { progress: Some(&tick), stop: stop::on_interrupt(), recorder, ..Context::default() };
        (scenario.run_prepared(cases, &context), context.stopped())
    };
    let kept_points = records.is_some();
    let written = match &records {
        Some(_) => write_in_place(&dataset, folder, shown.data_only),
        None => write(&dataset, folder, shown.data_only),
    };
    // Recorded points go once every point stands in a table.
    let finished = |files| records.filter(|_| !stopped).map_or(Ok(()), Records::finish).map(|()| files);
    let files = match written.and_then(finished) {
        Ok(files) => files,
        // The request was in order: what fails now is the disk or the program.
        Err(e) => {
            say(told(&e));
            return failed();
        }
    };
    let text = if shown.json { format!("{:#}\n", dataset.summary(&files)) } else { table::summary(&dataset) };
    if let Err(code) = data(&text) {
        return code;
    }
    if stopped && kept_points && !shown.quiet {
        say(format_args!("finished points are kept: stickslip resume {}", folder.display()));
    }
    if !shown.json && !shown.quiet {
        match shown.data_only {
            true => say(format_args!("results in {}", folder.display())),
            false => say(format_args!("report in {}", folder.join(REPORT).display())),
        }
    }
    verdict(&dataset)
}

/// The page of a run.
pub const REPORT: &str = "report.html";

/// Writes the results, with the report unless only data are wanted.
pub fn write(dataset: &Dataset, folder: &Path, data_only: bool) -> Result<Vec<String>, DataError> {
    let report = if data_only { vec![] } else { write_report(dataset, &data_files(dataset)?) };
    write_dataset_with(dataset, folder, &report)
}

fn write_in_place(dataset: &Dataset, folder: &Path, data_only: bool) -> Result<Vec<String>, DataError> {
    let report = if data_only { vec![] } else { write_report(dataset, &data_files(dataset)?) };
    write_dataset_in_place(dataset, folder, &report)
}

/// Checks a scenario: nothing is computed, nothing is written.
pub fn check(input: &Input, json: bool) -> ExitCode {
    let cases = match input.read().and_then(|s| s.prepare()) {
        Ok(cases) => cases,
        Err(e) => return refused(&e, json),
    };
    if json {
        let text: String = cases.iter().map(|case| format!("{:#}\n", case.spec)).collect();
        return data(&text).err().unwrap_or(ExitCode::SUCCESS);
    }
    say(format_args!("{} is in order", input.scenario.display()));
    ExitCode::SUCCESS
}

pub fn verdict(dataset: &Dataset) -> ExitCode {
    if dataset.status() == Status::Ok {
        return ExitCode::SUCCESS;
    }
    if let Some(reason) = dataset.reason() {
        say(format_args!("{}: {reason}", dataset.status()));
    }
    failed()
}

/// An error about files, with what one can do.
pub fn told(e: &DataError) -> String {
    let hint = e.hint().unwrap_or("choose another folder with --out");
    format!("error[{}]: {e}\nhint: {hint}", e.code())
}

/// Whether a folder that exists holds a file.
fn lies_in(file: &Path, folder: &Path) -> bool {
    matches!((file.canonicalize(), folder.canonicalize()), (Ok(file), Ok(folder)) if file.starts_with(&folder))
}
