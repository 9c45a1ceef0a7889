//! The book: commands print what it shows, files that it includes exist, links lead somewhere.
#![cfg(unix)]
use std::path::{Path, PathBuf};
use std::process::Command;

mod common;
use common::Folder;

/// A page with its commands is written again where this is set.
const BLESS: &str = "STICKSLIP_BLESS";
/// Numbers agree to this part; other machines round otherwise.
const NEAR: f64 = 1e-4;
/// Numbers below this are held to an absolute difference: what has decayed is known no better.
const NOTHING: f64 = 1e-4;
/// Lines whose numbers depend on the machine: effort and rounding.
const VARY: [&str; 3] = ["work", "energy_residual", "    \"residual\""];

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book")
}

fn pages(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().expect("a folder of pages") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            pages(&path, out);
        } else if path.extension().is_some_and(|e| e == "md") {
            out.push(path);
        }
    }
    out.sort();
}

fn all_pages() -> Vec<(PathBuf, String)> {
    let mut found = vec![];
    pages(&book().join("src"), &mut found);
    found.into_iter().map(|p| (p.clone(), std::fs::read_to_string(p).expect("a page"))).collect()
}

/// A folder with the scenarios, as the reader has it.
fn desk() -> Folder {
    let folder = Folder::new();
    for part in ["scenarios", "examples/own-law"] {
        let (from, to) = (book().join("..").join(part), folder.0.join(part));
        std::fs::create_dir_all(&to).unwrap();
        for entry in from.read_dir().unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_file()) {
            std::fs::copy(&entry, to.join(entry.file_name().unwrap())).unwrap();
        }
    }
    folder
}

/// What a command prints on a terminal, data and talk.
fn output(folder: &Folder, command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_stickslip")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let run = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(&folder.0)
        .env("PATH", path)
        .output()
        .unwrap();
    String::from_utf8_lossy(&run.stdout).trim_end().to_string()
}

fn alike(shown: &str, real: &str) -> bool {
    let vary = VARY.iter().any(|v| shown.starts_with(v));
    let same = |(a, b): (&str, &str)| {
        let number = |s: &str| s.trim_matches(['(', ')', '[', ']', '"', ':', ';']).parse::<f64>().ok();
        match (number(a), number(b)) {
            (Some(x), Some(y)) => vary || (x - y).abs() <= NEAR * x.abs().max(y.abs()).max(NOTHING),
            _ => a == b,
        }
    };
    let [a, b] = [shown, real].map(|line| line.split([' ', ',']).filter(|w| !w.is_empty()).collect::<Vec<&str>>());
    a.len() == b.len() && a.into_iter().zip(b).all(same)
}

/// Runs the commands of a page in order; the page with what they print now, and what differs.
fn run(page: &str, folder: &Folder) -> (String, Vec<String>) {
    let (mut out, mut wrong) = (String::new(), vec![]);
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        out += &format!("{line}\n");
        if let Some(name) = line.strip_prefix("```toml file=") {
            let text: String = lines.clone().take_while(|l| *l != "```").map(|l| format!("{l}\n")).collect();
            std::fs::write(folder.0.join(name), text).unwrap();
        }
        if line != "```console" {
            continue;
        }
        while let Some(line) = lines.next_if(|l| *l != "```") {
            let command = line.strip_prefix("$ ").unwrap_or_else(|| panic!("no command: {line}"));
            let mut shown = vec![];
            while let Some(line) = lines.next_if(|l| *l != "```" && !l.starts_with("$ ")) {
                shown.push(line);
            }
            out += &format!("{line}\n");
            // Only this program is at hand here.
            if !command.starts_with("stickslip") {
                shown.iter().for_each(|l| out += &format!("{l}\n"));
                continue;
            }
            let real = output(folder, command);
            let expected = shown.join("\n");
            let same = real.lines().count() == expected.trim_end().lines().count()
                && expected.lines().zip(real.lines()).all(|(a, b)| alike(a, b));
            if !same {
                wrong.push(format!("$ {command}\n-- shown\n{expected}\n-- real\n{real}"));
            }
            if !real.is_empty() {
                out += &format!("{real}\n");
            }
        }
    }
    (out, wrong)
}

#[test]
fn commands_print_what_the_book_shows() {
    let bless = std::env::var_os(BLESS).is_some();
    let pages: Vec<(PathBuf, String)> =
        all_pages().into_iter().filter(|(_, text)| text.contains("```console")).collect();
    let count: usize = pages.iter().map(|(_, text)| text.matches("\n$ stickslip").count()).sum();
    assert!(count > 30, "only {count} commands");
    // Each page has a desk of its own: pages go side by side.
    std::thread::scope(|scope| {
        for (path, page) in &pages {
            scope.spawn(move || {
                let (now, wrong) = run(page, &desk());
                if bless {
                    std::fs::write(path, now).unwrap();
                } else {
                    assert!(wrong.is_empty(), "{}: {BLESS}=1 accepts\n{}", path.display(), wrong.join("\n"));
                }
            });
        }
    });
}

/// What stands between two marks, all the way through a text.
fn between<'a>(text: &'a str, from: &'a str, to: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(from).skip(1).filter_map(move |rest| rest.split(to).next())
}

#[test]
fn included_files_exist_and_links_lead_somewhere() {
    let all = all_pages();
    let (mut includes, mut links) = (0, 0);
    for (path, page) in &all {
        for name in between(page, "{{#include ", "}}") {
            let file = name.split(':').next().unwrap_or(name);
            assert!(path.with_file_name(file).is_file(), "{} includes {name}", path.display());
            includes += 1;
        }
        for link in between(page, "](", ")").filter(|l| !l.starts_with("http") && !l.starts_with('#')) {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let target = path.with_file_name(file);
            assert!(target.is_file(), "{} links to {link}", path.display());
            let heading = |l: &str| l.starts_with('#') && slug(l) == place;
            let text = std::fs::read_to_string(&target).unwrap_or_default();
            assert!(place.is_empty() || text.lines().any(heading), "{} links to {link}", path.display());
            links += 1;
        }
    }
    assert!(includes > 5 && links > 50, "{includes} includes, {links} links");
}

/// The name of a heading in a link.
fn slug(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn every_page_is_in_the_summary() {
    let src = book().join("src");
    let summary = std::fs::read_to_string(src.join("SUMMARY.md")).unwrap();
    let listed: Vec<PathBuf> = between(&summary, "](", ")").map(|l| src.join(l)).collect();
    for (path, _) in all_pages().into_iter().filter(|(p, _)| !p.ends_with("SUMMARY.md")) {
        assert!(listed.contains(&path), "{} is not in the summary", path.display());
    }
}
