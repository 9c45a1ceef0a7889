//! Unknowns of single records at the start of a search: where they serve best beside given numbers of the scenario.
//!
//! A model that is shifted in time against its record has no slope that leads there: the shift is looked for among many, on
//! one motion. Offset and trend follow from each shift by linear least squares.
use crate::predict::own_unknowns::times_of;
use crate::records::{Of, Own, Record};
use crate::search::objective::Objective;

/// Shifts that are looked at over the range of one.
const SHIFTS: usize = 240;
/// And about the best of them.
const FINER: usize = 20;
/// Places of the motion that is shifted, and rows that are compared.
const PLACES: usize = 4_000;
const ROWS: usize = 1_000;

impl Objective<'_> {
    /// Puts the unknowns of records where they serve best; leaves them where the model has no answer.
    pub(crate) fn align(&mut self, u: &mut [f64]) {
        if self.shared == self.unknowns.len() {
            return;
        }
        let fit = self.fit;
        for (i, record) in fit.records.iter().enumerate() {
            if !self.own_of(i).is_empty() {
                self.align_record((i, record), u);
            }
        }
    }

    fn align_record(&mut self, (i, record): (usize, &Record), u: &mut [f64]) -> Option<()> {
        let own = self.own_of(i);
        let place = |wanted: Own| own.iter().find(|(_, own)| *own == wanted).map(|(k, _)| *k);
        let mut plain = u.to_vec();
        for (k, _) in own.iter().filter(|(_, own)| !own.is_time()) {
            plain[*k] = 0.0;
        }
        let settings = self.settings(u);
        let values: Vec<f64> = settings.iter().map(|(_, x)| *x).collect();
        let model = self.lens.as_ref().ok()?.at(&values).ok()?;
        let times = times_of(record, &model).ok()?;
        let each = record.values.len().div_ceil(ROWS);
        let rows: Vec<usize> = (0..record.values.len()).step_by(each).collect();
        let data: Vec<f64> = rows.iter().map(|r| record.values[*r]).collect();
        let t: Vec<f64> = rows.iter().map(|r| times.get(*r).copied().unwrap_or(0.0)).collect();
        let lines = [place(Own::Offset).is_some(), place(Own::Trend).is_some()];
        let moving = place(Own::DeadTime).or(place(Own::StepTime));
        let best = match moving {
            // A shift of a record whose clock is the driver would change that too.
            Some(k) if record.of() == Of::Motion && record.along.0 == "time" => {
                let end = *times.last()?;
                let fine = Record {
                    x: (0..=PLACES).map(|p| end * p as f64 / PLACES as f64).collect(),
                    values: vec![0.0; PLACES + 1],
                    own: vec![],
                    ..record.clone()
                };
                let unknown = &self.unknowns[k];
                let at = unknown.outer(u[k]);
                let mut start = plain.clone();
                let from = if place(Own::DeadTime).is_some() { 0.0 } else { at };
                start[k] = unknown.inner(from);
                self.runs += 1;
                let answer = self.answer_with_own((i, &fine), (&model, &settings), &start, false, &mut None).ok()?;
                let curve = |t: f64| {
                    let p = (t / end).clamp(0.0, 1.0) * PLACES as f64;
                    let low = (p as usize).min(PLACES - 1);
                    answer.0[low] + (p - low as f64) * (answer.0[low + 1] - answer.0[low])
                };
                let shifted = |to: f64| {
                    let model: Vec<f64> = t.iter().map(|t| curve(t - (to - from))).collect();
                    (remainder(&t, &data, &model, lines), to)
                };
                let [low, high] = self.unknowns[k].between;
                let step = (high - low) / SHIFTS as f64;
                let less = |a: &((f64, [f64; 2]), f64), b: &((f64, [f64; 2]), f64)| a.0.0.total_cmp(&b.0.0);
                let places = (0..=SHIFTS).map(|s| low + step * s as f64).chain([at]);
                let (_, coarse) = places.map(shifted).min_by(less)?;
                let finer = (0..=2 * FINER).map(|s| coarse + step * (s as f64 / FINER as f64 - 1.0)).chain([coarse]);
                let ((_, line), to) = finer.map(|x| x.clamp(low, high)).map(shifted).min_by(less)?;
                u[k] = self.unknowns[k].inner(to);
                line
            }
            _ => {
                self.runs += 1;
                let answer = self.answer_with_own((i, record), (&model, &settings), &plain, false, &mut None).ok()?;
                let model: Vec<f64> = rows.iter().map(|r| answer.0[*r]).collect();
                remainder(&t, &data, &model, lines).1
            }
        };
        for (wanted, x) in [Own::Offset, Own::Trend].into_iter().zip(best) {
            if let Some(k) = place(wanted) {
                u[k] = self.unknowns[k].inner(x);
            }
        }
        Some(())
    }
}

/// What is left of data minus model beside an offset and a slope, as far as these are wanted; and the two.
fn remainder(t: &[f64], data: &[f64], model: &[f64], wanted: [bool; 2]) -> (f64, [f64; 2]) {
    let mut sums = [0.0; 6];
    for ((t, data), model) in t.iter().zip(data).zip(model) {
        let (t, x) = (if wanted[1] { *t } else { 0.0 }, data - model);
        let terms = [1.0, t, t * t, x, t * x, x * x];
        sums.iter_mut().zip(terms).for_each(|(sum, x)| *sum += x);
    }
    let [n, st, stt, sx, stx, sxx] = sums;
    let [a, b] = match wanted {
        [true, true] if n * stt - st * st > 0.0 => {
            let whole = n * stt - st * st;
            [(stt * sx - st * stx) / whole, (n * stx - st * sx) / whole]
        }
        [false, true] if stt > 0.0 => [0.0, stx / stt],
        [true, _] => [sx / n, 0.0],
        _ => [0.0, 0.0],
    };
    let left = sxx - 2.0 * (a * sx + b * stx) + a * a * n + 2.0 * a * b * st + b * b * stt;
    (left, [a, b])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_taken_out_exactly() {
        let t: Vec<f64> = (0..20).map(f64::from).collect();
        let model: Vec<f64> = t.iter().map(|t| t.sin()).collect();
        let data: Vec<f64> = t.iter().zip(&model).map(|(t, m)| m + 0.5 - 0.25 * t).collect();
        let (left, [a, b]) = remainder(&t, &data, &model, [true, true]);
        assert!(left.abs() < 1e-11 && (a - 0.5).abs() < 1e-12 && (b + 0.25).abs() < 1e-12, "{left} {a} {b}");
    }
}
