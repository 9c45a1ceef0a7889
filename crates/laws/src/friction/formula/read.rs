//! From what the scenario gives to formulas that are checked.
use super::{Answer, LOAD, SYMBOLS, Term, Written, claims};
use crate::{Claims, Given, LawError, Scale, Source, State};
use stickslip_formula::{Formula, FormulaError, Symbol};
use stickslip_real::Scalar;
use stickslip_units::{Dimension, Quantity, Unit, unit};

/// Everything that formulas may name, and what is known about them.
struct Reader<'a, S> {
    source: &'a Source<'a, S>,
    symbols: Vec<Symbol>,
    /// The symbols that are numbers.
    numbers: Vec<Option<f64>>,
    parameters: Vec<S>,
    /// Parameters given without a unit.
    plain: Vec<String>,
    /// One unit anywhere: all formulas are checked.
    checked: bool,
}

pub fn read<S: Scalar>(source: &Source<S>) -> Result<Written<S>, LawError> {
    let texts = ["strength", "hold", "force"].map(|key| source.get(key).and_then(word));
    let mut reader = Reader {
        source,
        symbols: vec![],
        numbers: vec![None; SYMBOLS.len()],
        parameters: vec![],
        plain: vec![],
        checked: false,
    };
    let dimensions = [Dimension::LENGTH / Dimension::TIME, force_unit().dimension, Dimension::TIME];
    reader.symbols.extend(SYMBOLS.iter().zip(dimensions).map(|(name, d)| Symbol::new(*name, d)));
    let (states, rates) = reader.states()?;
    reader.parameters()?;
    let mut formulas: Vec<(String, &str, Vec<Unit>)> = vec![];
    let answers = match texts {
        [None, None, None] => {
            let mut e = missing("strength", "`strength` and `hold` are missing");
            e.hint = Some("a set-valued law gives `strength` and `hold`, a single-valued one `force`".into());
            return Err(e);
        }
        [Some(_), _, Some(_)] | [_, Some(_), Some(_)] => {
            let other = if texts[0].is_some() { "strength" } else { "hold" };
            let message = format!("`force` and `{other}` are both given");
            let expected = "`strength` and `hold` of a set-valued law, or `force` of a single-valued one";
            return Err(LawError::new("force", "conflict", message, expected.into()));
        }
        [None, None, Some(force)] => vec![("force", force)],
        [Some(strength), Some(hold), None] => vec![("hold", hold), ("strength", strength)],
        [Some(_), None, None] => return Err(missing("hold", "`hold` is missing: what stick can hold")),
        [None, Some(_), None] => return Err(missing("strength", "`strength` is missing: friction in slip")),
    };
    formulas.extend(answers.iter().map(|(key, text)| (key.to_string(), *text, vec![Unit::ONE, force_unit()])));
    for (state, text) in states.iter().zip(rates) {
        let of_rate = reader.dimension(&state.name) / Dimension::TIME;
        formulas.push((format!("states.{}.rate", state.name), text, vec![Unit::si(of_rate)]));
    }
    let mut read = vec![];
    for checked in [false, true] {
        if checked && !reader.checked {
            break;
        }
        read.clear();
        for (key, text, units) in &formulas {
            let found = reader.formula(key, text, units, checked)?;
            reader.checked |= found.formula.has_units() || reader.demands_check(&found.formula);
            read.push(found);
        }
    }
    for (term, (key, ..)) in read.iter_mut().zip(&formulas) {
        term.formula = term.formula.with(&reader.numbers).map_err(|e| reader.wrong(key, e))?;
    }
    let rates = read.split_off(answers.len()).into_iter().map(|t| t.formula).collect();
    let answer = match <[Term; 2]>::try_from(read) {
        Ok([hold, strength]) => Answer::Cone { hold, strength },
        Err(mut one) => Answer::Force(one.remove(0)),
    };
    let velocity_scale = match source.get("velocity_scale") {
        Some(Given::Number(c)) => Scale::Asinh(*c),
        _ => Scale::Linear(1.0),
    };
    // A parameter that carries a derivative keeps the place of all of them.
    let seeded = reader.numbers[SYMBOLS.len() + states.len()..].iter().any(Option::is_none);
    let parameters = if seeded { reader.parameters } else { vec![] };
    let mut law = Written { answer, rates, states, parameters, velocity_scale, claims: Claims::NONE };
    claims::probe(&mut law)?;
    Ok(law)
}

impl<'a, S: Scalar> Reader<'a, S> {
    fn states(&mut self) -> Result<(Vec<State>, Vec<&'a str>), LawError> {
        let (mut states, mut rates) = (vec![], vec![]);
        let Some(Given::Named(all)) = self.source.get("states") else { return Ok((states, rates)) };
        for (name, given) in all {
            self.name("states", "state", name)?;
            let Given::Named(fields) = given else { continue };
            let field = |key: &str| fields.iter().find(|(k, _)| k == key).map(|(_, v)| v);
            let at = |key: &str| format!("states.{name}.{key}");
            let own = match field("unit").and_then(word) {
                None => None,
                Some(text) => Some(unit(text).map_err(|e| LawError {
                    at: Some(Box::new(e.at)),
                    hint: e.suggestion.map(|s| format!("did you mean `{s}`?")),
                    ..LawError::new(&at("unit"), "bad-formula", e.message, "a unit".into())
                })?),
            };
            let quantity = |key: &str| match field(key) {
                Some(Given::Quantity(x, d)) => Some((*x, *d)),
                _ => None,
            };
            let dimension = own.map_or(quantity("start").map_or(Dimension::NONE, |q| q.1), |u| u.dimension);
            // In the unit of the state, which may count cycles or radians; a plain number is in it already.
            let in_own = |key: &str| match quantity(key) {
                Some((value, found)) if !found.is_dimensionless() => {
                    let converted = Quantity { value, dimension: found }.expect(&Unit::si(dimension));
                    converted.map(Some).map_err(|_| {
                        let message =
                            format!("`{key}` of `{name}` has the dimension `{found}`, the state `{dimension}`");
                        LawError::new(&at(key), "dimension", message, format!("the unit {dimension}"))
                    })
                }
                plain => Ok(plain.map(|q| q.0)),
            };
            let (start, magnitude) = (in_own("start")?.unwrap_or(0.0), in_own("magnitude")?);
            let size = if start != 0.0 { start.abs() } else { own.map_or(1.0, |u| u.to_si(1.0)) };
            let size = magnitude.unwrap_or(size);
            if size <= 0.0 {
                let message = format!("`magnitude` = {size} of `{name}` is not above 0");
                return Err(LawError::new(&at("magnitude"), "out-of-range", message, "a size above 0".into()));
            }
            let scale = match field("scale").and_then(word) {
                Some("log") if start <= 0.0 => {
                    let message = format!("`start` = {start} of `{name}` has no logarithm");
                    return Err(LawError::new(&at("start"), "out-of-range", message, "a number above 0".into()));
                }
                Some("log") => Scale::Log,
                Some("asinh") => Scale::Asinh(size),
                _ => Scale::Linear(size),
            };
            self.checked |= !dimension.is_dimensionless();
            self.symbols.push(Symbol::new(name.clone(), dimension));
            self.numbers.push(None);
            states.push(
                State::new(name.clone(), dimension.to_string(), start, scale).means("A state that the scenario names."),
            );
            rates.push(field("rate").and_then(word).unwrap_or_default());
        }
        Ok((states, rates))
    }

    fn parameters(&mut self) -> Result<(), LawError> {
        for (key, inherited) in [("parameters", false), ("inherited", true)] {
            let Some(Given::Named(all)) = self.source.get(key) else { continue };
            for (name, given) in all {
                let Given::Quantity(x, dimension) = given else { continue };
                // What the law itself names comes first.
                if inherited && self.symbols.iter().any(|s| s.name == *name) {
                    continue;
                }
                self.name(key, "parameter", name)?;
                let value = self.source.lift(&format!("{key}.{name}"), 0, *x);
                if !inherited {
                    self.checked |= !dimension.is_dimensionless();
                }
                if dimension.is_dimensionless() {
                    self.plain.push(name.clone());
                }
                self.symbols.push(Symbol::new(name.clone(), *dimension));
                self.numbers.push(value.constant_value());
                self.parameters.push(value);
            }
        }
        Ok(())
    }

    /// Refuses a name that no formula could use, or that means something else already.
    fn name(&self, key: &str, what: &str, name: &str) -> Result<(), LawError> {
        let letters = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let place = format!("{key}.{name}");
        if !letters {
            let message = format!("`{name}` is not a name for formulas");
            return Err(LawError::new(key, "bad-formula", message, "letters, digits and _, a letter first".into()));
        }
        let taken = match name {
            "v" => "the speed",
            "N" => "the normal force",
            "t" => "the time",
            _ if self.symbols.iter().any(|s| s.name == name) => "a state",
            _ => return Ok(()),
        };
        let message = format!("a {what} can't be named `{name}`: that is {taken}");
        Err(LawError::new(&place, "conflict", message, "another name".into()))
    }

    fn dimension(&self, symbol: &str) -> Dimension {
        self.symbols.iter().find(|s| s.name == symbol).map_or(Dimension::NONE, |s| s.dimension)
    }

    /// The normal force has a dimension that matters: a coefficient and a force must not be mixed up.
    fn demands_check(&self, formula: &Formula) -> bool {
        let with_unit =
            |i: &usize| *i == LOAD || (*i >= SYMBOLS.len() && !self.symbols[*i].dimension.is_dimensionless());
        (0..self.symbols.len()).filter(with_unit).any(|i| formula.uses(i))
    }

    /// A formula in the first of these units that it has.
    fn formula(&self, key: &str, text: &str, units: &[Unit], checked: bool) -> Result<Term, LawError> {
        let parse = |unit: &Unit| match checked {
            true => Formula::parse_checked(text, &self.symbols, unit),
            false => Formula::parse(text, &self.symbols, unit),
        };
        let first = parse(&units[0]);
        let whole = |formula| Term { formula, whole: true };
        match (first, units.get(1)) {
            (Ok(formula), _) => Ok(Term { formula, whole: false }),
            (Err(e), None) => Err(self.wrong(key, e)),
            (Err(e), Some(second)) => parse(second).map(whole).map_err(|_| self.wrong(key, e)),
        }
    }

    fn wrong(&self, key: &str, e: FormulaError) -> LawError {
        let dimension = e.message.contains("dimension");
        let code = if dimension { "dimension" } else { "bad-formula" };
        let expected = match key {
            "strength" | "hold" | "force" => "a coefficient (unit 1), or a force (unit N)".into(),
            _ => {
                let state = key.split('.').nth(1).unwrap_or_default();
                format!("a rate (unit {})", self.dimension(state) / Dimension::TIME)
            }
        };
        let plain = self.plain.iter().find(|name| dimension && mentions(&e.message, name));
        let hint = match (e.suggestion, plain) {
            _ if ["`sign`", "`sgn`"].iter().any(|name| e.message.starts_with(&format!("unknown function {name}"))) => {
                Some("a law that jumps at rest sticks: give `strength` and `hold`, in the speed".into())
            }
            (Some(near), _) => Some(format!("did you mean `{near}`?")),
            (None, None) if e.message.starts_with("unknown symbol") => {
                Some("numbers that formulas use stand in parameters = { name = 0.5, .. }".into())
            }
            (None, Some(name)) => Some(format!("`{name}` is a plain number: where one has a unit, all are checked")),
            _ => None,
        };
        let name = key.rsplit('.').next().unwrap_or(key);
        LawError {
            at: Some(Box::new(e.at)),
            hint,
            ..LawError::new(key, code, format!("`{name}`: {}", e.message), expected)
        }
    }
}

/// Whether a name stands in a text as a word of its own.
fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

fn word(given: &Given) -> Option<&str> {
    match given {
        Given::Word(word) => Some(word),
        _ => None,
    }
}

fn missing(key: &str, message: &str) -> LawError {
    LawError::new(key, "missing", message.into(), "a formula".into())
}

fn force_unit() -> Unit {
    Unit::si(Dimension::MASS * Dimension::LENGTH / Dimension::TIME.pow(2.0))
}
