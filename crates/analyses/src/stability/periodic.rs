//! Stability under loads that repeat: the motion that repeats with them, and its Floquet multipliers.
use crate::period_map::{Closing, multipliers, newton, over};
use stickslip_dynamics::Dynamics;
use stickslip_dynamics::start::{initial, steady_sliding};
use stickslip_model::Model;
use stickslip_motion::not_followed;
use stickslip_structures::Refused;

/// How closely a motion is to repeat.
const CLOSING: Closing = Closing { rtol: 1e-11, closed: 1e-9, most_steps: 25 };
/// Periods that are followed where Newton's method finds nothing from steady sliding.
const MARCHED: usize = 60;

/// A motion that repeats.
pub struct Orbit {
    /// Its unknowns at the start of a period.
    pub start: Vec<f64>,
    /// Multipliers (real, imaginary), by falling modulus; states that never change are left out.
    pub multipliers: Vec<[f64; 2]>,
}

/// The motion that repeats with the drives and loads, from steady sliding on.
pub fn orbit(model: &Model, period: f64) -> Result<Orbit, Refused> {
    let fail = |text: String| Refused::new("analysis", "analysis::no-orbit", text);
    if let Some(why) = not_followed(model) {
        return Err(Refused::new(
            "analysis",
            "analysis::not-served",
            format!("{why} is not followed over a period here"),
        ));
    }
    let mut dynamics = Dynamics::new(model)
        .ok_or_else(|| Refused::new("structure.mass", "structure::singular", "the mass matrix is singular"))?;
    let start = steady_sliding(&mut dynamics).map(|(y, _)| y).or_else(|_| initial(&mut dynamics))?;
    let closed = newton(model, start.clone(), period, CLOSING).or_else(|first| {
        let mut y = start;
        for _ in 0..MARCHED {
            y = over(model, &y, period, false, CLOSING.rtol).map_err(&fail)?.y;
        }
        newton(model, y, period, CLOSING).map_err(|_| fail(first))
    })?;
    let multipliers = multipliers(&closed.end).ok_or_else(super::not_settled)?;
    Ok(Orbit { start: closed.start, multipliers })
}
