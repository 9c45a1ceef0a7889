//! Parts without symbols, computed once.
use crate::FormulaError;
use crate::error::snippet;
use crate::node::{Binary, Kind, Node};

/// The value of each node that depends on no symbol. What is constant must be finite: 1/0 is refused, not carried along.
pub(crate) fn fold(nodes: &[Node], text: &str) -> Result<Vec<Option<f64>>, FormulaError> {
    let mut constants: Vec<Option<f64>> = Vec::with_capacity(nodes.len());
    for (i, node) in nodes.iter().enumerate() {
        let value = match node.kind {
            Kind::Literal(value, _) => Some(value),
            Kind::Symbol(_) => None,
            Kind::Unary(op) => constants[i - 1].map(|x| op.apply(x)),
            Kind::Binary(op, left) => match (constants[left], constants[i - 1]) {
                (Some(a), Some(b)) => Some(op.apply(a, b)),
                (Some(a), None) if op == Binary::Pow && a < 0.0 => {
                    let base = snippet(text, &nodes[left].at);
                    let message = format!("`{base}` is negative and cannot have an exponent that varies");
                    return Err(FormulaError::new(message, node.at.clone()));
                }
                _ => None,
            },
        };
        if value.is_some_and(|x| !x.is_finite()) {
            let message = format!("`{}` is not a finite number", snippet(text, &node.at));
            return Err(FormulaError::new(message, node.at.clone()));
        }
        constants.push(value);
    }
    Ok(constants)
}
