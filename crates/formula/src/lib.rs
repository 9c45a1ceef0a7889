//! Formulas as text: parsed, dimension-checked, evaluated on any scalar.
//!
//! ```
//! use stickslip_formula::{Formula, Symbol};
//! use stickslip_real::Dual;
//! use stickslip_units::{Dimension, unit};
//! let t = Symbol::new("t", Dimension::TIME);
//! let load = Formula::parse("30 MPa * sin(3e4 rad/s * t)", &[t], &unit("Pa").unwrap()).unwrap();
//! assert!((load.eval(&[1e-5]) / (30e6 * 0.3f64.sin()) - 1.0).abs() < 1e-15);
//! let rate = load.eval(&[Dual::<1>::variable(0.0, 0)]).eps[0];
//! assert!((rate / 9e11 - 1.0).abs() < 1e-15);
//! ```
//!
//! Operators are `+ - * / ^`, functions sin cos exp ln sqrt abs tanh atan asinh min max step, and `pi`. A number may
//! carry a unit. A formula without any unit is SI in the dimension expected; one unit anywhere means that the whole
//! formula is checked. What is in Hz counts cycles: `sin(2*pi*f*t)`; what is in rad/s radians: `sin(omega*t)`. Taking the
//! one for the other is refused in every formula.
mod check;
mod error;
mod fold;
mod frequencies;
mod node;
mod parse;
mod tape;

pub use error::FormulaError;

use node::{Kind, Node};
use stickslip_real::Real;
use stickslip_units::{Dimension, Quantity, Unit};
use tape::Tape;

/// A name that a formula may use.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol {
    /// The name, which hides a unit of the same name.
    pub name: String,
    /// What its values measure; they are given in SI, a frequency in Hz or in rad/s as the dimension says.
    pub dimension: Dimension,
}

impl Symbol {
    /// A symbol of that name and dimension.
    pub fn new(name: impl Into<String>, dimension: Dimension) -> Self {
        Symbol { name: name.into(), dimension }
    }
}

/// A formula ready to be evaluated.
#[derive(Clone, Debug)]
pub struct Formula {
    text: String,
    nodes: Vec<Node>,
    factor: f64,
    tape: Tape,
}

impl Formula {
    /// Reads a formula in `symbols` whose result is a quantity in the dimension of `expected`.
    ///
    /// Where Hz is expected the result counts cycles, as [`Quantity::expect`] has it.
    pub fn parse(text: &str, symbols: &[Symbol], expected: &Unit) -> Result<Formula, FormulaError> {
        Self::read(text, symbols, expected, false)
    }

    /// Reads a formula of the time `t` alone, in SI.
    pub fn of_time(text: &str) -> Result<Formula, FormulaError> {
        let time = Symbol::new("t", Dimension::TIME);
        Self::read(text, &[time], &Unit::ONE, false)
    }

    /// As [`Formula::parse`], and checked even if no number in it has a unit: where the symbols carry the units.
    pub fn parse_checked(text: &str, symbols: &[Symbol], expected: &Unit) -> Result<Formula, FormulaError> {
        Self::read(text, symbols, expected, true)
    }

    fn read(text: &str, symbols: &[Symbol], expected: &Unit, checked: bool) -> Result<Formula, FormulaError> {
        let nodes = parse::parse(text, symbols)?;
        let constants = fold::fold(&nodes, text)?;
        let has_units = checked || nodes.iter().any(|n| n.has_unit());
        let found = check::check(&nodes, &constants, text, symbols);
        found.cycles?;
        let factor = match found.dimension {
            Ok(None) => 1.0,
            Ok(Some(dimension)) => match (Quantity { value: 1.0, dimension }.expect(expected), has_units) {
                (Ok(factor), _) => factor,
                (Err(_), false) => 1.0,
                (Err(e), true) => {
                    return Err(FormulaError::new(format!("the result has the wrong dimension: {e}"), 0..text.len()));
                }
            },
            Err(_) if !has_units => 1.0,
            Err(e) => return Err(e),
        };
        let tape = Tape::compile(&nodes, &constants, factor, text)?;
        Ok(Formula { text: text.to_string(), nodes, factor, tape })
    }

    /// The formula with numbers, in SI, in the place of some symbols: parts that have become constant are computed once.
    ///
    /// `numbers` follows the order of the symbols; the others keep their places.
    pub fn with(&self, numbers: &[Option<f64>]) -> Result<Formula, FormulaError> {
        let mut nodes = self.nodes.clone();
        for node in &mut nodes {
            if let Kind::Symbol(place) = node.kind
                && let Some(&Some(value)) = numbers.get(place)
            {
                node.kind = Kind::Literal(value, None);
            }
        }
        let constants = fold::fold(&nodes, &self.text)?;
        let tape = Tape::compile(&nodes, &constants, self.factor, &self.text)?;
        Ok(Formula { text: self.text.clone(), nodes, factor: self.factor, tape })
    }

    /// The formula as a function of one symbol, which then is the only one: all others are the numbers given, in their order.
    pub fn along(&self, symbol: usize, numbers: &[f64]) -> Result<Formula, FormulaError> {
        let mut nodes = self.nodes.clone();
        for node in &mut nodes {
            match node.kind {
                Kind::Symbol(place) if place == symbol => node.kind = Kind::Symbol(0),
                Kind::Symbol(place) => node.kind = Kind::Literal(numbers[place], None),
                _ => {}
            }
        }
        let constants = fold::fold(&nodes, &self.text)?;
        let tape = Tape::compile(&nodes, &constants, self.factor, &self.text)?;
        Ok(Formula { text: self.text.clone(), nodes, factor: self.factor, tape })
    }

    /// Whether a number in it carries a unit.
    pub fn has_units(&self) -> bool {
        self.nodes.iter().any(|n| n.has_unit())
    }

    /// The value, in SI, at `values` in the order of the symbols given to [`Formula::parse`].
    ///
    /// # Panics
    /// If there are fewer values than symbols used.
    pub fn eval<S: Real>(&self, values: &[S]) -> S {
        self.tape.run(values, &mut |_| ())
    }

    /// The value, as [`Formula::eval`]; also pushes one argument for each abs, min, max and step, whose sign change is
    /// where the formula is not smooth: x of abs(x) and step(x), a - b of min(a, b) and max(a, b).
    pub fn eval_with_switches<S: Real>(&self, values: &[S], switches: &mut Vec<S>) -> S {
        self.tape.run(values, &mut |x| switches.push(x))
    }

    /// How many arguments [`Formula::eval_with_switches`] pushes.
    pub fn switch_count(&self) -> usize {
        self.tape.switch_count()
    }

    /// Whether the value depends on the symbol at that place of the list.
    pub fn uses(&self, symbol: usize) -> bool {
        self.tape.uses(symbol)
    }

    /// Whether the value is seen to be a straight line in the symbol at that place of the list, whatever the others are.
    pub fn is_line(&self, symbol: usize) -> bool {
        self.tape.is_line(symbol)
    }

    /// Whether the value depends on no symbol.
    pub fn is_constant(&self) -> bool {
        self.tape.is_constant()
    }

    /// The formula as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}
