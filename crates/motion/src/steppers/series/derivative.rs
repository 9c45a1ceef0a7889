//! What derivatives along power series read of them.
use super::Linear;
use stickslip_dynamics::Dynamics;
use stickslip_laws::Mode;
use stickslip_solve::linear_flow::LinearFlow;
use stickslip_solve::polynomial::{Coefficients, derivative, value};

impl Linear {
    /// The flow of the last step.
    pub fn flow(&self) -> &LinearFlow {
        &self.met.get(self.last_known).flow
    }

    /// The flow in any modes; None where they have none.
    pub fn flow_in(&mut self, dynamics: &Dynamics, modes: &[Mode]) -> Option<&LinearFlow> {
        let known = self.known(dynamics, modes).ok()?;
        Some(&self.met.get(known).flow)
    }

    /// The unknowns in the last expansion.
    pub fn unknowns(&self) -> &[Coefficients] {
        &self.y
    }

    /// The inputs from `t` on.
    pub fn inputs(&self, t: f64) -> Vec<Coefficients> {
        let one = |i: usize| match self.rate_of[i] {
            Some(of) => derivative(&self.signals[of].expand(t).0),
            None => self.signals[i].expand(t).0,
        };
        (0..self.signals.len()).map(one).collect()
    }

    /// Friction and normal force of a point at an offset of the last expansion.
    pub fn forces(&self, point: usize, s: f64) -> [f64; 2] {
        [value(&self.friction[point], s), value(&self.loads[point], s)]
    }
}
