//! Rates and friction forces with their derivatives in parameters, from the laws' own bodies in dual arithmetic.
use super::{Dynamics, Stiff, Variables};
use crate::model::Model;
use stickslip_laws::{Face, Friction};
use stickslip_real::Dual;

/// How a parameter enters a model whose contacts are smooth and whose loads are given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Enters {
    /// Numbers of friction laws: contact, name, index in its list, change per change of the parameter.
    pub laws: Vec<(usize, String, usize, f64)>,
    /// Changes of mass, stiffness and damping per change of the parameter; empty for none.
    pub matrices: [Vec<f64>; 3],
}

/// Parameters in four of which at a time a law answers.
const AT_ONCE: usize = 4;

/// The laws of a model with derivatives in parameters.
pub struct Seeds {
    ways: Vec<Enters>,
    /// For each contact: laws, four parameters each.
    laws: Vec<Vec<Box<dyn Face<Dual<4>>>>>,
}

impl Seeds {
    /// Seeds a model; None where a law can't be seeded.
    pub fn new(model: &Model, ways: &[Enters]) -> Option<Seeds> {
        let mut laws = vec![];
        for (c, contact) in model.contacts.iter().enumerate() {
            let (seeding, values) = contact.friction.seeds()?;
            let mut chunks = vec![];
            for chunk in ways.chunks(AT_ONCE) {
                let lift = |name: &str, index: usize, x: f64| {
                    let mut seeded = Dual::constant(x);
                    for (slot, way) in chunk.iter().enumerate() {
                        let own = way.laws.iter().filter(|(at, n, i, _)| *at == c && n == name && *i == index);
                        seeded.eps[slot] += own.map(|(.., slope)| slope).sum::<f64>();
                    }
                    seeded
                };
                chunks.push(seeding(values, &lift).ok()?);
            }
            laws.push(chunks);
        }
        Some(Seeds { ways: ways.to_vec(), laws })
    }

    /// Number of parameters.
    pub fn len(&self) -> usize {
        self.ways.len()
    }
}

/// What the laws answer, with derivatives: room for one contact.
type Answered<'a> = (&'a [Friction<Dual<4>, 2>], &'a [Dual<4>]);

impl Dynamics<'_> {
    /// Asks each contact once for four parameters; `along` are derivatives of the unknowns in each parameter, if they
    /// change with it.
    fn ask_seeded(
        &self,
        y: &[f64],
        seeds: &Seeds,
        along: Option<&[f64]>,
        mut take: impl FnMut(usize, std::ops::Range<usize>, std::ops::Range<usize>, Answered),
    ) {
        let (n, m) = (self.n, self.dim());
        let (mut slides, mut z, mut dz, mut answers) = (vec![], vec![], vec![], vec![]);
        let mut contact_index = 0;
        self.each_contact(|_, points, states| {
            let laws = &seeds.laws[contact_index];
            contact_index += 1;
            for (k, law) in laws.iter().enumerate() {
                let first = k * AT_ONCE;
                let slots = AT_ONCE.min(seeds.len() - first);
                slides.clear();
                z.clear();
                for i in points.clone() {
                    let mut at = self.slides[i].map(Dual::constant);
                    for slot in 0..slots {
                        let Some(s) = along.map(|s| &s[(first + slot) * m..(first + slot + 1) * m]) else { break };
                        for (d, row) in self.sites[i].tangent.iter().enumerate() {
                            at.v[d].eps[slot] = (0..n).map(|j| row[j] * s[n + j]).sum();
                        }
                    }
                    slides.push(at);
                }
                for state in states.clone() {
                    let mut value = Dual::constant(y[2 * n + state]);
                    for slot in 0..slots {
                        let Some(s) = along else { break };
                        value.eps[slot] = s[(first + slot) * m + 2 * n + state];
                    }
                    z.push(value);
                }
                dz.clear();
                dz.resize(z.len(), Dual::constant(0.0));
                answers.clear();
                answers.resize(points.len(), Friction::Force([Dual::constant(0.0); 2]));
                law.respond(&slides, &z, &mut dz, &mut answers);
                take(first, points.clone(), states.clone(), (&answers, &dz));
            }
        });
    }

    /// d(rates)/d(parameters) at the unknowns of the last evaluation, one parameter after the other.
    pub fn parameter_rates(&self, y: &[f64], dy: &[f64], seeds: &Seeds, out: &mut [f64]) {
        let (n, m, count) = (self.n, self.dim(), seeds.len());
        out.fill(0.0);
        // Forces first, in the places of the accelerations.
        self.ask_seeded(y, seeds, None, |first, points, states, (answers, dz)| {
            for slot in 0..AT_ONCE.min(count - first) {
                let column = &mut out[(first + slot) * m..(first + slot + 1) * m];
                for (answer, i) in answers.iter().zip(points.clone()) {
                    let Friction::Force(f) = answer else { continue };
                    let area = self.sites[i].traction_area.unwrap_or(1.0);
                    for (row, f) in self.sites[i].tangent.iter().zip(f) {
                        (0..n).for_each(|j| column[n + j] -= row[j] * f.eps[slot] * area);
                    }
                }
                for (dz, state) in dz.iter().zip(states.clone()) {
                    column[2 * n + state] = dz.eps[slot];
                }
            }
        });
        let s = &self.model.structure;
        let mut force = vec![0.0; n];
        for (way, column) in seeds.ways.iter().zip(out.chunks_exact_mut(m)) {
            let [mass, stiffness, damping] = &way.matrices;
            for (by, x, sign) in
                [(mass, &dy[n..2 * n], 1.0), (stiffness, &y[..n], s.orientation), (damping, &dy[..n], s.orientation)]
            {
                for (k, entry) in by.iter().enumerate().filter(|(_, e)| **e != 0.0) {
                    column[n + k / n] -= sign * entry * x[k % n];
                }
            }
            force.copy_from_slice(&column[n..2 * n]);
            for i in 0..n {
                column[n + i] = (0..n).map(|j| self.inverse_mass[i * n + j] * force[j]).sum();
            }
        }
    }

    /// Derivatives of the friction force of point 0 in each parameter, where the unknowns change by `along`.
    pub fn friction_along(&self, y: &[f64], seeds: &Seeds, along: &[f64], out: &mut [f64]) {
        self.ask_seeded(y, seeds, Some(along), |first, points, _, (answers, _)| {
            if points.start > 0 {
                return;
            }
            let area = self.sites[0].traction_area.unwrap_or(1.0);
            for slot in 0..AT_ONCE.min(seeds.len() - first) {
                if let Friction::Force(f) = answers[0] {
                    out[first + slot] = f[0].eps[slot] * area;
                }
            }
        });
    }
}

impl Stiff<'_, '_> {
    /// The Jacobian, and the derivatives of the rates in each parameter, in solver variables.
    pub fn tangents(&mut self, t: f64, x: &[f64], seeds: &Seeds, jac: &mut [f64], by: &mut [f64]) {
        self.evaluate(t, x);
        self.dynamics.parameter_rates(&self.room.y, &self.room.dy, seeds, by);
        for column in by.chunks_exact_mut(self.dynamics.dim()) {
            self.variables.stretched(self.dynamics, &self.room.y, column);
        }
        stickslip_solve::radau::System::jacobian(self, t, x, jac);
    }
}

impl Variables {
    /// Turns changes of the unknowns at `y` into changes of the solver variables; `dynamics` was evaluated there.
    pub fn stretched(&self, dynamics: &Dynamics, y: &[f64], change: &mut [f64]) {
        let n = dynamics.n;
        for (i, c) in change.iter_mut().enumerate() {
            let factor = i.checked_sub(n).filter(|j| *j < n).and_then(|j| self.slip(j)).map_or(1.0, |(_, f)| f);
            *c *= factor * self.stretch(i, self.quantity(dynamics, i, y)).0;
        }
    }

    /// Turns changes of the solver variables into changes of the unknowns at `y`.
    pub fn relaxed(&self, dynamics: &Dynamics, y: &[f64], change: &mut [f64]) {
        let n = dynamics.n;
        for (i, c) in change.iter_mut().enumerate() {
            let factor = i.checked_sub(n).filter(|j| *j < n).and_then(|j| self.slip(j)).map_or(1.0, |(_, f)| f);
            *c /= factor * self.stretch(i, self.quantity(dynamics, i, y)).0;
        }
    }
}
