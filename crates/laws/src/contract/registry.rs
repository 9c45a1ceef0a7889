//! Kinds as plain data: what the list of laws is made of.
use super::claims::Claims;
use super::group::{ContactGroup, Group};
use super::jets::{self, Cubic, jet};
use super::kind::{Example, Kind, Lift, Param, Pressing, Source};
use super::lanes::LaneKinds;
use super::law::Law;
use super::normal::{NormalGroup, NormalLaw, Pressed};
use super::parameter_laws::{SeededLaw, seeded};
use super::values::{LawError, Values};
use std::sync::Arc;
use stickslip_real::Dual;

/// A kind of friction law.
#[derive(Clone, Copy)]
pub struct FrictionKind {
    /// Name in scenarios.
    pub name: &'static str,
    /// What it is, with its equations.
    pub about: &'static str,
    /// Where it comes from.
    pub reference: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// Parameters of which exactly one must be given.
    pub one_of: &'static [&'static str],
    /// Its promises.
    pub claims: Claims,
    /// A use that shows it at work.
    pub example: Option<Example>,
    /// Largest number of tangential directions.
    pub directions: usize,
    lanes: Option<LaneKinds>,
    /// Constructors with derivatives in the parameters, in one direction and in two.
    seedings: [Option<Constructor>; 2],
    /// Constructors in power series, in one direction and in two.
    jets: [Option<jets::Constructor>; 2],
    build: Build,
}

/// What makes a law with derivatives in its parameters.
type Constructor = fn(&Values, Lift<Dual<4>>) -> Result<SeededLaw, LawError>;

/// Values (one set, or one a point), number of points, directions.
type Build = fn(&[Values], usize, usize) -> Result<Box<dyn ContactGroup>, LawError>;

impl FrictionKind {
    /// A kind in one direction.
    pub const fn line<K: Kind<f64>, KD: Kind<Dual<4>>>() -> FrictionKind
    where
        K::Law: Law<f64, 1> + 'static,
        KD::Law: Law<Dual<4>, 1> + 'static,
    {
        FrictionKind {
            directions: 1,
            seedings: [Some(seeded::<KD, 1>), None],
            build: |v, points, _| group::<K, KD, 1>(v, points),
            ..Self::data::<K>()
        }
    }

    /// A kind in one or two directions.
    pub const fn plane<K: Kind<f64>, KD: Kind<Dual<4>>>() -> FrictionKind
    where
        K::Law: Law<f64, 1> + Law<f64, 2> + 'static,
        KD::Law: Law<Dual<4>, 1> + Law<Dual<4>, 2> + 'static,
    {
        FrictionKind {
            directions: 2,
            seedings: [Some(seeded::<KD, 1>), Some(seeded::<KD, 2>)],
            build: |v, points, d| if d == 2 { group::<K, KD, 2>(v, points) } else { group::<K, KD, 1>(v, points) },
            ..Self::data::<K>()
        }
    }

    const fn data<K: Kind<f64>>() -> FrictionKind {
        FrictionKind {
            name: K::NAME,
            about: K::ABOUT,
            reference: K::REFERENCE,
            params: K::PARAMS,
            one_of: K::ONE_OF,
            claims: K::CLAIMS,
            example: K::EXAMPLE,
            directions: 0,
            lanes: None,
            seedings: [None, None],
            jets: [None, None],
            build: |_, _, _| unreachable!("set by `line` and `plane`"),
        }
    }

    /// The kind with its constructors of lanes.
    pub const fn with_lanes(self, lanes: LaneKinds) -> FrictionKind {
        FrictionKind { lanes: Some(lanes), ..self }
    }

    /// The kind with its power series in one direction: what the criticality of a Hopf point needs.
    pub const fn with_line_jet<K: Kind<Cubic>>(self) -> FrictionKind
    where
        K::Law: Law<Cubic, 1> + 'static,
    {
        FrictionKind { jets: [Some(jet::<K, 1>), None], ..self }
    }

    /// The same in one direction and in two.
    pub const fn with_plane_jet<K: Kind<Cubic>>(self) -> FrictionKind
    where
        K::Law: Law<Cubic, 1> + Law<Cubic, 2> + 'static,
    {
        FrictionKind { jets: [Some(jet::<K, 1>), Some(jet::<K, 2>)], ..self }
    }

    /// Its constructor with derivatives in the parameters, in 1 or 2 directions.
    pub(super) fn seeding(&self, directions: usize) -> Option<Constructor> {
        self.seedings[directions.clamp(1, 2) - 1]
    }

    /// The kind of the catalogue with this name.
    pub fn named(name: &str) -> Option<&'static FrictionKind> {
        crate::friction_kinds().iter().find(|kind| kind.name == name)
    }

    /// A group of `points` points in 1 or 2 directions, from one set of values or one a point.
    pub fn build(
        &self,
        values: &[Values],
        points: usize,
        directions: usize,
    ) -> Result<Box<dyn ContactGroup>, LawError> {
        let mut group = (self.build)(values, points, directions)?;
        if let (Some(lanes), [values], 1) = (self.lanes, values, directions) {
            group.offer_lanes(lanes, values);
        }
        if let (Some(seeding), [values]) = (self.seeding(directions), values) {
            group.offer_seeds(Arc::new(seeding), values);
        }
        if let Some(make) = self.jets[directions.clamp(1, 2) - 1] {
            let values: Arc<[Values]> = values.into();
            group.offer_jet(Arc::new(move || make(&values)));
        }
        Ok(group)
    }
}

fn group<K: Kind<f64>, KD: Kind<Dual<4>>, const D: usize>(
    values: &[Values],
    points: usize,
) -> Result<Box<dyn ContactGroup>, LawError>
where
    K::Law: Law<f64, D> + 'static,
    KD::Law: Law<Dual<4>, D> + 'static,
{
    let laws: Vec<K::Law> = values.iter().map(|v| K::read(&Source::new(v, &|_, _, x| x))).collect::<Result<_, _>>()?;
    laws.iter().try_for_each(Law::fits)?;
    let duals =
        values.iter().map(|v| KD::read(&Source::new(v, &|_, _, x| Dual::constant(x)))).collect::<Result<_, _>>()?;
    Ok(Box::new(Group::<K::Law, KD::Law, D>::new(laws, duals, points, K::CLAIMS)))
}

/// A kind of normal law.
#[derive(Clone, Copy)]
pub struct NormalKind {
    /// Name in scenarios.
    pub name: &'static str,
    /// What it is, with its equations.
    pub about: &'static str,
    /// Where it comes from.
    pub reference: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// Parameters of which exactly one must be given.
    pub one_of: &'static [&'static str],
    /// Its promises.
    pub claims: Claims,
    /// A use that shows it at work.
    pub example: Option<Pressing>,
    jet: Option<jets::NormalConstructor>,
    build: fn(&Values) -> Result<Box<dyn NormalGroup>, LawError>,
}

impl NormalKind {
    /// A kind of normal law.
    pub const fn of<K: Kind<f64>, KD: Kind<Dual<4>>>() -> NormalKind
    where
        K::Law: NormalLaw<f64> + 'static,
        KD::Law: NormalLaw<Dual<4>> + 'static,
    {
        NormalKind {
            name: K::NAME,
            about: K::ABOUT,
            reference: K::REFERENCE,
            params: K::PARAMS,
            one_of: K::ONE_OF,
            claims: K::CLAIMS,
            example: K::PRESSING,
            jet: None,
            build: |values| {
                let law = K::read(&Source::new(values, &|_, _, x| x))?;
                let dual = KD::read(&Source::new(values, &|_, _, x| Dual::constant(x)))?;
                Ok(Box::new(Pressed::new(law, dual, K::CLAIMS)))
            },
        }
    }

    /// A group with these values.
    pub fn build(&self, values: &Values) -> Result<Box<dyn NormalGroup>, LawError> {
        let mut group = (self.build)(values)?;
        if let Some(make) = self.jet {
            let values = values.clone();
            group.offer_jet(Arc::new(move || make(&values)));
        }
        Ok(group)
    }

    /// The kind with its power series.
    pub const fn with_jet<K: Kind<Cubic>>(self) -> NormalKind
    where
        K::Law: NormalLaw<Cubic> + 'static,
    {
        NormalKind { jet: Some(jets::normal::<K>), ..self }
    }
}
