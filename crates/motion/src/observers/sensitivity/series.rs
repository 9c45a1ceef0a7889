//! Derivatives over steps of power series: they follow s' = A s + f, a series with the same matrix.
//!
//! The forcing f, the derivative of the rates in a parameter, is linear in the unknowns and the drives. By dual numbers its
//! matrices are known from its values at unit unknowns and unit drives; neighbouring models have series of their own.
use super::Sensitivity;
use super::derivatives::{Derivatives, Quantity};
use super::event_tangent::Duals;
use super::lost::Lost;
use super::stencil::STENCIL;
use crate::observers::companion::{Look, Step};
use crate::observers::step_observer::SAME_TIME;
use crate::steppers::series::Linear;
use stickslip_dynamics::Dynamics;
use stickslip_laws::{Inner, Mode};
use stickslip_solve::linear_flow::{at, radius};
use stickslip_solve::polynomial::{Coefficients, TERMS, derivative};
use stickslip_structures::Signal;

/// Most parts of a step: the derivatives may turn where the motion rests.
const MOST_PARTS: usize = 100_000;

/// How the rates change with each parameter, in one set of modes and pieces of the laws.
struct Forcing {
    modes: Vec<Mode>,
    inner: Vec<Option<Inner>>,
    /// By each unknown, and by each input after the constant one: parameter after parameter.
    by: Vec<Vec<f64>>,
    inputs: Vec<Vec<f64>>,
}

/// What series of derivatives are made of.
#[derive(Default)]
pub struct SeriesRoom {
    met: Vec<Forcing>,
    /// Series of the neighbouring models.
    near: Option<Vec<Vec<Linear>>>,
    y: Vec<Coefficients>,
    forcing: Vec<Coefficients>,
    s: Vec<Coefficients>,
}

/// A drive or a load that changes in time.
#[derive(Clone, Copy)]
enum Input {
    Force(usize),
    Base,
    Surface,
    /// The acceleration of the surface.
    SurfaceRate,
    Given(usize),
}

impl Input {
    fn all(dynamics: &Dynamics) -> Vec<Input> {
        let forces = (0..dynamics.n).map(Input::Force);
        let given = (0..dynamics.given.len()).map(Input::Given);
        let all = forces.chain([Input::Base, Input::Surface, Input::SurfaceRate]).chain(given);
        all.filter(|input| !input.signal(dynamics).is_constant()).collect()
    }

    fn signal<'d>(&self, dynamics: &'d Dynamics) -> &'d Signal {
        match *self {
            Input::Force(i) => &dynamics.forces[i],
            Input::Base => &dynamics.base,
            Input::Surface | Input::SurfaceRate => &dynamics.surface[0],
            Input::Given(c) => &dynamics.given[c],
        }
    }

    fn expand(&self, dynamics: &Dynamics, t: f64) -> Coefficients {
        let series = self.signal(dynamics).expand(t).0;
        if let Input::SurfaceRate = self { derivative(&series) } else { series }
    }

    fn replace(&self, dynamics: &mut Dynamics, by: Signal) {
        match *self {
            Input::Force(i) => dynamics.forces[i] = by,
            Input::Base => dynamics.base = by,
            Input::Surface | Input::SurfaceRate => dynamics.surface[0] = by,
            Input::Given(c) => dynamics.given[c] = by,
        }
    }

    /// One at the time 0.
    fn unit(&self) -> Signal {
        match self {
            Input::SurfaceRate => Signal::Points { times: vec![-1.0, 1.0], values: vec![-1.0, 1.0] },
            _ => Signal::Constant(1.0),
        }
    }
}

impl Forcing {
    /// From values at unit unknowns and unit drives.
    fn of(duals: &Duals, own: &Dynamics, inputs: &[Input], modes: &[Mode]) -> Option<Forcing> {
        let (m, count) = (own.dim(), duals.seeds.count());
        let mut still = Dynamics::new(own.model)?;
        inputs.iter().for_each(|input| input.replace(&mut still, Signal::ZERO));
        still.take_over(own);
        still.until = f64::INFINITY;
        let rates = |dynamics: &mut Dynamics, y: &[f64]| {
            let (mut dy, mut out) = (vec![0.0; m], vec![0.0; count * m]);
            dynamics.evaluate(0.0, y, modes, &mut dy).ok()?;
            dynamics.parameter_rates(y, &dy, modes, &duals.seeds, &mut out);
            Some(out)
        };
        let mut y = vec![0.0; m];
        let none = rates(&mut still, &y)?;
        let beyond = |out: Vec<f64>| out.iter().zip(&none).map(|(x, none)| x - none).collect::<Vec<f64>>();
        let mut by = vec![];
        for j in 0..m {
            y[j] = 1.0;
            by.push(beyond(rates(&mut still, &y)?));
            y[j] = 0.0;
        }
        let mut of_inputs = vec![none.clone()];
        for input in inputs {
            input.replace(&mut still, input.unit());
            of_inputs.push(beyond(rates(&mut still, &y)?));
            input.replace(&mut still, Signal::ZERO);
        }
        Some(Forcing { modes: modes.to_vec(), inner: own.held_inner(), by, inputs: of_inputs })
    }

    fn series(&self, y: &[Coefficients], inputs: &[Coefficients], out: &mut [Coefficients]) {
        for (at, out) in out.iter_mut().enumerate() {
            out.fill(0.0);
            for (column, series) in self.by.iter().zip(y).chain(self.inputs.iter().zip(inputs)) {
                if column[at] != 0.0 {
                    out.iter_mut().zip(series).for_each(|(out, x)| *out += column[at] * x);
                }
            }
        }
    }
}

impl SeriesRoom {
    /// The forcing of each parameter from `t` on, where the unknowns are the series `y`.
    fn force(&mut self, sense: &Derivatives, own: &Dynamics, t: f64, modes: &[Mode]) -> Result<(), Lost> {
        let (m, unknown) = (self.y.len(), || Lost::at(t, "series whose derivatives are not known"));
        match sense {
            Derivatives::Dual(duals) => {
                let inputs = Input::all(own);
                let inner = own.held_inner();
                let place = match self.met.iter().position(|met| met.modes == modes && met.inner == inner) {
                    Some(place) => place,
                    None => {
                        self.met.push(Forcing::of(duals, own, &inputs, modes).ok_or_else(unknown)?);
                        self.met.len() - 1
                    }
                };
                let mut one = [0.0; TERMS];
                one[0] = 1.0;
                let series: Vec<Coefficients> =
                    std::iter::once(one).chain(inputs.iter().map(|input| input.expand(own, t))).collect();
                self.met[place].series(&self.y, &series, &mut self.forcing);
            }
            Derivatives::Neighbours(all) => {
                if self.near.is_none() {
                    let one = |near: &Dynamics| Linear::of(near);
                    let models = all.parameters().map(|(near, _)| near.iter().map(one).collect::<Option<Vec<_>>>());
                    self.near = Some(models.collect::<Option<Vec<_>>>().ok_or_else(unknown)?);
                }
                self.forcing.iter_mut().for_each(|f| f.fill(0.0));
                let near = self.near.iter_mut().flatten();
                let mut rates = vec![[0.0; TERMS]; m];
                for ((linears, (models, step)), f) in near.zip(all.parameters()).zip(self.forcing.chunks_exact_mut(m)) {
                    for ((linear, dynamics), (_, weight)) in linears.iter_mut().zip(models).zip(STENCIL) {
                        let inputs = linear.inputs(t);
                        let flow = linear.flow_in(dynamics, modes).ok_or_else(unknown)?;
                        flow.rates(&self.y, &inputs, &mut rates);
                        for (f, rates) in f.iter_mut().zip(&rates) {
                            f.iter_mut().zip(rates).for_each(|(f, x)| *f += weight * x / step);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl Sensitivity<'_, '_, '_> {
    /// Derivatives over a step of power series.
    pub(super) fn carry_series(&mut self, step: &Step, linear: &Linear, at_end: Look) -> Result<(), Lost> {
        let (m, modes) = (self.dynamics.dim(), at_end.modes);
        let count = self.sense.as_ref().map_or(0, |sense| sense.count());
        let flow = Some(linear.flow()).filter(|flow| flow.states() == m);
        let flow = flow.ok_or_else(|| Lost::at(step.t, "series whose derivatives are not known"))?;
        let mut room = std::mem::take(&mut self.series);
        room.y.clear();
        room.y.extend_from_slice(linear.unknowns());
        room.forcing.resize(count * m, [0.0; TERMS]);
        room.s.resize(count * m, [0.0; TERMS]);
        let (mut from, mut parts) = (0.0, 0);
        let mut y = vec![0.0; m];
        while from < step.h {
            let mut length = step.h - from;
            if let Some(sense) = self.sense.as_deref() {
                if from > 0.0 {
                    linear.state(from, &mut y);
                    flow.expand(&y, &linear.inputs(step.t + from), &mut room.y);
                }
                room.force(sense, &self.dynamics, step.t + from, modes)?;
                let starts = self.tangent.s.chunks_exact(m).zip(room.forcing.chunks_exact(m));
                for ((s, forcing), out) in starts.zip(room.s.chunks_exact_mut(m)) {
                    flow.expand_forced(s, forcing, out);
                }
                length = radius(&room.s, if from > 0.0 { radius(&room.y, length) } else { length });
            }
            self.sample_series(step, linear, (from, length), &room, modes)?;
            at(&room.s, length, &mut self.tangent.s);
            from = if length == step.h - from { step.h } else { from + length };
            parts += 1;
            if parts > MOST_PARTS {
                return Err(Lost::at(step.t, "derivatives that turn too often in a step"));
            }
        }
        self.series = room;
        Ok(())
    }

    /// What is wanted inside a part of a step.
    fn sample_series(
        &mut self,
        step: &Step,
        linear: &Linear,
        (from, length): (f64, f64),
        room: &SeriesRoom,
        modes: &[Mode],
    ) -> Result<(), Lost> {
        let Some((quantity, samples)) = &mut self.watched else { return Ok(()) };
        let (n, m) = (self.dynamics.n, self.dynamics.dim());
        let (mut y, mut dy, mut s) = (vec![0.0; m], vec![0.0; m], vec![0.0; room.s.len()]);
        let end = from + length;
        let reach = if end == step.h { end + SAME_TIME * (step.t + end) } else { end };
        while let Some(t) = samples.next().filter(|t| t - step.t <= reach) {
            let inside = (t - step.t).min(end);
            linear.state(inside, &mut y);
            self.row[0] = match quantity {
                Quantity::Coordinate(i) => y[*i],
                Quantity::Rate(i) => y[n + *i],
                Quantity::Force => linear.forces(0, inside)[0],
                Quantity::Friction => linear.forces(0, inside)[0] / linear.forces(0, inside)[1],
            };
            if let Some(sense) = self.sense.as_deref_mut() {
                at(&room.s, inside - from, &mut s);
                if matches!(quantity, Quantity::Friction | Quantity::Force)
                    && self.dynamics.evaluate(t, &y, modes, &mut dy).is_err()
                {
                    return Err(Lost::at(t, "the contacts can't all stick at once"));
                }
                sense.observed(*quantity, &mut self.dynamics, (t, &y, modes), &s, &mut self.row[1..]);
            }
            samples.note(&self.row);
        }
        Ok(())
    }
}
