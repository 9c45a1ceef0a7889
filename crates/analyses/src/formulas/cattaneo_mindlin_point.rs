//! Spheres under normal and tangential force.
use super::partial_slip::{hertz_point, ratio, shear};
use super::{Formula, Input, inputs};
use crate::analysis::Answer;
use std::f64::consts::FRAC_2_PI;

pub const FORMULA: Formula = Formula {
    name: "cattaneo-mindlin-point",
    about: "Stick, slip and tractions of spheres in contact under normal and tangential force.\n\n\
            c/a = (1 - Q/(mu P))^(1/3),   traction = mu p_0 [sqrt(1 - x^2/a^2) - sqrt(c^2 - x^2)/a]\n\
            slip = 3 mu P A/(32 a^3) [(x^2 - 2 c^2)(1 - 2/pi asin(c/x)) + 2/pi c sqrt(x^2 - c^2)],   x > c,   \
            A = (2 - nu_1)/G_1 + (2 - nu_2)/G_2\n\n\
            The slip is the mean over the directions at a distance x from the middle; its part across the force is left out.",
    reference: "R. D. Mindlin, J. Appl. Mech. 16 (1949) 259; K. L. Johnson, Contact Mechanics (1985), section 7.2",
    inputs: &[
        Input::new("mu", "1", "Coefficient of friction").above(0.0),
        Input::new("P", "N", "Normal force").above(0.0),
        Input::new("Q", "N", "Tangential force, at most mu P").min(0.0),
        Input::new("R", "m", "Relative radius").above(0.0),
        Input::new("G_1", "Pa", "Shear modulus of the first body").above(0.0),
        Input::new("nu_1", "1", "Its Poisson's ratio").min(-1.0).max(0.5),
        Input::new("G_2", "Pa", "Shear modulus of the second body").above(0.0),
        Input::new("nu_2", "1", "Its Poisson's ratio").min(-1.0).max(0.5),
        Input::new("x", "m", "Distance from the middle").or(0.0),
    ],
    outputs: &[
        Answer::value("a", "m", "Radius of the contact."),
        Answer::value("p_0", "Pa", "Pressure in its middle."),
        Answer::value("c_over_a", "1", "Radius of the part that sticks over a."),
        Answer::value("pressure", "Pa", "Pressure at x."),
        Answer::value("traction", "Pa", "Tangential traction at x."),
        Answer::value("slip", "m", "Slip at x."),
        Answer::value("edge_slip", "m", "Slip at the edge."),
    ],
    compute: |x| {
        let [mu, p, q, r, g_1, nu_1, g_2, nu_2, x] = inputs(x);
        // 1/E = (1 - nu^2)/(2 G (1 + nu)) summed = (1 - nu)/(2 G) summed.
        let modulus = 2.0 / ((1.0 - nu_1) / g_1 + (1.0 - nu_2) / g_2);
        let [a, p_0] = hertz_point(p, r, modulus);
        let c = a * (1.0 - ratio(q, mu, p)?).cbrt();
        let ellipse = |b: f64| (b * b - x * x).max(0.0).sqrt() / a;
        let slip = |x: f64| {
            let x = x.abs();
            if x <= c || x > a * (1.0 + 1e-12) {
                return 0.0;
            }
            let still = FRAC_2_PI * (c / x).asin();
            let shape = (x * x - 2.0 * c * c) * (1.0 - still) + FRAC_2_PI * c * (x * x - c * c).sqrt();
            3.0 * mu * p / (32.0 * a * a * a) * shear([g_1, nu_1, g_2, nu_2]) * shape
        };
        let pressure = p_0 * ellipse(a);
        Ok(vec![a, p_0, c / a, pressure, mu * (pressure - p_0 * ellipse(c)), slip(x), slip(a)])
    },
};
