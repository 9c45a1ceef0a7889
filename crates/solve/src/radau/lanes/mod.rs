//! Radau IIA on several systems side by side, each with steps of its own.
//!
//! The method is that of [`super::Radau`], lane by lane; a lane's result does not depend on its companions. Jacobians and
//! factors are made again: in lanes they cost less than the book-keeping of keeping them.
//!
//! Most trials are solved in two iterations of Newton's method, some take eight. A round ends when most lanes are ready, and
//! these go on to their next trial; the others take their iteration up again in the next round, where they left it.
mod stages;
mod system;

pub use system::LaneSystem;

use super::control::{GROW, LEAST_ERROR, SAFETY, SHRINK};
use super::inner_tolerances;
use super::newton::{STIFF, most_iterations};
use super::small::{ComplexFactors, Factors, by_coordinates};
use super::tableau::Tableau;
use stickslip_real::Real;
use stickslip_real::lanes::{Lanes, Vector};

/// What became of a trial, lane by lane, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tried {
    /// Lanes whose trial is over.
    pub ready: u8,
    /// Those whose stages are solved.
    pub solved: u8,
    /// Those whose step is good, and to be taken by [`LaneRadau::commit`].
    pub good: u8,
}

/// A step that leaves less than this part before a limit goes all the way.
const NEARLY_ALL: f64 = 0.999_999;
/// A round ends when no more than one lane in so many is not ready.
const LEFT_OPEN: u32 = 4;
/// A failed Newton iteration shortens the step by this factor.
const AFTER_FAILURE: f64 = 0.25;

/// The integrators of all lanes. Masks between calls are bits, lane 0 lowest.
pub struct LaneRadau<V: Vector, const M: usize, const N: usize, const S: usize> {
    method: &'static Tableau<S>,
    tolerance: f64,
    newton_tolerance: f64,
    /// Size of each unknown on which the tolerance is relative, and whether its own magnitude counts.
    scale: [Lanes<V>; M],
    relative: [bool; M],
    /// Unknowns at the start of the step and their rates; inverse weights where the Jacobian was taken.
    x: [Lanes<V>; M],
    rates: [Lanes<V>; M],
    row_scale: [Lanes<V>; M],
    /// Stage increments of the last trial, the same in the eigenbasis, and their change in each lane's last iteration.
    z: [[Lanes<V>; M]; S],
    w: [[Lanes<V>; M]; S],
    corrections: [[Lanes<V>; M]; S],
    /// Divided differences of each lane's last accepted step.
    polynomial: [[Lanes<V>; M]; S],
    /// The step to try next, and the one that is tried.
    next: Lanes<V>,
    tried: Lanes<V>,
    jac: [[Lanes<V>; M]; M],
    error: Lanes<V>,
    /// Of each lane's Newton iteration: how many, its contraction and the last but one, the last change, and how far it
    /// goes on beyond a change.
    iterations: Lanes<V>,
    contraction: Lanes<V>,
    last_rate: Lanes<V>,
    last_change: Lanes<V>,
    beyond: Lanes<V>,
    last_step: Lanes<V>,
    /// Logarithms of the errors of this trial and of the last accepted step.
    ln_error: Lanes<V>,
    ln_last_error: Lanes<V>,
    /// Lanes that have not yet taken a step, and whose last trial was rejected.
    first: u8,
    rejected: u8,
    /// Lanes whose trial goes on, and whose trial was cut short by a limit.
    open: u8,
    cut: u8,
    /// Newton iterations of each lane.
    worked: Lanes<V>,
}

impl<V: Vector, const M: usize, const N: usize, const S: usize> LaneRadau<V, M, N, S> {
    /// Integrators at a tolerance.
    #[inline(always)]
    pub fn new(method: &'static Tableau<S>, rtol: f64, relative: [bool; M]) -> Self {
        let (tolerance, newton_tolerance) = inner_tolerances(S, rtol);
        let one = Lanes::lit(1.0);
        LaneRadau {
            method,
            tolerance,
            newton_tolerance,
            scale: [one; M],
            relative,
            x: [one; M],
            rates: [one; M],
            row_scale: [one; M],
            z: [[Lanes::zero(); M]; S],
            w: [[Lanes::zero(); M]; S],
            corrections: [[Lanes::zero(); M]; S],
            polynomial: [[Lanes::zero(); M]; S],
            next: one,
            tried: one,
            jac: [[Lanes::zero(); M]; M],
            error: one,
            iterations: Lanes::zero(),
            contraction: one,
            last_rate: one,
            last_change: one,
            beyond: one,
            last_step: one,
            ln_error: Lanes::zero(),
            ln_last_error: Lanes::lit(LEAST_ERROR.ln()),
            first: u8::MAX,
            rejected: 0,
            open: 0,
            cut: 0,
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
        put(&mut self.ln_last_error, lane, LEAST_ERROR.ln());
        put(&mut self.worked, lane, 0.0);
        self.first |= 1 << lane;
        self.rejected &= !(1 << lane);
        self.open &= !(1 << lane);
    }

    /// Evaluates the rates at the start of lanes that were loaded.
    #[inline(always)]
    pub fn begin<Y: LaneSystem<V, M, N>>(&mut self, system: &mut Y) {
        let (mut rates, mut row_scale) = ([Lanes::zero(); M], [Lanes::zero(); M]);
        system.rates(&self.x, &mut rates, &mut row_scale);
        for i in 0..M {
            self.rates[i] = Lanes::select(V::mask(self.first), rates[i], self.rates[i]);
        }
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

    /// How much each lane's last iteration changed stage `k`, and the rates of the collocation polynomial there.
    #[inline(always)]
    pub fn solved(&self, k: usize) -> ([Lanes<V>; M], [Lanes<V>; M]) {
        let inverse = Lanes::lit(1.0) / self.tried;
        let mut slope = [Lanes::zero(); M];
        for i in 0..M {
            slope[i] = self.slope(k, i) * inverse;
        }
        (self.corrections[k], slope)
    }

    /// Tries steps of at most `longest` in the lanes of `active`.
    #[inline(always)]
    pub fn trial<Y: LaneSystem<V, M, N>>(&mut self, system: &mut Y, longest: Lanes<V>, active: u8) -> Tried {
        if active & !self.open != 0 {
            self.start(system, longest, active & !self.open);
        }
        let (m, h) = (self.method, self.tried);
        let inverse = Lanes::lit(1.0) / h;
        let mut weights = self.scale;
        for i in 0..M {
            let size = if self.relative[i] { self.scale[i].max(self.x[i].abs()) } else { self.scale[i] };
            weights[i] = Lanes::lit(1.0) / (size * self.tolerance);
        }
        let through = by_coordinates::<V, M, N>(&self.jac);
        let real = Factors::of(&self.jac, &through, inverse * m.real);
        // Two pairs at most; where there is one, its twin is not used.
        let ((a, b), (c, d)) = (m.pairs[0], m.pairs[m.pairs.len() - 1]);
        let first = ComplexFactors::of(&self.jac, &through, inverse * a, inverse * -b);
        let pairs = [first, ComplexFactors::of(&self.jac, &through, inverse * c, inverse * -d)];
        let mut stiff = [V::mask(0); M];
        for i in 0..M {
            stiff[i] = Lanes::lit(STIFF).lt(self.jac[i][i].abs() * h);
        }
        let (ready, solved) = self.newton(system, &real, &pairs, &stiff, &weights, inverse, active);
        self.open = active & !ready;
        self.estimate(system, &real, &weights, inverse, ready);
        // An estimate that is not finite means a step that is not solved.
        let solved = solved & V::bits(self.error.lt(Lanes::lit(f64::INFINITY)));
        let good = solved & V::bits(self.error.lt(Lanes::lit(1.0)));
        self.choose(solved, good, ready);
        Tried { ready, solved, good }
    }

    /// Starts the trials of these lanes: a length, a guess, a Jacobian.
    #[inline(always)]
    fn start<Y: LaneSystem<V, M, N>>(&mut self, system: &mut Y, longest: Lanes<V>, lanes: u8) {
        let mask = V::mask(lanes);
        let cut = (longest * NEARLY_ALL).lt(self.next);
        let h = Lanes::select(mask, Lanes::select(cut, longest, self.next), self.tried);
        self.tried = h;
        self.cut = (self.cut & !lanes) | (V::bits(cut) & lanes);
        self.guess(h, mask);
        // The Jacobian half-way: no stage is further from it than half a step. Where the step grows, the last one gives
        // little about its middle, and the place is nearer to the start.
        let middle = self.continued((h * 0.5).min(self.last_step) / self.last_step);
        let mut place = self.x;
        for i in 0..M {
            place[i] = place[i] + middle[i];
        }
        let (mut jac, mut row_scale) = ([[Lanes::zero(); M]; M], [Lanes::lit(1.0); M]);
        system.jacobian(&place, &mut jac, &mut row_scale, mask);
        let weighted = system.weighted();
        for i in 0..M {
            for j in 0..M {
                self.jac[i][j] = Lanes::select(mask, jac[i][j], self.jac[i][j]);
            }
            if weighted[i] {
                self.row_scale[i] = Lanes::select(mask, Lanes::lit(1.0) / row_scale[i], self.row_scale[i]);
            }
        }
        self.iterations = Lanes::select(mask, Lanes::zero(), self.iterations);
        // A contraction of the past counts by its power of three quarters, which takes no logarithm; alone it is 0.8.
        let root = self.contraction.max(Lanes::lit(f64::EPSILON)).sqrt();
        self.beyond = Lanes::select(mask, root * root.sqrt(), self.beyond);
    }

    /// Takes the trials of these lanes. The rates at their ends are those of the last stage, as the step has left them.
    #[inline(always)]
    pub fn commit(&mut self, good: u8) {
        let mask = V::mask(good);
        let (_, slope) = self.solved(S - 1);
        self.divide_differences(mask);
        for i in 0..M {
            self.x[i] = Lanes::select(mask, self.x[i] + self.z[S - 1][i], self.x[i]);
            self.rates[i] = Lanes::select(mask, slope[i], self.rates[i]);
        }
        self.last_step = Lanes::select(mask, self.tried, self.last_step);
        self.ln_last_error = Lanes::select(mask, self.ln_error, self.ln_last_error);
        self.first &= !good;
        self.rejected &= !good;
    }

    /// The steps to try next, of lanes that are ready.
    #[inline(always)]
    fn choose(&mut self, solved: u8, good: u8, ready: u8) {
        let h = self.tried;
        let most = 2.0 * most_iterations(S) as f64;
        let safety = Lanes::lit(SAFETY * (1.0 + most)) / (self.iterations + most);
        // The estimate is of order S: its root of order S + 1 is in proportion to the step.
        let (order, ln_error) = (1.0 / (S as f64 + 1.0), self.error.ln());
        let mut ratio = safety.min(Lanes::lit(SAFETY)) * (ln_error * -order).exp();
        // Predictive control (Gustafsson): the trend of the error counts.
        let trend = ((self.ln_last_error - ln_error * 2.0) * order).exp();
        let predicted = h / self.last_step * trend * SAFETY;
        self.ln_error = ln_error.max(Lanes::lit(LEAST_ERROR.ln()));
        ratio = Lanes::select(V::mask(good & !self.first), ratio.min(predicted), ratio);
        let most = Lanes::select(V::mask(self.rejected), Lanes::lit(1.0), Lanes::lit(GROW));
        let new = h * ratio.max(Lanes::lit(SHRINK)).min(most);
        // A step cut short by a limit says nothing against a long one.
        let good_next = Lanes::select(V::mask(self.cut), new.max(self.next), new);
        let next = Lanes::select(V::mask(good), good_next, Lanes::select(V::mask(solved), new, h * AFTER_FAILURE));
        self.next = Lanes::select(V::mask(ready), next, self.next);
        self.rejected |= solved & !good;
    }
}

/// Writes one lane.
pub fn put<V: Vector>(lanes: &mut Lanes<V>, lane: usize, x: f64) {
    let mut all = lanes.to_array();
    all[lane] = x;
    *lanes = Lanes::from_array(all);
}

#[cfg(test)]
mod tests;
