//! The fretting parameter of Ruiz and Chen.
use super::partial_slip::{Line, largest};
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

/// Values that differ by less than this part are alike.
const ALIKE: f64 = 1e-12;

pub const FORMULA: Formula = Formula {
    name: "ruiz-chen",
    about: "The fretting parameter of Ruiz and Chen along a contact of cylinders.\n\nk = sigma_T traction slip,   with traction and slip of \
            `cattaneo-mindlin`\n\nCracks begin where it is largest.",
    reference: "C. Ruiz and K. C. Chen (1986); E. J. Berger, Appl. Mech. Rev. 55 (2002) 535, eq 17",
    inputs: &[
        Input::new("mu", "1", "Coefficient of friction").above(0.0),
        Input::new("P", "N/m", "Normal force on a unit of length").above(0.0),
        Input::new("Q", "N/m", "Tangential force on a unit of length, at most mu P").min(0.0),
        Input::new("R", "m", "Relative radius").above(0.0),
        Input::new("E", "Pa", "Contact modulus").above(0.0),
        Input::new("sigma_T", "Pa", "Tension along the surface, the same everywhere"),
        Input::new("bulk", "Pa", "Tension in the bulk of the lower body, which moves the part that sticks").or(0.0),
        Input::new("x", "m", "Place along the contact, from its middle").or(0.0),
    ],
    outputs: &[
        Answer::value("k", "Pa^2 m", "The parameter at x."),
        Answer::value("work", "Pa m", "Work of friction at x: traction times slip."),
        Answer::value("k_max", "Pa^2 m", "Its largest value."),
        Answer::value("x_max", "m", "Where it is largest."),
        Answer::value("x_max_over_a", "1", "The same over the half width of the contact."),
    ],
    compute: |x| {
        let [mu, p, q, r, e, tension, bulk, x] = inputs(x);
        let line = Line::new([mu, p, q, r, e, bulk])?;
        let work = |x: f64| line.traction(x) * line.slip(x);
        let right = [line.e + line.c, line.a];
        let best = largest(work, &right);
        let left = largest(work, &[-line.a, line.e - line.c]);
        // Without a stress in the bulk both sides are alike: the right one is named, whatever rounding says.
        let best = if left[1] > best[1] * (1.0 + ALIKE) { left } else { best };
        Ok(vec![tension * work(x), work(x), tension * best[1], best[0], best[0] / line.a])
    },
};
