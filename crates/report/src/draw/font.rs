//! Letters: widths for the layout, outlines for the PNG.
//!
//! A caret lifts the number after it (`m/s^2`, `10^-3`), in both kinds of figure.

use std::collections::HashMap;
use std::sync::OnceLock;
use tiny_skia::{Path, PathBuilder, Transform};

const EM: f64 = 2048.0;
/// Size of a raised number, and how far it is lifted, in ems.
pub const RAISED: (f64, f64) = (0.72, 0.38);

struct Glyph {
    advance: f64,
    path: &'static str,
}

fn glyphs() -> &'static HashMap<char, Glyph> {
    static TABLE: OnceLock<HashMap<char, Glyph>> = OnceLock::new();
    TABLE.get_or_init(|| include_str!("../../font/glyphs.txt").lines().filter_map(glyph).collect())
}

fn glyph(line: &'static str) -> Option<(char, Glyph)> {
    let mut parts = line.splitn(3, ' ');
    let c = char::from_u32(u32::from_str_radix(parts.next()?, 16).ok()?)?;
    let advance = parts.next()?.parse().ok()?;
    Some((c, Glyph { advance, path: parts.next().unwrap_or_default() }))
}

/// A letter that the font lacks is drawn as a question mark; the SVG leaves it to the viewer's fonts.
fn look_up(c: char) -> &'static Glyph {
    let known = glyphs();
    known.get(&c).unwrap_or_else(|| &known[&'?'])
}

/// Pieces of a text, each with whether it is raised.
pub fn pieces(text: &str) -> Vec<(&str, bool)> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('^') {
        let raised = &rest[at + 1..];
        let end = raised.find(|c: char| !(c.is_ascii_digit() || "-\u{2212}.".contains(c))).unwrap_or(raised.len());
        if end == 0 {
            break;
        }
        out.extend([(&rest[..at], false), (&raised[..end], true)]);
        rest = &raised[end..];
    }
    out.push((rest, false));
    out.retain(|(s, _)| !s.is_empty());
    out
}

fn plain_width(text: &str, size: f64) -> f64 {
    text.chars().map(|c| look_up(c).advance).sum::<f64>() * size / EM
}

/// Width of a text at a size.
pub fn width(text: &str, size: f64) -> f64 {
    pieces(text).iter().map(|(s, up)| plain_width(s, if *up { size * RAISED.0 } else { size })).sum()
}

/// Outlines of a text that begins at the origin, y downwards; `apart` is added after every letter.
pub fn outline(text: &str, size: f64, apart: f64) -> Option<Path> {
    let mut pen = PathBuilder::new();
    let mut x = 0.0;
    for (piece, up) in pieces(text) {
        let (size, y) = if up { (size * RAISED.0, -RAISED.1 * size) } else { (size, 0.0) };
        for c in piece.chars() {
            let glyph = look_up(c);
            if let Some(path) = glyph_path(glyph.path) {
                let k = (size / EM) as f32;
                if let Some(path) = path.transform(Transform::from_row(k, 0.0, 0.0, -k, x as f32, y as f32)) {
                    pen.push_path(&path);
                }
            }
            x += glyph.advance * size / EM + apart;
        }
    }
    pen.finish()
}

fn glyph_path(d: &str) -> Option<Path> {
    let mut pen = PathBuilder::new();
    let mut rest = d;
    while let Some(command) = rest.chars().next() {
        let end = rest[1..].find(|c: char| c.is_ascii_uppercase()).map_or(rest.len(), |i| i + 1);
        let n: Vec<f32> = rest[1..end].split(' ').filter_map(|s| s.parse().ok()).collect();
        match (command, n.as_slice()) {
            ('M', [x, y]) => pen.move_to(*x, *y),
            ('L', [x, y]) => pen.line_to(*x, *y),
            ('Q', [a, b, x, y]) => pen.quad_to(*a, *b, *x, *y),
            _ => pen.close(),
        }
        rest = &rest[end..];
    }
    pen.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caret_raises_the_number_after_it() {
        assert_eq!(pieces("kg m^-2 s"), [("kg m", false), ("-2", true), (" s", false)]);
        assert_eq!(pieces("a^b"), [("a^b", false)]);
        assert_eq!(pieces("10^\u{2212}3"), [("10", false), ("\u{2212}3", true)]);
        assert!(pieces("").is_empty());
    }

    #[test]
    fn every_outline_of_the_table_can_be_drawn() {
        for (c, glyph) in glyphs() {
            assert!(glyph.advance > 0.0, "{c}");
            assert!(glyph.path.is_empty() || glyph_path(glyph.path).is_some(), "{c}");
        }
        assert!(outline("\u{b5}m \u{4e2d}", 12.0, 0.0).is_some() && outline(" ", 12.0, 0.0).is_none());
        assert!((width("iiii", 10.0) - 4.0 * 0.222 * 10.0).abs() < 0.1);
    }
}
