//! One Hopf curve, from a point of it both ways.
use crate::sliding::{Criticality, EDGE, Kind, Sliding, at_hopf, stopped};
use stickslip_data::{Outcome, Status};
use stickslip_model::Context;
use stickslip_solve::continuation::trace::Tracer;
use stickslip_solve::continuation::{Curve as _, Family, HopfCurve, Settings, Trouble};

/// First and shortest step, as parts of the longest.
const FIRST: f64 = 0.1;
const LEAST: f64 = 1e-8;
/// Most points of one curve, for every step of a range.
const MOST: usize = 100;
/// Places and frequencies this near are one point.
const SAME: f64 = 1e-4;
/// Parameters that stand still while the frequency falls: it goes to zero there.
const STANDING: f64 = 1e-10;
/// Points before a curve may be closed.
const OPEN: usize = 8;

/// A point from which to follow.
pub struct Start {
    /// Variables, two places, ln omega.
    pub u: Vec<f64>,
}

/// A point of a curve.
#[derive(Clone)]
pub struct Row {
    /// Variables, two places, ln omega.
    pub u: Vec<f64>,
    /// Its normal form; none where that is not known.
    pub form: Option<Criticality>,
}

impl Row {
    /// The places of both parameters.
    pub fn parameters(&self) -> [f64; 2] {
        let n = self.u.len() - 3;
        [self.u[n], self.u[n + 1]]
    }

    /// ln omega.
    pub fn frequency(&self) -> f64 {
        self.u[self.u.len() - 1]
    }

    /// The kind.
    pub fn kind(&self) -> Kind {
        self.form.map_or(Kind::Undecided, |form| form.kind())
    }
}

/// Why a curve ends.
pub struct End {
    /// A word.
    pub reason: &'static str,
    /// What happened.
    pub text: String,
    /// Places of the parameters.
    pub at: [f64; 2],
}

/// A Hopf curve.
pub struct Curve {
    /// Its points, in order.
    pub points: Vec<Row>,
    /// Its ends; one for a closed curve.
    pub ends: Vec<End>,
    /// Why some points have no normal form.
    pub unknown: Option<String>,
}

/// Whether a point lies on curves that are known.
pub fn lies_on(start: &Start, curves: &[Curve]) -> bool {
    let row = Row { u: start.u.clone(), form: None };
    let (place, frequency) = (row.parameters(), row.frequency());
    let near = |w: &[Row]| {
        let [p, q] = [w[0].parameters(), w[1].parameters()];
        let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
        let square = dx * dx + dy * dy;
        let part = ((place[0] - p[0]) * dx + (place[1] - p[1]) * dy) / square.max(f64::MIN_POSITIVE);
        let part = part.clamp(0.0, 1.0);
        let apart = (place[0] - p[0] - part * dx).hypot(place[1] - p[1] - part * dy);
        let omega = w[0].frequency() + part * (w[1].frequency() - w[0].frequency());
        apart < SAME && (frequency - omega).abs() < SAME.sqrt()
    };
    curves.iter().any(|c| c.points.windows(2).any(near))
}

/// Follows the curve through a point to its ends.
pub fn follow(
    family: &mut Sliding,
    start: Start,
    points: usize,
    context: &Context,
    out: &mut Outcome,
) -> Result<Curve, String> {
    let most = 1.0 / points as f64;
    let settings = Settings { first: FIRST * most, most, least: LEAST * most };
    let n = family.dim();
    let omega = start.u[n + 2].exp();
    let place = [start.u[n], start.u[n + 1]];
    let mut curve = HopfCurve::new(family, &place, &[0, 1], &start.u[..n], omega)?;
    let mut unknown = None;
    let mut row = |curve: &mut HopfCurve<'_, Sliding<'_>>, u: Vec<f64>| {
        let form = at_hopf(curve, &u).map_err(|e| unknown.get_or_insert(e)).ok();
        Row { u, form }
    };
    let toward = |k: usize| -> Vec<f64> { (0..n + 3).map(|i| if i == n + k { 1.0 } else { 0.0 }).collect() };
    let tracer = Tracer::new(&mut curve, start.u.clone(), &toward(0), settings);
    let first = tracer.or_else(|_| Tracer::new(&mut curve, start.u.clone(), &toward(1), settings));
    let first = first.map_err(|e| e.to_string())?;
    let middle = row(&mut curve, start.u.clone());
    let mut halves: Vec<Vec<Row>> = vec![];
    let mut ends = vec![];
    for way in [-1.0, 1.0] {
        let mut tracer = first.clone();
        tracer.point.tangent.iter_mut().for_each(|t| *t *= way);
        let mut rows: Vec<Row> = vec![];
        let end = loop {
            if stopped(context, out) {
                break End { reason: "stopped", text: "the run was stopped".into(), at: last(&rows, &middle) };
            }
            if rows.len() > MOST * points {
                out.worsen(Status::Partial, "a Hopf curve has no end");
                break End { reason: "points", text: "the curve has no end".into(), at: last(&rows, &middle) };
            }
            let before = tracer.clone();
            let done = tracer.advance(&mut curve);
            out.health.steps += 1;
            if let Err(e) = done {
                break lost(e, last(&rows, &middle), out);
            }
            let u = tracer.point.u.clone();
            let from = rows.last().unwrap_or(&middle);
            let place = [u[n], u[n + 1]];
            if place.iter().any(|p| *p < -EDGE || *p > 1.0 + EDGE) {
                let (at, end) = landed(&before, &mut curve, &u, n);
                rows.extend(at.filter(|at| *at != from.u).map(|at| row(&mut curve, at)));
                break end;
            }
            let old = from.parameters();
            let moved = (place[0] - old[0]).abs() + (place[1] - old[1]).abs();
            let fell = u[n + 2] < from.frequency();
            context.report(0.2 + 0.8 * place[0].max(place[1]).clamp(0.0, 1.0));
            rows.push(row(&mut curve, u));
            if moved < STANDING && fell {
                let text = "the frequency goes to zero: steady sliding has a fold there (Bogdanov-Takens)";
                break End { reason: "frequency", text: text.into(), at: place };
            }
            if rows.len() > OPEN && closes(&middle, &rows) {
                rows.push(middle.clone());
                break End { reason: "closed", text: "the curve is closed".into(), at: middle.parameters() };
            }
        };
        out.health.newton_iterations += tracer.counts[0];
        out.health.rejected += tracer.counts[1];
        let closed = end.reason == "closed";
        ends.push(end);
        halves.push(rows);
        if closed {
            break;
        }
    }
    let mut all: Vec<Row> = halves[0].iter().rev().cloned().collect();
    all.push(middle);
    all.extend(halves.into_iter().skip(1).flatten());
    // From the lower end of the first range, so that the order does not depend on where it was found.
    if all[0].parameters()[0] > all[all.len() - 1].parameters()[0] {
        all.reverse();
        ends.reverse();
    }
    Ok(Curve { points: all, ends, unknown })
}

fn last(rows: &[Row], middle: &Row) -> [f64; 2] {
    rows.last().unwrap_or(middle).parameters()
}

/// Whether the last step passed the point where all began.
fn closes(middle: &Row, rows: &[Row]) -> bool {
    let [a, b] = [&rows[rows.len() - 2], &rows[rows.len() - 1]];
    let at = |row: &Row| [row.parameters()[0], row.parameters()[1], row.frequency()];
    let (a, b, m) = (at(a), at(b), at(middle));
    let step: f64 = (0..3).map(|i| (b[i] - a[i]).powi(2)).sum();
    let along: f64 = (0..3).map(|i| (b[i] - a[i]) * (m[i] - a[i])).sum::<f64>() / step.max(f64::MIN_POSITIVE);
    let off: f64 = (0..3).map(|i| (m[i] - a[i] - along * (b[i] - a[i])).powi(2)).sum();
    (0.0..=1.0).contains(&along) && off.sqrt() < 0.1 * step.sqrt()
}

/// The point at the edge of the ranges that the last step has passed first.
fn landed(before: &Tracer, curve: &mut HopfCurve<'_, Sliding<'_>>, u: &[f64], n: usize) -> (Option<Vec<f64>>, End) {
    let old = &before.point.u;
    let mut edges = vec![];
    for k in [n, n + 1] {
        let bound = if u[k] > old[k] { 1.0 } else { 0.0 };
        let part = (bound - old[k]) / (u[k] - old[k]);
        if (0.0..=1.0).contains(&part) {
            edges.push((part, k, bound));
        }
    }
    edges.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, k, bound) in edges {
        if (old[k] - bound).abs() <= EDGE {
            return (None, End { reason: "range", text: "the edge of the ranges".into(), at: [old[n], old[n + 1]] });
        }
        if let Ok(at) = before.landed(curve, k, bound)
            && [n, n + 1].iter().all(|k| at[*k] >= -EDGE && at[*k] <= 1.0 + EDGE)
        {
            curve.kept(&at);
            let place = [at[n], at[n + 1]];
            return (Some(at), End { reason: "range", text: "the edge of the ranges".into(), at: place });
        }
    }
    let text = "Newton's method does not converge on the edge of the ranges".into();
    (None, End { reason: "no-convergence", text, at: [old[n], old[n + 1]] })
}

fn lost(e: Trouble, at: [f64; 2], out: &mut Outcome) -> End {
    match e {
        Trouble::Lost(text) => End { reason: "equilibrium", text, at },
        Trouble::NotConverged(_) => {
            out.worsen(Status::Partial, format!("a Hopf curve was lost: {e}"));
            End { reason: "no-convergence", text: e.to_string(), at }
        }
    }
}
