//! A list of steps that a point or a structure is put through.
use crate::{Ask, Keys, Loading, Moves, Program, ProgramStep, Refused};

pub const NAME: &str = "program";
pub const ABOUT: &str =
    "Steps that a point or a structure is put through: slide, unload, hold, cycle, follow a velocity, a displacement, a \
force or a load.

{ slide = \"1 mm\", velocity = \"0.1 mm/s\" }, { hold = \"10 s\" }, { unload = true } or { unload = 0.5 }
{ cycle = { amplitude = \"1 mm\", frequency = \"1 Hz\", count = 3 } }, or { cycle = { force = \"2 N\", .. } }
{ velocity = f(t), duration }, { displacement = f(t), duration }, { force = f(t), duration }
{ normal = f(t), duration } stands still; `normal` beside any other of these is the load in that step. It stays.
{ spin = \"0.2 rad/s\", duration } turns the frame of a point in two directions, which holds still in fixed ones; `spin`
beside a motion turns it in that step. What the law remembers as a vector turns along.

A point follows its steps exactly. On a structure they move the far end of its spring (`moves` = \"driver\") or the surface
under it (\"surface\"); forces act on the first coordinate, and a program of forces has no other steps.";

/// Most cycles of a step: the values of each are kept, the rows of the first and last ones.
const MOST_CYCLES: f64 = 1e6;

pub fn read(keys: &mut dyn Keys, size: usize, loading: &mut Loading) -> Result<(), Refused> {
    let mut program = Program::default();
    let found = keys.tables("steps", "The steps, one after the other", &mut |step| {
        program.steps.push(read_step(step)?);
        Ok(())
    })?;
    if !found || program.steps.is_empty() {
        return Err(keys.refuse("steps", "scenario::missing", "a program needs `steps`".into()));
    }
    if size > 0 {
        let about = "What moves: the far end of the spring, or the surface";
        program.moves = [Moves::Driver, Moves::Surface][keys.choice("moves", &["driver", "surface"], false, about)?];
        program.drive(size, loading).map_err(|text| keys.refuse("steps", "drive::not-served", text))?;
    }
    loading.program = Some(program);
    Ok(())
}

/// A step, and the load under which it happens.
fn read_step(keys: &mut dyn Keys) -> Result<ProgramStep, Refused> {
    let load = |keys: &mut dyn Keys| {
        let given = keys.has("normal") || keys.has_table("normal");
        given.then(|| keys.signal(Ask::new("normal", "N", "Normal force or pressure to follow"))).transpose()
    };
    let spin = |keys: &mut dyn Keys| {
        keys.has("spin").then(|| keys.number(Ask::new("spin", "rad/s", "Spin of the contact frame"))).transpose()
    };
    let (motion, normal, rate) = (read_motion(keys)?, load(keys)?, spin(keys)?);
    let mut step = match motion {
        Some(step) => step,
        None if normal.is_some() || rate.is_some() => ProgramStep::Hold { duration: duration(keys)? },
        None => {
            let text =
                "this step says neither slide, unload, hold, cycle, displacement, force, velocity, normal nor spin";
            return Err(keys.refuse("", "drive::unknown-step", text.into()));
        }
    };
    if matches!(step, ProgramStep::Unload { .. }) && (normal.is_some() || rate.is_some()) {
        let key = if normal.is_some() { "normal" } else { "spin" };
        let text = format!("an unloading takes no time: `{key}` needs a step of its own");
        return Err(keys.refuse(key, "drive::not-served", text));
    }
    if let Some(rate) = rate {
        step = ProgramStep::Spun { rate, step: Box::new(step) };
    }
    if let Some(normal) = normal {
        step = ProgramStep::Loaded { normal, step: Box::new(step) };
    }
    Ok(step)
}

fn duration(keys: &mut dyn Keys) -> Result<f64, Refused> {
    keys.number(Ask::new("duration", "s", "Length of the step").above(0.0))
}

fn read_motion(keys: &mut dyn Keys) -> Result<Option<ProgramStep>, Refused> {
    if keys.has("slide") {
        let distance = keys.number(Ask::new("slide", "m", "Distance to slide").min(0.0))?;
        let velocity = keys.number(Ask::new("velocity", "m/s", "Velocity; its sign is the direction"))?;
        if velocity == 0.0 {
            return Err(keys.refuse("velocity", "drive::out-of-range", "a slide needs a velocity other than 0".into()));
        }
        return Ok(Some(ProgramStep::Slide { distance, velocity }));
    }
    if keys.has("unload") {
        // `true` means all of it, a number the part that stays.
        let to = match keys.number(Ask::new("unload", "1", "Part of the force that stays").min(0.0).max(1.0)) {
            Ok(part) => part,
            Err(e) => match keys.flag("unload", "Unload altogether") {
                Ok(true) => 0.0,
                _ => return Err(e),
            },
        };
        return Ok(Some(ProgramStep::Unload { to }));
    }
    if keys.has("hold") {
        let duration = keys.number(Ask::new("hold", "s", "Time to hold still").min(0.0))?;
        return Ok(Some(ProgramStep::Hold { duration }));
    }
    let mut cycle = None;
    keys.table("cycle", "Motion or force to and fro", &mut |c| {
        let forced = c.has("force");
        let amplitude = match forced {
            true => c.number(Ask::new("force", "N", "Amplitude of a force, in place of a motion").min(0.0))?,
            false => c.number(Ask::new("amplitude", "m", "Amplitude").min(0.0))?,
        };
        let frequency = c.number(Ask::new("frequency", "Hz", "Cycles per second").above(0.0))?;
        let count = c.number(Ask::new("count", "1", "Number of cycles").or(1.0).above(0.0).max(MOST_CYCLES))?;
        cycle = Some(match forced {
            true => ProgramStep::ForceCycle { amplitude, frequency, count },
            false => ProgramStep::Cycle { amplitude, frequency, count },
        });
        Ok(())
    })?;
    if cycle.is_some() {
        return Ok(cycle);
    }
    if keys.has("force") || keys.has_table("force") {
        let force = keys.signal(Ask::new("force", "N", "Force to follow"))?;
        return Ok(Some(ProgramStep::Force { force, duration: duration(keys)? }));
    }
    if keys.has("displacement") || keys.has_table("displacement") {
        let ask = Ask::new("displacement", "m", "Displacement to follow; only its changes count");
        let displacement = keys.signal(ask)?;
        return Ok(Some(ProgramStep::Displacement { displacement, duration: duration(keys)? }));
    }
    if keys.has("velocity") || keys.has_table("velocity") {
        let velocity = keys.signals(Ask::new("velocity", "m/s", "Velocity to follow"), 0)?;
        return Ok(Some(ProgramStep::Velocity { velocity, duration: duration(keys)? }));
    }
    Ok(None)
}
