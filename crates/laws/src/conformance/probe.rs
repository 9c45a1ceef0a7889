//! A contact of one point, seen as a function from numbers to numbers.
use crate::{ContactGroup, Event, Face, Friction, Inner, Scale, Slide};
use stickslip_real::Dual;

type D4 = Dual<4>;

/// One point, through the same face that analyses use.
pub struct Probe {
    pub group: Box<dyn ContactGroup>,
    pub directions: usize,
    pub states: usize,
    /// Load under which the law is looked at for the first time.
    load: f64,
}

/// What a law answered: the force, or hold and strength; then the rates.
#[derive(Clone, Debug)]
pub struct Answer {
    pub cone: bool,
    pub values: Vec<f64>,
}

impl Probe {
    pub fn new(group: Box<dyn ContactGroup>, load: f64) -> Probe {
        Probe { directions: group.directions(), states: group.states().len(), group, load }
    }

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        2 + self.states
    }

    /// The start state.
    pub fn start(&self) -> Vec<f64> {
        let z: Vec<f64> = self.group.states().iter().map(|s| s.start).collect();
        self.on(Event::Start, &Slide::new([0.0; 2], self.load), &z)
    }

    /// Two numbers (force, or hold and strength) and the rates.
    pub fn respond(&self, at: &Slide<f64, 2>, z: &[f64]) -> Answer {
        let mut dz = vec![0.0; self.states];
        let mut out = [Friction::Force([0.0; 2])];
        Face::<f64>::respond(&*self.group, &[*at], z, &mut dz, &mut out);
        let (cone, head) = match out[0] {
            Friction::Cone { hold, strength } => (true, [hold, strength]),
            Friction::Force(f) => (false, f),
        };
        Answer { cone, values: head.into_iter().chain(dz).collect() }
    }

    /// Force and states at the end of a step. The error is the failure in words; a cone has no step.
    pub fn advance(&self, dt: f64, at: &Slide<f64, 2>, z: &[f64]) -> Result<Vec<f64>, String> {
        let z: Vec<D4> = z.iter().map(|x| D4::constant(*x)).collect();
        Ok(self.advance_dual(dt, &at.map(D4::constant), &z)?.iter().map(|x| x.re).collect())
    }

    fn advance_dual(&self, dt: f64, at: &Slide<D4, 2>, z: &[D4]) -> Result<Vec<D4>, String> {
        let mut z1 = vec![D4::constant(f64::NAN); self.states];
        let mut f = [[D4::constant(f64::NAN); 2]];
        self.group.advance(dt, &[*at], z, &mut z1, &mut f).map_err(|e| e.to_string())?;
        Ok(f[0].into_iter().chain(z1).collect())
    }

    /// The inputs of a tangent as one list: velocity, normal force, its rate, states.
    pub fn inputs(&self, at: &Slide<f64, 2>, z: &[f64]) -> Vec<f64> {
        at.v[..self.directions].iter().copied().chain([at.n, at.n_rate]).chain(z.iter().copied()).collect()
    }

    /// Name of an input.
    pub fn name(&self, input: usize) -> String {
        match input.checked_sub(self.directions) {
            None => format!("v_{}", input + 1),
            Some(0) => "n".into(),
            Some(1) => "n_rate".into(),
            Some(k) => self.group.states()[k - 2].name.clone(),
        }
    }

    /// A sliding and states from the list of inputs; everything else from `at`.
    pub fn rebuild(&self, at: &Slide<f64, 2>, x: &[f64]) -> (Slide<f64, 2>, Vec<f64>) {
        let mut at = *at;
        at.v[..self.directions].copy_from_slice(&x[..self.directions]);
        (at.n, at.n_rate) = (x[self.directions], x[self.directions + 1]);
        (at, x[self.directions + 2..].to_vec())
    }

    /// d(output)/d(input) in dual arithmetic, column after column: of the answer, or of a step.
    pub fn tangent(&self, at: &Slide<f64, 2>, z: &[f64], dt: Option<f64>) -> Result<Vec<Vec<f64>>, String> {
        let x = self.inputs(at, z);
        let mut columns = vec![];
        for first in (0..x.len()).step_by(4) {
            let seed = |i: usize, re: f64| match i.checked_sub(first) {
                Some(k) if k < 4 => D4::variable(re, k),
                _ => D4::constant(re),
            };
            let mut dual = at.map(D4::constant);
            for i in 0..self.directions {
                dual.v[i] = seed(i, at.v[i]);
            }
            (dual.n, dual.n_rate) = (seed(self.directions, at.n), seed(self.directions + 1, at.n_rate));
            let zd: Vec<D4> = z.iter().enumerate().map(|(j, z)| seed(self.directions + 2 + j, *z)).collect();
            let out = match dt {
                Some(dt) => self.advance_dual(dt, &dual, &zd)?,
                None => {
                    let mut dz = vec![D4::constant(0.0); self.states];
                    let mut out = [Friction::Force([D4::constant(0.0); 2])];
                    Face::<D4>::respond(&*self.group, &[dual], &zd, &mut dz, &mut out);
                    let head = match out[0] {
                        Friction::Cone { hold, strength } => [hold, strength],
                        Friction::Force(f) => f,
                    };
                    head.into_iter().chain(dz).collect()
                }
            };
            for k in 0..4.min(x.len() - first) {
                columns.push(out.iter().map(|o| o.eps[k]).collect());
            }
        }
        Ok(columns)
    }

    pub fn guards(&self, at: &Slide<f64, 2>, z: &[f64]) -> Vec<f64> {
        let mut g = vec![];
        self.group.guards(&[*at], z, &mut g);
        g
    }

    /// Which inner elements stick.
    pub fn inner(&self, at: &Slide<f64, 2>, z: &[f64]) -> Option<Inner> {
        self.group.inner(0, at, z)
    }

    pub fn on(&self, event: Event<f64>, at: &Slide<f64, 2>, z: &[f64]) -> Vec<f64> {
        let mut z = z.to_vec();
        self.group.on(0, event, at, &mut z);
        z
    }

    pub fn stored(&self, at: &Slide<f64, 2>, z: &[f64]) -> f64 {
        self.group.stored(&[*at], z)
    }

    /// z + h dz by Runge-Kutta of order 4 with the motion given over the step; guards that change sign are reported.
    pub fn march(&self, z: &[f64], t: f64, h: f64, at: &dyn Fn(f64) -> Slide<f64, 2>) -> Vec<f64> {
        let inner = self.group.inner(0, &at(t), z).filter(|inner| inner.held);
        let rate = |t: f64, z: &[f64]| self.respond(&at(t).with_inner(inner), z).values[2..].to_vec();
        let moved = |d: &[f64], h: f64| z.iter().zip(d).map(|(z, d)| z + h * d).collect::<Vec<f64>>();
        let k1 = rate(t, z);
        let k2 = rate(t + h / 2.0, &moved(&k1, h / 2.0));
        let k3 = rate(t + h / 2.0, &moved(&k2, h / 2.0));
        let k4 = rate(t + h, &moved(&k3, h));
        let sum: Vec<f64> = (0..z.len()).map(|i| (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0).collect();
        let mut new = moved(&sum, h);
        let end = at(t + h);
        let (before, after) = (self.guards(&at(t), z), self.guards(&end, &new));
        for i in (0..before.len()).filter(|&i| (before[i] > 0.0) != (after[i] > 0.0)) {
            new = self.on(Event::Guard(i), &end, &new);
        }
        new
    }

    /// The size on which an input varies, where its own value does not tell.
    pub fn scale(&self, input: usize, speed: f64, load: f64, load_rate: f64) -> f64 {
        let of = |scale: Scale, otherwise: f64| match scale {
            Scale::Linear(s) | Scale::Asinh(s) => s,
            Scale::Log => otherwise,
        };
        match input.checked_sub(self.directions) {
            None => match self.group.velocity_scale() {
                Scale::Asinh(c) => c,
                _ => speed,
            },
            Some(0) => load,
            Some(1) => load_rate,
            Some(k) => of(self.group.states()[k - 2].scale, self.group.states()[k - 2].start),
        }
    }
}
