//! Whether every reference record is accounted for: run as a row, or listed with a reason.
//!
//! `records/<paper>.txt` names the records of a paper, one a line. A row may be a part of a record: `name[1]`, or
//! `name.len`, its number of entries. An `[[unrun]]` names one record, or several by a pattern: `*` stands for anything.
use toml::{Table, Value as Toml};

/// Keys of a file of rows, of a run, of a row and of a record that is not run.
const FILE: [&str; 2] = ["run", "unrun"];
const RUN: [&str; 4] = ["scenario", "set", "search", "rows"];
const ROW: [&str; 4] = ["record", "read", "value", "tolerance"];
const UNRUN: [&str; 2] = ["record", "reason"];

/// The tables of a list of tables; everything that is none is a fault.
fn tables<'t>(table: &'t Table, key: &str, faults: &mut Vec<String>) -> Vec<&'t Table> {
    let Some(value) = table.get(key) else { return vec![] };
    let Some(list) = value.as_array() else {
        faults.push(format!("`{key}` is not a list of tables"));
        return vec![];
    };
    let found: Vec<&Table> = list.iter().filter_map(Toml::as_table).collect();
    if found.len() != list.len() {
        faults.push(format!("`{key}` holds something that is not a table"));
    }
    found
}

fn known(table: &Table, keys: &[&str], place: &str, faults: &mut Vec<String>) {
    let unknown = table.keys().filter(|key| !keys.contains(&key.as_str()));
    faults.extend(unknown.map(|key| format!("unknown key `{key}` in {place}")));
}

fn word(table: &Table, key: &str, place: &str, faults: &mut Vec<String>) -> String {
    let word = table.get(key).and_then(Toml::as_str).unwrap_or_default();
    if word.is_empty() {
        faults.push(format!("`{key}` is missing in {place}"));
    }
    word.to_string()
}

/// The record that a row belongs to: `name[1][2]` and `name.len` are parts of `name`.
fn whole(row: &str) -> &str {
    let name = row.strip_suffix(".len").unwrap_or(row);
    name.find('[').map_or(name, |at| &name[..at])
}

/// Whether a name fits a pattern, in which `*` stands for anything.
pub fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name
            .strip_prefix(start)
            .is_some_and(|name| (0..=name.len()).any(|k| name.is_char_boundary(k) && fits(rest, &name[k..]))),
    }
}

/// What is wrong with a file of rows, given the names of all records.
pub fn faults(rows: &str, records: &str) -> Vec<String> {
    let mut faults = vec![];
    let table: Table = match rows.parse() {
        Ok(table) => table,
        Err(e) => return vec![e.to_string()],
    };
    let records: Vec<&str> = records.lines().map(str::trim).filter(|name| !name.is_empty()).collect();
    known(&table, &FILE, "the file", &mut faults);
    let mut run: Vec<String> = vec![];
    for one in tables(&table, "run", &mut faults) {
        let place = format!("a run of `{}`", word(one, "scenario", "a run", &mut faults));
        known(one, &RUN, &place, &mut faults);
        for row in tables(one, "rows", &mut faults) {
            let name = word(row, "record", &place, &mut faults);
            known(row, &ROW, &format!("row `{name}`"), &mut faults);
            for key in ["read", "tolerance"] {
                word(row, key, &format!("row `{name}`"), &mut faults);
            }
            if !records.contains(&whole(&name)) {
                faults.push(format!("there is no record `{name}`"));
            }
            run.push(whole(&name).to_string());
        }
    }
    let mut listed: Vec<String> = vec![];
    for one in tables(&table, "unrun", &mut faults) {
        let pattern = word(one, "record", "an entry that is not run", &mut faults);
        known(one, &UNRUN, &format!("`{pattern}`"), &mut faults);
        word(one, "reason", &format!("`{pattern}`"), &mut faults);
        let left = records.iter().filter(|name| fits(&pattern, name) && !run.iter().any(|r| r == *name));
        if left.count() == 0 {
            faults.push(format!("`{pattern}` is listed as not run, and there is nothing left of it"));
        }
        listed.push(pattern);
    }
    for name in records {
        if !run.iter().any(|r| r == name) && !listed.iter().any(|pattern| fits(pattern, name)) {
            faults.push(format!("`{name}` is neither run nor listed"));
        }
    }
    faults
}
