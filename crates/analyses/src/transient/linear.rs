//! Exact steps of modes in which the equations are linear.
//!
//! With loads that do not read the motion and laws of constant strength, each mode is y' = A y + B u(t); its power
//! series is summed to rounding and every event is a polynomial's certified first root.
use super::modes::HELD;
use crate::dynamics::{Dynamics, Integrals};
use stickslip_laws::{Friction, Mode, Slide};
use stickslip_real::Series;
use stickslip_solve::dense::{Lu, inverse};
use stickslip_solve::linear_flow::{LinearFlow, at, radius};
use stickslip_solve::polynomial::{
    Coefficients, Root, TERMS, bracketed_root, derivative, first_root, integral, integral_of_product,
    integral_of_square, value,
};
use stickslip_structures::Signal;

/// A leading coefficient below this part of the function, over a natural time of the structure, counts as zero: the root
/// at the start is known.
const KNOWN_ZERO: f64 = 1e-12;
/// The start of a step is known to this part of the time: what its functions change over it is no sign of anything.
const GRAIN: f64 = 4.0 * f64::EPSILON;

/// Part of a force that is rounding where it is a difference of others.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Parts of a step over which the mean of a quotient is gathered.
const PARTS: usize = 32;
/// Natural times that a step may last at most.
const LONGEST: f64 = 1e6;

/// A linear function of the unknowns and the inputs.
#[derive(Clone, Debug)]
struct Row {
    y: Vec<f64>,
    u: Vec<f64>,
}

impl Row {
    fn zero(states: usize, inputs: usize) -> Row {
        Row { y: vec![0.0; states], u: vec![0.0; inputs] }
    }

    fn add(&mut self, factor: f64, other: &Row) {
        for (a, b) in self.y.iter_mut().zip(&other.y).chain(self.u.iter_mut().zip(&other.u)) {
            *a += factor * b;
        }
    }

    fn series(&self, y: &[Coefficients], u: &[Coefficients]) -> Coefficients {
        let mut sum = [0.0; TERMS];
        for (factor, c) in self.y.iter().zip(y).chain(self.u.iter().zip(u)) {
            if *factor != 0.0 {
                for k in 0..TERMS {
                    sum[k] += factor * c[k];
                }
            }
        }
        sum
    }
}

/// The equations in one set of modes.
struct InModes {
    flow: LinearFlow,
    /// Friction force of every point.
    friction: Vec<Row>,
}

/// What ends a step before its radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// Nothing: the series is used up.
    Radius,
    /// A drive or a load has a kink or a jump there: the step goes just beyond it.
    Switch,
    /// The slip velocity of a point vanishes.
    Arrives(usize),
    /// The reaction of a point reaches its hold limit, with this sign.
    Leaves(usize, f64),
}

/// Exact stepping of a model whose modes are linear.
pub struct Linear {
    states: usize,
    /// Input 0 is the constant 1; the others change in time.
    signals: Vec<Signal>,
    /// The surface's acceleration is the rate of this input.
    rate_of: Vec<Option<usize>>,
    slip: Vec<Row>,
    load: Vec<Row>,
    force: Vec<Row>,
    /// Hold and strength per normal force.
    hold: Vec<f64>,
    strength: Vec<f64>,
    /// Slip acceleration of a point for each unit of force on it, 1/kg.
    mobility: Vec<f64>,
    surface_rate: Row,
    surface: Row,
    base: Row,
    /// Time over which the structure moves, s.
    natural_time: f64,
    /// Modes met so far: a motion keeps returning to the same few.
    met: Vec<(Vec<Mode>, InModes)>,
    y: Vec<Coefficients>,
    u: Vec<Coefficients>,
    /// Of every point, in the last expansion: slip velocity, normal force, friction force.
    slips: Vec<Coefficients>,
    loads: Vec<Coefficients>,
    friction: Vec<Coefficients>,
}

impl Linear {
    /// Prepares exact stepping, or says that this model has modes that are not linear.
    pub fn of(dynamics: &Dynamics) -> Option<Linear> {
        let n = dynamics.n;
        for site in &dynamics.sites {
            let claims = dynamics.model.contacts[site.contact].friction.claims();
            let constant = claims.set_valued && claims.rate_independent && claims.memoryless && claims.load_linear;
            if !constant || site.fixed_load.is_none() || site.tangent.len() != 1 || claims.history || claims.random {
                return None;
            }
        }
        let mut signals = vec![Signal::Constant(1.0)];
        let mut rate_of = vec![None];
        let mut input = |signal: &Signal, rate: bool| -> (usize, f64) {
            if signal.is_constant() {
                return (0, if rate { 0.0 } else { signal.value(0.0) });
            }
            signals.push(signal.clone());
            rate_of.push(rate.then_some(signals.len() - 1));
            (signals.len() - 1, 1.0)
        };
        let forces: Vec<_> = dynamics.forces().iter().map(|s| input(s, false)).collect();
        let base = input(&dynamics.base, false);
        let surface = input(&dynamics.surface[0], false);
        let surface_rate = input(&dynamics.surface[0], true);
        let loads: Vec<_> = dynamics
            .sites
            .iter()
            .map(|site| {
                let (a, b) = site.fixed_load.unwrap_or((0.0, 0.0));
                let given = &dynamics.given[site.contact];
                (
                    a,
                    if b == 0.0 {
                        (0, 0.0)
                    } else {
                        let (i, x) = input(given, false);
                        (i, b * x)
                    },
                )
            })
            .collect();
        let m = signals.len();
        let states = 2 * n;
        let single = |(i, x): (usize, f64)| {
            let mut row = Row::zero(states, m);
            row.u[i] = x;
            row
        };
        let surface = single(surface);
        let mut slip = vec![];
        let (mut hold, mut strength, mut mobility) = (vec![], vec![], vec![]);
        for site in &dynamics.sites {
            let along = &site.tangent[0];
            mobility.push((0..n * n).map(|k| along[k / n] * dynamics.inverse_mass[k] * along[k % n]).sum());
            let mut row = Row::zero(states, m);
            row.y[n..2 * n].copy_from_slice(&site.tangent[0]);
            row.add(site.surface, &surface);
            slip.push(row);
            let at = Slide::new([1.0, 0.0], 1.0);
            let mut answer = vec![Friction::Cone { hold: 0.0, strength: 0.0 }; site.point + 1];
            let contact = &dynamics.model.contacts[site.contact];
            contact.friction.respond(&vec![at; site.point + 1], &[], &mut [], &mut answer);
            if let Friction::Cone { hold: h, strength: s } = answer[site.point] {
                hold.push(h);
                strength.push(s);
            }
        }
        let load = loads
            .into_iter()
            .map(|(a, given)| {
                let mut row = single(given);
                row.u[0] += a;
                row
            })
            .collect();
        Some(Linear {
            states,
            rate_of,
            slip,
            load,
            force: forces.into_iter().map(single).collect(),
            hold,
            strength,
            mobility,
            surface_rate: single(surface_rate),
            surface,
            base: single(base),
            natural_time: dynamics.natural_time(),
            met: vec![],
            y: vec![[0.0; TERMS]; states],
            u: vec![[0.0; TERMS]; m],
            slips: vec![[0.0; TERMS]; dynamics.sites.len()],
            loads: vec![[0.0; TERMS]; dynamics.sites.len()],
            friction: vec![[0.0; TERMS]; dynamics.sites.len()],
            signals,
        })
    }

    /// A x' = .. in these modes.
    fn assemble(&self, dynamics: &Dynamics, modes: &[Mode]) -> Option<InModes> {
        let n = dynamics.n;
        let s = &dynamics.model.structure;
        let m = self.signals.len();
        let mut residual = self.force.clone();
        for i in 0..n {
            for j in 0..n {
                residual[i].y[j] -= s.orientation * s.stiffness[i * n + j];
                residual[i].y[n + j] -= s.damping[i * n + j];
                residual[i].add(s.damping[i * n + j] * s.base[j], &self.base);
            }
        }
        let mut friction = vec![Row::zero(self.states, m); dynamics.sites.len()];
        for (i, site) in dynamics.sites.iter().enumerate() {
            friction[i].add(modes[i].sign() * self.strength[i], &self.load[i]);
            for j in 0..n {
                residual[j].add(-site.tangent[0][j], &friction[i]);
                if let Some(row) = &site.normal {
                    residual[j].add(row[j], &self.load[i]);
                }
            }
        }
        let stuck: Vec<usize> = (0..modes.len()).filter(|i| modes[*i] == Mode::Stick).collect();
        let k = stuck.len();
        if k > 0 {
            let mobility = |a: &[f64], b: &[f64]| -> f64 {
                (0..n * n).map(|c| a[c / n] * dynamics.inverse_mass[c] * b[c % n]).sum()
            };
            let rows: Vec<&[f64]> = stuck.iter().map(|i| dynamics.sites[*i].tangent[0].as_slice()).collect();
            let w: Vec<f64> = (0..k * k).map(|c| mobility(rows[c / k], rows[c % k])).collect();
            Lu::new(k, &w)?;
            let w = inverse(k, &w)?;
            let free: Vec<Row> = stuck
                .iter()
                .map(|&i| {
                    let mut row = Row::zero(self.states, m);
                    row.add(dynamics.sites[i].surface, &self.surface_rate);
                    for a in 0..n {
                        for b in 0..n {
                            row.add(dynamics.sites[i].tangent[0][a] * dynamics.inverse_mass[a * n + b], &residual[b]);
                        }
                    }
                    row
                })
                .collect();
            for (a, &i) in stuck.iter().enumerate() {
                for b in 0..k {
                    friction[i].add(w[a * k + b], &free[b]);
                }
            }
            for &i in &stuck {
                for j in 0..n {
                    residual[j].add(-dynamics.sites[i].tangent[0][j], &friction[i]);
                }
            }
        }
        let (mut a, mut b) = (vec![], vec![]);
        for i in 0..n {
            let mut row = Row::zero(self.states, m);
            row.y[n + i] = s.orientation;
            row.add(-s.orientation * s.base[i], &self.base);
            a.extend(row.y);
            b.extend(row.u);
        }
        for i in 0..n {
            let mut row = Row::zero(self.states, m);
            for j in 0..n {
                row.add(dynamics.inverse_mass[i * n + j], &residual[j]);
            }
            a.extend(row.y);
            b.extend(row.u);
        }
        Some(InModes { flow: LinearFlow::new(self.states, m, a, b), friction })
    }

    /// Expands the motion from (t, y) in these modes and finds its end: a length and what ends it.
    pub fn step(&mut self, dynamics: &Dynamics, t: f64, y: &[f64], modes: &[Mode], longest: f64) -> Option<(f64, End)> {
        let known = match self.met.iter().position(|(m, _)| m == modes) {
            Some(k) => k,
            None => {
                let made = self.assemble(dynamics, modes)?;
                self.met.push((modes.to_vec(), made));
                self.met.len() - 1
            }
        };
        // A mode at rest has no end of its own: one without an end in time is looked at again now and then.
        let mut longest = longest.min(LONGEST * self.natural_time);
        let mut switches: Vec<Series<TERMS>> = vec![];
        for (i, signal) in self.signals.iter().enumerate() {
            self.u[i] = signal.expand(t).0;
            if let Some(of) = self.rate_of[i] {
                self.u[i] = derivative(&self.signals[of].expand(t).0);
            }
            longest = longest.min(signal.next_knot(t) - t);
            signal.switches(t, &mut switches);
        }
        let made = &self.met[known].1;
        made.flow.expand(&y[..self.states], &self.u, &mut self.y);
        for i in 0..modes.len() {
            self.slips[i] = self.slip[i].series(&self.y, &self.u);
            self.loads[i] = self.load[i].series(&self.y, &self.u);
            self.friction[i] = made.friction[i].series(&self.y, &self.u);
        }
        let mut h = radius(&self.y, longest);
        h = radius(&self.u, h);
        // A formula is expanded up to its next kink or jump, and a little beyond: there its other side holds.
        let mut end = End::Radius;
        for s in &switches {
            let [c0, c1, ..] = s.0;
            let ahead = match c0 * c1 < 0.0 && c0.abs() <= 2.0 * GRAIN * t * c1.abs() {
                true => Some(2.0 * GRAIN * t),
                false => from_known_zero(&s.0, h, self.natural_time, GRAIN * t).map(|root| root.s),
            };
            if let Some(ahead) = ahead.map(|s| s + 2.0 * GRAIN * (t + s)).filter(|s| *s <= h) {
                (h, end) = (ahead, End::Switch);
            }
        }
        for i in 0..modes.len() {
            match modes[i] {
                Mode::Forward | Mode::Backward => {
                    let mut c = self.slips[i];
                    // What two forces leave that cancel to rounding drives nothing.
                    if c[1].abs() <= ROUNDING * self.mobility[i] * self.hold[i] * self.loads[i][0].abs() {
                        c[1] = 0.0;
                    }
                    // Outside of its band a slip velocity ends on the band's edge.
                    if c[0].abs() > dynamics.sites[i].band {
                        c[0] -= modes[i].sign() * dynamics.sites[i].band;
                    }
                    if let Some(root) = feasible(&c, modes[i].sign(), h, self.natural_time, GRAIN * t) {
                        (h, end) = (root.s, End::Arrives(i));
                    }
                }
                Mode::Stick => {
                    let load = &self.loads[i];
                    for sign in [1.0, -1.0] {
                        let mut spare: Coefficients =
                            std::array::from_fn(|k| self.hold[i] * load[k] - sign * self.friction[i][k]);
                        if spare[0].abs() <= ROUNDING * self.hold[i] * load[0].abs() {
                            spare[0] = 0.0;
                        }
                        // A reaction that only touches its limit, or exceeds it by rounding, is still held.
                        if let Some(root) = feasible(&spare, 1.0, h, self.natural_time, GRAIN * t)
                            && root.crosses
                            && exceeds(&spare, self.hold[i], load, h)
                        {
                            (h, end) = (root.s, End::Leaves(i, sign));
                        }
                    }
                }
                Mode::Open => {}
            }
        }
        Some((h, end))
    }

    /// The unknowns at an offset of the last expansion.
    pub fn state(&self, s: f64, y: &mut [f64]) {
        at(&self.y, s, &mut y[..self.states]);
    }

    /// Points to draw over the part `h` of the last expansion, `most` over its whole radius; a straight line needs one.
    pub fn drawn(&self, h: f64, most: f64) -> usize {
        if self.y.iter().all(|c| c[2..].iter().all(|x| *x == 0.0)) {
            return 1;
        }
        let whole = radius(&self.y, f64::INFINITY);
        if whole.is_finite() { (most * h / whole).ceil().max(1.0) as usize } else { most as usize }
    }

    /// Where the first coordinate turns in (from, to), if its rate has opposite signs at the ends.
    ///
    /// A step is shorter than half a turn of the fastest mode: a pair of turns inside it is a wiggle that no cycle
    /// hangs on, and is not looked for.
    pub fn turning(&self, from: f64, to: f64) -> Option<f64> {
        let c = self.y.first()?;
        let rate = derivative(c);
        if value(&rate, from) * value(&rate, to) >= 0.0 {
            return None;
        }
        bracketed_root(&rate, from, to)
    }

    /// Adds the integrals of coordinate and friction over (0, s) of the last expansion.
    pub fn integrate_means(&self, dynamics: &Dynamics, s: f64, sum: &mut Integrals) {
        for i in 0..dynamics.sites.len() {
            let f = &self.friction[i];
            let load = &self.loads[i];
            sum.coefficient[i] += if load[1..].iter().all(|x| *x == 0.0) {
                if load[0] > 0.0 { integral(f, s) / load[0] } else { 0.0 }
            } else {
                // A quotient of series has no sum of its own: Simpson's rule on parts of a step that is at most some two
                // radians long leaves less than 1e-8.
                let ratio = |x: f64| value(f, x) / value(load, x);
                let part = s / PARTS as f64;
                let simpson = |k: usize| {
                    let x = k as f64 * part;
                    part / 6.0 * (ratio(x) + 4.0 * ratio(x + 0.5 * part) + ratio(x + part))
                };
                (0..PARTS).map(simpson).sum()
            };
        }
        if dynamics.n > 0 {
            sum.coordinate += integral(&self.y[0], s);
        }
    }

    /// Adds the works over (0, s) of the last expansion.
    pub fn integrate_work(&self, dynamics: &Dynamics, s: f64, sum: &mut Integrals) {
        let n = dynamics.n;
        let structure = &dynamics.model.structure;
        let product = |a: &Coefficients, b: &Coefficients| -> f64 {
            if b[1..].iter().all(|x| *x == 0.0) {
                b[0] * integral(a, s)
            } else if a[1..].iter().all(|x| *x == 0.0) {
                a[0] * integral(b, s)
            } else {
                integral_of_product(a, b, s)
            }
        };
        let base = self.base.series(&self.y, &self.u);
        for i in 0..n {
            let force = self.force[i].series(&self.y, &self.u);
            if force.iter().any(|x| *x != 0.0) {
                sum.work_in += product(&self.y[n + i], &force);
            }
            for j in 0..n {
                let (k, c) = (structure.stiffness[i * n + j], structure.damping[i * n + j]);
                if c != 0.0 && i == j {
                    sum.damping += c * integral_of_square(&derivative(&self.y[i]), s);
                } else if c != 0.0 {
                    sum.damping += c * product(&derivative(&self.y[i]), &derivative(&self.y[j]));
                }
                if structure.base[i] != 0.0 {
                    sum.work_in -= structure.orientation * structure.base[i] * k * product(&self.y[j], &base);
                    if c != 0.0 {
                        sum.work_in -=
                            structure.orientation * structure.base[i] * c * product(&derivative(&self.y[j]), &base);
                    }
                }
            }
        }
        let surface = self.surface.series(&self.y, &self.u);
        for (i, site) in dynamics.sites.iter().enumerate() {
            let f = &self.friction[i];
            sum.friction += product(&self.slips[i], f);
            if surface.iter().any(|x| *x != 0.0) {
                sum.work_in += site.surface * product(f, &surface);
            }
            if let Some(row) = &site.normal {
                let load = &self.loads[i];
                for j in 0..n {
                    if row[j] != 0.0 {
                        sum.work_in += row[j] * product(&self.y[n + j], load);
                    }
                }
            }
        }
    }
}

/// The first place where a function that is to keep the given sign does not.
///
/// Leading coefficients that vanish to rounding are a known zero at the start; if what follows has the wrong sign the
/// end is there at once.
fn feasible(c: &Coefficients, sign: f64, h: f64, time: f64, grain: f64) -> Option<Root> {
    let known = known_zeros(c, h.min(time), grain);
    if known > 0 && known < TERMS && c[known] * sign < 0.0 {
        return Some(Root { s: 0.0, crosses: true });
    }
    if known == TERMS {
        return None;
    }
    first_root(c, h, known)
}

/// Whether what a limit leaves to spare is ever used up by more than rounding.
fn exceeds(spare: &Coefficients, hold: f64, load: &Coefficients, h: f64) -> bool {
    let relaxed: Coefficients = std::array::from_fn(|k| spare[k] + HELD * hold * load[k]);
    relaxed[0] <= 0.0 || first_root(&relaxed, h, 0).is_some()
}

/// The first root after the start, where leading coefficients that vanish to rounding make a known one.
pub fn from_known_zero(c: &Coefficients, h: f64, time: f64, grain: f64) -> Option<Root> {
    let known = known_zeros(c, h.min(time), grain);
    if known == TERMS { None } else { first_root(c, h, known) }
}

fn known_zeros(c: &Coefficients, time: f64, grain: f64) -> usize {
    // The usual case at once: a first term far above what could be rounding of the next ones.
    if c[0].abs() > 1e-3 * time * (c[1].abs() + time * (c[2].abs() + time * c[3].abs())) {
        return 0;
    }
    let mut largest: f64 = 0.0;
    let mut power = 1.0;
    for x in c {
        largest = largest.max(x.abs() * power);
        power *= time;
    }
    let mut power = 1.0;
    for (k, x) in c.iter().enumerate() {
        let shifted = c.get(k + 1).map_or(0.0, |next| (k + 1) as f64 * next.abs() * grain);
        if x.abs() * power > KNOWN_ZERO * largest && x.abs() > shifted {
            return k;
        }
        power *= time;
    }
    TERMS
}
