//! Direct integration of the equations of motion: Newmark's family, with steps of a given length or under error control.
//!
//! q1 = q0 + h q0' + h^2 [(1/2 - beta) a0 + beta a1],   v1 = v0 + h [(1 - gamma) a0 + gamma a1],
//! M a1 = (1 + alpha) R1 - alpha R0,   R: all forces, those of the contacts among them.
//!
//! The average acceleration (beta 1/4, gamma 1/2) keeps energy and damps nothing; alpha in [-1/3, 0] with beta = (1 - alpha)^2/4
//! and gamma = 1/2 - alpha damps what the step does not resolve (H. M. Hilber, T. J. R. Hughes and R. L. Taylor, Earthquake Eng.
//! Struct. Dyn. 5 (1977) 283); the central difference (beta 0, gamma 1/2) needs no matrix where the mass is diagonal. All are of
//! order 2. States of laws follow over the step by the laws' own `advance`.
mod central;
mod conditions;
mod control;
mod instant;
mod refuse;
mod rows;
mod system;
mod trial;

use conditions::Conditions;
use control::Control;
use instant::{Instant, add_works};
pub use refuse::refuse;
use stickslip_dynamics::{Dynamics, Integrals, NoForces, StepContacts, Variables};
use stickslip_laws::Mode;
use system::System;

/// A step refused so often in a row ends the run.
const MOST_REFUSALS: u32 = 60;
/// A step of given length may be cut in half this often.
const MOST_CUTS: u32 = 24;
/// Steps for which a cut length is kept: the paper's KSTEPR is 10 to 20.
const KEPT: u32 = 15;

/// A method of the family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Family {
    /// The average acceleration.
    Newmark,
    /// Hilber, Hughes and Taylor's, with its alpha.
    Hht(f64),
    /// The central difference.
    Central,
}

impl Family {
    /// The name in scenarios.
    pub fn name(self) -> &'static str {
        match self {
            Family::Newmark => "newmark",
            Family::Hht(_) => "hht",
            Family::Central => "central-difference",
        }
    }

    /// alpha, beta, gamma.
    fn weights(self) -> [f64; 3] {
        match self {
            Family::Newmark => [0.0, 0.25, 0.5],
            Family::Hht(alpha) => [alpha, 0.25 * (1.0 - alpha) * (1.0 - alpha), 0.5 - alpha],
            Family::Central => [0.0, 0.0, 0.5],
        }
    }
}

/// Counts of what was done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    pub steps: u64,
    pub cut: u64,
    pub iterations: u64,
    pub failures: u64,
    pub matrices: u64,
}

/// Stepping by a method of the family.
pub struct Newmark {
    family: Family,
    weights: [f64; 3],
    /// Length of each step; None: as the error wants it.
    fixed: Option<f64>,
    /// How often the length is cut in half now, and for how many steps.
    cuts: u32,
    kept: u32,
    control: Control,
    system: System,
    contacts: StepContacts,
    conditions: Conditions,
    start: Instant,
    end: Instant,
    /// Modes in which forces are those of the laws at every instant.
    modes: Vec<Mode>,
    room: trial::Room,
    central: Option<Box<central::Central>>,
    mean: [Vec<f64>; 2],
    pub work: Work,
}

impl Newmark {
    /// For these equations, at a tolerance, with steps of a given length or without.
    pub fn new(dynamics: &mut Dynamics, family: Family, fixed: Option<f64>, rtol: f64, y: &[f64]) -> Option<Newmark> {
        let n = dynamics.n;
        let system = System::new(dynamics)?;
        let variables = Variables::of(dynamics);
        Some(Newmark {
            family,
            weights: family.weights(),
            fixed,
            cuts: 0,
            kept: 0,
            control: Control::new(dynamics, variables, family, rtol, y),
            contacts: StepContacts::new(dynamics),
            conditions: Conditions::default(),
            start: Instant::new(dynamics),
            end: Instant::new(dynamics),
            modes: vec![Mode::Forward; dynamics.sites.len()],
            room: trial::Room::new(n, &system),
            central: (family == Family::Central).then(|| central::Central::of(&system)).flatten().map(Box::new),
            system,
            mean: [vec![0.0; n], vec![0.0; n]],
            work: Work::default(),
        })
    }

    /// Which method it is, and the length of its steps where that is given.
    pub fn kind(&self) -> (Family, Option<f64>) {
        (self.family, self.fixed)
    }

    /// Begins again from (t, y), where `dynamics` was evaluated: after the start, an event, or a knot of the drives.
    pub fn begin(&mut self, dynamics: &mut Dynamics, t: f64, y: &[f64], modes: &[Mode]) {
        let n = dynamics.n;
        // The laws themselves say where their inner elements are.
        dynamics.release_inner();
        self.start.y.copy_from_slice(y);
        let _ = dynamics.evaluate(t, y, modes, &mut self.start.dy);
        self.start.drive(dynamics, t);
        self.start.note(dynamics, &self.system);
        let a = &self.start.dy[n..2 * n];
        self.start.r.iter_mut().enumerate().for_each(|(j, r)| *r = self.system.mass.row(j, a));
        self.contacts.begin(dynamics, &y[2 * n..]);
        self.conditions.begin(dynamics, &self.contacts, &y[2 * n..]);
        self.control.restart(dynamics);
    }

    /// One step of at most `longest` from where it is: leaves unknowns and their rates in `y` and `dy`, adds to the integrals.
    /// Its length, and the guards that have changed their sign at its end.
    pub fn step(
        &mut self,
        dynamics: &mut Dynamics,
        longest: f64,
        y: &mut [f64],
        dy: &mut [f64],
        sum: &mut Integrals,
    ) -> Result<(f64, Vec<usize>), String> {
        let mut refused = 0;
        loop {
            let wanted = match self.fixed {
                Some(length) => length * 0.5f64.powi(self.cuts as i32),
                None => self.control.next,
            };
            // What would be left of a step before a time that must be met is not worth one of its own.
            let whole = wanted >= longest / 1.001;
            let halves = if self.fixed.is_none() { 0.5 * longest } else { longest };
            let h = if whole { longest } else { wanted.min(halves.max(0.5 * wanted)) };
            let made = self.trial(dynamics, h);
            self.work.cut += u64::from(made.is_err());
            match made {
                Err(why) => {
                    self.work.failures += 1;
                    self.shorten(h).map_err(|()| self.say(dynamics, &why))?;
                }
                Ok(()) if self.fixed.is_none() => {
                    let error = self.control.error(dynamics, &self.start, &self.end);
                    if error > 1.0 || error.is_nan() {
                        self.control.refuse(h, error);
                        self.work.cut += 1;
                        refused += 1;
                        if refused > MOST_REFUSALS || self.start.t + self.control.next == self.start.t {
                            return Err(format!("no step is accurate (last tried {h:.1e} s)"));
                        }
                        continue;
                    }
                    self.control.accept(h, error, whole);
                    return self.land(dynamics, h, y, dy, sum);
                }
                Ok(()) => {
                    self.kept += 1;
                    if self.cuts > 0 && self.kept >= KEPT {
                        (self.cuts, self.kept) = (self.cuts - 1, 0);
                    }
                    return self.land(dynamics, h, y, dy, sum);
                }
            }
            refused += 1;
            if refused > MOST_REFUSALS {
                return Err(format!("no step succeeds (last tried {h:.1e} s)"));
            }
        }
    }

    /// Makes the next trial shorter than `h`.
    fn shorten(&mut self, h: f64) -> Result<(), ()> {
        match self.fixed {
            Some(_) => {
                (self.cuts, self.kept) = (self.cuts + 1, 0);
                if self.cuts > MOST_CUTS { Err(()) } else { Ok(()) }
            }
            None => {
                self.control.next = 0.25 * h;
                if self.start.t + self.control.next > self.start.t { Ok(()) } else { Err(()) }
            }
        }
    }

    fn say(&self, dynamics: &Dynamics, why: &trial::Failed) -> String {
        let fault = dynamics.fault(&self.end.y[2 * dynamics.n..]);
        let what = match (why, fault) {
            (_, Some(fault)) => fault.to_string(),
            (trial::Failed::Forces(NoForces::States(failure)), None) => failure.to_string(),
            (trial::Failed::Forces(NoForces::Negative), None) => {
                "a positive state of a law would become negative".into()
            }
            (trial::Failed::Forces(NoForces::NoNumber), None) => "a contact force is not a number".into(),
            (trial::Failed::Singular, None) => "the matrix of a step is singular".into(),
            (trial::Failed::Slow, None) => "Newton's method does not converge".into(),
        };
        format!("no step succeeds, however short: {what}")
    }

    /// Ends the trial just made where a guard changes its sign, and takes it.
    fn land(
        &mut self,
        dynamics: &mut Dynamics,
        mut h: f64,
        y: &mut [f64],
        dy: &mut [f64],
        sum: &mut Integrals,
    ) -> Result<(f64, Vec<usize>), String> {
        let n = dynamics.n;
        let mut met = vec![];
        if self.conditions.any() {
            self.conditions.look(dynamics, &self.end.y[2 * n..]);
            if let Some(first) = self.conditions.crossed() {
                h = self.locate(dynamics, h, first).map_err(|why| self.say(dynamics, &why))?;
                met = self.conditions.met();
            }
        }
        self.end.note(dynamics, &self.system);
        let moved = self.moved(dynamics, h);
        add_works(dynamics, &self.system, moved, [&self.start, &self.end], &mut self.mean, sum);
        y.copy_from_slice(&self.end.y);
        dy.copy_from_slice(&self.end.dy);
        self.work.steps += 1;
        Ok((h, met))
    }

    /// The step has been taken: the next one begins at its end. `dynamics` was looked at there.
    pub fn go_on(&mut self, dynamics: &Dynamics) {
        std::mem::swap(&mut self.start, &mut self.end);
        self.contacts.begin(dynamics, &self.start.y[2 * dynamics.n..]);
        self.conditions.go_on();
        self.control.go_on(&self.start, &self.end);
    }

    /// Whether the next step begins with these unknowns.
    pub fn is_at(&self, y: &[f64]) -> bool {
        self.start.y == y
    }

    /// The way of the driver over a step.
    fn moved(&self, dynamics: &Dynamics, h: f64) -> f64 {
        let t = self.start.t;
        let [a, b, c] = [t, t + 0.5 * h, t + h].map(|t| dynamics.base_velocity(t));
        h / 6.0 * (a + 4.0 * b + c)
    }

    /// The unknowns between start and end of the step just taken, at a time after its start.
    pub fn between(&self, s: f64, y: &mut [f64]) {
        let n = self.system.n;
        let h = self.end.t - self.start.t;
        let x = s / h;
        let (a, b) = (&self.start, &self.end);
        // Cubics through values and rates at both ends; states on a line.
        let [p, q, r, u] = [
            (1.0 + 2.0 * x) * (1.0 - x) * (1.0 - x),
            x * (1.0 - x) * (1.0 - x) * h,
            x * x * (3.0 - 2.0 * x),
            x * x * (x - 1.0) * h,
        ];
        for j in 0..2 * n {
            y[j] = p * a.y[j] + q * a.dy[j] + r * b.y[j] + u * b.dy[j];
        }
        for j in 2 * n..y.len() {
            y[j] = (1.0 - x) * a.y[j] + x * b.y[j];
        }
    }
}
