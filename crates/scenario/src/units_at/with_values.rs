//! A scenario with other numbers: as a model, and as text.
use crate::build::{Prepared, build, build_mechanics, build_model};
use crate::lens::{Notes, Recorded};
use crate::scenario::Scenario;
use crate::tables::files::Folder;
use crate::text::diagnostic::{Diagnostic, Diagnostics};
use crate::text::document::{Case, Setting};
use crate::text::tree::{Node, Table, Value};
use crate::text::words;
use crate::units_at::axis_units::{Units, own_unit, setting};
use crate::units_at::unit_at::unit_at;
use stickslip_model::{Model, Written};

impl Scenario {
    /// A case as text, with other numbers and another analysis.
    pub(crate) fn written(
        &self,
        prepared: &Prepared,
        settings: &[(&str, f64)],
        velocity: Option<&str>,
        analysis: &str,
    ) -> Result<Written, String> {
        let first = |all: Diagnostics| all.0.first().map_or(String::new(), |d| d.message.clone());
        let case = self.cases.iter().find(|c| c.name == prepared.name).ok_or("there is no such case")?;
        let mut root = case.root.clone();
        for (path, x) in settings {
            setting(&case.root, &prepared.varied, path, *x, &self.folder).apply(&mut root).map_err(first)?;
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
        let analysis = each.map_or(analysis.into(), |each| words::section("[analysis]", &each));
        root.remove("analysis");
        let text = format!("{}\n{analysis}", words::toml(&root));
        // What can't be prepared without a folder names files of this one.
        let alone = |folder| Self::load(&prepared.name, text.clone(), folder, None, &[]).and_then(|s| s.prepare());
        let files = match alone(Folder::default()) {
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
                let of_value =
                    d.code.ends_with("out-of-range") || d.hint.as_ref().is_some_and(|h| h.starts_with("try --set"));
                let hint = if of_value { Some("mend the values that it takes here".into()) } else { d.hint };
                Diagnostic { label: d.label, hint, ..place }
            }
            crate::Origin::File => d,
        };
        Diagnostics(all.0.into_iter().map(moved).collect())
    }

    /// The model of a case with other parameters: paths and numbers in the units in which the case varies them, else in SI;
    /// and the units that are expected there. What is asked of it, which may hold long files, is not read again unless a path
    /// leads there.
    pub(crate) fn vary(
        &self,
        case: &Case,
        settings: &[(&str, f64)],
        prepared: &Prepared,
    ) -> Result<(Model, Units), Diagnostics> {
        self.vary_recorded(case, settings, prepared, false, true).map(|(model, units, _)| (model, units))
    }

    /// The same; `lens`: with the recorded reading, where that serves these paths; `asked`: as far as the analysis serves it.
    pub(crate) fn vary_recorded<'s>(
        &'s self,
        case: &Case,
        settings: &[(&str, f64)],
        prepared: &Prepared,
        lens: bool,
        asked: bool,
    ) -> Result<(Model, Units, Option<Recorded<'s>>), Diagnostics> {
        let mut varied = case.clone();
        let mut whole = case.root.get("structure").is_none();
        for (path, x) in settings {
            setting(&case.root, &prepared.varied, path, *x, &self.folder).apply(&mut varied.root)?;
            whole |= path.starts_with("analysis") || path.starts_with("output");
        }
        match whole {
            true => build(&varied, &self.file, &self.folder, &self.catalogue).map(|p| (p.model, Units::new(), None)),
            false => {
                let mut units = prepared.varied.clone();
                for (path, _) in settings {
                    let unit = own_unit(&case.root, path).filter(|_| !units.contains_key(*path));
                    units.extend(unit.map(|unit| (path.to_string(), unit)));
                }
                let notes = lens.then(|| Notes::new(settings, &units)).flatten();
                build_model(self, &varied, Some(&*prepared.analysis).filter(|_| asked), (notes, &units))
            }
        }
    }
}

impl Scenario {
    /// The unit of the value at a path of a case, with other numbers in it.
    pub(crate) fn unit_with(&self, case: &Prepared, path: &str, settings: &[(&str, f64)]) -> Option<String> {
        if let Some(written) = case.varied.get(path).filter(|unit| !unit.is_empty()) {
            return Some(written.clone());
        }
        let own = || case.expected.get(path).cloned().or_else(|| unit_at(&case.spec, &self.catalogue, path));
        if settings.is_empty() {
            return own();
        }
        let found = self.cases.iter().find(|c| c.name == case.name)?;
        let mut changed = found.clone();
        for (path, x) in settings {
            setting(&found.root, &case.varied, path, *x, &self.folder).apply(&mut changed.root).ok()?;
        }
        // Exponents belong to laws; what stands elsewhere keeps its unit.
        let mechanics = build_mechanics(&changed, &self.file, &self.folder, &self.catalogue)?;
        unit_at(&mechanics, &self.catalogue, path).or_else(own)
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
