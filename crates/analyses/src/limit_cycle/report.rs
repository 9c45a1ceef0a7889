//! Values and tables of cycles.
use super::branch::{Row, Special, What};
use super::hopf::count;
use super::orbit::{Cycle, word};
use crate::sliding::{ModelAt, Range};
use stickslip_data::{Outcome, Status, Table, Value};
use stickslip_laws::Mode;
use stickslip_model::{Context, Model};

/// A trivial multiplier further off than this is not trusted.
const TRUSTED: f64 = 1e-4;
/// Part of the natural period from which on a stick phase counts.
const STICK_PHASE: f64 = 0.1;
/// Places at which the stability of steady sliding is asked for, and halvings between two of them.
const PLACES: usize = 48;
const HALVINGS: usize = 45;

fn fraction(cycle: &Cycle) -> Value {
    match &cycle.stick_fraction[..] {
        [one] => Value::Number(*one),
        all => Value::List(all.to_vec()),
    }
}

fn words(sequence: &[Vec<Mode>]) -> Vec<String> {
    sequence.iter().map(|modes| word(modes)).collect()
}

/// Says so where derivatives are not what they should be.
pub fn trust(cycle: &Cycle, at: &str, out: &mut Outcome) {
    // A number that is none is not trusted either.
    if cycle.trivial_error.is_nan() || cycle.trivial_error > TRUSTED {
        let text = format!("the trivial multiplier is {:.1e} off its 1{at}", cycle.trivial_error);
        out.worsen(Status::Untrusted, text);
    }
}

/// One cycle.
pub fn single(cycle: &Cycle, model: &Model, out: &mut Outcome) {
    let (s, number) = (&model.structure, Value::Number);
    out.set("amplitude_pp", number(cycle.amplitude), s.unit(0));
    out.set("period", number(cycle.round.period), "s");
    out.set("frequency", number(1.0 / cycle.round.period), "Hz");
    out.set("speed_max", number(cycle.speed_max), format!("{}/s", s.unit(0)));
    out.set("value_max", number(cycle.value_max), s.unit(0));
    out.set("multipliers", Value::Rows(cycle.multipliers.iter().map(|v| v.to_vec()).collect()), "1");
    out.set("trivial_error", number(cycle.trivial_error), "1");
    out.set("spectral_radius", number(cycle.radius()), "1");
    out.set("stable", Value::Flag(cycle.is_stable()), "");
    if cycle.stick_fraction.iter().all(|x| x.is_finite()) {
        out.set("stick_fraction", fraction(cycle), "1");
    }
    out.set("sequence", Value::Texts(words(&cycle.round.sequence)), "");
    trust(cycle, "", out);
    // A law that creeps sticks below a part of the drive's speed; a stick phase counts from a tenth of the natural period on.
    let natural = stickslip_dynamics::Dynamics::new(model).map_or(0.0, |d| std::f64::consts::TAU * d.natural_time());
    let stuck = cycle.stick_fraction.iter().any(|part| part * cycle.round.period > STICK_PHASE * natural);
    out.regime = Some(if stuck { "stick-slip" } else { "limit-cycle" }.into());
}

/// A branch as a table.
pub fn table(name: &str, range: &Range, rows: &[Row], model: &Model, unit: &str) -> Table {
    let s = &model.structure;
    let column = |get: &dyn Fn(&Row) -> f64| rows.iter().map(get).collect::<Vec<f64>>();
    let text = |get: &dyn Fn(&Row) -> String| {
        let all: Vec<stickslip_data::Word> = rows.iter().map(|r| get(r).into()).collect();
        all
    };
    let mut table = Table::new(name);
    table.push(range.parameter.clone(), unit, column(&|r| range.value(r.place())));
    table.push("amplitude_pp", s.unit(0), column(&|r| r.cycle.amplitude));
    table.push("period", "s", column(&|r| r.cycle.round.period));
    table.push("speed_max", format!("{}/s", s.unit(0)), column(&|r| r.cycle.speed_max));
    table.push("value_max", s.unit(0), column(&|r| r.cycle.value_max));
    table.push("value_min", s.unit(0), column(&|r| r.cycle.value_max - r.cycle.amplitude));
    table.push("multipliers", "", text(&|r| rows_of(&r.cycle.multipliers)));
    table.push("spectral_radius", "1", column(&|r| r.cycle.radius()));
    table.push("trivial_error", "1", column(&|r| r.cycle.trivial_error));
    table.push("stable", "", rows.iter().map(|r| i64::from(r.cycle.is_stable())).collect::<Vec<i64>>());
    table.push("stick_fraction", "1", column(&|r| r.cycle.stick_fraction.iter().copied().fold(f64::NAN, f64::max)));
    table.push("sequence", "", text(&|r| words(&r.cycle.round.sequence).join(" ")));
    table
}

/// A branch.
pub fn branch(range: &Range, rows: &[Row], special: &[Special], model: &Model, context: &Context, out: &mut Outcome) {
    let unit = context.unit_of(&range.parameter);
    let s = &model.structure;
    out.tables.push(table("branch", range, rows, model, &unit));
    let list = |what: What, get: &dyn Fn(&Special) -> f64| {
        Value::List(special.iter().filter(|p| p.what == what).map(get).collect())
    };
    let place = |p: &Special| range.value(p.u[p.u.len() - 1]);
    out.set("folds", list(What::Fold, &place), &*unit);
    out.set("fold_amplitudes", list(What::Fold, &|p| p.amplitude), s.unit(0));
    out.set("period_doublings", list(What::Doubling, &place), &*unit);
    if special.iter().any(|p| p.what == What::Torus) {
        out.set("neimark_sacker", list(What::Torus, &place), &*unit);
    }
    out.set("points", Value::Count(rows.len() as u64), "");
    let worst = rows.iter().max_by(|a, b| a.cycle.trivial_error.total_cmp(&b.cycle.trivial_error));
    if let Some(row) = worst {
        out.set("trivial_error", Value::Number(row.cycle.trivial_error), "1");
        trust(&row.cycle, &format!(" at {}", crate::sliding::shown(range, row.place(), &unit)), out);
    }
}

fn rows_of(values: &[[f64; 2]]) -> String {
    let all: Vec<String> = values.iter().map(|v| format!("[{:?}, {:?}]", v[0], v[1])).collect();
    format!("[{}]", all.join(", "))
}

/// Where a stable cycle and stable steady sliding are both there: the first such part of the range.
pub fn bistable(model_at: ModelAt, rows: &[Row], special: &[Special]) -> Option<[f64; 2]> {
    // Parts between neighbours that are stable; a fold between them is the end of one.
    let fold = |a: f64, b: f64| {
        let all = special.iter().filter(|p| p.what == What::Fold).map(|p| p.u[p.u.len() - 1]);
        all.min_by(|x, y| ((x - a).abs() + (x - b).abs()).total_cmp(&((y - a).abs() + (y - b).abs())))
    };
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for pair in rows.windows(2) {
        let [a, b] = [&pair[0], &pair[1]];
        let (mut p, mut q) = (a.place(), b.place());
        match (a.cycle.is_stable(), b.cycle.is_stable()) {
            (true, true) => {}
            (true, false) => q = fold(p, q).unwrap_or(p),
            (false, true) => p = fold(p, q).unwrap_or(q),
            (false, false) => continue,
        }
        (low, high) = (low.min(p.min(q)), high.max(p.max(q)));
    }
    if low >= high {
        return None;
    }
    let stable = |place: f64| count(model_at, place) == Some(0);
    let place = |k: usize| low + (high - low) * k as f64 / PLACES as f64;
    let change = |mut a: f64, mut b: f64| {
        let first = stable(a);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (a + b);
            if stable(middle) == first { a = middle } else { b = middle }
        }
        0.5 * (a + b)
    };
    let all: Vec<bool> = (0..=PLACES).map(|k| stable(place(k))).collect();
    let first = all.iter().position(|s| *s)?;
    let last = (first..=PLACES).take_while(|k| all[*k]).last()?;
    let from = if first == 0 { low } else { change(place(first - 1), place(first)) };
    let to = if last == PLACES { high } else { change(place(last), place(last + 1)) };
    Some([from, to])
}

/// Folds in two parameters.
pub fn fold_curve(
    ranges: [&Range; 2],
    rows: &[([f64; 2], Cycle)],
    model: &Model,
    context: &Context,
    out: &mut Outcome,
) {
    let mut table = Table::new("fold_curve");
    for (i, range) in ranges.into_iter().enumerate() {
        let column: Vec<f64> = rows.iter().map(|(places, _)| range.value(places[i])).collect();
        table.push(range.parameter.clone(), context.unit_of(&range.parameter), column);
    }
    table.push("amplitude_pp", model.structure.unit(0), rows.iter().map(|(_, c)| c.amplitude).collect::<Vec<f64>>());
    table.push("period", "s", rows.iter().map(|(_, c)| c.round.period).collect::<Vec<f64>>());
    out.tables.push(table);
    let most = rows.iter().map(|(places, _)| ranges[0].value(places[0])).fold(f64::NEG_INFINITY, f64::max);
    out.set("fold_max", Value::Number(most), context.unit_of(&ranges[0].parameter));
}
