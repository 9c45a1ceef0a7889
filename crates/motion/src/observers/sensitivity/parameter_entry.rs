//! How each parameter enters the model: found once, by looking at neighbouring models.
use stickslip_dynamics::{Dynamics, ParameterEntry, Site};
use stickslip_laws::{Given, GivenLaw, Values};
use stickslip_model::Context;
use stickslip_model::{Contact, Model};

/// Distance at which neighbours are looked at, as part of the number's own size.
const NEAR: f64 = 1e-3;
/// Changes agree to this part of the larger.
const SAME: f64 = 1e-9;

/// The way in which each parameter enters; or why the equations of neighbouring models are needed.
pub fn ways(settings: &[(&str, f64)], bounds: &[[f64; 2]], context: &Context) -> Result<Vec<ParameterEntry>, String> {
    let own = context.model_at(settings)?;
    if let Some(why) = not_given(&own) {
        return Err(why.into());
    }
    let one = |k: usize| {
        // What a path below these tables leads to changes nothing else.
        let (path, x) = settings[k];
        let contact = path.starts_with("contact") && (path.contains(".friction.") || path.contains(".normal."));
        if !contact && !path.starts_with("structure.") {
            return Err(format!("`{path}`, which is none of a friction law, a load or a structure"));
        }
        let size = NEAR * if x != 0.0 { x.abs() } else { 1.0 };
        let step = if x + 2.0 * size <= bounds[k][1] { size } else { -size };
        let near = |times: f64| {
            let mut moved = settings.to_vec();
            moved[k].1 = x + times * step;
            let near = context.model_at(&moved)?;
            changes(&own, &near, times * step, path.contains(".normal."))
                .ok_or_else(|| format!("`{path}`, which changes more than numbers of laws, loads and matrices"))
        };
        let once = near(1.0)?;
        match alike(&once, &near(2.0)?) {
            true => Ok(once),
            false => Err(format!("`{path}`, which does not enter in proportion")),
        }
    };
    (0..settings.len()).map(one).collect()
}

/// Why dual numbers do not serve a model: they do for laws that are known by their own bodies, under loads that are given.
pub fn not_given(model: &Model) -> Option<&'static str> {
    let Some(dynamics) = Dynamics::new(model) else { return Some("a singular mass matrix") };
    let contact = |holds: &dyn Fn(&Contact) -> bool| model.contacts.iter().any(holds);
    let site = |holds: &dyn Fn(&Site) -> bool| dynamics.sites.iter().any(holds);
    let why = [
        (contact(&|c| c.friction.seeds().is_none()), "a law without derivatives in its numbers"),
        (dynamics.controls.presses(), "a load that a controller adds to"),
        (contact(&|c| c.friction.coupling().is_some()), "a law that couples points"),
        (contact(&|c| c.friction.claims().history), "a law that reads the past"),
        (contact(&|c| c.friction.claims().force_rate), "a law that reads how fast the force grows"),
        (contact(&|c| c.friction.claims().approach || c.friction.claims().real_area), "a law that reads the approach"),
        (site(&|s| s.rigid.is_some() || s.fixed_load.is_none() || s.edge.is_some()), "a load that is not given"),
        // A point without coordinates moves as its program says; else friction turns with the slip in two directions.
        (site(&|s| s.plane && dynamics.n > 0), "slip in two directions on a structure"),
    ];
    why.into_iter().find(|(holds, _)| *holds).map(|(_, why)| why)
}

/// What differs between two models, per change of the parameter; None where more differs than laws and matrices.
fn changes(a: &Model, b: &Model, step: f64, loads: bool) -> Option<ParameterEntry> {
    let mut way = ParameterEntry::default();
    let (before, after) = (Dynamics::new(a)?, Dynamics::new(b)?);
    let sites = |d: &Dynamics| -> Vec<_> { d.sites.iter().map(|s| (s.traction_area, s.states)).collect() };
    // A load that is a function of time may change as a whole.
    let function = before.given.iter().chain(&after.given).any(|s| !s.is_constant());
    if sites(&before) != sites(&after) || (loads && function) {
        return None;
    }
    let all = |d: &Dynamics| {
        let one = |s: &Site| Some((s.fixed_load?, d.given[s.contact].value(0.0)));
        let plain = |((a, b), x): ((f64, f64), f64)| if function { (a, b) } else { (a + b * x, 0.0) };
        d.sites.iter().map(|s| one(s).map(plain)).collect::<Option<Vec<_>>>()
    };
    let (own, other) = (all(&before)?, all(&after)?);
    if own != other {
        let one = |(x, y): (&(f64, f64), &(f64, f64))| ((y.0 - x.0) / step, (y.1 - x.1) / step);
        way.loads = own.iter().zip(&other).map(one).collect();
    }
    let (s, mut other) = (&*a.structure, (*b.structure).clone());
    for (slot, (x, y)) in way.matrices.iter_mut().zip([
        (&s.mass, &other.mass),
        (&s.stiffness, &other.stiffness),
        (&s.damping, &other.damping),
    ]) {
        if x != y {
            *slot = x.iter().zip(y).map(|(x, y)| (y - x) / step).collect();
        }
    }
    (other.mass, other.stiffness, other.damping) = (s.mass.clone(), s.stiffness.clone(), s.damping.clone());
    if *s != other {
        return None;
    }
    for (c, (x, y)) in a.contacts.iter().zip(b.contacts.iter()).enumerate() {
        let (a, b) = (&x.friction.seeds()?.1, &y.friction.seeds()?.1);
        let (x, y) = (numbers(a), numbers(b));
        // What is no number of a law can't be followed.
        if x.len() != y.len() || without(a) != without(b) {
            return None;
        }
        for ((name, index, x), (other, at, y)) in x.into_iter().zip(y) {
            if name != other || index != at {
                return None;
            }
            if x != y {
                way.laws.push((c, name, index, (y - x) / step));
            }
        }
    }
    Some(way)
}

/// Whether two ways are one: the parameter enters in proportion.
fn alike(a: &ParameterEntry, b: &ParameterEntry) -> bool {
    let close = |x: f64, y: f64| (x - y).abs() <= SAME * x.abs().max(y.abs());
    let laws = a.laws.len() == b.laws.len()
        && a.laws.iter().zip(&b.laws).all(|(x, y)| (x.0, &x.1, x.2) == (y.0, &y.1, y.2) && close(x.3, y.3));
    let matrices = a.matrices.iter().zip(&b.matrices).all(|(x, y)| {
        let largest = x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        x.len() == y.len() && x.iter().zip(y).all(|(x, y)| (x - y).abs() <= SAME * largest)
    });
    let loads =
        a.loads.len() == b.loads.len() && a.loads.iter().zip(&b.loads).all(|(x, y)| close(x.0, y.0) && close(x.1, y.1));
    laws && matrices && loads
}

/// The numbers of a law and of those inside it, as its lift names them.
fn numbers(values: &Values) -> Vec<(String, usize, f64)> {
    let mut all = vec![];
    for (name, value) in &values.0 {
        match value {
            Given::Number(x) => all.push((name.to_string(), 0, *x)),
            Given::List(list) => all.extend(list.iter().enumerate().map(|(i, x)| (name.to_string(), i, *x))),
            Given::Rows(rows) => {
                all.extend(rows.iter().enumerate().filter_map(|(i, r)| Some((name.to_string(), i, *r.get(1)?))))
            }
            Given::Named(list) => all.extend(list.iter().filter_map(|(key, value)| match value {
                Given::Number(x) | Given::Quantity(x, _) => Some((format!("{name}.{key}"), 0, *x)),
                _ => None,
            })),
            Given::Law(inner) => {
                all.extend(numbers(&inner.values).into_iter().map(|(own, i, x)| (format!("{name}.{own}"), i, x)))
            }
            Given::Word(_) | Given::Quantity(..) => {}
        }
    }
    all
}

/// A law's values but for those numbers.
fn without(values: &Values) -> Values {
    let one = |value: &Given| match value {
        Given::Number(_) => Given::Number(0.0),
        Given::List(list) => Given::List(vec![0.0; list.len()]),
        Given::Rows(rows) => {
            let row = |row: &Vec<f64>| row.iter().enumerate().map(|(i, x)| if i == 1 { 0.0 } else { *x }).collect();
            Given::Rows(rows.iter().map(row).collect())
        }
        Given::Named(list) => Given::Named(list.iter().map(|(key, value)| (key.clone(), still(value))).collect()),
        Given::Law(inner) => Given::Law(Box::new(GivenLaw { kind: inner.kind, values: without(&inner.values) })),
        other => other.clone(),
    };
    Values(values.0.iter().map(|(name, value)| (*name, one(value))).collect())
}

fn still(value: &Given) -> Given {
    match value {
        Given::Number(_) => Given::Number(0.0),
        Given::Quantity(_, dimension) => Given::Quantity(0.0, *dimension),
        other => other.clone(),
    }
}
