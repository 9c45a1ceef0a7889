//! Events of a motion with derivatives, and jumps of what drives it.
use super::super::sense::Sense;
use super::super::stencil::{STENCIL, slope};
use super::Flow;
use crate::dynamics::Dynamics;
use crate::transient::{Cause, Found, settle};
use stickslip_laws::Mode;

/// Part of a step over which a limit is followed to know its rate.
const BRIEF: f64 = 1e-3;

impl Flow<'_, '_, '_, '_> {
    /// A mode ends, at a time that depends on the parameters: derivatives jump.
    pub(super) fn event(&mut self, found: Found, h: f64) -> Result<(), String> {
        let (n, m) = (self.dynamics.n, self.y.len());
        let cause = match found {
            Found::Arrives(i) => Cause::Arrives(i),
            Found::Leaves(i) => Cause::Leaves(i, self.dynamics.at[i].f[0]),
            _ => return Err("an event of this kind can't be followed".into()),
        };
        let mut moved = vec![0.0; self.width() - 1];
        if self.sense.is_some() {
            self.event_times(found, h, &mut moved)?;
        }
        let before = self.dy.clone();
        let settled = settle(&mut self.dynamics, self.t, &mut self.y, &mut self.dy, &mut self.modes, &[cause]);
        settled.map_err(|_| format!("no modes last at t = {:.6e} s", self.t))?;
        for (moved, s) in moved.iter().zip(self.tangent.s.chunks_exact_mut(m)) {
            for i in 0..m {
                s[i] += (before[i] - self.dy[i]) * moved;
            }
            // A point that sticks has no slip, whatever the parameters are.
            if let Found::Arrives(i) = found
                && self.modes[i] == Mode::Stick
                && n == 1
            {
                s[n] = 0.0;
            }
        }
        Ok(())
    }

    /// Derivatives of the time of an event in each parameter.
    fn event_times(&mut self, found: Found, h: f64, out: &mut [f64]) -> Result<(), String> {
        let Some(Sense::Neighbours(all)) = self.sense.as_deref_mut() else {
            return Err("a smooth model has no events".into());
        };
        let m = self.y.len();
        let (t, modes) = (self.t, &self.modes[..]);
        let mut dy = vec![0.0; m];
        // What vanishes at the event.
        let mut limit = |dynamics: &mut Dynamics, t: f64, y: &[f64]| -> Option<f64> {
            dynamics.evaluate(t, y, modes, &mut dy).ok()?;
            Some(match found {
                Found::Arrives(i) => dynamics.at[i].slip[0],
                Found::Leaves(i) => dynamics.at[i].hold - dynamics.at[i].f[0].abs(),
                _ => f64::NAN,
            })
        };
        let none = || format!("the event at t = {t:.6e} s can't be followed");
        let (y, rates) = (&self.y, self.dy.clone());
        let brief = BRIEF * h;
        let along = |s: &[f64], e: f64| -> Vec<f64> { y.iter().zip(s).map(|(y, s)| y + e * s).collect() };
        let in_time = slope(brief, |e| limit(&mut self.dynamics, t + e, &along(&rates, e))).ok_or_else(none)?;
        for (((neighbours, step), s), out) in all.iter_mut().zip(self.tangent.s.chunks_exact(m)).zip(out) {
            let mut own = 0.0;
            for (near, (_, weight)) in neighbours.iter_mut().zip(STENCIL) {
                near.until = self.dynamics.until;
                own += weight * limit(near, t, y).ok_or_else(none)? / *step;
            }
            let size = s.iter().zip(&rates).fold(0.0f64, |m, (s, r)| m.max(s.abs() / (r.abs() * brief).max(1e-300)));
            let carried = match size > 0.0 && size.is_finite() {
                true => slope(1.0 / size, |e| limit(&mut self.dynamics, t, &along(s, e))).ok_or_else(none)?,
                false => 0.0,
            };
            *out = -(own + carried) / in_time;
        }
        let _ = self.dynamics.evaluate(t, &self.y, &self.modes, &mut self.dy);
        Ok(())
    }

    /// A jump or kink of drives and loads: the time is given, and nothing but modes changes.
    pub(super) fn cross(&mut self) -> Result<(), String> {
        let before: Vec<(f64, f64)> = self.dynamics.at.iter().map(|at| (at.n, at.slip[0])).collect();
        let stuck = || format!("no modes last at t = {:.6e} s", self.t);
        let evaluated = self.dynamics.evaluate(self.t, &self.y, &self.modes, &mut self.dy);
        evaluated.map_err(|_| stuck())?;
        for (i, (load, slip)) in before.into_iter().enumerate() {
            let (at, site) = (&self.dynamics.at[i], &self.dynamics.sites[i]);
            if at.n != load && site.states > 0 {
                return Err("a load that jumps can't be followed with derivatives".into());
            }
            let moves = (at.slip[0] - slip).abs() > 1e-9 * at.slip[0].abs().max(slip.abs());
            if site.cone && moves && at.slip[0] != 0.0 {
                self.modes[i] = Mode::slipping(at.slip[0]);
            }
        }
        let (t, message) = (self.t, stuck());
        settle(&mut self.dynamics, t, &mut self.y, &mut self.dy, &mut self.modes, &[Cause::Check]).map_err(|_| message)
    }
}
