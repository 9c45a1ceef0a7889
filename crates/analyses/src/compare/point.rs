//! One friction law at a point under a load, as the protocol questions it.
use super::protocol::Protocol;
use crate::hysteresis::Hysteresis;
use std::sync::Arc;
use stickslip_data::{Status, Value, short};
use stickslip_dynamics::start::steady_states;
use stickslip_laws::{ContactGroup, Event, Friction, FrictionKind, Mode, Slide, Values, normal_kinds};
use stickslip_model::{Analysis, Contact, Context, Formulation, Model, Start, StartState};
use stickslip_real::Dual;
use stickslip_structures::{Loading, Place, Program, ProgramStep, Signal, Structure};

/// A slide before the hold: the states are steady from its start.
const FIRST_SLIDE: f64 = 1e-9;
/// The slide after the hold is this many slip lengths of the law's example long, and grows by this factor until the
/// friction is steady; so many times at most.
const LENGTHS: f64 = 30.0;
const LONGER: f64 = 30.0;
const MOST_SLIDES: usize = 5;
/// Friction within this part of its steady value is steady.
const SETTLED: f64 = 1e-5;
/// Two peaks that agree to this part are one.
const SAME: f64 = 1e-10;
/// A law that yields to its own strength over more than this distance has no stiffness in stick, m.
const SOFTEST: f64 = 1.0;
/// Length of the step in which a return map shows its stiffness, s.
const STEP: f64 = 1e-3;
/// Tolerance of the path, and its most steps.
const RTOL: f64 = 1e-9;
const MOST_STEPS: u64 = 100_000;
/// The slip length of a law without an example.
const SLIP: f64 = 1e-3;

/// A law at a point under a load.
pub struct Point {
    model: Model,
    /// What the law is shown as normal force: N, or Pa for tractions.
    n: f64,
    /// Friction force over what the law answers.
    area: f64,
    slip: f64,
}

impl Point {
    /// The law of a contact, or another in its place, under a normal force.
    pub fn new(contact: &Contact, load: f64, seed: u64) -> Result<Point, String> {
        let (law, friction) = (contact.friction_law, alone(contact));
        let place = Place { tangent: vec![vec![]], surface: 1.0, ..Place::default() };
        let example = FrictionKind::named(law).and_then(|kind| kind.example);
        let traction = friction.claims().traction;
        let fixed = normal_kinds().iter().find(|kind| kind.claims.fixed_load && kind.claims.given);
        let fixed = fixed.ok_or("there is no law for a given load")?;
        let values = Values::resolve(fixed.params, fixed.one_of, &[]).map_err(|e| e.message)?;
        let point = Contact {
            name: String::new(),
            places: vec![place.clone()],
            loads: vec![],
            gap: 0.0,
            friction,
            given: Signal::Constant(load),
            normal: fixed.build(&values).map_err(|e| e.message)?.into(),
            normal_law: fixed.name,
            ..contact.clone()
        };
        let n = if traction && !contact.per_area { load / contact.area } else { load };
        let area = if traction && !contact.per_area { contact.area } else { 1.0 };
        let structure = Structure { orientation: 1.0, places: vec![place], ..Structure::default() };
        let model = Model {
            structure: Arc::new(structure),
            contacts: Arc::new(vec![point]),
            loading: Arc::new(Loading::default()),
            formulation: Formulation::Exact,
            start: Start { state: StartState::Values, ..Start::default() },
            seed,
        };
        Ok(Point { model, n, area, slip: example.map_or(SLIP, |e| e.slip) })
    }

    /// The law with these values under the same load.
    pub fn with(&self, kind: &FrictionKind, values: &Values) -> Result<Point, String> {
        let friction = kind.build(std::slice::from_ref(values), 1, 1).map_err(|e| e.message)?;
        let mut contacts = self.model.contacts.as_ref().clone();
        contacts[0].friction = friction.into();
        Ok(Point { model: Model { contacts: Arc::new(contacts), ..self.model.clone() }, ..*self })
    }

    fn law(&self) -> &dyn ContactGroup {
        self.model.contacts[0].friction.as_ref()
    }

    fn slide(&self, speed: f64, mode: Mode) -> Slide<f64, 2> {
        let mut slide = Slide::new([speed, 0.0], self.n).with_mode(mode);
        slide.seed = self.model.seed_of(0);
        slide.area = self.model.contacts[0].area;
        slide
    }

    fn steady_state(&self, speed: f64) -> Result<(Slide<f64, 2>, Vec<f64>), String> {
        let slide = self.slide(speed, Mode::slipping(speed));
        let mut z: Vec<f64> = self.law().states().iter().map(|s| s.start).collect();
        self.law().on(0, Event::Start, &slide, &mut z);
        steady_states(&self.model, 0, &slide, &mut z).map_err(|e| e.message)?;
        Ok((slide, z))
    }

    /// The friction coefficient in steady sliding.
    pub fn steady(&self, speed: f64) -> Result<f64, String> {
        let (slide, z) = self.steady_state(speed)?;
        let (mut rates, mut answer) = (z.clone(), [Friction::Force([0.0; 2])]);
        self.law().respond(&[slide], &z, &mut rates, &mut answer);
        let force = match answer[0] {
            Friction::Cone { strength, .. } => strength,
            Friction::Force([f, _]) => f,
        };
        let mu = force / self.n;
        if mu.is_finite() { Ok(mu) } else { Err(format!("no friction at {speed:e} m/s")) }
    }

    /// The largest friction coefficient of a slide after a time at rest, which follows steady sliding at the same speed.
    pub fn peak(&self, speed: f64, hold: f64) -> Result<f64, String> {
        let steady = self.steady(speed)?;
        let (_, z) = self.steady_state(speed)?;
        if z.is_empty() {
            // Nothing remembers the time at rest.
            let (slide, mut answer) = (self.slide(0.0, Mode::Stick), [Friction::Force([0.0; 2])]);
            self.law().respond(&[slide], &z, &mut [], &mut answer);
            let held = if let Friction::Cone { hold, .. } = answer[0] { hold / self.n } else { steady };
            if !self.law().claims().force_rate {
                return Ok(held.max(steady));
            }
        }
        let names = self.law().states().iter().map(|s| s.name.clone());
        let mut model = self.model.clone();
        model.start.set.states = names.zip(z).collect();
        let (mut distance, mut before) = (LENGTHS * self.slip, f64::NAN);
        for _ in 0..MOST_SLIDES {
            let slide = |distance: f64| ProgramStep::Slide { distance, velocity: speed };
            let steps = vec![slide(FIRST_SLIDE), ProgramStep::Hold { duration: hold }, slide(distance)];
            let program = Program { steps, ..Program::default() };
            model.loading = Arc::new(Loading { program: Some(program), ..Loading::default() });
            let path = Hysteresis { rtol: RTOL, max_steps: MOST_STEPS, ..Hysteresis::default() };
            if let Some(e) = path.refuse(&model) {
                return Err(e.message);
            }
            let out = path.run(&model, &Context::default());
            if out.status > Status::Partial {
                return Err(out.reason.unwrap_or_default());
            }
            let second = |name: &str| match out.value(name).map(|q| &q.value) {
                Some(Value::List(list)) => list.get(1).copied().filter(|x| x.is_finite()),
                _ => None,
            };
            let (Some(peak), Some(end)) = (second("peaks"), second("slide_end.friction")) else {
                return Err("no peak after the hold".into());
            };
            let overshoots = peak > end.max(steady) * (1.0 + SETTLED);
            let same = (peak - before).abs() <= SAME * peak.abs();
            if (end - steady).abs() <= SETTLED * steady.abs() || overshoots && same {
                return Ok(peak.max(steady));
            }
            (distance, before) = (distance * LONGER, peak);
        }
        Err(format!("no steady sliding within {distance:.1e} m after the hold"))
    }

    /// The stiffness of the force at rest, N/m, where the law has one.
    pub fn stiffness(&self) -> Option<f64> {
        let law = self.law();
        if law.claims().set_valued || law.states().is_empty() {
            return None;
        }
        let slide = self.slide(0.0, Mode::Stick);
        let mut z: Vec<f64> = law.states().iter().map(|s| s.start).collect();
        law.on(0, Event::Start, &slide, &mut z);
        let stiffness =
            self.area * if law.claims().stepped { self.of_step(&slide, &z) } else { self.of_rates(&slide, &z) }?;
        let strongest = self.n * self.area;
        (stiffness.is_finite() && stiffness * SOFTEST > strongest).then_some(stiffness)
    }

    /// The sum over the states of dF/dz dz'/dv.
    fn of_rates(&self, slide: &Slide<f64, 2>, z: &[f64]) -> Option<f64> {
        let respond = |v: Dual<4>, z: Vec<Dual<4>>| {
            let mut at = slide.map(Dual::constant);
            at.v[0] = v;
            let (mut rates, mut answer) = (z.clone(), [Friction::Force([Dual::constant(0.0); 2])]);
            self.law().respond(&[at], &z, &mut rates, &mut answer);
            match answer[0] {
                Friction::Force([f, _]) => Some((f, rates)),
                Friction::Cone { .. } => None,
            }
        };
        let fixed = || z.iter().map(|x| Dual::constant(*x));
        let (_, rates) = respond(Dual::variable(0.0, 0), fixed().collect())?;
        let mut sum = 0.0;
        for (i, rate) in rates.iter().enumerate() {
            let mut seeded: Vec<Dual<4>> = fixed().collect();
            seeded[i] = Dual::variable(z[i], 0);
            sum += respond(Dual::constant(0.0), seeded)?.0.eps[0] * rate.eps[0];
        }
        Some(sum)
    }

    /// What a step twice as long adds to dF/dv, over the length of the step.
    fn of_step(&self, slide: &Slide<f64, 2>, z: &[f64]) -> Option<f64> {
        let slope = |dt: f64| {
            let mut at = slide.map(Dual::<4>::constant);
            at.v[0] = Dual::variable(0.0, 0);
            let z0: Vec<Dual<4>> = z.iter().map(|x| Dual::constant(*x)).collect();
            let (mut z1, mut force) = (z0.clone(), [[Dual::constant(0.0); 2]]);
            self.law().advance(dt, &[at], &z0, &mut z1, &mut force).ok()?;
            Some(force[0][0].eps[0])
        };
        Some((slope(2.0 * STEP)? - slope(STEP)?) / STEP)
    }
}

/// The law of a contact at one point and in one direction.
fn alone(contact: &Contact) -> Arc<dyn ContactGroup> {
    let group = &contact.friction;
    if group.points() == 1 && group.directions() == 1 {
        return group.clone();
    }
    let values = group.seeds().map(|(_, values)| values);
    let again = FrictionKind::named(contact.friction_law).zip(values);
    let built = again.and_then(|(kind, values)| kind.build(std::slice::from_ref(values), 1, 1).ok());
    built.map_or_else(|| group.clone(), Arc::from)
}

/// What is asked of every law.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// Friction coefficient in steady sliding at a speed.
    Steady(f64),
    /// The peak after a hold, at a speed.
    Peak(f64, f64),
    /// Stiffness in stick.
    Stiffness,
}

impl Target {
    /// All of a protocol.
    pub fn all(protocol: &Protocol) -> Vec<Target> {
        let steady = protocol.speeds.iter().map(|v| Target::Steady(*v));
        let peak = protocol.hold.zip(protocol.speeds.first()).map(|(hold, v)| Target::Peak(*v, hold));
        steady.chain(peak).chain(protocol.stiffness.map(|_| Target::Stiffness)).collect()
    }

    /// What a law answers; None where it has no such thing, and needs none.
    pub fn of(&self, point: &Point) -> Result<Option<f64>, String> {
        match self {
            Target::Steady(v) => point.steady(*v).map(Some),
            Target::Peak(v, hold) => point.peak(*v, *hold).map(Some),
            Target::Stiffness => Ok(point.stiffness()),
        }
    }

    /// In words.
    pub fn words(&self) -> String {
        match self {
            Target::Steady(v) => format!("steady friction at {} m/s", short(*v, 6)),
            Target::Peak(v, hold) => format!("peak at {} m/s after {} s at rest", short(*v, 6), short(*hold, 6)),
            Target::Stiffness => "stiffness in stick".into(),
        }
    }
}
