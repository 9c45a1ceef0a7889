//! Programs on a law or a structure, and what they leave.
use crate::{column, text, trusted};
use stickslip::prelude::*;

const POINT: &str = r#"kind = "point""#;

/// A structure, with one contact under a constant load, put through a program.
pub fn program(structure: &str, load: f64, friction: &str, steps: &str) -> Scenario {
    text(&format!(
        r#"
        structure = {{ {structure} }}
        contact = {{ normal = {{ law = "constant", force = {load} }}, friction = {friction} }}
        drive = {{ kind = "program", steps = [{steps}] }}
        analysis = {{ kind = "hysteresis" }}
        "#
    ))
}

/// A law alone.
pub fn alone(load: f64, friction: &str, steps: &str) -> Scenario {
    program(POINT, load, friction, steps)
}

/// What a law alone gives, which must be trusted.
pub fn point(load: f64, friction: &str, steps: &str) -> Outcome {
    trusted(&alone(load, friction, steps))
}

/// Three columns of the path, row by row.
pub fn rows<'a>(out: &'a Outcome, names: [&str; 3]) -> impl Iterator<Item = [f64; 3]> + 'a {
    let [a, b, c] = names.map(|n| column(out, "path", n));
    (0..a.len()).map(move |i| [a[i], b[i], c[i]])
}
