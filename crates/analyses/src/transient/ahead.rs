//! How far drives and loads can be followed: to their next jump or kink, and not over a wave.
use super::linear::from_known_zero;
use crate::dynamics::Dynamics;
use stickslip_solve::linear_flow::radius;
use stickslip_structures::Signal;

/// Radians of a sine that one step may span at most: beyond, its stages could miss a wave.
const LONGEST: f64 = 2.0;

/// Radians of a sine that one step may span at a tolerance.
///
/// Where friction follows a force at once the motion tells nothing about the error of the work done over a step: that of
/// the quadrature, (omega h)^5/7200, is held to ten tolerances here.
pub fn radians(rtol: f64) -> f64 {
    (7.2e4 * rtol).powf(0.2).min(LONGEST)
}

/// Part of the radius of a power series that one step may span.
const PART: f64 = 0.5;
/// A kink is left out of the steps before it by this part of the time: its place is known no better.
const GRAIN: f64 = 4.0 * f64::EPSILON;

/// What lies ahead of an instant.
pub struct Ahead {
    /// The next jump or kink; infinite where there is none in reach.
    pub knot: f64,
    /// No step ends after this.
    pub reach: f64,
    /// Drives and loads are read no later than this: just before the knot.
    pub until: f64,
}

impl Ahead {
    /// Of drives and loads that stay as they are.
    pub const NOTHING: Ahead = Ahead { knot: f64::INFINITY, reach: f64::INFINITY, until: f64::INFINITY };
}

/// Looks ahead from `t` for the next jump only.
pub fn jump(dynamics: &Dynamics, t: f64) -> Ahead {
    let blows = dynamics.model.loading.impulses.iter().map(|i| i.at).filter(|at| *at > t);
    let releases = dynamics.model.loading.releases.iter().map(|r| r.at).filter(|at| *at > t);
    let blows = blows.chain(releases);
    let knot = dynamics.signals().map(|s| s.next_knot(t)).chain(blows).fold(f64::INFINITY, f64::min);
    Ahead { knot, reach: f64::INFINITY, until: knot.next_down() }
}

/// Looks ahead from `t` for steps that know drives and loads by their values only.
pub fn look(dynamics: &Dynamics, t: f64, radians: f64) -> Ahead {
    let mut ahead = jump(dynamics, t);
    let longest = ahead.knot - t;
    let mut switches = vec![];
    for signal in dynamics.signals() {
        ahead.reach = ahead.reach.min(t + span(signal, t, radians));
        signal.switches(t, &mut switches);
    }
    let own = dynamics.model.contacts.iter().filter_map(|c| c.friction.own_time());
    ahead.reach = own.fold(ahead.reach, |reach, own| reach.min(t + radians * own));
    for switch in &switches {
        let h = PART * radius(&[switch.0], f64::INFINITY).min(longest / PART);
        ahead.reach = ahead.reach.min(t + h);
        let natural = dynamics.natural_time();
        if let Some(root) = from_known_zero(&switch.0, h, natural, GRAIN * t)
            && root.s > GRAIN * t
            && t + root.s < ahead.knot
        {
            // Just beyond, where the other side of the kink or jump holds.
            ahead.knot = (t + root.s) * (1.0 + GRAIN);
            ahead.until = (t + root.s) * (1.0 - GRAIN);
        }
    }
    ahead
}

/// How long a step may follow a signal.
fn span(signal: &Signal, t: f64, radians: f64) -> f64 {
    match signal {
        Signal::Constant(_) | Signal::Points { .. } => f64::INFINITY,
        Signal::Sine { omega, .. } => radians / omega.abs(),
        Signal::Sum(parts) => parts.iter().map(|s| span(s, t, radians)).fold(f64::INFINITY, f64::min),
        Signal::Scaled(_, s) | Signal::Rate(s) => span(s, t, radians),
        Signal::Pieces { .. } => signal.piece(t).map_or(f64::INFINITY, |(s, start)| span(s, t - start, radians)),
        other if other.is_constant() => f64::INFINITY,
        other => PART * radius(&[other.expand(t).0], f64::INFINITY),
    }
}
