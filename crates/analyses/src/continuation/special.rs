//! Points of a branch at which something changes, between two of its points.
use super::follow::Row;
use crate::sliding::{Criticality, Sliding, at_hopf};
use stickslip_data::{Outcome, Status};
use stickslip_solve::continuation::trace::Tracer;
use stickslip_solve::continuation::{Branch, Curve as _, HopfCurve, correct, fold, tangent};
use stickslip_solve::root::Bracket;

/// A real part below this part of its eigenvalue is rounding.
const NEUTRAL: f64 = 1e-11;
/// Halvings of a step in which several things change.
const DEPTH: usize = 16;
/// A change of the place along the branch below this is rounding.
const NO_TURN: f64 = 1e-9;
/// A point is located to this part of the range.
const LOCATED: f64 = 1e-12;
/// Frequencies that differ by less than this part are those of one pair.
const SAME: f64 = 1e-6;
/// A point may lie outside the step by this part of it.
const BESIDE: f64 = 0.05;

/// What changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The branch turns back.
    Fold,
    /// A pair of eigenvalues crosses the imaginary axis.
    Hopf,
    /// A real eigenvalue vanishes and the branch goes on: another one crosses.
    Branch,
}

/// A point at which something changes.
#[derive(Clone, Debug)]
pub struct Special {
    /// What.
    pub what: What,
    /// Variables, then the place.
    pub u: Vec<f64>,
    /// Frequency of a Hopf point.
    pub omega: Option<f64>,
    /// Its normal form.
    pub form: Option<Criticality>,
}

/// Adds what lies between two neighbours, of which the tracer stands at the first.
pub fn between(
    branch: &mut Branch<'_, Sliding<'_>>,
    tracer: &Tracer,
    a: &Row,
    b: &Row,
    found: &mut Vec<Special>,
    out: &mut Outcome,
) {
    let mut look = Look { branch, tracer, found, out };
    let end = look.length(&b.u);
    look.examine((0.0, a), (end, b), DEPTH);
}

struct Look<'l, 'b, 's> {
    branch: &'l mut Branch<'b, Sliding<'s>>,
    tracer: &'l Tracer,
    found: &'l mut Vec<Special>,
    out: &'l mut Outcome,
}

impl Look<'_, '_, '_> {
    /// The length along the tangent at which a point lies.
    fn length(&self, u: &[f64]) -> f64 {
        let mut weights = vec![0.0; u.len()];
        let from = &self.tracer.point;
        self.branch.weights(&from.u, &mut weights);
        (0..u.len()).map(|i| from.tangent[i] * weights[i] * weights[i] * (u[i] - from.u[i])).sum()
    }

    /// The point at some length.
    fn row(&mut self, s: f64) -> Option<Row> {
        let u = self.tracer.at(self.branch, s).ok()?;
        let (t, _) = tangent(self.branch, &u, &self.tracer.point.tangent).ok()?;
        Row::of(self.branch, u, t)
    }

    fn examine(&mut self, (sa, a): (f64, &Row), (sb, b): (f64, &Row), depth: usize) {
        let turns = a.way() * b.way() < 0.0 && a.way().abs().max(b.way().abs()) > NO_TURN;
        let change = a.growing.abs_diff(b.growing);
        if !turns && change == 0 {
            return;
        }
        let done = match (turns, change) {
            (true, 1) => self.fold((sa, a), (sb, b)),
            (false, 1) => self.branch_point((sa, a), (sb, b)),
            (false, change) if change % 2 == 0 => self.hopfs((sa, a), (sb, b)),
            _ => false,
        };
        if done {
            return;
        }
        let middle = 0.5 * (sa + sb);
        match (depth > 0).then(|| self.row(middle)).flatten() {
            Some(row) => {
                self.examine((sa, a), (middle, &row), depth - 1);
                self.examine((middle, &row), (sb, b), depth - 1);
            }
            // Eigenvalues that meet on the axis, as without damping, cross no simple way.
            None if change % 2 == 0 && change > 0 => self.set_in((sa, a), (sb, b)),
            None => self.out.worsen(Status::Partial, "what changes between two points of the branch was not located"),
        }
    }

    fn is_inside(&self, u: &[f64], sa: f64, sb: f64) -> bool {
        let s = self.length(u);
        let room = BESIDE * (sb - sa).abs();
        s >= sa.min(sb) - room && s <= sa.max(sb) + room
    }

    fn fold(&mut self, (sa, a): (f64, &Row), (sb, b): (f64, &Row)) -> bool {
        let near = if a.way().abs() < b.way().abs() { a } else { b };
        let n = near.u.len() - 1;
        let u = match fold::locate(self.branch.family, &[near.place()], 0, &near.u[..n]) {
            Ok((u, _)) if self.is_inside(&u, sa, sb) => u,
            _ => return false,
        };
        self.found.push(Special { what: What::Fold, u, omega: None, form: None });
        true
    }

    fn branch_point(&mut self, (sa, a): (f64, &Row), (sb, b): (f64, &Row)) -> bool {
        let value = |row: &Row, sign: f64| {
            let real = row.values.iter().filter(|v| v[1] == 0.0).map(|v| v[0]);
            real.min_by(|v, w| v.abs().total_cmp(&w.abs())).map(|v| sign * v)
        };
        // A touch of zero without a change of sign is none: the signs are those of the counts.
        let (Some(fa), Some(fb)) = (value(a, 1.0), value(b, 1.0)) else { return false };
        if fa * fb >= 0.0 {
            return false;
        }
        let mut bracket = Bracket::new((sa, fa), (sb, fb));
        while let Some(s) = bracket.next(LOCATED) {
            // At the point itself the slopes are singular, and rounding ends the search.
            let Some(f) = self.row(s).and_then(|row| value(&row, 1.0)) else { break };
            bracket.narrow(s, f);
        }
        let s = bracket.best().0;
        let [low, high] = bracket.ends().map(|end| end.0);
        if (high - low).abs() > 1e3 * LOCATED * (sb - sa).abs().max(1e-3) {
            self.out.health.warnings.push(format!("a branch point was located to {:.0e} of the range", high - low));
        }
        let u = match self.tracer.at(self.branch, s) {
            Ok(u) => u,
            Err(_) => a.u.iter().zip(&b.u).map(|(x, y)| x + (s - sa) / (sb - sa) * (y - x)).collect(),
        };
        self.found.push(Special { what: What::Branch, u, omega: None, form: None });
        true
    }

    /// All pairs that cross: without dampers of different size two do so at once.
    fn hopfs(&mut self, (sa, a): (f64, &Row), (sb, b): (f64, &Row)) -> bool {
        let (grown, other) = if a.growing > b.growing { (a, b) } else { (b, a) };
        let Some(pairs) = crossing(grown, other.growing) else { return false };
        let mut all: Vec<Special> = vec![];
        for pair in pairs {
            let Some(found) = self.hopf(pair, (grown, other), [sa, sb]) else { return false };
            let same = |known: &Special| match (known.omega, found.omega) {
                (Some(v), Some(w)) => (v - w).abs() <= SAME * w,
                _ => true,
            };
            if all.iter().any(same) {
                return false;
            }
            all.push(found);
        }
        all.sort_by(|v, w| self.length(&v.u).total_cmp(&self.length(&w.u)));
        self.found.extend(all);
        true
    }

    fn hopf(&mut self, pair: [f64; 2], (grown, other): (&Row, &Row), [sa, sb]: [f64; 2]) -> Option<Special> {
        // The pair before it grew: a neutral one has no sign that could change.
        let partner = other.values.iter().filter(|v| v[1] > 0.0 && v[0] < -NEUTRAL * v[0].hypot(v[1]));
        let apart = |v: &&[f64; 2]| (v[0] - pair[0]).hypot(v[1] - pair[1]);
        let partner = partner.min_by(|v, w| apart(v).total_cmp(&apart(w)))?;
        let part = partner[0] / (partner[0] - pair[0]);
        let mix = |x: f64, y: f64| x + part * (y - x);
        let n = other.u.len() - 1;
        let mut u: Vec<f64> = other.u.iter().zip(&grown.u).map(|(x, y)| mix(*x, *y)).collect();
        let omega = mix(partner[1], pair[1]);
        u.extend([0.0, omega.ln()]);
        let place = u[n];
        let mut curve = HopfCurve::new(&mut *self.branch.family, &[place], &[0], &u[..n], omega).ok()?;
        let row: Vec<f64> = (0..n + 3).map(|i| if i == n + 1 { 1.0 } else { 0.0 }).collect();
        correct(&mut curve, &mut u, &row, None).ok()?;
        let form = at_hopf(&mut curve, &u);
        let omega = u[n + 2].exp();
        u.truncate(n + 1);
        if !self.is_inside(&u, sa, sb) {
            return None;
        }
        let form = form.map_err(|e| {
            if !self.out.health.warnings.contains(&e) {
                self.out.health.warnings.push(e);
            }
        });
        Some(Special { what: What::Hopf, u, omega: Some(omega), form: form.ok() })
    }

    /// Where growth sets in between a point where a pair is neutral and one where it grows.
    fn set_in(&mut self, (mut sa, a): (f64, &Row), (mut sb, b): (f64, &Row)) {
        let (count, mut at) = (a.growing, b.clone());
        while (sb - sa).abs() > LOCATED {
            let middle = 0.5 * (sa + sb);
            let Some(row) = self.row(middle).filter(|_| middle != sa && middle != sb) else { break };
            if row.growing == count {
                sa = middle
            } else {
                sb = middle
            }
            at = row;
        }
        let omega = at.values.first().map(|v| v[1].abs()).filter(|w| *w > 0.0);
        let text =
            "eigenvalues meet on the imaginary axis instead of crossing it: what is born there has no normal form";
        self.out.health.warnings.push(text.into());
        self.found.push(Special { what: What::Hopf, u: at.u, omega, form: None });
    }
}

/// The pairs of a spectrum that grow beside the first `others`; none where those are no pairs.
fn crossing(row: &Row, others: usize) -> Option<Vec<[f64; 2]>> {
    let grown = row.values.get(others..row.growing)?;
    let pair = |two: &[[f64; 2]]| match two {
        [v, w] if v[1] != 0.0 && v[1] == -w[1] => Some([v[0], v[1].abs()]),
        _ => None,
    };
    grown.chunks(2).map(pair).collect()
}
