//! Motions from crossing to crossing, each from where the last one ended.
use super::Poincare;
use super::exponents::{Exponents, Frame};
use super::section::Cut;
use crate::limit_cycle::section::Facts;
use std::f64::consts::TAU;
use stickslip_data::{Outcome, Status};
use stickslip_dynamics::Dynamics;
use stickslip_model::axis::Axis;
use stickslip_model::{Context, Model};
use stickslip_motion::{FlowEnd, FlowStart, Seeds, Until, flow};

/// With exponents, a leg is followed in so many parts, so that strong contraction is not mistaken for a collapse. The golden
/// section: no number of them is a leg, whose end would fall between two parts.
const PARTS: f64 = 3.618_033_988_749_895;
/// A place this near to the section, as a part of what a part of a leg moves it by, is on it.
const ON_SECTION: f64 = 1e-10;
/// A crossing this soon after the last one, as a part of the time that took, is the same one.
const SAME: f64 = 1e-9;
/// Points repeat to this part of what the motion moves by.
const REPEATS: f64 = 1e-4;
/// Repetitions of motions are looked for up to so many crossings.
const MOST_REPEATS: usize = 64;
/// A slip speed is that of the drive to this part.
const STEADY: f64 = 1e-6;
/// Legs, of a natural time each, over which the exponents of steady sliding are taken.
const STEADY_LEGS: u32 = 400;
/// Settled parts are the second half of a motion.
const SETTLED: f64 = 0.5;

/// What a motion left on the section.
#[derive(Clone, Debug, Default)]
pub struct Crossings {
    /// Time and unknowns at each crossing of the settled part.
    pub points: Vec<(f64, Vec<f64>)>,
    /// After how many crossings they repeat; 0: they do not.
    pub repeats: usize,
    /// Exponents, or why there are none.
    pub exponents: Option<Result<Exponents, String>>,
    /// Where the next motion starts.
    pub end: FlowStart,
    /// Steps taken.
    pub steps: u64,
    /// The section was not crossed again within this time, s.
    pub missed: Option<f64>,
    /// The motion has settled to steady sliding, which lies on the section.
    pub steady: bool,
}

/// A motion along a parameter.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The parameter.
    pub value: f64,
    /// Whether it was met on the way back.
    pub back: bool,
    /// What it left.
    pub found: Crossings,
}

/// Length of a run: in crossings, or in time.
enum Length {
    Legs(usize),
    Time(f64),
}

/// One leg to the next crossing.
struct Leg<'a> {
    model: &'a Model,
    cut: &'a Cut,
    rtol: f64,
    context: &'a Context<'a>,
}

impl Leg<'_> {
    /// Follows the motion to the next crossing, or to `most`; shows the derivatives of each part where there is a frame.
    fn go(
        &self,
        from: &FlowStart,
        most: f64,
        last: f64,
        show: &mut dyn FnMut(&FlowEnd, f64) -> Result<(), String>,
        seeds: bool,
    ) -> Result<(FlowEnd, bool), String> {
        let mut at = from.clone();
        let (goal, until) = match self.cut {
            Cut::Drive(period) => (((from.t / period).round() + 1.0) * period, None),
            Cut::Slip(section, horizon) => (from.t + horizon, Some(section)),
        };
        let goal = goal.min(most);
        let mut part = if seeds && last > 0.0 { last / PARTS } else { goal - from.t };
        let mut steps = 0;
        loop {
            if self.context.stopped() {
                return Err("stopped before its end".into());
            }
            let t = if at.t + 1.5 * part >= goal { goal } else { at.t + part };
            let until = until.map_or(Until::Time(t), |section| Until::Section(t, section));
            let ask = Seeds { initial: seeds, ..Seeds::default() };
            let end = flow(self.model, &at, until, ask, self.rtol).map_err(|e| e.to_string())?;
            steps += end.steps;
            if end.y.iter().any(|y| !y.is_finite()) {
                return Err("the motion is not finite".into());
            }
            show(&end, end.t - at.t)?;
            let crossed = match self.cut {
                Cut::Drive(_) => end.t >= goal,
                Cut::Slip(section, _) => {
                    // A part may end on the section.
                    let on = ON_SECTION
                        * stickslip_solve::largest(section.row.iter().zip(&end.dy).map(|(a, dy)| a * dy * part));
                    let between = section.beyond(&at.y) < -on && section.beyond(&end.y).abs() <= on;
                    (end.t < t || between) && end.t - from.t > SAME * last
                }
            };
            let over = end.t >= goal;
            at = FlowStart { t: end.t, y: end.y.clone(), modes: Some(end.modes.clone()), slopes: vec![] };
            if crossed || over {
                return Ok((FlowEnd { steps, ..end }, crossed));
            }
            part = part.max(SAME * (goal - from.t));
        }
    }
}

/// The motion of a model from a start.
pub fn motion(
    asked: &Poincare,
    model: &Model,
    start: Result<FlowStart, String>,
    context: &Context,
) -> Result<Crossings, String> {
    let (start, each) = (start?, asked.motion()?);
    let cut = Cut::of(model, asked.wanted).map_err(|e| e.message)?;
    let (time, cycles) = each.end(model, &start.y).map_err(|e| e.message)?;
    let length = match &cut {
        Cut::Drive(period) if time.is_finite() => Length::Legs(((time / period) * (1.0 + 1e-12)).floor() as usize),
        Cut::Slip(..) if time.is_finite() => Length::Time(time),
        _ => Length::Legs(cycles.ceil() as usize),
    };
    let t_0 = start.t;
    let begins = |t: f64, legs: usize| match length {
        Length::Legs(n) => legs as f64 / n as f64,
        Length::Time(time) => (t - t_0) / time,
    };
    let most = if let Length::Time(time) = length { t_0 + time } else { f64::INFINITY };
    let leg = Leg { model, cut: &cut, rtol: each.rtol, context };
    let mut found = Crossings::default();
    let (mut at, mut legs, mut last) = (start, 0, 0.0);
    let mut frame: Option<Frame> = None;
    let mut lost: Option<String> = None;
    while begins(at.t, legs) < 1.0 {
        let part = begins(at.t, legs);
        if asked.exponents && part >= SETTLED && frame.is_none() && last > 0.0 {
            frame = Some(Frame::new(rulers(model, &at.y, last)));
        }
        let settled = (part - SETTLED) / (1.0 - SETTLED);
        let seeds = frame.is_some() && lost.is_none();
        let mut carry = |end: &FlowEnd, time: f64| match (&mut frame, seeds) {
            (Some(frame), true) => frame.carry(&end.dy_dy0, settled, time),
            _ => Ok(()),
        };
        let gone = match leg.go(&at, most, last, &mut carry, seeds) {
            // Derivatives may be lost where the motion itself is not.
            Err(why) if seeds && !context.stopped() => {
                lost = Some(why);
                leg.go(&at, most, last, &mut |_, _| Ok(()), false)
            }
            gone => gone,
        };
        let (end, crossed) = gone?;
        found.steps += end.steps;
        last = end.t - at.t;
        at = FlowStart { t: end.t, y: end.y, modes: Some(end.modes), slopes: vec![] };
        if !crossed {
            if at.t < most {
                found.missed = Some(last);
                found.steady = is_steady(model, &at);
            }
            break;
        }
        legs += 1;
        if begins(at.t, legs) > SETTLED {
            found.points.push((at.t, at.y.clone()));
        }
    }
    if found.steady {
        found.points = vec![(at.t, at.y.clone())];
        if asked.exponents && lost.is_none() {
            frame = settled_frame(&leg, &mut at, rulers_at_rest(model))?;
        }
    }
    found.repeats = if found.steady { 1 } else { repeats(model.structure.len(), &found.points) };
    if asked.exponents {
        let of = |frame: Option<Frame>| frame.ok_or("the motion has no settled part on the section")?.exponents();
        found.exponents = Some(lost.map_or_else(|| of(frame), Err));
    }
    // The next motion starts at the same phase of the drives.
    let period = model.period().unwrap_or(0.0);
    at.t = match (&cut, period > 0.0) {
        (Cut::Slip(..), true) => at.t % period,
        _ => 0.0,
    };
    found.end = at;
    Ok(found)
}

/// Whether every contact slides at the speed of the drive.
fn is_steady(model: &Model, at: &FlowStart) -> bool {
    let Ok(facts) = Facts::of(model) else { return false };
    let n = facts.n;
    let off = |(i, (row, surface)): (usize, &(Vec<f64>, f64))| {
        let slip = row.iter().zip(&at.y[n..2 * n]).map(|(t, v)| t * v).sum::<f64>() + surface;
        (slip - facts.steady[i]).abs()
    };
    facts.slips.iter().enumerate().map(off).all(|off| off <= STEADY * facts.speed())
}

/// What the unknowns are measured by in steady sliding: a radian of the natural motion joins coordinates and rates.
fn rulers_at_rest(model: &Model) -> Vec<f64> {
    let Some(dynamics) = Dynamics::new(model) else { return vec![] };
    let (n, omega) = (dynamics.n, 1.0 / dynamics.natural_time());
    (0..dynamics.dim()).map(|i| if (n..2 * n).contains(&i) { omega } else { 1.0 }).collect()
}

/// A frame carried along steady sliding, over natural times.
fn settled_frame(leg: &Leg, at: &mut FlowStart, mut rulers: Vec<f64>) -> Result<Option<Frame>, String> {
    let Some(dynamics) = Dynamics::new(leg.model) else { return Ok(None) };
    let n = dynamics.n;
    for (i, ruler) in rulers.iter_mut().enumerate().filter(|(i, _)| *i >= 2 * n) {
        *ruler = if at.y[i] != 0.0 { at.y[i].abs() } else { 1.0 };
    }
    let mut frame = Frame::new(rulers);
    for k in 0..STEADY_LEGS {
        let ask = Seeds { initial: true, ..Seeds::default() };
        let end = flow(leg.model, at, Until::Time(at.t + dynamics.natural_time()), ask, leg.rtol)
            .map_err(|e| e.to_string())?;
        frame.carry(&end.dy_dy0, f64::from(k) / f64::from(STEADY_LEGS), end.t - at.t)?;
        *at = FlowStart { t: end.t, y: end.y, modes: Some(end.modes), slopes: vec![] };
    }
    Ok(Some(frame))
}

/// What the unknowns are measured by: the largest coordinate, the speed that gives it in a leg, each state itself.
fn rulers(model: &Model, y: &[f64], leg: f64) -> Vec<f64> {
    let n = model.structure.len();
    let far = (0..n).map(|i| y[i].abs().max(y[n + i].abs() * leg / TAU)).fold(0.0, f64::max);
    let far = if far > 0.0 { far } else { 1.0 };
    let of = |i: usize| match i {
        i if i < n => far,
        i if i < 2 * n => far * TAU / leg,
        i if y[i] != 0.0 => y[i].abs(),
        _ => 1.0,
    };
    (0..y.len()).map(of).collect()
}

/// After how many crossings all coordinates and rates repeat; 0 where they do not.
fn repeats(n: usize, points: &[(f64, Vec<f64>)]) -> usize {
    let [Some(first), Some(last)] = [points.first(), points.last()] else { return 0 };
    let leg = (last.0 - first.0) / points.len().max(2) as f64 / TAU;
    let size = |range: std::ops::Range<usize>| {
        points.iter().flat_map(|(_, y)| &y[range.clone()]).fold(0.0, |most: f64, x| most.max(x.abs()))
    };
    let (far, fast) = (size(0..n), size(n..2 * n));
    // A section may lie where rates are nothing.
    let of = |i: usize| if i < n { far.max(fast * leg) } else { fast.max(far / leg.max(f64::MIN_POSITIVE)) };
    let same = |a: &[f64], b: &[f64]| (0..2 * n).all(|i| (a[i] - b[i]).abs() <= REPEATS * of(i));
    let agree = |k: usize| points.iter().zip(&points[k..]).all(|(a, b)| same(&a.1, &b.1));
    (1..=MOST_REPEATS.min(points.len() / 2)).find(|k| agree(*k)).unwrap_or(0)
}

/// Motions along a parameter, and back where that is asked for.
pub fn along(
    asked: &Poincare,
    axis: &Axis,
    both: bool,
    context: &Context,
    out: &mut Outcome,
) -> Result<Vec<Motion>, String> {
    let lens = context.lens(&[&axis.parameter])?;
    let forth = axis.values.iter().map(|x| (*x, false));
    let back = axis.values.iter().rev().filter(|_| both).map(|x| (*x, true));
    let todo: Vec<(f64, bool)> = forth.chain(back).collect();
    let mut motions: Vec<Motion> = vec![];
    let mut last: Option<FlowStart> = None;
    for (k, (value, back)) in todo.iter().enumerate() {
        context.report(k as f64 / todo.len() as f64);
        let one = || -> Result<Crossings, String> {
            let model = lens.at(&[*value])?;
            let own = FlowStart::of(&model).map_err(|e| e.to_string())?;
            // The new parameter decides anew what sticks.
            let start = match &last {
                Some(last) if last.y.len() == own.y.len() => FlowStart { modes: None, ..last.clone() },
                _ => own,
            };
            motion(asked, &model, Ok(start), context)
        };
        match one() {
            Ok(found) => {
                last = Some(found.end.clone());
                motions.push(Motion { value: *value, back: *back, found });
            }
            Err(_) if context.stopped() => {
                let text = format!("stopped with {} of {} motions done", motions.len(), todo.len());
                out.worsen(Status::Partial, text);
                break;
            }
            Err(why) => {
                last = None;
                out.worsen(Status::Partial, format!("no motion at {} = {value:.6e}: {why}", axis.parameter));
            }
        }
    }
    if motions.is_empty() {
        return Err("no motion could be followed".into());
    }
    Ok(motions)
}
