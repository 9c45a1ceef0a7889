//! Stick-slip of a block on a belt, built and run without a scenario file: `cargo run -p model-in-rust`.
use model_in_rust::{block_on_belt, cycles};

fn main() {
    for damping in [0.0, 0.02, 0.1] {
        match block_on_belt(0.4, 0.25, damping, 0.1) {
            Ok(model) => {
                let outcome = cycles(&model, 20.0);
                let period = outcome.number("period").unwrap_or(f64::NAN);
                println!("damping {damping}: {}, period {period:.6} s", outcome.regime.as_deref().unwrap_or("?"));
            }
            Err(wrong) => eprintln!("{wrong}"),
        }
    }
}
