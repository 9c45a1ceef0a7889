//! Events of adaptive steps: what must stay positive, and steps that end exactly where it does not.
use super::{Adaptive, Found};
use crate::dynamics::{AtSite, Dynamics, Site, Stiff};
use stickslip_laws::{Mode, dot, norm};
use stickslip_solve::radau::Trial;

/// Iterations to step onto an event; bisection alone needs about fifty.
const MOST_SEARCH: usize = 80;
/// An event's time is found to this part of the step.
const ON_TIME: f64 = 1e-14;
/// A contact that parts or meets by less than this part of its way within a step only grazes.
const GRAZES: f64 = 1e-9;
/// Conditions of a point: of its mode, and its normal reaction, or what it is in contact by.
pub(super) const PER_POINT: usize = 2;

impl Adaptive {
    /// The event functions at the end of the last trial; the first that changed its side.
    pub(super) fn event(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], h: f64) -> Option<usize> {
        if !self.eventful {
            return None;
        }
        self.at_end(dynamics, t, modes, h);
        let conditions = PER_POINT * dynamics.sites.len();
        let first = self.changed(usize::MAX);
        if first.is_none() && self.dips(dynamics, t, modes, h) {
            // A condition fails and returns within the step: a shorter one will show it.
            self.at_end(dynamics, t, modes, h);
            return (0..conditions).find(|k| self.side[*k] != 0.0);
        }
        first
    }

    /// Whether a condition of a point is no number there: it would never change its side.
    pub(super) fn undefined(&self, dynamics: &Dynamics) -> bool {
        self.eventful && self.after.iter().take(PER_POINT * dynamics.sites.len()).any(|g| g.is_nan())
    }

    /// The function that has changed its side at the end of the last trial, `but` for one; of several, the one whose chord
    /// crosses first.
    fn changed(&self, but: usize) -> Option<usize> {
        let mut first: Option<(usize, f64)> = None;
        for (k, &after) in self.after.iter().enumerate() {
            if k == but || self.side[k] == 0.0 || after * self.side[k] >= 0.0 {
                continue;
            }
            let part = self.before[k] / (self.before[k] - after);
            if first.is_none_or(|(_, least)| part < least) {
                first = Some((k, part));
            }
        }
        first.map(|(k, _)| k)
    }

    /// Steps onto the first zero of all functions, beginning with that of `k`: a chord may mislead where a function starts
    /// near its zero, so what else has changed its side by then lies before it. The length, and whose zero it is.
    pub(super) fn land_first(
        &mut self,
        dynamics: &mut Dynamics,
        t: f64,
        modes: &[Mode],
        h: f64,
        mut k: usize,
    ) -> Option<(f64, usize)> {
        let mut length = self.land(dynamics, t, modes, h, k)?;
        for _ in 0..self.after.len() {
            self.at_end(dynamics, t, modes, length);
            let Some(earlier) = self.changed(k) else { break };
            length = self.land(dynamics, t, modes, length, earlier)?;
            k = earlier;
        }
        Some((length, k))
    }

    /// Whether a slip velocity, a gap or a normal reaction changes its sign twice inside the step.
    fn dips(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], h: f64) -> bool {
        let n = dynamics.n;
        for (i, site) in dynamics.sites.iter().enumerate() {
            let open = modes[i] == Mode::Open;
            if site.opens && site.edge.is_none() && self.touches_again(dynamics, i, open) {
                return true;
            }
            let watched = if open { site.rigid.is_some() } else { site.cone && modes[i].sign() != 0.0 };
            // In two directions a point follows a given motion, whose stops are known beforehand.
            let given = n == 0 && site.tangent.len() > 1;
            if !watched || given || self.before[PER_POINT * i] == 0.0 {
                continue;
            }
            let (rows, first, signs, end) = match &site.normal {
                Some(row) if open => (std::slice::from_ref(row), 0, [1.0, 0.0], [dynamics.at[i].gap, 0.0]),
                _ if site.plane => (&site.tangent[..], n, dynamics.headings[i].along, dynamics.at[i].slip),
                _ => (&site.tangent[..1], n, [modes[i].sign(), 0.0], dynamics.at[i].slip),
            };
            for s in [0.25, 0.5, 0.75] {
                let mut value = 0.0;
                for ((row, sign), mut x) in rows.iter().zip(signs).zip(end) {
                    for j in 0..n {
                        let at = |s: f64| self.radau.dense(first + j, s, self.x[first + j]);
                        x += row[j] * (at(s) - at(1.0));
                    }
                    value += x * sign;
                }
                if value < self.bands[i].min(0.0) {
                    return true;
                }
            }
        }
        if !dynamics.has_rigid() {
            return false;
        }
        let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
        let nodes = self.radau.nodes();
        (0..nodes.len() - 1).any(|k| {
            self.radau.stage(k, &self.x, &mut self.stage);
            system.evaluate(nodes[k] * h, &self.stage);
            let lifted = |(site, at): (&Site, &AtSite)| site.rigid.is_some() && at.n < 0.0;
            system.dynamics.sites.iter().zip(&system.dynamics.at).any(lifted)
        })
    }

    /// Whether a compliant contact closes and opens, or opens and closes, inside the step.
    fn touches_again(&self, dynamics: &Dynamics, i: usize, open: bool) -> bool {
        let (n, z) = (dynamics.n, &self.room.y[2 * dynamics.n..]);
        let (Some(row), Some(end)) = (&dynamics.sites[i].normal, dynamics.touch(i, z)) else { return false };
        let side = if open { -1.0 } else { 1.0 };
        [0.25, 0.5, 0.75].into_iter().any(|s| {
            let at = |j: usize, s: f64| self.radau.dense(j, s, self.x[j]);
            let parted: f64 = (0..n).map(|j| row[j] * (at(j, s) - at(j, 1.0))).sum();
            side * (end - parted) < -GRAZES * parted.abs()
        })
    }

    fn at_end(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], h: f64) {
        let mut system = Stiff { dynamics, variables: &self.variables, modes, base: t, room: &mut self.room };
        self.radau.stage(self.radau.nodes().len() - 1, &self.x, &mut self.stage);
        system.evaluate(h, &self.stage);
        functions(dynamics, modes, &self.room.y, &self.bands, &mut self.after);
    }

    /// Steps exactly onto the zero of function `k`: regula falsi (Illinois) on the length of the step itself, so that
    /// the event is as accurate as the method, not as its dense output. None: Newton failed on the way, or the step onto the
    /// event is not accurate, as where a force ends with an infinite slope.
    fn land(&mut self, dynamics: &mut Dynamics, t: f64, modes: &[Mode], h: f64, k: usize) -> Option<f64> {
        let (mut a, mut ga) = (0.0, self.before[k]);
        let (mut b, mut gb) = (h, self.after[k]);
        if ga * self.side[k] <= 0.0 {
            // It started on its zero: the side is known, its size is not.
            ga = self.side[k] * f64::MIN_POSITIVE;
        }
        if gb * self.side[k] > 0.0 {
            return None;
        }
        let mut stale = 0;
        for _ in 0..MOST_SEARCH {
            let mut middle = b - gb * (b - a) / (gb - ga);
            if !(middle > a && middle < b) || stale > 3 {
                middle = 0.5 * (a + b);
                stale = 0;
            }
            if b - a <= ON_TIME * h {
                break;
            }
            let Trial::Solved { error } = self.trial(dynamics, t, modes, middle) else { return None };
            self.at_end(dynamics, t, modes, middle);
            let g = self.after[k];
            if g == 0.0 {
                return (error < 1.0).then_some(middle);
            }
            if g * gb > 0.0 {
                (b, gb) = (middle, g);
                ga *= 0.5;
                stale += 1;
            } else {
                (a, ga) = (middle, g);
                gb *= 0.5;
                stale += 1;
            }
        }
        // End just beyond the zero, so that the side has changed.
        matches!(self.trial(dynamics, t, modes, b), Trial::Solved { error } if error < 1.0).then_some(b)
    }

    pub(super) fn name(&self, dynamics: &Dynamics, modes: &[Mode], k: usize) -> Found {
        let i = k / PER_POINT;
        match k.checked_sub(PER_POINT * dynamics.sites.len()) {
            Some(guard) => Found::Guard(guard),
            None if k % PER_POINT == 1 => Found::Opens(i),
            None if modes[i] == Mode::Open => Found::Lands(i),
            None if modes[i] == Mode::Stick => Found::Leaves(i),
            None => Found::Arrives(i),
        }
    }
}

/// For each point what must stay positive in its mode (1 where nothing must), then the guards of the laws.
pub(super) fn functions(dynamics: &Dynamics, modes: &[Mode], y: &[f64], bands: &[f64], out: &mut Vec<f64>) {
    out.clear();
    for (i, site) in dynamics.sites.iter().enumerate() {
        let at = &dynamics.at[i];
        let rigid = site.rigid.is_some();
        let touch = dynamics.touch(i, &y[2 * dynamics.n..]);
        out.push(match modes[i] {
            Mode::Open if rigid => at.gap,
            Mode::Open => touch.map_or(1.0, |touch| -touch),
            _ if !site.cone => 1.0,
            Mode::Stick => at.hold - if site.plane { norm(&at.f) } else { at.f[0].abs() },
            // A point whose motion is given is not stopped by friction.
            Mode::Forward | Mode::Backward if site.plane && dynamics.n == 0 => 1.0,
            Mode::Forward | Mode::Backward if site.plane => dot(&at.slip, &dynamics.headings[i].along) - bands[i],
            Mode::Forward | Mode::Backward => modes[i].sign() * at.slip[0] - bands[i],
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
