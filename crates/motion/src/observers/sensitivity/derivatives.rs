//! How the equations of a model change with its parameters.
use super::event_tangent::Duals;
use super::stencil::{About, STENCIL, slope};
use crate::steppers::step_limits::next_knot;
use stickslip_dynamics::{AtSite, Direction, Dynamics, Stiff, Variables, Workspace};
use stickslip_laws::Mode;
use stickslip_model::Model;
use stickslip_solve::radau::System;

/// Changes of the unknowns in which friction is differentiated, as part of their sizes.
const SMALL: f64 = 1e-4;

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// A coordinate.
    Coordinate(usize),
    /// A velocity.
    Rate(usize),
    /// Friction force over normal force of the first contact point.
    Friction,
    /// Its friction force.
    Force,
}

impl Quantity {
    /// Its value.
    pub fn of(self, n: usize, y: &[f64], at: &[AtSite]) -> f64 {
        match self {
            Quantity::Coordinate(i) => y[i],
            Quantity::Rate(i) => y[n + i],
            Quantity::Friction => at[0].f[0] / at[0].n,
            Quantity::Force => at[0].f[0],
        }
    }
}

/// For each parameter the equations of models about the present one, at the stencil, and its step.
pub struct Neighbours<'a> {
    models: Vec<(Vec<Dynamics<'a>>, f64)>,
    /// How many of them are parameters; the others are unknowns at the start, whose neighbours are the model itself.
    parameters: usize,
}

impl<'a> Neighbours<'a> {
    /// Number of parameters.
    pub fn count(&self) -> usize {
        self.models.len()
    }

    /// Whether column `p` is an unknown at the start: its equations are those of the model.
    pub fn is_initial(&self, p: usize) -> bool {
        p >= self.parameters
    }

    /// The models about each parameter that is none of the unknowns at the start, and its step.
    pub fn parameters(&self) -> impl Iterator<Item = &(Vec<Dynamics<'a>>, f64)> {
        self.models.iter().take(self.parameters)
    }

    /// The models about each parameter, and its step.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut (Vec<Dynamics<'a>>, f64)> {
        self.models.iter_mut()
    }

    /// Inner elements and what is no load are those of the motion that is followed.
    pub fn take_over(&mut self, dynamics: &Dynamics) {
        self.models.iter_mut().flat_map(|(near, _)| near).for_each(|near| near.take_over(dynamics));
    }
}

/// The way in which derivatives in parameters are found.
pub enum Derivatives<'a> {
    /// By dual numbers through the laws, and the matrices' own changes: laws under given loads.
    Dual(&'a Duals),
    /// By the equations of neighbouring models: for each parameter those at the stencil, and its step.
    Neighbours(Neighbours<'a>),
}

impl<'a> Derivatives<'a> {
    /// The neighbours of a model.
    pub fn neighbours(about: &'a [About]) -> Option<Derivatives<'a>> {
        let one = |a: &'a About| Some((a.models.iter().map(Dynamics::new).collect::<Option<Vec<_>>>()?, a.step));
        let models = about.iter().map(one).collect::<Option<Vec<_>>>()?;
        Some(Derivatives::Neighbours(Neighbours { parameters: models.len(), models }))
    }

    /// The same, and derivatives in all unknowns at the start.
    pub fn with_initial(self, model: &'a Model) -> Option<Derivatives<'a>> {
        let Derivatives::Neighbours(mut all) = self else { return None };
        for _ in 0..Dynamics::new(model)?.dim() {
            let copies = STENCIL.iter().map(|_| Dynamics::new(model)).collect::<Option<Vec<_>>>()?;
            all.models.push((copies, 1.0));
        }
        Some(Derivatives::Neighbours(all))
    }

    /// The laws with derivatives, where dual numbers serve.
    pub fn duals(&self) -> Option<&'a Duals> {
        if let Derivatives::Dual(duals) = self { Some(*duals) } else { None }
    }

    /// Number of parameters.
    pub fn count(&self) -> usize {
        match self {
            Derivatives::Dual(duals) => duals.seeds.count(),
            Derivatives::Neighbours(all) => all.count(),
        }
    }

    /// Derivatives of the rates in each parameter, one after the other; `dynamics` was evaluated at `y`.
    pub fn rates(&mut self, dynamics: &mut Dynamics, t: f64, y: &[f64], modes: &[Mode], out: &mut [f64]) {
        let m = y.len();
        let mut dy = vec![0.0; m];
        match self {
            Derivatives::Dual(duals) => {
                let _ = dynamics.evaluate(t, y, modes, &mut dy);
                dynamics.parameter_rates(y, &dy, modes, &duals.seeds, out);
            }
            Derivatives::Neighbours(all) => {
                out.fill(0.0);
                let parameters = all.parameters;
                for ((neighbours, step), out) in all.iter_mut().zip(out.chunks_exact_mut(m)).take(parameters) {
                    for (near, (_, weight)) in neighbours.iter_mut().zip(STENCIL) {
                        near.until = dynamics.until;
                        if near.evaluate(t, y, modes, &mut dy).is_err() {
                            dy.fill(f64::NAN);
                        }
                        out.iter_mut().zip(&dy).for_each(|(b, r)| *b += weight * r / *step);
                    }
                }
            }
        }
    }

    /// The Jacobian at solver variables, and derivatives of the rates in each parameter, one after the other.
    pub fn tangents(&mut self, system: &mut Stiff, t: f64, x: &[f64], jac: &mut [f64], by: &mut [f64]) {
        match self {
            Derivatives::Dual(duals) => system.tangents(t, x, &duals.seeds, jac, by),
            Derivatives::Neighbours(all) => {
                system.evaluate(t, x);
                system.jacobian(t, x, jac);
                let m = x.len();
                let mut rates = vec![0.0; m];
                let mut room = Workspace::new(m);
                by.fill(0.0);
                let parameters = all.parameters;
                for ((neighbours, step), by) in all.iter_mut().zip(by.chunks_exact_mut(m)).take(parameters) {
                    for (dynamics, (_, weight)) in neighbours.iter_mut().zip(STENCIL) {
                        dynamics.until = system.dynamics.until;
                        let mut near = Stiff {
                            dynamics,
                            variables: system.variables,
                            modes: system.modes,
                            base: system.base,
                            room: &mut room,
                        };
                        near.rates(t, x, &mut rates);
                        by.iter_mut().zip(&rates).for_each(|(b, r)| *b += weight * r / *step);
                    }
                }
            }
        }
    }

    /// Derivatives of a quantity in each parameter where the unknowns change by `along`; `dynamics` was evaluated at `y`.
    pub fn observed(
        &mut self,
        quantity: Quantity,
        dynamics: &mut Dynamics,
        (t, y, modes): (f64, &[f64], &[Mode]),
        along: &[f64],
        out: &mut [f64],
    ) {
        let (n, m) = (dynamics.n, dynamics.dim());
        let place = match quantity {
            Quantity::Coordinate(i) => Some(i),
            Quantity::Rate(i) => Some(n + i),
            _ => None,
        };
        if let Some(place) = place {
            out.iter_mut().zip(along.chunks_exact(m)).for_each(|(o, s)| *o = s[place]);
            return;
        }
        match self {
            Derivatives::Dual(Duals { seeds, .. }) => {
                let moving = Direction { along: Some(along), ..Direction::default() };
                // In stick friction is a reaction: it follows from the forces.
                if dynamics.sites[0].cone && modes[0] == Mode::Stick {
                    let (mut dy, points) = (vec![0.0; m], dynamics.sites.len());
                    let _ = dynamics.evaluate(t, y, modes, &mut dy);
                    let friction = dynamics.changes(y, &dy, modes, seeds, moving).friction;
                    out.iter_mut().zip(friction.iter().step_by(points)).for_each(|(o, f)| *o = *f);
                } else {
                    dynamics.friction_changes(y, modes, seeds, moving, out);
                }
                let at = dynamics.at[0];
                for (p, o) in out.iter_mut().enumerate() {
                    if quantity == Quantity::Friction {
                        *o = (*o - at.f[0] / at.n * dynamics.load_changes(0, seeds, p)) / at.n;
                    }
                }
            }
            Derivatives::Neighbours(all) => {
                let mut dy = vec![0.0; m];
                let sizes: Vec<f64> = y.iter().map(|y| y.abs().max(1e-12)).collect();
                let parameters = all.parameters;
                for (p, (((neighbours, step), s), out)) in
                    all.iter_mut().zip(along.chunks_exact(m)).zip(out).enumerate()
                {
                    let mut value = |dynamics: &mut Dynamics, y: &[f64]| {
                        dynamics.evaluate(t, y, modes, &mut dy).ok()?;
                        Some(quantity.of(n, y, &dynamics.at))
                    };
                    let mut own = 0.0;
                    for (near, (_, weight)) in neighbours.iter_mut().zip(STENCIL).filter(|_| p < parameters) {
                        near.until = dynamics.until;
                        own += weight * value(near, y).unwrap_or(f64::NAN) / *step;
                    }
                    let steepest = s.iter().zip(&sizes).fold(0.0f64, |m, (s, size)| m.max(s.abs() / size));
                    let carried = (steepest > 0.0).then(|| {
                        slope(SMALL / steepest, |e| {
                            let moved: Vec<f64> = y.iter().zip(s).map(|(y, s)| y + e * s).collect();
                            value(dynamics, &moved)
                        })
                    });
                    *out = own + carried.map_or(0.0, |c| c.unwrap_or(f64::NAN));
                }
                let _ = dynamics.evaluate(t, y, modes, &mut dy);
            }
        }
    }

    /// How the slip velocity of a point changes with parameter `p`, where the unknowns stay.
    pub fn slip_change(&self, dynamics: &Dynamics, p: usize, point: usize, t: f64, y: &[f64]) -> f64 {
        match self {
            Derivatives::Dual(duals) => dynamics.sites[point].surface * duals.seeds.ways()[p].surface,
            Derivatives::Neighbours(all) if all.is_initial(p) => 0.0,
            Derivatives::Neighbours(all) => {
                let (near, step) = &all.models[p];
                near.iter().zip(STENCIL).map(|(near, (_, weight))| weight * near.slip_of(point, t, y) / step).sum()
            }
        }
    }

    /// Whether drives and loads of all neighbours jump when those of the model do.
    pub fn same_knot(&self, t: f64, knot: f64, end: f64) -> bool {
        match self {
            Derivatives::Dual(_) => true,
            Derivatives::Neighbours(all) => {
                let limit = knot.min(end);
                let knots =
                    all.models.iter().flat_map(|(near, _)| near).map(|near| next_knot(near.signals(), t, limit));
                knots.into_iter().all(|next| next == knot || (knot > end && next > end))
            }
        }
    }

    /// Changes of the unknowns at the start in each parameter, from those of the neighbours.
    pub fn of_start(
        &mut self,
        mut start: impl FnMut(&mut Dynamics) -> Option<Vec<f64>>,
        out: &mut [f64],
    ) -> Option<()> {
        let Derivatives::Neighbours(all) = self else { return None };
        let m = out.len() / all.count().max(1);
        out.fill(0.0);
        for ((neighbours, step), out) in all.iter_mut().zip(out.chunks_exact_mut(m.max(1))) {
            for (near, (_, weight)) in neighbours.iter_mut().zip(STENCIL) {
                let y = start(near)?;
                out.iter_mut().zip(&y).for_each(|(o, y)| *o += weight * y / *step);
            }
        }
        Some(())
    }
}

/// What changes of solver variables mean for the unknowns: `s` in place, parameter after parameter.
pub fn relax(variables: &Variables, dynamics: &Dynamics, y: &[f64], s: &mut [f64]) {
    s.chunks_exact_mut(y.len()).for_each(|s| variables.relaxed(dynamics, y, s));
}

/// And back.
pub fn stretch(variables: &Variables, dynamics: &Dynamics, y: &[f64], s: &mut [f64]) {
    s.chunks_exact_mut(y.len()).for_each(|s| variables.stretched(dynamics, y, s));
}
