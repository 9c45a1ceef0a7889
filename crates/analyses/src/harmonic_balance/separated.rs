//! Laps of models whose friction follows the slip of each point alone.
//!
//! Everything but friction is linear and balanced at once, harmonic by harmonic. The force of a point and its derivatives are those of
//! its own slip: with so many harmonics as a point has, not as the structure has coordinates. The answers are those of a lap at the same
//! samples.
use super::{Balance, Functions, Seen};
use crate::harmonic_balance::states::Memory;
use stickslip_dynamics::stored;
use stickslip_laws::{Friction, Slide};
use stickslip_real::Dual;
use stickslip_solve::dense::dot;

/// States come back to where a lap begins to this part of their size; laps until they do.
const SETTLED: f64 = 1e-12;
const MOST_LAPS: usize = 400;
/// States of a point whose slopes fit beside the slip into one dual number.
const MOST_STATES: usize = 3;

/// The samples of a lap: functions of the basis at each.
struct Samples {
    t: Vec<f64>,
    functions: Vec<Functions>,
}

/// States of all points at a sample, and how each changes with the harmonics of the slip of its point.
#[derive(Clone, Default)]
struct Past {
    z: Vec<f64>,
    slopes: Vec<f64>,
}

impl Balance<'_> {
    /// Whether friction follows the slip of each point alone, sampled evenly.
    pub(super) fn is_separate(&self) -> bool {
        let d = &self.dynamics;
        let fits = |site: &stickslip_dynamics::Site| {
            let contact = &d.model.contacts[site.contact];
            let claims = contact.friction.claims();
            !site.cone
                && (1..=MOST_STATES).contains(&site.states)
                && site.memory == 0
                && site.edge.is_none()
                && contact.friction.coupling().is_none()
                && claims.piecewise_linear
                && !claims.position
        };
        let steady = self.dynamics.base.is_constant() && self.dynamics.surface[0].is_constant();
        self.memory == Memory::Map
            && self.how.samples.is_some()
            && self.steady_loads
            && steady
            && d.model.structure.cubic.is_empty()
            && !d.sites.is_empty()
            && d.sites.iter().all(fits)
    }

    /// What is left of the equations, and its derivatives, as a lap at samples gives them.
    pub(super) fn separate_lap(&mut self, x: &[f64], r: &mut [f64], jac: Option<&mut [f64]>) -> Result<Seen, String> {
        let count = self.how.samples.unwrap_or(1);
        let dt = self.basis.period / count as f64;
        let samples = self.samples(count, dt);
        let (n, width, points) = (self.dynamics.n, self.basis.len(), self.dynamics.sites.len());
        let wants = jac.is_some();
        self.show_loads(x, &samples)?;
        // Slip of every point as a sum of harmonics.
        let o = self.dynamics.model.structure.orientation;
        let slip: Vec<f64> = (0..points * width)
            .map(|k| {
                let row = &self.dynamics.sites[k / width].tangent[0];
                (0..n).map(|j| row[j] * o * x[j * width + k % width]).sum()
            })
            .collect();
        let start = self.settled_past(&slip, &samples, dt, wants)?;
        let mut seen = Seen { stick: vec![0.0; points], ..Seen::default() };
        let mut forces = vec![0.0; points * width];
        let mut by_slip = if wants { vec![0.0; points * width * width] } else { vec![] };
        let mut past = start.clone();
        let mut before: Vec<f64> = vec![0.0; points];
        for k in 0..count {
            let f = &samples.functions[k];
            self.forces_at(k, &slip, (&past, wants), f, dt, (&mut forces, &mut by_slip, &mut seen, &mut before));
            self.carry_past(&slip, &samples, k, dt, &mut past, wants)?;
        }
        self.states.clone_from(&start.z);
        self.put_linear(x, &samples, dt, r);
        for (p, site) in self.dynamics.sites.iter().enumerate() {
            for (i, by) in site.tangent[0].iter().enumerate().filter(|(_, by)| **by != 0.0) {
                for b in 0..width {
                    r[i * width + b] += by * forces[p * width + b];
                }
            }
        }
        if let Some(jac) = jac {
            self.put_linear_slopes(jac);
            let unknowns = n * width;
            for (p, site) in self.dynamics.sites.iter().enumerate() {
                let row = &site.tangent[0];
                let used: Vec<usize> = (0..n).filter(|i| row[*i] != 0.0).collect();
                for i in &used {
                    for j in &used {
                        let by = row[*i] * row[*j] * o;
                        for b in 0..width {
                            for c in 0..width {
                                jac[(i * width + b) * unknowns + j * width + c] +=
                                    by * by_slip[(p * width + b) * width + c];
                            }
                        }
                    }
                }
            }
        }
        self.put_start(x, &samples, &start.z, &mut seen);
        match r.iter().all(|x| x.is_finite()) {
            true => Ok(seen),
            false => Err("the laws have no numbers along a balanced motion".into()),
        }
    }

    fn samples(&self, count: usize, dt: f64) -> Samples {
        let t: Vec<f64> = (0..=count).map(|k| k as f64 * dt).collect();
        let functions = t
            .iter()
            .map(|t| {
                let mut f = Functions::default();
                self.basis.at(*t, &mut f);
                f
            })
            .collect();
        Samples { t, functions }
    }

    /// Shows the laws their loads, which stay, and the energy of the motion.
    fn show_loads(&mut self, x: &[f64], samples: &Samples) -> Result<(), String> {
        let (n, width) = (self.dynamics.n, self.basis.len());
        let mut y = vec![0.0; self.dynamics.dim()];
        for (i, own) in x.chunks_exact(width).enumerate() {
            y[i] = dot(own, &samples.functions[0].value);
        }
        y[2 * n..].copy_from_slice(&self.states);
        let modes = vec![stickslip_laws::Mode::Forward; self.dynamics.sites.len()];
        let mut dy = vec![0.0; y.len()];
        let shown = self.dynamics.evaluate(0.0, &y, &modes, &mut dy);
        shown.map_err(|_| "the contacts have no reactions along a balanced motion".to_string())
    }

    /// States where a lap begins, after as many laps as it takes from rest.
    fn settled_past(&self, slip: &[f64], samples: &Samples, dt: f64, wants: bool) -> Result<Past, String> {
        let width = self.basis.len();
        let rest = stickslip_dynamics::start::at_rest(&self.dynamics)[2 * self.dynamics.n..].to_vec();
        let mut past = Past { slopes: vec![0.0; if wants { rest.len() * width } else { 0 }], z: rest };
        let zero = vec![0.0; width];
        let first = &samples.functions[0].value;
        self.step_past(slip, (&zero, first), (1.0, 0.0), &mut past, wants)?;
        let count = samples.t.len() - 1;
        for _ in 0..MOST_LAPS {
            let begun = past.z.clone();
            let mut most = 0.0f64;
            for k in 0..count {
                self.carry_past(slip, samples, k, dt, &mut past, wants)?;
                most = past.z.iter().fold(most, |most, z| most.max(z.abs()));
            }
            let apart = stickslip_solve::largest(past.z.iter().zip(&begun).map(|(a, b)| a - b));
            if apart <= SETTLED * most || most == 0.0 {
                return Ok(past);
            }
        }
        Err(format!("the states of a law do not come back to their start in {MOST_LAPS} laps of a balanced motion"))
    }

    fn carry_past(
        &self,
        slip: &[f64],
        samples: &Samples,
        k: usize,
        dt: f64,
        past: &mut Past,
        wants: bool,
    ) -> Result<(), String> {
        let ways = (&samples.functions[k].value[..], &samples.functions[k + 1].value[..]);
        self.step_past(slip, ways, (dt, dt), past, wants)
    }

    /// States after a step in which functions of the basis go from these values to those; drives carry the points for a part of it.
    fn step_past(
        &self,
        slip: &[f64],
        (before, after): (&[f64], &[f64]),
        (dt, driven): (f64, f64),
        past: &mut Past,
        wants: bool,
    ) -> Result<(), String> {
        let width = before.len();
        let carried = self.carried_speeds();
        let way: Vec<f64> = after.iter().zip(before).map(|(a, b)| a - b).collect();
        let (mut first, mut state) = (0, 0);
        for contact in self.dynamics.model.contacts.iter() {
            let points = contact.places.len();
            let each = contact.friction.states().len();
            let mut at: Vec<Slide<Dual<4>, 2>> = Vec::with_capacity(points);
            for k in 0..points {
                let p = first + k;
                let moved = dot(&slip[p * width..(p + 1) * width], &way) + carried[p] * driven;
                let v = [Dual::variable(moved / dt, 0), Dual::constant(0.0)];
                let mut slide = Slide::new(v, Dual::constant(self.dynamics.load_read(p)));
                slide.point = k;
                at.push(slide);
            }
            let seeded = |(k, z): (usize, &f64)| Dual::variable(*z, 1 + k % each);
            let z0: Vec<Dual<4>> = past.z[state..state + points * each].iter().enumerate().map(seeded).collect();
            let mut z1 = z0.clone();
            let mut f = vec![[Dual::constant(0.0); 2]; points];
            contact.friction.advance(dt, &at, &z0, &mut z1, &mut f).map_err(|e| e.to_string())?;
            if wants {
                for k in 0..points {
                    let own = (state + k * each) * width..(state + (k + 1) * each) * width;
                    let old = past.slopes[own.clone()].to_vec();
                    for (j, z) in z1[k * each..(k + 1) * each].iter().enumerate() {
                        for c in 0..width {
                            let through: f64 = (0..each).map(|l| z.eps[1 + l] * old[l * width + c]).sum();
                            past.slopes[own.start + j * width + c] = z.eps[0] / dt * way[c] + through;
                        }
                    }
                }
            }
            for (z, new) in past.z[state..].iter_mut().zip(&z1) {
                *z = new.re;
            }
            first += points;
            state += points * each;
        }
        match past.z.iter().all(|z| z.is_finite()) {
            true => Ok(()),
            false => Err("the states of a law are not finite along a balanced motion".into()),
        }
    }

    /// Slip velocities that drives give to each point, m/s.
    fn carried_speeds(&self) -> Vec<f64> {
        let s = &self.dynamics.model.structure;
        let (base, surface) = (self.dynamics.base.value(0.0), self.dynamics.surface[0].value(0.0));
        let of = |site: &stickslip_dynamics::Site| {
            site.tangent[0].iter().zip(&s.base).map(|(t, b)| t * b * base).sum::<f64>() + site.surface * surface
        };
        self.dynamics.sites.iter().map(of).collect()
    }

    /// Adds the forces of all points at a sample to their harmonics, and their slopes.
    #[allow(clippy::type_complexity)]
    fn forces_at(
        &self,
        sample: usize,
        slip: &[f64],
        (past, wants): (&Past, bool),
        functions: &Functions,
        dt: f64,
        (forces, by_slip, seen, before): (&mut [f64], &mut [f64], &mut Seen, &mut Vec<f64>),
    ) {
        let width = functions.value.len();
        let carried = self.carried_speeds();
        let (mut first, mut state) = (0, 0);
        for (c, contact) in self.dynamics.model.contacts.iter().enumerate() {
            let points = contact.places.len();
            let each = contact.friction.states().len();
            let mut at: Vec<Slide<Dual<4>, 2>> = Vec::with_capacity(points);
            for k in 0..points {
                let p = first + k;
                let v = dot(&slip[p * width..(p + 1) * width], &functions.rate) + carried[p];
                seen.reversals += usize::from(sample > 0 && v * before[p] < 0.0);
                before[p] = v;
                let mut slide =
                    Slide::new([Dual::variable(v, 0), Dual::constant(0.0)], Dual::constant(self.dynamics.load_read(p)));
                slide.point = k;
                at.push(slide);
            }
            let seeded = |(k, z): (usize, &f64)| Dual::variable(*z, 1 + k % each);
            let z: Vec<Dual<4>> = past.z[state..state + points * each].iter().enumerate().map(seeded).collect();
            let mut dz = vec![Dual::constant(0.0); z.len()];
            let mut out = vec![Friction::Force([Dual::constant(0.0); 2]); points];
            contact.friction.respond(&at, &z, &mut dz, &mut out);
            for (k, answer) in out.iter().enumerate() {
                let p = first + k;
                debug_assert_eq!(self.dynamics.sites[p].contact, c);
                let Friction::Force([force, _]) = answer else { continue };
                let area = self.dynamics.sites[p].traction_area.unwrap_or(1.0);
                let v = before[p];
                seen.friction += dt * v * area * force.re;
                let mut slide = Slide::new([v, 0.0], self.dynamics.load_read(p));
                slide.point = k;
                if contact.friction.inner(k, &slide, &past.z[state..state + points * each]).is_some_and(|i| i.any()) {
                    seen.stick[p] += dt / self.basis.period;
                }
                let slope = |c: usize| -> f64 {
                    let own = (state + k * each) * width;
                    let through: f64 = (0..each).map(|l| force.eps[1 + l] * past.slopes[own + l * width + c]).sum();
                    area * (force.eps[0] * functions.rate[c] + through)
                };
                let slopes: Vec<f64> = if wants { (0..width).map(slope).collect() } else { vec![] };
                for b in 0..width {
                    let weight = dt * self.basis.norm(b) * functions.value[b];
                    forces[p * width + b] += weight * area * force.re;
                    if wants {
                        let row = &mut by_slip[(p * width + b) * width..(p * width + b + 1) * width];
                        row.iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += weight * slope);
                    }
                }
            }
            first += points;
            state += points * each;
        }
    }

    /// The part of the equations that is linear in the factors, and the forces that are given.
    fn put_linear(&self, x: &[f64], samples: &Samples, dt: f64, r: &mut [f64]) {
        let (n, width) = (self.dynamics.n, self.basis.len());
        let s = &self.dynamics.model.structure;
        let o = s.orientation;
        r.fill(0.0);
        for i in 0..n {
            for j in 0..n {
                let (m, c, k) = (
                    s.mass[i * n + j],
                    s.damping[i * n + j] + self.damping * s.mass[i * n + j],
                    s.stiffness[i * n + j],
                );
                if m == 0.0 && c == 0.0 && k == 0.0 {
                    continue;
                }
                let own = &x[j * width..(j + 1) * width];
                let to = &mut r[i * width..(i + 1) * width];
                to[0] += o * k * own[0];
                for h in 1..=self.basis.harmonics {
                    let w = self.basis.omega() * h as f64;
                    let (cos, sin) = (own[2 * h - 1], own[2 * h]);
                    let (re, im) = (k - w * w * m, w * c);
                    to[2 * h - 1] += o * (re * cos + im * sin);
                    to[2 * h] += o * (re * sin - im * cos);
                }
            }
        }
        let count = samples.t.len() - 1;
        for (i, force) in self.dynamics.forces().iter().enumerate() {
            for k in 0..count {
                let value = force.value(samples.t[k]);
                for b in 0..width {
                    r[i * width + b] -= dt * self.basis.norm(b) * samples.functions[k].value[b] * value;
                }
            }
        }
    }

    fn put_linear_slopes(&self, jac: &mut [f64]) {
        let (n, width) = (self.dynamics.n, self.basis.len());
        let s = &self.dynamics.model.structure;
        let (o, unknowns) = (s.orientation, n * width);
        jac.fill(0.0);
        for i in 0..n {
            for j in 0..n {
                let (m, c, k) = (
                    s.mass[i * n + j],
                    s.damping[i * n + j] + self.damping * s.mass[i * n + j],
                    s.stiffness[i * n + j],
                );
                let mut put = |b: usize, c: usize, x: f64| jac[(i * width + b) * unknowns + j * width + c] = o * x;
                put(0, 0, k);
                for h in 1..=self.basis.harmonics {
                    let w = self.basis.omega() * h as f64;
                    let (re, im) = (k - w * w * m, w * c);
                    put(2 * h - 1, 2 * h - 1, re);
                    put(2 * h - 1, 2 * h, im);
                    put(2 * h, 2 * h, re);
                    put(2 * h, 2 * h - 1, -im);
                }
            }
        }
    }

    /// The motion at t = 0, and the largest energy of the structure.
    fn put_start(&self, x: &[f64], samples: &Samples, z: &[f64], seen: &mut Seen) {
        let (n, s) = (self.dynamics.n, &self.dynamics.model.structure);
        let base = self.dynamics.base.value(0.0);
        let mut y = vec![0.0; self.dynamics.dim()];
        for (k, f) in samples.functions.iter().enumerate().rev() {
            for (i, own) in x.chunks_exact(self.basis.len()).enumerate() {
                y[i] = dot(own, &f.value);
                y[n + i] = s.orientation * dot(own, &f.rate) + s.base[i] * base;
            }
            seen.energy = seen.energy.max(stored(&self.dynamics, &y));
            if k == 0 {
                y[2 * n..].copy_from_slice(z);
            }
        }
        seen.start = y;
    }
}
