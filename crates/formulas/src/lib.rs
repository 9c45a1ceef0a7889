//! Contact formulas: one file each, and one line in the list below. `evaluate` computes them by name.
mod partial_slip;

use stickslip_model::Answer;
use stickslip_structures::{ANY_UNIT, Ask};

/// A closed form of contact mechanics: numbers in, numbers out.
pub struct Formula {
    /// Name in scenarios.
    pub name: &'static str,
    /// What it is, with its equations.
    pub about: &'static str,
    /// Where it comes from.
    pub reference: &'static str,
    /// What it needs.
    pub inputs: &'static [Input],
    /// What it gives.
    pub outputs: &'static [Answer],
    /// The values of the outputs from those of the inputs, both in their order; or why there are none.
    pub compute: fn(&[f64]) -> Result<Vec<f64>, String>,
}

/// An input of a formula.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// Key in `analysis.inputs`.
    pub name: &'static str,
    /// SI unit; `*` where it depends on another input.
    pub unit: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Its unit is a power: what is raised last, and the input that is the exponent.
    pub power: Option<(&'static str, &'static str)>,
    default: Option<f64>,
    min: Option<f64>,
    above: Option<f64>,
    max: Option<f64>,
}

impl Input {
    const fn new(name: &'static str, unit: &'static str, about: &'static str) -> Input {
        Input { name, unit, about, power: None, default: None, min: None, above: None, max: None }
    }
    /// An input whose unit is `base`^`exponent`, such as `Pa/m` to the power of another input.
    const fn power(name: &'static str, base: &'static str, exponent: &'static str, about: &'static str) -> Input {
        Input { power: Some((base, exponent)), ..Input::new(name, ANY_UNIT, about) }
    }
    const fn or(self, default: f64) -> Input {
        Input { default: Some(default), ..self }
    }
    const fn min(self, limit: f64) -> Input {
        Input { min: Some(limit), ..self }
    }
    const fn above(self, limit: f64) -> Input {
        Input { above: Some(limit), ..self }
    }
    const fn max(self, limit: f64) -> Input {
        Input { max: Some(limit), ..self }
    }

    /// The question for it.
    pub fn ask(&self) -> Ask<'static> {
        let Input { name, unit, about, default, min, above, max, .. } = *self;
        Ask { default, min, above, max, ..Ask::new(name, unit, about) }
    }
}

/// The values of all inputs by position.
fn inputs<const N: usize>(x: &[f64]) -> [f64; N] {
    std::array::from_fn(|k| x[k])
}

macro_rules! formulas {
    ($($file:ident;)*) => {
        $(mod $file;)*
        static FORMULAS: &[Formula] = &[$($file::FORMULA),*];
    };
}

formulas! {
    contact_modulus;
    plasticity_index;
    elastic_boundary;
    pressure_power;
    pressure_log;
    power_law;
    friction_power;
    junction_growth;
    adhesion_friction;
    plowing_friction;
    hertz_line;
    hertz_point;
    hertz_ellipse;
    hertz_impact;
    mindlin_compliance;
    mindlin_loop;
    cattaneo_mindlin;
    cattaneo_mindlin_point;
    ruiz_chen;
    szolwinski_farris;
    fretting_regime;
    joined_bars;
    lennard_jones;
    tabor_parameter;
    adhesive_sphere;
    parametric_averaging;
    equivalent_damping;
    nucleation_length;
    archard;
    adhesion_map;
}

/// Every contact formula of the catalogue.
pub fn formulas() -> &'static [Formula] {
    FORMULAS
}

#[cfg(test)]
mod tests;
