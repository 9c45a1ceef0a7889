//! Whether a value has the form that its parameter asks for.
use super::kind::{Param, Preset, Shape};
use super::values::{Given, LawError};
use stickslip_units::nearest;

/// The value in the form of its parameter, at `path` for messages; defaults are filled into the tables inside.
pub fn shaped(p: &Param, value: Given, path: &str) -> Result<Given, LawError> {
    match (p.shape, value) {
        (Shape::Number, v @ Given::Number(_)) => Ok(v),
        (Shape::List, Given::Number(x)) => Ok(Given::List(vec![x])),
        (Shape::List, Given::List(list)) if !list.is_empty() => Ok(Given::List(list)),
        (Shape::Choice(words), Given::Word(w)) => match words.iter().any(|c| *c == w) {
            true => Ok(Given::Word(w)),
            false => {
                let mut e = LawError::new(path, "choice", format!("`{path}` = \"{w}\" is not a choice"), p.expected());
                e.hint = nearest(&w, words.iter().copied()).map(|n| format!("did you mean \"{n}\"?"));
                Err(e)
            }
        },
        (Shape::Text, v @ Given::Word(_)) | (Shape::Quantity, v @ Given::Quantity(..)) => Ok(v),
        (Shape::Named(of), Given::Named(all)) => {
            let one = |(name, value): (String, Given)| {
                let path = format!("{path}.{name}");
                Ok((name, shaped(of, value, &path)?))
            };
            Ok(Given::Named(all.into_iter().map(one).collect::<Result<_, LawError>>()?))
        }
        (Shape::Record(fields), Given::Named(all)) => record(fields, all, path),
        (Shape::Rows(units) | Shape::File(units), Given::Rows(rows)) if rows.iter().all(|r| r.len() == units.len()) => {
            Ok(Given::Rows(rows))
        }
        (Shape::Inherited, v @ Given::Named(_)) | (Shape::Law, v @ Given::Law(_)) => Ok(v),
        (Shape::List, Given::List(_)) => {
            Err(LawError::new(path, "shape", format!("`{path}` is an empty list"), p.expected()))
        }
        _ => Err(LawError::new(path, "shape", format!("`{path}` has the wrong form"), p.expected())),
    }
}

fn record(fields: &'static [Param], all: Vec<(String, Given)>, path: &str) -> Result<Given, LawError> {
    if let Some((key, _)) = all.iter().find(|(key, _)| !fields.iter().any(|p| p.name == key)) {
        let names: Vec<_> = fields.iter().map(|p| p.name).collect();
        let message = format!("unknown key `{key}` in `{path}`");
        let mut e =
            LawError::new(&format!("{path}.{key}"), "unknown-key", message, format!("one of {}", names.join(", ")));
        e.hint = nearest(key, names.iter().copied()).map(|n| format!("did you mean `{n}`?"));
        return Err(e);
    }
    let mut filled = vec![];
    for p in fields {
        let path = format!("{path}.{}", p.name);
        let value = match (all.iter().find(|(key, _)| key == p.name), p.preset) {
            (Some((_, value)), _) => value.clone(),
            (None, Preset::Number(x)) => Given::Number(x),
            (None, Preset::Word(word)) => Given::Word(word.into()),
            (None, Preset::Absent) => continue,
            (None, _) => return Err(LawError::new(&path, "missing", format!("`{path}` is missing"), p.expected())),
        };
        filled.push((p.name.to_string(), shaped(p, value, &path)?));
    }
    Ok(Given::Named(filled))
}

/// Refuses numbers that are not finite, however deep they stand.
pub fn finite(p: &Param, value: &Given, path: &str) -> Result<(), LawError> {
    let check = |x: f64| match x.is_finite() {
        true => Ok(()),
        false => {
            let message = format!("`{path}` = {x} is not a finite number");
            Err(LawError::new(path, "not-finite", message, p.expected()))
        }
    };
    match value {
        Given::Number(x) | Given::Quantity(x, _) => check(*x),
        Given::List(list) => list.iter().try_for_each(|x| check(*x)),
        Given::Rows(rows) => rows.iter().flatten().try_for_each(|x| check(*x)),
        Given::Named(all) => all.iter().try_for_each(|(name, value)| finite(p, value, &format!("{path}.{name}"))),
        Given::Word(_) | Given::Law(_) => Ok(()),
    }
}
