//! The stage equations of one trial in every lane.
use super::{LaneRadau, LaneSystem};
use crate::radau::newton::{HOPELESS, most_iterations};
use crate::radau::small::{ComplexFactors, Factors};
use stickslip_real::Real;
use stickslip_real::lanes::{Lanes, Vector};

/// Power of the last contraction that a first iteration may count on.
const TRUST_IN_THE_PAST: f64 = 0.8;
/// Smaller errors than this are none.
const NO_ERROR: f64 = 1e-10;

impl<V: Vector, const M: usize, const S: usize> LaneRadau<V, M, S> {
    /// Divided differences over the nodes from the last to the first, then the start, for the next guess.
    #[inline(always)]
    pub(super) fn divide_differences(&mut self, mask: V::Mask) {
        let nodes = &self.method.nodes;
        let node = |k: usize| if k < S { nodes[S - 1 - k] } else { 0.0 };
        for i in 0..M {
            let mut table = [Lanes::zero(); S];
            for k in 0..S {
                table[k] = self.z[S - 1 - k][i];
            }
            let mut start = Lanes::zero();
            for level in 1..=S {
                for k in 0..S - level {
                    table[k] = (table[k + 1] - table[k]) * (1.0 / (node(k + level) - node(k)));
                }
                let k = S - level;
                let above = if level == 1 { Lanes::zero() } else { start };
                start = (above - table[k]) * (1.0 / (node(S) - node(k)));
                // The last entry of this level stands where the next level looks for it.
                let head = if k == 0 { start } else { table[0] };
                self.polynomial[level - 1][i] = Lanes::select(mask, head, self.polynomial[level - 1][i]);
            }
        }
    }

    /// Starts Newton from the last collocation polynomial, continued.
    #[inline(always)]
    pub(super) fn guess(&mut self, h: Lanes<V>) {
        let m = self.method;
        let ratio = h / self.last_step;
        for k in 0..S {
            self.z[k] = self.continued(ratio * m.nodes[k]);
        }
        self.w = transform(&m.to, &self.z);
    }

    /// How far the last collocation polynomial leads beyond its step, at a place in units of that step.
    #[inline(always)]
    pub(super) fn continued(&self, s: Lanes<V>) -> [Lanes<V>; M] {
        let nodes = &self.method.nodes;
        let mut out = self.polynomial[S - 1];
        for i in 0..M {
            for j in (1..S).rev() {
                out[i] = (s - (nodes[S - 1 - j] - 1.0)).mul_add(out[i], self.polynomial[j - 1][i]);
            }
            out[i] = s * out[i];
        }
        out
    }

    #[inline(always)]
    pub(super) fn newton<Y: LaneSystem<V, M>>(
        &mut self,
        system: &mut Y,
        real: &Factors<V, M>,
        pairs: &[ComplexFactors<V, M>; 2],
        stiff: &[V::Mask; M],
        weights: &[Lanes<V>; M],
        inverse: Lanes<V>,
        active: u8,
    ) -> u8 {
        let m = self.method;
        let most = most_iterations(S);
        let enough = Lanes::lit(self.newton_tolerance);
        let (mut running, mut solved) = (active, 0u8);
        let mut factor = (self.contraction.max(Lanes::lit(f64::EPSILON)).ln() * TRUST_IN_THE_PAST).exp();
        let mut last_change = Lanes::lit(1.0);
        let mut last_rate = Lanes::lit(1.0);
        for iteration in 0..most {
            let now = V::mask(running);
            self.worked = Lanes::select(now, self.worked + 1.0, self.worked);
            let mut d = self.residuals(system, stiff, inverse, now);
            real.solve(&mut d[0]);
            for p in 0..S / 2 {
                let (head, tail) = d.split_at_mut(2 * p + 2);
                pairs[p].solve(&mut head[2 * p + 1], &mut tail[0]);
            }
            let mut sum = Lanes::zero();
            for k in 0..S {
                for i in 0..M {
                    let part = d[k][i] * weights[i];
                    sum = part.mul_add(part, sum);
                }
            }
            let change = (sum * (1.0 / (S * M) as f64)).sqrt();
            // Not finite: not below infinity.
            let mut going = running & V::bits(change.lt(Lanes::lit(f64::INFINITY)));
            if iteration > 0 {
                let rate = change / last_change;
                let contraction = if iteration == 1 { rate } else { (rate * last_rate).sqrt() };
                self.contraction = Lanes::select(now, contraction, self.contraction);
                last_rate = rate;
                factor = contraction / (Lanes::lit(1.0) - contraction);
                let mut rest = factor * change;
                for _ in iteration + 1..most {
                    rest = rest * contraction;
                }
                let hopeful = V::and(contraction.lt(Lanes::lit(HOPELESS)), rest.lt(enough * 10.0));
                going &= V::bits(hopeful);
            }
            last_change = change.max(Lanes::lit(f64::MIN_POSITIVE));
            let go = V::mask(going);
            for k in 0..S {
                for i in 0..M {
                    self.w[k][i] = Lanes::select(go, self.w[k][i] + d[k][i], self.w[k][i]);
                }
            }
            // Lanes that rest keep their w, and so their z.
            let before = self.z;
            self.z = transform(&m.from, &self.w);
            for k in 0..S {
                for i in 0..M {
                    self.corrections[k][i] = Lanes::select(go, self.z[k][i] - before[k][i], self.corrections[k][i]);
                }
            }
            let small = if iteration > 0 { V::mask(u8::MAX) } else { change.lt(enough * 0.1) };
            let done = going & V::bits(V::and((factor * change).lt(enough), small));
            self.iterations = Lanes::select(V::mask(done), Lanes::lit((iteration + 1) as f64), self.iterations);
            solved |= done;
            running = going & !done;
            if running == 0 {
                break;
            }
        }
        solved
    }

    /// What is left of x' = f, in the eigenbasis; weighted where that is milder.
    #[inline(always)]
    pub(super) fn residuals<Y: LaneSystem<V, M>>(
        &mut self,
        system: &mut Y,
        stiff: &[V::Mask; M],
        inverse: Lanes<V>,
        now: V::Mask,
    ) -> [[Lanes<V>; M]; S] {
        let m = self.method;
        let mut left = [[Lanes::zero(); M]; S];
        let (mut f, mut b) = ([Lanes::zero(); M], [Lanes::lit(1.0); M]);
        let weighted = system.weighted();
        for k in 0..S {
            system.rates(&self.stage(k), &mut f, &mut b);
            system.note(k, now);
            for i in 0..M {
                left[k][i] = f[i];
                if weighted[i] {
                    let slope = self.slope(k, i);
                    let weight = Lanes::select(stiff[i], b[i] * self.milder[i], Lanes::lit(1.0));
                    left[k][i] = slope.mul_add(-inverse, f[i]) * weight;
                }
            }
        }
        let mut out = transform(&m.to, &left);
        // Without weights the rates of the stages are, in the eigenbasis, its eigenvalues times the increments.
        for i in 0..M {
            if weighted[i] {
                continue;
            }
            out[0][i] = self.w[0][i].mul_add(-(inverse * m.real), out[0][i]);
            for p in 0..S / 2 {
                let (alpha, beta) = m.pairs[p];
                let (alpha, beta) = (inverse * alpha, inverse * beta);
                let (u, v) = (self.w[2 * p + 1][i], self.w[2 * p + 2][i]);
                out[2 * p + 1][i] = v.mul_add(-beta, u.mul_add(-alpha, out[2 * p + 1][i]));
                out[2 * p + 2][i] = v.mul_add(-alpha, u.mul_add(beta, out[2 * p + 2][i]));
            }
        }
        out
    }

    /// Rate of unknown `i` at stage `k` in units of the step, as the stages have it.
    #[inline(always)]
    pub(super) fn slope(&self, k: usize, i: usize) -> Lanes<V> {
        let row = &self.method.slopes[k];
        let mut slope = self.w[0][i] * row[0];
        for j in 1..S {
            slope = self.w[j][i].mul_add(Lanes::lit(row[j]), slope);
        }
        slope
    }

    /// Error of order S, filtered by the real system so that stiff parts do not blow it up.
    #[inline(always)]
    pub(super) fn estimate<Y: LaneSystem<V, M>>(
        &mut self,
        system: &mut Y,
        real: &Factors<V, M>,
        weights: &[Lanes<V>; M],
        inverse: Lanes<V>,
    ) {
        let mut part = [Lanes::zero(); M];
        for i in 0..M {
            for k in 0..S {
                part[i] = self.z[k][i].mul_add(Lanes::lit(self.method.error[k]), part[i]);
            }
            part[i] = part[i] * inverse;
        }
        let mut e = part;
        for i in 0..M {
            e[i] = e[i] + self.rates[i];
        }
        real.solve(&mut e);
        self.error = norm(&e, weights);
        let again = (self.first | self.rejected) & !V::bits(self.error.lt(Lanes::lit(1.0)));
        if again != 0 {
            let (mut f, mut b) = ([Lanes::zero(); M], [Lanes::lit(1.0); M]);
            for i in 0..M {
                e[i] = self.x[i] + e[i];
            }
            system.rates(&e, &mut f, &mut b);
            for i in 0..M {
                e[i] = part[i] + f[i];
            }
            real.solve(&mut e);
            self.error = Lanes::select(V::mask(again), norm(&e, weights), self.error);
        }
    }
}

/// Size of an error in units of the tolerance.
#[inline(always)]
fn norm<V: Vector, const M: usize>(e: &[Lanes<V>; M], weights: &[Lanes<V>; M]) -> Lanes<V> {
    let mut sum = Lanes::zero();
    for i in 0..M {
        let part = e[i] * weights[i];
        sum = sum + part * part;
    }
    (sum * (1.0 / M as f64)).sqrt().max(Lanes::lit(NO_ERROR))
}

/// A matrix of numbers times stages.
#[inline(always)]
fn transform<V: Vector, const M: usize, const S: usize>(
    matrix: &[[f64; S]; S],
    stages: &[[Lanes<V>; M]; S],
) -> [[Lanes<V>; M]; S] {
    let mut out = [[Lanes::zero(); M]; S];
    for k in 0..S {
        for i in 0..M {
            let mut sum = stages[0][i] * matrix[k][0];
            for j in 1..S {
                sum = stages[j][i].mul_add(Lanes::lit(matrix[k][j]), sum);
            }
            out[k][i] = sum;
        }
    }
    out
}
