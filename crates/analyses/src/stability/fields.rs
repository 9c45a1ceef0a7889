//! Steady sliding and modes of a body as files for ParaView.
use super::Spectrum;
use super::modes::Shape;
use stickslip_data::Outcome;
use stickslip_dynamics::Dynamics;
use stickslip_dynamics::start::evaluated;
use stickslip_model::Model;
use stickslip_motion::{ModeShape, mode_files, state_file};

/// The state of steady sliding.
pub fn state(model: &Model, spectrum: &Spectrum, out: &mut Outcome) {
    let Some(mut dynamics) = Dynamics::new(model) else { return };
    let y = &spectrum.unknowns;
    if evaluated(&mut dynamics, y, &spectrum.modes, &mut vec![0.0; y.len()]).is_err() {
        return;
    }
    add(state_file("sliding", &dynamics, y, &spectrum.whole, &spectrum.modes), out);
}

/// The modes that are listed, the one that grows fastest first.
pub fn modes(model: &Model, found: &[Shape], out: &mut Outcome) {
    let Some(dynamics) = Dynamics::new(model).filter(|_| !found.is_empty()) else { return };
    let mut sorted: Vec<&Shape> = found.iter().collect();
    sorted.sort_by(|a, b| b.value[0].total_cmp(&a.value[0]));
    let name = |(k, mode): (usize, &&Shape)| {
        format!("mode {}: {:.1} Hz, growth {:.4e} 1/s", k + 1, mode.frequency(), mode.value[0])
    };
    let names = sorted.iter().enumerate().map(name);
    let shapes: Vec<ModeShape> =
        names.zip(&sorted).map(|(name, mode)| ModeShape { name, shape: &mode.shape }).collect();
    add(mode_files(&dynamics, &shapes), out);
}

fn add(files: Result<Vec<(String, String)>, String>, out: &mut Outcome) {
    match files {
        Ok(files) => out.files.extend(files),
        Err(why) => out.health.warnings.push(format!("fields are not written: {why}")),
    }
}
