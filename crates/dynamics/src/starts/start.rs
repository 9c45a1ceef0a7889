//! The state at the start of a run.
use crate::Dynamics;
use crate::starts::equilibrium::{follow, remembered, rest};
use stickslip_laws::{Event, Failure, Mode, Slide, nearest};
use stickslip_model::{Model, Named, StartState};
use stickslip_real::Dual;
use stickslip_solve::dense::Lu;
use stickslip_solve::largest;
use stickslip_structures::{Acts, Refused};

/// Tilt of an edge, rad, beyond which no contact holds it. An equilibrium that is lost is approached through any tilt.
const MOST_TILT: f64 = 100.0;
/// Newton iterations for an equilibrium; a linear structure needs two.
const MOST_ITERATIONS: usize = 100;
/// Residual force of an equilibrium, relative to the largest load or contact force in it.
const BALANCE: f64 = 1e-12;
/// Where the residual no longer falls, it may be this many times as large.
const STALLED: f64 = 1e3;
/// Rounding of the sum of the spring forces on a coordinate, for each of them.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Part of the loads that this rounding may reach: beyond it nothing is known of what carries them.
const DROWNED: f64 = 1e-3;

/// Code of what has no equilibrium.
pub const NO_EQUILIBRIUM: &str = "start::no-equilibrium";

/// First and last distance, m, by which a structure without stiffness is moved until its contacts touch.
const NEAREST: f64 = 1e-9;
const FARTHEST: f64 = 1.0;
/// A step of Newton's method as long as this, m, leads nowhere: surfaces that just touch are stiff by hardly anything.
const NOWHERE: f64 = 1e12;

/// A time beyond any relaxation of interest, s.
const FOREVER: f64 = 1e18;
/// Such steps that are taken one after the other until nothing moves any more.
const MOST_APPROACHES: usize = 20;

/// Everything at rest, the states of the laws at their own starts.
pub fn at_rest(dynamics: &Dynamics) -> Vec<f64> {
    let n = dynamics.n;
    let mut y = vec![0.0; dynamics.dim()];
    for site in &dynamics.sites {
        for (k, state) in site.states_of(&dynamics.model.contacts[site.contact]) {
            y[2 * n + k] = state.start;
        }
    }
    y
}

/// Steady sliding at the speed of the drive: unknowns and modes.
pub fn steady_sliding(dynamics: &mut Dynamics) -> Result<(Vec<f64>, Vec<Mode>), Refused> {
    let mut y = at_rest(dynamics);
    let (n, base) = (dynamics.n, dynamics.base_velocity(0.0));
    for i in 0..n {
        y[n + i] = dynamics.model.structure.base[i] * base;
    }
    let start = y.clone();
    let overlap = || Refused::new("start.state", NO_EQUILIBRIUM, "surfaces that are held for open would overlap");
    let balanced = balance(dynamics, &mut y, true, &mut 0.0);
    let fits = balanced.is_ok() && remembered(dynamics, &mut y)?;
    let balanced = balanced.and_then(|modes| if fits { Ok(modes) } else { Err(overlap()) });
    let modes = balanced.or_else(|e| {
        // A structure on compliant contacts is followed from its frictionless equilibrium.
        if e.code != NO_EQUILIBRIUM || dynamics.sites.iter().all(|s| s.fixed_load.is_some()) {
            return Err(e);
        }
        y.copy_from_slice(&start);
        follow(dynamics, &mut y)
    })?;
    tips_over(dynamics, &y)?;
    Ok((y, modes))
}

/// An edge in contact knows small tilts only: beyond a right angle or so there is no such equilibrium.
fn tips_over(dynamics: &Dynamics, y: &[f64]) -> Result<(), Refused> {
    let tilt = |lever: &[f64]| lever.iter().zip(y).map(|(l, q)| l * q).sum::<f64>().abs();
    let tilts = dynamics.sites.iter().filter_map(|s| s.edge.as_ref()).map(|edge| tilt(&edge.lever));
    match tilts.fold(0.0, f64::max) {
        most if most <= MOST_TILT => Ok(()),
        most => {
            let text = format!("there is no steady sliding: the structure tips over, to a tilt of {most:.3e} rad");
            let e = Refused::new("contact.friction", NO_EQUILIBRIUM, text);
            Err(e.hint("less friction, or a structure that friction can't tip over (a block: mu below length/height)"))
        }
    }
}

/// The unknowns at the start.
pub fn initial(dynamics: &mut Dynamics) -> Result<Vec<f64>, Refused> {
    let model = dynamics.model;
    if !model.start.unknowns.is_empty() && model.start.unknowns.len() == dynamics.dim() {
        return Ok(model.start.unknowns.clone());
    }
    let mut y = at_rest(dynamics);
    match model.start.state {
        StartState::Rest | StartState::Values => {}
        StartState::Stuck => {
            let all: Vec<usize> = (0..dynamics.sites.len()).collect();
            let stopped = dynamics.stop(0.0, &mut y, &all);
            stopped
                .map_err(|_| Refused::new("start.state", "start::redundant", "the contacts can't all stick at once"))?;
        }
        StartState::Static => rest(dynamics, &mut y).map(drop)?,
        StartState::SteadySliding => y = steady_sliding(dynamics)?.0,
    }
    adjust(dynamics, &model.start.set, &mut y, |_, new| new)?;
    adjust(dynamics, &model.start.scale, &mut y, |old, factor| old * factor)?;
    adjust(dynamics, &model.start.add, &mut y, |old, more| old + more)?;
    // Laws meet their loads where the motion starts, unless steady sliding has given them more.
    if model.start.state != StartState::SteadySliding {
        meet(dynamics, &mut y);
    }
    adjust_states(dynamics, &model.start.set, &mut y, |_, new| new)?;
    adjust_states(dynamics, &model.start.scale, &mut y, |old, factor| old * factor)?;
    adjust_states(dynamics, &model.start.add, &mut y, |old, more| old + more)?;
    if dynamics.sites.iter().any(|s| s.memory > 0) {
        let modes = vec![Mode::Open; dynamics.sites.len()];
        let mut dy = vec![0.0; dynamics.dim()];
        evaluated(dynamics, &y, &modes, &mut dy)?;
        dynamics.remind(&mut y[2 * dynamics.n..]);
    }
    dynamics.controls.begin(&model.structure, &mut y);
    Ok(y)
}

/// What an equilibrium is sought in: the rates that vanish, accelerations first, and the unknowns that do it, coordinates
/// first. Controllers take part with all that moves in them.
pub(crate) fn sought(dynamics: &Dynamics) -> [Vec<usize>; 2] {
    let n = dynamics.n;
    [(n..2 * n).chain(dynamics.controls.moving()).collect(), (0..n).chain(dynamics.controls.moving()).collect()]
}

/// Rows and columns of a matrix with `m` columns.
pub(crate) fn block_of(m: usize, matrix: &[f64], [rows, columns]: &[Vec<usize>; 2]) -> Vec<f64> {
    rows.iter().flat_map(|i| columns.iter().map(move |j| matrix[i * m + j])).collect()
}

/// Notifies every law that its contact is looked at for the first time.
fn meet(dynamics: &mut Dynamics, y: &mut [f64]) {
    let (n, sites) = (dynamics.n, dynamics.sites.len());
    let modes: Vec<Mode> = dynamics.sites.iter().map(|_| Mode::Forward).collect();
    let mut dy = vec![0.0; y.len()];
    if dynamics.nz > 0 && dynamics.evaluate(0.0, y, &modes, &mut dy).is_ok() {
        (0..sites).for_each(|i| dynamics.tell(i, Event::Start, &mut y[2 * n..]));
    }
}

/// Finds coordinates at which the velocities of `y` stay; in steady sliding with friction and its states.
///
/// `first` is raised to the loads and contact forces that it starts from, and what no longer falls is measured by them too:
/// adhesion and elasticity of a contact without a load leave no force to measure by.
pub fn balance(dynamics: &mut Dynamics, y: &mut [f64], sliding: bool, first: &mut f64) -> Result<Vec<Mode>, Refused> {
    let (n, m) = (dynamics.n, dynamics.dim());
    let refuse = |text: String| Refused::new("start.state", NO_EQUILIBRIUM, text);
    let (mut dy, mut jac) = (vec![0.0; m], vec![0.0; m * m]);
    let mut modes = vec![Mode::Open; dynamics.sites.len()];
    // The last residual, and whether it is near enough once it no longer falls.
    let (mut last, mut near) = (f64::INFINITY, false);
    let mut pushed = NEAREST;
    let places = sought(dynamics);
    let k = places[0].len();
    for iteration in 0..MOST_ITERATIONS {
        if sliding {
            // Loads first: they decide the direction and the steady states.
            evaluated(dynamics, y, &modes, &mut dy)?;
            slide(dynamics, y, &mut modes)?;
        }
        evaluated(dynamics, y, &modes, &mut dy)?;
        let forces = at_work(dynamics, y);
        let residual = largest(dy[n..2 * n].iter().copied());
        if !(residual.is_finite() && forces.loads.is_finite() && forces.springs.is_finite()) {
            return Err(refuse(format!("no equilibrium was found (residual acceleration {residual:.1e})")));
        }
        if iteration == 0 {
            *first = first.max(forces.loads);
        }
        // Controllers are linear: one step leaves nothing to them.
        let settled = iteration > 0 || k == n;
        if settled && (forces.balanced(residual) || (residual >= last && near)) {
            return Ok(modes);
        }
        (last, near) = (residual, forces.stalled(residual, *first));
        dynamics.jacobian(0.0, y, &modes, &mut jac);
        let block = block_of(m, &jac, &places);
        let r: Vec<f64> = places[0].iter().map(|i| dy[*i]).collect();
        let (step, singular) = match newton_step(k, &block, &r) {
            Some(step) => (step, false),
            // Surfaces that do not touch yet, or only just, have no stiffness: move on as the loads pull.
            None if pushed > FARTHEST => {
                return Err(refuse("there is no equilibrium: the stiffness is singular".into()));
            }
            None => (held_step(k, &block, &r, pushed), true),
        };
        if singular {
            pushed *= 10.0;
            last = f64::INFINITY;
        }
        for (i, step) in places[1].iter().zip(&step) {
            y[*i] -= step;
        }
    }
    if near {
        return Ok(modes);
    }
    Err(refuse(format!("no equilibrium was found (residual acceleration {last:.1e})")))
}

/// A step of Newton's method from accelerations `r` whose derivatives are `block`; none where they are as good as singular:
/// then the step is the rounding of a zero, and what it changes is lost in that of the spring forces.
pub fn newton_step(n: usize, block: &[f64], r: &[f64]) -> Option<Vec<f64>> {
    let mut step = r.to_vec();
    Lu::new(n, block)?.solve(&mut step);
    let row = |i: usize| (0..n).map(|j| (block[i * n + j] * step[j]).abs()).sum::<f64>();
    let known = ROUNDING * largest((0..n).map(row)) <= DROWNED * largest(r.iter().copied());
    (known && step.iter().all(|x| x.abs() < NOWHERE)).then_some(step)
}

/// The same with every coordinate held by a spring of its own, so weak that the step is about as long as `length`, m: bodies
/// move as wholes. Where that does not lead along the accelerations, they alone are followed: surfaces that attract each
/// other have stiffnesses below zero, or none where they just touch.
pub fn held_step(n: usize, block: &[f64], r: &[f64], length: f64) -> Vec<f64> {
    let most = largest(r.iter().copied());
    let held: Vec<f64> = (0..n * n).map(|k| if k / n == k % n { block[k] - most / length } else { block[k] }).collect();
    let mut step = r.to_vec();
    let solved = Lu::new(n, &held).map(|lu| lu.solve(&mut step));
    let along: f64 = step.iter().zip(r).map(|(step, r)| -step * r).sum();
    match solved {
        Some(()) if along > 0.0 && along.is_finite() => step,
        _ => r.iter().map(|r| -length * r / most).collect(),
    }
}

/// Directions of slip and steady states of the laws at the instant last evaluated.
pub fn slide(dynamics: &Dynamics, y: &mut [f64], modes: &mut [Mode]) -> Result<(), Refused> {
    for (i, mode) in modes.iter_mut().enumerate() {
        let at = dynamics.at[i];
        *mode = Mode::slipping(at.slip[0]);
        if *mode == Mode::Stick {
            let text = "steady sliding needs a drive with a velocity";
            return Err(Refused::new("start.state", NO_EQUILIBRIUM, text)
                .hint("give a belt or a pull a velocity other than 0, or start from \"rest\""));
        }
        let site = &dynamics.sites[i];
        let first = 2 * dynamics.n + site.first_state;
        let mut slide = Slide::new(at.slip, dynamics.load_read(i)).with_mode(*mode);
        (slide.approach, slide.area) =
            ((site.reach - at.gap).max(0.0), if site.fixed_load.is_some() { slide.area } else { at.area });
        steady_states(dynamics.model, site.contact, &slide, &mut y[first..first + site.states])?;
    }
    Ok(())
}

/// The largest accelerations that one force alone would give.
#[derive(Clone, Copy, Debug)]
pub struct AtWork {
    /// Loads, dampers, normal and friction forces: what an equilibrium balances.
    pub loads: f64,
    /// Springs. They grow with a displacement that nothing holds, so a residual is never measured by them; their sum is
    /// known to their rounding only.
    springs: f64,
    /// Coordinates.
    count: usize,
}

impl AtWork {
    /// Whether a residual acceleration is that of an equilibrium.
    pub fn balanced(&self, residual: f64) -> bool {
        residual == 0.0 || (residual <= BALANCE * self.loads + self.rounding() && self.resolved(self.loads))
    }

    /// The same of one that no longer falls; `first`: the loads that the search started from.
    pub fn stalled(&self, residual: f64, first: f64) -> bool {
        let near = f64::max(STALLED * BALANCE * self.loads, BALANCE * first);
        residual <= near + self.rounding() && self.resolved(self.loads.max(first))
    }

    fn rounding(&self) -> f64 {
        ROUNDING * self.count as f64 * self.springs
    }

    /// Whether the springs leave digits for what they carry.
    fn resolved(&self, loads: f64) -> bool {
        self.rounding() <= DROWNED * loads
    }
}

/// The accelerations that forces alone would give at the instant last evaluated.
pub fn at_work(dynamics: &Dynamics, y: &[f64]) -> AtWork {
    let n = dynamics.n;
    let s = &dynamics.model.structure;
    let base = dynamics.base_velocity(0.0);
    let (mut loads, mut springs): (f64, f64) = (0.0, 0.0);
    for i in 0..n {
        let mobility = dynamics.inverse_mass[i * n + i];
        loads = largest([loads, mobility * dynamics.forces[i].value(0.0)]);
        for j in 0..n {
            springs = largest([springs, mobility * s.stiffness[i * n + j] * y[j]]);
            loads = largest([loads, mobility * s.damping[i * n + j] * (y[n + j] - s.base[j] * base)]);
        }
        for (site, at) in dynamics.sites.iter().zip(&dynamics.at) {
            let pressed = site.normal.as_ref().map_or(0.0, |row| mobility * row[i] * at.n);
            let tipped = site.edge.as_ref().map_or(0.0, |e| mobility * e.lever[i] * at.moment);
            let rubbed = site.tangent.iter().zip(at.f).map(|(row, f)| mobility * row[i] * f);
            loads = largest([loads, pressed, tipped].into_iter().chain(rubbed));
        }
    }
    for (l, k, on) in dynamics.controls.outputs() {
        if let Acts::Coordinate(i) = on {
            let pushed = dynamics.inverse_mass[i * n + i] * dynamics.controls.applied(l, k, 0.0, y);
            loads = largest([loads, pushed, dynamics.inverse_mass[i * n + i] * dynamics.controls.asked(l, k)]);
        }
    }
    AtWork { loads, springs, count: n }
}

/// Evaluates the equations; what is wrong with reactions or laws there is a refusal.
pub fn evaluated(dynamics: &mut Dynamics, y: &[f64], modes: &[Mode], dy: &mut [f64]) -> Result<(), Refused> {
    let done = dynamics.evaluate(0.0, y, modes, dy);
    done.map_err(|_| Refused::new("start.state", "start::redundant", "the contacts can't all stick at once"))
}

/// States of a law in steady sliding: implicit steps of growing length until nothing moves.
pub fn steady_states(model: &Model, contact: usize, slide: &Slide<f64, 2>, z: &mut [f64]) -> Result<(), Refused> {
    let group = &model.contacts[contact].friction;
    if z.is_empty() {
        return Ok(());
    }
    if group.claims().unsteady {
        let text = format!("the law `{}` has no steady sliding", model.contacts[contact].friction_law);
        return Err(Refused::new(model.contact_key(contact, "friction.law"), "start::no-steady-state", text));
    }
    group.on(0, Event::Start, slide, z);
    let at = [slide.map(Dual::constant)];
    let mut z0: Vec<Dual<4>> = z.iter().map(|x| Dual::constant(*x)).collect();
    let mut z1 = z0.clone();
    let mut force = [[Dual::constant(0.0); 2]];
    // One step beyond all relaxation times, where Newton finds its way; else steps of growing length.
    let mut advance = |dt: f64, z0: &[Dual<4>], z1: &mut [Dual<4>]| match group.advance(dt, &at, z0, z1, &mut force) {
        // The states are there; the force is the caller's.
        Err(Failure::SetValued) => Ok(()),
        done => done,
    };
    let mut at_once = advance(FOREVER, &z0, &mut z1);
    // Where a law slows down as it settles, a step beyond all times ends before its goal: it goes on from there.
    for _ in 0..MOST_APPROACHES {
        if at_once.is_err() || z0.iter().zip(&z1).all(|(a, b)| a.re == b.re) {
            break;
        }
        z0.copy_from_slice(&z1);
        at_once = advance(FOREVER, &z0, &mut z1);
    }
    if at_once.is_err() || z1.iter().any(|x| !x.re.is_finite()) {
        for decade in -12..=16 {
            for mantissa in [1.0, 3.0] {
                let dt = mantissa * 10f64.powi(decade);
                advance(dt, &z0, &mut z1).map_err(|e| {
                    Refused::new("start.state", "start::no-steady-state", format!("no steady state of the law: {e}"))
                })?;
                z0.copy_from_slice(&z1);
            }
        }
    }
    for (x, z) in z.iter_mut().zip(&z1) {
        *x = z.re;
    }
    Ok(())
}

/// Applies the named numbers of a table to unknowns.
pub fn adjust(
    dynamics: &Dynamics,
    named: &Named,
    y: &mut [f64],
    apply: impl Fn(f64, f64) -> f64,
) -> Result<(), Refused> {
    let n = dynamics.n;
    let structure = &dynamics.model.structure;
    for (table, list, first) in [("values", &named.values, 0), ("rates", &named.rates, n)] {
        let names = if first == 0 { &structure.coordinates } else { &structure.rates };
        for (name, x) in list {
            if let Some(members) = structure.members(name) {
                members.iter().for_each(|i| y[first + i] = apply(y[first + i], *x));
                continue;
            }
            let Some(i) = names.iter().position(|c| c == name) else {
                return Err(unknown(&format!("start.{table}.{name}"), name, names));
            };
            y[first + i] = apply(y[first + i], *x);
        }
    }
    Ok(())
}

fn adjust_states(
    dynamics: &Dynamics,
    named: &Named,
    y: &mut [f64],
    apply: impl Fn(f64, f64) -> f64,
) -> Result<(), Refused> {
    let n = dynamics.n;
    for (name, x) in &named.states {
        let mut known = vec![];
        let mut found = false;
        for site in &dynamics.sites {
            let contact = &dynamics.model.contacts[site.contact];
            for (k, state) in site.states_of(contact) {
                let long = format!("{}.{}", contact.name, state.name);
                if *name == state.name || *name == long {
                    let slot = &mut y[2 * n + k];
                    *slot = apply(*slot, *x);
                    found = true;
                }
                known.push(state.name.clone());
            }
        }
        if !found {
            return Err(unknown(&format!("start.states.{name}"), name, &known));
        }
    }
    Ok(())
}

fn unknown(key: &str, name: &str, names: &[String]) -> Refused {
    let e = Refused::new(key, "start::unknown-name", format!("`{name}` is not known here"));
    let e = e.expected(format!("one of {}", names.join(", ")));
    match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => e.hint(format!("did you mean `{near}`?")),
        None => e,
    }
}
