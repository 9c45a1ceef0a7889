//! What presses a contact: a load that is given, or a law that follows the gap.
use super::keys::Around;
use super::law::{DrawnLaw, parameters};
use super::signal::{Course, in_form};
use crate::dimension::Scale;
use crate::item::{Item, number, table, word};
use crate::random::Random;
use std::collections::HashMap;
use std::sync::OnceLock;
use stickslip::laws::{NormalKind, normal_kinds};

/// Where a law that follows the gap is at work: the approach, and its force or pressure there.
#[derive(Clone, Copy, Debug)]
pub struct Pressed {
    /// m; None for a rigid surface, which takes any load.
    pub at: Option<(f64, f64)>,
}

/// Where a normal law is at work, measured once on its example.
pub fn pressed(kind: &NormalKind) -> Pressed {
    static ALL: OnceLock<HashMap<&'static str, Pressed>> = OnceLock::new();
    let all = ALL.get_or_init(|| normal_kinds().iter().map(|k| (k.name, measured(k))).collect());
    all.get(kind.name).copied().unwrap_or_else(|| measured(kind))
}

fn measured(kind: &NormalKind) -> Pressed {
    let row = || {
        let table = stickslip::normal_signature(kind)?.ok()?.table;
        let column = |i: usize| table.columns.get(i)?.values.floats().map(<[f64]>::to_vec);
        let (approach, force) = (column(0)?, column(1)?);
        let length = (approach.last()? - approach.first()?).abs();
        Some((length, *force.last()?)).filter(|(a, f)| *a > 0.0 && *f > 0.0)
    };
    Pressed { at: row() }
}

/// Whether a normal law follows the gap.
pub fn follows(kind: &NormalKind) -> bool {
    !kind.claims.fixed_load && !kind.claims.position
}

/// Whether a law works under a load that follows the gap, at a point or spread over an edge.
pub fn bears(law: &DrawnLaw) -> bool {
    let c = law.kind.claims;
    let one = law.names.len() == 1;
    let follows = c.load_linear && !c.constant_load && !c.load_rate && !c.force_rate && !c.history && one;
    follows || c.approach || c.real_area
}

/// A law that follows the gap.
pub fn following(kind: &NormalKind, random: &Random) -> Item {
    let mut item = table([("law", word(kind.name))]);
    let length = pressed(kind).at.map_or(1.0, |(a, _)| a);
    let scale = Scale { length, ..Scale::ONE };
    let text = kind.example.map_or("", |e| e.parameters);
    parameters((kind.params, kind.one_of), text, false, &scale, &mut item, random);
    item
}

/// A load that is given: constant, of gravity, or a function of time around it.
pub fn given(kind: &NormalKind, law: &DrawnLaw, around: Around, part: f64, random: &Random) -> Item {
    let size = law.nominal.load * part;
    let (key, unit) = if law.kind.claims.traction { ("pressure", "Pa") } else { ("force", "N") };
    let mut item = table([("law", word(kind.name))]);
    if kind.claims.given {
        let course = Course { unit, size: 0.4 * size, time: around.scale.time, duration: around.duration };
        let form = *random.of(&["sine", "formula", "points", "pulse"]);
        let sum = Item::List(vec![number(size, unit), bounded(in_form(form, course, random), 0.9 * size)]);
        item.set(key, table([("sum", sum)]));
    } else if kind.claims.mass {
        item.set("gravity", number(size / around.scale.mass, "m/s^2"));
    } else {
        item.set(key, number(size, unit));
    }
    item
}

/// Amplitudes of a load that must not pull.
fn bounded(mut item: Item, most: f64) -> Item {
    item.each_number(&mut |x, unit| {
        if matches!(unit, "N" | "Pa") {
            *x = x.clamp(-0.5 * most, 0.5 * most);
        }
    });
    item
}
