//! Friction-blind numerics: Newton, Radau, power series, events
