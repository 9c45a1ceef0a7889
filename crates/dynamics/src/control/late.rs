//! The past of continuous outputs that are late: kept step by step, as that of the slip velocities.
use crate::{AtSite, History};
use stickslip_laws::Mode;
use stickslip_structures::Control;

/// The past of late outputs.
#[derive(Default)]
pub struct Late {
    /// Loop and number of each.
    places: Vec<(usize, usize)>,
    delays: Vec<f64>,
    history: Option<History>,
    /// What is late stands apart in derivatives, also where its past has not begun.
    apart: bool,
}

impl Clone for Late {
    /// The past is the motion's own: a copy of the equations begins without one.
    fn clone(&self) -> Late {
        Late { places: self.places.clone(), delays: self.delays.clone(), history: None, apart: false }
    }
}

impl Late {
    /// Of these loops.
    pub fn new(controls: &[Control]) -> Late {
        let mut late = Late::default();
        for (l, control) in controls.iter().enumerate().filter(|(_, c)| c.sampling.is_none() && c.delay > 0.0) {
            late.places.extend((0..control.on.len()).map(|k| (l, k)));
            late.delays.extend(std::iter::repeat_n(control.delay, control.on.len()));
        }
        late
    }

    /// Loop and number of each late output.
    pub fn places(&self) -> &[(usize, usize)] {
        &self.places
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Derivatives in what is late are to be told apart from those in the present.
    pub fn set_apart(&mut self, apart: bool) {
        self.apart = apart;
    }

    /// The delay of an output that does not answer the present in derivatives.
    pub fn apart(&self, l: usize, k: usize) -> Option<f64> {
        let place = self.places.iter().position(|place| *place == (l, k))?;
        (self.apart || self.history.is_some()).then(|| self.delays[place])
    }

    /// What an output was one delay before `t`; none where it is not late, or its past has not begun.
    pub fn past(&self, l: usize, k: usize, t: f64) -> Option<f64> {
        let place = self.places.iter().position(|place| *place == (l, k))?;
        self.history.as_ref()?.past(place, t).map(|(slip, _)| slip[0])
    }

    /// The past begins: outputs before the start, and at it.
    pub fn begin(&mut self, before: &[f64], now: &[f64]) {
        self.history = History::new(self.delays.iter().map(|delay| Some(*delay)).collect());
        if let Some(history) = &mut self.history {
            history.begin(&sites(before), &vec![Mode::Forward; before.len()]);
            history.turn(&sites(now));
        }
    }

    /// Takes a step up: outputs at the times of its stages, its end among them.
    pub fn step(&mut self, t: f64, stages: &[(f64, Vec<f64>)]) {
        let Some(history) = &mut self.history else { return };
        let modes = vec![Mode::Forward; self.places.len()];
        let sites: Vec<(f64, Vec<AtSite>)> = stages.iter().map(|(s, outputs)| (*s, sites(outputs))).collect();
        history.step(t, &modes, sites.iter().map(|(s, at)| (*s, at.as_slice())));
    }

    /// An output jumps or has a kink now.
    pub fn turn(&mut self, now: &[f64]) {
        if let Some(history) = &mut self.history {
            history.turn(&sites(now));
        }
    }

    /// Whether a kink comes back now; and from here on.
    pub fn arrive(&mut self, t: f64) -> Option<u8> {
        let history = self.history.as_mut()?;
        let returned = history.arrive(t);
        history.stand(t);
        returned
    }

    /// The time up to which what is applied is known.
    pub fn reach(&self, t: f64) -> f64 {
        self.history.as_ref().map_or(f64::INFINITY, |history| history.reach(t))
    }
}

fn sites(outputs: &[f64]) -> Vec<AtSite> {
    outputs.iter().map(|u| AtSite { slip: [*u, 0.0], ..AtSite::default() }).collect()
}
