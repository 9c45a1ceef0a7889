//! Calibrate: elements of a joint from a loading curve, or a damper's stiffness from a shift of a frequency.
use stickslip_data::{Outcome, Table, Value};
use stickslip_model::Model;
use stickslip_model::{Analysis, AnalysisKind, Answer, Context};
use stickslip_structures::{Ask, Column, Keys, Refused};

/// The kind of analysis.
pub const KIND: AnalysisKind = AnalysisKind {
    name: "calibrate",
    about: "Iwan's elements through a monotonic loading curve; a damper's stiffness from a frequency shift.

A chain of springs with sliders in parallel follows straight lines between the displacements at which its elements break
away: those left carry the slope. With slopes s_i up to break-away i, stiffness_i = s_i - s_(i+1) and limit_i =
stiffness_i x_i, so that any concave curve is met exactly at its breakpoints (E. J. Berger, Appl. Mech. Rev. 55 (2002) 535,
Fig 23). The results are the lists that the law \"iwan\" takes. A damper that sticks adds its stiffness to that of the
structure: stiffness = mass ((2 pi f_stuck)^2 - (2 pi f_free)^2).

[analysis]
kind = \"calibrate\"
displacement = [0.1, 0.3, 0.6, 1.0]
force = [0.19, 0.51, 0.84, 1.0]",
    answers: &[
    Answer::value("stiffness", "N/m", "Of each element, in the order in which they break away; of the damper."),
    Answer::value("limit", "N", "Break-away force of each element."),
    Answer::value("stiffness_total", "N/m", "Slope of the curve at its start."),
    Answer::value("limit_total", "N", "Force when all elements slide."),
    Answer::value("deviation_max", "N", "Largest distance of the elements from the measured curve."),
    Answer::table("curve", "Displacement, measured force, force of the elements."),
],
    read,
};

/// Elements of a chain unless the breakpoints tell: of a measured curve with many points.
const ELEMENTS: f64 = 8.0;
/// A slope that grows by less than this part of the first is rounding.
const FLAT: f64 = 1e-9;

/// A loading curve, or a shift of a frequency.
pub enum Calibrate {
    /// Elements through a curve.
    Curve {
        /// Displacements and forces that rise.
        points: Vec<(f64, f64)>,
        /// Where elements break away.
        breakpoints: Vec<f64>,
        /// What was taken for granted when it was read.
        notes: Vec<String>,
    },
    /// A damper from a shift.
    Shift {
        /// Mass that swings, kg.
        mass: f64,
        /// Frequencies, Hz, without the damper and with it stuck.
        frequencies: [f64; 2],
    },
}

fn read(keys: &mut dyn Keys, _: &[AnalysisKind]) -> Result<Box<dyn Analysis>, Refused> {
    if keys.has("frequency_stuck") {
        let mut frequency = |key: &str, about: &str| keys.number(Ask::new(key, "1/s", about).above(0.0));
        let frequencies = [
            frequency("frequency_free", "Cycles per second without the damper")?,
            frequency("frequency_stuck", "Cycles per second while the damper sticks")?,
        ];
        let mass = keys.number(Ask::new("mass", "kg", "Mass that swings").above(0.0))?;
        if frequencies[1] < frequencies[0] {
            let message =
                format!("{} Hz stuck is below {} Hz free: a damper adds stiffness", frequencies[1], frequencies[0]);
            let e = keys.refuse("frequency_stuck", "calibrate::out-of-range", message);
            return Err(e.expected(format!("at least {}", frequencies[0])));
        }
        return Ok(Box::new(Calibrate::Shift { mass, frequencies }));
    }
    let mut notes = vec![];
    let (x, f) = match keys.has("file") {
        true => {
            let mut names = [("displacement", "displacement".to_string()), ("force", "force".to_string())];
            keys.named("columns", "Columns of the file: displacement and force", &mut |name, k| {
                let Some(slot) = names.iter_mut().find(|(n, _)| *n == name) else {
                    return Err(k.refuse(name, "calibrate::column", format!("`{name}` is nothing that a curve holds")));
                };
                slot.1 = k.text(name, "Name of the column, its unit in brackets")?.unwrap_or_default();
                Ok(())
            })?;
            let [(x, own), (f, other)] = names;
            let wanted = [Column { role: x, heading: own, unit: "m" }, Column { role: f, heading: other, unit: "N" }];
            let columns = keys.columns("file", "File of the curve, units in its header", &wanted)?;
            notes = columns.notes;
            let mut columns = columns.values.into_iter();
            (columns.next().unwrap_or_default(), columns.next().unwrap_or_default())
        }
        false => (
            keys.list(Ask::new("displacement", "m", "Displacements of a loading curve from the origin").above(0.0))?,
            keys.list(Ask::new("force", "N", "Force at each of them").above(0.0))?,
        ),
    };
    let key = if keys.has("file") { "file" } else { "force" };
    let refuse = |message: String| keys.refuse(key, "calibrate::curve", message);
    if x.len() != f.len() || x.is_empty() {
        return Err(refuse(format!("{} displacements and {} forces", x.len(), f.len())).expected("as many of both"));
    }
    let mut points: Vec<(f64, f64)> = x.into_iter().zip(f).filter(|(x, f)| *x != 0.0 || *f != 0.0).collect();
    if let Some(k) = (1..points.len()).find(|k| points[*k].0 <= points[k - 1].0) {
        let e = refuse(format!("displacement {} does not come after {}", points[k].0, points[k - 1].0));
        return Err(e.expected("displacements that rise: a monotonic curve"));
    }
    let all: Vec<f64> = points.iter().map(|p| p.0).collect();
    let breakpoints = match (keys.has("breakpoints"), keys.has("elements") || points.len() > 20) {
        (true, _) => {
            keys.list(Ask::new("breakpoints", "m", "Displacements at which elements break away").above(0.0))?
        }
        (false, true) => {
            let count = keys.count(Ask::new("elements", "1", "Number of elements").or(ELEMENTS).min(1.0).max(1e4))?;
            let last = all.last().copied().unwrap_or(1.0);
            // Closer where the curve bends first.
            (1..=count).map(|i| last * (i as f64 / count as f64).powi(2)).collect()
        }
        (false, false) => all,
    };
    points.insert(0, (0.0, 0.0));
    let curve = Calibrate::Curve { points, breakpoints, notes };
    if let Calibrate::Curve { points, breakpoints, .. } = &curve
        && let Err(message) = elements(points, breakpoints)
    {
        return Err(keys.refuse(key, "calibrate::curve", message).expected("a concave curve: slopes that only fall"));
    }
    Ok(Box::new(curve))
}

/// The force on straight lines between the points of a curve.
fn between(points: &[(f64, f64)], x: f64) -> f64 {
    let k = points.partition_point(|p| p.0 < x).clamp(1, points.len() - 1);
    let ((x0, f0), (x1, f1)) = (points[k - 1], points[k]);
    f0 + (f1 - f0) * (x - x0) / (x1 - x0)
}

/// Stiffness and limit of each element.
fn elements(points: &[(f64, f64)], breakpoints: &[f64]) -> Result<Vec<(f64, f64)>, String> {
    let last = points.last().map_or(0.0, |p| p.0);
    let ends: Vec<f64> = std::iter::once(0.0).chain(breakpoints.iter().copied()).collect();
    if let Some(k) = (1..ends.len()).find(|k| ends[*k] <= ends[k - 1] || ends[*k] > last * (1.0 + 1e-12)) {
        return Err(format!(
            "breakpoint {} m does not lie beyond {} m within the curve, up to {last} m",
            ends[k],
            ends[k - 1]
        ));
    }
    let slope = |k: usize| (between(points, ends[k]) - between(points, ends[k - 1])) / (ends[k] - ends[k - 1]);
    let mut slopes: Vec<f64> = (1..ends.len()).map(slope).collect();
    slopes.push(0.0);
    let mut found = vec![];
    for k in 0..breakpoints.len() {
        let stiffness = slopes[k] - slopes[k + 1];
        if stiffness < -FLAT * slopes[0].abs() {
            return Err(format!("the curve grows steeper beyond {} m: element {} would push", breakpoints[k], k + 1));
        }
        found.push((stiffness.max(0.0), stiffness.max(0.0) * breakpoints[k]));
    }
    Ok(found)
}

impl Analysis for Calibrate {
    fn refuse(&self, _: &Model) -> Option<Refused> {
        None
    }

    fn run(&self, _: &Model, _: &Context) -> Outcome {
        let mut out = Outcome::default();
        out.health.steps = 1;
        let (points, breakpoints) = match self {
            Calibrate::Shift { mass, frequencies: [free, stuck] } => {
                let square = |f: f64| (2.0 * std::f64::consts::PI * f).powi(2);
                out.set("stiffness", Value::Number(mass * (square(*stuck) - square(*free))), "N/m");
                return out;
            }
            Calibrate::Curve { points, breakpoints, notes } => {
                out.health.notes.extend(notes.iter().cloned());
                (points, breakpoints)
            }
        };
        // Checked when it was read.
        let all = elements(points, breakpoints).unwrap_or_default();
        let sum = |x: f64| all.iter().map(|(k, f)| (k * x).min(*f)).sum::<f64>();
        out.set("stiffness", Value::List(all.iter().map(|e| e.0).collect()), "N/m");
        out.set("limit", Value::List(all.iter().map(|e| e.1).collect()), "N");
        out.set("stiffness_total", Value::Number(all.iter().map(|e| e.0).sum()), "N/m");
        out.set("limit_total", Value::Number(all.iter().map(|e| e.1).sum()), "N");
        let off = points.iter().map(|(x, f)| (sum(*x) - f).abs()).fold(0.0, f64::max);
        out.set("deviation_max", Value::Number(off), "N");
        let mut table = Table::new("curve");
        table.push("displacement", "m", points.iter().map(|p| p.0).collect::<Vec<f64>>());
        table.push("force.data", "N", points.iter().map(|p| p.1).collect::<Vec<f64>>());
        table.push("force.model", "N", points.iter().map(|p| sum(p.0)).collect::<Vec<f64>>());
        out.tables.push(table);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// F = 1 - (1 - x)^2 through four breakpoints.
    #[test]
    fn elements_follow_the_slopes() {
        let curve = |x: f64| 1.0 - (1.0 - x).powi(2);
        let breakpoints = [0.1, 0.3, 0.6, 1.0];
        let points: Vec<(f64, f64)> = std::iter::once(0.0).chain(breakpoints).map(|x| (x, curve(x))).collect();
        let found = elements(&points, &breakpoints).unwrap();
        for ((k, f), (stiffness, limit)) in found.iter().zip([(0.3, 0.03), (0.5, 0.15), (0.7, 0.42), (0.4, 0.4)]) {
            assert!((k - stiffness).abs() < 1e-14 && (f - limit).abs() < 1e-14);
        }
    }

    #[test]
    fn a_curve_that_grows_steeper_is_refused() {
        assert!(elements(&[(0.0, 0.0), (1.0, 1.0), (2.0, 3.0)], &[1.0, 2.0]).unwrap_err().contains("steeper"));
    }
}
