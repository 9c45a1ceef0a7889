//! The compiled formula: a flat list of operations on a stack.
use crate::FormulaError;
use crate::node::{Binary, Kind, Node, Unary};
use stickslip_real::Real;

/// Most operations of a formula.
const LONGEST: usize = 4096;
/// Whole powers up to this are products, so that they hold at zero and for negative bases on every scalar.
const LARGEST_PRODUCT: f64 = 1024.0;
/// Stacks of these heights need no allocation. Nearly all formulas fit the low one, which is cheaper to clear.
const LOW: usize = 8;
const HIGH: usize = 64;

#[derive(Clone, Copy, Debug)]
enum Op {
    Const(f64),
    Symbol(usize),
    Unary(Unary),
    Binary(Binary),
    // With a constant on the right: no derivatives of it to carry.
    Add(f64),
    Mul(f64),
    Div(f64),
    Whole(i32),
    Powf(f64),
}

#[derive(Clone, Debug)]
pub(crate) struct Tape {
    ops: Vec<Op>,
    height: usize,
}

impl Tape {
    /// The operations of `nodes`, whose constant parts are known, times `factor`.
    pub(crate) fn compile(
        nodes: &[Node],
        constants: &[Option<f64>],
        factor: f64,
        text: &str,
    ) -> Result<Tape, FormulaError> {
        let mut ops: Vec<Op> = Vec::with_capacity(nodes.len());
        // Where the operations of each node begin.
        let mut begins: Vec<usize> = Vec::with_capacity(nodes.len());
        for (i, node) in nodes.iter().enumerate() {
            let begin = match node.kind {
                Kind::Literal(..) | Kind::Symbol(_) => ops.len(),
                Kind::Unary(_) => begins[i - 1],
                Kind::Binary(_, left) => begins[left],
            };
            begins.push(begin);
            match (constants[i], &node.kind) {
                (Some(value), _) => {
                    ops.truncate(begin);
                    ops.push(Op::Const(value));
                }
                (None, &Kind::Symbol(place)) => ops.push(Op::Symbol(place)),
                (None, &Kind::Unary(op)) => ops.push(Op::Unary(op)),
                (None, &Kind::Binary(op, left)) => match (constants[left], constants[i - 1]) {
                    (_, Some(c)) => with_right_constant(&mut ops, op, c),
                    (Some(c), _) => with_left_constant(&mut ops, begin, op, c),
                    _ => ops.push(Op::Binary(op)),
                },
                (None, Kind::Literal(..)) => unreachable!("a literal is a constant"),
            }
        }
        if factor != 1.0 {
            ops.push(Op::Mul(factor));
        }
        if ops.len() > LONGEST {
            return Err(FormulaError::new(format!("the formula has more than {LONGEST} operations"), 0..text.len()));
        }
        let mut height = 0usize;
        let mut highest = 0;
        for op in &ops {
            match op {
                Op::Const(_) | Op::Symbol(_) => height += 1,
                Op::Binary(_) => height -= 1,
                _ => (),
            }
            highest = highest.max(height);
        }
        Ok(Tape { ops, height: highest })
    }

    pub(crate) fn switch_count(&self) -> usize {
        let switches =
            |op: &&Op| matches!(op, Op::Unary(Unary::Abs | Unary::Step) | Op::Binary(Binary::Min | Binary::Max));
        self.ops.iter().filter(switches).count()
    }

    pub(crate) fn uses(&self, symbol: usize) -> bool {
        self.ops.iter().any(|op| matches!(op, Op::Symbol(place) if *place == symbol))
    }

    /// Whether the value is a constant or a straight line in a symbol, as far as sums and products show it.
    pub(crate) fn is_line(&self, symbol: usize) -> bool {
        if self.height > HIGH {
            return false;
        }
        // Degrees of what is on the stack; beyond a line all are alike.
        let (mut degrees, mut top) = ([0u8; HIGH], 0);
        for op in &self.ops {
            match op {
                Op::Const(_) | Op::Symbol(_) => {
                    degrees[top] = u8::from(matches!(op, Op::Symbol(place) if *place == symbol));
                    top += 1;
                }
                Op::Unary(Unary::Neg) | Op::Add(_) | Op::Mul(_) | Op::Div(_) => {}
                Op::Unary(_) | Op::Whole(_) | Op::Powf(_) => {
                    if degrees[top - 1] > 0 {
                        return false;
                    }
                }
                Op::Binary(binary) => {
                    let (a, b) = (degrees[top - 2], degrees[top - 1]);
                    top -= 1;
                    degrees[top - 1] = match binary {
                        Binary::Add | Binary::Sub => a.max(b),
                        Binary::Mul => a + b,
                        Binary::Div if b == 0 => a,
                        _ if a + b == 0 => 0,
                        _ => return false,
                    };
                    if degrees[top - 1] > 1 {
                        return false;
                    }
                }
            }
        }
        true
    }

    pub(crate) fn is_constant(&self) -> bool {
        !self.ops.iter().any(|op| matches!(op, Op::Symbol(_)))
    }

    pub(crate) fn run<S: Real>(&self, values: &[S], switch: &mut impl FnMut(S)) -> S {
        if self.height <= LOW {
            self.run_on(&mut [S::zero(); LOW], values, switch)
        } else if self.height <= HIGH {
            self.run_on(&mut [S::zero(); HIGH], values, switch)
        } else {
            self.run_on(&mut vec![S::zero(); self.height], values, switch)
        }
    }

    fn run_on<S: Real>(&self, stack: &mut [S], values: &[S], switch: &mut impl FnMut(S)) -> S {
        // The place above the topmost value.
        let mut top = 0;
        for op in &self.ops {
            if let Op::Binary(op) = *op {
                let (a, b) = (stack[top - 2], stack[top - 1]);
                if matches!(op, Binary::Min | Binary::Max) {
                    switch(a - b);
                }
                top -= 1;
                stack[top - 1] = op.apply(a, b);
                continue;
            }
            if let Op::Const(_) | Op::Symbol(_) = op {
                top += 1;
            }
            let x = stack[top - 1];
            stack[top - 1] = match *op {
                Op::Const(c) => S::lit(c),
                Op::Symbol(place) => values[place],
                Op::Unary(op) => {
                    if matches!(op, Unary::Abs | Unary::Step) {
                        switch(x);
                    }
                    op.apply(x)
                }
                Op::Add(c) => x + c,
                Op::Mul(c) => x * c,
                Op::Div(c) => x / c,
                Op::Whole(n) => whole_power(x, n),
                Op::Powf(p) => x.powf(p),
                Op::Binary(_) => unreachable!("done above"),
            };
        }
        stack[0]
    }
}

/// The right operand is the last operation, a constant.
fn with_right_constant(ops: &mut Vec<Op>, op: Binary, c: f64) {
    let constant = ops.pop();
    match op {
        Binary::Add => ops.push(Op::Add(c)),
        Binary::Sub => ops.push(Op::Add(-c)),
        Binary::Mul => ops.push(Op::Mul(c)),
        Binary::Div => ops.push(Op::Div(c)),
        Binary::Pow if c == 1.0 => (),
        Binary::Pow if c.fract() == 0.0 && c.abs() <= LARGEST_PRODUCT => ops.push(Op::Whole(c as i32)),
        Binary::Pow => ops.push(Op::Powf(c)),
        Binary::Min | Binary::Max => ops.extend(constant.into_iter().chain([Op::Binary(op)])),
    }
}

/// The left operand is the operation at `begin`, a constant.
fn with_left_constant(ops: &mut Vec<Op>, begin: usize, op: Binary, c: f64) {
    match op {
        Binary::Add | Binary::Sub | Binary::Mul => {
            ops.remove(begin);
            match op {
                Binary::Mul => ops.push(Op::Mul(c)),
                Binary::Add => ops.push(Op::Add(c)),
                _ => ops.extend([Op::Unary(Unary::Neg), Op::Add(c)]),
            }
        }
        _ => ops.push(Op::Binary(op)),
    }
}

/// x^n by repeated squaring.
fn whole_power<S: Real>(x: S, n: i32) -> S {
    let mut power = S::lit(1.0);
    let mut square = x;
    let mut left = n.unsigned_abs();
    while left > 0 {
        if left & 1 == 1 {
            power = power * square;
        }
        left >>= 1;
        if left > 0 {
            square = square.square();
        }
    }
    if n < 0 { S::lit(1.0) / power } else { power }
}
