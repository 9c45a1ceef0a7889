//! A scene as SVG.

use crate::draw::colour::Ink;
use crate::draw::font::{RAISED, pieces};
use crate::draw::raster;
use crate::draw::scene::{Anchor, Area, Mark, Point, Scene};
use std::fmt::Write;

/// Fonts of equal widths first, so that the text fits as laid out.
const FONTS: &str = "Arimo, 'Liberation Sans', Arial, Helvetica, sans-serif";

/// Where the SVG will stand.
#[derive(Clone, Copy, PartialEq)]
pub enum Place<'a> {
    /// In a file of its own.
    File,
    /// In a page, with names that begin like this and what the page's script needs.
    Page(&'a str),
}

/// The SVG of a scene.
pub fn svg(scene: &Scene, title: &str, place: Place) -> String {
    let mut out = String::new();
    let (w, h) = (number(scene.width), number(scene.height));
    let size = match place {
        Place::File => format!(" width=\"{w}\" height=\"{h}\""),
        Place::Page(_) => String::new(),
    };
    let name = if let Place::Page(name) = place { name } else { "panel" };
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\"{size} font-family=\"{FONTS}\" role=\"img\">"
    );
    let _ = writeln!(out, "<title>{}</title>", escape(title));
    let mut panels = 0;
    for mark in &scene.marks {
        match mark {
            Mark::Begin { area, about } => {
                panels += 1;
                let _ = writeln!(out, "<clipPath id=\"{name}-{panels}\"><rect {}/></clipPath>", rect(area));
                let mut data = String::new();
                if let Place::Page(_) = place {
                    for (key, value) in about {
                        let _ = write!(data, " data-{key}=\"{}\"", escape(value));
                    }
                }
                let _ =
                    writeln!(out, "<g class=\"panel\"{data} clip-path=\"url(#{name}-{panels})\"><g class=\"data\">");
            }
            Mark::End => out.push_str("</g></g>\n"),
            Mark::Axes => out.push_str("<g class=\"axes\">\n"),
            Mark::EndAxes => out.push_str("</g>\n"),
            other => draw(&mut out, other),
        }
    }
    out.push_str("</svg>\n");
    out
}

fn draw(out: &mut String, mark: &Mark) {
    let _ = match mark {
        Mark::Line { points, ink, width, dash } => {
            let path = path(points);
            if path.is_empty() {
                return;
            }
            let dash = dash.pattern().map_or(String::new(), |p| {
                let [a, b] = p.map(|l| number(l * width));
                format!(" stroke-dasharray=\"{a} {b}\"")
            });
            let stroke = paint("stroke", *ink);
            let round = if points.len() > 2 { " stroke-linejoin=\"round\"" } else { "" };
            let width = number(*width);
            writeln!(out, "<path d=\"{path}\" fill=\"none\" {stroke} stroke-width=\"{width}\"{round}{dash}/>")
        }
        Mark::Dots { points, ink, radius } => {
            // Lines of no length with round ends: short, and a page can enlarge the panel without enlarging the dots.
            let mut d = String::new();
            for p in points.iter().filter(|p| finite(p)) {
                let _ = write!(d, "M{} {}h0", number(p[0]), number(p[1]));
            }
            let stroke = paint("stroke", *ink);
            let width = number(2.0 * radius);
            writeln!(out, "<path d=\"{d}\" fill=\"none\" {stroke} stroke-width=\"{width}\" stroke-linecap=\"round\"/>")
        }
        Mark::Fill { area, ink, opacity } => {
            let opacity =
                if *opacity < 1.0 { format!(" fill-opacity=\"{}\"", number(*opacity)) } else { String::new() };
            writeln!(out, "<rect {} {}{opacity} shape-rendering=\"crispEdges\"/>", rect(area), paint("fill", *ink))
        }
        Mark::Picture { area, columns, pixels } => {
            let data = base64(&raster::picture(*columns, pixels));
            writeln!(
                out,
                "<image {} preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" \
                 href=\"data:image/png;base64,{data}\"/>",
                rect(area)
            )
        }
        Mark::Text { at, text, size, anchor, turned, bold, ink } => {
            let [x, y] = at.map(number);
            let place = if *turned {
                format!("transform=\"translate({x} {y}) rotate(-90)\"")
            } else {
                format!("x=\"{x}\" y=\"{y}\"")
            };
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let weight = if *bold { " font-weight=\"bold\"" } else { "" };
            let fill = paint("fill", *ink);
            let body = raised(text, *size);
            writeln!(out, "<text {place} font-size=\"{}\"{anchor}{weight} {fill}>{body}</text>", number(*size))
        }
        Mark::Begin { .. } | Mark::End | Mark::Axes | Mark::EndAxes => Ok(()),
    };
}

/// A text with its raised numbers.
fn raised(text: &str, size: f64) -> String {
    let lift = number(RAISED.1 * size);
    let mut out = String::new();
    let mut up = false;
    for (piece, raise) in pieces(text) {
        let piece = escape(piece);
        let _ = match (up, raise) {
            (_, true) => write!(out, "<tspan dy=\"-{lift}\" font-size=\"{}\">{piece}</tspan>", number(size * RAISED.0)),
            (true, false) => write!(out, "<tspan dy=\"{lift}\">{piece}</tspan>"),
            (false, false) => write!(out, "{piece}"),
        };
        up = raise;
    }
    out
}

fn paint(what: &str, ink: Ink) -> String {
    let class = ink.class().map_or(String::new(), |c| format!("class=\"{}-{c}\" ", &what[..1]));
    format!("{class}{what}=\"{}\"", ink.hex())
}

fn rect(area: &Area) -> String {
    let [x, y, w, h] = [area.x, area.y, area.w.max(0.0), area.h.max(0.0)].map(number);
    format!("x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"")
}

fn finite(p: &Point) -> bool {
    p[0].is_finite() && p[1].is_finite()
}

fn path(points: &[Point]) -> String {
    let mut d = String::new();
    let mut drawing = false;
    for p in points {
        if finite(p) {
            let _ = write!(d, "{}{} {}", if drawing { "L" } else { "M" }, number(p[0]), number(p[1]));
        }
        drawing = finite(p);
    }
    d
}

/// A number to a hundredth, without needless zeros.
pub fn number(x: f64) -> String {
    // Far outside of any sheet, and what is not a number, must not reach a file.
    let x = if x.is_finite() { x.clamp(-1e6, 1e6) } else { 0.0 };
    let text = format!("{:.2}", x);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// Text that is safe between tags and in attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML has no other control characters.
            c if c.is_control() && !"\n\t".contains(c) => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let bits = part.iter().fold(0u32, |n, b| n << 8 | *b as u32) << (8 * (3 - part.len()));
        for i in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * i)) as usize & 63] as char;
            out.push(if i <= part.len() { digit } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_always_numbers() {
        for (x, text) in [(1.0, "1"), (-0.001, "0"), (0.125, "0.12"), (f64::NAN, "0"), (1e300, "1000000")] {
            assert_eq!(number(x), text);
        }
    }

    #[test]
    fn base64_pads() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn a_gap_interrupts_the_line() {
        assert_eq!(path(&[[0.0, 0.0], [1.0, f64::NAN], [2.0, 1.0], [3.0, 1.0]]), "M0 0M2 1L3 1");
    }
}
