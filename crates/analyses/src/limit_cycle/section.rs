//! Where periods begin, and the map from one beginning to the next.
//!
//! A motion that sticks begins its periods where a contact enters stick: the direction that stick forgets never enters the
//! equations. Other motions begin them where the slip velocity passes that of steady sliding, rising.
use std::fmt;
use stickslip_dynamics::Dynamics;
use stickslip_laws::{Mode, Scale};
use stickslip_model::Model;
use stickslip_motion::{FlowEvent, FlowStart, Section, Seeds, Until, flow};

/// Tolerance of the steps.
pub const RTOL: f64 = 1e-11;
/// A constraint this close to a sum of others says nothing new.
const DEPENDENT: f64 = 1e-12;
/// A motion is given so many natural periods and loading times to come back.
const NATURAL: f64 = 2000.0;
const LOADS: f64 = 100.0;

/// What begins a period, at one of the contact points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// It enters stick.
    Stick(usize),
    /// Its slip velocity passes that of steady sliding, rising.
    Slip(usize),
}

/// Why a motion does not come back.
#[derive(Clone, Debug, PartialEq)]
pub enum Missed {
    /// It does not begin another period within this time, s.
    Never(f64),
    /// It can't be followed.
    Lost(String),
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missed::Never(t) => write!(f, "the section is not crossed again within {t:.3e} s"),
            Missed::Lost(text) => f.write_str(text),
        }
    }
}

/// Facts of a model that its periods need.
pub struct Facts {
    /// Number of coordinates.
    pub n: usize,
    /// Number of unknowns.
    pub dim: usize,
    /// Rows of the slip velocities over the coordinates, each with the velocity of its surface.
    pub slips: Vec<(Vec<f64>, f64)>,
    /// Slip velocities of steady sliding.
    pub steady: Vec<f64>,
    /// Points whose law is set-valued.
    pub cones: Vec<usize>,
    /// Scales of the unknowns.
    pub scales: Vec<Scale>,
    /// How long a motion may take to come back, s.
    pub horizon: f64,
    /// Length and speed of motions that no drive feeds, but a controller: those of its hold on what the contacts carry.
    held: [f64; 2],
}

impl Facts {
    /// Of a model.
    pub fn of(model: &Model) -> Result<Facts, String> {
        let mut dynamics = Dynamics::new(model).ok_or("the mass matrix is singular")?;
        let (n, dim) = (dynamics.n, dynamics.dim());
        let (surface, base) = (dynamics.surface_velocity(0.0), dynamics.base_velocity(0.0));
        let mut scales = vec![Scale::Linear(1.0); dim];
        for site in &dynamics.sites {
            for (k, state) in site.states_of(&model.contacts[site.contact]) {
                scales[2 * n + k] = state.scale;
            }
        }
        let slips: Vec<(Vec<f64>, f64)> =
            dynamics.sites.iter().map(|s| (s.tangent[0].clone(), s.surface * surface)).collect();
        let steady: Vec<f64> = slips
            .iter()
            .map(|(row, s)| row.iter().zip(&model.structure.base).map(|(t, b)| t * b * base).sum::<f64>() + s)
            .collect();
        let cones = (0..slips.len()).filter(|i| dynamics.sites[*i].cone).collect();
        let natural = dynamics.natural_time();
        let speed = steady.iter().fold(0.0, |most: f64, s| most.max(s.abs()));
        let load = match stickslip_dynamics::start::steady_sliding(&mut dynamics) {
            Ok((y, _)) if speed > 0.0 => y[..n].iter().fold(0.0, |most: f64, q| most.max(q.abs())) / speed,
            _ => 0.0,
        };
        let stiffness = dynamics.held_stiffness();
        let loads: f64 = dynamics.sites.iter().filter_map(|site| site.fixed_load).map(|(load, _)| load.abs()).sum();
        let stiff = (0..n).map(|i| stiffness[i * n + i]).fold(0.0, f64::max);
        let length = if stiff > 0.0 && loads > 0.0 { loads / stiff } else { 1.0 };
        for i in 0..n {
            for (unknown, per) in dynamics.controls.acting_on(i).into_iter().filter(|(_, per)| *per != 0.0) {
                scales[unknown] = Scale::Linear(stiff * length / per.abs());
            }
        }
        let held = [length, length / natural];
        let horizon = NATURAL * (natural + dynamics.controls.integral_time()) + LOADS * load;
        Ok(Facts { n, dim, slips, steady, cones, scales, horizon, held })
    }

    /// Modes in which points whose law never sticks slip: at rest they show stick, which holds nothing.
    pub fn moving(&self, mut modes: Vec<Mode>) -> Vec<Mode> {
        for (i, mode) in modes.iter_mut().enumerate() {
            if *mode == Mode::Stick && !self.cones.contains(&i) {
                *mode = Mode::slipping(if self.steady[i] == 0.0 { 1.0 } else { self.steady[i] });
            }
        }
        modes
    }

    /// Sizes of coordinates over a period, and of velocities.
    pub fn sizes(&self, period: f64) -> [f64; 2] {
        match self.speed() {
            speed if speed > 0.0 => [speed * period, speed],
            _ => self.held,
        }
    }

    /// The speed of the drive at the contacts.
    pub fn speed(&self) -> f64 {
        self.steady.iter().fold(0.0, |most: f64, s| most.max(s.abs()))
    }
}

/// The map of a model from a beginning of its period to the next.
pub struct Returns<'m> {
    model: &'m Model,
    /// Facts of the model.
    pub facts: Facts,
    /// What begins a period.
    pub beginning: Beginning,
    /// How often it does so in one period.
    pub count: usize,
    modes: Vec<Mode>,
    section: Section,
    /// What holds at a beginning: directions of length 1, and their values.
    constraints: Vec<(Vec<f64>, f64)>,
}

/// A motion that has come back.
#[derive(Clone, Debug)]
pub struct Return {
    /// Unknowns.
    pub y: Vec<f64>,
    /// Their rates.
    pub dy: Vec<f64>,
    /// Modes.
    pub modes: Vec<Mode>,
    /// How long it took, s.
    pub period: f64,
    /// Derivatives of the unknowns after that time in those at the start, row after row.
    pub monodromy: Vec<f64>,
    /// Those of the unknowns where the next period begins.
    pub map: Vec<f64>,
    /// Modes in order.
    pub sequence: Vec<Vec<Mode>>,
}

impl<'m> Returns<'m> {
    /// Of a model whose period begins like this in these modes.
    pub fn new(model: &'m Model, beginning: Beginning, count: usize, modes: Vec<Mode>) -> Result<Returns<'m>, String> {
        let facts = Facts::of(model)?;
        let modes = facts.moving(modes);
        let (n, dim) = (facts.n, facts.dim);
        let over = |row: &[f64]| -> Vec<f64> {
            (0..dim).map(|i| if (n..2 * n).contains(&i) { row[i - n] } else { 0.0 }).collect()
        };
        let mut rows: Vec<(Vec<f64>, f64)> = vec![];
        for (i, (row, surface)) in facts.slips.iter().enumerate() {
            if modes.get(i) == Some(&Mode::Stick) {
                rows.push((over(row), -surface));
            }
        }
        let mut section = Section::default();
        if let Beginning::Slip(i) = beginning {
            let (row, surface) = &facts.slips[i];
            let value = facts.steady[i] - surface;
            section = Section { row: over(row), value, rises: facts.steady[i] > 0.0 };
            rows.push((over(row), value));
        }
        let mut constraints: Vec<(Vec<f64>, f64)> = vec![];
        for (mut row, mut value) in rows {
            for (e, c) in &constraints {
                let part: f64 = e.iter().zip(&row).map(|(e, x)| e * x).sum();
                row.iter_mut().zip(e).for_each(|(x, e)| *x -= part * e);
                value -= part * c;
            }
            let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > DEPENDENT {
                constraints.push((row.iter().map(|x| x / length).collect(), value / length));
            }
        }
        Ok(Returns { model, facts, beginning, count, modes, section, constraints })
    }

    /// Puts unknowns on the beginning.
    pub fn project(&self, y: &mut [f64]) {
        for (e, c) in &self.constraints {
            let off: f64 = e.iter().zip(&*y).map(|(e, y)| e * y).sum::<f64>() - c;
            y.iter_mut().zip(e).for_each(|(y, e)| *y -= off * e);
        }
    }

    /// The same for the columns of derivatives.
    fn project_columns(&self, matrix: &mut [f64]) {
        let m = self.facts.dim;
        for row in matrix.chunks_exact_mut(m) {
            for (e, _) in &self.constraints {
                let part: f64 = row.iter().zip(e).map(|(x, e)| x * e).sum();
                row.iter_mut().zip(e).for_each(|(x, e)| *x -= part * e);
            }
        }
    }

    /// One way from a beginning to the next.
    fn leg(
        &self,
        y: &[f64],
        modes: &[Mode],
        seeds: bool,
        horizon: f64,
    ) -> Result<(stickslip_motion::FlowEnd, bool), Missed> {
        let start = FlowStart { y: y.to_vec(), modes: Some(modes.to_vec()), ..FlowStart::default() };
        run(self.model, &start, self.beginning, &self.section, seeds, horizon)
    }

    /// Once round: from a beginning, on which the unknowns are put first.
    pub fn go(&self, from: &[f64], seeds: bool, horizon: f64) -> Result<Return, Missed> {
        let m = self.facts.dim;
        let mut y = from.to_vec();
        self.project(&mut y);
        let mut modes = self.modes.clone();
        let unit = || -> Vec<f64> { (0..m * m).map(|k| f64::from(u8::from(k / m == k % m))).collect() };
        let (mut monodromy, mut map) = if seeds { (unit(), unit()) } else { (vec![], vec![]) };
        let (mut period, mut dy) = (0.0, vec![]);
        let mut sequence = vec![modes.clone()];
        for _ in 0..self.count {
            let (end, reached) = self.leg(&y, &modes, seeds, horizon)?;
            if !reached {
                return Err(Missed::Never(horizon));
            }
            for event in end.events.iter().filter(|e| e.modes[0] != e.modes[1]) {
                sequence.push(event.modes[1].clone());
            }
            if seeds {
                monodromy = product(m, &end.dy_dy0, &monodromy);
                map = product(m, &end.along_event()[1], &map);
            }
            period += end.t;
            (y, dy, modes) = (end.y, end.dy, end.modes);
        }
        if seeds {
            self.project_columns(&mut map);
        }
        if sequence.len() > 1 && sequence.last() == sequence.first() {
            sequence.pop();
        }
        Ok(Return { y, dy, modes, period, monodromy, map, sequence })
    }
}

/// A motion until the next beginning, and whether it was reached.
pub fn run(
    model: &Model,
    start: &FlowStart,
    beginning: Beginning,
    section: &Section,
    initial: bool,
    horizon: f64,
) -> Result<(stickslip_motion::FlowEnd, bool), Missed> {
    let enters = |e: &FlowEvent| match beginning {
        Beginning::Stick(i) => e.modes[0][i] != Mode::Stick && e.modes[1][i] == Mode::Stick,
        Beginning::Slip(_) => false,
    };
    let until = match beginning {
        Beginning::Stick(_) => Until::Event(horizon, &enters),
        Beginning::Slip(_) => Until::Section(horizon, section),
    };
    let seeds = Seeds { initial, ..Seeds::default() };
    let end = flow(model, start, until, seeds, RTOL).map_err(|e| Missed::Lost(e.to_string()))?;
    let reached = match beginning {
        Beginning::Stick(_) => end.events.last().is_some_and(enters),
        Beginning::Slip(_) => end.t < horizon * (1.0 - 1e-12),
    };
    if end.y.iter().any(|y| !y.is_finite()) {
        return Err(Missed::Lost("the motion is not finite".into()));
    }
    Ok((end, reached))
}

/// a b.
fn product(m: usize, a: &[f64], b: &[f64]) -> Vec<f64> {
    (0..m * m).map(|k| (0..m).map(|j| a[k / m * m + j] * b[j * m + k % m]).sum()).collect()
}
