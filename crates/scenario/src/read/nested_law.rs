//! Laws inside laws: `of = { law = "..", .. }`, read by the declaration of the inner kind.
use crate::catalogue::find;
use crate::read::law::LawTable;
use crate::text::paths::join;
use crate::text::tree::{Node, Table};
use serde_json::{Map, Value as Json, json};
use stickslip_laws::{FrictionKind, Given, GivenLaw};
use stickslip_structures::Refused;

/// Laws that may stand inside each other: each is built in one and in two directions, so that work doubles with each.
const DEEPEST: usize = 4;

impl<'r, 'a> LawTable<'r, 'a> {
    /// The law that a table inside this one holds.
    pub fn inner_law(&self, table: &Table, path: &str) -> Result<Given, Refused> {
        if self.depth == DEEPEST {
            let message = format!("laws stand inside each other more than {DEEPEST} deep");
            return Err(Refused::new(path, "law::depth", message).expected("a law without laws inside"));
        }
        self.reading.ask(path, "law", true);
        let kinds = &self.reading.catalogue.frictions;
        let at = join(path, "law");
        let Some(name) = table.text("law") else {
            let code = if table.get("law").is_some() { "scenario::shape" } else { "scenario::missing" };
            let e = Refused::new(at, code, format!("`{path}` needs the name of a law"));
            let names: Vec<_> = kinds.iter().map(|k| k.name).collect();
            return Err(e.expected("{ law = \"..\", .. }").hint(format!("a law is one of {}", names.join(", "))));
        };
        let kind = *find(kinds, |k| k.name, name, at, ("law::unknown", "friction law"))?;
        let (values, _) = self.inside(&kind, table, path.into()).read(&[])?;
        Ok(Given::Law(Box::new(GivenLaw { kind, values })))
    }

    /// The description of a law that stands inside this one.
    pub fn describe_inner(&self, law: &GivenLaw, node: &Node, key: &str) -> Json {
        let mut spec = Map::new();
        spec.insert("law".into(), json!(law.kind.name));
        if let Some(table) = node.as_table() {
            spec.extend(self.inside(&law.kind, table, join(&self.path, key)).describe(&law.values));
        }
        Json::Object(spec)
    }

    fn inside<'t>(&'t self, kind: &FrictionKind, table: &'t Table, path: String) -> LawTable<'t, 'a> {
        LawTable {
            reading: self.reading,
            table,
            path,
            params: kind.params,
            one_of: kind.one_of,
            fill: None,
            depth: self.depth + 1,
        }
    }
}
