//! Contacts: where they sit on the structure, their normal law and their friction law.
use crate::build::Build;
use crate::catalogue::find;
use crate::lens::{ContactNotes, LawNotes, Record};
use crate::read::law::LawTable;
use crate::read::reader::Reader;
use crate::read::{contact_on_body, contact_rows};
use crate::text::tree::Node;
use serde_json::{Map, Value as Json, json};
use stickslip_laws::{Claims, FrictionKind, Normal, NormalGroup, NormalKind, Param, Press, Shape, Values};
use stickslip_model::Contact;
use stickslip_structures::{Ask, Keys, Place, Refused, Signal, Structure};

/// Keys of a contact.
const KEYS: [&str; 12] = [
    "name",
    "on",
    "quadrature",
    "tangent",
    "normal_direction",
    "gap",
    "area",
    "mass",
    "directions",
    "loads",
    "normal",
    "friction",
];
/// Keys of a load that is a function of time.
const LOADS: [&str; 2] = ["force", "pressure"];

impl<'r, 'a> Build<'r, 'a> {
    /// One contact, the only one or one of several.
    pub fn contact(
        &mut self,
        node: &'r Node,
        path: String,
        structure: &Structure,
        several: bool,
    ) -> Option<(Contact, Json)> {
        let Some(table) = node.as_table() else {
            let e = Refused::new(path, "scenario::shape", format!("a contact is {}", node.what()));
            return self.take(Err(e.expected("a table")));
        };
        let mut keys = Reader::new(self.reading, table, path);
        KEYS.iter().for_each(|key| self.reading.ask(&keys.path, key, true));
        self.reading.completed(&keys.path);
        let name = keys.text("name", "Name of the contact");
        let name = self.take(name.and_then(|name| match name {
            Some(name) if !name.trim().is_empty() => Ok(name),
            None if !several => Ok(String::new()),
            _ => Err(keys.missing("name", "a text, where there are several contacts".into())),
        }));
        let friction = self.friction_table(&mut keys);
        let normal = self.normal_table(&mut keys);
        let on = contact_on_body::boundary(&mut keys, structure);
        let on = self.take(on)?;
        let places = match (&structure.body, &on) {
            (Some(body), Some(on)) => contact_on_body::places(&mut keys, body, on),
            _ => contact_rows::read(&mut keys, structure),
        };
        let places = self.take(places);
        let profile = contact_on_body::profile(&keys, structure);
        let profile = self.take(profile)?;
        let gap = match &profile {
            Some((_, spec)) => {
                keys.keep("gap", spec.clone());
                Ok(0.0)
            }
            None => keys.number(gap_ask()),
        };
        let gap = self.take(gap);
        let (friction, normal, places) = (friction?, normal?, places?);
        let built = friction.group(&places);
        let group = self.take(built)?;
        let area = self.area(&mut keys, (structure, &places), &normal, (friction.kind.name, group.claims()));
        let area = self.take(area)?;
        // Without an area of its own a point under a pressure works per unit area.
        let per_area = structure.is_empty() && !keys.has("area") && normal.is_pressure();
        let mass = mass(&mut keys, structure, several, &normal.kind);
        let mass = self.take(mass)?;
        let loads = contact_rows::loads(&mut keys, places.len(), (normal.kind.name, normal.kind.claims));
        let mut loads = self.take(loads)?;
        if on.is_some() && loads.is_empty() && normal.kind.claims.fixed_load {
            // A load that is given spreads evenly.
            loads = places.iter().map(|place| place.area.unwrap_or(0.0) / area).collect();
        }
        let given = given_load(&keys, &normal, area);
        let (given, given_spec, load) = self.take(given)?;
        let pressed = normal.group();
        let pressed = self.take(pressed)?;
        let on_edge = self.take(on_edge(&keys, &places[0], &normal, (friction.kind.name, group.claims())));
        on_edge?;
        if places[0].normal.is_none() && is_rigid(&*pressed) {
            let message = format!("the normal law \"{}\" needs a direction in which the gap opens", normal.kind.name);
            let e = keys.refuse("normal", "contact::no-gap", message);
            let hint = match structure.places.is_empty() {
                false => "this structure has none: use a law that fixes the load, such as \"constant\"",
                true => "give `normal_direction`, the row of the gap on the coordinates",
            };
            return self.take(Err(e.hint(hint)));
        }
        let mut normal_spec = normal.spec;
        normal_spec.extend(given_spec);
        keys.keep("normal", Json::Object(normal_spec));
        keys.keep("friction", Json::Object(friction.spec));
        let gaps = contact_on_body::gaps(profile.as_ref(), &places);
        let contact = Contact {
            name: name?,
            places,
            gap: gap?,
            gaps,
            profile: profile.map(|(profile, _)| profile),
            on,
            area,
            per_area,
            mass,
            loads,
            given,
            normal: pressed.into(),
            normal_law: normal.kind.name,
            friction: group.into(),
            friction_law: friction.kind.name,
        };
        if let (Some(notes), Some(record)) = (&self.reading.notes, keys.record.take()) {
            match (friction.notes, normal.notes) {
                (Some(friction_notes), Some(normal_notes)) => notes.contacts.borrow_mut().push(ContactNotes {
                    contact: contact.clone(),
                    friction: (friction.kind, friction_notes),
                    normal: (normal.kind, normal_notes),
                    keys: record,
                    load,
                    several,
                }),
                _ => notes.lost.set(true),
            }
        }
        Some((contact, Json::Object(keys.spec)))
    }

    fn friction_table(&mut self, keys: &mut Reader<'r, 'a>) -> Option<Side<'r, 'a, FrictionKind>> {
        let kinds = &self.reading.catalogue.frictions;
        let found = law_table(keys, "friction", names(kinds, |k| k.name)).and_then(|(node, name)| {
            let what = ("law::unknown", "friction law");
            Ok((node, *find(kinds, |k| k.name, &name, format!("{}.law", keys.at("friction")), what)?))
        });
        let (node, kind) = self.take(found)?;
        self.side(keys, "friction", node, kind, kind.params, kind.one_of, &[])
    }

    fn normal_table(&mut self, keys: &mut Reader<'r, 'a>) -> Option<Side<'r, 'a, NormalKind>> {
        let kinds = &self.reading.catalogue.normals;
        let found = law_table(keys, "normal", names(kinds, |k| k.name)).and_then(|(node, name)| {
            let what = ("law::unknown", "normal law");
            Ok((node, *find(kinds, |k| k.name, &name, format!("{}.law", keys.at("normal")), what)?))
        });
        let (node, kind) = self.take(found)?;
        let others: &[&'static str] = if kind.claims.given { &LOADS } else { &[] };
        self.side(keys, "normal", node, kind, kind.params, kind.one_of, others)
    }

    fn side<K>(
        &mut self,
        keys: &Reader<'r, 'a>,
        key: &str,
        node: &'r Node,
        kind: K,
        params: &'static [Param],
        one_of: &'static [&'static str],
        others: &[&'static str],
    ) -> Option<Side<'r, 'a, K>> {
        let table = node.as_table()?;
        let path = keys.at(key);
        let fill = others.iter().copied().find(|k| table.get(k).is_some()).and_then(|load| {
            let tells = |p: &&Param| matches!(p.shape, Shape::Choice(words) if words.contains(&load));
            Some((params.iter().find(tells)?.name, load))
        });
        let law = LawTable { reading: self.reading, table, path: path.clone(), params, one_of, fill, depth: 0 };
        let before = keys.evaluated();
        let read = law.read(others);
        let (values, rest) = self.take(read)?;
        let notes = self.reading.notes.as_ref().and_then(|n| LawNotes::new(n, &law, &values, others, before));
        let mut spec = Map::new();
        spec.insert("law".into(), json!(table.text("law")));
        spec.extend(rest);
        Some(Side { kind, values, spec, path, node, told: fill.is_some(), table: law, notes })
    }

    fn area(
        &self,
        keys: &mut Reader,
        (structure, places): (&Structure, &[Place]),
        normal: &Side<'_, '_, NormalKind>,
        (friction, claims): (&str, Claims),
    ) -> Result<f64, Refused> {
        let ask = area_ask();
        if structure.body.is_some() {
            if keys.has("area") {
                let message = "a body's mesh knows the area of its contact: `area` has no place here";
                return Err(keys.refuse("area", "contact::implied", message.into()));
            }
            let area: f64 = places.iter().filter_map(|place| place.area).sum();
            keys.keep("area", json!({ "value": area, "unit": "m^2" }));
            return Ok(area);
        }
        if let Some(edge) = structure.places.first().and_then(|p| p.edge.as_ref()) {
            if keys.has("area") {
                let message = "this structure knows the area of its contact: `area` has no place here";
                return Err(keys.refuse("area", "contact::implied", message.into()));
            }
            let area = edge.length * edge.width;
            keys.keep("area", json!({ "value": area, "unit": "m^2" }));
            return Ok(area);
        }
        let traction = normal.is_pressure() || normal.kind.claims.traction || claims.traction;
        // A point without inertia works per unit area, unless its load is a force.
        let by_force = claims.traction && !normal.kind.claims.traction && !normal.is_pressure();
        if traction && (!structure.is_empty() || by_force) && !keys.has("area") {
            let law = if claims.traction { friction } else { normal.kind.name };
            let e = keys.missing("area", ask.expected());
            return Err(e.hint(format!("\"{law}\" gives a pressure: the area makes it a force")));
        }
        keys.number(ask.or(1.0))
    }
}

/// What a contact that is spread over an edge needs of its laws.
fn on_edge(
    keys: &Reader,
    place: &Place,
    normal: &Side<'_, '_, NormalKind>,
    (friction, of_friction): (&str, Claims),
) -> Result<(), Refused> {
    if place.edge.is_none() {
        return Ok(());
    }
    let claims = normal.kind.claims;
    if !claims.traction || claims.fixed_load || claims.given || !claims.memoryless {
        let message = format!("the normal law \"{}\" gives no pressure that follows the approach", normal.kind.name);
        let e = keys.refuse("normal", "contact::edge", message);
        return Err(e.hint("on an edge use \"power\", for instance { law = \"power\", c = .., m = 2.5 }"));
    }
    if !of_friction.load_linear || of_friction.traction {
        let message = format!("the friction law \"{friction}\" is not proportional to the normal force");
        let e = keys.refuse("friction", "contact::edge", message);
        return Err(e.hint("on an edge, where the pressure varies, use a law such as \"coulomb\""));
    }
    Ok(())
}

/// One law of a contact.
struct Side<'r, 'a, K> {
    kind: K,
    values: Values,
    spec: Map<String, Json>,
    path: String,
    node: &'r Node,
    /// The law knows whether its load is a force or a pressure.
    told: bool,
    table: LawTable<'r, 'a>,
    /// How it was read, where the reading is recorded.
    notes: Option<LawNotes>,
}

impl Side<'_, '_, FrictionKind> {
    fn group(&self, places: &[Place]) -> Result<Box<dyn stickslip_laws::ContactGroup>, Refused> {
        let directions = places[0].tangent.len();
        if directions > self.kind.directions {
            let message = format!("the friction law \"{}\" works in one direction only", self.kind.name);
            return Err(Refused::new(self.path.clone(), "law::directions", message).hint("use directions = 1"));
        }
        let values = std::slice::from_ref(&self.values);
        self.kind.build(values, places.len(), directions).map_err(|e| self.table.refused(e, &[]))
    }
}

impl Side<'_, '_, NormalKind> {
    /// Whether its load is given as a pressure.
    fn is_pressure(&self) -> bool {
        self.node.as_table().is_some_and(|t| t.get("pressure").is_some())
    }

    fn group(&self) -> Result<Box<dyn NormalGroup>, Refused> {
        self.kind.build(&self.values).map_err(|e| self.table.refused(e, &[]))
    }
}

fn names<K>(kinds: &[K], name: fn(&K) -> &'static str) -> String {
    kinds.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The table of a law and the law's name.
fn law_table<'r>(keys: &mut Reader<'r, '_>, key: &str, laws: String) -> Result<(&'r Node, String), Refused> {
    let expected = "{ law = \"..\", .. }";
    let hint = || format!("a law is one of {laws}; `stickslip laws` lists them");
    let node = keys.get(key).ok_or_else(|| keys.missing(key, expected.into()).hint(hint()))?;
    let table = node.as_table().ok_or_else(|| keys.wrong(key, node, expected))?;
    let path = keys.at(key);
    keys.reading.ask(&path, "law", true);
    let law = table.get("law").ok_or_else(|| {
        Refused::new(format!("{path}.law"), "scenario::missing", format!("`{path}` needs `law`")).expected(expected)
    })?;
    let name = law.as_text().ok_or_else(|| {
        Refused::new(format!("{path}.law"), "scenario::shape", format!("`law` is {}", law.what())).expected("a name")
    })?;
    Ok((node, name.into()))
}

fn mass(keys: &mut Reader, structure: &Structure, several: bool, kind: &NormalKind) -> Result<f64, Refused> {
    let (ask, known) = resting_mass(structure, several);
    if kind.claims.mass && !known && !keys.has("mass") {
        let e = keys.missing("mass", ask.expected());
        let hint = format!("\"{}\" needs to know what rests on this contact: the structure does not say", kind.name);
        return Err(e.hint(hint));
    }
    keys.number(ask)
}

/// The question for the mass that rests on a contact, with what the structure knows of it; and whether it does.
pub(crate) fn resting_mass(structure: &Structure, several: bool) -> (Ask<'static>, bool) {
    let ask = Ask::new("mass", "kg", "Mass that rests on the contact").min(0.0);
    // A point without inertia has no mass of its own.
    let one = !several && !structure.is_empty();
    let known = one && structure.places.first().is_some_and(|p| p.edge.is_none());
    // Every point carries its share.
    (ask.or(if known { structure.total_mass() / structure.places.len() as f64 } else { 0.0 }), known)
}

/// The questions for the gap, for the area, and for a load as a function of time.
pub(crate) fn gap_ask() -> Ask<'static> {
    Ask::new("gap", "m", "Gap at the start").or(0.0)
}

pub(crate) fn area_ask() -> Ask<'static> {
    Ask::new("area", "m^2", "Nominal area").above(0.0)
}

pub(crate) fn given_ask(key: &'static str) -> Ask<'static> {
    match key {
        "force" => Ask::new(key, "N", "Normal force"),
        _ => Ask::new(key, "Pa", "Pressure on the nominal area"),
    }
}

/// The key of a load, what was answered, and whether a pressure stays one for the law.
type Load = (&'static str, Record, bool);

/// A load over time: the function, what is shown of it, and how it was read.
type GivenLoad = (Signal, Map<String, Json>, Option<Load>);

/// The contact's own function of time, for a law that reads one: in N, unless the law takes it as a pressure.
fn given_load(keys: &Reader, normal: &Side<'_, '_, NormalKind>, area: f64) -> Result<GivenLoad, Refused> {
    let Some(table) = normal.node.as_table().filter(|_| normal.kind.claims.given) else {
        return Ok((Signal::ZERO, Map::new(), None));
    };
    let mut load = Reader::new(keys.reading, table, normal.path.clone());
    let (key, signal) = match (table.get("force").is_some(), table.get("pressure").is_some()) {
        (true, false) => ("force", load.signal(given_ask("force"))?),
        (false, true) => {
            let pressure = load.signal(given_ask("pressure"))?;
            ("pressure", if normal.told { pressure } else { pressure.times(area) })
        }
        (both, _) => {
            let what = if both { "`force` and `pressure` are both given" } else { "`force` or `pressure` is missing" };
            let code = if both { "law::conflict" } else { "law::missing" };
            let e = Refused::new(crate::text::paths::join(&normal.path, "force"), code, what);
            return Err(e.expected("one function of time, `force` (unit N) or `pressure` (unit Pa)"));
        }
    };
    let record = load.record.map(|record| (key, record, normal.told));
    Ok((signal, load.spec, record))
}

/// Whether the law answers with a complementarity: ask it once.
pub(crate) fn is_rigid(group: &dyn NormalGroup) -> bool {
    let z: Vec<f64> = group.states().iter().map(|s| s.start).collect();
    let mut out = [Normal::none()];
    stickslip_laws::NormalFace::<f64>::respond(group, &[Press::new(0.0, 0.0)], &z, &mut out);
    matches!(out[0], Normal::Rigid { .. })
}
