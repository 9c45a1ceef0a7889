//! Cylinders under normal and tangential force.
use super::partial_slip::Line;
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "cattaneo-mindlin",
    about: "Stick, slip and tractions of cylinders in contact under normal and tangential force.\n\n\
            pressure = p_0 sqrt(1 - x^2/a^2),   c/a = sqrt(1 - Q/(mu P)),   e = a bulk/(4 mu p_0)\n\
            traction = mu p_0 [sqrt(1 - x^2/a^2) - sqrt(c^2 - (x - e)^2)/a]\n\
            slip = mu p_0/(a E) [y r - c^2 ln((y + r)/c)],   y = |x - e| > c,   r = sqrt(y^2 - c^2)\n\n\
            A stress in the bulk of one body moves the part that sticks by e; for bodies of one material.",
    reference: "C. Cattaneo (1938); R. D. Mindlin, J. Appl. Mech. 16 (1949) 259; D. Nowell and D. A. Hills, Int. J. Mech. Sci. 29 (1987) 355; \
                E. J. Berger, Appl. Mech. Rev. 55 (2002) 535, eq 14",
    inputs: &[
        Input::new("mu", "1", "Coefficient of friction").above(0.0),
        Input::new("P", "N/m", "Normal force on a unit of length").above(0.0),
        Input::new("Q", "N/m", "Tangential force on a unit of length, at most mu P").min(0.0),
        Input::new("R", "m", "Relative radius").above(0.0),
        Input::new("E", "Pa", "Contact modulus").above(0.0),
        Input::new("bulk", "Pa", "Tension in the bulk of the lower body").or(0.0),
        Input::new("x", "m", "Place along the contact, from its middle").or(0.0),
    ],
    outputs: &[
        Answer::value("a", "m", "Half width of the contact."),
        Answer::value("p_0", "Pa", "Pressure in its middle."),
        Answer::value("c_over_a", "1", "Half width of the part that sticks over a."),
        Answer::value("e_over_a", "1", "Middle of the part that sticks over a."),
        Answer::value("pressure", "Pa", "Pressure at x."),
        Answer::value("traction", "Pa", "Tangential traction at x."),
        Answer::value("slip", "m", "Slip at x."),
        Answer::value("edge_slip", "m", "Slip at the edge x = a."),
    ],
    compute: |x| {
        let [mu, p, q, r, e, bulk, x] = inputs(x);
        let line = Line::new([mu, p, q, r, e, bulk])?;
        Ok(vec![
            line.a,
            line.p_0,
            line.c / line.a,
            line.e / line.a,
            line.pressure(x),
            line.traction(x),
            line.slip(x),
            line.slip(line.a),
        ])
    },
};
