//! Meshes of a rectangle.
use crate::element::Kind;
use crate::{Element, MOST, Mesh, Refused, Side};

impl Mesh {
    /// A rectangle from (0, 0) to `size`, divided evenly, with the boundaries `left`, `right`, `bottom` and `top`, each in
    /// the direction of its axis. A triangle is half of a division, cut from its lower left to its upper right corner.
    pub fn rectangle(size: [f64; 2], divisions: [usize; 2], kind: Kind) -> Result<Mesh, Refused> {
        for (name, value) in [("the rectangle's width", size[0]), ("the rectangle's height", size[1])] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(Refused::Number { name, value, expected: "a length above 0 m" });
            }
        }
        if divisions.contains(&0) {
            return Err(Refused::Empty);
        }
        let order: usize = if kind.is_quadratic() { 2 } else { 1 };
        let [columns, rows] = divisions.map(|n| order as u128 * n as u128 + 1);
        // Two factors of at most 2^65 each may exceed 2^128.
        let nodes = columns.saturating_mul(rows);
        if nodes > MOST as u128 {
            return Err(Refused::TooLarge { nodes });
        }
        let (columns, rows) = (columns as usize, rows as usize);
        let mut mesh = Mesh::default();
        let mut numbers = vec![0u32; columns * rows];
        for j in 0..rows {
            for i in 0..columns {
                numbers[j * columns + i] = mesh.nodes.len() as u32;
                // The centre of a division belongs to no serendipity element.
                if !(kind == Kind::Q8 && i % 2 == 1 && j % 2 == 1) {
                    let at = |k: usize, n: usize, length: f64| length * (k as f64 / (n - 1) as f64);
                    mesh.nodes.push([at(i, columns, size[0]), at(j, rows, size[1])]);
                }
            }
        }
        let (low, high) = (|k: usize| order * k, |k: usize| order * (k + 1));
        let each = if kind.corners() == 3 { 2 } else { 1 };
        mesh.elements.reserve(each * divisions[0] * divisions[1]);
        for j in 0..divisions[1] {
            for i in 0..divisions[0] {
                let corners = [[low(i), low(j)], [high(i), low(j)], [high(i), high(j)], [low(i), high(j)]];
                let cuts: &[&[usize]] = if each == 2 { &[&[0, 1, 2], &[0, 2, 3]] } else { &[&[0, 1, 2, 3]] };
                for cut in cuts {
                    let grid = of_corners(kind, &cut.iter().map(|k| corners[*k]).collect::<Vec<_>>());
                    let nodes: Vec<u32> = grid.iter().map(|[i, j]| numbers[j * columns + i]).collect();
                    mesh.elements.extend(Element::new(kind, &nodes, 0));
                }
            }
        }
        // Of two triangles, the first has the lower and the right side, the second the upper and the left one.
        let at =
            |i: usize, j: usize, upper: bool| (each * (j * divisions[0] + i) + usize::from(each == 2 && upper)) as u32;
        let side = |element, quad: u8, triangle: u8| Side { element, side: if each == 2 { triangle } else { quad } };
        let [m, n] = divisions;
        let boundaries: [(&str, Vec<Side>); 4] = [
            ("bottom", (0..m).map(|i| side(at(i, 0, false), 0, 0)).collect()),
            ("right", (0..n).map(|j| side(at(m - 1, j, false), 1, 1)).collect()),
            ("top", (0..m).map(|i| side(at(i, n - 1, true), 2, 1)).collect()),
            ("left", (0..n).map(|j| side(at(0, j, true), 3, 2)).collect()),
        ];
        mesh.boundaries = boundaries.into_iter().map(|(name, sides)| (name.to_string(), sides)).collect();
        // A rectangle so thin that its nodes coincide has no area.
        mesh.check()?;
        Ok(mesh)
    }
}

/// All nodes of an element on the grid, from its corners.
fn of_corners(kind: Kind, corners: &[[usize; 2]]) -> Vec<[usize; 2]> {
    let mut nodes = corners.to_vec();
    let n = corners.len();
    if kind.is_quadratic() {
        let middle = |a: [usize; 2], b: [usize; 2]| [0, 1].map(|e| (a[e] + b[e]) / 2);
        nodes.extend((0..n).map(|k| middle(corners[k], corners[(k + 1) % n])));
        if kind == Kind::Q9 {
            nodes.push(middle(corners[0], corners[2]));
        }
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_has_its_area_and_its_sides() {
        for kind in Kind::ALL {
            let mesh = Mesh::rectangle([3.0, 2.0], [4, 3], kind).unwrap();
            assert_eq!(mesh.pieces(), 1);
            assert!((mesh.area() - 6.0).abs() < 1e-13, "{kind:?}");
            for (name, axis, value, length) in
                [("left", 0, 0.0, 2.0), ("right", 0, 3.0, 2.0), ("bottom", 1, 0.0, 3.0), ("top", 1, 2.0, 3.0)]
            {
                let nodes = mesh.boundary_nodes(name).unwrap();
                assert!(nodes.iter().all(|k| mesh.nodes[*k as usize][axis] == value), "{kind:?} {name}");
                let own = mesh.side_points(name, crate::Rule::Gauss(2), 1.0).unwrap();
                assert!((own.iter().map(|p| p.area).sum::<f64>() - length).abs() < 1e-14);
                let outward = if value == 0.0 { -1.0 } else { 1.0 };
                assert!(own.iter().all(|p| (p.normal[axis] - outward).abs() < 1e-14), "{kind:?} {name}");
            }
        }
        assert_eq!(Mesh::rectangle([1.0, 1.0], [2, 2], Kind::Q8).unwrap().nodes.len(), 21);
    }

    #[test]
    fn what_is_no_rectangle_is_refused_before_any_memory_is_taken() {
        let make = |size, divisions| Mesh::rectangle(size, divisions, Kind::Q9).unwrap_err();
        assert!(matches!(make([1.0, 0.0], [1, 1]), Refused::Number { .. }));
        assert!(matches!(make([f64::NAN, 1.0], [1, 1]), Refused::Number { .. }));
        assert_eq!(make([1.0, 1.0], [0, 1]), Refused::Empty);
        for divisions in [[100_000, 10_000], [1_000_000_000, 1], [usize::MAX, usize::MAX]] {
            let refused = make([1.0, 1.0], divisions);
            assert!(matches!(refused, Refused::TooLarge { .. }), "{refused}");
        }
    }
}
