//! A friction law over arrays: force, rates of the states and the steady curve, with exact derivatives.
//!
//! ```
//! use stickslip::law_arrays::LawArrays;
//! let law = LawArrays::new("law = 'stribeck', mu_s = 0.5, mu_k = 0.3, v_s = '0.1 m/s'")?;
//! let (force, slope) = law.steady(&[0.1], &[2.0])?;
//! let exact = 2.0 * (0.3 + 0.2 * (-1.0f64).exp());
//! assert!((force[0] - exact).abs() < 1e-15);
//! assert!((slope[0] + 2.0 * 0.2 * 2.0 / 0.1 * (-1.0f64).exp()).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
use stickslip_dynamics::start::steady_states;
use stickslip_laws::{Claims, ContactGroup, Event, Failure, Friction, Mode, Slide, State};
use stickslip_model::Model;
use stickslip_real::Dual;
use stickslip_scenario::{Diagnostics, Scenario};

/// Seeds that a pass of dual numbers carries.
const SEEDS: usize = 4;

/// A friction law at a point, to be asked at many instants.
pub struct LawArrays {
    model: Model,
    text: String,
}

/// Why the law has no answer at an entry.
#[derive(Clone, Debug, PartialEq)]
pub struct NoAnswer {
    /// The entry.
    pub entry: usize,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "entry {}: {}", self.entry, self.message)
    }
}

impl std::error::Error for NoAnswer {}

/// Forces or rates, and their derivatives in velocity, normal force and each state, one list each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answers {
    /// The values.
    pub values: Vec<f64>,
    /// Derivatives by the inputs: velocity, normal force, then the states; empty where they are not asked for.
    pub slopes: Vec<Vec<f64>>,
}

impl LawArrays {
    /// The law of a table as scenarios have it, in TOML: `law = "coulomb", mu = 0.3`.
    pub fn new(table: &str) -> Result<LawArrays, Diagnostics> {
        let text = |load: &str| {
            format!(
                "structure = {{ kind = \"point\" }}\nanalysis = {{ kind = \"evaluate\", inputs = {{ velocity = 1 }} }}\n\
                 [contact]\nnormal = {{ law = \"constant\", {load} = 1 }}\nfriction = {{ {table} }}\n"
            )
        };
        let read = |load: &str| {
            let text = text(load);
            Scenario::from_text("law", &text, &[])?.prepare().map(|cases| (cases, text))
        };
        // Laws of tractions work under a pressure.
        let (mut cases, text) = read("force").or_else(|wrong| read("pressure").map_err(|_| wrong))?;
        let model = cases.remove(0).model;
        Ok(LawArrays { model, text })
    }

    /// A scenario that holds the law.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn group(&self) -> &dyn ContactGroup {
        self.model.contacts[0].friction.as_ref()
    }

    /// The states of the law.
    pub fn states(&self) -> &[State] {
        self.group().states()
    }

    /// What the law promises.
    pub fn claims(&self) -> Claims {
        self.group().claims()
    }

    /// The unit of force: N, or Pa for a law of tractions.
    pub fn force_unit(&self) -> &'static str {
        if self.claims().traction { "Pa" } else { "N" }
    }

    /// What the law sees at an entry. Inputs of one entry hold for all.
    fn slide(&self, v: &[f64], n: &[f64], k: usize) -> Slide<f64, 2> {
        let (v, n) = (pick(v, k), pick(n, k));
        let mut slide = Slide::new([v, 0.0], n).with_mode(Mode::slipping(v));
        (slide.lagged[0], slide.seed) = (v, self.model.seed);
        slide
    }

    /// Steady friction at these velocities and normal forces, and its derivative in the velocity: along the states of steady
    /// sliding, which the law has settled to.
    pub fn steady(&self, v: &[f64], n: &[f64]) -> Result<(Vec<f64>, Vec<f64>), NoAnswer> {
        let count = rows(&[v, n]);
        let (mut force, mut slope) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let start: Vec<f64> = self.states().iter().map(|s| s.start).collect();
        let (mut z, mut room) = (start.clone(), Room::new(start.len()));
        for k in 0..count {
            let slide = self.slide(v, n, k);
            let no = |message: String| NoAnswer { entry: k, message };
            z.copy_from_slice(&start);
            steady_states(&self.model, 0, &slide, &mut z).map_err(|e| no(e.message))?;
            let found = self.steady_slope(&slide, &z, &mut room).map_err(no)?;
            if !(found.re.is_finite() && found.eps[0].is_finite()) {
                return Err(no(format!("no steady friction at v = {} m/s, n = {}", slide.v[0], slide.n)));
            }
            force.push(found.re);
            slope.push(found.eps[0]);
        }
        Ok((force, slope))
    }

    /// Steady friction as a dual number in the velocity: a long implicit step carries its own derivative.
    fn steady_slope(&self, slide: &Slide<f64, 2>, z: &[f64], room: &mut Room) -> Result<Dual<SEEDS>, String> {
        let mut at = slide.map(Dual::<SEEDS>::constant);
        at.v[0] = Dual::variable(slide.v[0], 0);
        at.lagged[0] = at.v[0];
        for ((z0, z1), x) in room.z.iter_mut().zip(&mut room.z1).zip(z) {
            (*z0, *z1) = (Dual::constant(*x), Dual::constant(*x));
        }
        if !z.is_empty() {
            // So long that the start no longer counts.
            match self.group().advance(1e18, &[at], &room.z, &mut room.z1, &mut [[Dual::constant(0.0); 2]]) {
                Ok(()) | Err(Failure::SetValued) => {}
                Err(e) => return Err(e.to_string()),
            }
        }
        let mut answer = [Friction::Force([Dual::constant(0.0); 2])];
        self.group().respond(&[at], &room.z1, &mut room.dz, &mut answer);
        Ok(along(answer[0], slide.v[0]))
    }

    /// The states at an entry: as given by name, else as the law starts.
    fn fill(&self, slide: &Slide<f64, 2>, states: &[(usize, &[f64])], k: usize, z: &mut [f64]) {
        for (z, state) in z.iter_mut().zip(self.states()) {
            *z = state.start;
        }
        self.group().on(0, Event::Start, slide, z);
        for (i, list) in states {
            z[*i] = pick(list, k);
        }
    }

    /// Friction force at these velocities, normal forces and states (number of the state and its values); with derivatives where
    /// they are asked for. Of a set-valued law it is the force in slip, along the velocity.
    pub fn force(&self, v: &[f64], n: &[f64], states: &[(usize, &[f64])], slopes: bool) -> Result<Answers, NoAnswer> {
        Ok(self.ask(v, n, states, slopes, false)?.remove(0))
    }

    /// Rates of all states at these velocities, normal forces and states.
    pub fn rates(
        &self,
        v: &[f64],
        n: &[f64],
        states: &[(usize, &[f64])],
        slopes: bool,
    ) -> Result<Vec<Answers>, NoAnswer> {
        self.ask(v, n, states, slopes, true)
    }

    /// The force alone, or the rate of each state.
    fn ask(
        &self,
        v: &[f64],
        n: &[f64],
        states: &[(usize, &[f64])],
        slopes: bool,
        rates: bool,
    ) -> Result<Vec<Answers>, NoAnswer> {
        let lists: Vec<&[f64]> = [v, n].into_iter().chain(states.iter().map(|(_, list)| *list)).collect();
        let (count, m) = (rows(&lists), self.states().len());
        let inputs = if slopes { 2 + m } else { 0 };
        let one = || Answers { values: Vec::with_capacity(count), slopes: vec![Vec::with_capacity(count); inputs] };
        let mut all: Vec<Answers> = (0..if rates { m } else { 1 }).map(|_| one()).collect();
        let mut room = Room::new(m);
        let mut block = Block::default();
        for first in (0..count).step_by(AT_ONCE) {
            let length = AT_ONCE.min(count - first);
            block.slides.clear();
            block.slides.extend((first..first + length).map(|k| self.slide(v, n, k)));
            block.make_room(length, m);
            if m > 0 {
                for (i, slide) in block.slides.iter().enumerate() {
                    self.fill(slide, states, first + i, &mut block.z[i * m..(i + 1) * m]);
                }
            }
            let Block { slides, z, dz, answers } = &mut block;
            self.group().respond(slides, z, dz, answers);
            for (i, slide) in slides.iter().enumerate() {
                let force = match answers[i] {
                    Friction::Force(f) => f[0],
                    Friction::Cone { strength, .. } => strength * sign(slide.v[0]),
                };
                let (z, dz) = (&z[i * m..(i + 1) * m], &dz[i * m..(i + 1) * m]);
                let values = if rates { dz } else { std::slice::from_ref(&force) };
                if !values.iter().all(|x| x.is_finite()) {
                    let message = format!("the law has no answer at v = {} m/s", slide.v[0]);
                    return Err(NoAnswer { entry: first + i, message });
                }
                all.iter_mut().zip(values).for_each(|(a, x)| a.values.push(*x));
                for seeded in (0..inputs).step_by(SEEDS) {
                    let force = self.seeded(slide, z, seeded, &mut room);
                    for slot in seeded..inputs.min(seeded + SEEDS) {
                        let answers = if rates { &room.dz[..] } else { std::slice::from_ref(&force) };
                        all.iter_mut().zip(answers).for_each(|(a, x)| a.slopes[slot].push(x.eps[slot - seeded]));
                    }
                }
            }
        }
        Ok(all)
    }

    /// The force with derivatives in four inputs from `first` on; the rates in the room.
    fn seeded(&self, slide: &Slide<f64, 2>, z: &[f64], first: usize, room: &mut Room) -> Dual<SEEDS> {
        let seed = |x: f64, slot: usize| match slot.checked_sub(first) {
            Some(k) if k < SEEDS => Dual::variable(x, k),
            _ => Dual::constant(x),
        };
        let mut at = slide.map(Dual::<SEEDS>::constant);
        (at.v[0], at.n) = (seed(slide.v[0], 0), seed(slide.n, 1));
        for (i, (zd, x)) in room.z.iter_mut().zip(z).enumerate() {
            *zd = seed(*x, 2 + i);
        }
        let mut answer = [Friction::Force([Dual::constant(0.0); 2])];
        self.group().respond(&[at], &room.z, &mut room.dz, &mut answer);
        along(answer[0], slide.v[0])
    }
}

/// Entries that the law is asked at once.
const AT_ONCE: usize = 64;

/// Room for the entries of one call.
#[derive(Default)]
struct Block {
    slides: Vec<Slide<f64, 2>>,
    z: Vec<f64>,
    dz: Vec<f64>,
    answers: Vec<Friction<f64, 2>>,
}

impl Block {
    fn make_room(&mut self, entries: usize, states: usize) {
        self.z.resize(entries * states, 0.0);
        self.dz.resize(entries * states, 0.0);
        self.answers.resize(entries, Friction::Force([0.0; 2]));
    }
}

/// Room for states in dual numbers.
struct Room {
    z: Vec<Dual<SEEDS>>,
    z1: Vec<Dual<SEEDS>>,
    dz: Vec<Dual<SEEDS>>,
}

impl Room {
    fn new(m: usize) -> Room {
        let zero = || vec![Dual::constant(0.0); m];
        Room { z: zero(), z1: zero(), dz: zero() }
    }
}

/// The force in the first direction; that of a cone points along the velocity.
fn along(answer: Friction<Dual<SEEDS>, 2>, v: f64) -> Dual<SEEDS> {
    match answer {
        Friction::Force(f) => f[0],
        Friction::Cone { strength, .. } => strength * sign(v),
    }
}

/// At rest a set-valued law is shown as it sets out forwards.
fn sign(v: f64) -> f64 {
    if v < 0.0 { -1.0 } else { 1.0 }
}

/// Entry k of a list, or its only one.
fn pick(list: &[f64], k: usize) -> f64 {
    if let [one] = list { *one } else { list[k] }
}

fn rows(lists: &[&[f64]]) -> usize {
    if lists.iter().any(|list| list.is_empty()) {
        return 0;
    }
    lists.iter().map(|list| list.len()).max().unwrap_or(0)
}
