//! The slip velocity at which a law carries a given force.
use stickslip_solve::root::Bracket;

/// Slowest and fastest speed that are tried, m/s.
const SLOWEST: f64 = 1e-40;
const FASTEST: f64 = 1e12;
/// Factors by which a bracket grows at first and at most: a narrow one does not reach over to another branch.
const FIRST_FACTOR: f64 = 1.05;
const LARGEST_FACTOR: f64 = 1e8;
/// Without a guess all decades are tried from the slowest speed on: of several answers the slowest is meant.
const DECADE: f64 = 10.0;
/// A root is known to this part.
const KNOWN: f64 = 1e-15;
/// Speeds at which further answers are looked for: decades and points in each.
const LOOKED_AT: (i32, i32, i32) = (-12, 3, 4);

/// The zero of a function that rises with v at rest, on the branch of the guess; None where there is none.
pub fn root(g: &mut dyn FnMut(f64) -> f64, guess: f64) -> Option<f64> {
    let rest = g(0.0);
    if rest == 0.0 {
        return Some(0.0);
    }
    let sign = if rest < 0.0 { 1.0 } else { -1.0 };
    let mut rising = |speed: f64| sign * g(sign * speed);
    let known = guess * sign > 0.0;
    let mut speed = if known { guess.abs() } else { SLOWEST };
    let mut value = rising(speed);
    let (mut factor, up) = (if known { FIRST_FACTOR } else { DECADE }, value < 0.0);
    if !known && !up {
        // Below the slowest speed there is only rest.
        return value.is_finite().then_some(0.0);
    }
    let (lo, hi) = loop {
        if value.is_nan() {
            return None;
        }
        if value == 0.0 {
            return Some(sign * speed);
        }
        let (before, was) = (speed, value);
        speed = if up { speed * factor } else { speed / factor };
        if speed > FASTEST {
            return None;
        }
        if speed < SLOWEST {
            return Some(0.0);
        }
        value = rising(speed);
        if up && value >= 0.0 {
            break ((before, was), (speed, value));
        }
        if !up && value < 0.0 {
            break ((speed, value), (before, was));
        }
        if known {
            factor = (factor * factor).min(LARGEST_FACTOR);
        }
    };
    between(&mut rising, lo, hi).map(|speed| sign * speed)
}

/// The root between two speeds, in the logarithm of the speed.
fn between(f: &mut dyn FnMut(f64) -> f64, lo: (f64, f64), hi: (f64, f64)) -> Option<f64> {
    let mut bracket = Bracket::new((lo.0.ln(), lo.1), (hi.0.ln(), hi.1));
    while let Some(x) = bracket.next(KNOWN) {
        let value = f(x.exp());
        if value.is_nan() {
            return None;
        }
        bracket.narrow(x, value);
    }
    Some(bracket.best().0.exp())
}

/// Slip velocities near which a function changes its sign from - to + or back, over all speeds of interest.
pub fn changes(g: &mut dyn FnMut(f64) -> f64) -> Vec<f64> {
    let (first, last, points) = LOOKED_AT;
    let speeds: Vec<f64> =
        (first * points..=last * points).map(|k| 10f64.powf(f64::from(k) / f64::from(points))).collect();
    let grid = speeds.iter().rev().map(|v| -v).chain([0.0]).chain(speeds.iter().copied());
    let mut found = vec![];
    let mut before: Option<(f64, f64)> = None;
    for v in grid {
        let value = g(v);
        if let Some((was_at, was)) = before
            && was * value < 0.0
        {
            found.push(if was_at.abs() > v.abs() { was_at } else { v });
        }
        if value != 0.0 {
            before = Some((v, value));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_over_all_decades_and_directions() {
        for target in [1e-30, 3e-7, 0.5, 40.0, -2e-9, -7.0] {
            for guess in [0.0, 1e-20, -1e3, target] {
                let found = root(&mut |v: f64| v.asinh() - f64::asinh(target), guess).expect("a root");
                assert!((found / target - 1.0).abs() < 1e-12, "{found} for {target} from {guess}");
            }
        }
        assert_eq!(root(&mut |v: f64| v.tanh() - 2.0, 0.1), None);
        assert_eq!(root(&mut |v: f64| v, 5.0), Some(0.0));
    }

    #[test]
    fn of_several_roots_that_of_the_guess_is_meant() {
        let humped = |v: f64| v * (v - 0.4) * (v - 0.8) + 0.01;
        let g = &mut |v: f64| humped(v) - 0.03;
        assert_eq!(changes(g).len(), 3);
        let (slow, fast) = (root(g, 0.0).expect("slow"), root(g, 0.9).expect("fast"));
        assert!(slow < 0.2 && fast > 0.7 && g(slow).abs() < 1e-12 && g(fast).abs() < 1e-12);
    }
}
