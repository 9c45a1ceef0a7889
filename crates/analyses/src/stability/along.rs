//! Stability along a parameter: where it changes, and where steady sliding ceases to exist.
use super::{Spectrum, spectrum, unloaded};
use stickslip_data::{Outcome, Status, Table, Value};
use stickslip_dynamics::start::NO_EQUILIBRIUM;
use stickslip_model::Context;
use stickslip_model::Model;
use stickslip_model::axis::Axis;
use stickslip_solve::root::Bracket;
use stickslip_structures::Structure;

/// A critical value is located to this part of its own value.
const LOCATED: f64 = 1e-10;
/// Ratios of growth rates agree to this part where growth is a power of the distance.
const POWER: f64 = 0.02;
/// Where steady sliding ceases to exist is located to this part.
const LOST: f64 = 1e-6;

/// Why a point has no spectrum.
enum Lack {
    /// Steady sliding does not exist there: an answer.
    Equilibrium(String),
    /// Anything else: the answer is not known.
    Unknown(String),
}

impl Lack {
    fn text(self) -> String {
        match self {
            Lack::Equilibrium(text) | Lack::Unknown(text) => text,
        }
    }
}

/// Spectra at every point of the axis, the table, and where something changes between two of them.
pub fn follow(axis: &Axis, model: &Model, context: &Context, out: &mut Outcome) {
    let lens = context.lens(&[&axis.parameter]);
    let whether = |x: f64| -> Result<Spectrum, Lack> {
        let lens = lens.as_ref().map_err(|e| Lack::Unknown(e.clone()))?;
        let model = lens.at(&[x]).map_err(Lack::Unknown)?;
        spectrum(&model).map_err(|e| match e.code == NO_EQUILIBRIUM {
            true => Lack::Equilibrium(e.message),
            false => Lack::Unknown(e.message),
        })
    };
    let unit = context.unit_of(&axis.parameter);
    let mut rows: Vec<(f64, Spectrum)> = vec![];
    let mut lost: Option<String> = None;
    let mut last: Option<(f64, bool)> = None;
    let mut ends: Option<[f64; 2]> = None;
    for (i, &x) in axis.values.iter().enumerate() {
        context.report(i as f64 / axis.values.len() as f64);
        if context.stopped() {
            out.worsen(Status::Partial, "stopped before its end");
            break;
        }
        let exists = match whether(x) {
            Ok(s) => {
                rows.push((x, s));
                true
            }
            Err(Lack::Equilibrium(e)) => {
                lost.get_or_insert(format!("no spectrum at {} = {x:.6e}: {e}", axis.parameter));
                false
            }
            // A change beside this point can't be determined from one across it.
            Err(Lack::Unknown(e)) => {
                out.worsen(Status::Partial, format!("no spectrum at {} = {x:.6e}: {e}", axis.parameter));
                last = None;
                continue;
            }
        };
        if let Some((before, existed)) = last.replace((x, exists))
            && existed != exists
        {
            ends.get_or_insert(if exists { [x, before] } else { [before, x] });
        }
    }
    if let Some(ends) = ends {
        match edge_of_existence(&whether, ends) {
            Ok(x) => {
                out.set("equilibrium_lost", Value::Number(x), unit.clone());
                lost = Some(format!("the equilibrium is lost at {} = {x:.6}", axis.parameter));
            }
            Err(e) => out.worsen(Status::Failed, format!("where the equilibrium is lost was not located: {e}")),
        }
    }
    if rows.is_empty() {
        out.worsen(Status::Failed, lost.unwrap_or_else(|| "no point has a spectrum".into()));
        return;
    }
    // Steady sliding may cease to exist along the way: that is an answer, reported as such.
    out.health.warnings.extend(lost);
    changes(&|x| whether(x).map_err(Lack::text), &rows, &unit, out);
    for contact in 0..model.contacts.len() {
        let count = rows.iter().filter(|(_, s)| s.unloaded.contains(&contact)).count();
        let at = if count == rows.len() { String::new() } else { format!(" at {count} of {} points", rows.len()) };
        out.health.warnings.extend((count > 0).then(|| unloaded(model, contact, &at)));
    }
    out.tables.push(table(axis, &model.structure, &unit, &rows));
    let unstable = rows.iter().filter(|(_, s)| s.course() == 1).count();
    out.set("unstable_fraction", Value::Number(unstable as f64 / rows.len() as f64), "1");
}

/// Where steady sliding ceases to exist, between a point where it does and one where it does not.
fn edge_of_existence(
    whether: &dyn Fn(f64) -> Result<Spectrum, Lack>,
    [mut exists, mut gone]: [f64; 2],
) -> Result<f64, String> {
    while (gone - exists).abs() > LOST * gone.abs().max(exists.abs()) {
        let x = 0.5 * (exists + gone);
        match whether(x) {
            Ok(_) => exists = x,
            Err(Lack::Equilibrium(_)) => gone = x,
            Err(Lack::Unknown(e)) => return Err(e),
        }
    }
    Ok(exists)
}

/// The values of the parameter at which stability changes, between neighbouring points.
fn changes(at: &dyn Fn(f64) -> Result<Spectrum, String>, rows: &[(f64, Spectrum)], unit: &str, out: &mut Outcome) {
    let (mut critical, mut omega) = (vec![], vec![]);
    for w in rows.windows(2) {
        let (a, b) = (w[0].1.course(), w[1].1.course());
        if (a == 1) != (b == 1) {
            let ends = [w[0].0, w[1].0];
            let found = match a * b {
                0 => set_in(at, if a == 1 { [ends[1], ends[0]] } else { ends }),
                _ => locate(at, ends, [w[0].1.growth_rate(), w[1].1.growth_rate()]),
            };
            match found {
                Ok((x, s)) => {
                    critical.push(x);
                    omega.push(s.frequency());
                }
                Err(e) => out.worsen(Status::Failed, e),
            }
        }
    }
    out.set("critical", Value::List(critical), unit);
    out.set("critical_omega", Value::List(omega), "rad/s");
}

fn table(axis: &Axis, structure: &Structure, unit: &str, rows: &[(f64, Spectrum)]) -> Table {
    let column = |get: &dyn Fn(&Spectrum) -> f64| rows.iter().map(|(_, s)| get(s)).collect::<Vec<f64>>();
    let mut table = Table::new("along");
    table.push(axis.parameter.clone(), unit, rows.iter().map(|(x, _)| *x).collect::<Vec<f64>>());
    table.push("growth_rate", "1/s", column(&|s| s.growth_rate()));
    table.push("omega", "rad/s", column(&|s| s.frequency()));
    if rows[0].1.multipliers.is_some() {
        table.push("spectral_radius", "1", column(&|s| s.spectral_radius().unwrap_or(f64::NAN)));
    }
    for (j, name) in structure.listed().iter().enumerate() {
        table.push(format!("equilibrium.{name}"), structure.unit(j), column(&|s| s.coordinates[j]));
    }
    for k in 0..rows[0].1.values.len() {
        table.push(format!("re_{}", k + 1), "1/s", column(&|s| s.values.get(k).map_or(f64::NAN, |v| v[0])));
        table.push(format!("im_{}", k + 1), "rad/s", column(&|s| s.values.get(k).map_or(f64::NAN, |v| v[1])));
    }
    table
}

/// Where growth sets in between a point where some disturbance neither grows nor decays and one where it grows: there
/// the growth rate rises like a root, and bisection alone is safe.
fn set_in(at: &dyn Fn(f64) -> Result<Spectrum, String>, [mut a, mut b]: [f64; 2]) -> Result<(f64, Spectrum), String> {
    let (start, end) = (a, b);
    while (b - a).abs() > LOCATED * a.abs().max(b.abs()) {
        let x = 0.5 * (a + b);
        if at(x)?.course() == 1 { b = x } else { a = x }
    }
    // Growth as a power of the distance from the neutral end, linear or steeper, sets in there: what was found is where
    // it emerges from rounding.
    let distance = b - start;
    if 8.0 * distance.abs() < (end - start).abs() {
        let growth = |k: f64| Ok::<f64, String>(at(start + k * distance)?.growth_rate());
        let (one, two) = (growth(4.0)? / growth(2.0)?, growth(8.0)? / growth(4.0)?);
        if one > 1.9 && (two / one - 1.0).abs() < POWER {
            return Ok((start, at(start)?));
        }
    }
    Ok((b, at(b)?))
}

/// Where the growth rate vanishes between two points of opposite sign.
fn locate(
    at: &dyn Fn(f64) -> Result<Spectrum, String>,
    [a, b]: [f64; 2],
    [fa, fb]: [f64; 2],
) -> Result<(f64, Spectrum), String> {
    let mut bracket = Bracket::new((a, fa), (b, fb));
    while let Some(x) = bracket.next(LOCATED * a.abs().min(b.abs())) {
        bracket.narrow(x, at(x)?.growth_rate());
    }
    let x = bracket.best().0;
    Ok((x, at(x)?))
}
