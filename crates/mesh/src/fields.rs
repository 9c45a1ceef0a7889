//! Meshes with fields as VTU files have them: displacement, stress, what a boundary carries, and the phases of a mode.
use crate::{Kind, Mesh, Refused, Section, SidePoint, Stress};
use stickslip_data::vtu::{Cell, Field, Grid};

impl Mesh {
    /// The mesh without fields.
    pub fn grid(&self) -> Grid {
        let cell = |kind: Kind| match kind {
            Kind::T3 => Cell::Triangle,
            Kind::T6 => Cell::QuadraticTriangle,
            Kind::Q4 => Cell::Quad,
            Kind::Q8 => Cell::QuadraticQuad,
            Kind::Q9 => Cell::BiquadraticQuad,
        };
        Grid {
            nodes: self.nodes.iter().map(|[x, y]| [*x, *y, 0.0]).collect(),
            cells: self.elements.iter().map(|element| (cell(element.kind), element.nodes().to_vec())).collect(),
            on_nodes: vec![],
            on_cells: vec![],
        }
    }

    /// Displacements, or their rates, as a field of vectors.
    pub fn vectors(&self, name: &str, displacements: &[f64]) -> Result<Field, Refused> {
        if displacements.len() != self.unknowns() {
            return Err(Refused::Size { expected: self.unknowns(), found: displacements.len() });
        }
        let values = displacements.chunks_exact(2).flat_map(|at| [at[0], at[1], 0.0]).collect();
        Ok(Field { name: name.into(), components: 3, values })
    }

    /// Stresses at the nodes as fields.
    pub fn stress_fields(&self, section: &Section, displacements: &[f64]) -> Result<Vec<Field>, Refused> {
        let stresses = self.node_stresses(section, displacements)?;
        let field = |name: &str, of: fn(&Stress) -> f64| Field {
            name: name.into(),
            components: 1,
            values: stresses.iter().map(of).collect(),
        };
        Ok(vec![
            field("stress xx (Pa)", |s| s.xx),
            field("stress yy (Pa)", |s| s.yy),
            field("stress xy (Pa)", |s| s.xy),
            field("stress zz (Pa)", |s| s.zz),
            field("von Mises stress (Pa)", Stress::mises),
        ])
    }

    /// What is known at points of a boundary, such as a pressure, as a field on all nodes: the mean of the points at a node,
    /// by area and shape function; zero elsewhere.
    pub fn boundary_field(&self, name: &str, points: &[SidePoint], values: &[f64]) -> Result<Field, Refused> {
        if points.len() != values.len() {
            return Err(Refused::Size { expected: points.len(), found: values.len() });
        }
        let mut sums = vec![[0.0; 2]; self.nodes.len()];
        for (point, value) in points.iter().zip(values) {
            for (node, shape) in &point.shape {
                // A middle node's function may be negative nowhere on its side, a corner's may: only its size counts.
                let weight = point.area * shape.abs();
                sums[*node as usize][0] += weight * value;
                sums[*node as usize][1] += weight;
            }
        }
        let values = sums.into_iter().map(|[sum, weight]| if weight > 0.0 { sum / weight } else { 0.0 }).collect();
        Ok(Field { name: name.into(), components: 1, values })
    }

    /// A mode as fields of its real and imaginary part, and its shape at so many phases of a period, Re (u e^{i phase}).
    pub fn mode_phases(&self, real: &[f64], imaginary: &[f64], phases: usize) -> Result<Vec<Grid>, Refused> {
        let parts = [self.vectors("mode, real part", real)?, self.vectors("mode, imaginary part", imaginary)?];
        let grid = |k: usize| {
            let (sine, cosine) = (std::f64::consts::TAU * k as f64 / phases as f64).sin_cos();
            let now: Vec<f64> = real.iter().zip(imaginary).map(|(re, im)| re * cosine - im * sine).collect();
            let mut grid = self.grid();
            grid.on_nodes = vec![self.vectors("displacement", &now)?, parts[0].clone(), parts[1].clone()];
            Ok(grid)
        };
        (0..phases).map(grid).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Material, Plane, Rule};

    #[test]
    fn fields_have_their_numbers_at_the_nodes() {
        let section = Section::new(Plane::Stress, 0.5, Material { young: 2.0, poisson: 0.25, density: 1.0 });
        for kind in Kind::ALL {
            let mesh = Mesh::rectangle([2.0, 1.0], [2, 1], kind).unwrap();
            // Uniaxial stress of 2 along x.
            let u: Vec<f64> = mesh.nodes.iter().flat_map(|[x, y]| [*x, -0.25 * y]).collect();
            let mut grid = mesh.grid();
            grid.on_nodes.push(mesh.vectors("u (m)", &u).unwrap());
            grid.on_nodes.extend(mesh.stress_fields(&section, &u).unwrap());
            for (field, expected) in grid.on_nodes[1..].iter().zip([2.0, 0.0, 0.0, 0.0, 2.0]) {
                assert!(field.values.iter().all(|x| (x - expected).abs() < 1e-13), "{kind:?} {}", field.name);
            }
            let points = mesh.side_points("top", Rule::Gauss(3), 0.5).unwrap();
            let pressure = vec![7.0; points.len()];
            let field = mesh.boundary_field("pressure (Pa)", &points, &pressure).unwrap();
            for (value, at) in field.values.iter().zip(&mesh.nodes) {
                assert!((value - if at[1] == 1.0 { 7.0 } else { 0.0 }).abs() < 1e-13);
            }
            grid.on_nodes.push(field);
            assert!(grid.vtu().is_ok());
            let phases = mesh.mode_phases(&u, &vec![0.0; u.len()], 4).unwrap();
            assert_eq!(phases.len(), 4);
            assert!((phases[2].on_nodes[0].values[3] + u[2]).abs() < 1e-15);
        }
    }
}
