//! What ends a step besides time: guards of laws that have no return map, guards of normal laws, and surfaces that part or meet
//! where a normal law remembers it. Where surfaces without memory part, forces follow from the motion and no step need end.
use super::Newmark;
use super::trial::Failed;
use stickslip_dynamics::{Dynamics, StepContacts};

/// An event's time is found to this part of the step.
const ON_TIME: f64 = 1e-10;
const MOST_TRIALS: usize = 60;

/// Conditions that must keep their sign over a step.
#[derive(Default)]
pub struct Conditions {
    /// Which guards count; None: there is nothing to look at.
    counted: Vec<bool>,
    /// Points whose parting counts.
    points: Vec<usize>,
    values: Vec<f64>,
    before: Vec<f64>,
    /// Sign that each must keep; 0: not known yet.
    side: Vec<f64>,
    met: Vec<usize>,
}

impl Conditions {
    /// A motion begins again; `dynamics` was looked at there.
    pub fn begin(&mut self, dynamics: &Dynamics, contacts: &StepContacts, z: &[f64]) {
        let returns = |i: usize| contacts.returns(dynamics.sites[i].contact);
        let own = (0..dynamics.sites.len()).flat_map(|i| std::iter::repeat_n(!returns(i), dynamics.guard_count(i)));
        self.counted = own.collect();
        let remembers = |i: &usize| dynamics.sites[*i].memory > 0 && dynamics.sites[*i].opens;
        self.points = (0..dynamics.sites.len()).filter(remembers).collect();
        self.look(dynamics, z);
        let met = std::mem::take(&mut self.met);
        self.side = (0..self.values.len()).map(|k| if met.contains(&k) { 0.0 } else { sign(self.values[k]) }).collect();
        self.before.clone_from(&self.values);
    }

    /// Whether there is anything to look at.
    pub fn any(&self) -> bool {
        !self.side.is_empty()
    }

    /// Reads all conditions where `dynamics` was looked at last, with these states.
    pub fn look(&mut self, dynamics: &Dynamics, z: &[f64]) {
        self.values.clear();
        dynamics.guards(z, &mut self.values);
        // Behind those of friction stand the guards of normal laws, which all count.
        self.counted.resize(self.values.len(), true);
        for (value, counted) in self.values.iter_mut().zip(&self.counted) {
            *value = if *counted { *value } else { 1.0 };
        }
        self.values.extend(self.points.iter().map(|i| dynamics.touch(*i, z).unwrap_or(1.0)));
    }

    /// The condition that fails first, as a line through both ends has it.
    pub fn crossed(&self) -> Option<usize> {
        let fails = |k: &usize| self.side[*k] * self.values[*k] < 0.0;
        let when = |k: &usize| self.before[*k] / (self.before[*k] - self.values[*k]);
        (0..self.values.len()).filter(fails).min_by(|a, b| when(a).total_cmp(&when(b)))
    }

    /// Guards that have changed their sign.
    pub fn met(&mut self) -> Vec<usize> {
        self.met = (0..self.values.len()).filter(|k| self.side[*k] * self.values[*k] < 0.0).collect();
        self.met.iter().copied().filter(|k| *k < self.counted.len()).collect()
    }

    /// The next step begins at the end of this one.
    pub fn go_on(&mut self) {
        self.before.clone_from(&self.values);
        for (side, value) in self.side.iter_mut().zip(&self.values).filter(|(side, _)| **side == 0.0) {
            *side = sign(*value);
        }
    }
}

fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

impl Newmark {
    /// Shortens the step of length `h`, in which condition `k` fails, to where it does, just beyond its zero.
    pub(super) fn locate(&mut self, dynamics: &mut Dynamics, h: f64, k: usize) -> Result<f64, Failed> {
        let n = dynamics.n;
        let side = self.conditions.side[k];
        let (mut low, mut high) = ((0.0, side * self.conditions.before[k]), (h, side * self.conditions.values[k]));
        let mut at = h;
        for trial in 0..MOST_TRIALS {
            if high.0 - low.0 <= ON_TIME * h || high.1 == 0.0 {
                break;
            }
            // A line through both ends, and every third time the middle.
            let line = low.0 + (high.0 - low.0) * low.1.max(0.0) / (low.1.max(0.0) - high.1);
            let margin = 0.25 * ON_TIME * h;
            at = if trial % 3 == 2 { 0.5 * (low.0 + high.0) } else { line.clamp(low.0 + margin, high.0 - margin) };
            self.trial(dynamics, at)?;
            self.conditions.look(dynamics, &self.end.y[2 * n..]);
            let value = side * self.conditions.values[k];
            match self.conditions.crossed() {
                Some(_) if value >= 0.0 => return self.locate_other(dynamics, at),
                _ if value < 0.0 => high = (at, value),
                _ => low = (at, value),
            }
        }
        if at != high.0 {
            self.trial(dynamics, high.0)?;
            self.conditions.look(dynamics, &self.end.y[2 * n..]);
        }
        Ok(high.0)
    }

    /// Another condition fails before the one that was looked for.
    fn locate_other(&mut self, dynamics: &mut Dynamics, h: f64) -> Result<f64, Failed> {
        match self.conditions.crossed() {
            Some(other) => self.locate(dynamics, h, other),
            None => Ok(h),
        }
    }
}
