//! Two outcomes that must be the same.
use crate::dimension::Scale;
use stickslip::data::Value;
use stickslip::prelude::Outcome;

/// How near two outcomes must be to each other.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Coordinates and rates, over their natural size or largest value.
    pub motion: f64,
    /// Extremes and other results of the same kind; None: not compared.
    pub results: Option<f64>,
    /// Whether the regime must be the same word.
    pub regime: bool,
}

/// The same model, number by number, gives the same numbers.
pub const SAME: Limits = Limits { motion: f64::MIN_POSITIVE, results: Some(f64::MIN_POSITIVE), regime: true };

/// What differs most.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Name of the value.
    pub name: String,
    /// In the first.
    pub left: String,
    /// In the second.
    pub right: String,
    /// Over its size.
    pub size: f64,
    /// Whether it is part of the motion, which may be chaotic.
    pub motion: bool,
}

/// Results of the whole run.
const OF_RUN: [&str; 6] = ["force_max", "breakaway", "loop_area", "stiffness_tangent", "growth_rate", "peaks"];
/// Results of the settled part, which begins where a cycle does.
const SETTLED: [&str; 6] =
    ["speed_max", "friction_max", "friction_min", "normal_force_max", "approach_max", "amplitude_pp"];

/// How the values of one run are those of another.
pub struct Reading<'a> {
    /// The name in the second of a name in the first; None: not compared.
    pub name: &'a dyn Fn(&str) -> Option<String>,
    /// What the second is multiplied by: of name and unit.
    pub factor: &'a dyn Fn(&str, &str) -> f64,
}

impl Reading<'_> {
    /// All names and values alike.
    pub const SAME: Reading<'static> = Reading { name: &|n| Some(n.into()), factor: &|_, _| 1.0 };
}

/// The numbers of a value.
pub fn numbers(value: &Value) -> Option<Vec<f64>> {
    Some(match value {
        Value::Number(x) => vec![*x],
        Value::Count(n) => vec![*n as f64],
        Value::List(list) => list.clone(),
        Value::Rows(rows) => rows.concat(),
        _ => return None,
    })
}

/// Whether a value is part of the motion.
pub fn is_motion(name: &str) -> bool {
    let extreme = [".mean", ".max", ".min"].iter().any(|end| name.ends_with(end));
    name.strip_prefix("probe.").is_some_and(|n| !n.contains("friction") && !extreme)
}

/// Whether a value belongs to the settled part.
pub fn is_settled(name: &str) -> bool {
    SETTLED.contains(&name)
}

fn is_result(name: &str) -> bool {
    OF_RUN.contains(&name)
        || SETTLED.contains(&name)
        || name.starts_with("probe.") && (name.ends_with(".max") || name.ends_with(".min"))
}

/// The size that values of a unit have in a model with these natural units.
pub fn natural(unit: &str, scale: &Scale) -> f64 {
    if unit == "1" || unit.is_empty() { 0.3 } else { scale.of(unit) }
}

/// The largest difference of two lists, over their largest number or this size.
pub fn apart(a: &[f64], b: &[f64], natural: f64) -> f64 {
    if a.len() != b.len() {
        return 1.0;
    }
    // Two numbers that do not exist are alike.
    if a.iter().zip(b).all(|(x, y)| x == y || x.is_nan() && y.is_nan()) {
        return 0.0;
    }
    let largest = a.iter().chain(b).fold(natural, |m: f64, x| m.max(x.abs()));
    let differences = a.iter().zip(b).map(|(x, y)| (x - y).abs() / largest);
    differences.fold(0.0, |m: f64, d| if d.is_nan() { 1.0 } else { m.max(d) })
}

/// The largest difference, over what is allowed.
pub fn compare(
    left: &Outcome,
    right: &Outcome,
    scale: &Scale,
    reading: &Reading,
    limits: &Limits,
) -> Option<Difference> {
    let mut worst: Option<(f64, Difference)> = None;
    let mut note = |over: f64, d: Difference| {
        if over > 1.0 && worst.as_ref().is_none_or(|(w, _)| over > *w) {
            worst = Some((over, d));
        }
    };
    for (name, quantity) in &left.values {
        let limit = match (is_motion(name), is_result(name)) {
            (true, _) => limits.motion,
            (_, true) if limits.results.is_some() => limits.results.unwrap_or(1.0),
            _ => continue,
        };
        let Some(other) = (reading.name)(name).and_then(|n| right.value(&n).map(|q| (n, q))) else { continue };
        let (Some(a), Some(b)) = (numbers(&quantity.value), numbers(&other.1.value)) else { continue };
        let factor = (reading.factor)(name, &quantity.unit);
        let b: Vec<f64> = b.iter().map(|x| x * factor).collect();
        let apart = apart(&a, &b, natural(&quantity.unit, scale));
        note(
            apart / limit,
            Difference {
                name: name.clone(),
                left: format!("{a:?}"),
                right: format!("{b:?}"),
                size: apart,
                motion: is_motion(name),
            },
        );
    }
    if limits.regime && left.regime != right.regime {
        note(
            1.5,
            Difference {
                name: "regime".into(),
                left: format!("{:?}", left.regime),
                right: format!("{:?}", right.regime),
                size: 1.0,
                motion: false,
            },
        );
    }
    worst.map(|(_, d)| d)
}
