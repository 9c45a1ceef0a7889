//! Scenario files: TOML to a resolved specification to a model
