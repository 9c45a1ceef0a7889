//! Where cycles are born: Hopf points of steady sliding, and the small cycles beside them.
use super::family::Cycles;
use super::orbit::Shape;
use super::section::{Beginning, Facts, Return};
use crate::hopf_curve::growing;
use crate::sliding::{ModelAt, Sliding};
use std::f64::consts::TAU;
use stickslip_dynamics::Dynamics;
use stickslip_dynamics::start::steady_sliding;
use stickslip_solve::continuation::{Curve as _, HopfCurve, correct};
use stickslip_solve::eigen::eigenpairs;

/// Places at which growth is asked for.
const PLACES: usize = 96;
/// Halvings between two of them.
const HALVINGS: usize = 14;
/// Speeds of the small cycle against that of the drive: where hardly anything bends the branch, a larger one is sought.
const SPEEDS: [f64; 3] = [0.05, 0.2, 0.5];

/// A Hopf point.
#[derive(Clone, Copy, Debug)]
pub struct Birth {
    /// Its place.
    pub place: f64,
    /// Frequency, rad/s.
    pub omega: f64,
}

fn spectrum(model_at: ModelAt, place: f64) -> Option<(Vec<f64>, Vec<[f64; 2]>)> {
    Sliding::new(model_at, &[place]).ok().map(|(_, found)| (found.x, found.values))
}

/// How many disturbances of steady sliding grow; none where it does not exist.
pub fn count(model_at: ModelAt, place: f64) -> Option<usize> {
    spectrum(model_at, place).map(|(_, values)| growing(&values))
}

/// The Hopf point near a small cycle.
pub fn near(model_at: ModelAt, place: f64, period: f64) -> Option<Birth> {
    let (mut family, found) = Sliding::new(model_at, &[place]).ok()?;
    let mut curve = HopfCurve::new(&mut family, &[place], &[0], &found.x, TAU / period).ok()?;
    let n = found.x.len();
    let mut u = found.x;
    u.extend([place, 0.0, (TAU / period).ln()]);
    let row: Vec<f64> = (0..n + 3).map(|i| if i == n + 1 { 1.0 } else { 0.0 }).collect();
    correct(&mut curve, &mut u, &row, None).ok()?;
    let (at, omega) = (u[n], u[n + 2].exp());
    ((at - place).abs() < 0.2 && (omega * period / TAU - 1.0).abs() < 0.2).then_some(Birth { place: at, omega })
}

/// All Hopf points along the range, in order.
pub fn all(model_at: ModelAt) -> Vec<Birth> {
    let mut found: Vec<Birth> = vec![];
    let place = |k: usize| k as f64 / PLACES as f64;
    let counts: Vec<Option<usize>> = (0..=PLACES).map(|k| count(model_at, place(k))).collect();
    for k in 0..PLACES {
        let (Some(a), Some(b)) = (counts[k], counts[k + 1]) else { continue };
        if a.abs_diff(b) != 2 {
            continue;
        }
        let (mut low, mut high) = (place(k), place(k + 1));
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if count(model_at, middle) == Some(a) { low = middle } else { high = middle }
        }
        let Some((_, values)) = spectrum(model_at, 0.5 * (low + high)) else { continue };
        let pairs = values.iter().filter(|v| v[1] > 0.0);
        let pair = pairs.min_by(|v, w| (v[0] / v[1]).abs().total_cmp(&(w[0] / w[1]).abs()));
        if let Some(birth) = pair.and_then(|v| near(model_at, 0.5 * (low + high), TAU / v[1])) {
            found.push(birth);
        }
    }
    found
}

/// A small cycle beside a Hopf point, of the first speed that serves.
pub fn small<'a>(model_at: ModelAt<'a>, birth: Birth) -> Result<(Cycles<'a>, Vec<f64>, Vec<f64>), String> {
    let mut why = String::new();
    for speed in SPEEDS {
        match of_speed(model_at, birth, speed) {
            Ok(found) => return Ok(found),
            Err(e) => why = e,
        }
    }
    Err(why)
}

/// A small cycle beside a Hopf point: the family, its point, and the direction in which it grows.
fn of_speed<'a>(model_at: ModelAt<'a>, birth: Birth, speed: f64) -> Result<(Cycles<'a>, Vec<f64>, Vec<f64>), String> {
    let model = model_at(&[birth.place])?;
    let facts = Facts::of(&model)?;
    let point = (0..facts.slips.len()).find(|i| facts.steady[*i] != 0.0).ok_or("no contact slides steadily")?;
    let mut dynamics = Dynamics::new(&model).ok_or("the mass matrix is singular")?;
    let (y, modes) = steady_sliding(&mut dynamics).map_err(|e| e.message)?;
    let m = y.len();
    let mut jac = vec![0.0; m * m];
    let _ = dynamics.evaluate(0.0, &y, &modes, &mut vec![0.0; m]);
    dynamics.jacobian(0.0, &y, &modes, &mut jac);
    let pairs = eigenpairs(m, &jac).ok_or("the eigenvectors did not converge")?;
    let off = |v: [f64; 2]| v[0].hypot(v[1] - birth.omega);
    let pair = pairs.iter().min_by(|a, b| off(a.value).total_cmp(&off(b.value))).ok_or("no eigenvector")?;
    let row = &facts.slips[point].0;
    let slip = |part: usize| -> f64 { row.iter().enumerate().map(|(j, t)| t * pair.right[facts.n + j][part]).sum() };
    let (re, im) = (slip(0), slip(1));
    let size = re.hypot(im);
    if size == 0.0 {
        return Err("the contact does not move in the oscillation that grows".into());
    }
    // The phase in which the slip velocity passes that of steady sliding, rising.
    let sign = facts.steady[point].signum();
    let by = sign * speed * facts.speed() / (size * size);
    let turned = |v: &[f64; 2]| by * (v[1] * re - v[0] * im);
    let start: Vec<f64> = y.iter().zip(&pair.right).map(|(y, v)| y + turned(v)).collect();
    let period = TAU / birth.omega;
    let returns = super::section::Returns::new(&model, Beginning::Slip(point), 1, modes.clone())?;
    // Which unknowns stay shows in the equations.
    let mut map = vec![0.0; m * m];
    for i in (0..m).filter(|i| *i >= 2 * facts.n && jac[i * m..(i + 1) * m].iter().all(|x| *x == 0.0)) {
        map[i * m + i] = 1.0;
    }
    let shape = Shape::new(&returns, &start, period, &map);
    let round = Return {
        y: start.clone(),
        dy: vec![],
        modes: modes.clone(),
        period,
        monodromy: vec![],
        map: vec![],
        sequence: vec![modes],
    };
    let mut curve = Cycles::new(model_at, 1, (Beginning::Slip(point), 1), shape, &round);
    let mut u = curve.shape.encode(&start);
    u.push(birth.place);
    let coordinate =
        (0..facts.n).max_by(|a, b| turned(&pair.right[*a]).abs().total_cmp(&turned(&pair.right[*b]).abs()));
    let coordinate = coordinate.unwrap_or(0);
    let at = curve.shape.kept.iter().position(|i| *i == coordinate).ok_or("no coordinate moves")?;
    let grows = turned(&pair.right[coordinate]).signum();
    let toward: Vec<f64> = (0..curve.unknowns()).map(|i| if i == at { grows } else { 0.0 }).collect();
    correct(&mut curve, &mut u, &toward, None).map_err(|e| format!("no small cycle beside the Hopf point: {e}"))?;
    Ok((curve, u, toward))
}
