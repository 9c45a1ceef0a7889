//! Responses by harmonic balance: at one frequency, and along a curve through its folds.
use super::FrequencyResponse;
use super::drive::Drive;
use super::response::{Response, lag, phase_of, shifted};
use super::settle::{NEUTRAL, close};
use crate::harmonic_balance::{Balance, Basis, Seen, amplitude_starts, linear_response, solve};
use crate::period_map::{multipliers, over};
use stickslip_model::Model;
use stickslip_motion::is_exact;
use stickslip_solve::continuation::trace::{Curve, Tracer};
use stickslip_solve::continuation::{Settings, correct};

/// Motions whose factors differ by less than this part are one.
const SAME: f64 = 1e-6;
/// Part of the range of frequencies by which it is moved for slopes.
const DIFFERENCE: f64 = 1e-6;
/// Steps of the arclength: first, longest, shortest. Where a contact begins to slip the curve has a corner, which no shorter
/// step would make round.
const STEPS: Settings = Settings { first: 2e-3, most: 0.05, least: 1e-6 };
/// Most points of a curve.
const MOST: usize = 20_000;
/// An end of a range is met to this part of it.
const EDGE: f64 = 1e-12;

fn basis(analysis: &FrequencyResponse, drive: Drive) -> Basis {
    let periods = analysis.balancing.subharmonics;
    Basis { harmonics: analysis.balancing.harmonics * periods, period: drive.period * periods as f64 }
}

/// The response that these factors are, with its distance to the exact one.
pub fn response(
    analysis: &FrequencyResponse,
    model: &Model,
    factors: &[f64],
    seen: &Seen,
    distance: bool,
) -> Result<Response, String> {
    let drive = Drive::of(model)?;
    let basis = basis(analysis, drive);
    let periods = analysis.balancing.subharmonics;
    let coordinate = analysis.coordinate(model);
    let own = &factors[coordinate * basis.len()..(coordinate + 1) * basis.len()];
    let [(low, _), (high, top)] = basis.extremes(own);
    let pairs: Vec<[f64; 2]> =
        (0..=basis.harmonics).map(|k| if k == 0 { [own[0], 0.0] } else { [own[2 * k - 1], own[2 * k]] }).collect();
    let harmonics = shifted(&pairs, drive.phase / periods as f64);
    let mut found = Response {
        omega: drive.omega(),
        amplitude: 0.5 * (high - low),
        phase: phase_of(harmonics.get(periods)),
        lag: lag(drive, top),
        stick: seen.stick.clone(),
        stops: seen.reversals as f64 / periods as f64,
        dissipation: seen.friction / periods as f64,
        periods,
        harmonics,
        start: seen.start.clone(),
        factors: factors.to_vec(),
        stable: true,
        ..Response::default()
    };
    if distance && analysis.stability {
        let exact = close(model, drive.period, seen.start.clone(), periods, analysis.rtol)
            .and_then(|s| Ok((Response::of(model, drive, &s.start, (coordinate, 1, analysis.rtol), periods)?, s)));
        match exact {
            Ok((exact, settled)) => {
                found.radius = settled.radius;
                found.stable = settled.stable();
                found.truncation = Some((found.amplitude / exact.amplitude - 1.0).abs());
            }
            Err(why) => {
                // Disturbances of the motion that starts there tell its stability all the same.
                let end = over(model, &seen.start, basis.period, true, analysis.rtol).ok();
                found.radius = end.and_then(|end| multipliers(&end)?.first().map(|v| v[0].hypot(v[1])));
                found.stable = found.radius.is_some_and(|radius| radius <= 1.0 + NEUTRAL);
                found.doubt = Some(format!("no exact response was found near a balanced one: {why}"));
            }
        }
    }
    Ok(found)
}

/// The same factors in a basis of more or fewer harmonics.
fn cut(x: &[f64], from: Basis, to: Basis) -> Vec<f64> {
    let own = |x: &[f64]| -> Vec<f64> { (0..to.len()).map(|b| x.get(b).copied().unwrap_or(0.0)).collect() };
    x.chunks_exact(from.len()).flat_map(own).collect()
}

/// The motions that Newton's method finds from these starts, each once.
fn distinct(
    balance: &mut Balance,
    starts: impl Iterator<Item = Vec<f64>>,
    why: &mut Option<String>,
) -> Vec<(Vec<f64>, Seen)> {
    let rest = balance.states.clone();
    let mut found: Vec<(Vec<f64>, Seen)> = vec![];
    for mut x in starts {
        balance.states.clone_from(&rest);
        match solve(balance, &mut x) {
            Ok(seen) => {
                let size = stickslip_solve::largest(x.iter().copied());
                let known = |(other, _): &(Vec<f64>, Seen)| {
                    stickslip_solve::largest(x.iter().zip(other).map(|(a, b)| a - b)) <= SAME * size
                };
                if size > 0.0 && !found.iter().any(known) {
                    found.push((x, seen));
                }
            }
            Err(e) => *why = why.take().or(Some(e)),
        }
    }
    found
}

/// All responses found at the frequency of a model, by ascending amplitude.
pub fn all(analysis: &FrequencyResponse, model: &Model, near: Option<&[f64]>) -> Result<Vec<Response>, String> {
    let drive = Drive::of(model)?;
    let mut balance = Balance::new(model, basis(analysis, drive), analysis.balancing)?;
    let shape = linear_response(model, &balance);
    let mut why = None;
    // Sought with as few harmonics as there may be: what they find is near.
    let few = Basis { harmonics: analysis.balancing.subharmonics, ..balance.basis };
    let mut coarse = Balance::new(model, few, analysis.balancing)?;
    let rough = cut(&shape, balance.basis, few);
    // Friction that is monotonous, on linear springs: the difference of two responses would only lose energy.
    let sought = amplitude_starts(&coarse, &rough);
    let mut rough = distinct(&mut coarse, std::iter::once(rough), &mut why);
    if rough.is_empty() || !is_exact(model) {
        let found = rough.into_iter().map(|(x, _)| x);
        rough = distinct(&mut coarse, found.chain(sought), &mut why);
    }
    let whole = balance.basis;
    let found = rough.into_iter().map(|(x, _)| cut(&x, few, whole));
    let starts = near.map(<[f64]>::to_vec).into_iter().chain([shape]).chain(found);
    let found = distinct(&mut balance, starts, &mut why);
    if found.is_empty() {
        return Err(why.unwrap_or_else(|| "no balanced motion was found".into()));
    }
    let mut all =
        found.iter().map(|(x, seen)| response(analysis, model, x, seen, true)).collect::<Result<Vec<_>, _>>()?;
    all.sort_by(|a, b| a.amplitude.total_cmp(&b.amplitude));
    Ok(all)
}

/// One response near known factors.
pub fn near(analysis: &FrequencyResponse, model: &Model, factors: &[f64], distance: bool) -> Result<Response, String> {
    let mut balance = Balance::new(model, basis(analysis, Drive::of(model)?), analysis.balancing)?;
    let mut x = factors.to_vec();
    let seen = solve(&mut balance, &mut x)?;
    response(analysis, model, &x, &seen, distance)
}

/// The equations along the frequency: factors in rising order, then the place in the range.
struct Response1d<'a> {
    analysis: &'a FrequencyResponse,
    model_at: &'a dyn Fn(f64) -> Result<Model, String>,
    count: usize,
    size: f64,
    /// Slopes were asked for, or residuals, at this place.
    model: Option<(f64, Model)>,
}

impl Response1d<'_> {
    fn with(&mut self, u: &[f64], r: &mut [f64], jac: Option<&mut [f64]>) -> Result<(), String> {
        let place = u[self.count];
        if self.model.as_ref().is_none_or(|(at, _)| *at != place) {
            self.model = Some((place, (self.model_at)(place)?));
        }
        let Some((_, model)) = &self.model else { return Err("there is no model".into()) };
        let mut balance = Balance::new(model, basis(self.analysis, Drive::of(model)?), self.analysis.balancing)?;
        balance.residual(&u[..self.count], r, jac).map(|_| ())
    }
}

impl Curve for Response1d<'_> {
    fn unknowns(&self) -> usize {
        self.count + 1
    }

    fn residual(&mut self, u: &[f64], r: &mut [f64]) -> Result<(), String> {
        self.with(u, r, None)
    }

    fn slopes(&mut self, u: &[f64], rows: &mut [f64]) -> Result<(), String> {
        let n = self.count;
        let (mut r, mut jac, mut other) = (vec![0.0; n], vec![0.0; n * n], vec![0.0; n]);
        self.with(u, &mut r, Some(&mut jac))?;
        let mut moved = u.to_vec();
        let h = if u[n] > 0.5 { -DIFFERENCE } else { DIFFERENCE };
        moved[n] += h;
        self.with(&moved, &mut other, None)?;
        for i in 0..n {
            rows[i * (n + 1)..i * (n + 1) + n].copy_from_slice(&jac[i * n..(i + 1) * n]);
            rows[i * (n + 1) + n] = (other[i] - r[i]) / h;
        }
        Ok(())
    }

    fn weights(&self, _: &[f64], out: &mut [f64]) {
        out.fill(1.0 / self.size);
        out[self.count] = 1.0;
    }
}

/// What was found along a range of the frequency: responses at places, places at which the curve turns back, and why it ends
/// early, if it does.
pub type Found = (Vec<(f64, Response)>, Vec<f64>, Option<String>);

/// The curve of responses over a range of the frequency, from one end to the other: what lies at the asked places, and the
/// places at which it turns back. The last is why it ends early, if it does.
pub fn curve(
    analysis: &FrequencyResponse,
    model_at: &dyn Fn(f64) -> Result<Model, String>,
    places: &[f64],
    stopped: &dyn Fn() -> bool,
) -> Result<Found, String> {
    let first = model_at(places[0])?;
    let start = all(analysis, &first, None)?;
    // Of several responses the one that is reached from rest is the smallest that disturbances do not leave.
    let start = start.iter().find(|r| r.stable).unwrap_or(&start[0]).clone();
    let count = start.factors.len();
    let size = stickslip_solve::largest(start.factors.iter().copied());
    let (from, to) = (places[0], places[places.len() - 1]);
    if is_exact(&first) {
        return Ok(unique(analysis, model_at, places, start, stopped));
    }
    let scaled = |place: f64| model_at(from + place * (to - from));
    let mut curve = Response1d { analysis, model_at: &scaled, count, size, model: None };
    let mut rows = vec![(from, start.clone())];
    let (mut folds, mut why) = (vec![], None);
    if places.len() == 1 {
        return Ok((rows, folds, None));
    }
    let row =
        |place: f64, u: &[f64]| -> Result<Response, String> { near(analysis, &scaled(place)?, &u[..count], true) };
    let asked: Vec<f64> = places.iter().map(|p| (p - from) / (to - from)).collect();
    let mut u = start.factors.clone();
    u.push(0.0);
    let mut toward = vec![0.0; count + 1];
    toward[count] = 1.0;
    let most = STEPS.most.min(4.0 / places.len() as f64);
    let settings = Settings { first: STEPS.first.min(most), most, ..STEPS };
    if let Err(e) = correct(&mut curve, &mut u, &toward, None) {
        return Ok((rows, folds, Some(e.to_string())));
    }
    u[count] = 0.0;
    let mut tracer = match Tracer::new(&mut curve, u, &toward, settings) {
        Ok(tracer) => tracer,
        Err(e) => return Ok((rows, folds, Some(e.to_string()))),
    };
    for step in 0.. {
        if stopped() || step == MOST {
            why = Some(if step == MOST { "the curve has no end".into() } else { "stopped before its end".into() });
            break;
        }
        let before = tracer.clone();
        if let Err(e) = tracer.advance(&mut curve) {
            why = Some(format!("the curve is lost at {:.6e}: {e}", from + before.point.u[count] * (to - from)));
            break;
        }
        let (a, b) = (before.point.u[count], tracer.point.u[count]);
        let turned = before.point.tangent[count] * tracer.point.tangent[count] < 0.0;
        if turned {
            if let Some(at) = fold(&mut curve, &before, tracer.point.tangent[count]) {
                folds.push(from + at * (to - from));
            }
        } else {
            let inside = |p: &&f64| (**p - a) * (**p - b) <= 0.0 && (**p - a).abs() > EDGE;
            let mut between: Vec<f64> = asked.iter().filter(inside).copied().collect();
            if b < a {
                between.reverse();
            }
            for place in between {
                match before.landed(&mut curve, count, place).map_err(|e| e.to_string()).and_then(|u| row(place, &u)) {
                    Ok(found) => rows.push((from + place * (to - from), found)),
                    Err(e) => why = Some(e),
                }
            }
        }
        if !(-EDGE..1.0 - EDGE).contains(&b) {
            break;
        }
    }
    Ok((rows, folds, why))
}

/// Responses of friction that is monotonous on linear springs, each from the two before: there is one at every frequency, and the
/// curve has no folds.
fn unique(
    analysis: &FrequencyResponse,
    model_at: &dyn Fn(f64) -> Result<Model, String>,
    places: &[f64],
    start: Response,
    stopped: &dyn Fn() -> bool,
) -> Found {
    let mut known = vec![(places[0], start.factors.clone())];
    let (mut rows, mut why) = (vec![(places[0], start)], None);
    for &place in &places[1..] {
        if stopped() {
            why = Some("stopped before its end".into());
            break;
        }
        let found = model_at(place).and_then(|model| {
            let guess = match &known[..] {
                [.., (a, old), (b, last)] => {
                    let part = (place - b) / (b - a);
                    last.iter().zip(old).map(|(last, old)| last + part * (last - old)).collect()
                }
                [.., (_, last)] => last.clone(),
                [] => vec![],
            };
            near(analysis, &model, &guess, true).or_else(|e| {
                let all = all(analysis, &model, known.last().map(|(_, last)| &last[..]))?;
                all.into_iter().next().ok_or(e)
            })
        });
        match found {
            Ok(found) => {
                known.push((place, found.factors.clone()));
                rows.push((place, found));
            }
            Err(e) => why = Some(format!("no response at {place:.6e}: {e}")),
        }
    }
    (rows, vec![], why)
}

/// Where the place is extreme between a point and the next: its slope along the curve changes its sign.
fn fold(curve: &mut dyn Curve, before: &Tracer, after: f64) -> Option<f64> {
    use stickslip_solve::continuation::tangent;
    use stickslip_solve::root::Bracket;
    let k = curve.unknowns() - 1;
    let way = |curve: &mut dyn Curve, s: f64| -> Option<(f64, f64)> {
        let u = before.at(curve, s).ok()?;
        let (t, _) = tangent(curve, &u, &before.point.tangent).ok()?;
        Some((u[k], t[k]))
    };
    // The step that was taken: the next one says no more than that it is at most so long.
    let mut end = before.step;
    for _ in 0..40 {
        if way(curve, end).is_some_and(|(_, t)| t * after > 0.0) {
            break;
        }
        end *= 0.7;
    }
    let last = way(curve, end)?;
    let mut bracket = Bracket::new((0.0, before.point.tangent[k]), (end, last.1));
    let mut place = last.0;
    while let Some(s) = bracket.next(1e-8 * end) {
        let (at, t) = way(curve, s)?;
        place = at;
        bracket.narrow(s, t);
    }
    Some(place)
}
