//! The unit of what a path leads to, from the resolved scenario.
use crate::path::{self, Step};
use serde_json::Value as Json;

/// The unit of the value at a path; none where the path leads to no quantity.
pub(crate) fn unit_at(spec: &Json, path: &str) -> Option<String> {
    let mut here = spec;
    for step in path::parse(path).ok()? {
        if let Some(unit) = unit(here) {
            return Some(unit);
        }
        here = match (step, here) {
            (Step::Name(name), Json::Array(list)) => list.iter().find(|entry| entry["name"] == *name)?,
            (Step::Name(name), here) => here.get(&name)?,
            (Step::Index(i), here) => here.get(i)?,
        };
    }
    unit(here)
}

fn unit(at: &Json) -> Option<String> {
    at.get("value").and(at.get("unit")?.as_str()).map(String::from)
}

#[cfg(test)]
mod tests {
    use super::unit_at;
    use serde_json::json;

    #[test]
    fn a_path_leads_to_a_unit_through_names_and_lists() {
        let spec = json!({
            "drive": { "velocity": { "value": 0.1, "unit": "m/s" } },
            "structure": { "stiffness": { "value": [[1.0]], "unit": "N/m" } },
            "contact": [{ "name": "pad", "friction": { "law": "coulomb", "mu_s": { "value": 0.3, "unit": "1" } } }],
        });
        let unit = |path: &str| unit_at(&spec, path);
        assert_eq!(unit("drive.velocity").as_deref(), Some("m/s"));
        assert_eq!(unit("structure.stiffness[0][0]").as_deref(), Some("N/m"));
        assert_eq!(unit("contact.pad.friction.mu_s").as_deref(), Some("1"));
        assert_eq!(unit("contact.pad.friction.law"), None);
        assert_eq!(unit("nothing.there"), None);
    }
}
