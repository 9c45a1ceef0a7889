//! Two elastic bars joined by a layer that slips.
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

/// Halvings of a bracket.
const HALVINGS: usize = 200;

pub const FORMULA: Formula = Formula {
    name: "joined-bars",
    about: "Stick, slip and traction of two elastic bars joined by a layer that slips, as the load grows from zero.\n\n\
            tau = k (u_1 - u_2) up to tau_m;   EA_1 u_1'' = tau,   EA_2 u_2'' = -tau;   lambda^2 = k L^2/EA_1,   rho = EA_1/EA_2\n\n\
            The first bar is pulled at x = L and free at 0, the second held at x = 0 and free at L; tau and tau_m are forces on a \
            unit\nof length. Slip begins at the ends, at x = L first if rho < 1, and moves inward; at F = tau_m L all slips.",
    reference: "C. H. Menq, J. Bielak and J. H. Griffin, J. Sound Vib. 107 (1986) 279; E. J. Berger, Appl. Mech. Rev. 55 (2002) 535, eqs 85, 86",
    inputs: &[
        Input::new("F", "N", "Load, at most tau_m L").min(0.0),
        Input::new("lambda", "1", "Stiffness of the layer relative to the first bar").above(0.0),
        Input::new("rho", "1", "Stiffness of the first bar over that of the second").or(1.0).above(0.0),
        Input::new("L", "m", "Length").or(1.0).above(0.0),
        Input::new("tau_m", "N/m", "Largest traction").or(1.0).above(0.0),
        Input::new("EA_1", "N", "Stiffness of the first bar").or(1.0).above(0.0),
        Input::new("x", "m", "Place along the layer").or(0.0).min(0.0),
    ],
    outputs: &[
        Answer::value("displacement", "m", "Displacement of the loaded end."),
        Answer::value("a", "m", "Slip reaches from x = 0 to here."),
        Answer::value("b", "m", "Slip reaches from x = L down to here."),
        Answer::value("traction", "N/m", "Traction at x."),
        Answer::value("F_first", "N", "Load at which slip begins."),
    ],
    compute: |x| {
        let [f, lambda, rho, length, tau_m, stiffness, x] = inputs(x);
        let (load, place) = (f / (tau_m * length), x / length);
        if load > 1.0 {
            return Err(format!("F = {f} N is beyond tau_m L = {} N: all slips", tau_m * length));
        }
        if place > 1.0 {
            return Err(format!("x = {x} m lies beyond the end of the layer, L = {length} m"));
        }
        let bars = Bars { kappa: lambda * (1.0 + rho).sqrt(), limit: 1.0 / (lambda * lambda), rho };
        let [a, b] = bars.fronts(load);
        let unit = tau_m * length * length / stiffness;
        let displacement = unit * bars.displacement(load, a, b);
        let traction = tau_m * (bars.layer(load, a, b, place) / bars.limit).min(1.0);
        Ok(vec![displacement, a * length, b * length, traction, bars.first() * tau_m * length])
    },
};

/// The bars in units of L, tau_m L and EA_1.
struct Bars {
    /// Decay of the layer's deformation.
    kappa: f64,
    /// Deformation at which it slips.
    limit: f64,
    rho: f64,
}

/// The point between where a growing function passes zero.
fn root(f: impl Fn(f64) -> f64, [mut low, mut high]: [f64; 2]) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// 1/cosh, zero where cosh is beyond the range of numbers.
fn sech(x: f64) -> f64 {
    1.0 / x.cosh()
}

impl Bars {
    /// The load at which slip begins.
    fn first(&self) -> f64 {
        let sech = sech(self.kappa);
        self.kappa * self.limit * self.kappa.tanh() / (1.0 + self.rho * sech).max(sech + self.rho)
    }

    /// Where the part that sticks begins and ends.
    fn fronts(&self, load: f64) -> [f64; 2] {
        let (kappa, limit, sum) = (self.kappa, self.limit, 1.0 + self.rho);
        if load <= self.first() {
            return [0.0, 1.0];
        }
        // Both ends slip: what sticks, of width w, is symmetric, and the balance of both bars gives the width.
        let pull = |w: f64| limit * kappa * (0.5 * kappa * w).tanh();
        let width = root(|w| load - (1.0 - w) - 2.0 * pull(w) / sum, [0.0, 1.0]);
        let width = if load < 1.0 { width } else { 0.0 };
        let (a, beyond) = ((self.rho * load - pull(width)) / sum, (load - pull(width)) / sum);
        if a >= 0.0 && beyond >= 0.0 {
            return [a, 1.0 - beyond];
        }
        // One end alone: `far` is the strain difference at the end that sticks, `near` at the one that slips.
        let (far, near) = if a < 0.0 { (self.rho * load, load) } else { (load, self.rho * load) };
        let stuck = root(
            |w| {
                let slope = limit * kappa * (kappa * w).tanh() - far * sech(kappa * w);
                near - sum * (1.0 - w) - slope
            },
            [0.0, 1.0],
        );
        if a < 0.0 { [0.0, stuck] } else { [1.0 - stuck, 1.0] }
    }

    /// Deformation of the layer at x; beyond the limit where it slips.
    fn layer(&self, load: f64, a: f64, b: f64, x: f64) -> f64 {
        let (kappa, sum) = (self.kappa, 1.0 + self.rho);
        // Its slopes at both ends of the part that sticks.
        let (left, right) = (sum * a - self.rho * load, load - sum * (1.0 - b));
        if x < a {
            return self.limit + (x - a) * left + 0.5 * sum * (x - a).powi(2);
        }
        if x > b {
            return self.limit + (x - b) * right + 0.5 * sum * (x - b).powi(2);
        }
        if b <= a {
            return self.limit;
        }
        let (from, to, all) = (kappa * (x - a), kappa * (b - x), kappa * (b - a));
        // cosh(y)/sinh(all) for 0 <= y <= all, which may each be beyond the range of numbers.
        let part = |y: f64| ((y - all).exp() + (-y - all).exp()) / -(-2.0 * all).exp_m1();
        (right * part(from) - left * part(to)) / kappa
    }

    /// Displacement of the loaded end: that of the second bar there, and the deformation of the layer.
    fn displacement(&self, load: f64, a: f64, b: f64) -> f64 {
        let sum = 1.0 + self.rho;
        let slope = |x: f64| if x == a { sum * a - self.rho * load } else { load - sum * (1.0 - b) };
        // The mean force of the first bar is the integral of tau (1 - x).
        let slips = a - 0.5 * a * a + 0.5 * (1.0 - b).powi(2);
        let inner = |x: f64| slope(x) * (1.0 - x) + self.layer(load, a, b, x);
        let sticks = if b > a { (inner(b) - inner(a)) / sum } else { 0.0 };
        self.rho * (load - slips - sticks) + self.layer(load, a, b, 1.0)
    }
}
