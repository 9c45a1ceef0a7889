//! The polynomial through the values of a quantity at the start and the stages of a step.

use stickslip_real::root::Bracket;

/// Part of a step to which a zero is found.
const CLOSE: f64 = 1e-15;
/// The same for a turn, whose value has all its digits then.
const CLOSE_TO_TURN: f64 = 1e-9;
/// Times the steeper of the slopes at two nodes by which a value between them may exceed both: slopes may be steeper there.
const STEEPER: f64 = 2.0;
/// Stages of the longest method, and the start.
pub const MOST_NODES: usize = 6;

/// Where a polynomial turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// The node before it.
    pub before: usize,
    /// Its place, as a part of the step.
    pub part: f64,
    /// The value of the polynomial there.
    pub value: f64,
    /// 1 for a maximum, -1 for a minimum.
    pub sign: f64,
}

/// The nodes of a step from 0 to 1, its start included, with what polynomials through values there need.
#[derive(Clone, Debug)]
pub struct Nodes {
    nodes: Vec<f64>,
    /// Product of 1/(x_k - x_j) over the other nodes j.
    scales: Vec<f64>,
    /// Slopes at the nodes from values there, row after row.
    slopes: Vec<f64>,
    /// How far beyond the values a turn may lie at most, over their range.
    farthest: f64,
}

impl Nodes {
    /// For the stages of a method; the last of them is the end of the step.
    pub fn new(stages: &[f64]) -> Nodes {
        let nodes: Vec<f64> = std::iter::once(0.0).chain(stages.iter().copied()).collect();
        let m = nodes.len();
        let others = |k: usize| (0..m).filter(move |j| *j != k);
        let scales: Vec<f64> = (0..m).map(|k| others(k).map(|j| 1.0 / (nodes[k] - nodes[j])).product()).collect();
        let mut slopes = vec![0.0; m * m];
        for i in 0..m {
            for k in others(i) {
                slopes[i * m + k] = scales[k] / (scales[i] * (nodes[i] - nodes[k]));
            }
            // Constants have no slope.
            slopes[i * m + i] = -others(i).map(|k| slopes[i * m + k]).sum::<f64>();
        }
        let steepest = |row: &[f64]| row[1..].iter().map(|d| d.abs()).sum::<f64>();
        let steepest = slopes.chunks_exact(m).map(steepest).fold(0.0, f64::max);
        let widest = nodes.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
        Nodes { nodes, scales, slopes, farthest: STEEPER * steepest * widest }
    }

    /// Place of a node.
    pub fn at(&self, k: usize) -> f64 {
        self.nodes[k]
    }

    /// Weights of the values in the slope of the polynomial at a node.
    pub fn slope_weights(&self, k: usize) -> &[f64] {
        let m = self.nodes.len();
        &self.slopes[k * m..(k + 1) * m]
    }

    /// Weights of the values in the polynomial at a place.
    pub fn weights(&self, s: f64) -> [f64; MOST_NODES] {
        let mut weights = [0.0; MOST_NODES];
        // Products over the nodes before each, then over those after it.
        let mut product = 1.0;
        for ((weight, scale), node) in weights.iter_mut().zip(&self.scales).zip(&self.nodes) {
            *weight = scale * product;
            product *= s - node;
        }
        product = 1.0;
        for (weight, node) in weights.iter_mut().zip(&self.nodes).rev() {
            *weight *= product;
            product *= s - node;
        }
        weights
    }

    /// The polynomial through these values at a place.
    fn value(&self, f: &[f64], s: f64) -> f64 {
        // About the first value, so that a small change of a large one keeps its digits.
        f[0] + self.weights(s).iter().zip(f).map(|(w, x)| w * (x - f[0])).sum::<f64>()
    }

    /// The root of the polynomial through these values between nodes k and k + 1, where they have opposite signs.
    pub fn root(&self, f: &[f64], k: usize) -> f64 {
        self.root_to(f, k, CLOSE)
    }

    fn root_to(&self, f: &[f64], k: usize, close: f64) -> f64 {
        let ((a, fa), (b, fb)) = ((self.nodes[k], f[k]), (self.nodes[k + 1], f[k + 1]));
        let mut bracket = Bracket::new((a, fa), (b, fb)).with_guess(a + (b - a) * (fa / (fa - fb)));
        while let Some(s) = bracket.next(close) {
            bracket.narrow(s, self.value(f, s));
        }
        bracket.best().0
    }

    /// Where the polynomial through these values, which lie between `low` and `high`, turns, if its value there may lie outside
    /// of what is `known` already.
    pub fn turns<'a>(
        &'a self,
        f: &'a [f64],
        (low, high): (f64, f64),
        known: (f64, f64),
    ) -> impl Iterator<Item = Turn> + 'a {
        let m = self.nodes.len();
        let mut slopes = [0.0; MOST_NODES];
        // Usually the values are too far inside of what is known for any slope to lead out of it.
        let beyond = self.farthest * (high - low);
        if !(high + beyond <= known.1 && low - beyond >= known.0) {
            for (slope, row) in slopes.iter_mut().zip(self.slopes.chunks_exact(m)) {
                *slope = row.iter().zip(f).map(|(d, x)| d * (x - f[0])).sum();
            }
        }
        let new = move |k: &usize| {
            let steep = slopes[*k].abs().max(slopes[k + 1].abs());
            let beyond = STEEPER * steep * (self.nodes[k + 1] - self.nodes[*k]);
            f[*k].max(f[k + 1]) + beyond > known.1 || f[*k].min(f[k + 1]) - beyond < known.0
        };
        (0..m - 1).filter(move |k| slopes[*k] * slopes[k + 1] < 0.0).filter(new).map(move |before| {
            // The slope is a polynomial through its own values too.
            let part = self.root_to(&slopes[..m], before, CLOSE_TO_TURN);
            Turn { before, part, value: self.value(f, part), sign: slopes[before].signum() }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip_solve::radau::tableau::{ORDER_5, ORDER_9};

    const NONE: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);

    fn range(values: &[f64]) -> (f64, f64) {
        values.iter().fold(NONE, |(low, high), x| (low.min(*x), high.max(*x)))
    }

    #[test]
    fn values_far_inside_of_what_is_known_do_not_turn_out_of_it() {
        let nodes = Nodes::new(&ORDER_9.nodes);
        let values: Vec<f64> = nodes.nodes.iter().map(|s| s * (s - 0.4) * (s - 0.8)).collect();
        let count = |known| nodes.turns(&values, range(&values), known).count();
        assert_eq!((count((-10.0, 10.0)), count((-10.0, 0.0)), count((0.0, 10.0))), (0, 2, 2));
    }

    #[test]
    fn a_polynomial_of_the_degree_of_the_stages_turns_where_it_does() {
        for stages in [&ORDER_5.nodes[..], &ORDER_9.nodes[..]] {
            let nodes = Nodes::new(stages);
            for place in [0.01, 0.3, 0.77, 0.99] {
                let f = |s: f64| 3.0 - (s - place) * (s - place) * (1.0 + 0.1 * s);
                let values: Vec<f64> = nodes.nodes.iter().map(|s| f(*s)).collect();
                let turns: Vec<Turn> = nodes.turns(&values, range(&values), NONE).collect();
                assert_eq!(turns.len(), 1, "{turns:?}");
                assert!((turns[0].part - place).abs() < 1e-9 && (turns[0].value - 3.0).abs() < 1e-14, "{turns:?}");
                assert_eq!(turns[0].sign, 1.0);
            }
        }
    }

    #[test]
    fn two_turns_in_one_step_are_both_found() {
        let nodes = Nodes::new(&ORDER_9.nodes);
        let values: Vec<f64> = nodes.nodes.iter().map(|s| s * (s - 0.4) * (s - 0.8)).collect();
        assert_eq!(nodes.turns(&values, range(&values), NONE).map(|t| t.sign).collect::<Vec<_>>(), [1.0, -1.0]);
    }
}
