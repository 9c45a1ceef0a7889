//! Names of cases after a setting: a name that gives a value gives the new one.
use crate::text::tree::{Node, Value};

/// The name of a case in which `path` had the value `old` and has the value `new` now; `own` where the case itself writes
/// that path, so that its name is about it.
///
/// The old value is replaced where the name has it: with its unit, or as a number after the parameter's name or alone
/// after an equals sign. A name that gives the value in other words gets the new one in brackets.
pub(crate) fn relabel(name: &str, path: &str, old: Option<&Node>, new: &Node, own: bool) -> String {
    let (Some(before), Some(after)) = (old.and_then(written), written(new)) else {
        return if own { told(name, path, new) } else { name.into() };
    };
    if before == after {
        return name.into();
    }
    let last = path.rsplit('.').next().unwrap_or(path);
    let (number, unit) = split(&before);
    let bare = match split(&after) {
        // In the same unit the number alone stays alone.
        (n, u) if u == unit => n.to_string(),
        _ => after.clone(),
    };
    let with_unit = (!unit.is_empty()).then(|| (before.clone(), after));
    let keyed = (format!("{last} = {number}"), format!("{last} = {bare}"));
    let alone = (format!("= {number}"), format!("= {bare}"));
    for (from, to) in with_unit.into_iter().chain([keyed, alone]) {
        if let [at] = places(name, &from)[..] {
            return format!("{}{to}{}", &name[..at], &name[at + from.len()..]);
        }
    }
    if own { told(name, path, new) } else { name.into() }
}

/// The name with what was set in brackets.
fn told(name: &str, path: &str, new: &Node) -> String {
    match written(new) {
        Some(value) => format!("{name} ({path} = {value})"),
        None => format!("{name} ({path} changed)"),
    }
}

/// A name that no other case has.
pub(crate) fn unique<'a>(name: String, others: impl Iterator<Item = &'a str> + Clone) -> String {
    let taken = |name: &str| others.clone().any(|other| other == name);
    if !taken(&name) {
        return name;
    }
    (2..).map(|k| format!("{name} ({k})")).find(|name| !taken(name)).unwrap_or(name)
}

/// A text or a number as one writes it.
fn written(node: &Node) -> Option<String> {
    match &node.value {
        Value::Text(text) => Some(text.trim().into()),
        Value::Number(x) => Some(x.to_string()),
        _ => None,
    }
}

/// The number of a quantity, and its unit.
fn split(text: &str) -> (&str, &str) {
    text.split_once(' ').map_or((text, ""), |(number, unit)| (number, unit.trim()))
}

/// Where a piece stands in a name, not as part of a longer word or number.
fn places(name: &str, piece: &str) -> Vec<usize> {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let whole = |at: &usize| {
        let after = &name[at + piece.len()..];
        let mut next = after.chars();
        let (first, second) = (next.next(), next.next());
        let decimal = first == Some('.') && second.is_some_and(|c| c.is_ascii_digit());
        !part(name[..*at].chars().next_back()) && !part(first) && !decimal
    };
    name.match_indices(piece).map(|(at, _)| at).filter(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::files::Folder;
    use crate::text::document::Setting;

    fn node(text: &str) -> Node {
        Setting::parse(&format!("x={text}"), &Folder::default()).unwrap().value
    }

    #[test]
    fn a_name_tells_the_value_that_is_set() {
        let name = |name: &str, path: &str, old: &str, new: &str, own: bool| {
            relabel(name, path, Some(&node(old)), &node(new), own)
        };
        let r = "parameters.r";
        assert_eq!(name("beta = 0.2, r = 0.9", r, "\"0.9 rad/s\"", "\"1.1 rad/s\"", true), "beta = 0.2, r = 1.1");
        assert_eq!(name("beta = 0.2, r = 1", r, "\"1 rad/s\"", "1.1", false), "beta = 0.2, r = 1.1");
        let k = "structure.stiffness";
        assert_eq!(name("K = 100 N/cm", k, "\"100 N/cm\"", "\"2 N/mm\"", true), "K = 2 N/mm");
        assert_eq!(name("soft", k, "\"100 N/cm\"", "\"2 N/mm\"", true), "soft (structure.stiffness = 2 N/mm)");
        assert_eq!(name("soft", k, "\"100 N/cm\"", "\"2 N/mm\"", false), "soft");
        // Two numbers that it might be, and one that is longer.
        assert_eq!(name("a = 1, b = 1", "x.c", "1", "2", false), "a = 1, b = 1");
        assert_eq!(name("a = 1.5", "x.a", "1", "2", false), "a = 1.5");
        assert_eq!(name("same", k, "1", "1", true), "same");
    }

    #[test]
    fn names_stay_apart() {
        assert_eq!(unique("r = 1".into(), ["r = 1", "r = 1 (2)"].into_iter()), "r = 1 (3)");
    }
}
