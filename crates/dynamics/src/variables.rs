//! The variables in which a stiff solver works: each law names those in which it is smooth.
use crate::scale::Stretches;
use crate::{AtSite, Dynamics, Integrals};
use stickslip_laws::{Mode, Scale};
use stickslip_solve::radau::System;

/// The map between the unknowns y = (q, v, z) and the solver's variables.
#[derive(Clone, Debug)]
pub struct Variables {
    /// The unknown behind each variable. Coordinates and velocities come first and are all there.
    pub(crate) unknowns: Vec<usize>,
    pub(crate) scales: Vec<Scale>,
    /// For each velocity: the point whose slip velocity stands in its place, and the factor of the row.
    pub(crate) slips: Vec<Option<(usize, f64)>>,
}

impl Variables {
    /// Chooses the variables of a model.
    ///
    /// A velocity that is a contact's slip velocity up to a factor is replaced by that slip velocity where the law wants
    /// it on another scale; a row that mixes velocities can't be.
    pub fn of(dynamics: &Dynamics) -> Variables {
        let n = dynamics.n;
        let mut scales = vec![Scale::Linear(1.0); dynamics.dim()];
        let mut slips = vec![None; n];
        for (i, site) in dynamics.sites.iter().enumerate() {
            let friction = &dynamics.model.contacts[site.contact].friction;
            for (k, state) in site.states_of(&dynamics.model.contacts[site.contact]) {
                scales[2 * n + k] = state.scale;
            }
            let scale = friction.velocity_scale();
            let row = &site.tangent[0];
            let mut entries = (0..n).filter(|j| row[*j] != 0.0);
            if let (false, Some(j), None) = (matches!(scale, Scale::Linear(_)), entries.next(), entries.next())
                && site.tangent.len() == 1
            {
                scales[n + j] = scale;
                slips[j] = Some((i, row[j]));
            }
        }
        Variables { unknowns: (0..dynamics.dim()).collect(), scales, slips }
    }

    /// The same without states that change at events alone: those stay in the unknowns as they are.
    pub fn of_moving(dynamics: &Dynamics) -> Variables {
        let all = Variables::of(dynamics);
        let unknowns: Vec<usize> = (0..dynamics.dim()).filter(|i| !dynamics.is_held(*i)).collect();
        Variables { scales: unknowns.iter().map(|i| all.scales[*i]).collect(), unknowns, slips: all.slips }
    }

    /// The same with states that change at events alone, each as it is.
    pub fn with_held(&self, dynamics: &Dynamics) -> Variables {
        let mut scales = vec![Scale::Linear(1.0); dynamics.dim()];
        self.unknowns.iter().zip(&self.scales).for_each(|(i, scale)| scales[*i] = *scale);
        Variables { unknowns: (0..dynamics.dim()).collect(), scales, slips: self.slips.clone() }
    }

    /// Values of all unknowns on scales with held states, from those of the variables.
    pub fn fill_held(&self, x: &[f64], all: &mut [f64]) {
        self.unknowns.iter().zip(x).for_each(|(i, x)| all[*i] = *x);
    }

    /// Those of steady sliding, which stays where it is: a state that has come to zero, or a slip against the direction in
    /// which its law counts, has no logarithm.
    pub fn of_steady(dynamics: &Dynamics, y: &[f64]) -> Variables {
        let mut all = Variables::of(dynamics);
        let mut x = vec![0.0; y.len()];
        all.encode(dynamics, 0.0, y, &mut x);
        for (i, _) in x.iter().enumerate().filter(|(_, x)| !x.is_finite()) {
            all.scales[i] = Scale::Linear(1.0);
            if let Some(slip) = i.checked_sub(dynamics.n).and_then(|j| all.slips.get_mut(j)) {
                *slip = None;
            }
        }
        all
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.unknowns.len()
    }

    /// The variable behind an unknown; None where it changes at events alone.
    pub fn place_of(&self, unknown: usize) -> Option<usize> {
        self.unknowns.iter().position(|i| *i == unknown)
    }

    /// The scale of variable i.
    pub fn scale(&self, i: usize) -> Scale {
        self.scales[i]
    }

    /// The point whose slip velocity stands in the place of velocity j, and the factor of its row.
    pub fn slip(&self, j: usize) -> Option<(usize, f64)> {
        self.slips[j]
    }

    /// Sets the size of a linear variable, to which tolerances refer.
    pub fn set_size(&mut self, i: usize, size: f64) {
        if let Scale::Linear(s) = &mut self.scales[i] {
            *s = size;
        }
    }

    /// Moves an asinh scale to another speed.
    pub fn set_asinh(&mut self, i: usize, speed: f64) {
        if let Scale::Asinh(c) = &mut self.scales[i] {
            *c = speed;
        }
    }

    /// Size of each variable for tolerances, and whether its own magnitude counts too.
    pub fn sizes(&self) -> (Vec<f64>, Vec<bool>) {
        (self.scales.iter().map(Scale::size).collect(), self.scales.iter().map(Scale::is_relative).collect())
    }

    /// Unknowns to solver variables.
    pub fn encode(&self, dynamics: &Dynamics, t: f64, y: &[f64], out: &mut [f64]) {
        let n = dynamics.n;
        out.iter_mut().zip(&self.unknowns).for_each(|(out, i)| *out = y[*i]);
        for (j, slip) in self.slips.iter().enumerate() {
            if let Some((i, factor)) = slip {
                out[n + j] = factor * y[n + j] + dynamics.sites[*i].surface * dynamics.surface_velocity(t);
            }
        }
        for (x, scale) in out.iter_mut().zip(&self.scales) {
            *x = scale.encode(*x);
        }
    }

    /// Solver variables to unknowns, of which others stay as they are; slip velocities that are variables are made known to `dynamics`.
    #[inline]
    pub fn decode(&self, dynamics: &mut Dynamics, t: f64, x: &[f64], y: &mut [f64]) {
        let n = dynamics.n;
        for ((i, x), scale) in self.unknowns.iter().zip(x).zip(&self.scales) {
            y[*i] = scale.decode(*x);
        }
        for (j, slip) in self.slips.iter().enumerate() {
            if let Some((i, factor)) = slip {
                dynamics.known_slips[*i] = Some(y[n + j]);
                y[n + j] = (y[n + j] - dynamics.sites[*i].surface * dynamics.surface_velocity(t)) / factor;
            }
        }
    }

    /// The Jacobian in solver variables at given unknowns: well scaled, and with the same eigenvalues at an equilibrium.
    pub fn jacobian_at(&self, dynamics: &mut Dynamics, y: &[f64], modes: &[Mode], jac: &mut [f64]) {
        let mut x = vec![0.0; y.len()];
        self.encode(dynamics, 0.0, y, &mut x);
        let mut room = Workspace::new(y.len());
        Stiff { dynamics, variables: self, modes, base: 0.0, room: &mut room }.jacobian(0.0, &x, jac);
    }

    /// Lets the slip velocities follow from the unknowns again.
    #[inline]
    fn forget(&self, dynamics: &mut Dynamics) {
        for (i, _) in self.slips.iter().flatten() {
            dynamics.known_slips[*i] = None;
        }
    }

    /// d(solver variable)/d(quantity), and the logarithmic derivative of that: the curvature term of the Jacobian.
    #[inline]
    pub(crate) fn stretch(&self, i: usize, quantity: f64) -> (f64, f64) {
        self.scales[i].stretch(quantity)
    }

    /// The quantity behind variable i: an unknown, or a slip velocity.
    #[inline]
    pub(crate) fn quantity(&self, dynamics: &Dynamics, i: usize, y: &[f64]) -> f64 {
        match i.checked_sub(dynamics.n).and_then(|j| self.slips.get(j)) {
            Some(Some((site, _))) => dynamics.at[*site].slip[0],
            _ => y[self.unknowns[i]],
        }
    }
}

/// The equations in solver variables, from a base time, in fixed modes.
pub struct Stiff<'a, 'm> {
    /// The equations.
    pub dynamics: &'a mut Dynamics<'m>,
    /// The variables.
    pub variables: &'a Variables,
    /// Modes of all points.
    pub modes: &'a [Mode],
    /// Time at which the solver's clock reads zero.
    pub base: f64,
    /// Room for the unknowns and their rates.
    pub room: &'a mut Workspace,
}

/// Equations of one model evaluated at several places at once.
pub trait StageBatch {
    /// Moves the asinh scale of variable i to another speed.
    fn set_asinh(&mut self, i: usize, speed: f64);
    /// Rates at each of the places that lie in `x` one after the other, and weights with which they are milder.
    fn rates(&mut self, x: &[f64], dx: &mut [f64], row_scale: &mut [f64]);
    /// The Jacobian at one place, and the weights there.
    fn jacobian(&mut self, x: &[f64], jac: &mut [f64], row_scale: &mut [f64]);
    /// Evaluates all places of `x` and returns their rates; [`StageBatch::read`] returns the rest.
    fn look(&mut self, x: &[f64], dx: &mut [f64]);
    /// Unknowns, their rates, contact points and rates of the integrals at one of the places.
    fn read(&self, place: usize, y: &mut [f64], dy: &mut [f64], at: &mut [AtSite], rates: &mut Integrals);
}

/// Room for one evaluation.
pub struct Workspace {
    /// Evaluates the stages of a step at once, where the model and the machine allow it.
    pub beside: Option<Box<dyn StageBatch>>,
    /// Unknowns.
    pub y: Vec<f64>,
    /// Rates.
    pub dy: Vec<f64>,
    /// Time and variables of the last evaluation, so that the Jacobian need not repeat it.
    pub(crate) at: (f64, Vec<f64>),
    /// A Jacobian over all unknowns, where some are no variables.
    pub(crate) full: Vec<f64>,
}

impl Workspace {
    /// Room for `n` unknowns that are all variables.
    pub fn new(n: usize) -> Workspace {
        Workspace::of(n, n)
    }

    /// Room for `n` unknowns, of which `count` are variables.
    pub fn of(n: usize, count: usize) -> Workspace {
        let full = if count < n { vec![0.0; n * n] } else { vec![] };
        Workspace { beside: None, y: vec![0.0; n], dy: vec![0.0; n], at: (f64::NAN, vec![0.0; count]), full }
    }

    /// Forgets the last evaluation: its variables mean something else now.
    pub fn forget(&mut self) {
        self.at.0 = f64::NAN;
    }
}

impl Stiff<'_, '_> {
    /// Evaluates at solver variables; leaves unknowns and rates in the room.
    #[inline]
    pub fn evaluate(&mut self, t: f64, x: &[f64]) {
        let t = self.base + t;
        self.variables.decode(self.dynamics, t, x, &mut self.room.y);
        if self.dynamics.evaluate(t, &self.room.y, self.modes, &mut self.room.dy).is_err() {
            self.room.dy.fill(f64::NAN);
        }
        self.variables.forget(self.dynamics);
        self.room.at.0 = t;
        self.room.at.1.copy_from_slice(x);
    }
}
