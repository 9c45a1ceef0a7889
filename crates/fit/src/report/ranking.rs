//! Which law the records support: each is fitted to them, and they are ranked.
use crate::Fit;
use crate::report::prediction::criteria;
use crate::unknowns::Wanted;
use stickslip_data::{Outcome, Status, Table, Value, Word};
use stickslip_model::Context;
use stickslip_structures::LawEntry;

/// The friction law in a scenario.
const FRICTION: &str = "contact.friction";
/// Parameters of laws that are references: what they do, another does.
const REFERENCES: [&str; 2] = ["v_0", "n_0"];

/// Searches of each law unless given: a law that misses the records would be searched for long, and in vain.
const STARTS: usize = 3;
/// Evaluations of each search, and steps of a motion: one that takes more slips and sticks at a pace that no record shows.
const EVALUATIONS: usize = 100;
const STEPS: usize = 5_000;

/// One law as it was fitted.
struct Row {
    law: String,
    status: Status,
    why: Option<String>,
    rms: Vec<f64>,
    rows: Vec<usize>,
    parameters: f64,
    share: f64,
    held_out: f64,
}

impl Row {
    fn new(law: String, out: &Outcome) -> Option<Row> {
        let list = |name: &str| match out.value(name).map(|q| &q.value) {
            Some(Value::Number(x)) => Some(vec![*x]),
            Some(Value::List(list)) => Some(list.clone()),
            _ => None,
        };
        let rms = list("residual_rms")?;
        let fits = out.tables.iter().filter(|t| t.name == "fit" || t.name.starts_with("fit-"));
        let rows: Vec<usize> = fits.map(|t| t.columns.first().map_or(0, |c| c.values.len())).collect();
        let (status, why) = out.verdict();
        let all: usize = rows.iter().sum();
        // Errors of several records in different units: in parts of what each leaves.
        let held_out = match (list("held_out"), &rms[..]) {
            (Some(one), [_]) => one[0],
            (Some(all), rms) => {
                (all.iter().zip(rms).map(|(h, r)| (h / r).powi(2)).sum::<f64>() / all.len() as f64).sqrt()
            }
            (None, _) => f64::NAN,
        };
        let share = out.number("effective_n")? / all as f64;
        Some(Row { law, status, why, rms, rows, parameters: out.number("determined")?, share, held_out })
    }

    /// Logarithm of what is left, with every row for itself.
    fn left(&self) -> f64 {
        self.rms.iter().zip(&self.rows).map(|(rms, rows)| *rows as f64 * rms.max(f64::MIN_POSITIVE).ln()).sum()
    }
}

/// Fits the other laws and ranks all.
pub fn rank(fit: &Fit, own_law: &str, context: &Context, out: &mut Outcome) {
    let mut rows: Vec<Row> = vec![];
    let mut failed: Vec<(String, String)> = vec![];
    let is_own = |entry: &LawEntry| entry.law == own_law && !entry.given;
    // A table of this law in the list takes the place of the scenario's own.
    if !fit.laws.iter().any(|entry| entry.given && entry.label == own_law) {
        match Row::new(own_law.into(), out) {
            Some(row) => rows.push(row),
            None => failed.push((own_law.into(), "the fit of the scenario's own law failed".into())),
        }
    }
    let others: Vec<&LawEntry> = fit.laws.iter().filter(|entry| !is_own(entry)).collect();
    for (i, entry) in others.iter().enumerate() {
        if context.stopped() {
            out.worsen(Status::Partial, "stopped before all laws were fitted");
            break;
        }
        context.report(0.5 + 0.5 * i as f64 / others.len() as f64);
        let found = context.vary.map(|vary| {
            let plain = Context { stop: context.stop, ..Context::default() };
            vary.rerun(&settings(fit, entry, own_law), &plain)
        });
        let row = match found {
            Some(Ok(other)) => {
                let why = other.verdict().1.unwrap_or_default();
                Row::new(entry.label.clone(), &other).ok_or(why)
            }
            Some(Err(refused)) => Err(refused.message),
            None => Err(String::new()),
        };
        match row {
            Ok(row) => rows.push(row),
            Err(why) => failed.push((entry.label.clone(), why)),
        }
    }
    write(rows, failed, fit, out);
}

/// What makes the scenario one of another law: its table, and the parameters that are fitted then.
fn settings(fit: &Fit, entry: &LawEntry, own_law: &str) -> Vec<String> {
    let of_law = |path: &str| path.strip_prefix(FRICTION).is_some_and(|rest| rest.starts_with('.'));
    let asked = |p: &Wanted| {
        let between = p.between.map_or(String::new(), |[a, b]| format!(", between = [{a:?}, {b:?}]"));
        let start = p.start.map_or(String::new(), |x| format!(", start = {x:?}"));
        format!("{{ parameter = \"{}\"{between}{start} }}", p.path)
    };
    // Another form of the same law has parameters of the same names.
    let same = entry.law == own_law;
    let mut parameters: Vec<String> = fit.parameters.iter().filter(|p| same || !of_law(&p.path)).map(asked).collect();
    if !same {
        let numbers = entry.numbers.iter().filter(|n| !REFERENCES.contains(&n.as_str()));
        parameters.extend(numbers.map(|n| format!("{{ parameter = \"{FRICTION}.{n}\" }}")));
    }
    let law = match same {
        // What is not given stays.
        true => entry.keys.iter().map(|(key, value)| format!("{FRICTION}.{key}={value}")).collect(),
        false => vec![format!("{FRICTION}={}", entry.table)],
    };
    let asked = [
        format!("analysis.parameters=[{}]", parameters.join(", ")),
        "analysis.laws=[]".into(),
        format!("analysis.starts={}", fit.starts.unwrap_or(STARTS)),
        format!("analysis.most={}", fit.most.min(EVALUATIONS)),
        format!("analysis.motion_steps={}", fit.motion_steps.min(STEPS)),
        "analysis.profile=false".into(),
    ];
    law.into_iter().chain(asked).collect()
}

fn write(mut rows: Vec<Row>, failed: Vec<(String, String)>, fit: &Fit, out: &mut Outcome) {
    // The rows count as they do under the law that leaves least: what another leaves has correlations of its own making.
    let best = rows.iter().min_by(|a, b| a.left().total_cmp(&b.left()));
    let share = best.map_or(1.0, |row| row.share);
    let of = |row: &Row| criteria(&row.rms, &row.rows, share, row.parameters);
    rows.sort_by(|a, b| of(a)[0].total_cmp(&of(b)[0]));
    let words = |f: &dyn Fn(&Row) -> String| -> Vec<Word> {
        let lost = failed.iter().map(|(law, _)| law.clone());
        rows.iter().map(f).chain(lost).map(Word::from).collect()
    };
    let numbers =
        |f: &dyn Fn(&Row) -> f64| -> Vec<f64> { rows.iter().map(f).chain(failed.iter().map(|_| f64::NAN)).collect() };
    let one = fit.records.len() == 1;
    let unit = if one { fit.records[0].observed.1 } else { "1" };
    let mut table = Table::new("ranking");
    table.push("law", "", words(&|r| r.law.clone()));
    table.push("bic", "1", numbers(&|r| of(r)[0]));
    table.push("aicc", "1", numbers(&|r| of(r)[1]));
    table.push("held_out", unit, numbers(&|r| r.held_out));
    let least = rows.first().map_or(0.0, |r| of(r)[0]);
    table.push("bic_over_best", "1", numbers(&|r| of(r)[0] - least));
    table.push("parameters", "1", numbers(&|r| r.parameters));
    let rms = |r: &Row| if one { r.rms[0] } else { f64::NAN };
    if one {
        table.push("residual_rms", unit, numbers(&rms));
    }
    let lost = failed.iter().map(|_| Word::from("failed"));
    let status = rows.iter().map(|r| Word::from(format!("{:?}", r.status).to_lowercase())).chain(lost);
    table.push("status", "", status.collect::<Vec<Word>>());
    out.tables.push(table);
    if let Some(first) = rows.first() {
        out.set("best_law", Value::Text(first.law.clone()), "");
    }
    for row in rows.iter().filter(|r| r.status != Status::Ok) {
        let why = row.why.clone().unwrap_or_default();
        out.health.notes.push(format!("`{}` is ranked as it was found, {:?}: {why}", row.law, row.status));
    }
    for (law, why) in failed {
        out.health.warnings.push(format!("`{law}` could not be fitted: {why}"));
    }
}
