//! The signature of a normal law: force and real area over the approach.
//!
//! A law that remembers is led there and back and there again, and meets its own events on the way.
use super::Signature;
use stickslip_data::Table;
use stickslip_laws::{Event, Mode, Normal, NormalFace, NormalGroup, NormalKind, Press, Pressing, State};
use stickslip_model::Model;
use stickslip_report::{readable, xy};
use stickslip_scenario::{Catalogue, Scenario};

/// Parts of each way.
const PARTS: usize = 120;
/// Where a law that remembers is first turned back, over the whole approach.
const TURN: f64 = 0.7;

/// The signature of a normal law; none for one without an example. What went wrong is reported in words.
///
/// ```
/// let kind = stickslip::laws::normal_kinds().iter().find(|k| k.name == "hertz").unwrap();
/// let signature = stickslip::normal_signature(kind).unwrap().unwrap();
/// assert!(signature.figure.title.starts_with("hertz"));
/// ```
pub fn normal_signature(kind: &NormalKind) -> Option<Result<Signature, String>> {
    kind.example.map(|example| drawn(kind, example))
}

/// The example as a scenario has it: `normal = { law = "power", c = .., m = 2 }`.
pub fn normal_usage(kind: &NormalKind) -> Option<String> {
    kind.example.map(|e| format!("normal = {{ law = \"{}\", {} }}", kind.name, e.parameters.replace('\'', "\"")))
}

/// The states of the law with the parameters of its example.
pub(super) fn states(kind: &NormalKind, example: Pressing) -> Vec<State> {
    model(kind, example).map_or(vec![], |model| model.contacts[0].normal.states().to_vec())
}

/// A point whose contact has the law of the example.
fn model(kind: &NormalKind, example: Pressing) -> Result<Model, String> {
    let text = format!(
        "structure = {{ kind = 'point' }}\nanalysis = {{ kind = 'evaluate', inputs = {{ gap = 0 }} }}\n[contact]\n\
         normal = {{ law = '{}', {} }}\nfriction = {{ law = 'coulomb', mu = 0 }}\n",
        kind.name, example.parameters,
    );
    let scenario = Scenario::from_text(kind.name, &text, &[]).map_err(|e| e.to_string())?;
    let scenario = scenario.with_catalogue(Catalogue { normals: vec![*kind], ..Catalogue::default() });
    let prepared = scenario.prepare().map_err(|e| e.to_string())?;
    let model = prepared.into_iter().next().map(|p| p.model).filter(|m| !m.contacts.is_empty());
    Ok(model.ok_or("a point has one contact")?)
}

fn drawn(kind: &NormalKind, example: Pressing) -> Result<Signature, String> {
    let model = model(kind, example)?;
    let group = &*model.contacts[0].normal;
    let remembers = !group.states().is_empty();
    let Pressing { opening, approach, .. } = example;
    if kind.claims.position {
        return along(kind, group, (-opening, approach));
    }
    let turn = TURN * (opening + approach) - opening;
    let ways = match remembers {
        true => vec![(-opening, turn), (turn, -opening), (-opening, approach)],
        false => vec![(-opening, approach)],
    };
    let rows = led(group, &ways);
    let mut table = Table::new("signature");
    let load = if kind.claims.traction { ("pressure", "Pa") } else { ("normal force", "N") };
    let area = if kind.claims.traction { ("real area over nominal area", "1") } else { ("real area", "m^2") };
    table.push("approach", "m", rows.iter().map(|r| r[0]).collect::<Vec<f64>>());
    table.push(load.0, load.1, rows.iter().map(|r| r[1]).collect::<Vec<f64>>());
    table.push(area.0, area.1, rows.iter().map(|r| r[2]).collect::<Vec<f64>>());
    let panel = |name: &str| xy(&table, "approach", name).map(|f| f.linear()).map_err(|e| e.to_string());
    let mut figure = panel(load.0)?.over(panel(area.0)?);
    figure.name = kind.name.into();
    figure.title = format!("{}: {} and real area over the approach", kind.name, load.0);
    figure.note = match remembers {
        true => format!("to {}, back, and to {}", readable(turn, "m"), readable(approach, "m")),
        false => format!("from {} to {}", readable(-opening, "m"), readable(approach, "m")),
    };
    Ok(Signature { table, figure })
}

/// A law that reads where the contact is: force over the displacement along it, at rest.
fn along(kind: &NormalKind, group: &dyn NormalGroup, (from, to): (f64, f64)) -> Result<Signature, String> {
    let places: Vec<f64> = (0..=PARTS).map(|k| from + (to - from) * k as f64 / PARTS as f64).collect();
    let z: Vec<f64> = group.states().iter().map(|s| s.start).collect();
    let force = |u: &f64| {
        let mut at = Press::new(0.0, 0.0);
        at.u = *u;
        let mut out = [Normal::none()];
        NormalFace::<f64>::respond(group, &[at], &z, &mut out);
        if let Normal::Force { n, .. } = out[0] { n } else { f64::NAN }
    };
    let mut table = Table::new("signature");
    table.push("displacement", "m", places.clone());
    table.push("normal force", "N", places.iter().map(force).collect::<Vec<f64>>());
    let mut figure = xy(&table, "displacement", "normal force").map_err(|e| e.to_string())?.linear();
    figure.name = kind.name.into();
    figure.title = format!("{}: normal force over the displacement along the contact", kind.name);
    figure.note = "at rest".into();
    Ok(Signature { table, figure })
}

/// Approach, force and area along the ways, on a unit of area.
fn led(group: &dyn NormalGroup, ways: &[(f64, f64)]) -> Vec<[f64; 3]> {
    let mut z: Vec<f64> = group.states().iter().map(|s| s.start).collect();
    let (mut before, mut after, mut touched) = (vec![], vec![], false);
    let mut rows = vec![];
    for (from, to) in ways {
        for k in 0..=PARTS {
            let approach = from + (to - from) * k as f64 / PARTS as f64;
            let at = Press::new(-approach, (from - to).signum());
            // At the very place where surfaces meet or part, the way decides.
            let touches = group.touch(&at, &z).is_some_and(|touch| touch > 0.0 || (touch == 0.0 && to > from));
            if touches != touched {
                group.on(Event::Enter(if touches { Mode::Stick } else { Mode::Open }), &at, &mut z);
                touched = touches;
            }
            after.clear();
            group.guards(&[at], &z, &mut after);
            let changed = |(a, b): (&f64, &f64)| a * b < 0.0 || (*a != 0.0 && *b == 0.0);
            let event = before.iter().zip(&after).position(changed);
            if let Some(i) = event {
                group.on(Event::Guard(i), &at, &mut z);
                after.clear();
                group.guards(&[at], &z, &mut after);
            }
            before.clone_from(&after);
            let mut out = [Normal::none()];
            NormalFace::<f64>::respond(group, &[at], &z, &mut out);
            if let Normal::Force { n, area, .. } = out[0] {
                rows.push([approach, n, area]);
            }
        }
    }
    rows
}
