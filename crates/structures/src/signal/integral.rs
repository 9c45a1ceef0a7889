//! The integral of a function of time, independent of whoever follows it: what a solver applied is held against it.
use super::Signal;
use stickslip_real::{Interval, Series};

/// Nodes and weights of Gauss's rule with four points on (-1, 1).
const GAUSS: [(f64, f64); 4] = [
    (-0.861_136_311_594_052_6, 0.347_854_845_137_453_85),
    (-0.339_981_043_584_856_26, 0.652_145_154_862_546_1),
    (0.339_981_043_584_856_26, 0.652_145_154_862_546_1),
    (0.861_136_311_594_052_6, 0.347_854_845_137_453_85),
];
/// Its error is f^(8)/8! (b - a)^9 times this: (4!)^4/(9 (8!)^2).
const GAUSS_ERROR: f64 = 331_776.0 / (9.0 * 40_320.0 * 40_320.0);
/// Cells that are looked at before the integral is given up.
const MOST_CELLS: usize = 20_000;

/// An integral and that of the magnitude.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Integral {
    /// Of the function.
    pub value: f64,
    /// Of its magnitude, about.
    pub magnitude: f64,
}

impl Signal {
    /// The integral from `from` to `to`, each cell to the part `tolerance` of the whole by a proven bound; None where that
    /// takes too many cells.
    pub fn integral(&self, from: f64, to: f64, tolerance: f64) -> Option<Integral> {
        let length = to - from;
        match self {
            Signal::Constant(x) => Some(Integral { value: x * length, magnitude: (x * length).abs() }),
            Signal::Sine { amplitude, omega, phase } => {
                let primitive = |t: f64| -amplitude / omega * (omega * t + phase).cos();
                let magnitude = amplitude.abs() * length;
                Some(Integral { value: primitive(to) - primitive(from), magnitude })
            }
            Signal::Points { .. } => Some(self.integral_of_lines(from, to)),
            Signal::Sum(parts) => parts.iter().try_fold(Integral { value: 0.0, magnitude: 0.0 }, |sum, s| {
                let part = s.integral(from, to, tolerance)?;
                Some(Integral { value: sum.value + part.value, magnitude: sum.magnitude + part.magnitude })
            }),
            Signal::Scaled(factor, s) => {
                let part = s.integral(from, to, tolerance)?;
                Some(Integral { value: factor * part.value, magnitude: factor.abs() * part.magnitude })
            }
            Signal::Shifted(by, s) => s.integral(from - by, to - by, tolerance),
            _ => self.integral_by_cells(from, to, tolerance),
        }
    }

    /// The integral of straight lines between knots.
    fn integral_of_lines(&self, from: f64, to: f64) -> Integral {
        let mut total = Integral { value: 0.0, magnitude: 0.0 };
        let mut a = from;
        while a < to {
            let b = self.next_knot(a).min(to);
            let part = 0.5 * (b - a) * (self.value(a) + self.expand(a).at(b - a));
            total.value += part;
            total.magnitude += part.abs();
            a = b;
        }
        total
    }

    fn integral_by_cells(&self, from: f64, to: f64, tolerance: f64) -> Option<Integral> {
        let enough = tolerance * self.bound(from, to).max(f64::MIN_POSITIVE);
        let mut total = Integral { value: 0.0, magnitude: 0.0 };
        let (mut a, mut waiting) = (from, vec![to]);
        let mut cells = 0;
        while let Some(&b) = waiting.last() {
            cells += 1;
            if cells > MOST_CELLS {
                return None;
            }
            let stretch = self.smooth_from(a, b);
            let end = stretch.end.min(b);
            let over: Series<9, Interval> = self.over(a, end);
            let error = over.0[8].magnitude() * (end - a).powi(8) * GAUSS_ERROR;
            // Nothing can be wrong by more than the range of its values.
            let spread = over.0[0].hi - over.0[0].lo;
            if error.min(spread) > enough && 0.5 * (a + end) > a && 0.5 * (a + end) < end {
                waiting.push(0.5 * (a + end));
                continue;
            }
            let (middle, half) = (0.5 * (a + end), 0.5 * (end - a));
            for (node, weight) in GAUSS {
                let value = weight * half * self.value(middle + half * node);
                total.value += value;
                total.magnitude += value.abs();
            }
            a = end;
            while waiting.last().is_some_and(|b| *b <= a) {
                waiting.pop();
            }
        }
        Some(total)
    }
}
