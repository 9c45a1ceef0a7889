//! How large a patch must slip before it runs away under rate-and-state friction.
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "nucleation-length",
    about: "Lengths at which slip on a fault under rate-and-state friction becomes unstable, and the stiffness below which a block does.\n\nL_b = G d_c/(b sigma),   h_star = 2 G d_c/(pi (b - a) sigma),   L_inf = L_b/(pi (1 - a/b)^2),   k_c = (b - a) sigma/d_c\n\n\
Antiplane shear takes G as it is, plane strain G/(1 - nu). L_inf is half the length of a growing patch under the ageing law for\na/b above 0.5; below 0.3781 it is 1.3774 L_b (`L_v`).",
    reference: "J. R. Rice, J. Geophys. Res. 98 (1993) 9885; A. M. Rubin and J.-P. Ampuero, J. Geophys. Res. 110 (2005) B11312; A. Ruina, J. Geophys. Res. 88 (1983) 10359",
    inputs: &[
        Input::new("G", "Pa", "Shear modulus; over 1 - nu for plane strain").above(0.0),
        Input::new("d_c", "m", "Characteristic slip").above(0.0),
        Input::new("sigma", "Pa", "Normal stress").above(0.0),
        Input::new("a", "1", "Direct effect").above(0.0),
        Input::new("b", "1", "Effect of the state").above(0.0),
    ],
    outputs: &[
        Answer::value("h_star", "m", "Critical length of Rice."),
        Answer::value("L_b", "m", "Length over which the state of the front changes."),
        Answer::value("L_inf", "m", "Half length of a growing patch, a/b towards 1."),
        Answer::value("L_v", "m", "Half length of a patch of constant size, a/b below 0.3781."),
        Answer::value("k_c", "Pa/m", "Stiffness per area below which a block sticks and slips."),
    ],
    compute: |x| {
        let [g, d_c, sigma, a, b] = inputs(x);
        if b <= a {
            return Err(format!("a = {a} is not below b = {b}: friction grows with the speed, and nothing nucleates"));
        }
        let l_b = g * d_c / (b * sigma);
        let h_star = 2.0 * g * d_c / (std::f64::consts::PI * (b - a) * sigma);
        let l_inf = l_b / (std::f64::consts::PI * (1.0 - a / b).powi(2));
        Ok(vec![h_star, l_b, l_inf, 1.3774 * l_b, (b - a) * sigma / d_c])
    },
};
