//! States of laws along a motion that is given.
use super::Balance;
use stickslip_laws::{Mode, Slide};
use stickslip_model::Model;
use stickslip_real::Dual;
use stickslip_solve::quadrature::gauss;

/// How states of laws follow a motion that is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// There are none.
    None,
    /// By return maps, which are exact over any stretch that does not turn back.
    Map,
    /// By their rates.
    Rates,
}

impl Memory {
    pub fn of(model: &Model) -> Memory {
        let with = || model.contacts.iter().filter(|c| !c.friction.states().is_empty());
        let mapped =
            |claims: stickslip_laws::Claims| claims.stepped || (claims.rate_independent && claims.piecewise_linear);
        match () {
            _ if with().next().is_none() => Memory::None,
            _ if with().all(|c| mapped(c.friction.claims())) => Memory::Map,
            _ => Memory::Rates,
        }
    }
}

/// States at an instant, with their slopes in all unknowns, row after row.
#[derive(Clone, Debug, Default)]
pub struct At {
    pub z: Vec<f64>,
    pub slopes: Vec<f64>,
}

impl Balance<'_> {
    /// How far each point slips from `a` to `b`, from coordinates there.
    pub fn slips(&self, (a, qa): (f64, &[f64]), (b, qb): (f64, &[f64])) -> Vec<f64> {
        let s = &self.dynamics.model.structure;
        let over = |signal: &stickslip_structures::Signal| match signal.is_constant() {
            true => signal.value(a) * (b - a),
            false => gauss(5).iter().map(|(x, w)| w * (b - a) * signal.value(a + x * (b - a))).sum(),
        };
        let (base, surface) = (over(&self.dynamics.base), over(&self.dynamics.surface[0]));
        let of = |site: &stickslip_dynamics::Site| {
            let row = &site.tangent[0];
            let own: f64 = (0..qa.len()).map(|j| row[j] * (s.orientation * (qb[j] - qa[j]) + s.base[j] * base)).sum();
            own + site.surface * surface
        };
        self.dynamics.sites.iter().map(of).collect()
    }

    /// States at the end of a stretch over which no point turns back, by the return maps of the laws under the loads that the
    /// equations were last evaluated at. `ways` are the changes of each point's slip with the unknowns, point after point.
    pub fn mapped(&self, from: &At, slips: &[f64], dt: f64, ways: Option<&[f64]>) -> Result<At, String> {
        let unknowns = if ways.is_some() { self.len() } else { 0 };
        let mut to = At { z: from.z.clone(), slopes: vec![0.0; from.z.len() * unknowns] };
        if dt <= 0.0 {
            return Ok(from.clone());
        }
        let (mut first, mut state) = (0, 0);
        for contact in self.dynamics.model.contacts.iter() {
            let points = contact.places.len();
            let each = contact.friction.states().len();
            if each > 0 {
                let mut at: Vec<Slide<Dual<4>, 2>> = (first..first + points)
                    .map(|i| {
                        let v = [Dual::constant(slips[i] / dt), Dual::constant(0.0)];
                        Slide::new(v, Dual::constant(self.dynamics.load_read(i)))
                    })
                    .collect();
                at.iter_mut().enumerate().for_each(|(k, at)| at.point = k);
                // Two slots of a dual are slip and a first state; further states take further calls.
                let calls = if unknowns > 0 { 1 + each.saturating_sub(3).div_ceil(4) } else { 1 };
                for call in 0..calls {
                    let slots: Vec<usize> = if call == 0 {
                        (0..each.min(3)).collect()
                    } else {
                        (4 * call - 1..each.min(4 * call + 3)).collect()
                    };
                    let skip = if call == 0 { 1 } else { 0 };
                    let mut z0: Vec<Dual<4>> =
                        from.z[state..state + points * each].iter().map(|z| Dual::constant(*z)).collect();
                    for p in 0..points {
                        for (slot, k) in slots.iter().enumerate() {
                            z0[p * each + k] = Dual::variable(z0[p * each + k].re, slot + skip);
                        }
                        let v = slips[first + p] / dt;
                        at[p].v[0] = if call == 0 { Dual::variable(v, 0) } else { Dual::constant(v) };
                    }
                    let mut z1 = z0.clone();
                    let mut f = vec![[Dual::constant(0.0); 2]; points];
                    contact.friction.advance(dt, &at, &z0, &mut z1, &mut f).map_err(|e| e.to_string())?;
                    for (k, z) in z1.iter().enumerate() {
                        to.z[state + k] = z.re;
                        let Some(ways) = ways else { continue };
                        let (p, row) = (k / each, (state + k) * unknowns);
                        for u in 0..unknowns {
                            let mut sum =
                                if call == 0 { z.eps[0] / dt * ways[(first + p) * unknowns + u] } else { 0.0 };
                            for (slot, j) in slots.iter().enumerate() {
                                sum += z.eps[slot + skip] * from.slopes[(state + p * each + j) * unknowns + u];
                            }
                            to.slopes[row + u] += sum;
                        }
                    }
                }
            }
            first += points;
            state += points * each;
        }
        if to.z.iter().any(|z| !z.is_finite()) {
            return Err("the states of a law are not finite along a balanced motion".into());
        }
        Ok(to)
    }

    /// Guards of all laws where the equations were last evaluated, at these states.
    pub fn guards(&self, z: &[f64]) -> Vec<f64> {
        let mut g = vec![];
        self.dynamics.guards(z, &mut g);
        g
    }

    /// Modes of all points from their slip.
    pub fn modes(&self, t: f64, y: &[f64]) -> Vec<Mode> {
        (0..self.dynamics.sites.len()).map(|i| super::requirements::mode_of(self.dynamics.slip_of(i, t, y))).collect()
    }
}
