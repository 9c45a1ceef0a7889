//! The stage equations of one trial in every lane.
use super::{LEFT_OPEN, LaneRadau, LaneSystem};
use crate::radau::newton::{HOPELESS, most_iterations};
use crate::radau::small::{ComplexFactors, Factors};
use stickslip_real::Real;
use stickslip_real::lanes::{Lanes, Vector};

/// Smaller errors than this are none.
const NO_ERROR: f64 = 1e-10;

impl<V: Vector, const M: usize, const N: usize, const S: usize> LaneRadau<V, M, N, S> {
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

    /// Starts Newton in these lanes from the last collocation polynomial, continued.
    #[inline(always)]
    pub(super) fn guess(&mut self, h: Lanes<V>, lanes: V::Mask) {
        let m = self.method;
        let ratio = h / self.last_step;
        let mut w = [[Lanes::zero(); M]; S];
        for k in 0..S {
            let z = self.continued(ratio * m.nodes[k]);
            for i in 0..M {
                self.z[k][i] = Lanes::select(lanes, z[i], self.z[k][i]);
            }
        }
        transform(&m.to, &self.z, &mut w);
        for k in 0..S {
            for i in 0..M {
                self.w[k][i] = Lanes::select(lanes, w[k][i], self.w[k][i]);
            }
        }
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

    /// Iterates until most of these lanes are ready; says which are, and which of those have solved their stages.
    #[inline(always)]
    pub(super) fn newton<Y: LaneSystem<V, M, N>>(
        &mut self,
        system: &mut Y,
        real: &Factors<V, M, N>,
        pairs: &[ComplexFactors<V, M, N>; 2],
        stiff: &[V::Mask; M],
        weights: &[Lanes<V>; M],
        inverse: Lanes<V>,
        active: u8,
    ) -> (u8, u8) {
        let m = self.method;
        let most = most_iterations(S);
        let enough = Lanes::lit(self.newton_tolerance);
        let enough_ready = active.count_ones() - active.count_ones() / LEFT_OPEN;
        let (mut running, mut solved) = (active, 0u8);
        let mut d = [[Lanes::zero(); M]; S];
        loop {
            let now = V::mask(running);
            self.worked = Lanes::select(now, self.worked + 1.0, self.worked);
            self.residuals(system, stiff, inverse, now, &mut d);
            real.solve(&self.jac, &mut d[0]);
            for p in 0..S / 2 {
                let (head, tail) = d.split_at_mut(2 * p + 2);
                pairs[p].solve(&self.jac, &mut head[2 * p + 1], &mut tail[0]);
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
            let again = going & V::bits(Lanes::lit(0.5).lt(self.iterations));
            self.judge(change, V::mask(again));
            going &= !again | V::bits(self.contraction.lt(Lanes::lit(HOPELESS)));
            // A first change says little of those to come.
            let small = again | V::bits(change.lt(enough * 0.1));
            let done = going & V::bits((self.beyond * change).lt(enough)) & small;
            if going & again & !done != 0 {
                going &= done | !again | self.hopeful(change, enough);
            }
            self.last_change = Lanes::select(now, change.max(Lanes::lit(f64::MIN_POSITIVE)), self.last_change);
            self.iterations = Lanes::select(now, self.iterations + 1.0, self.iterations);
            self.correct(&d, &m.from, V::mask(going));
            solved |= done;
            running = going & !done & V::bits(self.iterations.lt(Lanes::lit(most as f64 - 0.5)));
            if (active & !running).count_ones() >= enough_ready {
                return (active & !running, solved);
            }
        }
    }

    /// Notes the contraction of lanes that have changed before.
    #[inline(always)]
    fn judge(&mut self, change: Lanes<V>, again: V::Mask) {
        let rate = change / self.last_change;
        let second = self.iterations.lt(Lanes::lit(1.5));
        let contraction = Lanes::select(second, rate, (rate * self.last_rate).sqrt());
        self.contraction = Lanes::select(again, contraction, self.contraction);
        self.last_rate = Lanes::select(again, rate, self.last_rate);
        self.beyond = Lanes::select(again, contraction / (Lanes::lit(1.0) - contraction), self.beyond);
    }

    /// Lanes that will be nearly there when they may iterate no more.
    #[inline(always)]
    fn hopeful(&self, change: Lanes<V>, enough: Lanes<V>) -> u8 {
        let most = most_iterations(S);
        let mut rest = self.beyond * change;
        for k in 1..most {
            let to_come = self.iterations.lt(Lanes::lit((most - k) as f64 - 0.5));
            rest = Lanes::select(to_come, rest * self.contraction, rest);
        }
        V::bits(rest.lt(enough * 10.0))
    }

    /// Corrects the stages of these lanes.
    #[inline(always)]
    fn correct(&mut self, d: &[[Lanes<V>; M]; S], from: &[[f64; S]; S], lanes: V::Mask) {
        for i in 0..M {
            for k in 0..S {
                self.w[k][i] = Lanes::select(lanes, self.w[k][i] + d[k][i], self.w[k][i]);
            }
            for k in 0..S {
                let z = row(&from[k], &self.w, i);
                self.corrections[k][i] = Lanes::select(lanes, z - self.z[k][i], self.corrections[k][i]);
                self.z[k][i] = Lanes::select(lanes, z, self.z[k][i]);
            }
        }
    }

    /// What is left of x' = f, in the eigenbasis; weighted where that is milder.
    #[inline(always)]
    pub(super) fn residuals<Y: LaneSystem<V, M, N>>(
        &mut self,
        system: &mut Y,
        stiff: &[V::Mask; M],
        inverse: Lanes<V>,
        now: V::Mask,
        out: &mut [[Lanes<V>; M]; S],
    ) {
        let m = self.method;
        let mut x = [[Lanes::zero(); M]; S];
        for k in 0..S {
            for i in 0..M {
                x[k][i] = self.z[k][i] + self.x[i];
            }
        }
        let (mut left, mut weights) = ([[Lanes::zero(); M]; S], [[Lanes::lit(1.0); M]; S]);
        system.stages(&x, &mut left, &mut weights, now);
        let weighted = system.weighted();
        for i in 0..M {
            for k in 0..S {
                if weighted[i] {
                    let weight = Lanes::select(stiff[i], weights[k][i] * self.row_scale[i], Lanes::lit(1.0));
                    left[k][i] = self.slope(k, i).mul_add(-inverse, left[k][i]) * weight;
                }
            }
        }
        transform(&m.to, &left, out);
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
    }

    /// Rate of unknown `i` at stage `k` in units of the step, as the stages have it.
    #[inline(always)]
    pub(super) fn slope(&self, k: usize, i: usize) -> Lanes<V> {
        row(&self.method.slopes[k], &self.w, i)
    }

    /// Error of order S, filtered by the real system so that stiff parts do not blow it up.
    #[inline(always)]
    pub(super) fn estimate<Y: LaneSystem<V, M, N>>(
        &mut self,
        system: &mut Y,
        real: &Factors<V, M, N>,
        weights: &[Lanes<V>; M],
        inverse: Lanes<V>,
        ready: u8,
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
        real.solve(&self.jac, &mut e);
        self.error = Lanes::select(V::mask(ready), norm(&e, weights), self.error);
        let again = ready & (self.first | self.rejected) & !V::bits(self.error.lt(Lanes::lit(1.0)));
        if again != 0 {
            let (mut f, mut b) = ([Lanes::zero(); M], [Lanes::lit(1.0); M]);
            for i in 0..M {
                e[i] = self.x[i] + e[i];
            }
            system.rates(&e, &mut f, &mut b);
            for i in 0..M {
                e[i] = part[i] + f[i];
            }
            real.solve(&self.jac, &mut e);
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
    out: &mut [[Lanes<V>; M]; S],
) {
    for i in 0..M {
        for k in 0..S {
            out[k][i] = row(&matrix[k], stages, i);
        }
    }
}

/// A row of such a matrix times the stages of unknown `i`.
#[inline(always)]
fn row<V: Vector, const M: usize, const S: usize>(row: &[f64; S], stages: &[[Lanes<V>; M]; S], i: usize) -> Lanes<V> {
    let mut sum = stages[0][i] * row[0];
    for j in 1..S {
        sum = stages[j][i].mul_add(Lanes::lit(row[j]), sum);
    }
    sum
}
