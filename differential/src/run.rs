//! Runs of a scenario, in process, each with a limit on its time.
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use stickslip::prelude::{Context, Outcome, Scenario, Status};

/// Longest time of one run, of the processor and not of the clock on the wall: the machine may be busy. Steps are limited in
/// the scenario itself; this stops steps that take long.
const PATIENCE: Duration = Duration::from_secs(6);
/// Ticks of the processor's time in a second, on Linux.
const TICKS: f64 = 100.0;

/// How a run ended.
#[derive(Clone, Debug)]
pub enum Ran {
    /// The request was refused before any work.
    Refused(String),
    /// It says that it failed, is not to be trusted, or is incomplete.
    Failed(String),
    /// It took too many steps or too long.
    Slow(String),
    /// It panicked.
    Panicked(String),
    /// Its outcome, which says that it is right.
    Done(Box<Outcome>),
}

/// Stops runs that take too long: one for each thread that runs scenarios.
pub struct Watch {
    start: Instant,
    /// Milliseconds of work at which the run is to end; 0: none is under way.
    deadline: AtomicU64,
    stop: AtomicBool,
}

impl Watch {
    /// A watch with a thread of its own, which ends with the watch.
    pub fn new() -> Arc<Watch> {
        let watch =
            Arc::new(Watch { start: Instant::now(), deadline: AtomicU64::new(0), stop: AtomicBool::new(false) });
        let weak = Arc::downgrade(&watch);
        std::thread::spawn(move || {
            while let Some(watch) = weak.upgrade() {
                let deadline = watch.deadline.load(Ordering::Relaxed);
                if deadline != 0 && watch.worked().as_millis() as u64 > deadline {
                    watch.stop.store(true, Ordering::Relaxed);
                }
                drop(watch);
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        watch
    }

    /// Time that this process has worked; where the system does not tell, the time since the start.
    fn worked(&self) -> Duration {
        let told = std::fs::read_to_string("/proc/self/stat").ok().and_then(|stat| {
            // The name in brackets may hold blanks: user and system time are the 12th and 13th field behind it.
            let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
            let mut ticks = || fields.next()?.parse::<f64>().ok();
            Some(Duration::from_secs_f64((ticks()? + ticks()?) / TICKS))
        });
        told.unwrap_or_else(|| self.start.elapsed())
    }

    /// Runs a scenario with these settings, beside a file that it may name.
    pub fn run(&self, text: &str, sets: &[String], file: Option<&(&'static str, String)>) -> Ran {
        self.stop.store(false, Ordering::Relaxed);
        let end = self.worked() + PATIENCE;
        self.deadline.store(end.as_millis() as u64, Ordering::Relaxed);
        let ran = catch_unwind(AssertUnwindSafe(|| self.unguarded(text, sets, file)));
        self.deadline.store(0, Ordering::Relaxed);
        ran.unwrap_or_else(|panic| {
            let words = panic.downcast_ref::<String>().cloned();
            Ran::Panicked(words.or(panic.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default())
        })
    }

    fn unguarded(&self, text: &str, sets: &[String], file: Option<&(&'static str, String)>) -> Ran {
        let name = "differential.toml";
        let read = match file {
            None => Scenario::from_text(name, text, sets),
            Some((file, content)) => {
                let folder = std::env::temp_dir().join(format!("stickslip-differential-{}", std::process::id()));
                let written =
                    std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(folder.join(file), content));
                if let Err(e) = written {
                    return Ran::Refused(format!("{file} can't be written: {e}"));
                }
                Scenario::from_text_in(&folder, name, text, sets)
            }
        };
        let (scenario, prepared) = match read.and_then(|s| s.prepare().map(|p| (s, p))) {
            Ok(found) => found,
            Err(all) => {
                return Ran::Refused(all.0.first().map_or(String::new(), |d| format!("{}: {}", d.code, d.message)));
            }
        };
        let context = Context { stop: Some(&self.stop), ..Context::default() };
        let run = scenario.run_prepared(&prepared, &context);
        let Some(outcome) = run.plain() else { return Ran::Refused("cases".into()) };
        let (status, reason) = outcome.verdict();
        let reason = reason.unwrap_or_default();
        match status {
            Status::Ok => Ran::Done(Box::new(outcome.clone())),
            _ if self.stop.load(Ordering::Relaxed) || reason.contains("max_steps") => Ran::Slow(reason),
            _ => Ran::Failed(reason),
        }
    }
}
