//! The report: one page that opens offline.

use crate::draw::scale::{Scale, is_pure, number};
use crate::draw::svg::escape;
use crate::figures::parts::Figure;
use crate::figures::records;
use crate::pages::comparison;
use serde_json::Value as Json;
use std::fmt::Write;
use stickslip_data::{Dataset, Outcome, Quantity, Value};

/// All inline SVG together stays below this; further figures stand as links to their files.
const MOST_INLINE: usize = 2_500_000;
/// More values than twice this stand in two columns.
const MOST_IN_COLUMN: usize = 5;
/// Values that a figure shows.
const DRAWN: [&str; 2] = ["correlation", "correlation_of"];
/// Longest list in a cell.
const MOST_LIST: usize = 8;

/// The report of a dataset; `summary` is the one of its folder, with the names of the files.
pub fn html(dataset: &Dataset, summary: &Json) -> String {
    with(dataset, summary, &crate::figures(dataset))
}

/// The report with figures that are there already.
pub(crate) fn with(dataset: &Dataset, summary: &Json, figures: &[Figure]) -> String {
    let title = escape(dataset.title.as_deref().unwrap_or("Stickslip run"));
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{}</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        include_str!("../../page/style.css")
    );
    banner(&mut out, summary);
    comparison::head(&mut out, dataset);
    // A page that answers a question shows it before its numbers.
    let answers = dataset.cases.iter().any(|(_, o)| o.value(comparison::CONCLUSION).is_some());
    let pictures = |out: &mut String| {
        if !figures.is_empty() {
            section(out, "Figures", |out| drawn(out, figures));
        }
    };
    if answers {
        pictures(&mut out);
    }
    section(&mut out, "Summary", |out| values(out, dataset));
    if !answers {
        pictures(&mut out);
    }
    if dataset.cases.iter().any(|(_, o)| o.ledger.is_some()) {
        section(&mut out, "Energy", |out| ledger(out, dataset));
    }
    section(&mut out, "Health", |out| health(out, dataset));
    section(&mut out, "Scenario", |out| provenance(out, summary));
    section(&mut out, "Files", |out| files(out, summary));
    let _ = write!(out, "<script>\n{}</script>\n</body>\n</html>\n", include_str!("../../page/script.js"));
    out
}

fn section(out: &mut String, title: &str, body: impl FnOnce(&mut String)) {
    let _ = writeln!(out, "<section>\n<h2>{title}</h2>");
    body(out);
    out.push_str("</section>\n");
}

fn banner(out: &mut String, summary: &Json) {
    let status = summary["status"].as_str().unwrap_or("failed");
    let text = match (summary["reason"].as_str(), status) {
        (Some(reason), _) => escape(reason),
        (None, "ok") => "every check passed".to_owned(),
        (None, _) => String::new(),
    };
    let status = escape(status);
    let _ = writeln!(out, "<p class=\"banner {status}\" role=\"status\"><b>{status}</b>{text}</p>");
}

/// The names of the cases as heads of columns.
fn heads(out: &mut String, dataset: &Dataset, after: &str) {
    if dataset.plain().is_some() {
        return;
    }
    out.push_str("<thead><tr><th></th>");
    for (name, _) in &dataset.cases {
        let _ = write!(out, "<th>{}</th>", escape(name));
    }
    let _ = writeln!(out, "{after}</tr></thead>");
}

fn values(out: &mut String, dataset: &Dataset) {
    for (case, outcome) in &dataset.cases {
        records::tables(out, case, outcome);
    }
    out.push_str("<div class=\"wide beside\"><table>\n");
    heads(out, dataset, "<th></th>");
    if dataset.cases.iter().any(|(_, o)| o.regime.is_some()) {
        row(out, "regime", dataset.cases.iter().map(|(_, o)| text(o.regime.as_deref().unwrap_or("\u{2013}"))), "");
    }
    if dataset.plain().is_none() {
        row(out, "status", dataset.cases.iter().map(|(_, o)| text(o.verdict().0.as_str())), "");
    }
    let mut names: Vec<&str> = Vec::new();
    for (_, outcome) in &dataset.cases {
        for (name, quantity) in &outcome.values {
            let told = outcome.tells_elsewhere(name, &quantity.value)
                || records::is_table(&quantity.value)
                || name == comparison::CONCLUSION
                || DRAWN.contains(&name.as_str());
            if !told && !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    let half = names.len() / 2;
    for (k, name) in names.into_iter().enumerate() {
        if k == half && dataset.plain().is_some() && half >= MOST_IN_COLUMN {
            out.push_str("</table>\n<table>\n");
        }
        let found: Vec<Option<&Quantity>> = dataset.cases.iter().map(|(_, o)| o.value(name)).collect();
        let Some(first) = found.iter().flatten().next() else { continue };
        // Cases of one unit share a prefix, so that their numbers can be compared at sight.
        let one = found.iter().flatten().all(|q| q.unit == first.unit);
        let largest = found.iter().flatten().map(|q| size(&q.value)).fold(0.0, f64::max);
        let prefix = one && !is_pure(&first.unit);
        let scale = if prefix { Scale::of(&first.unit, largest) } else { Scale::plain("") };
        let cells = found.iter().map(|q| match q {
            Some(q) if one => cell(&q.value, &scale),
            Some(q) => cell(&q.value, &Scale::plain(&q.unit)).replace("</td>", &format!(" {}</td>", escape(&q.unit))),
            None => text("\u{2013}"),
        });
        row(out, name, cells, &unit(&scale.unit));
    }
    out.push_str("</table></div>\n");
}

fn row(out: &mut String, name: &str, cells: impl Iterator<Item = String>, unit: &str) {
    let _ = write!(out, "<tr><th scope=\"row\">{}</th>", escape(name));
    cells.for_each(|c| out.push_str(&c));
    let _ = writeln!(out, "<td class=\"u\">{unit}</td></tr>");
}

fn text(content: &str) -> String {
    format!("<td class=\"n\">{}</td>", escape(content))
}

/// The largest number in a value.
fn size(value: &Value) -> f64 {
    let most = |m: f64, x: &f64| if x.is_finite() { m.max(x.abs()) } else { m };
    match value {
        Value::Number(x) => most(0.0, x),
        Value::List(list) => list.iter().fold(0.0, most),
        Value::Rows(rows) => rows.iter().flatten().fold(0.0, most),
        _ => 0.0,
    }
}

fn cell(value: &Value, scale: &Scale) -> String {
    let show = |x: &f64| number(scale.show(*x));
    let list = |parts: Vec<String>, all: usize| match all > MOST_LIST {
        true => format!("{}, \u{2026} ({all} in all)", parts.join(", ")),
        false => parts.join(", "),
    };
    match value {
        Value::Number(x) => format!("<td class=\"n\" title=\"{x:e}\">{}</td>", show(x)),
        Value::Count(n) => format!("<td class=\"n\">{n}</td>"),
        Value::List(xs) => text(&list(xs.iter().take(MOST_LIST).map(show).collect(), xs.len())),
        Value::Rows(rows) => {
            let one = |r: &Vec<f64>| format!("[{}]", r.iter().map(show).collect::<Vec<_>>().join(", "));
            text(&list(rows.iter().take(MOST_LIST).map(one).collect(), rows.len()))
        }
        Value::Text(s) => text(s),
        Value::Texts(s) => text(&list(s.iter().take(MOST_LIST).cloned().collect(), s.len())),
        Value::Flag(yes) => text(if *yes { "yes" } else { "no" }),
        Value::Records(all) => text(&format!("{} records", all.len())),
        Value::Record(_) => text(&value.to_json().to_string()),
    }
}

/// A unit with raised powers.
pub(crate) fn unit(unit: &str) -> String {
    let piece = |(s, up): &(&str, bool)| if *up { format!("<sup>{}</sup>", escape(s)) } else { escape(s) };
    crate::draw::font::pieces(unit).iter().map(piece).collect()
}

fn drawn(out: &mut String, figures: &[Figure]) {
    out.push_str("<p class=\"note hint\">Point at a curve to read it; drag to enlarge; double-click to see all.</p>\n");
    let mut used = 0;
    for figure in figures {
        let (name, title, note) = (escape(&figure.name), escape(&figure.title), escape(&figure.note));
        let svg = figure.inline();
        used += svg.len();
        let _ = write!(out, "<figure id=\"{name}\">\n<figcaption><h3>{title}</h3><span>{note}</span>");
        if used > MOST_INLINE {
            used -= svg.len();
            let _ = writeln!(
                out,
                "<span>too large for this page: <a href=\"plots/{name}.svg\">file</a></span></figcaption></figure>"
            );
            continue;
        }
        let _ = writeln!(
            out,
            "<button type=\"button\">show all</button></figcaption>\n{svg}<div class=\"read\"></div>\n</figure>"
        );
    }
}

fn ledger(out: &mut String, dataset: &Dataset) {
    type Term = (&'static str, fn(&stickslip_data::Ledger) -> f64);
    const TERMS: [Term; 5] = [
        ("work in", |l| l.work_in),
        ("stored", |l| l.stored),
        ("friction", |l| l.friction),
        ("damping", |l| l.damping),
        ("contact", |l| l.contact),
    ];
    let all: Vec<Option<stickslip_data::Ledger>> = dataset.cases.iter().map(|(_, o)| o.ledger).collect();
    let sizes = all.iter().flatten().flat_map(|l| TERMS.map(|(_, of)| of(l).abs()));
    let scale = Scale::of("J", sizes.filter(|s| s.is_finite()).fold(0.0, f64::max));
    out.push_str("<div class=\"wide\"><table>\n");
    heads(out, dataset, "<th></th>");
    let none = || text("\u{2013}");
    for (name, of) in TERMS {
        let cells = all.iter().map(|l| l.map_or_else(none, |l| cell(&Value::Number(of(&l)), &scale)));
        row(out, name, cells, &unit(&scale.unit));
    }
    let plain = Scale::plain("");
    let cells = all.iter().map(|l| l.map_or_else(none, |l| cell(&Value::Number(l.residual()), &plain)));
    row(out, "residual", cells, "of the largest");
    out.push_str("</table></div>\n");
}

fn health(out: &mut String, dataset: &Dataset) {
    type Count = (&'static str, fn(&Outcome) -> u64);
    const COUNTS: [Count; 6] = [
        ("steps", |o| o.health.steps),
        ("rejected", |o| o.health.rejected),
        ("Newton iterations", |o| o.health.newton_iterations),
        ("Newton failures", |o| o.health.newton_failures),
        ("Jacobians", |o| o.health.jacobians),
        ("events", |o| o.health.events),
    ];
    out.push_str("<div class=\"wide\"><table>\n");
    heads(out, dataset, "<th></th>");
    for (name, of) in COUNTS {
        row(out, name, dataset.cases.iter().map(|(_, o)| cell(&Value::Count(of(o)), &Scale::plain(""))), "");
    }
    out.push_str("</table></div>\n<ul>\n");
    for (case, outcome) in &dataset.cases {
        let case = if case.is_empty() { String::new() } else { format!("{}: ", escape(case)) };
        for (kind, list) in [("warning: ", &outcome.health.warnings), ("", &outcome.health.notes)] {
            for line in list {
                let _ = writeln!(out, "<li>{case}{kind}{}</li>", escape(line));
            }
        }
    }
    out.push_str("</ul>\n");
}

fn provenance(out: &mut String, summary: &Json) {
    let from = &summary["provenance"];
    out.push_str("<table>\n");
    for (name, value) in [("version", &from["version"]), ("formulation", &from["formulation"]), ("seed", &from["seed"])]
    {
        let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        row(out, name, std::iter::once(text(&shown)), "");
    }
    let spec = escape(&format!("{:#}", from["spec"]));
    let _ = writeln!(
        out,
        "</table>\n<details><summary>The scenario as run, every default filled in</summary>\n<pre>{spec}</pre>\n</details>"
    );
}

fn files(out: &mut String, summary: &Json) {
    out.push_str("<ul class=\"files\">\n<li><a href=\"summary.json\">summary.json</a></li>\n");
    let names = summary["files"].as_array().into_iter().flatten().filter_map(Json::as_str);
    for name in names.filter(|n| !["summary.json", "report.html"].contains(n)) {
        let name = escape(name);
        let _ = writeln!(out, "<li><a href=\"{name}\">{name}</a></li>");
    }
    out.push_str("</ul>\n");
}
