//! The unit and the number that a path leads to, from the resolved scenario.
use crate::catalogue::Catalogue;
use crate::text::paths::{self, Step};
use serde_json::Value as Json;
use stickslip_laws::{Param, Preset, Side};
use stickslip_model::Numbered;
use stickslip_units::nearest;

/// The unit of the value at a path; none where the path leads to no quantity.
pub(crate) fn unit_at(spec: &Json, catalogue: &Catalogue, path: &str) -> Option<String> {
    let mut place = Place::new(spec);
    for step in paths::parse(path).ok()? {
        if let Some(unit) = unit(place.here) {
            return Some(unit);
        }
        place.go(step, catalogue)?;
    }
    unit(place.here)
}

/// The number at a path, with the range that its law declares; None where the path leads to no number.
pub(crate) fn number_at(spec: &Json, catalogue: &Catalogue, path: &str) -> Option<Numbered> {
    let mut place = Place::new(spec);
    for step in paths::parse(path).ok()? {
        place.go(step, catalogue)?;
    }
    let Place { here, params, named } = place;
    let value = here.get("value").unwrap_or(here);
    let value = value.as_f64().or_else(|| value.get(0).and_then(Json::as_f64))?;
    let mut between = [if value > 0.0 { 0.0 } else { f64::NEG_INFINITY }, f64::INFINITY];
    for bound in params.iter().filter(|p| p.name == named).flat_map(|p| p.bounds) {
        if let Preset::Number(limit) = bound.limit {
            let end = matches!(bound.side, Side::Max | Side::Below);
            between[usize::from(end)] = limit;
        }
    }
    Some(Numbered { value, between })
}

/// A place in the resolved scenario.
struct Place<'s> {
    here: &'s Json,
    /// Parameters of the law that the way here led through last.
    params: &'static [Param],
    /// The last name on the way.
    named: String,
}

impl<'s> Place<'s> {
    fn new(spec: &'s Json) -> Place<'s> {
        Place { here: spec, params: &[], named: String::new() }
    }

    fn go(&mut self, step: Step, catalogue: &Catalogue) -> Option<()> {
        let here = self.here;
        if let Some(law) = here.get("law").and_then(Json::as_str) {
            let friction = catalogue.frictions.iter().find(|k| k.name == law).map(|k| k.params);
            let normal = catalogue.normals.iter().find(|k| k.name == law).map(|k| k.params);
            self.params = friction.or(normal).unwrap_or_default();
        }
        if let Step::Name(name) = &step {
            self.named.clone_from(name);
        }
        let params = self.params;
        self.here = match (step, here) {
            (Step::Name(name), Json::Array(list)) => list.iter().find(|entry| entry["name"] == *name)?,
            // A shorthand stands in the resolved scenario by what it sets; entries of a list of tables by their columns.
            (Step::Name(name), here) => match here.get(&name).or_else(|| here.get(shorthand(params, &name)?)) {
                Some(found) => found,
                None => params.iter().any(|p| p.column == Some(&name)).then_some(here)?,
            },
            (Step::Index(i), here) => match here.get("value").unwrap_or(here).get(i) {
                Some(found) => found,
                None => here,
            },
        };
        Some(())
    }
}

/// The path that may be meant by one that leads nowhere: an index for a name that is a number, a name for one like it.
pub(crate) fn meant(spec: &Json, path: &str) -> Option<String> {
    let mut here = spec;
    let mut walked = String::new();
    let steps = paths::parse(path).ok()?;
    for (k, step) in steps.iter().enumerate() {
        let rest = || steps[k + 1..].iter().map(Step::written).collect::<String>();
        let whole = |start: String| (start + &rest()).trim_start_matches('.').to_string();
        let own = here.get("value").unwrap_or(here);
        let next = match (step, own) {
            (Step::Name(name), Json::Array(list)) => {
                let by_name = list.iter().find(|entry| entry["name"] == **name);
                if by_name.is_none() && name.parse::<usize>().is_ok_and(|i| i < list.len()) {
                    return Some(whole(format!("{walked}[{name}]")));
                }
                by_name?
            }
            (Step::Name(name), Json::Object(keys)) => match keys.get(name) {
                Some(next) => next,
                None => {
                    // Words are no numbers, whatever they are called.
                    let known = keys.iter().filter(|(_, v)| v.is_number() || v.is_object() || v.is_array());
                    let near = nearest(name, known.map(|(key, _)| key.as_str()))?;
                    return Some(whole(format!("{walked}.{}", paths::quoted(near))));
                }
            },
            (Step::Index(i), own) => own.get(i)?,
            _ => return None,
        };
        walked += &step.written();
        here = next;
    }
    None
}

/// What a shorthand sets first.
fn shorthand(params: &'static [Param], name: &str) -> Option<&'static str> {
    params.iter().find(|p| p.name == name).and_then(|p| match p.shape {
        stickslip_laws::Shape::Shorthand(targets) => targets.first().copied(),
        _ => None,
    })
}

fn unit(at: &Json) -> Option<String> {
    at.get("value").and(at.get("unit")?.as_str()).map(String::from)
}

#[cfg(test)]
mod tests {
    use super::{meant, unit_at};
    use crate::catalogue::Catalogue;
    use serde_json::json;

    #[test]
    fn a_path_leads_to_a_unit_through_names_and_lists() {
        let spec = json!({
            "drive": { "velocity": { "value": 0.1, "unit": "m/s" } },
            "structure": { "stiffness": { "value": [[1.0]], "unit": "N/m" } },
            "contact": [{ "name": "pad", "friction": { "law": "coulomb", "mu_s": { "value": 0.3, "unit": "1" } } }],
        });
        let catalogue = Catalogue::default();
        let unit = |path: &str| unit_at(&spec, &catalogue, path);
        assert_eq!(unit("drive.velocity").as_deref(), Some("m/s"));
        assert_eq!(unit("structure.stiffness[0][0]").as_deref(), Some("N/m"));
        assert_eq!(unit("contact.pad.friction.mu_s").as_deref(), Some("1"));
        // A shorthand has the unit of what it sets.
        assert_eq!(unit("contact.pad.friction.mu").as_deref(), Some("1"));
        assert_eq!(unit("contact.pad.friction.law"), None);
        assert_eq!(unit("nothing.there"), None);
    }

    #[test]
    fn a_path_that_leads_nowhere_has_one_like_it() {
        let list = json!({ "value": [1.0, 2.0], "unit": "N/m" });
        let friction = json!({ "law": "iwan", "stiffness": list, "d_c": { "value": 1e-5, "unit": "m" } });
        let spec = json!({ "contact": { "friction": friction } });
        let meant = |path: &str| meant(&spec, path);
        assert_eq!(meant("contact.friction.stiffness.0").as_deref(), Some("contact.friction.stiffness[0]"));
        assert_eq!(meant("contact.friction.stiffness.2"), None);
        assert_eq!(meant("contact.friction.dc").as_deref(), Some("contact.friction.d_c"));
        assert_eq!(meant("contact.fricton.stiffness[1]").as_deref(), Some("contact.friction.stiffness[1]"));
        assert_eq!(meant("contact.friction.law"), None);
        assert_eq!(meant("nothing.there"), None);
    }
}
