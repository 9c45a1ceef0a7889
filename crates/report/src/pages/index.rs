//! An index of several runs: one page with their pictures and what was said of them.

use crate::draw::svg::escape;
use std::fmt::Write;

/// The verdict on a figure that can't be checked, and what that means.
const NOT_COMPARABLE: &str = "not-comparable";
const WHY_NOT: &str = "the paper prints no parameters or no data for this figure. That is common, and no fault of the \
figure: it is shown at parameters of our own, and what is known otherwise is checked.";

/// One run on the page.
#[derive(Clone, Debug, Default)]
pub struct Card {
    /// Name of the run.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What is said of it in a word.
    pub verdict: String,
    /// Why.
    pub note: String,
    /// Its own page, relative to the index.
    pub link: String,
    /// Its pictures, relative to the index: the first is shown, the others are a click away.
    pub pictures: Vec<String>,
    /// Heads of the columns of its table.
    pub heads: Vec<String>,
    /// Rows of its table.
    pub rows: Vec<Vec<String>>,
}

/// The page: how many of each verdict, then every run. It opens offline and needs the folders beside it.
pub fn index(title: &str, cards: &[Card]) -> String {
    let title = escape(title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{}{}</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        include_str!("../../page/style.css"),
        include_str!("../../page/index.css"),
    );
    counts(&mut out, cards);
    thumbnails(&mut out, cards);
    contents(&mut out, cards);
    for card in cards {
        one(&mut out, card);
    }
    out.push_str("</body>\n</html>\n");
    out
}

/// How many of each verdict, and what the kind one means.
fn counts(out: &mut String, cards: &[Card]) {
    let mut kinds: Vec<(&str, usize)> = vec![];
    for card in cards.iter().filter(|card| !card.verdict.is_empty()) {
        match kinds.iter_mut().find(|(verdict, _)| *verdict == card.verdict) {
            Some((_, count)) => *count += 1,
            None => kinds.push((&card.verdict, 1)),
        }
    }
    let all: Vec<String> = kinds.iter().map(|(verdict, count)| format!("{count} {}", word(verdict))).collect();
    if !all.is_empty() {
        let _ = writeln!(out, "<p class=\"counts\">{} entries: {}</p>", cards.len(), all.join(" "));
    }
    if kinds.iter().any(|(verdict, _)| *verdict == NOT_COMPARABLE) {
        let _ = writeln!(out, "<p class=\"note\">{}: {WHY_NOT}</p>", word(NOT_COMPARABLE));
    }
}

/// A small picture of every figure.
fn thumbnails(out: &mut String, cards: &[Card]) {
    let one = |card: &Card| {
        let (name, title) = (escape(&card.name), escape(&card.title));
        let picture = escape(card.pictures.first()?);
        let image = format!("<img src=\"{picture}\" alt=\"{title}\" loading=\"lazy\">");
        Some(format!("<a href=\"#{name}\" title=\"{title}\">{image}<span>{name}</span></a>\n"))
    };
    let all: String = cards.iter().filter_map(one).collect();
    if cards.len() > 1 && !all.is_empty() {
        let _ = writeln!(out, "<div class=\"thumbs\">\n{all}</div>");
    }
}

fn contents(out: &mut String, cards: &[Card]) {
    out.push_str("<table>\n");
    for card in cards {
        let (name, title, verdict) = (escape(&card.name), escape(&card.title), word(&card.verdict));
        let _ = writeln!(out, "<tr><td><a href=\"#{name}\">{name}</a></td><td>{title}</td><td>{verdict}</td></tr>");
    }
    out.push_str("</table>\n");
}

fn word(verdict: &str) -> String {
    let verdict = escape(verdict);
    format!("<span class=\"verdict {verdict}\">{verdict}</span>")
}

fn one(out: &mut String, card: &Card) {
    let (name, title, link) = (escape(&card.name), escape(&card.title), escape(&card.link));
    let _ = writeln!(out, "<section id=\"{name}\">\n<h2>{title}</h2>");
    let note = if card.note.is_empty() { String::new() } else { format!(" {}", escape(&card.note)) };
    let _ = writeln!(out, "<p>{}{note} <a href=\"{link}\">Report</a></p>", word(&card.verdict));
    let mut pictures = card.pictures.iter().map(|p| escape(p));
    if let Some(first) = pictures.next() {
        let _ = writeln!(out, "<a href=\"{link}\"><img src=\"{first}\" alt=\"{title}\" loading=\"lazy\"></a>");
    }
    let others: Vec<String> = pictures.map(|p| format!("<a href=\"{p}\">{}</a>", stem(&p))).collect();
    if !others.is_empty() {
        let _ = writeln!(out, "<p class=\"note\">More: {}</p>", others.join(", "));
    }
    if !card.rows.is_empty() {
        out.push_str("<div class=\"wide\"><table>\n<thead><tr>");
        card.heads.iter().for_each(|head| out.push_str(&format!("<th>{}</th>", escape(head))));
        out.push_str("</tr></thead>\n");
        for row in &card.rows {
            let cells: String = row.iter().map(|cell| format!("<td>{}</td>", escape(cell))).collect();
            let _ = writeln!(out, "<tr>{cells}</tr>");
        }
        out.push_str("</table></div>\n");
    }
    out.push_str("</section>\n");
}

/// A picture's name without its folder and ending.
fn stem(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}
