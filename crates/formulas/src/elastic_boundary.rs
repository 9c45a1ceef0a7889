//! The nominal pressure at which asperities begin to yield.
use super::{Formula, Input, inputs};
use std::f64::consts::FRAC_1_SQRT_2;
use stickslip_model::Answer;
use stickslip_real::special::{erfc, normal_excess, normal_excess_halves};

/// Halvings of the bracket of the separation.
const HALVINGS: usize = 200;
/// Separation from which the Gaussian's own density is divided out: further on it is below all numbers.
const FAR: f64 = 30.0;

/// Part of the heights beyond t over their density at t, for large t.
fn far_tail(t: f64) -> f64 {
    let s = 1.0 / (t * t);
    (1.0 - s * (1.0 - s * (3.0 - s * (15.0 - s * 105.0)))) / t
}

/// Their mean excess over t, in the same way.
fn far_excess(t: f64) -> f64 {
    let s = 1.0 / (t * t);
    s * (1.0 - s * (3.0 - s * (15.0 - s * (105.0 - s * 945.0))))
}

pub const FORMULA: Formula = Formula {
    name: "elastic-boundary",
    about: "The nominal pressure at which the asperities of a rough surface begin to yield.\n\nGreenwood and Williamson's surface with \
            heights of normal distribution: an asperity yields when it is pressed by more than\nsigma/psi^2, psi = E/H sqrt(sigma/R), and the \
            surface when yielding asperities hold the given part of the real area.\nBelow the pressure deformation is elastic.",
    reference: "J. A. Greenwood and J. B. P. Williamson, Proc. R. Soc. Lond. A 295 (1966) 300; J. T. Oden and J. A. C. Martins, Comput. \
                Methods Appl. Mech. Eng. 52 (1985) 527, Fig 15",
    inputs: &[
        Input::new("E", "Pa", "Contact modulus").above(0.0),
        Input::new("H", "Pa", "Hardness of the softer body").above(0.0),
        Input::new("sigma", "m", "Standard deviation of the asperities' heights").above(0.0),
        Input::new("R", "m", "Radius of their tips").above(0.0),
        Input::new("density", "1/m^2", "Asperities on a unit of area").above(0.0),
        Input::new("part", "1", "Part of the real area that yields at the boundary").or(0.02).above(0.0).max(0.999),
    ],
    outputs: &[
        Answer::value("pressure", "Pa", "Nominal pressure at the boundary; zero where it is below all numbers."),
        Answer::value("separation", "1", "Separation of the mean planes there, over sigma."),
        Answer::value("plasticity_index", "1", "The index psi."),
    ],
    compute: |x| {
        let [e, h, sigma, r, density, part] = inputs(x);
        let psi = e / h * (sigma / r).sqrt();
        let onset = 1.0 / (psi * psi);
        // Real area of the asperities that are pressed by more than the onset, over that of all: falls with t.
        let yields = |t: f64| {
            if t > FAR {
                let part = (far_excess(t + onset) + onset * far_tail(t + onset)) / far_excess(t);
                return part * (-onset * (t + 0.5 * onset)).exp();
            }
            let tail = 0.5 * erfc((t + onset) * FRAC_1_SQRT_2);
            (normal_excess(t + onset) + onset * tail) / normal_excess(t)
        };
        let (mut low, mut high) = (-1e3 - 10.0 * onset, 1e3 + 100.0 / onset);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if yields(middle) > part {
                low = middle;
            } else {
                high = middle;
            }
        }
        let pressure = 4.0 / 3.0 * e * density * (r * sigma).sqrt() * sigma * normal_excess_halves(low, 3);
        Ok(vec![pressure, low, psi])
    },
};
