//! Which rows of a file a record holds, what each counts, and when it was measured.
use crate::predict::driver::is_command;
use crate::records::{Clock, Record};
use stickslip_structures::{Ask, Keys, Refused};

/// Weights of the rows: a column, or a list of numbers.
pub fn weights(keys: &mut dyn Keys, given: &mut Vec<(&'static str, String)>) -> Result<Option<Vec<f64>>, Refused> {
    let about = "Factor of the residual of each row: the name of a column, or a list of numbers";
    if !keys.has("weights") {
        return Ok(None);
    }
    if let Ok(Some(heading)) = keys.text("weights", about) {
        given.retain(|(name, _)| *name != "weights");
        given.push(("weights", heading));
        return Ok(None);
    }
    keys.list(Ask::new("weights", "1", about).min(0.0)).map(Some)
}

/// Friction from shear stress and normal stress, row by row.
pub fn ratio(keys: &dyn Keys, name: &str, values: &mut [f64], normal: &[f64]) -> Result<(), Refused> {
    if let Some(row) = normal.iter().position(|n| *n <= 0.0) {
        let text = format!("`{name}`: row {}: the normal stress is {} Pa", row + 1, normal[row]);
        let e = keys.refuse("file", "fit::record", text).expected("normal stresses above 0, pressure counted positive");
        return Err(e.hint("where tension is positive in the file, change its sign; leave rows without a load out"));
    }
    values.iter_mut().zip(normal).for_each(|(shear, normal)| *shear /= normal);
    Ok(())
}

/// When the driver passes the displacements of a record: from its velocity, where the record has it.
pub fn clock(keys: &dyn Keys, record: &Record, velocity: Option<&[f64]>) -> Result<Clock, Refused> {
    let Some(v) = velocity else { return Ok(Clock::Driver) };
    if let Some(row) = v.iter().position(|v| *v <= 0.0) {
        let text = format!("`{}`: row {}: `load_velocity` is {} m/s", record.name, row + 1, v[row]);
        let e = keys.refuse("file", "fit::record", text).expected("velocities above 0");
        return Err(e.hint("where the driver stands, its displacement is no clock: give the `time`"));
    }
    // A command holds from its row on; a measured velocity goes in straight lines.
    let command = is_command(v);
    let mut t = record.x[0] / v[0];
    let mut times = vec![t];
    for i in 1..v.len() {
        let mean = if command { v[i - 1] } else { 0.5 * (v[i - 1] + v[i]) };
        t += (record.x[i] - record.x[i - 1]) / mean;
        times.push(t);
    }
    Ok(Clock::Times(times))
}

impl Record {
    /// Keeps the rows inside `window`, without those whose weight is 0.
    pub(super) fn choose_rows(&mut self, keys: &mut dyn Keys) -> Result<(), Refused> {
        let (along, unit) = self.along;
        let mut windows = vec![];
        let about = "Rows that are fitted: from where to where, along its time or displacement; several pairs in a row";
        let mut ends = vec![];
        keys.table("window", about, &mut |k| {
            ends.push(k.number(Ask::new("from", unit, "First row that is fitted").or(f64::MIN))?);
            ends.push(k.number(Ask::new("to", unit, "Last row that is fitted").or(f64::MAX))?);
            Ok(())
        })?;
        if ends.is_empty() && keys.has("window") {
            ends = keys.list(Ask::new("window", unit, about))?;
        }
        if !ends.is_empty() {
            if ends.len() % 2 == 1 || ends.chunks_exact(2).any(|w| w[0] >= w[1]) {
                let e = keys.refuse("window", "fit::window", format!("`window` = {ends:?} is no pair of ends"));
                return Err(e.expected(format!("[from, to] in {unit}, the first below the second")));
            }
            windows = ends.chunks_exact(2).map(|w| [w[0], w[1]]).collect();
        }
        let rows = self.values.len();
        if let Some(list) = &self.weights {
            if list.len() != rows {
                let text = format!("{} weights for {rows} rows of `{}`", list.len(), self.name);
                return Err(keys.refuse("weights", "fit::weights", text).expected("a weight for each row"));
            }
            if let Some(row) = list.iter().position(|w| *w < 0.0) {
                let text = format!("`{}`: row {}: the weight is {}", self.name, row + 1, list[row]);
                return Err(keys.refuse("weights", "fit::weights", text).expected("weights of at least 0"));
            }
        }
        let inside = |i: &usize| windows.is_empty() || windows.iter().any(|w| (w[0]..=w[1]).contains(&self.x[*i]));
        let counts = |i: &usize| self.weights.as_ref().is_none_or(|w| w[*i] > 0.0);
        let kept: Vec<usize> = (0..rows).filter(inside).filter(counts).collect();
        if kept.len() == rows {
            return Ok(());
        }
        if kept.len() < 2 {
            let key = if windows.is_empty() { "weights" } else { "window" };
            let text = format!("`{}`: {} of {rows} rows are left", self.name, kept.len());
            let e = keys.refuse(key, "fit::window", text);
            return Err(e.expected(format!("rows between {along} {} and {} {unit}", self.x[0], self.x[rows - 1])));
        }
        let pick = |list: &mut Vec<f64>| *list = kept.iter().map(|i| list[*i]).collect();
        let times = if let Clock::Times(times) = &mut self.clock { Some(times) } else { None };
        let lists = [Some(&mut self.x), Some(&mut self.values), self.sigma.as_mut(), self.weights.as_mut()];
        lists.into_iter().chain([self.moved.as_mut(), times]).flatten().for_each(pick);
        self.notes.push(format!("`{}`: {} of {rows} rows are fitted", self.name, kept.len()));
        Ok(())
    }
}
