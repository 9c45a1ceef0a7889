//! What is expected of the figures of a paper: `expected.toml`, which no run reads.
use crate::GalleryError;
use stickslip_data::Value;
use stickslip_units::{Unit, nearest, unit};
use toml::{Table, Value as Toml};

/// What is expected of one figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// Why the paper's figure can't be compared: it prints no parameters or no data.
    pub not_comparable: Option<String>,
    /// The numbers and words.
    pub rows: Vec<Expectation>,
}

/// One number, list or word that is expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// Case of the scenario; empty where it has none.
    pub case: String,
    /// Full name of the result: see `stickslip_data::Outcome::find`.
    pub name: String,
    /// The value, in `unit`.
    pub value: Value,
    /// Unit as written; empty where none is.
    pub unit: String,
    /// How far from it is well.
    pub tolerance: Tolerance,
    /// Where it comes from.
    pub source: String,
    /// What the paper prints instead, in `unit`, and why it differs.
    pub paper: Option<(Value, String)>,
}

/// How far from an expected number is well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Part of the expected number.
    Relative(f64),
    /// In the unit of the expected number.
    Absolute(f64),
    /// Not at all.
    Exact,
}

impl Tolerance {
    /// The largest difference from `x`.
    pub fn around(self, x: f64) -> f64 {
        match self {
            Tolerance::Relative(part) => part * x.abs(),
            Tolerance::Absolute(size) => size,
            Tolerance::Exact => 0.0,
        }
    }
}

impl std::fmt::Display for Tolerance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Tolerance::Relative(part) => write!(f, "{part:e} rel"),
            Tolerance::Absolute(size) => write!(f, "{size:e} abs"),
            Tolerance::Exact => f.write_str("exact"),
        }
    }
}

/// Where an expected value may come from.
const SOURCES: [&str; 3] = ["paper", "reference", "closed form"];
/// Keys of an expected value.
const KEYS: [&str; 6] = ["value", "unit", "tolerance", "source", "paper", "reason"];
/// The key of a figure that says why it can't be compared.
const NOT_COMPARABLE: &str = "not-comparable";

/// Reads all figures of a file.
pub fn read(file: &str, text: &str) -> Result<Vec<(String, Figure)>, GalleryError> {
    let wrong = |message: String| GalleryError { code: "gallery::expected", message: format!("{file}: {message}") };
    let table: Table = text.parse().map_err(|e: toml::de::Error| wrong(e.to_string().trim_end().into()))?;
    let mut all = vec![];
    for (name, figure) in &table {
        let Toml::Table(figure) = figure else { return Err(wrong(format!("`{name}` is not a table"))) };
        all.push((name.clone(), read_figure(figure).map_err(|e| wrong(format!("[{name}{e}")))?));
    }
    Ok(all)
}

/// The error begins with the rest of the table's name.
fn read_figure(table: &Table) -> Result<Figure, String> {
    let mut figure = Figure::default();
    for (key, value) in table {
        match value {
            Toml::String(why) if key == NOT_COMPARABLE => figure.not_comparable = Some(why.clone()),
            Toml::Table(leaf) if is_leaf(leaf) => figure.rows.push(read_row("", key, leaf)?),
            Toml::Table(case) => {
                for (name, leaf) in case {
                    let Toml::Table(leaf) = leaf else {
                        return Err(format!(".\"{key}\"]: `{name}` is not a table with a `value`"));
                    };
                    figure.rows.push(read_row(key, name, leaf)?);
                }
            }
            _ => return Err(format!("]: unknown key `{key}`; expected tables, or {NOT_COMPARABLE} = \"why\"")),
        }
    }
    Ok(figure)
}

/// Tables of values hold no tables.
fn is_leaf(table: &Table) -> bool {
    table.values().all(|v| !v.is_table())
}

fn read_row(case: &str, name: &str, table: &Table) -> Result<Expectation, String> {
    let wrong = |message: String| match case {
        "" => format!(".\"{name}\"]: {message}"),
        case => format!(".\"{case}\".\"{name}\"]: {message}"),
    };
    if let Some(key) = table.keys().find(|k| !KEYS.contains(&k.as_str())) {
        let near = nearest(key, KEYS).map_or(String::new(), |n| format!("; did you mean `{n}`?"));
        return Err(wrong(format!("unknown key `{key}`{near}")));
    }
    let text = |key: &str| match table.get(key) {
        None => Ok(None),
        Some(Toml::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(wrong(format!("`{key}` is not a text"))),
    };
    let some = |key: &str| {
        table.get(key).map(|v| value(v).ok_or_else(|| wrong(format!("`{key}` is neither number, list, text nor flag"))))
    };
    let expected = some("value").unwrap_or_else(|| Err(wrong("`value` is missing".into())))?;
    let paper = some("paper").transpose()?;
    let written = text("unit")?.unwrap_or_default();
    si(&written).map_err(&wrong)?;
    let source = text("source")?.unwrap_or_default();
    if !SOURCES.contains(&source.as_str()) {
        return Err(wrong(format!("`source` is one of {}", SOURCES.map(|s| format!("\"{s}\"")).join(", "))));
    }
    let paper = match (paper, text("reason")?) {
        (None, None) => None,
        (Some(_), _) if source == "paper" => {
            return Err(wrong("`paper` beside a value that is the paper's already".into()));
        }
        (Some(paper), Some(reason)) => Some((paper, reason)),
        _ => return Err(wrong("`paper` and `reason` go together".into())),
    };
    let tolerance = match table.get("tolerance") {
        Some(Toml::String(text)) => tolerance(text),
        Some(Toml::Float(part)) => Some(Tolerance::Relative(*part)),
        None if matches!(expected, Value::Text(_) | Value::Flag(_)) => Some(Tolerance::Exact),
        _ => None,
    };
    let fine = |t: &Tolerance| match t {
        Tolerance::Relative(x) | Tolerance::Absolute(x) => x.is_finite() && *x >= 0.0,
        Tolerance::Exact => true,
    };
    let tolerance = tolerance
        .filter(fine)
        .ok_or_else(|| wrong("`tolerance` is missing or unclear: \"1e-3 rel\", \"1e-5 abs\" or \"exact\"".into()))?;
    Ok(Expectation { case: case.into(), name: name.into(), value: expected, unit: written, tolerance, source, paper })
}

fn tolerance(text: &str) -> Option<Tolerance> {
    match text.split_once(' ') {
        None => (text == "exact").then_some(Tolerance::Exact),
        Some((size, "rel")) => Some(Tolerance::Relative(size.parse().ok()?)),
        Some((size, "abs")) => Some(Tolerance::Absolute(size.parse().ok()?)),
        _ => None,
    }
}

/// A unit as written; none is the pure number.
pub fn si(written: &str) -> Result<Unit, String> {
    if written.is_empty() { Ok(Unit::ONE) } else { unit(written).map_err(|e| format!("`unit`: {e}")) }
}

fn value(toml: &Toml) -> Option<Value> {
    let number = |v: &Toml| v.as_float().or(v.as_integer().map(|i| i as f64)).filter(|x| x.is_finite());
    match toml {
        Toml::String(text) => Some(Value::Text(text.clone())),
        Toml::Boolean(flag) => Some(Value::Flag(*flag)),
        Toml::Array(list) => list.iter().map(number).collect::<Option<Vec<f64>>>().map(Value::List),
        other => number(other).map(Value::Number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str =
        "[fig-1.\"a case\".period]\nvalue = 2.0\nunit = \"ms\"\ntolerance = \"1e-3 rel\"\nsource = \"paper\"\n";

    #[test]
    fn rows_stand_by_figure_case_and_name() {
        let text = format!(
            "{ROW}\n[fig-2]\nnot-comparable = \"no numbers\"\n[fig-2.regime]\nvalue = \"stuck\"\nsource = \"closed form\"\n"
        );
        let all = read("expected.toml", &text).unwrap();
        let row = &all[0].1.rows[0];
        assert_eq!((all[0].0.as_str(), row.case.as_str(), row.name.as_str()), ("fig-1", "a case", "period"));
        assert_eq!((row.tolerance, row.unit.as_str()), (Tolerance::Relative(1e-3), "ms"));
        assert_eq!(all[1].1.not_comparable.as_deref(), Some("no numbers"));
        assert_eq!((all[1].1.rows[0].case.as_str(), all[1].1.rows[0].tolerance), ("", Tolerance::Exact));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let broken = |from: &str, to: &str| read("expected.toml", &ROW.replace(from, to)).unwrap_err().message;
        let all = [
            broken("tolerance", "tolerence"),
            broken("\"paper\"", "\"hearsay\""),
            broken("\"ms\"", "\"mx\""),
            broken("1e-3 rel", "1e-3"),
            broken("1e-3 rel", "-1e-3 rel"),
            broken("2.0", "nan"),
            broken("value = 2.0\n", ""),
            broken("2.0", "2.0\nreason = \"x\""),
        ];
        for message in all {
            assert!(message.starts_with("expected.toml: [fig-1.\"a case\".\"period\"]: "), "{message}");
        }
        assert!(broken("tolerance", "tolerence").ends_with("did you mean `tolerance`?"));
    }
}
