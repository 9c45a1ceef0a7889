//! Laws side by side: they share the slip, and their forces add up.
use crate::{Claims, Event, Friction, Inner, Law, LawError, Slide, State};
use stickslip_derive::delegate;
use stickslip_formula::Formula;
use stickslip_real::Real;

/// Single-valued laws of one type side by side. The states of the parts lie one after the other.
#[derive(Clone, Debug)]
pub struct Parallel<L> {
    /// The parts; at least one.
    pub parts: Vec<L>,
}

impl<L> Parallel<L> {
    /// Each part with what it sees and its range of states, of `all`.
    fn each<'a, S: Real, const D: usize>(
        &'a self,
        at: &'a Slide<S, D>,
        all: usize,
    ) -> impl Iterator<Item = (&'a L, Slide<S, D>, std::ops::Range<usize>)> {
        let own = all / self.parts.len();
        self.parts.iter().enumerate().map(move |(i, part)| {
            let seen = Slide { inner: at.inner.map(|held| held.part(i)), ..*at };
            (part, seen, i * own..(i + 1) * own)
        })
    }
}

/// Adds the force of a part; a cone has none.
fn add<S: Real, const D: usize>(sum: &mut [S; D], answer: Friction<S, D>) {
    for (i, sum) in sum.iter_mut().enumerate() {
        *sum = match answer {
            Friction::Force(f) => *sum + f[i],
            Friction::Cone { .. } => S::lit(f64::NAN),
        };
    }
}

// The parts are of one type and share what they see: one lag, one neighbourhood, one scale.
#[delegate(to = &self.parts[0])]
impl<S: Real, const D: usize, L: Law<S, D>> Law<S, D> for Parallel<L> {
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        let mut force = [S::zero(); D];
        for (part, at, own) in self.each(at, z.len()) {
            add(&mut force, part.respond(&at, &z[own.clone()], &mut dz[own]));
        }
        Friction::Force(force)
    }

    /// The states of the parts, with the number of the part at the end of their names.
    fn states(&self) -> Vec<State> {
        let named = |(i, part): (usize, &L)| -> Vec<State> {
            let numbered = |s: State| State { name: format!("{}_{}", s.name, i + 1), ..s };
            part.states().into_iter().map(numbered).collect()
        };
        self.parts.iter().enumerate().flat_map(named).collect()
    }

    fn rest_speed(&self, z: &[S]) -> Option<S> {
        self.parts[0].rest_speed(&z[..z.len() / self.parts.len()])
    }

    fn step(&self, at: &Slide<S, D>, dt: S, z0: &[S], z1: &mut [S], dz: &mut [S]) -> Option<[S; D]> {
        let mut force = [S::zero(); D];
        for (part, at, own) in self.each(at, z0.len()) {
            let one = part.step(&at, dt, &z0[own.clone()], &mut z1[own.clone()], &mut dz[own])?;
            add(&mut force, Friction::Force(one));
        }
        Some(force)
    }

    fn guards(&self, at: &Slide<S, D>, z: &[S], g: &mut Vec<S>) {
        self.each(at, z.len()).for_each(|(part, at, own)| part.guards(&at, &z[own], g));
    }

    /// A guard belongs to its part: all that change sign at one instant are.
    fn on(&self, event: Event<S>, at: &Slide<S, D>, z: &mut [S]) {
        let all = z.len();
        let Event::Guard(k) = event else {
            self.each(at, all).for_each(|(part, at, own)| part.on(event, &at, &mut z[own]));
            return;
        };
        let mut g = vec![];
        self.guards(at, z, &mut g);
        let each = g.len() / self.parts.len();
        if let Some((part, at, own)) = self.each(at, all).nth(k / each) {
            part.on(Event::Guard(k % each), &at, &mut z[own]);
        }
    }

    fn stored(&self, at: &Slide<S, D>, z: &[S]) -> S {
        self.each(at, z.len()).fold(S::zero(), |sum, (part, at, own)| sum + part.stored(&at, &z[own]))
    }

    fn inner(&self, at: &Slide<S, D>, z: &[S]) -> Option<Inner> {
        let mut elements = vec![];
        for (part, at, own) in self.each(at, z.len()) {
            elements.push(part.inner(&at, &z[own])?);
        }
        Some(Inner::row(elements.into_iter()))
    }

    /// All parts at their strength.
    fn strength_inside(&self, at: &Slide<S, D>) -> Option<S> {
        self.parts.iter().try_fold(S::zero(), |sum, part| Some(sum + part.strength_inside(at)?))
    }

    fn intrinsic_time(&self) -> Option<f64> {
        self.parts.iter().filter_map(Law::intrinsic_time).reduce(f64::min)
    }

    fn clocks(&self) -> Vec<Formula> {
        self.parts.iter().flat_map(Law::clocks).collect()
    }

    fn observe(&self, at: &Slide<S, D>, z: &[S]) -> Vec<(&'static str, &'static str, S)> {
        self.each(at, z.len()).flat_map(|(part, at, own)| part.observe(&at, &z[own])).collect()
    }

    fn fault(&self, at: &Slide<S, D>, z: &[S]) -> Option<&'static str> {
        self.each(at, z.len()).find_map(|(part, at, own)| part.fault(&at, &z[own]))
    }

    fn claims(&self, of_kind: Claims) -> Claims {
        self.parts.iter().map(|part| part.claims(of_kind)).reduce(Claims::common).unwrap_or(of_kind)
    }

    fn fits(&self) -> Result<(), LawError> {
        if self.parts.len() > Inner::MOST {
            let message = format!("{} elements stand side by side", self.parts.len());
            return Err(LawError::new("stiffness", "shape", message, format!("at most {}", Inner::MOST)));
        }
        self.parts.iter().try_for_each(Law::fits)
    }
}
