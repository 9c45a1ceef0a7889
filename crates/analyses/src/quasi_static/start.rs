//! The state at the start: start values say where contacts touch and where they hold.
use super::choose::{Standing, standings};
use super::system::{Answer, Held, Problem};
use stickslip_laws::Mode;
use stickslip_solve::dense::dot;

/// Reactions and gaps beyond their limit by less than this part are rounding.
const ROUNDING: f64 = 1e-12;

/// What touches at these coordinates is stuck.
pub fn touching(problem: &Problem, u: &[f64]) -> Vec<Mode> {
    let points = problem.points.len();
    let at = Answer { u: u.to_vec(), p: vec![0.0; points], f: vec![0.0; points] };
    let size = problem.size(|j| u[j], |_| 0.0);
    let all = standings(problem, &vec![Mode::Open; points], &at, size, &[]);
    all.iter().map(|s| if *s == Standing::Apex { Mode::Stick } else { Mode::Open }).collect()
}

/// Why a start is no equilibrium.
pub enum NoStart {
    /// The reactions are not determined.
    Undetermined(String),
    /// They are, and break the conditions of contact.
    Broken(String),
}

impl std::fmt::Display for NoStart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (NoStart::Undetermined(why) | NoStart::Broken(why)) = self;
        write!(f, "the start is no equilibrium: {why}")
    }
}

/// The equilibrium in which every touching contact keeps its place, or why it is none.
pub fn equilibrium(problem: &Problem, u: &[f64], loads: &[f64]) -> Result<(Answer, Vec<Mode>), NoStart> {
    let n = problem.n;
    let modes = touching(problem, u);
    let stiffness = &problem.model.structure.stiffness;
    let residual: Vec<f64> = (0..n).map(|i| loads[i] - dot(&stiffness[i * n..(i + 1) * n], u)).collect();
    if residual.iter().all(|r| *r == 0.0) {
        let none = vec![0.0; modes.len()];
        return Ok((Answer { u: u.to_vec(), p: none.clone(), f: none }, modes));
    }
    let held = Held::new(problem, stiffness, &modes).ok_or_else(|| {
        NoStart::Undetermined(format!("its reactions are not determined in {}", problem.state(&modes)))
    })?;
    let keep = |i: usize, normal: bool| {
        let point = &problem.points[i];
        if normal { -point.gap } else { dot(&point.tangent, u) }
    };
    let at = held.solve(|j| loads[j], keep);
    let size = problem.size(|j| at.u[j], |j| loads[j]);
    for (i, point) in problem.points.iter().enumerate() {
        let name = if point.name.is_empty() { "the contact".to_string() } else { format!("contact {}", point.name) };
        let load = problem.force(&point.normal, size);
        let cone = point.mu * load + problem.force(&point.tangent, size);
        let (p, f, limit) = (at.p[i], at.f[i].abs(), point.mu * at.p[i]);
        if modes[i] == Mode::Open && problem.gap(i, &at.u) < -ROUNDING * problem.reach(&point.normal, size) {
            return Err(NoStart::Broken(format!("the gap of {name} would be {:.6e} m", problem.gap(i, &at.u))));
        }
        if p < -ROUNDING * load {
            return Err(NoStart::Broken(format!("{name} would have to pull with {:.6e} N", -p)));
        }
        if f - limit > ROUNDING * cone {
            return Err(NoStart::Broken(format!("{name} would have to hold {f:.6e} N, its limit is {limit:.6e} N")));
        }
    }
    Ok((at, modes))
}
