//! `merge`: one result of the parts of a map.
use crate::difference::differences;
use crate::output::{data, failed, say, wrong};
use crate::run::{REPORT, Shown, told, verdict, write};
use crate::table;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use stickslip::data::{Finished, Parts, Recorder, check_folder};
use stickslip::prelude::*;
use stickslip::scenario::Prepared;
use stickslip::store::manifest;

/// Makes one result of all parts. The table has the same bytes as that of a run of the whole map.
pub fn merge(folders: &[PathBuf], out: &Path, scenario: Option<PathBuf>, shown: Shown) -> ExitCode {
    let parts = match check_folder(out).and_then(|()| Parts::of(folders)) {
        Ok(parts) => parts,
        Err(e) => return wrong(told(&e)),
    };
    if let Some(same) =
        folders.iter().find(|part| part.canonicalize().is_ok() && part.canonicalize().ok() == out.canonicalize().ok())
    {
        let why = format!("`{}` is a part itself and would be replaced", same.display());
        return wrong(format_args!("error[cli::part]: {why}\nhint: choose another folder with --out"));
    }
    let found = parts.manifest();
    let file = scenario.unwrap_or_else(|| PathBuf::from(&found.scenario));
    if !file.is_file() {
        let why = format!("the scenario `{}` of these parts is gone", file.display());
        return wrong(format_args!("error[cli::no-scenario]: {why}\nhint: say where it is with --scenario FILE"));
    }
    let read = Scenario::from_file(&file, &found.sets).and_then(|s| Ok((s.prepare()?, s)));
    let (cases, scenario) = match read {
        Ok(read) => read,
        Err(e) => return wrong(e),
    };
    let own = manifest(&file, &found.sets, &cases);
    if own.version != found.version {
        let why = format!("the parts are of version {}, whose numbers may differ", found.version);
        return wrong(format_args!(
            "error[cli::version]: {why}\nhint: merge them with that version: this is {}",
            own.version
        ));
    }
    if own.spec != found.spec {
        let why = format!("`{}` is another scenario than that of the parts", file.display());
        let hint = "hint: undo the change, or run the parts again";
        return wrong(format_args!("error[cli::changed]: {why}\n{}{hint}", differences(&found.spec, &own.spec)));
    }
    if let Err(why) = complete(&parts, &cases) {
        return wrong(why);
    }
    let context = Context { recorder: Some(&parts), ..Context::default() };
    let mut dataset = scenario.run_prepared(&cases, &context);
    // Nothing was resumed: the parts are this run.
    dataset.cases.iter_mut().for_each(|(_, outcome)| outcome.health.resumed = 0);
    let files = match write(&dataset, out, shown.data_only) {
        Ok(files) => files,
        Err(e) => {
            say(told(&e));
            return failed();
        }
    };
    let text = if shown.json { format!("{:#}\n", dataset.summary(&files)) } else { table::summary(&dataset) };
    if let Err(code) = data(&text) {
        return code;
    }
    if !shown.json && !shown.quiet && !shown.data_only {
        say(format_args!("report in {}", out.join(REPORT).display()));
    }
    verdict(&dataset)
}

/// Whether every point is there; else which are not.
fn complete(parts: &Parts, cases: &[Prepared]) -> Result<(), String> {
    for (case, prepared) in cases.iter().enumerate() {
        let [count, columns] = prepared.analysis.grid();
        let mut there = vec![false; count];
        let mut foreign = None;
        let mut see = |point: Finished| match there.get_mut(point.index) {
            Some(place) if point.cells.len() == columns => *place = true,
            _ => foreign = Some((point.index, point.cells.len())),
        };
        parts.known(case, &mut see).map_err(|e| told(&e))?;
        if let Some((index, cells)) = foreign {
            let why =
                format!("point {index} with {cells} values is not of this map of {count} points with {columns} each");
            return Err(format!("error[data::foreign-points]: {why}\nhint: run the parts again"));
        }
        let missing = there.iter().filter(|done| !**done).count();
        if let Some(first) = there.iter().position(|done| !done) {
            let end = first + there[first..].iter().position(|done| *done).unwrap_or(count - first);
            let of = if prepared.name.is_empty() { String::new() } else { format!(" of case \"{}\"", prepared.name) };
            let why = format!("{missing} of {count} points{of} are missing, first {first} to {}", end - 1);
            let hint = "run the shard that has them, and give its folder too";
            return Err(format!("error[cli::missing-points]: {why}\nhint: {hint}"));
        }
    }
    Ok(())
}
