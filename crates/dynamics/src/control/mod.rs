//! Controllers in the equations: their states stand behind those of the laws, their outputs are forces on the coordinates.
//!
//! A continuous loop is a set of linear forms, one set for each way of being clipped. A sampled loop holds its output as an
//! unknown that changes at samples alone. The output of a continuous loop that is late is read from its own past.
mod clip;
mod events;
mod facts;
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
use stickslip_structures::{Acts, Control, Signal, Structure};

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

    /// Their unknowns.
    pub fn unknowns(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.count
    }

    /// Outputs of all loops: the loop of each, its number there, and what it acts on.
    pub fn outputs(&self) -> impl Iterator<Item = (usize, usize, Acts)> + '_ {
        self.loops
            .iter()
            .enumerate()
            .flat_map(|(l, one)| one.control.on.iter().enumerate().map(move |(k, on)| (l, k, *on)))
    }

    fn instant<'a>(&'a self, t: f64, y: &'a [f64], dv: &'a [f64]) -> Instant<'a> {
        Instant { t, y, dv, references: &self.references, base: &self.base }
    }

    /// What an output applies.
    pub fn applied(&self, l: usize, k: usize, t: f64, y: &[f64]) -> f64 {
        let past = self.late.past(l, k, t);
        past.unwrap_or_else(|| self.loops[l].outputs[k].value(&self.instant(t, y, &[])).0)
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

    /// The clips of all outputs.
    pub fn clips(&self) -> impl Iterator<Item = Clip> + Clone + '_ {
        self.loops.iter().flat_map(|one| one.clips.iter().copied())
    }
}
