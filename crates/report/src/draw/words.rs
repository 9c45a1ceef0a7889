//! A panel as text: curves in Braille dots, two across and four down in each character.

use crate::draw::axis::Fitted;
use crate::draw::panel::values;
use crate::figures::parts::{Layer, Panel};

/// Bits of the dots of a Braille character, by row and column.
const DOTS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
const BLANK: u32 = 0x2800;

/// Dots that are set.
struct Sheet {
    columns: usize,
    rows: usize,
    cells: Vec<u32>,
}

impl Sheet {
    fn dot(&mut self, x: f64, y: f64) {
        let across = (x * (2 * self.columns - 1) as f64).round() as usize;
        let down = ((1.0 - y) * (4 * self.rows - 1) as f64).round() as usize;
        self.cells[(down / 4) * self.columns + across / 2] |= DOTS[down % 4][across % 2];
    }

    /// A straight line, dot by dot; nothing where an end has no place.
    fn line(&mut self, a: (f64, f64), b: (f64, f64)) {
        let inside = |p: (f64, f64)| (0.0..=1.0).contains(&p.0) && (0.0..=1.0).contains(&p.1);
        if !inside(a) || !inside(b) {
            return;
        }
        let (across, down) = (2.0 * self.columns as f64 * (b.0 - a.0), 4.0 * self.rows as f64 * (b.1 - a.1));
        let count = across.abs().max(down.abs()).ceil().max(1.0);
        for k in 0..=count as usize {
            let s = k as f64 / count;
            self.dot(a.0 + s * (b.0 - a.0), a.1 + s * (b.1 - a.1));
        }
    }
}

/// The panel, with its axes labelled.
pub fn panel(panel: &Panel, columns: usize, rows: usize) -> String {
    let (columns, rows) = (columns.max(8), rows.max(3));
    let (x, y) = (panel.x.fit(values(panel, true)), panel.y.fit(values(panel, false)));
    let mut sheet = Sheet { columns, rows, cells: vec![BLANK; columns * rows] };
    for layer in &panel.layers {
        if let Layer::Curve(c) = layer {
            let points: Vec<(f64, f64)> = c.x.iter().zip(&c.y).map(|(a, b)| (x.place(*a), y.place(*b))).collect();
            points.windows(2).for_each(|p| sheet.line(p[0], p[1]));
        }
    }
    let beside = side(&y, rows);
    let wide = beside.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    let mut text = format!("{}\n", y.label);
    for (row, label) in beside.iter().enumerate() {
        let bar = if label.is_empty() { '\u{2502}' } else { '\u{2524}' };
        let cells = &sheet.cells[row * columns..(row + 1) * columns];
        let drawn: String = cells.iter().filter_map(|c| char::from_u32(*c)).collect();
        let drawn = drawn.trim_end_matches('\u{2800}').replace('\u{2800}', " ");
        text.push_str(&format!("{label:>wide$} {bar}{drawn}\n"));
    }
    text.push_str(&below(&x, wide + 1, columns));
    text
}

/// The label of each row.
fn side(axis: &Fitted, rows: usize) -> Vec<String> {
    let mut labels = vec![String::new(); rows];
    for (place, label) in axis.ticks((rows / 3).max(2)) {
        let row = ((1.0 - place) * (rows - 1) as f64).round() as usize;
        if labels[row].is_empty() {
            labels[row] = label;
        }
    }
    labels
}

/// The axis below, with its numbers and its name.
fn below(axis: &Fitted, indent: usize, columns: usize) -> String {
    let mut line: Vec<char> = vec!['\u{2500}'; columns];
    let mut numbers: Vec<char> = vec![' '; columns + 8];
    for (place, label) in axis.ticks((columns / 12).max(2)) {
        if label.is_empty() {
            continue;
        }
        let at = (place * (columns - 1) as f64).round() as usize;
        line[at] = '\u{252c}';
        let length = label.chars().count();
        let start = at.saturating_sub(length / 2).min(numbers.len().saturating_sub(length));
        for (k, c) in label.chars().enumerate() {
            numbers[start + k] = c;
        }
    }
    let pad = " ".repeat(indent);
    let text = |chars: Vec<char>| chars.into_iter().collect::<String>();
    let label = format!("{:>width$}", axis.label, width = indent + 1 + columns);
    format!("{pad}\u{2514}{}\n{pad} {}\n{label}\n", text(line), text(numbers).trim_end())
}

#[cfg(test)]
mod tests {
    use crate::xy;
    use stickslip_data::Table;

    fn drawn(x: Vec<f64>, y: Vec<f64>) -> String {
        let mut table = Table::new("t");
        table.push("a", "m", x);
        table.push("b", "1", y);
        xy(&table, "a", "b").unwrap().text(20, 6)
    }

    /// A rising line starts below on the left and ends above on the right.
    #[test]
    fn a_line_goes_from_corner_to_corner() {
        let text = drawn(vec![0.0, 1.0], vec![0.0, 1.0]);
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows[0], "b");
        let dots = |row: &str| row.chars().position(|c| ('\u{2801}'..='\u{28ff}').contains(&c));
        assert!(dots(rows[1]) > dots(rows[6]), "{text}");
        assert!(rows[9].ends_with("a (m)"), "{text}");
        assert!(rows[8].trim_start().starts_with('0') && rows[8].ends_with('1'), "{text}");
    }

    #[test]
    fn odd_data_do_no_harm() {
        for y in [vec![f64::NAN, 1.0], vec![0.0, 0.0], vec![f64::MAX, -f64::MAX], vec![]] {
            let x = (0..y.len()).map(|k| k as f64).collect();
            assert!(drawn(x, y).lines().count() > 8);
        }
    }
}
