//! Structure, drives, contacts and controllers.
use crate::build::Build;
use crate::catalogue::find;
use crate::read::reader::Reader;
use crate::text::tree::{Node, Value};
use serde_json::{Map, Value as Json};
use stickslip_model::Contact;
use stickslip_structures::{Control, Keys, Loading, Plant, Refused, Structure, control_kinds, read_control};

impl<'r, 'a> Build<'r, 'a> {
    /// Reads what moves, what drives it and where it rubs.
    pub fn mechanics(
        &mut self,
        top: &Reader<'r, 'a>,
        spec: &mut Map<String, Json>,
    ) -> Option<(Structure, Vec<Contact>, Loading)> {
        let contacts = entries(top, "contact");
        let drives = entries(top, "drive");
        let controls = entries(top, "control");
        let reading = self.reading;
        let Some(node) = top.get("structure") else {
            return self.take(Err(top.missing("structure", "a table with a `kind`".into())));
        };
        let Some(table) = node.as_table() else {
            return self.take(Err(top.wrong("structure", node, "a table")));
        };
        let mut keys = Reader::new(reading, table, "structure".into());
        let found = keys.kind("Kind of structure", &reading.catalogue.structures, |k| k.name).and_then(|name| {
            let what = ("structure::unknown", "structure");
            let kind = find(&reading.catalogue.structures, |k| k.name, &name, keys.at("kind"), what)?;
            Ok((kind, (kind.size)(&mut keys)?))
        });
        let (kind, size) = self.take(found)?;
        reading.per_area.set(size == 0 && contacts.iter().flatten().any(|(_, node)| self.is_traction(node)));

        let mut loading = Loading::default();
        let mut drive_specs = vec![];
        let mut complete = true;
        let drives = self.take(drives);
        complete &= drives.is_some();
        for (path, node) in drives.iter().flatten() {
            match self.drive(node, path, size, &mut loading) {
                Some(spec) => drive_specs.push(spec),
                None => complete = false,
            }
        }
        let read = (kind.read)(&mut keys, &loading);
        let structure_spec = Json::Object(keys.spec);
        self.record("structure", keys.record);
        if let Some(notes) = &reading.notes {
            notes.structure.set(Some((*kind, size)));
        }
        // Without its drives a structure may be refused for the wrong reason.
        let structure = match complete {
            true => self.take(read),
            false => {
                reading.broke("structure");
                read.ok()
            }
        };
        let contacts = self.take(contacts)?;
        let several = contacts.len() > 1;
        let mut structure = structure?;
        if let Some(shake) = &loading.shake {
            let turned = (0..structure.len())
                .find(|j| structure.is_angle(*j) && shake.direction.get(*j).is_some_and(|d| *d != 0.0));
            if let Some(j) = turned.or((0..structure.len()).all(|j| structure.is_angle(j)).then_some(0)) {
                let text =
                    format!("`{}` is an angle, and the base moves along, without turning", structure.coordinates[j]);
                let e = Refused::new("drive", "drive::not-served", text);
                return self.take(Err(
                    e.hint("`direction` = 0 for angles; for a shaft that is turned use drive kind \"pull\"")
                ));
            }
        }
        structure.load(&mut loading);
        let mut built: Vec<Contact> = vec![];
        let mut contact_specs = vec![];
        for (path, node) in &contacts {
            let Some((contact, spec)) = self.contact(node, path.clone(), &structure, several) else {
                complete = false;
                continue;
            };
            if built.iter().any(|c| c.name == contact.name) {
                let message = format!("two contacts are named `{}`", contact.name);
                let e = Refused::new(format!("{path}.name"), "contact::duplicate", message);
                let hint = format!("name it \"{} 2\", for instance", contact.name);
                self.take::<()>(Err(e.expected("a name of its own").hint(hint)));
                complete = false;
            }
            built.push(contact);
            contact_specs.push(spec);
        }
        if structure.loose && built.is_empty() && complete {
            let message = "nothing holds this body against its loads: it has neither supports nor contacts that could";
            let e = Refused::new("structure.supports", "body::not-held", message);
            self.take::<()>(Err(e.hint("for instance supports = [{ on = \"bottom\", fix = [\"x\", \"y\"] }]")));
            complete = false;
        }
        if loading.profile.is_some()
            && let Some(i) = built.iter().position(|c| c.normal.claims().fixed_load || c.is_rigid())
        {
            let message =
                format!("a profile needs a normal force that follows the gap: \"{}\" does not", built[i].normal_law);
            let key = if built.len() == 1 { "contact.normal.law".into() } else { format!("contact[{i}].normal.law") };
            let e = Refused::new(key, "drive::not-served", message);
            self.take::<()>(Err(e.hint("use a compliant law such as \"power\"")));
            complete = false;
        }
        let mut control_specs = vec![];
        let controls = self.take(controls);
        complete &= controls.is_some();
        // Without its contacts the plant is not the one that is meant.
        let plant = Plant::new(&structure, built.iter().map(|contact| contact.name.clone()).collect());
        let connected = complete;
        for (path, node) in controls.iter().flatten().filter(|_| connected) {
            match self.control(node, path, &plant, &loading.controls) {
                Some((control, spec)) => {
                    loading.controls.push(control);
                    control_specs.push(spec);
                }
                None => complete = false,
            }
        }
        if !complete {
            controls.iter().flatten().for_each(|(path, _)| reading.broke(path));
        }
        spec.insert("structure".into(), structure_spec);
        for (key, mut specs) in [("contact", contact_specs), ("drive", drive_specs), ("control", control_specs)] {
            match specs.len() {
                0 => {}
                1 => drop(spec.insert(key.into(), specs.remove(0))),
                _ => drop(spec.insert(key.into(), Json::Array(specs))),
            }
        }
        complete.then_some((structure, built, loading))
    }

    fn control(&mut self, node: &Node, path: &str, plant: &Plant, others: &[Control]) -> Option<(Control, Json)> {
        let Some(table) = node.as_table() else {
            let e = Refused::new(path, "scenario::shape", format!("a controller is {}", node.what()));
            return self.take(Err(e.expected("a table")));
        };
        let mut keys = Reader::new(self.reading, table, path.into());
        let read = keys.kind("Kind of controller", control_kinds(), |k| k.name).and_then(|name| {
            let what = ("control::unknown", "controller");
            let kind = find(control_kinds(), |k| k.name, &name, keys.at("kind"), what)?;
            let control = read_control(kind, &mut keys, plant)?;
            if !control.name.is_empty() && others.iter().any(|other| other.name == control.name) {
                let message = format!("two controllers are named `{}`", control.name);
                let hint = format!("name it \"{} 2\", for instance", control.name);
                return Err(keys
                    .refuse("name", "control::duplicate", message)
                    .expected("a name of its own")
                    .hint(hint));
            }
            Ok(control)
        });
        let control = self.take(read)?;
        Some((control, Json::Object(keys.spec)))
    }

    /// Whether a contact works with pressures instead of forces.
    fn is_traction(&self, contact: &Node) -> bool {
        let law = |key: &str| contact.as_table().and_then(|t| t.get(key)?.as_table());
        let has_area = contact.as_table().is_some_and(|t| t.get("area").is_some());
        !has_area && law("normal").is_some_and(|t| t.get("pressure").is_some())
    }

    fn drive(&mut self, node: &Node, path: &str, size: usize, loading: &mut Loading) -> Option<Json> {
        let Some(table) = node.as_table() else {
            let e = Refused::new(path, "scenario::shape", format!("a drive is {}", node.what()));
            return self.take(Err(e.expected("a table")));
        };
        let mut keys = Reader::new(self.reading, table, path.into());
        let kinds = &self.reading.catalogue.drives;
        let read = keys.kind("Kind of drive", kinds, |k| k.name).and_then(|name| {
            let kind = find(kinds, |k| k.name, &name, keys.at("kind"), ("drive::unknown", "drive"))?;
            kind.add(&mut keys, size, loading)?;
            if let Some(notes) = &self.reading.notes {
                notes.drives.borrow_mut().push(*kind);
            }
            let not_served = |message: &str| Err(keys.refuse("kind", "drive::not-served", message.into()));
            match size {
                0 if !loading.forces.is_empty() || !loading.impulses.is_empty() || loading.shake.is_some() => {
                    not_served("a force needs something to act on: this structure has no coordinates")
                }
                0 if loading.base.is_some() => not_served("this structure has no spring to pull at"),
                _ => Ok(()),
            }
        });
        self.take(read)?;
        self.record("drive", keys.record);
        Some(Json::Object(keys.spec))
    }
}

/// The tables under a key that holds one, or several.
fn entries<'r>(top: &Reader<'r, '_>, key: &str) -> Result<Vec<(String, &'r Node)>, Refused> {
    match top.get(key) {
        None => Ok(vec![]),
        Some(node) => match &node.value {
            Value::Table(_) => Ok(vec![(key.to_string(), node)]),
            Value::List(list) => Ok(list.iter().enumerate().map(|(i, n)| (format!("{key}[{i}]"), n)).collect()),
            _ => Err(top.wrong(key, node, format!("a table [{key}], or several [[{key}]]"))),
        },
    }
}
