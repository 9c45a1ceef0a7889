//! What a structure leaves open until its contact and its law are known: a stiffness per normal load, a slider without mass,
//! damping as a part of the critical one.
use crate::Dynamics;
use crate::starts::equilibrium::damped;
use crate::starts::start::steady_states;
use std::sync::Arc;
use stickslip_laws::{Friction, Mode, Slide};
use stickslip_model::Model;
use stickslip_structures::{Refused, Structure};

/// Mass per normal load, kg/N, that takes the place of none. Its inertia changes the velocity of a slider by a part of
/// 1e-12 N v'/(dF/dv v): at accelerations of 1 m/s^2 and a direct effect of 0.01 by 1e-10. The balance of forces is so
/// reached within nanoseconds, and the integrator, which is stiffly accurate, steps over that.
const NO_MASS: f64 = 1e-12;
/// Speeds at which the friction of a slider without mass must grow with its velocity, m/s: decades from the first to the last.
const SPEEDS: [i32; 2] = [-13, 0];
/// Part by which a speed is changed to see whether friction grows.
const CHANGE: f64 = 1e-3;

/// The model with what its structure leaves open.
pub fn completed(model: Model) -> Result<Model, Refused> {
    let massless = model.structure.len() == 1 && model.structure.mass[0] == 0.0;
    if !massless && !model.structure.per_load {
        return damped(model);
    }
    let load = load(&model, massless)?;
    let s = &*model.structure;
    let mut structure = Structure { per_load: false, ..s.clone() };
    if s.per_load {
        structure.stiffness.iter_mut().for_each(|k| *k *= load);
    }
    if massless {
        unique_velocity(&model)?;
        structure.mass = vec![NO_MASS * load];
    }
    damped(Model { structure: Arc::new(structure), ..model })
}

/// The constant load of the only contact.
fn load(model: &Model, massless: bool) -> Result<f64, Refused> {
    let (key, what) = match massless {
        true => ("structure.mass", "a slider without mass"),
        false => ("structure.stiffness", "a stiffness per normal load"),
    };
    let refuse = |why: &str| {
        let e = Refused::new(key, "structure::load-needed", format!("{what} needs {why}"));
        e.expected("one contact with a constant load").hint("contact.normal = { law = \"constant\", force = \"1 kN\" }")
    };
    let [contact] = &model.contacts[..] else { return Err(refuse("one contact, whose load is known")) };
    // Any mass will do to ask for the load; that of a weight is the block's own.
    let structure = Structure { mass: vec![1.0; model.structure.mass.len()], ..(*model.structure).clone() };
    let other = Model { structure: Arc::new(structure), ..model.clone() };
    let dynamics = Dynamics::new(&other).ok_or_else(|| refuse("a load that is given"))?;
    let (a, b) = dynamics.sites[0].fixed_load.ok_or_else(|| refuse("a load that does not follow the motion"))?;
    if b != 0.0 && !contact.given.is_constant() {
        return Err(refuse("a load that stays constant"));
    }
    let load = a + b * contact.given.value(0.0);
    if !(load.is_finite() && load > 0.0) {
        return Err(refuse("a load above 0, and this one is not"));
    }
    Ok(load)
}

/// Refuses laws under which the balance of forces does not give one velocity.
fn unique_velocity(model: &Model) -> Result<(), Refused> {
    let contact = &model.contacts[0];
    let name = contact.friction_law;
    let refuse = |why: String| {
        let e = Refused::new("structure.mass", "structure::massless", format!("`mass` = 0: {why}"));
        let e = e.expected("a law whose friction grows with the velocity at given states, such as \"rate-state\"");
        e.hint("give a mass: try --set structure.mass=\"1 g\"")
    };
    let claims = contact.friction.claims();
    if claims.set_valued {
        return Err(refuse(format!(
            "the law `{name}` is set-valued: in stick the balance of forces gives no velocity"
        )));
    }
    if claims.unsteady || claims.history || claims.position {
        return Err(refuse(format!("the law `{name}` has no steady sliding at which its velocity could be unique")));
    }
    let load = load(model, true)?;
    let pressure = if claims.traction { load / contact.area } else { load };
    let damping = model.structure.damping[0] / if claims.traction { contact.area } else { 1.0 };
    let speeds = || (SPEEDS[0]..=SPEEDS[1]).map(|decade| 10f64.powi(decade));
    for steady in speeds() {
        let mut z: Vec<f64> = contact.friction.states().iter().map(|s| s.start).collect();
        let at = |v: f64| Slide::new([v, 0.0], pressure).with_mode(Mode::slipping(v));
        if steady_states(model, 0, &at(steady), &mut z).is_err() {
            continue;
        }
        let force = |v: f64| {
            let mut answer = [Friction::Cone { hold: 0.0, strength: 0.0 }];
            contact.friction.respond(&[at(v)], &z, &mut vec![0.0; z.len()], &mut answer);
            match answer[0] {
                Friction::Force(f) => f[0],
                Friction::Cone { strength, .. } => strength,
            }
        };
        for v in speeds() {
            let slope = (force(v * (1.0 + CHANGE)) - force(v)) / (v * CHANGE) + damping;
            if slope.is_nan() || slope <= 0.0 {
                return Err(refuse(format!(
                    "friction of the law `{name}` does not grow with the velocity at {v:e} m/s: the velocity that balances \
                     the forces is not unique"
                )));
            }
        }
    }
    Ok(())
}
