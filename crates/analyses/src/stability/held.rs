//! Steady sliding of rigid contacts that stay closed: reactions take the place of normal laws, and motions that would open or
//! press a contact are none.
use super::ordered;
use stickslip_dynamics::Dynamics;
use stickslip_dynamics::start::{NO_EQUILIBRIUM, evaluated, slide};
use stickslip_laws::Mode;
use stickslip_model::Model;
use stickslip_solve::dense::{Lu, dot};
use stickslip_solve::eigen::eigenvalues;
use stickslip_solve::largest;
use stickslip_structures::Refused;

/// Steps towards the equilibrium.
const MOST_STEPS: usize = 60;
/// What is left of accelerations and gaps, as a part of the largest that the springs alone would give.
const BALANCED: f64 = 1e-13;
/// Once steps no longer help, this is near enough.
const NEAR: f64 = 1e-9;
/// Steps of differences of four points: their error is of the fourth order.
const STEP: f64 = 1e-3;
/// A row that others hold already is this part of its length beside them.
const DEPENDENT: f64 = 1e-12;

/// Coordinates and eigenvalues of steady sliding, rigid contacts held closed.
pub fn spectrum(model: &Model) -> Result<(Vec<f64>, Vec<[f64; 2]>), Refused> {
    let mut dynamics = Dynamics::new(model)
        .ok_or_else(|| Refused::new("structure.mass", "structure::singular", "the mass matrix is singular"))?;
    let (n, m) = (dynamics.n, dynamics.dim());
    let free = free_directions(&dynamics);
    let (y, modes) = equilibrium(&mut dynamics)?;
    let sizes = sizes(&dynamics, &y);
    // Columns of derivatives along directions that keep contacts closed.
    let mut directions: Vec<Vec<f64>> = vec![];
    for shift in [0, n] {
        directions.extend(free.iter().map(|z| {
            let mut way = vec![0.0; m];
            way[shift..shift + n].copy_from_slice(z);
            way
        }));
    }
    directions.extend((2 * n..m).map(|k| (0..m).map(|i| if i == k { 1.0 } else { 0.0 }).collect()));
    let count = directions.len();
    let mut matrix = vec![0.0; count * count];
    for (c, way) in directions.iter().enumerate() {
        let size =
            way.iter().zip(&sizes).filter(|(x, _)| **x != 0.0).map(|(x, s)| s / x.abs()).fold(f64::INFINITY, f64::min);
        let column = derivative(&mut dynamics, &y, &modes, way, STEP * size)?;
        for (r, row) in directions.iter().enumerate() {
            matrix[r * count + c] = dot(row, &column);
        }
    }
    // States that nothing moves are parameters.
    let moves = |k: usize| k < 2 * free.len() || matrix[k * count..(k + 1) * count].iter().any(|x| *x != 0.0);
    let kept: Vec<usize> = (0..count).filter(|k| moves(*k)).collect();
    let part: Vec<f64> =
        kept.iter().flat_map(|i| kept.iter().map(|j| matrix[i * count + j]).collect::<Vec<_>>()).collect();
    let values = eigenvalues(kept.len(), &part).ok_or_else(super::not_settled)?;
    Ok((y[..n].to_vec(), ordered(values, super::NEUTRAL)))
}

/// An orthonormal basis of the motions that leave every rigid gap as it is.
fn free_directions(dynamics: &Dynamics) -> Vec<Vec<f64>> {
    let n = dynamics.n;
    let rows = dynamics.sites.iter().filter(|site| site.rigid.is_some()).filter_map(|site| site.normal.clone());
    let units = (0..n).map(|k| (0..n).map(|i| if i == k { 1.0 } else { 0.0 }).collect::<Vec<f64>>());
    let mut basis: Vec<Vec<f64>> = vec![];
    let mut held = 0;
    for (k, mut row) in rows.map(|row| (true, row)).chain(units.map(|row| (false, row))) {
        let length = dot(&row, &row).sqrt();
        for _ in 0..2 {
            for other in &basis {
                let along = dot(&row, other);
                row.iter_mut().zip(other).for_each(|(x, o)| *x -= along * o);
            }
        }
        let left = dot(&row, &row).sqrt();
        let least = if k { DEPENDENT } else { DEPENDENT.sqrt() };
        if left > least * length {
            row.iter_mut().for_each(|x| *x /= left);
            basis.push(row);
            held += usize::from(k);
        }
    }
    basis.split_off(held)
}

/// What each unknown is measured by.
fn sizes(dynamics: &Dynamics, y: &[f64]) -> Vec<f64> {
    let (n, omega) = (dynamics.n, 1.0 / dynamics.natural_time());
    let speed =
        dynamics.sites.iter().enumerate().map(|(i, _)| dynamics.slip_of(i, 0.0, y).abs()).fold(f64::INFINITY, f64::min);
    let far = largest(y[..n].iter().copied()).max(speed / omega);
    (0..y.len())
        .map(|k| match k {
            k if k < n => far.max(f64::MIN_POSITIVE),
            k if k < 2 * n => speed.max(f64::MIN_POSITIVE),
            k if y[k] != 0.0 => y[k].abs(),
            _ => 1.0,
        })
        .collect()
}

/// How the rates change along a direction.
fn derivative(dynamics: &mut Dynamics, y: &[f64], modes: &[Mode], way: &[f64], h: f64) -> Result<Vec<f64>, Refused> {
    let mut sum = vec![0.0; y.len()];
    let mut dy = vec![0.0; y.len()];
    for (steps, weight) in [(-2.0, 1.0 / 12.0), (-1.0, -8.0 / 12.0), (1.0, 8.0 / 12.0), (2.0, -1.0 / 12.0)] {
        let moved: Vec<f64> = y.iter().zip(way).map(|(y, way)| y + steps * h * way).collect();
        evaluated(dynamics, &moved, modes, &mut dy)?;
        sum.iter_mut().zip(&dy).for_each(|(sum, dy)| *sum += weight / h * dy);
    }
    Ok(sum)
}

/// The unknowns of steady sliding with every rigid gap closed.
fn equilibrium(dynamics: &mut Dynamics) -> Result<(Vec<f64>, Vec<Mode>), Refused> {
    let (n, m) = (dynamics.n, dynamics.dim());
    let mut y = stickslip_dynamics::start::at_rest(dynamics);
    let driver = dynamics.base_velocity(0.0);
    (0..n).for_each(|i| y[n + i] = dynamics.model.structure.base[i] * driver);
    let sliding = |dynamics: &Dynamics, y: &[f64]| -> Vec<Mode> {
        (0..dynamics.sites.len()).map(|i| Mode::slipping(dynamics.slip_of(i, 0.0, y))).collect()
    };
    let still = (0..dynamics.sites.len()).find(|i| dynamics.slip_of(*i, 0.0, &y) == 0.0);
    if still.is_some() {
        let e = Refused::new("drive", NO_EQUILIBRIUM, "a rigid contact does not slide: its friction is not determined");
        return Err(e.hint("use a belt, or a pull with a velocity other than 0"));
    }
    let mut modes = sliding(dynamics, &y);
    let square = dynamics.natural_time().powi(-2);
    let closed: Vec<usize> = (0..dynamics.sites.len()).filter(|i| dynamics.sites[*i].rigid.is_some()).collect();
    let mut dy = vec![0.0; m];
    let (mut last, mut scale) = (f64::INFINITY, 0.0f64);
    for _ in 0..MOST_STEPS {
        let mut left = |y: &mut Vec<f64>, settle: bool| -> Result<Vec<f64>, Refused> {
            evaluated(dynamics, y, &modes, &mut dy)?;
            if settle {
                slide(dynamics, y, &mut modes)?;
                evaluated(dynamics, y, &modes, &mut dy)?;
            }
            let gaps = closed.iter().map(|i| square * dynamics.gap_of(*i, y));
            Ok(dy[n..2 * n].iter().copied().chain(gaps).collect())
        };
        let r = left(&mut y, true)?;
        let far = largest(y[..n].iter().copied()).max(f64::MIN_POSITIVE);
        scale = scale.max(largest(r.iter().copied())).max(square * far);
        let residual = largest(r.iter().copied());
        if residual <= BALANCED * scale || (residual >= last && residual <= NEAR * scale) {
            return pressed(dynamics, y, modes, &closed);
        }
        last = residual;
        let h = 1e-5 * scale / square;
        let rows = r.len();
        let mut jac = vec![0.0; rows * n];
        for j in 0..n {
            let mut moved = y.clone();
            moved[j] += h;
            let ahead = left(&mut moved, false)?;
            moved[j] = y[j] - h;
            let behind = left(&mut moved, false)?;
            (0..rows).for_each(|i| jac[i * n + j] = (ahead[i] - behind[i]) / (2.0 * h));
        }
        let normal: Vec<f64> =
            (0..n * n).map(|k| (0..rows).map(|i| jac[i * n + k / n] * jac[i * n + k % n]).sum()).collect();
        let mut step: Vec<f64> = (0..n).map(|k| (0..rows).map(|i| jac[i * n + k] * r[i]).sum()).collect();
        let lu = Lu::new(n, &normal).ok_or_else(|| {
            Refused::new("structure.stiffness", NO_EQUILIBRIUM, "there is no equilibrium: the stiffness is singular")
        })?;
        lu.solve(&mut step);
        y[..n].iter_mut().zip(&step).for_each(|(q, step)| *q -= step);
        if y[..n].iter().any(|q| !q.is_finite()) {
            break;
        }
    }
    Err(Refused::new(
        "start.state",
        NO_EQUILIBRIUM,
        format!("no steady sliding was found (residual acceleration {last:.1e})"),
    ))
}

/// Refuses contacts that would have to pull.
fn pressed(
    dynamics: &mut Dynamics,
    y: Vec<f64>,
    modes: Vec<Mode>,
    closed: &[usize],
) -> Result<(Vec<f64>, Vec<Mode>), Refused> {
    match closed.iter().find(|i| dynamics.at[**i].load <= 0.0) {
        None => Ok((y, modes)),
        Some(i) => {
            let load = dynamics.at[*i].load;
            let text = format!("a rigid contact opens: it would have to pull with {:.3e} N in steady sliding", -load);
            let e = Refused::new("contact", NO_EQUILIBRIUM, text);
            Err(e.hint("press it on: a force towards the surface, or a weight"))
        }
    }
}
