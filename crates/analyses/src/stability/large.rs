//! Steady sliding of a body that is too large for full matrices: sparse equations of all its unknowns, with contacts on its
//! boundaries as everywhere.
use super::{NEUTRAL_OF_BODY, Spectrum};
use std::sync::Arc;
use stickslip_dynamics::start::{NO_EQUILIBRIUM, evaluated, slide};
use stickslip_dynamics::{Dynamics, Linearised, PORTS, PointForces};
use stickslip_laws::Mode;
use stickslip_model::Model;
use stickslip_solve::largest;
use stickslip_solve::sparse::{Lu, Matrix, Order, Pattern, Symbolic};
use stickslip_structures::{Loading, Refused, Structure, Whole};

/// Residual forces below this part of the largest force are an equilibrium.
const BALANCED: f64 = 1e-9;
/// Where they no longer fall, they may be so many times as large.
const STALLED: f64 = 1e3;
/// Newton iterations for one part of the friction, halvings of a step, and the least part by which friction grows.
const MOST_ITERATIONS: usize = 80;
const MOST_HALVINGS: usize = 30;
const FIRST_PART: f64 = 0.25;
const LEAST_PART: f64 = 1e-6;
/// First length, m, by which loads move a body that nothing holds yet, and how it grows.
const NEAREST: f64 = 1e-9;
const FARTHER: f64 = 10.0;
const FARTHEST: f64 = 10.0;

/// The equations of a large body.
struct Large<'m> {
    whole: &'m Whole,
    dynamics: Dynamics<'m>,
    pattern: Arc<Pattern>,
    lu: Lu<f64>,
    /// Rows of each point on all unknowns, by port.
    rows: Vec<[Vec<(u32, f64)>; PORTS]>,
    loads: Vec<f64>,
    /// Unknowns of the contacts' model: the boundaries at rest in the laboratory.
    y: Vec<f64>,
    modes: Vec<Mode>,
    values: Vec<f64>,
}

/// Whether a body with full matrices is served as well by sparse ones.
pub fn serves(model: &Model) -> bool {
    let stateless = |c: &stickslip_model::Contact| c.friction.states().is_empty() && c.normal.states().is_empty();
    model.structure.body.is_some() && model.contacts.iter().all(|c| stateless(c) && !c.is_rigid())
}

/// The same body with sparse matrices.
pub fn sparse(model: &Model) -> Result<Model, Refused> {
    let (s, n) = (&model.structure, model.structure.len());
    let refused = |e: stickslip_solve::sparse::Refused| Refused::new("structure.mesh", "analysis::sparse", e.to_string());
    let whole = Whole {
        mass: Matrix::from_full(n, &s.mass).map_err(refused)?,
        damping: Matrix::from_full(n, &s.damping).map_err(refused)?,
        stiffness: Matrix::from_full(n, &s.stiffness).map_err(refused)?,
        loads: model.loading.forces.clone(),
        interface: (0..n as u32).collect(),
        places: s.body.as_ref().map_or_else(Vec::new, |body| body.numbering.places(&body.mesh)),
    };
    let loading = Loading { forces: vec![], ..(*model.loading).clone() };
    let structure = Structure {
        whole: Some(Arc::new(whole)),
        coordinates: s.coordinates.clone(),
        rates: s.rates.clone(),
        base: s.base.clone(),
        orientation: s.orientation,
        groups: s.groups.clone(),
        body: s.body.clone(),
        ..Structure::default()
    };
    Ok(Model { structure: Arc::new(structure), loading: Arc::new(loading), ..model.clone() })
}

/// Steady sliding and the matrices about it; no eigenvalues yet.
pub fn about_sliding(model: &Model, whole: &Whole) -> Result<Spectrum, Refused> {
    let mut large = Large::new(model, whole)?;
    let mut u = vec![0.0; whole.mass.n()];
    large.find(&mut u, 0.0)?;
    if !large.modes.is_empty() {
        large.grow(&mut u)?;
    }
    let points = large.points(&u, 1.0)?;
    let (stiffness, damping) =
        (large.less(&whole.stiffness, &points, |p| p.stiffness)?, large.less(&whole.damping, &points, |p| p.damping)?);
    let at = &large.dynamics.at;
    let loaded = |c: usize| large.dynamics.sites.iter().zip(at).any(|(s, at)| s.contact == c && at.load > 0.0);
    let n = large.dynamics.n;
    let mut bare = Spectrum::bare_of(NEUTRAL_OF_BODY);
    bare.unloaded = (0..model.contacts.len()).filter(|c| !loaded(*c)).collect();
    // Behind the boundaries' own unknowns stand those of the whole body.
    bare.unknowns = large.y[..2 * n].to_vec();
    bare.whole = u;
    bare.modes = large.modes;
    bare.model = Some(model.clone());
    bare.linearised = Some(Linearised { mass: whole.mass.clone(), damping, stiffness });
    Ok(bare)
}

impl<'m> Large<'m> {
    fn new(model: &'m Model, whole: &'m Whole) -> Result<Large<'m>, Refused> {
        let singular = || Refused::new("structure.mesh", "structure::singular", "the equations can't be set up");
        let dynamics = Dynamics::new(model).ok_or_else(singular)?;
        if dynamics.nz > 0 {
            let text = "laws with states are not served on bodies of so many unknowns yet";
            return Err(Refused::new("contact.friction", "analysis::not-served", text));
        }
        let on_whole = |row: &[f64]| -> Vec<(u32, f64)> {
            row.iter().enumerate().filter(|(_, x)| **x != 0.0).map(|(j, x)| (whole.interface[j], *x)).collect()
        };
        let rows = dynamics.sites.iter().map(|site| {
            let mut rows: [Vec<(u32, f64)>; PORTS] = Default::default();
            rows[0] = site.normal.as_deref().map(on_whole).unwrap_or_default();
            rows[2] = site.tangent.first().map(|row| on_whole(row)).unwrap_or_default();
            rows
        });
        let rows: Vec<_> = rows.collect();
        let refused =
            |e: stickslip_solve::sparse::Refused| Refused::new("structure.mesh", "analysis::sparse", e.to_string());
        let shared = Matrix::shared_pattern(&[&whole.mass, &whole.damping, &whole.stiffness]).map_err(refused)?;
        let pattern = Arc::new(shared.union(&touched(shared.n(), &rows).map_err(refused)?));
        let order = Order { points: Some(&whole.places), last: &[] };
        let symbolic = Arc::new(Symbolic::new(&pattern, order).map_err(refused)?);
        Ok(Large {
            loads: (0..whole.mass.n()).map(|j| whole.loads.get(j).map_or(0.0, |load| load.value(0.0))).collect(),
            y: vec![0.0; dynamics.dim()],
            modes: vec![Mode::Open; dynamics.sites.len()],
            lu: Lu::new(&symbolic),
            values: vec![],
            whole,
            pattern,
            rows,
            dynamics,
        })
    }

    /// Forces that are left over with a part of the friction, and the largest single one.
    fn residual(&mut self, u: &[f64], part: f64, out: &mut Vec<f64>) -> Result<f64, Refused> {
        let n = self.dynamics.n;
        (0..n).for_each(|j| self.y[j] = u[self.whole.interface[j] as usize]);
        out.resize(u.len(), 0.0);
        self.whole.stiffness.product(u, out);
        let mut most = 0.0f64;
        for (r, load) in out.iter_mut().zip(&self.loads) {
            *r = load - *r;
            most = most.max(load.abs());
        }
        let mut dy = vec![0.0; self.y.len()];
        let open = vec![Mode::Open; self.modes.len()];
        for (part, with_friction) in [(1.0 - part, false), (part, true)] {
            if part == 0.0 || self.modes.is_empty() {
                continue;
            }
            evaluated(&mut self.dynamics, &self.y, &open, &mut dy)?;
            if with_friction {
                slide(&self.dynamics, &mut self.y, &mut self.modes)?;
                evaluated(&mut self.dynamics, &self.y, &self.modes, &mut dy)?;
            }
            // The boundaries' own model has masses of one, and no springs: its accelerations are the contacts' forces.
            for (j, force) in dy[n..2 * n].iter().enumerate() {
                out[self.whole.interface[j] as usize] += part * force;
                most = most.max(force.abs());
            }
        }
        match most.is_finite() && out.iter().all(|x| x.is_finite()) {
            true => Ok(most),
            false => Err(lost("forces are no numbers")),
        }
    }

    /// Derivatives of the contacts' forces at the instant last looked at, with a part of the friction.
    fn points(&mut self, u: &[f64], part: f64) -> Result<Vec<PointForces>, Refused> {
        let mut room = vec![];
        self.residual(u, part, &mut room)?;
        let mut points = self.dynamics.point_tangents(&self.y, &self.modes);
        for point in &mut points {
            for port in 2..PORTS {
                point.stiffness[port].iter_mut().chain(&mut point.damping[port]).for_each(|x| *x *= part);
            }
        }
        Ok(points)
    }

    /// A matrix less what the contacts add to it.
    fn less(
        &self,
        matrix: &Matrix,
        points: &[PointForces],
        of: impl Fn(&PointForces) -> [[f64; PORTS]; PORTS],
    ) -> Result<Matrix, Refused> {
        let refused =
            |e: stickslip_solve::sparse::Refused| Refused::new("structure.mesh", "analysis::sparse", e.to_string());
        let zero = Matrix::Diagonal(vec![0.0; matrix.n()]);
        let mut values = vec![];
        Matrix::sum([(1.0, matrix), (0.0, &zero), (0.0, &zero)], &self.pattern, &mut values).map_err(refused)?;
        for (rows, point) in self.rows.iter().zip(points) {
            for (slopes, force) in of(point).iter().zip(rows) {
                for (slope, along) in slopes.iter().zip(rows).filter(|(slope, _)| **slope != 0.0) {
                    for ((a, x), (b, y)) in force.iter().flat_map(|f| along.iter().map(move |g| (f, g))) {
                        if let Some(k) = self.pattern.find(*a as usize, *b as usize) {
                            values[k] -= x * slope * y;
                        }
                    }
                }
            }
        }
        Matrix::sparse(&self.pattern, values).map_err(refused)
    }

    /// Newton's method from `u` with a part of the friction; steps are halved until residual forces fall. What nothing holds yet
    /// is moved by its loads against springs that get ever softer.
    fn find(&mut self, u: &mut Vec<f64>, part: f64) -> Result<(), Refused> {
        let mut r = vec![];
        let mut most = self.residual(u, part, &mut r)?;
        let mut length = NEAREST;
        let (mut trial, mut next) = (u.clone(), vec![]);
        let mut first = most;
        for _ in 0..MOST_ITERATIONS {
            let size = largest(r.iter().copied());
            first = first.max(most);
            if size <= BALANCED * most {
                return Ok(());
            }
            let points = self.points(u, part)?;
            let Matrix::Sparse { values, .. } = self.less(&self.whole.stiffness, &points, |p| p.stiffness)? else {
                return Err(lost("its matrix is full"));
            };
            self.values = values;
            // While loads find no contact, springs on all unknowns stand in for it.
            let held = if length < FARTHEST { size / length } else { 0.0 };
            for i in 0..u.len() {
                if let Some(k) = self.pattern.find(i, i) {
                    self.values[k] += held;
                }
            }
            let mut step = r.clone();
            let solved = self.lu.factor(&self.values).and_then(|()| self.lu.solve(&mut step).map(drop));
            if let Err(e) = solved {
                if held == 0.0 {
                    return Err(lost(&format!("its stiffness is singular ({e})")));
                }
                length *= FARTHER;
                continue;
            }
            let before = norm(&r);
            let (mut share, mut fell) = (1.0, false);
            for _ in 0..MOST_HALVINGS {
                trial.iter_mut().zip(u.iter().zip(&step)).for_each(|(t, (u, s))| *t = u + share * s);
                let tried = self.residual(&trial, part, &mut next);
                if let Ok(found) = tried
                    && norm(&next) < before
                {
                    (most, fell) = (found, true);
                    break;
                }
                share *= 0.5;
            }
            if !fell {
                if held > 0.0 {
                    length *= FARTHER;
                    continue;
                }
                most = self.residual(u, part, &mut r)?;
                let size = largest(r.iter().copied());
                return if size <= STALLED * BALANCED * most.max(first) {
                    Ok(())
                } else {
                    Err(lost("no step lessens what is left over"))
                };
            }
            std::mem::swap(u, &mut trial);
            std::mem::swap(&mut r, &mut next);
            length *= FARTHER;
        }
        Err(lost("Newton's method does not converge"))
    }

    /// Follows the equilibrium from no friction to all of it.
    fn grow(&mut self, u: &mut Vec<f64>) -> Result<(), Refused> {
        let (mut part, mut step) = (0.0, FIRST_PART);
        while part < 1.0 {
            let next = f64::min(part + step, 1.0);
            let mut tried = u.clone();
            match self.find(&mut tried, next) {
                Ok(()) => {
                    (*u, part) = (tried, next);
                    step *= 2.0;
                }
                Err(e) => {
                    step *= 0.5;
                    if step < LEAST_PART {
                        let text = format!("the equilibrium is lost when friction reaches {part:.6} of its size");
                        return Err(lost(&format!("{text}: {}", e.message)));
                    }
                }
            }
        }
        Ok(())
    }
}

fn lost(why: &str) -> Refused {
    Refused::new("start.state", NO_EQUILIBRIUM, format!("there is no steady sliding: {why}"))
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Places of what all points can add.
fn touched(n: usize, rows: &[[Vec<(u32, f64)>; PORTS]]) -> Result<Pattern, stickslip_solve::sparse::Refused> {
    let mut columns: Vec<Vec<u32>> = (0..n as u32).map(|i| vec![i]).collect();
    for rows in rows {
        let all: Vec<u32> = rows.iter().flatten().map(|(j, _)| *j).collect();
        all.iter().for_each(|i| columns[*i as usize].extend(&all));
    }
    let mut starts = vec![0];
    for row in &mut columns {
        row.sort_unstable();
        row.dedup();
        starts.push(starts[starts.len() - 1] + row.len());
    }
    Pattern::new(starts, columns.concat())
}
