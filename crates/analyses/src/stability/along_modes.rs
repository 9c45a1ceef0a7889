//! Modes near a frequency, followed along a parameter.
use super::near::{self, Nearby};
use super::{Observing, Spectrum, modes::Shape, spectrum_of};
use stickslip_data::{Outcome, Status, Table, Value};
use stickslip_dynamics::start::NO_EQUILIBRIUM;
use stickslip_model::axis::Axis;
use stickslip_model::{Context, Model};

/// A step along the parameter is halved so often at most where modes are not recognised.
const HALVINGS: u32 = 6;
/// A critical value is located to this part of its own value.
const LOCATED: f64 = 1e-10;

/// Modes at a point.
struct Point {
    x: f64,
    modes: Vec<Shape>,
    spectrum: Spectrum,
}

/// Why there is none.
enum Lack {
    Equilibrium(String),
    Unknown(String),
}

/// Follows the modes through the points of the axis: the table, and where one begins to grow or ceases to.
pub fn follow(axis: &Axis, nearby: Nearby, model: &Model, context: &Context, out: &mut Outcome) {
    let lens = context.lens(&[&axis.parameter]);
    let at = |x: f64| -> Result<Spectrum, Lack> {
        let lens = lens.as_ref().map_err(|e| Lack::Unknown(e.clone()))?;
        let model = lens.at(&[x]).map_err(Lack::Unknown)?;
        spectrum_of(&model, true).map_err(|e| match e.code == NO_EQUILIBRIUM {
            true => Lack::Equilibrium(e.message),
            false => Lack::Unknown(e.message),
        })
    };
    let (mut points, mut refined): (Vec<Point>, usize) = (vec![], 0);
    for (i, &x) in axis.values.iter().enumerate() {
        context.report(i as f64 / axis.values.len() as f64);
        if context.stopped() {
            out.worsen(Status::Partial, "stopped before its end");
            break;
        }
        let found = match points.last() {
            None => at(x).and_then(|s| Ok((nearby.nearest(&s).map_err(|e| Lack::Unknown(e.message))?, s))),
            Some(before) => towards(&at, nearby, before, x, HALVINGS, &mut refined).map(|(modes, s, _)| (modes, s)),
        };
        match found {
            Ok((modes, spectrum)) => points.push(Point { x, modes, spectrum }),
            Err(Lack::Equilibrium(e)) => {
                let text = format!("no spectrum at {} = {x:.6e}: {e}", axis.parameter);
                out.health.warnings.push(text);
                break;
            }
            Err(Lack::Unknown(e)) => {
                out.worsen(Status::Partial, format!("no spectrum at {} = {x:.6e}: {e}", axis.parameter));
                break;
            }
        }
    }
    if points.is_empty() {
        out.worsen(Status::Failed, "no point has a spectrum");
        return;
    }
    if refined > 0 {
        out.health.notes.push(format!("{refined} points between those of the axis to recognise modes by their shapes"));
    }
    let unsure = points.iter().flat_map(|p| &p.modes).filter(|mode| mode.likeness < near::SAME).count();
    if unsure > 0 {
        out.health.warnings.push(format!(
            "{unsure} entries of the table `along` follow a mode whose shape changes by more than half from point to point"
        ));
    }
    changes(&at, nearby, &points, &context.unit_of(&axis.parameter), out);
    out.tables.push(table(axis, &points, model, context));
    let unstable = points.iter().filter(|p| course(&p.modes, p.spectrum.neutral) == 1).count();
    out.set("unstable_fraction", Value::Number(unstable as f64 / points.len() as f64), "1");
}

type Followed = (Vec<Shape>, Spectrum, f64);

/// The modes of a point at another, by way of points between where shapes change much.
fn towards(
    at: &dyn Fn(f64) -> Result<Spectrum, Lack>,
    nearby: Nearby,
    before: &Point,
    x: f64,
    halvings: u32,
    refined: &mut usize,
) -> Result<Followed, Lack> {
    let spectrum = at(x)?;
    let found = same(nearby, &before.modes, &spectrum)?;
    if found.1 >= near::SAME || halvings == 0 {
        return Ok((found.0, spectrum, found.1));
    }
    *refined += 1;
    let middle = 0.5 * (before.x + x);
    match towards(at, nearby, before, middle, halvings - 1, refined) {
        Ok((modes, s, _)) => towards(at, nearby, &Point { x: middle, modes, spectrum: s }, x, halvings - 1, refined),
        Err(_) => Ok((found.0, spectrum, found.1)),
    }
}

/// The same modes in another spectrum, and the least likeness.
fn same(nearby: Nearby, before: &[Shape], spectrum: &Spectrum) -> Result<(Vec<Shape>, f64), Lack> {
    let now = nearby.modes(spectrum).map_err(|e| Lack::Unknown(e.message))?;
    let mass = |shape: &[[f64; 2]]| -> Vec<[f64; 2]> {
        let Some(l) = &spectrum.linearised else { return shape.to_vec() };
        let parts: [Vec<f64>; 2] = [0, 1].map(|part| {
            let x: Vec<f64> = shape.iter().map(|x| x[part]).collect();
            let mut y = vec![0.0; x.len()];
            l.mass.product(&x, &mut y);
            y
        });
        parts[0].iter().zip(&parts[1]).map(|(re, im)| [*re, *im]).collect()
    };
    Ok(near::follow(before, &mass, now))
}

/// 1 where one of the modes grows, -1 where all decay, 0 else.
fn course(modes: &[Shape], neutral: f64) -> i8 {
    let of = |mode: &Shape| match mode.value[0] / mode.value[0].hypot(mode.value[1]) {
        part if part > neutral => 1,
        part if part < -neutral => -1,
        _ => 0,
    };
    modes.iter().map(of).max().unwrap_or(0)
}

/// Values of the parameter between points at which one of the modes begins to grow or ceases to.
fn changes(
    at: &dyn Fn(f64) -> Result<Spectrum, Lack>,
    nearby: Nearby,
    points: &[Point],
    unit: &str,
    out: &mut Outcome,
) {
    let (mut critical, mut omega) = (vec![], vec![]);
    for pair in points.windows(2) {
        let [a, b] = [&pair[0], &pair[1]];
        let unstable = |p: &Point| course(&p.modes, p.spectrum.neutral) == 1;
        if unstable(a) == unstable(b) {
            continue;
        }
        // Modes are recognised from the end where none grows: those that meet there are still two.
        let (mut calm, mut other) = if unstable(a) { (b.x, a.x) } else { (a.x, b.x) };
        let mut known = if unstable(a) { b.modes.clone() } else { a.modes.clone() };
        let mut last = if unstable(a) { a.modes.clone() } else { b.modes.clone() };
        while (calm - other).abs() > LOCATED * calm.abs().max(other.abs()) {
            let x = 0.5 * (calm + other);
            let found = at(x).and_then(|s| Ok((same(nearby, &known, &s)?.0, s.neutral)));
            match found {
                Ok((modes, neutral)) if course(&modes, neutral) == 1 => (other, last) = (x, modes),
                Ok((modes, _)) => (calm, known) = (x, modes),
                Err(Lack::Equilibrium(e) | Lack::Unknown(e)) => {
                    out.worsen(Status::Failed, format!("where a mode begins to grow was not located: {e}"));
                    return;
                }
            }
        }
        critical.push(other);
        let most = last.iter().max_by(|a, b| a.value[0].total_cmp(&b.value[0]));
        omega.push(most.map_or(f64::NAN, |mode| mode.value[1]));
    }
    out.set("critical", Value::List(critical), unit);
    out.set("critical_omega", Value::List(omega), "rad/s");
}

/// A row a point and mode.
fn table(axis: &Axis, points: &[Point], model: &Model, context: &Context) -> Table {
    let mut table = Table::new("along");
    let rows = || points.iter().flat_map(|p| p.modes.iter().enumerate().map(move |(k, mode)| (p, k, mode)));
    let unit = context.unit_of(&axis.parameter);
    table.push(axis.parameter.clone(), unit, rows().map(|(p, _, _)| p.x).collect::<Vec<f64>>());
    table.push("mode", "1", rows().map(|(_, k, _)| (k + 1) as f64).collect::<Vec<f64>>());
    near::columns(&mut table, &rows().map(|(_, _, mode)| mode).collect::<Vec<_>>());
    table.push("likeness", "1", rows().map(|(_, _, mode)| mode.likeness).collect::<Vec<f64>>());
    for observing in Observing::all(model, &context.output.probes) {
        let of = |p: &Point| observing.value(&p.spectrum);
        table.push(observing.name.clone(), observing.unit, rows().map(|(p, _, _)| of(p)).collect::<Vec<f64>>());
    }
    table
}
