//! What follows an event where contacts are rigid: impact, then the modes that hold.
use crate::transition::impact::{Struck, strike};
use crate::transition::mode_search::{Options, Tested, choose};
use crate::transition::modes::{Cause, NoModes, part_and_meet};
use stickslip_dynamics::Dynamics;
use stickslip_laws::{Friction, Mode, Slide};

/// Gaps and velocities below this part of the largest so far are none.
const NONE: f64 = 1e-13;
/// Slip velocities below this part of those that jumped are none.
const SETTLED: f64 = 1e-12;
/// A flight shorter than this part of the time is the end of a sequence of bounces.
const SHORTEST: f64 = 1e-13;
/// What counts as rounding, part of what a coefficient is the sum of; a choice that fails is made again with another.
const ROUNDING: [f64; 4] = [1e-12, 1e-10, 1e-8, 1e-14];

/// What is known of a point at an instant, whatever its numbers say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KnownZeros {
    /// The gap is zero.
    pub touches: bool,
    /// The rate of the gap is zero too.
    pub stays: bool,
    /// The slip velocity is zero.
    pub rests: bool,
}

/// What must stay positive at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What {
    /// The gap of an open contact.
    Gap,
    /// The normal force of a closed one.
    Load,
    /// The slip velocity along the direction of its mode.
    Slip,
    /// What stick could still hold, in a direction.
    Cone,
}

impl What {
    /// The conditions of a point in its mode, each with a sign.
    pub fn of(dynamics: &Dynamics, modes: &[Mode], i: usize) -> [Option<(What, f64)>; 3] {
        let site = &dynamics.sites[i];
        let load = site.rigid.is_some().then_some((What::Load, 1.0));
        match modes[i] {
            Mode::Open if site.rigid.is_some() => [Some((What::Gap, 1.0)), None, None],
            Mode::Open => [None; 3],
            _ if !site.cone => [load, None, None],
            Mode::Stick => [load, Some((What::Cone, 1.0)), Some((What::Cone, -1.0))],
            Mode::Forward | Mode::Backward => [load, Some((What::Slip, modes[i].sign())), None],
        }
    }

    /// Whether the sign is known from where the point stands: its mode was offered only because it is right.
    pub fn settled(self, standing: KnownZeros) -> bool {
        match self {
            What::Gap => !(standing.touches && standing.stays),
            What::Slip => !standing.rests,
            What::Load | What::Cone => false,
        }
    }

    /// The mode to try when the condition fails.
    pub fn instead(self, sign: f64) -> Mode {
        match self {
            What::Gap | What::Slip => Mode::Stick,
            What::Load => Mode::Open,
            What::Cone => Mode::slipping(sign),
        }
    }
}

/// Follows modes for a moment, to tell whether they hold.
pub trait Follow {
    /// Prepares to try modes at a time.
    fn begin(&mut self, t: f64);
    /// Whether these modes hold for a while from (t, y) on.
    fn test(
        &mut self,
        dynamics: &mut Dynamics,
        at: (f64, &[f64]),
        modes: &[Mode],
        standing: &[KnownZeros],
        rounding: f64,
    ) -> Tested;
    /// Receives what is known of the points where the next step starts.
    fn start_from(&mut self, standing: &[KnownZeros], rounding: f64);
}

/// The largest gaps and gap rates so far, and the last impact of each point.
#[derive(Clone, Debug, Default)]
pub struct Scales {
    gap: Vec<f64>,
    rate: Vec<f64>,
    last_impact: Vec<f64>,
}

impl Scales {
    /// Nothing seen yet.
    pub fn new(points: usize) -> Scales {
        Scales { gap: vec![0.0; points], rate: vec![0.0; points], last_impact: vec![f64::NEG_INFINITY; points] }
    }

    /// What the forces at hand could make of the gap rates: where nothing moves yet, that is rounding.
    fn weigh(&mut self, dynamics: &Dynamics, t: f64, y: &[f64]) {
        for (i, site) in dynamics.sites.iter().enumerate() {
            let Some(row) = site.normal.as_ref().filter(|_| site.rigid.is_some()) else { continue };
            self.rate[i] = self.rate[i].max(dynamics.strain(t, y, row) * dynamics.natural_time());
        }
    }

    fn see(&mut self, dynamics: &Dynamics, y: &[f64]) {
        for (i, site) in dynamics.sites.iter().enumerate() {
            let Some(row) = site.normal.as_ref().filter(|_| site.rigid.is_some()) else { continue };
            let size = |x: &[f64]| row.iter().zip(x).map(|(a, b)| (a * b).abs()).sum::<f64>();
            self.gap[i] = self.gap[i].max(size(y)).max(dynamics.model.contacts[site.contact].gap_at(site.point).abs());
            self.rate[i] = self.rate[i].max(size(&y[dynamics.n..]));
        }
    }
}

/// What an event did besides changing modes.
#[derive(Clone, Debug, Default)]
pub struct Settled {
    /// Mode in which each point took an impulse.
    pub struck: Vec<Option<Mode>>,
    /// Energy that the contacts took.
    pub taken: f64,
    /// Work of a moving surface in the impact.
    pub carried: f64,
}

/// Finds velocities and modes just after time `t`.
pub fn settle(
    dynamics: &mut Dynamics,
    follow: &mut dyn Follow,
    scales: &mut Scales,
    t: f64,
    y: &mut [f64],
    modes: &mut Vec<Mode>,
    causes: &[Cause],
) -> Result<Settled, NoModes> {
    let points = modes.len();
    let n = dynamics.n;
    scales.see(dynamics, y);
    let jumped = causes.contains(&Cause::Jump);
    if jumped {
        scales.weigh(dynamics, t, y);
    }
    if dynamics.sites.iter().any(|site| site.opens) {
        let mut dy = vec![0.0; y.len()];
        dynamics.evaluate(t, y, modes, &mut dy)?;
        part_and_meet(dynamics, t, y, modes, causes);
    }
    let mut standing = vec![KnownZeros::default(); points];
    for i in 0..points {
        let (rigid, closed) = (dynamics.sites[i].rigid.is_some(), modes[i] != Mode::Open);
        let near = || dynamics.gap_of(i, y) <= NONE * scales.gap[i];
        standing[i].touches = rigid && (closed || causes.contains(&Cause::Lands(i)) || near());
        standing[i].stays = standing[i].touches && closed && !jumped;
        standing[i].rests = causes.contains(&Cause::Arrives(i)) || (modes[i] == Mode::Stick && !jumped);
    }
    let approaches = |i: usize, s: &KnownZeros, y: &[f64]| {
        s.touches && !s.stays && dynamics.gap_rate_of(i, y) < -NONE * scales.rate[i]
    };
    let mut settled = Settled { struck: vec![None; points], ..Settled::default() };
    let struck = (0..points).any(|i| approaches(i, &standing[i], y));
    let before = y[n..2 * n].to_vec();
    if struck {
        let taking: Vec<Struck> = (0..points)
            .filter(|i| standing[*i].touches)
            .map(|i| Struck {
                site: i,
                mu: slip_coefficient(dynamics, i, dynamics.slip_of(i, t, y)),
                surface: dynamics.sites[i].surface * dynamics.surface_velocity(t),
            })
            .collect();
        let blow = strike(dynamics, &taking, &mut y[n..2 * n])?;
        (settled.taken, settled.carried) = (blow.taken, blow.carried);
        for (p, [normal, tangential]) in taking.iter().zip(&blow.impulses) {
            if *normal > 0.0 {
                let held = tangential.abs() < p.mu * normal * (1.0 - SETTLED);
                settled.struck[p.site] = Some(if held { Mode::Stick } else { Mode::slipping(*tangential) });
            }
        }
    }
    if struck || jumped {
        for i in 0..points {
            let size = |row: &[f64]| -> f64 {
                row.iter().zip(before.iter().zip(&y[n..])).map(|(r, (a, b))| (r * a).abs() + (r * b).abs()).sum()
            };
            let site = &dynamics.sites[i];
            let surface = (site.surface * dynamics.surface_velocity(t)).abs();
            // Where nothing moves yet, what the forces could do is rounding.
            let soon = NONE * dynamics.strain(t, y, &site.tangent[0]) * dynamics.natural_time();
            standing[i].rests = dynamics.slip_of(i, t, y).abs() <= SETTLED * (size(&site.tangent[0]) + surface) + soon;
            if let Some(row) = site.normal.as_ref().filter(|_| standing[i].touches) {
                let rate = dynamics.gap_rate_of(i, y);
                // Bounces that no longer take time have ended.
                let ended = settled.struck[i].is_some() && t - scales.last_impact[i] <= SHORTEST * t;
                standing[i].stays = rate <= SETTLED * size(row) || rate <= NONE * scales.rate[i] || ended;
            }
            if settled.struck[i].is_some() {
                scales.last_impact[i] = t;
            }
        }
    } else {
        for i in 0..points {
            if standing[i].touches && !standing[i].stays {
                standing[i].stays = dynamics.gap_rate_of(i, y).abs() <= NONE * scales.rate[i];
            }
        }
    }
    let options: Vec<Options> = (0..points).map(|i| possible(dynamics, i, t, y, modes[i], standing[i])).collect();
    let loose: Vec<bool> = (0..points).map(|i| breaks_loose(dynamics, i)).collect();
    follow.begin(t);
    let energy = stickslip_dynamics::stored(dynamics, y);
    let mut found = Err(NoModes::None(0));
    for rounding in ROUNDING {
        let mut exact = y.to_vec();
        found = choose(&options, &loose, |modes| {
            if !dynamics.agree(modes) {
                return Tested::Fails(0, modes[0]);
            }
            exact.copy_from_slice(y);
            if let Err(trouble) = dynamics.hold_to(t, &mut exact, modes, |i| standing[i].touches) {
                return Tested::Singular(trouble);
            }
            follow.test(dynamics, (t, &exact), modes, &standing, rounding)
        });
        if let Ok(chosen) = &found {
            follow.start_from(&standing, rounding);
            modes.clone_from(chosen);
            break;
        }
        if !matches!(found, Err(NoModes::None(_))) {
            break;
        }
    }
    found?;
    dynamics.hold_to(t, y, modes, |i| standing[i].touches)?;
    settled.taken += energy - stickslip_dynamics::stored(dynamics, y);
    Ok(settled)
}

/// What a point may do from where it stands, the most closed first.
fn possible(dynamics: &Dynamics, i: usize, t: f64, y: &[f64], mode: Mode, standing: KnownZeros) -> Options {
    let site = &dynamics.sites[i];
    let mut options = vec![];
    if site.opens && mode == Mode::Open {
        return vec![Mode::Open];
    }
    let closed = site.rigid.is_none() || (standing.touches && standing.stays);
    if closed && !site.cone {
        options.push(if mode == Mode::Open { Mode::Forward } else { mode });
    } else if closed && standing.rests {
        options.extend([Mode::Stick, Mode::Forward, Mode::Backward]);
    } else if closed {
        options.push(Mode::slipping(dynamics.slip_of(i, t, y)));
    }
    if site.rigid.is_some() {
        options.push(Mode::Open);
    }
    options
}

/// Friction per normal impulse in slip: what does not grow with the load is nothing in an impact.
pub fn slip_coefficient(dynamics: &Dynamics, i: usize, slip: f64) -> f64 {
    cone(dynamics, i, slip, 2.0).1 - cone(dynamics, i, slip, 1.0).1
}

/// Whether a point at rest holds more than it carries in slip.
fn breaks_loose(dynamics: &Dynamics, i: usize) -> bool {
    let (hold, strength) = cone(dynamics, i, 0.0, 1.0);
    hold > strength
}

/// Hold and strength under a load.
pub fn cone(dynamics: &Dynamics, i: usize, slip: f64, load: f64) -> (f64, f64) {
    let site = &dynamics.sites[i];
    let friction = &dynamics.model.contacts[site.contact].friction;
    let at = vec![Slide::new([slip, 0.0], load); site.point + 1];
    let z: Vec<f64> = friction.states().iter().cycle().take(at.len() * site.states).map(|s| s.start).collect();
    let mut answers = vec![Friction::Cone { hold: 0.0, strength: 0.0 }; at.len()];
    friction.respond(&at, &z, &mut vec![0.0; z.len()], &mut answers);
    match answers[site.point] {
        Friction::Cone { hold, strength } => (hold, strength),
        Friction::Force(f) => (f[0].abs(), f[0].abs()),
    }
}
