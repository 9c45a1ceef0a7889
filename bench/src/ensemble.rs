//! W1e: the slider over a grid of velocities and stiffnesses.
use crate::clock::{Bench, Enough, Job, Measured};
use crate::options::Options;
use crate::slider::{Reference, Slider, end};
use crate::table::{Row, time};
use std::collections::BTreeMap;
use stickslip::prelude::*;

/// Tolerances of ours, one by one and in lanes: one at which our errors are below the peer's, its own, and one at which all
/// pairs are within `ACCURACY`, those near the onset of stick-slip too, which amplify errors.
const ALONE: [f64; 1] = [1e-5];
const LANES: [f64; 3] = [1e-5, 1e-6, 1e-7];
const PEER_RTOL: f64 = 1e-6;
/// A tolerance of the peer and one of ours at which both are about as accurate; taken by the pairs with a reference alone.
const PEER_TIGHT: f64 = 1e-8;
const EQUAL: f64 = 1e-7;
const ACCURACY: f64 = 1e-4;
/// No pair may be off by more tolerances than this.
const MOST_TOLERANCES: f64 = 1e3;
/// Parts of the errors, in hundredths, that are compared.
const COMPARED: [usize; 3] = [50, 90, 100];
/// At most this part of the peer's time, one by one and in lanes.
const BAR: [f64; 2] = [0.5, 0.1];
const TURNS: u32 = 3;
/// Lines of a list of details.
const LISTED: usize = 10;

pub fn run(bench: &mut Bench, options: &Options) -> Result<Vec<Row>, String> {
    let known = Reference::all("w1e")?;
    let mut chosen: Vec<(usize, Slider)> = Slider::grid().into_iter().enumerate().step_by(options.every).collect();
    if options.known {
        chosen.retain(|(i, _)| known.iter().any(|r| r.pair == Some(*i)));
    }
    let or_given = |list: &[f64]| options.rtol.map_or(list.to_vec(), |rtol| vec![rtol]);
    let turns = if options.quick { 1 } else { TURNS };
    let ours = |rtol: f64| -> Vec<Job> { chosen.iter().map(|(_, slider)| slider.ours(rtol)).collect() };
    let peers: Vec<Job> = chosen.iter().map(|(_, slider)| slider.peer("log", PEER_RTOL)).collect();
    let alone = if options.takes(0) { or_given(&ALONE) } else { vec![] };
    // Both sides take turns pair by pair.
    let one_by_one: Vec<Vec<Job>> = alone.iter().map(|rtol| ours(*rtol)).collect();
    let mut jobs = vec![];
    let mut columns: Vec<_> = std::iter::once(peers).chain(one_by_one).map(Vec::into_iter).collect();
    for _ in 0..chosen.len() {
        jobs.extend(columns.iter_mut().filter_map(Iterator::next));
    }
    let measured = bench.measure(&jobs, Enough::Turns(turns));
    println!("\nW1e {} pairs", chosen.len());
    let column =
        |k: usize| -> Vec<&Result<Measured, String>> { measured.iter().skip(k).step_by(1 + alone.len()).collect() };
    let peer_runs = column(0);
    let theirs = Side::of(&format!("numbalsoda (log) rtol {PEER_RTOL:.0e}"), &chosen, &peer_runs, &known);
    let mut rows = vec![];
    let mut add = |how: &str, rtol: f64, runs: &[&Result<Measured, String>], bar: f64| {
        let who = format!("ours {how}, rtol {rtol:.0e}");
        let side = Side::of(&who, &chosen, runs, &known);
        if options.detail {
            side.detail(&who);
        }
        rows.push(compare(how, rtol, (bar, "numbalsoda"), chosen.len(), &side, &theirs));
    };
    for (k, rtol) in alone.iter().enumerate() {
        add("one by one", *rtol, &column(k + 1), BAR[0]);
    }
    for rtol in if options.takes(1) { or_given(&LANES) } else { vec![] } {
        let together = Bench::measure_together(&ours(rtol), turns);
        add("in lanes", rtol, &together.iter().collect::<Vec<_>>(), BAR[1]);
    }
    if options.detail {
        theirs.detail("numbalsoda");
    }
    if options.takes(2) {
        rows.push(at_equal_error(bench, options, &chosen, &known, turns));
    }
    Ok(rows)
}

/// The pairs with a reference, the peer at a tolerance at which it is about as accurate.
fn at_equal_error(
    bench: &mut Bench,
    options: &Options,
    chosen: &[(usize, Slider)],
    known: &[Reference],
    turns: u32,
) -> Row {
    let chosen: Vec<_> = chosen.iter().copied().filter(|(i, _)| known.iter().any(|r| r.pair == Some(*i))).collect();
    let rtol = options.rtol.unwrap_or(EQUAL);
    let peers: Vec<Job> = chosen.iter().map(|(_, slider)| slider.peer("log", PEER_TIGHT)).collect();
    let ours: Vec<Job> = chosen.iter().map(|(_, slider)| slider.ours(rtol)).collect();
    let (theirs, ours) = (bench.measure(&peers, Enough::Turns(turns)), Bench::measure_together(&ours, turns));
    let who = format!("numbalsoda (log) rtol {PEER_TIGHT:.0e}");
    let theirs = theirs.iter().collect::<Vec<_>>();
    let ours = ours.iter().collect::<Vec<_>>();
    println!("  {} pairs with a reference:", chosen.len());
    let theirs = Side::of(&who, &chosen, &theirs, known);
    let ours = Side::of(&format!("ours in lanes, rtol {rtol:.0e}"), &chosen, &ours, known);
    compare("in lanes", rtol, (BAR[1], &who), chosen.len(), &ours, &theirs)
}

fn compare(how: &str, rtol: f64, (bar, who): (f64, &str), count: usize, ours: &Side, theirs: &Side) -> Row {
    // Times are compared over the pairs that both completed.
    let both: Vec<_> = ours.done.iter().filter_map(|(i, t)| theirs.done.get(i).map(|u| (t, u))).collect();
    let ratio = both.iter().map(|b| b.0).sum::<f64>() / both.iter().map(|b| b.1).sum::<f64>();
    let ratio = (!both.is_empty()).then_some(ratio);
    let no_larger = |part: &usize| match (ours.error_at(*part), theirs.error_at(*part)) {
        (Some(mine), Some(other)) => mine <= other,
        (mine, None) => mine.is_some(),
        (None, _) => false,
    };
    // Wrong answers fail beside a peer that is wrong too, and without one.
    let right = ours.errors.iter().all(|e| *e <= MOST_TOLERANCES * rtol);
    let good = ours.failed == 0 && right && COMPARED.iter().all(no_larger);
    Row {
        work: format!("W1e {count} pairs {how}, rtol {rtol:.0e}, per pair"),
        peer: theirs.per_pair(),
        ours: ours.per_pair(),
        ratio,
        bar: format!("{bar} of {who}, no failure, no larger errors, {MOST_TOLERANCES} rtol"),
        met: if good { ratio.map(|r| r <= bar) } else { Some(false) },
    }
}

struct Pair<'a> {
    of: Slider,
    run: &'a Measured,
    /// Where there is a reference: the error, and how well the reference is known.
    error: Option<(f64, f64)>,
}

/// All pairs of one side.
struct Side<'a> {
    /// Sum over the pairs of the shortest times.
    seconds: f64,
    /// Errors of the pairs with a reference, beyond what the reference itself is known to; rising.
    errors: Vec<f64>,
    failed: usize,
    /// Seconds of each pair that was completed.
    done: BTreeMap<usize, f64>,
    pairs: Vec<Pair<'a>>,
}

impl Side<'_> {
    fn of<'a>(
        who: &str,
        chosen: &[(usize, Slider)],
        runs: &[&'a Result<Measured, String>],
        known: &[Reference],
    ) -> Side<'a> {
        let mut side = Side { seconds: 0.0, errors: vec![], failed: 0, done: BTreeMap::new(), pairs: vec![] };
        if let Some(Err(why)) = runs.first()
            && runs.iter().all(|r| r.is_err())
        {
            println!("  {who}: not shown: {why}");
            side.failed = runs.len();
            return side;
        }
        for ((pair, slider), run) in chosen.iter().zip(runs) {
            let run = match run {
                Ok(run) => run,
                Err(why) => {
                    side.failed += 1;
                    println!("  {who} {}: {why}", slider.shown());
                    continue;
                }
            };
            side.seconds += run.best;
            let reference = known.iter().find(|r| r.pair == Some(*pair));
            let error = match (end(run), reference) {
                (None, _) => {
                    side.failed += 1;
                    let reason = run.outcome().and_then(|o| o.reason.as_deref()).unwrap_or("no finite end state");
                    println!("  {who} failed: {}: {reason}", slider.shown());
                    None
                }
                (Some(end), Some(r)) => Some(((r.error(end) - r.difference).max(0.0), r.difference)),
                (Some(_), None) => None,
            };
            if end(run).is_some() {
                side.done.insert(*pair, run.best);
            }
            side.errors.extend(error.map(|e| e.0));
            side.pairs.push(Pair { of: *slider, run, error });
        }
        side.errors.sort_by(f64::total_cmp);
        let beyond = side.errors.iter().filter(|e| **e > ACCURACY).count();
        let shown = |part: usize| side.error_at(part).map_or("none".into(), |e| format!("{e:.1e}"));
        println!(
            "  {who}: {} in all, {} failed; error of {} pairs: median {}, 90 % {}, largest {}, {beyond} beyond {ACCURACY:.0e}",
            time(side.seconds),
            side.failed,
            side.errors.len(),
            shown(50),
            shown(90),
            shown(100)
        );
        side
    }

    /// The error that this part of the pairs, in hundredths, does not exceed.
    fn error_at(&self, part: usize) -> Option<f64> {
        self.errors.get((self.errors.len() * part / 100).min(self.errors.len().max(1) - 1)).copied()
    }

    /// Mean seconds of a completed pair, and the largest error.
    fn per_pair(&self) -> Option<(f64, f64)> {
        let sum: f64 = self.done.values().sum();
        let error = self.errors.last().copied().unwrap_or(f64::NAN);
        (!self.done.is_empty()).then(|| (sum / self.done.len() as f64, error))
    }

    /// What the slowest pairs cost, and the sums over all.
    fn detail(&self, who: &str) {
        if self.pairs.is_empty() {
            return;
        }
        let mut pairs: Vec<_> = self.pairs.iter().collect();
        pairs.sort_by(|a, b| b.run.best.total_cmp(&a.run.best));
        println!("  {who}, slowest:");
        for p in pairs.iter().take(LISTED) {
            println!("    {}  {:>10}  {}", p.of.shown(), time(p.run.best), work(p.run.outcome()));
        }
        let share: f64 = pairs.iter().take(pairs.len() / 10).map(|p| p.run.best).sum::<f64>() / self.seconds;
        println!("    the slowest tenth takes {:.0} % of the time", 100.0 * share);
        let mut known: Vec<_> = self.pairs.iter().filter_map(|p| Some((p.of, p.error?))).collect();
        known.sort_by(|a, b| b.1.0.total_cmp(&a.1.0));
        println!("  {who}, largest errors:");
        for (of, (error, difference)) in known.iter().take(LISTED) {
            println!("    {}  {error:.1e}, reference known to {difference:.0e}", of.shown());
        }
        let outcomes: Vec<&Outcome> = pairs.iter().filter_map(|p| p.run.outcome()).collect();
        let sum = |of: fn(&Outcome) -> u64| outcomes.iter().map(|o| of(o)).sum::<u64>();
        let steps = sum(|o| o.health.steps);
        if steps > 0 {
            println!(
                "  {who}: steps {steps} rejected {} newton {} failures {} jacobians {}; {:.0} ns a step; not ok: {}",
                sum(|o| o.health.rejected),
                sum(|o| o.health.newton_iterations),
                sum(|o| o.health.newton_failures),
                sum(|o| o.health.jacobians),
                1e9 * self.seconds / steps as f64,
                sum(|o| u64::from(o.status != Status::Ok)),
            );
        }
    }
}

fn work(outcome: Option<&Outcome>) -> String {
    outcome.map_or(String::new(), |o| {
        let h = &o.health;
        let (bad, newton, failures) = (h.rejected, h.newton_iterations, h.newton_failures);
        format!(
            "{} steps {} rejected {bad} newton {newton} failures {failures} jacobians {}",
            o.status, h.steps, h.jacobians
        )
    })
}
