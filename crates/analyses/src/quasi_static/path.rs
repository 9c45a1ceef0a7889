//! The path: from change to change along the loads.
use super::choose::{Candidate, Condition, Found, Many, Standing, What, candidates, conditions, slow, snap, standings};
use super::explain::lost;
use super::jump::{AHEAD, land, stable};
use super::system::{Answer, Problem};
use super::{Algorithm, start};
use stickslip_data::Health;
use stickslip_laws::Mode;
use stickslip_motion::{next_knot, series_span};
use stickslip_solve::linear_flow::radius;
use stickslip_solve::polynomial::{Coefficients, TERMS, slope};

/// Loads that differ by more than this part of the scale have jumped.
const JUMPED: f64 = 1e-12;
/// Two instants nearer than this part of the time are one.
const TOGETHER: f64 = 1e-13;
/// Rows over the duration where loads are no straight lines.
const ROWS: f64 = 200.0;
/// Places at which the loads are looked at for the scale of the run.
const LOOKS: usize = 64;
/// Steps before a path is given up: the loads wave too often for a path that is slow.
const MOST_STEPS: u64 = 100_000;
/// What is said of states that an active set has found.
const SOUGHT: &str = "more contacts changed together than combinations are tried: a state that holds was found by an active \
set, and others are not known";
/// Changes at one instant before they count as endless.
const MOST_AT_ONCE: usize = 50;

/// The state at a time.
pub struct Row {
    /// Time.
    pub t: f64,
    /// Coordinates and reactions.
    pub at: Answer,
    /// Rates of the coordinates.
    pub rates: Vec<f64>,
    /// Modes.
    pub modes: Vec<Mode>,
}

/// A jump.
pub struct Jump {
    /// When.
    pub t: f64,
    /// Modes before and after.
    pub modes: [Vec<Mode>; 2],
    /// State before and after.
    pub at: [Answer; 2],
}

/// A path that is being followed.
pub struct Path<'a> {
    /// The problem.
    pub problem: &'a Problem<'a>,
    algorithm: Algorithm,
    /// Size of the whole run.
    scale: f64,
    t: f64,
    at: Answer,
    modes: Vec<Mode>,
    /// What was passed.
    pub rows: Vec<Row>,
    /// When each state began.
    pub states: Vec<(f64, Vec<Mode>)>,
    /// Jumps.
    pub jumps: Vec<Jump>,
    /// What was done.
    pub health: Health,
}

impl<'a> Path<'a> {
    /// At the start of a run.
    pub fn new(problem: &'a Problem<'a>, algorithm: Algorithm, u: &[f64], end: f64) -> Path<'a> {
        let knot = |t: &f64| problem.forces.iter().map(|s| s.next_knot(*t)).reduce(f64::min).filter(|t| *t < end);
        let knots = std::iter::successors(knot(&0.0), knot);
        let looks = (0..=LOOKS).map(|k| end * k as f64 / LOOKS as f64).chain(knots);
        let load = looks.map(|t| problem.size(|_| 0.0, |j| problem.forces[j].value(t))).fold(0.0, f64::max);
        let points = problem.points.len();
        Path {
            problem,
            algorithm,
            scale: load.max(problem.size(|j| u[j], |_| 0.0)),
            t: 0.0,
            at: Answer { u: u.to_vec(), p: vec![0.0; points], f: vec![0.0; points] },
            modes: vec![Mode::Open; points],
            rows: vec![],
            states: vec![],
            jumps: vec![],
            health: Health::default(),
        }
    }

    /// Follows the loads to the end; `stops` are times at which a row is wanted.
    pub fn follow(&mut self, end: f64, stops: &[f64], stopped: &dyn Fn(f64) -> bool) -> Result<(), String> {
        let mut loads = self.problem.loads(0.0);
        let mut next = self.start(&loads)?;
        let mut at_once = 0;
        while self.t < end {
            if stopped(self.t / end) {
                return Err("stopped before its end".into());
            }
            let (reach, knot) = self.ahead(&next.1, end, stops);
            let all = conditions(self.problem, &next.1.motion, &self.modes, &next.0);
            let longest = reach - self.t;
            let ends: Vec<(f64, usize, What)> =
                all.iter().filter_map(|c| c.ends(longest).map(|s| (s, c.point, c.what))).collect();
            let first = ends.iter().map(|e| e.0).fold(f64::INFINITY, f64::min);
            let event = first <= longest;
            let after = if event { (self.t + first).min(reach) } else { reach };
            // A change that falls on a knot sees the loads beyond it.
            let after = if reach - after <= TOGETHER * reach { reach } else { after };
            if after.is_nan() || self.problem.forces.iter().any(|f| f.value(after).is_nan()) {
                return Err(format!("the loads are no numbers beyond t = {} s", self.t));
            }
            let s = after - self.t;
            let before = self.at.clone();
            self.row(&next.1, 0.0, &before);
            self.at = next.1.motion.at(s);
            let reached = self.at.clone();
            self.row(&next.1, s, &reached);
            at_once = if after > self.t { 0 } else { at_once + 1 };
            if at_once > MOST_AT_ONCE {
                return Err(format!("the state changes without end at t = {} s", self.t));
            }
            self.t = after;
            self.health.steps += 1;
            if self.health.steps > MOST_STEPS {
                return Err(format!("the path takes more than {MOST_STEPS} steps: it is at t = {after} s of {end} s"));
            }
            let force: Vec<f64> = loads.iter().map(|c| stickslip_solve::polynomial::value(c, s)).collect();
            loads = self.problem.loads(after);
            let apart = self.problem.size(|_| 0.0, |j| loads[j][0] - force[j]);
            let close = |e: &&(f64, usize, What)| e.0 - first <= TOGETHER * after;
            let events: Vec<(usize, What)> = ends.iter().filter(close).map(|e| (e.1, e.2)).collect();
            next = if after >= end {
                break;
            } else if apart > JUMPED * self.scale {
                self.leap(&loads)?
            } else if event || after >= knot {
                self.choose(&loads, &events)?
            } else {
                self.go_on(&loads)?
            };
        }
        Ok(())
    }

    /// How far the loads can be followed, and their next kink.
    fn ahead(&self, next: &Candidate, end: f64, stops: &[f64]) -> (f64, f64) {
        let t = self.t;
        let stop = stops.iter().copied().filter(|s| *s > t).fold(end, f64::min);
        let series = next.motion.series();
        let mut reach = stop.min(t + radius(&series, f64::INFINITY));
        if series.iter().any(|c| c[2..].iter().any(|x| *x != 0.0)) {
            reach = reach.min(t + end / ROWS);
        }
        let spans = self.problem.forces.iter().map(|s| series_span(s, t, reach - t));
        let reach = spans.fold(reach, |reach, span| reach.min(t + span));
        let knot = next_knot(self.problem.forces.iter(), t, reach);
        (reach.min(knot), knot)
    }

    /// The state at the start: what touches is stuck where it is, the rest is in equilibrium.
    fn start(&mut self, loads: &[Coefficients]) -> Result<(Vec<Standing>, Candidate), String> {
        let force: Vec<f64> = loads.iter().map(|c| c[0]).collect();
        match start::equilibrium(self.problem, &self.at.u, &force) {
            Ok((at, modes)) => {
                let moved = self.problem.size(|j| at.u[j] - self.at.u[j], |_| 0.0);
                if moved > JUMPED * self.scale {
                    let note = "coordinates that no contact holds start in equilibrium, not at `start.values`";
                    self.health.notes.push(note.into());
                }
                (self.at, self.modes) = (at, modes);
                self.choose(loads, &[])
            }
            // Loads that are there at once move what they find.
            Err(start::NoStart::Broken(_)) if self.algorithm == Algorithm::Revised => {
                self.modes = start::touching(self.problem, &self.at.u);
                self.leap(loads)
            }
            Err(reason) => Err(reason.to_string()),
        }
    }

    /// The same modes, from here on.
    fn go_on(&mut self, loads: &[Coefficients]) -> Result<(Vec<Standing>, Candidate), String> {
        let standings = standings(self.problem, &self.modes, &self.at, self.size(loads), &[]);
        if let Some(motion) = slow(self.problem, &self.modes, self.t, &self.at, loads)
            && conditions(self.problem, &motion, &self.modes, &standings).iter().all(Condition::holds)
        {
            return Ok((standings, Candidate { modes: self.modes.clone(), motion }));
        }
        self.choose(loads, &[])
    }

    fn size(&self, loads: &[Coefficients]) -> f64 {
        self.problem.size(|j| self.at.u[j], |j| loads[j][0])
    }

    /// Everything that may follow where the points stand.
    fn look(&mut self, loads: &[Coefficients], events: &[(usize, What)]) -> Result<(Vec<Standing>, Found), String> {
        let standings = standings(self.problem, &self.modes, &self.at, self.size(loads), events);
        snap(self.problem, &standings, &mut self.at);
        let (problem, t, at) = (self.problem, self.t, &self.at);
        let many = if self.algorithm == Algorithm::Revised { Many::Seek } else { Many::Refuse };
        let found =
            candidates(problem, &standings, many, |i| standings[i].options(), |m| slow(problem, m, t, at, loads))
                .map_err(|e| format!("at t = {} s {e}", self.t))?;
        if found.sought && !self.health.notes.iter().any(|note| note == SOUGHT) {
            self.health.notes.push(SOUGHT.into());
        }
        Ok((standings, found))
    }

    /// The modes that follow.
    fn choose(
        &mut self,
        loads: &[Coefficients],
        events: &[(usize, What)],
    ) -> Result<(Vec<Standing>, Candidate), String> {
        let (standings, mut found) = self.look(loads, events)?;
        if self.algorithm == Algorithm::Incremental {
            return match found.held.len() {
                1 => Ok(self.take(standings, found.held.remove(0))),
                _ => Err(lost(self.problem, self.t, &self.modes, &standings, &found)),
            };
        }
        let firm = |c: &Candidate| stable(self.problem, &c.modes);
        let mut firm: Vec<Candidate> = found.held.into_iter().filter(firm).collect();
        if firm.len() == 1 {
            return Ok(self.take(standings, firm.remove(0)));
        }
        self.leap(loads)
    }

    /// Lets the fast flow decide: where to, and in which modes.
    fn leap(&mut self, loads: &[Coefficients]) -> Result<(Vec<Standing>, Candidate), String> {
        let force: Vec<f64> = loads.iter().map(|c| c[0]).collect();
        if self.algorithm == Algorithm::Incremental {
            return Err(format!("the loads jump at t = {} s: there is no continuous solution", self.t));
        }
        let order = (1..TERMS).find(|&k| loads.iter().any(|c| c[k] != 0.0));
        let onwards: Vec<f64> = loads.iter().map(|c| order.map_or(0.0, |k| c[k])).collect();
        let landed = land(self.problem, &self.at.u, &force, &onwards, self.scale)
            .map_err(|e| format!("at t = {} s, from {}: {e}", self.t, self.problem.state(&self.modes)))?;
        let before = (self.at.clone(), self.modes.clone());
        let moved = self.problem.size(|j| landed.at.u[j] - before.0.u[j], |_| 0.0);
        self.at = landed.at;
        self.modes = landed.modes.clone();
        let (standings, mut found) = self.look(loads, &[])?;
        let kept = found.held.iter().position(|c| c.modes == landed.modes);
        let firm: Vec<usize> = (0..found.held.len()).filter(|&k| stable(self.problem, &found.held[k].modes)).collect();
        let Some(k) = kept.or(if let [only] = firm[..] { Some(only) } else { None }) else {
            return Err(lost(self.problem, self.t, &self.modes, &standings, &found));
        };
        let next = found.held.remove(k);
        self.modes = before.1.clone();
        if moved > 1e3 * AHEAD * self.scale {
            let modes = [before.1, next.modes.clone()];
            self.jumps.push(Jump { t: self.t, modes, at: [before.0, self.at.clone()] });
        }
        Ok(self.take(standings, next))
    }

    fn take(&mut self, standings: Vec<Standing>, next: Candidate) -> (Vec<Standing>, Candidate) {
        let same = self.states.last().is_some_and(|(_, modes)| *modes == next.modes);
        if !same {
            // A state without duration is none.
            if self.states.last().is_some_and(|(t, _)| *t == self.t) {
                self.states.pop();
            }
            if self.states.last().is_none_or(|(_, modes)| *modes != next.modes) {
                self.states.push((self.t, next.modes.clone()));
            }
            self.health.events += 1;
        }
        self.modes = next.modes.clone();
        (standings, next)
    }

    fn row(&mut self, next: &Candidate, s: f64, at: &Answer) {
        let rates = next.motion.u.iter().map(|c| slope(c, s)).collect();
        self.rows.push(Row { t: self.t + s, at: at.clone(), rates, modes: self.modes.clone() });
    }
}
