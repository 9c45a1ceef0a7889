//! `export --fmu`: a scenario as a unit for co-simulation.
use crate::output::{failed, say, wrong};
use std::path::Path;
use std::process::ExitCode;
use stickslip::prelude::*;
use stickslip_fmu::{ExportError, export as pack, library};

/// Writes a scenario as a unit.
pub fn export(file: &Path, out: &Path) -> ExitCode {
    let scenario = match Scenario::from_file(file, &[]) {
        Ok(scenario) => scenario,
        Err(e) => return wrong(e),
    };
    let program = std::env::current_exe().unwrap_or_default();
    let done = library(&program).and_then(|library| pack(&scenario, &library, out));
    match done {
        Ok(description) => {
            say(format_args!("{} holds {} variables", out.display(), description.variables.len()));
            ExitCode::SUCCESS
        }
        Err(e @ ExportError::Io(..)) => {
            say(format_args!("error[data::io]: {e}"));
            failed()
        }
        Err(e @ ExportError::NoLibrary(_)) => {
            say(format_args!("error[fmu::no-library]: {e}\nhint: build it: cargo build --release -p stickslip-fmu"));
            failed()
        }
        Err(e @ ExportError::Files(_)) => {
            let hint = "hint: write its values into the scenario: points = [[t, value], ..] in the place of a table";
            wrong(format_args!("error[fmu::files]: {e}\n{hint}"))
        }
        Err(ExportError::Step(stickslip::stepping::StepError::Wrong(all))) => wrong(all),
        Err(ExportError::Step(e)) => {
            let hint = "hint: a unit holds a motion in time: analysis kind \"transient\", without cases";
            wrong(format_args!("error[fmu::not-served]: {e}\n{hint}"))
        }
    }
}
