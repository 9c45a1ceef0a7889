//! Every state that load rates admit at the present state of the contacts.
use super::choose::{Candidate, Many, candidates, slow, snap, standings};
use super::start::equilibrium;
use super::system::Problem;
use stickslip_data::{Outcome, Status, Table, Value};
use stickslip_solve::dense::dot;
use stickslip_solve::polynomial::{Coefficients, TERMS};

/// Lists the states; without `rates` the loads move as the drive does.
pub fn list(problem: &Problem, u: &[f64], rates: &[f64], out: &mut Outcome) {
    let mut loads = problem.loads(0.0);
    if !rates.is_empty() {
        for (series, rate) in loads.iter_mut().zip(rates) {
            let first = series[0];
            *series = [0.0; TERMS];
            (series[0], series[1]) = (first, *rate);
        }
    }
    if let Err(reason) = found(problem, u, &loads, out) {
        out.worsen(Status::Failed, reason);
    }
}

fn found(problem: &Problem, u: &[f64], loads: &[Coefficients], out: &mut Outcome) -> Result<(), String> {
    let force: Vec<f64> = loads.iter().map(|c| c[0]).collect();
    let start = equilibrium(problem, u, &force).map_err(|e| e.to_string())?;
    let (mut at, modes) = start;
    let size = problem.size(|j| at.u[j], |j| force[j]);
    let stand = standings(problem, &modes, &at, size, &[]);
    snap(problem, &stand, &mut at);
    let found =
        candidates(problem, &stand, Many::Refuse, |i| stand[i].options(), |m| slow(problem, m, 0.0, &at, loads))?;
    for modes in &found.singular {
        let note = format!("in {} the rates are not determined: its stiffness is singular", problem.state(modes));
        out.health.notes.push(note);
    }
    for (point, standing) in problem.points.iter().zip(&stand) {
        out.health.notes.push(format!("contact {}: {}", point.name, standing.words()).replace(" :", ""));
    }
    let names: Vec<String> = found.held.iter().map(|c| problem.state(&c.modes)).collect();
    out.set("states", Value::Texts(names.clone()), "");
    out.set("states_count", Value::Count(names.len() as u64), "1");
    out.set("unique", Value::Flag(names.len() == 1), "");
    out.tables.push(table(problem, &found.held, names));
    Ok(())
}

fn table(problem: &Problem, held: &[Candidate], names: Vec<String>) -> Table {
    let mut table = Table::new("states");
    table.push("state", "", names);
    let mut column = |name: String, unit: &str, get: &dyn Fn(&Candidate) -> f64| {
        table.push(name, unit, held.iter().map(get).collect::<Vec<f64>>());
    };
    for (j, name) in problem.model.structure.coordinates.iter().enumerate() {
        column(format!("rate.{name}"), "m/s", &|c| c.motion.u[j][1]);
    }
    for (i, point) in problem.points.iter().enumerate() {
        let rate = |c: &Candidate, row: &[f64]| dot(row, &c.motion.u.iter().map(|u| u[1]).collect::<Vec<f64>>());
        let prefix = &point.prefix;
        column(format!("{prefix}slip_velocity"), "m/s", &|c| rate(c, &point.tangent));
        column(format!("{prefix}gap_rate"), "m/s", &|c| rate(c, &point.normal));
        column(format!("{prefix}normal_force_rate"), "N/s", &|c| c.motion.p[i][1]);
        column(format!("{prefix}friction_force_rate"), "N/s", &|c| c.motion.f[i][1]);
    }
    table
}
