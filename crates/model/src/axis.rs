//! A parameter that varies: its path and its values.
use stickslip_structures::{ANY_UNIT, Ask, Keys, Refused};

/// Most points of one axis.
const MOST: f64 = 1e7;

/// A parameter and the values it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Path in the scenario.
    pub parameter: String,
    /// Its values, in order, as numbers of the unit in which they are written.
    pub values: Vec<f64>,
}

impl Axis {
    /// Reads `parameter`, and `from`, `to`, `points`, `scale`, `cells` or `values`.
    pub fn read(keys: &mut dyn Keys) -> Result<Axis, Refused> {
        let parameter = path(keys)?;
        let logarithmic = keys.choice("scale", &["linear", "log"], false, "Spacing of the points")? == 1;
        if keys.has("values") {
            let values = keys.list(Ask::varied("values", "The values"))?;
            if values.is_empty() {
                let e = keys.refuse("values", "analysis::shape", "an axis without values".into());
                return Err(e.expected("a list of at least one number").hint("for instance values = [0.1, 0.2]"));
            }
            if values.len() as f64 > MOST {
                let e = keys.refuse("values", "analysis::too-large", format!("{} values", values.len()));
                return Err(e.expected(format!("at most {MOST:e}")));
            }
            return Ok(Axis { parameter, values });
        }
        let from = keys.number(Ask::varied("from", "First value"))?;
        let to = keys.number(Ask::varied("to", "Last value"))?;
        let points = keys.count(Ask::new("points", "1", "Number of points").min(1.0).max(MOST))?;
        let cells = keys.flag("cells", "Points at the centres of cells instead of ends included")?;
        if logarithmic && (from <= 0.0 || to <= 0.0) {
            let key = if from <= 0.0 { "from" } else { "to" };
            let e = keys.refuse(key, "analysis::out-of-range", "a logarithmic scale needs positive ends".into());
            return Err(e.expected("a number above 0").hint("use scale = \"linear\", or an end above 0"));
        }
        let (a, b) = if logarithmic { (from.ln(), to.ln()) } else { (from, to) };
        let place = |i: usize| match (cells, points) {
            (true, _) => (i as f64 + 0.5) / points as f64,
            (false, 1) => 0.0,
            (false, _) => i as f64 / (points - 1) as f64,
        };
        let value = |i: usize| match i {
            // The ends as given, without rounding.
            0 if !cells => from,
            i if !cells && i == points - 1 => to,
            _ => {
                let x = a + (b - a) * place(i);
                if logarithmic { x.exp() } else { x }
            }
        };
        Ok(Axis { parameter, values: (0..points).map(value).collect() })
    }
}

/// Reads the path of the parameter that varies.
pub fn path(keys: &mut dyn Keys) -> Result<String, Refused> {
    let found = keys.text("parameter", "Path of the parameter that varies")?;
    found.ok_or_else(|| {
        let e = keys.refuse("parameter", "scenario::missing", "`parameter` is missing".into());
        e.expected("a path, such as \"contact.friction.mu\"")
    })
}

/// The two values between which something happens, in the unit in which they are written.
pub const BETWEEN: Ask = Ask { as_written: true, ..BETWEEN_SI };
/// The same in SI.
pub const BETWEEN_SI: Ask = Ask::new("between", ANY_UNIT, "Two values");

/// Reads two values between which something happens.
pub fn between(keys: &mut dyn Keys, ask: Ask) -> Result<[f64; 2], Refused> {
    let ends = keys.list(ask)?;
    match ends[..] {
        [a, b] if a != b => Ok([a, b]),
        _ => {
            let e = keys.refuse("between", "analysis::shape", "`between` needs two different values".into());
            Err(e.expected("two numbers, such as [0.1, 0.4]"))
        }
    }
}
