//! Analyses: what is asked of a model
