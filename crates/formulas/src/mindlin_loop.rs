//! Dissipation of spheres under a tangential force to and fro.
use super::partial_slip::{mindlin_energy, ratio, shear};
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "mindlin-loop",
    about: "Energy that spheres in contact dissipate in a cycle of a tangential force between -Q and Q.\n\n\
            energy = 9 (mu P)^2 A/(10 a) {1 - (1 - q)^(5/3) - 5 q/6 [1 + (1 - q)^(2/3)]},   q = Q/(mu P),   \
            A = (2 - nu_1)/G_1 + (2 - nu_2)/G_2\n\nFor small forces energy = A/(36 a) Q^3/(mu P).",
    reference: "R. D. Mindlin and H. Deresiewicz, J. Appl. Mech. 20 (1953) 327; E. J. Berger, Appl. Mech. Rev. 55 (2002) 535, eq 19",
    inputs: &[
        Input::new("mu", "1", "Coefficient of friction").above(0.0),
        Input::new("P", "N", "Normal force").above(0.0),
        Input::new("Q", "N", "Amplitude of the tangential force, at most mu P").min(0.0),
        Input::new("a", "m", "Radius of the contact").above(0.0),
        Input::new("G_1", "Pa", "Shear modulus of the first body").above(0.0),
        Input::new("nu_1", "1", "Its Poisson's ratio").min(-1.0).max(0.5),
        Input::new("G_2", "Pa", "Shear modulus of the second body").above(0.0),
        Input::new("nu_2", "1", "Its Poisson's ratio").min(-1.0).max(0.5),
    ],
    outputs: &[
        Answer::value("energy", "J", "Energy dissipated in a cycle."),
        Answer::value("energy_small", "J", "The same by the law for small forces."),
        Answer::value("cubic_coefficient", "m/N", "Its coefficient, A/(36 a)."),
    ],
    compute: |x| {
        let [mu, p, q, a, g_1, nu_1, g_2, nu_2] = inputs(x);
        let (limit, part) = (mu * p, ratio(q, mu, p)?);
        let compliances = shear([g_1, nu_1, g_2, nu_2]);
        let cubic = compliances / (36.0 * a);
        Ok(vec![limit * limit * compliances / a * mindlin_energy(part), cubic * q * q * q / limit, cubic])
    },
};
