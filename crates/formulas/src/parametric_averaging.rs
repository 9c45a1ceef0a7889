//! Parametric instability of steady sliding under a normal load that oscillates, by averaging.
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "parametric-averaging",
    about: "The slope of friction over speed below which a load that oscillates at about twice the natural frequency makes steady \
sliding unstable, by averaging.\n\n\
y'' + [2 xi + S + S F sin(Omega t)] y' + y = F sin(Omega t),   Omega = 2 + eps\n\
(F^2 - 4) S^2 - 16 xi S - 4 (4 xi^2 + eps^2) = 0\n\n\
The root above -2 xi is the boundary. At the other the mean damping is negative already. Below F_min there is no root, below \
F_physical none above -2 xi. `stability` gives the exact boundary, by Floquet multipliers.",
    reference: "E. J. Berger, Appl. Mech. Rev. 55 (2002) 535, eq 45",
    inputs: &[
        Input::new("xi", "1", "Damping ratio").min(0.0),
        Input::new("F", "1", "Amplitude of the load over its mean").above(0.0),
        Input::new("eps", "1", "Omega - 2"),
    ],
    outputs: &[
        Answer::value("S", "1", "Slope of friction over speed at the boundary: the root above -2 xi."),
        Answer::value("S_other", "1", "The other root."),
        Answer::value("F_min", "1", "Amplitude at which the roots meet."),
        Answer::value("F_physical", "1", "Amplitude above which a root lies above -2 xi."),
    ],
    compute: |x| {
        let [xi, f, eps] = inputs(x);
        let (square, linear, constant) = (f * f - 4.0, -16.0 * xi, -4.0 * (4.0 * xi * xi + eps * eps));
        let least = 2.0 * eps.abs() / (4.0 * xi * xi + eps * eps).sqrt();
        let discriminant = linear * linear - 4.0 * square * constant;
        if discriminant < 0.0 || discriminant.is_nan() {
            return Err(format!(
                "no slope makes sliding unstable at F = {f:.6}: below F_min = {least:.6} there is no root"
            ));
        }
        // The larger root in size without a difference, and the other from their product.
        let large = -0.5 * (linear - discriminant.sqrt());
        let mut roots = [constant / large, if square == 0.0 { f64::NEG_INFINITY } else { large / square }];
        roots.sort_by(f64::total_cmp);
        // Of roots on both sides of zero the negative one is meant: friction that falls with speed.
        let (boundary, other) = if roots[1] > 0.0 { (roots[0], roots[1]) } else { (roots[1], roots[0]) };
        if boundary <= -2.0 * xi {
            let physical = eps.abs() / xi;
            return Err(format!(
                "both roots ({other:.6}, {boundary:.6}) lie below -2 xi, where the mean damping is negative: a boundary needs F \
                 above F_physical = {physical:.6}"
            ));
        }
        if !other.is_finite() || xi == 0.0 {
            return Err("at F = 2 or without damping one of the results is not finite".into());
        }
        Ok(vec![boundary, other, least, eps.abs() / xi])
    },
};
