//! A program on a structure with inertia: the transient runs it, and a watcher makes the loop of what it sees.
use super::loop_log::{Columns, Inside, Record, top, whole_cycles};
use stickslip_dynamics::{Dynamics, Integrals};
use stickslip_motion::{Trace, Watcher};
use stickslip_structures::{Moves, Program, ProgramStep, Signal};

/// Nodes and weights of Gauss' quadrature on (0, 1).
const GAUSS: [(f64, f64); 3] =
    [(0.112_701_665_379_258_3, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];
/// Rows inside steps are drawn until this many are kept.
const MOST_DRAWN: usize = 20_000;

/// Where the quantities of a loop stand in a row.
const COLUMNS: Columns = Columns { displacement: 1, force: 2, size: 2, coefficient: 5, slip: 3, across: None };

/// A part of the program between two looks.
#[derive(Clone, Copy, Debug)]
struct Part {
    step: usize,
    /// Its end, s.
    end: f64,
    /// Number of the cycle that ends with it, and how many there are.
    cycle: Option<(u64, u64)>,
}

/// Makes the loop of what it sees of a motion.
pub struct Seen<'m> {
    program: &'m Program,
    /// Where each step begins.
    times: Vec<f64>,
    part: Part,
    pub record: Record,
    /// Displacement of the driver or surface, and the time at which it is known.
    moved: f64,
    at: f64,
    /// Slip at the start.
    start: Option<f64>,
    /// The work done when rows were last seen.
    work: f64,
    rests: Option<f64>,
}

impl<'m> Seen<'m> {
    /// A watcher for a program on a model.
    pub fn new(program: &'m Program, dynamics: &Dynamics) -> Seen<'m> {
        let model = dynamics.model;
        let mut names: Vec<(String, String)> = [
            ("t", "s"),
            ("displacement", "m"),
            ("force", "N"),
            ("slip", "m"),
            ("slip_velocity", "m/s"),
            ("friction", "1"),
            ("friction_force", "N"),
            ("normal_force", "N"),
        ]
        .map(|(name, unit)| (name.to_string(), unit.to_string()))
        .to_vec();
        let s = &model.structure;
        names.extend((0..s.len()).map(|j| (s.coordinates[j].clone(), s.unit(j).to_string())));
        names.extend((0..s.len()).map(|j| (format!("rate.{}", s.rates[j]), s.rate_unit(j).to_string())));
        let states = model.contacts[0].friction.states();
        names.extend(states.iter().map(|s| (format!("state.{}", s.name), s.unit.to_string())));
        let mut seen = Seen {
            times: program.times(),
            program,
            part: Part { step: 0, end: 0.0, cycle: None },
            record: Record::new(names, COLUMNS),
            moved: 0.0,
            at: 0.0,
            start: None,
            work: 0.0,
            rests: Some(0.0),
        };
        seen.part = seen.first_of(0);
        seen
    }

    /// The first part of a step.
    fn first_of(&self, step: usize) -> Part {
        let start = self.times[step];
        let whole = |cycle| Part { step, end: self.times[step + 1], cycle };
        let Some((period, count)) = self.program.steps[step].cycles() else { return whole(None) };
        match whole_cycles(period, count) {
            (_, _, 1) if count < 1.0 => whole(Some((0, 1))),
            (first, _, _) if first > 0.0 => Part { step, end: start + first, cycle: None },
            (_, _, 1) => whole(Some((0, 1))),
            (_, period, count) => Part { step, end: start + period, cycle: Some((0, count)) },
        }
    }

    /// What follows a part; None at the end of the program.
    fn after(&self, part: Part) -> Option<Part> {
        let cycles = self.program.steps[part.step].cycles().map(|(period, count)| whole_cycles(period, count));
        let next = match (cycles, part.cycle) {
            (Some((_, _, count)), None) if part.end < self.times[part.step + 1] => Some((0, count)),
            (Some(_), Some((k, count))) if k + 1 < count => Some((k + 1, count)),
            _ => None,
        };
        let (Some((first, period, _)), Some((k, count))) = (cycles, next) else {
            let step = part.step + 1;
            return (step < self.program.steps.len()).then(|| self.first_of(step));
        };
        let end = self.times[part.step] + first + (k + 1) as f64 * period;
        let end = if k + 1 == count { self.times[part.step + 1] } else { end };
        Some(Part { end, cycle: next, ..part })
    }

    /// How far the driver or surface moves from the time `self.at` to `t` of the run, inside the present step.
    fn moves(&mut self, t: f64) {
        let start = self.times[self.part.step];
        let (a, b) = (self.at - start, t - start);
        self.moved += match self.program.steps[self.part.step].parts().0 {
            ProgramStep::Slide { velocity, .. } => velocity * (t - self.at),
            ProgramStep::Cycle { amplitude, frequency, .. } => {
                let u = |t: f64| amplitude * (std::f64::consts::TAU * frequency * t).sin();
                u(b) - u(a)
            }
            ProgramStep::Displacement { displacement, .. } => displacement.value(b) - displacement.value(a),
            ProgramStep::Velocity { velocity, .. } => {
                let v = velocity.first().unwrap_or(&Signal::ZERO);
                (b - a) * GAUSS.iter().map(|(s, w)| w * v.value(a + s * (b - a))).sum::<f64>()
            }
            _ => 0.0,
        };
        self.at = t;
    }

    /// Force of the drive at row `i`, and its rate where it is known.
    fn force(&self, trace: &Trace, dynamics: &Dynamics, i: usize) -> (f64, f64) {
        let (n, s, t) = (dynamics.n, &dynamics.model.structure, trace.t(i));
        if self.program.is_forced() {
            let step = &self.program.steps[self.part.step];
            let own = t - self.times[self.part.step];
            return step.force().map_or((0.0, 0.0), |f| (f.value(own), f.rate(own)));
        }
        if self.program.moves == Moves::Surface {
            let f = (0..trace.points).map(|p| dynamics.sites[p].surface * trace.friction(i, p)).sum();
            return (f, f64::NAN);
        }
        let base = dynamics.base.rate(t);
        let (mut force, mut rate) = (0.0, 0.0);
        for j in 0..n {
            for k in 0..n {
                let (stiffness, damping) = (s.stiffness[j * n + k], s.damping[j * n + k]);
                let bends = s.orientation * (trace.dv(i, k) - s.base[k] * base);
                force += s.base[j] * (stiffness * trace.q(i, k) + damping * trace.dq(i, k));
                rate += s.base[j] * (stiffness * trace.dq(i, k) + damping * bends);
            }
        }
        (force, rate)
    }

    /// Row `i` of the motion as a row of the record.
    fn row(&mut self, trace: &Trace, dynamics: &Dynamics, i: usize) {
        let (n, s, t) = (dynamics.n, &dynamics.model.structure, trace.t(i));
        if i > 0 && dynamics.model.loading.releases.iter().any(|r| r.at == t) && trace.t(i - 1) == t {
            // The slider stays where it is when the driver lets go.
            let j = (0..n).find(|j| s.base[*j] != 0.0).unwrap_or(0);
            self.moved += (trace.q(i, j) - trace.q(i - 1, j)) / s.base[j];
        }
        self.moves(t);
        let (force, rate) = self.force(trace, dynamics, i);
        let site = &dynamics.sites[0];
        let (driver, surface) = match self.program.moves {
            _ if self.program.is_forced() => (0.0, 0.0),
            Moves::Driver => (self.moved, 0.0),
            Moves::Surface => (0.0, self.moved),
        };
        let place = |j: usize| s.orientation * trace.q(i, j) + s.base[j] * driver;
        let slip = (0..n).map(|j| site.tangent[0][j] * place(j)).sum::<f64>() + site.surface * surface;
        let start = *self.start.get_or_insert(slip);
        let displacement = if self.program.is_forced() { trace.q(i, 0) } else { self.moved };
        let load = trace.load(i, 0);
        let coefficient = if load > 0.0 { trace.friction(i, 0) / load } else { f64::NAN };
        let mut row = vec![t, displacement, force, slip - start, trace.slip(i, 0), coefficient];
        row.extend([trace.friction(i, 0), load]);
        row.extend((0..n).map(|j| trace.q(i, j)));
        row.extend((0..n).map(|j| trace.v(i, j)));
        row.extend((0..site.states).map(|k| trace.z(i, site.first_state + k)));
        if self.record.tangent.is_none() && self.program.steps[self.part.step].drives() {
            let speed = dynamics.base.value(t);
            let known = self.program.moves == Moves::Driver && !self.program.is_forced() && speed != 0.0;
            self.record.tangent = Some(if known { rate / speed } else { f64::NAN });
        }
        let lets_go = i > 0 && trace.sticks(i - 1, 0) && !trace.sticks(i, 0);
        if lets_go && self.record.departure.is_none() && !self.record.slides.is_empty() {
            self.record.departure = Some(self.record.rows.len() - 1);
        }
        let inside = self.largest_force(t, force, rate);
        self.record.keep(row, [f64::NAN, rate], Inside { most: [f64::NAN, inside], ..Inside::NOTHING });
    }

    /// The largest size of the drive's force since the last row, where it turns: on the cubic through its values and rates. It
    /// is a force of springs, dampers or a given one, and smooth between rows.
    fn largest_force(&self, t: f64, force: f64, rate: f64) -> f64 {
        let (Some(before), Some([_, slope])) = (self.record.rows.last(), self.record.slopes.last()) else {
            return f64::NAN;
        };
        let (start, h) = (before[self.record.columns.size], t - before[0]);
        let sign = (start + force).signum();
        let (d0, d1) = (sign * slope * h, sign * rate * h);
        if d0 > 0.0 && d1 < 0.0 { top(sign * start, sign * force, d0, d1) } else { f64::NAN }
    }

    /// A step begins at the last row.
    fn begin(&mut self, work: f64) {
        let step = &self.program.steps[self.part.step];
        let now = self.times[self.part.step];
        if step.drives() {
            self.record.begin_slide(self.rests.map_or(0.0, |since| now - since));
            self.rests = None;
        } else {
            self.rests.get_or_insert(now);
        }
        self.record.begin_cycle(work);
    }
}

impl Watcher for Seen<'_> {
    fn next(&self) -> f64 {
        self.part.end
    }

    fn see(&mut self, trace: &Trace, dynamics: &Dynamics, integrals: &Integrals) -> bool {
        let first = if self.start.is_none() { 0 } else { 1 };
        for i in first..trace.len() {
            self.row(trace, dynamics, i);
            if i == 0 {
                self.begin(self.work);
            }
        }
        let now = trace.t(trace.len() - 1);
        self.work = integrals.work_in;
        // Steps that take no time end with the one before them.
        while self.part.end <= now {
            let done = self.part;
            if let Some((k, count)) = done.cycle {
                self.record.end_cycle(k, count, self.work);
            } else {
                self.record.begin_cycle(self.work);
            }
            let Some(next) = self.after(done) else {
                self.record.end_slide();
                self.part.end = f64::INFINITY;
                break;
            };
            self.part = next;
            if next.step != done.step {
                if self.program.steps[done.step].drives() {
                    self.record.end_slide();
                }
                self.begin(self.work);
            }
        }
        self.record.rows.len() < MOST_DRAWN
    }
}
