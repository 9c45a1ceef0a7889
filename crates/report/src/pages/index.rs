//! An index of several runs: one page with their pictures and what was said of them.

use crate::draw::svg::escape;
use std::fmt::Write;

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
    contents(&mut out, cards);
    for card in cards {
        one(&mut out, card);
    }
    out.push_str("</body>\n</html>\n");
    out
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
