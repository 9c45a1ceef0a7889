//! A lap by Gauss' rules between the instants at which laws, slip or drives change.
use super::Balance;
use super::lap::Room;
use super::states::{At, Memory};
use stickslip_motion::next_knot;
use stickslip_solve::dense::dot;
use stickslip_solve::quadrature::gauss;
use stickslip_solve::root::Bracket;

/// Parts of a period between two Gauss rules for each harmonic, and besides.
const PARTS: usize = 4;
const MORE_PARTS: usize = 8;
/// Nodes of a rule.
const NODES: usize = 8;
/// Halvings of a part next to an instant at which a law without stick is steep.
const GRADED: i32 = 14;
/// Instants nearer than this part of the period are one.
const SAME: f64 = 1e-13;
/// Guards are located to this part of the period: a force that bends there, by twice as many digits, has no more to tell.
const BENT: f64 = 1e-8;
/// Places at which slip is looked at for reversals, for each harmonic.
const PLACES: usize = 16;
/// Guards that may change inside a part of a period, one after the other.
const MOST_GUARDS: usize = 8;

/// What changes its sign in a period.
#[derive(Clone, Copy, PartialEq)]
enum Watched {
    Slip(usize),
    Place(usize),
    Gap(usize),
}

impl Balance<'_> {
    /// Instants at which something changes its sign.
    fn changes(&self, x: &[f64], watched: &[Watched], room: &mut Room) -> Vec<(f64, Watched)> {
        let count = PLACES * self.basis.harmonics.max(2);
        let z = vec![0.0; self.dynamics.nz];
        let mut found = vec![];
        let mut look = |what: Watched, t: f64| {
            self.place(t, x, &z, room);
            match what {
                Watched::Slip(i) => self.dynamics.slip_of(i, t, &room.y),
                Watched::Place(i) => dot(&self.dynamics.sites[i].tangent[0], &room.y),
                Watched::Gap(i) => {
                    self.dynamics.gap_of(i, &room.y) - self.dynamics.height(t)[0] - self.dynamics.sites[i].reach
                }
            }
        };
        for what in watched {
            // In no regular pattern, so that no node of the grid is a zero of a symmetric motion.
            let place = |k: usize| self.basis.period * (k as f64 + 0.382) / count as f64;
            let mut before = (place(0), look(*what, place(0)));
            for k in 1..=count {
                let after = (place(k), look(*what, place(k)));
                if before.1 * after.1 < 0.0 {
                    let mut bracket = Bracket::new(before, after);
                    while let Some(t) = bracket.next(0.0) {
                        bracket.narrow(t, look(*what, t));
                    }
                    found.push((bracket.best().0 % self.basis.period, *what));
                }
                before = after;
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found
    }

    pub(super) fn reversals(&self, x: &[f64], room: &mut Room) -> Vec<(f64, usize)> {
        let slips: Vec<Watched> = (0..self.dynamics.sites.len()).map(Watched::Slip).collect();
        let all = self.changes(x, &slips, room);
        all.into_iter().filter_map(|(t, what)| if let Watched::Slip(i) = what { Some((t, i)) } else { None }).collect()
    }

    /// A lap by Gauss' rules between the instants at which something changes.
    pub(super) fn split(&mut self, x: &[f64], start: At, room: &mut Room) -> Result<At, String> {
        let period = self.basis.period;
        let parts = MORE_PARTS + PARTS * self.basis.harmonics;
        let mut watched = vec![];
        for (i, site) in self.dynamics.sites.iter().enumerate() {
            watched.push(Watched::Slip(i));
            if site.fixed_load.is_none() {
                watched.push(Watched::Place(i));
                if site.normal.is_some() {
                    watched.push(Watched::Gap(i));
                }
            }
        }
        let changes = self.changes(x, &watched, room);
        let mut ends: Vec<f64> = (0..=parts).map(|k| period * k as f64 / parts as f64).collect();
        for (t, what) in &changes {
            ends.push(*t);
            let steep = |i: &usize| !self.dynamics.sites[*i].cone && self.memory != Memory::Map;
            if let Watched::Slip(i) = what
                && steep(i)
            {
                for k in 1..=GRADED {
                    let by = period / parts as f64 * 0.5f64.powi(k);
                    ends.extend([t - by, t + by].map(|t| t.rem_euclid(period)));
                }
            }
        }
        let mut t = 0.0;
        loop {
            t = next_knot(self.dynamics.signals(), t, period);
            if t >= period || !t.is_finite() {
                break;
            }
            ends.push(t);
        }
        ends.sort_by(f64::total_cmp);
        ends.dedup_by(|b, a| *b - *a <= SAME * period);
        let reversals: Vec<(f64, usize)> = changes
            .iter()
            .filter_map(|(t, what)| if let Watched::Slip(i) = what { Some((*t, *i)) } else { None })
            .collect();
        room.seen.reversals = reversals.len();
        let rule = gauss(NODES);
        let mut at = start;
        for w in ends.windows(2) {
            at = match room.states_only {
                true => self.carried(x, w[0], &at, w[1], room)?,
                false => self.part(x, (w[0], w[1]), at, &rule, MOST_GUARDS, room)?,
            };
            room.largest = at.z.iter().fold(room.largest, |most, z| most.max(z.abs()));
        }
        if room.states_only {
            return Ok(at);
        }
        self.add_jumps(x, &reversals, &at.z, room)?;
        Ok(at)
    }

    /// A part of the period over which drives and slip do not change their course; laws may, at their guards.
    fn part(
        &mut self,
        x: &[f64],
        (a, b): (f64, f64),
        at: At,
        rule: &[(f64, f64)],
        guards: usize,
        room: &mut Room,
    ) -> Result<At, String> {
        if self.memory == Memory::Rates {
            let mut nodes = vec![];
            let z = self.collocated(x, (a, b), &at.z, room, Some(&mut nodes))?;
            for (t, weight, z) in nodes {
                self.add((t, weight), x, &At { z, slopes: vec![] }, room)?;
            }
            return Ok(At { z, slopes: vec![] });
        }
        if self.memory == Memory::None {
            for (part, weight) in rule {
                self.add((a + part * (b - a), weight * (b - a)), x, &at, room)?;
            }
            return Ok(at);
        }
        let split = if guards > 0 { self.guard_between(x, (a, b), &at, room)? } else { None };
        if let Some(t) = split {
            let middle = self.part(x, (a, t), at, rule, 0, room)?;
            return self.part(x, (t, b), middle, rule, guards - 1, room);
        }
        let begin = self.begin(x, a, room);
        for (part, weight) in rule {
            let t = a + part * (b - a);
            let there = self.mapped_from(x, &begin, &at, t, room)?;
            self.add((t, weight * (b - a)), x, &there, room)?;
        }
        self.mapped_from(x, &begin, &at, b, room)
    }

    /// The first instant at which a guard of a law changes its sign.
    fn guard_between(
        &mut self,
        x: &[f64],
        (a, b): (f64, f64),
        at: &At,
        room: &mut Room,
    ) -> Result<Option<f64>, String> {
        let (least, bent) = (SAME * self.basis.period, BENT * self.basis.period);
        if b - a <= 4.0 * least {
            return Ok(None);
        }
        let plain = At { z: at.z.clone(), slopes: vec![] };
        let begin = self.begin(x, a, room);
        let mut look = |t: f64| -> Result<Vec<f64>, String> {
            let there = self.mapped_from(x, &begin, &plain, t, room)?;
            room.y[2 * self.dynamics.n..].copy_from_slice(&there.z);
            let evaluated = self.dynamics.evaluate(t, &room.y, &room.modes, &mut room.dy);
            evaluated.map_err(|_| "the contacts have no reactions along a balanced motion")?;
            Ok(self.guards(&there.z))
        };
        // Just behind the start: there a guard may be zero.
        let start = a + 2.0 * least;
        let (first, last) = (look(start)?, look(b)?);
        let mut found: Option<f64> = None;
        for k in 0..first.len() {
            if (first[k] > 0.0) == (last[k] > 0.0) {
                continue;
            }
            let (mut low, mut high) = (start, b);
            while high - low > bent {
                let middle = 0.5 * (low + high);
                if (look(middle)?[k] > 0.0) == (first[k] > 0.0) { low = middle } else { high = middle }
            }
            found = Some(found.map_or(high, |t| t.min(high)));
        }
        Ok(found.filter(|t| *t > a + 4.0 * least && *t < b - 4.0 * least))
    }
}
