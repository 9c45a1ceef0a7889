//! Rows of a path: derivatives of what is looked at.
use super::Along;
use crate::predict::lost::Lost;
use stickslip_analyses::hysteresis::Here;
use stickslip_laws::{Mode, norm};

/// A displacement of a record is passed at a row where the path is at it to this part of its range.
const PASSED: f64 = 1e-9;

/// What is looked at along a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Observed {
    /// Friction force over normal force.
    Coefficient,
    /// Friction force.
    Force,
    /// How far the point has come.
    Slip,
    /// How fast it goes.
    Velocity,
}

impl Observed {
    /// By the name of a column.
    pub fn of(name: &str) -> Option<Observed> {
        let all = [
            ("friction", Observed::Coefficient),
            ("force", Observed::Force),
            ("displacement", Observed::Slip),
            ("velocity", Observed::Velocity),
        ];
        all.iter().find(|(known, _)| *known == name).map(|(_, observed)| *observed)
    }
}

/// What is asked of a path.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// What is looked at.
    pub observed: Observed,
    /// Rising times at which the derivatives are asked for.
    pub times: &'a [f64],
    /// Displacements that are passed at these, where those are what is given.
    pub over: Option<&'a [f64]>,
}

impl Along<'_> {
    /// Keeps what is asked for at this instant, in which coefficient and force have these rates.
    pub(super) fn keep(&mut self, mut here: Here, rates: [f64; 2]) -> Result<(), Lost> {
        let (cone, times) = (here.dynamics.sites[0].cone, self.asked.times);
        let held = cone && here.modes[0] == Mode::Stick;
        let first = times.partition_point(|time| *time < here.t);
        let rows = first..first + times[first..].iter().take_while(|time| **time == here.t).count();
        if self.given.is_none() && !held && (!rows.is_empty() || cone) {
            self.held = self.friction(&mut here, false);
        }
        if rows.is_empty() {
            return Ok(());
        }
        let over = self.asked.over.map(|over| &over[rows.clone()]);
        let mut slopes = self.observed(&mut here)?;
        if let Some(over) = over {
            self.passed(&here, over, rates, &mut slopes)?;
        }
        let wide = slopes.len();
        self.met = self.met.max(rows.end);
        rows.for_each(|row| self.slopes[row * wide..(row + 1) * wide].copy_from_slice(&slopes));
        Ok(())
    }

    /// Derivatives of friction as it is in a row, or of its coefficient.
    fn friction_in_row(&mut self, here: &Here, coefficient: bool) -> Result<Vec<f64>, Lost> {
        let at = here.dynamics.at[0];
        let mut slopes = self.held.clone();
        if here.dynamics.sites[0].cone {
            // The program gives the direction of friction, and a frame that spins turns what stick holds: its size alone
            // changes with the parameters.
            let size = norm(&at.f);
            if size == 0.0 && here.dynamics.sites[0].plane && slopes.iter().any(|x| *x != 0.0) {
                return Err("friction without a direction".into());
            }
            let along = if size > 0.0 { at.f[0] / size } else { here.modes[0].sign() };
            slopes.iter_mut().for_each(|x| *x *= along);
        }
        if coefficient {
            let loads = self.loads(here.dynamics);
            slopes.iter_mut().zip(&loads).for_each(|(x, load)| *x = (*x - at.f[0] / at.n * load) / at.n);
        }
        Ok(slopes)
    }

    /// Derivatives of how far the point has come at a time.
    fn slip_in_row(&self, t: f64) -> Vec<f64> {
        let mut slopes = self.moved.clone();
        slopes.resize(self.duals.seeds.count(), self.since.map_or(0.0, |since| t - since));
        slopes
    }

    /// Derivatives of what is looked at.
    fn observed(&mut self, here: &mut Here) -> Result<Vec<f64>, Lost> {
        match self.asked.observed {
            Observed::Coefficient => self.friction_in_row(here, true),
            Observed::Force => self.friction_in_row(here, false),
            Observed::Slip => Ok(self.slip_in_row(here.t)),
            Observed::Velocity => self.velocity_in_row(here),
        }
    }

    /// Where a displacement is passed changes in time, and what is looked at with it.
    fn passed(&self, here: &Here, over: &[f64], rates: [f64; 2], slopes: &mut [f64]) -> Result<(), Lost> {
        let slip = self.slip_in_row(here.t);
        if slip.iter().all(|slip| *slip == 0.0) {
            return Ok(());
        }
        let all = self.asked.over.unwrap_or_default();
        let (low, high) = all.iter().fold((0.0f64, 0.0f64), |(low, high), x| (low.min(*x), high.max(*x)));
        if over.iter().any(|x| (x - here.travel).abs() > PASSED * (high - low)) {
            return Err(Lost::at(here.t, "a displacement that is met between rows, or at a turn"));
        }
        let rate = match self.asked.observed {
            Observed::Coefficient => rates[0],
            Observed::Force => rates[1],
            Observed::Slip | Observed::Velocity => f64::NAN,
        };
        let velocity = here.dynamics.at[0].slip[0];
        slopes.iter_mut().zip(&slip).for_each(|(x, slip)| *x -= rate * slip / velocity);
        match slopes.iter().all(|x| x.is_finite()) {
            true => Ok(()),
            false => Err(Lost::at(here.t, "a displacement at which the path rests")),
        }
    }

    /// Derivatives of the velocity in a row.
    fn velocity_in_row(&mut self, here: &mut Here) -> Result<Vec<f64>, Lost> {
        let wide = self.duals.seeds.count();
        if self.given.is_some() && !here.dynamics.sites[0].cone {
            let mut slopes = self.given_velocity(here)?;
            slopes.resize(wide, 0.0);
            return Ok(slopes);
        }
        let mut slopes = vec![0.0; self.count];
        slopes.resize(wide, if self.since.is_some() { 1.0 } else { 0.0 });
        Ok(slopes)
    }
}
