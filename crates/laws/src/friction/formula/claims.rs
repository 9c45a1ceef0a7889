//! What a written law promises: found by looking at its formulas, and by asking them at a few places.
use super::{Answer, LOAD, SPEED, TIME, Written};
use crate::{Claims, LawError, Scale};
use stickslip_formula::Formula;
use stickslip_real::Scalar;

/// Speeds and loads at which formulas are asked.
const SPEEDS: [f64; 7] = [0.0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-2, 1.0];
const LOADS: [f64; 2] = [1.0, 100.0];
/// States are asked at these multiples of their start or size.
const MULTIPLES: [f64; 3] = [1.0, 0.3, 2.0];
/// Agreement but for rounding.
const ROUNDING: f64 = 1e-12;
/// Beyond this number of states, those that reverse are looked for all or none.
const MOST_MIXED: usize = 6;

/// An answer to one question: force or hold and strength, then rates.
type Values = Vec<f64>;

/// Sets the claims of a law, and which of its states reverse with the velocity.
pub fn probe<S: Scalar>(law: &mut Written<S>) -> Result<(), LawError> {
    let (set_valued, terms) = match &law.answer {
        Answer::Cone { hold, strength } => (true, vec![hold, strength]),
        Answer::Force(force) => (false, vec![force]),
    };
    let uses = |place: usize| terms.iter().any(|t| t.formula.uses(place));
    let timeless = !uses(TIME) && !law.rates.iter().any(|r| r.uses(TIME));
    let load_linear = terms.iter().all(|t| match t.whole {
        // N f(v, z): seen by asking.
        true => doubles(law, &t.formula),
        false => !t.formula.uses(LOAD),
    });
    let states = states(law);
    let at_rest = ask(law, 0.0, LOADS[0], &states[0]);
    if states.iter().all(|z| SPEEDS.iter().all(|v| !all_finite(&ask(law, *v, LOADS[0], z)))) {
        let key = if set_valued { "strength" } else { "force" };
        let message = format!("`{key}` or a rate is not a finite number at any speed");
        return Err(LawError::new(key, "not-finite", message, "a number at the start".into()));
    }
    if set_valued && at_rest[0] < at_rest[1] * (1.0 - ROUNDING) {
        let message = format!("`hold` = {} is below `strength` = {} at rest", at_rest[0], at_rest[1]);
        let expected = "at least the strength at v = 0: what slips more easily than it sticks can do neither";
        return Err(LawError::new("hold", "out-of-range", message, expected.into()));
    }
    let odd = if set_valued { Some(vec![false; law.states.len()]) } else { reversing(law, &states) };
    let pace = |v: f64, n: f64, z: &Values| {
        let (slow, fast) = (ask(law, v, n, z), ask(law, 10.0 * v, n, z));
        (terms.len()..slow.len()).all(|i| close(10.0 * slow[i], fast[i]))
    };
    let resists = |v: f64, n: f64, z: &Values| {
        let answer = ask(law, v, n, z);
        // A cone pushes where its strength is negative.
        let push = if set_valued { answer[1].min(answer[0]) } else { answer[0] };
        push >= 0.0 || push.is_nan()
    };
    let passive = everywhere(&states, resists) && (set_valued || odd.is_some());
    law.claims = Claims {
        odd: odd.is_some(),
        memoryless: law.states.is_empty(),
        passive,
        passive_if: !passive,
        set_valued,
        rate_independent: timeless && !uses(SPEED) && everywhere(&states, pace),
        load_linear,
        positive_speed: !all_finite(&at_rest),
        ..Claims::NONE
    };
    for (state, odd) in law.states.iter_mut().zip(odd.unwrap_or_default()) {
        state.axis = odd.then_some(0);
    }
    Ok(())
}

fn everywhere(states: &[Values], holds: impl Fn(f64, f64, &Values) -> bool) -> bool {
    LOADS.iter().all(|n| SPEEDS.iter().all(|v| states.iter().all(|z| holds(*v, *n, z))))
}

fn ask<S: Scalar>(law: &Written<S>, v: f64, n: f64, z: &[f64]) -> Values {
    let z: Vec<S> = z.iter().map(|x| S::lit(*x)).collect();
    law.at([v, n, 0.0].map(S::lit), &z, |values| {
        let head = match &law.answer {
            Answer::Cone { hold, strength } => vec![hold.eval(values), strength.eval(values)],
            Answer::Force(force) => vec![force.eval(values)],
        };
        head.into_iter().chain(law.rates.iter().map(|r| r.eval(values))).map(S::re).collect()
    })
}

fn all_finite(values: &Values) -> bool {
    values.iter().all(|x| x.is_finite())
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING * (a.abs() + b.abs()) || (a.is_nan() && b.is_nan())
}

/// States near the start; on a linear or asinh scale of either sign.
fn states<S: Scalar>(law: &Written<S>) -> Vec<Values> {
    let start: Values = law.states.iter().map(|s| s.start).collect();
    let mut all = vec![start.clone()];
    for (i, state) in law.states.iter().enumerate() {
        let (size, signs) = match state.scale {
            Scale::Log => (state.start, &[1.0][..]),
            Scale::Linear(size) | Scale::Asinh(size) => {
                (size, if state.start == 0.0 { &[1.0, -1.0][..] } else { &[1.0] })
            }
        };
        for x in MULTIPLES.iter().flat_map(|m| signs.iter().map(move |s| s * m * size)) {
            let mut z = start.clone();
            z[i] = x;
            all.push(z);
        }
    }
    all
}

/// Whether twice the load doubles a formula of a force.
fn doubles<S: Scalar>(law: &Written<S>, formula: &Formula) -> bool {
    let at = |v: f64, n: f64, z: &Values| {
        let z: Vec<S> = z.iter().map(|x| S::lit(*x)).collect();
        law.at([v, n, 0.0].map(S::lit), &z, |values| formula.eval(values).re())
    };
    everywhere(&states(law), |v, n, z| close(2.0 * at(v, n, z), at(v, 2.0 * n, z)))
}

/// Which states must reverse with the velocity so that the force does; None: it does not.
fn reversing<S: Scalar>(law: &Written<S>, states: &[Values]) -> Option<Vec<bool>> {
    let k = law.states.len();
    let mut choices: Vec<u32> = if k <= MOST_MIXED { (0..1 << k).collect() } else { vec![0, u32::MAX] };
    choices.sort_by_key(|c| c.count_ones());
    let flips = |choice: u32| (0..k).map(|i| choice >> i.min(31) & 1 == 1).collect::<Vec<bool>>();
    choices.into_iter().map(flips).find(|flip| {
        let sign = |i: usize| if flip[i] { -1.0 } else { 1.0 };
        everywhere(states, |v, n, z| {
            let back: Values = z.iter().enumerate().map(|(i, x)| sign(i) * x).collect();
            let (ahead, back) = (ask(law, v, n, z), ask(law, -v, n, &back));
            close(-ahead[0], back[0]) && (0..k).all(|i| close(sign(i) * ahead[1 + i], back[1 + i]))
        })
    })
}
