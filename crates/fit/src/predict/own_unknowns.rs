//! What the unknowns of a record make of the answer of the model: offset, trend, dead time, time of a step, and the time
//! at which the driver passes the displacements of a record.
use crate::predict::first_jump::{first_jump, moved};
use crate::records::{Clock, Own, Record};
use crate::search::objective::{Answer, Objective};
use stickslip_model::Model;
use stickslip_motion::About;
use stickslip_structures::Signal;

/// Differences in time, as a part of the distance of rows.
const CLOSE: f64 = 0.01;
/// The step of a drive is moved by this part of the distance of rows, to either side.
const MOVED: f64 = 0.01;
/// The integral of a driver's velocity to this part.
const DISTANCE: f64 = 1e-12;
const BISECTIONS: usize = 200;

/// Values of the unknowns of one record.
#[derive(Clone, Copy, Debug, Default)]
struct Values {
    offset: f64,
    trend: f64,
    dead_time: f64,
    step_time: Option<f64>,
}

impl Objective<'_> {
    /// The unknowns of a record with their places among all unknowns.
    pub(crate) fn own_of(&self, record: usize) -> Vec<(usize, Own)> {
        let all = self.unknowns.iter().enumerate();
        all.filter_map(|(k, u)| u.own.filter(|(i, _)| *i == record).map(|(_, own)| (k, own))).collect()
    }

    /// What the model says of a record, with its own unknowns; derivatives in all unknowns where wanted.
    pub(crate) fn answer_with_own(
        &mut self,
        (i, record): (usize, &Record),
        (model, settings): (&Model, &[(&str, f64)]),
        u: &[f64],
        slopes: bool,
        about: &mut Option<Vec<About>>,
    ) -> Result<Answer, String> {
        let own = self.own_of(i);
        let timed = record.clock != Clock::Rows || own.iter().any(|(_, own)| own.is_time());
        if own.is_empty() && !timed {
            let answer = self.answer((i, record), model, settings, slopes, about)?;
            return Ok(self.widened(answer, record.values.len(), slopes));
        }
        let mut at = Values::default();
        for (k, own) in &own {
            let x = self.unknowns[*k].outer(u[*k]);
            match own {
                Own::Offset => at.offset = x,
                Own::Trend => at.trend = x,
                Own::DeadTime => at.dead_time = x,
                Own::StepTime => at.step_time = Some(x),
            }
        }
        let (answer, rates, times) = match timed {
            true => self.at_other_times((i, record), (model, settings), at, slopes, about)?,
            false => (self.answer((i, record), model, settings, slopes, about)?, vec![], record.x.clone()),
        };
        let rows = record.values.len();
        let (mut values, mut all) = self.widened(answer, rows, slopes);
        for (value, t) in values.iter_mut().zip(&times) {
            *value += at.offset + at.trend * t;
        }
        let width = self.unknowns.len();
        for (k, own) in own.iter().filter(|_| slopes) {
            let near = match own {
                Own::StepTime => {
                    let by = MOVED * spacing(&times);
                    let t = at.step_time.unwrap_or_default();
                    let [low, high] = self.unknowns[*k].between;
                    let ends = [(t - by).max(low), (t + by).min(high)];
                    let [before, after] = ends.map(|t| {
                        let there = Values { step_time: Some(t), ..at };
                        self.at_other_times((i, record), (model, settings), there, false, about).map(|a| (a.0.0, a.2))
                    });
                    let line = |a: (Vec<f64>, Vec<f64>)| -> Vec<f64> {
                        a.0.iter().zip(&a.1).map(|(x, t)| x + at.trend * t).collect()
                    };
                    let (before, after) = (line(before?), line(after?));
                    before.iter().zip(after).map(|(a, b)| (b - a) / (ends[1] - ends[0])).collect()
                }
                _ => vec![],
            };
            for row in 0..rows {
                all[row * width + k] = match own {
                    Own::Offset => 1.0,
                    Own::Trend => times[row],
                    Own::DeadTime => -rates[row],
                    Own::StepTime => near[row],
                };
            }
        }
        Ok((values, all))
    }

    /// Derivatives in the parameters of the scenario with room for those of the records.
    fn widened(&self, (values, slopes): Answer, rows: usize, wanted: bool) -> Answer {
        let (narrow, wide) = (self.shared, self.unknowns.len());
        if !wanted || narrow == wide {
            return (values, slopes);
        }
        let mut all = vec![0.0; rows * wide];
        for (to, from) in all.chunks_exact_mut(wide).zip(slopes.chunks_exact(narrow)) {
            to[..narrow].copy_from_slice(from);
        }
        (values, all)
    }

    /// The answer at the times of the rows under the record's own drive and dead time, its rates in time where derivatives
    /// are wanted, and the times.
    fn at_other_times(
        &mut self,
        (i, record): (usize, &Record),
        (model, settings): (&Model, &[(&str, f64)]),
        at: Values,
        slopes: bool,
        about: &mut Option<Vec<About>>,
    ) -> Result<(Answer, Vec<f64>, Vec<f64>), String> {
        let mut changed = Record { moved: None, clock: Clock::Rows, along: ("time", "s"), ..record.clone() };
        if let Some(to) = at.step_time {
            let drive = drive_of(record, model).ok_or("the record has no drive")?;
            let jump = first_jump(drive, f64::INFINITY).ok_or("the drive has no jump")?;
            changed.drive = Some(moved(drive, jump.at, to));
        }
        let times = match record.times() {
            Some(times) => times.to_vec(),
            None => passed(changed.drive.as_ref().or(drive_of(record, model)), &record.x)?,
        };
        let close = if slopes { CLOSE * spacing(&times) } else { 0.0 };
        let sides: &[f64] = if slopes { &[-1.0, 0.0, 1.0] } else { &[0.0] };
        let place = |t: &f64, side: &f64| (t - at.dead_time + side * close).max(0.0);
        let places: Vec<f64> = times.iter().flat_map(|t| sides.iter().map(move |side| place(t, side))).collect();
        let mut rising = places.clone();
        rising.sort_by(f64::total_cmp);
        rising.dedup();
        let rows: Vec<usize> = places.iter().map(|x| rising.partition_point(|r| r < x)).collect();
        // Only the number of rows matters of the values.
        changed.values = vec![0.0; rising.len()];
        changed.x = rising;
        // When a program passes the rows is another matter at each dead time.
        self.passes[i] = None;
        let (values, derivatives) = self.answer((i, &changed), model, settings, slopes, about)?;
        self.passes[i] = None;
        let (width, side) = (self.shared, sides.len());
        let middle = |row: usize| rows[row * side + side / 2];
        let count = times.len();
        let mut rates = vec![];
        let mut kept = vec![];
        for row in 0..if slopes { count } else { 0 } {
            let [before, after] = [0, 2].map(|s| (places[row * side + s], values[rows[row * side + s]]));
            rates.push(if after.0 > before.0 { (after.1 - before.1) / (after.0 - before.0) } else { 0.0 });
            kept.extend_from_slice(&derivatives[middle(row) * width..(middle(row) + 1) * width]);
        }
        let own = (0..count).map(|row| values[middle(row)]).collect();
        Ok(((own, kept), rates, times))
    }
}

/// When the rows of a record were measured, under the drive of a model.
pub fn times_of(record: &Record, model: &Model) -> Result<Vec<f64>, String> {
    match record.times() {
        Some(times) => Ok(times.to_vec()),
        None if record.clock == Clock::Driver => passed(drive_of(record, model), &record.x),
        None => Ok(vec![]),
    }
}

fn drive_of<'m>(record: &'m Record, model: &'m Model) -> Option<&'m Signal> {
    record.drive.as_ref().or(model.loading.base.as_ref()).or(model.loading.surface.as_ref())
}

/// The median distance of times.
fn spacing(times: &[f64]) -> f64 {
    let mut steps: Vec<f64> = times.windows(2).map(|w| w[1] - w[0]).collect();
    steps.sort_by(f64::total_cmp);
    steps.get(steps.len() / 2).copied().unwrap_or(1.0)
}

/// When a driver passes rising displacements.
fn passed(drive: Option<&Signal>, displacements: &[f64]) -> Result<Vec<f64>, String> {
    let drive = drive.ok_or("a record over `load_displacement` needs a driver: drive kind \"pull\" or \"belt\"")?;
    let far = |from: f64, to: f64| {
        drive.integral(from, to, DISTANCE).map(|i| i.value).ok_or("the distance of the driver is not known")
    };
    let (mut from, mut come) = (0.0, 0.0);
    let mut step = match drive.value(0.0).abs() {
        0.0 => 1.0,
        v => displacements.last().map_or(1.0, |x| x.abs().max(f64::MIN_POSITIVE)) / v / displacements.len() as f64,
    };
    let mut times = vec![];
    for x in displacements {
        let wanted = x - come;
        if wanted > 0.0 {
            let mut last = 0.0;
            while far(from, from + step)? < wanted {
                let now = far(from, from + step)?;
                if now < last || step > 1e15 {
                    return Err(format!("the driver does not come as far as {x} m without standing or going back"));
                }
                last = now;
                step *= 2.0;
            }
            let (mut low, mut high) = (0.0, step);
            let mut t = 0.5 * (low + high);
            for _ in 0..BISECTIONS {
                let off = far(from, from + t)? - wanted;
                if off > 0.0 {
                    high = t
                } else {
                    low = t
                }
                let newton = t - off / drive.value(from + t);
                let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
                if off == 0.0 || (next - t).abs() <= f64::EPSILON * (from + t) {
                    break;
                }
                t = next;
            }
            come += far(from, from + t)?;
            from += t;
            step = t;
        }
        times.push(from);
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 m/s until 2 s, then 3 m/s: 2 m are passed at 2 s, 5 m at 3 s.
    #[test]
    fn a_driver_passes_displacements_in_its_own_time() {
        let drive = Signal::Points { times: vec![0.0, 2.0, 2.0, 9.0], values: vec![1.0, 1.0, 3.0, 3.0] };
        let times = passed(Some(&drive), &[0.0, 0.5, 2.0, 3.5, 5.0]).unwrap();
        for (t, exact) in times.iter().zip([0.0, 0.5, 2.0, 2.5, 3.0]) {
            assert!((t - exact).abs() < 1e-12, "{t} {exact}");
        }
        assert!(passed(Some(&Signal::Constant(0.0)), &[1.0]).is_err());
    }
}
