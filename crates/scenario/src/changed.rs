//! A scenario with other numbers: as a model, and as text.
use crate::build::{Prepared, build, build_mechanics, build_model};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::document::{Case, Setting};
use crate::files::Folder;
use crate::scenario::Scenario;
use crate::text;
use crate::tree::{Node, Table, Value};
use crate::unit_at::unit_at;
use stickslip_analyses::{Analysis, Model, Written};

impl Scenario {
    /// A case as text, with other numbers and another analysis.
    pub(crate) fn written(
        &self,
        name: &str,
        settings: &[(&str, f64)],
        velocity: Option<&str>,
        analysis: &str,
    ) -> Result<Written, String> {
        let first = |all: Diagnostics| all.0.first().map_or(String::new(), |d| d.message.clone());
        let case = self.cases.iter().find(|c| c.name == name).ok_or("there is no such case")?;
        let mut root = case.root.clone();
        for (path, x) in settings {
            let setting = Setting::new(path, &x.to_string(), Value::Number(*x), &self.folder);
            setting.apply(&mut root).map_err(first)?;
        }
        let driver = driver(&root).unwrap_or_default();
        if let Some(velocity) = velocity {
            if driver.is_empty() {
                return Err("it has no drive whose velocity a record could give".into());
            }
            let setting = Setting::parse(&format!("{driver}={velocity}"), &self.folder).map_err(first)?;
            setting.apply(&mut root).map_err(first)?;
        }
        let each = root.get("analysis").and_then(Node::as_table).and_then(|a| a.get("each")?.as_table().cloned());
        let analysis = each.map_or(analysis.into(), |each| text::section("[analysis]", &each));
        root.remove("analysis");
        let text = format!("{}\n{analysis}", text::toml(&root));
        // What can't be prepared without a folder names files of this one.
        let alone = |folder| Self::load(name, text.clone(), folder, None, &[]).and_then(|s| s.prepare());
        let files = match alone(Folder(None)) {
            Ok(_) => false,
            Err(_) => alone(self.folder.clone()).map(|_| true).map_err(first)?,
        };
        Ok(Written { text, driver, files })
    }

    /// What is wrong with a varied value, at the place where its path is written.
    pub(crate) fn at_parameter(&self, case: &Case, path: &str, all: Diagnostics) -> Diagnostics {
        let written = case.root.get("analysis").and_then(|n| n.entry_with("parameter", path)).map(|e| e.at());
        let Some(at) = written else { return all };
        let moved = |d: Diagnostic| match d.origin {
            // Set by the analysis, not on the command line.
            crate::Origin::Set if d.code == "scenario::shape" => at
                .diagnostic("analysis::not-a-number", format!("`{path}` does not lead to a number"))
                .label("expected the path of a number")
                .hint(Some(format!("stickslip explain {} shows every path", self.file))),
            crate::Origin::Set => {
                let place = at.diagnostic(&d.code, d.message);
                // A setting would not change what the analysis sets.
                let of_value = d.hint.as_ref().is_some_and(|h| h.starts_with("try --set"));
                let hint = if of_value { Some("mend the values that it takes here".into()) } else { d.hint };
                Diagnostic { label: d.label, hint, ..place }
            }
            crate::Origin::File => d,
        };
        Diagnostics(all.0.into_iter().map(moved).collect())
    }

    /// The model of a case with other parameters: paths and numbers in SI. What is asked of it, which may hold long files, is
    /// not read again unless a path leads there.
    pub(crate) fn vary(
        &self,
        case: &Case,
        settings: &[(&str, f64)],
        asked: &dyn Analysis,
    ) -> Result<Model, Diagnostics> {
        let mut case = case.clone();
        let mut whole = case.root.get("structure").is_none();
        for (path, x) in settings {
            let setting = Setting::new(path, &x.to_string(), Value::Number(*x), &self.folder);
            setting.apply(&mut case.root)?;
            whole |= path.starts_with("analysis") || path.starts_with("output");
        }
        match whole {
            true => build(&case, &self.file, &self.folder, &self.catalogue).map(|p| p.model),
            false => build_model(&case, &self.file, &self.folder, &self.catalogue, asked),
        }
    }
}

impl Scenario {
    /// The unit of the value at a path of a case, with other numbers in it.
    pub(crate) fn unit_with(&self, case: &Prepared, path: &str, settings: &[(&str, f64)]) -> Option<String> {
        if settings.is_empty() {
            return unit_at(&case.spec, &self.catalogue, path);
        }
        let mut changed = self.cases.iter().find(|c| c.name == case.name)?.clone();
        for (path, x) in settings {
            let setting = Setting::new(path, &x.to_string(), Value::Number(*x), &self.folder);
            setting.apply(&mut changed.root).ok()?;
        }
        // Exponents belong to laws; what stands elsewhere keeps its unit.
        let mechanics = build_mechanics(&changed, &self.file, &self.folder, &self.catalogue)?;
        unit_at(&mechanics, &self.catalogue, path).or_else(|| unit_at(&case.spec, &self.catalogue, path))
    }
}

/// Where the velocity of the driver stands: that of the only drive, or of the first that has one.
fn driver(root: &Table) -> Option<String> {
    let drive = root.get("drive")?;
    let has = |node: &Node| node.as_table().is_some_and(|t| t.get("velocity").is_some());
    match &drive.value {
        Value::List(list) => list.iter().position(has).map(|i| format!("drive[{i}].velocity")),
        _ => has(drive).then(|| "drive.velocity".into()),
    }
}
