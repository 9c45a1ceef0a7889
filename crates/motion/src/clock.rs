//! The time of a motion, with all its digits.

/// Time as a sum of two numbers, so that a millisecond inside a month keeps its digits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    high: f64,
    low: f64,
    event_high: f64,
    event_low: f64,
}

impl Clock {
    /// The time.
    pub fn now(&self) -> f64 {
        self.high
    }

    /// Moves on by `h`, without loss (Knuth's two-sum).
    pub fn advance(&mut self, h: f64) {
        let h = h + self.low;
        let sum = self.high + h;
        let part = sum - self.high;
        self.low = (self.high - (sum - part)) + (h - part);
        self.high = sum;
    }

    /// Moves on by `h`; a step that was to reach `target` does so exactly.
    pub fn advance_towards(&mut self, h: f64, target: f64) {
        let whole = h == target - self.high;
        self.advance(h);
        if whole {
            self.arrive(target);
        }
    }

    /// Is at `h` after another clock's time, whatever it has read in between.
    pub fn reach(&mut self, start: &Clock, h: f64) {
        (self.high, self.low) = (start.high, start.low);
        self.advance(h);
    }

    /// Is at `t` exactly.
    pub fn arrive(&mut self, t: f64) {
        (self.high, self.low) = (t, 0.0);
    }

    /// Notes an event: `since` counts from here.
    pub fn mark(&mut self) {
        (self.event_high, self.event_low) = (self.high, self.low);
    }

    /// Time since the last event, with all its digits.
    pub fn since(&self) -> f64 {
        (self.high - self.event_high) + (self.low - self.event_low)
    }
}
