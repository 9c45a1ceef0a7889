//! The nominal pressure at which asperities begin to yield.
use super::{Formula, Input, inputs};
use crate::analysis::Answer;
use std::f64::consts::FRAC_1_SQRT_2;
use stickslip_real::special::{erfc, normal_excess, normal_excess_halves};

/// Halvings of the bracket of the separation.
const HALVINGS: usize = 200;

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
            let tail = 0.5 * erfc((t + onset) * FRAC_1_SQRT_2);
            let all = normal_excess(t);
            if all > 0.0 { (normal_excess(t + onset) + onset * tail) / all } else { (-t * onset).exp() }
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
