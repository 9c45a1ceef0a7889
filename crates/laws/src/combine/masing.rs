//! Masing's memory: loops made from one curve, and the turning points that are still remembered.
use super::memory::{COUNT, MOST, Memory, X};
use crate::{Claims, Event, Friction, Inner, Law, LawError, Mode, Scale, Slide, State};
use stickslip_real::Scalar;

/// The curve of first loading: the force over the slip from the virgin state, up to gross slip.
pub trait Backbone<S>: Send + Sync {
    /// The slip, m, at which gross slip begins, under the normal force n.
    fn reach(&self, n: S) -> S;
    /// The force, N, at the slip x, 0 <= x <= reach. It is concave.
    fn force(&self, n: S, x: S) -> S;
    /// The work of loading to x, J: the area under the curve.
    fn work(&self, n: S, x: S) -> S;
    /// Whether the curve depends on the normal force.
    fn loaded(&self) -> bool;
    /// What explains the point x of the curve: name, unit, value.
    fn observe(&self, _n: S, _x: S) -> Vec<(&'static str, &'static str, S)> {
        vec![]
    }
    /// Refuses parameters that make no curve.
    fn fits(&self) -> Result<(), LawError> {
        Ok(())
    }
}

/// A law of loops from a curve, by Masing's rules.
///
/// From a turning point the force changes by twice the curve at half the slip. A loop that closes is forgotten: the
/// motion goes on along the branch that the loop left. The states are the slip x (which stays within gross slip), the
/// number of turning points, these, and a base force. Up to 64 reversals inside one another are exact. Beyond, two
/// neighbours whose loss changes the force least are forgotten, and the base force, which is zero until then, keeps the
/// force as it was until all loops have closed: on the way out through forgotten loops it may be wrong by some thousandths
/// of that of gross slip. The law has no answer where the base force exceeds one thousandth.
#[derive(Clone, Debug)]
pub struct Masing<B> {
    /// The curve of first loading.
    pub curve: B,
}

/// The largest base force, as part of that of gross slip.
const FORGIVEN: f64 = 1e-3;
/// Gross slip counts as reached from this part before it: rounding does not unseat it.
const BAND: f64 = 1e-9;

impl<B> Masing<B> {
    /// The memory, with the slip inside gross slip, and the slip of gross slip.
    fn memory<S: Scalar>(&self, n: S, z: &[S]) -> (Memory<S>, S)
    where
        B: Backbone<S>,
    {
        let (mut memory, reach) = (Memory::of(z), self.curve.reach(n));
        if memory.x.re().abs() > reach.re() {
            memory.x = if memory.x.re() < 0.0 { -reach } else { reach };
            memory.count = 0;
        }
        (memory, reach)
    }

    /// The force gained over a slip, on the curve blown up so many times.
    fn along<S: Scalar>(&self, n: S, reach: S, x: S, times: f64) -> S
    where
        B: Backbone<S>,
    {
        let force = self.curve.force(n, (x.abs() / times).min(reach)) * times;
        if x.re() < 0.0 { -force } else { force }
    }

    /// The force of a memory.
    fn force<S: Scalar>(&self, n: S, reach: S, memory: &Memory<S>) -> S
    where
        B: Backbone<S>,
    {
        let along = |x: S, times: f64| self.along(n, reach, x, times);
        let Memory { x, turns, count, base } = memory;
        let Some(last) = count.checked_sub(1) else { return along(*x, 1.0) };
        let past = (1..*count).fold(along(turns[0], 1.0), |sum, j| sum + along(turns[j] - turns[j - 1], 2.0));
        let force = past + along(*x - turns[last], 2.0) + *base;
        let forgiven = base.re().abs() <= FORGIVEN * self.curve.force(n, reach).re();
        if forgiven { force } else { S::lit(f64::NAN) }
    }

    /// Turns here. Where there is no room the two neighbours that change the force least are forgotten; the first stays.
    fn turn<S: Scalar>(&self, n: S, reach: S, memory: &mut Memory<S>)
    where
        B: Backbone<S>,
    {
        let Memory { x, turns, count, base } = memory;
        if *count == MOST {
            let change = |j: usize| {
                let next = if j + 2 < MOST { turns[j + 2] } else { *x };
                let along = |from: S, to: S| self.along(n, reach, to - from, 2.0);
                let loop_of_two = along(turns[j], turns[j + 1]) + along(turns[j + 1], next);
                along(turns[j - 1], turns[j]) + loop_of_two - along(turns[j - 1], next)
            };
            // Changes of either sign are chosen in turn, so that they make up for each other.
            let cost = |j: &usize| change(*j).re().abs() + (*base + change(*j)).re().abs();
            let least = (1..MOST - 1).min_by(|i, j| cost(i).total_cmp(&cost(j))).unwrap_or(1);
            *base = *base + change(least);
            turns.copy_within(least + 2.., least);
            *count -= 2;
        }
        turns[*count] = *x;
        *count += 1;
    }

    /// Whether gross slip goes on. A turning point ends it, whatever sign rounding gives the velocity there.
    fn slides<S: Scalar>(&self, at: &Slide<S, 1>, z: &[S], reach: S) -> bool {
        z[COUNT].re() < 0.5 && is_reached(z[X], reach) && z[X].re() * at.v[0].re() > 0.0
    }
}

/// Whether a slip is that of gross slip.
fn is_reached<S: Scalar>(x: S, reach: S) -> bool {
    x.re().abs() >= reach.re() * (1.0 - BAND)
}

impl<S: Scalar, B: Backbone<S>> Law<S, 1> for Masing<B> {
    fn respond(&self, at: &Slide<S, 1>, z: &[S], dz: &mut [S]) -> Friction<S, 1> {
        let (memory, reach) = self.memory(at.n, z);
        dz.fill(S::zero());
        if reach.re() <= 0.0 {
            return Friction::Force([S::zero()]);
        }
        if !at.inner.map_or(self.slides(at, z, reach), |held| !held.any()) {
            dz[X] = at.v[0];
        }
        Friction::Force([self.force(at.n, reach, &memory)])
    }

    fn states(&self) -> Vec<State> {
        let along = |state: State, about| State { axis: Some(0), about, ..state };
        let place = |name: String| State::new(name, "m", 0.0, Scale::Linear(1e-6));
        let turns = State::new("turns", "1", 0.0, Scale::Linear(1.0));
        let turns = turns.means("How many turning points are remembered.").held();
        let mut states = vec![along(place("x".into()), "Displacement."), turns];
        states.extend(
            (1..=MOST).map(|i| along(place(format!("turn_{i}")).held(), "A turning point that is remembered.")),
        );
        states.push(along(
            State::new("base", "N", 0.0, Scale::Linear(1.0)).held(),
            "Force left by turning points that had to be forgotten.",
        ));
        states
    }

    fn step(&self, at: &Slide<S, 1>, dt: S, z0: &[S], z1: &mut [S], _: &mut [S]) -> Option<[S; 1]> {
        let (mut memory, reach) = self.memory(at.n, z0);
        if memory.reverses(at.v[0].re()) {
            self.turn(at.n, reach, &mut memory);
        }
        memory.x = memory.x + at.v[0] * dt;
        memory.write(z1);
        let (memory, _) = self.memory(at.n, z1);
        memory.write(z1);
        Some([if reach.re() > 0.0 { self.force(at.n, reach, &memory) } else { S::zero() }])
    }

    /// A reversal; the end of a loop; the distance to gross slip, less a band.
    fn guards(&self, at: &Slide<S, 1>, z: &[S], g: &mut Vec<S>) {
        let (memory, reach) = self.memory(at.n, z);
        let v = at.v[0];
        g.push(memory.direction().map_or(v.abs(), |d| v * d));
        g.push(Memory::written(z).branch().map_or(reach, |(_, _, left)| left));
        g.push(reach * (1.0 - BAND) - z[X].abs());
    }

    /// A reversal is remembered, a loop that closed is forgotten, as is everything in gross slip.
    fn on(&self, event: Event<S>, at: &Slide<S, 1>, z: &mut [S]) {
        let (mut memory, reach) = self.memory(at.n, z);
        let v = at.v[0].re();
        let turns = match event {
            // An event is found where the velocity has just changed its sign, or vanishes.
            Event::Guard(0) => memory.reverses(v) || (v == 0.0 && memory.direction().is_some()),
            Event::Guard(2) if memory.x.re() * v > 0.0 => {
                memory.x = if v < 0.0 { -reach } else { reach };
                memory.count = 0;
                false
            }
            Event::Enter(Mode::Open) => {
                (memory.x, memory.count) = (S::zero(), 0);
                false
            }
            Event::Enter(mode) => mode.sign() * v >= 0.0 && memory.reverses(mode.sign()),
            _ => false,
        };
        if turns {
            self.turn(at.n, reach, &mut memory);
        }
        memory.write(z);
    }

    /// An element that yields at y carries y - |x - t| since it last yielded at the turning point t.
    fn stored(&self, at: &Slide<S, 1>, z: &[S]) -> S {
        let (Memory { x, turns, count, .. }, reach) = self.memory(at.n, z);
        if reach.re() <= 0.0 {
            return S::zero();
        }
        let n = at.n;
        let upto = |y: S, since: S| {
            let y = y.min(reach);
            (y - since) * self.curve.force(n, y) - self.curve.work(n, y)
        };
        // Half the width of the branch that ends at turning point j; the first comes from the virgin state.
        let half = |j: usize| if j == 0 { turns[0].abs() } else { (turns[j] - turns[j - 1]).abs() * 0.5 };
        let inner = if count == 0 { x.abs() } else { (x - turns[count - 1]).abs() * 0.5 };
        let mut energy = upto(inner, S::zero());
        for j in 0..count {
            let since = (x - turns[j]).abs();
            let from = if j + 1 < count { half(j + 1) } else { inner };
            energy = energy + upto(half(j), since) - upto(from, since);
        }
        energy
    }

    fn inner(&self, at: &Slide<S, 1>, z: &[S]) -> Option<Inner> {
        let slides = self.slides(at, z, self.curve.reach(at.n));
        Some(if slides { Inner::sliding(z[X].re() < 0.0) } else { Inner::stuck() })
    }

    fn claims(&self, of_kind: Claims) -> Claims {
        Claims { constant_load: self.curve.loaded(), ..of_kind }
    }

    fn fits(&self) -> Result<(), LawError> {
        self.curve.fits()
    }

    /// The slip at which gross slip begins, and what the curve says of the last branch, as if it were the first.
    fn observe(&self, at: &Slide<S, 1>, z: &[S]) -> Vec<(&'static str, &'static str, S)> {
        let (memory, reach) = self.memory(at.n, z);
        let x = match memory.branch() {
            Some((_, gone, _)) => gone * 0.5,
            None => memory.x.abs(),
        };
        // In gross slip the curve is at its end: what is left of its root there would be rounding.
        let x = if is_reached(x, reach) { reach } else { x };
        let mut seen = vec![("reach", "m", reach)];
        if reach.re() > 0.0 {
            seen.extend(self.curve.observe(at.n, x));
        }
        seen
    }

    fn fault(&self, at: &Slide<S, 1>, z: &[S]) -> Option<&'static str> {
        let (memory, reach) = self.memory(at.n, z);
        let lost = reach.re() > 0.0 && self.force(at.n, reach, &memory).re().is_nan();
        lost.then_some(
            "more reversals inside one another than the law can remember: the loops forgotten would change the force \
             by over a thousandth of that of gross slip",
        )
    }
}

#[cfg(test)]
#[path = "masing_tests.rs"]
mod tests;
