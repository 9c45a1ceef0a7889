//! What a loop is like: its backbone, break-away, stiffness and recovery.
use super::loop_log::{Record, Turn};
use stickslip_data::{Outcome, Table, Value};

/// The force counts as at its break-away from this part below it.
const NEARLY: f64 = 1e-9;
/// A force has a peak where it falls by more than this part of it afterwards: less is rounding of a plateau.
const FALLS: f64 = 1e-6;
/// A force still rises at the end of a slide if, at its last rate, the whole slide would add more than this part of it.
const RISES: f64 = 1e-3;
/// A change of displacement below this part of the largest is none.
const NO_CHANGE: f64 = 1e-12;

/// Loop areas are listed up to this many cycles; the table has all of them.
const MOST_LISTED: usize = 1000;

/// Units of force, of energy and of stiffness.
pub struct Units {
    /// N, or Pa where a point works per unit area.
    pub force: &'static str,
    /// J, or J/m^2.
    pub energy: &'static str,
    /// N/m, or Pa/m.
    pub stiffness: &'static str,
    /// N/s, or Pa/s.
    pub rate: &'static str,
}

impl Units {
    /// Of forces, or of tractions.
    pub fn of(traction: bool) -> Units {
        match traction {
            true => Units { force: "Pa", energy: "J/m^2", stiffness: "Pa/m", rate: "Pa/s" },
            false => Units { force: "N", energy: "J", stiffness: "N/m", rate: "N/s" },
        }
    }
}

/// Where the force of break-away is reached.
enum Place {
    /// At a row.
    Row(usize),
    /// At a turn inside the step that ends with a row.
    Inside(usize, Turn),
    /// It is only approached.
    Nowhere,
}

/// Break-away: its force, and where that is reached.
struct Breakaway {
    force: f64,
    place: Place,
}

impl Record {
    /// The first slide until it turns: from the row before it to that of the turn.
    fn virgin(&self) -> Option<std::ops::Range<usize>> {
        let slide = self.slides.first()?;
        let first = slide.first.checked_sub(1)?;
        let u = |k: usize| self.rows[k][self.columns.displacement];
        let most = (first..=slide.last).map(|k| (u(k) - u(first)).abs()).fold(0.0, f64::max);
        let mut end = first;
        let mut direction = 0.0;
        for k in first + 1..=slide.last.min(self.rows.len() - 1) {
            let step = u(k) - u(k - 1);
            if step.abs() > NO_CHANGE * most {
                if direction * step < 0.0 {
                    break;
                }
                direction = step.signum();
            }
            end = k;
        }
        (end > first).then_some(first..end + 1)
    }

    /// Break-away: where stick ends; else the first peak of the force in the first slide, or its end where it only rises.
    fn breakaway(&self) -> Option<Breakaway> {
        let force = |k: usize| self.rows[k][self.columns.size].abs();
        if let Some(row) = self.departure.filter(|row| *row < self.rows.len()) {
            return Some(Breakaway { force: force(row), place: self.first_at(row, force(row)) });
        }
        let rows = self.rows_of(0);
        let mut most = Breakaway { force: f64::NEG_INFINITY, place: Place::Row(rows.start) };
        for k in rows.clone() {
            let inside = &self.inside[k];
            for turn in &inside.turns[1] {
                if turn.value.abs() > most.force {
                    most = Breakaway { force: turn.value.abs(), place: Place::Inside(k, *turn) };
                } else if turn.value.abs() < (1.0 - FALLS) * most.force {
                    return Some(self.first_of(most));
                }
            }
            // Where a given force turns is known at rows alone.
            if inside.most[1] > most.force {
                most = Breakaway { force: inside.most[1], place: Place::Row(k) };
            }
            if force(k) > most.force {
                most = Breakaway { force: force(k), place: Place::Row(k) };
            } else if force(k) < (1.0 - FALLS) * most.force {
                return Some(self.first_of(most));
            }
        }
        let last = rows.clone().last()?;
        Some(Breakaway { force: most.force, place: self.end_of_rise(rows.start, last, most.force) })
    }

    /// The same where a plateau is reached first.
    fn first_of(&self, most: Breakaway) -> Breakaway {
        match most.place {
            Place::Row(k) => Breakaway { place: self.first_at(k, most.force), ..most },
            _ => most,
        }
    }

    /// Where a force that does not fall gets to its largest value in rows `first` to `last`: where inner elements let go; else
    /// at once, or at the end where it still rises; nowhere where it only approaches it, for then the place would be that of
    /// a tolerance.
    fn end_of_rise(&self, first: usize, last: usize, most: f64) -> Place {
        let reached = |row: usize| self.rows[row][self.columns.size].abs() >= (1.0 - NEARLY) * most;
        if let Some(row) = self.yields.filter(|row| (first..=last).contains(row) && reached(*row)) {
            return Place::Row(row);
        }
        let before = first.saturating_sub(1);
        if reached(before) || reached(first) {
            return Place::Row(if reached(before) { before } else { first });
        }
        let (duration, rate) = (self.rows[last][0] - self.rows[before][0], self.slopes[last][1].abs());
        match rate * duration > RISES * most {
            // Without a rate rows are all that is known.
            _ if rate.is_nan() => self.first_at(last, most),
            true => Place::Row(last),
            false => Place::Nowhere,
        }
    }

    /// The first row of the first slide, up to this one, that has the force: a plateau is reached there.
    fn first_at(&self, row: usize, force: f64) -> Place {
        let mut rows = self.slides[0].first.saturating_sub(1)..row + 1;
        Place::Row(rows.find(|k| self.rows[*k][self.columns.size].abs() >= (1.0 - NEARLY) * force).unwrap_or(row))
    }

    /// All that the loop gives.
    pub fn report_loop(&self, units: &Units, out: &mut Outcome) {
        let whole = self.largest(self.force(), 0..self.rows.len());
        let most = self.slides.iter().fold(whole, |most, s| most.max(s.gone[1]));
        out.set("force_max", Value::Number(most), units.force);
        if !self.slides.is_empty() {
            self.report_breakaway(units, out);
        }
        let peaks = self.peaks();
        self.report_recovery(&peaks, out);
        self.set_column(self.columns.coefficient, "peaks".into(), Value::List(peaks), out);
        if let Some(last) = self.cycles.last() {
            out.set("loop_area", Value::Number(last.area), units.energy);
            if self.cycles.len() <= MOST_LISTED {
                out.set("loop_areas", Value::List(self.cycles.iter().map(|c| c.area).collect()), units.energy);
            }
            let (width, height) = (last.displacement.1 - last.displacement.0, last.force.1 - last.force.0);
            if width > 0.0 {
                let secant = height / width;
                out.set("stiffness_secant", Value::Number(secant), units.stiffness);
                if secant > 0.0 {
                    // Half the stretch squared times half the stiffness, 2 pi times.
                    let stored = std::f64::consts::PI * secant * 0.25 * width * width;
                    out.set("loss_factor", Value::Number(last.area / stored), "1");
                }
            }
        }
        if let Some(tangent) = self.tangent.filter(|x| x.is_finite()) {
            out.set("stiffness_tangent", Value::Number(tangent), units.stiffness);
        }
        out.tables.extend(self.backbone(units));
        out.tables.extend(self.cycle_table(units));
    }

    fn report_breakaway(&self, units: &Units, out: &mut Outcome) {
        let Some(Breakaway { force, place }) = self.breakaway() else { return };
        out.set("breakaway", Value::Number(force), units.force);
        let start = &self.rows[self.slides[0].first.saturating_sub(1)];
        let slip_at = |row: &Vec<f64>| [row[self.columns.slip], self.columns.across.map_or(0.0, |across| row[across])];
        let (reached, t, slip) = match place {
            Place::Row(k) => (k, self.rows[k][0], slip_at(&self.rows[k])),
            Place::Inside(k, turn) => (k.saturating_sub(1), turn.t, turn.slip),
            Place::Nowhere => {
                let text = "`breakaway_slip`, `breakaway_time` and `breakaway_rate` are left out: the force only \
                            approaches its largest value";
                out.health.notes.push(text.into());
                return;
            }
        };
        let [along, across] = [0, 1].map(|d| slip[d] - slip_at(start)[d]);
        let slip = if self.columns.across.is_some() { along.hypot(across) } else { along };
        out.set("breakaway_slip", Value::Number(slip), "m");
        out.set("breakaway_time", Value::Number(self.slides[0].rest + t - start[0]), "s");
        // The rate is that of the slide in which it happens: loading may have been interrupted.
        let slide = self.slides.iter().rfind(|s| s.first <= reached + 1).unwrap_or(&self.slides[0]);
        let begun = &self.rows[slide.first.saturating_sub(1)];
        if t > begun[0] {
            out.set(
                "breakaway_rate",
                Value::Number((force - begun[self.columns.size].abs()) / (t - begun[0])),
                units.rate,
            );
        }
    }

    /// How far each later slide that follows a hold recovers the first peak: without rest there is nothing to recover.
    fn report_recovery(&self, peaks: &[f64], out: &mut Outcome) {
        let [first, ..] = peaks else { return };
        let rested = self.slides.iter().zip(peaks).skip(1).filter(|(slide, _)| slide.rest > 0.0);
        let later: Vec<f64> = rested.map(|(_, peak)| *peak).collect();
        if later.is_empty() {
            return;
        }
        if first.is_nan() {
            out.health.notes.push("recovery is not reported: the first slide has zero load".into());
            return;
        }
        if *first <= 0.0 {
            return;
        }
        let column = self.columns.coefficient;
        let recovery = later.iter().map(|p| p / first).collect();
        self.set_column(column, "recovery".into(), Value::List(recovery), out);
        let Some(kinetic) = self.rows.get(self.slides[0].last).map(|r| r[column].abs()) else {
            return;
        };
        let drop = first - kinetic;
        // A slide that ends on its peak has lost nothing that could come back.
        if drop > NEARLY * first {
            let parts = later.iter().map(|p| (p - kinetic) / drop).collect();
            self.set_column(column, "recovery_fraction".into(), Value::List(parts), out);
        }
    }

    /// The virgin curve: force against displacement from the start of the first slide until it turns.
    fn backbone(&self, units: &Units) -> Option<Table> {
        let rows = self.virgin()?;
        let (u, f) = (self.columns.displacement, self.columns.force);
        let start = self.rows[rows.start][u];
        let mut table = Table::new("backbone");
        // One row a place: of several there, as before and after an event, the last.
        let passed = |k: &usize| k + 1 == rows.end || self.rows[*k][u] != self.rows[k + 1][u];
        let values = |get: &dyn Fn(&Vec<f64>) -> f64| {
            rows.clone().filter(passed).map(|k| get(&self.rows[k])).collect::<Vec<f64>>()
        };
        table.push("displacement", "m", values(&|r| r[u] - start));
        table.push("force", units.force, values(&|r| r[f]));
        Some(table)
    }

    /// Values of every cycle.
    fn cycle_table(&self, units: &Units) -> Option<Table> {
        if self.cycles.is_empty() {
            return None;
        }
        let mut table = Table::new("cycles");
        let all = |get: fn(&super::loop_log::Cycle) -> f64| self.cycles.iter().map(get).collect::<Vec<f64>>();
        table.push("cycle", "1", (1..=self.cycles.len()).map(|k| k as f64).collect::<Vec<f64>>());
        table.push("t", "s", all(|c| c.start));
        table.push("loop_area", units.energy, all(|c| c.area));
        table.push("force_min", units.force, all(|c| c.force.0));
        table.push("force_max", units.force, all(|c| c.force.1));
        table.push("displacement_min", "m", all(|c| c.displacement.0));
        table.push("displacement_max", "m", all(|c| c.displacement.1));
        Some(table)
    }
}
