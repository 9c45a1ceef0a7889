//! Harmonic balance: the motion as a sum of harmonics that satisfies the equations on the average with each of them.
//!
//! The residual of the equations of motion is integrated with every function of the basis over one lap of the period. Laws
//! are asked in the time domain, in any state: what they answer is not expanded by hand. T. M. Cameron, J. H. Griffin, J.
//! Appl. Mech. 56 (1989) 149; M. Krack, J. Gross, Harmonic Balance for Nonlinear Vibration Problems (2019).
mod basis;
mod collocation;
mod lap;
mod projection;
mod requirements;
mod search;
mod separated;
mod split;
mod states;

pub use basis::{Basis, Functions};
pub use requirements::{Balancing, SetValued, read_balancing, refuse};
pub use search::{amplitude_starts, linear_response, solve};

use crate::harmonic_balance::states::Memory;
use stickslip_dynamics::Dynamics;
use stickslip_model::Model;

/// What a lap over the period has seen.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Part of the time in stick of each point, where its law gives it.
    pub stick: Vec<f64>,
    /// Reversals of slip at all points.
    pub reversals: usize,
    /// Work taken by friction.
    pub friction: f64,
    /// Largest energy stored.
    pub energy: f64,
    /// Unknowns of the motion at t = 0, with the states of the laws.
    pub start: Vec<f64>,
}

/// The equations of a model on the average with each harmonic.
pub struct Balance<'m> {
    pub dynamics: Dynamics<'m>,
    pub basis: Basis,
    how: Balancing,
    memory: Memory,
    /// No load changes along a motion: what was evaluated once holds.
    steady_loads: bool,
    /// States of the laws where a lap begins.
    pub states: Vec<f64>,
    /// Factor of M q' that is added: negative damping that keeps a free motion going.
    pub damping: f64,
}

impl<'m> Balance<'m> {
    /// For motions with this basis.
    pub fn new(model: &'m Model, basis: Basis, how: Balancing) -> Result<Balance<'m>, String> {
        let dynamics = crate::period_map::dynamics(model)?;
        let states = stickslip_dynamics::start::at_rest(&dynamics)[2 * dynamics.n..].to_vec();
        let memory = Memory::of(model);
        let steady_loads = dynamics.sites.iter().all(|s| matches!(s.fixed_load, Some((_, b)) if b == 0.0));
        Ok(Balance { dynamics, basis, how, memory, steady_loads, states, damping: 0.0 })
    }

    /// Number of unknowns: the factors of the basis, coordinate after coordinate.
    pub fn len(&self) -> usize {
        self.dynamics.n * self.basis.len()
    }

    /// What is left of the equations, and its derivatives in the unknowns where they are wanted, row after row.
    pub fn residual(&mut self, x: &[f64], r: &mut [f64], jac: Option<&mut [f64]>) -> Result<Seen, String> {
        match (self.memory, jac) {
            // Derivatives through rates of states are differences.
            (Memory::Rates, Some(jac)) => {
                let seen = self.settled_lap(x, r, None)?;
                let states = self.states.clone();
                let size = stickslip_solve::largest(x.iter().copied());
                let (mut moved, mut other) = (x.to_vec(), vec![0.0; r.len()]);
                for k in 0..x.len() {
                    let h = lap::DIFFERENCE * if size > 0.0 { size } else { 1.0 };
                    moved[k] = x[k] + h;
                    self.states.clone_from(&states);
                    self.settled_lap(&moved, &mut other, None)?;
                    (0..r.len()).for_each(|i| jac[i * x.len() + k] = (other[i] - r[i]) / h);
                    moved[k] = x[k];
                }
                self.states = states;
                Ok(seen)
            }
            (_, jac) => self.settled_lap(x, r, jac),
        }
    }
}
