//! Records that are no motion: steady curves, approaches.
use crate::records::Record;
use stickslip_dynamics::Dynamics;
use stickslip_dynamics::start::steady_states;
use stickslip_laws::{Friction, Mode, Normal, Press, Slide};
use stickslip_model::Model;

/// What nothing in the model is compared with.
pub fn not_measured(record: &Record) -> String {
    format!("a {} record has no `{}`", record.kind_name(), record.observed.0)
}

/// Friction in steady sliding at the velocities of a record.
pub fn steady_curve(record: &Record, model: &Model) -> Result<Vec<f64>, String> {
    let dynamics = Dynamics::new(model).ok_or("the mass matrix is singular")?;
    let site = dynamics.sites.first().ok_or("a steady curve needs a contact")?;
    let (a, b) = site.fixed_load.ok_or("a steady curve needs a load that is given")?;
    let (load, area) = (a + b * dynamics.given[0].value(0.0), site.traction_area.unwrap_or(1.0));
    let friction = &model.contacts[0].friction;
    if friction.claims().position {
        return Err("a steady curve gives no positions, which the friction law reads".into());
    }
    let one = |v: &f64| {
        let slide = Slide::new([*v, 0.0], load / area).with_mode(Mode::slipping(*v));
        let mut z: Vec<f64> = friction.states().iter().map(|s| s.start).collect();
        steady_states(model, 0, &slide, &mut z).map_err(|e| e.message)?;
        let mut answer = [Friction::Cone { hold: 0.0, strength: 0.0 }];
        friction.respond(&[slide], &z, &mut vec![0.0; z.len()], &mut answer);
        let force = area
            * match answer[0] {
                Friction::Cone { strength, .. } => strength * v.signum(),
                Friction::Force(f) => f[0],
            };
        match record.observed.0 {
            "friction" => Ok(force / load),
            "force" => Ok(force),
            _ => Err(not_measured(record)),
        }
    };
    record.x.iter().map(one).collect()
}

/// The normal law at the approaches of a record.
pub fn approach(record: &Record, model: &Model) -> Result<Vec<f64>, String> {
    let contact = model.contacts.first().ok_or("an approach needs a contact")?;
    if contact.normal.claims().fixed_load || contact.is_rigid() {
        return Err(format!("the normal law `{}` does not follow the approach", contact.normal_law));
    }
    let one = |x: &f64| {
        let mut press = Press::new(-x, 0.0);
        press.area = contact.area;
        press.mass = contact.mass;
        let z: Vec<f64> = contact.normal.states().iter().map(|s| s.start).collect();
        let mut answer = [Normal::none()];
        contact.normal.respond(&[press], &z, &mut answer);
        match answer {
            [Normal::Force { n, .. }] => match record.observed.0 {
                "pressure" => Ok(n / contact.area),
                "force" => Ok(n),
                _ => Err(not_measured(record)),
            },
            _ => Err("the contact is rigid".into()),
        }
    };
    record.x.iter().map(one).collect()
}
