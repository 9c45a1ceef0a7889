//! What is watched along a step of all lanes: whether something turns inside it, and the energies that come and go.
use super::system::{STAGES, Smooth};
use crate::transient::inside::Watched;
use stickslip_laws::Laned;
use stickslip_real::Real;
use stickslip_real::lanes::Lanes;
use stickslip_solve::radau::lanes::put;

/// A coordinate, a velocity and a friction coefficient, each with its rate: [`Watched`] of all lanes.
type Values<V> = [(Lanes<V>, Lanes<V>); 3];

/// What has been seen.
pub struct Along<V: Laned> {
    start: Values<V>,
    end: Values<V>,
    /// The least and the largest inside the step, and the least product of a rate with that at the start.
    low: [Lanes<V>; 3],
    high: [Lanes<V>; 3],
    turned: [Lanes<V>; 3],
    /// The most energy that was stored in each lane.
    pub most_stored: Lanes<V>,
    stored: Lanes<V>,
}

impl<V: Laned> Along<V> {
    pub fn nothing() -> Self {
        let zero = Lanes::zero();
        Along {
            start: [(zero, zero); 3],
            end: [(zero, zero); 3],
            low: [zero; 3],
            high: [zero; 3],
            turned: [zero; 3],
            most_stored: zero,
            stored: zero,
        }
    }

    /// A motion that starts in a lane.
    pub fn load(&mut self, lane: usize, start: Watched) {
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
    }

    /// At a stage, the last of which is the end of the step.
    #[inline(always)]
    pub fn stage<const N: usize, const M: usize>(
        &mut self,
        stage: usize,
        system: &Smooth<V, N, M>,
        coefficient: Lanes<V>,
    ) {
        let (y, dy) = (&system.place(stage).y, &system.place(stage).dy);
        self.see(stage, [(y[0], dy[0]), (y[N], dy[N]), (coefficient, Lanes::zero())]);
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

    /// After a step that these lanes take: in which of them something turned. See [`crate::transient::inside::turns`].
    #[inline(always)]
    pub fn take(&mut self, good: u8) -> u8 {
        let mask = V::mask(good);
        let mut turned = 0;
        for k in 0..3 {
            let ((start, rate), (end, end_rate)) = (self.start[k], self.end[k]);
            turned |= V::bits(self.low[k].lt(start.min(end)));
            turned |= V::bits(start.max(end).lt(self.high[k]));
            turned |= V::bits(self.turned[k].lt(Lanes::zero()));
            self.start[k] = (Lanes::select(mask, end, start), Lanes::select(mask, end_rate, rate));
        }
        self.most_stored = Lanes::select(mask, self.stored, self.most_stored);
        turned & good
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transient::inside::turns;
    use stickslip_real::lanes::LANES;

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
        let mut along = Along::<V>::nothing();
        let mut starts = draw();
        (0..LANES).for_each(|lane| along.load(lane, starts[lane]));
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
            let turned = along.take(good);
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
