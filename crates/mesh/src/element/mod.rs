//! Element kinds: nodes, sides, shape functions.
//!
//! Nodes are counterclockwise: corners, then the middles of the sides, then the centre, as Gmsh and VTK have them.
//! Local coordinates are (-1, 1)^2 in quadrilaterals, and r, s >= 0 with r + s <= 1 in triangles.
mod quadrature;
mod shape;

pub use quadrature::{Table, TablePoint};
pub use shape::{side_shape, side_slopes};

/// An element of one of these has at most so many nodes.
pub const MOST_NODES: usize = 9;

/// The kind of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Triangle of three nodes: linear.
    T3,
    /// Triangle of six nodes: quadratic.
    T6,
    /// Quadrilateral of four nodes: bilinear.
    Q4,
    /// Quadrilateral of eight nodes: serendipity.
    Q8,
    /// Quadrilateral of nine nodes: biquadratic.
    Q9,
}

/// Values of the shape functions at a point, and their slopes in both local coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shape {
    /// Value of each node's function.
    pub values: [f64; MOST_NODES],
    /// Slopes in the first and in the second coordinate.
    pub slopes: [[f64; MOST_NODES]; 2],
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 5] = [Kind::T3, Kind::T6, Kind::Q4, Kind::Q8, Kind::Q9];

    /// Its name in a scenario.
    pub fn name(self) -> &'static str {
        match self {
            Kind::T3 => "t3",
            Kind::T6 => "t6",
            Kind::Q4 => "q4",
            Kind::Q8 => "q8",
            Kind::Q9 => "q9",
        }
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Number of nodes.
    pub fn nodes(self) -> usize {
        match self {
            Kind::T3 => 3,
            Kind::T6 => 6,
            Kind::Q4 => 4,
            Kind::Q8 => 8,
            Kind::Q9 => 9,
        }
    }

    /// Number of corners, and of sides.
    pub fn corners(self) -> usize {
        if matches!(self, Kind::T3 | Kind::T6) { 3 } else { 4 }
    }

    /// Whether its sides have a node in the middle.
    pub fn is_quadratic(self) -> bool {
        self.nodes() > self.corners()
    }

    /// Local nodes of a side: start and end, counterclockwise, and the middle where there is one.
    pub fn side(self, side: usize) -> ([usize; 3], usize) {
        let corners = self.corners();
        let middle = if self.is_quadratic() { corners + side } else { side };
        ([side, (side + 1) % corners, middle], if self.is_quadratic() { 3 } else { 2 })
    }

    /// Local coordinates of a node.
    pub fn place(self, node: usize) -> [f64; 2] {
        const TRIANGLE: [[f64; 2]; 6] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.5, 0.0], [0.5, 0.5], [0.0, 0.5]];
        const SQUARE: [[f64; 2]; 9] = [
            [-1.0, -1.0],
            [1.0, -1.0],
            [1.0, 1.0],
            [-1.0, 1.0],
            [0.0, -1.0],
            [1.0, 0.0],
            [0.0, 1.0],
            [-1.0, 0.0],
            [0.0, 0.0],
        ];
        if self.corners() == 3 { TRIANGLE[node] } else { SQUARE[node] }
    }

    /// The centre in local coordinates.
    pub fn centre(self) -> [f64; 2] {
        if self.corners() == 3 { [1.0 / 3.0; 2] } else { [0.0; 2] }
    }

    /// How far a point is outside, in local coordinates; at most zero inside.
    pub fn outside(self, [x, y]: [f64; 2]) -> f64 {
        if self.corners() == 3 { (-x).max(-y).max(x + y - 1.0) } else { (x.abs() - 1.0).max(y.abs() - 1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_function_is_one_at_its_own_node_and_zero_at_the_others() {
        for kind in Kind::ALL {
            for i in 0..kind.nodes() {
                let values = kind.shape(kind.place(i)).values;
                for j in 0..kind.nodes() {
                    assert_eq!(values[j], f64::from(u8::from(i == j)), "{kind:?} {i} {j}");
                }
            }
        }
    }

    #[test]
    fn functions_sum_to_one_and_slopes_are_those_of_the_values() {
        for kind in Kind::ALL {
            for [x, y] in [[0.2, 0.3], [0.1, 0.7], [0.45, 0.05]] {
                let shape = kind.shape([x, y]);
                assert!((shape.values.iter().sum::<f64>() - 1.0).abs() < 1e-14);
                let h = 1e-6;
                for (axis, step) in [[h, 0.0], [0.0, h]].into_iter().enumerate() {
                    let [above, below] = [1.0, -1.0].map(|s| kind.shape([x + s * step[0], y + s * step[1]]).values);
                    for i in 0..kind.nodes() {
                        let slope = (above[i] - below[i]) / (2.0 * h);
                        assert!((slope - shape.slopes[axis][i]).abs() < 1e-9, "{kind:?} {i} {axis}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_rule_is_exact_for_the_mass_of_a_straight_element() {
        for kind in Kind::ALL {
            let table = Table::new(kind);
            let area: f64 = table.points.iter().map(|p| p.weight).sum();
            assert!((area - if kind.corners() == 3 { 0.5 } else { 4.0 }).abs() < 1e-14);
            // The highest power in each coordinate that the mass has.
            let power = if kind.is_quadratic() { 4 } else { 2 };
            let sum: f64 = table.points.iter().map(|p| p.weight * p.local[0].powi(power)).sum();
            let p = f64::from(power);
            let exact = if kind.corners() == 3 { 1.0 / ((p + 1.0) * (p + 2.0)) } else { 4.0 / (p + 1.0) };
            assert!((sum - exact).abs() < 1e-14, "{kind:?} {sum} {exact}");
        }
    }

    #[test]
    fn names_are_read_back() {
        assert!(Kind::ALL.iter().all(|kind| Kind::named(kind.name()) == Some(*kind)));
        assert_eq!(Kind::named("h8"), None);
    }
}
