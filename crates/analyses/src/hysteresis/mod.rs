//! Hysteresis: a law put through a program at a point without inertia.
mod path;
mod report;
mod velocity;

use crate::analysis::{Analysis, Answer, Context};
use crate::dynamics::Dynamics;
use crate::model::Model;
use crate::start::initial;
use path::Path;
use stickslip_data::{Outcome, Status};
use stickslip_structures::{Ask, Keys, ProgramStep, Refused};

pub const NAME: &str = "hysteresis";
pub const ABOUT: &str =
    "A law alone, put through a program: force and states along the path, loop area, break-away, peaks.";
pub const ANSWERS: &[Answer] = &[
    Answer::value("force_max", "N", "Largest friction force (Pa for a law of tractions)."),
    Answer::value("breakaway", "N", "First peak of the friction force, or its end where it only rises."),
    Answer::value("peaks", "1", "Largest friction coefficient of each slide."),
    Answer::value("slide_start.<quantity>", "", "A state at the start of each slide: a list."),
    Answer::value(
        "slide_end.<quantity>",
        "",
        "Friction, slip, a state, or a quantity of the law's own at the end of each slide: a list.",
    ),
    Answer::value(
        "loop_area",
        "J",
        "Energy lost in the last cycle, or in the last step that follows a force back to where it began (J/m^2 for a law \
         of tractions).",
    ),
    Answer::value("probe.<quantity>", "", "A probed quantity at the times given: a list."),
    Answer::value("probe.<quantity>.max", "", "Its largest value, with `over`."),
    Answer::value("probe.<quantity>.min", "", "Its smallest value."),
    Answer::table("path", "Along the program: t, slip, slip velocity, friction, forces, states."),
];

/// Relative tolerance unless given.
const RTOL: f64 = 1e-9;

/// A law put through a program.
#[derive(Clone, Debug)]
pub struct Hysteresis {
    /// Relative tolerance.
    pub rtol: f64,
}

pub fn read(keys: &mut dyn Keys) -> Result<Box<dyn Analysis>, Refused> {
    let rtol = keys.number(Ask::new("rtol", "1", "Relative tolerance").or(RTOL).min(1e-13).max(1e-2))?;
    Ok(Box::new(Hysteresis { rtol }))
}

/// Whether a program changes the load.
fn loaded(steps: &[ProgramStep]) -> bool {
    steps.iter().any(|step| matches!(step, ProgramStep::Normal { .. }))
}

impl Analysis for Hysteresis {
    fn refuse(&self, model: &Model) -> Option<Refused> {
        let refuse = |key: &str, text: String| Some(Refused::new(key, "analysis::not-served", text));
        if !model.structure.is_empty() {
            return refuse(
                "structure.kind",
                "a hysteresis loop is asked of a point; this structure has inertia".into(),
            )
            .map(|e| e.hint("use structure kind \"point\", or analysis kind \"transient\""));
        }
        let [contact] = model.contacts.as_slice() else {
            return refuse("contact", "a point has exactly one contact".into());
        };
        let claims = contact.friction.claims();
        let unfit = [
            (claims.stepped, "has no rate form"),
            (claims.history, "needs history"),
            (claims.force_rate, "reads the rate of a tangential force, which a prescribed motion has not"),
            (claims.approach, "reads the approach or the real area"),
        ];
        for (claimed, what) in unfit {
            if claimed {
                let text = format!("the law `{}` {what}, which a hysteresis loop does not serve", contact.friction_law);
                return refuse("contact.friction.law", text);
            }
        }
        if !contact.normal.claims().fixed_load {
            return refuse("contact.normal.law", "a point needs a load that does not depend on the motion".into());
        }
        let Some(program) = &model.loading.program else {
            return refuse("drive.kind", "a hysteresis loop needs drive kind \"program\"".into());
        };
        if claims.constant_load && (contact.load_varies() || loaded(&program.steps)) {
            let text =
                format!("the law `{}` is derived for a constant load, and this one varies", contact.friction_law);
            return refuse("contact.friction.law", text);
        }
        for step in &program.steps {
            match step {
                ProgramStep::Force { .. } if claims.set_valued => {
                    let text = "a set-valued law does not move under a force below its limit, and runs away above it";
                    return refuse("drive.steps", text.into());
                }
                ProgramStep::Force { .. } if contact.friction.directions() == 2 => {
                    return refuse("drive.steps", "a force is followed in one direction only".into());
                }
                ProgramStep::Velocity { velocity, .. } if velocity.len() > contact.friction.directions() => {
                    return refuse("drive.steps", "a velocity with two components needs contact.directions = 2".into());
                }
                _ => {}
            }
        }
        initial(&mut Dynamics::new(model)?).err()
    }

    fn run(&self, model: &Model, context: &Context) -> Outcome {
        let failed = |text: String| Outcome { status: Status::Failed, reason: Some(text), ..Outcome::default() };
        let Some(mut dynamics) = Dynamics::new(model) else { return failed("no equations".into()) };
        let z = match initial(&mut dynamics) {
            Ok(z) => z,
            Err(e) => return failed(e.message),
        };
        let mut path = Path::new(dynamics, self.rtol, z, context);
        let steps = model.loading.program.as_ref().map_or(&[][..], |p| &p.steps);
        let broken = steps.iter().enumerate().find_map(|(k, step)| {
            context.report(k as f64 / steps.len() as f64);
            path.follow(step).err()
        });
        path.outcome(broken)
    }
}
