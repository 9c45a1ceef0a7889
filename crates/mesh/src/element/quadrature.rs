//! Quadrature in elements: the points, and the shape functions there, found once for all elements of a kind.
use super::{Kind, Shape};
use stickslip_solve::quadrature::gauss;

/// A point of a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TablePoint {
    /// Its local coordinates.
    pub local: [f64; 2],
    /// Its weight.
    pub weight: f64,
    /// The shape functions there.
    pub shape: Shape,
}

/// The rule of a kind: exact for stiffness and mass of a straight element.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The kind.
    pub kind: Kind,
    /// Its points.
    pub points: Vec<TablePoint>,
}

impl Table {
    /// The rule of a kind.
    pub fn new(kind: Kind) -> Table {
        let points = match kind {
            Kind::T3 => triangle(&[(1.0 / 6.0, 1.0 / 3.0)]),
            Kind::T6 => triangle(&six_points()),
            Kind::Q4 => square(2),
            Kind::Q8 | Kind::Q9 => square(3),
        };
        let point = |(local, weight)| TablePoint { local, weight, shape: kind.shape(local) };
        Table { kind, points: points.into_iter().map(point).collect() }
    }

    /// The rules of all kinds, by the number of the kind.
    pub fn all() -> [Table; 5] {
        Kind::ALL.map(Table::new)
    }
}

fn square(n: usize) -> Vec<([f64; 2], f64)> {
    let line: Vec<(f64, f64)> = gauss(n).into_iter().map(|(x, w)| (2.0 * x - 1.0, 2.0 * w)).collect();
    line.iter().flat_map(|(y, v)| line.iter().map(move |(x, w)| ([*x, *y], w * v))).collect()
}

/// Points (a, a), (1 - 2 a, a), (a, 1 - 2 a) for each a, with its part of the area at each.
fn triangle(orbits: &[(f64, f64)]) -> Vec<([f64; 2], f64)> {
    let three = |(a, part): &(f64, f64)| {
        let b = 1.0 - 2.0 * a;
        [[*a, *a], [b, *a], [*a, b]].map(|at| (at, 0.5 * part))
    };
    orbits.iter().flat_map(three).collect()
}

/// Two orbits, exact to degree four. (G. R. Cowper, Int. J. Num. Meth. Eng. 7 (1973) 405.)
fn six_points() -> [(f64, f64); 2] {
    let root = (38.0 - 44.0 * (2.0f64 / 5.0).sqrt()).sqrt();
    let base = 8.0 - 10f64.sqrt();
    let weight = |sign: f64| (620.0 + sign * (213_125.0 - 53_320.0 * 10f64.sqrt()).sqrt()) / 3720.0;
    [((base + root) / 18.0, weight(1.0)), ((base - root) / 18.0, weight(-1.0))]
}
