//! Probes of a body in steady sliding.
use super::Spectrum;
use stickslip_data::{Outcome, Status, Value};
use stickslip_dynamics::start::evaluated;
use stickslip_dynamics::{Dynamics, Instant, Seen};
use stickslip_model::{Model, Probe};

/// A probe that is asked in one steady sliding after the other.
pub struct Observing<'m> {
    /// The name of its value.
    pub name: String,
    /// Unit.
    pub unit: &'static str,
    seen: Seen,
    model: &'m Model,
}

impl<'m> Observing<'m> {
    /// All probes that the model answers.
    pub fn all(model: &'m Model, probes: &[Probe]) -> Vec<Observing<'m>> {
        let Some(dynamics) = Dynamics::new(model) else { return vec![] };
        let of = |probe: &Probe| {
            let (seen, unit) = dynamics.seen(probe).ok()?;
            Some(Observing { name: probe.value_name(), unit, seen, model })
        };
        probes.iter().filter_map(of).collect()
    }

    /// The value in steady sliding of this or of a neighbouring model.
    pub fn value(&self, spectrum: &Spectrum) -> f64 {
        let model = spectrum.model.as_ref().unwrap_or(self.model);
        let Some(mut dynamics) = Dynamics::new(model) else { return f64::NAN };
        let y = &spectrum.unknowns;
        if evaluated(&mut dynamics, y, &spectrum.modes, &mut vec![0.0; y.len()]).is_err() {
            return f64::NAN;
        }
        let forces = |p: usize| [dynamics.at[p].n, dynamics.at[p].f[0]];
        dynamics.value_of(&self.seen, Instant { t: 0.0, y, whole: &spectrum.whole, modes: &spectrum.modes }, &forces)
    }
}

/// Values of the probes in steady sliding.
pub fn report(model: &Model, probes: &[Probe], spectrum: &Spectrum, out: &mut Outcome) {
    let all = Observing::all(model, probes);
    if all.len() < probes.len() {
        let why = Dynamics::new(model).and_then(|d| probes.iter().find_map(|p| d.seen(p).err()));
        out.worsen(Status::Failed, why.unwrap_or_else(|| "a probe finds nothing".into()));
    }
    for observing in all {
        out.set(observing.name.clone(), Value::Number(observing.value(spectrum)), observing.unit);
    }
}
