//! Records: measurements, and what of the model they are compared with.
use crate::predict::driver::driver;
use stickslip_structures::{ANY_UNIT, Ask, Column, Keys, Refused, Signal};

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
    ("sigma", ANY_UNIT),
];

/// Longer records are averaged in blocks.
const MOST_USED: usize = 200_000;

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
    /// Displacement of a record over time that has both: the program must follow it.
    pub moved: Option<Vec<f64>>,
    /// Rows of the file and rows in a block, where they were averaged.
    pub averaged: Option<(usize, usize)>,
    /// What was taken for granted when it was read.
    pub notes: Vec<String>,
}

/// What may stand beside the measured quantity, and what can be measured: the usual one first.
fn holds(kind: usize) -> (&'static [&'static str], &'static [&'static str]) {
    match of(kind) {
        Of::Motion if KINDS[kind] == "free-decay" => {
            (&["time", "load_velocity"], &["displacement", "velocity", "force", "friction"])
        }
        Of::Motion => (&["time", "load_velocity"], &["friction", "force", "displacement", "velocity"]),
        Of::Path => (&["displacement", "time"], &["force", "friction"]),
        Of::SteadyCurve => (&["velocity"], &["friction", "force"]),
        Of::Approach => (&["approach"], &["pressure", "force"]),
    }
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
        let (beside, measured) = holds(kind);
        let mut given: Vec<(&'static str, String)> = vec![];
        keys.named("columns", "Columns of the file by what they hold: time, friction, force, ...", &mut |name, k| {
            let Some(known) = beside.iter().chain(measured).chain(&["sigma"]).find(|n| **n == name) else {
                let text = format!("`{name}` is nothing that a {} record holds", KINDS[kind]);
                let names = [beside, measured, &["sigma"]].concat().join(", ");
                return Err(k.refuse(name, "fit::column", text).expected(format!("one of {names}")));
            };
            if let Some((other, _)) = given.iter().find(|(n, _)| measured.contains(n) && measured.contains(known)) {
                let text = format!("`{name}` beside `{other}`: a record has one measured quantity");
                let hint = "give the file twice, as two records with a measured column each";
                return Err(k.refuse(name, "fit::column", text).expected("one measured column").hint(hint));
            }
            given.push((known, k.text(name, "Name of the column, its unit in brackets")?.unwrap_or_default()));
            Ok(())
        })?;
        let has = |name: &str| given.iter().any(|(n, _)| *n == name);
        let along = if has("time") { "time" } else { beside[0] };
        // Under given forces the displacement is what is measured.
        let observes_motion =
            of(kind) == Of::Path && has("time") && has("displacement") && !measured.iter().any(|n| has(n));
        let observed = match observes_motion {
            true => "displacement",
            false => given.iter().map(|(n, _)| *n).find(|n| measured.contains(n)).unwrap_or(measured[0]),
        };
        for name in [along, observed] {
            if !given.iter().any(|(n, _)| *n == name) {
                given.push((name, name.into()));
            }
        }
        let unit = |name: &str| COLUMNS.iter().find(|c| c.0 == name).map_or("1", |c| c.1);
        let unit = |name: &str| if name == "sigma" { unit(observed) } else { unit(name) };
        let one = |(name, heading): &(&'static str, String)| Column {
            role: name,
            heading: heading.clone(),
            unit: unit(name),
        };
        let wanted: Vec<Column> = given.iter().map(one).collect();
        let mut columns = keys.columns("file", "File of the measurements, units in its header", &wanted)?;
        let mut column =
            |name: &str| given.iter().position(|(n, _)| *n == name).map(|i| std::mem::take(&mut columns.values[i]));
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
        let driver_at = column("load_velocity");
        let moved = column("displacement").filter(|_| of(kind) == Of::Path && along == "time" && !observes_motion);
        let mut record = Record {
            kind,
            name,
            x,
            values,
            observed: (observed, unit(observed)),
            along: (along, unit(along)),
            sigma,
            weight,
            drive: None,
            moved,
            averaged: None,
            notes: columns.notes,
        };
        record.check(keys)?;
        if let Some(v) = driver_at {
            let (drive, note) = driver(&record.x, &v);
            record.notes.push(format!("`{}`: {note}", record.name));
            record.drive = Some(drive);
        }
        record.average(MOST_USED);
        Ok(record)
    }

    /// Averages neighbouring rows in blocks until there are no more than `most`. Steady curves and approaches, whose rows
    /// may stand in any order, are sorted first.
    fn average(&mut self, most: usize) {
        let rows = self.x.len();
        if rows <= most {
            return;
        }
        if matches!(self.of(), Of::SteadyCurve | Of::Approach) {
            let mut order: Vec<usize> = (0..rows).collect();
            order.sort_by(|a, b| self.x[*a].total_cmp(&self.x[*b]));
            for list in [Some(&mut self.x), Some(&mut self.values), self.sigma.as_mut()].into_iter().flatten() {
                *list = order.iter().map(|i| list[*i]).collect();
            }
        }
        let block = rows.div_ceil(most);
        let means = |list: &[f64]| list.chunks(block).map(|b| b.iter().sum::<f64>() / b.len() as f64).collect();
        self.x = means(&self.x);
        self.values = means(&self.values);
        self.moved = self.moved.as_deref().map(means);
        let of_mean = |b: &[f64]| b.iter().map(|s| s * s).sum::<f64>().sqrt() / b.len() as f64;
        self.sigma = self.sigma.as_deref().map(|s| s.chunks(block).map(of_mean).collect());
        self.averaged = Some((rows, block));
    }

    fn check(&self, keys: &dyn Keys) -> Result<(), Refused> {
        let refuse = |message: String| keys.refuse("file", "fit::record", format!("`{}`: {message}", self.name));
        let (along, _) = self.along;
        if self.values.len() < 2 {
            let e = refuse(format!("{} row: nothing can be determined from it", self.values.len()));
            return Err(e.expected("more rows than parameters"));
        }
        if along == "time" {
            if let Some(i) = (1..self.x.len()).find(|i| self.x[*i] <= self.x[i - 1]) {
                let (last, now) = (self.x[i - 1], self.x[i]);
                let e = match now == last {
                    true => refuse(format!("rows {i} and {}: time {now} s stands twice", i + 1)),
                    false => refuse(format!("row {}: time goes back from {last} s to {now} s", i + 1)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_records_are_averaged_in_blocks() {
        let mut record = Record {
            kind: 0,
            name: "many".into(),
            x: (0..10).map(f64::from).collect(),
            values: (0..10).map(|i| f64::from(i * i)).collect(),
            observed: ("friction", "1"),
            along: ("time", "s"),
            sigma: Some(vec![2.0; 10]),
            weight: 1.0,
            drive: None,
            moved: None,
            averaged: None,
            notes: vec![],
        };
        record.average(3);
        assert_eq!(record.x, [1.5, 5.5, 8.5]);
        assert_eq!(record.values, [3.5, 31.5, 72.5]);
        assert_eq!(record.sigma.unwrap(), [1.0, 1.0, 2f64.sqrt()]);
        assert_eq!(record.averaged, Some((10, 4)));
    }
}
