//! What looks on while the motion goes: rows, extrema, probes, histories, checks.
pub mod delay;
pub mod drive_audit;
pub mod extrema;
pub mod flow;
pub mod invariants;
pub mod probes;
pub mod step_observer;
pub mod trace;
pub mod watcher;
