//! From files to documents: includes, cases, settings.
use crate::read::signal::FORMS;
use crate::tables::files::{self, Folder};
use crate::text::diagnostic::{Diagnostics, Origin};
use crate::text::paths;
use crate::text::tree::{self, At, Node, Source, Table, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stickslip_units::nearest;

/// Most files between a scenario and its last include.
const DEEPEST: usize = 16;
/// Most cases of a scenario.
const MOST_CASES: usize = 10_000;

const PATH_EXPECTED: &str = "expected a path such as contact.friction.mu";

/// A scenario with one set of changes.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Empty for a scenario without cases.
    pub name: String,
    pub root: Table,
    /// Paths that the case itself writes.
    pub own: Vec<String>,
}

/// Reads a text and what it includes.
pub(crate) fn load(name: &str, text: String, folder: &Folder, file: Option<&Path>) -> Result<Table, Diagnostics> {
    let source = Source { name: name.into(), text, folder: folder.root().cloned(), origin: Origin::File };
    let mut stack: Vec<PathBuf> = file.and_then(|f| f.canonicalize().ok()).into_iter().collect();
    with_includes(Arc::new(source), folder, &mut stack)
}

fn with_includes(source: Arc<Source>, folder: &Folder, stack: &mut Vec<PathBuf>) -> Result<Table, Diagnostics> {
    let mut table = tree::parse(&source)?;
    let Some(include) = table.remove("include") else { return Ok(table) };
    let at = include.at();
    let Some(name) = include.node.as_text() else {
        let d = at.diagnostic("scenario::shape", format!("`include` is {}", include.node.what()));
        return Err(d.label("expected the name of a file").into());
    };
    let unread = |(code, message): (&str, String)| {
        let (expected, hint) = files::advice(code, name, source.folder.as_deref());
        let d = at.diagnostic(code, message).hint(hint);
        Diagnostics::from(expected.into_iter().fold(d, |d, e| d.label(format!("expected {e}"))))
    };
    let found = folder.find(source.folder.as_deref(), name).map_err(unread)?;
    let real = found.canonicalize().unwrap_or(found.clone());
    if let Some(first) = stack.iter().position(|file| *file == real) {
        let name_of = |file: &PathBuf| file.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
        let round: Vec<String> = stack[first..].iter().chain([&real]).map(name_of).collect();
        let d = at.diagnostic("scenario::include-cycle", format!("`{name}` includes itself, in the end"));
        let d = d.label("expected a file that does not lead back here");
        return Err(d.hint(Some(format!("leave out one include of {}", round.join(" -> ")))).into());
    }
    if stack.len() >= DEEPEST {
        let d = at.diagnostic("scenario::include-depth", format!("more than {DEEPEST} files include each other"));
        return Err(d.label(format!("expected at most {DEEPEST} files")).into());
    }
    let text = folder.read(&found).map_err(unread)?;
    // Shown as one would write it from the scenario's folder.
    let shown = folder.root().and_then(|root| found.strip_prefix(root).ok()).unwrap_or(&found);
    let inner = Source {
        name: shown.display().to_string(),
        text,
        folder: found.parent().map(Path::to_path_buf),
        origin: Origin::File,
    };
    stack.push(real);
    let mut base = with_includes(Arc::new(inner), folder, stack)?;
    stack.pop();
    merge(&mut base, table);
    Ok(base)
}

/// Lays one table over another: tables merge, unless they are of another kind; everything else is replaced.
pub(crate) fn merge(base: &mut Table, over: Table) {
    for entry in over.0 {
        if let (Some(Value::Table(old)), Value::Table(new)) =
            (base.get_mut(&entry.key).map(|n| &mut n.value), &entry.node.value)
            && same_kind(old, new)
        {
            merge(old, new.clone());
            continue;
        }
        base.put(entry);
    }
}

/// Whether one table may lie over another: where both name a kind or a law, it must be the same one.
pub(crate) fn same_kind(old: &Table, new: &Table) -> bool {
    let agree = |key: &str| match (old.text(key), new.text(key)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    };
    let form = |t: &Table| FORMS.iter().find(|f| t.get(f).is_some()).copied();
    let forms_agree = form(old).zip(form(new)).is_none_or(|(a, b)| a == b);
    agree("kind") && agree("law") && forms_agree
}

/// One document for each `[[case]]`, or the document itself.
pub(crate) fn cases(mut root: Table) -> Result<Vec<Case>, Diagnostics> {
    let Some(entry) = root.remove("case") else { return Ok(vec![Case { name: String::new(), root, own: vec![] }]) };
    let mut wrong = Diagnostics::default();
    let list = match entry.node.value {
        Value::List(list) if !list.is_empty() => list,
        Value::Table(_) => vec![entry.node],
        _ => {
            let d = entry.at().diagnostic("scenario::shape", format!("`case` is {}", entry.node.what()));
            return Err(d.label("expected tables [[case]]").into());
        }
    };
    if list.len() > MOST_CASES {
        return Err(entry.key_at.diagnostic("scenario::too-large", format!("more than {MOST_CASES} cases")).into());
    }
    let mut found: Vec<Case> = vec![];
    for node in &list {
        match case(node, &root, &found) {
            Ok(case) => found.push(case),
            Err(all) => wrong.extend(all),
        }
    }
    if wrong.0.is_empty() { Ok(found) } else { Err(wrong) }
}

fn case(node: &Node, root: &Table, earlier: &[Case]) -> Result<Case, Diagnostics> {
    let Some(table) = node.as_table() else {
        let d = node.at.diagnostic("scenario::shape", format!("a case is a table, this is {}", node.what()));
        return Err(d.into());
    };
    let mut wrong = Diagnostics::default();
    for entry in table.0.iter().filter(|e| !["name", "set"].contains(&e.key.as_str())) {
        let near = nearest(&entry.key, ["name", "set"]).map(|n| format!("did you mean `{n}`?"));
        let d = entry.at().diagnostic("scenario::unknown-key", format!("unknown key `{}` in a case", entry.key));
        wrong.push(d.label("expected `name` and `set`").hint(near));
    }
    let name = match table.text("name") {
        Some(name) if !name.trim().is_empty() => name.to_string(),
        _ => {
            let at = table.entry("name").map_or(node.at.clone(), |e| e.at());
            wrong.push(at.diagnostic("scenario::missing", "a case needs a `name`".into()).label("expected a text"));
            String::new()
        }
    };
    if earlier.iter().any(|c| c.name == name) {
        let at = table.entry("name").map_or(node.at.clone(), |e| e.at());
        let d = at.diagnostic("scenario::duplicate", format!("two cases are named `{name}`"));
        wrong.push(d.label("expected a name of its own").hint(Some(format!("name it \"{name} 2\", for instance"))));
    }
    let (mut root, mut own) = (root.clone(), vec![]);
    match table.entry("set").map(|e| (e, &e.node.value)) {
        None => {}
        Some((_, Value::Table(changes))) => {
            for change in &changes.0 {
                own.push(change.key.clone());
                let put = paths::assign(&mut root, &change.key, &change.key_at, change.node.clone(), true);
                if let Err((message, hint)) = put {
                    let d = change.at().diagnostic("scenario::unknown-path", message).label(PATH_EXPECTED);
                    wrong.push(d.hint(hint));
                }
            }
        }
        Some((entry, _)) => {
            let d = entry.at().diagnostic("scenario::shape", format!("`set` is {}", entry.node.what()));
            wrong.push(d.label("expected a table: { \"path\" = value }"));
        }
    }
    if wrong.0.is_empty() { Ok(Case { name, root, own }) } else { Err(wrong) }
}

/// A change to a document: `path=value`.
pub(crate) struct Setting {
    pub(crate) path: String,
    key_at: At,
    pub(crate) value: Node,
}

impl Setting {
    /// Reads `path=value` as on the command line. File names in it are read against `folder`.
    pub fn parse(text: &str, folder: &Folder) -> Result<Setting, Diagnostics> {
        let mut in_quotes = false;
        let equals = text.char_indices().find(|(_, c)| {
            in_quotes ^= *c == '"';
            *c == '=' && !in_quotes
        });
        let source =
            Source { name: text.into(), text: text.into(), folder: folder.root().cloned(), origin: Origin::Set };
        let source = Arc::new(source);
        let Some((equals, _)) = equals else {
            let d = source.diagnostic("scenario::syntax", format!("`{text}` is not a setting"), 0..text.len());
            return Err(d
                .label("expected path=value")
                .hint(Some("for instance --set drive.velocity=\"2 mm/s\"".into()))
                .into());
        };
        let value = tree::parse_value(&source, equals + 1)?;
        Ok(Setting { path: text[..equals].into(), key_at: At { source, span: 0..equals }, value })
    }

    /// A value that needs no reading.
    pub fn new(path: &str, shown: &str, value: Value, folder: &Folder) -> Setting {
        let text = format!("{path}={shown}");
        let span = path.len() + 1..text.len();
        let source = Source { name: text.clone(), text, folder: folder.root().cloned(), origin: Origin::Set };
        let source = Arc::new(source);
        let node = Node { value, at: At { source: source.clone(), span } };
        Setting { path: path.into(), key_at: At { source, span: 0..path.len() }, value: node }
    }

    pub fn apply(&self, root: &mut Table) -> Result<(), Diagnostics> {
        paths::assign(root, &self.path, &self.key_at, self.value.clone(), false).map_err(|(message, hint)| {
            let d = self.key_at.diagnostic("scenario::unknown-path", message).label(PATH_EXPECTED);
            d.hint(hint).into()
        })
    }
}
