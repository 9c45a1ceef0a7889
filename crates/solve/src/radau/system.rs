//! What is integrated.

/// A system y' = f(t, y).
pub trait System {
    /// Number of unknowns.
    fn dim(&self) -> usize;
    /// The rates.
    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]);
    /// The Jacobian df/dy, row after row.
    fn jacobian(&mut self, t: f64, y: &[f64], jac: &mut [f64]);
    /// Weights b(y) > 0, at the last evaluation of rates or Jacobian, with which b_i y_i' is milder than y_i' itself; false: none.
    ///
    /// Newton's method then works on b (y' - f) instead of y' - f. Where f = g/b with a b that changes by orders of
    /// magnitude and a g that is nearly linear (a velocity on a logarithmic scale, driven by forces) it converges in
    /// steps that would otherwise be limited by the change of b.
    fn weights(&self, _b: &mut [f64]) -> bool {
        false
    }
    /// The Jacobian as in [`System::jacobian`], with the weights at its place as in [`System::weights`].
    fn jacobian_weighted(&mut self, t: f64, y: &[f64], jac: &mut [f64], b: &mut [f64]) {
        self.jacobian(t, y, jac);
        self.weights(b);
    }
    /// Rates and weights at several places at once, one after the other in `x`, of a system that does not know the
    /// time; false: there is no better way than one by one.
    fn rates_at(&mut self, _x: &[f64], _dx: &mut [f64], _b: &mut [f64]) -> bool {
        false
    }
}
