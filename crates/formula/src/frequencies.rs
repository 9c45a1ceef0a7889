//! The angular frequencies of which a formula of one symbol is made, where it is periodic in it.
use crate::Formula;
use crate::node::{Binary, Kind, Unary};

/// What a part of a formula is as a function of the symbol.
#[derive(Clone, Debug)]
enum Part {
    Constant(f64),
    /// slope times the symbol, and a constant.
    Line(f64, f64),
    /// A function of sines and cosines of these frequencies.
    Periodic(Vec<f64>),
    Other,
}

impl Part {
    fn frequencies(self) -> Option<Vec<f64>> {
        match self {
            Part::Constant(_) => Some(vec![]),
            Part::Periodic(list) => Some(list),
            Part::Line(..) | Part::Other => None,
        }
    }

    /// Any function of parts that repeat repeats with them.
    fn of(parts: [Part; 2]) -> Part {
        let [a, b] = parts.map(Part::frequencies);
        match (a, b) {
            (Some(a), Some(b)) => Part::Periodic([a, b].concat()),
            _ => Part::Other,
        }
    }
}

impl Formula {
    /// Frequencies in rad per unit of the symbol at that place, the other symbols being the `numbers`: of any function of
    /// sines and cosines of lines in it. Empty where it does not depend on it; None where it need not repeat.
    pub fn frequencies(&self, symbol: usize, numbers: &[f64]) -> Option<Vec<f64>> {
        let mut parts: Vec<Part> = Vec::with_capacity(self.nodes.len());
        for (i, node) in self.nodes.iter().enumerate() {
            let part = match node.kind {
                Kind::Literal(x, _) => Part::Constant(x),
                Kind::Symbol(place) if place == symbol => Part::Line(1.0, 0.0),
                Kind::Symbol(place) => Part::Constant(*numbers.get(place)?),
                Kind::Unary(unary) => one(unary, parts[i - 1].clone()),
                Kind::Binary(binary, left) => two(binary, parts[left].clone(), parts[i - 1].clone()),
            };
            parts.push(part);
        }
        parts.pop()?.frequencies()
    }
}

fn one(unary: Unary, x: Part) -> Part {
    match (unary, x) {
        (_, Part::Constant(x)) => Part::Constant(unary.apply(x)),
        (Unary::Neg, Part::Line(slope, at)) => Part::Line(-slope, -at),
        (Unary::Sin | Unary::Cos, Part::Line(slope, _)) => Part::Periodic(vec![slope.abs()]),
        (_, Part::Periodic(list)) => Part::Periodic(list),
        (_, Part::Line(..) | Part::Other) => Part::Other,
    }
}

fn two(binary: Binary, a: Part, b: Part) -> Part {
    match (binary, a, b) {
        (_, Part::Constant(a), Part::Constant(b)) => Part::Constant(binary.apply(a, b)),
        (Binary::Add, Part::Line(s, a), Part::Constant(b)) | (Binary::Add, Part::Constant(b), Part::Line(s, a)) => {
            Part::Line(s, a + b)
        }
        (Binary::Sub, Part::Line(s, a), Part::Constant(b)) => Part::Line(s, a - b),
        (Binary::Sub, Part::Constant(a), Part::Line(s, b)) => Part::Line(-s, a - b),
        (Binary::Add, Part::Line(s, a), Part::Line(r, b)) => Part::Line(s + r, a + b),
        (Binary::Sub, Part::Line(s, a), Part::Line(r, b)) => Part::Line(s - r, a - b),
        (Binary::Mul, Part::Line(s, a), Part::Constant(b)) | (Binary::Mul, Part::Constant(b), Part::Line(s, a)) => {
            Part::Line(s * b, a * b)
        }
        (Binary::Div, Part::Line(s, a), Part::Constant(b)) => Part::Line(s / b, a / b),
        (_, a, b) => Part::of([a, b]),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Formula, Symbol};
    use stickslip_units::{Dimension, Unit};

    fn of(text: &str) -> Option<Vec<f64>> {
        let symbols = [Symbol::new("t", Dimension::TIME), Symbol::new("w", Dimension::NONE)];
        Formula::parse(text, &symbols, &Unit::ONE).unwrap().frequencies(0, &[f64::NAN, 5.0])
    }

    #[test]
    fn formulas_of_sines_tell_their_frequencies() {
        assert_eq!(of("3"), Some(vec![]));
        assert_eq!(of("2 + sin(3*t)"), Some(vec![3.0]));
        assert_eq!(of("abs(sin(w*t + 1)) * cos(2*(t - 0.5)/4)"), Some(vec![5.0, 0.5]));
        assert_eq!(of("exp(sin(t))/(2 + cos(-2*t))"), Some(vec![1.0, 2.0]));
        assert_eq!(of("max(0, sin(w*t))^3"), Some(vec![5.0]));
        assert_eq!(of("sin(cos(t))"), Some(vec![1.0]));
    }

    #[test]
    fn what_need_not_repeat_tells_none() {
        for text in ["t", "t*sin(t)", "sin(t^2)", "exp(-t)*sin(t)", "step(t - 1)", "t - sin(t)", "sin(t*t)"] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
