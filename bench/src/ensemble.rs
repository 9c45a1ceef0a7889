//! W1e: the slider over a grid of velocities and stiffnesses.
use crate::clock::{Bench, Enough, Job, Measured};
use crate::options::Options;
use crate::slider::{Reference, Slider, end};
use crate::table::{Row, time};
use stickslip::prelude::*;

/// Ours: the error of every pair stays below `ACCURACY`.
const RTOL: f64 = 1e-6;
const PEER_RTOL: f64 = 1e-6;
const ACCURACY: f64 = 1e-4;
/// At most this part of the peer's time.
const BAR: f64 = 0.2;
const TURNS: u32 = 3;
const SLOWEST: usize = 15;

pub fn run(bench: &mut Bench, options: &Options) -> Result<Vec<Row>, String> {
    let chosen: Vec<(usize, Slider)> = Slider::grid().into_iter().enumerate().step_by(options.every).collect();
    let mut jobs: Vec<Job> = vec![];
    for (_, slider) in &chosen {
        jobs.push(slider.ours(RTOL));
        jobs.push(slider.peer("log", PEER_RTOL));
    }
    let measured = bench.measure(&jobs, Enough::Turns(if options.quick { 1 } else { TURNS }));
    let (ours, theirs): (Vec<_>, Vec<_>) = measured.chunks(2).map(|both| (&both[0], &both[1])).unzip();
    println!("\nW1e {} pairs, rtol {RTOL:.0e}, numbalsoda (log) rtol {PEER_RTOL:.0e}", chosen.len());
    let known = Reference::all("w1e")?;
    let ours = Side::of("ours", &chosen, &ours, &known);
    let theirs = Side::of("numbalsoda", &chosen, &theirs, &known);
    if options.detail {
        ours.detail();
    }
    let ratio = theirs.complete().then(|| ours.seconds / theirs.seconds);
    let good = ours.complete() && ours.errors.last().is_none_or(|e| *e <= ACCURACY);
    let per_pair =
        |side: &Side| (side.seconds / side.pairs.len() as f64, side.errors.last().copied().unwrap_or(f64::NAN));
    Ok(vec![Row {
        work: format!("W1e {} pairs, per pair", chosen.len()),
        peer: theirs.complete().then(|| per_pair(&theirs)),
        ours: (!ours.pairs.is_empty()).then(|| per_pair(&ours)),
        ratio,
        bar: format!("{BAR} of numbalsoda, no failure, error {ACCURACY:.0e}"),
        // Wrong answers fail without a peer as well.
        met: if good { ratio.map(|r| r <= BAR) } else { Some(false) },
    }])
}

/// All pairs of one side.
struct Side<'a> {
    /// Sum over the pairs of the shortest times.
    seconds: f64,
    /// Errors of the pairs with a reference, beyond what the reference itself is known to; rising.
    errors: Vec<f64>,
    failed: usize,
    pairs: Vec<(Slider, &'a Measured, Option<f64>)>,
}

impl Side<'_> {
    fn of<'a>(
        who: &str,
        chosen: &[(usize, Slider)],
        runs: &[&'a Result<Measured, String>],
        known: &[Reference],
    ) -> Side<'a> {
        let mut side = Side { seconds: 0.0, errors: vec![], failed: 0, pairs: vec![] };
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
                (Some(end), Some(r)) => Some((r.error(end) - r.difference).max(0.0)),
                (Some(_), None) => None,
            };
            side.errors.extend(error);
            side.pairs.push((*slider, run, error));
        }
        side.errors.sort_by(f64::total_cmp);
        let at = |part: usize| side.errors.get((side.errors.len() * part / 100).min(side.errors.len().max(1) - 1));
        let shown = |e: Option<&f64>| e.map_or("none".into(), |e| format!("{e:.1e}"));
        println!(
            "  {who}: {} in all, {} failed; error of {} pairs: median {}, 90 % {}, largest {}",
            time(side.seconds),
            side.failed,
            side.errors.len(),
            shown(at(50)),
            shown(at(90)),
            shown(side.errors.last())
        );
        side
    }

    fn complete(&self) -> bool {
        self.failed == 0
    }

    /// What the slowest pairs cost, and the sums over all.
    fn detail(&self) {
        let mut pairs: Vec<_> = self.pairs.iter().collect();
        pairs.sort_by(|a, b| b.1.best.total_cmp(&a.1.best));
        println!("  slowest:");
        for (slider, run, error) in pairs.iter().take(SLOWEST) {
            let error = error.map_or(String::new(), |e| format!(" error {e:.1e}"));
            println!("    {}  {:>10}  {}{error}", slider.shown(), time(run.best), work(run.outcome()));
        }
        let share: f64 = pairs.iter().take(100).map(|p| p.1.best).sum::<f64>() / self.seconds;
        println!("  the slowest 100 pairs take {:.0} % of the time", 100.0 * share);
        let count = |of: fn(&Outcome) -> u64| pairs.iter().filter_map(|p| p.1.outcome()).map(of).sum::<u64>();
        println!(
            "  all: steps {} rejected {} newton {} failures {} jacobians {}; {:.0} ns a step; not ok: {}",
            count(|o| o.health.steps),
            count(|o| o.health.rejected),
            count(|o| o.health.newton_iterations),
            count(|o| o.health.newton_failures),
            count(|o| o.health.jacobians),
            1e9 * self.seconds / count(|o| o.health.steps) as f64,
            count(|o| u64::from(o.status != Status::Ok)),
        );
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
