//! Derivatives over a step: the stage equations are linear in them.
use super::derivatives::{Derivatives, relax, stretch};
use super::lost::Lost;
use super::stage_equations::{Equations, Linear};
use crate::steppers::radau::{Adaptive, NearPath};
use stickslip_dynamics::{Dynamics, Stiff, Variables, Workspace};
use stickslip_laws::Mode;
use stickslip_solve::dense::inverse;
use stickslip_solve::radau::System;

/// Part of a step before its end at which the equations are differentiated where it ends on an event.
const BEFORE: f64 = 1e-9;

/// Radians of the motion in a part of a step that was taken in closed form; how fast a mode may decay that counts, per
/// natural time; and most parts.
const RADIANS: f64 = 0.5;
const DECAYS: f64 = 10.0;
const MOST_PARTS: f64 = 200.0;

/// A step that was taken.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// Time at its start, s.
    pub t: f64,
    /// Its length, s.
    pub h: f64,
    /// Whether it ends on an event.
    pub event: bool,
}

/// A stage of a step, or of a part of it.
pub struct Stage<'a> {
    /// Which.
    pub number: usize,
    /// Time, s.
    pub t: f64,
    /// Unknowns.
    pub y: &'a [f64],
    /// Derivatives of the unknowns, parameter after parameter.
    pub s: &'a [f64],
    /// Start and length of the step or part that it ends.
    pub ends: Option<(f64, f64)>,
}

/// Derivatives of the unknowns in each parameter, and room to carry them over a step.
pub struct Tangent {
    /// Derivatives of the unknowns, parameter after parameter.
    pub s: Vec<f64>,
    room: Workspace,
    /// The method's matrix, and its inverse.
    matrix: Vec<f64>,
    inverse: Vec<f64>,
    /// Solver variables at the start of the step, and at its stages.
    x0: Vec<f64>,
    places: Vec<f64>,
    stage: Vec<f64>,
    rates: Vec<f64>,
    /// Jacobians and derivatives of the rates in the parameters, stage after stage.
    jac: Vec<f64>,
    by: Vec<f64>,
    /// Derivatives at all stages, stage after stage.
    stages: Vec<f64>,
    s0: Vec<f64>,
    linear: Linear,
}

impl Tangent {
    /// For so many unknowns and parameters.
    pub fn new(m: usize, count: usize) -> Tangent {
        Tangent {
            s: vec![0.0; count * m],
            room: Workspace::new(m),
            matrix: vec![],
            inverse: vec![],
            x0: vec![0.0; m],
            places: vec![],
            stage: vec![0.0; m],
            rates: vec![0.0; m],
            jac: vec![],
            by: vec![],
            stages: vec![],
            s0: vec![0.0; count * m],
            linear: Linear::default(),
        }
    }

    /// Room for the stages of a method.
    fn prepare(&mut self, adaptive: &Adaptive, count: usize) -> Result<(), Lost> {
        let (radau, m) = (adaptive.inner().2, self.x0.len());
        let stages = radau.nodes().len();
        if self.matrix.len() != stages * stages {
            self.matrix = radau.matrix();
            self.inverse = inverse(stages, &self.matrix).ok_or("the method has no inverse")?;
            let wide = if count > 0 { stages * m } else { 0 };
            self.places = vec![0.0; stages * m];
            self.jac = vec![0.0; wide * m];
            self.by = vec![0.0; count * wide];
            self.stages = vec![0.0; count * wide];
        }
        Ok(())
    }

    /// Carries the derivatives over the step just taken, at the end of which the unknowns are `y`; gives those at each of its
    /// stages.
    pub fn step(
        &mut self,
        sense: &mut Derivatives,
        dynamics: &mut Dynamics,
        adaptive: &Adaptive,
        (y, modes): (&[f64], &[Mode]),
        taken: Taken,
        mut each: impl FnMut(&mut Derivatives, &mut Dynamics, Stage),
    ) -> Result<(), Lost> {
        let (own, _, radau) = adaptive.inner();
        self.prepare(adaptive, sense.count())?;
        // States that change at events alone are unknowns here like all others.
        let wider = (own.count() < dynamics.dim()).then(|| own.with_held(dynamics));
        let variables = wider.as_ref().unwrap_or(own);
        self.x0.copy_from_slice(y);
        own.fill_held(adaptive.start(), &mut self.x0);
        let (m, stages) = (self.x0.len(), radau.nodes().len());
        let mut room = vec![0.0; own.count()];
        let Taken { t, h, event } = taken;
        let Some(path) = adaptive.near_path() else {
            for k in 0..stages {
                radau.stage(k, adaptive.start(), &mut room);
                let place = &mut self.places[k * m..(k + 1) * m];
                place.copy_from_slice(y);
                own.fill_held(&room, place);
            }
            return self.carry(sense, dynamics, (variables, modes), (t, h, t, event), radau.nodes(), &mut each);
        };
        path.place(0.0, &mut room).ok_or_else(|| Lost::at(t, "a flow that is not known"))?;
        own.fill_held(&room, &mut self.x0);
        let (parts, part) = parts(&path, dynamics, taken)?;
        for p in 0..parts {
            let from = p as f64 * part;
            for (k, node) in radau.nodes().iter().enumerate() {
                path.place(from + node * part, &mut room).ok_or_else(|| Lost::at(t, "a flow that is not known"))?;
                own.fill_held(&room, &mut self.places[k * m..(k + 1) * m]);
            }
            self.carry(sense, dynamics, (variables, modes), (t + from, part, t, false), radau.nodes(), &mut each)?;
            self.x0.copy_from_slice(&self.places[(stages - 1) * m..]);
        }
        Ok(())
    }

    /// Gives the motion at the stages of parts of a step in closed form, without derivatives.
    pub fn follow(
        &mut self,
        dynamics: &mut Dynamics,
        adaptive: &Adaptive,
        (y, modes): (&[f64], &[Mode]),
        taken: Taken,
        mut each: impl FnMut(&mut Dynamics, Stage),
    ) -> Result<(), Lost> {
        let Some(path) = adaptive.near_path() else { return Ok(()) };
        let (variables, _, radau) = adaptive.inner();
        let (parts, part) = parts(&path, dynamics, taken)?;
        let mut x = vec![0.0; variables.count()];
        let mut room = Workspace::of(y.len(), x.len());
        room.y.copy_from_slice(y);
        for p in 0..parts {
            let from = p as f64 * part;
            for (number, node) in radau.nodes().iter().enumerate() {
                let then = from + node * part;
                path.place(then, &mut x).ok_or_else(|| Lost::at(taken.t, "a flow that is not known"))?;
                let mut system = Stiff { dynamics, variables, modes, base: taken.t, room: &mut room };
                system.evaluate(then, &x);
                let ends = (number + 1 == radau.nodes().len()).then_some((taken.t + from, part));
                let stage = Stage { number, t: taken.t + then, y: &system.room.y, s: &[], ends };
                each(system.dynamics, stage);
            }
        }
        Ok(())
    }

    /// Carries the derivatives over a step, or a part of one, whose stages are known.
    fn carry(
        &mut self,
        sense: &mut Derivatives,
        dynamics: &mut Dynamics,
        (variables, modes): (&Variables, &[Mode]),
        (t, h, base, event): (f64, f64, f64, bool),
        nodes: &[f64],
        each: &mut impl FnMut(&mut Derivatives, &mut Dynamics, Stage),
    ) -> Result<(), Lost> {
        let (m, count, stages, from) = (self.x0.len(), sense.count(), nodes.len(), t - base);
        let mut system = Stiff { dynamics, variables, modes, base, room: &mut self.room };
        // Solver variables at the start of the step, where the derivatives of the unknowns are known.
        system.evaluate(from, &self.x0);
        self.s0.copy_from_slice(&self.s);
        stretch(variables, system.dynamics, &system.room.y, &mut self.s0);
        for (k, (jac, by)) in self.jac.chunks_exact_mut(m * m).zip(self.by.chunks_exact_mut(count * m)).enumerate() {
            self.stage.copy_from_slice(&self.places[k * m..(k + 1) * m]);
            let mut then = from + nodes[k] * h;
            if event && k + 1 == stages {
                // On an event the equations have a kink, and which of its slopes they show is rounding: a little before it
                // they are on the side of the step.
                system.rates(then, &self.stage, &mut self.rates);
                self.stage.iter_mut().zip(&self.rates).for_each(|(x, rate)| *x -= BEFORE * h * rate);
                then -= BEFORE * h;
            }
            sense.tangents(&mut system, then, &self.stage, jac, by);
        }
        let equations = Equations {
            m,
            count,
            h,
            matrix: &self.matrix,
            inverse: &self.inverse,
            jac: &self.jac,
            by: &self.by,
            s0: &self.s0,
        };
        equations.solve(&mut self.linear, &mut self.stages).map_err(|why| Lost::at(t, why))?;
        for k in 0..stages {
            let then = from + nodes[k] * h;
            system.evaluate(then, &self.places[k * m..(k + 1) * m]);
            self.s.copy_from_slice(&self.stages[k * count * m..(k + 1) * count * m]);
            relax(variables, system.dynamics, &system.room.y, &mut self.s);
            let ends = (k + 1 == stages).then_some((t, h));
            let stage = Stage { number: k, t: base + then, y: &system.room.y, s: &self.s, ends };
            each(sense, system.dynamics, stage);
        }
        Ok(())
    }
}

/// Into how many parts, of which length, a step in closed form is divided.
fn parts(path: &NearPath, dynamics: &Dynamics, Taken { t, h, .. }: Taken) -> Result<(usize, f64), Lost> {
    let parts = (h * path.fastest(dynamics.natural_time(), DECAYS) / RADIANS).ceil().max(1.0);
    if parts > MOST_PARTS {
        return Err(Lost::at(t, "a step in closed form that turns too often"));
    }
    Ok((parts as usize, h / parts))
}
