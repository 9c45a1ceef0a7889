//! What is said of a parameter that the data do not determine: why, and which data would.
use crate::records::{Of, Record};
use crate::report::uncertainty::{Known, SHARE};
use crate::unknowns::Unknown;
use stickslip_model::Model;

/// From this correlation on two parameters are hardly distinguished.
const HARDLY: f64 = 0.9;
/// The motion that no drive changes.
const FREE: &str = "free-decay";
/// Beyond this a factor is not worth a number.
const MANY_TIMES: f64 = 1000.0;

/// A sentence about a parameter that the data do not determine, with the way out; parameters of which a combination alone is determined
/// share theirs.
pub fn sentence(k: usize, known: &Known, unknowns: &[Unknown], records: &[Record], model: &Model) -> String {
    let path = &unknowns[k].path;
    let would = || data_that_would(path, records, model);
    let (why, way) = if known.errors[k].is_finite() {
        let row = &known.correlation[k];
        let most = (0..row.len()).filter(|j| *j != k).max_by(|a, b| row[*a].abs().total_cmp(&row[*b].abs()));
        let smaller = smaller(known.t * known.errors[k]);
        match most.filter(|j| row[*j].abs() > HARDLY) {
            Some(j) => (
                format!("a change of it is nearly undone by one of `{}`", unknowns[j].path),
                format!("Fix one of them; or give records that leave residuals {smaller} smaller."),
            ),
            None => {
                ("the noise hides what it does".into(), format!("{} So would residuals {smaller} smaller.", would()))
            }
        }
    } else {
        let (all, count) = combined(k, known);
        if all.len() > 1 {
            let names: Vec<String> = all.iter().map(|j| format!("`{}`", unknowns[*j].path)).collect();
            let rest = if all.len() > 2 { "the others" } else { "the other" };
            let fix = if count == 1 { "one".into() } else { count.to_string() };
            return format!(
                "{} can't be distinguished by these data: a change of one is undone by {rest}, and only a combination is \
                 determined. Fix {fix} of them.",
                names.join(", ")
            );
        }
        ("nothing in these records depends on it".into(), would())
    };
    format!("`{path}` can't be determined from these data: {why}. {way}")
}

/// How much smaller residuals must be.
fn smaller(times: f64) -> String {
    if times < MANY_TIMES { format!("{:.0} times", times.ceil().max(2.0)) } else { "very much".into() }
}

/// The parameters that can't be distinguished from one, that one among them, and how many of them must be fixed.
///
/// P, which takes the part of a change that the records do not feel, falls into blocks: one for each set of parameters
/// of which only combinations are determined. The trace of a block is the number of directions that are not felt.
fn combined(k: usize, known: &Known) -> (Vec<usize>, usize) {
    let n = known.errors.len();
    let unfelt = |i: usize, j: usize| known.unfelt.iter().map(|v| v[i] * v[j]).sum::<f64>();
    let mixed = |i: usize, j: usize| {
        let (a, b) = (unfelt(i, i), unfelt(j, j));
        // One that is not felt at all mixes with no other.
        let whole = |x: f64| x > 1.0 - SHARE * SHARE;
        !known.errors[j].is_finite() && !whole(a) && !whole(b) && unfelt(i, j).abs() > SHARE * (a * b).sqrt()
    };
    let mut block = vec![k];
    let mut at = 0;
    while at < block.len() {
        let more: Vec<usize> = (0..n).filter(|j| !block.contains(j) && mixed(block[at], *j)).collect();
        block.extend(more);
        at += 1;
    }
    let count = block.iter().map(|i| unfelt(*i, *i)).sum::<f64>().round() as usize;
    block.sort_unstable();
    let most = (block.len() - 1).max(1);
    (block, count.clamp(1, most))
}

/// Data that would tell a parameter, by what it belongs to and what is there already.
fn data_that_would(path: &str, records: &[Record], model: &Model) -> String {
    if path.starts_with("records[") {
        return "A longer record, or one with more rows before and after its steps, would determine it.".into();
    }
    let has = |of: Of| records.iter().any(|r| r.of() == of);
    let stepped = records.iter().any(|r| r.of() == Of::Motion && r.kind_name() != FREE);
    let friction = path.starts_with("contact") && !path.contains(".normal.");
    let all =
        |claim: &dyn Fn(stickslip_laws::Claims) -> bool| model.contacts.iter().all(|c| claim(c.friction.claims()));
    let remembers = !all(&|c| c.memoryless);
    let text = if path.contains(".normal.") {
        match has(Of::Approach) {
            true => "Approaches over a wider range would determine it.",
            false => "A record of approach and pressure, or records under other loads, would determine it.",
        }
    } else if !friction {
        match (has(Of::Motion), stepped) {
            (false, _) => {
                "A record of a motion, such as a velocity step or a free decay, sampled \
                 while the force changes, would determine it."
            }
            (true, true) => {
                "A record sampled while the force rises or falls right after a change of the \
                 drive would determine it."
            }
            (true, false) => "A motion in which it plays a larger part would determine it.",
        }
    } else if all(&|c| c.rate_independent) {
        "A record that slides farther, such as one of a larger amplitude, or one with more rows where the motion \
         turns, would determine it."
    } else if stepped {
        "Steps to velocities that differ by a factor of ten or more, or a force-velocity curve over a wide \
         range, would determine it."
    } else if remembers {
        "A velocity step, sampled while friction settles, or a record over a wider range of velocities and \
         displacements, would determine it."
    } else {
        "A record over a wider range of velocities would determine it."
    };
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(unfelt: Vec<Vec<f64>>) -> Known {
        let n = unfelt[0].len();
        let lost = |k: usize| unfelt.iter().any(|v| v[k].abs() > SHARE);
        Known {
            errors: (0..n).map(|k| if lost(k) { f64::INFINITY } else { 0.1 }).collect(),
            correlation: vec![vec![f64::NAN; n]; n],
            t: 2.0,
            units: vec![1.0; n],
            identifiable: (0..n).map(|k| !lost(k)).collect(),
            unfelt,
            freedom: 10.0,
            given: false,
            noise: vec![],
            width: 0,
            directions: vec![],
        }
    }

    #[test]
    fn a_product_leaves_its_factors_together() {
        let half = 0.5f64.sqrt();
        assert_eq!(combined(1, &known(vec![vec![0.0, half, 0.0, -half]])), (vec![1, 3], 1));
        // Three factors: two must be fixed, however the two directions are turned.
        let (third, sixth) = (1.0 / 2f64.sqrt(), 1.0 / 6f64.sqrt());
        let plane = known(vec![vec![third, -third, 0.0], vec![sixth, sixth, -2.0 * sixth]]);
        assert_eq!(combined(0, &plane), (vec![0, 1, 2], 2));
    }

    /// Two parameters that nothing depends on: the plane that they span may have any basis.
    #[test]
    fn what_is_not_felt_at_all_mixes_with_nothing() {
        let (c, s) = (0.8, 0.6);
        let turned = known(vec![vec![c, s, 0.0], vec![-s, c, 0.0]]);
        assert_eq!(combined(0, &turned).0, [0]);
        // A pair whose product alone is determined, beside one that nothing depends on.
        let half = 0.5f64.sqrt();
        let both = known(vec![vec![c * half, c * half, s], vec![-s * half, -s * half, c]]);
        assert_eq!(combined(0, &both), (vec![0, 1], 1));
        assert_eq!(combined(2, &both).0, [2]);
    }
}
