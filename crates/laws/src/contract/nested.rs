//! A law inside another: what makes combinators of the scenario language.
use super::claims::Claims;
use super::group::ContactGroup;
use super::jets::{Cubic, Jet};
use super::law::{Event, Friction, Inner, Law, Scale, State};
use super::parameter_laws::SeededLaw;
use super::registry::FrictionKind;
use super::slide::Slide;
use super::values::{Given, LawError, Values};
use std::sync::{Arc, OnceLock};
use stickslip_derive::delegate;
use stickslip_formula::Formula;
use stickslip_real::{Dual, Real};

/// A law given as a parameter of another: its kind and its values.
#[derive(Clone)]
pub struct GivenLaw {
    /// The kind.
    pub kind: FrictionKind,
    /// Its values.
    pub values: Values,
}

impl PartialEq for GivenLaw {
    fn eq(&self, other: &GivenLaw) -> bool {
        self.kind.name == other.kind.name && self.values == other.values
    }
}

impl std::fmt::Debug for GivenLaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?}", self.kind.name, self.values)
    }
}

impl Given {
    /// A law of the catalogue with these parameters.
    pub fn law<const N: usize>(name: &str, parameters: [(&str, Given); N]) -> Result<Given, LawError> {
        let unknown = || LawError::new("law", "choice", format!("unknown friction law \"{name}\""), "a law".into());
        let kind = *FrictionKind::named(name).ok_or_else(unknown)?;
        let given: Vec<(String, Given)> = parameters.into_iter().map(|(key, value)| (key.into(), value)).collect();
        let values = Values::resolve(kind.params, kind.one_of, &given)?;
        Ok(Given::Law(Box::new(GivenLaw { kind, values })))
    }
}

/// One point of a group, as a law again: what wraps laws that are chosen at run time.
#[derive(Clone)]
pub struct One {
    group: Arc<dyn ContactGroup>,
    /// The same with derivatives in its parameters.
    seeded: Option<SeededLaw>,
    /// The same in power series, made when it is asked for the first time.
    jet: Arc<OnceLock<Option<Jet>>>,
}

impl One {
    /// A point of a group.
    pub fn new(group: Arc<dyn ContactGroup>, seeded: Option<SeededLaw>) -> One {
        One { group, seeded, jet: Arc::default() }
    }

    /// The same with derivatives in the parameters of its law.
    pub fn with_seeds(&self, seeded: SeededLaw) -> One {
        One { seeded: Some(seeded), ..self.clone() }
    }
}

/// Forwards what both scalars share; `$more` are the methods that a group has in this scalar alone. A group answers
/// `fits` when it is built; it has a step with derivatives alone, and `stored`, `rest_speed`, `strength_inside`, `observe`
/// and `fault`, which nobody asks for with derivatives, without them.
macro_rules! one {
    ($scalar:ty, { $($more:tt)* }) => {
        impl<const D: usize> Law<$scalar, D> for One {
            fn states(&self) -> Vec<State> {
                self.group.states().to_vec()
            }
            fn velocity_scale(&self) -> Scale {
                self.group.velocity_scale()
            }
            fn lag(&self) -> Option<$scalar> {
                self.group.lag().map(<$scalar>::lit)
            }
            fn intrinsic_time(&self) -> Option<f64> {
                self.group.intrinsic_time()
            }
            fn clocks(&self) -> Vec<Formula> {
                self.group.clocks()
            }
            fn kernel(&self) -> Vec<$scalar> {
                self.group.kernel().into_iter().map(<$scalar>::lit).collect()
            }
            fn claims(&self, _: Claims) -> Claims {
                self.group.claims()
            }
            $($more)*
        }
    };
}

/// An answer in the directions of a law.
#[inline]
fn narrow<S: Real, const D: usize>(answer: Friction<S, 2>) -> Friction<S, D> {
    match answer {
        Friction::Cone { hold, strength } => Friction::Cone { hold, strength },
        Friction::Force(f) => Friction::Force(std::array::from_fn(|i| f[i])),
    }
}

one!(f64, {
    #[inline]
    fn respond(&self, at: &Slide<f64, D>, z: &[f64], dz: &mut [f64]) -> Friction<f64, D> {
        let mut answer = [Friction::Force([0.0; 2])];
        self.group.respond(&[at.project::<2>()], z, dz, &mut answer);
        narrow(answer[0])
    }
    fn guards(&self, at: &Slide<f64, D>, z: &[f64], g: &mut Vec<f64>) {
        self.group.guards(&[at.project::<2>()], z, g)
    }
    fn on(&self, event: Event<f64>, at: &Slide<f64, D>, z: &mut [f64]) {
        self.group.on(0, event, &at.project::<2>(), z)
    }
    fn rest_speed(&self, z: &[f64]) -> Option<f64> {
        self.group.rest_speed(0, z)
    }
    fn stored(&self, at: &Slide<f64, D>, z: &[f64]) -> f64 {
        self.group.stored(&[at.project::<2>()], z)
    }
    fn inner(&self, at: &Slide<f64, D>, z: &[f64]) -> Option<Inner> {
        self.group.inner(0, &at.project::<2>(), z)
    }
    fn strength_inside(&self, at: &Slide<f64, D>) -> Option<f64> {
        self.group.strength_inside(0, &at.project::<2>())
    }
    fn observe(&self, at: &Slide<f64, D>, z: &[f64]) -> Vec<(&'static str, &'static str, f64)> {
        self.group.observe(0, &at.project::<2>(), z)
    }
    fn fault(&self, at: &Slide<f64, D>, z: &[f64]) -> Option<&'static str> {
        self.group.fault(0, &at.project::<2>(), z)
    }
});

one!(Dual<4>, {
    #[inline]
    fn respond(&self, at: &Slide<Dual<4>, D>, z: &[Dual<4>], dz: &mut [Dual<4>]) -> Friction<Dual<4>, D> {
        let (mut answer, at) = ([Friction::Force([Dual::constant(0.0); 2])], [at.project::<2>()]);
        match &self.seeded {
            Some(seeded) => seeded.respond(&at, z, dz, &mut answer),
            None => self.group.respond(&at, z, dz, &mut answer),
        }
        narrow(answer[0])
    }
    fn guards(&self, at: &Slide<Dual<4>, D>, z: &[Dual<4>], g: &mut Vec<Dual<4>>) {
        match &self.seeded {
            Some(seeded) => seeded.guards(&[at.project::<2>()], z, g),
            None => self.group.dual_guards(&[at.project::<2>()], z, g),
        }
    }
    fn on(&self, event: Event<Dual<4>>, at: &Slide<Dual<4>, D>, z: &mut [Dual<4>]) {
        if let Some(seeded) = &self.seeded {
            seeded.on(event, &at.project::<2>(), z);
        }
    }
    fn inner(&self, at: &Slide<Dual<4>, D>, z: &[Dual<4>]) -> Option<Inner> {
        let z: Vec<f64> = z.iter().map(|z| z.re).collect();
        self.group.inner(0, &at.project::<2>().map(|x| x.re), &z)
    }
    /// The group's own step, whether it is a return map or backward Euler.
    fn step(
        &self,
        at: &Slide<Dual<4>, D>,
        dt: Dual<4>,
        z0: &[Dual<4>],
        z1: &mut [Dual<4>],
        _: &mut [Dual<4>],
    ) -> Option<[Dual<4>; D]> {
        if self.group.claims().set_valued {
            return None;
        }
        let mut force = [[Dual::constant(0.0); 2]];
        let stepped = self.group.advance(dt.re, &[at.project::<2>()], z0, z1, &mut force);
        stepped.is_ok().then(|| std::array::from_fn(|i| force[0][i]))
    }
});

one!(Cubic, {
    fn respond(&self, at: &Slide<Cubic, D>, z: &[Cubic], dz: &mut [Cubic]) -> Friction<Cubic, D> {
        let mut answer = [Friction::Force([Cubic::lit(f64::NAN); 2])];
        // A law without power series has no number here, which no caller takes for an answer.
        if let Some(jet) = self.jet.get_or_init(|| self.group.jet()) {
            jet.respond(&[at.project::<2>()], z, dz, &mut answer);
        }
        narrow(answer[0])
    }
    fn inner(&self, at: &Slide<Cubic, D>, z: &[Cubic]) -> Option<Inner> {
        let z: Vec<f64> = z.iter().map(|z| z.sample()).collect();
        self.group.inner(0, &at.project::<2>().map(Real::sample), &z)
    }
});

/// A law inside another, in one direction and, where it can, in two.
#[derive(Clone)]
pub struct Nested {
    key: &'static str,
    line: One,
    plane: Result<One, LawError>,
}

impl std::fmt::Debug for Nested {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the law in `{}`", self.key)
    }
}

impl Nested {
    /// Builds the law that stands under `key`; what it refuses points below that key.
    pub fn build(key: &'static str, inner: &GivenLaw) -> Result<Nested, LawError> {
        let below = |e: LawError| LawError { param: format!("{key}.{}", e.param), ..e };
        let build = |directions: usize| {
            let group = inner.kind.build(std::slice::from_ref(&inner.values), 1, directions);
            group.map(|group| One::new(group.into(), None)).map_err(below)
        };
        let plane = if inner.kind.directions == 2 {
            build(2)
        } else {
            let message = format!("the friction law \"{}\" works in one direction only", inner.kind.name);
            Err(below(LawError::new("law", "directions", message, "a law for two directions".into())))
        };
        Ok(Nested { key, line: build(1)?, plane })
    }

    /// The same with derivatives in the parameters of the law, where they are given.
    pub(super) fn seeded(
        mut self,
        laws: impl Fn(usize) -> Result<Option<SeededLaw>, LawError>,
    ) -> Result<Nested, LawError> {
        self.line.seeded = laws(1)?;
        if let Ok(plane) = &mut self.plane {
            plane.seeded = laws(2)?;
        }
        Ok(self)
    }

    /// The promises of the law.
    pub fn promises(&self) -> Claims {
        self.line.group.claims()
    }

    /// Refuses the law where a condition does not hold.
    pub fn require(&self, holds: bool, message: &str, expected: &str) -> Result<(), LawError> {
        if holds {
            return Ok(());
        }
        Err(LawError::new(&format!("{}.law", self.key), "conflict", message.into(), expected.into()))
    }

    fn one<const D: usize>(&self) -> &One {
        if D == 1 { &self.line } else { self.plane.as_ref().unwrap_or(&self.line) }
    }
}

/// Refuses two laws of one contact that read different neighbourhoods: a point is shown one load.
pub(crate) fn same_neighbours<S: Real, const D: usize>(first: &Nested, second: &Nested) -> Result<(), LawError>
where
    Nested: Law<S, D>,
{
    let weights = |law: &Nested| Law::<S, D>::kernel(law).iter().map(|w| w.sample()).collect::<Vec<f64>>();
    let message = "the two laws read the loads of different neighbourhoods";
    second.require(weights(first) == weights(second), message, "two laws with the same weights, or none with any")
}

#[delegate(to = self.one::<D>())]
impl<S: Real, const D: usize> Law<S, D> for Nested
where
    One: Law<S, D>,
{
    fn claims(&self, _: Claims) -> Claims {
        self.promises()
    }
    fn fits(&self) -> Result<(), LawError> {
        match &self.plane {
            Err(e) if D == 2 => Err(e.clone()),
            _ => Ok(()),
        }
    }
}
