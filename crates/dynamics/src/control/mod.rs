//! Controllers in the equations: their states stand behind those of the laws, their outputs are forces on the coordinates.
//!
//! A continuous loop is a set of linear forms, one set for each way of being clipped. A sampled loop holds its output as an
//! unknown that changes at samples alone. The output of a continuous loop that is late is read from its own past.
mod clip;
mod form;
mod late;
mod sampled;
mod tangent;

pub use clip::Clip;
pub use form::Form;
use form::{Instant, Place};
use late::Late;
use sampled::Memory;
use stickslip_model::Model;
use stickslip_structures::{Acts, Control, Measured, Signal, Structure};

/// A loop in the equations.
#[derive(Clone)]
struct Loop {
    control: Control,
    /// Number of its first reference.
    reference: usize,
    /// Its first unknown: a state, or the first output that is held.
    first: usize,
    /// Whether its outputs are moments.
    moment: bool,
    clips: Vec<Clip>,
    memory: Memory,
    /// Outputs as they are clipped now, rates of the states, guards.
    outputs: Vec<Form>,
    rates: Vec<Form>,
    guards: Vec<[Form; 2]>,
}

impl Loop {
    fn place<'a>(&'a self, structure: &'a Structure) -> Place<'a> {
        Place { control: &self.control, structure, reference: self.reference, first: self.first }
    }

    fn is_sampled(&self) -> bool {
        self.control.sampling.is_some()
    }

    /// Unknowns of its own.
    fn unknowns(&self) -> usize {
        if self.is_sampled() { self.control.on.len() } else { self.control.states.len() }
    }

    /// The forms for the present clips.
    fn prepare(&mut self, structure: &Structure) {
        if self.is_sampled() {
            self.outputs = (0..self.control.on.len()).map(|k| Form::unknown(self.first + k)).collect();
            return;
        }
        let place = self.place(structure);
        let outputs: Vec<Form> = self.clips.iter().enumerate().map(|(k, clip)| clip.output(&place, k)).collect();
        let clip = self.clips.first().copied().unwrap_or_default();
        let rates: Vec<Form> = (0..self.control.states.len()).map(|i| clip.rate(&place, i)).collect();
        let saturates = self.control.saturation.is_some();
        let guards = self.clips.iter().enumerate().filter(|_| saturates);
        let guards: Vec<[Form; 2]> = guards.map(|(k, clip)| clip.guards(&place, k)).collect();
        (self.outputs, self.rates, self.guards) = (outputs, rates, guards);
    }
}

/// All controllers of a model.
#[derive(Clone)]
pub struct Controls {
    loops: Vec<Loop>,
    /// References of all loops, channel after channel.
    pub references: Vec<Signal>,
    base: Signal,
    /// The first unknown that is a controller's, and how many are.
    first: usize,
    count: usize,
    late: Late,
    /// Values of the guards at the last evaluation.
    values: Vec<f64>,
}

impl Controls {
    /// The controllers of a model, whose unknowns begin at `first`.
    pub fn new(model: &Model, first: usize) -> Controls {
        let (mut loops, mut references, mut next) = (vec![], vec![], first);
        for control in &model.loading.controls {
            let mut one = Loop {
                moment: control.on.iter().any(|on| match on {
                    Acts::Coordinate(i) => model.structure.unit(*i) == "rad",
                    Acts::Normal(_) => false,
                }),
                clips: vec![Clip::FREE; control.on.len()],
                control: control.clone(),
                reference: references.len(),
                first: next,
                memory: Memory::default(),
                outputs: vec![],
                rates: vec![],
                guards: vec![],
            };
            references.extend(control.channels.iter().map(|channel| channel.reference.clone()));
            one.prepare(&model.structure);
            next += one.unknowns();
            loops.push(one);
        }
        let base = model.loading.base.clone().unwrap_or(Signal::ZERO);
        let late = Late::new(&model.loading.controls);
        Controls { loops, references, base, first, count: next - first, late, values: vec![] }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// How many loops there are.
    pub fn len(&self) -> usize {
        self.loops.len()
    }

    /// Their unknowns.
    pub fn unknowns(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.count
    }

    /// Those that move by themselves.
    pub fn moving(&self) -> impl Iterator<Item = usize> + '_ {
        self.unknowns().zip(self.held()).filter(|(_, held)| !held).map(|(i, _)| i)
    }

    /// Whether each of these changes at samples alone.
    pub fn held(&self) -> impl Iterator<Item = bool> + '_ {
        self.loops.iter().flat_map(|one| std::iter::repeat_n(one.is_sampled(), one.unknowns()))
    }

    /// Name and unit of each of their unknowns.
    pub fn names(&self) -> Vec<(String, String)> {
        let mut all = vec![];
        for (k, one) in self.loops.iter().enumerate() {
            let prefix = format!("control.{}", k + 1);
            match one.is_sampled() {
                true => all.extend(one.control.on.iter().enumerate().map(|(i, _)| {
                    (if one.control.on.len() > 1 { format!("{prefix}.held_{}", i + 1) } else { format!("{prefix}.held") }, "N".into())
                })),
                false => all.extend(one.control.states.iter().map(|s| (format!("{prefix}.{}", s.name), s.unit.clone()))),
            }
        }
        all
    }

    /// Outputs of all loops: the loop of each, its number there, and what it acts on.
    pub fn outputs(&self) -> impl Iterator<Item = (usize, usize, Acts)> + '_ {
        self.loops.iter().enumerate().flat_map(|(l, one)| one.control.on.iter().enumerate().map(move |(k, on)| (l, k, *on)))
    }

    fn instant<'a>(&'a self, t: f64, y: &'a [f64], dv: &'a [f64]) -> Instant<'a> {
        Instant { t, y, dv, references: &self.references, base: &self.base }
    }

    /// What an output applies.
    pub fn applied(&self, l: usize, k: usize, t: f64, y: &[f64]) -> f64 {
        let past = self.late.past(l, k, t);
        past.unwrap_or_else(|| self.loops[l].outputs[k].value(&self.instant(t, y, &[])).0)
    }

    /// What an output would be by its references alone, at the start.
    pub fn asked(&self, l: usize, k: usize) -> f64 {
        let one = &self.loops[l];
        let channels = one.control.channels.len();
        let each = (0..channels).map(|j| one.control.d[k * channels + j] * self.references[one.reference + j].value(0.0));
        each.map(f64::abs).fold(0.0, f64::max)
    }

    /// What output number `output` of all applies.
    pub fn output(&self, output: usize, t: f64, y: &[f64]) -> f64 {
        self.outputs().nth(output).map_or(0.0, |(l, k, _)| self.applied(l, k, t, y))
    }

    /// Unit of what a loop puts out.
    pub fn unit(&self, l: usize) -> &'static str {
        if self.loops[l].moment { "N m" } else { "N" }
    }

    /// Force that the loops add to the load of a contact; None where none does.
    pub(crate) fn press(&self, contact: usize, t: f64, y: &[f64]) -> Option<f64> {
        let acting = self.outputs().filter(|(.., on)| *on == Acts::Normal(contact));
        acting.map(|(l, k, _)| self.applied(l, k, t, y)).reduce(|a, b| a + b)
    }

    /// Whether a loop acts on the load of a contact.
    pub fn presses(&self) -> bool {
        self.outputs().any(|(.., on)| matches!(on, Acts::Normal(_)))
    }

    /// Adds the outputs to the forces.
    pub(crate) fn push(&self, structure: &Structure, t: f64, y: &[f64], residual: &mut [f64]) {
        for (l, k, on) in self.outputs() {
            if let Acts::Coordinate(i) = on {
                residual[i] += structure.orientation * self.applied(l, k, t, y);
            }
        }
    }

    /// Rates of the states; the guards are noted.
    pub(crate) fn rates(&mut self, t: f64, y: &[f64], dv: &[f64], dc: &mut [f64]) {
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        let at = self.instant(t, y, dv);
        dc.fill(0.0);
        for one in self.loops.iter().filter(|one| !one.is_sampled()) {
            let first = one.first - self.first;
            for (i, form) in one.rates.iter().enumerate() {
                dc[first + i] = form.value(&at).0;
            }
            values.extend(one.guards.iter().flatten().map(|guard| guard.value(&at).0));
        }
        self.values = values;
    }

    /// Values of the guards at the last evaluation.
    pub fn guards(&self) -> &[f64] {
        &self.values
    }

    /// The guards as they are now.
    pub fn guard_forms(&self) -> impl Iterator<Item = &Form> {
        self.loops.iter().flat_map(|one| one.guards.iter().flatten())
    }

    /// Whether any output can be clipped at any time.
    pub fn has_guards(&self) -> bool {
        self.loops.iter().any(|one| !one.guards.is_empty())
    }

    /// The clips of all outputs.
    pub fn clips(&self) -> impl Iterator<Item = Clip> + Clone + '_ {
        self.loops.iter().flat_map(|one| one.clips.iter().copied())
    }

    /// Takes over the clips and the memory of the same controllers elsewhere; their gains may be others.
    pub fn take_over(&mut self, other: &Controls, structure: &Structure) {
        for (l, theirs) in other.loops.iter().enumerate().take(self.loops.len()) {
            if theirs.is_sampled() {
                self.loops[l].memory.clone_from(&theirs.memory);
            } else if !theirs.guards.is_empty() {
                self.set(l, theirs.clips.clone(), structure);
            }
        }
    }

    /// Whether each loop is clipped.
    pub fn clipped(&self) -> impl Iterator<Item = bool> + '_ {
        self.loops.iter().map(|one| match one.is_sampled() {
            true => one.memory.clipped,
            false => one.clips.iter().any(|clip| clip.side != 0),
        })
    }

    /// Lets clips follow from the instant; whether any changed.
    pub fn settle(&mut self, structure: &Structure, t: f64, y: &[f64], dv: &[f64]) -> bool {
        let mut changed = false;
        for l in 0..self.loops.len() {
            if self.loops[l].guards.is_empty() {
                continue;
            }
            let at = self.instant(t, y, dv);
            let place = self.loops[l].place(structure);
            let clips: Vec<Clip> =
                self.loops[l].clips.iter().enumerate().map(|(k, clip)| clip.settled(&place, k, &at)).collect();
            changed |= self.set(l, clips, structure);
        }
        changed
    }

    /// Guard `number` of all has come to zero.
    pub fn passed(&mut self, number: usize, structure: &Structure, t: f64, y: &[f64], dv: &[f64]) {
        let mut first = 0;
        for l in 0..self.loops.len() {
            let count = 2 * self.loops[l].guards.len();
            if (first..first + count).contains(&number) {
                let (k, guard) = ((number - first) / 2, (number - first) % 2);
                let at = self.instant(t, y, dv);
                let place = self.loops[l].place(structure);
                let mut clips = self.loops[l].clips.clone();
                clips[k] = clips[k].passed(guard, &place, k, &at);
                self.set(l, clips, structure);
                return;
            }
            first += count;
        }
    }

    fn set(&mut self, l: usize, clips: Vec<Clip>, structure: &Structure) -> bool {
        let changed = self.loops[l].clips != clips;
        if changed {
            self.loops[l].clips = clips;
            self.loops[l].prepare(structure);
        }
        changed
    }

    /// The start: filters follow their channels, sampled loops take their first sample.
    pub fn begin(&mut self, structure: &Structure, y: &mut [f64]) {
        for l in 0..self.loops.len() {
            let one = &self.loops[l];
            let at = self.instant(0.0, y, &[]);
            let place = one.place(structure);
            if one.is_sampled() {
                let mut memory = Memory::begin(&place, &at);
                let (mut held, clipped) = memory.early(&one.control);
                memory.clipped = clipped;
                held = memory.arrive(&place, &at).unwrap_or(held);
                let first = one.first;
                y[first..first + held.len()].copy_from_slice(&held);
                self.loops[l].memory = memory;
                continue;
            }
            let values = one.control.states.iter().map(|s| s.follows.map(|j| place.channel(j, 0).value(&at).0));
            let values: Vec<Option<f64>> = values.collect();
            let first = one.first;
            for (i, value) in values.into_iter().enumerate() {
                y[first + i] = value.unwrap_or(y[first + i]);
            }
            let clips = vec![Clip::FREE; self.loops[l].clips.len()];
            self.set(l, clips, structure);
        }
    }

    /// The next instant at which a loop samples, or a held output arrives.
    pub fn knot(&self) -> f64 {
        self.loops.iter().map(|one| one.memory.knot(&one.control)).fold(f64::INFINITY, f64::min)
    }

    /// Samples, and applies what arrives at this time.
    pub fn arrive(&mut self, structure: &Structure, t: f64, y: &mut [f64]) {
        for l in 0..self.loops.len() {
            if !self.loops[l].is_sampled() || self.loops[l].memory.knot(&self.loops[l].control) > t {
                continue;
            }
            let mut memory = std::mem::take(&mut self.loops[l].memory);
            let held = memory.arrive(&self.loops[l].place(structure), &self.instant(t, y, &[]));
            let first = self.loops[l].first;
            if let Some(held) = held {
                y[first..first + held.len()].copy_from_slice(&held);
            }
            self.loops[l].memory = memory;
        }
    }

    /// References of all channels at a time.
    pub fn references_at(&self, t: f64) -> Vec<f64> {
        self.references.iter().map(|r| r.value(t)).collect()
    }

    /// Momentum on the coordinates that unlimited derivatives of references give that jump, from those before; Err where one
    /// would come late.
    pub fn kick(&self, structure: &Structure, before: &[f64], t: f64) -> Result<Vec<f64>, &'static str> {
        let mut momentum = vec![0.0; structure.len()];
        for one in self.loops.iter().filter(|one| !one.is_sampled() && one.control.differentiates()) {
            let channels = one.control.channels.len();
            for (k, on) in one.control.on.iter().enumerate() {
                for j in 0..channels {
                    let now = self.references[one.reference + j].value(t);
                    let jump = one.control.e[k * channels + j] * (now - before[one.reference + j]);
                    if jump == 0.0 || one.control.saturation.is_some() {
                        continue;
                    }
                    if one.control.delay > 0.0 {
                        return Err("the derivative of a reference that jumps is an impulse, which is not served with a delay");
                    }
                    if let Acts::Coordinate(i) = on {
                        momentum[*i] += structure.orientation * jump;
                    }
                }
            }
        }
        Ok(momentum)
    }

    /// Adds what the loops hold coordinates by, as the stiffness of a spring would: row after row.
    pub fn add_stiffness(&self, n: usize, stiffness: &mut [f64]) {
        for one in &self.loops {
            let channels = one.control.channels.len();
            for (k, on) in one.control.on.iter().enumerate() {
                for (j, channel) in one.control.channels.iter().enumerate() {
                    if let (Acts::Coordinate(i), Measured::Coordinate(of)) = (on, channel.measured) {
                        // A filtered derivative holds fast motions alone.
                        let filtered = (0..one.control.states.len())
                            .filter(|s| one.control.states[*s].follows == Some(j))
                            .map(|s| one.control.c[k * one.control.states.len() + s])
                            .sum::<f64>();
                        stiffness[i * n + of] += one.control.d[k * channels + j] + filtered;
                    }
                }
            }
        }
    }

    /// The largest reference of a coordinate up to a time, and the size of each controller's unknown under a force on what it
    /// acts on.
    pub fn reach(&self, i: usize, until: f64) -> f64 {
        let mut reach = 0.0f64;
        for one in &self.loops {
            for (j, channel) in one.control.channels.iter().enumerate() {
                if channel.measured == Measured::Coordinate(i) {
                    reach = reach.max(self.references[one.reference + j].bound(0.0, until));
                }
            }
        }
        reach
    }

    /// The longest time in which an integral takes over what the proportional part does, s.
    pub fn integral_time(&self) -> f64 {
        let one = |one: &Loop| {
            let i = one.control.integral?;
            Some((one.control.d.first()? / one.control.c[i]).abs()).filter(|t| t.is_finite())
        };
        self.loops.iter().filter_map(one).fold(0.0, f64::max)
    }

    /// Unknowns of loops that act on coordinate `i`, each with the force of a unit of it.
    pub fn acting_on(&self, i: usize) -> Vec<(usize, f64)> {
        let mut all = vec![];
        for one in self.loops.iter() {
            let own = (0..one.control.on.len()).filter(|k| one.control.on[*k] == Acts::Coordinate(i));
            for k in own {
                match one.is_sampled() {
                    true => all.push((one.first + k, 1.0)),
                    false => {
                        let states = one.control.states.len();
                        all.extend((0..states).map(|s| (one.first + s, one.control.c[k * states + s])));
                    }
                }
            }
        }
        all
    }

    /// Why the past of a late loop can't be kept, and the rest: see [`Late`].
    pub fn late(&self) -> &Late {
        &self.late
    }

    /// The past of the late loops.
    pub fn late_mut(&mut self) -> &mut Late {
        &mut self.late
    }

    /// What the late loops put out now, before their delay.
    pub fn late_outputs(&self, t: f64, y: &[f64]) -> Vec<f64> {
        let at = self.instant(t, y, &[]);
        self.late.places().iter().map(|(l, k)| self.loops[*l].outputs[*k].value(&at).0).collect()
    }

    /// The same before the start, when all had been as it was then.
    pub fn early_outputs(&self, structure: &Structure, y: &[f64]) -> Vec<f64> {
        let at = self.instant(0.0, y, &[]);
        let early = |(l, k): &(usize, usize)| {
            let one = &self.loops[*l];
            let mut control = one.control.clone();
            control.e.fill(0.0);
            let place = Place { control: &control, ..one.place(structure) };
            let mut output = [place.output(*k).value(&at).0];
            sampled::clip(&mut output, control.saturation);
            output[0]
        };
        self.late.places().iter().map(early).collect()
    }
}
