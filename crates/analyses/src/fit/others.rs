//! Records that are no motion of a structure: paths of a law, steady curves, approaches; and motions that are run as a
//! whole.
use super::Fit;
use super::records::Record;
use crate::analysis::{Analysis, Context, Output, Over, Probe};
use crate::dynamics::Dynamics;
use crate::hysteresis::Hysteresis;
use crate::model::Model;
use crate::start::steady_states;
use crate::transient::{Duration, Transient};
use stickslip_data::{Outcome, Status, Value};
use stickslip_laws::{Friction, Mode, Normal, Press, Slide};

/// The quantity that an analysis probes for a record.
fn probed(record: &Record, model: &Model) -> Result<String, String> {
    let s = &model.structure;
    Ok(match record.observed.0 {
        "friction" => "friction".into(),
        "force" => "friction_force".into(),
        "displacement" => s.coordinates.first().cloned().unwrap_or_else(|| "slip".into()),
        "velocity" => s.rates.first().map_or_else(|| "slip_velocity".into(), |r| format!("rate.{r}")),
        _ => return Err(not_measured(record)),
    })
}

/// What nothing in the model is compared with.
fn not_measured(record: &Record) -> String {
    format!("a {} record has no `{}`", record.kind_name(), record.observed.0)
}

/// Displacements of a record and of its program agree to this part of their range.
const FOLLOWED: f64 = 1e-3;

/// The record as the scenario's own analysis gives it: a motion, or a law's path through a program.
pub fn path(fit: &Fit, record: &Record, model: &Model, context: &Context) -> Result<Vec<f64>, String> {
    let hysteresis = Hysteresis { rtol: fit.rtol, ..Hysteresis::default() };
    let duration = Duration::Time(record.x.last().copied().unwrap_or(0.0));
    let transient = Transient { duration, ..Transient::plain(fit.rtol) };
    let each: &dyn Analysis = match &fit.each {
        Some(each) => &**each,
        None if model.structure.is_empty() => &hysteresis,
        None => &transient,
    };
    if let Some(e) = each.refuse(model) {
        return Err(e.message);
    }
    let quantity = probed(record, model)?;
    let run = |times: Vec<f64>, brief: bool| {
        let probe =
            |quantity: &str| Probe { quantity: quantity.into(), contact: None, over: Over::Times(times.clone()) };
        let moved = record.moved.iter().map(|_| probe("slip"));
        let probes = std::iter::once(probe(&quantity)).chain(moved).collect();
        let output = Output { probes, brief, ..Output::default() };
        each.run(model, &Context { stop: context.stop, output, ..Context::default() })
    };
    let times = match record.along.0 {
        "time" => record.x.clone(),
        _ => times_of(&record.x, &run(vec![], false))?,
    };
    let out = run(times, true);
    match out.verdict() {
        (Status::Ok, _) => {}
        (_, why) => return Err(why.unwrap_or_default()),
    }
    let at_times = |quantity: &str| match out.value(&format!("probe.{quantity}")).map(|q| &q.value) {
        Some(Value::List(list)) if list.len() == record.x.len() => Ok(list.clone()),
        _ => Err(format!("the run gives no `{quantity}` at the times of the record")),
    };
    if let Some(moved) = &record.moved {
        let slip = at_times("slip")?;
        let range = moved.iter().fold(0.0f64, |m, x| m.max((x - moved[0]).abs()));
        let off = |i: &usize| (slip[*i] - moved[*i]).abs() > FOLLOWED * range || slip[*i].is_nan();
        if let Some(i) = (0..moved.len()).find(off) {
            let (t, own, theirs) = (record.x[i], slip[i], moved[i]);
            return Err(format!(
                "at t = {t} s the program is at {own:.4e} m, and `{}` at {theirs:.4e} m: they must be one motion",
                record.name
            ));
        }
    }
    at_times(&quantity)
}

/// When a path passes the displacements of a record, one after the other.
fn times_of(wanted: &[f64], out: &Outcome) -> Result<Vec<f64>, String> {
    let column = |name: &str| out.table("path").and_then(|t| t.column(name)).and_then(|c| c.values.floats());
    let (t, slip) = column("t").zip(column("slip")).ok_or("a record over the displacement needs a program")?;
    let mut at = 1;
    let mut times = vec![];
    for x in wanted {
        let passes =
            |k: &usize| (slip[k - 1].min(slip[*k])..=slip[k - 1].max(slip[*k])).contains(x) && slip[*k] != slip[k - 1];
        let k =
            (at..t.len()).find(passes).ok_or_else(|| format!("the program does not pass the displacement {x} m"))?;
        times.push(t[k - 1] + (t[k] - t[k - 1]) * (x - slip[k - 1]) / (slip[k] - slip[k - 1]));
        at = k;
    }
    Ok(times)
}

/// Friction in steady sliding at the velocities of a record.
pub fn steady_curve(record: &Record, model: &Model) -> Result<Vec<f64>, String> {
    let dynamics = Dynamics::new(model).ok_or("the mass matrix is singular")?;
    let site = dynamics.sites.first().ok_or("a steady curve needs a contact")?;
    let (a, b) = site.fixed_load.ok_or("a steady curve needs a load that is given")?;
    let (load, area) = (a + b * dynamics.given[0].value(0.0), site.traction_area.unwrap_or(1.0));
    let friction = &model.contacts[0].friction;
    let one = |v: &f64| {
        let slide = Slide::new([*v, 0.0], load / area).with_mode(Mode::slipping(*v));
        let mut z: Vec<f64> = friction.states().iter().map(|s| s.start).collect();
        steady_states(model, 0, &slide, &mut z).map_err(|e| e.message)?;
        let mut answer = [Friction::Cone { hold: 0.0, strength: 0.0 }];
        friction.respond(&[slide], &z, &mut vec![0.0; z.len()], &mut answer);
        let force = area
            * match answer[0] {
                Friction::Cone { strength, .. } => strength * v.signum(),
                Friction::Force(f) => f[0],
            };
        match record.observed.0 {
            "friction" => Ok(force / load),
            "force" => Ok(force),
            _ => Err(not_measured(record)),
        }
    };
    record.x.iter().map(one).collect()
}

/// The normal law at the approaches of a record.
pub fn approach(record: &Record, model: &Model) -> Result<Vec<f64>, String> {
    let contact = model.contacts.first().ok_or("an approach needs a contact")?;
    if contact.normal.claims().fixed_load || contact.is_rigid() {
        return Err(format!("the normal law `{}` does not follow the approach", contact.normal_law));
    }
    let one = |x: &f64| {
        let mut press = Press::new(-x, 0.0);
        press.area = contact.area;
        press.mass = contact.mass;
        let z: Vec<f64> = contact.normal.states().iter().map(|s| s.start).collect();
        let mut answer = [Normal::none()];
        contact.normal.respond(&[press], &z, &mut answer);
        match answer {
            [Normal::Force { n, .. }] => match record.observed.0 {
                "pressure" => Ok(n / contact.area),
                "force" => Ok(n),
                _ => Err(not_measured(record)),
            },
            _ => Err("the contact is rigid".into()),
        }
    };
    record.x.iter().map(one).collect()
}
