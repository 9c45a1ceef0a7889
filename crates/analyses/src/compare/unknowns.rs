//! The parameters of a law as unknowns of a match, from the declaration of the law alone.
use stickslip_laws::{Given, GivenLaw, Param, Preset, Shape, Side, Values};

/// Largest factor by which a parameter leaves its first value, as a logarithm.
const FAR: f64 = 30.0;
/// Nearest to a bound that must not be reached, as a part of the parameter.
const NEAR_BOUND: f64 = 1e-9;

/// How an unknown enters its parameter.
#[derive(Clone, Debug, PartialEq)]
enum Form {
    /// The parameter, or every entry of its list, is its first value times exp(u).
    Factor(Vec<f64>),
    /// It is another parameter, which bounds it, times exp(u).
    Ratio(&'static str),
    /// It was zero, and is u of these.
    Zero(f64),
}

/// A parameter that may change.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// Its name.
    pub name: &'static str,
    form: Form,
    /// Range of u.
    pub between: [f64; 2],
    /// The first u.
    pub start: f64,
}

impl Unknown {
    /// Whether the parameter was zero: it is used where nothing else serves.
    pub fn was_zero(&self) -> bool {
        matches!(self.form, Form::Zero(_))
    }

    /// The same in another size, for one that was zero.
    pub fn sized(&self, size: f64) -> Unknown {
        Unknown { form: Form::Zero(size), ..self.clone() }
    }
}

fn number(values: &Values, name: &str) -> Option<f64> {
    match values.get(name)? {
        Given::Number(x) => Some(*x),
        _ => None,
    }
}

/// Every number, and every list of numbers, of a law; exponents of units stay what they are.
pub fn unknowns(law: &GivenLaw) -> Vec<Unknown> {
    let mut found: Vec<Unknown> = vec![];
    for param in law.kind.params {
        let exponent = law.kind.params.iter().any(|p| p.unit.contains(&format!("^{}", param.name)));
        let base = match (param.shape, law.values.get(param.name)) {
            (Shape::Number, Some(Given::Number(x))) => vec![*x],
            (Shape::List, Some(Given::List(list))) => list.clone(),
            _ => continue,
        };
        if !exponent && !base.is_empty() && base.iter().all(|x| x.is_finite()) {
            found.extend(unknown(param, base, &law.values, &found));
        }
    }
    found
}

fn unknown(param: &'static Param, base: Vec<f64>, values: &Values, before: &[Unknown]) -> Option<Unknown> {
    let name = param.name;
    if base.iter().all(|x| *x == 0.0) {
        let least = param
            .bounds
            .iter()
            .any(|b| matches!((b.side, b.limit), (Side::Min | Side::Above, Preset::Number(l)) if l >= 0.0));
        let between = [if least { 0.0 } else { -1e6 }, 1e6];
        return (base.len() == 1).then_some(Unknown { name, form: Form::Zero(1.0), between, start: 0.0 });
    }
    // A parameter that is bounded by another follows that one.
    for bound in param.bounds {
        let Preset::Same(other) = bound.limit else { continue };
        let around = before.iter().any(|u| u.name == other && u.form == Form::Ratio(name));
        let Some(limit) = number(values, other).filter(|l| *l > 0.0 && base.len() == 1 && base[0] > 0.0 && !around)
        else {
            continue;
        };
        let between = match bound.side {
            Side::Min => [0.0, FAR],
            Side::Above => [NEAR_BOUND, FAR],
            Side::Max => [-FAR, 0.0],
            Side::Below => [-FAR, -NEAR_BOUND],
        };
        return Some(Unknown { name, form: Form::Ratio(other), between, start: (base[0] / limit).ln() });
    }
    let mut between = [-FAR, FAR];
    for bound in param.bounds {
        let Preset::Number(limit) = bound.limit else { continue };
        for x in base.iter().filter(|x| limit / **x > 0.0) {
            let u = (limit / x).ln();
            let inside = if matches!(bound.side, Side::Above | Side::Below) { NEAR_BOUND } else { 0.0 };
            match matches!(bound.side, Side::Min | Side::Above) == (*x > 0.0) {
                true => between[0] = between[0].max(u + inside),
                false => between[1] = between[1].min(u - inside),
            }
        }
    }
    Some(Unknown { name, form: Form::Factor(base), between, start: 0.0 })
}

/// The values of a law with these unknowns at u; the others stay, those bounded by another parameter in their ratio to it.
pub fn values_at(law: &GivenLaw, all: &[Unknown], u: &[f64]) -> Values {
    let mut values = law.values.clone();
    let mut put = |name: &str, given: Given| {
        if let Some((_, old)) = values.0.iter_mut().find(|(k, _)| *k == name) {
            *old = given;
        }
    };
    for (unknown, u) in all.iter().zip(u) {
        match &unknown.form {
            Form::Factor(base) => {
                let list: Vec<f64> = base.iter().map(|x| x * u.exp()).collect();
                let one = matches!(law.values.get(unknown.name), Some(Given::Number(_)));
                put(unknown.name, if one { Given::Number(list[0]) } else { Given::List(list) });
            }
            Form::Zero(size) => put(unknown.name, Given::Number(size * u)),
            Form::Ratio(_) => {}
        }
    }
    // Chains of bounds are no longer than the list.
    for _ in 0..all.len() {
        for (unknown, u) in all.iter().zip(u) {
            if let Form::Ratio(other) = unknown.form
                && let Some(limit) = number(&values, other)
                && let Some((_, old)) = values.0.iter_mut().find(|(k, _)| *k == unknown.name)
            {
                *old = Given::Number(limit * u.exp());
            }
        }
    }
    values
}
