//! Paths: `contact.friction.mu`, `contact.pad.friction.mu`, `structure.stiffness[0][1]`.
use crate::text::tree::{At, Entry, Node, Table, Value};
use stickslip_units::nearest;

/// Top-level tables that a path may bring into being, and the tables of `start`.
const OPTIONAL: [&str; 5] = ["start", "formulation", "output", "parameters", "analysis"];
const OF_START: [&str; 5] = ["values", "rates", "states", "scale", "add"];
/// Deepest path, and largest text of one.
const DEEPEST: usize = 32;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Name(String),
    Index(usize),
}

impl Step {
    /// As it is written after other steps.
    pub fn written(&self) -> String {
        match self {
            Step::Name(name) => format!(".{}", quoted(name)),
            Step::Index(i) => format!("[{i}]"),
        }
    }
}

/// A name as a step of a path, quoted where it must be.
pub(crate) fn quoted(name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    if bare { name.into() } else { format!("\"{}\"", name.replace('"', "\\\"")) }
}

/// A key of the table at `path`.
pub(crate) fn join(path: &str, key: &str) -> String {
    match (path.is_empty(), key.is_empty()) {
        (_, true) => path.into(),
        (true, _) => quoted(key),
        _ => format!("{path}.{}", quoted(key)),
    }
}

/// Reads a path; the error is a sentence.
pub(crate) fn parse(text: &str) -> Result<Vec<Step>, String> {
    let mut steps = vec![];
    let mut rest = text.trim();
    let broken = |what: &str| Err(format!("`{}` is not a path: {what}", text.trim()));
    while !rest.is_empty() {
        if steps.len() >= DEEPEST {
            return broken("it is too deep");
        }
        if let Some(inner) = rest.strip_prefix('[') {
            let Some((index, after)) = inner.split_once(']') else { return broken("`]` is missing") };
            let Ok(index) = index.trim().parse() else { return broken("an index is a whole number from 0") };
            steps.push(Step::Index(index));
            rest = after;
        } else if let Some(inner) = rest.strip_prefix('"') {
            let mut name = String::new();
            let mut chars = inner.char_indices();
            let end = loop {
                match chars.next() {
                    None => return broken("a quote is not closed"),
                    Some((i, '"')) => break i + 1,
                    Some((_, '\\')) => name.extend(chars.next().map(|(_, c)| c)),
                    Some((_, c)) => name.push(c),
                }
            };
            steps.push(Step::Name(name));
            rest = &inner[end..];
        } else {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            let name = rest[..end].trim();
            if name.is_empty() {
                return broken("a name is missing");
            }
            steps.push(Step::Name(name.into()));
            rest = &rest[end..];
        }
        match rest.strip_prefix('.') {
            Some("") => return broken("it ends with a dot"),
            Some(after) => rest = after,
            None if rest.is_empty() || rest.starts_with('[') => {}
            None => return broken("a dot is missing"),
        }
    }
    if steps.is_empty() { broken("it is empty") } else { Ok(steps) }
}

/// The place of a path in the document, and whether it exists; else of the part that does.
pub(crate) fn locate(root: &Table, path: &str) -> (Option<At>, bool) {
    let (at, node) = walk(root, path);
    (at, node.is_some())
}

/// The value at a path.
pub(crate) fn node<'t>(root: &'t Table, path: &str) -> Option<&'t Node> {
    walk(root, path).1
}

/// The place of a path, or of the part of it that exists, and the value there if all of it does.
fn walk<'t>(root: &'t Table, path: &str) -> (Option<At>, Option<&'t Node>) {
    let Ok(steps) = parse(path) else { return (None, None) };
    let mut found: Option<At> = None;
    let mut here: Option<&Node> = None;
    for step in &steps {
        // A list of one needs no name.
        if let (Step::Name(name), Some(Value::List(list))) = (step, here.map(|n| &n.value))
            && let [only] = list.as_slice()
            && only.as_table().is_some_and(|_| !named(only, name))
        {
            (found, here) = (Some(only.at.clone()), Some(only));
        }
        let table = match here {
            None => Some(root),
            Some(node) => node.as_table(),
        };
        let next = match (step, table, here.map(|n| &n.value)) {
            (Step::Name(name), Some(table), _) => table.entry(name).map(|e| (e.at(), &e.node)),
            (Step::Index(i), None, Some(Value::List(list))) => list.get(*i).map(|n| (n.at.clone(), n)),
            (Step::Name(name), None, Some(Value::List(list))) => {
                list.iter().find(|n| named(n, name)).map(|n| (n.at.clone(), n))
            }
            _ => None,
        };
        // A single contact that has a name may be addressed by it.
        let through = matches!((step, here), (Step::Name(name), Some(node)) if next.is_none() && named(node, name));
        match next {
            Some((at, node)) => (found, here) = (Some(at), Some(node)),
            None if through => {}
            None => return (found, None),
        }
    }
    (found, here)
}

/// The kinds, laws and functions of the tables on the way to a path: they decide which keys there are.
pub(crate) fn kinds<'t>(root: &'t Table, path: &str) -> Vec<Option<&'t str>> {
    let Ok(steps) = parse(path) else { return vec![] };
    let mut all = vec![];
    for upto in 1..steps.len() {
        let way: Vec<String> = steps[..upto].iter().map(Step::written).collect();
        let Some(table) = node(root, way.concat().trim_start_matches('.')).map(Node::as_table) else { break };
        all.extend(["kind", "law", "function"].map(|key| table.and_then(|t| t.text(key))));
    }
    all
}

fn named(node: &Node, name: &str) -> bool {
    node.as_table().is_some_and(|t| t.text("name") == Some(name))
}

/// What is wrong with a path: a sentence and a hint.
pub(crate) type Wrong = (String, Option<String>);

/// Puts a value at a path. The table that holds it must exist, the key need not: who reads it will say.
pub(crate) fn assign(root: &mut Table, path: &str, key_at: &At, value: Node, merge: bool) -> Result<(), Wrong> {
    let steps = parse(path).map_err(|e| (e, None))?;
    if let [Step::Name(name)] = steps.as_slice()
        && merge
        && let (Some(Value::Table(old)), Value::Table(new)) = (root.get_mut(name).map(|n| &mut n.value), &value.value)
        && crate::text::document::same_kind(old, new)
    {
        crate::text::document::merge(old, new.clone());
        return Ok(());
    }
    let mut walked = String::new();
    put(Target::Root(root), &steps, &mut walked, key_at, value)
}

enum Target<'a> {
    Root(&'a mut Table),
    Node(&'a mut Node),
}

fn put(target: Target, steps: &[Step], walked: &mut String, key_at: &At, value: Node) -> Result<(), Wrong> {
    let (first, rest) = (&steps[0], &steps[1..]);
    let table = match target {
        Target::Root(table) => table,
        Target::Node(node) => {
            let pass = matches!(first, Step::Name(name) if named(node, name) && !rest.is_empty());
            let what = node.what();
            match (&mut node.value, first) {
                (Value::Table(table), Step::Name(name)) if pass && table.get(name).is_none() => {
                    walked.push_str(&format!(".{}", quoted(name)));
                    return put(Target::Root(table), rest, walked, key_at, value);
                }
                (Value::Table(table), Step::Name(_)) => table,
                (Value::List(list), _) => return put_in_list(list, steps, walked, key_at, value),
                (_, Step::Name(name)) => {
                    return Err((format!("`{walked}` is {what}: it has no `{name}`"), None));
                }
                (_, Step::Index(_)) => {
                    let hint = format!("leave out the number: `{walked}`");
                    return Err((format!("`{walked}` is {what}, not a list"), Some(hint)));
                }
            }
        }
    };
    let Step::Name(name) = first else {
        return Err((format!("`{walked}` is a table, not a list"), None));
    };
    if rest.is_empty() {
        table.put(Entry { key: name.clone(), key_at: key_at.clone(), node: value });
        return Ok(());
    }
    let may_be_made = (walked.is_empty() && OPTIONAL.contains(&name.as_str()))
        || (walked.starts_with("start") && OF_START.contains(&name.as_str()));
    if table.get(name).is_none() && may_be_made {
        let node = Node { value: Value::Table(Table::default()), at: key_at.clone() };
        table.put(Entry { key: name.clone(), key_at: key_at.clone(), node });
    }
    let names: Vec<String> = table.keys().map(String::from).collect();
    let here = join(walked, name);
    match table.get_mut(name) {
        Some(node) => {
            *walked = here;
            put(Target::Node(node), rest, walked, key_at, value)
        }
        None => {
            let near = nearest(name, names.iter().map(String::as_str));
            let hint = near.map(|n| format!("did you mean `{}`?", join(walked, n)));
            Err((format!("there is no `{here}`"), hint))
        }
    }
}

fn put_in_list(list: &mut [Node], steps: &[Step], walked: &mut String, key_at: &At, value: Node) -> Result<(), Wrong> {
    let count = list.len();
    let names: Vec<String> = list.iter().filter_map(|n| n.as_table()?.text("name").map(String::from)).collect();
    let (node, rest) = match &steps[0] {
        Step::Index(i) => {
            let Some(node) = list.get_mut(*i) else {
                return Err((format!("`{walked}` has {count} entries, there is no [{i}]"), None));
            };
            walked.push_str(&format!("[{i}]"));
            (node, &steps[1..])
        }
        Step::Name(name) => match list.iter().position(|n| named(n, name)) {
            Some(i) => {
                walked.push_str(&format!(".{}", quoted(name)));
                (&mut list[i], &steps[1..])
            }
            // A list of one needs no name.
            None if count == 1 => (&mut list[0], steps),
            None => {
                let near = nearest(name, names.iter().map(String::as_str));
                let hint = match near {
                    Some(n) => Some(format!("did you mean `{}`?", join(walked, n))),
                    None if names.is_empty() => Some(format!("address an entry by its number: `{walked}[0]`")),
                    None => Some(format!("there are: {}", names.join(", "))),
                };
                return Err((format!("`{walked}` has no entry named `{name}`"), hint));
            }
        },
    };
    if rest.is_empty() {
        *node = value;
        return Ok(());
    }
    put(Target::Node(node), rest, walked, key_at, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_names_indices_and_quotes() {
        let name = |s: &str| Step::Name(s.into());
        assert_eq!(
            parse("a.b_c[0][12].d").unwrap(),
            [name("a"), name("b_c"), Step::Index(0), Step::Index(12), name("d")]
        );
        assert_eq!(parse(r#"start.states."pad.phi""#).unwrap(), [name("start"), name("states"), name("pad.phi")]);
        for bad in ["", ".", "a.", "a..b", "a[", "a[x]", "a[-1]", "\"a", "\"a\"b", "a]b["] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        assert_eq!(join("a", "b c"), "a.\"b c\"");
    }
}
