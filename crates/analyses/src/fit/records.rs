//! Records: measurements, and what of the model they are compared with.
use stickslip_structures::{Ask, Keys, Refused, Signal};

/// Kinds of records.
pub const KINDS: [&str; 6] =
    ["velocity-step", "slide-hold-slide", "free-decay", "force-displacement", "force-velocity", "approach-pressure"];

/// What a kind of record is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The motion in time.
    Motion,
    /// The path of a law through a program.
    Path,
    /// Friction in steady sliding at given velocities.
    SteadyCurve,
    /// The normal law at given approaches.
    Approach,
}

/// Names of columns, their units and what they are.
const COLUMNS: [(&str, &str); 9] = [
    ("time", "s"),
    ("load_velocity", "m/s"),
    ("displacement", "m"),
    ("velocity", "m/s"),
    ("friction", "1"),
    ("force", "N"),
    ("pressure", "Pa"),
    ("approach", "m"),
    ("sigma", "*"),
];

/// Least number of points of a drive that is read from a record: fewer slopes than this part of the largest are none.
const STRAIGHT: f64 = 1e-9;

/// A record of measurements.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its kind, an index into [`KINDS`].
    pub kind: usize,
    /// The file.
    pub name: String,
    /// Times, velocities, displacements or approaches.
    pub x: Vec<f64>,
    /// What was measured.
    pub values: Vec<f64>,
    /// Its name and unit.
    pub observed: (&'static str, &'static str),
    /// Name and unit of `x`.
    pub along: (&'static str, &'static str),
    /// Standard deviation of each value, where it is known.
    pub sigma: Option<Vec<f64>>,
    /// Factor of its residuals.
    pub weight: f64,
    /// Velocity of the driver, where the record has it.
    pub drive: Option<Signal>,
}

impl Record {
    /// What it is compared with.
    pub fn of(&self) -> Of {
        of(self.kind)
    }

    /// The name of its kind.
    pub fn kind_name(&self) -> &'static str {
        KINDS[self.kind]
    }

    /// Reads a record.
    pub fn read(keys: &mut dyn Keys) -> Result<Record, Refused> {
        let kind = keys.choice("of", &KINDS, false, "What was measured")?;
        let mut given: Vec<(&'static str, String)> = vec![];
        keys.named("columns", "Columns of the file by what they hold: time, friction, force, ...", &mut |name, k| {
            let Some((known, _)) = COLUMNS.iter().find(|(n, _)| *n == name) else {
                let e = k.refuse(name, "fit::column", format!("`{name}` is nothing that a record holds"));
                let names: Vec<&str> = COLUMNS.iter().map(|c| c.0).collect();
                return Err(e.expected(format!("one of {}", names.join(", "))));
            };
            given.push((known, k.text(name, "Name of the column, its unit in brackets")?.unwrap_or_default()));
            Ok(())
        })?;
        let (along, usual) = match of(kind) {
            Of::Motion if KINDS[kind] == "free-decay" => ("time", "displacement"),
            Of::Motion => ("time", "friction"),
            Of::Path if given.iter().any(|(n, _)| *n == "time") => ("time", "force"),
            Of::Path => ("displacement", "force"),
            Of::SteadyCurve => ("velocity", "friction"),
            Of::Approach => ("approach", "pressure"),
        };
        let beside = |name: &str| name == along || name == "sigma" || name == "load_velocity" || name == "time";
        let observed = given.iter().map(|(n, _)| *n).find(|n| !beside(n)).unwrap_or(usual);
        for name in [along, observed] {
            if !given.iter().any(|(n, _)| *n == name) {
                given.push((name, name.into()));
            }
        }
        let unit = |name: &str| COLUMNS.iter().find(|c| c.0 == name).map_or("1", |c| c.1);
        let unit = |name: &str| if name == "sigma" { unit(observed) } else { unit(name) };
        let wanted: Vec<(String, &str)> = given.iter().map(|(name, header)| (header.clone(), unit(name))).collect();
        let columns = keys.columns("file", "File of the measurements, units in its header", &wanted)?;
        let column = |name: &str| given.iter().position(|(n, _)| *n == name).map(|i| columns[i].clone());
        let (x, values) = (column(along).unwrap_or_default(), column(observed).unwrap_or_default());
        let name = keys.text("file", "File of the measurements, units in its header")?.unwrap_or_default();
        let sigma = match keys.has("sigma") {
            true => {
                let one =
                    keys.number(Ask::new("sigma", unit(observed), "Standard deviation of the noise").above(0.0))?;
                Some(vec![one; values.len()])
            }
            false => column("sigma"),
        };
        let weight = keys.number(Ask::new("weight", "1", "Factor of its residuals").or(1.0).above(0.0))?;
        let drive = column("load_velocity").map(|v| driver(&x, &v));
        let record = Record {
            kind,
            name,
            x,
            values,
            observed: (observed, unit(observed)),
            along: (along, unit(along)),
            sigma,
            weight,
            drive,
        };
        record.check(keys)?;
        Ok(record)
    }

    fn check(&self, keys: &dyn Keys) -> Result<(), Refused> {
        let refuse = |message: String| keys.refuse("file", "fit::record", format!("`{}`: {message}", self.name));
        let (along, _) = self.along;
        if self.values.len() < 2 {
            let e = refuse(format!("{} row: nothing can be told from it", self.values.len()));
            return Err(e.expected("more rows than parameters"));
        }
        if along == "time" {
            if let Some(i) = (1..self.x.len()).find(|i| self.x[*i] <= self.x[i - 1]) {
                let how = if self.x[i] == self.x[i - 1] { "repeats" } else { "goes back from" };
                let e = refuse(format!("row {}: time {how} {} s to {} s", i + 1, self.x[i - 1], self.x[i]));
                let e = match self.x[i] == self.x[i - 1] {
                    true => refuse(format!("rows {i} and {}: time {} s stands twice", i + 1, self.x[i])),
                    false => e,
                };
                return Err(e.expected("times that rise from row to row").hint("sort the rows, keep one of each time"));
            }
            if self.x[0] < 0.0 {
                let e = refuse(format!("the first time is {} s", self.x[0]));
                return Err(e.expected("times from 0 on, the start of the scenario"));
            }
        }
        if self.values.iter().all(|x| *x == self.values[0]) {
            let e = refuse(format!("`{}` is {} in every row: a constant signal", self.observed.0, self.values[0]));
            return Err(e.expected("a signal that changes").hint("look at the column, or leave this record out"));
        }
        if self.sigma.iter().flatten().any(|s| *s <= 0.0) {
            return Err(refuse("a standard deviation is not above 0".into()));
        }
        if self.of() == Of::SteadyCurve && self.x.contains(&0.0) {
            let e = refuse("a velocity is 0: a steady curve has no value there".into());
            return Err(e.expected("velocities other than 0"));
        }
        Ok(())
    }
}

fn of(kind: usize) -> Of {
    match KINDS[kind] {
        "force-displacement" => Of::Path,
        "force-velocity" => Of::SteadyCurve,
        "approach-pressure" => Of::Approach,
        _ => Of::Motion,
    }
}

/// A velocity of the driver through the rows of a record, without the rows on straight lines.
fn driver(times: &[f64], values: &[f64]) -> Signal {
    let largest = values.iter().fold(0.0f64, |m, v| m.max(v.abs())).max(f64::MIN_POSITIVE);
    let mut kept: Vec<usize> = vec![0];
    for i in 1..times.len().saturating_sub(1) {
        let from = kept[kept.len() - 1];
        let slope = (values[i + 1] - values[from]) / (times[i + 1] - times[from]);
        let off = values[from] + slope * (times[i] - times[from]) - values[i];
        if off.abs() > STRAIGHT * largest {
            kept.push(i);
        }
    }
    kept.push(times.len() - 1);
    kept.dedup();
    let pick = |list: &[f64]| kept.iter().map(|i| list[*i]).collect();
    Signal::Points { times: pick(times), values: pick(values) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_keeps_its_corners_only() {
        let times: Vec<f64> = (0..1000).map(|i| i as f64 * 0.01).collect();
        let step: Vec<f64> = times.iter().map(|t| if *t < 5.0 { 1.0 } else { 10.0 }).collect();
        let Signal::Points { times, values } = driver(&times, &step) else { panic!() };
        assert_eq!(values, [1.0, 1.0, 10.0, 10.0]);
        assert_eq!(times.len(), 4);
    }
}
