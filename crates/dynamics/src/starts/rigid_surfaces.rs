//! What is refused of rigid contacts by every analysis that has their normal forces as reactions.
use stickslip_structures::Refused;

/// Rows and gaps that agree to this part are the same.
const SAME: f64 = 1e-12;
/// A gap below zero by this part of its terms is rounding.
const ROUNDING: f64 = 1e-12;

/// A rigid surface before a point: gap = gap at rest + row q.
pub struct Surface<'a> {
    /// The contact, as messages name it.
    pub name: String,
    /// The contact, as paths name it.
    pub key: String,
    /// Row of the gap on the coordinates.
    pub row: &'a [f64],
    /// Gap at q = 0.
    pub gap: f64,
}

/// Two rigid surfaces that close together share their load in no definite way.
pub fn coincident(all: &[Surface]) -> Option<Refused> {
    // Rows of length one.
    let length = |s: &Surface| s.row.iter().map(|x| x * x).sum::<f64>().sqrt();
    for (i, a) in all.iter().enumerate() {
        for b in &all[..i] {
            let (la, lb) = (length(a), length(b));
            let apart = a.row.iter().zip(b.row).map(|(x, y)| (x / la - y / lb).abs()).fold(0.0, f64::max);
            if apart <= SAME && (a.gap / la - b.gap / lb).abs() <= SAME * (a.gap.abs() / la) {
                let text =
                    format!("contacts {} and {} coincide: how they share their load is not determined", b.name, a.name);
                let e = Refused::new(&a.key, "contact::redundant", text);
                return Some(e.hint("leave one of them out, or give it another gap or direction"));
            }
        }
    }
    None
}

/// A point that lies inside its rigid surface at the start, where its gap is this; `key` is that of the gap at rest.
pub fn inside(surface: &Surface, q: &[f64], gap: f64, key: String) -> Option<Refused> {
    let size = surface.gap.abs() + surface.row.iter().zip(q).map(|(a, b)| (a * b).abs()).sum::<f64>();
    (gap < -ROUNDING * size).then(|| {
        let text = format!("the gap is {gap:.6e} m at the start: nothing may lie inside a rigid surface");
        Refused::new(key, "start::inside", text).hint("give a larger `gap`, or other `start.values`")
    })
}
