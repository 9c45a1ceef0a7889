//! Curved bodies in contact over an ellipse.
use super::{Formula, Input, inputs};
use stickslip_model::Answer;

pub const FORMULA: Formula = Formula {
    name: "hertz-ellipse",
    about: "Ellipse, pressure and approach of bodies with two relative radii of curvature.\n\nWith m = 1 - (b/a)^2 and the complete elliptic integrals K(m), E(m):\n\
R_1/R_2 = (E/(1 - m) - K)/(K - E),   a^3 = 3 P R_1 (K - E)/(pi E* m),   p_0 = 3 P/(2 pi a b),   approach = 3 P K/(2 pi a E*)\n\nR_1 is the larger radius; the order of the two does not matter. Equal radii give `hertz-point`.",
    reference: "K. L. Johnson, Contact Mechanics (1985), eqs 4.24 and 4.26",
    inputs: &[
        Input::new("P", "N", "Normal force").above(0.0),
        Input::new("R_1", "m", "One principal relative radius").above(0.0),
        Input::new("R_2", "m", "The other").above(0.0),
        Input::new("E", "Pa", "Contact modulus E*").above(0.0),
    ],
    outputs: &[
        Answer::value("a", "m", "Longer semi-axis of the contact."),
        Answer::value("b", "m", "Shorter semi-axis."),
        Answer::value("p_0", "Pa", "Pressure in its middle."),
        Answer::value("approach", "m", "Approach of the bodies."),
        Answer::value("stiffness", "N/m", "Normal stiffness."),
    ],
    compute: |x| {
        let [p, r_1, r_2, e] = inputs(x);
        let (long, short) = (r_1.max(r_2), r_1.min(r_2));
        let flat = flatness(long / short)?;
        let Integrals { k, part, .. } = integrals(flat);
        let a = (3.0 * p * long * part / (std::f64::consts::PI * e)).cbrt();
        let b = a * flat;
        let approach = 3.0 * p * k / (2.0 * std::f64::consts::PI * a * e);
        let p_0 = 3.0 * p / (2.0 * std::f64::consts::PI * a * b);
        Ok(vec![a, b, p_0, approach, 1.5 * p / approach])
    },
};

/// Ratios of radii beyond this are a line.
const SLIMMEST: f64 = 1e8;
/// Halvings of the interval of b/a, by its logarithm, and where that begins.
const HALVINGS: usize = 80;
const FLATTEST: f64 = -20.0;
/// Means until both agree: each doubles the digits.
const MOST_MEANS: usize = 40;

/// The complete elliptic integrals of the parameter m.
struct Integrals {
    /// K(m).
    k: f64,
    /// (K - E)/m, which has a value at m = 0.
    part: f64,
    /// (E/(1 - m) - K)/m, likewise.
    rest: f64,
}

/// For b/a, by the arithmetic-geometric mean: K - E is a sum of positive terms, so that nothing cancels.
fn integrals(flat: f64) -> Integrals {
    let m = (1.0 - flat) * (1.0 + flat);
    let (mut a, mut b) = (1.0f64, flat);
    let (mut sum, mut power) = (0.5, 0.5);
    for _ in 0..MOST_MEANS {
        // The term over m: c^2/m with c_0^2 = m and c_1 = (a - b)/2.
        let c = 0.5 * (a - b);
        if c <= f64::EPSILON * a {
            break;
        }
        power *= 2.0;
        sum += power * c * c / m;
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let k = std::f64::consts::FRAC_PI_2 / a;
    let part = k * sum;
    // E = K - m part; E/(1 - m) - K = m (K - part)/(1 - m).
    Integrals { k, part, rest: (k - part) / (flat * flat) }
}

/// The b/a at which the ratio of the radii is this.
fn flatness(ratio: f64) -> Result<f64, String> {
    if ratio > SLIMMEST {
        return Err(format!("the radii differ by a factor of {ratio:.1e}: use hertz-line"));
    }
    // In the logarithm of b/a the ratio falls steadily to 1.
    let of = |log: f64| {
        let Integrals { part, rest, .. } = integrals(log.exp());
        rest / part
    };
    let (mut slim, mut round) = (FLATTEST, 0.0f64);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (slim + round);
        if of(middle) > ratio { slim = middle } else { round = middle }
    }
    Ok((0.5 * (slim + round)).exp())
}
