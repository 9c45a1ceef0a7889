//! Long work beside the interpreter: the lock is released, Ctrl-C stops it, progress is reported.
use crate::errors::fault;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Time between two looks at signals and progress.
const LOOK: Duration = Duration::from_millis(50);
/// Stack of the thread that works: nested analyses and deep formulas.
const STACK: usize = 64 << 20;

/// What the work may look at.
pub struct Outside {
    /// Set to stop early.
    pub stop: AtomicBool,
    done: AtomicU64,
}

impl Outside {
    /// Reports the part done.
    pub fn report(&self, part: f64) {
        self.done.store(part.to_bits(), Ordering::Relaxed);
    }

    fn part(&self) -> f64 {
        f64::from_bits(self.done.load(Ordering::Relaxed))
    }
}

/// Does work in a thread of its own. Ctrl-C sets `stop`, and the work returns what it has; other exceptions of signal handlers
/// and of `progress` are raised once it has ended.
pub fn aside<T: Send>(
    py: Python,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&Outside) -> T + Send,
) -> PyResult<T> {
    let outside = Outside { stop: AtomicBool::new(false), done: AtomicU64::new(0f64.to_bits()) };
    let pool = match threads {
        Some(n) => {
            let built = rayon::ThreadPoolBuilder::new().num_threads(n).build();
            Some(built.map_err(|e| pyo3::exceptions::PyRuntimeError::new_err(e.to_string()))?)
        }
        None => None,
    };
    let (pool, seen) = (&pool, &outside);
    let mut raised = None;
    let ended = py.detach(|| {
        std::thread::scope(|scope| {
            let (send, receive) = channel();
            let body = move || {
                let done = match pool {
                    Some(pool) => pool.install(|| work(seen)),
                    None => work(seen),
                };
                let _ = send.send(());
                done
            };
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body);
            let thread = match thread {
                Ok(thread) => thread,
                Err(e) => return Err(Box::new(e.to_string()) as Box<dyn std::any::Any + Send>),
            };
            while !thread.is_finished() {
                match receive.recv_timeout(LOOK) {
                    Err(RecvTimeoutError::Timeout) => {}
                    _ => break,
                }
                let looked = Python::attach(|py| look(py, seen, progress.as_ref()));
                if let Err(e) = looked {
                    seen.stop.store(true, Ordering::Relaxed);
                    raised = Some(e);
                }
            }
            thread.join()
        })
    });
    match (ended, raised) {
        (_, Some(e)) => Err(e),
        (Ok(done), None) => Ok(done),
        (Err(panic), None) => Err(fault(panic)),
    }
}

fn look(py: Python, outside: &Outside, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    match py.check_signals() {
        Err(e) if e.is_instance_of::<PyKeyboardInterrupt>(py) => outside.stop.store(true, Ordering::Relaxed),
        other => other?,
    }
    match progress {
        Some(progress) => progress.call1(py, (outside.part(),)).map(drop),
        None => Ok(()),
    }
}
