//! What becomes of a scenario under an oracle.
use crate::chaos;
use crate::compare::{Difference, Reading, compare};
use crate::draw::Scene;
use crate::oracle::{Oracle, Request, Twin};
use crate::outcome::Verdict;
use crate::run::{Ran, Watch};
use stickslip::prelude::Outcome;

/// Runs the pair and compares.
pub fn judge(oracle: &Oracle, scene: &Scene, watch: &Watch) -> Verdict {
    let Some(twin) = (oracle.twin)(scene) else { return Verdict::Refused("no twin".into()) };
    let left = match outcome(run(watch, &twin.left)) {
        Ok(outcome) => outcome,
        Err(verdict) => return verdict,
    };
    let right = match &twin.right {
        Ok(request) => run(watch, request),
        Err(follow) => match follow(&left) {
            Some(request) => run(watch, &request),
            None => return Verdict::Refused("nothing follows from the first run".into()),
        },
    };
    let right = match right {
        // What one way of writing it is taken, the other is refused.
        Ran::Refused(why) if !oracle.may_be_chaos => {
            return Verdict::Disagreed(format!("the second is refused: {why}"));
        }
        other => match outcome(other) {
            Ok(outcome) => match (twin.view)(&left, &outcome) {
                Ok(seen) => seen,
                Err(why) => return Verdict::Disagreed(why),
            },
            Err(verdict) => return verdict,
        },
    };
    match difference(oracle, scene, &twin, &left, &right) {
        None => Verdict::Agreed,
        Some(d) if oracle.may_be_chaos && tends(oracle, scene, &twin, (&left, &d), watch) => Verdict::Agreed,
        Some(d) if oracle.may_be_chaos => {
            let growth = chaos::growth(&twin.base, watch, &left, &d);
            if chaos::explains(growth, d.size) { Verdict::Chaotic(growth) } else { disagreed(&d, growth) }
        }
        Some(d) => disagreed(&d, f64::NAN),
    }
}

/// Whether what differs does so the less the finer the steps are.
fn tends(oracle: &Oracle, scene: &Scene, twin: &Twin, (left, coarse): (&Outcome, &Difference), watch: &Watch) -> bool {
    let Some(finer) = twin.finer.as_ref().filter(|finer| coarse.size <= finer.most) else { return false };
    let fine = finer.left.as_ref().map(|request| outcome(run(watch, request)));
    let (Ok(right), Ok(fine)) = (outcome(run(watch, &finer.right)), fine.transpose()) else { return false };
    let left = fine.as_deref().unwrap_or(left);
    difference(oracle, scene, twin, left, &right).is_none_or(|fine| fine.size <= finer.left_over * coarse.size)
}

fn disagreed(d: &Difference, growth: f64) -> Verdict {
    let Difference { name, left, right, size, .. } = d;
    let growth = if growth.is_nan() { String::new() } else { format!(", a disturbance grows by {growth:.1e}") };
    Verdict::Disagreed(format!("{name}: {left} and {right}, apart by {size:.1e}{growth}"))
}

fn difference(oracle: &Oracle, scene: &Scene, twin: &Twin, left: &Outcome, right: &Outcome) -> Option<Difference> {
    let reading = Reading { name: &*twin.name, factor: &*twin.factor };
    compare(left, right, &scene.scale, &reading, &oracle.limits)
}

fn run(watch: &Watch, request: &Request) -> Ran {
    let plain = || watch.run(&request.text, &request.sets, request.file.as_ref());
    match request.threads {
        None => plain(),
        Some(n) => match rayon::ThreadPoolBuilder::new().num_threads(n).build() {
            Ok(pool) => pool.install(plain),
            Err(_) => plain(),
        },
    }
}

fn outcome(ran: Ran) -> Result<Box<Outcome>, Verdict> {
    match ran {
        Ran::Done(outcome) => Ok(outcome),
        Ran::Refused(why) => Err(Verdict::Refused(why)),
        Ran::Failed(why) => Err(Verdict::Failed(why)),
        Ran::Slow(why) => Err(Verdict::Slow(why)),
        Ran::Panicked(why) => Err(Verdict::Disagreed(format!("a panic: {why}"))),
    }
}
