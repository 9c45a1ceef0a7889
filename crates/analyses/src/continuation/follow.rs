//! One segment of steady sliding, from a point to its ends.
use super::others;
use super::special::{self, Special};
use crate::hopf_curve::growing;
use crate::sliding::{EDGE, ModelAt, Sliding, stopped};
use stickslip_data::{Outcome, Status};
use stickslip_model::Context;
use stickslip_solve::continuation::trace::Tracer;
use stickslip_solve::continuation::{Branch, Family, Settings, Trouble, correct, tangent};
use stickslip_solve::eigen::eigenvalues;

/// First and shortest step, as parts of the longest.
const FIRST: f64 = 0.1;
const LEAST: f64 = 1e-8;
/// Most points of one segment, for every step of the range.
const MOST: usize = 50;
/// How far beyond a loss steady sliding is sought again, as a part of the range; and how often.
const BEYOND: f64 = 1e-7;
const MOST_LOSSES: usize = 20;
/// Coordinates before and after that differ by less than this part belong together.
const SAME: f64 = 1e-3;
/// Growth of a coordinate, while the parameter stands still, that has no end.
const UNBOUND: f64 = 100.0;
/// What it means that the parameter stands still: its change as a part of the length.
const STANDING: f64 = 1e-4;
/// Where the parameter changes by less than this part, steps may be so many times longer.
const AWAY: f64 = 1e-2;
const FASTER: f64 = 20.0;
/// Points before a segment may be closed.
const OPEN: usize = 8;

/// A point of a segment.
#[derive(Clone)]
pub struct Row {
    /// Variables, then the place.
    pub u: Vec<f64>,
    /// Which way the branch goes on.
    pub tangent: Vec<f64>,
    /// Eigenvalues, the most unstable first.
    pub values: Vec<[f64; 2]>,
    /// How many disturbances grow.
    pub growing: usize,
}

impl Row {
    /// Spectrum at a point whose Jacobian the branch holds.
    pub fn of(branch: &Branch<'_, Sliding<'_>>, u: Vec<f64>, tangent: Vec<f64>) -> Option<Row> {
        let values = eigenvalues(u.len() - 1, &branch.jac)?;
        Some(Row { growing: growing(&values), u, tangent, values })
    }

    /// The place of the parameter.
    pub fn place(&self) -> f64 {
        self.u[self.u.len() - 1]
    }

    /// The change of the place along the branch.
    pub fn way(&self) -> f64 {
        self.tangent[self.tangent.len() - 1]
    }
}

/// Why a segment ends.
pub struct End {
    /// A word.
    pub reason: &'static str,
    /// What happened.
    pub text: String,
    /// The place.
    pub at: f64,
}

/// A connected piece of the equilibria.
pub struct Segment {
    /// Its points, in order.
    pub rows: Vec<Row>,
    /// What lies between them.
    pub special: Vec<Special>,
    /// Its ends.
    pub ends: Vec<End>,
    /// Number of coordinates.
    pub coordinates: usize,
    /// Contacts without a load, each with how many points have none.
    pub unloaded: Vec<(usize, usize)>,
}

/// What following needs.
pub struct Walk<'w, 'a> {
    /// Longest step is one over this.
    pub points: usize,
    /// Progress and stop.
    pub context: &'w Context<'a>,
    /// The models.
    pub model_at: ModelAt<'w>,
}

impl Walk<'_, '_> {
    /// Follows a point both or one way, what begins again beyond a loss, and all other roots.
    pub fn all(
        &self,
        family: &mut Sliding,
        x: Vec<f64>,
        place: f64,
        ways: &[f64],
        segments: &mut Vec<Segment>,
        out: &mut Outcome,
    ) {
        let Some(first) = self.segment(family, x, place, ways, out) else { return };
        segments.push(first);
        self.beyond(family, segments, out);
        for (x, place) in others::beside(family, segments) {
            if out.status >= Status::Partial || others::is_known(family, segments, &x, place) {
                continue;
            }
            if let Some(segment) = self.segment(family, x, place, &[-1.0, 1.0], out) {
                segments.push(segment);
            }
        }
    }

    /// Goes on where a branch was lost, but steady sliding exists beyond.
    fn beyond(&self, family: &mut Sliding, segments: &mut Vec<Segment>, out: &mut Outcome) {
        for _ in 0..MOST_LOSSES {
            let Some(segment) = segments.last_mut() else { return };
            let (Some(end), Some(row)) = (segment.ends.last(), segment.rows.last()) else { return };
            let ahead = end.at + row.way().signum() * BEYOND;
            if !matches!(end.reason, "equilibrium" | "no-convergence") || !(0.0..=1.0).contains(&ahead) {
                return;
            }
            // Beyond a kink its equations may have another shape: that is a family of its own.
            let Ok((mut other, found)) = Sliding::new(self.model_at, &[ahead]) else { return };
            let way = [row.way().signum()];
            let n = segment.coordinates;
            let (last, next) = (&row.u[..n], &found.x[..n]);
            let most = last.iter().fold(0.0, |m: f64, q| m.max(q.abs()));
            let near = last.iter().zip(next).all(|(a, b)| (a - b).abs() <= SAME * most);
            let same_shape = other.dim() == family.dim();
            let Some(next) = self.segment(&mut other, found.x, ahead, &way, out) else { return };
            if near && same_shape {
                segment.rows.extend(next.rows);
                segment.special.extend(next.special);
                segment.ends.pop();
                segment.ends.extend(next.ends);
            } else {
                segments.push(next);
            }
        }
    }

    /// The segment through a point.
    fn segment(
        &self,
        family: &mut Sliding,
        x: Vec<f64>,
        place: f64,
        ways: &[f64],
        out: &mut Outcome,
    ) -> Option<Segment> {
        let coordinates = family.coordinates;
        let most = 1.0 / self.points as f64;
        let settings = Settings { first: FIRST * most, most, least: LEAST * most };
        let n = x.len();
        let mut u = x;
        u.push(place);
        let row = |way: f64| -> Vec<f64> { (0..=n).map(|i| if i == n { way } else { 0.0 }).collect() };
        let mut branch = Branch::new(family, &[place], 0);
        let first = correct(&mut branch, &mut u, &row(1.0), None).and_then(|_| tangent(&mut branch, &u, &row(1.0)));
        let (first, _) = match first {
            Ok(first) => first,
            Err(e) => {
                out.health.warnings.push(format!("an equilibrium from which no branch goes on: {e}"));
                return None;
            }
        };
        let middle = Row::of(&branch, u, first)?;
        let mut segment = Segment { rows: vec![], special: vec![], ends: vec![], coordinates, unloaded: vec![] };
        for way in ways {
            let (rows, special, end) = self.half(&mut branch, &middle, *way, settings, out);
            if *way < 0.0 {
                segment.rows.extend(rows.into_iter().rev());
                segment.special.extend(special.into_iter().rev());
            } else {
                segment.rows.push(middle.clone());
                segment.rows.extend(rows);
                segment.special.extend(special);
            }
            let closed = end.reason == "closed";
            segment.ends.push(end);
            if closed && *way < 0.0 {
                segment.rows.push(middle.clone());
                break;
            }
        }
        self.note_unloaded(family, &mut segment);
        Some(segment)
    }

    fn note_unloaded(&self, family: &mut Sliding, segment: &mut Segment) {
        let mut counts: Vec<usize> = vec![];
        for row in &segment.rows {
            for contact in family.unloaded(&row.u[..row.u.len() - 1], &[row.place()]) {
                counts.resize(counts.len().max(contact + 1), 0);
                counts[contact] += 1;
            }
        }
        segment.unloaded = counts.into_iter().enumerate().filter(|(_, count)| *count > 0).collect();
    }

    /// One way from a point to the end.
    fn half(
        &self,
        branch: &mut Branch<'_, Sliding<'_>>,
        middle: &Row,
        way: f64,
        settings: Settings,
        out: &mut Outcome,
    ) -> (Vec<Row>, Vec<Special>, End) {
        let n = middle.u.len() - 1;
        let toward: Vec<f64> = middle.tangent.iter().map(|t| t * way).collect();
        let (mut rows, mut special): (Vec<Row>, Vec<Special>) = (vec![], vec![]);
        let mut last = Row { tangent: toward.clone(), ..middle.clone() };
        let mut tracer = match Tracer::new(branch, middle.u.clone(), &toward, settings) {
            Ok(tracer) => tracer,
            Err(e) => return (rows, special, lost(e, middle.place())),
        };
        let mut settled = middle.u.clone();
        let end = loop {
            if stopped(self.context, out) {
                break End { reason: "stopped", text: "the run was stopped".into(), at: last.place() };
            }
            if rows.len() > MOST * self.points {
                out.worsen(Status::Partial, "a branch has no end");
                break End { reason: "points", text: "the branch has no end".into(), at: last.place() };
            }
            let before = tracer.clone();
            if let Err(e) = tracer.advance(branch) {
                break lost(e, last.place());
            }
            out.health.steps += 1;
            let place = tracer.point.u[n];
            let outside = !(-EDGE..=1.0 + EDGE).contains(&place);
            let (u, t) = if outside {
                let bound = if place > 0.5 { 1.0 } else { 0.0 };
                if (last.place() - bound).abs() <= EDGE {
                    break End { reason: "range", text: "the end of the range".into(), at: bound };
                }
                let at = before.landed(branch, n, bound);
                match at.and_then(|at| tangent(branch, &at, &before.point.tangent).map(|(t, _)| (at, t))) {
                    Ok(at) => at,
                    Err(e) => break lost(e, last.place()),
                }
            } else {
                // Its slopes were the last that were asked for.
                (tracer.point.u.clone(), tracer.point.tangent.clone())
            };
            let Some(row) = Row::of(branch, u, t) else {
                break End {
                    reason: "no-convergence",
                    text: "the eigenvalues did not converge".into(),
                    at: last.place(),
                };
            };
            // On the way to infinity nothing changes but rounding.
            if last.way().abs().max(row.way().abs()) > STANDING {
                special::between(branch, &before, &last, &row, &mut special, out);
            }
            self.context.report(if way > 0.0 { row.place() } else { 1.0 - row.place() });
            let closed = rows.len() > OPEN && closes(middle, &last, &row);
            rows.push(row.clone());
            last = row;
            if outside {
                break End { reason: "range", text: "the end of the range".into(), at: last.place() };
            }
            let away = last.way().abs() < AWAY;
            tracer.set_most(if away { FASTER * settings.most } else { settings.most });
            if !away {
                settled.clone_from(&last.u);
            } else if let Some(at) = runs_away(&settled, &rows, branch.family.coordinates) {
                break End { reason: "unbounded", text: "the coordinates grow without bound".into(), at };
            }
            if closed {
                break End { reason: "closed", text: "the branch is closed".into(), at: last.place() };
            }
        };
        out.health.newton_iterations += tracer.counts[0];
        out.health.rejected += tracer.counts[1];
        (rows, special, end)
    }
}

/// Where coordinates become infinite, if they are on their way: x goes with 1/(p* - p).
fn runs_away(settled: &[f64], rows: &[Row], coordinates: usize) -> Option<f64> {
    let [.., a, b] = rows else { return None };
    let grown = |i: &usize| b.u[*i].abs() > UNBOUND * settled[*i].abs() && b.u[*i].abs() > a.u[*i].abs();
    let i = (0..coordinates).filter(grown).max_by(|i, j| b.u[*i].abs().total_cmp(&b.u[*j].abs()))?;
    let ratio = b.u[i] / a.u[i] - 1.0;
    (b.way().abs() < STANDING && ratio > 0.0).then(|| b.place() + (b.place() - a.place()) / ratio)
}

/// Whether the last step passed the point where all began.
fn closes(middle: &Row, a: &Row, b: &Row) -> bool {
    let n = a.u.len();
    let step: f64 = (0..n).map(|i| (b.u[i] - a.u[i]).powi(2)).sum();
    let along: f64 =
        (0..n).map(|i| (b.u[i] - a.u[i]) * (middle.u[i] - a.u[i])).sum::<f64>() / step.max(f64::MIN_POSITIVE);
    let off: f64 = (0..n).map(|i| (middle.u[i] - a.u[i] - along * (b.u[i] - a.u[i])).powi(2)).sum();
    (0.0..=1.0).contains(&along) && off.sqrt() < 0.1 * step.sqrt()
}

fn lost(e: Trouble, at: f64) -> End {
    match e {
        Trouble::Lost(text) => End { reason: "equilibrium", text, at },
        Trouble::NotConverged(_) => End { reason: "no-convergence", text: e.to_string(), at },
    }
}
