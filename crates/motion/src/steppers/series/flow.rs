//! How the unknowns at the end of a step follow those at its start, and what its end does to that.
use super::{End, Linear, Row};
use crate::transition::modes::Cause;
use stickslip_solve::linear_flow::{at, radius};
use stickslip_solve::polynomial::{Coefficients, TERMS, slope};

/// What ended a step, where it depends on the unknowns: the slopes of the function that vanished, and its rate.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Slopes in all unknowns.
    pub slopes: Vec<f64>,
    /// Rate along the motion, before the event.
    pub rate: f64,
}

impl Linear {
    /// Carries columns of changes of the unknowns, row after row, over the first `h` of the last step: the same equations
    /// without inputs.
    pub fn carry(&self, h: f64, columns: &mut [f64]) {
        let (n, made) = (self.states, self.met.get(self.last_known));
        let inputs = vec![[0.0; TERMS]; self.signals.len()];
        let (mut y, mut series) = (vec![0.0; n], vec![[0.0; TERMS]; n]);
        for column in 0..n {
            (0..n).for_each(|i| y[i] = columns[i * n + column]);
            // A change may need shorter steps than the motion.
            let mut left = h;
            while left > 0.0 {
                made.flow.expand(&y, &inputs, &mut series);
                let part = radius(&series, left.min(made.longest));
                at(&series, part, &mut y);
                left -= part;
            }
            (0..n).for_each(|i| columns[i * n + column] = y[i]);
        }
    }

    /// What ended the last step, of length `h`.
    pub fn ended(&self, h: f64) -> Vec<Ended> {
        let made = self.met.get(self.last_known);
        let scaled = |factor: f64, row: &Row| {
            let mut sum = Row::zero(self.states, self.signals.len());
            sum.add(factor, row);
            sum
        };
        let row = |end: &End| match *end {
            End::Mode(Cause::Arrives(i)) => Some(self.slip[i].clone()),
            End::Mode(Cause::Leaves(i, sign)) => {
                let mut row = scaled(self.hold[i], &made.load[i]);
                row.add(-sign, &made.friction[i]);
                Some(row)
            }
            End::Guard(number) => {
                made.guards.iter().find(|guard| guard.number() == number).map(|guard| guard.row(self))
            }
            _ => None,
        };
        let found = self.last_ends.iter().filter_map(row);
        found
            .map(|row| {
                let mut series: Coefficients = [0.0; TERMS];
                row.series(&self.y, &self.u, &mut series);
                Ended { slopes: row.y, rate: slope(&series, h) }
            })
            .collect()
    }

    /// Rates of all unknowns at the end of the last step, of length `h`, before what ended it.
    pub fn rates(&self, h: f64) -> Vec<f64> {
        self.y.iter().map(|c| slope(c, h)).collect()
    }
}
