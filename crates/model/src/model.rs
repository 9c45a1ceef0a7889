//! The model: structure, contacts, drive, formulation, start.
use crate::formulation::Formulation;
use std::sync::Arc;
use stickslip_laws::{
    ContactGroup, FrictionKind, Given, Impact, LawError, Normal, NormalGroup, Press, Values, normal_kinds,
};
use stickslip_real::random::STEP;
use stickslip_structures::{Loading, Place, Refused, Signal, Structure, common_period};

/// Structure + contacts + drive, with the formulation chosen for stick and the state at the start.
#[derive(Clone)]
pub struct Model {
    /// What moves.
    pub structure: Arc<Structure>,
    /// Where it rubs; shared by models that differ in nothing else but where they start.
    pub contacts: Arc<Vec<Contact>>,
    /// What drives it.
    pub loading: Arc<Loading>,
    /// How stick is made computable.
    pub formulation: Formulation,
    /// The state at the start.
    pub start: Start,
    /// Seed of all random numbers.
    pub seed: u64,
}

impl Model {
    /// The seed of a contact: each has random numbers of its own. That of the first is the seed of the run.
    pub fn seed_of(&self, contact: usize) -> u64 {
        self.seed.wrapping_add((contact as u64).wrapping_mul(STEP))
    }

    /// The common period of drives and loads, where all that changes in time repeats.
    pub fn period(&self) -> Option<f64> {
        if self.loading.given_period.is_some() {
            return self.loading.period();
        }
        if self.loading.is_sudden() || self.loading.program.is_some() || self.loading.normal.is_some() {
            return None;
        }
        let drives = [&self.loading.base, &self.loading.surface, &self.loading.profile].into_iter().flatten();
        let loads = self.contacts.iter().map(|c| &c.given);
        let shaken = self.loading.shake.iter().map(|shake| &shake.acceleration);
        let given = self.loading.forces.iter().chain(shaken).chain(drives).chain(loads);
        let all: Vec<&Signal> = given.chain(self.loading.references()).collect();
        common_period(&all).filter(|period| *period > 0.0)
    }

    /// Where the diagnostics of a contact point: `rest` is a key of it.
    pub fn contact_key(&self, contact: usize, rest: &str) -> String {
        contact_key(contact, self.contacts.len(), rest)
    }

    /// Why the laws of a contact do not go together: friction from the approach needs a normal law whose force begins at one
    /// gap.
    pub fn refuse_approach(&self, contact: usize) -> Option<Refused> {
        let Contact { normal, normal_law, friction, friction_law, .. } = &self.contacts[contact];
        let why = match () {
            _ if !friction.claims().approach => return None,
            _ if normal.claims().distant => "acts at any distance",
            _ if !normal.states().is_empty() => "begins where its memory says",
            _ => return None,
        };
        let text = format!(
            "the friction law `{friction_law}` reads the approach, and the normal law `{normal_law}` {why}: no approach is \
             common to both"
        );
        let e = Refused::new(self.contact_key(contact, "normal.law"), "analysis::not-served", text);
        Some(e.hint("use a normal law whose force begins where the surfaces touch, such as \"power\""))
    }

    /// Why the friction of a contact finds nothing to read: a load that is fixed, or a reaction, comes from no approach.
    pub fn refuse_area(&self, contact: usize) -> Option<Refused> {
        let place = contact;
        let contact = &self.contacts[contact];
        let claims = contact.friction.claims();
        if !((claims.approach || claims.real_area) && (contact.normal.claims().fixed_load || contact.is_rigid())) {
            return None;
        }
        let text = format!(
            "the law `{}` reads the approach or the real area, which the normal law `{}` does not know",
            contact.friction_law, contact.normal_law
        );
        let e = Refused::new(self.contact_key(place, "normal.law"), "analysis::not-served", text);
        Some(e.hint("use a normal law that follows the approach, such as \"power\", on a structure that has one"))
    }

    /// Why a contact's friction does not bear its load: it is derived for a constant one, and a drive or the normal law
    /// changes it.
    pub fn refuse_load(&self, contact: usize, driven: bool) -> Option<Refused> {
        let Contact { friction, friction_law, .. } = &self.contacts[contact];
        if !friction.claims().constant_load || !(driven || self.contacts[contact].load_varies()) {
            return None;
        }
        let text = format!("the law `{friction_law}` is derived for a constant load, and this one varies");
        Some(Refused::new(self.contact_key(contact, "friction.law"), "analysis::not-served", text))
    }
}

/// Where the diagnostics of a contact point, of so many: `rest` is a key of it.
pub fn contact_key(contact: usize, count: usize, rest: &str) -> String {
    match count {
        1 => format!("contact.{rest}"),
        _ => format!("contact[{contact}].{rest}"),
    }
}

/// A contact: its place on the structure, a normal law and a friction law.
#[derive(Clone)]
pub struct Contact {
    /// Name; empty when there is only one.
    pub name: String,
    /// Rows of slip and gap, one place a point.
    pub places: Vec<Place>,
    /// Gap at q = 0, m.
    pub gap: f64,
    /// Gap of each place at q = 0, m, where that varies along the contact; else empty.
    pub gaps: Vec<f64>,
    /// The gap at q = 0 as a function of the place along x, m, where it is one: its argument is a length, not a time.
    pub profile: Option<Signal>,
    /// The boundary of the body on which it lies.
    pub on: Option<String>,
    /// Nominal area, m^2: of all of it.
    pub area: f64,
    /// Works per unit area: loads are pressures, forces tractions.
    pub per_area: bool,
    /// Mass that rests on it, kg.
    pub mass: f64,
    /// Part of the load that each point carries; empty where each carries all of it.
    pub loads: Vec<f64>,
    /// The contact's own function of time, for a prescribed load: N, or Pa.
    pub given: Signal,
    /// Normal side.
    pub normal: Arc<dyn NormalGroup>,
    /// Name of the normal law.
    pub normal_law: &'static str,
    /// Friction side.
    pub friction: Arc<dyn ContactGroup>,
    /// Name of the friction law.
    pub friction_law: &'static str,
}

impl Model {
    /// The same model from other coordinates and rates; None where a path leads elsewhere.
    pub fn started(&self, settings: &[(&str, f64)]) -> Option<Model> {
        let mut start = self.start.clone();
        for (path, x) in settings {
            let (table, name) = path.strip_prefix("start.")?.split_once('.')?;
            let (names, list) = match table {
                "values" => (&self.structure.coordinates, &mut start.set.values),
                "rates" => (&self.structure.rates, &mut start.set.rates),
                _ => return None,
            };
            if !names.iter().any(|n| n == name) || !x.is_finite() {
                return None;
            }
            match list.iter_mut().find(|(n, _)| n == name) {
                Some((_, old)) => *old = *x,
                None => list.push((name.into(), *x)),
            }
        }
        Some(Model { start, ..self.clone() })
    }
}

impl Contact {
    /// A contact at one place: laws of the catalogue by name, with their parameters in SI.
    pub fn new(
        place: Place,
        (normal, load): (&str, &[(&str, f64)]),
        (friction, parameters): (&str, &[(&str, f64)]),
    ) -> Result<Contact, LawError> {
        let given = |list: &[(&str, f64)]| -> Vec<(String, Given)> {
            list.iter().map(|(key, x)| (key.to_string(), Given::Number(*x))).collect()
        };
        let unknown = |name: &str| LawError::new("law", "unknown", format!("unknown law `{name}`"), "a law".into());
        let normal = normal_kinds().iter().find(|kind| kind.name == normal).ok_or_else(|| unknown(normal))?;
        let friction = FrictionKind::named(friction).ok_or_else(|| unknown(friction))?;
        let load = Values::resolve(normal.params, normal.one_of, &given(load))?;
        let values = Values::resolve(friction.params, friction.one_of, &given(parameters))?;
        Ok(Contact {
            name: String::new(),
            gap: 0.0,
            gaps: vec![],
            profile: None,
            on: None,
            area: 1.0,
            per_area: false,
            mass: 1.0,
            loads: vec![],
            given: Signal::ZERO,
            normal: normal.build(&load)?.into(),
            normal_law: normal.name,
            friction: friction.build(&[values], 1, place.tangent.len())?.into(),
            friction_law: friction.name,
            places: vec![place],
        })
    }

    /// Restitution and impact law, where the normal force is a reaction: the law is asked once.
    pub fn rigid(&self) -> Option<(f64, Impact)> {
        let z: Vec<f64> = self.normal.states().iter().map(|s| s.start).collect();
        let mut answer = [Normal::none()];
        self.normal.respond(&[Press::new(0.0, 0.0)], &z, &mut answer);
        match answer {
            [Normal::Rigid { restitution, impact }] => Some((restitution, impact)),
            _ => None,
        }
    }

    /// Gap of a place at q = 0.
    #[inline]
    pub fn gap_at(&self, place: usize) -> f64 {
        if self.gaps.is_empty() { self.gap } else { self.gaps[place] }
    }

    /// Area that a place has: its part of all of it, or all.
    #[inline]
    pub fn area_at(&self, place: usize) -> f64 {
        self.places[place].area.unwrap_or(self.area)
    }

    /// Part of the load that a point carries.
    pub fn share(&self, point: usize) -> f64 {
        self.loads.get(point).copied().unwrap_or(1.0)
    }

    /// Whether the normal force may change.
    pub fn load_varies(&self) -> bool {
        !(self.normal.claims().fixed_load && self.given.is_constant())
    }

    /// Whether the normal force is a reaction.
    pub fn is_rigid(&self) -> bool {
        self.rigid().is_some()
    }

    /// What stands before the names of a point's quantities: its number, from 1, where the contact has several; nothing for
    /// a single contact without a name.
    pub fn prefix(&self, point: usize) -> String {
        let name = if self.name.is_empty() { String::new() } else { format!("{}.", self.name) };
        if self.places.len() > 1 { format!("{name}{}.", point + 1) } else { name }
    }
}

/// Where the motion starts before it is adjusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum StartState {
    /// Coordinates and rates zero, also on a belt.
    #[default]
    Rest,
    /// Moving with the belt or driver, spring relaxed.
    Stuck,
    /// Steady sliding at the speed of the drive.
    SteadySliding,
    /// In equilibrium without friction.
    Static,
    /// As given by the values alone.
    Values,
}

/// Numbers by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Named {
    /// Coordinates.
    pub values: Vec<(String, f64)>,
    /// Rates.
    pub rates: Vec<(String, f64)>,
    /// States of laws: `phi`, or `pad.phi` where contacts have names.
    pub states: Vec<(String, f64)>,
}

/// The state at the start: a known state, values that replace, factors, additions; in this order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Start {
    /// Where it starts.
    pub state: StartState,
    /// Replaced values.
    pub set: Named,
    /// Factors.
    pub scale: Named,
    /// Additions.
    pub add: Named,
    /// All unknowns in place of the above, where another motion goes on; else empty.
    pub unknowns: Vec<f64>,
}
