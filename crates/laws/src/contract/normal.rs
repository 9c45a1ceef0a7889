//! The normal law.
use super::claims::Claims;
use super::jets::{NormalJet, NormalJetMaker};
use super::law::{Event, State};
use stickslip_real::{Dual, Real};

/// What a normal law sees.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Press<S> {
    /// Gap, m; negative when the surfaces approach beyond first contact.
    pub gap: S,
    /// Rate of the gap, m/s.
    pub gap_rate: S,
    /// Tangential displacement of the point from where the structure's springs are relaxed, m.
    pub u: S,
    /// Slip velocity, m/s.
    pub v: S,
    /// Time, s.
    pub t: S,
    /// Value of the contact's own function of time, where it has one: a force, or a pressure.
    pub given: S,
    /// Mass that rests on the contact, kg.
    pub mass: S,
    /// Nominal area, m^2.
    pub area: S,
}

impl<S: Real> Press<S> {
    /// Surfaces at this gap and gap rate; everything else zero, the area 1 m^2.
    pub fn new(gap: S, gap_rate: S) -> Self {
        let o = S::zero();
        Press { gap, gap_rate, u: o, v: o, t: o, given: o, mass: o, area: S::lit(1.0) }
    }

    /// The nominal area where this approach is positive, else none: the real area of a law that knows no other.
    pub fn touching(&self, approach: S) -> S {
        S::select(S::zero().lt(approach), self.area, S::zero())
    }
}

/// What a coefficient of restitution restores in an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Impact {
    /// Moreau: a part of the approach velocity, with Newton's coefficient.
    #[default]
    Moreau,
    /// Poisson: a part of the normal impulse of the compression.
    Poisson,
}

/// What a normal law answers.
#[derive(Clone, Copy, Debug)]
pub enum Normal<S> {
    /// Impenetrable: the force is a reaction, and an approach ends in an impact.
    Rigid {
        /// Coefficient of restitution.
        restitution: S,
        /// What it restores.
        impact: Impact,
    },
    /// A force; negative where adhesion pulls.
    Force {
        /// Normal force, N.
        n: S,
        /// Real contact area, m^2 (the nominal one where the law knows no other and the surfaces touch).
        area: S,
        /// Elastic energy stored, J.
        stored: S,
        /// The load that friction follows, N: the whole force, or the part of it that the law names.
        load: S,
    },
}

impl<S: Real> Normal<S> {
    /// No force: room for an answer.
    pub fn none() -> Self {
        Normal::force(S::zero(), S::lit(1.0))
    }

    /// A force that stores nothing, on a real contact area, and friction that follows all of it.
    pub fn force(n: S, area: S) -> Self {
        Normal::Force { n, area, stored: S::zero(), load: n }
    }

    /// The same with elastic energy.
    pub fn storing(self, energy: S) -> Self {
        match self {
            Normal::Force { n, area, load, .. } => Normal::Force { n, area, stored: energy, load },
            rigid => rigid,
        }
    }

    /// The same with friction that follows this load instead of the whole force.
    pub fn felt(self, by_friction: S) -> Self {
        match self {
            Normal::Force { n, area, stored, .. } => Normal::Force { n, area, stored, load: by_friction },
            rigid => rigid,
        }
    }
}

/// A normal law at a point.
pub trait NormalLaw<S: Real>: Send + Sync {
    /// The answer to an approach.
    fn respond(&self, at: &Press<S>, z: &[S]) -> Normal<S>;

    /// The gap at which the force begins; none for a law that acts at any distance.
    fn reach(&self) -> Option<f64> {
        Some(0.0)
    }

    /// How far the surfaces are in contact, m: positive while they touch, negative while they are apart, so that there is no
    /// force. None for a contact that never opens. A change of sign is an event, reported as [`Event::Enter`]: an open mode
    /// where they part, any other where they meet.
    fn touch(&self, at: &Press<S>, _z: &[S]) -> Option<S> {
        self.reach().map(|reach| S::lit(reach) - at.gap)
    }

    /// States of the law. They change at events alone: see [`NormalLaw::on`].
    fn states(&self) -> Vec<State> {
        vec![]
    }

    /// Functions whose sign change makes the force jump or bend, or the memory change; the same number at every call.
    fn guards(&self, _at: &Press<S>, _z: &[S], _g: &mut Vec<S>) {}

    /// Changes the states at an event: a guard of the law's own; `Enter`, reported where surfaces part or meet, and again while
    /// they stay so; or `Load`, reported at the start and wherever the motion jumps, for the memory to fit the instant.
    fn on(&self, _event: Event<S>, _at: &Press<S>, _z: &mut [S]) {}

    /// Quantities of the law's own that explain its answer: name, unit, value.
    fn observe(&self, _at: &Press<S>, _z: &[S]) -> Vec<(&'static str, &'static str, S)> {
        vec![]
    }
}

/// One virtual call for all points of a contact.
pub trait NormalFace<S: Real>: Send + Sync {
    /// Answers at every point; states lie point after point.
    fn respond(&self, at: &[Press<S>], z: &[S], out: &mut [Normal<S>]);
}

/// The normal side of a contact.
pub trait NormalGroup: NormalFace<f64> + NormalFace<Dual<4>> {
    /// States of one point.
    fn states(&self) -> &[State];
    /// Promises of the law.
    fn claims(&self) -> Claims;
    /// The gap at which the force begins; none for a law that acts at any distance.
    fn reach(&self) -> Option<f64>;
    /// How far the surfaces are in contact at a point, whose states these are; none for a contact that never opens.
    fn touch(&self, at: &Press<f64>, z: &[f64]) -> Option<f64>;
    /// Guards of all points, point after point.
    fn guards(&self, at: &[Press<f64>], z: &[f64], g: &mut Vec<f64>);
    /// Notifies the law of an event at a point, whose states these are.
    fn on(&self, event: Event<f64>, at: &Press<f64>, z: &mut [f64]);
    /// Quantities of the law's own at a point, whose states these are.
    fn observe(&self, at: &Press<f64>, z: &[f64]) -> Vec<(&'static str, &'static str, f64)>;
    /// Keeps what it takes to make the law in power series.
    fn offer_jet(&mut self, _: NormalJetMaker) {}
    /// The law in power series, where its kind has that.
    fn jet(&self) -> Option<NormalJet> {
        None
    }
}

/// Points that share one normal law.
pub struct Pressed<L, LD> {
    law: L,
    dual: LD,
    states: Vec<State>,
    claims: Claims,
    jet: Option<NormalJetMaker>,
}

impl<L: NormalLaw<f64>, LD: NormalLaw<Dual<4>>> Pressed<L, LD> {
    /// A group from a law and its dual twin.
    pub fn new(law: L, dual: LD, claims: Claims) -> Self {
        Pressed { states: law.states(), law, dual, claims, jet: None }
    }
}

macro_rules! face {
    ($scalar:ty, $law:ident) => {
        impl<L: NormalLaw<f64>, LD: NormalLaw<Dual<4>>> NormalFace<$scalar> for Pressed<L, LD> {
            fn respond(&self, at: &[Press<$scalar>], z: &[$scalar], out: &mut [Normal<$scalar>]) {
                let k = self.states.len();
                for (i, at) in at.iter().enumerate() {
                    out[i] = self.$law.respond(at, &z[i * k..(i + 1) * k]);
                }
            }
        }
    };
}
face!(f64, law);
face!(Dual<4>, dual);

impl<L: NormalLaw<f64>, LD: NormalLaw<Dual<4>>> NormalGroup for Pressed<L, LD> {
    fn states(&self) -> &[State] {
        &self.states
    }
    fn claims(&self) -> Claims {
        self.claims
    }
    fn reach(&self) -> Option<f64> {
        self.law.reach()
    }
    fn touch(&self, at: &Press<f64>, z: &[f64]) -> Option<f64> {
        self.law.touch(at, z)
    }
    fn guards(&self, at: &[Press<f64>], z: &[f64], g: &mut Vec<f64>) {
        let k = self.states.len();
        at.iter().enumerate().for_each(|(i, at)| self.law.guards(at, &z[i * k..(i + 1) * k], g));
    }
    fn on(&self, event: Event<f64>, at: &Press<f64>, z: &mut [f64]) {
        self.law.on(event, at, z);
    }
    fn observe(&self, at: &Press<f64>, z: &[f64]) -> Vec<(&'static str, &'static str, f64)> {
        self.law.observe(at, z)
    }
    fn offer_jet(&mut self, jet: NormalJetMaker) {
        self.jet = Some(jet);
    }
    fn jet(&self) -> Option<NormalJet> {
        self.jet.as_ref().and_then(|make| make().ok())
    }
}
