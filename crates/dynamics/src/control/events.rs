//! What happens to controllers at instants: the start, samples, limits, jumps of their references.
use super::Controls;
use super::clip::Clip;
use super::form::Place;
use super::late::Late;
use super::sampled::{self, Memory};
use stickslip_structures::{Acts, Structure};

impl Controls {
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
    pub fn passed(&mut self, number: usize, structure: &Structure, t: f64, y: &mut [f64], dv: &[f64]) {
        let mut first = 0;
        for l in 0..self.loops.len() {
            let count = 2 * self.loops[l].guards.len();
            if (first..first + count).contains(&number) {
                let (k, guard) = ((number - first) / 2, (number - first) % 2);
                let at = self.instant(t, y, dv);
                let place = self.loops[l].place(structure);
                let mut clips = self.loops[l].clips.clone();
                clips[k] = clips[k].passed(guard, &place, k, &at);
                if let Some((unknown, by)) = clips[k].on_side(&place, k, &at) {
                    y[unknown] += by;
                }
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
                        return Err(
                            "the derivative of a reference that jumps is an impulse, which is not served with a delay",
                        );
                    }
                    if let Acts::Coordinate(i) = on {
                        momentum[*i] += structure.orientation * jump;
                    }
                }
            }
        }
        Ok(momentum)
    }

    /// Why the past of a late loop can't be kept, and the rest: see `Late`.
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
