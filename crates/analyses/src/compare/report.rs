//! What a comparison gives: the table of its rows, how the laws were matched, what survives.
use super::Compare;
use super::conclusion::{self, Finding};
use super::rows::{Done, Matched, Role, Row};
use stickslip_data::{Cell, Outcome, Status, Table, Value, Values};

/// A row as it stands in the table.
struct Shown {
    status: &'static str,
    reason: String,
    regime: Cell,
    cells: Vec<Cell>,
}

/// All values and tables.
pub fn report(compare: &Compare, done: &Done, out: &mut Outcome) {
    let collect: Vec<&str> = compare.collect.iter().map(String::as_str).filter(|name| *name != "regime").collect();
    let shown: Vec<Shown> = done.rows.iter().map(|row| show(row, &collect)).collect();
    out.health.notes.extend(done.notes.iter().cloned());
    for row in done.rows.iter().filter_map(|row| row.outcome.as_ref().ok()) {
        out.health.add(&stickslip_data::Health { warnings: vec![], notes: vec![], ..row.health.clone() });
    }
    judge(done, &shown, out);
    let mut findings = vec![];
    let named = |column: &dyn Fn(&Shown) -> Cell| -> Vec<(usize, Option<String>)> {
        done.rows.iter().zip(&shown).map(|(row, shown)| (row.law, word(&column(shown)))).collect()
    };
    let laws = done.laws.len();
    let name_of = |law: usize| done.laws[law].law.clone();
    let mut compare_words = |name: &str, words: Vec<(usize, Option<String>)>, out: &mut Outcome| {
        let Some((_, Some(own))) = words.first().cloned() else { return };
        let Some(share) = conclusion::agree(&words, laws, &own) else { return };
        let key = if name == "regime" { "agree".to_string() } else { format!("agree.{name}") };
        out.set(key, Value::Number(share), "1");
        let mut others: Vec<(String, String)> = vec![];
        for (law, word) in words.iter().filter(|(_, word)| word.as_deref() != Some(&own)) {
            let word = word.clone().unwrap_or_else(|| "no answer".into());
            let other = (name_of(*law), word);
            if !others.contains(&other) {
                others.push(other);
            }
        }
        findings.push(Finding::Word { name: name.into(), own, others });
    };
    compare_words("regime", named(&|s| s.regime.clone()), out);
    for (k, name) in collect.iter().enumerate() {
        if shown.iter().any(|s| matches!(s.cells[k], Cell::Word(..))) {
            compare_words(name, named(&|s| s.cells[k].clone()), out);
        }
    }
    for (k, name) in collect.iter().enumerate() {
        let numbers: Vec<(usize, f64, String)> = done
            .rows
            .iter()
            .zip(&shown)
            .filter_map(|(row, shown)| match &shown.cells[k] {
                Cell::Number(x, unit) => Some((row.law, *x, unit.to_string())),
                _ => None,
            })
            .collect();
        let all: Vec<f64> = numbers.iter().map(|(_, x, _)| *x).collect();
        let spread = conclusion::spread(&all);
        if let Some(spread) = spread {
            out.set(format!("spread.{name}"), Value::Number(spread), "1");
        }
        let end = |least: bool| {
            let size = |x: f64| if least { x } else { -x };
            numbers.iter().min_by(|a, b| size(a.1).total_cmp(&size(b.1))).map(|(law, x, _)| (*x, name_of(*law)))
        };
        let unit = numbers.first().map_or(String::new(), |(.., unit)| unit.clone());
        let mut missing: Vec<String> = vec![];
        for (row, shown) in done.rows.iter().zip(&shown).filter(|(_, s)| s.status != "refused") {
            if matches!(shown.cells[k], Cell::Missing) && !missing.contains(&name_of(row.law)) {
                missing.push(name_of(row.law));
            }
        }
        if let (Some(least), Some(most)) = (end(true), end(false)) {
            findings.push(Finding::Number { name: name.to_string(), unit, spread, least, most, missing });
        }
    }
    let names = |keep: bool| {
        let kept = findings.iter().filter(|f| f.survives(compare.tolerance) == keep);
        kept.map(|f| f.name().to_string()).collect::<Vec<String>>()
    };
    let loose: Vec<(String, Option<f64>)> = done
        .laws
        .iter()
        .filter(|l| matches!(l.role, Role::Unmatched | Role::Refused))
        .map(|l| (l.law.clone(), l.residual))
        .collect();
    let text = conclusion::sentence(&findings, compare.tolerance, laws, &loose);
    out.set("conclusion", Value::Text(text), "");
    out.set("survives", Value::Texts(names(true)), "");
    out.set("depends", Value::Texts(names(false)), "");
    out.set("unmatched", Value::Texts(loose.into_iter().map(|(law, _)| law).collect()), "");
    let list: Vec<Vec<(String, Value)>> =
        done.laws.iter().filter(|l| l.role != Role::Own || listed(compare, l)).map(record).collect();
    out.set_sparse("matched", Value::Records(list), "");
    out.tables.push(table(done, &shown, &collect));
    out.tables.extend(done.overlay.clone());
}

fn listed(compare: &Compare, own: &Matched) -> bool {
    compare.laws.iter().any(|law| !law.given && law.name == own.law)
}

/// A law as it was matched.
fn record(law: &Matched) -> Vec<(String, Value)> {
    vec![
        ("law".into(), Value::Text(law.law.clone())),
        ("how".into(), Value::Text(law.role.word().into())),
        ("residual".into(), Value::Number(law.residual.unwrap_or(f64::NAN))),
        ("changed".into(), Value::Texts(law.changed.iter().map(|name| name.to_string()).collect())),
        ("missed".into(), Value::Texts(law.missed.clone())),
        (
            "friction".into(),
            law.friction.clone().unwrap_or_else(|| Value::Record(vec![("law".into(), Value::Text(law.law.clone()))])),
        ),
    ]
}

fn show(row: &Row, collect: &[&str]) -> Shown {
    let missing = || collect.iter().map(|_| Cell::Missing).collect();
    let outcome = match &row.outcome {
        Ok(outcome) => outcome,
        Err(why) => return Shown { status: "refused", reason: why.clone(), regime: Cell::Missing, cells: missing() },
    };
    let (status, reason) = outcome.verdict();
    let reason = reason.unwrap_or_default();
    if status == Status::Failed {
        return Shown { status: status.as_str(), reason, regime: Cell::Missing, cells: missing() };
    }
    let regime = conclusion::cell(outcome, "regime").unwrap_or(Cell::Missing);
    match collect.iter().map(|name| conclusion::cell(outcome, name).map_err(|why| format!("`{name}` {why}"))).collect()
    {
        Ok(cells) => Shown { status: status.as_str(), reason, regime, cells },
        Err(why) => Shown { status: Status::Failed.as_str(), reason: why, regime, cells: missing() },
    }
}

/// The status of the whole: without the own law there is nothing to compare with; a refused law is part of the answer.
fn judge(done: &Done, shown: &[Shown], out: &mut Outcome) {
    for (i, (row, shown)) in done.rows.iter().zip(shown).enumerate() {
        let law = &done.laws[row.law].law;
        let about = format!("`{law}`, {}: {}", row.formulation, shown.reason);
        match (shown.status, i) {
            ("ok", _) => {}
            ("refused" | "failed", 0) => {
                out.worsen(Status::Failed, format!("the scenario's own law has no answer: {}", shown.reason))
            }
            ("refused", _) => out.health.warnings.push(about),
            ("failed" | "partial", _) => out.worsen(Status::Partial, about),
            _ => out.worsen(Status::Untrusted, about),
        }
    }
}

fn word(cell: &Cell) -> Option<String> {
    match cell {
        Cell::Word(word, _) => Some(word.to_string()),
        _ => None,
    }
}

fn table(done: &Done, shown: &[Shown], collect: &[&str]) -> Table {
    let mut table = Table::new("comparison");
    let words = |of: &dyn Fn(&Row, &Shown) -> String| -> Values {
        let all: Vec<String> = done.rows.iter().zip(shown).map(|(row, shown)| of(row, shown)).collect();
        all.into()
    };
    table.push("law", "", words(&|row, _| done.laws[row.law].law.clone()));
    table.push("formulation", "", words(&|row, _| row.formulation.clone()));
    table.push("structure", "", words(&|row, _| row.structure.clone()));
    table.push("status", "", words(&|_, shown| shown.status.into()));
    table.push("regime", "", words(&|_, shown| word(&shown.regime).unwrap_or_default()));
    for (k, name) in collect.iter().enumerate() {
        let cells: Vec<&Cell> = shown.iter().map(|s| &s.cells[k]).collect();
        let unit = cells.iter().find_map(|c| match c {
            Cell::Number(_, unit) | Cell::Numbers(_, unit) | Cell::Word(_, unit) => Some(unit.to_string()),
            Cell::Missing => None,
        });
        let values = match cells.iter().any(|c| matches!(c, Cell::Word(..))) {
            true => cells.iter().map(|c| word(c).unwrap_or_default()).collect::<Vec<String>>().into(),
            false => {
                Values::Float(cells.iter().map(|c| if let Cell::Number(x, _) = c { *x } else { f64::NAN }).collect())
            }
        };
        table.push(*name, unit.unwrap_or_default(), values);
    }
    table.push("matched", "", words(&|row, _| done.laws[row.law].role.word().into()));
    table.push("reason", "", words(&|_, shown| shown.reason.clone()));
    table
}
