//! Numbers with units: `10`, `"100 N/cm"`, `"2*omega"`.
use crate::context::Reading;
use crate::text::tree::{At, Node, Value};
use std::ops::Range;
use stickslip_formula::{Formula, Symbol};
use stickslip_structures::{ANY_UNIT, Refused};
use stickslip_units::{Dimension, Unit, quantity, unit};

/// A number in SI, and its unit.
#[derive(Clone, Debug)]
pub(crate) struct Amount {
    pub value: f64,
    pub unit: String,
}

/// A text read as a number or as a function of time.
pub(crate) enum Expression {
    Amount(Amount),
    /// In `t` and the parameters, in this order.
    Formula(Formula, String),
}

impl Reading<'_> {
    /// A number in SI where `unit` is expected.
    pub fn amount(&self, node: &Node, unit: &str, path: &str) -> Result<Amount, Refused> {
        match self.expression(node, unit, path, false)? {
            Expression::Amount(amount) => Ok(amount),
            Expression::Formula(..) => Err(self.not_a_number(node, unit, path)),
        }
    }

    /// The units that are understood where `unit` is expected.
    pub fn units(&self, text: &str, path: &str) -> Result<Vec<(Unit, String)>, Refused> {
        let expected = unit(text).map_err(|e| {
            Refused::new(path, "scenario::unit", format!("the unit `{text}` expected here is not one: {e}"))
        })?;
        let mut units = vec![(expected, text.to_string())];
        if self.per_area.get() && expected.dimension.mass != 0.0 {
            let area = Unit::si(Dimension::LENGTH.pow(2.0));
            units.push((expected / area, if text == "N" { "Pa".into() } else { format!("{text}/m^2") }));
        }
        Ok(units)
    }

    /// A number, a quantity or a formula; `in_time`: a formula in `t` stays a formula.
    pub fn expression(&self, node: &Node, unit: &str, path: &str, in_time: bool) -> Result<Expression, Refused> {
        self.expression_in(node, unit, path, in_time.then(|| Symbol::new("t", Dimension::TIME)))
    }

    /// The same; a formula in `argument` stays a formula.
    pub fn expression_in(
        &self,
        node: &Node,
        unit: &str,
        path: &str,
        argument: Option<Symbol>,
    ) -> Result<Expression, Refused> {
        let of_argument = argument.is_some();
        let in_time = argument.as_ref().is_some_and(|symbol| symbol.name == "t");
        let any = unit == ANY_UNIT;
        let units = if any { vec![] } else { self.units(unit, path)? };
        if let Some(path) = node.at.source.set_path().filter(|_| !any) {
            self.expected.borrow_mut().insert(path.into(), unit.into());
        }
        let unit = if any { "any" } else { unit };
        let plain = |value: f64| match value.is_finite() {
            true => Ok(Expression::Amount(Amount { value, unit: unit.into() })),
            false => {
                let name = path.rsplit('.').next().unwrap_or(path);
                let e =
                    Refused::new(path, "scenario::not-finite", format!("`{name}` = {value} is not a finite number"));
                Err(e.expected(format!("a number (unit {unit})")))
            }
        };
        let text = match &node.value {
            Value::Number(x) => return plain(*x),
            Value::Text(text) => text,
            _ => return Err(self.not_a_number(node, unit, path)),
        };
        if let Ok(x) = text.trim().parse::<f64>() {
            return plain(x);
        }
        let misread = match quantity(text) {
            Ok(q) if any && q.value.is_finite() => {
                return Ok(Expression::Amount(Amount { value: q.value, unit: q.dimension.to_string() }));
            }
            Ok(q) => {
                for (unit, name) in &units {
                    if let Ok(value) = q.expect(unit) {
                        let amount = Amount { value, unit: name.clone() };
                        return if value.is_finite() { Ok(Expression::Amount(amount)) } else { plain(value) };
                    }
                }
                Ok(q.dimension)
            }
            Err(e) => Err(e),
        };
        if let Some(notes) = &self.notes {
            notes.evaluate();
        }
        // A symbol hides a unit of its name: "1/t" is a formula in time, not one over a tonne.
        let mut symbols = self.symbols.clone();
        symbols.splice(0..0, argument);
        let symbols = &symbols[..];
        let mut first_error = None;
        for (unit, name) in &units {
            match Formula::parse(text, symbols, unit) {
                Err(e) => first_error = first_error.or(Some(e)),
                Ok(formula) if of_argument && formula.uses(0) => return Ok(Expression::Formula(formula, name.clone())),
                Ok(formula) => {
                    let mut values = self.values.clone();
                    if of_argument {
                        values.insert(0, 0.0);
                    }
                    let value = formula.eval(&values);
                    return plain(value).map(|_| Expression::Amount(Amount { value, unit: name.clone() }));
                }
            }
        }
        let unit_error = match misread {
            Err(e) => e,
            Ok(dimension) => {
                let message = format!("`{text}` has the dimension `{dimension}`");
                // Which of the two is meant nobody knows: the number in another unit would be another quantity.
                return Err(Refused::new(path, "scenario::dimension", message).expected(format!("the unit {unit}")));
            }
        };
        // What starts like a quantity and has no operator was meant as one.
        let looks_like_quantity = text.trim_start().starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
            && !text.contains(['(', '*', '+']);
        let (message, at, suggestion) = match first_error {
            Some(e) if !looks_like_quantity => (e.message, e.at, e.suggestion),
            _ => (unit_error.message, unit_error.at, unit_error.suggestion),
        };
        let unknown = text.get(at.clone()).filter(|_| message.starts_with("unknown symbol")).map(String::from);
        let comma = looks_like_quantity && text.get(at.clone()) == Some(",");
        let no_time = !in_time && text.get(at.clone()) == Some("t");
        if let Some(at) = inside(node, text, at) {
            self.point(path, at);
        }
        let code = if message.contains("dimension") { "scenario::dimension" } else { "scenario::quantity" };
        let e = Refused::new(path, code, format!("`{}`: {message}", clip(text)));
        let e = e.expected(format!("{} (unit {unit})", if in_time { "a function of time" } else { "a number" }));
        Err(match suggestion {
            _ if comma => e.hint("decimals follow a point, as in 0.1"),
            _ if no_time => e.hint("this is one number; it can't change in time"),
            Some(s) => e.hint(format!("did you mean `{s}`?")),
            None => match unknown {
                Some(name) => e.hint(format!("give `{name}` a value, with its unit, in [parameters]")),
                None => e,
            },
        })
    }

    fn not_a_number(&self, node: &Node, unit: &str, path: &str) -> Refused {
        let name = path.rsplit('.').next().unwrap_or(path);
        Refused::new(path, "scenario::shape", format!("`{name}` is {}", node.what()))
            .expected(format!("a number (unit {unit})"))
    }
}

/// A text short enough for a message.
fn clip(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((i, _)) => format!("{}...", &text[..i]),
        None => text.into(),
    }
}

/// Bytes of a text as bytes of its source, where the text stands there as it is.
pub(crate) fn inside(node: &Node, text: &str, at: Range<usize>) -> Option<At> {
    let raw = node.at.source.text.get(node.at.span.clone())?;
    let offset = raw.find(text)?;
    let start = node.at.span.start + offset;
    Some(At { source: node.at.source.clone(), span: start + at.start..start + at.end })
}
