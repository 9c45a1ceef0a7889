//! What a transient refuses of controllers before any work.
use crate::Scheme;
use stickslip_model::{Formulation, Model, StartState};
use stickslip_solve::dense::Lu;
use stickslip_structures::{Acts, Control, Refused};

fn not_served(key: String, text: impl Into<String>) -> Option<Refused> {
    Some(Refused::new(key, "analysis::not-served", text.into()))
}

/// Controllers with the rest of the model.
pub fn refuse(model: &Model) -> Option<Refused> {
    let loading = &model.loading;
    if loading.controls.is_empty() {
        return None;
    }
    if matches!(model.formulation, Formulation::TimeStepping { .. }) {
        return not_served("formulation.kind".into(), "steps of fixed length do not serve controllers");
    }
    for (i, contact) in model.contacts.iter().enumerate() {
        if contact.friction.claims().force_rate {
            let text = format!(
                "the law `{}` reads the rate of the tangential force, which is not known beside a controller",
                contact.friction_law
            );
            return not_served(model.contact_key(i, "friction.law"), text);
        }
    }
    loading.controls.iter().enumerate().find_map(|(i, control)| {
        let key = |rest: &str| loading.control_key(i, rest);
        let pressed = control.on.iter().find_map(|on| if let Acts::Normal(c) = on { Some(*c) } else { None });
        if let Some(c) = pressed {
            let contact = &model.contacts[c];
            if !contact.normal.claims().fixed_load {
                let text =
                    format!("the normal law `{}` follows the motion: a loop adds to given loads", contact.normal_law);
                let e = not_served(key("on"), text);
                return e.map(|e| e.hint("use the normal law \"constant\", \"weight\" or \"prescribed\""));
            }
            if contact.friction.claims().load_rate || contact.per_area {
                let text = format!("the load of the law `{}` can't be controlled here", contact.friction_law);
                return not_served(key("on"), text);
            }
        }
        if control.sampling.is_some_and(|step| is_singular(control, step)) {
            let text = "a pole of the controller is 1/sampling: its backward differences have no solution";
            return not_served(key("sampling"), text).map(|e| e.expected("another time between samples"));
        }
        let sought = matches!(model.start.state, StartState::Static | StartState::SteadySliding);
        (sought && control.sampling.is_some()).then(|| {
            let e = Refused::new(
                "start.state",
                "analysis::not-served",
                "an equilibrium is not sought under a sampled controller",
            );
            e.hint("start from \"rest\" and give `values` and `rates`")
        })
    })
}

/// Whether (1 - T A) has no inverse.
fn is_singular(control: &Control, step: f64) -> bool {
    let n = control.states.len();
    let matrix: Vec<f64> = (0..n * n).map(|k| f64::from(u8::from(k / n == k % n)) - step * control.a[k]).collect();
    n > 0 && Lu::new(n, &matrix).is_none()
}

/// Controllers in a run of this length by this scheme.
pub fn refuse_run(model: &Model, scheme: Scheme, end: f64, max_steps: u64) -> Result<(), Refused> {
    let loading = &model.loading;
    if !loading.controls.is_empty() && scheme != Scheme::Exact {
        let e = Refused::new("analysis.scheme", "analysis::not-served", "this scheme does not serve controllers");
        return Err(e.hint("leave out `analysis.scheme`: samples and limits are then met exactly"));
    }
    for (i, control) in loading.controls.iter().enumerate() {
        if let Some(step) = control.sampling.filter(|step| *step > end) {
            let text = format!("the sampling of {step} s is longer than the run of {end} s");
            let e = Refused::new(loading.control_key(i, "sampling"), "control::sampling", text);
            return Err(e
                .expected(format!("at most {end} s"))
                .hint("a sampling time is that between two samples, such as \"1 ms\""));
        }
        let late = if control.sampling.is_none() { control.delay } else { 0.0 };
        let shortest = control.sampling.unwrap_or(if late > 0.0 { late } else { f64::INFINITY });
        let most = max_steps as f64;
        if end.is_finite() && end / shortest > most {
            let key = loading.control_key(i, if control.sampling.is_some() { "sampling" } else { "delay" });
            let text =
                format!("a run of {end} s takes {:.3e} steps: none is longer than {shortest:e} s", end / shortest);
            let e = Refused::new(key, "analysis::too-long", text);
            return Err(e
                .expected(format!("at most {most:e} steps"))
                .hint("shorten the run, or raise analysis.max_steps"));
        }
    }
    Ok(())
}
