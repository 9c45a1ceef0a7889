//! Which modes a present state allows, and which of them hold from there on.
use super::system::{Answer, Expansion, Held, Problem};
use stickslip_dynamics::combinations::{combination, count};
use stickslip_laws::Mode;
use stickslip_solve::polynomial::{Coefficients, TERMS, derivative, first_root};

/// What counts as rounding, part of the size of its order.
const ROUNDING: f64 = 1e-12;
/// A time is known to this part of its own value.
pub const GRAIN: f64 = 4.0 * f64::EPSILON;
/// Two motions are one when they agree to this part of their size.
const SAME: f64 = 1e-11;
/// Combinations of modes that are tried at most.
const MOST_TRIED: usize = 65_536;

/// Passes of an active set: so many, and so many more for each point.
const MOST_PASSES: usize = 50;
const PASSES_OF_A_POINT: usize = 10;

/// Where a point stands, which limits what it may do next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Standing {
    /// The gap is open.
    Open,
    /// It touches without any reaction: the apex of the cone.
    Apex,
    /// Friction at its limit in this direction.
    Edge(Mode),
    /// It touches without friction.
    Smooth,
    /// Friction below its limit.
    Inside,
}

impl Standing {
    /// Modes that keep coordinates and reactions continuous, the most closed first.
    pub fn options(self) -> &'static [Mode] {
        match self {
            Standing::Open => &[Mode::Open],
            Standing::Apex => &[Mode::Stick, Mode::Forward, Mode::Backward, Mode::Open],
            Standing::Edge(Mode::Forward) => &[Mode::Stick, Mode::Forward],
            Standing::Edge(_) => &[Mode::Stick, Mode::Backward],
            Standing::Smooth => &[Mode::Stick, Mode::Forward, Mode::Backward],
            Standing::Inside => &[Mode::Stick],
        }
    }

    /// In words.
    pub fn words(self) -> String {
        match self {
            Standing::Open => "open".into(),
            Standing::Apex => "touching without reaction".into(),
            Standing::Edge(mode) => format!("at the limit of friction towards {}", mode.name()),
            Standing::Smooth => "touching without friction".into(),
            Standing::Inside => "stuck".into(),
        }
    }
}

/// What must not become negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What {
    /// The gap of an open point.
    Gap,
    /// The normal reaction of a closed one.
    Load,
    /// What stick could still hold in a direction.
    Cone(f64),
    /// The slip velocity along the direction of the mode.
    Slip(f64),
}

impl What {
    /// The conditions of a mode.
    pub fn of(mode: Mode) -> &'static [What] {
        match mode {
            Mode::Open => &[What::Gap],
            Mode::Stick => &[What::Load, What::Cone(1.0), What::Cone(-1.0)],
            Mode::Forward => &[What::Load, What::Slip(1.0)],
            Mode::Backward => &[What::Load, What::Slip(-1.0)],
        }
    }

    /// Whether the present state makes it zero.
    fn vanishes(self, standing: Standing) -> bool {
        match (self, standing) {
            (What::Slip(_), _) => false,
            (_, Standing::Apex) => true,
            (What::Cone(sign), Standing::Edge(mode)) => sign == mode.sign(),
            (What::Cone(_), Standing::Smooth) => true,
            _ => false,
        }
    }
}

/// A condition as a power series, and how it begins.
pub struct Condition {
    /// The point.
    pub point: usize,
    /// What it is.
    pub what: What,
    /// The series; leading terms that are rounding are zero.
    pub series: Coefficients,
    /// How many of them are.
    pub zeros: usize,
}

impl Condition {
    /// Whether it holds for a while.
    pub fn holds(&self) -> bool {
        self.zeros == TERMS || self.series[self.zeros] > 0.0
    }

    /// When it first fails.
    pub fn ends(&self, h: f64) -> Option<f64> {
        if self.zeros == TERMS { None } else { first_root(&self.series, h, self.zeros).map(|r| r.s) }
    }
}

/// All conditions of a motion in its modes.
pub fn conditions(problem: &Problem, motion: &Expansion, modes: &[Mode], standings: &[Standing]) -> Vec<Condition> {
    let mut all = vec![];
    for (i, point) in problem.points.iter().enumerate() {
        let along = |row: &[f64]| -> Coefficients {
            std::array::from_fn(|k| row.iter().zip(&motion.u).map(|(a, u)| a * u[k]).sum())
        };
        for what in What::of(modes[i]) {
            let mut series: Coefficients = match what {
                What::Gap => along(&point.normal),
                What::Load => motion.p[i],
                What::Cone(sign) => std::array::from_fn(|k| point.mu * motion.p[i][k] - sign * motion.f[i][k]),
                What::Slip(sign) => {
                    let rate = derivative(&along(&point.tangent));
                    rate.map(|x| sign * x)
                }
            };
            if *what == What::Gap {
                series[0] += point.gap;
            }
            let bound = |k: usize| match what {
                What::Gap => problem.reach(&point.normal, motion.size[k]),
                What::Load => problem.force(&point.normal, motion.size[k]),
                What::Cone(_) => {
                    point.mu * problem.force(&point.normal, motion.size[k])
                        + problem.force(&point.tangent, motion.size[k])
                }
                What::Slip(_) => {
                    let next = motion.size.get(k + 1).copied().unwrap_or(0.0);
                    (k + 1) as f64 * problem.reach(&point.tangent, next)
                }
            };
            let known = usize::from(what.vanishes(standings[i]));
            // A time that is off by its grain moves a term by a part of the next one.
            let next = |k: usize| (k + 1) as f64 * series.get(k + 1).copied().unwrap_or(0.0).abs();
            let told = |&k: &usize| series[k].abs() > ROUNDING * bound(k) + motion.grain * next(k);
            let zeros = (known..TERMS).find(told).unwrap_or(TERMS);
            series[..zeros].fill(0.0);
            all.push(Condition { point: i, what: *what, series, zeros });
        }
    }
    all
}

/// A set of modes that holds, with its motion.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The mode of each point.
    pub modes: Vec<Mode>,
    /// How it goes on.
    pub motion: Expansion,
}

impl Candidate {
    fn same(&self, other: &Candidate, problem: &Problem) -> bool {
        let near = |a: &[Coefficients], b: &[Coefficients], bound: &dyn Fn(usize, f64) -> f64| {
            a.iter().zip(b).enumerate().all(|(i, (a, b))| {
                (1..TERMS).all(|k| {
                    let size = self.motion.size[k].max(other.motion.size[k]);
                    (a[k] - b[k]).abs() <= SAME * bound(i, size)
                })
            })
        };
        let (a, b) = (&self.motion, &other.motion);
        near(&a.u, &b.u, &|j, size| problem.units[j] * size)
            && near(&a.p, &b.p, &|i, size| problem.force(&problem.points[i].normal, size))
            && near(&a.f, &b.f, &|i, size| problem.force(&problem.points[i].tangent, size))
    }
}

/// What is done where more combinations of modes are left than can be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Many {
    /// It is refused: every solution is asked for, or that there is one only.
    Refuse,
    /// One that holds is sought by an active set.
    Seek,
}

/// What was found.
pub struct Found {
    /// One was sought; others are not known.
    pub sought: bool,
    /// Different motions that hold.
    pub held: Vec<Candidate>,
    /// Modes whose reactions are not determined.
    pub singular: Vec<Vec<Mode>>,
}

/// Tries all combinations of modes that the standings allow; `expand` follows one of them. Of more than can be tried one that
/// holds is sought, where that is enough.
pub fn candidates(
    problem: &Problem,
    standings: &[Standing],
    many: Many,
    options: impl Fn(usize) -> &'static [Mode],
    mut expand: impl FnMut(&[Mode]) -> Option<Expansion>,
) -> Result<Found, String> {
    let lists: Vec<&[Mode]> = (0..standings.len()).map(options).collect();
    let count = count(&lists);
    if count > MOST_TRIED && many == Many::Seek {
        return active_set(problem, standings, &lists, expand);
    }
    if count > MOST_TRIED {
        return Err(format!(
            "{} contacts may change together: {count} states, more than {MOST_TRIED} are not tried",
            free(&lists)
        ));
    }
    let mut found = Found { sought: false, held: vec![], singular: vec![] };
    for k in 0..count {
        let modes: Vec<Mode> = combination(&lists, k).collect();
        let Some(motion) = expand(&modes) else {
            found.singular.push(modes);
            continue;
        };
        if conditions(problem, &motion, &modes, standings).iter().all(Condition::holds) {
            let new = Candidate { modes, motion };
            if !found.held.iter().any(|old| old.same(&new, problem)) {
                found.held.push(new);
            }
        }
    }
    Ok(found)
}

/// Seeks a set of modes that nothing contradicts, the most closed first: what a set contradicts is changed, all of it at once;
/// once a set comes back, the first point alone (K. G. Murty, Linear Algebra Appl. 9 (1974) 303).
fn active_set(
    problem: &Problem,
    standings: &[Standing],
    lists: &[&[Mode]],
    mut expand: impl FnMut(&[Mode]) -> Option<Expansion>,
) -> Result<Found, String> {
    let mut modes: Vec<Mode> = lists.iter().map(|list| list[0]).collect();
    let mut seen: Vec<Vec<Mode>> = vec![];
    let mut alone = false;
    let most = MOST_PASSES + PASSES_OF_A_POINT * lists.len();
    for _ in 0..most {
        let Some(motion) = expand(&modes) else {
            return Err(format!("the reactions are not determined where {} contacts may change together", free(lists)));
        };
        let all = conditions(problem, &motion, &modes, standings);
        let mut next = modes.clone();
        let mut changed = vec![false; modes.len()];
        for broken in all.iter().filter(|condition| !condition.holds()) {
            // The first condition of a point decides: what would pull opens, whatever its friction.
            let i = broken.point;
            let wanted = match broken.what {
                What::Load => Mode::Open,
                What::Cone(sign) if sign > 0.0 => Mode::Forward,
                What::Cone(_) => Mode::Backward,
                What::Slip(_) | What::Gap => Mode::Stick,
            };
            if !changed[i] && lists[i].contains(&wanted) && !(alone && changed.contains(&true)) {
                (next[i], changed[i]) = (wanted, true);
            }
        }
        if all.iter().all(Condition::holds) {
            return Ok(Found { sought: true, held: vec![Candidate { modes, motion }], singular: vec![] });
        }
        if next == modes {
            break;
        }
        alone |= seen.contains(&next);
        seen.push(std::mem::replace(&mut modes, next));
    }
    Err(format!("no set of modes that holds was found where {} contacts may change together", free(lists)))
}

/// Contacts that may change.
fn free(lists: &[&[Mode]]) -> usize {
    lists.iter().filter(|list| list.len() > 1).count()
}

/// The slow motion in some modes from a state at a time, under loads that change as given; None where it is not determined.
pub fn slow(problem: &Problem, modes: &[Mode], t: f64, at: &Answer, loads: &[Coefficients]) -> Option<Expansion> {
    let held = Held::new(problem, &problem.model.structure.stiffness, modes)?;
    let mut motion = Expansion::still(at, problem.size(|j| at.u[j], |j| loads[j][0]), GRAIN * t);
    for k in 1..TERMS {
        if loads.iter().all(|c| c[k] == 0.0) {
            continue;
        }
        let answer = held.solve(|j| loads[j][k], |_, _| 0.0);
        motion.size[k] = problem.size(|j| answer.u[j], |j| loads[j][k]);
        motion.set(k, &answer);
    }
    Some(motion)
}

/// Where each point stands in its mode; `events` are conditions known to have reached zero.
pub fn standings(problem: &Problem, modes: &[Mode], at: &Answer, size: f64, events: &[(usize, What)]) -> Vec<Standing> {
    let zero = |i: usize, what: What, value: f64, bound: f64| {
        value <= ROUNDING * bound || events.iter().any(|(j, w)| *j == i && *w == what)
    };
    let stand = |(i, mode): (usize, &Mode)| {
        let point = &problem.points[i];
        if *mode == Mode::Open {
            let shut = zero(i, What::Gap, problem.gap(i, &at.u), problem.reach(&point.normal, size) + point.gap.abs());
            return if shut { Standing::Apex } else { Standing::Open };
        }
        let load = problem.force(&point.normal, size);
        if zero(i, What::Load, at.p[i], load) {
            return Standing::Apex;
        }
        if point.mu == 0.0 {
            return Standing::Smooth;
        }
        if mode.sign() != 0.0 {
            return Standing::Edge(*mode);
        }
        let spare = |sign: f64| point.mu * at.p[i] - sign * at.f[i];
        let bound = point.mu * load + problem.force(&point.tangent, size);
        if zero(i, What::Cone(1.0), spare(1.0), bound) {
            Standing::Edge(Mode::Forward)
        } else if zero(i, What::Cone(-1.0), spare(-1.0), bound) {
            Standing::Edge(Mode::Backward)
        } else {
            Standing::Inside
        }
    };
    modes.iter().enumerate().map(stand).collect()
}

/// Puts a state exactly where its points stand.
pub fn snap(problem: &Problem, standings: &[Standing], at: &mut Answer) {
    for (i, standing) in standings.iter().enumerate() {
        match standing {
            Standing::Open | Standing::Apex => (at.p[i], at.f[i]) = (0.0, 0.0),
            Standing::Edge(mode) => at.f[i] = mode.sign() * problem.points[i].mu * at.p[i],
            Standing::Smooth => at.f[i] = 0.0,
            Standing::Inside => {}
        }
    }
}
