//! Turning points that still count.
use stickslip_real::Scalar;

/// Turning points that are remembered.
pub(super) const MOST: usize = 64;
/// States: the slip, the number of turning points, the turning points, the force that forgotten ones leave.
pub(super) const X: usize = 0;
pub(super) const COUNT: usize = 1;
pub(super) const TURNS: usize = 2;
pub(super) const BASE: usize = TURNS + MOST;

/// Where the motion stands: the slip, and the turning points that still count.
pub(super) struct Memory<S> {
    pub(super) x: S,
    pub(super) turns: [S; MOST],
    pub(super) count: usize,
    pub(super) base: S,
}

impl<S: Scalar> Memory<S> {
    /// What the states say.
    pub(super) fn written(z: &[S]) -> Memory<S> {
        let count = (z[COUNT].re().round().max(0.0) as usize).min(MOST);
        Memory { x: z[X], turns: std::array::from_fn(|i| z[TURNS + i]), count, base: z[BASE] }
    }

    /// The same without loops that have closed and turning points that were passed again.
    pub(super) fn of(z: &[S]) -> Memory<S> {
        let mut memory = Memory::written(z);
        while let Some((_, gone, left)) = memory.branch() {
            if gone.re() < 0.0 {
                memory.count -= 1;
            } else if left.re() <= 0.0 {
                memory.count -= memory.count.min(2);
            } else {
                break;
            }
        }
        memory
    }

    /// Direction of the branch from the last turning point, the way gone on it, and the way left until its loop closes.
    pub(super) fn branch(&self) -> Option<(f64, S, S)> {
        let last = self.turns[self.count.checked_sub(1)?];
        // The first loop closes on the other side of the virgin state.
        let end = if self.count == 1 { -last } else { self.turns[self.count - 2] };
        let direction = if end.re() < last.re() { -1.0 } else { 1.0 };
        Some((direction, (self.x - last) * direction, (end - self.x) * direction))
    }

    /// The direction in which the motion came here; None in the virgin state.
    pub(super) fn direction(&self) -> Option<f64> {
        match self.branch() {
            Some((direction, ..)) => Some(direction),
            None if self.x.re() != 0.0 => Some(if self.x.re() < 0.0 { -1.0 } else { 1.0 }),
            None => None,
        }
    }

    /// Whether this velocity leads back.
    pub(super) fn reverses(&self, v: f64) -> bool {
        self.direction().is_some_and(|d| v * d < 0.0)
    }

    /// Puts it into the states.
    pub(super) fn write(&self, z: &mut [S]) {
        z[X] = self.x;
        z[COUNT] = S::lit(self.count as f64);
        for (i, turn) in self.turns.iter().enumerate() {
            z[TURNS + i] = if i < self.count { *turn } else { S::zero() };
        }
        z[BASE] = if self.count == 0 { S::zero() } else { self.base };
    }
}
