//! The explicit scheme of Cho and Barber's Appendix A, for any number of rigid contacts.
//!
//! Positions and velocities advance by Euler's rule in the mode of each contact; then the inequalities of the modes are
//! checked at the new instant and each contact changes its mode at most once. It is of order 1 and gains energy.
//! Signs are those of the corrected text.
use crate::march::{Broken, Motion};
use crate::steppers::moreau_jean::fixed_steps;
use crate::transition::impact::{self, strike};
use crate::transition::instant::Struck;
use crate::transition::modes::NoModes;
use crate::transition::rigid::slip_coefficient;
use stickslip_dynamics::{Integrals, powers};
use stickslip_laws::Mode;
use stickslip_model::Context;

impl Motion<'_> {
    /// Runs with a fixed step until `end`.
    pub(crate) fn run_printed(&mut self, end: f64, step: f64, context: &Context) -> Result<(), Broken> {
        self.first_modes()?;
        self.keep();
        let (whole, rest) = fixed_steps(end, step);
        let mut rates = Integrals::zero(self.modes.len());
        for k in 0..whole + u64::from(rest > 0.0) {
            let t = k as f64 * step;
            let (next, h) = if k == whole { (end, rest) } else { ((k + 1) as f64 * step, step) };
            self.evaluate()?;
            powers(&self.dynamics, t, &self.y, &self.dy, &mut rates);
            self.integrals.add(h, &rates);
            self.y.iter_mut().zip(&self.dy).for_each(|(y, dy)| *y += h * dy);
            self.clock.advance_towards(next - t, next);
            for at in self.dynamics.model.loading.impulses.iter().map(|i| i.at) {
                if at > t && at <= next {
                    self.blow(at);
                }
            }
            self.evaluate()?;
            self.modes_before.clone_from(&self.modes);
            let n = self.dynamics.n;
            self.rates.copy_from_slice(&self.y[n..2 * n]);
            let struck = self.change_modes(next)?;
            if self.modes != self.modes_before {
                self.evaluate()?;
                self.record(&[], &struck)?;
            }
            self.keep();
            self.watch(k + 1, context)?;
        }
        self.health.notes.push(format!("explicit Euler as printed, step {step:e} s"));
        Ok(())
    }

    /// The tests of the appendix; says which points were struck.
    fn change_modes(&mut self, t: f64) -> Result<Struck, Broken> {
        let mut struck: Struck = vec![None; self.modes.len()];
        for i in 0..self.modes.len() {
            let at = self.dynamics.at[i];
            let new = match self.modes[i] {
                Mode::Open if at.gap < 0.0 => {
                    let mode = self.land(i, t)?;
                    struck[i] = Some(mode);
                    mode
                }
                Mode::Open => Mode::Open,
                _ if at.n < 0.0 => Mode::Open,
                Mode::Stick if at.f[0].abs() > at.hold => Mode::slipping(at.f[0]),
                slip if slip.sign() * at.slip[0] < 0.0 => self.turn(i, t)?,
                same => same,
            };
            self.modes[i] = new;
        }
        let (dynamics, modes) = (&self.dynamics, &self.modes);
        let held = dynamics.hold_to(t, &mut self.y, modes, |i| modes[i] != Mode::Open);
        held.map_err(|e| self.no_modes(e.into()))?;
        Ok(struck)
    }

    /// Slip that changed its sign: it goes on if the forces still push with friction turned around, else it sticks.
    fn turn(&mut self, i: usize, t: f64) -> Result<Mode, Broken> {
        let back = Mode::slipping(-self.modes[i].sign());
        let mut modes = self.modes.clone();
        modes[i] = back;
        let done = self.dynamics.evaluate(t, &self.y, &modes, &mut self.dy);
        done.map_err(|e| self.no_modes(e.into()))?;
        let pushed = self.dynamics.slip_acceleration(i, t, &self.dy) * back.sign();
        self.evaluate()?;
        Ok(if pushed > 0.0 { back } else { Mode::Stick })
    }

    /// An impact of one point.
    fn land(&mut self, i: usize, t: f64) -> Result<Mode, Broken> {
        let slip = self.dynamics.slip_of(i, t, &self.y);
        let surface = self.dynamics.sites[i].surface * self.dynamics.surface_velocity(t);
        let mu = slip_coefficient(&self.dynamics, i, slip);
        let point = impact::Struck { site: i, mu, surface };
        let n = self.dynamics.n;
        let blow = strike(&self.dynamics, &[point], &mut self.y[n..2 * n]).map_err(|e: NoModes| self.no_modes(e))?;
        self.integrals.contact += blow.taken;
        self.integrals.work_in += blow.carried;
        let [normal, tangential] = blow.impulses[0];
        Ok(if tangential.abs() < mu * normal { Mode::Stick } else { Mode::slipping(tangential) })
    }
}
