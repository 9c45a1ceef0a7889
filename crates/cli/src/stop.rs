//! Ctrl-C: the first asks the run to stop and keep what it has, the second ends the program at once.
use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

/// Exit code of a run that is ended at once: not done.
const NOT_DONE: i32 = 1;

/// The flag that an interrupt sets; None where the system won't tell of interrupts.
pub fn on_interrupt() -> Option<&'static AtomicBool> {
    static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let stop = STOP.get_or_init(|| Arc::new(AtomicBool::new(false)));
    // The order matters: the first signal finds the flag unset, passes, and sets it.
    flag::register_conditional_shutdown(SIGINT, NOT_DONE, Arc::clone(stop)).ok()?;
    flag::register(SIGINT, Arc::clone(stop)).ok()?;
    Some(stop)
}
