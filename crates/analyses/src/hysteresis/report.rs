//! What a path gives: peaks, break-away, loop area, probes, the path itself.
use super::path::Path;
use crate::analysis::Over;
use std::ops::Range;
use stickslip_data::{Outcome, Status, Table, Value};
use stickslip_laws::{Mode, Slide};

/// Columns of the friction coefficient and of the friction force, and of their slopes.
const COEFFICIENT: (usize, usize) = (3, 0);
const FORCE: (usize, usize) = (4, 1);
/// First column of the states.
const STATES: usize = 9;
/// Halvings at which the top of a cubic is known to rounding.
const HALVINGS: usize = 60;

impl Path<'_> {
    /// All results of the path.
    pub fn outcome(self, broken: Option<String>) -> Outcome {
        let mut out = Outcome { health: self.health.clone(), ..Outcome::default() };
        if let Some(adaptive) = &self.adaptive {
            let work = adaptive.work();
            out.health.rejected = work.rejected;
            out.health.newton_iterations = work.iterations;
            out.health.newton_failures = work.failures;
            out.health.jacobians = work.jacobians;
        }
        if let Some(reason) = broken {
            out.worsen(Status::Failed, reason);
        }
        let slides: Vec<Range<usize>> = (0..self.slides.len())
            .map(|k| self.slides[k]..self.slides.get(k + 1).copied().unwrap_or(self.rows.len()))
            .collect();
        let traction = self.dynamics.sites[0].traction_area.is_some();
        let unit = if traction { "Pa" } else { "N" };
        out.set("force_max", Value::Number(self.largest(FORCE, 0..self.rows.len())), unit);
        if let Some(first) = slides.first() {
            out.set("breakaway", Value::Number(self.breakaway(first.clone())), unit);
        }
        let peaks: Vec<f64> = slides.iter().map(|rows| self.largest(COEFFICIENT, rows.clone())).collect();
        out.set("peaks", Value::List(peaks), "1");
        self.report_ends(&mut out);
        if let Some(area) = self.loop_area {
            out.set("loop_area", Value::Number(area), if traction { "J/m^2" } else { "J" });
        }
        self.report_probes(&mut out);
        out.tables.push(self.table());
        out
    }

    /// The friction coefficient at the end of each slide, and the states at its beginning and end.
    fn report_ends(&self, out: &mut Outcome) {
        let starts: Vec<usize> = self.slides.iter().map(|first| first - 1).collect();
        for (column, (name, unit)) in self.names().into_iter().enumerate() {
            let at = |rows: &[usize]| Value::List(rows.iter().map(|&i| self.rows[i][column]).collect());
            let state = name.starts_with("state.");
            if state {
                out.set(format!("slide_start.{name}"), at(&starts), unit);
            }
            if state || column == COEFFICIENT.0 || name == "slip" {
                out.set(format!("slide_end.{name}"), at(&self.ends), unit);
            }
        }
        self.report_observed(out);
    }

    /// What the law says of itself at the end of each slide.
    fn report_observed(&self, out: &mut Outcome) {
        let area = self.dynamics.sites[0].traction_area.unwrap_or(1.0);
        let friction = &self.dynamics.model.contacts[0].friction;
        let observe = |&i: &usize| {
            let row = &self.rows[i];
            let slide = Slide::new([row[2], row[7]], row[5] / area).with_mode(Mode::slipping(row[2]));
            friction.observe(0, &slide, &row[STATES..])
        };
        let ends: Vec<_> = self.ends.iter().map(observe).collect();
        for (k, (name, unit, _)) in ends.first().into_iter().flatten().enumerate() {
            let list = ends.iter().map(|end| end.get(k).map_or(f64::NAN, |(_, _, x)| *x)).collect();
            out.set(format!("slide_end.{name}"), Value::List(list), *unit);
        }
    }

    fn report_probes(&self, out: &mut Outcome) {
        let names = self.names();
        for probe in self.probes {
            let name = format!("probe.{}", probe.quantity);
            let Some(column) = names.iter().position(|(n, _)| *n == probe.quantity) else {
                let known: Vec<&str> = names.iter().map(|(n, _)| n.as_str()).collect();
                out.worsen(
                    Status::Failed,
                    format!("there is no `{}` to probe; there are {}", probe.quantity, known.join(", ")),
                );
                continue;
            };
            let unit = names[column].1;
            if let Over::Times(times) = &probe.over {
                let at = |t: &f64| self.rows.iter().rev().find(|r| r[0] == *t).map(|r| r[column]);
                match times.iter().map(at).collect::<Option<Vec<f64>>>() {
                    Some(list) => out.set(&name, Value::List(list), unit),
                    None => out.worsen(Status::Untrusted, format!("`{name}` asks for a time outside of the program")),
                }
                continue;
            }
            let all = self.rows.iter().map(|r| r[column]);
            out.set(format!("{name}.max"), Value::Number(all.clone().fold(f64::NEG_INFINITY, f64::max)), unit);
            out.set(format!("{name}.min"), Value::Number(all.fold(f64::INFINITY, f64::min)), unit);
        }
    }

    fn names(&self) -> Vec<(String, &str)> {
        let traction = self.dynamics.sites[0].traction_area.is_some();
        let force = if traction { "Pa" } else { "N" };
        let mut names = vec![
            ("t".to_string(), "s"),
            ("slip".into(), "m"),
            ("slip_velocity".into(), "m/s"),
            ("friction".into(), "1"),
            ("friction_force".into(), force),
            ("normal_force".into(), force),
            ("slip_2".into(), "m"),
            ("slip_velocity_2".into(), "m/s"),
            ("friction_force_2".into(), force),
        ];
        let states = self.dynamics.model.contacts[0].friction.states();
        names.extend(states.iter().map(|s| (format!("state.{}", s.name), s.unit.as_ref())));
        names
    }

    fn table(&self) -> Table {
        let mut table = Table::new("path");
        for (k, (name, unit)) in self.names().into_iter().enumerate() {
            table.push(name, unit, self.rows.iter().map(|r| r[k]).collect::<Vec<f64>>());
        }
        table
    }

    /// The largest size in a column whose slopes are known, between rows too.
    fn largest(&self, (column, slope): (usize, usize), rows: Range<usize>) -> f64 {
        let mut most = rows.clone().map(|k| self.rows[k][column].abs()).fold(0.0, f64::max);
        for k in rows.start + 1..rows.end {
            let (a, b) = (&self.rows[k - 1], &self.rows[k]);
            let h = b[0] - a[0];
            let sign = (a[column] + b[column]).signum();
            let (d0, d1) = (sign * self.slopes[k - 1][slope] * h, sign * self.slopes[k][slope] * h);
            if d0 > 0.0 && d1 < 0.0 {
                most = most.max(top(sign * a[column], sign * b[column], d0, d1));
            }
        }
        most
    }

    /// The first peak of the friction force, or its end where it only rises.
    fn breakaway(&self, rows: Range<usize>) -> f64 {
        let force = |k: usize| self.rows[k][FORCE.0].abs();
        let inner = rows.start + 1..rows.end.saturating_sub(1);
        match inner.into_iter().find(|&k| force(k) >= force(k - 1) && force(k) > force(k + 1)) {
            Some(k) => self.largest(FORCE, k - 1..k + 2),
            None => rows.last().map_or(0.0, force),
        }
    }
}

/// The maximum of the cubic on (0, 1) with these values and slopes at its ends, the first slope positive, the second
/// negative.
fn top(y0: f64, y1: f64, d0: f64, d1: f64) -> f64 {
    let step = y1 - y0;
    let (c2, c3) = (3.0 * step - 2.0 * d0 - d1, d0 + d1 - 2.0 * step);
    let slope = |s: f64| d0 + s * (2.0 * c2 + s * 3.0 * c3);
    let (mut a, mut b) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let m = 0.5 * (a + b);
        if slope(m) > 0.0 { a = m } else { b = m }
    }
    y0 + a * (d0 + a * (c2 + a * c3))
}
