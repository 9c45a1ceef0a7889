//! Cycles that vary with parameters, as a curve of solutions.
use super::orbit::{CLOSED, Cycle, ROUNDING, Shape, collapsed, described};
use super::section::{Beginning, Missed, Return, Returns};
use crate::sliding::ModelAt;
use stickslip_laws::Mode;
use stickslip_solve::continuation::Curve;

/// Difference by which the map is compared along a parameter, as a part of its range: it steers only.
const DIFFERENCE: f64 = 1e-5;
/// A period is waited for so many times the last one.
const PATIENCE: f64 = 20.0;
/// What errors of the steps make of a place beside a Hopf point.
const STEPS: f64 = 1e-6;
/// Newton steps to a point at a place.
const MOST_STEPS: usize = 15;
/// Weight of a logarithm in the length of a curve.
const LOGARITHM: f64 = 0.3;
/// What a residual says where the modes come in another order, and where a period has no end.
pub const OTHER: &str = "the modes come in another order";
pub const NEVER: &str = "the period has no end";
pub const COLLAPSE: &str = "the cycle collapses to steady sliding";

/// Cycles of one kind: their unknowns, then the places of the parameters.
pub struct Cycles<'a> {
    model_at: ModelAt<'a>,
    /// Number of parameters.
    pub parameters: usize,
    /// What begins a period.
    pub beginning: Beginning,
    /// How often in a period.
    pub count: usize,
    modes: Vec<Mode>,
    /// The unknowns that move.
    pub shape: Shape,
    sequence: Vec<Vec<Mode>>,
    /// Number of coordinates.
    coordinates: usize,
    /// Length of the period to which sizes refer, s.
    first_period: f64,
    /// Length of the last one, s.
    pub period: f64,
    last: Option<(Vec<f64>, Return)>,
    /// Motions that were followed.
    pub motions: u64,
}

impl<'a> Cycles<'a> {
    /// Those near a cycle.
    pub fn new(
        model_at: ModelAt<'a>,
        parameters: usize,
        found: (Beginning, usize),
        shape: Shape,
        round: &Return,
    ) -> Self {
        let coordinates = shape.coordinates;
        Cycles {
            model_at,
            parameters,
            beginning: found.0,
            count: found.1,
            modes: round.sequence.first().cloned().unwrap_or_default(),
            shape,
            sequence: round.sequence.clone(),
            coordinates,
            first_period: round.period,
            period: round.period,
            last: None,
            motions: 0,
        }
    }

    /// How far the drive goes in such a time, m.
    pub fn distance(&self, time: f64) -> f64 {
        self.shape.sizes[0] * time / self.first_period
    }

    /// The same cycles as a function of more parameters.
    pub fn over<'b>(&self, model_at: ModelAt<'b>, parameters: usize) -> Cycles<'b> {
        Cycles {
            model_at,
            parameters,
            beginning: self.beginning,
            count: self.count,
            modes: self.modes.clone(),
            shape: self.shape.clone(),
            sequence: self.sequence.clone(),
            coordinates: self.coordinates,
            first_period: self.first_period,
            period: self.period,
            last: None,
            motions: 0,
        }
    }

    /// Number of unknowns of a cycle.
    pub fn dim(&self) -> usize {
        self.shape.kept.len()
    }

    /// Places of the parameters.
    pub fn places<'u>(&self, u: &'u [f64]) -> &'u [f64] {
        &u[self.dim()..]
    }

    fn with<R>(
        &self,
        u: &[f64],
        f: impl FnOnce(&Returns, &stickslip_model::Model, Vec<f64>) -> Result<R, String>,
    ) -> Result<R, String> {
        let model = (self.model_at)(self.places(u))?;
        let returns = Returns::new(&model, self.beginning, self.count, self.modes.clone())?;
        let mut y = self.shape.decode(&u[..self.dim()]);
        returns.project(&mut y);
        f(&returns, &model, y)
    }

    fn round(&mut self, u: &[f64], seeds: bool) -> Result<(Vec<f64>, Return), String> {
        self.motions += 1;
        let (horizon, sequence) = (PATIENCE * self.period, &self.sequence);
        self.with(u, |returns, _, y| {
            let round = returns.go(&y, seeds, horizon).map_err(|e| match e {
                Missed::Never(_) => NEVER.to_string(),
                Missed::Lost(text) => text,
            })?;
            if round.sequence != *sequence {
                return Err(OTHER.into());
            }
            if collapsed(returns, &round).is_some() {
                return Err(COLLAPSE.into());
            }
            Ok((y, round))
        })
    }

    /// Once round with derivatives from a point, and where that began.
    pub fn known(&mut self, u: &[f64]) -> Result<(Vec<f64>, Return), String> {
        if self.last.as_ref().is_none_or(|(at, _)| at != u) {
            let (_, round) = self.round(u, true)?;
            self.last = Some((u.to_vec(), round));
        }
        let round = self.last.as_ref().map(|(_, round)| round.clone()).ok_or("no motion")?;
        Ok((self.with(u, |_, _, y| Ok(y))?, round))
    }

    /// Derivatives of the map in the unknowns that move.
    pub fn map(&mut self, u: &[f64]) -> Result<Vec<f64>, String> {
        let (y, round) = self.known(u)?;
        Ok(self.shape.slopes(&round.map, &y, &round.y))
    }

    /// The cycle at a point, with all that is said of it.
    pub fn cycle(&mut self, u: &[f64]) -> Result<Cycle, String> {
        let (y, round) = self.known(u)?;
        let y = self.with(u, |_, _, _| Ok(y))?;
        self.with(u, |returns, model, _| described(returns, model, y, round))
    }
}

impl Curve for Cycles<'_> {
    fn unknowns(&self) -> usize {
        self.dim() + self.parameters
    }

    fn residual(&mut self, u: &[f64], r: &mut [f64]) -> Result<(), String> {
        let (_, round) = self.round(u, false)?;
        let end = self.shape.encode(&round.y);
        (0..self.dim()).for_each(|i| r[i] = end[i] - u[i]);
        if r[..self.dim()].iter().all(|x| x.is_finite()) { Ok(()) } else { Err("a state has no logarithm".into()) }
    }

    fn slopes(&mut self, u: &[f64], rows: &mut [f64]) -> Result<(), String> {
        let (k, n) = (self.dim(), self.unknowns());
        let map = self.map(u)?;
        for i in 0..k {
            for j in 0..k {
                rows[i * n + j] = map[i * k + j] - f64::from(u8::from(i == j));
            }
        }
        for p in 0..self.parameters {
            let mut end = |by: f64| -> Result<Vec<f64>, String> {
                let mut moved = u.to_vec();
                moved[k + p] += by;
                let (_, round) = self.round(&moved, false)?;
                Ok(self.shape.encode(&round.y))
            };
            let (low, high, width) = match (end(-DIFFERENCE), end(DIFFERENCE)) {
                (Ok(low), Ok(high)) => (low, high, 2.0 * DIFFERENCE),
                (Err(_), Ok(high)) => (end(0.0)?, high, DIFFERENCE),
                (Ok(low), Err(_)) => (low, end(0.0)?, DIFFERENCE),
                (Err(e), Err(_)) => return Err(e),
            };
            (0..k).for_each(|i| rows[i * n + k + p] = (high[i] - low[i]) / width);
        }
        Ok(())
    }

    fn weights(&self, _: &[f64], out: &mut [f64]) {
        let k = self.dim();
        for (i, kept) in self.shape.kept.iter().enumerate() {
            // A coordinate moves as far as the drive does in a period.
            let longer = if *kept < self.coordinates { self.period / self.first_period } else { 1.0 };
            out[i] = if self.shape.logs[*kept] { LOGARITHM } else { 1.0 / (self.shape.sizes[*kept] * longer) };
        }
        out[k..].fill(1.0);
    }

    /// Beside a Hopf point the parameter hardly changes the map, and errors of the steps change the parameter.
    fn rounding(&self) -> f64 {
        STEPS
    }

    fn kept(&mut self, u: &[f64]) {
        if let Some((at, round)) = &self.last
            && at == u
        {
            self.period = round.period;
        }
    }
}

impl Cycles<'_> {
    /// How long a motion from a point takes to begin another period, whatever happens on the way, s.
    pub fn duration(&self, u: &[f64]) -> Option<f64> {
        let horizon = PATIENCE * self.period;
        self.with(u, |returns, _, y| returns.go(&y, false, horizon).map(|r| r.period).map_err(|e| e.to_string())).ok()
    }

    /// The point at a place, by Newton's method from one near it.
    pub fn closed_at(&mut self, near: &[f64], place: f64) -> Result<Vec<f64>, String> {
        let k = self.dim();
        let mut u = near.to_vec();
        u[k] = place;
        let mut last = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            let mut r = vec![0.0; k];
            self.residual(&u, &mut r)?;
            let mut matrix = self.map(&u)?;
            matrix.iter_mut().enumerate().for_each(|(e, x)| *x = f64::from(u8::from(e / k == e % k)) - *x);
            stickslip_solve::dense::Lu::new(k, &matrix).ok_or("a multiplier is 1")?.solve(&mut r);
            u.iter_mut().zip(&r).for_each(|(u, d)| *u += d);
            let length = self.shape.length(&r);
            if length <= CLOSED || (length <= ROUNDING && length > 0.3 * last) {
                return Ok(u);
            }
            last = length;
        }
        Err("Newton's method does not converge".into())
    }
}
