//! The parsed formula: nodes in the order of evaluation, operands before operators.
//!
//! A flat list instead of a tree of boxes, so that a sum of a thousand terms needs no deep recursion anywhere. The right
//! (or only) operand of node `i` is node `i - 1`.
use std::ops::Range;
use stickslip_real::Real;
use stickslip_units::Dimension;

/// Operations on one value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unary {
    Neg,
    Sin,
    Cos,
    Exp,
    Ln,
    Sqrt,
    Abs,
    Tanh,
    Atan,
    Asinh,
    Step,
}

/// Operations on two values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    Min,
    Max,
}

/// What a name followed by parentheses means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Function {
    One(Unary),
    Two(Binary),
}

/// All functions.
pub(crate) const FUNCTIONS: [(&str, Function); 12] = [
    ("sin", Function::One(Unary::Sin)),
    ("cos", Function::One(Unary::Cos)),
    ("exp", Function::One(Unary::Exp)),
    ("ln", Function::One(Unary::Ln)),
    ("sqrt", Function::One(Unary::Sqrt)),
    ("abs", Function::One(Unary::Abs)),
    ("tanh", Function::One(Unary::Tanh)),
    ("atan", Function::One(Unary::Atan)),
    ("asinh", Function::One(Unary::Asinh)),
    ("step", Function::One(Unary::Step)),
    ("min", Function::Two(Binary::Min)),
    ("max", Function::Two(Binary::Max)),
];

impl Unary {
    pub(crate) fn apply<S: Real>(self, x: S) -> S {
        match self {
            Unary::Neg => -x,
            Unary::Sin => x.sin(),
            Unary::Cos => x.cos(),
            Unary::Exp => x.exp(),
            Unary::Ln => x.ln(),
            Unary::Sqrt => x.sqrt(),
            Unary::Abs => x.abs(),
            Unary::Tanh => x.tanh(),
            Unary::Atan => x.atan(),
            Unary::Asinh => x.asinh(),
            Unary::Step => S::select(x.lt(S::zero()), S::zero(), S::lit(1.0)),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        FUNCTIONS.iter().find(|f| f.1 == Function::One(self)).map_or("-", |f| f.0)
    }
}

impl Binary {
    pub(crate) fn apply<S: Real>(self, a: S, b: S) -> S {
        match self {
            Binary::Add => a + b,
            Binary::Sub => a - b,
            Binary::Mul => a * b,
            Binary::Div => quotient(a, b),
            Binary::Pow => a.pow(b),
            Binary::Min => a.min(b),
            Binary::Max => a.max(b),
        }
    }
}

/// a/b; nothing where b has overflowed, with its derivatives: in 1/(1 + exp(x)) they go with 1/exp(x), which is no longer a
/// number once exp(x) is infinite.
fn quotient<S: Real>(a: S, b: S) -> S {
    let infinite = |x: S| S::lit(f64::MAX).lt(x.abs());
    S::select(infinite(b), S::select(infinite(a), a / b, S::zero()), a / b)
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A number in SI, with the dimension of the unit written after it.
    Literal(f64, Option<Dimension>),
    /// A place in the list of symbols.
    Symbol(usize),
    Unary(Unary),
    /// With the place of the left operand.
    Binary(Binary, usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// Where it stands in the text, with its operands.
    pub(crate) at: Range<usize>,
}

impl Node {
    pub(crate) fn has_unit(&self) -> bool {
        matches!(self.kind, Kind::Literal(_, Some(_)))
    }
}
