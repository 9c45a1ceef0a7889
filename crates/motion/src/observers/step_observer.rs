//! What is noted of a step besides its end: where quantities turn inside it, and the rows that statistics begin and end with.
use crate::march::Motion;
use crate::observers::extrema::{Dense, Extrema, Nodes, Passed, Quantity};
use crate::steppers::stages::Inside;
use stickslip_dynamics::Variables;
use stickslip_model::Output;

/// Times that differ by less than this part are one.
pub(crate) const SAME_TIME: f64 = 4.0 * f64::EPSILON;

/// Room to observe adaptive steps.
pub(crate) struct Observer {
    nodes: Nodes,
    dense: Dense,
    start: Inside,
    end: Inside,
}

impl Motion<'_> {
    /// Watches what the values of this run ask for.
    pub(crate) fn watch_extrema(&mut self, output: &Output) {
        // Whoever sees the motion as it goes, or asks for its modes alone, has no use for them.
        if self.watcher.is_none() && !self.lean {
            // The second half of a run that ends after so many cycles begins at a time that is known at its end only.
            let (end, cycles) = self.bounds;
            let settled = if self.full || cycles.is_finite() { 0.0 } else { 0.5 * end * (1.0 - SAME_TIME) };
            self.extrema = Extrema::of(Quantity::asked(&self.dynamics, output, settled));
        }
    }

    /// Prepares to observe steps with these stages, of motions in these variables.
    pub(crate) fn observe_steps(&mut self, stages: &[f64], variables: &Variables) {
        if self.watcher.is_none() && !self.lean {
            let (m, points) = (self.dynamics.dim(), self.dynamics.sites.len());
            self.observer = Some(Box::new(Observer {
                nodes: Nodes::new(stages),
                dense: Dense::new(variables.clone(), m),
                start: Inside::new(m, points),
                end: Inside::new(m, points),
            }));
        }
    }

    /// The time from which the settled part may begin, if it lies inside a step of length `h` from now on.
    pub(crate) fn half_way(&self, h: f64) -> Option<f64> {
        let (half, now) = (0.5 * self.bounds.0, self.clock.now());
        (self.watcher.is_none() && half > now && half < now + h).then_some(half)
    }

    /// The clock reads the middle of the run where it does so but for rounding.
    pub(crate) fn arrive_half_way(&mut self) {
        let half = 0.5 * self.bounds.0;
        if half.is_finite() && (self.clock.now() - half).abs() <= SAME_TIME * half {
            self.clock.arrive(half);
        }
    }

    /// A step begins here.
    pub(crate) fn observe_start(&mut self) {
        if let Some(observer) = &mut self.observer {
            observer.start.note(0.0, &self.y, &self.dy, &self.dynamics.at);
            observer.start.integrals.clone_from(&self.integrals);
        }
    }

    /// Friction at the stages of a step from `t` on, against what its law allows.
    pub(crate) fn see_limits(&mut self, t: f64, inside: &[Inside]) {
        let sites = &self.dynamics.sites;
        if sites.iter().any(|site| site.cone) {
            inside.iter().for_each(|stage| self.limits.see(t + stage.s, sites, &self.modes, &stage.at));
        }
    }

    /// Keeps the start of the last step, which was noted, as a row.
    pub(crate) fn keep_start(&mut self) {
        let Some(observer) = self.observer.take() else { return };
        self.at_end.clone_from(&self.dynamics.at);
        self.dynamics.at.copy_from_slice(&observer.start.at);
        let integrals = std::mem::replace(&mut self.integrals, observer.start.integrals.clone());
        self.keep_at(&observer.start.y, &observer.start.dy);
        self.integrals = integrals;
        self.dynamics.at.copy_from_slice(&self.at_end);
        self.observer = Some(observer);
    }

    /// A step from `t` on has ended here, with these stages on the way: notes where quantities turn in it. The instants in it
    /// that must be rows: the middle of the run, and where the first coordinate turns.
    pub(crate) fn observe_step(&mut self, t: f64, h: f64, inside: &[Inside]) -> Vec<Inside> {
        let (half, rest, late) = (self.half_way(h), self.peaks.rest(), self.looks_late());
        if self.observer.is_none() {
            return vec![];
        }
        self.see_limits(t, inside);
        let Some(observer) = &mut self.observer else { return vec![] };
        // Cycles are counted in the second half, if it is known.
        let early = late && t + h < 0.5 * self.bounds.0;
        if early && half.is_none() && !self.extrema.asks(t + h) {
            return vec![];
        }
        let Observer { nodes, dense, start, end } = &mut **observer;
        // The last stage may lie before the end: a stop in two directions is reached on a line.
        let length = inside.first().map_or(h, |stage| stage.s / nodes.at(1));
        end.note(length, &self.y, &self.dy, &self.dynamics.at);
        end.integrals.clone_from(&self.integrals);
        dense.restart();
        let step = Passed { t, length, nodes, start, inside, end };
        let mut asked = self.extrema.step(&step, dense, &mut self.dynamics, &self.modes);
        let mut parts = vec![];
        if self.dynamics.n > 0 && !early {
            step.reversals(rest, &mut parts);
        }
        parts.extend(half.map(|half| (half - t) / length).filter(|part| *part < 1.0));
        parts.sort_by(f64::total_cmp);
        let rows = parts.iter().map(|part| dense.inside(&step, *part, &mut self.dynamics, &self.modes)).collect();
        asked |= !parts.is_empty();
        if asked {
            // Where the step ended, as if nothing had been asked elsewhere.
            dense.evaluate_end(&step, &mut self.dynamics, &self.modes);
        }
        rows
    }
}
