//! Which of the modes that the instant allows hold from there on.
//!
//! All combinations are tried while they are few: one that holds alone is taken, several different motions or none are
//! reported. Where they are many, what fails is changed until nothing does, as in a pivoting scheme.
use crate::transition::modes::NoModes;
use stickslip_dynamics::Trouble;
use stickslip_dynamics::combinations::{combination, count};
use stickslip_laws::Mode;
use stickslip_solve::polynomial::Coefficients;

/// Combinations that are all tried.
const MOST_TRIED: usize = 4096;
/// Two motions are one when they agree to this part of what their coefficients are sums of.
const SAME: f64 = 1e-9;

/// How a motion begins: coefficients, and what they are sums of.
#[derive(Clone, Debug)]
pub struct Motion {
    coefficients: Vec<f64>,
    bounds: Vec<f64>,
    /// Terms of each unknown.
    orders: usize,
}

impl Motion {
    /// Unknowns a moment later, and their sizes.
    pub fn later(coefficients: Vec<f64>, bounds: Vec<f64>) -> Motion {
        Motion { coefficients, bounds, orders: 1 }
    }

    /// The first terms of all unknowns.
    pub fn new(y: &[Coefficients], bound: &[Coefficients], orders: usize) -> Motion {
        let list = |all: &[Coefficients]| all.iter().flat_map(|c| c[..orders].iter().copied()).collect();
        Motion { coefficients: list(y), bounds: list(bound), orders }
    }

    fn same(&self, other: &Motion) -> bool {
        let orders = self.orders.min(other.orders);
        let lists = |m: &Motion, k: usize| (m.coefficients[k], m.bounds[k]);
        (0..self.coefficients.len() / self.orders).all(|j| {
            (0..orders).all(|k| {
                let ((a, c), (b, d)) = (lists(self, j * self.orders + k), lists(other, j * other.orders + k));
                (a - b).abs() <= SAME * (c + d)
            })
        })
    }
}

/// What came of trying a set of modes.
#[derive(Clone, Debug)]
pub enum Tested {
    /// They hold for a while.
    Holds(Motion),
    /// A point leaves its mode at once, for this one.
    Fails(usize, Mode),
    /// The reactions are not determined.
    Singular(Trouble),
}

/// Modes that are possible at a point.
pub type Options = Vec<Mode>;

/// Finds the modes that hold. `options` lists what each point may do, the most closed first; `breaks_loose` says at which
/// points stick holds more than slip: there a point that can stick does.
pub fn choose(
    options: &[Options],
    breaks_loose: &[bool],
    mut test: impl FnMut(&[Mode]) -> Tested,
) -> Result<Vec<Mode>, NoModes> {
    let count = count(options);
    if count > MOST_TRIED {
        return pivot(options, test);
    }
    let mut held: Vec<(Vec<Mode>, Motion)> = vec![];
    let mut singular = None;
    let mut modes: Vec<Mode> = options.iter().map(|o| o[0]).collect();
    for k in 0..count {
        modes.iter_mut().zip(combination(options, k)).for_each(|(mode, one)| *mode = one);
        match test(&modes) {
            Tested::Fails(..) => {}
            Tested::Singular(trouble) => singular = Some(trouble),
            Tested::Holds(motion) => {
                let sticks_instead = |other: &[Mode]| {
                    let pairs = other.iter().zip(&modes).enumerate();
                    pairs
                        .into_iter()
                        .all(|(i, (a, b))| a == b || (*a == Mode::Stick && b.sign() != 0.0 && breaks_loose[i]))
                };
                if !held.iter().any(|(other, one)| one.same(&motion) || sticks_instead(other)) {
                    held.push((modes.clone(), motion));
                }
            }
        }
    }
    match (held.len(), singular) {
        (1, _) => Ok(held.remove(0).0),
        (0, Some(trouble)) => Err(trouble.into()),
        (0, None) => Err(NoModes::None(count)),
        _ => Err(NoModes::Several(held.into_iter().map(|(m, _)| m).collect())),
    }
}

/// Changes what fails, one point at a time.
fn pivot(options: &[Options], mut test: impl FnMut(&[Mode]) -> Tested) -> Result<Vec<Mode>, NoModes> {
    let mut modes: Vec<Mode> = options.iter().map(|o| o[0]).collect();
    let mut tried = vec![];
    loop {
        match test(&modes) {
            Tested::Holds(_) => return Ok(modes),
            Tested::Singular(trouble) => return Err(trouble.into()),
            Tested::Fails(i, instead) => {
                let allowed = options[i].contains(&instead);
                let returns = tried.contains(&modes);
                tried.push(modes.clone());
                if returns || !allowed {
                    return Err(NoModes::Cycle(tried));
                }
                modes[i] = instead;
            }
        }
    }
}
