//! Dimensions of all parts, and whether angles are counted in cycles or in radians.
use crate::error::snippet;
use crate::node::{Binary, Kind, Node, Unary};
use crate::{FormulaError, Symbol};
use std::f64::consts::PI;
use stickslip_units::Dimension;

/// A constant this near to a whole multiple of pi turns cycles into radians: people write 6.28.
const NEARLY_PI: f64 = 1e-3;
/// So near it is pi itself, and a factor of it too many is a mistake.
const PI_ITSELF: f64 = 1e-12;

/// What the dimensions of a formula tell.
pub(crate) struct Found {
    /// The dimension of the result, or the first part whose dimensions disagree; `None` is a plain 0, which agrees with
    /// every dimension.
    pub dimension: Result<Option<Dimension>, FormulaError>,
    /// The first part that takes cycles for radians or adds them: wrong by 2 pi, also where nothing else is checked.
    pub cycles: Result<(), FormulaError>,
}

/// The dimension of the result and what is wrong on the way there.
pub(crate) fn check(nodes: &[Node], constants: &[Option<f64>], text: &str, symbols: &[Symbol]) -> Found {
    let checker = Checker { nodes, constants, text };
    let mut all: Vec<Option<Dimension>> = Vec::with_capacity(nodes.len());
    let mut turns: Vec<Turns> = Vec::with_capacity(nodes.len());
    let (mut wrong, mut cycles) = (None, Ok(()));
    for (i, node) in nodes.iter().enumerate() {
        let found = match node.kind {
            Kind::Literal(value, None) => Ok((value != 0.0).then_some(Dimension::NONE)),
            Kind::Literal(_, unit) => Ok(unit),
            Kind::Symbol(place) => Ok(Some(symbols[place].dimension)),
            Kind::Unary(op) => {
                cycles = cycles.and_then(|()| checker.radians(op, i - 1, all[i - 1]));
                checker.unary(op, i - 1, all[i - 1])
            }
            Kind::Binary(op, left) => {
                let (a, b) = ((left, all[left]), (i - 1, all[i - 1]));
                cycles = cycles.and_then(|()| checker.counted_alike(op, i, a, b));
                checker.binary(op, i, a, b)
            }
        };
        // After a part that disagrees the rest is still looked at for cycles, with what is known of it.
        let mut dimension = found.unwrap_or_else(|e| {
            wrong.get_or_insert(e);
            match node.kind {
                Kind::Binary(_, left) => all[left].filter(Dimension::has_angle).or(all[i - 1]),
                _ => Some(Dimension::NONE),
            }
        });
        let mut own = checker.turns(i, &turns);
        dimension.iter_mut().for_each(|d| own.turn(d));
        all.push(dimension);
        turns.push(own);
    }
    Found { dimension: wrong.map_or(Ok(all.pop().flatten()), Err), cycles }
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

    /// Refuses cycles where radians are taken, and radians that were multiplied by 2 pi.
    fn radians(&self, op: Unary, i: usize, argument: Option<Dimension>) -> Result<(), FormulaError> {
        let counted = argument.filter(|d| matches!(op, Unary::Sin | Unary::Cos) && d.has_angle() && d.has_cycles());
        let Some(dimension) = counted else { return Ok(()) };
        let (name, part, at) = (op.name(), self.part(i), self.nodes[i].at.clone());
        // Parentheses belong to the part.
        let inner = if part.starts_with('(') { part.clone() } else { format!("({part})") };
        Err(match dimension.cycles > 0.0 {
            true => FormulaError::new(format!("`{part}` counts cycles, and `{name}` takes radians"), at)
                .suggest((!part.ends_with("...")).then(|| format!("2*pi*{inner}"))),
            false => FormulaError::new(format!("`{part}` holds 2 pi too many: it counts radians without it"), at),
        })
    }

    /// Refuses sums of cycles and radians.
    fn counted_alike(&self, op: Binary, i: usize, a: Operand, b: Operand) -> Result<(), FormulaError> {
        let (Some(da), Some(db)) = (a.1, b.1) else { return Ok(()) };
        let sum = matches!(op, Binary::Add | Binary::Sub | Binary::Min | Binary::Max);
        let differ = sum && da.has_angle() && da.same_angle(&db) && da.same_kind(&db) && !da.same_cycles(&db);
        if !differ {
            return Ok(());
        }
        let (cycles, radians) = if da.cycles > db.cycles { (a.0, b.0) } else { (b.0, a.0) };
        let message = format!(
            "`{}` counts cycles and `{}` radians: they cannot be {}",
            self.part(cycles),
            self.part(radians),
            done(op)
        );
        Err(FormulaError::new(message, self.nodes[i].at.clone()))
    }

    fn binary(&self, op: Binary, i: usize, a: Operand, b: Operand) -> Result<Option<Dimension>, FormulaError> {
        match op {
            Binary::Mul => Ok(a.1.zip(b.1).map(|(a, b)| a * b)),
            Binary::Div => Ok(a.1.zip(b.1).map(|(a, b)| a / b)),
            Binary::Pow => self.power(a, b),
            Binary::Add | Binary::Sub | Binary::Min | Binary::Max => self.alike(op, i, a, b),
        }
    }

    /// Multiples of pi among the factors of a part.
    fn turns(&self, i: usize, before: &[Turns]) -> Turns {
        let kind = &self.nodes[i].kind;
        let quantity = match kind {
            Kind::Literal(_, unit) => unit.is_some(),
            Kind::Symbol(_) => true,
            Kind::Unary(_) => before[i - 1].quantity,
            Kind::Binary(_, left) => before[*left].quantity || before[i - 1].quantity,
        };
        let own = match (self.constants[i], kind) {
            (Some(x), _) if !quantity => Turns::of(x),
            (_, Kind::Unary(Unary::Neg | Unary::Abs)) => before[i - 1],
            (_, Kind::Binary(Binary::Mul, left)) => before[*left].plus(before[i - 1], 1.0),
            (_, Kind::Binary(Binary::Div, left)) => before[*left].plus(before[i - 1], -1.0),
            (_, Kind::Binary(Binary::Add | Binary::Sub, left)) => before[*left].either(before[i - 1]),
            _ => Turns::default(),
        };
        Turns { quantity, ..own }
    }

    fn alike(&self, op: Binary, i: usize, a: Operand, b: Operand) -> Result<Option<Dimension>, FormulaError> {
        let (Some(da), Some(db)) = (a.1, b.1) else {
            return Ok(a.1.or(b.1));
        };
        if da.same_kind(&db) {
            // A plain number beside an angle is an angle.
            return Ok(Some(if da.has_angle() { da } else { db }));
        }
        let message = format!(
            "`{}` has the dimension `{da}` and `{}` has `{db}`: they cannot be {}",
            self.part(a.0),
            self.part(b.0),
            done(op)
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

/// Multiples of pi among the factors of a part that have not met an angle yet.
#[derive(Clone, Copy, Default)]
struct Turns {
    /// How many, less those it is divided by.
    count: f64,
    /// Each is a multiple to the last digit.
    exact: bool,
    /// A symbol or a number with a unit is part of it: its value is no factor of pi, as in 3.14 rad/s.
    quantity: bool,
}

impl Turns {
    fn of(constant: f64) -> Turns {
        let x = constant.abs() / PI;
        let near = |part: f64| x.round() >= 1.0 && (x / x.round() - 1.0).abs() < part;
        Turns { count: if near(NEARLY_PI) { 1.0 } else { 0.0 }, exact: near(PI_ITSELF), quantity: false }
    }

    fn plus(self, other: Turns, sign: f64) -> Turns {
        let exact = (self.exact || self.count == 0.0) && (other.exact || other.count == 0.0);
        Turns { count: self.count + sign * other.count, exact, ..self }
    }

    fn either(self, other: Turns) -> Turns {
        if self.count != 0.0 { self } else { other }
    }

    /// A multiple of pi times cycles are radians; radians over it are cycles.
    fn turn(&mut self, dimension: &mut Dimension) {
        if dimension.angle != 1.0 || self.count == 0.0 {
            return;
        }
        let cycles = dimension.cycles - self.count;
        if cycles >= 0.0 || self.exact {
            dimension.cycles = cycles;
        }
        self.count = 0.0;
    }
}

/// What is done to two parts that must be alike.
fn done(op: Binary) -> &'static str {
    match op {
        Binary::Add => "added",
        Binary::Sub => "subtracted",
        _ => "compared",
    }
}
