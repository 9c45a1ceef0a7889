//! How a fretting contact moves.
use super::partial_slip::{hertz_point, mindlin_energy, shear};
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "fretting-regime",
    about: "How a contact of spheres moves under a tangential displacement to and fro: stick, partial slip or gross slip.\n\n\
            delta_gross = 3 mu P A/(16 a),   A = (2 - nu_1)/G_1 + (2 - nu_2)/G_2;   below it c/a = sqrt(1 - delta/delta_gross) \
            sticks\n\n\
            By this theory some slip is there under any motion: it counts as stick while the ring that slips is narrower than the \
            given part of\nthe radius. Beyond delta_gross the whole contact slides in each stroke.",
    reference: "O. Vingsbo and S. Soderberg, Wear 126 (1988) 131; E. J. Berger, Appl. Mech. Rev. 55 (2002) 535, Fig 4",
    inputs: &[
        Input::new("mu", "1", "Coefficient of friction").above(0.0),
        Input::new("P", "N", "Normal force").above(0.0),
        Input::new("delta", "m", "Amplitude of the displacement of distant points").min(0.0),
        Input::new("R", "m", "Relative radius").above(0.0),
        Input::new("G_1", "Pa", "Shear modulus of the first body").above(0.0),
        Input::new("nu_1", "1", "Its Poisson's ratio").min(-1.0).max(0.5),
        Input::new("G_2", "Pa", "Shear modulus of the second body").above(0.0),
        Input::new("nu_2", "1", "Its Poisson's ratio").min(-1.0).max(0.5),
        Input::new("ring", "1", "Width of the slipping ring, over the radius, up to which it counts as stick")
            .or(0.05)
            .min(0.0)
            .max(1.0),
    ],
    outputs: &[
        Answer::value("slip_regime", "1", "0: stick, 1: partial slip, 2: gross slip."),
        Answer::value("c_over_a", "1", "Radius of the part that sticks over that of the contact."),
        Answer::value("force", "N", "Amplitude of the tangential force."),
        Answer::value("energy", "J", "Energy dissipated in a cycle."),
        Answer::value("delta_partial", "m", "Amplitude at which partial slip begins."),
        Answer::value("delta_gross", "m", "Amplitude at which gross slip begins."),
    ],
    compute: |x| {
        let [mu, p, delta, r, g_1, nu_1, g_2, nu_2, ring] = inputs(x);
        let modulus = 2.0 / ((1.0 - nu_1) / g_1 + (1.0 - nu_2) / g_2);
        let [a, _] = hertz_point(p, r, modulus);
        let (limit, compliances) = (mu * p, shear([g_1, nu_1, g_2, nu_2]));
        let gross = 3.0 * limit * compliances / (16.0 * a);
        let partial = gross * ring * (2.0 - ring);
        let c_over_a = (1.0 - delta / gross).max(0.0).sqrt();
        let part = 1.0 - c_over_a.powi(3);
        let slides = 4.0 * limit * (delta - gross).max(0.0);
        let energy = limit * limit * compliances / a * mindlin_energy(part) + slides;
        let regime = f64::from(u8::from(delta > partial)) + f64::from(u8::from(delta > gross));
        Ok(vec![regime, c_over_a, limit * part, energy, partial, gross])
    },
};
