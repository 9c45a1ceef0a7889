//! The first jump of a drive, and the drive with that jump at another time.
use stickslip_structures::Signal;

/// A velocity jumps where it changes at once by more than this part of what it is on both sides.
const JUMPS: f64 = 1e-9;
/// Knots that are looked at.
const MOST_KNOTS: usize = 100_000;
/// The jump stays so far inside its neighbours, as a part of their distance.
const INSIDE: f64 = 1e-9;

/// A jump of a function of time.
pub struct Jump {
    /// When.
    pub at: f64,
    /// Between which times it can be moved.
    pub between: [f64; 2],
}

/// The first jump up to `end`; None where there is none, or where it can't be moved by itself.
pub fn first_jump(signal: &Signal, end: f64) -> Option<Jump> {
    if let Signal::Points { times, values } = signal {
        let k = (1..times.len()).find(|k| times[*k] == times[k - 1] && values[*k] != values[k - 1])?;
        let before = if k >= 2 { times[k - 2] } else { 0.0 };
        let after = times.get(k + 1).copied().unwrap_or(end).min(end);
        let room = INSIDE * (after - before);
        return (times[k] < end).then_some(Jump { at: times[k], between: [before + room, after - room] });
    }
    let mut t = 0.0;
    for _ in 0..MOST_KNOTS {
        let next = signal.next_knot(t);
        if next >= end {
            return switch(signal, end);
        }
        let before = signal.expand(t).at(next - t);
        let now = signal.value(next);
        if (now - before).abs() > JUMPS * now.abs().max(before.abs()) {
            // The whole function is moved: what follows must not change.
            let last = signal.next_knot(next) >= end && signal.rate(next) == 0.0 && signal.rate(0.5 * next) == 0.0;
            return last.then_some(Jump { at: next, between: [INSIDE * end, end * (1.0 - INSIDE)] });
        }
        t = next;
    }
    None
}

/// Where a formula that is constant before and after switches once.
fn switch(signal: &Signal, end: f64) -> Option<Jump> {
    let (first, last) = (signal.value(0.0), signal.value(end));
    if (first - last).abs() <= JUMPS * first.abs().max(last.abs()) {
        return None;
    }
    let (mut low, mut high) = (0.0, end);
    while 0.5 * (low + high) > low && 0.5 * (low + high) < high {
        let middle = 0.5 * (low + high);
        match signal.value(middle) {
            v if v == first => low = middle,
            v if v == last => high = middle,
            _ => return None,
        }
    }
    Some(Jump { at: high, between: [INSIDE * end, end * (1.0 - INSIDE)] })
}

/// The signal with its first jump, which is at `from`, at `to`.
pub fn moved(signal: &Signal, from: f64, to: f64) -> Signal {
    match signal {
        Signal::Points { times, values } => {
            let mut times = times.clone();
            times.iter_mut().filter(|t| **t == from).for_each(|t| *t = to);
            Signal::Points { times, values: values.clone() }
        }
        signal => Signal::Shifted(to - from, Box::new(signal.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_jump_of_points_is_found_and_moved_alone() {
        let times = vec![0.0, 4.0, 10.0, 10.0, 30.0, 30.0, 60.0];
        let signal = Signal::Points { times, values: vec![1.0, 1.0, 1.0, 3.0, 3.0, 5.0, 5.0] };
        let jump = first_jump(&signal, 60.0).unwrap();
        assert!(jump.at == 10.0 && (jump.between[0] - 4.0).abs() < 1e-6 && (jump.between[1] - 30.0).abs() < 1e-6);
        let later = moved(&signal, 10.0, 12.5);
        assert_eq!([11.0, 13.0, 29.0, 31.0].map(|t| later.value(t)), [1.0, 3.0, 3.0, 5.0]);
        assert!(first_jump(&Signal::Constant(1.0), 10.0).is_none());
        assert!(first_jump(&Signal::Points { times: vec![0.0, 1.0], values: vec![0.0, 1.0] }, 5.0).is_none());
    }
}
