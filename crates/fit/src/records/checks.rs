//! Records that can't be fitted: refused with their place.
use crate::records::{Of, Record};
use stickslip_structures::{Keys, Refused};

impl Record {
    fn refused(&self, keys: &dyn Keys, message: &str) -> Refused {
        keys.refuse("file", "fit::record", format!("`{}`: {message}", self.name))
    }

    /// Refuses rows that are no series.
    pub(super) fn check_rows(&self, keys: &dyn Keys) -> Result<(), Refused> {
        let (along, unit) = self.along;
        if self.values.len() < 2 {
            let e = self.refused(keys, &format!("{} row: nothing can be determined from it", self.values.len()));
            return Err(e.expected("more rows than parameters"));
        }
        if along == "time" || along == "load_displacement" {
            let (name, what) = if along == "time" { ("time", "times") } else { ("load displacement", "displacements") };
            if let Some(i) = (1..self.x.len()).find(|i| self.x[*i] <= self.x[i - 1]) {
                let (last, now) = (self.x[i - 1], self.x[i]);
                let e = self.refused(
                    keys,
                    &match now == last {
                        true => format!("rows {i} and {}: {name} {now} {unit} stands twice", i + 1),
                        false => format!("row {}: {name} goes back from {last} {unit} to {now} {unit}", i + 1),
                    },
                );
                let e = e.expected(format!("{what} that rise from row to row"));
                return Err(match along {
                    "time" => e.hint("sort the rows, keep one of each time"),
                    _ => e.hint("of a driver that stands or goes back give the `time`"),
                });
            }
            if self.x[0] < 0.0 {
                let e = self.refused(keys, &format!("the first {name} is {} {unit}", self.x[0]));
                return Err(e.expected(format!("{what} from 0 on, the start of the scenario")));
            }
        }
        Ok(())
    }

    /// Refuses values from which nothing can be learnt.
    pub(super) fn check_values(&self, keys: &dyn Keys) -> Result<(), Refused> {
        if self.values.iter().all(|x| *x == self.values[0]) {
            let text = format!("`{}` is {} in every row: a constant signal", self.observed.0, self.values[0]);
            let e = self.refused(keys, &text);
            return Err(e.expected("a signal that changes").hint("look at the column, or leave this record out"));
        }
        if self.sigma.iter().flatten().any(|s| *s <= 0.0) {
            return Err(self.refused(keys, "a standard deviation is not above 0"));
        }
        if self.of() == Of::SteadyCurve && self.x.contains(&0.0) {
            let e = self.refused(keys, "a velocity is 0: a steady curve has no value there");
            return Err(e.expected("velocities other than 0"));
        }
        Ok(())
    }
}
