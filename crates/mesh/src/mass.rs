//! Lumped mass, area, and constant forces in the volume.
use crate::element::{Kind, MOST_NODES, Shape, Table};
use crate::{Element, Mesh, Refused, Section};

/// How a mass is put on the nodes of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lumping {
    /// Sums of the rows of the consistent mass.
    RowSums,
    /// The diagonal of the consistent mass, scaled to the element's mass.
    /// (E. Hinton, T. Rock, O. C. Zienkiewicz, Earthquake Eng. Struct. Dyn. 4 (1976) 245.)
    ScaledDiagonal,
}

impl Kind {
    /// The lumping of a kind: row sums, where they are positive.
    pub fn lumping(self) -> Lumping {
        match self {
            Kind::T6 | Kind::Q8 => Lumping::ScaledDiagonal,
            _ => Lumping::RowSums,
        }
    }
}

impl Mesh {
    /// Integral over the plane of a function of element, shape functions and place.
    pub fn integral(&self, mut function: impl FnMut(&Element, &Shape, [f64; 2]) -> f64) -> f64 {
        let tables = Table::all();
        let mut sum = 0.0;
        for element in &self.elements {
            for point in &tables[element.kind as usize].points {
                let spot = self.spot(element, &point.shape);
                sum += point.weight * spot.stretch * function(element, &point.shape, spot.place);
            }
        }
        sum
    }

    /// Area of the elements.
    pub fn area(&self) -> f64 {
        self.integral(|_, _, _| 1.0)
    }

    /// Lumped mass of each node. An element of a kind whose row sums are positive, but which is so distorted that its own
    /// are not, has its diagonal scaled too.
    pub fn lumped_mass(&self, section: &Section) -> Result<Vec<f64>, Refused> {
        let materials = section.check_for(self)?;
        let mut masses = vec![0.0; self.nodes.len()];
        let tables = Table::all();
        for element in &self.elements {
            let density = materials[usize::from(element.material)].1;
            let n = element.nodes().len();
            let (mut sums, mut diagonal, mut total) = ([0.0; MOST_NODES], [0.0; MOST_NODES], 0.0);
            for point in &tables[element.kind as usize].points {
                let mass = density * point.weight * self.spot(element, &point.shape).stretch;
                total += mass;
                for k in 0..n {
                    let value = point.shape.values[k];
                    sums[k] += mass * value;
                    diagonal[k] += mass * value * value;
                }
            }
            let scaled = element.kind.lumping() == Lumping::ScaledDiagonal || sums[..n].iter().any(|m| *m <= 0.0);
            let factor = total / diagonal[..n].iter().sum::<f64>();
            for (k, node) in element.nodes().iter().enumerate() {
                masses[*node as usize] += if scaled && total > 0.0 { factor * diagonal[k] } else { sums[k] };
            }
        }
        Ok(masses)
    }

    /// Mass of all elements.
    pub fn total_mass(&self, section: &Section) -> Result<f64, Refused> {
        Ok(self.node_masses(section)?.iter().sum())
    }

    /// Integral of density and shape function for each node: times an acceleration, the consistent force of gravity. Some
    /// are zero or negative on quadratic elements.
    pub fn node_masses(&self, section: &Section) -> Result<Vec<f64>, Refused> {
        let materials = section.check_for(self)?;
        let forces = self.volume_load(|_, material| [materials[usize::from(material)].1, 0.0]);
        Ok(forces.iter().step_by(2).copied().collect())
    }

    /// Consistent forces on all displacements of a force per area of the plane, given by place and material.
    pub fn volume_load(&self, mut force: impl FnMut([f64; 2], u16) -> [f64; 2]) -> Vec<f64> {
        let mut loads = vec![0.0; self.unknowns()];
        let tables = Table::all();
        for element in &self.elements {
            for point in &tables[element.kind as usize].points {
                let spot = self.spot(element, &point.shape);
                let own = force(spot.place, element.material).map(|f| f * point.weight * spot.stretch);
                for (k, node) in element.nodes().iter().enumerate() {
                    for e in 0..2 {
                        loads[2 * *node as usize + e] += own[e] * point.shape.values[k];
                    }
                }
            }
        }
        loads
    }
}
