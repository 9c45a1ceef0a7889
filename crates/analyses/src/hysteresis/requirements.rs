//! What hysteresis refuses before any work.
use stickslip_dynamics::Dynamics;
use stickslip_dynamics::start::initial;
use stickslip_model::Analysis;
use stickslip_model::Model;
use stickslip_motion::Transient;
use stickslip_structures::{ProgramStep, Refused};

fn refuse(key: &str, text: impl Into<String>) -> Option<Refused> {
    Some(Refused::new(key, "analysis::not-served", text))
}

/// Why a model can't be put through its program.
pub fn refuse_model(model: &Model, transient: &Transient) -> Option<Refused> {
    let Some(program) = &model.loading.program else {
        let e = refuse("drive.kind", "hysteresis needs drive kind \"program\": a loop is made of steps");
        return e.map(|e| e.hint("try drive = { kind = \"program\", steps = [{ cycle = { amplitude = \"1 mm\", frequency = \"1 Hz\", count = 3 } }] }"));
    };
    if model.structure.is_empty() {
        return refuse_point(model, &program.steps);
    }
    if model.contacts.is_empty() {
        return refuse("contact", "a loop is one of friction, and there is no contact");
    }
    transient.refuse(model)
}

fn refuse_point(model: &Model, steps: &[ProgramStep]) -> Option<Refused> {
    let [contact] = model.contacts.as_slice() else {
        return refuse("contact", "a point has exactly one contact");
    };
    let claims = contact.friction.claims();
    let unfit = [
        (claims.stepped, "has no rate form"),
        (claims.history, "needs history"),
        (claims.position, "reads positions"),
        (claims.force_rate, "reads the rate of a tangential force, which a prescribed motion has not"),
        (claims.approach || claims.real_area, "reads the approach or the real area"),
    ];
    for (claimed, what) in unfit {
        if claimed {
            let text = format!("the law `{}` {what}, which a hysteresis loop does not serve", contact.friction_law);
            return refuse("contact.friction.law", text);
        }
    }
    if !contact.normal.claims().fixed_load {
        return refuse("contact.normal.law", "a point needs a load that does not depend on the motion");
    }
    let loaded = steps.iter().any(|step| step.parts().1.is_some());
    if let Some(e) = model.refuse_load(0, loaded) {
        return Some(e);
    }
    for step in steps {
        if step.force().is_some() && contact.friction.directions() > 1 {
            return refuse("drive.steps", "a force is followed in one direction only");
        }
        if step.spin().is_some() && contact.friction.directions() < 2 {
            return refuse("drive.steps", "a frame that spins needs contact.directions = 2");
        }
        if step.force().is_some() && claims.positive_speed {
            let text = format!("`{}` is undefined at rest, where a force begins", contact.friction_law);
            return refuse("drive.steps", text);
        }
        if step.velocity().is_some_and(|v| v.len() > contact.friction.directions()) {
            return refuse("drive.steps", "a velocity with two components needs contact.directions = 2");
        }
    }
    initial(&mut Dynamics::new(model)?).err()
}
