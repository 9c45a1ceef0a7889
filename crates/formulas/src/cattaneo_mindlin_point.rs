//! Spheres under normal and tangential force.
use super::partial_slip::{hertz_point, ratio, shear, stays_inside};
use super::{Formula, Input, inputs};
use std::f64::consts::{FRAC_2_PI, PI};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "cattaneo-mindlin-point",
    about: "Stick, slip and tractions of spheres in contact under normal and tangential force.\n\n\
            c/a = (1 - Q/(mu P))^(1/3),   traction = mu p_0 [sqrt(1 - x^2/a^2) - sqrt(c^2 - (x - e)^2)/a]\n\
            slip = 3 mu P A/(32 a^3) [(y^2 - 2 c^2)(1 - 2/pi asin(c/y)) + 2/pi c sqrt(y^2 - c^2)],   y = |x - e| > c,   \
            A = (2 - nu_1)/G_1 + (2 - nu_2)/G_2\n\
            e/a = 8 bulk/(pi mu p_0 (1 + nu_1) G_1 B),   B = (4 - 3 nu_1)/G_1 + (4 - 3 nu_2)/G_2\n\n\
            A stress in the bulk of the first body, along the force, moves the circle that sticks by e: within two circles the \
            tractions\nstrain both surfaces evenly along the force, and e is where that strain and the one of the bulk agree. \
            The strain across the\nforce is left out, of the tractions and of the bulk: without Poisson's ratios nothing is. \
            The slip is the mean over the directions\nat a distance y from the middle of stick.",
    reference: "R. D. Mindlin, J. Appl. Mech. 16 (1949) 259; K. L. Johnson, Contact Mechanics (1985), eq 3.91 and section 7.2; \
                the shift after D. Nowell and D. A. Hills, Int. J. Mech. Sci. 29 (1987) 355, for circles",
    inputs: &[
        Input::new("mu", "1", "Coefficient of friction").above(0.0),
        Input::new("P", "N", "Normal force").above(0.0),
        Input::new("Q", "N", "Tangential force, at most mu P").min(0.0),
        Input::new("R", "m", "Relative radius").above(0.0),
        Input::new("G_1", "Pa", "Shear modulus of the first body").above(0.0),
        Input::new("nu_1", "1", "Its Poisson's ratio").min(-1.0).max(0.5),
        Input::new("G_2", "Pa", "Shear modulus of the second body").above(0.0),
        Input::new("nu_2", "1", "Its Poisson's ratio").min(-1.0).max(0.5),
        Input::new("bulk", "Pa", "Tension in the bulk of the first body, along the force").or(0.0),
        Input::new("x", "m", "Place along the force, from the middle of the contact").or(0.0),
    ],
    outputs: &[
        Answer::value("a", "m", "Radius of the contact."),
        Answer::value("p_0", "Pa", "Pressure in its middle."),
        Answer::value("c_over_a", "1", "Radius of the part that sticks over a."),
        Answer::value("e_over_a", "1", "Middle of the part that sticks over a."),
        Answer::value("pressure", "Pa", "Pressure at x."),
        Answer::value("traction", "Pa", "Tangential traction at x."),
        Answer::value("slip", "m", "Slip at x."),
        Answer::value("edge_slip", "m", "Slip at the edge x = a."),
    ],
    compute: |x| {
        let [mu, p, q, r, g_1, nu_1, g_2, nu_2, bulk, x] = inputs(x);
        // 1/E = (1 - nu^2)/(2 G (1 + nu)) summed = (1 - nu)/(2 G) summed.
        let modulus = 2.0 / ((1.0 - nu_1) / g_1 + (1.0 - nu_2) / g_2);
        let [a, p_0] = hertz_point(p, r, modulus);
        let c = a * (1.0 - ratio(q, mu, p)?).cbrt();
        let strained = (4.0 - 3.0 * nu_1) / g_1 + (4.0 - 3.0 * nu_2) / g_2;
        let e = a * 8.0 * bulk / (PI * mu * p_0 * (1.0 + nu_1) * g_1 * strained);
        stays_inside(e, c, a)?;
        let ellipse = |b: f64, x: f64| (b * b - x * x).max(0.0).sqrt() / a;
        let slip = |x: f64| {
            let y = (x - e).abs();
            if y <= c || x.abs() > a * (1.0 + 1e-12) {
                return 0.0;
            }
            let still = FRAC_2_PI * (c / y).asin();
            let shape = (y * y - 2.0 * c * c) * (1.0 - still) + FRAC_2_PI * c * (y * y - c * c).sqrt();
            3.0 * mu * p / (32.0 * a * a * a) * shear([g_1, nu_1, g_2, nu_2]) * shape
        };
        let pressure = p_0 * ellipse(a, x);
        let traction = mu * (pressure - p_0 * ellipse(c, x - e));
        Ok(vec![a, p_0, c / a, e / a, pressure, traction, slip(x), slip(a)])
    },
};
