//! Parameter values: as given, resolved and checked.
use super::forms::{self, shaped};
use super::kind::{Param, Preset, Shape, Side};
use super::nested::GivenLaw;
use std::ops::Range;
use stickslip_units::{Dimension, nearest};

/// A value as given.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// A number in SI.
    Number(f64),
    /// A list of numbers in SI.
    List(Vec<f64>),
    /// A word or a text.
    Word(String),
    /// A number in SI and what it measures; a plain number measures nothing.
    Quantity(f64, Dimension),
    /// Rows of numbers in SI.
    Rows(Vec<Vec<f64>>),
    /// Values under names.
    Named(Vec<(String, Given)>),
    /// A law with its values.
    Law(Box<GivenLaw>),
}

impl From<f64> for Given {
    fn from(x: f64) -> Given {
        Given::Number(x)
    }
}

impl From<&str> for Given {
    fn from(word: &str) -> Given {
        Given::Word(word.into())
    }
}

impl<const N: usize> From<[f64; N]> for Given {
    fn from(list: [f64; N]) -> Given {
        Given::List(list.to_vec())
    }
}

/// What was wrong with a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct LawError {
    /// The parameter, or a part of it: `states.z.rate`, `points[2]`.
    pub param: String,
    /// A stable code: "unknown-key", "missing", "out-of-range", "not-finite", "choice", "shape", "conflict", "bad-formula",
    /// "dimension", "directions".
    pub code: &'static str,
    /// What happened.
    pub message: String,
    /// What was expected.
    pub expected: String,
    /// What one could do.
    pub hint: Option<String>,
    /// Where in the parameter's text, in bytes; in a box, since errors travel by value.
    pub at: Option<Box<Range<usize>>>,
}

impl std::fmt::Display for LawError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for LawError {}

impl LawError {
    /// An error without a hint.
    pub fn new(param: &str, code: &'static str, message: String, expected: String) -> LawError {
        LawError { param: param.into(), code, message, expected, hint: None, at: None }
    }
}

/// A complete, checked set of parameter values, in the order of the declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Values(pub Vec<(&'static str, Given)>);

impl Values {
    /// Fills defaults into what was given and checks everything. `given` holds each key at most once.
    pub fn resolve(
        params: &'static [Param],
        one_of: &'static [&'static str],
        given: &[(String, Given)],
    ) -> Result<Values, LawError> {
        let mut given = given.to_vec();
        for (key, _) in &given {
            if !params.iter().any(|p| p.name == key) {
                let names: Vec<_> = params.iter().map(|p| p.name).collect();
                let mut e = LawError::new(key, "unknown-key", format!("unknown parameter `{key}`"), {
                    format!("one of {}", names.join(", "))
                });
                e.hint = nearest(key, names.iter().copied()).map(|n| format!("did you mean `{n}`?"));
                return Err(e);
            }
        }
        for p in params {
            let Shape::Shorthand(targets) = p.shape else { continue };
            let Some(i) = given.iter().position(|(k, _)| k == p.name) else { continue };
            let (_, value) = given.remove(i);
            for target in targets {
                if given.iter().any(|(k, _)| k == target) {
                    let message = format!("`{}` and `{target}` are both given", p.name);
                    return Err(LawError::new(
                        p.name,
                        "conflict",
                        message,
                        format!("either `{}` or `{target}`", p.name),
                    ));
                }
                given.push((target.to_string(), value.clone()));
            }
        }
        if !one_of.is_empty() && given.iter().filter(|(k, _)| one_of.contains(&k.as_str())).count() != 1 {
            let message = format!("exactly one of `{}` must be given", one_of.join("`, `"));
            return Err(LawError::new(one_of[0], "conflict", message, format!("one of {}", one_of.join(", "))));
        }
        let mut values = Values(vec![]);
        for p in params.iter().filter(|p| !matches!(p.shape, Shape::Shorthand(_))) {
            let found = given.iter().find(|(k, _)| k == p.name).map(|(_, v)| v.clone());
            let value = match (found, p.preset) {
                (Some(v), _) => v,
                (None, Preset::Number(x)) => Given::Number(x),
                (None, Preset::Word(w)) => Given::Word(w.into()),
                (None, Preset::Same(other)) => match given.iter().find(|(k, _)| k == other) {
                    Some((_, v)) => v.clone(),
                    None => values.get(other).cloned().ok_or_else(|| missing(p, params))?,
                },
                (None, Preset::Required) => return Err(missing(p, params)),
                (None, Preset::Absent) => continue,
            };
            values.0.push((p.name, shaped(p, value, p.name)?));
        }
        values.same_lengths(params)?;
        values.fill_columns(params);
        values.check(params)?;
        Ok(values)
    }

    /// Whether what is given so far lies within its bounds, before all of it is there.
    pub fn check_given(params: &'static [Param], given: &[(String, Given)]) -> Result<(), LawError> {
        let named = |(key, value): &(String, Given)| Some((params.iter().find(|p| p.name == key)?.name, value.clone()));
        Values(given.iter().filter_map(named).collect()).check(params)
    }

    /// Columns of one table are equally long; one value stands for all rows.
    fn same_lengths(&self, params: &'static [Param]) -> Result<(), LawError> {
        let rows = |p: &Param| self.get(p.name).map_or(0, |v| numbers(v).len());
        for (i, p) in params.iter().enumerate().filter(|(_, p)| p.column.is_some()) {
            let single_default = |q: &Param| matches!(q.preset, Preset::Number(_)) && rows(q) == 1;
            for q in params[..i].iter().filter(|q| q.column == p.column && !single_default(q)) {
                if rows(p) != rows(q) && rows(p) != 1 {
                    let message = format!("`{}` has {} values, `{}` has {}", p.name, rows(p), q.name, rows(q));
                    return Err(LawError::new(p.name, "shape", message, format!("one value for each of `{}`", q.name)));
                }
            }
        }
        Ok(())
    }

    /// Writes out the value that stands for all rows of its table: laws see columns of one length.
    fn fill_columns(&mut self, params: &'static [Param]) {
        let rows = |values: &Values, p: &Param| values.get(p.name).map_or(0, |v| numbers(v).len());
        for p in params.iter().filter(|p| p.column.is_some()) {
            let table = params.iter().filter(|q| q.column == p.column);
            let most = table.map(|q| rows(self, q)).max().unwrap_or(0);
            if let Some((_, Given::List(list))) = self.0.iter_mut().find(|(name, _)| *name == p.name)
                && let [one] = list[..]
            {
                *list = vec![one; most];
            }
        }
    }

    /// Checks finiteness and ranges, also those that compare two parameters.
    pub fn check(&self, params: &'static [Param]) -> Result<(), LawError> {
        for p in params {
            let Some(value) = self.get(p.name) else { continue };
            forms::finite(p, value, p.name)?;
            for (i, &x) in numbers(value).iter().enumerate() {
                for bound in p.bounds {
                    let (limit, name) = match bound.limit {
                        Preset::Number(l) => (l, format!("{l}")),
                        Preset::Same(other) => {
                            let list = self.get(other).map(numbers).unwrap_or_default();
                            let Some(&l) = list.get(i).or(list.last()) else { continue };
                            (l, format!("`{other}` = {l}"))
                        }
                        _ => continue,
                    };
                    let (holds, but) = match bound.side {
                        Side::Min => (x >= limit, "is below"),
                        Side::Above => (x > limit, "is not above"),
                        Side::Max => (x <= limit, "is above"),
                        Side::Below => (x < limit, "is not below"),
                    };
                    if !holds {
                        return Err(LawError::new(
                            p.name,
                            "out-of-range",
                            format!("`{}` = {x} {but} {name}", p.name),
                            p.expected(),
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// The value of a parameter.
    pub fn get(&self, name: &str) -> Option<&Given> {
        self.0.iter().find(|(k, _)| *k == name).map(|(_, v)| v)
    }
}

fn numbers(value: &Given) -> &[f64] {
    match value {
        Given::Number(x) => std::slice::from_ref(x),
        Given::List(list) => list,
        _ => &[],
    }
}

fn missing(p: &Param, params: &[Param]) -> LawError {
    let mut e = LawError::new(p.name, "missing", format!("`{}` is missing", p.name), p.expected());
    let short = params.iter().find(|q| matches!(q.shape, Shape::Shorthand(t) if t.contains(&p.name)));
    e.hint = short.map(|q| format!("`{}` sets it together with its companion", q.name));
    e
}
