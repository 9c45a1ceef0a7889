//! What all controllers share: name, saturation, delay, sampling.
use super::{Control, ControlKind, Plant};
use crate::{Ask, Keys, Refused};

/// Reads a controller of a kind.
pub fn read_control(kind: &ControlKind, keys: &mut dyn Keys, plant: &Plant) -> Result<Control, Refused> {
    let name = keys.text("name", "Name, where there are several")?;
    let mut control = (kind.read)(keys, plant)?;
    control.name = name.unwrap_or_default();
    // An output that is an angle's has a moment; all outputs of a loop share one limit.
    let units: Vec<&str> = control.on.iter().map(|on| plant.output_unit(*on)).collect();
    let unit = units.first().copied().unwrap_or("N");
    if keys.has("saturation") {
        if units.iter().any(|other| *other != unit) {
            let text = "one limit can't hold for a force and a moment".to_string();
            return Err(keys.refuse("saturation", "control::shape", text).hint("write two loops"));
        }
        let about =
            "Largest size of the output; the integral stops while it is clipped and the error drives it further";
        control.saturation = Some(keys.number(Ask::new("saturation", unit, about).above(0.0))?);
    }
    control.delay = keys.number(Ask::new("delay", "s", "Time by which the output is late").or(0.0).min(0.0))?;
    if keys.has("sampling") {
        let about = "Time between two samples: backward differences, and an output that is held in between";
        control.sampling = Some(keys.number(Ask::new("sampling", "s", about).above(0.0))?);
    }
    Ok(control)
}
