//! Dimensions of all parts.
use crate::error::snippet;
use crate::node::{Binary, Kind, Node, Unary};
use crate::{FormulaError, Symbol};
use stickslip_units::Dimension;

/// The dimension of the result; `None` is a plain 0, which agrees with every dimension.
pub(crate) fn check(
    nodes: &[Node],
    constants: &[Option<f64>],
    text: &str,
    symbols: &[Symbol],
) -> Result<Option<Dimension>, FormulaError> {
    let checker = Checker { nodes, constants, text };
    let mut found: Vec<Option<Dimension>> = Vec::with_capacity(nodes.len());
    for (i, node) in nodes.iter().enumerate() {
        let dimension = match node.kind {
            Kind::Literal(value, None) => (value != 0.0).then_some(Dimension::NONE),
            Kind::Literal(_, unit) => unit,
            Kind::Symbol(place) => Some(symbols[place].dimension),
            Kind::Unary(op) => checker.unary(op, i - 1, found[i - 1])?,
            Kind::Binary(op, left) => checker.binary(op, i, (left, found[left]), (i - 1, found[i - 1]))?,
        };
        found.push(dimension);
    }
    Ok(found.pop().flatten())
}

struct Checker<'a> {
    nodes: &'a [Node],
    constants: &'a [Option<f64>],
    text: &'a str,
}

type Operand = (usize, Option<Dimension>);

impl Checker<'_> {
    fn part(&self, i: usize) -> String {
        snippet(self.text, &self.nodes[i].at)
    }

    fn unary(&self, op: Unary, i: usize, argument: Option<Dimension>) -> Result<Option<Dimension>, FormulaError> {
        let pure = argument.is_none_or(|d| d.is_dimensionless());
        match op {
            Unary::Neg | Unary::Abs => Ok(argument),
            Unary::Sqrt => Ok(argument.map(|d| d.pow(0.5))),
            // Only the sign matters.
            Unary::Step => Ok(Some(Dimension::NONE)),
            _ if pure => Ok(Some(Dimension::NONE)),
            _ => {
                let (name, part) = (op.name(), self.part(i));
                let dimension = argument.unwrap_or(Dimension::NONE);
                let message = format!("`{name}` needs a pure number, but `{part}` has the dimension `{dimension}`");
                Err(FormulaError::new(message, self.nodes[i].at.clone()))
            }
        }
    }

    fn binary(&self, op: Binary, i: usize, a: Operand, b: Operand) -> Result<Option<Dimension>, FormulaError> {
        match op {
            Binary::Mul => Ok(a.1.zip(b.1).map(|(a, b)| a * b)),
            Binary::Div => Ok(a.1.zip(b.1).map(|(a, b)| a / b)),
            Binary::Pow => self.power(a, b),
            Binary::Add | Binary::Sub | Binary::Min | Binary::Max => self.alike(op, i, a, b),
        }
    }

    fn alike(&self, op: Binary, i: usize, a: Operand, b: Operand) -> Result<Option<Dimension>, FormulaError> {
        let (Some(da), Some(db)) = (a.1, b.1) else {
            return Ok(a.1.or(b.1));
        };
        if da.same_kind(&db) {
            // A plain number beside an angle is an angle.
            return Ok(Some(if da.angle == 0.0 { db } else { da }));
        }
        let done = match op {
            Binary::Add => "added",
            Binary::Sub => "subtracted",
            _ => "compared",
        };
        let message = format!(
            "`{}` has the dimension `{da}` and `{}` has `{db}`: they cannot be {done}",
            self.part(a.0),
            self.part(b.0)
        );
        Err(FormulaError::new(message, self.nodes[i].at.clone()))
    }

    fn power(&self, base: Operand, exponent: Operand) -> Result<Option<Dimension>, FormulaError> {
        let part = self.part(exponent.0);
        let at = self.nodes[exponent.0].at.clone();
        if let Some(d) = exponent.1.filter(|d| !d.is_dimensionless()) {
            let message = format!("an exponent must be a pure number, but `{part}` has the dimension `{d}`");
            return Err(FormulaError::new(message, at));
        }
        match (base.1, self.constants[exponent.0]) {
            (None, _) => Ok(None),
            (Some(d), Some(power)) => Ok(Some(d.pow(power))),
            (Some(d), None) if d.is_dimensionless() => Ok(Some(Dimension::NONE)),
            (Some(d), None) => {
                let base = self.part(base.0);
                let message = format!("`{base}` has the dimension `{d}`: its exponent `{part}` must be a constant");
                Err(FormulaError::new(message, at))
            }
        }
    }
}
