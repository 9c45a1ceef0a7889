//! Events by dual numbers: how their times and what they do to the states change with the parameters.
use super::lost::Lost;
use stickslip_dynamics::{Direction, Dynamics, ParameterEntry, Seeds};
use stickslip_laws::{Event, Mode};
use stickslip_model::Model;

/// Why the time of an event has no derivative.
pub const GRAZED: &str = "an event that is only grazed";
/// Part by which rates may differ and be the same.
const SAME: f64 = 1e-9;
/// The rate of what vanishes is none where its parts cancel to this.
const CANCELS: f64 = 1e-8;

/// What vanishes at an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// The slip velocity of a point.
    Slip(usize),
    /// What a point could still hold.
    Hold(usize),
    /// A guard, of all.
    Guard(usize),
}

/// A motion at an instant: its unknowns, their rates, its modes. The equations were evaluated there.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// Unknowns.
    pub y: &'a [f64],
    /// Their rates.
    pub dy: &'a [f64],
    /// Modes.
    pub modes: &'a [Mode],
}

/// The laws of a model with derivatives in its parameters, and without any.
pub struct Duals {
    /// With those in the parameters.
    pub seeds: Seeds,
    /// Nothing depends on the parameters of these: they stand for each of the unknowns and the time.
    still: Seeds,
    /// Whether laws are shown accelerations.
    accelerations: bool,
}

impl Duals {
    /// Seeds a model; None where a law can't be seeded.
    pub fn new(model: &Model, ways: &[ParameterEntry]) -> Option<Duals> {
        let accelerations = model.contacts.iter().any(|c| c.friction.claims().acceleration);
        let still = vec![ParameterEntry::default(); Dynamics::new(model)?.dim() + 1];
        Some(Duals { seeds: Seeds::new(model, ways)?, still: Seeds::new(model, &still)?, accelerations })
    }

    /// The same with one parameter more: the velocity of the surface.
    pub fn with_velocity(self, model: &Model) -> Option<Duals> {
        let velocity = ParameterEntry { surface: 1.0, ..ParameterEntry::default() };
        let seeds = Seeds::new(model, &[self.seeds.ways(), &[velocity]].concat())?;
        Some(Duals { seeds, ..self })
    }

    /// How the friction of the first point changes along a direction of the unknowns.
    pub fn friction_along(&self, dynamics: &mut Dynamics, at: Place, direction: &[f64]) -> f64 {
        let mut along = vec![0.0; self.still.count() * direction.len()];
        along[..direction.len()].copy_from_slice(direction);
        let moving = Direction { along: Some(&along), ..Direction::default() };
        dynamics.changes(at.y, at.dy, at.modes, &self.still, moving).friction[0]
    }

    /// Changes of the accelerations, where laws are shown these.
    fn accelerations(&self, dynamics: &mut Dynamics, at: Place, seeds: &Seeds, moving: Direction) -> Option<Vec<f64>> {
        let n = dynamics.n;
        if !self.accelerations || n == 0 {
            return None;
        }
        let forces = dynamics.changes(at.y, at.dy, at.modes, seeds, moving).forces;
        let mut all = vec![0.0; forces.len()];
        forces.chunks_exact(n).zip(all.chunks_exact_mut(n)).for_each(|(f, a)| dynamics.accelerate(f, a));
        Some(all)
    }

    /// Changes of what vanishes.
    fn limit(&self, dynamics: &mut Dynamics, limit: Limit, at: Place, seeds: &Seeds, moving: Direction) -> Vec<f64> {
        let (n, m, points) = (dynamics.n, dynamics.dim(), dynamics.sites.len());
        let mut out = vec![0.0; seeds.count()];
        match limit {
            Limit::Guard(k) => {
                let accelerations = self.accelerations(dynamics, at, seeds, moving);
                let moving = Direction { accelerations: accelerations.as_deref(), ..moving };
                dynamics.guard_changes(k, at.y, seeds, moving, &mut out);
            }
            Limit::Slip(i) => {
                let row = &dynamics.sites[i].tangent[0];
                let surface = dynamics.sites[i].surface * dynamics.surface_acceleration(dynamics.time());
                for (p, out) in out.iter_mut().enumerate() {
                    let own = moving.along.map_or(0.0, |s| (0..n).map(|j| row[j] * s[p * m + n + j]).sum());
                    *out = own + moving.time.map_or(0.0, |time| time[p] * surface);
                }
            }
            Limit::Hold(i) => {
                let side = dynamics.at[i].f[0].signum();
                let changes = dynamics.changes(at.y, at.dy, at.modes, seeds, moving);
                for (p, out) in out.iter_mut().enumerate() {
                    *out = changes.holds[p * points + i] - side * changes.friction[p * points + i];
                }
            }
        }
        out
    }

    /// Changes of the time of an event with each parameter, where the unknowns change by `s`.
    pub fn times(&self, dynamics: &mut Dynamics, limit: Limit, at: Place, s: &[f64]) -> Result<Vec<f64>, Lost> {
        let along = Direction { along: Some(s), ..Direction::default() };
        let own = self.limit(dynamics, limit, at, &self.seeds, along);
        if own.iter().all(|own| *own == 0.0) {
            return Ok(own);
        }
        // Its rate, by what the rate of each unknown adds to it, and what the time does: what cancels is rounding.
        let m = at.dy.len();
        let (mut along, mut time) = (vec![0.0; (m + 1) * m], vec![0.0; m + 1]);
        (0..m).for_each(|i| along[i * m + i] = at.dy[i]);
        time[m] = 1.0;
        let passing = Direction { along: Some(&along), time: Some(&time), ..Direction::default() };
        let parts = self.limit(dynamics, limit, at, &self.still, passing);
        let (rate, size) = parts.iter().fold((0.0, 0.0), |(rate, size), x| (rate + x, size + x.abs()));
        let times: Vec<f64> = own.iter().map(|own| -own / rate).collect();
        match rate.abs() > CANCELS * size && times.iter().all(|time| time.is_finite()) {
            true => Ok(times),
            false => Err(Lost::at(dynamics.time(), GRAZED)),
        }
    }

    /// What telling a law of an event makes of rates.
    pub fn rates_after(&self, dynamics: &mut Dynamics, told: (usize, Event<f64>), at: Place, rates: &mut [f64]) {
        let m = rates.len();
        let (mut s, mut times) = (vec![0.0; (m + 1) * m], vec![0.0; m + 1]);
        s[..m].copy_from_slice(rates);
        times[0] = 1.0;
        self.tell_with(&self.still, dynamics, told, at, &times, None, &mut s);
        rates.copy_from_slice(&s[..m]);
    }

    /// Notifies a law of an event: `s` are changes of the unknowns along the event, whose time changes by `times`.
    pub fn tell(
        &self,
        dynamics: &mut Dynamics,
        told: (usize, Event<f64>),
        at: Place,
        times: &[f64],
        loads: Option<[&[f64]; 2]>,
        s: &mut [f64],
    ) {
        self.tell_with(&self.seeds, dynamics, told, at, times, loads, s);
    }

    fn tell_with(
        &self,
        seeds: &Seeds,
        dynamics: &mut Dynamics,
        told: (usize, Event<f64>),
        at: Place,
        times: &[f64],
        loads: Option<[&[f64]; 2]>,
        s: &mut [f64],
    ) {
        let before = s.to_vec();
        let moving = Direction { along: Some(&before), time: Some(times), accelerations: None };
        let accelerations = self.accelerations(dynamics, at, seeds, moving);
        let moving = Direction { accelerations: accelerations.as_deref(), ..moving };
        dynamics.tell_changes(told, at.y, seeds, moving, loads, s);
    }
}

/// Whether rates before an event, as it leaves them, are those after it: then its time does not matter.
pub fn same(before: &[f64], after: &[f64]) -> bool {
    before.iter().zip(after).all(|(a, b)| (a - b).abs() <= SAME * a.abs().max(b.abs()))
}

/// Moves changes of the unknowns along with the time of an event: by their rates times that.
pub fn shift(s: &mut [f64], rates: &[f64], times: &[f64], sign: f64) {
    for (s, time) in s.chunks_exact_mut(rates.len().max(1)).zip(times).filter(|(_, time)| **time != 0.0) {
        s.iter_mut().zip(rates).for_each(|(s, rate)| *s += sign * rate * time);
    }
}
