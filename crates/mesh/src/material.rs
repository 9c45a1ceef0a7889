//! Isotropic elasticity in the plane.
use crate::Refused;

/// An isotropic material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Density, kg/m^3.
    pub density: f64,
}

/// What happens across the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// No strain across.
    Strain,
    /// No stress across.
    Stress,
}

/// A plane body's section: what its elements are made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Plane strain or plane stress.
    pub plane: Plane,
    /// Thickness, m.
    pub thickness: f64,
    /// Materials, by the numbers that elements have.
    pub materials: Vec<Material>,
}

/// Plane elasticity: s_xx = c_11 e_xx + c_12 e_yy, s_yy = c_12 e_xx + c_11 e_yy, s_xy = c_33 2 e_xy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elasticity {
    /// Stiffness in a direction, Pa.
    pub c_11: f64,
    /// Coupling of the directions, Pa.
    pub c_12: f64,
    /// Shear modulus, Pa.
    pub c_33: f64,
    /// Stress across the plane over the sum of the stresses in it: Poisson's ratio in plane strain, 0 in plane stress.
    pub across: f64,
}

impl Material {
    /// Refuses what no material is: in plane strain Poisson's ratio is below 1/2.
    pub fn check(&self, plane: Plane) -> Result<(), Refused> {
        let number = |name, value, good: bool, expected| match good {
            true => Ok(()),
            false => Err(Refused::Number { name, value, expected }),
        };
        number("Young's modulus", self.young, self.young > 0.0 && self.young.is_finite(), "a number above 0 Pa")?;
        number("density", self.density, self.density >= 0.0 && self.density.is_finite(), "a number from 0 kg/m^3 on")?;
        let nu = self.poisson;
        match plane {
            Plane::Strain => number("Poisson's ratio", nu, nu > -1.0 && nu < 0.5, "a number above -1 and below 0.5"),
            Plane::Stress => number("Poisson's ratio", nu, nu > -1.0 && nu <= 0.5, "a number above -1 and at most 0.5"),
        }
    }

    /// Its elasticity in the plane.
    pub fn elasticity(&self, plane: Plane) -> Elasticity {
        let (e, nu) = (self.young, self.poisson);
        let c_33 = 0.5 * e / (1.0 + nu);
        match plane {
            Plane::Strain => {
                let c = e / ((1.0 + nu) * (1.0 - 2.0 * nu));
                Elasticity { c_11: c * (1.0 - nu), c_12: c * nu, c_33, across: nu }
            }
            Plane::Stress => {
                let c = e / (1.0 - nu * nu);
                Elasticity { c_11: c, c_12: c * nu, c_33, across: 0.0 }
            }
        }
    }
}

impl Section {
    /// A section of one material.
    pub fn new(plane: Plane, thickness: f64, material: Material) -> Section {
        Section { plane, thickness, materials: vec![material] }
    }

    /// Refuses a thickness that is none, and materials that are none.
    pub fn check(&self) -> Result<(), Refused> {
        if !(self.thickness > 0.0 && self.thickness.is_finite()) {
            let value = self.thickness;
            return Err(Refused::Number { name: "thickness", value, expected: "a length above 0 m" });
        }
        self.materials.iter().try_for_each(|material| material.check(self.plane))
    }
}
