//! The collocation polynomial of a step: inside it, and continued as a guess of the next one.
use super::Radau;
use super::newton::transform;
use super::tableau::Tableau;

/// Places at which a collocation polynomial is known, the start included, at most.
pub const MOST_NODES: usize = 6;

/// Inverse distances of nodes that lie a level apart, counted from the last one back to the start.
pub fn inverse_spans(nodes: &[f64]) -> [[f64; MOST_NODES]; MOST_NODES] {
    let s = nodes.len();
    let node = |k: usize| if k < s { nodes[s - 1 - k] } else { 0.0 };
    let mut spans = [[0.0; MOST_NODES]; MOST_NODES];
    for level in 1..=s {
        for k in 0..=s - level {
            spans[level][k] = 1.0 / (node(k + level) - node(k));
        }
    }
    spans
}

impl Radau {
    /// Value of unknown i at the part `s` in [0, 1] of the last trial's step, by the collocation polynomial
    /// (its error is of order S + 1 in the step).
    pub fn dense(&self, i: usize, s: f64, start: f64) -> f64 {
        let nodes = self.nodes();
        let mut sum = 0.0;
        for (k, x) in nodes.iter().enumerate() {
            let mut basis = self.z[k * self.n + i] * s / x;
            for (j, other) in nodes.iter().enumerate() {
                if j != k {
                    basis *= (s - other) / (x - other);
                }
            }
            sum += basis;
        }
        start + sum
    }

    /// Starts Newton from the last collocation polynomial, continued.
    #[inline(always)]
    pub(super) fn guess<const N: usize, const S: usize>(&mut self, method: &Tableau<S>, h: f64) {
        let n = if N > 0 { N } else { self.n };
        if !self.has_polynomial {
            self.z.fill(0.0);
            self.w.fill(0.0);
            return;
        }
        let ratio = h / self.accepted_step;
        for k in 0..S {
            for i in 0..n {
                self.z[k * n + i] = self.continued(method, i, ratio * method.nodes[k]);
            }
        }
        transform::<N, S>(n, &method.to, &self.z, &mut self.w);
    }

    /// How far the last collocation polynomial leads unknown `i` beyond its step, at a place in units of that step: Newton's
    /// form, nodes from the last to the first.
    #[inline(always)]
    pub(super) fn continued<const S: usize>(&self, method: &Tableau<S>, i: usize, s: f64) -> f64 {
        let mut sum = self.polynomial[(S - 1) * self.n + i];
        for j in (1..S).rev() {
            sum = self.polynomial[(j - 1) * self.n + i] + (s - (method.nodes[S - 1 - j] - 1.0)) * sum;
        }
        s * sum
    }

    /// Divided differences of the collocation polynomial over the nodes from the last to the first, then the start.
    pub(super) fn divide_differences(&mut self) {
        let (n, s) = (self.n, self.stages);
        let mut table = [0.0; MOST_NODES];
        for i in 0..n {
            for k in 0..=s {
                table[k] = if k < s { self.z[(s - 1 - k) * n + i] } else { 0.0 };
            }
            for level in 1..=s {
                for k in 0..=s - level {
                    table[k] = (table[k + 1] - table[k]) * self.spans[level][k];
                }
                self.polynomial[(level - 1) * n + i] = table[0];
            }
        }
    }
}
