//! The parameters of a law, read by their declaration.
use crate::context::Reading;
use crate::read::shape::described;
use crate::text::paths::join;
use crate::text::tree::{Node, Table, Value};
use serde_json::{Map, Value as Json};
use stickslip_laws::{Given, LawError, Param, Preset, Shape, Side, Values};
use stickslip_structures::Refused;
use stickslip_units::{unit, unit_with};

/// Longest chain of defaults that name each other.
const CHAIN: usize = 8;

/// A law's table: `law`, its parameters, and keys that others read.
pub(crate) struct LawTable<'r, 'a> {
    pub reading: &'r Reading<'a>,
    pub table: &'r Table,
    pub path: String,
    pub params: &'static [Param],
    pub one_of: &'static [&'static str],
    /// A parameter that another key decides, and its word.
    pub fill: Option<(&'static str, &'static str)>,
    /// Laws around this one.
    pub depth: usize,
}

impl LawTable<'_, '_> {
    /// The values in full, and their description. `others`: keys that somebody else reads.
    pub fn read(&self, others: &[&str]) -> Result<(Values, Map<String, Json>), Refused> {
        let given = self.given(others)?;
        let values = Values::resolve(self.params, self.one_of, &given).map_err(|e| self.refused(e, &given))?;
        let spec = self.describe(&values);
        Ok((values, spec))
    }

    /// The values as given.
    pub fn given(&self, others: &[&str]) -> Result<Vec<(String, Given)>, Refused> {
        let keys = self.params.iter().filter(|p| p.shape != Shape::Inherited);
        let names = keys.map(|p| p.name).chain(self.params.iter().filter_map(|p| p.column));
        for name in names.chain(others.iter().copied()).chain(["law"]) {
            self.reading.ask(&self.path, name, true);
        }
        self.reading.completed(&self.path);
        let mut given: Vec<(String, Given)> = vec![];
        // Units may depend on exponents: those come first, so that one out of its range is not reported as a wrong unit.
        let (later, first): (Vec<&Param>, Vec<&Param>) = self.params.iter().partition(|p| unit(p.unit).is_err());
        for (i, param) in first.iter().chain(later.iter()).enumerate() {
            if i == first.len() {
                Values::check_given(self.params, &given).map_err(|e| self.refused(e, &given))?;
            }
            if param.shape == Shape::Inherited {
                given.push((param.name.into(), self.inherited()));
            } else if let Some(node) = self.table.get(param.name) {
                given.push((param.name.into(), self.value(param, node, &self.at(param.name))?));
            }
        }
        if let Some((name, word)) = self.fill {
            if given.iter().any(|(k, v)| k == name && *v != Given::Word(word.into())) {
                let message = format!("`{name}` does not go with `{word}`");
                return Err(
                    Refused::new(self.at(name), "law::conflict", message).expected(format!("\"{word}\", or nothing"))
                );
            }
            given.retain(|(k, _)| k != name);
            given.push((name.into(), Given::Word(word.into())));
        }
        self.columns(&mut given)?;
        Ok(given)
    }

    fn at(&self, key: &str) -> String {
        join(&self.path, key)
    }

    /// The unit of a parameter, once the parameters in its exponents are known.
    pub fn unit(&self, param: &Param) -> Result<String, Refused> {
        if unit(param.unit).is_ok() {
            return Ok(param.unit.into());
        }
        let found = unit_with(param.unit, &|name| self.exponent(name, CHAIN));
        found.map(|u| u.dimension.to_string()).map_err(|e| {
            let message =
                format!("the unit of `{}` is `{}`, and an exponent is not known: {e}", param.name, param.unit);
            Refused::new(self.at(param.name), "law::unit", message)
        })
    }

    fn exponent(&self, name: &str, chain: usize) -> Option<f64> {
        if let Some(node) = self.table.get(name) {
            return self.reading.amount(node, "1", &self.at(name)).ok().map(|a| a.value);
        }
        match self.params.iter().find(|p| p.name == name)?.preset {
            Preset::Number(x) => Some(x),
            Preset::Same(other) if chain > 0 => self.exponent(other, chain - 1),
            _ => None,
        }
    }

    /// Lists given as tables: `states = [{ b = .., d_c = .. }, ..]`.
    fn columns(&self, given: &mut Vec<(String, Given)>) -> Result<(), Refused> {
        let mut names: Vec<&'static str> = self.params.iter().filter_map(|p| p.column).collect();
        names.dedup();
        for column in names {
            let Some(node) = self.table.get(column) else { continue };
            let path = self.at(column);
            let list = match &node.value {
                Value::List(list) => list.iter().map(Node::as_table).collect::<Option<Vec<_>>>(),
                _ => None,
            };
            let Some(tables) = list.filter(|l| !l.is_empty()) else {
                let message = format!("`{column}` is {}", node.what());
                return Err(Refused::new(path, "law::shape", message).expected("a list of tables"));
            };
            let of_column = || self.params.iter().filter(move |p| p.column == Some(column));
            for (i, param) in (0..tables.len()).flat_map(|i| of_column().map(move |p| (i, p))) {
                self.reading.ask(&format!("{path}[{i}]"), param.name, true);
            }
            for param in of_column() {
                let mut list = vec![];
                for (i, table) in tables.iter().enumerate() {
                    let path = format!("{path}[{i}]");
                    let path = join(&path, param.name);
                    match (table.get(param.name), param.preset) {
                        (Some(node), _) => match self.value(param, node, &path)? {
                            Given::Number(x) => list.push(x),
                            _ => {
                                return Err(Refused::new(
                                    path,
                                    "law::shape",
                                    format!("`{}` is one number here", param.name),
                                ));
                            }
                        },
                        (None, Preset::Number(x)) => list.push(x),
                        (None, _) if tables.iter().all(|t| t.get(param.name).is_none()) => {}
                        (None, _) => {
                            let message = format!("`{}` is missing in entry {i} of `{column}`", param.name);
                            return Err(Refused::new(path, "law::missing", message).expected(param.expected()));
                        }
                    }
                }
                if given.iter().any(|(k, _)| k == param.name) {
                    let message = format!("`{}` and `{column}` are both given", param.name);
                    return Err(Refused::new(self.at(param.name), "law::conflict", message));
                }
                if !list.is_empty() {
                    given.push((param.name.into(), Given::List(list)));
                }
            }
        }
        Ok(())
    }

    /// A law's refusal, pointing at the key that was written.
    pub fn refused(&self, e: LawError, given: &[(String, Given)]) -> Refused {
        let (first, rest) = e.param.split_at(e.param.find(['.', '[']).unwrap_or(e.param.len()));
        let param = self.params.iter().find(|p| p.name == first);
        let written = |name: &str| self.table.get(name).is_some();
        // A value may come from a shorthand or from a list of tables.
        let shorthand = self
            .params
            .iter()
            .find(|p| matches!(p.shape, Shape::Shorthand(targets) if targets.contains(&first)) && written(p.name));
        let key = match (shorthand, param.and_then(|p| p.column)) {
            _ if written(first) => first,
            (Some(short), _) => short.name,
            (None, Some(column)) if written(column) => column,
            _ => first,
        };
        let path = format!("{}{rest}", self.at(key));
        if let Some(at) = e.at {
            self.point_inside(&path, *at);
        }
        let hint = e.hint.or_else(|| match (e.code, param) {
            ("out-of-range", Some(param)) => self.way_out(param, given, &path),
            _ => None,
        });
        let code = match e.code {
            "unknown-key" => "law::unknown-key",
            "missing" => "law::missing",
            "out-of-range" => "law::out-of-range",
            "not-finite" => "law::not-finite",
            "choice" => "law::choice",
            "shape" => "law::shape",
            "conflict" => "law::conflict",
            "bad-formula" => "law::formula",
            "dimension" => "law::dimension",
            "directions" => "law::directions",
            _ => "law::refused",
        };
        Refused { key: path, code, message: e.message, expected: Some(e.expected).filter(|e| !e.is_empty()), hint }
    }

    /// The nearest value that another parameter allows.
    fn way_out(&self, param: &Param, given: &[(String, Given)], path: &str) -> Option<String> {
        let number = |name: &str| match given.iter().find(|(k, _)| k == name) {
            Some((_, Given::Number(x))) => Some(*x),
            _ => None,
        };
        // The other limit is known in SI, and the value may be written in another unit.
        let value = number(param.name).filter(|_| param.unit == "1")?;
        param.bounds.iter().find_map(|bound| {
            let Preset::Same(other) = bound.limit else { return None };
            let limit = number(other)?;
            let broken = match bound.side {
                Side::Min => value < limit,
                Side::Max => value > limit,
                _ => false,
            };
            broken.then(|| format!("try --set {}={limit}", self.reading.address(path)))
        })
    }

    pub fn describe(&self, values: &Values) -> Map<String, Json> {
        let mut spec = Map::new();
        for (name, value) in &values.0 {
            let unit = self.params.iter().find(|p| p.name == *name).and_then(|p| self.unit(p).ok()).unwrap_or_default();
            let inherited = self.params.iter().any(|p| p.name == *name && p.shape == Shape::Inherited);
            let inner = self.table.get(name).filter(|_| matches!(value, Given::Law(_)));
            if let (Given::Law(law), Some(node)) = (value, inner) {
                spec.insert(name.to_string(), self.describe_inner(law, node, name));
            } else if !inherited {
                spec.insert(name.to_string(), described(value, &unit));
            }
        }
        spec
    }
}
