//! The friction law of a contact at given inputs.
use super::{Evaluate, Row, normal, pick};
use stickslip_dynamics::pressing;
use stickslip_dynamics::start::steady_states;
use stickslip_laws::{ContactGroup, Event, Failure, Friction, Mode, Slide};
use stickslip_model::Model;
use stickslip_real::Dual;

impl Evaluate {
    /// All outputs of one row: name, unit, value.
    pub(super) fn evaluate(&self, model: &Model, group: &dyn ContactGroup, k: usize) -> Result<Row, String> {
        let contact = &model.contacts[0];
        let traction = group.claims().traction;
        let pressed = normal::pressed(self, contact, k);
        let load = pressing(pressed.load) / if traction { contact.area } else { 1.0 };
        let n = pick(&self.normal, k, load);
        let v = pick(&self.velocity, k, 0.0);
        let mode = if self.mode == 1 { Mode::Stick } else { Mode::slipping(v) };
        let mut slide = Slide::new([v, 0.0], n).with_mode(mode).with_load_rate(pick(&self.load_rate, k, 0.0));
        (slide.area, slide.approach) = (pressed.area, pressed.approach);
        // The surface rests: what the point has slipped is what it was displaced.
        let displaced = [pick(&self.displacement, k, 0.0), 0.0];
        (slide.slip, slide.u) = (displaced, displaced);
        (slide.t, slide.seed) = (pick(&self.time, k, 0.0), model.seed);
        slide.lagged[0] = pick(&self.lagged_velocity, k, v);
        slide.force_rate = pick(&self.force_rate, k, 0.0);
        let states = group.states();
        let mut z: Vec<f64> = states
            .iter()
            .map(|s| {
                let given = self.states.iter().find(|(name, _)| *name == s.name);
                given.map_or(s.start, |(_, list)| pick(list, k, s.start))
            })
            .collect();
        let given = z.clone();
        group.on(0, Event::Start, &slide, &mut z);
        for (i, state) in states.iter().enumerate() {
            if self.states.iter().any(|(name, _)| *name == state.name) {
                z[i] = given[i];
            }
        }
        if self.steady {
            steady_states(model, 0, &slide, &mut z).map_err(|e| e.message)?;
        }
        let force_unit = if traction { "Pa" } else { "N" };
        let mut row: Row = vec![];
        let inputs = 2 + states.len();
        let (mut tangents, mut rates) = (vec![], vec![0.0; states.len()]);
        let mut push = |name: String, unit: String, x: f64| row.push((name, unit, x));
        for first in (0..inputs).step_by(4) {
            let seed = |x: f64, slot: usize| {
                if (first..first + 4).contains(&slot) { Dual::variable(x, slot - first) } else { Dual::constant(x) }
            };
            let mut at = slide.map(Dual::constant);
            at.v[0] = seed(v, 0);
            at.n = seed(n, 1);
            let zd: Vec<Dual<4>> = z.iter().enumerate().map(|(i, x)| seed(*x, 2 + i)).collect();
            let mut dz = vec![Dual::constant(0.0); z.len()];
            let mut answer = [Friction::Force([Dual::constant(0.0); 2])];
            group.respond(&[at], &zd, &mut dz, &mut answer);
            let direction = if v < 0.0 { -1.0 } else { 1.0 };
            let force = match answer[0] {
                Friction::Force(f) => f[0],
                Friction::Cone { hold, strength } => {
                    if first == 0 {
                        push("hold".into(), force_unit.into(), hold.re);
                        push("strength".into(), force_unit.into(), strength.re);
                    }
                    strength * direction
                }
            };
            if first == 0 {
                push("force".into(), force_unit.into(), force.re);
                push("friction".into(), "1".into(), per_load(force.re, n));
                for (slot, rate) in rates.iter_mut().zip(&dz) {
                    *slot = rate.re;
                }
            }
            tangents.extend((first..inputs.min(first + 4)).map(|c| force.eps[c - first]));
        }
        for (i, s) in states.iter().enumerate() {
            push(format!("state.{}", s.name), s.unit.to_string(), z[i]);
            push(format!("rate.{}", s.name), format!("{}/s", s.unit), rates[i]);
        }
        push("tangent.velocity".into(), format!("{force_unit} s/m"), tangents[0]);
        push("tangent.normal".into(), "1".into(), tangents[1]);
        for (i, s) in states.iter().enumerate() {
            push(format!("tangent.{}", s.name), format!("{force_unit}/({})", s.unit), tangents[2 + i]);
        }
        for (name, unit, x) in group.observe(0, &slide, &z) {
            push(name.into(), unit.into(), x);
        }
        if self.steady {
            push("steady_slope".into(), "s/m".into(), steady_slope(group, &slide, &z)?);
        }
        if self.normal.is_empty() && !contact.normal.claims().fixed_load {
            row.extend(normal::evaluate(self, contact, k));
        }
        Ok(row)
    }
}

/// What is a coefficient under a load; without one there is none.
fn per_load(force: f64, load: f64) -> f64 {
    if load > 0.0 { force / load } else { f64::NAN }
}

/// d(friction coefficient)/d(velocity) along steady states: a long implicit step carries its own derivative.
fn steady_slope(group: &dyn ContactGroup, slide: &Slide<f64, 2>, z: &[f64]) -> Result<f64, String> {
    let mut at = slide.map(Dual::<4>::constant);
    at.v[0] = Dual::variable(slide.v[0], 0);
    let z0: Vec<Dual<4>> = z.iter().map(|x| Dual::constant(*x)).collect();
    let mut z1 = z0.clone();
    let mut f = [[Dual::constant(0.0); 2]];
    // So long that the start no longer counts.
    match group.advance(1e18, &[at], &z0, &mut z1, &mut f) {
        Ok(()) => return Ok(per_load(f[0][0].eps[0], slide.n)),
        Err(Failure::SetValued) => (),
        Err(e) => return Err(e.to_string()),
    }
    let mut answer = [Friction::Force([Dual::constant(0.0); 2])];
    group.respond(&[at], &z1, &mut z0.clone(), &mut answer);
    match answer[0] {
        // The strength is a function of the speed; the friction has the sign of the velocity.
        Friction::Cone { strength, .. } => {
            Ok(per_load(if slide.v[0] < 0.0 { -strength.eps[0] } else { strength.eps[0] }, slide.n))
        }
        Friction::Force(f) => Ok(per_load(f[0].eps[0], slide.n)),
    }
}
