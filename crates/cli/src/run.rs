//! `run` and `check`.
use crate::talk::{data, failed, say, wrong};
use crate::{Input, table};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use stickslip::data::{DataError, Dataset, Status, check_folder, write_dataset};
use stickslip::prelude::*;

/// Runs a scenario. Everything that can be refused is refused before anything is computed.
pub fn run(input: &Input, json: bool, out: Option<PathBuf>, quiet: bool) -> ExitCode {
    let read = Scenario::from_file(&input.scenario, &input.sets).and_then(|s| Ok((s.prepare()?, s)));
    let (cases, scenario) = match read {
        Ok(read) => read,
        Err(e) => return wrong(e),
    };
    let folder = out.unwrap_or_else(|| scenario.output_folder());
    if lies_in(&input.scenario, &folder) {
        let why = format!("`{}` holds the scenario itself and would be replaced", folder.display());
        return wrong(format_args!("error[cli::scenario-inside]: {why}\nhint: choose another folder with --out"));
    }
    if let Err(e) = check_folder(&folder) {
        return wrong(told(&e));
    }
    let dataset = scenario.run_prepared(&cases, &Context::default());
    let files = match write_dataset(&dataset, &folder) {
        Ok(files) => files,
        // The request was in order: what fails now is the disk or the program.
        Err(e) => {
            say(told(&e));
            return failed();
        }
    };
    let text = if json { format!("{:#}\n", dataset.summary(&files)) } else { table::summary(&dataset) };
    if let Err(code) = data(&text) {
        return code;
    }
    if !json && !quiet {
        say(format_args!("results in {}", folder.display()));
    }
    verdict(&dataset)
}

/// Checks a scenario: nothing is computed, nothing is written.
pub fn check(input: &Input, json: bool) -> ExitCode {
    let prepared = Scenario::from_file(&input.scenario, &input.sets).and_then(|s| s.prepare());
    let cases = match prepared {
        Ok(cases) => cases,
        Err(e) => return wrong(e),
    };
    if json {
        let text: String = cases.iter().map(|case| format!("{:#}\n", case.spec)).collect();
        return data(&text).err().unwrap_or(ExitCode::SUCCESS);
    }
    say(format_args!("{} is in order", input.scenario.display()));
    ExitCode::SUCCESS
}

fn verdict(dataset: &Dataset) -> ExitCode {
    if dataset.status() == Status::Ok {
        return ExitCode::SUCCESS;
    }
    if let Some(reason) = dataset.reason() {
        say(format_args!("{}: {reason}", dataset.status()));
    }
    failed()
}

/// An error about files, with what one can do.
fn told(e: &DataError) -> String {
    let hint = e.hint().unwrap_or("choose another folder with --out");
    format!("error[{}]: {e}\nhint: {hint}", e.code())
}

/// Whether a folder that exists holds a file.
fn lies_in(file: &Path, folder: &Path) -> bool {
    matches!((file.canonicalize(), folder.canonicalize()), (Ok(file), Ok(folder)) if file.starts_with(&folder))
}
