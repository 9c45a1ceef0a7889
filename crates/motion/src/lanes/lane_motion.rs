//! A motion in its lane: the trace, the clock and the books of one model.
use super::system::{COORDINATE, DAMPING, FIRST_COEFFICIENT, FRICTION, STAGES, Smooth, WORK_IN};
use super::{MOST_POINTS, Waiting};
use crate::march::{Broken, Motion, rowless_until};
use crate::observers::extrema::Quantity;
use crate::observers::probes;
use crate::steppers::stages::{Inside, Watched};
use stickslip_data::Outcome;
use stickslip_laws::Laned;
use stickslip_model::Context;
use stickslip_real::lanes::{LANES, Lanes};
use stickslip_solve::radau::tableau::ORDER_9;

/// A step refused this many times in a row is left to the scalar path.
const MOST_REFUSALS: u32 = 60;

/// All lanes at a stage. A vector that is stored across two lines of the cache costs twice.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Stage<const M: usize> {
    y: [[f64; LANES]; M],
    dy: [[f64; LANES]; M],
    /// Slip velocity, normal force and friction force of every point.
    at: [[[f64; LANES]; 3]; MOST_POINTS],
    /// Rates of the integrals.
    rates: [[f64; LANES]; FIRST_COEFFICIENT + MOST_POINTS],
}

/// What all lanes have passed and reached in a step.
pub struct Row<const M: usize> {
    h: [f64; LANES],
    /// The steps to try next.
    pub next: [f64; LANES],
    /// Lanes in which something turns inside the step, as bits.
    turned: u8,
    /// Lanes in which a friction coefficient turns between stages.
    bent: u8,
    stages: [Stage<M>; STAGES],
    sums: [[f64; LANES]; FIRST_COEFFICIENT + MOST_POINTS],
    matrix: [[f64; STAGES]; STAGES],
}

impl<const M: usize> Row<M> {
    /// Room for the numbers of a step.
    pub fn new(matrix: [[f64; STAGES]; STAGES]) -> Self {
        let stage = Stage {
            y: [[0.0; LANES]; M],
            dy: [[0.0; LANES]; M],
            at: [[[0.0; LANES]; 3]; MOST_POINTS],
            rates: [[0.0; LANES]; FIRST_COEFFICIENT + MOST_POINTS],
        };
        let sums = [[0.0; LANES]; FIRST_COEFFICIENT + MOST_POINTS];
        Row { h: [0.0; LANES], next: [0.0; LANES], turned: 0, bent: 0, stages: [stage; STAGES], sums, matrix }
    }

    /// Reads the lanes out at stage `k`.
    #[inline(always)]
    pub fn note<V: Laned, const N: usize>(
        &mut self,
        k: usize,
        system: &Smooth<V, N, M>,
        rates: &[Lanes<V>; FIRST_COEFFICIENT + MOST_POINTS],
        points: usize,
    ) {
        let stage = &mut self.stages[k];
        for i in 0..M {
            stage.y[i] = system.place(k).y[i].to_array();
            stage.dy[i] = system.place(k).dy[i].to_array();
        }
        for p in 0..points {
            let [slip, n, f] = system.at(k, p);
            stage.at[p] = [slip.to_array(), n.to_array(), f.to_array()];
        }
        for i in FRICTION..FIRST_COEFFICIENT + points {
            stage.rates[i] = rates[i].to_array();
        }
    }

    /// Reads out the lengths of the steps and the integrals at their ends.
    #[inline(always)]
    pub fn end<V: Laned>(
        &mut self,
        h: Lanes<V>,
        next: Lanes<V>,
        sums: &[Lanes<V>; FIRST_COEFFICIENT + MOST_POINTS],
        (turned, bent): (u8, u8),
    ) {
        (self.turned, self.bent) = (turned, bent);
        self.h = h.to_array();
        self.next = next.to_array();
        for i in 0..FIRST_COEFFICIENT + MOST_POINTS {
            self.sums[i] = sums[i].to_array();
        }
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
    /// The stages inside a step that is looked at.
    inside: Vec<Inside>,
    /// More is watched than what shows whether a step turns: every step is looked at where anything is asked for.
    looks_always: bool,
}

impl<'m> Walking<'m> {
    /// Starts a motion; None where it has no modes to start with.
    pub fn start(waiting: Waiting<'m>) -> Option<Self> {
        let context = waiting.context;
        let mut motion = Motion::new(waiting.dynamics, waiting.analysis, waiting.y);
        motion.bounds = waiting.end;
        motion.watch_extrema(&context.output);
        motion.observe_steps(&ORDER_9.nodes, waiting.begun.inner().0);
        let (m, points) = (motion.dynamics.dim(), motion.dynamics.sites.len());
        let shown: Vec<Quantity> = (0..points).map(Quantity::Friction).chain([Quantity::Rate(0)]).collect();
        let looks_always = !motion.extrema.only(&shown);
        motion.rowless_until = rowless_until(waiting.end, &context.output);
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
            inside: vec![Inside::new(m, points); STAGES - 1],
            looks_always,
        })
    }

    /// What is watched, at the last row.
    pub fn watched(&self) -> Watched {
        self.motion.watched_last()
    }

    /// Friction coefficients at the last row.
    pub fn coefficients(&self) -> Vec<f64> {
        let trace = &self.motion.trace;
        (0..trace.points).map(|p| trace.coefficient(trace.len() - 1, p)).collect()
    }

    /// The longest step allowed now.
    pub fn longest(&self) -> f64 {
        (self.target - self.motion.clock.now()).min(f64::MAX.sqrt())
    }

    /// Takes a step; true when the motion is over.
    pub fn take<const M: usize>(&mut self, lane: usize, row: &Row<M>) -> bool {
        let (h, now) = (row.h[lane], self.motion.clock.now());
        let arrives = h == self.target - now;
        let rowless = self.motion.is_rowless(now + h);
        if !rowless && self.motion.rowless_until > 0.0 {
            self.motion.begin_rows();
            self.motion.keep_row();
        }
        let turned = row.turned >> lane & 1 == 1;
        let bent = row.bent >> lane & 1 == 1;
        let asked = (bent || self.looks_always) && self.motion.extrema.asks(now + h);
        let looks = !rowless && (turned || asked || self.motion.half_way(h).is_some());
        if looks {
            self.motion.observe_start();
            self.read_inside(lane, row);
        }
        let motion = &mut self.motion;
        put_stage(motion, lane, &row.stages[STAGES - 1]);
        let sum = |i: usize| row.sums[i][lane];
        motion.integrals.work_in = sum(WORK_IN);
        motion.integrals.friction = sum(FRICTION);
        motion.integrals.damping = sum(DAMPING);
        motion.integrals.coordinate = sum(COORDINATE);
        for (k, coefficient) in motion.integrals.coefficient.iter_mut().enumerate() {
            *coefficient = sum(FIRST_COEFFICIENT + k);
        }
        if looks {
            let rows = motion.observe_step(now, h, &self.inside);
            let start = motion.clock;
            motion.keep_stages(if turned { &self.inside } else { &[] }, &rows);
            motion.clock.reach(&start, h);
        } else {
            motion.clock.advance(h);
        }
        if arrives {
            motion.clock.arrive(self.target);
        }
        // Energies are watched in lanes.
        motion.keep_row();
        self.refusals = 0;
        self.trials += 1;
        self.steps += 1;
        if let Err(broken) = motion.watch(self.steps, self.context) {
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

    /// Reads out the stages inside a step, with the integrals up to them.
    fn read_inside<const M: usize>(&mut self, lane: usize, row: &Row<M>) {
        let (h, start) = (row.h[lane], &self.motion.integrals);
        for (k, (inside, stage)) in self.inside.iter_mut().zip(&row.stages).enumerate() {
            inside.s = ORDER_9.nodes[k] * h;
            for i in 0..M {
                (inside.y[i], inside.dy[i]) = (stage.y[i][lane], stage.dy[i][lane]);
            }
            inside.at.copy_from_slice(&self.motion.dynamics.at);
            for (at, [slip, n, f]) in inside.at.iter_mut().zip(&stage.at) {
                (at.slip[0], at.n, at.f[0]) = (slip[lane], n[lane], f[lane]);
            }
            let part = |i: usize| -> f64 { (0..STAGES).map(|j| row.matrix[k][j] * row.stages[j].rates[i][lane]).sum() };
            inside.integrals.clone_from(start);
            inside.integrals.coordinate += h * part(COORDINATE);
            inside.integrals.friction += h * part(FRICTION);
            for (p, coefficient) in inside.integrals.coefficient.iter_mut().enumerate() {
                *coefficient += h * part(FIRST_COEFFICIENT + p);
            }
        }
    }

    /// Notes a trial that was not taken; true when no step will succeed here.
    pub fn refuse(&mut self, next: f64, solved: bool) -> bool {
        self.trials += 1;
        self.refusals += 1;
        match solved {
            true => self.motion.health.rejected += 1,
            false => self.motion.health.newton_failures += 1,
        }
        let hopeless = self.refusals > MOST_REFUSALS || next.is_nan() || next < f64::MIN_POSITIVE;
        if hopeless {
            self.broken = Some(Broken::Stopped);
        }
        hopeless
    }

    /// The outcome; None when the model must be run on its own.
    pub fn finish(mut self, iterations: u64, most_stored: f64) -> Option<Outcome> {
        self.motion.most_energy = self.motion.most_energy.max(most_stored);
        let health = &mut self.motion.health;
        health.newton_iterations = iterations;
        health.jacobians = self.trials;
        health.notes.extend(self.motion.dynamics.model.formulation.note());
        let rtol = self.motion.analysis.rtol;
        health.notes.push(format!("Radau IIA(9), rtol {rtol:e}, in lanes: ripples below the tolerance are damped"));
        // Of a motion that ended early rows are missing that are its settled part.
        if self.broken.is_some() && self.motion.looks_late() {
            return None;
        }
        match self.broken {
            None => Some(self.motion.outcome(self.context)),
            Some(Broken::Diverged) => {
                let mut outcome = self.motion.outcome(self.context);
                outcome.regime = Some("diverged".into());
                Some(outcome)
            }
            Some(Broken::Failed(_) | Broken::Stopped | Broken::Lost(_)) => None,
        }
    }
}

/// Moves a motion to a stage.
fn put_stage<const M: usize>(motion: &mut Motion, lane: usize, stage: &Stage<M>) {
    for i in 0..M {
        motion.y[i] = stage.y[i][lane];
        motion.dy[i] = stage.dy[i][lane];
    }
    for (at, [slip, n, f]) in motion.dynamics.at.iter_mut().zip(&stage.at) {
        at.slip[0] = slip[lane];
        at.n = n[lane];
        at.f[0] = f[lane];
    }
}
