//! Laws asked in dual arithmetic whose parameters are seeded: answers, guards and events with derivatives.
use crate::{Dynamics, Stiff, Variables};
use std::ops::Range;
use stickslip_laws::{Event, SeededLaw, Slide};
use stickslip_model::Model;
use stickslip_real::Dual;

/// How a parameter enters a model whose loads are given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParameterEntry {
    /// Numbers of friction laws: contact, name, index in its list, change per change of the parameter.
    pub laws: Vec<(usize, String, usize, f64)>,
    /// Changes of mass, stiffness and damping per change of the parameter; empty for none.
    pub matrices: [Vec<f64>; 3],
    /// Changes of the load of each point, a + b given, per change of the parameter; empty for none.
    pub loads: Vec<(f64, f64)>,
    /// Change of the velocity of the surface in its first direction per change of the parameter.
    pub surface: f64,
}

/// Parameters in four of which at a time a law answers.
pub(crate) const AT_ONCE: usize = 4;

/// The laws of a model with derivatives in parameters.
pub struct Seeds {
    pub(crate) ways: Vec<ParameterEntry>,
    /// For each contact: laws, four parameters each.
    laws: Vec<Vec<SeededLaw>>,
}

impl Seeds {
    /// Whether nothing but the start varies: no parameter enters anywhere.
    pub fn is_of_start(&self) -> bool {
        self.ways.iter().all(|way| *way == ParameterEntry::default())
    }

    /// Seeds a model; None where a law can't be seeded.
    pub fn new(model: &Model, ways: &[ParameterEntry]) -> Option<Seeds> {
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
    pub fn count(&self) -> usize {
        self.ways.len()
    }

    /// How each of them enters.
    pub fn ways(&self) -> &[ParameterEntry] {
        &self.ways
    }
}

/// How unknowns and time change with each parameter, besides what the parameters do by themselves.
#[derive(Clone, Copy, Default)]
pub struct Direction<'a> {
    /// Changes of the unknowns, parameter after parameter; None: they stay.
    pub along: Option<&'a [f64]>,
    /// Changes of the time; None: it stays.
    pub time: Option<&'a [f64]>,
    /// Changes of the accelerations of the coordinates, where laws are shown these.
    pub accelerations: Option<&'a [f64]>,
}

/// A law to be asked: what its points see, with derivatives in some of the parameters.
pub(crate) struct Seeded<'a> {
    pub(crate) law: &'a SeededLaw,
    /// The first of the parameters, and how many.
    pub(crate) first: usize,
    pub(crate) slots: usize,
    pub(crate) points: Range<usize>,
    pub(crate) states: Range<usize>,
    pub(crate) slides: &'a [Slide<Dual<4>, 2>],
    pub(crate) z: &'a [Dual<4>],
}

impl Dynamics<'_> {
    /// Changes of the load of a point and of its rate with a parameter, after so much more time.
    pub(crate) fn load_change(&self, i: usize, seeds: &Seeds, parameter: usize, time: f64) -> [f64; 2] {
        let (site, t) = (&self.sites[i], self.slides[i].t);
        let given = &self.given[site.contact];
        let own = seeds.ways[parameter].loads.get(i).filter(|_| !site.replaced);
        let mut change = own.map_or([0.0; 2], |(a, b)| [a + b * given.value(t), b * given.rate(t)]);
        if let (Some((_, b)), true) = (site.fixed_load, time != 0.0 && !given.is_constant()) {
            change[0] += b * given.rate(t) * time;
            change[1] += b * 2.0 * given.expand(t).0[2] * time;
        }
        change
    }

    /// The change of the load of a point with a parameter.
    pub fn load_changes(&self, i: usize, seeds: &Seeds, parameter: usize) -> f64 {
        self.load_change(i, seeds, parameter, 0.0)[0]
    }

    /// What a point sees, with derivatives in the parameters from `first` on.
    fn seen_seeded(&self, i: usize, seeds: &Seeds, first: usize, slots: usize, moving: Direction) -> Slide<Dual<4>, 2> {
        let (n, m) = (self.n, self.dim());
        let (site, t) = (&self.sites[i], self.slides[i].t);
        let mut at = self.slides[i].map(Dual::constant);
        let area = site.traction_area.unwrap_or(1.0);
        for slot in 0..slots {
            let p = first + slot;
            let time = moving.time.map_or(0.0, |time| time[p]);
            for (d, row) in site.tangent.iter().enumerate() {
                let by = site.surface * time;
                let surface = &self.surface[d];
                let carried = if by == 0.0 || surface.is_constant() { 0.0 } else { by * surface.rate(t) };
                let own = |s: &[f64]| (0..n).map(|j| row[j] * s[j]).sum::<f64>();
                let carried = if d == 0 { carried + site.surface * seeds.ways[p].surface } else { carried };
                at.v[d].eps[slot] = carried + moving.along.map_or(0.0, |s| own(&s[p * m + n..p * m + 2 * n]));
                if let Some(a) = moving.accelerations {
                    let jerk = if by == 0.0 || surface.is_constant() { 0.0 } else { 2.0 * surface.expand(t).0[2] };
                    at.acceleration[d].eps[slot] = own(&a[p * n..(p + 1) * n]) + by * jerk;
                }
            }
            let load = self.load_change(i, seeds, p, time);
            (at.n.eps[slot], at.n_rate.eps[slot]) = (load[0] / area, load[1] / area);
            at.t.eps[slot] = time;
        }
        at
    }

    /// Calls `f` with each law, four parameters at a time.
    pub(crate) fn each_seeded(&self, y: &[f64], seeds: &Seeds, moving: Direction, mut f: impl FnMut(Seeded)) {
        let (n, m) = (self.n, self.dim());
        let (mut slides, mut z) = (vec![], vec![]);
        let mut contact = 0;
        self.each_contact(|_, points, states| {
            for (k, law) in seeds.laws[contact].iter().enumerate() {
                let first = k * AT_ONCE;
                let slots = AT_ONCE.min(seeds.count() - first);
                slides.clear();
                slides.extend(points.clone().map(|i| self.seen_seeded(i, seeds, first, slots, moving)));
                z.clear();
                z.extend(states.clone().map(|state| {
                    let mut value = Dual::constant(y[2 * n + state]);
                    if let Some(s) = moving.along {
                        (0..slots).for_each(|slot| value.eps[slot] = s[(first + slot) * m + 2 * n + state]);
                    }
                    value
                }));
                let (points, states) = (points.clone(), states.clone());
                f(Seeded { law, first, slots, points, states, slides: &slides, z: &z });
            }
            contact += 1;
        });
    }

    /// Changes of guard number `k` of all with each parameter, after [`Dynamics::evaluate`].
    pub fn guard_changes(&self, k: usize, y: &[f64], seeds: &Seeds, moving: Direction, out: &mut [f64]) {
        out.fill(f64::NAN);
        let (mut before, mut g) = (0, vec![]);
        let mut last = 0;
        self.each_seeded(y, seeds, moving, |asked| {
            if asked.first == 0 {
                before += last;
            }
            g.clear();
            asked.law.guards(asked.slides, asked.z, &mut g);
            last = g.len();
            if let Some(g) = k.checked_sub(before).and_then(|k| g.get(k)) {
                out[asked.first..asked.first + asked.slots].copy_from_slice(&g.eps[..asked.slots]);
            }
        });
    }

    /// What an event at a point makes of the changes `s` of its law's states, parameter after parameter. `y` and
    /// [`Dynamics::evaluate`] are those before it; `loads` are changes of the loads of a jump before and after.
    pub fn tell_changes(
        &self,
        (i, event): (usize, Event<f64>),
        y: &[f64],
        seeds: &Seeds,
        moving: Direction,
        loads: Option<[&[f64]; 2]>,
        s: &mut [f64],
    ) {
        let (site, m) = (&self.sites[i], self.dim());
        let mut z = vec![];
        self.each_seeded(y, seeds, moving, |asked| {
            if !asked.points.contains(&i) {
                return;
            }
            let own = site.first_state - asked.states.start;
            z.clear();
            z.extend_from_slice(&asked.z[own..own + site.states]);
            let lift = |x: f64, which: usize| {
                let mut lifted = Dual::constant(x);
                if let Some(loads) = loads {
                    lifted.eps[..asked.slots].copy_from_slice(&loads[which][asked.first..asked.first + asked.slots]);
                }
                lifted / site.traction_area.unwrap_or(1.0)
            };
            let event = match event {
                Event::Start => Event::Start,
                Event::Enter(mode) => Event::Enter(mode),
                Event::Guard(k) => Event::Guard(k),
                // A drive gives it, whatever the parameters.
                Event::Jump { by } => Event::Jump { by: Dual::constant(by) },
                Event::Load { from, to } => Event::Load { from: lift(from, 0), to: lift(to, 1) },
            };
            asked.law.on(event, &asked.slides[i - asked.points.start], &mut z);
            for slot in 0..asked.slots {
                let place = (asked.first + slot) * m + 2 * self.n + site.first_state;
                s[place..place + site.states].iter_mut().zip(&z).for_each(|(s, z)| *s = z.eps[slot]);
            }
        });
    }
}

impl Stiff<'_, '_> {
    /// The Jacobian, and the derivatives of the rates in each parameter, in solver variables.
    pub fn tangents(&mut self, t: f64, x: &[f64], seeds: &Seeds, jac: &mut [f64], by: &mut [f64]) {
        self.evaluate(t, x);
        self.dynamics.parameter_rates(&self.room.y, &self.room.dy, self.modes, seeds, by);
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
