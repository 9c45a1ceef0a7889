//! Events of adaptive steps: what must stay positive over the whole step, and steps that end exactly where it does not.
//!
//! Every condition is known at the start and at all stages. The polynomial through these values is bounded by its Bernstein
//! coefficients, so that a sign that changes and returns between two stages is seen. For conditions that are linear in the
//! unknowns (slip velocities, gaps) this is the step's own polynomial; the others (limits of stick, normal reactions, guards)
//! are sampled at the stages, and once more where the polynomial comes near zero.
use super::{Adaptive, Found};
use stickslip_dynamics::{Dynamics, Site, Stiff};
use stickslip_laws::{Mode, dot, norm};
use stickslip_solve::radau::Trial;
use stickslip_solve::root::Bracket;

/// An event's time is found to this part of the step.
const ON_TIME: f64 = 1e-14;
/// A condition that fails by less than this part of its size over the step only touches zero.
const TOUCHES: f64 = 1e-11;
/// Most that a polynomial through the start and the stages may miss of the next power, whose size is not known: that of its
/// own highest power is taken.
const MISSED: f64 = 2e-3;
/// A condition that fails this much earlier than another, part of the step, fails first.
const EARLIER: f64 = 1e-10;
/// A condition that fails by so many times what counts as zero has failed before, at this part of the step at the latest.
const PAST: f64 = 100.0;
const BEFORE: f64 = 1.0 - 1e-6;
/// What an event does not change of a guard, part of its size over the last step.
const SAME: f64 = 1e-12;
/// How a guard's size over former steps fades: a step between two events of one instant sees rounding alone.
const FADES: f64 = 0.9;
/// Rounding moves a guard by less than this part of its value, unless it is on its zero: nearer to it than this part of its size.
const FAR_MOVED: f64 = 1e-6;
/// Roundings beyond its zero at which a guard has changed its sign for sure.
const SURE: f64 = 2.0;
/// Part by which unknowns are moved to see the rounding of guards: some roundings of one.
const ROUNDING: f64 = 8.0 * f64::EPSILON;
/// Conditions of a point: two of its mode, and its normal reaction, or what it is in contact by.
pub(super) const PER_POINT: usize = 3;

/// What a step is found to hold.
pub(super) enum Search {
    /// Nothing fails.
    Clear,
    /// A condition fails and stays so until the end; where it fails, part of the step.
    Crosses(usize, f64),
    /// A condition fails and returns: it is lowest at this part of the step.
    Dips(f64),
}

impl Adaptive {
    /// Notes the conditions at the start of a step that begins again, and the side on which each must stay.
    pub(super) fn set_sides(&mut self, dynamics: &Dynamics, modes: &[Mode]) {
        let last = std::mem::take(&mut self.before);
        functions(dynamics, modes, &self.room.y, &self.bands, &mut self.before);
        let conditions = PER_POINT * dynamics.sites.len();
        self.side.resize(self.before.len(), 0.0);
        self.size.resize(self.before.len(), 0.0);
        // A law that says so is on the positive side of its guards, even where rounding is all that shows.
        let positive = dynamics.positive_guards(&self.room.y[2 * dynamics.n..]);
        for (k, g) in self.before.iter().enumerate() {
            // A guard that nothing was done about stays on its side, even where the motion has just passed its zero.
            let rounding = k.checked_sub(conditions).map_or(0.0, |guard| self.rounding[guard]);
            let same = last.get(k).is_some_and(|last| (g - last).abs() <= (SAME * self.size[k]).max(2.0 * rounding));
            let untouched = same && !self.told.contains(&k);
            self.side[k] = match self.side[k] {
                _ if k < conditions || positive.get(k - conditions) == Some(&true) => 1.0,
                side if untouched && side != 0.0 => side,
                _ => beyond(*g, rounding),
            };
        }
        self.unsure.clear();
        self.unsure.extend(self.side.iter().map(|side| *side == 0.0));
        self.told.clear();
    }

    /// Guards that have passed to the other side by a jump of drives or loads; `dynamics` is evaluated after it.
    pub fn passed_guards(&mut self, dynamics: &Dynamics, modes: &[Mode], y: &[f64]) -> Vec<usize> {
        let conditions = PER_POINT * dynamics.sites.len();
        let mut values = std::mem::take(&mut self.probe);
        functions(dynamics, modes, y, &self.bands, &mut values);
        let known = values.len() == self.side.len();
        let passed = |k: &usize| known && self.side[*k] * values[*k] < -self.beyond_zero(dynamics, *k);
        let found: Vec<usize> = (conditions..values.len()).filter(passed).collect();
        self.told.extend(&found);
        self.probe = values;
        found.into_iter().map(|k| k - conditions).collect()
    }

    /// A step has been taken: what is beyond its rounding at its end has shown its side.
    pub(super) fn show_sides(&mut self, dynamics: &Dynamics) {
        let conditions = PER_POINT * dynamics.sites.len();
        for k in 0..self.before.len() {
            if !self.unsure[k] {
                continue;
            }
            let noise = k.checked_sub(conditions).and_then(|guard| self.rounding.get(guard));
            self.side[k] = beyond(self.before[k], noise.copied().unwrap_or(0.0));
            self.unsure[k] = self.side[k] == 0.0;
        }
    }

    /// How much rounding of the unknowns moves each guard, which has no natural size: what an event has put on its zero is
    /// there but for that, and shows no side. `dynamics` is evaluated at (t, y), before and after.
    pub(super) fn set_rounding(&mut self, dynamics: &mut Dynamics, t: f64, y: &[f64], modes: &[Mode]) {
        let conditions = PER_POINT * dynamics.sites.len();
        let mut values = std::mem::take(&mut self.probe);
        functions(dynamics, modes, y, &self.bands, &mut values);
        let here = values.get(conditions..).unwrap_or(&[]).to_vec();
        self.rounding.resize(here.len(), 0.0);
        for (guard, noise) in self.rounding.iter_mut().enumerate() {
            let k = conditions + guard;
            *noise = if self.unsure.get(k) == Some(&true) { *noise } else { 0.0 };
        }
        if !here.is_empty() {
            let mut dy = std::mem::take(&mut self.room.dy);
            // Both ways by the digits of their places: any two unknowns move together once, and against each other once.
            for digit in 0..=y.len().ilog2() {
                // What changes at events alone is what it is: a count, a place that is remembered.
                let part = |j: usize| if dynamics.is_held(j) { 0.0 } else { ROUNDING };
                let moved = |(j, y): (usize, &f64)| y * (1.0 + if j >> digit & 1 == 0 { part(j) } else { -part(j) });
                let near: Vec<f64> = y.iter().enumerate().map(moved).collect();
                if dynamics.evaluate(t, &near, modes, &mut dy).is_ok() {
                    functions(dynamics, modes, &near, &self.bands, &mut values);
                    for (guard, (near, here)) in values[conditions..].iter().zip(&here).enumerate() {
                        let (moved, size) = ((near - here).abs(), here.abs());
                        // A guard that jumps here, as where a turning point is left, is not on its zero.
                        let usual = self.size.get(conditions + guard).copied().unwrap_or(0.0);
                        if moved <= FAR_MOVED * size || size <= FAR_MOVED * usual {
                            self.rounding[guard] = self.rounding[guard].max(moved);
                        }
                    }
                }
            }
            let _ = dynamics.evaluate(t, y, modes, &mut dy);
            self.room.dy = dy;
        }
        self.probe = values;
    }

    /// Looks over the step just tried: evaluates its stages, and all conditions there.
    pub(super) fn search(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], h: f64) -> Search {
        self.search_besides(dynamics, t, modes, h, None)
    }

    /// The same without the condition that was `met` at the end of the step.
    fn search_besides(
        &mut self,
        dynamics: &mut Dynamics,
        t: f64,
        modes: &[Mode],
        h: f64,
        met: Option<usize>,
    ) -> Search {
        self.look_inside(dynamics, t, modes, h);
        let mut found = Search::Clear;
        let mut first = f64::INFINITY;
        for k in (0..self.before.len()).filter(|k| Some(*k) != met) {
            if self.before[k] == 1.0 && self.inside_values.iter().all(|g| g[k] == 1.0) {
                continue;
            }
            let one = self.fails(dynamics, t, modes, h, k);
            let at = match one {
                Search::Clear => continue,
                Search::Crosses(_, at) | Search::Dips(at) => at,
            };
            if at < first {
                (first, found) = (at, one);
            }
        }
        // What comes after a dip is looked at when that is passed.
        found
    }

    /// Whether and where condition `k` fails in the step just looked over.
    fn fails(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], h: f64, k: usize) -> Search {
        let stages = self.inside_values.len();
        let noise = self.noise(dynamics, modes, k);
        if self.unsure[k] {
            // Its side shows as the motion leaves the zero: the shorter the step, the better.
            let shown = self.inside_values.iter().map(|g| beyond(g[k], noise)).find(|s| *s != 0.0);
            self.side[k] = shown.unwrap_or(0.0);
        }
        let side = self.side[k];
        if side == 0.0 {
            return Search::Clear;
        }
        // What is beyond its zero at the start by rounding, or left it just before, counts as on it.
        let value =
            |j: usize| if j == 0 { (side * self.before[k]).max(0.0) } else { side * self.inside_values[j - 1][k] };
        let size = (0..=stages).map(|j| value(j).abs()).fold(0.0, f64::max);
        self.size[k] = size.max(FADES * self.size[k]);
        let through = self.interpolation.through(value);
        let beyond = self.beyond_zero(dynamics, k);
        let (end, slack) = (value(stages), (TOUCHES * size).max(noise).max(beyond));
        if end < -beyond {
            return Search::Crosses(k, through.first_below(slack).unwrap_or(1.0).max(2.0 * ON_TIME));
        }
        let near = through.highest() * MISSED;
        if through.least() > near {
            return Search::Clear;
        }
        // The polynomial only says where to look.
        let (at, lowest) = through.lowest();
        let looked_at = lowest < near.max(-slack) && at > 0.0 && at < 1.0;
        if looked_at && self.is_below(dynamics, t, modes, (h, at), k, slack) { Search::Dips(at) } else { Search::Clear }
    }

    /// How far beyond its zero a condition has failed: a guard by more than rounding, so that its law sees on which side it is.
    fn beyond_zero(&self, dynamics: &Dynamics, k: usize) -> f64 {
        let guard = k.checked_sub(PER_POINT * dynamics.sites.len());
        guard.map_or(0.0, |guard| SURE * self.rounding.get(guard).copied().unwrap_or(0.0))
    }

    /// How far a slip velocity or a gap is known: less than the tolerance of the step is no change of sign. A guard is known
    /// to its rounding.
    fn noise(&self, dynamics: &Dynamics, modes: &[Mode], k: usize) -> f64 {
        let n = dynamics.n;
        if let Some(guard) = k.checked_sub(PER_POINT * dynamics.sites.len()) {
            return self.rounding.get(guard).copied().unwrap_or(0.0);
        }
        let Some(site) = dynamics.sites.get(k / PER_POINT) else { return 0.0 };
        let (row, first) = match modes[k / PER_POINT] {
            _ if !k.is_multiple_of(PER_POINT) || n == 0 => return 0.0,
            Mode::Stick => return 0.0,
            Mode::Open => (site.normal.as_deref().unwrap_or(&[]), 0),
            Mode::Forward | Mode::Backward => (&site.tangent[0][..], n),
        };
        let size = |(j, x): (usize, &f64)| x.abs() * self.scale[first + j];
        self.radau.tolerance() * row.iter().enumerate().map(size).sum::<f64>()
    }

    /// Whether condition `k` itself fails at a part of the step just tried.
    fn is_below(
        &mut self,
        dynamics: &mut Dynamics,
        t: f64,
        modes: &[Mode],
        (h, at): (f64, f64),
        k: usize,
        slack: f64,
    ) -> bool {
        for i in 0..self.x.len() {
            self.stage[i] = self.radau.dense(i, at, self.x[i]);
        }
        let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
        system.evaluate(at * h, &self.stage);
        let mut values = std::mem::take(&mut self.probe);
        functions(dynamics, modes, &self.room.y, &self.bands, &mut values);
        let below = self.side[k] * values[k] < -slack;
        self.probe = values;
        below
    }

    /// Whether a condition of a point is not a number anywhere in the step: it would never change its side.
    pub(super) fn undefined(&self, dynamics: &Dynamics) -> bool {
        let conditions = PER_POINT * dynamics.sites.len();
        self.inside_values.iter().any(|g| g.iter().take(conditions).any(|g| g.is_nan()))
    }

    /// Steps onto the first zero of all conditions, beginning with that of `k`, which is expected at the part `at` of a step
    /// of length `h`. The length, and whose zero it is; None where Newton's method failed on the way, or the step onto the event is not accurate, as
    /// where a force ends with an infinite slope.
    pub(super) fn land_first(
        &mut self,
        dynamics: &mut Dynamics,
        t: f64,
        modes: &[Mode],
        h: f64,
        (mut k, mut at): (usize, f64),
    ) -> Option<(f64, Option<usize>)> {
        let (mut length, mut last) = (h, f64::INFINITY);
        for _ in 0..=self.before.len() {
            length = self.land(dynamics, t, modes, length, (k, at))?;
            // Nothing is earlier than the start, and what fails as late as the last one fails with it.
            let landed = std::mem::replace(&mut last, length);
            let first = length <= EARLIER * h || length > (1.0 - EARLIER) * landed;
            match self.search_besides(dynamics, t, modes, length, Some(k)) {
                _ if first => break,
                // Where a polynomial bends too sharply to say when, the value at the end says that it was before.
                Search::Crosses(other, earlier) if earlier < 1.0 - EARLIER || self.is_past(dynamics, modes, other) => {
                    (k, at) = (other, earlier.min(BEFORE));
                }
                // The step was cut before: another dip lies in what is left of it.
                Search::Dips(lowest) if lowest < 1.0 - EARLIER => return self.cut(dynamics, t, modes, lowest * length),
                _ => break,
            }
        }
        Some((length, Some(k)))
    }

    /// Whether a condition fails at the end of the last trial by more than what counts as zero.
    fn is_past(&self, dynamics: &Dynamics, modes: &[Mode], k: usize) -> bool {
        let zero = (TOUCHES * self.size[k]).max(self.noise(dynamics, modes, k));
        self.side[k] * self.end_value(k) < -PAST * zero
    }

    /// A step of this length, up to what fails first in it.
    fn cut(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], length: f64) -> Option<(f64, Option<usize>)> {
        let Trial::Solved { error } = self.trial(dynamics, t, modes, length) else { return None };
        match self.search(dynamics, t, modes, length) {
            _ if error >= 1.0 => None,
            Search::Clear => Some((length, None)),
            Search::Crosses(k, at) => self.land_first(dynamics, t, modes, length, (k, at)),
            Search::Dips(_) => None,
        }
    }

    /// Steps exactly onto the zero of condition `k`: a root in the length of the step itself, so that the event is as accurate
    /// as the method, not as its dense output.
    fn land(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], h: f64, (k, at): (usize, f64)) -> Option<f64> {
        let (side, beyond) = (self.side[k], self.beyond_zero(dynamics, k));
        let start = (side * self.before[k]).max(f64::MIN_POSITIVE) + beyond;
        let end = side * self.end_value(k) + beyond;
        if end > 0.0 {
            return None;
        }
        let mut bracket = Bracket::new((0.0, start), (h, end)).with_guess(at * h);
        while let Some(length) = bracket.next(ON_TIME * h) {
            let Trial::Solved { .. } = self.trial(dynamics, t, modes, length) else { return None };
            self.at_end(dynamics, t, modes, length);
            bracket.narrow(length, side * self.end_value(k) + beyond);
        }
        // Just beyond the zero, so that the side has changed.
        let [inside, beyond] = bracket.ends();
        let length = if inside.1 == 0.0 { inside.0 } else { beyond.0 };
        let good = |trial: Trial| matches!(trial, Trial::Solved { error } if error < 1.0);
        good(self.trial(dynamics, t, modes, length)).then_some(length)
    }

    /// Condition `k` at the end of the last trial.
    fn end_value(&self, k: usize) -> f64 {
        self.inside_values.last().map_or(f64::NAN, |g| g[k])
    }

    fn at_end(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], h: f64) {
        let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
        self.radau.stage(self.radau.nodes().len() - 1, &self.x, &mut self.stage);
        system.evaluate(h, &self.stage);
        if let Some(values) = self.inside_values.last_mut() {
            functions(dynamics, modes, &self.room.y, &self.bands, values);
        }
    }

    /// All conditions that fail at the end of the last trial, by name; `met` is the one whose zero that is.
    pub(super) fn failed(&mut self, dynamics: &Dynamics, modes: &[Mode], met: Option<usize>) -> Vec<Found> {
        let (Some(values), Some(met)) = (self.inside_values.last(), met) else { return vec![] };
        let fails = |k: &usize| {
            *k == met
                || (self.side[*k] != 0.0 && self.side[*k] * values[*k] < -self.beyond_zero(dynamics, *k))
                || self.stops_with(dynamics, modes, (*k, met), values)
        };
        let told: Vec<usize> = (0..values.len()).filter(fails).collect();
        self.told = told;
        let events = self.told.iter().filter(|k| !is_edge(dynamics, modes, **k));
        let mut found: Vec<Found> = events.map(|k| self.name(dynamics, modes, *k)).collect();
        found.dedup();
        found
    }

    /// Whether a point comes to the edge of its band together with the one whose condition is `met`: a stop there takes
    /// velocity away, so that the order of stops that are one but for the tolerance would matter.
    fn stops_with(&self, dynamics: &Dynamics, modes: &[Mode], (k, met): (usize, usize), values: &[f64]) -> bool {
        let arrives = |k: usize| {
            let i = k / PER_POINT;
            let slips = |site: &Site| site.band > 0.0 && site.cone && !site.plane && modes[i].sign() != 0.0;
            k.is_multiple_of(PER_POINT) && dynamics.sites.get(i).is_some_and(slips) && self.bands[i] > 0.0
        };
        arrives(k) && arrives(met) && values[k] < self.before[k] && values[k] <= self.noise(dynamics, modes, k)
    }

    fn name(&self, dynamics: &Dynamics, modes: &[Mode], k: usize) -> Found {
        let i = k / PER_POINT;
        match k.checked_sub(PER_POINT * dynamics.sites.len()) {
            Some(guard) => Found::Guard(guard),
            None if k % PER_POINT == 2 => Found::Opens(i),
            None if modes[i] == Mode::Open => Found::Lands(i),
            None if modes[i] == Mode::Stick => Found::Leaves(i, leaving(dynamics.at[i].f[0], k)),
            None => Found::Arrives(i),
        }
    }
}

/// The sign with which a reaction leaves its limit; one of zero, where nothing is held, does so towards the condition that it fails.
fn leaving(force: f64, k: usize) -> f64 {
    if force != 0.0 { sign(force) } else { [1.0, -1.0][k % PER_POINT % 2] }
}

/// Whether a condition is that of slip which leaves its band: the step ends there, and nothing happens.
fn is_edge(dynamics: &Dynamics, modes: &[Mode], k: usize) -> bool {
    let point = dynamics.sites.get(k / PER_POINT).zip(modes.get(k / PER_POINT));
    k % PER_POINT == 1 && point.is_some_and(|(site, mode)| site.cone && mode.sign() != 0.0)
}

/// For each point what must stay positive in its mode (1 where nothing must), then the guards of the laws.
pub(super) fn functions(dynamics: &Dynamics, modes: &[Mode], y: &[f64], bands: &[f64], out: &mut Vec<f64>) {
    out.clear();
    for (i, site) in dynamics.sites.iter().enumerate() {
        let at = &dynamics.at[i];
        let rigid = site.rigid.is_some();
        let touch = dynamics.touch(i, &y[2 * dynamics.n..]);
        out.extend(match modes[i] {
            Mode::Open if rigid => [at.gap, 1.0],
            Mode::Open => [touch.map_or(1.0, |touch| -touch), 1.0],
            // The motion of a point without inertia is given: friction neither stops it nor sets it going.
            _ if !site.cone || dynamics.n == 0 => [1.0; 2],
            Mode::Stick if site.plane => [at.hold - norm(&at.f), 1.0],
            // Each direction on its own: the magnitude has a kink where the force changes its sign.
            Mode::Stick => [at.hold - at.f[0], at.hold + at.f[0]],
            Mode::Forward | Mode::Backward if site.plane => {
                [dot(&at.slip, &dynamics.headings[i].along) - bands[i], 1.0]
            }
            // Slip that begins inside its band is followed to the edge: only from there on does the band end it.
            Mode::Forward | Mode::Backward if site.band > 0.0 && bands[i] == 0.0 => {
                [modes[i].sign() * at.slip[0], site.band - at.slip[0].abs()]
            }
            Mode::Forward | Mode::Backward => [modes[i].sign() * at.slip[0] - bands[i], 1.0],
        });
        out.push(match (modes[i], touch) {
            (Mode::Open, _) => 1.0,
            (_, Some(touch)) => touch,
            _ if rigid => at.n,
            _ => 1.0,
        });
    }
    dynamics.guards(&y[2 * dynamics.n..], out);
}

/// 1, -1, or 0 for what is not beyond its noise.
fn beyond(x: f64, noise: f64) -> f64 {
    if x.abs() > noise { sign(x) } else { 0.0 }
}

/// 1, -1, or 0 for zero.
pub(super) fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}
