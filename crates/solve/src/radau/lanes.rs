//! Radau IIA on several systems side by side, each with steps of its own.
//!
//! The method is that of [`super::Radau`], lane by lane; a lane's result does not depend on its companions. Jacobians and
//! factors are made anew for every trial: in lanes they cost less than the book-keeping of keeping them.
use super::control::{GROW, LEAST_ERROR, SAFETY, SHRINK};
use super::inner_tolerances;
use super::newton::{HOPELESS, STIFF, most_iterations};
use super::small::{ComplexFactors, Factors};
use super::tableau::Tableau;
use stickslip_real::Real;
use stickslip_real::lanes::{Lanes, Vector};

/// Systems x' = f(x) of `M` unknowns, one a lane.
pub trait LaneSystem<V, const M: usize> {
    /// The rates, and weights with which they are milder (1: none); see [`super::System::weights`].
    fn rates(&mut self, x: &[Lanes<V>; M], dx: &mut [Lanes<V>; M], milder: &mut [Lanes<V>; M]);
    /// Which unknowns have a weight other than 1.
    fn weighted(&self) -> [bool; M];
    /// The Jacobian at the unknowns of the last call of `rates`.
    fn jacobian(&mut self, jac: &mut [[Lanes<V>; M]; M]);
}

/// A step that leaves less than this part before a limit goes all the way.
const NEARLY_ALL: f64 = 0.999_999;
/// A failed Newton iteration shortens the step by this factor.
const AFTER_FAILURE: f64 = 0.25;
/// Power of the last contraction that a first iteration may count on.
const TRUST_IN_THE_PAST: f64 = 0.8;
/// Smaller errors than this are none.
const NO_ERROR: f64 = 1e-10;

/// The integrators of all lanes. Masks between calls are bits, lane 0 lowest.
pub struct LaneRadau<V: Vector, const M: usize, const S: usize> {
    method: &'static Tableau<S>,
    /// From the eigenbasis to h x' at the stages.
    slopes: [[f64; S]; S],
    tolerance: f64,
    newton_tolerance: f64,
    /// Size of each unknown on which the tolerance is relative, and whether its own magnitude counts.
    scale: [Lanes<V>; M],
    relative: [bool; M],
    /// Unknowns at the start of the step, their rates and weights.
    x: [Lanes<V>; M],
    rates: [Lanes<V>; M],
    milder: [Lanes<V>; M],
    /// Stage increments of the last trial, and the same in the eigenbasis.
    z: [[Lanes<V>; M]; S],
    w: [[Lanes<V>; M]; S],
    /// Divided differences of each lane's last accepted step.
    polynomial: [[Lanes<V>; M]; S],
    /// The step to try next, and the one tried last.
    next: Lanes<V>,
    tried: Lanes<V>,
    error: Lanes<V>,
    iterations: Lanes<V>,
    contraction: Lanes<V>,
    last_step: Lanes<V>,
    last_error: Lanes<V>,
    /// Lanes that have not yet taken a step, and whose last trial was rejected.
    first: u8,
    rejected: u8,
    /// Newton iterations of each lane.
    worked: Lanes<V>,
}

impl<V: Vector, const M: usize, const S: usize> LaneRadau<V, M, S> {
    /// Integrators at a tolerance.
    #[inline(always)]
    pub fn new(method: &'static Tableau<S>, rtol: f64, relative: [bool; M]) -> Self {
        let (tolerance, newton_tolerance) = inner_tolerances(S, rtol);
        let one = Lanes::lit(1.0);
        LaneRadau {
            method,
            slopes: method.slopes(),
            tolerance,
            newton_tolerance,
            scale: [one; M],
            relative,
            x: [one; M],
            rates: [one; M],
            milder: [one; M],
            z: [[Lanes::zero(); M]; S],
            w: [[Lanes::zero(); M]; S],
            polynomial: [[Lanes::zero(); M]; S],
            next: one,
            tried: one,
            error: one,
            iterations: one,
            contraction: one,
            last_step: one,
            last_error: Lanes::lit(LEAST_ERROR),
            first: u8::MAX,
            rejected: 0,
            worked: Lanes::zero(),
        }
    }

    /// Puts new unknowns into a lane, with their sizes and a first step.
    pub fn load(&mut self, lane: usize, x: &[f64], scale: &[f64], first_step: f64) {
        for i in 0..M {
            put(&mut self.x[i], lane, x[i]);
            put(&mut self.scale[i], lane, scale[i]);
            for stage in &mut self.polynomial {
                put(&mut stage[i], lane, 0.0);
            }
        }
        put(&mut self.next, lane, first_step);
        put(&mut self.contraction, lane, 1.0);
        put(&mut self.last_step, lane, 1.0);
        put(&mut self.last_error, lane, LEAST_ERROR);
        put(&mut self.worked, lane, 0.0);
        self.first |= 1 << lane;
        self.rejected &= !(1 << lane);
    }

    /// Evaluates the rates at the start: after lanes were loaded.
    #[inline(always)]
    pub fn begin<Y: LaneSystem<V, M>>(&mut self, system: &mut Y) {
        system.rates(&self.x, &mut self.rates, &mut self.milder);
    }

    /// The steps tried last.
    pub fn tried(&self) -> Lanes<V> {
        self.tried
    }

    /// The steps to try next.
    pub fn next(&self) -> Lanes<V> {
        self.next
    }

    /// Newton iterations of each lane since it was loaded.
    pub fn worked(&self) -> Lanes<V> {
        self.worked
    }

    /// Stage `k` of the last trial.
    #[inline(always)]
    pub fn stage(&self, k: usize) -> [Lanes<V>; M] {
        let mut stage = self.x;
        for i in 0..M {
            stage[i] = stage[i] + self.z[k][i];
        }
        stage
    }

    /// Tries a step of at most `longest` in the lanes of `active`; tells which solved it, and which of those well enough
    /// to be taken by [`LaneRadau::commit`].
    #[inline(always)]
    pub fn trial<Y: LaneSystem<V, M>>(&mut self, system: &mut Y, longest: Lanes<V>, active: u8) -> (u8, u8) {
        let m = self.method;
        let cut = (longest * NEARLY_ALL).lt(self.next);
        let h = Lanes::select(cut, longest, self.next);
        self.tried = h;
        let inverse = Lanes::lit(1.0) / h;
        let mut weights = self.scale;
        for i in 0..M {
            let size = if self.relative[i] { self.scale[i].max(self.x[i].abs()) } else { self.scale[i] };
            weights[i] = Lanes::lit(1.0) / (size * self.tolerance);
        }
        let mut jac = [[Lanes::zero(); M]; M];
        system.jacobian(&mut jac);
        let real = Factors::of(&jac, inverse * m.real);
        // Two pairs at most; where there is one, its twin is not used.
        let ((a, b), (c, d)) = (m.pairs[0], m.pairs[m.pairs.len() - 1]);
        let first = ComplexFactors::of(&jac, inverse * a, inverse * -b);
        let pairs = [first, ComplexFactors::of(&jac, inverse * c, inverse * -d)];
        let mut stiff = [V::mask(0); M];
        for i in 0..M {
            stiff[i] = Lanes::lit(STIFF).lt(jac[i][i].abs() * h);
        }
        self.guess(h);
        let solved = self.newton(system, &real, &pairs, &stiff, &weights, inverse, active);
        self.estimate(system, &real, &weights, inverse);
        let good = solved & V::bits(self.error.lt(Lanes::lit(1.0)));
        self.choose(h, cut, solved, good, active);
        (solved, good)
    }

    /// Takes the trials of these lanes and evaluates the rates at their ends.
    #[inline(always)]
    pub fn commit<Y: LaneSystem<V, M>>(&mut self, system: &mut Y, good: u8) {
        let mask = V::mask(good);
        self.divide_differences(mask);
        for i in 0..M {
            self.x[i] = Lanes::select(mask, self.x[i] + self.z[S - 1][i], self.x[i]);
        }
        self.last_step = Lanes::select(mask, self.tried, self.last_step);
        self.last_error = Lanes::select(mask, self.error.max(Lanes::lit(LEAST_ERROR)), self.last_error);
        self.first &= !good;
        self.rejected &= !good;
        self.begin(system);
    }

    /// Divided differences over the nodes from the last to the first, then the start, for the next guess.
    #[inline(always)]
    fn divide_differences(&mut self, mask: V::Mask) {
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
    fn guess(&mut self, h: Lanes<V>) {
        let m = self.method;
        let ratio = h / self.last_step;
        for k in 0..S {
            let s = ratio * m.nodes[k];
            for i in 0..M {
                let mut sum = self.polynomial[S - 1][i];
                for j in (1..S).rev() {
                    sum = self.polynomial[j - 1][i] + (s - (m.nodes[S - 1 - j] - 1.0)) * sum;
                }
                self.z[k][i] = s * sum;
            }
        }
        self.w = transform(&m.to, &self.z);
    }

    #[inline(always)]
    fn newton<Y: LaneSystem<V, M>>(
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
            let left = self.residuals(system, stiff, inverse);
            let mut d = transform(&m.to, &left);
            real.solve(&mut d[0]);
            for p in 0..S / 2 {
                let (head, tail) = d.split_at_mut(2 * p + 2);
                pairs[p].solve(&mut head[2 * p + 1], &mut tail[0]);
            }
            let mut sum = Lanes::zero();
            for k in 0..S {
                for i in 0..M {
                    let part = d[k][i] * weights[i];
                    sum = sum + part * part;
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
            self.z = transform(&m.from, &self.w);
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

    /// What is left of x' = f at every stage; weighted where that is milder.
    #[inline(always)]
    fn residuals<Y: LaneSystem<V, M>>(
        &mut self,
        system: &mut Y,
        stiff: &[V::Mask; M],
        inverse: Lanes<V>,
    ) -> [[Lanes<V>; M]; S] {
        let mut left = transform(&self.slopes, &self.w);
        let (mut f, mut b) = ([Lanes::zero(); M], [Lanes::lit(1.0); M]);
        let weighted = system.weighted();
        for k in 0..S {
            system.rates(&self.stage(k), &mut f, &mut b);
            for i in 0..M {
                let residual = left[k][i].mul_add(-inverse, f[i]);
                // Unknowns without a weight of their own have the weight 1 everywhere.
                left[k][i] = if weighted[i] {
                    let weight = Lanes::select(stiff[i], b[i] / self.milder[i], Lanes::lit(1.0));
                    residual * weight
                } else {
                    residual
                };
            }
        }
        left
    }

    /// Error of order S, filtered by the real system so that stiff parts do not blow it up.
    #[inline(always)]
    fn estimate<Y: LaneSystem<V, M>>(
        &mut self,
        system: &mut Y,
        real: &Factors<V, M>,
        weights: &[Lanes<V>; M],
        inverse: Lanes<V>,
    ) {
        let mut part = [Lanes::zero(); M];
        for i in 0..M {
            for k in 0..S {
                part[i] = part[i] + self.z[k][i] * self.method.error[k];
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

    /// The steps to try next.
    #[inline(always)]
    fn choose(&mut self, h: Lanes<V>, cut: V::Mask, solved: u8, good: u8, active: u8) {
        let most = 2.0 * most_iterations(S) as f64;
        let safety = Lanes::lit(SAFETY * (1.0 + most)) / (self.iterations + most);
        let mut ratio = safety.min(Lanes::lit(SAFETY)) / root::<V, S>(self.error);
        // Predictive control (Gustafsson): the trend of the error counts.
        let predicted = h / self.last_step * root::<V, S>(self.last_error / (self.error * self.error)) * SAFETY;
        ratio = Lanes::select(V::mask(good & !self.first), ratio.min(predicted), ratio);
        let most = Lanes::select(V::mask(self.rejected), Lanes::lit(1.0), Lanes::lit(GROW));
        let new = h * ratio.max(Lanes::lit(SHRINK)).min(most);
        // A step cut short by a limit says nothing against a long one.
        let good_next = Lanes::select(cut, new.max(self.next), new);
        let next = Lanes::select(V::mask(good), good_next, Lanes::select(V::mask(solved), new, h * AFTER_FAILURE));
        self.next = Lanes::select(V::mask(active), next, self.next);
        self.rejected |= solved & !good;
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

/// The estimate is of order S: its root of order S + 1 is in proportion to the step.
#[inline(always)]
fn root<V: Vector, const S: usize>(x: Lanes<V>) -> Lanes<V> {
    (x.ln() * (1.0 / (S as f64 + 1.0))).exp()
}

/// Writes one lane.
pub fn put<V: Vector>(lanes: &mut Lanes<V>, lane: usize, x: f64) {
    let mut all = lanes.to_array();
    all[lane] = x;
    *lanes = Lanes::from_array(all);
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
