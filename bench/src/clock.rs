//! Timing: all jobs of a work take turns, so that each sees the same load; the shortest time counts.
use crate::options::Options;
use crate::peer::Peer;
use serde_json::{Value as Json, json};
use stickslip::analyses::Output;
use stickslip::prelude::*;
use stickslip::scenario::Prepared;

/// What is timed.
pub enum Job {
    Ours(Box<Prepared>),
    /// Ours, of a scenario that was refused.
    Refused(String),
    /// Ours, without a scenario: what it gives is made outside of the clock.
    Computed(Computation),
    Peer(Json),
}

/// Work without a scenario: it returns what makes its answer, outside of the clock.
pub type Computation = Box<dyn Fn() -> Box<dyn FnOnce() -> Result<Json, String>>>;

/// What the last run of a job gave.
pub enum Answer {
    Ours(Box<Outcome>),
    /// What a peer or a computation of ours reported.
    Values(Json),
}

/// Time and answer of a job.
pub struct Measured {
    /// Shortest seconds of one run.
    pub best: f64,
    pub answer: Answer,
    runs: u64,
    spent: f64,
    /// Turns in a row that did not shorten the time.
    quiet: u32,
}

/// When a job has had enough turns.
#[derive(Clone, Copy)]
pub enum Enough {
    /// At least this many runs and a stable minimum; or so many seconds.
    Stable { runs: u64, seconds: f64 },
    /// This many turns of one run each.
    Turns(u32),
}

/// A turn repeats short runs for this long, s.
const TURN: f64 = 0.03;
/// A minimum is stable when so many turns in a row gain less than this part.
const QUIET_TURNS: u32 = 4;
const GAIN: f64 = 0.01;
/// Most turns of runs together, for each of those that must pass without a gain.
const MOST_TURNS: u32 = 4;

pub struct Bench {
    peer: Result<Peer, String>,
    /// Peers of the system's own Python, which no index of packages has.
    system: Result<Peer, String>,
}

impl Bench {
    pub fn new(options: &Options) -> Bench {
        let start = |python: &Option<String>| python.as_deref().map_or(Err("left out".into()), Peer::start);
        Bench { peer: start(&options.python), system: start(&options.system_python) }
    }

    /// The rule for a work whose runs are short.
    pub fn rule(options: &Options) -> Enough {
        match options.quick {
            true => Enough::Stable { runs: 3, seconds: 0.5 },
            false => Enough::Stable { runs: 7, seconds: 4.0 },
        }
    }

    /// Runs all jobs of ours together until so many turns in a row gain nothing: the shortest time, shared equally.
    pub fn measure_together(jobs: &[Job], turns: u32) -> Vec<Result<Measured, String>> {
        let mut runs = vec![];
        for job in jobs {
            match job {
                Job::Ours(p) => {
                    let output = Output { brief: true, ..p.output.clone() };
                    let context = Context { output, ..Context::default() };
                    runs.push(Run { analysis: p.analysis.as_ref(), model: &p.model, context });
                }
                Job::Refused(why) => return jobs.iter().map(|_| Err(why.clone())).collect(),
                Job::Computed(_) | Job::Peer(_) => return jobs.iter().map(|_| Err("not ours".into())).collect(),
            }
        }
        let Some(first) = runs.first() else { return vec![] };
        let (mut best, mut answers, mut taken, mut quiet) = (f64::INFINITY, vec![], 0, 0);
        while quiet < turns && taken < MOST_TURNS * turns {
            let begin = processor_seconds();
            answers = first.analysis.run_together(&runs);
            let once = processor_seconds() - begin;
            quiet = if once < (1.0 - GAIN) * best { 0 } else { quiet + 1 };
            (best, taken) = (once.min(best), taken + 1);
        }
        let share = best / runs.len() as f64;
        let measured = |outcome| Measured {
            best: share,
            answer: Answer::Ours(Box::new(outcome)),
            runs: u64::from(taken),
            spent: share,
            quiet: 0,
        };
        answers.into_iter().map(|outcome| Ok(measured(outcome))).collect()
    }

    /// Runs all jobs turn by turn until each has had enough.
    pub fn measure(&mut self, jobs: &[Job], enough: Enough) -> Vec<Result<Measured, String>> {
        let mut all: Vec<Option<Result<Measured, String>>> = jobs.iter().map(|_| None).collect();
        let mut turns = 0;
        loop {
            let mut waiting = false;
            for (job, known) in jobs.iter().zip(&mut all) {
                let done = match known {
                    None => false,
                    Some(Err(_)) => true,
                    Some(Ok(m)) => m.enough(enough, turns),
                };
                if !done {
                    waiting = true;
                    let turn = self.turn(job, if let Enough::Turns(_) = enough { 0.0 } else { TURN });
                    *known = Some(match (known.take(), turn) {
                        (Some(Ok(old)), Ok(new)) => Ok(old.and(new)),
                        (_, new) => new,
                    });
                }
            }
            turns += 1;
            if !waiting {
                return all.into_iter().flatten().collect();
            }
        }
    }

    fn turn(&mut self, job: &Job, seconds: f64) -> Result<Measured, String> {
        match job {
            Job::Ours(prepared) => Ok(ours(prepared, seconds)),
            Job::Refused(why) => Err(why.clone()),
            Job::Computed(work) => computed(work, seconds),
            Job::Peer(request) => {
                let peer = if request["system"] == json!(true) { &mut self.system } else { &mut self.peer };
                let peer = peer.as_mut().map_err(|why| why.clone())?;
                let mut request = request.clone();
                request["seconds"] = json!(seconds);
                let answer = peer.ask(&request)?;
                let number = |key: &str| answer[key].as_f64().ok_or(format!("no `{key}` in {answer}"));
                let (best, runs, spent) = (number("best")?, number("runs")? as u64, number("spent")?);
                Ok(Measured { best, answer: Answer::Values(answer), runs, spent, quiet: 0 })
            }
        }
    }
}

/// Seconds this process has had a processor, as `time.process_time` of the peers: other load does not count.
pub fn processor_seconds() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists on every Unix, and `now` is ours to write to.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut now) };
    assert!(failed == 0, "there is no clock of the process");
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}

fn ours(prepared: &Prepared, seconds: f64) -> Measured {
    let context = Context { output: prepared.output.clone(), ..Context::default() };
    let (mut best, mut runs, mut spent) = (f64::INFINITY, 0, 0.0);
    loop {
        let begin = processor_seconds();
        let outcome = prepared.analysis.run(&prepared.model, &context);
        let once = processor_seconds() - begin;
        (best, runs, spent) = (once.min(best), runs + 1, spent + once);
        if spent >= seconds {
            // Tables are not looked at, and a thousand of them would fill the memory.
            let outcome = Outcome { tables: vec![], events: Default::default(), ..outcome };
            return Measured { best, answer: Answer::Ours(Box::new(outcome)), runs, spent, quiet: 0 };
        }
    }
}

fn computed(work: &Computation, seconds: f64) -> Result<Measured, String> {
    let (mut best, mut runs, mut spent) = (f64::INFINITY, 0, 0.0);
    loop {
        let begin = processor_seconds();
        let answer = work();
        let once = processor_seconds() - begin;
        (best, runs, spent) = (once.min(best), runs + 1, spent + once);
        if spent >= seconds {
            return Ok(Measured { best, answer: Answer::Values(answer()?), runs, spent, quiet: 0 });
        }
    }
}

impl Measured {
    fn and(self, turn: Measured) -> Measured {
        let gained = turn.best < (1.0 - GAIN) * self.best;
        Measured {
            best: self.best.min(turn.best),
            runs: self.runs + turn.runs,
            spent: self.spent + turn.spent,
            quiet: if gained { 0 } else { self.quiet + 1 },
            answer: turn.answer,
        }
    }

    fn enough(&self, enough: Enough, turns: u32) -> bool {
        match enough {
            Enough::Turns(n) => turns >= n,
            Enough::Stable { runs, seconds } => {
                self.spent >= seconds || (self.runs >= runs && self.quiet >= QUIET_TURNS)
            }
        }
    }

    /// Our outcome, where it is ours.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.answer {
            Answer::Ours(outcome) => Some(outcome),
            Answer::Values(_) => None,
        }
    }
}

/// A scenario of one case, ready to run.
pub fn prepared(name: &str, text: &str) -> Job {
    match Scenario::from_text(name, text, &[]).and_then(|s| s.prepare()) {
        Ok(cases) => cases.into_iter().next().map_or(Job::Refused("no case".into()), |c| Job::Ours(Box::new(c))),
        Err(wrong) => {
            let first = wrong.0.first().map_or(String::new(), |d| d.message.clone());
            Job::Refused(format!("refused: {first}"))
        }
    }
}
