//! What looks on while the motion goes: rows, extrema, probes, histories, checks.
pub mod companion;
pub mod delay;
pub mod drive_audit;
pub mod extrema;
pub mod invariants;
pub mod probes;
pub mod sensitivity;
pub mod spill;
pub mod step_observer;
pub mod trace;
pub mod watcher;
