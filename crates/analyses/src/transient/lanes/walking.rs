//! A motion in its lane: the trace, the clock and the books of one model.
use super::{MOST_POINTS, Waiting};
use super::system::{COORDINATE, DAMPING, FIRST_COEFFICIENT, FRICTION, Smooth, WORK_IN};
use crate::analysis::Context;
use crate::transient::motion::{Broken, Motion};
use crate::transient::probes;
use stickslip_data::Outcome;
use stickslip_laws::Laned;
use stickslip_real::lanes::{LANES, Lanes};

/// A step refused this many times in a row is left to the scalar path.
const MOST_REFUSALS: u32 = 60;

/// What all lanes have reached.
pub struct Row<const M: usize> {
    h: [f64; LANES],
    /// The steps to try next.
    pub next: [f64; LANES],
    y: [[f64; LANES]; M],
    dy: [[f64; LANES]; M],
    /// Slip velocity, normal force and friction force of every point.
    at: [[[f64; LANES]; 3]; MOST_POINTS],
    sums: [[f64; LANES]; FIRST_COEFFICIENT + MOST_POINTS],
}

impl<const M: usize> Row<M> {
    /// Reads the lanes out.
    #[inline(always)]
    pub fn of<V: Laned, const N: usize>(
        system: &Smooth<V, N, M>,
        sums: &[Lanes<V>; FIRST_COEFFICIENT + MOST_POINTS],
        h: Lanes<V>,
        next: Lanes<V>,
        points: usize,
    ) -> Self {
        let mut row = Row {
            h: h.to_array(),
            next: next.to_array(),
            y: [[0.0; LANES]; M],
            dy: [[0.0; LANES]; M],
            at: [[[0.0; LANES]; 3]; MOST_POINTS],
            sums: [[0.0; LANES]; FIRST_COEFFICIENT + MOST_POINTS],
        };
        for i in 0..M {
            row.y[i] = system.y[i].to_array();
            row.dy[i] = system.dy[i].to_array();
        }
        for k in 0..points {
            for (to, from) in row.at[k].iter_mut().zip(system.at(k)) {
                *to = from.to_array();
            }
        }
        for i in 0..FIRST_COEFFICIENT + points {
            row.sums[i] = sums[i].to_array();
        }
        row
    }
}

/// A motion in its lane.
pub struct Walking<'m> {
    /// Number of the run.
    pub index: usize,
    context: &'m Context<'m>,
    motion: Motion<'m>,
    end: (f64, f64),
    /// Times at which a step must end, the last first.
    stops: Vec<f64>,
    target: f64,
    steps: u64,
    trials: u64,
    refusals: u32,
    broken: Option<Broken>,
}

impl<'m> Walking<'m> {
    /// Starts a motion; None where it has no modes to start with.
    pub fn start(waiting: Waiting<'m>) -> Option<Self> {
        let context = waiting.context;
        let mut motion = Motion::new(waiting.dynamics, waiting.analysis, waiting.y);
        motion.first_modes().ok()?;
        motion.keep();
        let mut stops: Vec<f64> =
            probes::times(&context.output.probes).into_iter().filter(|t| *t > 0.0 && *t < waiting.end.0).collect();
        stops.sort_by(|a, b| b.total_cmp(a));
        let target = stops.last().copied().unwrap_or(waiting.end.0);
        Some(Walking {
            index: waiting.index,
            context,
            motion,
            end: waiting.end,
            stops,
            target,
            steps: 0,
            trials: 0,
            refusals: 0,
            broken: None,
        })
    }

    /// The longest step allowed now.
    pub fn longest(&self) -> f64 {
        (self.target - self.motion.clock.now()).min(f64::MAX.sqrt())
    }

    /// Takes a step; true when the motion is over.
    pub fn take<const M: usize>(&mut self, lane: usize, row: &Row<M>) -> bool {
        let motion = &mut self.motion;
        for (to, from) in motion.y.iter_mut().zip(&row.y) {
            *to = from[lane];
        }
        for (to, from) in motion.dy.iter_mut().zip(&row.dy) {
            *to = from[lane];
        }
        for (at, from) in motion.dynamics.at.iter_mut().zip(&row.at) {
            at.slip[0] = from[0][lane];
            at.n = from[1][lane];
            at.f[0] = from[2][lane];
        }
        let sum = |i: usize| row.sums[i][lane];
        motion.integrals.work_in = sum(WORK_IN);
        motion.integrals.friction = sum(FRICTION);
        motion.integrals.damping = sum(DAMPING);
        motion.integrals.coordinate = sum(COORDINATE);
        for (k, coefficient) in motion.integrals.coefficient.iter_mut().enumerate() {
            *coefficient = sum(FIRST_COEFFICIENT + k);
        }
        motion.clock.advance_towards(row.h[lane], self.target);
        motion.keep();
        self.refusals = 0;
        self.trials += 1;
        self.steps += 1;
        if let Err(broken) = motion.watch(self.steps, self.end.0, self.end.1, self.context) {
            self.broken = Some(broken);
            return true;
        }
        if self.steps >= motion.analysis.max_steps {
            // The scalar path says why.
            self.broken = Some(Broken::Stopped);
            return true;
        }
        while self.stops.last().is_some_and(|t| *t <= motion.clock.now()) {
            self.stops.pop();
        }
        self.target = self.stops.last().copied().unwrap_or(self.end.0);
        motion.clock.now() >= self.end.0 || motion.peaks.count() as f64 >= self.end.1 + 1.0
    }

    /// Notes a trial that was not taken; true when no step will succeed here.
    pub fn refuse(&mut self, next: f64) -> bool {
        self.trials += 1;
        self.refusals += 1;
        self.motion.health.rejected += 1;
        let hopeless = self.refusals > MOST_REFUSALS || next < f64::MIN_POSITIVE;
        if hopeless {
            self.broken = Some(Broken::Stopped);
        }
        hopeless
    }

    /// The outcome; None when the model must be run on its own.
    pub fn finish(mut self, iterations: u64) -> Option<Outcome> {
        let health = &mut self.motion.health;
        health.newton_iterations = iterations;
        health.jacobians = self.trials;
        health.notes.extend(self.motion.dynamics.model.formulation.note());
        health.notes.push(format!("Radau IIA(9), rtol {:e}, in lanes", self.motion.analysis.rtol));
        match self.broken {
            None => Some(self.motion.outcome(self.context)),
            Some(Broken::Diverged) => {
                let mut outcome = self.motion.outcome(self.context);
                outcome.regime = Some("diverged".into());
                Some(outcome)
            }
            Some(Broken::Failed(_) | Broken::Stopped) => None,
        }
    }
}
