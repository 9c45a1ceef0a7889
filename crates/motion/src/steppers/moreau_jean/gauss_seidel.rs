//! Impulses of any contacts on any matrices, rigid ones included: Gauss and Seidel's iteration over the contacts.
use super::impulses::{Asked, Impulses, Unfound};
use stickslip_dynamics::Dynamics;
use stickslip_laws::Mode;
use stickslip_solve::dense::{Lu, dot};
use stickslip_solve::largest;

/// Sweeps before a step counts as unsolved.
const MOST_SWEEPS: usize = 20_000;
/// The iteration has converged when no impulse changes by more than this part of the largest,
const CONVERGED: f64 = 1e-14;
/// or by more than this part of the momentum, which is rounding.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The equations of a structure with few coordinates.
pub struct General {
    n: usize,
    lu: Lu,
    /// Rows of all contacts, tangent then normal, and what a unit impulse along each does to the velocities.
    rows: Vec<[Option<Row>; 2]>,
    restitution: Vec<Option<f64>>,
    passes: u64,
}

struct Row {
    row: Vec<f64>,
    moves: Vec<f64>,
    mobility: f64,
}

impl Row {
    fn along(&self, x: &[f64]) -> f64 {
        dot(&self.row, x)
    }
}

impl General {
    /// With M + theta h C + theta^2 h^2 K in full; None when that is singular.
    pub fn of(dynamics: &Dynamics, full: &[f64]) -> Option<General> {
        let n = dynamics.n;
        let lu = Lu::new(n, full)?;
        let row = |row: &Vec<f64>| {
            let mut moves = row.clone();
            lu.solve(&mut moves);
            let mobility = dot(row, &moves);
            Row { row: row.clone(), moves, mobility }
        };
        let rows = dynamics.sites.iter().map(|site| {
            let normal = site.normal.as_ref().filter(|_| site.rigid.is_some());
            [Some(row(&site.tangent[0])), normal.map(row)]
        });
        let rows = rows.collect();
        let restitution = dynamics.sites.iter().map(|site| site.rigid.map(|(e, _)| e)).collect();
        Some(General { n, lu, rows, restitution, passes: 0 })
    }
}

impl Impulses for General {
    fn find(
        &mut self,
        asked: &Asked,
        modes: &mut [Mode],
        impulses: &mut [[f64; 2]],
        jump: &mut [f64],
    ) -> Result<(), Unfound> {
        jump.copy_from_slice(&asked.push[..self.n]);
        self.lu.solve(jump);
        impulses.fill([0.0; 2]);
        let momentum = |row: &Row| row.row.iter().zip(asked.v).map(|(a, v)| (a * v).abs()).sum::<f64>() / row.mobility;
        let momentum = largest(self.rows.iter().flatten().flatten().map(momentum));
        for _ in 0..MOST_SWEEPS {
            self.passes += 1;
            let (mut most, mut changed, mut negative) = (0.0, 0.0, None);
            for (i, rows) in self.rows.iter().enumerate() {
                if let ([_, Some(normal)], Some(e)) = (rows, self.restitution[i]) {
                    // u+ + e u- >= 0, impulse >= 0, one of them zero.
                    let before = normal.along(asked.v);
                    let rate = before + normal.along(jump) + e * before.min(0.0);
                    let new = if asked.closing[i] { (impulses[i][1] - rate / normal.mobility).max(0.0) } else { 0.0 };
                    let more = new - impulses[i][1];
                    jump.iter_mut().zip(&normal.moves).for_each(|(x, m)| *x += m * more);
                    impulses[i][1] = new;
                    (most, changed) = (largest([most, new]), largest([changed, more]));
                }
                if let [Some(tangent), _] = rows {
                    let slip = asked.slips[i] + tangent.along(jump);
                    let loaded = self.restitution[i].is_none() || impulses[i][1] > 0.0;
                    let [alone, per_load] = asked.limits[i];
                    let limit = if loaded { alone + per_load * impulses[i][1] } else { 0.0 };
                    if limit < 0.0 {
                        negative = Some(i);
                    }
                    // On the way to its reaction a line in it may pass below zero.
                    let limit = limit.max(0.0);
                    let stops = impulses[i][0] + slip / tangent.mobility;
                    let new = stops.clamp(-limit, limit);
                    let more = new - impulses[i][0];
                    jump.iter_mut().zip(&tangent.moves).for_each(|(x, m)| *x -= m * more);
                    impulses[i][0] = new;
                    (most, changed) = (largest([most, new]), largest([changed, more]));
                    modes[i] = match (loaded, stops.abs() > limit) {
                        (false, _) => Mode::Open,
                        (true, true) => Mode::slipping(stops),
                        (true, false) => Mode::Stick,
                    };
                }
            }
            // What is no number may be lost in an impulse, but not in the velocities.
            if !jump.iter().all(|x| x.is_finite()) {
                return Err(Unfound::Unsettled);
            }
            if changed <= CONVERGED * most + ROUNDING * momentum {
                return negative.map_or(Ok(()), |i| Err(Unfound::Negative(i)));
            }
        }
        Err(Unfound::Unsettled)
    }

    fn passes(&self) -> u64 {
        self.passes
    }
}
