//! What is watched along a step of all lanes: whether something turns inside it, and the energies that come and go.
use super::MOST_POINTS;
use super::system::{STAGES, Smooth};
use crate::observers::extrema::Nodes;
use crate::steppers::stages::Watched;
use stickslip_laws::Laned;
use stickslip_real::Real;
use stickslip_real::lanes::Lanes;
use stickslip_solve::radau::lanes::put;

/// A coordinate, a velocity and a friction coefficient, each with its rate: [`Watched`] of all lanes.
type Values<V> = [(Lanes<V>, Lanes<V>); 3];

/// A friction coefficient that changes by less than this part over a step is constant: it turns by rounding.
const CONSTANT: f64 = 1e-9;

/// Friction coefficients of the points along a step, and the slopes at its ends of the polynomials through its stages: these
/// have opposite signs where a coefficient turns, though no stage need lie beyond both ends.
struct Bends<V: Laned> {
    /// Slopes at the start and at the end from values at the nodes.
    rows: [[f64; STAGES + 1]; 2],
    start: [Lanes<V>; MOST_POINTS],
    end: [Lanes<V>; MOST_POINTS],
    slopes: [[Lanes<V>; 2]; MOST_POINTS],
    /// Farthest from the start.
    away: [Lanes<V>; MOST_POINTS],
}

impl<V: Laned> Bends<V> {
    fn new(nodes: &Nodes) -> Self {
        let zero = Lanes::zero();
        let row = |k: usize| std::array::from_fn(|j| nodes.slope_weights(k)[j]);
        let (start, slopes) = ([zero; MOST_POINTS], [[zero; 2]; MOST_POINTS]);
        Bends { rows: [row(0), row(STAGES)], start, end: start, slopes, away: start }
    }

    #[inline(always)]
    fn begin(&mut self) {
        self.slopes = [[Lanes::zero(); 2]; MOST_POINTS];
        self.away = [Lanes::zero(); MOST_POINTS];
    }

    #[inline(always)]
    fn see(&mut self, stage: usize, coefficients: &[Lanes<V>]) {
        for (p, x) in coefficients.iter().enumerate() {
            let from_start = *x - self.start[p];
            for (slope, row) in self.slopes[p].iter_mut().zip(&self.rows) {
                *slope = from_start.mul_add(Lanes::lit(row[stage + 1]), *slope);
            }
            self.away[p] = self.away[p].max(from_start.abs());
            self.end[p] = *x;
        }
    }

    /// Lanes in which one of so many coefficients turns.
    #[inline(always)]
    fn take(&mut self, mask: V::Mask, points: usize) -> u8 {
        let mut turned = 0;
        for p in 0..points {
            let bends = V::bits((self.slopes[p][0] * self.slopes[p][1]).lt(Lanes::zero()));
            let constant = self.start[p].abs() * CONSTANT;
            turned |= bends & V::bits(constant.lt(self.away[p]));
            self.start[p] = Lanes::select(mask, self.end[p], self.start[p]);
        }
        turned
    }
}

/// What has been seen.
pub struct Along<V: Laned> {
    start: Values<V>,
    end: Values<V>,
    /// The least and the largest inside the step, and the least product of a rate with that at the start.
    low: [Lanes<V>; 3],
    high: [Lanes<V>; 3],
    turned: [Lanes<V>; 3],
    bends: Bends<V>,
    points: usize,
    /// The most energy that was stored in each lane.
    pub most_stored: Lanes<V>,
    stored: Lanes<V>,
}

impl<V: Laned> Along<V> {
    /// Nothing yet, of models with so many points.
    pub fn nothing(nodes: &Nodes, points: usize) -> Self {
        let zero = Lanes::zero();
        Along {
            start: [(zero, zero); 3],
            end: [(zero, zero); 3],
            low: [zero; 3],
            high: [zero; 3],
            turned: [zero; 3],
            bends: Bends::new(nodes),
            points,
            most_stored: zero,
            stored: zero,
        }
    }

    /// A motion that starts in a lane.
    pub fn load(&mut self, lane: usize, start: Watched, coefficients: &[f64]) {
        for (mine, x) in self.bends.start.iter_mut().zip(coefficients) {
            put(mine, lane, *x);
        }
        for (mine, (value, rate)) in self.start.iter_mut().zip(start) {
            put(&mut mine.0, lane, value);
            put(&mut mine.1, lane, rate);
        }
        put(&mut self.most_stored, lane, 0.0);
    }

    /// Before a step.
    #[inline(always)]
    pub fn begin(&mut self) {
        self.low = [Lanes::lit(f64::INFINITY); 3];
        self.high = [Lanes::lit(f64::NEG_INFINITY); 3];
        self.turned = [Lanes::lit(f64::INFINITY); 3];
        self.stored = self.most_stored;
        self.bends.begin();
    }

    /// At a stage, the last of which is the end of the step.
    #[inline(always)]
    pub fn stage<const N: usize, const M: usize>(
        &mut self,
        stage: usize,
        system: &Smooth<V, N, M>,
        coefficients: &[Lanes<V>],
    ) {
        let (y, dy) = (&system.place(stage).y, &system.place(stage).dy);
        let first = coefficients.first().copied().unwrap_or(Lanes::zero());
        self.see(stage, [(y[0], dy[0]), (y[N], dy[N]), (first, Lanes::zero())]);
        self.bends.see(stage, coefficients);
        self.stored = self.stored.max(system.stored(stage).abs());
    }

    #[inline(always)]
    fn see(&mut self, stage: usize, values: Values<V>) {
        self.end = values;
        for k in 0..3 {
            if stage + 1 < STAGES {
                self.low[k] = self.low[k].min(self.end[k].0);
                self.high[k] = self.high[k].max(self.end[k].0);
            }
            self.turned[k] = self.turned[k].min(self.end[k].1 * self.start[k].1);
        }
    }

    /// After a step that these lanes take: in which of them something turned, see [`crate::steppers::stages::turns`], and in
    /// which a friction coefficient did, between stages though it be.
    #[inline(always)]
    pub fn take(&mut self, good: u8) -> (u8, u8) {
        let mask = V::mask(good);
        let mut turned = 0;
        for k in 0..3 {
            let ((start, rate), (end, end_rate)) = (self.start[k], self.end[k]);
            turned |= V::bits(self.low[k].lt(start.min(end)));
            turned |= V::bits(start.max(end).lt(self.high[k]));
            turned |= V::bits(self.turned[k].lt(Lanes::zero()));
            self.start[k] = (Lanes::select(mask, end, start), Lanes::select(mask, end_rate, rate));
        }
        let bent = self.bends.take(mask, self.points);
        self.most_stored = Lanes::select(mask, self.stored, self.most_stored);
        (turned & good, bent & good)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steppers::stages::turns;
    use stickslip_real::lanes::LANES;
    use stickslip_solve::radau::tableau::ORDER_9;

    /// What stands still, or is the same at both ends, must be judged alike too: coarse numbers meet often.
    fn coarse(x: f64) -> f64 {
        (5.0 * x).floor() - 2.0
    }

    fn together<V: Laned>() {
        if !V::available() {
            return;
        }
        let mut random = stickslip_solve::statistics::Random::new(3);
        let mut draw = || -> [Watched; LANES] {
            std::array::from_fn(|_| {
                let mut pair = || (coarse(random.even()), coarse(random.even()));
                [pair(), pair(), (pair().0, 0.0)]
            })
        };
        let mut along = Along::<V>::nothing(&Nodes::new(&ORDER_9.nodes), 0);
        let mut starts = draw();
        (0..LANES).for_each(|lane| along.load(lane, starts[lane], &[]));
        let mut seen = [0; 2];
        for step in 0..4000 {
            // Most motions turn: smooth ones, which do not, are those that go on as they started.
            let mut stages: [[Watched; LANES]; STAGES] = std::array::from_fn(|_| draw());
            if step % 2 == 0 {
                (0..STAGES).for_each(|k| stages[k] = std::array::from_fn(|l| ahead(starts[l], k, stages[k][l])));
            }
            along.begin();
            for (k, stage) in stages.iter().enumerate() {
                let lanes = |of: fn(&(f64, f64)) -> f64, q: usize| Lanes::from_fn(|lane| of(&stage[lane][q]));
                along.see(k, std::array::from_fn(|q| (lanes(|p| p.0, q), lanes(|p| p.1, q))));
            }
            let good = (step * 37 % 256) as u8;
            let (turned, _) = along.take(good);
            for lane in (0..LANES).filter(|lane| good >> lane & 1 == 1) {
                let end = stages[STAGES - 1][lane];
                let expected = stages[..STAGES - 1].iter().any(|stage| turns(starts[lane], stage[lane], end));
                assert_eq!(turned >> lane & 1 == 1, expected, "{:?} {:?}", starts[lane], stages.map(|s| s[lane]));
                seen[usize::from(expected)] += 1;
                starts[lane] = end;
            }
            assert_eq!(turned & !good, 0);
        }
        assert!(seen.iter().all(|n| *n > 1000), "{seen:?}");
    }

    /// A stage of a motion that goes on the way its rates point, but for one number now and then.
    fn ahead(start: Watched, stage: usize, other: Watched) -> Watched {
        std::array::from_fn(|q| match other[q].0 == 2.0 && other[q].1 == 2.0 {
            true => other[q],
            false => (start[q].0 + start[q].1 * (stage + 1) as f64, start[q].1),
        })
    }

    /// Lanes and numbers find the same turns.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn what_turns_in_a_lane_turns_in_a_run_alone() {
        together::<stickslip_real::lanes::Avx2>();
        together::<stickslip_real::lanes::Avx512>();
    }
}
