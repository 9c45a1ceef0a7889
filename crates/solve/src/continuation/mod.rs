//! Curves of equilibria and of Hopf points: predictor, corrector, and the points on them where something changes.
//!
//! H. B. Keller, Numerical solution of bifurcation and nonlinear eigenvalue problems (1977); W. J. F. Govaerts, Numerical
//! Methods for Bifurcations of Dynamical Equilibria (2000); Yu. A. Kuznetsov, Elements of Applied Bifurcation Theory.
mod bordered;
pub mod branch;
mod deflation;
pub mod fold;
pub mod hopf;
pub mod normal_form;
pub mod trace;

pub use bordered::{Complex, Frame};
pub use branch::Branch;
pub use deflation::other_roots;
pub use hopf::HopfCurve;
pub use trace::{Curve, Point, Settings, Trouble, correct, tangent};

/// Equations x' = F(x, p) that depend on parameters, with their exact Jacobian in x.
///
/// Parameters are places: 0 and 1 are the ends of their ranges.
pub trait Family {
    /// Number of unknowns.
    fn dim(&self) -> usize;

    /// Rates, and their Jacobian row after row; or why there are none.
    fn evaluate(&mut self, x: &[f64], p: &[f64], rates: &mut [f64], jac: &mut [f64]) -> Result<(), String>;

    /// How far each unknown moves before the equations change noticeably.
    fn sizes(&self, x: &[f64], out: &mut [f64]);
}

/// Difference by which Jacobians are compared, against the sizes of the unknowns or the range of a parameter: the sum of the
/// errors of cut and of rounding is least near the third root of the machine's precision.
const DIFFERENCE: f64 = 1e-5;

/// Rates and Jacobian at two places around p along one parameter, and the distance between them; one-sided where the range of
/// the parameter ends.
struct Around {
    low: (Vec<f64>, Vec<f64>),
    high: (Vec<f64>, Vec<f64>),
    width: f64,
}

fn around(family: &mut dyn Family, x: &[f64], p: &[f64], k: usize) -> Result<Around, String> {
    let n = family.dim();
    let mut place = p.to_vec();
    let mut at = |offset: f64| -> Result<(Vec<f64>, Vec<f64>), String> {
        let (mut f, mut jac) = (vec![0.0; n], vec![0.0; n * n]);
        place[k] = p[k] + offset;
        family.evaluate(x, &place, &mut f, &mut jac)?;
        Ok((f, jac))
    };
    let (low, high) = (at(-DIFFERENCE), at(DIFFERENCE));
    match (low, high) {
        (Ok(low), Ok(high)) => Ok(Around { low, high, width: 2.0 * DIFFERENCE }),
        (Err(_), Ok(high)) => Ok(Around { low: at(0.0)?, high, width: DIFFERENCE }),
        (Ok(low), Err(_)) => Ok(Around { low, high: at(0.0)?, width: DIFFERENCE }),
        (Err(e), Err(_)) => Err(e),
    }
}

/// d(Jacobian)/ds along a direction of the unknowns, by central differences.
fn jacobian_slope(
    family: &mut dyn Family,
    x: &[f64],
    p: &[f64],
    direction: &[f64],
    sizes: &[f64],
) -> Result<Vec<f64>, String> {
    let n = family.dim();
    let reach = direction.iter().zip(sizes).map(|(d, s)| (d / s).abs()).fold(0.0, f64::max);
    if reach == 0.0 {
        return Ok(vec![0.0; n * n]);
    }
    let h = DIFFERENCE / reach;
    let (mut f, mut low, mut high) = (vec![0.0; n], vec![0.0; n * n], vec![0.0; n * n]);
    let moved = |h: f64| -> Vec<f64> { x.iter().zip(direction).map(|(x, d)| x + h * d).collect() };
    family.evaluate(&moved(-h), p, &mut f, &mut low)?;
    family.evaluate(&moved(h), p, &mut f, &mut high)?;
    high.iter_mut().zip(&low).for_each(|(high, low)| *high = (*high - low) / (2.0 * h));
    Ok(high)
}
