//! The viscous damper that takes as much energy as friction that grows with the amplitude.
use super::{Formula, Input, inputs};
use std::f64::consts::PI;
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "equivalent-damping",
    about: "The viscous damper that takes as much energy in a cycle as friction that grows as a power of the displacement.\n\n\
force c |x|^n sgn(x'),   x = A sin(omega t):   c_eq = 4 c A^(n - 1)/(pi omega (n + 1))",
    reference: "A. A. Ferri and J. Bindemann, J. Vib. Acoust. 114 (1992) 222; E. J. Berger, Appl. Mech. Rev. 55 (2002) 535, Table 9",
    inputs: &[
        Input::power("c", "N/m", "n", "Friction force over a power of the displacement, N/m^n").min(0.0),
        Input::new("n", "1", "Exponent of the displacement; 0: Coulomb friction").min(0.0),
        Input::new("A", "m", "Amplitude").above(0.0),
        Input::new("omega", "rad/s", "Frequency").above(0.0),
    ],
    outputs: &[Answer::value("c_eq", "N s/m", "The damper.")],
    compute: |x| {
        let [c, n, amplitude, omega] = inputs(x);
        Ok(vec![4.0 * c * amplitude.powf(n - 1.0) / (PI * omega * (n + 1.0))])
    },
};
