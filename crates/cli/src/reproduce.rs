//! `reproduce`: figures of the papers, and whether they come out.
use crate::output::{data, failed, say, wrong};
use crate::progress::Bar;
use crate::run::{REPORT, told, write};
use crate::{stop, table};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use stickslip::data::{DataError, Dataset, Status, check_folder, write_folder};
use stickslip::gallery::{Entry, Gallery, Ready, Reproduction, Row, Verdict, to_json};
use stickslip::prelude::*;
use stickslip::report::{Card, index};

/// Where results go unless set otherwise.
const OUT: &str = "gallery.out";
/// The page over all of them.
const PAGE: &str = "index.html";
/// `off` is the difference over the tolerance: up to 1 is well.
const HEADS: [&str; 8] = ["case", "value", "paper", "expected", "computed", "off", "source", "verdict"];

/// What is to be reproduced.
pub struct Wish {
    /// Names of entries or papers.
    pub entries: Vec<String>,
    /// Everything.
    pub all: bool,
    /// Changes to the scenarios.
    pub sets: Vec<String>,
}

/// Runs entries of the gallery and compares. Everything that can be refused is refused before anything is computed.
pub fn reproduce(wish: &Wish, out: Option<PathBuf>, json: bool, quiet: bool) -> ExitCode {
    let gallery = match Gallery::find(Path::new(".")) {
        Ok(gallery) => gallery,
        Err(e) => return wrong(e),
    };
    if wish.entries.is_empty() && !wish.all {
        return list(&gallery, wish);
    }
    let ready = match ready(&gallery, wish) {
        Ok(ready) => ready,
        Err(e) => return wrong(e),
    };
    let folder = out.unwrap_or_else(|| OUT.into());
    if let Err(e) = check_folder(&folder) {
        return wrong(told(&e));
    }
    if !quiet {
        match gallery.folder() {
            Some(found) => say(format_args!("gallery in {}", found.display())),
            None => say("the gallery inside the program"),
        }
    }
    let all = match write_folder(&folder, |room| run(&ready, room, quiet)) {
        Ok(all) => all,
        Err(e) => {
            say(told(&e));
            return failed();
        }
    };
    let text = if json { format!("{:#}\n", to_json(&all)) } else { text(&all) };
    if let Err(code) = data(&text) {
        return code;
    }
    if !quiet {
        say(format_args!("page in {}", folder.join(PAGE).display()));
    }
    let bad = |r: &Reproduction| r.verdict == Some(Verdict::Failed) || r.dataset.status() != Status::Ok;
    if all.len() < ready.len() || all.iter().any(bad) { failed() } else { ExitCode::SUCCESS }
}

fn list(gallery: &Gallery, wish: &Wish) -> ExitCode {
    if !wish.sets.is_empty() {
        return wrong("error[cli::no-entry]: --set needs an entry\nhint: name one, or give --all");
    }
    let wide = gallery.entries().iter().map(|e| e.name.len()).max().unwrap_or(0);
    let title = |e: &Entry| e.scenario(&[]).ok().and_then(|s| s.title().map(String::from)).unwrap_or_default();
    let line = |e: &Entry| format!("{}\n", format!("{:wide$}  {}", e.name, title(e)).trim_end());
    let text: String = gallery.entries().iter().map(line).collect();
    data(&text).err().unwrap_or(ExitCode::SUCCESS)
}

/// The entries asked for, each once, read and checked.
fn ready(gallery: &Gallery, wish: &Wish) -> Result<Vec<Ready>, String> {
    let mut entries: Vec<&Entry> = vec![];
    if wish.all {
        entries.extend(gallery.entries());
    }
    for name in &wish.entries {
        for entry in gallery.named(name).map_err(|e| e.to_string())? {
            if !entries.iter().any(|e| e.name == entry.name) {
                entries.push(entry);
            }
        }
    }
    entries.iter().map(|e| e.prepare(&wish.sets).map_err(|e| e.to_string())).collect()
}

/// Runs all, writes each into a folder of its own, then the page.
fn run(ready: &[Ready], room: &Path, quiet: bool) -> Result<Vec<Reproduction>, DataError> {
    let bar = Bar::new(quiet);
    let interrupt = stop::on_interrupt();
    let (mut all, mut cards) = (vec![], vec![]);
    for (i, entry) in ready.iter().enumerate() {
        let tick = |part: f64| bar.tick((i as f64 + part) / ready.len() as f64);
        let context = Context { progress: Some(&tick), stop: interrupt, ..Context::default() };
        if context.stopped() {
            break;
        }
        let mut done = entry.reproduce(&context);
        let files = write(&done.dataset, &room.join(entry.name()), false)?;
        cards.push(card(&done, &files));
        // Series of a whole gallery need not stay in memory.
        done.dataset = brief(done.dataset);
        all.push(done);
    }
    let page = room.join(PAGE);
    std::fs::write(&page, index("Figures of the papers, reproduced", &cards))
        .map_err(|source| DataError::Io { path: page, source })?;
    Ok(all)
}

/// A dataset without its tables and events.
fn brief(mut dataset: Dataset) -> Dataset {
    for (_, outcome) in &mut dataset.cases {
        outcome.tables = vec![];
        outcome.events = Default::default();
    }
    dataset
}

fn card(done: &Reproduction, files: &[String]) -> Card {
    let name = &done.name;
    let svg = files.iter().filter(|f| f.ends_with(".svg"));
    Card {
        name: name.clone(),
        title: done.dataset.title.clone().unwrap_or_else(|| name.clone()),
        verdict: done.verdict.map_or("", Verdict::as_str).into(),
        note: done.reason.clone().unwrap_or_default(),
        link: format!("{name}/{REPORT}"),
        pictures: svg.map(|file| format!("{name}/{file}")).collect(),
        heads: HEADS.map(String::from).to_vec(),
        rows: done.rows.iter().map(cells).collect(),
    }
}

/// The cells under the heads.
fn cells(row: &Row) -> Vec<String> {
    let e = &row.expected;
    let name = if ["", "1"].contains(&e.unit.as_str()) { e.name.clone() } else { format!("{} ({})", e.name, e.unit) };
    let shown = |value: Option<&Value>| value.map_or("-".into(), table::shown);
    let judged = row.verdict.is_some();
    vec![
        row.shown.clone(),
        name,
        shown(e.printed().filter(|_| judged)),
        shown(Some(&e.value).filter(|_| judged)),
        shown(row.computed.as_ref()),
        row.off.map_or("-".into(), |off| if off == 0.0 { "0".into() } else { format!("{off:.1e}") }),
        if judged { e.source.clone() } else { "-".into() },
        row.verdict.map_or("-", Verdict::as_str).into(),
    ]
}

/// Of so many entries only what is not plain is printed.
const MANY: usize = 8;

/// The table of all rows, then the verdicts with their reasons; of many entries what is not plain, and counts.
fn text(all: &[Reproduction]) -> String {
    let many = all.len() > MANY;
    let plain = |verdict: Option<Verdict>| many && verdict == Some(Verdict::Reproduced);
    let mut rows = vec![["entry"].iter().chain(&HEADS).map(|h| h.to_string()).collect::<Vec<String>>()];
    for done in all {
        for row in done.rows.iter().filter(|row| !plain(row.verdict)) {
            rows.push(std::iter::once(done.name.clone()).chain(cells(row)).collect());
        }
    }
    let mut text = String::new();
    if rows.len() > 1 {
        text = table::aligned(&rows);
        text.push('\n');
    }
    let wide = all.iter().map(|r| r.name.len()).max().unwrap_or(0);
    for done in all.iter().filter(|done| !plain(done.verdict) || done.dataset.status() != Status::Ok) {
        let verdict = done.verdict.map_or(done.dataset.status().as_str(), Verdict::as_str);
        let why = done.reason.as_ref().map_or(String::new(), |why| format!(": {why}"));
        let _ = writeln!(text, "{:wide$}  {verdict}{why}", done.name);
    }
    if many {
        let count = |verdict: Verdict| all.iter().filter(|done| done.verdict == Some(verdict)).count();
        let counts: Vec<String> = Verdict::ALL.iter().map(|v| format!("{} {}", count(*v), v.as_str())).collect();
        let numbers: usize = all.iter().map(|done| done.rows.len()).sum();
        let _ = writeln!(text, "\n{} entries, {numbers} numbers: {}", all.len(), counts.join(", "));
    }
    text
}
