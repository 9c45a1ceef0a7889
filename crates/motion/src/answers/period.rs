//! One period of a motion: where it ends, its extremes, its harmonics, how long it sticks, what it dissipates.
use crate::Transient;
use crate::answers::statistics::Settled;
use crate::march::{Broken, Motion};
use crate::observers::extrema::{Extrema, Quantity};
use crate::steppers::series::Linear;
use std::f64::consts::TAU;
use stickslip_data::EventKind;
use stickslip_dynamics::{Dynamics, pressed, stored};
use stickslip_model::{Context, Model, Output, Over, Probe};
use stickslip_solve::quadrature::gauss;

/// Nodes of the quadrature between two events, and parts of a period for each harmonic.
const NODES: usize = 8;
const PARTS: usize = 4;
/// A maximum is reached where the coordinate is this near to it, as a part of its range.
const REACHED: f64 = 1e-12;
/// It comes back to where a period begins to this part.
const RETURNED: f64 = 1e-8;
/// Room for rows that are for the eye alone: none are drawn.
const NO_ROOM: usize = usize::MAX / 2;

/// What is wanted of a period.
#[derive(Clone, Copy, Debug)]
pub struct PeriodAsk {
    /// Its length, s.
    pub period: f64,
    /// The coordinate that is looked at.
    pub coordinate: usize,
    /// How many harmonics of it.
    pub harmonics: usize,
    /// Relative tolerance of adaptive steps.
    pub rtol: f64,
}

/// A motion over one period from t = 0 on.
#[derive(Clone, Debug, Default)]
pub struct PeriodMotion {
    /// Unknowns at its end.
    pub end: Vec<f64>,
    /// Smallest and largest value of the coordinate.
    pub range: [f64; 2],
    /// When the largest is first reached, s.
    pub top: f64,
    /// Factors of cosine and sine of each harmonic from t = 0 on; first the mean.
    pub harmonics: Vec<[f64; 2]>,
    /// Part of the time in stick, of each point.
    pub stick: Vec<f64>,
    /// Slides that end, at all set-valued points; without such a point, turns of the coordinate.
    pub stops: usize,
    /// Work taken by friction, J.
    pub friction: f64,
    /// Work taken by dampers and normal contacts, J.
    pub damping: f64,
    /// Work of the drives, J.
    pub work_in: f64,
    /// Change of what is stored, J.
    pub stored: f64,
    /// Steps taken.
    pub steps: u64,
}

impl PeriodMotion {
    /// What the energy balance leaves open, over its largest term.
    pub fn open_energy(&self) -> f64 {
        let all = [self.work_in, self.friction, self.damping, self.stored];
        let largest = stickslip_solve::largest(all);
        let open = self.work_in - self.friction - self.damping - self.stored;
        if largest > 0.0 { (open / largest).abs() } else { 0.0 }
    }
}

/// Whether all modes of a model are followed by power series: sums of exponentials, without a step error.
pub fn is_exact(model: &Model) -> bool {
    Dynamics::new(model).is_some_and(|dynamics| Linear::of(&dynamics).is_some())
}

/// The unknowns at the end of a period: the motion from t = 0 on, without anything else.
pub fn period_end(model: &Model, y: &[f64], period: f64, rtol: f64) -> Result<Vec<f64>, String> {
    let motion = begin(model, y, period, rtol)?;
    Ok(go(motion, period, &[])?.y)
}

/// A motion over a period.
pub fn period_motion(model: &Model, y: &[f64], ask: PeriodAsk) -> Result<PeriodMotion, String> {
    let PeriodAsk { period, coordinate, harmonics, rtol } = ask;
    let mut motion = begin(model, y, period, rtol)?;
    motion.extrema = Extrema::of([(Quantity::Coordinate(coordinate), 0.0)]);
    let motion = go(motion, period, &[])?;
    let (trace, dynamics) = (&motion.trace, &motion.dynamics);
    let settled = Settled::over(trace, dynamics, &motion.peaks, &motion.extrema, period);
    let stick = (0..trace.points).map(|p| settled.stick_time(p) / period).collect();
    let turns = motion.extrema.turns(Quantity::Coordinate(coordinate));
    let mut places: Vec<(f64, f64)> = turns.clone().copied().collect();
    places.extend((0..trace.len()).map(|i| (trace.t(i), trace.q(i, coordinate))));
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let range = places.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], (_, x)| [a.min(*x), b.max(*x)]);
    let events: Vec<_> = motion.events.iter().collect();
    let slides =
        |e: &&stickslip_data::Event| e.kind == EventKind::Transition && e.from.starts_with("slip") && e.t > 0.0;
    let stops = match dynamics.sites.iter().any(|site| site.cone) {
        true => events.iter().filter(slides).count(),
        false => turns.len(),
    };
    let integrals = &motion.integrals;
    let breaks: Vec<f64> = events.iter().map(|e| e.t).collect();
    let found = PeriodMotion {
        end: motion.y.clone(),
        range,
        top: first_top(&places, range, period),
        harmonics: vec![],
        stick,
        stops,
        friction: integrals.friction,
        damping: integrals.damping + integrals.contact,
        work_in: integrals.work_in,
        stored: stored(dynamics, &motion.y) + pressed(dynamics) - motion.start_energy,
        steps: motion.health.steps,
    };
    let harmonics = fourier(model, y, ask, &breaks, harmonics)?;
    Ok(PeriodMotion { harmonics, ..found })
}

fn begin<'m>(model: &'m Model, y: &[f64], period: f64, rtol: f64) -> Result<Motion<'m>, String> {
    let dynamics = Dynamics::new(model).ok_or("the mass matrix is singular")?;
    let mut motion = Motion::new(dynamics, &Transient::plain(rtol), y.to_vec());
    motion.full = true;
    motion.bounds = (period, f64::INFINITY);
    motion.dynamics.horizon = period;
    motion.drawn = NO_ROOM;
    Ok(motion)
}

fn go<'m>(mut motion: Motion<'m>, period: f64, times: &[f64]) -> Result<Motion<'m>, String> {
    let probe = |times: &[f64]| Probe { over: Over::Times(times.to_vec()), ..Probe::default() };
    let probes = if times.is_empty() { vec![] } else { vec![probe(times)] };
    let context = Context { output: Output { brief: true, probes, ..Output::default() }, ..Context::default() };
    match motion.go((period, f64::INFINITY), &context) {
        Ok(()) => Ok(motion),
        Err(Broken::Failed(why)) => Err(why),
        Err(Broken::Lost(why)) => Err(why.to_string()),
        Err(Broken::Diverged) => Err("the motion diverges".into()),
        Err(Broken::Stopped) => Err("stopped".into()),
    }
}

/// When the largest value is first reached: a rest there may have begun before the period.
fn first_top(places: &[(f64, f64)], [low, high]: [f64; 2], period: f64) -> f64 {
    let at_top = |part: f64| move |place: &&(f64, f64)| place.1 >= high - part * (high - low);
    let Some(first) = places.iter().find(at_top(REACHED)) else { return 0.0 };
    // A motion that has settled to a tolerance ends where it begins within that.
    if first.0 > 0.0 || !places.last().is_some_and(|last| at_top(RETURNED)(&last)) {
        return first.0;
    }
    let before = places.iter().rev().take_while(at_top(RETURNED)).last().map_or(period, |place| place.0);
    if before > 0.0 { before - period } else { 0.0 }
}

/// Harmonics of a coordinate, by Gauss' quadrature between events.
fn fourier(model: &Model, y: &[f64], ask: PeriodAsk, breaks: &[f64], count: usize) -> Result<Vec<[f64; 2]>, String> {
    let PeriodAsk { period, coordinate, rtol, .. } = ask;
    let parts = 16.max(PARTS * count);
    let mut ends: Vec<f64> = (0..=parts).map(|k| period * k as f64 / parts as f64).collect();
    ends.extend(breaks.iter().copied().filter(|t| *t > 0.0 && *t < period));
    ends.sort_by(f64::total_cmp);
    let rule = gauss(NODES);
    let nodes: Vec<(f64, f64)> = ends
        .windows(2)
        .filter(|w| w[1] - w[0] > 1e-12 * period)
        .flat_map(|w| rule.iter().map(move |(x, weight)| (w[0] + x * (w[1] - w[0]), weight * (w[1] - w[0]))))
        .collect();
    let times: Vec<f64> = nodes.iter().map(|node| node.0).collect();
    let motion = go(begin(model, y, period, rtol)?, period, &times)?;
    let found = motion.instants.found();
    if found.len() != nodes.len() {
        return Err("a period has fewer instants than were asked for".into());
    }
    let mut sums = vec![[0.0; 2]; count + 1];
    for ((t, weight), (y, _)) in nodes.iter().zip(found) {
        for (k, sum) in sums.iter_mut().enumerate() {
            let by = weight * y[coordinate] / period * if k == 0 { 1.0 } else { 2.0 };
            let (sin, cos) = (TAU * k as f64 * t / period).sin_cos();
            *sum = [sum[0] + by * cos, sum[1] + by * sin];
        }
    }
    Ok(sums)
}
