//! The table of results.

/// A line of the table.
#[derive(Default)]
pub struct Row {
    pub work: String,
    pub peer: Option<(f64, f64)>,
    pub ours: Option<(f64, f64)>,
    pub ratio: Option<f64>,
    pub bar: String,
    pub met: Option<bool>,
}

/// Seconds with a unit.
pub fn time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (1e3 * s, "ms"),
        s => (1e6 * s, "us"),
    };
    format!("{value:.3} {unit}")
}

/// The largest of some errors; one that is no number is the largest of all.
pub fn largest(errors: impl Iterator<Item = f64>) -> f64 {
    errors.fold(0.0, |m: f64, e| if m.is_nan() || e <= m { m } else { e })
}

const NOT_SHOWN: &str = "not shown";
const HEAD: [&str; 8] = ["work", "peer time", "peer error", "our time", "our error", "ratio", "bar", "met?"];

/// All lines, in columns.
pub fn table(rows: &[Row]) -> String {
    let mut cells: Vec<[String; 8]> = vec![HEAD.map(String::from)];
    for r in rows {
        let pair = |p: Option<(f64, f64)>| match p {
            Some((seconds, error)) => (time(seconds), format!("{error:.1e}")),
            None => (NOT_SHOWN.into(), String::new()),
        };
        let ((peer, peer_error), (ours, our_error)) = (pair(r.peer), pair(r.ours));
        let ratio = r.ratio.map_or(String::new(), |x| format!("{x:.3}"));
        let met = r.met.map_or("", |met| if met { "yes" } else { "NO" }).into();
        cells.push([r.work.clone(), peer, peer_error, ours, our_error, ratio, r.bar.clone(), met]);
    }
    let width: Vec<usize> = (0..8).map(|k| cells.iter().map(|c| c[k].chars().count()).max().unwrap_or(0)).collect();
    let line = |c: &[String; 8]| {
        let parts: Vec<String> = c.iter().zip(&width).map(|(text, w)| format!("{text:<w$}")).collect();
        format!("| {} |\n", parts.join(" | "))
    };
    let rule: Vec<String> = width.iter().map(|w| "-".repeat(*w)).collect();
    let mut text = line(&cells[0]);
    text += &format!("| {} |\n", rule.join(" | "));
    cells[1..].iter().for_each(|c| text += &line(c));
    text
}
