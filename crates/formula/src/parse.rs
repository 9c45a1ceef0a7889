//! From text to nodes, by recursive descent.
use crate::node::{Binary, FUNCTIONS, Function, Kind, Node, Unary};
use crate::{FormulaError, Symbol};
use std::ops::Range;
use stickslip_units::{nearest, number_prefix, unit, unit_prefix};

/// What other programs call functions that are here.
const OTHER_NAMES: [(&str, &str); 3] = [("log", "ln"), ("arctan", "atan"), ("heaviside", "step")];

/// Longest formula, in bytes.
const LONGEST: usize = 10_000;
/// Deepest nesting of parentheses, calls, signs and exponents, so that recursion stays shallow.
const DEEPEST: usize = 100;

pub(crate) fn parse(text: &str, symbols: &[Symbol]) -> Result<Vec<Node>, FormulaError> {
    if text.len() > LONGEST {
        return Err(FormulaError::new(format!("the formula is longer than {LONGEST} characters"), 0..text.len()));
    }
    if text.trim().is_empty() {
        return Err(FormulaError::new("the formula is empty", 0..text.len()));
    }
    let mut parser = Parser { text, at: 0, depth: 0, symbols, nodes: Vec::new() };
    parser.sum()?;
    match parser.peek() {
        None => Ok(parser.nodes),
        Some(_) => Err(parser.unexpected("an operator")),
    }
}

fn name_prefix(text: &str) -> Option<&str> {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        .then(|| &text[..text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())])
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    symbols: &'a [Symbol],
    nodes: Vec<Node>,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next character that is no space, after moving there.
    fn peek(&mut self) -> Option<char> {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn deeper(&mut self, inner: fn(&mut Self) -> Result<(), FormulaError>) -> Result<(), FormulaError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(FormulaError::new(format!("the formula nests deeper than {DEEPEST}"), self.at..self.at));
        }
        inner(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn last(&self) -> usize {
        self.nodes.len() - 1
    }

    fn binary(&mut self, op: Binary, left: usize) {
        let at = self.nodes[left].at.start..self.nodes[self.last()].at.end;
        self.nodes.push(Node { kind: Kind::Binary(op, left), at });
    }

    fn sum(&mut self) -> Result<(), FormulaError> {
        self.product()?;
        loop {
            let op = match self.peek() {
                Some('+') => Binary::Add,
                Some('-') => Binary::Sub,
                _ => return Ok(()),
            };
            self.at += 1;
            let left = self.last();
            self.product()?;
            self.binary(op, left);
        }
    }

    fn product(&mut self) -> Result<(), FormulaError> {
        self.signed()?;
        loop {
            let op = match self.peek() {
                Some('*') if self.rest().starts_with("**") => {
                    let error = FormulaError::new("`**` is no operator", self.at..self.at + 2);
                    return Err(error.suggest(Some("^".into())));
                }
                Some('*') => Binary::Mul,
                Some('/') => Binary::Div,
                _ => return Ok(()),
            };
            self.at += 1;
            let left = self.last();
            self.signed()?;
            self.binary(op, left);
        }
    }

    /// A sign binds less than a power: -x^2 is -(x^2).
    fn signed(&mut self) -> Result<(), FormulaError> {
        match self.peek() {
            Some('-') => {
                let start = self.at;
                self.at += 1;
                self.deeper(Self::signed)?;
                let at = start..self.nodes[self.last()].at.end;
                self.nodes.push(Node { kind: Kind::Unary(Unary::Neg), at });
                Ok(())
            }
            Some('+') => {
                self.at += 1;
                self.deeper(Self::signed)
            }
            _ => self.power(),
        }
    }

    fn power(&mut self) -> Result<(), FormulaError> {
        self.atom()?;
        if self.eat('^') {
            let left = self.last();
            self.deeper(Self::signed)?;
            self.binary(Binary::Pow, left);
        }
        Ok(())
    }

    fn atom(&mut self) -> Result<(), FormulaError> {
        let next = self.peek();
        if let Some((value, len)) = number_prefix(self.rest()) {
            return self.literal(value, len);
        }
        if next == Some('(') {
            let start = self.at;
            self.at += 1;
            self.deeper(Self::sum)?;
            self.close()?;
            // With its parentheses the part reads well in a message.
            let last = self.last();
            self.nodes[last].at = start..self.at;
            return Ok(());
        }
        match name_prefix(self.rest()) {
            Some(name) => self.name(name),
            None => Err(self.unexpected("a number, a symbol or a function")),
        }
    }

    fn close(&mut self) -> Result<(), FormulaError> {
        if self.eat(')') { Ok(()) } else { Err(self.unexpected("`)`")) }
    }

    /// A number and the unit that may follow.
    fn literal(&mut self, value: f64, len: usize) -> Result<(), FormulaError> {
        let start = self.at;
        self.at += len;
        let taken = |name: &str| self.symbols.iter().any(|s| s.name == name);
        let found = unit_prefix(self.rest(), &taken).map_err(|e| FormulaError::in_unit(e, self.at))?;
        let (value, dimension) = match found {
            Some((unit, len)) => {
                self.at += len;
                (unit.to_si(value), Some(unit.dimension))
            }
            None => (value, None),
        };
        let at = start..self.at;
        if !value.is_finite() {
            return Err(FormulaError::new("the number is too large", at));
        }
        self.nodes.push(Node { kind: Kind::Literal(value, dimension), at });
        Ok(())
    }

    fn name(&mut self, name: &str) -> Result<(), FormulaError> {
        let at = self.at..self.at + name.len();
        self.at = at.end;
        let called = self.peek() == Some('(');
        let function = FUNCTIONS.iter().find(|f| f.0 == name);
        let symbol = self.symbols.iter().position(|s| s.name == name);
        let kind = match (function, symbol) {
            (Some(&(_, function)), _) if called => return self.call(name, function, at),
            (_, Some(_)) if called => return Err(FormulaError::new(format!("`{name}` is not a function"), at)),
            (_, Some(i)) => Kind::Symbol(i),
            (Some(_), None) => {
                return Err(FormulaError::new(format!("`{name}` is a function and needs an argument"), at));
            }
            (None, None) if name == "pi" && !called => Kind::Literal(std::f64::consts::PI, None),
            (None, None) => return Err(self.unknown(name, called, at)),
        };
        self.at = at.end;
        self.nodes.push(Node { kind, at });
        Ok(())
    }

    fn call(&mut self, name: &str, function: Function, at: Range<usize>) -> Result<(), FormulaError> {
        self.eat('(');
        let mut places = Vec::new();
        if self.peek() != Some(')') {
            loop {
                self.deeper(Self::sum)?;
                places.push(self.last());
                if !self.eat(',') {
                    break;
                }
            }
        }
        self.close()?;
        let kind = match (function, places.as_slice()) {
            (Function::One(op), [_]) => Kind::Unary(op),
            (Function::Two(op), &[left, _]) => Kind::Binary(op, left),
            (_, found) => {
                let needs = if matches!(function, Function::One(_)) { "one argument" } else { "two arguments" };
                let message = format!("`{name}` takes {needs}, found {}", found.len());
                return Err(FormulaError::new(message, at.start..self.at));
            }
        };
        self.nodes.push(Node { kind, at: at.start..self.at });
        Ok(())
    }

    /// The error that a name means nothing.
    fn unknown(&self, name: &str, called: bool, at: Range<usize>) -> FormulaError {
        let functions = FUNCTIONS.iter().map(|f| f.0);
        if called {
            let near = OTHER_NAMES.iter().find(|(other, _)| *other == name).map(|(_, ours)| *ours);
            let near = near.or_else(|| nearest(name, functions.clone())).map(str::to_string);
            let known = functions.collect::<Vec<_>>().join(" ");
            return FormulaError::new(format!("unknown function `{name}`; there are {known}"), at).suggest(near);
        }
        if unit(name).is_ok() {
            let message = format!("`{name}` is no symbol here; as a unit it must follow a number, `/` without spaces");
            return FormulaError::new(message, at);
        }
        // The name of a function is no value: it would be the next mistake.
        let near = nearest(name, self.symbols.iter().map(|s| s.name.as_str()).chain(["pi"]));
        FormulaError::new(format!("unknown symbol `{name}`"), at).suggest(near.map(str::to_string))
    }

    /// The error that something other than `expected` stands here.
    fn unexpected(&mut self, expected: &str) -> FormulaError {
        let Some(c) = self.peek() else {
            return FormulaError::new(format!("expected {expected}, found the end"), self.at..self.at);
        };
        let after_value = expected.starts_with('`') || expected.ends_with("operator");
        let name = name_prefix(self.rest());
        let at = self.at..self.at + name.map_or(c.len_utf8(), str::len);
        let found = &self.text[at.clone()];
        let known = self.symbols.iter().any(|s| s.name == found) || FUNCTIONS.iter().any(|f| f.0 == found);
        if after_value && (known || found == "pi" || c == '(' || c.is_ascii_digit()) {
            return FormulaError::new(format!("an operator is missing before `{found}`"), at);
        }
        match name.filter(|_| after_value).map(unit) {
            Some(Err(e)) => FormulaError::in_unit(e, at.start),
            Some(Ok(_)) => FormulaError::new(format!("the unit `{found}` must follow a number"), at),
            None => FormulaError::new(format!("expected {expected}, found `{found}`"), at),
        }
    }
}
