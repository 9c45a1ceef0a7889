//! One step of a linear flow, up to the first event.
use super::{End, InModes, Linear};
use crate::transition::modes::{BACKWARD, Cause, HELD};
use stickslip_dynamics::{Dynamics, Trouble};
use stickslip_laws::Mode;
use stickslip_real::lanes::{Vector, WideWork, widest};
use stickslip_solve::linear_flow::{at, radius};
use stickslip_solve::polynomial::{Coefficients, Root, TERMS, bracketed_root, derivative, first_root, value, vanishes};

/// A leading coefficient below this part of the function, over a natural time of the structure, counts as zero: the root
/// at the start is known.
const KNOWN_ZERO: f64 = 1e-12;
/// The start of a step is known to this part of the time: what its functions change over it is no sign of anything.
const GRAIN: f64 = 4.0 * f64::EPSILON;
/// Part of a force that is rounding where it is a difference of others.
const ROUNDING: f64 = 16.0 * f64::EPSILON;
/// A slip velocity this near to the edge of its band, part of it, is on the edge.
const EDGE: f64 = 1e-12;
/// Natural times that a step may last at most.
const LONGEST: f64 = 1e6;

/// Expands a motion and what is watched of it; gives the length over which the series hold.
struct Expand<'a> {
    linear: &'a mut Linear,
    known: usize,
    dynamics: &'a Dynamics<'a>,
    y: &'a [f64],
    longest: f64,
}

impl WideWork for Expand<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<V: Vector>(self) -> f64 {
        let Linear { met, states, slip, gap, y, u, slips, gaps, loads, friction, outputs, .. } = self.linear;
        let mut longest = self.longest;
        let made = met.get(self.known);
        made.flow.expand(&self.y[..*states], u, y);
        for (i, site) in self.dynamics.sites.iter().enumerate() {
            slip[i].series(y, u, &mut slips[i]);
            made.load[i].series(y, u, &mut loads[i]);
            made.friction[i].series(y, u, &mut friction[i]);
            if site.rigid.is_some() {
                gap[i].series(y, u, &mut gaps[i]);
            }
        }
        for (row, output) in made.outputs.iter().zip(outputs) {
            row.series(y, u, output);
        }
        if !u.iter().chain(&*y).all(|c| vanishes(&c[2..])) {
            // Behind the last term they fall as fast as this only.
            longest = longest.min(made.longest);
        }
        radius(y, longest)
    }
}

impl Linear {
    /// The equations in these modes, made when they are first met.
    pub(super) fn known(&mut self, dynamics: &Dynamics, modes: &[Mode]) -> Result<usize, Trouble> {
        match self.met.find(modes, &[], &[], dynamics.controls.clips()) {
            Some(k) => Ok(k),
            None => {
                let made: InModes = self.assemble(dynamics, modes, &[])?;
                Ok(self.met.keep(modes, &[], &[], dynamics.controls.clips().collect(), made))
            }
        }
    }

    /// The same where laws have pieces, from (t, y) on.
    fn known_piece(&mut self, dynamics: &mut Dynamics, t: f64, y: &[f64], modes: &[Mode]) -> Result<usize, Trouble> {
        self.find_unloaded(dynamics);
        let clips = dynamics.controls.clips();
        if let Some(k) = self.met.find(modes, dynamics.inner_elements(), &self.unloaded, clips) {
            return Ok(k);
        }
        // What a law sees is a point of its piece: at the instant itself.
        dynamics.evaluate(t, y, modes, &mut vec![0.0; y.len()])?;
        let none = vec![false; modes.len()];
        let unloaded = if self.unloaded.is_empty() { &none } else { &self.unloaded };
        let laws = dynamics.affine_laws(&y[self.first_state..], unloaded);
        let made = self.assemble(dynamics, modes, &laws)?;
        let clips = dynamics.controls.clips().collect();
        Ok(self.met.keep(modes, dynamics.inner_elements(), &self.unloaded, clips, made))
    }

    /// Expands the inputs at t, unless they are constant.
    pub(super) fn expand_inputs(&mut self, t: f64) {
        if self.steady {
            return;
        }
        for (i, signal) in self.signals.iter().enumerate() {
            match self.rate_of[i] {
                Some(of) => self.u[i] = derivative(&self.signals[of].expand(t).0),
                None => self.u[i] = signal.expand(t).0,
            }
        }
    }

    /// Expands the motion from (t, y) in these modes and finds its length and what ends it, if anything does. Drives and loads
    /// are resolved by their series over `longest`.
    pub fn step(
        &mut self,
        dynamics: &mut Dynamics,
        t: f64,
        y: &[f64],
        modes: &[Mode],
        longest: f64,
        ends: &mut Vec<Cause>,
    ) -> Result<f64, Trouble> {
        self.expand_inputs(t);
        let known = if self.pieces { self.known_piece(dynamics, t, y, modes)? } else { self.known(dynamics, modes)? };
        self.last_known = known;
        // A mode at rest has no end of its own: one without an end in time is looked at again now and then.
        let longest = longest.min(LONGEST * self.natural_time);
        let mut h = widest(Expand { linear: self, known, dynamics, y, longest });
        ends.clear();
        match self.trial.rigid {
            true => ends.extend(self.rigid_end(known, y, dynamics, modes, &mut h)),
            false => self.end(known, dynamics, t, modes, &mut h, ends),
        }
        self.trial.standing.clear();
        Ok(h)
    }

    /// The first event of points whose loads are given, and all others at that instant.
    fn end(&mut self, known: usize, dynamics: &Dynamics, t: f64, modes: &[Mode], h: &mut f64, all: &mut Vec<Cause>) {
        let mut ends = std::mem::take(&mut self.ends);
        ends.clear();
        let together = |s: f64| s + 2.0 * GRAIN * (t + s);
        let mut note = |s: f64, end: End, h: &mut f64| {
            *h = h.min(s);
            ends.retain(|(other, _)| *other <= together(*h));
            ends.push((s, end));
        };
        for i in (0..modes.len()).filter(|i| dynamics.sites[*i].cone) {
            match modes[i] {
                Mode::Forward | Mode::Backward => {
                    let mut c = self.slips[i];
                    // What two forces leave that cancel to rounding drives nothing. Slip that begins may begin against its
                    // direction by as much as the search for modes allows: both must know one rounding.
                    let begins = known_zeros(&c, h.min(self.natural_time), GRAIN * t) > 0;
                    let part = if begins && modes[i].sign() * c[1] < 0.0 { BACKWARD } else { ROUNDING };
                    if c[1].abs() <= part * self.mobility[i] * self.hold[i] * self.loads[i][0].abs() {
                        c[1] = 0.0;
                    }
                    let band = dynamics.sites[i].band;
                    if band > 0.0 {
                        match from_edge(&c, modes[i].sign(), band) {
                            // Outside of its band a slip velocity ends on the band's edge.
                            (edge, true) => c = edge,
                            // Inside a step ends where it leaves the band: from there on it is outside.
                            (edge, false) => {
                                if let Some(root) = first_root(&edge, *h, 0).filter(|root| root.s > 0.0) {
                                    *h = h.min(root.s);
                                }
                            }
                        }
                    }
                    let root = feasible(&c, modes[i].sign(), together(*h), self.natural_time, GRAIN * t);
                    if let Some(root) = root.filter(|root| root.s <= together(*h)) {
                        note(root.s, End::Mode(Cause::Arrives(i)), h);
                    }
                }
                Mode::Stick => {
                    // Both ways over one length: a mirror image turns them around.
                    let reach = together(*h);
                    for sign in [1.0, -1.0] {
                        let (hold, load) = (self.hold[i], &self.loads[i]);
                        let mut spare = self.spare(i, sign);
                        // What is held beyond its limit, by the rounding that the search for modes allows, is at it.
                        if spare[0] <= ROUNDING * hold * load[0].abs() {
                            spare[0] = 0.0;
                        }
                        // A reaction that only touches its limit, or exceeds it by rounding, is still held.
                        let root = feasible(&spare, 1.0, reach, self.natural_time, GRAIN * t);
                        if let Some(root) = root.filter(|root| root.crosses && root.s <= together(*h))
                            && exceeds(&spare, hold, load, together(*h))
                        {
                            note(root.s, End::Mode(Cause::Leaves(i, sign)), h);
                        }
                    }
                }
                Mode::Open => {}
            }
        }
        if self.pieces || dynamics.controls.has_guards() {
            *h = self.guard_ends(known, dynamics, *h, together, &mut note);
        }
        self.passed.clear();
        // A step that ends before, at the edge of a band, meets none of them.
        for (_, end) in ends.iter().filter(|(s, _)| *s <= together(*h)) {
            match end {
                End::Mode(cause) => all.push(*cause),
                End::Guard(number) => self.passed.push(*number),
                End::Piece => {}
            }
        }
        self.ends = ends;
    }

    /// What a stuck point could hold beyond its reaction in a direction.
    pub(super) fn spare(&self, i: usize, sign: f64) -> Coefficients {
        let (load, friction) = (&self.loads[i], &self.friction[i]);
        std::array::from_fn(|k| self.hold[i] * load[k] - sign * friction[k])
    }

    /// The unknowns at an offset of the last expansion.
    #[inline(always)]
    pub fn state(&self, s: f64, y: &mut [f64]) {
        at(&self.y, s, &mut y[..self.states]);
    }

    /// Points to draw over the part `h` of the last expansion, `most` over its whole radius; a straight line needs one.
    pub fn drawn(&self, h: f64, most: f64) -> usize {
        if self.y.iter().all(|c| vanishes(&c[2..])) {
            return 1;
        }
        let whole = radius(&self.y, f64::INFINITY);
        if whole.is_finite() { (most * h / whole).ceil().max(1.0) as usize } else { most as usize }
    }

    /// Where the first coordinate turns in (0, h), if its rate has opposite signs at the ends.
    ///
    /// A step is shorter than half a turn of the fastest mode: a pair of turns inside it is a wiggle that no cycle
    /// hangs on, and is not looked for.
    pub fn turning(&self, h: f64) -> Option<f64> {
        turns_once(self.y.first()?, h)
    }
}

/// Where a series that turns at most once in (0, h) does so.
pub(super) fn turns_once(c: &Coefficients, h: f64) -> Option<f64> {
    if vanishes(&c[2..]) { None } else { widest(Turning { c, h }) }
}

struct Turning<'a> {
    c: &'a Coefficients,
    h: f64,
}

impl WideWork for Turning<'_> {
    type Output = Option<f64>;

    #[inline(always)]
    fn run<V: Vector>(self) -> Option<f64> {
        let rate = derivative(self.c);
        let turns = rate[0] * value(&rate, self.h) < 0.0;
        if turns { bracketed_root(&rate, 0.0, self.h) } else { None }
    }
}

/// A slip velocity measured from the edge of its band, and whether it is outside: on the edge, to rounding, it is if it grows.
fn from_edge(slip: &Coefficients, sign: f64, band: f64) -> (Coefficients, bool) {
    let mut c = *slip;
    c[0] -= sign * band;
    let beyond = sign * c[0];
    let on_edge = beyond.abs() <= EDGE * band && sign * c[1] > 0.0;
    if on_edge && beyond < 0.0 {
        c[0] = 0.0;
    }
    (c, beyond > 0.0 || on_edge)
}

/// The first place where a function that is to keep the given sign does not.
///
/// Leading coefficients that vanish to rounding are a known zero at the start; if what follows has the wrong sign the
/// end is there at once.
fn feasible(c: &Coefficients, sign: f64, h: f64, time: f64, grain: f64) -> Option<Root> {
    let known = known_zeros(c, h.min(time), grain);
    if known > 0 && known < TERMS && c[known] * sign < 0.0 {
        return Some(Root { s: 0.0, crosses: true });
    }
    if known == TERMS {
        return None;
    }
    first_root(c, h, known)
}

/// Whether what a limit leaves to spare is ever used up by more than rounding.
fn exceeds(spare: &Coefficients, hold: f64, load: &Coefficients, h: f64) -> bool {
    let relaxed: Coefficients = std::array::from_fn(|k| spare[k] + HELD * hold * load[k]);
    relaxed[0] <= 0.0 || first_root(&relaxed, h, 0).is_some()
}

/// The first root after the start, where leading coefficients that vanish to rounding make a known one.
pub fn from_known_zero(c: &Coefficients, h: f64, time: f64, grain: f64) -> Option<Root> {
    let known = known_zeros(c, h.min(time), grain);
    if known == TERMS { None } else { first_root(c, h, known) }
}

fn known_zeros(c: &Coefficients, time: f64, grain: f64) -> usize {
    // The usual case at once: a first term far above what could be rounding of the next ones.
    if c[0].abs() > 1e-3 * time * (c[1].abs() + time * (c[2].abs() + time * c[3].abs())) {
        return 0;
    }
    let mut largest: f64 = 0.0;
    let mut power = 1.0;
    for x in c {
        largest = largest.max(x.abs() * power);
        power *= time;
    }
    let mut power = 1.0;
    for (k, x) in c.iter().enumerate() {
        let shifted = c.get(k + 1).map_or(0.0, |next| (k + 1) as f64 * next.abs() * grain);
        if x.abs() * power > KNOWN_ZERO * largest && x.abs() > shifted {
            return k;
        }
        power *= time;
    }
    TERMS
}
