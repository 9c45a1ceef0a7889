//! Which modes hold after an event.
//!
//! Points without slip are tried in stick; what exceeds its hold limit is let go in the direction of its reaction, the
//! worst first. Hold decides on leaving stick, strength acts in slip: no margin blurs the two.
use stickslip_dynamics::{AtSite, Dynamics, Trouble};
use stickslip_laws::{Event, Mode, norm};

/// A reaction this far beyond the hold limit, relatively, still counts as held: rounding of the solve.
pub const HELD: f64 = 1e-12;
/// A slip velocity this small against the drive's, or the fastest, is none.
pub const NO_SLIP: f64 = 1e-13;
/// A slip acceleration against its direction counts only beyond this part of the forces at work.
pub const BACKWARD: f64 = 1e-9;

/// Why no modes hold.
#[derive(Clone, Debug, PartialEq)]
pub enum NoModes {
    /// The reactions of these points can't be distinguished, or do not exist.
    Redundant(Vec<usize>),
    /// The directions in which these points set out do not settle, or are none.
    NoDirection(Vec<usize>),
    /// Accelerations or friction forces are not numbers.
    NoNumber,
    /// A cycle of modes, none of which lasts.
    Cycle(Vec<Vec<Mode>>),
    /// None of so many combinations lasts.
    None(usize),
    /// Several combinations last, and lead to different motions.
    Several(Vec<Vec<Mode>>),
    /// The impulses of an impact: how many solutions there are.
    Impact(usize),
    /// An impact that would create this part of the kinetic energy.
    Creates(f64),
    /// A controller that can't be followed.
    Controller(&'static str),
}

impl From<Trouble> for NoModes {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Redundant(points) => NoModes::Redundant(points),
            Trouble::NoDirection(points) => NoModes::NoDirection(points),
        }
    }
}

/// What an event changes at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cause {
    /// The slip velocity of this point came to zero.
    Arrives(usize),
    /// The reaction of this point reached its hold limit, with this sign.
    Leaves(usize, f64),
    /// The normal reaction of this rigid point vanished, or the surfaces of this compliant one parted.
    Opens(usize),
    /// The gap of this rigid point vanished, or the surfaces of this compliant one met.
    Lands(usize),
    /// Velocities of the structure or of the surface jumped.
    Jump,
    /// Something else changed: check all.
    Check,
}

/// Finds the modes that hold just after time `t`, stops what sticks exactly, and leaves `dynamics` evaluated there.
pub fn settle(
    dynamics: &mut Dynamics,
    t: f64,
    y: &mut [f64],
    dy: &mut [f64],
    modes: &mut Vec<Mode>,
    causes: &[Cause],
) -> Result<(), NoModes> {
    let mut stuck = std::mem::take(&mut dynamics.stuck);
    let settled = settle_with(dynamics, t, y, dy, modes, causes, &mut stuck);
    dynamics.stuck = stuck;
    settled
}

/// The same, with room for the points that stick.
fn settle_with(
    dynamics: &mut Dynamics,
    t: f64,
    y: &mut [f64],
    dy: &mut [f64],
    modes: &mut Vec<Mode>,
    causes: &[Cause],
    stuck: &mut Vec<usize>,
) -> Result<(), NoModes> {
    let mut tried: Vec<Vec<Mode>> = vec![];
    // Only laws with states react to a change of mode.
    let before = if dynamics.nz > 0 { modes.clone() } else { vec![] };
    for cause in causes {
        if let Cause::Arrives(i) = cause {
            dynamics.set_mode(modes, *i, Mode::Stick);
        }
    }
    part_and_meet(dynamics, t, y, modes, causes);
    stuck.clear();
    stuck.extend((0..modes.len()).filter(|i| dynamics.sites[*i].cone && modes[*i] == Mode::Stick));
    if !stuck.is_empty() {
        dynamics.stop(t, y, stuck)?;
    }
    for cause in causes {
        if let Cause::Leaves(i, sign) = cause {
            dynamics.set_mode(modes, *i, let_go(dynamics, *i, *sign));
        }
    }
    // Each pass lets one point go or brings one back; a state that returns is a cycle.
    loop {
        let entered = entered(dynamics, t, y, dy, (&before, modes), causes)?;
        let now = entered.as_deref().unwrap_or(y);
        let held = dynamics.head(t, now, modes, dy, stuck)?;
        dynamics.evaluate(t, now, modes, dy)?;
        // What is no number exceeds no limit: it would stick for ever.
        let sound = |at: &AtSite| !(at.f[0] + at.f[1] + at.hold + at.strength).is_nan();
        if dy[..2 * dynamics.n].iter().any(|a| a.is_nan()) || !dynamics.at.iter().all(sound) {
            return Err(NoModes::NoNumber);
        }
        if let Some(i) = worst_beyond_hold(dynamics, t, now, modes) {
            dynamics.set_mode(modes, i, let_go(dynamics, i, dynamics.at[i].f[0]));
        } else if let Some(i) = held.or_else(|| turned_back(dynamics, t, y, dy, modes, stuck)) {
            dynamics.set_mode(modes, i, Mode::Stick);
        } else {
            return Ok(());
        }
        let returns = tried.contains(modes);
        tried.push(modes.clone());
        if returns {
            return Err(NoModes::Cycle(tried));
        }
    }
}

/// The unknowns as they are once the laws of points that change their mode know the new one; None where no law reads it.
///
/// What stick can hold may depend on its beginning: a clock of rest that an earlier stick has left says nothing about it.
/// Nothing is changed in `y`: the laws of the modes that last are notified by the caller.
fn entered(
    dynamics: &mut Dynamics,
    t: f64,
    y: &[f64],
    dy: &mut [f64],
    (before, modes): (&[Mode], &[Mode]),
    causes: &[Cause],
) -> Result<Option<Vec<f64>>, NoModes> {
    let enters = |i: usize| modes[i] != before[i] || causes.contains(&Cause::Arrives(i));
    let changed = |i: &usize| dynamics.sites[*i].states > 0 && enters(*i);
    let changed: Vec<usize> = (0..modes.len()).filter(changed).collect();
    if changed.is_empty() {
        return Ok(None);
    }
    dynamics.evaluate(t, y, modes, dy)?;
    let mut now = y.to_vec();
    changed.into_iter().for_each(|i| dynamics.tell(i, Event::Enter(modes[i]), &mut now[2 * dynamics.n..]));
    Ok(Some(now))
}

/// A slip velocity or a load that changes by less than this part at a knot of the drives did not jump.
const JUMP: f64 = 1e-9;

/// Whether a load jumps from one value to another, by more than rounding: what ends smoothly at a knot does not.
pub fn load_jumps(from: f64, to: f64) -> bool {
    (to - from).abs() > JUMP * from.abs().max(to.abs())
}

/// The modes of points whose slip velocity has jumped from what it was, since a surface or a blow has: they slip now, or turn
/// around. `dynamics` is evaluated after the jump.
pub fn jumped(dynamics: &Dynamics, before: &[[f64; 2]], t: f64, modes: &[Mode]) -> Vec<(usize, Mode)> {
    let surface = dynamics.surface_velocity(t).abs();
    // Where nothing moves at that instant, slip is rounding still: the speed that friction gives in a natural time counts.
    let time = dynamics.natural_time();
    let given = |i: usize| compliance(dynamics, i) * dynamics.at[i].hold * time;
    let new = |(i, before): (usize, &[f64; 2])| {
        let (site, slip) = (&dynamics.sites[i], dynamics.at[i].slip);
        let speed = |slip: [f64; 2]| if site.plane { norm(&slip) } else { slip[0].abs() };
        let mode = if site.plane { Mode::Forward } else { Mode::slipping(slip[0]) };
        let least = JUMP * surface.max(speed(slip)).max(speed(*before)).max(given(i));
        let moves = speed(slip) > least && speed([slip[0] - before[0], slip[1] - before[1]]) > least;
        (site.cone && moves && modes[i] != mode && modes[i] != Mode::Open).then_some((i, mode))
    };
    before.iter().enumerate().filter_map(new).collect()
}

/// By how much the speeds of points that go on slipping have jumped, where their laws are shown accelerations: also by nothing,
/// since that may have jumped. `dynamics` is evaluated after the jump.
pub fn speed_jumps<'a>(
    dynamics: &'a Dynamics,
    before: &'a [[f64; 2]],
    modes: &'a [Mode],
) -> impl Iterator<Item = (usize, f64)> + 'a {
    let reads = |i: usize| dynamics.model.contacts[dynamics.sites[i].contact].friction.claims().acceleration;
    let slipping = (0..modes.len()).filter(move |i| modes[*i].sign() != 0.0 && reads(*i));
    slipping.map(|i| (i, norm(&dynamics.at[i].slip) - norm(&before[i])))
}

/// Whether the surface, or what was struck, jumped at a knot: rigid contacts may strike then.
pub fn strikes(dynamics: &Dynamics, t: f64) -> bool {
    let (before, after) = (dynamics.surface[0].value(t.next_down()), dynamics.surface_velocity(t));
    (after - before).abs() > JUMP * after.abs().max(before.abs())
        || dynamics.model.loading.impulses.iter().any(|i| i.at == t)
}

/// Opens compliant contacts whose surfaces have parted and closes those whose surfaces meet, as their normal laws say, and
/// says these; `dynamics` was evaluated at (t, y).
pub fn part_and_meet(dynamics: &mut Dynamics, t: f64, y: &mut [f64], modes: &mut [Mode], causes: &[Cause]) {
    let n = dynamics.n;
    let mut changed = false;
    for i in 0..modes.len() {
        if !dynamics.sites[i].opens {
            continue;
        }
        let (touch, parts) = (dynamics.touch(i, &y[2 * n..]).unwrap_or(0.0), dynamics.at[i].gap_rate);
        let touches = match causes.iter().find(|cause| matches!(cause, Cause::Opens(k) | Cause::Lands(k) if *k == i)) {
            Some(cause) => *cause == Cause::Lands(i),
            None if touch != 0.0 => touch > 0.0,
            None => parts < 0.0 || (parts == 0.0 && stays(dynamics, t, y, modes, i)),
        };
        if touches == (modes[i] == Mode::Open) {
            modes[i] = if touches { meeting(dynamics, t, y, i) } else { Mode::Open };
            changed = true;
        }
        if dynamics.sites[i].memory > 0 {
            dynamics.tell_normal(i, Event::Enter(modes[i]), &mut y[2 * n..]);
        }
    }
    if changed {
        dynamics.face(modes);
    }
}

/// Whether nothing draws the surfaces of a point apart that just touch at rest.
fn stays(dynamics: &mut Dynamics, t: f64, y: &[f64], modes: &[Mode], i: usize) -> bool {
    let mut free = modes.to_vec();
    free[i] = Mode::Open;
    let mut dy = vec![0.0; y.len()];
    if dynamics.evaluate(t, y, &free, &mut dy).is_err() {
        return true;
    }
    let (n, o) = (dynamics.n, dynamics.model.structure.orientation);
    let row = dynamics.sites[i].normal.as_deref().unwrap_or(&[]);
    row.iter().enumerate().map(|(j, x)| x * o * dy[n + j]).sum::<f64>() <= 0.0
}

/// The mode of a point whose surfaces meet: slip, unless that is rounding of the other velocities.
fn meeting(dynamics: &Dynamics, t: f64, y: &[f64], i: usize) -> Mode {
    let (n, slip) = (dynamics.n, dynamics.at[i].slip);
    let fastest = y[n..2 * n].iter().fold(dynamics.surface_velocity(t).abs(), |most, v| most.max(v.abs()));
    let plane = dynamics.sites[i].plane;
    match if plane { norm(&slip) } else { slip[0].abs() } > NO_SLIP * fastest {
        true if plane => Mode::Forward,
        true => Mode::slipping(slip[0]),
        false => Mode::Stick,
    }
}

/// The mode of a point that is let go; in two directions there is one, and where it goes is its heading.
fn let_go(dynamics: &Dynamics, i: usize, direction: f64) -> Mode {
    if dynamics.sites[i].plane { Mode::Forward } else { Mode::slipping(direction) }
}

fn worst_beyond_hold(dynamics: &Dynamics, t: f64, y: &[f64], modes: &[Mode]) -> Option<usize> {
    let mut worst = None;
    for (i, site) in dynamics.sites.iter().enumerate() {
        if !site.cone || modes[i] != Mode::Stick {
            continue;
        }
        let at = &dynamics.at[i];
        let excess = norm(&at.f) - at.hold * (1.0 + HELD);
        // Where nothing is held, as in a contact that only just touches, a reaction may be what is left of all forces by
        // rounding.
        let rounding = || HELD * dynamics.strain(t, y, &site.tangent[0]) / compliance(dynamics, i);
        if excess > 0.0 && excess > rounding() && worst.is_none_or(|(_, most)| excess > most) {
            worst = Some((i, excess));
        }
    }
    worst.map(|(i, _)| i)
}

/// A point just let go whose slip would start against its direction.
fn turned_back(
    dynamics: &Dynamics,
    t: f64,
    y: &[f64],
    dy: &[f64],
    modes: &[Mode],
    was_stuck: &[usize],
) -> Option<usize> {
    was_stuck.iter().copied().find(|&i| {
        let direction = modes[i].sign();
        if direction == 0.0 || dynamics.sites[i].plane {
            return false;
        }
        let row = &dynamics.sites[i].tangent[0];
        // Where nothing is held the sum of all forces is what is left of it by rounding.
        let least = BACKWARD * compliance(dynamics, i) * dynamics.at[i].hold + HELD * dynamics.strain(t, y, row);
        direction * dynamics.slip_acceleration(i, t, dy) < -least
    })
}

/// Slip acceleration of a point under a unit of its own friction.
fn compliance(dynamics: &Dynamics, i: usize) -> f64 {
    let (n, row) = (dynamics.n, &dynamics.sites[i].tangent[0]);
    (0..n * n).map(|k| row[k / n] * dynamics.inverse_mass[k] * row[k % n]).sum()
}

/// The modes in words: "stick, slip+".
pub fn words(modes: &[Mode]) -> String {
    modes.iter().map(|m| m.name()).collect::<Vec<_>>().join(", ")
}
