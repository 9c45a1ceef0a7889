//! Shape functions and their slopes.
use super::{Kind, Shape};

impl Kind {
    /// The shape functions at a point in local coordinates.
    pub fn shape(self, [x, y]: [f64; 2]) -> Shape {
        let mut out = Shape::default();
        let mut set = |i: usize, value: f64, slopes: [f64; 2]| {
            out.values[i] = value;
            (out.slopes[0][i], out.slopes[1][i]) = (slopes[0], slopes[1]);
        };
        match self {
            Kind::T3 | Kind::T6 => {
                let corners = [(1.0 - x - y, [-1.0, -1.0]), (x, [1.0, 0.0]), (y, [0.0, 1.0])];
                for (i, (a, da)) in corners.into_iter().enumerate() {
                    if self == Kind::T3 {
                        set(i, a, da);
                        continue;
                    }
                    set(i, a * (2.0 * a - 1.0), da.map(|d| (4.0 * a - 1.0) * d));
                    let (b, db) = corners[(i + 1) % 3];
                    set(3 + i, 4.0 * a * b, [0, 1].map(|e| 4.0 * (da[e] * b + a * db[e])));
                }
            }
            Kind::Q4 | Kind::Q8 => {
                for i in 0..4 {
                    let [p, q] = self.place(i);
                    let (a, b) = (1.0 + p * x, 1.0 + q * y);
                    if self == Kind::Q4 {
                        set(i, 0.25 * a * b, [0.25 * p * b, 0.25 * a * q]);
                        continue;
                    }
                    let c = p * x + q * y - 1.0;
                    set(i, 0.25 * a * b * c, [0.25 * p * b * (c + a), 0.25 * q * a * (c + b)]);
                    let middle = 4 + i;
                    let [p, q] = self.place(middle);
                    if p == 0.0 {
                        let (a, b) = (1.0 - x * x, 1.0 + q * y);
                        set(middle, 0.5 * a * b, [-x * b, 0.5 * a * q]);
                    } else {
                        let (a, b) = (1.0 + p * x, 1.0 - y * y);
                        set(middle, 0.5 * a * b, [0.5 * p * b, -y * a]);
                    }
                }
            }
            Kind::Q9 => {
                let (a, b) = (line(x), line(y));
                for i in 0..9 {
                    let [p, q] = self.place(i).map(|at| (at + 1.0) as usize);
                    set(i, a.0[p] * b.0[q], [a.1[p] * b.0[q], a.0[p] * b.1[q]]);
                }
            }
        }
        out
    }
}

/// Values and slopes of the three quadratics on (-1, 1) with nodes at -1, 0 and 1.
fn line(x: f64) -> ([f64; 3], [f64; 3]) {
    ([0.5 * x * (x - 1.0), 1.0 - x * x, 0.5 * x * (x + 1.0)], [x - 0.5, -2.0 * x, x + 0.5])
}

/// Shape functions of a side's nodes (start, end, middle) at a place on (-1, 1); the third is zero where there is no middle.
pub fn side_shape(quadratic: bool, x: f64) -> [f64; 3] {
    match quadratic {
        true => {
            let [start, middle, end] = line(x).0;
            [start, end, middle]
        }
        false => [0.5 * (1.0 - x), 0.5 * (1.0 + x), 0.0],
    }
}

/// Slopes of [`side_shape`].
pub fn side_slopes(quadratic: bool, x: f64) -> [f64; 3] {
    match quadratic {
        true => {
            let [start, middle, end] = line(x).1;
            [start, end, middle]
        }
        false => [-0.5, 0.5, 0.0],
    }
}
