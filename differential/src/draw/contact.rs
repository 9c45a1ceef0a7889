//! Contacts: where they are, what presses them, what rubs.
use super::Wish;
use super::keys::Around;
use super::law::DrawnLaw;
use super::normal::{following, follows, given};
use crate::item::{Item, number, plain, word};
use crate::random::Random;
use stickslip::laws::{NormalKind, normal_kinds};
use stickslip::structures::Structure;

/// The normal law of all contacts: one that follows the gap now and then, where the friction law bears it.
pub fn draw_normal(law: &DrawnLaw, wish: &Wish, random: &Random) -> Option<&'static NormalKind> {
    let c = law.kind.claims;
    let wanted = |k: &&NormalKind| (wish.normal)(k);
    let following: Vec<_> = normal_kinds().iter().filter(|k| follows(k)).filter(wanted).collect();
    let needs = c.approach || c.real_area;
    if !following.is_empty()
        && super::normal::bears(law)
        && wish.analysis == "transient"
        && (needs || random.chance(0.4))
    {
        // A rigid surface may be hit, which needs a cone.
        let fits = |k: &&&NormalKind| match needs {
            true => k.claims.traction && k.claims.memoryless && !k.claims.distant,
            false => c.set_valued || super::normal::pressed(k).at.is_some(),
        };
        let fitting: Vec<&NormalKind> = following.iter().filter(fits).copied().collect();
        // There is one rigid surface among many that yield, and more can happen there.
        let rigid = fitting.iter().find(|k| super::normal::pressed(k).at.is_none()).copied();
        return match rigid {
            Some(kind) if random.one_in(6) => Some(kind),
            _ => (!fitting.is_empty()).then(|| *random.of(&fitting)),
        };
    }
    if needs {
        return None;
    }
    let fixed =
        |k: &&NormalKind| k.claims.fixed_load && !(k.claims.mass && c.traction) && !(k.claims.given && c.constant_load);
    let fixed: Vec<_> = normal_kinds().iter().filter(fixed).filter(wanted).collect();
    // Most loads are constant.
    let constant = fixed.iter().find(|k| k.one_of.contains(&"force")).copied();
    match constant {
        Some(kind) if random.chance(0.6) => Some(kind),
        _ => (!fixed.is_empty()).then(|| *random.of(&fixed)),
    }
}

/// One contact, or two that share the load; `area` where a pressure is made a force.
pub fn draw_contacts(
    law: &DrawnLaw,
    normal: &NormalKind,
    area: Option<f64>,
    structure: &Structure,
    wish: &Wish,
    around: Around,
    random: &Random,
) -> Item {
    let edge = structure.places.iter().any(|p| p.edge.is_some());
    let several = wish.several && structure.places.is_empty() && !follows(normal) && random.one_in(2);
    let count = if several { 2 } else { 1 };
    let mut list = vec![];
    for i in 0..count {
        let mut contact = Item::Table(vec![]);
        if several {
            contact.set("name", word(["one", "two"][i]));
        }
        if structure.places.is_empty() && !structure.is_empty() {
            let row =
                |at: usize| Item::List((0..structure.len()).map(|j| plain(f64::from(u8::from(j == at)))).collect());
            let last = structure.len() - 1;
            // What follows the gap opens along the last coordinate.
            let at = if follows(normal) { 0 } else { random.below(structure.len()) };
            contact.set("tangent", row(at));
            if follows(normal) {
                contact.set("normal_direction", row(last));
            }
        }
        if normal.claims.mass && (structure.places.is_empty() || structure.is_empty()) {
            contact.set("mass", number(around.scale.mass, "kg"));
        }
        if let Some(area) = area.filter(|_| !structure.is_empty() && !edge) {
            contact.set("area", number(area, "m^2"));
        }
        let part = 1.0 / count as f64;
        contact.set(
            "normal",
            if follows(normal) { following(normal, random) } else { given(normal, law, around, part, random) },
        );
        contact.set("friction", law.item.clone());
        list.push(contact);
    }
    if several { Item::List(list) } else { list.remove(0) }
}
