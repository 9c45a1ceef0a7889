//! Quadrature rules of a contact on a boundary.

/// A quadrature rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// At the nodes of sides with a middle node.
    Simpson,
    /// At the nodes of sides without.
    Trapezoid,
    /// So many Gauss points on each side.
    Gauss(usize),
}

impl Rule {
    /// The rule of that name.
    pub fn named(name: &str) -> Option<Rule> {
        match name {
            "simpson" => Some(Rule::Simpson),
            "trapezoid" => Some(Rule::Trapezoid),
            _ => {
                let points = name.strip_prefix("gauss-")?.parse().ok()?;
                (1..=stickslip_mesh::MOST_GAUSS).contains(&points).then_some(Rule::Gauss(points))
            }
        }
    }

    /// Its name.
    pub fn name(self) -> String {
        match self {
            Rule::Simpson => "simpson".into(),
            Rule::Trapezoid => "trapezoid".into(),
            Rule::Gauss(points) => format!("gauss-{points}"),
        }
    }

    pub(super) fn of_mesh(self) -> stickslip_mesh::Rule {
        match self {
            Rule::Gauss(points) => stickslip_mesh::Rule::Gauss(points),
            _ => stickslip_mesh::Rule::Nodal,
        }
    }

    /// Why it does not suit sides with or without a middle node.
    pub(super) fn misfit(self, quadratic: bool) -> Option<String> {
        match (self, quadratic) {
            (Rule::Simpson, false) => Some("Simpson's rule needs a node in the middle of each side".into()),
            (Rule::Trapezoid, true) => Some("the trapezoidal rule leaves out the node in the middle of a side".into()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rule;

    #[test]
    fn names_are_read_back() {
        for rule in [Rule::Simpson, Rule::Trapezoid, Rule::Gauss(1), Rule::Gauss(10)] {
            assert_eq!(Rule::named(&rule.name()), Some(rule));
        }
        for wrong in ["gauss", "gauss-0", "gauss-1000", "gauss-x", "Simpson", ""] {
            assert_eq!(Rule::named(wrong), None, "{wrong}");
        }
    }
}
