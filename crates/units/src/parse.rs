//! Reading units and quantities from text.
use crate::exponent::LARGEST_EXPONENT;
use crate::table::{lookup, suggest};
use crate::{Quantity, Unit, UnitError, number_prefix};

/// Longest text read as a unit or quantity, in bytes: far above any sensible one.
const LONGEST: usize = 1000;
/// Deepest nesting of parentheses, so that recursion stays shallow.
const DEEPEST: usize = 32;

/// Reads a unit: `N/cm`, `kg cm^-3.5 s^-2`, `1/mm`, `%`; an empty text is the pure number 1.
pub fn unit(text: &str) -> Result<Unit, UnitError> {
    unit_with(text, &|_| None)
}

/// Reads a unit whose exponents may hold parameters, as those of a power law do.
///
/// ```
/// use stickslip_units::{unit, unit_with};
/// let m = |name: &str| (name == "m").then_some(2.5);
/// assert_eq!(unit_with("Pa/m^m", &m), unit("Pa m^-2.5"));
/// assert_eq!(unit_with("kg m^-(m+1) s^-2", &m), unit("kg m^-3.5 s^-2"));
/// ```
pub fn unit_with(text: &str, parameter: &dyn Fn(&str) -> Option<f64>) -> Result<Unit, UnitError> {
    check_length(text)?;
    let mut parser = Parser { parameter, ..Parser::new(text, 0) };
    parser.whole_unit()
}

/// Reads a number with an optional unit: `100 N/cm`, `0.9um`, `-1e-3 m`, `5 %`.
pub fn quantity(text: &str) -> Result<Quantity, UnitError> {
    number_and_unit(text).map(|(number, unit, _)| unit.of(number))
}

/// Reads a number with an optional unit, as it is written: the number, the unit and the text of the unit.
pub fn number_and_unit(text: &str) -> Result<(f64, Unit, &str), UnitError> {
    check_length(text)?;
    let mut parser = Parser::new(text, 0);
    parser.skip_spaces();
    let negative = parser.eat('-');
    if !negative {
        parser.eat('+');
    }
    let (number, len) = number_prefix(parser.rest()).ok_or_else(|| parser.expected("a number"))?;
    let start = parser.at;
    parser.at += len;
    let written = parser.rest().trim();
    let unit = parser.whole_unit()?;
    let number = if negative { -number } else { number };
    if !unit.to_si(number).is_finite() {
        return Err(UnitError::new("the value is too large", start..start + len));
    }
    Ok((number, unit, written))
}

/// The unit that follows a number within a formula, and the bytes it takes; `None` if what follows is no unit.
///
/// Reading goes on as long as names are known units, are not `taken` (symbols of the formula) and are not called like
/// functions. `/` and `*` continue the unit only when written without spaces: `3 rad/s * t`, `3 m / x`.
pub fn unit_prefix(text: &str, taken: &dyn Fn(&str) -> bool) -> Result<Option<(Unit, usize)>, UnitError> {
    let mut parser = Parser { taken, prefix: true, ..Parser::new(text, 0) };
    parser.skip_spaces();
    let start = parser.at;
    let from_number = parser.at == 0;
    let one = parser.eat('1') || (from_number && parser.peek() == Some('/'));
    if !one && !parser.at_unit() {
        return Ok(None);
    }
    let begin = parser.at;
    let unit = if one { Unit::ONE } else { parser.factor()? };
    let unit = parser.factors(unit, start)?;
    Ok((parser.at > begin).then_some((unit, parser.at)))
}

fn check_length(text: &str) -> Result<(), UnitError> {
    match text.len() <= LONGEST {
        true => Ok(()),
        false => Err(UnitError::new(format!("longer than {LONGEST} characters"), 0..text.len())),
    }
}

/// Length of the name at the start of `text`: a word, or a sign that is a unit by itself.
pub(crate) fn name_len(text: &str) -> usize {
    match text.chars().next() {
        Some(c @ ('%' | '\u{b0}')) => c.len_utf8(),
        Some(c) if c.is_alphabetic() || c == '_' => {
            text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())
        }
        _ => 0,
    }
}

/// How one factor is joined to the next.
#[derive(Clone, Copy, PartialEq)]
enum Join {
    Space,
    Times { attached: bool },
    Over { attached: bool },
    End,
}

#[derive(Clone)]
pub(crate) struct Parser<'a> {
    text: &'a str,
    pub(crate) at: usize,
    depth: usize,
    pub(crate) parameter: &'a dyn Fn(&str) -> Option<f64>,
    taken: &'a dyn Fn(&str) -> bool,
    /// Stop at the first thing that is no unit, instead of refusing it.
    prefix: bool,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, at: usize) -> Self {
        Parser { text, at, depth: 0, parameter: &|_| None, taken: &|_| false, prefix: false }
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    pub(crate) fn skip_spaces(&mut self) -> bool {
        let before = self.at;
        self.at = self.text.len() - self.rest().trim_start().len();
        self.at > before
    }

    /// The error that something else stands here.
    pub(crate) fn expected(&self, what: &str) -> UnitError {
        match self.peek() {
            Some(c) => UnitError::new(format!("expected {what}, found `{c}`"), self.at..self.at + c.len_utf8()),
            None => UnitError::new(format!("expected {what}, found the end"), self.at..self.at),
        }
    }

    /// `( inner )`, within the limit of depth.
    pub(crate) fn nested<T>(&mut self, inner: impl Fn(&mut Self) -> Result<T, UnitError>) -> Result<T, UnitError> {
        let start = self.at;
        self.eat('(');
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(UnitError::new(format!("parentheses nest deeper than {DEEPEST}"), start..self.at));
        }
        let value = inner(self)?;
        self.skip_spaces();
        if !self.eat(')') {
            return Err(self.expected("`)`"));
        }
        self.depth -= 1;
        Ok(value)
    }

    fn whole_unit(&mut self) -> Result<Unit, UnitError> {
        self.skip_spaces();
        if self.rest().is_empty() {
            return Ok(Unit::ONE);
        }
        let unit = self.product()?;
        self.skip_spaces();
        match self.rest().is_empty() {
            true => Ok(unit),
            false => Err(self.expected("the end of the unit")),
        }
    }

    fn product(&mut self) -> Result<Unit, UnitError> {
        self.skip_spaces();
        let start = self.at;
        // `1/mm`; and `/mm` after a number, which is the 1 itself.
        let first = if self.eat('1') || self.peek() == Some('/') { Unit::ONE } else { self.factor()? };
        self.factors(first, start)
    }

    /// What is joined to the first factor.
    fn factors(&mut self, mut unit: Unit, start: usize) -> Result<Unit, UnitError> {
        let mut slash = None;
        loop {
            let before = self.at;
            let join = self.join();
            if join == Join::End || self.prefix && !self.continues(join) {
                self.at = before;
                break;
            }
            let begin = self.at;
            let factor = self.factor()?;
            match (join, slash) {
                (Join::Over { .. }, _) => {
                    unit = unit / factor;
                    slash = slash.or(Some(begin));
                }
                (Join::Space, Some(below)) => return Err(self.two_readings(start, below)),
                _ => unit = unit * factor,
            }
        }
        let fits = unit.scale.is_normal() && unit.dimension.largest_power() <= LARGEST_EXPONENT;
        if fits { Ok(unit) } else { Err(UnitError::new("the unit is out of range", start..self.at)) }
    }

    /// `kg/m s`: people mean different things by it.
    fn two_readings(&self, start: usize, below: usize) -> UnitError {
        let text = &self.text[start..self.at];
        let (above, rest) = (&self.text[start..below], &self.text[below..self.at]);
        let mut error = UnitError::new(format!("`{text}` can be read in two ways"), start..self.at);
        if !rest.contains('/') {
            error.suggestion = Some(format!("{above}({rest})"));
        }
        error
    }

    /// Reads what stands between two factors, up to the second.
    fn join(&mut self) -> Join {
        let before = self.skip_spaces();
        let over = self.eat('/');
        let dot = !over && (self.eat('\u{b7}') || self.eat('\u{22c5}'));
        if over || dot || self.eat('*') {
            let after = self.skip_spaces();
            let attached = !before && !after;
            // A raised dot is no operator of formulas: it can only belong to a unit.
            return if over { Join::Over { attached } } else { Join::Times { attached: attached || dot } };
        }
        match self.peek() {
            None | Some(')') => Join::End,
            Some(_) if before => Join::Space,
            Some(_) => Join::End,
        }
    }

    /// Whether a unit within a formula goes on here.
    fn continues(&self, join: Join) -> bool {
        match join {
            Join::Space | Join::Times { attached: true } => self.at_unit(),
            Join::Over { attached: true } if self.peek() == Some('(') => {
                let mut ahead = Parser { prefix: false, ..self.clone() };
                ahead.factor().is_ok()
            }
            Join::Over { attached: true } => self.at_unit(),
            _ => false,
        }
    }

    /// Whether the name of a unit stands here, and not a call like `min(`.
    fn at_unit(&self) -> bool {
        let (name, after) = self.rest().split_at(name_len(self.rest()));
        self.known(name).is_some() && !after.trim_start().starts_with('(')
    }

    fn known(&self, name: &str) -> Option<Unit> {
        if (self.taken)(name) { None } else { lookup(name) }
    }

    /// A named unit or a product in parentheses, with its exponent.
    fn factor(&mut self) -> Result<Unit, UnitError> {
        let start = self.at;
        let base = match self.peek() {
            Some('(') => {
                let mut inner = Parser { prefix: false, ..self.clone() };
                let unit = inner.nested(|p| p.product())?;
                self.at = inner.at;
                unit
            }
            _ => self.named()?,
        };
        let before = self.at;
        self.skip_spaces();
        if !self.eat('^') {
            self.at = before;
            return Ok(base);
        }
        let power = self.exponent()?;
        let unit = base.pow(power);
        let fits = unit.scale.is_normal() && unit.dimension.largest_power() <= LARGEST_EXPONENT;
        if fits { Ok(unit) } else { Err(UnitError::new("the unit is out of range", start..self.at)) }
    }

    fn named(&mut self) -> Result<Unit, UnitError> {
        let len = name_len(self.rest());
        if len == 0 {
            return Err(self.expected("a unit"));
        }
        let (name, at) = (&self.rest()[..len], self.at..self.at + len);
        self.at += len;
        self.known(name).ok_or_else(|| UnitError {
            suggestion: suggest(name),
            ..UnitError::new(format!("unknown unit `{name}`"), at)
        })
    }
}
