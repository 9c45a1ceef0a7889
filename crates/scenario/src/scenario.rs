//! A scenario from its text to its dataset.
use crate::alternatives::CaseAlternatives;
use crate::build::{Prepared, build};
use crate::catalogue::Catalogue;
use crate::read::setpoint::{Setpoint, shown, with_places};
use crate::tables::files::{self, FilesInMemory, Folder};
use crate::text::diagnostic::{Diagnostic, Diagnostics};
use crate::text::document::{self, Case, Setting};
use crate::text::paths;
use crate::text::tree::Table;
use crate::units_at::axis_units::{own_unit, wrong_units};
use crate::units_at::relabel::{relabel, unique};
use crate::units_at::unit_at::{meant, number_at};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A scenario: text, with its includes, cases and settings. Nothing is computed before [`Scenario::run`].
///
/// ```
/// use stickslip_scenario::Scenario;
/// let text = "[structure]\nkind = 'spring-block'\nmass = -1\nstiffness = 1\n";
/// let wrong = Scenario::from_text("block.toml", text, &[]).unwrap().prepare().unwrap_err();
/// assert!(wrong.to_string().contains("block.toml:3:1"));
/// ```
#[derive(Clone)]
pub struct Scenario {
    name: String,
    pub(crate) file: String,
    pub(crate) path: Option<PathBuf>,
    pub(crate) folder: Folder,
    pub(crate) cases: Vec<Case>,
    /// The text as it was given, until a value is set.
    pub(crate) original: Option<Arc<str>>,
    /// The document with its includes and its list of cases, and what was set in them.
    pub(crate) document: Arc<Table>,
    pub(crate) catalogue: Arc<Catalogue>,
}

impl std::fmt::Debug for Scenario {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scenario").field("name", &self.name).field("cases", &self.cases.len()).finish_non_exhaustive()
    }
}

impl Scenario {
    /// Reads a file, and changes it by settings `path=value`.
    pub fn from_file(path: &Path, sets: &[String]) -> Result<Scenario, Diagnostics> {
        let shown = path.display().to_string();
        let text = files::read(path).map_err(|(code, message)| {
            let d = match files::first_bad_byte(path).filter(|_| code == "scenario::encoding") {
                Some((text, at)) => {
                    let d = Diagnostic::at(code, message, &shown, &text, at..at + 1, crate::Origin::File);
                    d.label("expected UTF-8 text")
                }
                None => Diagnostic::about_file(code, &shown, message),
            };
            d.hint(files::way_out(path, code))
        })?;
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
            _ => PathBuf::from("."),
        };
        let mut scenario = Self::load(&shown, text, Folder::on_disk(Some(folder)), Some(path), sets)?;
        scenario.path = Some(path.into());
        Ok(scenario)
    }

    /// Reads a text that may not name other files.
    pub fn from_text(name: &str, text: &str, sets: &[String]) -> Result<Scenario, Diagnostics> {
        Self::load(name, text.into(), Folder::default(), None, sets)
    }

    /// Reads a text that may name files in a folder or below.
    pub fn from_text_in(folder: &Path, name: &str, text: &str, sets: &[String]) -> Result<Scenario, Diagnostics> {
        Self::load(name, text.into(), Folder::on_disk(Some(folder.into())), None, sets)
    }

    /// Reads a text that may name the files that are given with it, and those of a folder where there is one.
    pub fn from_text_with(
        files: FilesInMemory,
        folder: Option<&Path>,
        name: &str,
        text: &str,
        sets: &[String],
    ) -> Result<Scenario, Diagnostics> {
        Self::load(name, text.into(), Folder::in_memory(files, folder.map(Path::to_path_buf)), None, sets)
    }

    pub(crate) fn load(
        shown: &str,
        text: String,
        folder: Folder,
        file: Option<&Path>,
        sets: &[String],
    ) -> Result<Self, Diagnostics> {
        let original = Some(Arc::from(text.as_str()));
        let root = document::load(shown, text, &folder, file)?;
        let name = Path::new(shown).file_stem().map_or(shown.into(), |s| s.to_string_lossy().into_owned());
        let document = Arc::new(root.clone());
        let cases = document::cases(root)?;
        let (file, catalogue) = (shown.into(), Arc::new(Catalogue::default()));
        Scenario { name, file, path: None, folder, cases, original, document, catalogue }.with_settings(sets)
    }

    /// With settings `path=value`, written as on the command line.
    pub fn with_settings(mut self, sets: &[String]) -> Result<Scenario, Diagnostics> {
        let mut wrong = Diagnostics::default();
        for text in sets {
            match Setting::parse(text, &self.folder) {
                Ok(setting) => self.apply(&setting, &mut wrong),
                Err(all) => wrong.extend(all),
            }
        }
        if wrong.0.is_empty() { Ok(self) } else { Err(wrong) }
    }

    /// A setting goes to every case; where some write the value and another has another kind there, whose keys are its own,
    /// that one is left as it is.
    fn apply(&mut self, setting: &Setting, wrong: &mut Diagnostics) {
        let kinds = |root| paths::kinds(root, &setting.path);
        let writes = |root| paths::node(root, &setting.path).is_some();
        let alike: Vec<bool> = self
            .cases
            .iter()
            .map(|case| {
                let mut writing = self.cases.iter().filter(|c| writes(&c.root)).peekable();
                let unknown = writing.peek().is_none();
                unknown || writes(&case.root) || writing.any(|c| kinds(&c.root) == kinds(&case.root))
            })
            .collect();
        for i in (0..self.cases.len()).filter(|i| alike[*i]) {
            self.rename(i, setting);
            if let Err(all) = setting.apply(&mut self.cases[i].root) {
                wrong.extend(all);
            }
            self.write_down(i, setting);
        }
    }

    /// A case whose name gives a value that is set now gives the new one.
    fn rename(&mut self, i: usize, setting: &Setting) {
        let case = &self.cases[i];
        if case.name.is_empty() {
            return;
        }
        let own = case.own.contains(&setting.path);
        let name = relabel(&case.name, &setting.path, paths::node(&case.root, &setting.path), &setting.value, own);
        let others = self.cases.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, c)| c.name.as_str());
        self.cases[i].name = unique(name, others);
    }

    /// With a value at a path, in every case: `.set("contact.friction.mu", 0.1)`.
    pub fn set(mut self, path: &str, value: impl Into<Setpoint>) -> Result<Scenario, Diagnostics> {
        let Setpoint(value) = value.into();
        let setting = Setting::new(path, &shown(&value), with_places(&value), &self.folder);
        let mut wrong = Diagnostics::default();
        self.apply(&setting, &mut wrong);
        if wrong.0.is_empty() { Ok(self) } else { Err(wrong) }
    }

    /// With other kinds than those of the catalogue.
    pub fn with_catalogue(mut self, catalogue: Catalogue) -> Scenario {
        self.catalogue = Arc::new(catalogue);
        self
    }

    /// The scenario with one case in place of all.
    pub(crate) fn with_case(&self, case: Case) -> Scenario {
        Scenario { cases: vec![case], ..self.clone() }
    }

    /// The name: of the file without its ending.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The folder of the files that it names, where there is one.
    pub fn folder(&self) -> Option<PathBuf> {
        self.folder.root().cloned()
    }

    /// The file it was read from, where there is one.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The title, where there is one.
    pub fn title(&self) -> Option<&str> {
        self.cases.first().and_then(|c| c.root.text("title"))
    }

    /// Names of the cases; one empty name for a scenario without cases.
    pub fn cases(&self) -> Vec<&str> {
        self.cases.iter().map(|c| c.name.as_str()).collect()
    }

    /// Where a run writes unless it is set otherwise: `<name>.out` beside the file.
    pub fn output_folder(&self) -> PathBuf {
        let name = format!("{}.out", self.name);
        match &self.path {
            Some(path) => path.with_file_name(name),
            None => PathBuf::from(name),
        }
    }

    /// The model of each case and what is asked of it. Everything that is wrong is found here, before any work.
    pub fn prepare(&self) -> Result<Vec<Prepared>, Diagnostics> {
        let mut prepared = vec![];
        let mut wrong: Vec<(Vec<&str>, Diagnostic)> = vec![];
        for case in &self.cases {
            match self.build_checked(case) {
                Ok(model) => prepared.push(model),
                Err(all) => {
                    for d in all.0 {
                        match wrong.iter_mut().find(|(_, old)| *old == d) {
                            Some((names, _)) => names.push(&case.name),
                            None => wrong.push((vec![&case.name], d)),
                        }
                    }
                }
            }
        }
        if wrong.is_empty() {
            return Ok(prepared);
        }
        let several = self.cases.len();
        let tell = |(names, mut d): (Vec<&str>, Diagnostic)| {
            d.case = (names.len() < several).then(|| names.join("\", \""));
            d
        };
        let mut all: Vec<Diagnostic> = wrong.into_iter().map(tell).collect();
        all.sort_by(|a, b| {
            (a.origin == crate::Origin::Set, &a.file, a.line, a.column).cmp(&(
                b.origin == crate::Origin::Set,
                &b.file,
                b.line,
                b.column,
            ))
        });
        Err(Diagnostics(all))
    }

    /// A case whose varied parameters can all be set.
    fn build_checked(&self, case: &Case) -> Result<Prepared, Diagnostics> {
        let mut prepared = build(case, &self.file, &self.folder, &self.catalogue)?;
        self.check_units(case, &prepared)?;
        let mut models = vec![];
        for (path, value) in prepared.analysis.varies() {
            let varied = self.vary(case, &[(&path, value)], &prepared);
            let (model, units) =
                varied.map_err(|all| self.at_parameter(case, &path, self.without_unit(case, &prepared, &path, all)))?;
            prepared.expected.extend(units);
            models.push((path, model));
        }
        if let Some(refused) = prepared.analysis.refuse_together(&models) {
            let entry = case.root.get("analysis").and_then(|n| n.entry_with("parameter", &refused.key));
            let d = match entry {
                Some(entry) => entry.at().diagnostic(refused.code, refused.message),
                None => Diagnostic::about_file(refused.code, &self.file, refused.message),
            };
            let d = match refused.expected {
                Some(expected) => d.label(format!("expected {expected}")),
                None => d,
            };
            return Err(d.hint(refused.hint).into());
        }
        for path in prepared.analysis.starts_at() {
            let wrong = |all| self.at_parameter(case, &path, all);
            let Some(found) = number_at(&prepared.spec, &self.catalogue, &path) else {
                let entry = case.root.get("analysis").and_then(|n| n.entry_with("parameter", &path));
                let Some(at) = entry.map(|e| e.at()) else { continue };
                let d = at.diagnostic("analysis::not-a-number", format!("`{path}` does not lead to a number"));
                let hint = match meant(&prepared.spec, &path) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("stickslip explain {} shows every path", self.file),
                };
                return Err(d.label("expected the path of a number").hint(Some(hint)).into());
            };
            let (_, units) = self.vary(case, &[(&path, found.value)], &prepared).map_err(wrong)?;
            prepared.expected.extend(units);
        }
        let alternatives = CaseAlternatives { scenario: self, case };
        for (path, from) in prepared.analysis.replaces() {
            alternatives.check(&path, from)?;
        }
        // Now also where only the reading of a value shows what is expected.
        self.check_units(case, &prepared)?;
        Ok(prepared)
    }

    /// What is wrong with a bare number in the place of a value with a unit, with that as the reason.
    fn without_unit(&self, case: &Case, prepared: &Prepared, path: &str, all: Diagnostics) -> Diagnostics {
        let bare = prepared.varied.get(path).is_some_and(String::is_empty);
        let Some(unit) = own_unit(&case.root, path).filter(|_| bare) else { return all };
        let hint = format!("`{path}` has the unit {unit} in the scenario: give its values here their unit too");
        Diagnostics(all.0.into_iter().map(|d| d.hint(Some(hint.clone()))).collect())
    }

    /// The units of the values that the analysis gives to parameters.
    fn check_units(&self, case: &Case, prepared: &Prepared) -> Result<(), Diagnostics> {
        let Some(node) = case.root.get("analysis") else { return Ok(()) };
        let Prepared { spec, varied, expected, .. } = prepared;
        match wrong_units(node, spec, &self.catalogue, varied, expected) {
            wrong if wrong.is_empty() => Ok(()),
            wrong => Err(Diagnostics(wrong)),
        }
    }
}
