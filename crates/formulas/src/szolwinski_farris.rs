//! The fretting parameter of Szolwinski and Farris.
use super::partial_slip::{Line, largest};
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "szolwinski-farris",
    about: "The fretting parameter of Szolwinski and Farris on planes across the surface of a contact of cylinders.\n\n\
            Gamma = largest stress times amplitude of strain, both along the surface, in a cycle of Q and the bulk stress between\n\
            plus and minus. stress = -pressure +- s(x), s by the traction of `cattaneo-mindlin` and the bulk; in plane strain the \
            amplitude\nof strain is (1 - nu^2)/Y |s|. Gamma is zero where the surface stays compressed.",
    reference: "M. P. Szolwinski and T. N. Farris, Wear 198 (1996) 93; E. J. Berger, Appl. Mech. Rev. 55 (2002) 535, section 2.4",
    inputs: &[
        Input::new("mu", "1", "Coefficient of friction").above(0.0),
        Input::new("P", "N/m", "Normal force on a unit of length").above(0.0),
        Input::new("Q", "N/m", "Amplitude of the tangential force on a unit of length, at most mu P").min(0.0),
        Input::new("R", "m", "Relative radius").above(0.0),
        Input::new("E", "Pa", "Contact modulus").above(0.0),
        Input::new("Y", "Pa", "Young's modulus of the body that is looked at").above(0.0),
        Input::new("nu", "1", "Its Poisson's ratio").min(-1.0).max(0.5),
        Input::new("bulk", "Pa", "Amplitude of the tension in its bulk, in phase").or(0.0),
        Input::new("x", "m", "Place along the surface, from the middle of the contact").or(0.0),
    ],
    outputs: &[
        Answer::value("stress", "Pa", "Largest stress along the surface at x."),
        Answer::value("strain", "1", "Amplitude of the strain along the surface at x."),
        Answer::value("gamma", "Pa", "The parameter at x."),
        Answer::value("gamma_max", "Pa", "Its largest value."),
        Answer::value("x_max", "m", "Where it is largest."),
        Answer::value("x_max_over_a", "1", "The same over the half width of the contact."),
    ],
    compute: |x| {
        let [mu, p, q, r, e, young, nu, bulk, x] = inputs(x);
        let line = Line::new([mu, p, q, r, e, bulk])?;
        let stress = |x: f64| line.stress(x).abs() - line.pressure(x);
        let strain = |x: f64| (1.0 - nu * nu) / young * line.stress(x).abs();
        let gamma = |x: f64| stress(x).max(0.0) * strain(x);
        let (a, c) = (line.a, line.c);
        let best = largest(gamma, &[-4.0 * a, -a, line.e - c, line.e + c, a, 4.0 * a]);
        Ok(vec![stress(x), strain(x), gamma(x), best[1], best[0], best[0] / a])
    },
};
