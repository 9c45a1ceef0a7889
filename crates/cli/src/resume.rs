//! `resume`: maps go on where they were killed or interrupted.
use crate::difference::differences;
use crate::input::Input;
use crate::output::{data, failed, say, wrong};
use crate::results;
use crate::run::{Shown, told, work};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use stickslip::data::{Manifest, Records, recorded_points};
use stickslip::prelude::*;
use stickslip::scenario::{Prepared, provenance};

const SUMMARY: &str = "summary.json";

/// Records for the points of a run that begins, where it has any. What an earlier run of the same map has recorded is
/// not thrown away.
pub fn begin(input: &Input, cases: &[Prepared], folder: &Path) -> Result<Option<Records>, String> {
    if !cases.iter().any(|case| case.analysis.records()) {
        return Ok(None);
    }
    let manifest = manifest(&input.scenario, &input.sets, cases);
    if let Some(found) = Records::of(folder).map_err(|e| told(&e))?
        && (&found.spec, &found.version) == (&manifest.spec, &manifest.version)
    {
        let count = recorded_points(folder).map_err(|e| told(&e))?.len();
        if count > 0 {
            let shown = folder.display();
            let why = format!("`{shown}` holds {count} finished points of this map, which is not done");
            let hint = format!("`stickslip resume {shown}` goes on with it; to start again, remove that folder");
            return Err(format!("error[cli::unfinished]: {why}\nhint: {hint}"));
        }
    }
    Records::begin(folder, &manifest).map(Some).map_err(|e| told(&e))
}

fn manifest(scenario: &Path, sets: &[String], cases: &[Prepared]) -> Manifest {
    let from = provenance(cases);
    // A later `resume` may be asked for from anywhere.
    let path = scenario.canonicalize().unwrap_or_else(|_| scenario.to_path_buf());
    Manifest { spec: from.spec, version: from.version, scenario: path.display().to_string(), sets: sets.to_vec() }
}

/// Goes on with a map. A scenario or a program that has changed is refused: its points would be of another map.
pub fn resume(run: &Path, out: Option<PathBuf>, shown: Shown) -> ExitCode {
    let given = run.is_file();
    let folder = out.unwrap_or_else(|| if given { run.with_extension("out") } else { run.to_path_buf() });
    let found = match Records::of(&folder) {
        Ok(Some(found)) => found,
        Ok(None) => return complete(&folder, given.then_some(run), shown),
        Err(e) => return wrong(told(&e)),
    };
    let scenario = if given { run.to_path_buf() } else { PathBuf::from(&found.scenario) };
    if !scenario.is_file() {
        let why = format!("the scenario `{}` of this run is gone", scenario.display());
        let hint = format!("hint: say where it is: stickslip resume SCENARIO --out {}", folder.display());
        return wrong(format_args!("error[cli::no-scenario]: {why}\n{hint}"));
    }
    let read = Scenario::from_file(&scenario, &found.sets).and_then(|s| Ok((s.prepare()?, s)));
    let (cases, read) = match read {
        Ok(read) => read,
        Err(e) => return wrong(e),
    };
    let manifest = manifest(&scenario, &found.sets, &cases);
    if manifest.version != found.version {
        let why = format!("the points in `{}` are of version {}", folder.display(), found.version);
        let hint = format!("hint: go on with that version, or run the scenario again: this is {}", manifest.version);
        return wrong(format_args!("error[cli::version]: {why}, whose numbers may differ\n{hint}"));
    }
    if manifest.spec != found.spec {
        return changed(&folder, &found.spec, &manifest.spec);
    }
    match Records::resume(&folder, &manifest) {
        Ok(Some(records)) => work(&read, &cases, &folder, Some(records), shown),
        Ok(None) => wrong(nothing(&folder)),
        Err(e) => wrong(told(&e)),
    }
}

fn changed(folder: &Path, old: &Json, new: &Json) -> ExitCode {
    let hint = "hint: undo the change, or run the scenario again";
    let why = format!("`{}` is of another scenario", folder.display());
    wrong(format_args!("error[cli::changed]: {why}\n{}{hint}", differences(old, new)))
}

fn nothing(folder: &Path) -> String {
    let why = format!("`{}` holds no points to go on with", folder.display());
    format!("error[cli::nothing-to-resume]: {why}\nhint: run the scenario again; only the points of a map are recorded")
}

/// A run without recorded points: it is complete, or was none that can go on.
fn complete(folder: &Path, scenario: Option<&Path>, shown: Shown) -> ExitCode {
    if let Err(e) = results::folder(scenario.filter(|s| s.with_extension("out") == folder).unwrap_or(folder)) {
        return wrong(e);
    }
    let summary = std::fs::read_to_string(folder.join(SUMMARY)).unwrap_or_default();
    let json: Json = serde_json::from_str(&summary).unwrap_or_default();
    let status = json["status"].as_str();
    if status.is_none_or(|s| s == Status::Partial.as_str()) {
        return wrong(nothing(folder));
    }
    if let Some(scenario) = scenario {
        let spec = match Scenario::from_file(scenario, &[]).and_then(|s| s.prepare()) {
            Ok(cases) => provenance(&cases).spec,
            Err(e) => return wrong(e),
        };
        let old = &json["provenance"]["spec"];
        if *old != spec {
            return changed(folder, old, &spec);
        }
    }
    if shown.json
        && let Err(code) = data(&summary)
    {
        return code;
    }
    if !shown.quiet {
        say(format_args!("{} is complete", folder.display()));
    }
    if status == Some(Status::Ok.as_str()) { ExitCode::SUCCESS } else { failed() }
}
