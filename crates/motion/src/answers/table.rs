//! The time series of a motion.
use crate::observers::trace::{HEAD, LINE, Trace};
use stickslip_data::{Column, Table, Values};
use stickslip_dynamics::Dynamics;
use stickslip_laws::Mode;

/// Rows that are turned into columns at a time.
const ROWS_AT_ONCE: usize = 64;

impl Trace {
    /// The time series as a table of so many rows at most: the first and the last ones.
    pub fn table(&self, dynamics: &Dynamics, most: usize) -> Table {
        let model = dynamics.model;
        let (count, gap) = (self.len().min(most), self.len() - self.len().min(most));
        let row_of = |i: usize| if i < count / 2 { i } else { i + gap };
        let rows = || (0..count).map(row_of);
        let (n, first_state) = (self.n, HEAD + 4 * self.n);
        let mut columns = vec![];
        // Columns of numbers, and where each stands in a row.
        let mut places = vec![];
        let mut column = |columns: &mut Vec<Column>, name: String, unit: &str, place: usize| {
            places.push((columns.len(), place));
            columns.push(Column { name, unit: unit.into(), values: Values::Float(Vec::with_capacity(count)) });
        };
        column(&mut columns, "t".into(), "s", 0);
        column(&mut columns, "since_event".into(), "s", 1);
        for (j, name) in model.structure.listed().iter().enumerate() {
            column(&mut columns, name.clone(), model.structure.unit(j), HEAD + j);
        }
        for (j, name) in model.structure.listed_rates().iter().enumerate() {
            column(&mut columns, format!("rate.{name}"), model.structure.rate_unit(j), HEAD + n + j);
        }
        for (p, site) in dynamics.sites.iter().enumerate() {
            let contact = &model.contacts[site.contact];
            let prefix = contact.prefix(site.point);
            for (z, state) in site.states_of(contact) {
                column(&mut columns, format!("{prefix}state.{}", state.name), &state.unit, first_state + z);
            }
            let place = first_state + self.nz + self.each * p;
            column(&mut columns, format!("{prefix}slip_velocity"), "m/s", place);
            column(&mut columns, format!("{prefix}normal_force"), "N", place + 1);
            column(&mut columns, format!("{prefix}friction_force"), "N", place + 2);
            if self.plane[p] {
                column(&mut columns, format!("{prefix}slip_velocity_2"), "m/s", place + LINE);
                column(&mut columns, format!("{prefix}friction_force_2"), "N", place + LINE + 1);
            }
            columns.push(Column {
                name: format!("{prefix}mode"),
                unit: "".into(),
                values: Values::Coded {
                    codes: rows().map(|i| self.mode(i, p) as u8).collect(),
                    words: Mode::NAMES.iter().map(|w| (*w).into()).collect(),
                },
            });
            // The mode says whether a set-valued law sticks; of others only some have an inner element that does.
            let inner = !site.cone && rows().any(|i| self.sticks(i, p));
            if inner {
                columns.push(Column {
                    name: format!("{prefix}stick"),
                    unit: "1".into(),
                    values: Values::Int(rows().map(|i| i64::from(self.sticks(i, p))).collect()),
                });
            }
        }
        let first = dynamics.controls.unknowns().start - 2 * n;
        for (k, (name, unit)) in dynamics.controls.names().into_iter().enumerate() {
            column(&mut columns, name, &unit, first_state + first + k);
        }
        for (output, (l, k, _)) in dynamics.controls.outputs().enumerate() {
            let several = dynamics.controls.outputs().filter(|(of, ..)| *of == l).count() > 1;
            let number = if several { format!("_{}", k + 1) } else { String::new() };
            let (name, unit) = (format!("control.{}.force{number}", l + 1), dynamics.controls.unit(l));
            column(&mut columns, name, unit, self.output_column(output));
        }
        // Some rows after the others, so that each is fetched from memory once.
        for start in (0..count).step_by(ROWS_AT_ONCE) {
            let block = start..(start + ROWS_AT_ONCE).min(count);
            for (column, place) in &places {
                if let Values::Float(values) = &mut columns[*column].values {
                    values.extend(block.clone().map(|i| self.cell(row_of(i), *place)));
                }
            }
        }
        Table { name: "series".into(), columns }
    }
}
