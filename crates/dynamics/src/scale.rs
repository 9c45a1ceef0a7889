//! Between a quantity and the variable in which it is smooth.
use stickslip_laws::Scale;

/// What solvers ask of a scale.
pub trait Stretches {
    /// Size of the variable for tolerances.
    fn size(&self) -> f64;
    /// Whether its own magnitude counts too.
    fn is_relative(&self) -> bool;
    /// Quantity to variable.
    fn encode(&self, quantity: f64) -> f64;
    /// Variable to quantity.
    fn decode(&self, x: f64) -> f64;
    /// d(variable)/d(quantity), and the logarithmic derivative of that: the curvature term of a Jacobian.
    fn stretch(&self, quantity: f64) -> (f64, f64);
}

impl Stretches for Scale {
    fn size(&self) -> f64 {
        match self {
            Scale::Linear(s) => *s,
            // An absolute error in a logarithm is a relative one in the quantity.
            Scale::Log => 1.0,
            // A slip velocity on this scale follows from the forces and forgets its errors: ten times looser costs no
            // accuracy of the motion (measured on Lim & Chen's slider) and saves a fifth of the steps.
            Scale::Asinh(_) => 10.0,
        }
    }

    fn is_relative(&self) -> bool {
        matches!(self, Scale::Linear(_))
    }

    #[inline]
    fn encode(&self, quantity: f64) -> f64 {
        match self {
            Scale::Linear(_) => quantity,
            Scale::Log => quantity.ln(),
            Scale::Asinh(c) => (quantity / c).asinh(),
        }
    }

    #[inline]
    fn decode(&self, x: f64) -> f64 {
        match self {
            Scale::Linear(_) => x,
            Scale::Log => x.exp(),
            Scale::Asinh(c) => c * sinh(x),
        }
    }

    #[inline]
    fn stretch(&self, quantity: f64) -> (f64, f64) {
        match self {
            Scale::Linear(_) => (1.0, 0.0),
            Scale::Log => (1.0 / quantity, -1.0 / quantity),
            Scale::Asinh(c) => {
                let square = quantity * quantity + c * c;
                (1.0 / square.sqrt(), -quantity / square)
            }
        }
    }
}

/// Hyperbolic sine at the price of one exponential; near zero by its series.
#[inline]
fn sinh(x: f64) -> f64 {
    if x.abs() < 0.1 {
        let s = x * x;
        return x * (1.0 + s / 6.0 * (1.0 + s / 20.0 * (1.0 + s / 42.0 * (1.0 + s / 72.0))));
    }
    let e = x.exp();
    0.5 * (e - 1.0 / e)
}
