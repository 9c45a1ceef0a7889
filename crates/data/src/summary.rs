//! The summary: what `summary.json` holds and `--json` prints. Its names stay, other people's checks depend on them.

use crate::{Dataset, Events, Outcome};
use serde_json::{Map, Value as Json, json};

impl Dataset {
    /// The summary, with the names of the files beside it.
    ///
    /// Keys in order: `status`, `reason` (where there is one), `regime`, `values`, `events` (where asked for),
    /// `ledger`, `health`, `files`, `provenance`. With cases, `regime`, `events`, `ledger`, `health` and every value
    /// stand per case. A number that is not finite is null, and its run is at best `untrusted`.
    pub fn summary(&self, files: &[String]) -> Json {
        let mut top = Map::new();
        top.insert("status".into(), self.status().as_str().into());
        if let Some(reason) = self.reason() {
            top.insert("reason".into(), reason.into());
        }
        top.insert("regime".into(), self.each(|o| json!(o.regime)));
        top.insert("values".into(), self.values());
        if self.list_events {
            top.insert("events".into(), self.each(|o| list(&o.events, &o.coordinates)));
        }
        top.insert("ledger".into(), self.each(|o| o.ledger.map_or(Json::Null, |l| l.to_json())));
        top.insert("health".into(), self.each(|o| o.health.to_json()));
        top.insert("files".into(), json!(files));
        top.insert("provenance".into(), self.provenance.to_json());
        Json::Object(top)
    }

    /// Something of the outcome: plain without cases, else by case.
    fn each(&self, of: impl Fn(&Outcome) -> Json) -> Json {
        match self.plain() {
            Some(outcome) => of(outcome),
            None => Json::Object(self.keyed().map(|(key, o)| (key, of(o))).collect()),
        }
    }

    /// Outcomes with keys that differ: a repeated case name gets a number, so that no case is lost.
    fn keyed(&self) -> impl Iterator<Item = (String, &Outcome)> {
        self.cases.iter().enumerate().map(|(i, (name, outcome))| {
            let earlier = self.cases[..i].iter().filter(|(n, _)| n == name).count();
            let key = if earlier == 0 { name.clone() } else { format!("{name} ({})", earlier + 1) };
            (key, outcome)
        })
    }

    fn values(&self) -> Json {
        if let Some(outcome) = self.plain() {
            let entry = |(name, q): &(String, crate::Quantity)| {
                (name.clone(), json!({ "value": q.value.to_json(), "unit": q.unit }))
            };
            return Json::Object(outcome.values.iter().map(entry).collect());
        }
        // Names in the order in which the cases first show them; a case without the value is left out.
        let mut all: Map<String, Json> = Map::new();
        for (key, outcome) in self.keyed() {
            for (name, q) in &outcome.values {
                let entry = all.entry(name.clone()).or_insert_with(|| json!({ "value": {}, "unit": {} }));
                entry["value"][&key] = q.value.to_json();
                entry["unit"][&key] = q.unit.as_str().into();
            }
        }
        for entry in all.values_mut() {
            one_unit(&mut entry["unit"]);
        }
        Json::Object(all)
    }
}

/// Units by case become one unit. They stay by case where they differ: over two structures the first coordinate may
/// be a length here and an angle there.
fn one_unit(units: &mut Json) {
    let mut each = units.as_object().into_iter().flat_map(Map::values);
    if let Some(first) = each.next().cloned()
        && each.all(|u| *u == first)
    {
        *units = first;
    }
}

fn list(events: &Events, names: &[String]) -> Json {
    events.iter().map(|e| e.to_json(names)).collect()
}
