//! Motions that end on a section: where a linear function of the unknowns takes a value.
use super::flow::{FlowEnd, FlowStart, Seeds, Until, flow};
use super::lost::Lost;
use stickslip_laws::Mode;
use stickslip_model::Model;
use stickslip_real::root::Bracket;

/// The section is met to this part of the step in which it is crossed.
const ON_TIME: f64 = 1e-14;

/// Where a linear function of the unknowns takes a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Factors of the unknowns.
    pub row: Vec<f64>,
    /// The value.
    pub value: f64,
    /// Only where the function rises; else only where it falls.
    pub rises: bool,
}

impl Section {
    /// The function less the value: positive once the section is crossed.
    pub fn beyond(&self, y: &[f64]) -> f64 {
        let sum: f64 = self.row.iter().zip(y).map(|(a, y)| a * y).sum();
        if self.rises { sum - self.value } else { self.value - sum }
    }
}

impl Section {
    /// How fast the function changes, where the unknowns change at these rates.
    pub fn rate(&self, dy: &[f64]) -> f64 {
        self.row.iter().zip(dy).map(|(a, dy)| a * dy).sum()
    }
}

/// A motion at the start of a step, with its derivatives.
#[derive(Clone, Debug, Default)]
pub struct StepStart {
    pub t: f64,
    pub y: Vec<f64>,
    pub modes: Vec<Mode>,
    pub s: Vec<f64>,
}

/// Goes from the start of the step that crosses a section onto it: `end` is that start with its derivatives, `after` a time
/// beyond.
pub fn land(
    model: &Model,
    section: &Section,
    end: FlowEnd,
    (after, beyond): (f64, f64),
    (seeds, rtol): (Seeds, f64),
) -> Result<FlowEnd, Lost> {
    let start = FlowStart { t: end.t, y: end.y, modes: Some(end.modes), slopes: end.dy_dp };
    let mut bracket = Bracket::new((start.t, section.beyond(&start.y)), (after, beyond));
    while let Some(t) = bracket.next(ON_TIME * (after - start.t)) {
        let there = flow(model, &start, Until::Time(t), Seeds::default(), rtol)?;
        bracket.narrow(t, section.beyond(&there.y));
    }
    let last = flow(model, &start, Until::Time(bracket.best().0), seeds, rtol)?;
    let m = last.y.len();
    let mut dy_dy0 = vec![0.0; end.dy_dy0.len()];
    for (k, x) in dy_dy0.iter_mut().enumerate() {
        *x = (0..m).map(|j| last.dy_dy0[k / m * m + j] * end.dy_dy0[j * m + k % m]).sum();
    }
    // The function keeps its value: its time makes up for what the unknowns change it by.
    let along = |y: &dyn Fn(usize) -> f64| -> f64 { section.row.iter().enumerate().map(|(i, a)| a * y(i)).sum() };
    let rate = along(&|i| last.dy[i]);
    let by_p = (0..last.dy_dp.len() / m.max(1)).map(|p| -along(&|i| last.dy_dp[p * m + i]) / rate).collect();
    let by_y = (0..if dy_dy0.is_empty() { 0 } else { m }).map(|j| -along(&|i| dy_dy0[i * m + j]) / rate).collect();
    let events = end.events.into_iter().chain(last.events).collect();
    Ok(FlowEnd { dt: [by_p, by_y], dy_dy0, events, steps: end.steps + last.steps, ..last })
}
