//! The tangential compliance of spheres in contact.
use super::partial_slip::{ratio, shear};
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "mindlin-compliance",
    about: "Tangential displacement of spheres in contact under a force that grows from zero.\n\ndelta = 3 mu P/(16 a) A \
            [1 - (1 - Q/(mu P))^(2/3)],   A = (2 - nu_1)/G_1 + (2 - nu_2)/G_2,   stiffness 8 a/A at first",
    reference: "R. D. Mindlin, J. Appl. Mech. 16 (1949) 259; K. L. Johnson, Contact Mechanics (1985), section 7.2",
    inputs: &[
        Input::new("mu", "1", "Coefficient of friction").above(0.0),
        Input::new("P", "N", "Normal force").above(0.0),
        Input::new("Q", "N", "Tangential force, at most mu P").or(0.0).min(0.0),
        Input::new("a", "m", "Radius of the contact").above(0.0),
        Input::new("G_1", "Pa", "Shear modulus of the first body").above(0.0),
        Input::new("nu_1", "1", "Its Poisson's ratio").min(-1.0).max(0.5),
        Input::new("G_2", "Pa", "Shear modulus of the second body").above(0.0),
        Input::new("nu_2", "1", "Its Poisson's ratio").min(-1.0).max(0.5),
    ],
    outputs: &[
        Answer::value("displacement", "m", "Displacement of distant points along the surface."),
        Answer::value("stiffness", "N/m", "Stiffness under that force."),
        Answer::value("stiffness_first", "N/m", "Stiffness of a contact without slip."),
        Answer::value("c_over_a", "1", "Radius of the part that sticks over that of the contact."),
    ],
    compute: |x| {
        let [mu, p, q, a, g_1, nu_1, g_2, nu_2] = inputs(x);
        let part = ratio(q, mu, p)?;
        let compliances = shear([g_1, nu_1, g_2, nu_2]);
        // 1 - (1 - q)^(2/3) without cancellation.
        let grown = -(2.0 / 3.0 * (-part).ln_1p()).exp_m1();
        let first = 8.0 * a / compliances;
        let c_over_a = (1.0 - part).cbrt();
        Ok(vec![3.0 * mu * p / (16.0 * a) * compliances * grown, first * c_over_a, first, c_over_a])
    },
};
