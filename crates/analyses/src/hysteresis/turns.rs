//! Where friction turns inside a step, however often: it is asked until what lies between two places is known.
use stickslip_solve::root::Bracket;

/// Quantities that are followed: the friction coefficient and the force.
pub const FOLLOWED: usize = 2;
/// Places at which a step is looked at in any case.
const PLACES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// Between two places the cubic through their values and rates is right to this part of the largest value.
const CLOSE: f64 = 1e-5;
/// Halvings of the distance between two places: a jump has no cubic.
const DEEPEST: u32 = 24;
/// Places of a step at most.
const MOST: usize = 4000;
/// A turn is found to this part of the step.
const ON_TIME: f64 = 1e-13;

/// The quantities at a part of a step, with their rates over the whole step.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub part: f64,
    pub value: [f64; FOLLOWED],
    pub rate: [f64; FOLLOWED],
}

/// Places and values at which a quantity turns, in the order of time.
pub type Turns = Vec<(f64, f64)>;

/// The turns of all quantities in a step.
pub fn turns(ask: &mut dyn FnMut(f64) -> Sample) -> [Turns; FOLLOWED] {
    let first = PLACES.map(&mut *ask);
    let size = std::array::from_fn(|q| first.iter().fold(0.0f64, |m, s| m.max(s.value[q].abs())));
    let mut samples = vec![first[0]];
    for pair in first.windows(2) {
        refine(&pair[0], &pair[1], DEEPEST, size, ask, &mut samples);
        samples.push(pair[1]);
    }
    std::array::from_fn(|q| turns_of(q, &samples, ask))
}

/// Samples between two places, until each is where its neighbours say.
fn refine(
    a: &Sample,
    b: &Sample,
    depth: u32,
    size: [f64; FOLLOWED],
    ask: &mut dyn FnMut(f64) -> Sample,
    samples: &mut Vec<Sample>,
) {
    let middle = ask(0.5 * (a.part + b.part));
    let known = (0..FOLLOWED).all(|q| is_cubic([a, &middle, b], q, size[q]));
    let deeper = !known && depth > 0 && samples.len() < MOST;
    if deeper {
        refine(a, &middle, depth - 1, size, ask, samples);
    }
    samples.push(middle);
    if deeper {
        refine(&middle, b, depth - 1, size, ask, samples);
    }
}

/// Whether value and rate in the middle are those of the cubic through the ends. What is no number is not followed.
fn is_cubic([a, middle, b]: [&Sample; 3], q: usize, size: f64) -> bool {
    let (width, close) = (b.part - a.part, CLOSE * size);
    let value = 0.5 * (a.value[q] + b.value[q]) + 0.125 * width * (a.rate[q] - b.rate[q]);
    let change = 1.5 * (b.value[q] - a.value[q]) - 0.25 * width * (a.rate[q] + b.rate[q]);
    let off = (middle.value[q] - value).abs().max((width * middle.rate[q] - change).abs());
    off <= close || middle.value[q].is_nan()
}

fn turns_of(q: usize, samples: &[Sample], ask: &mut dyn FnMut(f64) -> Sample) -> Turns {
    let mut found = vec![];
    // A rate of zero belongs to what came before it.
    let mut before: Option<&Sample> = None;
    for sample in samples.iter().filter(|s| s.rate[q] != 0.0 && !s.rate[q].is_nan()) {
        if let Some(last) = before.filter(|last| last.rate[q] * sample.rate[q] < 0.0) {
            found.push(turn_between(q, last, sample, ask));
        }
        before = Some(sample);
    }
    // Values that lie beyond their neighbours count where there are no rates, or where the quantity jumps.
    for near in samples.windows(3) {
        let [a, b, c] = [near[0].value[q], near[1].value[q], near[2].value[q]];
        if (b - a) * (c - b) < 0.0 && !found.iter().any(|(at, _)| *at >= near[0].part && *at <= near[2].part) {
            found.push((near[1].part, b));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

/// The turn between two places whose rates have opposite signs.
fn turn_between(q: usize, a: &Sample, b: &Sample, ask: &mut dyn FnMut(f64) -> Sample) -> (f64, f64) {
    let up = a.rate[q] > 0.0;
    let mut best = if (a.value[q] > b.value[q]) == up { (a.part, a.value[q]) } else { (b.part, b.value[q]) };
    let finite = |x: f64| x.clamp(f64::MIN, f64::MAX);
    let mut bracket = Bracket::new((a.part, finite(a.rate[q])), (b.part, finite(b.rate[q])));
    while let Some(part) = bracket.next(ON_TIME) {
        let sample = ask(part);
        if (sample.value[q] > best.1) == up && sample.value[q] != best.1 {
            best = (part, sample.value[q]);
        }
        if sample.rate[q].is_nan() {
            break;
        }
        bracket.narrow(part, finite(sample.rate[q]));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(f: impl Fn(f64) -> (f64, f64)) -> Turns {
        let [turns, _] = turns(&mut |part| {
            let (value, rate) = f(part);
            Sample { part, value: [value, 0.0], rate: [rate, 0.0] }
        });
        turns
    }

    #[test]
    fn all_waves_of_a_long_step_are_found() {
        for waves in [0.3, 1.0, 7.3, 40.1] {
            let w = std::f64::consts::TAU * waves;
            let turns = found(|s| ((w * s).sin(), w * (w * s).cos()));
            assert_eq!(turns.len(), (2.0 * waves + 0.5) as usize, "{turns:?}");
            assert!(turns.iter().all(|(_, x)| (x.abs() - 1.0).abs() < 1e-12), "{turns:?}");
        }
    }

    #[test]
    fn a_hump_that_is_passed_at_once_is_found() {
        // v/(1 + v^2) has its hump at v = 1.
        for v in [3.0, 1e2, 1e4] {
            let turns =
                found(|s| (v * s / (1.0 + v * s * v * s), v * (1.0 - v * s * v * s) / (1.0 + v * s * v * s).powi(2)));
            assert_eq!(turns.len(), 1);
            assert!((turns[0].1 - 0.5).abs() < 1e-12 && (turns[0].0 * v - 1.0).abs() < 1e-6, "{turns:?}");
        }
    }

    #[test]
    fn a_kink_is_a_turn() {
        let turns = found(|s| if s < 0.3 { (s, 1.0) } else { (0.6 - s, -1.0) });
        assert_eq!(turns.len(), 1);
        assert!((turns[0].1 - 0.3).abs() < 1e-12, "{turns:?}");
    }

    #[test]
    fn what_only_rises_has_no_turn() {
        assert!(found(|s| (s.sqrt(), 0.5 / s.sqrt())).is_empty());
        assert!(found(|_| (1.0, 0.0)).is_empty());
        assert!(found(|_| (f64::NAN, f64::NAN)).is_empty());
    }
}
