//! Values and tables of sections.
use super::exponents::Exponents;
use super::walk::{Crossings, Motion};
use stickslip_data::{Outcome, Status, Table, Value, Values};
use stickslip_dynamics::Dynamics;
use stickslip_model::axis::Axis;
use stickslip_model::{Context, Model};

/// What each motion of a list gives.
type Each<'a> = (&'a Crossings, f64, bool);

/// Says so where a motion did not come back, or has no exponents.
fn trust(found: &Crossings, at: &str, out: &mut Outcome) {
    if found.steady {
        out.health.notes.push(format!("the motion settles to steady sliding{at}: one point of the section"));
    } else if let Some(time) = found.missed {
        let text = format!("the section is not crossed again within {time:.3e} s{at}: the motion rests");
        out.health.warnings.push(text);
    }
    if let Some(Err(why)) = &found.exponents {
        out.worsen(Status::Untrusted, format!("no exponents{at}: {why}"));
    }
    out.health.steps += found.steps;
}

/// One motion.
pub fn single(found: &Crossings, model: &Model, exponents: bool, out: &mut Outcome) {
    if found.points.is_empty() {
        let why =
            found.missed.map_or("the motion ends before its settled part crosses the section".to_string(), |time| {
                format!("the section is not crossed again within {time:.3e} s: the motion rests")
            });
        out.worsen(Status::Failed, format!("{why}; use section = \"drive\", or a longer `each.duration`"));
        return;
    }
    trust(found, "", out);
    out.set("crossings", Value::Count(found.points.len() as u64), "1");
    out.set("repeats", Value::Count(found.repeats as u64), "1");
    if let Some(Ok(Exponents { finite, change, rank })) = &found.exponents {
        out.set("exponents", Value::List(finite.clone()), "1/s");
        out.set("exponent_change", Value::Number(*change), "1/s");
        out.set("rank", Value::Count(*rank as u64), "1");
        if let Some(largest) = finite.first() {
            out.set("largest_exponent", Value::Number(*largest), "1/s");
        }
    }
    note_collapse([found], model, exponents, out);
    out.tables.push(points(&[(found, 0.0, false)], None, model));
}

/// Motions along a parameter.
pub fn along(
    motions: &[Motion],
    axis: &Axis,
    both: bool,
    (model, exponents): (&Model, bool),
    context: &Context,
    out: &mut Outcome,
) {
    let unit = context.unit_of(&axis.parameter);
    for motion in motions {
        trust(&motion.found, &format!(" at {} = {:.6e}", axis.parameter, motion.value), out);
    }
    let all: Vec<Each> = motions.iter().map(|m| (&m.found, m.value, m.back)).collect();
    let points = points(&all, Some((axis, both, &unit)), model);
    if points.is_empty() {
        let text =
            "no motion crosses the section in its settled part; use section = \"drive\", or a longer `each.duration`";
        out.worsen(Status::Failed, text);
    }
    let list = |get: &dyn Fn(&Crossings) -> f64| motions.iter().map(|m| get(&m.found)).collect::<Vec<f64>>();
    let of = |found: &Crossings| found.exponents.clone().and_then(Result::ok);
    let mut table = Table::new("motions");
    table.push(axis.parameter.clone(), &*unit, motions.iter().map(|m| m.value).collect::<Vec<f64>>());
    if both {
        table.push("way", "", ways(motions.iter().map(|m| m.back).collect()));
    }
    let counts = |get: &dyn Fn(&Crossings) -> usize| motions.iter().map(|m| get(&m.found) as i64).collect::<Vec<i64>>();
    table.push("crossings", "1", counts(&|f| f.points.len()));
    table.push("repeats", "1", counts(&|f| f.repeats));
    out.set("crossings", Value::List(list(&|f| f.points.len() as f64)), "1");
    out.set("repeats", Value::List(list(&|f| f.repeats as f64)), "1");
    if exponents {
        let most = motions.iter().filter_map(|m| of(&m.found)).map(|e| e.finite.len()).max().unwrap_or(0);
        let number = |k: usize| list(&|f| of(f).and_then(|e| e.finite.get(k).copied()).unwrap_or(f64::NAN));
        for k in 0..most {
            table.push(format!("exponent_{}", k + 1), "1/s", number(k));
        }
        table.push("rank", "1", counts(&|f| of(f).map_or(0, |e| e.rank)));
        let rows = motions.iter().map(|m| of(&m.found).unwrap_or_default().finite).collect();
        out.set("exponents", Value::Rows(rows), "1/s");
        out.set("rank", Value::List(list(&|f| of(f).map_or(f64::NAN, |e| e.rank as f64))), "1");
        out.set("largest_exponent", Value::List(number(0)), "1/s");
        out.set("exponent_change", Value::List(list(&|f| of(f).map_or(f64::NAN, |e| e.change))), "1/s");
    }
    note_collapse(motions.iter().map(|m| &m.found), model, exponents, out);
    out.tables.push(points);
    out.tables.push(table);
}

fn note_collapse<'a>(
    motions: impl IntoIterator<Item = &'a Crossings>,
    model: &Model,
    exponents: bool,
    out: &mut Outcome,
) {
    let Some(dynamics) = Dynamics::new(model).filter(|_| exponents) else { return };
    let ranks = motions.into_iter().filter_map(|f| f.exponents.as_ref()?.as_ref().ok().map(|e| e.rank));
    if let Some(least) = ranks.min().filter(|rank| *rank < dynamics.dim()) {
        out.health.notes.push(format!(
            "{least} of {} directions are left: stick collapses the others, or nothing ever changes them, and their exponents \
             are not listed",
            dynamics.dim()
        ));
    }
}

fn ways(back: Vec<bool>) -> Values {
    Values::Coded { codes: back.into_iter().map(u8::from).collect(), words: vec!["up".into(), "down".into()] }
}

/// A row a crossing.
fn points(motions: &[Each], along: Option<(&Axis, bool, &str)>, model: &Model) -> Table {
    let s = &model.structure;
    let n = s.len();
    let rows = || motions.iter().flat_map(|(found, value, back)| found.points.iter().map(move |p| (p, *value, *back)));
    let column = |k: usize| rows().map(|((_, y), ..)| y.get(k).copied().unwrap_or(f64::NAN)).collect::<Vec<f64>>();
    let mut table = Table::new("points");
    if let Some((axis, both, unit)) = along {
        table.push(axis.parameter.clone(), unit, rows().map(|(_, value, _)| value).collect::<Vec<f64>>());
        if both {
            table.push("way", "", ways(rows().map(|(.., back)| back).collect()));
        }
    }
    table.push("t", "s", rows().map(|((t, _), ..)| *t).collect::<Vec<f64>>());
    for (j, name) in s.coordinates.iter().enumerate() {
        table.push(name.clone(), s.unit(j), column(j));
    }
    for (j, name) in s.rates.iter().enumerate() {
        table.push(format!("rate.{name}"), s.rate_unit(j), column(n + j));
    }
    if let Some(dynamics) = Dynamics::new(model) {
        for site in &dynamics.sites {
            let contact = &model.contacts[site.contact];
            for (z, state) in site.states_of(contact) {
                table.push(
                    format!("{}state.{}", contact.prefix(site.point), state.name),
                    &*state.unit,
                    column(2 * n + z),
                );
            }
        }
    }
    table
}
