//! Points on a boundary: where contact, traction and springs act, and what each point's area is.
use crate::element::{side_shape, side_slopes};
use crate::{Mesh, Refused, Side};
use std::collections::BTreeMap;
use stickslip_solve::quadrature::gauss;

/// Most points of a Gauss rule on a side.
pub const MOST_GAUSS: usize = 64;
/// Where two sides meet at more than this angle, rad, a node has a point on each: one normal cannot serve both.
const CORNER: f64 = 0.5;

/// A quadrature rule on the sides of a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Points at the nodes: Simpson's rule on sides of three nodes, the trapezoidal one on sides of two.
    Nodal,
    /// So many Gauss points on each side.
    Gauss(usize),
}

/// A point of a boundary.
#[derive(Clone, Debug, PartialEq)]
pub struct SidePoint {
    /// Where it is, m.
    pub place: [f64; 2],
    /// Its distance from the start of the boundary, along it, m.
    pub along: f64,
    /// Unit vector out of the body.
    pub normal: [f64; 2],
    /// Unit vector along the boundary, counterclockwise about the body.
    pub tangent: [f64; 2],
    /// Length times thickness, m^2.
    pub area: f64,
    /// Nodes with the values of their shape functions.
    pub shape: Vec<(u32, f64)>,
}

impl SidePoint {
    /// The tangent in the direction of the axes: along +x, or along +y on a vertical side.
    pub fn tangent_along_axes(&self) -> [f64; 2] {
        let [x, y] = self.tangent;
        let reversed = if x.abs() > 1e-9 { x < 0.0 } else { y < 0.0 };
        if reversed { [-x, -y] } else { [x, y] }
    }
}

impl Mesh {
    /// The points of a boundary by a rule, in the order of the boundary.
    pub fn side_points(&self, boundary: &str, rule: Rule, thickness: f64) -> Result<Vec<SidePoint>, Refused> {
        let local: Option<Vec<(f64, f64)>> = match rule {
            Rule::Nodal => None,
            Rule::Gauss(points) if points == 0 || points > MOST_GAUSS => return Err(Refused::Rule { points }),
            Rule::Gauss(n) => Some(gauss(n).into_iter().map(|(x, w)| (2.0 * x - 1.0, 2.0 * w)).collect()),
        };
        let sides = self.in_order(self.boundary(boundary)?);
        let mut points: Vec<SidePoint> = vec![];
        let mut begin = 0.0;
        let mut first_of_chain = 0;
        let mut last: Option<u32> = None;
        for (side, forward) in sides {
            let (nodes, count) = self.elements[side.element as usize].side(side.side);
            let (start, end) = if forward { (nodes[0], nodes[1]) } else { (nodes[1], nodes[0]) };
            if last != Some(start) {
                first_of_chain = points.len();
            }
            last = Some(end);
            let quadratic = count == 3;
            let length: f64 =
                gauss(4).iter().map(|(x, w)| 2.0 * w * self.side_at(&nodes, quadratic, 2.0 * x - 1.0).1).sum();
            let own: Vec<(f64, f64)> = match &local {
                Some(own) => own.clone(),
                None if quadratic => vec![(-1.0, 1.0 / 3.0), (0.0, 4.0 / 3.0), (1.0, 1.0 / 3.0)],
                None => vec![(-1.0, 1.0), (1.0, 1.0)],
            };
            for (x, weight) in own {
                let x = if forward { x } else { -x };
                let (place, speed, tangent) = self.side_at(&nodes, quadratic, x);
                let part = self.part_of_side(&nodes, quadratic, if forward { -1.0 } else { 1.0 }, x);
                let values = side_shape(quadratic, x);
                let shape: Vec<(u32, f64)> =
                    nodes[..count].iter().zip(values).filter(|(_, v)| *v != 0.0).map(|(k, v)| (*k, v)).collect();
                let point = SidePoint {
                    place,
                    along: begin + part,
                    normal: [tangent[1], -tangent[0]],
                    tangent,
                    area: weight * speed * thickness,
                    shape,
                };
                add(&mut points, first_of_chain, point, local.is_none());
            }
            begin += length;
        }
        Ok(points)
    }

    /// Consistent forces on all displacements of a traction on a boundary, Pa, given by place and outward normal.
    pub fn boundary_load(
        &self,
        boundary: &str,
        thickness: f64,
        mut traction: impl FnMut([f64; 2], [f64; 2]) -> [f64; 2],
    ) -> Result<Vec<f64>, Refused> {
        let mut loads = vec![0.0; self.unknowns()];
        // Exact for a traction of third order on a straight quadratic side.
        for point in self.side_points(boundary, Rule::Gauss(3), thickness)? {
            let own = traction(point.place, point.normal).map(|f| f * point.area);
            for (node, value) in &point.shape {
                for e in 0..2 {
                    loads[2 * *node as usize + e] += own[e] * value;
                }
            }
        }
        Ok(loads)
    }

    /// Area that each node of a boundary has in a uniform traction, m^2.
    pub fn boundary_areas(&self, boundary: &str, thickness: f64) -> Result<Vec<(u32, f64)>, Refused> {
        let mut areas: BTreeMap<u32, f64> = BTreeMap::new();
        for point in self.side_points(boundary, Rule::Gauss(3), thickness)? {
            point.shape.iter().for_each(|(k, value)| *areas.entry(*k).or_default() += value * point.area);
        }
        Ok(areas.into_iter().collect())
    }

    /// Place, length per local coordinate and direction at a local place of a side.
    fn side_at(&self, nodes: &[u32; 3], quadratic: bool, x: f64) -> ([f64; 2], f64, [f64; 2]) {
        let (values, slopes) = (side_shape(quadratic, x), side_slopes(quadratic, x));
        let (mut place, mut slope) = ([0.0; 2], [0.0; 2]);
        for k in 0..if quadratic { 3 } else { 2 } {
            let at = self.nodes[nodes[k] as usize];
            for e in 0..2 {
                place[e] += values[k] * at[e];
                slope[e] += slopes[k] * at[e];
            }
        }
        let speed = slope[0].hypot(slope[1]);
        (place, speed, slope.map(|s| s / speed))
    }

    /// Length between two local places of a side.
    fn part_of_side(&self, nodes: &[u32; 3], quadratic: bool, from: f64, to: f64) -> f64 {
        let half = 0.5 * (to - from).abs();
        let at = |x: f64| from + (to - from) * x;
        gauss(4).iter().map(|(x, w)| 2.0 * half * w * self.side_at(nodes, quadratic, at(*x)).1).sum()
    }

    /// Sides that follow each other, and whether each is passed counterclockwise about the body. A chain begins at its end
    /// of lesser x, then y.
    fn in_order(&self, sides: &[Side]) -> Vec<(Side, bool)> {
        let ends = |side: &Side| self.elements[side.element as usize].side(side.side).0;
        let mut from: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        let mut into: BTreeMap<u32, usize> = BTreeMap::new();
        for (k, side) in sides.iter().enumerate() {
            from.entry(ends(side)[0]).or_default().push(k);
            *into.entry(ends(side)[1]).or_default() += 1;
        }
        let mut used = vec![false; sides.len()];
        let mut chains: Vec<Vec<usize>> = vec![];
        let open = (0..sides.len()).filter(|k| !into.contains_key(&ends(&sides[*k])[0]));
        for first in open.chain(0..sides.len()) {
            let (mut chain, mut next) = (vec![], Some(first));
            while let Some(k) = next.filter(|k| !used[*k]) {
                used[k] = true;
                chain.push(k);
                next = from.get(&ends(&sides[k])[1]).and_then(|all| all.iter().copied().find(|k| !used[*k]));
            }
            if !chain.is_empty() {
                chains.push(chain);
            }
        }
        let mut ordered: Vec<Vec<(Side, bool)>> = vec![];
        for chain in chains {
            let place = |node: u32| self.nodes[node as usize];
            let (start, end) = (place(ends(&sides[chain[0]])[0]), place(ends(&sides[chain[chain.len() - 1]])[1]));
            // Coordinates that differ by rounding alone are equal.
            let near = 1e-9 * self.extent();
            let before = if (start[0] - end[0]).abs() > near { start[0] < end[0] } else { start[1] <= end[1] };
            let mut own: Vec<(Side, bool)> = chain.iter().map(|k| (sides[*k], before)).collect();
            if !before {
                own.reverse();
            }
            ordered.push(own);
        }
        let start = |chain: &Vec<(Side, bool)>| {
            let (side, forward) = chain[0];
            self.nodes[ends(&side)[usize::from(!forward)] as usize]
        };
        ordered.sort_by(|a, b| start(a).partial_cmp(&start(b)).unwrap_or(std::cmp::Ordering::Equal));
        ordered.into_iter().flatten().collect()
    }
}

/// Adds a point; at a node that the chain has already, its area, unless the chain has a corner there.
fn add(points: &mut Vec<SidePoint>, first: usize, point: SidePoint, nodal: bool) {
    let meets = |old: &SidePoint| {
        let cosine = old.normal[0] * point.normal[0] + old.normal[1] * point.normal[1];
        nodal && old.shape[0].0 == point.shape[0].0 && cosine > CORNER.cos()
    };
    // The neighbour, or the first one of a closed chain.
    let candidates = [points.len().checked_sub(1), Some(first)];
    let twin = candidates.into_iter().flatten().find(|k| *k >= first && points.get(*k).is_some_and(meets));
    match twin {
        Some(k) => {
            let old = &mut points[k];
            let mix = |a: [f64; 2], b: [f64; 2]| {
                let sum = [0, 1].map(|e| old.area * a[e] + point.area * b[e]);
                sum.map(|x| x / sum[0].hypot(sum[1]))
            };
            (old.normal, old.tangent) = (mix(old.normal, point.normal), mix(old.tangent, point.tangent));
            old.area += point.area;
        }
        None => points.push(point),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::Kind;

    #[test]
    fn simpson_s_rule_has_its_weights_at_the_nodes() {
        let mesh = Mesh::rectangle([6.0, 1.0], [3, 1], Kind::Q9).unwrap();
        let points = mesh.side_points("top", Rule::Nodal, 0.5).unwrap();
        let expected = [1.0, 4.0, 2.0, 4.0, 2.0, 4.0, 1.0].map(|w| w / 6.0);
        assert_eq!(points.len(), 7);
        for (k, (point, area)) in points.iter().zip(expected).enumerate() {
            assert!((point.area - area).abs() < 1e-15 && point.shape.len() == 1);
            assert!((point.place[0] - k as f64).abs() < 1e-14 && (point.along - k as f64).abs() < 1e-14);
            assert_eq!((point.normal, point.tangent_along_axes()), ([0.0, 1.0], [1.0, 0.0]));
        }
        let points = Mesh::rectangle([4.0, 2.0], [4, 2], Kind::T3).unwrap();
        let points = points.side_points("right", Rule::Nodal, 1.0).unwrap();
        assert_eq!(points.iter().map(|p| p.area).collect::<Vec<_>>(), [0.5, 1.0, 0.5]);
        assert_eq!((points[2].place, points[0].tangent_along_axes()), ([4.0, 2.0], [0.0, 1.0]));
    }

    #[test]
    fn a_corner_has_a_point_on_each_side() {
        let mut mesh = Mesh::rectangle([1.0, 1.0], [1, 1], Kind::Q4).unwrap();
        let around = ["bottom", "right", "top", "left"].map(|name| mesh.boundaries[name].clone()).concat();
        mesh.boundaries.insert("around".into(), around);
        let points = mesh.side_points("around", Rule::Nodal, 1.0).unwrap();
        assert_eq!(points.len(), 8);
        assert!((points.iter().map(|p| p.area).sum::<f64>() - 4.0).abs() < 1e-15);
    }

    #[test]
    fn gauss_points_integrate_along_a_curved_side() {
        // A quarter of a ring, inner radius 1, outer radius 2.
        let mut mesh = Mesh::rectangle([1.0, 1.0], [2, 16], Kind::Q9).unwrap();
        for at in &mut mesh.nodes {
            let (r, angle) = (1.0 + at[0], at[1] * std::f64::consts::FRAC_PI_2);
            *at = [r * angle.cos(), r * angle.sin()];
        }
        mesh.check().unwrap();
        let points = mesh.side_points("right", Rule::Gauss(5), 1.0).unwrap();
        let length: f64 = points.iter().map(|p| p.area).sum();
        assert!((length - std::f64::consts::PI).abs() < 1e-6, "{length}");
        for point in points {
            let r = point.place[0].hypot(point.place[1]);
            let cosine = (point.normal[0] * point.place[0] + point.normal[1] * point.place[1]) / r;
            assert!((r - 2.0).abs() < 1e-4 && cosine > 1.0 - 1e-4);
        }
    }

    #[test]
    fn an_unknown_boundary_names_those_there_are() {
        let mesh = Mesh::rectangle([1.0, 1.0], [1, 1], Kind::Q4).unwrap();
        let refused = mesh.side_points("upper", Rule::Nodal, 1.0).unwrap_err().to_string();
        assert!(refused.contains("`upper`") && refused.contains("bottom, left, right, top"), "{refused}");
        assert!(mesh.side_points("top", Rule::Gauss(0), 1.0).is_err());
        assert!(mesh.side_points("top", Rule::Gauss(1_000_000_000), 1.0).is_err());
    }
}
