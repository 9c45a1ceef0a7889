//! Records that a model can't predict: refused before anything runs.
use crate::Fit;
use crate::predict::answers;
use crate::predict::first_jump::first_jump;
use crate::predict::own_unknowns::times_of;
use crate::predict::path_times::wiggle;
use crate::predict::paths::gives_motion;
use crate::records::{Clock, Of, Own, Record};
use std::any::Any;
use stickslip_analyses::hysteresis::Hysteresis;
use stickslip_model::Analysis;
use stickslip_model::Model;
use stickslip_motion::{Duration, Transient};
use stickslip_structures::{Program, Refused};

/// A record may outlast its program by this part, which is rounding.
const ROUNDING: f64 = 1e-12;

/// Why the `i`-th record of a fit can't be compared with a model.
pub fn refuse(fit: &Fit, i: usize, record: &Record, model: &Model) -> Option<Refused> {
    let refuse = |key: &str, text: String| Some(Refused::new(key, "analysis::not-served", text));
    let of = record.of();
    if of == Of::Motion && model.structure.is_empty() {
        let text = format!("a {} record is of a motion, and a point has none", record.kind_name());
        return refuse("structure.kind", text).map(|e| e.hint("use structure kind \"spring-block\""));
    }
    if of != Of::Motion && model.contacts.is_empty() {
        return refuse("contact", format!("a {} record needs a contact", record.kind_name()));
    }
    if of == Of::Motion && answers::quantity(record, model).is_none() {
        let text = format!("a motion of this model has no `{}`", record.observed.0);
        return refuse("analysis.records", text);
    }
    if of == Of::Approach && model.contacts.first().is_some_and(|c| c.normal.claims().fixed_load || c.is_rigid()) {
        let text = format!("the normal law `{}` does not follow the approach", model.contacts[0].normal_law);
        return refuse("contact.normal.law", text).map(|e| e.hint("use a compliant law such as \"power\""));
    }
    if let Some(e) = own_unknowns(fit, i, record, model) {
        return Some(e);
    }
    let key = format!("analysis.records[{i}].file");
    if let Some(e) = outlasts(fit, record, model, &key) {
        return Some(e);
    }
    if of != Of::Path || !model.structure.is_empty() {
        return None;
    }
    if let Some(e) = fit.each.is_none().then(|| Hysteresis::default().refuse(model)).flatten() {
        return Some(e);
    }
    let program = model.loading.program.as_ref()?;
    tells_nothing(fit, record, program, &key)
}

/// A drive that has no jump to be moved, or that does not say when its displacements are passed.
fn own_unknowns(fit: &Fit, i: usize, record: &Record, model: &Model) -> Option<Refused> {
    let steps = record.own.contains(&Own::StepTime);
    let key = |rest: &str| format!("analysis.records[{i}].{rest}");
    let fitted = fit.parameters.iter().find(|p| p.path.starts_with("drive"));
    if let (Some(fitted), true) = (fitted, steps || record.clock == Clock::Driver) {
        let text = format!("`{}` is fitted, and the record takes its times from the drive", fitted.path);
        let e = Refused::new(key(if steps { "step_time" } else { "columns" }), "fit::own", text);
        return Some(e.hint("fix the drive, or give the record a `time`"));
    }
    let times = match times_of(record, model) {
        Ok(times) => times,
        Err(why) => return Some(Refused::new(key("columns"), "fit::own", format!("`{}`: {why}", record.name))),
    };
    let drive = record.drive.as_ref().or(model.loading.base.as_ref()).or(model.loading.surface.as_ref());
    let end = times.last().copied().unwrap_or(0.0);
    if steps && drive.and_then(|drive| first_jump(drive, end)).is_none() {
        let text = format!("`step_time` of `{}`: its drive has no jump up to {end} s that could be moved", record.name);
        let e = Refused::new(key("step_time"), "fit::own", text).expected("a drive whose velocity jumps");
        return Some(
            e.hint("drive.velocity = { points = [[0, \"1 um/s\"], [10, \"1 um/s\"], [10, \"10 um/s\"], ..] }"),
        );
    }
    None
}

/// A record that goes on after the end of what it is compared with.
fn outlasts(fit: &Fit, record: &Record, model: &Model, key: &str) -> Option<Refused> {
    if !matches!(record.of(), Of::Motion | Of::Path) || record.along.0 != "time" {
        return None;
    }
    let each = fit.each.as_deref().map(|each| each as &dyn Any);
    let of_motion = each.and_then(|each| each.downcast_ref::<Transient>()).and_then(|t| match t.duration {
        Duration::Time(end) => Some(("analysis.each", end)),
        _ => None,
    });
    let point = record.of() == Of::Path && model.structure.is_empty();
    let program = model.loading.program.as_ref().filter(|_| point && each.is_none_or(|e| e.is::<Hysteresis>()));
    let of_program = program.and_then(|program| Some(("the program", *program.times().last()?)));
    let (what, end) = of_program.or(of_motion)?;
    let last = record.x.last().copied().filter(|last| *last > end * (1.0 + ROUNDING))?;
    let beyond = record.x.iter().filter(|t| **t > end * (1.0 + ROUNDING)).count();
    let text =
        format!("`{}` goes on until {last} s, and {what} ends at {end} s (rows beyond it: {beyond})", record.name);
    let e = Refused::new(key, "fit::too-long", text).expected(format!("times up to {end} s"));
    Some(e.hint(match of_program.is_some() {
        true => "let the program go on as long, with more cycles or a hold at its end, or leave those rows out",
        false => "give a longer duration, or leave those rows out",
    }))
}

/// A record of what the program prescribes, or whose rows it does not tell.
fn tells_nothing(fit: &Fit, record: &Record, program: &Program, key: &str) -> Option<Refused> {
    let refuse = |text: String| Refused::new(key, "fit::nothing-to-learn", format!("`{}`: {text}", record.name));
    let (observed, _) = record.observed;
    // When a path passes noisy rows changes with every parameter, in jumps: no search would end.
    if let Some(row) = wiggle(&record.x).filter(|_| record.along.0 == "displacement" && program.is_forced()) {
        let text = format!("row {}: the displacement goes back and on again, and the program gives forces", row + 1);
        let e =
            refuse(format!("{text}: no search can say when it passes noisy rows")).expected("a record along the time");
        return Some(e.hint("measured is then the displacement: columns = { time = \"...\", displacement = \"...\" }"));
    }
    if observed == "displacement" && gives_motion(program) {
        let e = refuse("the program gives the motion: its displacement says nothing of the law".into());
        return Some(e.expected("`force` or `friction`").hint("columns = { time = \"...\", force = \"...\" }"));
    }
    // A coefficient is of the load too, which may be what is looked for.
    let of_load = observed == "friction" && fit.parameters.iter().any(|p| p.path.contains(".normal."));
    let times = program.times();
    let forced = |t: &f64| {
        let step = times.partition_point(|start| *start <= *t).clamp(1, program.steps.len()) - 1;
        program.steps[step].force().is_some()
    };
    if observed != "displacement" && record.along.0 == "time" && !of_load && record.x.iter().all(forced) {
        let e = refuse(format!("the program gives the force: `{observed}` says nothing of the law"));
        let e = e.expected("`displacement` along the `time`");
        return Some(e.hint("columns = { time = \"...\", displacement = \"...\" }"));
    }
    None
}
