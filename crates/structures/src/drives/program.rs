//! A list of steps for a point.
use crate::{Ask, Keys, Loading, Program, ProgramStep, Refused};

pub const NAME: &str = "program";
pub const ABOUT: &str =
    "Steps that a point is put through: slide, unload, hold, cycle, follow a velocity, a force or a load.";

/// Most cycles of a step: every one of them is kept.
const MOST_CYCLES: f64 = 1e5;

pub fn read(keys: &mut dyn Keys, _: usize, loading: &mut Loading) -> Result<(), Refused> {
    let mut program = Program::default();
    let found = keys.tables("steps", "The steps, one after the other", &mut |step| {
        program.steps.push(read_step(step)?);
        Ok(())
    })?;
    if !found || program.steps.is_empty() {
        return Err(keys.refuse("steps", "scenario::missing", "a program needs `steps`".into()));
    }
    loading.program = Some(program);
    Ok(())
}

fn read_step(keys: &mut dyn Keys) -> Result<ProgramStep, Refused> {
    let duration = |keys: &mut dyn Keys| keys.number(Ask::new("duration", "s", "Length of the step").above(0.0));
    if keys.has("slide") {
        let distance = keys.number(Ask::new("slide", "m", "Distance to slide").min(0.0))?;
        let velocity = keys.number(Ask::new("velocity", "m/s", "Velocity; its sign is the direction"))?;
        if velocity == 0.0 {
            return Err(keys.refuse("velocity", "drive::out-of-range", "a slide needs a velocity other than 0".into()));
        }
        return Ok(ProgramStep::Slide { distance, velocity });
    }
    if keys.has("unload") {
        // `true` means all of it, a number the part that stays.
        let to = match keys.number(Ask::new("unload", "1", "Part of the friction force that stays").min(0.0).max(1.0)) {
            Ok(part) => part,
            Err(e) => match keys.flag("unload", "Unload altogether") {
                Ok(true) => 0.0,
                _ => return Err(e),
            },
        };
        return Ok(ProgramStep::Unload { to });
    }
    if keys.has("hold") {
        return Ok(ProgramStep::Hold { duration: keys.number(Ask::new("hold", "s", "Time to hold still").min(0.0))? });
    }
    let mut cycle = None;
    keys.table("cycle", "Motion to and fro", &mut |c| {
        cycle = Some(ProgramStep::Cycle {
            amplitude: c.number(Ask::new("amplitude", "m", "Amplitude").min(0.0))?,
            frequency: c.number(Ask::new("frequency", "Hz", "Cycles per second").above(0.0))?,
            count: c.number(Ask::new("count", "1", "Number of cycles").or(1.0).above(0.0).max(MOST_CYCLES))?,
        });
        Ok(())
    })?;
    if let Some(step) = cycle {
        return Ok(step);
    }
    if keys.has("force") || keys.has_table("force") {
        let force = keys.signal(Ask::new("force", "N", "Friction force to follow"))?;
        return Ok(ProgramStep::Force { force, duration: duration(keys)? });
    }
    if keys.has("normal") || keys.has_table("normal") {
        let force = keys.signal(Ask::new("normal", "N", "Normal force or pressure to follow"))?;
        return Ok(ProgramStep::Normal { force, duration: duration(keys)? });
    }
    if keys.has("spin") {
        let rate = keys.number(Ask::new("spin", "rad/s", "Spin of the contact frame"))?;
        return Ok(ProgramStep::Spin { rate, duration: duration(keys)? });
    }
    if keys.has("velocity") || keys.has_table("velocity") {
        let velocity = keys.signals(Ask::new("velocity", "m/s", "Velocity to follow"), 0)?;
        return Ok(ProgramStep::Velocity { velocity, duration: duration(keys)? });
    }
    let e = keys.refuse(
        "",
        "drive::unknown-step",
        "this step says neither slide, unload, hold, cycle, force, velocity, normal nor spin".into(),
    );
    Err(e)
}
