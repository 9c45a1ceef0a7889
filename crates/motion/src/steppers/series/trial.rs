//! Modes tried by their own power series, and events of points whose loads are reactions.
//!
//! What must stay positive in a mode (gap, normal force, slip along its direction, what is left of the cone) is decided by
//! its first coefficient that is not rounding. So a cubic lift-off, slip from rest without acceleration, the apex of the
//! cone and loads of any form are one case.
use super::{Linear, Row};
use crate::transition::mode_search::{Motion, Tested};
use crate::transition::modes::Cause;
use crate::transition::rigid::{Follow, KnownZeros, What};
use stickslip_dynamics::Dynamics;
use stickslip_laws::Mode;
use stickslip_solve::polynomial::{Coefficients, TERMS, first_root};

/// Coefficients that are looked at: a function without any of them is zero.
const ORDERS: usize = 12;
/// Coefficients that are looked at first.
const FEW: usize = 5;

/// Room to try modes, and what is known of the instant they were last chosen at.
pub(super) struct Trial {
    /// Whether any point is rigid.
    pub rigid: bool,
    /// Known of every point at the start of the next step; empty: nothing.
    pub standing: Vec<KnownZeros>,
    /// A coefficient below this part of what it is the sum of is rounding.
    pub rounding: f64,
    y: Vec<Coefficients>,
    bound: Vec<Coefficients>,
}

impl Trial {
    pub fn new(states: usize, rigid: bool) -> Trial {
        let room = if rigid { vec![[0.0; TERMS]; states] } else { vec![] };
        Trial { rigid, standing: vec![], rounding: 1e-12, y: room.clone(), bound: room }
    }
}

impl Row {
    /// Bound on what a coefficient of this row's series is the sum of.
    fn bound(&self, y: &[Coefficients], u: &[Coefficients], order: usize) -> f64 {
        let of_y: f64 = self.y.iter().zip(y).map(|(a, c)| a.abs() * c[order]).sum();
        of_y + self.u.iter().zip(u).map(|(a, c)| (a * c[order]).abs()).sum::<f64>()
    }
}

/// A function that must stay positive: factors of rows.
struct Condition<'a> {
    series: Coefficients,
    rows: [(f64, &'a Row); 2],
}

impl Condition<'_> {
    /// Number of leading coefficients that are zero, of which `sure` are known to be.
    fn zeros(&self, sure: usize, rounding: f64, bound: &[Coefficients], u: &[Coefficients], orders: usize) -> usize {
        (sure..orders)
            .find(|&k| {
                let size: f64 = self.rows.iter().map(|(f, row)| f.abs() * row.bound(bound, u, k)).sum();
                self.series[k].abs() > rounding * size
            })
            .unwrap_or(orders)
    }
}

impl Follow for Linear {
    /// Expands the inputs.
    fn begin(&mut self, t: f64) {
        self.expand_inputs(t);
    }

    fn test(
        &mut self,
        dynamics: &mut Dynamics,
        (_, y): (f64, &[f64]),
        modes: &[Mode],
        standing: &[KnownZeros],
        rounding: f64,
    ) -> Tested {
        let known = match self.known(dynamics, modes) {
            Ok(known) => known,
            Err(trouble) => return Tested::Singular(trouble),
        };
        let mut room = std::mem::replace(&mut self.trial, Trial::new(0, false));
        // Few terms decide nearly always.
        let few = self.try_modes(known, dynamics, y, modes, standing, (rounding, FEW), &mut room);
        let tested = few.or_else(|| self.try_modes(known, dynamics, y, modes, standing, (rounding, ORDERS), &mut room));
        self.trial = room;
        // All terms together always decide.
        tested.unwrap_or(Tested::Fails(0, modes[0]))
    }

    fn start_from(&mut self, standing: &[KnownZeros], rounding: f64) {
        self.trial.standing.clear();
        self.trial.standing.extend_from_slice(standing);
        self.trial.rounding = rounding;
    }
}

impl Linear {
    /// Tests modes by so many terms; None when they leave anything open.
    fn try_modes(
        &self,
        known: usize,
        dynamics: &Dynamics,
        y: &[f64],
        modes: &[Mode],
        standing: &[KnownZeros],
        (rounding, orders): (f64, usize),
        room: &mut Trial,
    ) -> Option<Tested> {
        let flow = &self.met.get(known).flow;
        flow.expand_to(orders, &y[..self.states], &self.u, &mut room.y);
        flow.majorant(orders, &y[..self.states], &self.u, &mut room.bound);
        for i in 0..modes.len() {
            for (what, sign) in What::of(dynamics, modes, i).into_iter().flatten() {
                if what.settled(standing[i]) {
                    continue;
                }
                let condition = self.condition(known, (what, sign), i, &room.y, orders);
                let zeros = condition.zeros(sure(what, standing[i]), rounding, &room.bound, &self.u, orders);
                if zeros == orders && orders < ORDERS {
                    return None;
                }
                let wrong = zeros < orders && condition.series[zeros] < 0.0;
                // A slip that does not begin is none, unless nothing would hold it.
                let idle = zeros == orders && what == What::Slip && self.hold[i] > 0.0;
                if wrong || idle {
                    return Some(Tested::Fails(i, what.instead(sign)));
                }
            }
        }
        Some(Tested::Holds(Motion::new(&room.y, &room.bound, orders)))
    }

    /// The first event of a step in which points may be rigid; shortens `h`.
    pub(super) fn rigid_end(
        &mut self,
        known: usize,
        y: &[f64],
        dynamics: &Dynamics,
        modes: &[Mode],
        h: &mut f64,
    ) -> Option<Cause> {
        let mut room = std::mem::replace(&mut self.trial, Trial::new(0, false));
        // Each is sought over the whole step: what is found must not depend on the order, which a mirror image turns around.
        let whole = *h;
        let mut end = None;
        let mut bounded = false;
        for i in 0..modes.len() {
            let standing = room.standing.get(i).copied().unwrap_or_default();
            for (what, sign) in What::of(dynamics, modes, i).into_iter().flatten() {
                let condition =
                    Condition { series: self.expanded(what, i, sign), rows: self.rows(known, what, i, sign) };
                let sure = sure(what, standing);
                // The usual case at once: far from zero.
                let far = sure == 0 && condition.series[0] > 1e-3 * tail(&condition.series, whole);
                let zeros = if far {
                    0
                } else {
                    if !bounded {
                        let flow = &self.met.get(known).flow;
                        flow.majorant(ORDERS, &y[..self.states], &self.u, &mut room.bound);
                        bounded = true;
                    }
                    condition.zeros(sure, room.rounding, &room.bound, &self.u, ORDERS)
                };
                if zeros == ORDERS {
                    continue;
                }
                let s = match condition.series[zeros] {
                    c if c < 0.0 => Some(0.0),
                    _ => first_root(&condition.series, whole, zeros).map(|root| root.s),
                };
                if let Some(s) = s.filter(|s| *s <= *h) {
                    (*h, end) = (s, Some(end_of(what, i, sign)));
                }
            }
        }
        self.trial = room;
        end
    }

    /// The series of a condition in the last step's expansion.
    fn expanded(&self, what: What, i: usize, sign: f64) -> Coefficients {
        match what {
            What::Gap => self.gaps[i],
            What::Load => self.loads[i],
            What::Slip => self.slips[i].map(|x| sign * x),
            What::Cone => self.spare(i, sign),
        }
    }

    /// A condition as factors of rows.
    fn rows(&self, known: usize, what: What, i: usize, sign: f64) -> [(f64, &Row); 2] {
        let made = &self.met.get(known);
        let none = (0.0, &self.slip[i]);
        match what {
            What::Gap => [(1.0, &self.gap[i]), none],
            What::Load => [(1.0, &made.load[i]), none],
            What::Slip => [(sign, &self.slip[i]), none],
            What::Cone => [(self.hold[i], &made.load[i]), (-sign, &made.friction[i])],
        }
    }

    /// The first terms of a condition in a trial.
    fn condition(
        &self,
        known: usize,
        (what, sign): (What, f64),
        i: usize,
        y: &[Coefficients],
        orders: usize,
    ) -> Condition<'_> {
        let rows = self.rows(known, what, i, sign);
        let mut series = [0.0; TERMS];
        for (factor, row) in rows.iter().filter(|(factor, _)| *factor != 0.0) {
            for (entry, c) in row.y.iter().zip(y).chain(row.u.iter().zip(&self.u)).filter(|(entry, _)| **entry != 0.0) {
                for k in 0..orders {
                    series[k] += factor * entry * c[k];
                }
            }
        }
        Condition { series, rows }
    }
}

/// Size of the coefficients after the first over a length.
fn tail(c: &Coefficients, h: f64) -> f64 {
    h * (c[1].abs() + h * (c[2].abs() + h * c[3].abs()))
}

/// How many leading coefficients are known to be zero.
fn sure(what: What, standing: KnownZeros) -> usize {
    match what {
        What::Gap => usize::from(standing.touches) + usize::from(standing.touches && standing.stays),
        What::Slip => usize::from(standing.rests),
        What::Load | What::Cone => 0,
    }
}

/// The event at which a condition ends.
fn end_of(what: What, i: usize, sign: f64) -> Cause {
    match what {
        What::Gap => Cause::Lands(i),
        What::Load => Cause::Opens(i),
        What::Slip => Cause::Arrives(i),
        What::Cone => Cause::Leaves(i, sign),
    }
}
