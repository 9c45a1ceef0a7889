//! Derivatives over a step: the stage equations are linear in them.
use super::derivatives::{Derivatives, relax, stretch};
use super::lost::Lost;
use crate::steppers::radau::{Adaptive, NearPath};
use stickslip_dynamics::{Dynamics, Stiff, Variables, Workspace};
use stickslip_laws::Mode;
use stickslip_solve::dense::{factor, inverse, substitute};
use stickslip_solve::radau::System;

/// Most unknowns of all stages together that are solved for at once.
const MOST_UNKNOWNS: usize = 200;

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

/// Room for linear equations.
#[derive(Default)]
struct Linear {
    big: Vec<f64>,
    right: Vec<f64>,
    pivots: Vec<usize>,
    sizes: Vec<f64>,
    group: Vec<Option<usize>>,
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

    /// Carries the derivatives over the step just taken, at the end of which the unknowns are `y`; tells those at each of its
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

    /// Tells the motion at the stages of parts of a step in closed form, without derivatives.
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

/// The linear equations of a step: sum over the stages j of inverse_kj (S_j - s0)/h = J_k S_k + b_k.
struct Equations<'a> {
    m: usize,
    count: usize,
    h: f64,
    matrix: &'a [f64],
    inverse: &'a [f64],
    jac: &'a [f64],
    by: &'a [f64],
    s0: &'a [f64],
}

impl Equations<'_> {
    fn stages(&self) -> usize {
        self.jac.len() / (self.m * self.m).max(1)
    }

    fn entry(&self, k: usize, i: usize, j: usize) -> f64 {
        self.jac[(k * self.m + i) * self.m + j]
    }

    /// The derivatives at all stages; or why they are not determined.
    ///
    /// Laws of many elements have many unknowns, most of which stand for themselves: a rate that reads no unknown is summed
    /// up, and the others are solved for in groups that read each other.
    fn solve(&self, room: &mut Linear, out: &mut [f64]) -> Result<(), &'static str> {
        let (m, stages) = (self.m, self.stages());
        let reads = |i: usize, j: usize| (0..stages).any(|k| self.entry(k, i, j) != 0.0);
        let mut group = std::mem::take(&mut room.group);
        group.clear();
        group.resize(m, None);
        for i in 0..m {
            if !(0..m).any(|j| reads(i, j)) {
                self.sum_up(i, out);
                continue;
            }
            group[i] = Some(i);
        }
        for i in 0..m {
            for j in 0..m {
                let (Some(a), Some(b)) = (group[i], group[j]) else { continue };
                if a != b && reads(i, j) {
                    group.iter_mut().filter(|g| **g == Some(b)).for_each(|g| *g = Some(a));
                }
            }
        }
        let passive: Vec<usize> = (0..m).filter(|i| group[*i].is_none()).collect();
        for first in 0..m {
            let own: Vec<usize> = (0..m).filter(|i| group[*i] == Some(first)).collect();
            if !own.is_empty() {
                self.solve_for(&own, &passive, room, out)?;
            }
        }
        room.group = group;
        Ok(())
    }

    fn place(&self, k: usize, p: usize, i: usize) -> usize {
        (k * self.count + p) * self.m + i
    }

    /// An unknown whose rate reads none: the quadrature of the method.
    fn sum_up(&self, i: usize, out: &mut [f64]) {
        let stages = self.stages();
        for p in 0..self.count {
            for k in 0..stages {
                let rates = (0..stages).map(|j| self.matrix[k * stages + j] * self.by[self.place(j, p, i)]);
                out[self.place(k, p, i)] = self.s0[p * self.m + i] + self.h * rates.sum::<f64>();
            }
        }
    }

    /// The size of the derivatives of an unknown, to a power of two. Those of the logarithm of a velocity that passes zero
    /// are larger than all others by twenty decades and more: a pivot among entries that do not know of that would take
    /// the small for the difference of two large.
    fn size(&self, i: usize) -> f64 {
        let (m, stages) = (self.m, self.stages());
        let start = (0..self.count).map(|p| self.s0[p * m + i].abs());
        let by = (0..self.count * stages).map(|at| (self.h * self.by[at * m + i]).abs());
        let largest = start.chain(by).fold(0.0, f64::max);
        let power = f64::from_bits(largest.to_bits() & f64::INFINITY.to_bits());
        if power > 0.0 && power.is_finite() { power } else { 1.0 }
    }

    /// Unknowns that read each other and some that are known already.
    fn solve_for(
        &self,
        own: &[usize],
        known: &[usize],
        room: &mut Linear,
        out: &mut [f64],
    ) -> Result<(), &'static str> {
        let (stages, width) = (self.stages(), own.len());
        let size = stages * width;
        if size > MOST_UNKNOWNS {
            return Err("more unknowns that read each other than are solved for at once");
        }
        let Linear { big, right, pivots, sizes, .. } = room;
        sizes.clear();
        sizes.extend(own.iter().map(|i| self.size(*i)));
        big.clear();
        big.resize(size * size, 0.0);
        right.resize(self.count * size, 0.0);
        pivots.resize(size, 0);
        for k in 0..stages {
            let row = &self.inverse[k * stages..(k + 1) * stages];
            let from_start = row.iter().sum::<f64>() / self.h;
            for (a, i) in own.iter().enumerate() {
                let line = &mut big[(k * width + a) * size..(k * width + a + 1) * size];
                row.iter().enumerate().for_each(|(j, x)| line[j * width + a] += x / self.h);
                own.iter().enumerate().for_each(|(b, j)| line[k * width + b] -= self.entry(k, *i, *j));
                line.iter_mut().enumerate().for_each(|(column, x)| *x *= sizes[column % width]);
                // Rates of a light block are larger than all others by ten decades and more. As such a row stands, the
                // coupling of its stages would be taken for a pivot, and would bury the rows of the others.
                let largest = line.iter().fold(0.0f64, |m, x| m.max(x.abs()));
                let by = if largest > 0.0 && largest.is_finite() { 1.0 / largest } else { 1.0 };
                line.iter_mut().for_each(|x| *x *= by);
                for p in 0..self.count {
                    let read = |j: &usize| self.entry(k, *i, *j) * out[self.place(k, p, *j)];
                    let given = self.by[self.place(k, p, *i)] + known.iter().map(read).sum::<f64>();
                    right[p * size + k * width + a] = by * (given + from_start * self.s0[p * self.m + i]);
                }
            }
        }
        if !factor::<0>(size, big, pivots) {
            return Err("derivatives that are not determined");
        }
        for (p, right) in right.chunks_exact_mut(size).enumerate() {
            substitute::<0>(size, big, pivots, right);
            for k in 0..stages {
                own.iter().enumerate().for_each(|(a, i)| out[self.place(k, p, *i)] = sizes[a] * right[k * width + a]);
            }
        }
        Ok(())
    }
}
