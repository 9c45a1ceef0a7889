//! What a program gives: values of the loop, states at the ends of slides, probes, the path itself.
use super::loop_log::Record;
use super::loops::Units;
use stickslip_data::{Outcome, Status, Table, Value};
use stickslip_model::{Over, Probe};

impl Record {
    /// All results.
    pub fn report(&self, probes: &[Probe], traction: bool, out: &mut Outcome) {
        if self.rows.is_empty() {
            return;
        }
        if let Some((column, t)) = self.no_number() {
            out.worsen(Status::Failed, format!("at t = {t:.9e} s `{}` is not a number", self.names[column].0));
        }
        self.report_loop(&Units::of(traction), out);
        self.report_ends(out);
        self.report_probes(probes, out);
        out.tables.insert(0, self.table());
    }

    /// The friction coefficient at the end of each slide, and the states at its beginning and end.
    fn report_ends(&self, out: &mut Outcome) {
        for (column, (name, unit)) in self.names.iter().enumerate() {
            if name == "slip_2" && self.columns.across.is_none() {
                continue;
            }
            let at = |rows: &mut dyn Iterator<Item = usize>| {
                Value::List(rows.map(|i| self.rows[i.min(self.rows.len() - 1)][column]).collect())
            };
            let state = name.starts_with("state.");
            if state {
                let mut starts = self.slides.iter().map(|s| s.first.saturating_sub(1));
                out.set(format!("slide_start.{name}"), at(&mut starts), unit.clone());
            }
            if state || ["friction", "friction_2", "slip", "slip_2"].contains(&name.as_str()) {
                let ends = at(&mut self.slides.iter().map(|s| s.last));
                self.set_column(column, format!("slide_end.{name}"), ends, out);
            }
        }
    }

    fn report_probes(&self, probes: &[Probe], out: &mut Outcome) {
        for probe in probes {
            let name = format!("probe.{}", probe.quantity);
            let Some(column) = self.names.iter().position(|(n, _)| *n == probe.quantity) else {
                let known: Vec<&str> = self.names.iter().map(|(n, _)| n.as_str()).collect();
                out.worsen(
                    Status::Failed,
                    format!("there is no `{}` to probe; there are {}", probe.quantity, known.join(", ")),
                );
                continue;
            };
            let unit = &self.names[column].1;
            if let Over::Times(times) = &probe.over {
                let at = |t: &f64| self.rows.iter().rev().find(|r| r[0] == *t).map(|r| r[column]);
                match times.iter().map(at).collect::<Option<Vec<f64>>>() {
                    Some(list) => self.set_column(column, name, Value::List(list), out),
                    None => {
                        let text = format!("`{name}` asks for a time outside of the program, or in a cycle not kept");
                        out.worsen(Status::Untrusted, text);
                    }
                }
                continue;
            }
            let settled = matches!(probe.over, Over::Settled);
            let range = if settled { self.settled() } else { 0..self.rows.len() };
            let rows = &self.rows[range.clone()];
            // Rows that were not kept lie before the last cycle.
            let gone = if settled { None } else { Some([self.gone[column].0, self.gone[column].1]) };
            let gone = gone.filter(|[least, most]| least <= most);
            let turns: Vec<f64> = self.turns_in(column, range.start + 1..range.end.max(range.start + 1)).collect();
            let all = rows.iter().map(|r| r[column]).chain(turns).chain(gone.into_iter().flatten());
            // A coefficient has its extremes where there is a load; what else is no number is a fault.
            let all = all.filter(|x| !self.is_coefficient(column) || !x.is_nan());
            let extreme = |of: fn(f64, f64) -> f64| all.clone().reduce(of);
            for (what, of) in [("max", most as fn(f64, f64) -> f64), ("min", least)] {
                let value = Value::Number(extreme(of).unwrap_or(f64::NAN));
                self.set_column(column, format!("{name}.{what}"), value, out);
            }
            let kept = settled || self.gone[0].0 > self.gone[0].1;
            match if kept { mean(rows, column) } else { Err("rows of cycles between the first and last were not kept") }
            {
                Ok(mean) => out.set(format!("{name}.mean"), Value::Number(mean), unit),
                Err(why) => out.health.notes.push(format!("`{name}.mean` is left out: {why}")),
            }
        }
    }

    /// Sets a value of a column. Without a load there is no coefficient: left out if there is none at all.
    pub fn set_column(&self, column: usize, name: String, value: Value, out: &mut Outcome) {
        let unit = &self.names[column].1;
        let nowhere = match &value {
            Value::Number(x) => x.is_nan(),
            Value::List(list) => !list.is_empty() && list.iter().all(|x| x.is_nan()),
            _ => false,
        };
        match self.is_coefficient(column) {
            true if nowhere => out.health.notes.push(format!("`{name}` is left out: there is no normal force")),
            true => out.set_sparse(name, value, unit),
            false => out.set(name, value, unit),
        }
    }

    /// The rows of the last cycle, else of the last slide.
    fn settled(&self) -> std::ops::Range<usize> {
        let Some(slide) = self.slides.last() else { return 0..self.rows.len() };
        let end = (slide.last + 1).min(self.rows.len());
        let first = slide.first.saturating_sub(1).min(end);
        // A cycle begins at a row that is kept; one of an earlier slide is over.
        let begun = self.cycles.last().map_or(f64::NEG_INFINITY, |c| c.start);
        first + self.rows[first..end].iter().rposition(|r| r[0] <= begun).unwrap_or(0)..end
    }

    fn table(&self) -> Table {
        let mut table = Table::new("path");
        for (k, (name, unit)) in self.names.iter().enumerate() {
            table.push(name.clone(), unit, self.rows.iter().map(|r| r[k]).collect::<Vec<f64>>());
        }
        table
    }
}

fn most(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

fn least(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.min(b) }
}

/// All times at which something is asked, after `t`.
pub fn asked(probes: &[Probe], t: f64) -> f64 {
    let times = probes.iter().filter_map(|p| if let Over::Times(list) = &p.over { Some(list) } else { None });
    times.flatten().copied().filter(|x| *x > t).fold(f64::INFINITY, f64::min)
}

/// The mean over time of a column, by trapezia; else why there is none.
fn mean(rows: &[Vec<f64>], column: usize) -> Result<f64, &'static str> {
    let span = rows.last().map_or(0.0, |r| r[0]) - rows.first().map_or(0.0, |r| r[0]);
    let area: f64 = rows.windows(2).map(|w| 0.5 * (w[1][0] - w[0][0]) * (w[0][column] + w[1][column])).sum();
    match (span > 0.0, area.is_finite()) {
        (true, true) => Ok(area / span),
        (false, _) => Err("its rows span no time"),
        (_, false) => Err("it is not a number all the time"),
    }
}
