//! What a path gives.
use super::body_probe;
use super::path::{Path, Row};
use super::system::Problem;
use stickslip_data::{Column, Event, EventKind, Outcome, Status, Table, Value, Values};
use stickslip_laws::{Mode, nearest};
use stickslip_model::{Output, Over};
use stickslip_solve::dense::dot;

/// Quantities of a row, with their units.
pub fn names(problem: &Problem) -> Vec<(String, &'static str)> {
    let s = &problem.model.structure;
    let mut names: Vec<(String, &str)> = s.listed().iter().map(|c| (c.clone(), "m")).collect();
    names.extend(s.listed().iter().map(|c| (format!("rate.{c}"), "m/s")));
    for point in &problem.points {
        for (name, unit) in [("slip_velocity", "m/s"), ("gap", "m"), ("normal_force", "N"), ("friction_force", "N")] {
            names.push((format!("{}{name}", point.prefix), unit));
        }
    }
    names
}

/// The same quantities of one row.
fn quantities(problem: &Problem, row: &Row) -> Vec<f64> {
    let listed = problem.model.structure.listed().len();
    let mut all = row.at.u[..listed].to_vec();
    all.extend(&row.rates[..listed]);
    for (i, point) in problem.points.iter().enumerate() {
        all.extend([dot(&point.tangent, &row.rates), problem.gap(i, &row.at.u), row.at.p[i], row.at.f[i]]);
    }
    all
}

/// All results of a path.
pub fn fill(path: &Path, output: &Output, out: &mut Outcome) {
    let problem = path.problem;
    out.health.add(&path.health);
    let words: Vec<String> = path.states.iter().map(|(_, modes)| problem.state(modes)).collect();
    out.set("states", Value::Texts(words), "");
    out.set("state_times", Value::List(path.states.iter().map(|(t, _)| *t).collect()), "s");
    out.set("state_changes", Value::Count(path.states.len().saturating_sub(1) as u64), "1");
    out.set("jumps", jumps(path), "");
    if let (Some((_, first)), Some((_, last))) = (path.states.first(), path.states.last()) {
        out.set("mode_first", modes(first), "");
        out.set("mode_last", modes(last), "");
    }
    let names = names(problem);
    if let Some(row) = path.rows.last() {
        for ((name, unit), x) in names.iter().zip(quantities(problem, row)) {
            if !name.starts_with("rate.") && !name.ends_with("slip_velocity") {
                out.set(format!("final.{name}"), Value::Number(x), *unit);
            }
        }
    }
    probes(path, output, &names, out);
    if !path.jumps.is_empty() {
        let given = std::ptr::eq(problem.viscosity, problem.model.structure.damping.as_slice());
        let what = if given { "the damping of the structure" } else { "damping in proportion to the mass" };
        out.health.notes.push(format!("jumps go where {what} leads as it vanishes; inertia has no part in them"));
    }
    if output.brief {
        return;
    }
    events(path, out);
    out.tables.push(table(path, &names));
    if !path.jumps.is_empty() {
        out.tables.push(jump_table(path));
    }
}

fn modes(modes: &[Mode]) -> Value {
    match modes {
        [one] => Value::Text(one.name().into()),
        all => Value::Texts(all.iter().map(|m| m.name().into()).collect()),
    }
}

fn jumps(path: &Path) -> Value {
    let listed = path.problem.model.structure.listed().len();
    let record = |jump: &super::path::Jump| {
        let [before, after] = &jump.modes;
        let [from, to] = &jump.at;
        vec![
            ("t".to_string(), Value::Number(jump.t)),
            ("before".into(), Value::Text(path.problem.state(before))),
            ("after".into(), Value::Text(path.problem.state(after))),
            ("coordinates_before".into(), Value::List(from.u[..listed].to_vec())),
            ("coordinates_after".into(), Value::List(to.u[..listed].to_vec())),
        ]
    };
    Value::Records(path.jumps.iter().map(record).collect())
}

fn jump_table(path: &Path) -> Table {
    let problem = path.problem;
    let mut table = Table::new("jumps");
    table.push("t", "s", path.jumps.iter().map(|j| j.t).collect::<Vec<f64>>());
    for (k, side) in ["before", "after"].into_iter().enumerate() {
        table.push(side, "", path.jumps.iter().map(|j| problem.state(&j.modes[k])).collect::<Vec<String>>());
        for (i, name) in problem.model.structure.listed().iter().enumerate() {
            table.push(format!("{side}.{name}"), "m", path.jumps.iter().map(|j| j.at[k].u[i]).collect::<Vec<f64>>());
        }
        for (i, point) in problem.points.iter().enumerate() {
            let (load, friction) = ("normal_force", "friction_force");
            let list = |get: &dyn Fn(&super::path::Jump) -> f64| path.jumps.iter().map(get).collect::<Vec<f64>>();
            table.push(format!("{side}.{}{load}", point.prefix), "N", list(&|j| j.at[k].p[i]));
            table.push(format!("{side}.{}{friction}", point.prefix), "N", list(&|j| j.at[k].f[i]));
        }
    }
    table
}

fn probes(path: &Path, output: &Output, names: &[(String, &'static str)], out: &mut Outcome) {
    for probe in &output.probes {
        let Over::Times(times) = &probe.over else { continue };
        if path.problem.model.structure.body.is_some() {
            match body_probe::values(path, probe, times) {
                Ok((values, unit)) => out.set(probe.value_name(), Value::List(values), unit),
                Err(why) => out.worsen(Status::Failed, why),
            }
            continue;
        }
        let long = probe.contact.as_ref().map(|c| format!("{c}.{}", probe.quantity));
        let wanted = |name: &str| name == probe.quantity || long.as_deref() == Some(name);
        let Some(k) = names.iter().position(|(name, _)| wanted(name)) else {
            let near = nearest(&probe.quantity, names.iter().map(|(n, _)| n.as_str()));
            let near = near.map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
            out.worsen(Status::Failed, format!("there is no quantity `{}` to probe{near}", probe.quantity));
            continue;
        };
        let at = |t: &f64| path.rows.iter().rev().find(|r| r.t == *t).map(|r| quantities(path.problem, r)[k]);
        let name = probe.value_name();
        match times.iter().map(at).collect::<Option<Vec<f64>>>() {
            Some(list) => out.set(name, Value::List(list), names[k].1),
            None => out.worsen(Status::Untrusted, format!("`{name}` asks for a time outside of the path")),
        }
    }
}

/// Changes of mode, from row to row.
fn events(path: &Path, out: &mut Outcome) {
    let listed = path.problem.model.structure.listed().len();
    for pair in path.rows.windows(2) {
        let [a, b] = pair else { continue };
        for (i, point) in path.problem.points.iter().enumerate() {
            if a.modes[i] == b.modes[i] {
                continue;
            }
            let load = b.at.p[i];
            out.events.push(Event {
                t: b.t,
                contact: point.prefix.trim_end_matches('.').to_string().into(),
                kind: EventKind::Transition,
                from: a.modes[i].name().into(),
                to: b.modes[i].name().into(),
                coordinates: b.at.u[..listed].to_vec(),
                rates_before: a.rates[..listed].to_vec(),
                rates_after: b.rates[..listed].to_vec(),
                friction: if load > 0.0 { b.at.f[i] / load } else { 0.0 },
            });
        }
    }
}

fn table(path: &Path, names: &[(String, &'static str)]) -> Table {
    let rows: Vec<Vec<f64>> = path.rows.iter().map(|r| quantities(path.problem, r)).collect();
    let mut table = Table::new("path");
    table.push("t", "s", path.rows.iter().map(|r| r.t).collect::<Vec<f64>>());
    for (k, (name, unit)) in names.iter().enumerate() {
        table.push(name.clone(), *unit, rows.iter().map(|r| r[k]).collect::<Vec<f64>>());
    }
    for (i, point) in path.problem.points.iter().enumerate() {
        let codes = path.rows.iter().map(|r| r.modes[i] as u8).collect();
        let values = Values::Coded { codes, words: Mode::NAMES.iter().map(|w| (*w).into()).collect() };
        table.columns.push(Column { name: format!("{}mode", point.prefix), unit: String::new(), values });
    }
    table
}
