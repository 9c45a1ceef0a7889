//! When the path of a program passes the displacements of a record.
use stickslip_solve::radau::tableau::ORDER_9;
use stickslip_structures::Program;

/// Displacements of a record over the time and of its program agree to this part of their range: they tell one motion, which
/// is measured with noise.
const FOLLOWED: f64 = 2e-2;
/// A record over the displacement that goes back by up to this part of the range is still on its way, or at its turn.
const SPARE: f64 = 5e-3;
/// A record that goes back and on again by up to this part of the range, where its program does not turn, is noisy.
const WIGGLES: f64 = 0.05;
/// Iterations until the time of a displacement is known to rounding.
const MOST_ITERATIONS: usize = 100;

/// A path: its times and displacements, and its program where that gives the motion.
pub struct Passes<'a> {
    /// Times, s.
    pub t: &'a [f64],
    /// Displacements, m.
    pub slip: &'a [f64],
    /// The program.
    pub program: Option<&'a Program>,
}

/// A part of a path that goes one way: its first and last row.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stretch {
    first: usize,
    last: usize,
    rises: bool,
}

impl Passes<'_> {
    /// When each displacement is passed, one after the other. A record that is noisy may go back a little on its way: then
    /// so do its times.
    pub fn times(&self, wanted: &[f64]) -> Result<Vec<f64>, String> {
        let stretches = self.stretches();
        let (low, high) = self.slip.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
        let (spare, noisy) = (SPARE * (high - low), WIGGLES * (high - low));
        let (least, most) = wanted.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
        let none = |x: f64| {
            format!(
                "the program does not pass the displacement {x} m there: it goes from {low:.4e} m to {high:.4e} m and the \
                 record from {least:.4e} m to {most:.4e} m. An offset can be subtracted from the record; given over \
                 `time` alone, it needs no displacement"
            )
        };
        let mut left = stretches.iter().copied();
        let mut now = left.next().ok_or_else(|| wanted.first().map_or_else(String::new, |x| none(*x)))?;
        // How far the record has come on this stretch.
        let mut come = self.slip[now.first];
        let mut times = vec![];
        for (i, x) in wanted.iter().enumerate() {
            loop {
                // Distances ahead, in the direction of the stretch.
                let ahead = |x: f64| if now.rises { x - come } else { come - x };
                let (own, end) = (ahead(*x), ahead(self.slip[now.last]));
                let on = (0.0..=end + spare).contains(&own);
                // What ends while it is back has turned if the program has.
                if on || (own < 0.0 && goes_on(&wanted[i..], ahead, spare).unwrap_or(end > spare)) {
                    times.push(self.on(now, *x));
                    come = if own > end {
                        self.slip[now.last]
                    } else if own > 0.0 {
                        *x
                    } else {
                        come
                    };
                    break;
                }
                if own < -spare && end > noisy && goes_on(&wanted[i..], ahead, noisy) == Some(true) {
                    return Err(format!(
                        "at {x} m the displacement goes back by {:.1e} m and on again, where its program does not turn: \
                         give a record that is so noisy over `time` alone, without its displacement",
                        -own
                    ));
                }
                now = left.next().ok_or_else(|| none(*x))?;
                come = self.slip[now.first];
            }
        }
        Ok(times)
    }

    /// The parts that go one way, without rests between.
    fn stretches(&self) -> Vec<Stretch> {
        let mut all: Vec<Stretch> = vec![];
        for (k, pair) in self.slip.windows(2).enumerate().filter(|(_, pair)| pair[0] != pair[1]) {
            let rises = pair[1] > pair[0];
            match all.last_mut().filter(|last| last.rises == rises) {
                Some(last) => last.last = k + 1,
                None => all.push(Stretch { first: k, last: k + 1, rises }),
            }
        }
        all
    }

    /// When a stretch is at a displacement; at one of its ends where it does not reach it.
    fn on(&self, stretch: Stretch, x: f64) -> f64 {
        let before = |slip: &f64| if stretch.rises { *slip < x } else { *slip > x };
        let rows = stretch.first..=stretch.last;
        let k = stretch.first + self.slip[rows].partition_point(before);
        if k == stretch.first || k > stretch.last {
            return self.t[k.min(stretch.last)];
        }
        let rows = [(self.t[k - 1], self.slip[k - 1]), (self.t[k], self.slip[k])];
        match self.program {
            Some(program) => passed(program, rows, x),
            None => self.t[k - 1] + (self.t[k] - self.t[k - 1]) * (x - rows[0].1) / (rows[1].1 - rows[0].1),
        }
    }
}

/// The row at which displacements go back a little and on again: they are noisy.
pub fn wiggle(x: &[f64]) -> Option<usize> {
    let (low, high) = x.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
    let changes = (1..x.len()).filter(|i| x[*i] != x[i - 1]).collect::<Vec<_>>();
    let rises = |i: usize| x[i] > x[i - 1];
    let turns: Vec<usize> = changes.windows(2).filter(|w| rises(w[0]) != rises(w[1])).map(|w| w[1] - 1).collect();
    turns.windows(2).find(|w| (x[w[1]] - x[w[0]]).abs() < WIGGLES * (high - low)).map(|w| w[1])
}

/// Whether the displacements of a record, by its name and times, are those of its program but for an offset: a program counts
/// changes, and where they begin is the record's own.
pub fn one_motion((name, times): (&str, &[f64]), moved: &[f64], slip: &[f64]) -> Result<(), String> {
    let (low, high) = moved.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
    let begin = slip.iter().zip(moved).map(|(own, theirs)| own - theirs).sum::<f64>() / moved.len() as f64;
    let apart = |i: usize| (slip[i] - moved[i] - begin).abs();
    let off = |i: &usize| apart(*i) > FOLLOWED * (high - low) || apart(*i).is_nan();
    let Some(i) = (0..moved.len()).find(off) else { return Ok(()) };
    Err(format!(
        "at t = {} s the program is at {:.4e} m, and `{name}` at {:.4e} m, with the offset that fits best: they must be one \
         motion. Without its `displacement` the record is taken to follow the program",
        times[i],
        slip[i],
        moved[i] + begin
    ))
}

/// Whether a record that has gone back goes on beyond where it was, and not back by more than `most` before; None where it
/// ends before it has enough rows.
fn goes_on(rest: &[f64], ahead: impl Fn(f64) -> f64, most: f64) -> Option<bool> {
    rest.iter().map(|x| ahead(*x)).find(|own| *own > 0.0 || *own < -most).map(|own| own > 0.0)
}

/// When a program passes the displacement `x` between two rows: by its own velocity, not on the line between them.
fn passed(program: &Program, [(t0, slip0), (t1, slip1)]: [(f64, f64); 2], x: f64) -> f64 {
    let starts = program.times();
    let step = starts.partition_point(|start| *start <= 0.5 * (t0 + t1)).saturating_sub(1).min(program.steps.len() - 1);
    let signal = program.steps[step].velocity().and_then(|v| v.into_iter().next());
    let Some(signal) = signal else { return t0 };
    let velocity = |t: f64| signal.value((t - starts[step]).min((t1 - starts[step]).next_down()));
    let travelled = |t: f64| {
        let nodes = ORDER_9.nodes.iter().zip(ORDER_9.weights);
        (t - t0) * nodes.map(|(node, weight)| weight * velocity(t0 + node * (t - t0))).sum::<f64>()
    };
    let rises = slip1 > slip0;
    let (mut low, mut high) = (t0, t1);
    let mut t = t0 + (t1 - t0) * (x - slip0) / (slip1 - slip0);
    for _ in 0..MOST_ITERATIONS {
        let off = slip0 + travelled(t) - x;
        if off == 0.0 {
            return t;
        }
        if (off > 0.0) == rises {
            high = t
        } else {
            low = t
        }
        let newton = t - off / velocity(t);
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - t).abs() <= f64::EPSILON * t.abs() {
            return next;
        }
        t = next;
    }
    t
}

#[cfg(test)]
mod tests {
    use super::*;

    /// To 1 and back to -1 in unit steps of 0.1 s for 0.1 m.
    fn times(wanted: &[f64]) -> Result<Vec<f64>, String> {
        let way: Vec<f64> = (0..=30).map(|k| if k <= 10 { 0.1 * k as f64 } else { 2.0 - 0.1 * k as f64 }).collect();
        let t: Vec<f64> = (0..=30).map(|k| 0.1 * k as f64).collect();
        Passes { t: &t, slip: &way, program: None }.times(wanted)
    }

    fn close(wanted: &[f64], expected: &[f64]) {
        let found = times(wanted).unwrap();
        let off = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(off && found.len() == expected.len(), "{found:?}, not {expected:?}");
    }

    #[test]
    fn rows_on_the_way_back_are_met_there() {
        close(&[0.5, 1.0, 0.5, -0.9], &[0.5, 1.0, 1.5, 2.9]);
        // Densely about the turn, which is not met exactly, or passed by a little.
        close(&[0.999, 0.9995, 0.9985, 0.95], &[0.999, 0.9995, 1.0015, 1.05]);
        close(&[0.999, 1.001, 0.9985], &[0.999, 1.0, 1.0015]);
        // A part of the way may be missing.
        close(&[0.5, 0.3], &[0.5, 1.7]);
    }

    #[test]
    fn a_little_noise_stays_on_its_way() {
        close(&[0.3, 0.2995, 0.31, 0.3095], &[0.3, 0.2995, 0.31, 0.3095]);
        close(&[0.9, -0.5, -0.4995, -0.6], &[0.9, 2.5, 2.4995, 2.6]);
    }

    #[test]
    fn more_noise_is_told() {
        let told = times(&[0.3, 0.25, 0.4]).unwrap_err();
        assert!(told.contains("goes back by 5.0e-2 m and on again"), "{told}");
        assert!(times(&[0.3, 1.3]).unwrap_err().contains("does not pass the displacement 1.3 m"));
    }

    #[test]
    fn wiggles_of_half_a_percent_stay_on_their_way() {
        close(&[0.3, 0.291, 0.31, 0.301], &[0.3, 0.291, 0.31, 0.301]);
    }

    #[test]
    fn an_offset_and_noise_are_one_motion_and_another_amplitude_is_not() {
        let t: Vec<f64> = (0..40).map(|i| 0.1 * f64::from(i)).collect();
        let slip: Vec<f64> = t.iter().map(|t| t.sin()).collect();
        let sign = |i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        let seen =
            |factor: f64| slip.iter().enumerate().map(|(i, x)| 7.0 + factor * x + 0.01 * sign(i)).collect::<Vec<_>>();
        assert_eq!(one_motion(("noisy", &t), &seen(1.0), &slip), Ok(()));
        let told = one_motion(("larger", &t), &seen(1.1), &slip).unwrap_err();
        assert!(told.contains("they must be one motion"), "{told}");
    }

    #[test]
    fn noise_is_told_from_turns() {
        assert_eq!(wiggle(&[0.0, 0.5, 1.0, 1.0, 0.5, -1.0, -0.5, 0.0]), None);
        assert_eq!(wiggle(&[0.0, 0.5, 0.49, 1.0, 0.5, -1.0]), Some(2));
    }
}
