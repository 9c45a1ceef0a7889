//! Displacement, strain and stress at places of the mesh, as rows on the displacements.
use crate::element::MOST_NODES;
use crate::{Element, Mesh, Refused, Section};

/// Newton steps towards the local coordinates of a place.
const MOST_STEPS: usize = 30;
/// A place is in an element that it misses by this much in local coordinates: places on a curved side are typed roughly.
const INSIDE: f64 = 1e-6;

/// A place in an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Located {
    /// The element.
    pub element: u32,
    /// Local coordinates.
    pub local: [f64; 2],
}

/// A linear form in the displacements: displacement (2 k + axis) and factor.
pub type Row = Vec<(u32, f64)>;

/// Stress in the plane, and across it, Pa.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stress {
    /// Along x.
    pub xx: f64,
    /// Along y.
    pub yy: f64,
    /// Shear.
    pub xy: f64,
    /// Across the plane.
    pub zz: f64,
}

impl Stress {
    /// Von Mises' stress.
    pub fn mises(&self) -> f64 {
        let Stress { xx, yy, xy, zz } = *self;
        let normal = (xx - yy).powi(2) + (yy - zz).powi(2) + (zz - xx).powi(2);
        (0.5 * normal + 3.0 * xy * xy).sqrt()
    }
}

impl Mesh {
    /// All elements that a place is in: several on a common side.
    pub fn locate(&self, place: [f64; 2]) -> Result<Vec<Located>, Refused> {
        let margin = INSIDE * self.extent();
        let near = |element: &Element| {
            (0..2).all(|e| {
                let own = element.nodes().iter().map(|k| self.nodes[*k as usize][e]);
                let (low, high) = own.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
                // A curved side bulges beyond its nodes, by less than an eighth of its length.
                let bulge = 0.15 * (high - low) + margin;
                low - bulge <= place[e] && place[e] <= high + bulge
            })
        };
        let mut found = vec![];
        for (e, element) in self.elements.iter().enumerate().filter(|(_, element)| near(element)) {
            if let Some(local) = self.local(element, place).filter(|local| element.kind.outside(*local) <= INSIDE) {
                found.push(Located { element: e as u32, local });
            }
        }
        match found.is_empty() {
            true => Err(Refused::Outside { place }),
            false => Ok(found),
        }
    }

    fn local(&self, element: &Element, place: [f64; 2]) -> Option<[f64; 2]> {
        let mut local = element.kind.centre();
        for _ in 0..MOST_STEPS {
            let shape = element.kind.shape(local);
            let spot = self.spot(element, &shape);
            let mut slopes = [[0.0; 2]; 2];
            for (k, node) in element.nodes().iter().enumerate() {
                for e in 0..2 {
                    slopes[0][e] += shape.slopes[0][k] * self.nodes[*node as usize][e];
                    slopes[1][e] += shape.slopes[1][k] * self.nodes[*node as usize][e];
                }
            }
            let off = [0, 1].map(|e| place[e] - spot.place[e]);
            let step = [
                (slopes[1][1] * off[0] - slopes[1][0] * off[1]) / spot.stretch,
                (slopes[0][0] * off[1] - slopes[0][1] * off[0]) / spot.stretch,
            ];
            local = [local[0] + step[0], local[1] + step[1]];
            if step.iter().any(|s| !s.is_finite()) || local.iter().any(|x| x.abs() > 10.0) {
                return None;
            }
            if step[0].abs().max(step[1].abs()) < 1e-13 {
                return Some(local);
            }
        }
        None
    }

    /// The displacement at a place as rows, along x and along y.
    pub fn displacement_rows(&self, place: [f64; 2]) -> Result<[Row; 2], Refused> {
        let at = self.locate(place)?[0];
        let element = &self.elements[at.element as usize];
        let values = element.kind.shape(at.local).values;
        let row = |e: u32| {
            element.nodes().iter().zip(values).filter(|(_, v)| *v != 0.0).map(|(k, v)| (2 * k + e, v)).collect()
        };
        Ok([row(0), row(1)])
    }

    /// The stresses xx, yy, xy and zz at a place as rows; on a side that elements share, the mean of theirs.
    pub fn stress_rows(&self, section: &Section, place: [f64; 2]) -> Result<[Row; 4], Refused> {
        section.check_for(self)?;
        let found = self.locate(place)?;
        let mut rows: [Row; 4] = Default::default();
        let part = 1.0 / found.len() as f64;
        for at in found {
            let element = &self.elements[at.element as usize];
            let material = &section.materials[usize::from(element.material)];
            let own = material.elasticity(section.plane);
            let spot = self.spot(element, &element.kind.shape(at.local));
            for (k, node) in element.nodes().iter().enumerate() {
                let [x, y] = [part * spot.slopes[0][k], part * spot.slopes[1][k]];
                let [u, v] = [2 * node, 2 * node + 1];
                let across = own.across * (own.c_11 + own.c_12);
                rows[0].extend([(u, own.c_11 * x), (v, own.c_12 * y)]);
                rows[1].extend([(u, own.c_12 * x), (v, own.c_11 * y)]);
                rows[2].extend([(u, own.c_33 * y), (v, own.c_33 * x)]);
                rows[3].extend([(u, across * x), (v, across * y)]);
            }
        }
        rows.iter_mut().for_each(merge);
        Ok(rows)
    }

    /// Stress at a place.
    pub fn stress(&self, section: &Section, displacements: &[f64], place: [f64; 2]) -> Result<Stress, Refused> {
        let [xx, yy, xy, zz] = self.stress_rows(section, place)?.map(|row| value(&row, displacements));
        Ok(Stress { xx, yy, xy, zz })
    }

    /// Stress at all nodes: the mean of the elements that have the node.
    pub fn node_stresses(&self, section: &Section, displacements: &[f64]) -> Result<Vec<Stress>, Refused> {
        section.check_for(self)?;
        if displacements.len() != self.unknowns() {
            return Err(Refused::Size { expected: self.unknowns(), found: displacements.len() });
        }
        let mut sums = vec![(Stress::default(), 0.0); self.nodes.len()];
        for element in &self.elements {
            let own = section.materials[usize::from(element.material)].elasticity(section.plane);
            for (k, node) in element.nodes().iter().enumerate() {
                let spot = self.spot(element, &element.kind.shape(element.kind.place(k)));
                let [x, y, shear] = strain(element, &spot.slopes, displacements);
                let (sum, count) = &mut sums[*node as usize];
                let [xx, yy] = [own.c_11 * x + own.c_12 * y, own.c_12 * x + own.c_11 * y];
                sum.xx += xx;
                sum.yy += yy;
                sum.xy += own.c_33 * shear;
                sum.zz += own.across * (xx + yy);
                *count += 1.0;
            }
        }
        let mean = |(s, n): (Stress, f64)| Stress { xx: s.xx / n, yy: s.yy / n, xy: s.xy / n, zz: s.zz / n };
        Ok(sums.into_iter().map(mean).collect())
    }
}

/// e_xx, e_yy, 2 e_xy
fn strain(element: &Element, slopes: &[[f64; MOST_NODES]; 2], displacements: &[f64]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for (k, node) in element.nodes().iter().enumerate() {
        let [u, v] = [0, 1].map(|e| displacements[2 * *node as usize + e]);
        let [x, y] = [slopes[0][k], slopes[1][k]];
        sum[0] += x * u;
        sum[1] += y * v;
        sum[2] += y * u + x * v;
    }
    sum
}

/// The value of a row.
pub fn value(row: &Row, displacements: &[f64]) -> f64 {
    row.iter().map(|(d, factor)| factor * displacements[*d as usize]).sum()
}

/// Each displacement once, ascending.
fn merge(row: &mut Row) {
    row.sort_unstable_by_key(|(d, _)| *d);
    row.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::Kind;

    #[test]
    fn a_place_is_found_in_distorted_elements() {
        for kind in Kind::ALL {
            let mut mesh = Mesh::rectangle([2.0, 1.0], [3, 2], kind).unwrap();
            for at in &mut mesh.nodes {
                let [x, y] = *at;
                *at = [x + 0.1 * (2.0 * y).sin() * x, y + 0.08 * (1.5 * x).sin()];
            }
            mesh.check().unwrap();
            for (e, element) in mesh.elements.iter().enumerate() {
                let local = element.kind.centre().map(|x| x + 0.1);
                let place = mesh.spot(element, &kind.shape(local)).place;
                let found = mesh.locate(place).unwrap();
                assert_eq!((found.len(), found[0].element as usize), (1, e), "{kind:?}");
                assert!((0..2).all(|k| (found[0].local[k] - local[k]).abs() < 1e-12));
            }
            assert!(matches!(mesh.locate([5.0, 0.5]), Err(Refused::Outside { .. })));
        }
    }
}
