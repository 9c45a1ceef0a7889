//! What is watched of a motion.
use crate::observers::probes;
use crate::observers::trace::{HEAD, Trace};
use stickslip_dynamics::{AtSite, Dynamics};
use stickslip_model::{Output, Over};

/// A quantity of a motion at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// A coordinate.
    Coordinate(usize),
    /// A velocity.
    Rate(usize),
    /// Friction over normal force of a point; in two directions that of its size.
    Friction(usize),
    /// Friction force of a point along one of its directions.
    FrictionForce(usize, usize),
    /// Normal force of a point.
    Load(usize),
    /// Slip velocity of a point along one of its directions.
    Slip(usize, usize),
    /// Approach of the surfaces of a point.
    Approach(usize),
    /// A state of a law.
    State(usize),
    /// What a controller applies, by the number of the output.
    Control(usize),
}

impl Quantity {
    /// Its value at an instant.
    #[inline]
    pub fn value(self, dynamics: &Dynamics, (t, y): (f64, &[f64]), at: &[AtSite]) -> f64 {
        let n = dynamics.n;
        match self {
            Quantity::Coordinate(j) => y[j],
            Quantity::Rate(j) => y[n + j],
            Quantity::Friction(p) => dynamics.coefficient_of(p, &at[p]),
            Quantity::FrictionForce(p, d) => at[p].f[d],
            Quantity::Load(p) => at[p].n,
            Quantity::Slip(p, d) => at[p].slip[d],
            Quantity::Approach(p) => {
                let approach = dynamics.sites[p].reach - at[p].gap;
                // An approach that is no number is not lost in a maximum.
                if approach < 0.0 { 0.0 } else { approach }
            }
            Quantity::State(k) => y[2 * n + k],
            Quantity::Control(k) => dynamics.controls.output(k, t.min(dynamics.until), y),
        }
    }

    /// Its value at a row.
    #[inline(always)]
    pub fn of_row(self, trace: &Trace, dynamics: &Dynamics, i: usize) -> f64 {
        match self {
            Quantity::Coordinate(j) => trace.q(i, j),
            Quantity::Rate(j) => trace.v(i, j),
            Quantity::Friction(p) => trace.coefficient(i, p),
            Quantity::FrictionForce(p, d) => trace.frictions(i, p)[d],
            Quantity::Load(p) => trace.load(i, p),
            Quantity::Slip(p, d) => trace.slips(i, p)[d],
            Quantity::Approach(p) => {
                let q: Vec<f64> = (0..trace.n).map(|j| trace.q(i, j)).collect();
                dynamics.approach_of(p, trace.t(i), &q)
            }
            Quantity::State(k) => trace.z(i, k),
            Quantity::Control(k) => trace.cell(i, trace.output_column(k)),
        }
    }

    /// The column of a trace that holds it, if one does.
    pub fn column(self, trace: &Trace) -> Option<usize> {
        match self {
            Quantity::Coordinate(j) => Some(HEAD + j),
            Quantity::Rate(j) => Some(HEAD + trace.n + j),
            Quantity::Load(p) => Some(HEAD + 4 * trace.n + trace.nz + trace.each * p + 1),
            Quantity::Control(k) => Some(trace.output_column(k)),
            _ => None,
        }
    }

    /// Whether it can change inside a step at all.
    fn varies(self, dynamics: &Dynamics) -> bool {
        let Quantity::Load(p) = self else { return true };
        let site = &dynamics.sites[p];
        site.fixed_load.is_none_or(|(_, b)| b != 0.0 && !dynamics.given[site.contact].is_constant())
    }

    /// What the values of a run ask for, and from which time on: those of every run in its settled part, which begins at
    /// `settled`, and those of its probes over a time.
    pub fn asked(dynamics: &Dynamics, output: &Output, settled: f64) -> Vec<(Quantity, f64)> {
        let looked_at = |name: &str| output.only.as_ref().is_none_or(|names| names.iter().any(|n| n == name));
        let mut all = vec![];
        if dynamics.n > 0 && looked_at("speed_max") {
            all.push(Quantity::Rate(0));
        }
        for p in 0..dynamics.sites.len() {
            if looked_at("friction_max") || looked_at("friction_min") {
                all.push(Quantity::Friction(p));
            }
            if looked_at("normal_force_max") {
                all.push(Quantity::Load(p));
            }
            if dynamics.sites[p].is_compliant() && looked_at("approach_max") {
                all.push(Quantity::Approach(p));
            }
        }
        let outputs = dynamics.controls.outputs().enumerate();
        let outputs = outputs.filter(|(_, (l, ..))| looked_at(&format!("control.{}.force_max", l + 1)));
        all.extend(outputs.map(|(k, _)| Quantity::Control(k)));
        let mut all: Vec<(Quantity, f64)> = all.into_iter().map(|quantity| (quantity, settled)).collect();
        for probe in output.probes.iter().filter(|p| !matches!(p.over, Over::Times(_))) {
            // A quantity that is not there is refused where the probes are reported.
            all.extend(probes::quantity(probe, dynamics).ok().map(|(quantity, _)| (quantity, 0.0)));
        }
        all.retain(|(quantity, _)| quantity.varies(dynamics));
        all
    }
}
