//! Stickslip: a laboratory for dynamic friction
