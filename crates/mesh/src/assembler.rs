//! Stiffness and mass of a mesh on one pattern: the places are found once, the numbers are filled in one pass.
use crate::element::{Kind, MOST_NODES, Table};
use crate::{Elasticity, Element, Mesh, Numbering, Refused, Section};
use std::sync::Arc;
use stickslip_solve::sparse::{Assembly, Matrix, Pattern};

/// The places of a mesh's stiffness and mass.
#[derive(Clone, Debug)]
pub struct Assembler {
    assembly: Assembly,
}

/// Integrals of products of shape functions and slopes over one element of N nodes.
struct Products<const N: usize> {
    /// Of slopes along x and x, x and y, y and y.
    xx: [[f64; N]; N],
    xy: [[f64; N]; N],
    yy: [[f64; N]; N],
    /// Of values.
    values: [[f64; N]; N],
}

impl Assembler {
    /// The places of the elements of a mesh, and `more` beside them, such as springs between unknowns.
    pub fn new(mesh: &Mesh, numbering: &Numbering, more: &[(u32, u32)]) -> Result<Assembler, Refused> {
        let unknowns = numbering.unknowns();
        if unknowns.len() != mesh.unknowns() {
            return Err(Refused::Size { expected: mesh.unknowns(), found: unknowns.len() });
        }
        let mut lists = vec![];
        for element in &mesh.elements {
            lists.extend(element.nodes().iter().flat_map(|k| [2 * k, 2 * k + 1]).map(|d| unknowns[d as usize]));
        }
        let ends = mesh.elements.iter().scan(0, |end, element| {
            let begin = *end;
            *end += 2 * element.nodes().len();
            Some(begin..*end)
        });
        let elements = ends.map(|range| &lists[range]);
        Ok(Assembler { assembly: Assembly::new(numbering.len(), elements, more)? })
    }

    /// The places of the entries.
    pub fn pattern(&self) -> &Arc<Pattern> {
        self.assembly.pattern()
    }

    /// Stiffness and consistent mass.
    pub fn matrices(&self, mesh: &Mesh, section: &Section) -> Result<[Matrix; 2], Refused> {
        let (mut stiffness, mut mass) = (vec![], vec![]);
        self.fill(mesh, section, &mut stiffness, &mut mass)?;
        Ok([Matrix::sparse(self.pattern(), stiffness)?, Matrix::sparse(self.pattern(), mass)?])
    }

    /// The values of stiffness and consistent mass on the pattern.
    pub fn fill(
        &self,
        mesh: &Mesh,
        section: &Section,
        stiffness: &mut Vec<f64>,
        mass: &mut Vec<f64>,
    ) -> Result<(), Refused> {
        let materials = section.check_for(mesh)?;
        for values in [&mut *stiffness, &mut *mass] {
            values.clear();
            values.resize(self.pattern().entries(), 0.0);
        }
        let tables = Table::all();
        let mut targets = self.assembly.targets();
        for element in &mesh.elements {
            let (own, rest) = targets.split_at(4 * element.nodes().len().pow(2));
            targets = rest;
            let (elasticity, density) = &materials[usize::from(element.material)];
            let table = &tables[element.kind as usize];
            let to = Targets { own, stiffness, mass };
            match element.kind {
                Kind::T3 => to.add(Products::<3>::new(mesh, element, table), elasticity, *density),
                Kind::T6 => to.add(Products::<6>::new(mesh, element, table), elasticity, *density),
                Kind::Q4 => to.add(Products::<4>::new(mesh, element, table), elasticity, *density),
                Kind::Q8 => to.add(Products::<8>::new(mesh, element, table), elasticity, *density),
                Kind::Q9 => to.add(Products::<9>::new(mesh, element, table), elasticity, *density),
            }
        }
        Ok(())
    }
}

impl Section {
    /// Elasticity and density of each material, both times the thickness.
    pub(crate) fn check_for(&self, mesh: &Mesh) -> Result<Vec<(Elasticity, f64)>, Refused> {
        self.check()?;
        let given = self.materials.len();
        let missing = mesh.elements.iter().position(|element| usize::from(element.material) >= given);
        if let Some(element) = missing {
            return Err(Refused::Material { element, material: usize::from(mesh.elements[element].material) });
        }
        let t = self.thickness;
        let times = |e: Elasticity| Elasticity { c_11: t * e.c_11, c_12: t * e.c_12, c_33: t * e.c_33, ..e };
        Ok(self.materials.iter().map(|m| (times(m.elasticity(self.plane)), t * m.density)).collect())
    }
}

impl<const N: usize> Products<N> {
    #[inline(always)]
    fn new(mesh: &Mesh, element: &Element, table: &Table) -> Products<N> {
        let mut places = [[0.0; 2]; N];
        places.iter_mut().zip(element.nodes()).for_each(|(at, k)| *at = mesh.nodes[*k as usize]);
        let mut sums = Products { xx: [[0.0; N]; N], xy: [[0.0; N]; N], yy: [[0.0; N]; N], values: [[0.0; N]; N] };
        for point in &table.points {
            let [a, b] = &point.shape.slopes;
            let mut local = [[0.0; 2]; 2];
            for k in 0..N {
                for e in 0..2 {
                    local[0][e] += a[k] * places[k][e];
                    local[1][e] += b[k] * places[k][e];
                }
            }
            let stretch = local[0][0] * local[1][1] - local[0][1] * local[1][0];
            // The root of the weight goes to both factors.
            let root = (point.weight * stretch).sqrt();
            let scale = root / stretch;
            let (mut x, mut y, mut n) = ([0.0; N], [0.0; N], [0.0; N]);
            for k in 0..N {
                x[k] = (local[1][1] * a[k] - local[0][1] * b[k]) * scale;
                y[k] = (local[0][0] * b[k] - local[1][0] * a[k]) * scale;
                n[k] = point.shape.values[k] * root;
            }
            for i in 0..N {
                for j in 0..N {
                    sums.xx[i][j] += x[i] * x[j];
                    sums.xy[i][j] += x[i] * y[j];
                    sums.yy[i][j] += y[i] * y[j];
                    sums.values[i][j] += n[i] * n[j];
                }
            }
        }
        sums
    }
}

/// Where the entries of one element go.
struct Targets<'a> {
    own: &'a [u32],
    stiffness: &'a mut [f64],
    mass: &'a mut [f64],
}

impl Targets<'_> {
    #[inline(always)]
    fn add<const N: usize>(self, sums: Products<N>, elasticity: &Elasticity, density: f64) {
        let Elasticity { c_11, c_12, c_33, .. } = *elasticity;
        for i in 0..N {
            let mut rows = [[0.0; 2 * MOST_NODES]; 2];
            for j in 0..N {
                rows[0][2 * j] = c_11 * sums.xx[i][j] + c_33 * sums.yy[i][j];
                rows[0][2 * j + 1] = c_12 * sums.xy[i][j] + c_33 * sums.xy[j][i];
                rows[1][2 * j] = c_12 * sums.xy[j][i] + c_33 * sums.xy[i][j];
                rows[1][2 * j + 1] = c_11 * sums.yy[i][j] + c_33 * sums.xx[i][j];
            }
            for (e, row) in rows.iter().enumerate() {
                let begin = (2 * i + e) * 2 * N;
                let targets = &self.own[begin..begin + 2 * N];
                for (target, k) in targets.iter().zip(row) {
                    if *target != Assembly::HELD {
                        self.stiffness[*target as usize] += k;
                    }
                }
                for (j, m) in sums.values[i].iter().enumerate() {
                    let target = targets[2 * j + e];
                    if target != Assembly::HELD {
                        self.mass[target as usize] += density * m;
                    }
                }
            }
        }
    }
}
