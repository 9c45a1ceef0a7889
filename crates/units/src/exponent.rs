//! Exponents of units: a number, a parameter, or an expression of these in parentheses.
use crate::parse::{Parser, name_len};
use crate::{UnitError, number_prefix};

/// No physical unit comes near; beyond, scales overflow.
pub(crate) const LARGEST_EXPONENT: f64 = 100.0;

impl Parser<'_> {
    /// What follows `^`: a signed number, parameter or parenthesis.
    pub(crate) fn exponent(&mut self) -> Result<f64, UnitError> {
        let start = self.at;
        let value = self.signed()?;
        if value.is_finite() && value.abs() <= LARGEST_EXPONENT {
            return Ok(value);
        }
        let message = format!("the exponent is {value}, beyond the limit of {LARGEST_EXPONENT}");
        Err(UnitError::new(message, start..self.at))
    }

    fn signed(&mut self) -> Result<f64, UnitError> {
        let mut sign = 1.0;
        loop {
            self.skip_spaces();
            if self.eat('-') {
                sign = -sign;
            } else if !self.eat('+') {
                return self.atom().map(|x| sign * x);
            }
        }
    }

    fn atom(&mut self) -> Result<f64, UnitError> {
        if let Some((value, len)) = number_prefix(self.rest()) {
            self.at += len;
            return Ok(value);
        }
        if self.peek() == Some('(') {
            return self.nested(|p| p.sum());
        }
        let len = name_len(self.rest());
        if len == 0 {
            return Err(self.expected("an exponent"));
        }
        let name = &self.rest()[..len];
        let at = self.at..self.at + len;
        self.at += len;
        (self.parameter)(name)
            .ok_or_else(|| UnitError::new(format!("`{name}` in an exponent is neither a number nor a parameter"), at))
    }

    fn sum(&mut self) -> Result<f64, UnitError> {
        let mut value = self.term()?;
        loop {
            self.skip_spaces();
            if self.eat('+') {
                value += self.term()?;
            } else if self.eat('-') {
                value -= self.term()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn term(&mut self) -> Result<f64, UnitError> {
        let mut value = self.signed()?;
        loop {
            self.skip_spaces();
            if self.eat('*') {
                value *= self.signed()?;
            } else if self.eat('/') {
                value /= self.signed()?;
            } else {
                return Ok(value);
            }
        }
    }
}
