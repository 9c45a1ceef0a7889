//! Formulations side by side: what each of them makes of one and the same model, as numbers.
use crate::formulation::Formulation;
use stickslip_data::{Outcome, Table, Value};

/// Names of the values that a comparison adds.
///
/// `creep` is the mean slip speed in what should be stick over the speed of the drive: of a cycle, the slowest part that
/// is as long as the stick of the case compared with. `period_error` and `amplitude_error` are parts of its period and
/// its `amplitude_pp`.
pub const COMPARED: [&str; 3] = ["creep", "period_error", "amplitude_error"];

/// Of cases that differ in their formulation alone, the one to compare with: the first that is exact, else the first.
pub fn to_compare_with(formulations: &[Formulation]) -> usize {
    formulations.iter().position(|f| *f == Formulation::Exact).unwrap_or(0)
}

/// Adds to an outcome how it differs from that of the case `name`, `with`; nothing where they have nothing in common.
pub fn compare(outcome: &mut Outcome, name: &str, with: &Outcome, speed: Option<f64>) {
    let both = |value: &str| Some((outcome.number(value)?, with.number(value)?));
    let part = |value: &str| both(value).filter(|(_, b)| *b != 0.0).map(|(a, b)| Value::Number(a / b - 1.0));
    let found = [creep(outcome, with, speed), part("period"), part("amplitude_pp")];
    if found.iter().all(Option::is_none) {
        return;
    }
    for (name, value) in COMPARED.into_iter().zip(found) {
        if let Some(value) = value {
            outcome.set(name, value, "1");
        }
    }
    outcome.health.notes.push(format!("errors are against case `{name}`"));
}

/// Creep at each contact.
fn creep(outcome: &Outcome, with: &Outcome, speed: Option<f64>) -> Option<Value> {
    let speed = speed.filter(|v| *v > 0.0)?;
    let series = outcome.table("series")?;
    let t = series.column("t")?.values.floats()?;
    let end = *t.last()?;
    let window = match outcome.number("period") {
        // Whole cycles, as many as the second half holds.
        Some(period) if period < 0.5 * end => (0.5 * end / period).floor() * period,
        _ => 0.5 * end,
    };
    let slips: Vec<&[f64]> = slip_velocities(series);
    let slowest = |slip: &[f64], stick: f64| slowest_part(t, slip, end - window, stick * window) / speed;
    match &with.value("stick_fraction")?.value {
        Value::Number(stick) if *stick > 0.0 => Some(Value::Number(slowest(slips.first()?, *stick))),
        Value::List(list) if list.len() == slips.len() && list.iter().all(|s| *s > 0.0) => {
            Some(Value::List(slips.iter().zip(list).map(|(slip, stick)| slowest(slip, *stick)).collect()))
        }
        _ => None,
    }
}

fn slip_velocities(series: &Table) -> Vec<&[f64]> {
    series.columns.iter().filter(|c| c.name.ends_with("slip_velocity")).filter_map(|c| c.values.floats()).collect()
}

/// Mean speed in the slowest part, `length` long, of the time from `from` on.
fn slowest_part(t: &[f64], slip: &[f64], from: f64, length: f64) -> f64 {
    let mut spans: Vec<(f64, f64)> = (1..t.len())
        .filter(|&i| t[i] > from && t[i] > t[i - 1])
        .map(|i| (0.5 * (slip[i - 1].abs() + slip[i].abs()), t[i] - t[i - 1].max(from)))
        .collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut travelled, mut left) = (0.0, length);
    for (speed, span) in spans {
        let taken = span.min(left);
        travelled += speed * taken;
        left -= taken;
        if left <= 0.0 {
            break;
        }
    }
    travelled / length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motion(slip: impl Fn(f64) -> f64, period: f64, stick: f64) -> Outcome {
        let t: Vec<f64> = (0..=40_000).map(|i| i as f64 * 1e-3).collect();
        let mut series = Table::new("series");
        series.push("slip_velocity", "m/s", t.iter().map(|t| slip(*t)).collect::<Vec<f64>>());
        series.push("t", "s", t);
        let mut outcome = Outcome { tables: vec![series], ..Outcome::default() };
        outcome.set("period", Value::Number(period), "s");
        outcome.set("amplitude_pp", Value::Number(2.0 * period), "m");
        outcome.set("stick_fraction", Value::Number(stick), "1");
        outcome
    }

    /// Sticks for 1 s of 4 s where it should; the other creeps at 0.02 m/s for that second, 0.05 m/s for the next.
    #[test]
    fn creep_is_the_mean_speed_in_what_should_be_stick() {
        let exact = motion(|t| if t % 4.0 < 2.0 { 0.0 } else { 1.0 }, 4.0, 0.5);
        let creeping = |t: f64| match t % 4.0 {
            s if s < 1.0 => 0.02,
            s if s < 2.0 => -0.05,
            _ => 1.0,
        };
        let mut other = motion(creeping, 4.0, 0.25);
        compare(&mut other, "exact", &exact, Some(0.5));
        let creep = other.number("creep").unwrap();
        assert!((creep - 0.07).abs() < 1e-3, "{creep}");
        assert_eq!((other.number("period_error"), other.number("amplitude_error")), (Some(0.0), Some(0.0)));
        let mut itself = exact.clone();
        compare(&mut itself, "exact", &exact, Some(0.5));
        assert!(itself.number("creep").unwrap() < 1e-3);
    }

    #[test]
    fn errors_are_parts_of_what_is_compared_with() {
        let (exact, mut other) = (motion(|_| 0.0, 4.0, 0.5), motion(|_| 0.0, 5.0, 0.5));
        compare(&mut other, "exact", &exact, None);
        assert_eq!((other.number("period_error"), other.number("creep")), (Some(0.25), None));
    }
}
