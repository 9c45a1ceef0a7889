//! The scenario with the fitted numbers, ready to run.
use crate::predict::own_unknowns::times_of;
use crate::records::{Of, Record};
use crate::search::objective::Objective;
use stickslip_data::Outcome;
use stickslip_structures::Signal;

/// The file.
const NAME: &str = "fitted.toml";
/// Most points of a drive or of a curve that are written out.
const MOST_POINTS: usize = 10_000;
/// Rows of a curve that is evaluated again.
const MOST_INPUTS: usize = 200;

/// Writes the scenario with the fitted numbers and an analysis that gives the fitted curves; a warning where it can't be.
pub fn write(objective: &Objective, settings: &[(&str, f64)], out: &mut Outcome) {
    let Some(written) = objective.context.written else { return };
    let text = changes(objective, settings).and_then(|changes| {
        let found = written(settings, changes.velocity.as_deref(), &changes.analysis)?;
        Ok((found.text + &changes.cases.replace(DRIVER, &found.driver), found.files))
    });
    match text {
        Ok((text, files)) => {
            out.files.push((NAME.into(), text));
            if files {
                out.health.notes.push(format!("{NAME} names other files: copy it beside the scenario to run it"));
            }
        }
        Err(why) => out.health.warnings.push(format!("{NAME} is not written: {why}")),
    }
}

/// Stands for the path of the driver's velocity until that is known.
const DRIVER: &str = "<driver>";

/// What is written again.
#[derive(Default)]
struct Changes {
    /// Velocity of the driver, as TOML.
    velocity: Option<String>,
    /// The analysis.
    analysis: String,
    /// A case for each record, where these differ in their drives.
    cases: String,
}

fn changes(objective: &Objective, settings: &[(&str, f64)]) -> Result<Changes, String> {
    let records = &objective.fit.records;
    let model = objective.context.model_at(settings)?;
    let motions: Vec<&Record> = records.iter().filter(|r| r.of() == Of::Motion).collect();
    let end = |r: &Record| times_of(r, &model).ok().and_then(|t| t.last().copied()).unwrap_or(0.0);
    let paths: Vec<&Record> = records.iter().filter(|r| r.of() == Of::Path).collect();
    if motions.is_empty() && !paths.is_empty() && model.structure.is_empty() {
        return Ok(Changes { analysis: "[analysis]\nkind = \"hysteresis\"\n".into(), ..Changes::default() });
    }
    let moving = if motions.is_empty() { paths } else { motions };
    let longest = moving.iter().map(|r| end(r)).fold(0.0f64, f64::max);
    if longest > 0.0 {
        let analysis = format!("[analysis]\nkind = \"transient\"\nduration = {longest:?}\n");
        let driven: Vec<&&Record> = moving.iter().filter(|r| r.drive.is_some()).collect();
        let drive = |r: &Record| r.drive.as_ref().map(points).transpose();
        if moving.len() == 1 {
            return Ok(Changes { velocity: drive(moving[0])?, analysis, ..Changes::default() });
        }
        if driven.is_empty() {
            return Ok(Changes { analysis, ..Changes::default() });
        }
        let mut cases = String::new();
        for (i, record) in moving.iter().enumerate() {
            let velocity = drive(record)?.map_or(String::new(), |text| format!(", \"{DRIVER}\" = {text}"));
            let duration = end(record);
            cases += &format!(
                "\n[[case]]\nname = \"record {}\"\nset = {{ \"analysis.duration\" = {duration:?}{velocity} }}\n",
                i + 1
            );
        }
        return Ok(Changes { analysis, cases, ..Changes::default() });
    }
    let Some(record) = records.first() else { return Err("there is no record".into()) };
    let step = record.x.len().div_ceil(MOST_INPUTS);
    let mut x: Vec<f64> = record.x.iter().copied().step_by(step).collect();
    x.sort_by(f64::total_cmp);
    let inputs = match record.of() {
        Of::SteadyCurve => format!("velocity = {x:?}, states = \"steady\""),
        _ => format!("gap = {:?}", x.iter().map(|x| -x).collect::<Vec<f64>>()),
    };
    let analysis = format!("[analysis]\nkind = \"evaluate\"\ninputs = {{ {inputs} }}\n");
    Ok(Changes { analysis, ..Changes::default() })
}

/// A velocity of the driver as TOML.
fn points(signal: &Signal) -> Result<String, String> {
    let Signal::Points { times, values } = signal else { return Err("the drive of a record has no points".into()) };
    if times.len() > MOST_POINTS {
        return Err(format!("the drive of a record has {} points", times.len()));
    }
    let pairs: Vec<String> = times.iter().zip(values).map(|(t, v)| format!("[{t:?}, {v:?}]")).collect();
    Ok(format!("{{ points = [{}] }}", pairs.join(", ")))
}
