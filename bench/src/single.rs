//! W1: one run of the slider, at equal achieved error.
use crate::clock::{Bench, Job, Measured};
use crate::envelope::{Point, envelope, seconds_at, without_luck};
use crate::options::Options;
use crate::slider::{Reference, end};
use crate::table::{Row, time};

const OURS: [f64; 8] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];
const PEER: [f64; 6] = [1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];
/// The form with ln phi, and the plain one.
const FORMS: [&str; 2] = ["log", "phi"];
/// Errors at which times are compared.
const RANGE: std::ops::RangeInclusive<f64> = 1e-7..=1e-4;
/// At most this part of the peer's time.
const BAR: f64 = 0.5;

pub fn run(bench: &mut Bench, options: &Options) -> Result<Vec<Row>, String> {
    let mut rows = vec![];
    let known = Reference::all("w1")?;
    let cases = known.iter().enumerate().filter(|(k, _)| options.takes(*k));
    for (_, reference) in cases.take(if options.quick { 1 } else { usize::MAX }) {
        rows.extend(case(bench, options, reference));
    }
    Ok(rows)
}

fn case(bench: &mut Bench, options: &Options, reference: &Reference) -> Vec<Row> {
    let slider = reference.of;
    // Ours and theirs take turns along both ladders.
    let mut jobs: Vec<(String, f64, Job)> = vec![];
    for (i, rtol) in OURS.into_iter().enumerate() {
        if options.rtol.is_none_or(|only| only == rtol) {
            jobs.push(("ours".into(), rtol, slider.ours(rtol)));
        }
        if let Some(rtol) = PEER.get(i) {
            for form in FORMS {
                jobs.push((form.into(), *rtol, slider.peer(form, *rtol)));
            }
        }
    }
    let (labels, jobs): (Vec<_>, Vec<_>) = jobs.into_iter().map(|(who, rtol, job)| ((who, rtol), job)).unzip();
    let measured = bench.measure(&jobs, Bench::rule(options));
    println!("\nW1 {}, {:.4e} s (reference known to {:.0e})", slider.shown(), slider.duration, reference.difference);
    let ladder = |who: &str| {
        let mut points = vec![];
        for ((_, rtol), found) in labels.iter().zip(&measured).filter(|((w, _), _)| w == who) {
            match point(found, reference) {
                Ok(p) => {
                    println!(
                        "  {who:4} rtol {rtol:.0e}  {:>12}  error {:.1e}{}",
                        time(p.seconds),
                        p.error,
                        work(found)
                    );
                    points.push(p);
                }
                Err(why) => println!("  {who:4} rtol {rtol:.0e}  {why}"),
            }
        }
        points
    };
    let ours = ladder("ours");
    let theirs = FORMS.map(|form| (form, ladder(form)));
    theirs.into_iter().flat_map(|(form, points)| compare(&slider.shown(), form, &ours, &points)).collect()
}

fn point(found: &Result<Measured, String>, reference: &Reference) -> Result<Point, String> {
    let run = found.as_ref().map_err(|why| format!("not shown: {why}"))?;
    let end = end(run).ok_or_else(|| match run.outcome() {
        Some(outcome) => format!("failed: {}", outcome.reason.as_deref().unwrap_or("no finite end state")),
        None => "failed: no finite end state".into(),
    })?;
    Ok(Point { error: reference.error(end), seconds: run.best })
}

fn work(found: &Result<Measured, String>) -> String {
    let outcome = found.as_ref().ok().and_then(Measured::outcome);
    outcome.map_or(String::new(), |o| {
        let h = &o.health;
        let (steps, bad, newton) = (h.steps, h.rejected, h.newton_iterations);
        format!("  {} steps {steps} rejected {bad} newton {newton} jacobians {}", o.status, h.jacobians)
    })
}

/// The worst and the median ratio over the peer's ladder.
fn compare(name: &str, form: &str, ours: &[Point], theirs: &[Point]) -> Vec<Row> {
    let bar = format!("{BAR} of numbalsoda");
    let plain = ratios(ours, theirs);
    let (Some(worst), Some(middle)) = (plain.last(), upper_median(&plain)) else {
        let work = format!("W1 {name} ({form})");
        return vec![Row { work, bar, ..Row::default() }];
    };
    let lasting = ratios(&without_luck(ours), &without_luck(theirs));
    if let (Some((_, worst)), Some((_, middle))) = (lasting.last(), upper_median(&lasting)) {
        println!("  {form}: ratios with the largest error of all tighter runs: worst {worst:.3}, median {middle:.3}");
    }
    let row = |what: String, (peer, ratio): &(Point, f64)| Row {
        work: format!("W1 {name} ({form}) {what}"),
        peer: Some((peer.seconds, peer.error)),
        ours: ratio.is_finite().then_some((peer.seconds * ratio, peer.error)),
        ratio: Some(*ratio),
        bar: bar.clone(),
        met: Some(*ratio <= BAR),
    };
    vec![row(format!("worst of {}", plain.len()), worst), row("median".into(), middle)]
}

/// For each run of the peer in the range: it, and our time at its error over its time. In rising order of the ratio.
fn ratios(ours: &[Point], theirs: &[Point]) -> Vec<(Point, f64)> {
    let lower = envelope(ours);
    let asked = theirs.iter().filter(|p| RANGE.contains(&p.error));
    let ratio = |p: &Point| (*p, seconds_at(&lower, p.error).map_or(f64::INFINITY, |s| s / p.seconds));
    let mut all: Vec<_> = asked.map(ratio).collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    all
}

fn upper_median(sorted: &[(Point, f64)]) -> Option<&(Point, f64)> {
    sorted.get(sorted.len() / 2)
}
