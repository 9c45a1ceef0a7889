//! Records: measurements, and what of the model they are compared with.
mod checks;
mod own;
mod rows;

use crate::predict::driver::driver;
pub use own::Own;
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
const COLUMNS: [(&str, &str); 13] = [
    ("time", "s"),
    ("load_displacement", "m"),
    ("load_velocity", "m/s"),
    ("shear_stress", "Pa"),
    ("normal_stress", "Pa"),
    ("weights", "1"),
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
    /// Factor of the residual of each row, where these differ.
    pub weights: Option<Vec<f64>>,
    /// When its rows were measured, where `x` is no time.
    pub clock: Clock,
    /// Unknowns of its own.
    pub own: Vec<Own>,
    /// Velocity of the driver, where the record has it.
    pub drive: Option<Signal>,
    /// Displacement of a record over time that has both: the program must follow it.
    pub moved: Option<Vec<f64>>,
    /// Rows of the file and rows in a block, where they were averaged.
    pub averaged: Option<(usize, usize)>,
    /// What was taken for granted when it was read.
    pub notes: Vec<String>,
}

/// When the rows of a record were measured.
#[derive(Clone, Debug, PartialEq)]
pub enum Clock {
    /// `x` says it, or there is no time.
    Rows,
    /// At these times, s.
    Times(Vec<f64>),
    /// When the driver of the scenario has come as far as `x`.
    Driver,
}

/// Columns that may stand beside any other.
const ALWAYS: [&str; 2] = ["sigma", "weights"];

/// What may stand beside the measured quantity, and what can be measured: the usual one first.
fn holds(kind: usize) -> (&'static [&'static str], &'static [&'static str]) {
    match of(kind) {
        Of::Motion if KINDS[kind] == "free-decay" => (
            &["time", "load_displacement", "load_velocity", "normal_stress"],
            &["displacement", "velocity", "force", "friction", "shear_stress"],
        ),
        Of::Motion => (
            &["time", "load_displacement", "load_velocity", "normal_stress"],
            &["friction", "force", "displacement", "velocity", "shear_stress"],
        ),
        Of::Path => (&["displacement", "time", "normal_stress"], &["force", "friction", "shear_stress"]),
        Of::SteadyCurve => (&["velocity", "normal_stress"], &["friction", "force", "shear_stress"]),
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
            let Some(known) = beside.iter().chain(measured).chain(&ALWAYS).find(|n| **n == name) else {
                let text = format!("`{name}` is nothing that a {} record holds", KINDS[kind]);
                let names = [beside, measured, &ALWAYS].concat().join(", ");
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
        let in_time = has("time") || (has("load_displacement") && of(kind) == Of::Motion);
        let along = match beside[0] {
            _ if has("time") => "time",
            "time" if has("load_displacement") => "load_displacement",
            usual => usual,
        };
        if has("time") && has("load_displacement") {
            let e = keys.refuse("columns", "fit::column", "`load_displacement` beside `time`".into());
            return Err(e.expected("one of the two").hint("leave out `load_displacement`: the time is enough"));
        }
        // Under given forces the displacement is what is measured.
        let observes_motion =
            of(kind) == Of::Path && has("time") && has("displacement") && !measured.iter().any(|n| has(n));
        let observed = match observes_motion {
            true => "displacement",
            false => given.iter().map(|(n, _)| *n).find(|n| measured.contains(n)).unwrap_or(measured[0]),
        };
        if (observed == "shear_stress") != has("normal_stress") {
            let lacking = if has("normal_stress") { "shear_stress" } else { "normal_stress" };
            let e = keys.refuse("columns", "fit::column", format!("`columns` has no `{lacking}`"));
            let e = e.expected("`shear_stress` with `normal_stress`: friction is the one over the other");
            return Err(e.hint("columns = { shear_stress = \"tau [MPa]\", normal_stress = \"sigma_n [MPa]\" }"));
        }
        for name in [along, observed] {
            if !given.iter().any(|(n, _)| *n == name) {
                given.push((name, name.into()));
            }
        }
        let listed = rows::weights(keys, &mut given)?;
        // What is compared with the model: of stresses their ratio.
        let compared = if observed == "shear_stress" { "friction" } else { observed };
        let unit = |name: &str| COLUMNS.iter().find(|c| c.0 == name).map_or("1", |c| c.1);
        let unit = |name: &str| if name == "sigma" { unit(compared) } else { unit(name) };
        let one = |(name, heading): &(&'static str, String)| Column {
            role: name,
            heading: heading.clone(),
            unit: unit(name),
        };
        let wanted: Vec<Column> = given.iter().map(one).collect();
        let mut columns = keys.columns("file", "File of the measurements, units in its header", &wanted)?;
        let mut column =
            |name: &str| given.iter().position(|(n, _)| *n == name).map(|i| std::mem::take(&mut columns.values[i]));
        let (x, mut values) = (column(along).unwrap_or_default(), column(observed).unwrap_or_default());
        let name = keys.text("file", "File of the measurements, units in its header")?.unwrap_or_default();
        if let Some(normal) = column("normal_stress") {
            rows::ratio(keys, &name, &mut values, &normal)?;
        }
        let sigma = match keys.has("sigma") {
            true => {
                let one =
                    keys.number(Ask::new("sigma", unit(compared), "Standard deviation of the noise").above(0.0))?;
                Some(vec![one; values.len()])
            }
            false => column("sigma"),
        };
        let weight = keys.number(Ask::new("weight", "1", "Factor of its residuals").or(1.0).above(0.0))?;
        let driver_at = column("load_velocity");
        let moved = column("displacement").filter(|_| of(kind) == Of::Path && along == "time" && !observes_motion);
        let weights = column("weights").or(listed);
        let mut record = Record {
            kind,
            name,
            x,
            values,
            observed: (compared, unit(compared)),
            along: (along, unit(along)),
            sigma,
            weight,
            weights,
            clock: Clock::Rows,
            own: own::read(keys, kind, in_time, moved.is_some())?,
            drive: None,
            moved,
            averaged: None,
            notes: columns.notes,
        };
        record.check_rows(keys)?;
        if along == "load_displacement" {
            record.clock = rows::clock(keys, &record, driver_at.as_deref())?;
        }
        if let Some(v) = driver_at {
            let (drive, note) = driver(record.times().unwrap_or(&record.x), &v);
            record.notes.push(format!("`{}`: {note}", record.name));
            record.drive = Some(drive);
        }
        record.choose_rows(keys)?;
        record.check_values(keys)?;
        record.average(MOST_USED);
        Ok(record)
    }

    /// Times of its rows, where they do not depend on the model.
    pub fn times(&self) -> Option<&[f64]> {
        match &self.clock {
            Clock::Times(times) => Some(times),
            Clock::Rows if self.along.0 == "time" => Some(&self.x),
            _ => None,
        }
    }

    /// Factor of the residual of a row.
    pub fn factor(&self, row: usize) -> f64 {
        self.weight * self.weights.as_ref().map_or(1.0, |w| w[row])
    }

    /// Mean square of these factors.
    pub fn mean_factor(&self) -> f64 {
        let rows = self.values.len();
        (0..rows).map(|i| self.factor(i).powi(2)).sum::<f64>() / rows as f64
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
            for list in [Some(&mut self.x), Some(&mut self.values), self.sigma.as_mut(), self.weights.as_mut()]
                .into_iter()
                .flatten()
            {
                *list = order.iter().map(|i| list[*i]).collect();
            }
        }
        let block = rows.div_ceil(most);
        let means = |list: &[f64]| list.chunks(block).map(|b| b.iter().sum::<f64>() / b.len() as f64).collect();
        self.x = means(&self.x);
        self.values = means(&self.values);
        self.moved = self.moved.as_deref().map(means);
        self.weights = self.weights.as_deref().map(means);
        if let Clock::Times(times) = &mut self.clock {
            *times = means(times);
        }
        let of_mean = |b: &[f64]| b.iter().map(|s| s * s).sum::<f64>().sqrt() / b.len() as f64;
        self.sigma = self.sigma.as_deref().map(|s| s.chunks(block).map(of_mean).collect());
        self.averaged = Some((rows, block));
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
            weights: None,
            clock: Clock::Rows,
            own: vec![],
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
