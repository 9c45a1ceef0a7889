//! What can be observed of a body at a place.
use super::Body;
use stickslip_mesh::Row;

/// A quantity of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Observed {
    /// A linear form in the unknowns: of a body with full matrices in its coordinates.
    Form {
        /// Unknowns with their factors.
        row: Vec<(usize, f64)>,
        /// In the velocities instead of the displacements.
        rate: bool,
        /// Unit.
        unit: &'static str,
    },
    /// Pressure on a contact at a place.
    Pressure([f64; 2]),
    /// Traction along a contact at a place, on the body.
    Shear([f64; 2]),
    /// Part of the contacts' length that slips or is open.
    SlipFraction,
    /// Normal force of a contact, all of it, N.
    Load,
    /// Friction force of a contact, all of it, N.
    Friction,
    /// The one over the other.
    Coefficient,
}

/// Their names.
const AT_PLACES: [&str; 10] =
    ["u.x", "u.y", "rate.u.x", "rate.u.y", "stress.xx", "stress.yy", "stress.xy", "stress.zz", "pressure", "shear"];
const OF_ALL: [&str; 10] = [
    "slip_fraction",
    "friction",
    "friction_force",
    "normal_force",
    "mean.u.x",
    "mean.u.y",
    "mean.theta",
    "rate.mean.u.x",
    "rate.mean.u.y",
    "rate.mean.theta",
];

impl Observed {
    /// Its unit.
    pub fn unit(&self) -> &'static str {
        match self {
            Observed::Form { unit, .. } => unit,
            Observed::Pressure(_) | Observed::Shear(_) => "Pa",
            Observed::SlipFraction | Observed::Coefficient => "1",
            Observed::Load | Observed::Friction => "N",
        }
    }
}

impl Body {
    /// The names of what can be observed.
    pub fn observables() -> Vec<String> {
        AT_PLACES.iter().chain(&OF_ALL).map(|name| name.to_string()).collect()
    }

    /// What a name stands for, at a place or of the whole body.
    pub fn observed(&self, name: &str, at: Option<[f64; 2]>) -> Result<Observed, String> {
        let known = || format!("{}, and, without `point`, {}", AT_PLACES.join(", "), OF_ALL.join(", "));
        let whole = OF_ALL.contains(&name);
        if !whole && !AT_PLACES.contains(&name) {
            return Err(format!("a body has no quantity `{name}`; it has {}", known()));
        }
        let at = match (at, whole) {
            (Some(at), false) => at,
            (None, true) => {
                return Ok(match name {
                    "slip_fraction" => Observed::SlipFraction,
                    "friction" => Observed::Coefficient,
                    "friction_force" => Observed::Friction,
                    "normal_force" => Observed::Load,
                    _ => self.mean(name)?,
                });
            }
            (None, false) => return Err(format!("`{name}` needs `point`, the place in the body")),
            (Some(_), true) => return Err(format!("`{name}` is of the whole body: it has no `point`")),
        };
        let (plain, rate) = name.strip_prefix("rate.").map_or((name, false), |plain| (plain, true));
        let axis = usize::from(plain.ends_with('y'));
        match plain {
            "u.x" | "u.y" => {
                let row = &self.mesh.displacement_rows(at).map_err(|e| e.to_string())?[axis];
                Ok(Observed::Form {
                    row: self.reduced(self.on_unknowns(row))?,
                    rate,
                    unit: if rate { "m/s" } else { "m" },
                })
            }
            "pressure" => Ok(Observed::Pressure(at)),
            "shear" => Ok(Observed::Shear(at)),
            _ => {
                let rows = self.mesh.stress_rows(&self.section, at).map_err(|e| e.to_string())?;
                let k = ["stress.xx", "stress.yy", "stress.xy", "stress.zz"].iter().position(|n| *n == plain);
                Ok(Observed::Form { row: self.reduced(self.on_unknowns(&rows[k.unwrap_or(0)]))?, rate, unit: "Pa" })
            }
        }
    }

    /// The mean displacement, weighted by the mass; or the rotation of that mean, counterclockwise.
    fn mean(&self, name: &str) -> Result<Observed, String> {
        let (plain, rate) = name.strip_prefix("rate.").map_or((name, false), |plain| (plain, true));
        let nodes: Vec<[f64; 2]> =
            self.numbering.displacements().iter().map(|d| self.mesh.nodes[*d as usize / 2]).collect();
        let axes: Vec<usize> = self.numbering.displacements().iter().map(|d| *d as usize % 2).collect();
        let n = nodes.len();
        let along = |axis: usize| -> Vec<f64> { axes.iter().map(|a| f64::from(u8::from(*a == axis))).collect() };
        let (mut times, mut masses) = (vec![0.0; n], vec![0.0; n]);
        self.mass.product(&along(0), &mut masses);
        // The centre of mass of what moves along x.
        let (mut sum, mut centre) = (0.0, [0.0; 2]);
        for (m, at) in masses.iter().zip(&nodes) {
            sum += m;
            (0..2).for_each(|e| centre[e] += m * at[e]);
        }
        if sum > 0.0 {
            centre = centre.map(|x| x / sum);
        }
        let shape: Vec<f64> = match plain {
            "mean.u.x" => along(0),
            "mean.u.y" => along(1),
            _ => {
                let turned =
                    |(at, axis): (&[f64; 2], &usize)| if *axis == 0 { centre[1] - at[1] } else { at[0] - centre[0] };
                nodes.iter().zip(&axes).map(turned).collect()
            }
        };
        self.mass.product(&shape, &mut times);
        let size: f64 = shape.iter().zip(&times).map(|(x, m)| x * m).sum();
        let unit = match (plain, rate) {
            ("mean.theta", false) => "rad",
            ("mean.theta", true) => "rad/s",
            (_, false) => "m",
            (_, true) => "m/s",
        };
        let row = times.iter().enumerate().filter(|(_, m)| **m != 0.0 && size > 0.0).map(|(j, m)| (j, m / size));
        Ok(Observed::Form { row: self.reduced(row.collect())?, rate, unit })
    }

    /// A row on the displacements as one on the unknowns.
    fn on_unknowns(&self, row: &Row) -> Vec<(usize, f64)> {
        let unknown = |d: u32| self.numbering.unknown(d / 2, d as usize % 2).map(|j| j as usize);
        row.iter().filter_map(|(d, factor)| Some((unknown(*d)?, *factor))).collect()
    }

    /// A row on the unknowns as one on the coordinates of a reduction, where there is one.
    fn reduced(&self, row: Vec<(usize, f64)>) -> Result<Vec<(usize, f64)>, String> {
        self.reduction.as_ref().map_or(Ok(row.clone()), |reduction| reduction.row(&row, self.numbering.len()))
    }
}
