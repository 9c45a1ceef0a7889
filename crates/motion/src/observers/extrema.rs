//! Extrema of a motion, found step by step on what each step knows of itself.
//!
//! Rows are instants, and a long step of high order turns between them. A power series turns at the roots of its slope. An
//! adaptive step turns where the polynomial through its stages does; there the laws themselves are asked, so that no value
//! is reported that they do not give. Modes do not change inside a step: nothing is interpolated across an event.
mod polynomial;
mod quantity;

use crate::steppers::series::Linear;
use crate::steppers::stages::Inside;
pub use polynomial::{MOST_NODES, Nodes};
pub use quantity::Quantity;
use stickslip_dynamics::{Dynamics, Stiff, Stretches, Variables, Workspace};
use stickslip_laws::Mode;
use stickslip_real::root::Bracket;

/// A quantity that changes by less than this part of its own value over a step is constant.
const CONSTANT: f64 = 1e-12;
/// A turn that leads beyond the stages beside it by less than this part is theirs.
const SAME: f64 = 1e-11;

/// A range without values.
const NOTHING: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);

/// Turns of one quantity: times and values.
#[derive(Clone, Debug)]
struct Watched {
    quantity: Quantity,
    /// The time from which on it is asked for.
    from: f64,
    /// Over which time its extremes are asked for is known: the range so far, outside of which alone a turn is of interest.
    known: Option<(f64, f64)>,
    turns: Vec<(f64, f64)>,
}

/// Turns of all watched quantities, in the order of time.
#[derive(Clone, Debug, Default)]
pub struct Extrema {
    watched: Vec<Watched>,
    /// Whether steps have been observed at all: those of fixed length are not.
    observed: bool,
    /// Values of one quantity at the nodes of a step.
    values: Vec<f64>,
}

impl Extrema {
    /// Watches these quantities from these times on, each once.
    pub fn of(quantities: impl IntoIterator<Item = (Quantity, f64)>) -> Extrema {
        let mut watched: Vec<Watched> = vec![];
        for (quantity, from) in quantities {
            match watched.iter_mut().find(|w| w.quantity == quantity) {
                // Asked for over several times.
                Some(w) => (w.from, w.known) = (w.from.min(from), None),
                None => {
                    let known = (from > 0.0).then_some(NOTHING);
                    watched.push(Watched { quantity, from, known, turns: vec![] });
                }
            }
        }
        Extrema { watched, observed: false, values: vec![] }
    }

    /// Whether it watches nothing but these.
    pub fn only(&self, quantities: &[Quantity]) -> bool {
        self.watched.iter().all(|w| quantities.contains(&w.quantity))
    }

    /// Whether anything is asked for at a time.
    pub fn asks(&self, t: f64) -> bool {
        self.watched.iter().any(|w| w.from <= t)
    }

    /// Times and values of a quantity where it turns.
    pub fn turns(&self, quantity: Quantity) -> std::slice::Iter<'_, (f64, f64)> {
        let found = self.watched.iter().find(|w| w.quantity == quantity);
        found.map_or(&[][..], |w| &w.turns).iter()
    }

    /// Its values there, from one time to another.
    pub fn of_quantity(&self, quantity: Quantity, (from, to): (f64, f64)) -> impl Iterator<Item = f64> {
        let turns = self.turns(quantity).as_slice();
        let first = turns.partition_point(|(t, _)| *t < from);
        turns[first..].iter().take_while(move |(t, _)| *t <= to).map(|(_, x)| *x)
    }

    /// Whether steps have been observed: else rows are all that is known.
    pub fn observed(&self) -> bool {
        self.observed
    }

    /// Notes the turns of a step of power series from `t` on.
    pub fn series(&mut self, linear: &Linear, t: f64, h: f64) {
        self.observed = true;
        for Watched { quantity, turns, .. } in self.watched.iter_mut().filter(|w| w.from <= t + h) {
            linear.turns(*quantity, h, |s, value| turns.push((t + s, value)));
        }
    }

    /// Notes the turns of an adaptive step. Whether the laws were asked inside it: `dynamics` is then evaluated elsewhere.
    pub fn step(&mut self, step: &Passed, dense: &mut Dense, dynamics: &mut Dynamics, modes: &[Mode]) -> bool {
        let mut asked = false;
        self.observed = true;
        let end = step.t + step.length;
        for Watched { quantity, from, known, turns } in self.watched.iter_mut().filter(|w| w.from <= end) {
            let f = &mut self.values;
            f.clear();
            f.extend(step.all().map(|at| quantity.value(dynamics, (step.t + at.s, &at.y), &at.at)));
            let size = f.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            let (low, high) = f.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
            // What is no number does not turn; rows show it.
            if high - low <= CONSTANT * size || f.iter().any(|x| x.is_nan()) {
                continue;
            }
            for turn in step.nodes.turns(f, (low, high), known.unwrap_or(NOTHING)) {
                // The better of the two stages beside it.
                let beside = if turn.sign * (f[turn.before + 1] - f[turn.before]) > 0.0 { 1 } else { 0 };
                let node = turn.before + beside;
                let mut found = (step.t + step.length * step.nodes.at(node), f[node]);
                if turn.sign * (turn.value - f[node]) > SAME * size {
                    dense.evaluate(step, turn.part, dynamics, modes);
                    asked = true;
                    let t = step.t + step.length * turn.part;
                    let value = quantity.value(dynamics, (t, &dense.room.y), &dynamics.at);
                    if turn.sign * (value - f[node]) > 0.0 {
                        found = (step.t + step.length * turn.part, value);
                    }
                }
                turns.push(found);
                if let Some((low, high)) = known.as_mut().filter(|_| found.0 >= *from) {
                    (*low, *high) = (low.min(found.1), high.max(found.1));
                }
            }
            if let Quantity::Friction(p) = *quantity {
                asked |= dense.where_unloaded(p, step, dynamics, modes, |t, value| turns.push((t, value)));
            }
        }
        asked
    }
}

/// A step that has been taken.
pub struct Passed<'a> {
    /// Its start, s.
    pub t: f64,
    /// Its length, s.
    pub length: f64,
    /// Its stages, with its start.
    pub nodes: &'a Nodes,
    /// The motion at its start.
    pub start: &'a Inside,
    /// At the stages before the last.
    pub inside: &'a [Inside],
    /// At its end, the last stage.
    pub end: &'a Inside,
}

impl Passed<'_> {
    /// The start, the stages, the end.
    pub fn all(&self) -> impl Iterator<Item = &Inside> {
        std::iter::once(self.start).chain(self.inside).chain(std::iter::once(self.end))
    }

    /// Adds where the first coordinate turns, as parts of the step: where its rate changes its sign by more than `rest`.
    pub fn reversals(&self, rest: f64, parts: &mut Vec<f64>) {
        let mut rates = [0.0; MOST_NODES];
        let mut count = 0;
        for (rate, at) in rates.iter_mut().zip(self.all()) {
            *rate = at.dy[0];
            count += 1;
        }
        let rates = &rates[..count];
        let turned = |k: &usize| rates[*k] * rates[k + 1] < 0.0 && rates[*k].abs().max(rates[k + 1].abs()) > rest;
        parts.extend((0..count - 1).filter(turned).map(|k| self.nodes.root(rates, k)));
    }
}

/// The motion anywhere inside a step: polynomials through its stages, in the variables in which it is smooth.
pub struct Dense {
    variables: Variables,
    room: Workspace,
    /// The variables at the nodes, one node after the other; empty until asked for.
    places: Vec<f64>,
    place: Vec<f64>,
}

impl Dense {
    /// For motions in these variables.
    pub fn new(variables: Variables, unknowns: usize) -> Dense {
        Dense { variables, room: Workspace::new(unknowns), places: vec![], place: vec![0.0; unknowns] }
    }

    /// A step begins: what is known of the last one no longer serves.
    pub fn restart(&mut self) {
        self.places.clear();
    }

    /// Puts the scales of slip velocities where the states at the start of a step want them: far from there a velocity
    /// that grows by powers of ten is no polynomial.
    fn rescale(&mut self, dynamics: &Dynamics, y: &[f64]) {
        for j in 0..dynamics.n {
            let wanted = self.variables.slip(j).and_then(|(i, _)| dynamics.rest_speed(i, &y[2 * dynamics.n..]));
            if let Some(speed) = wanted.filter(|v| *v > 0.0 && v.is_finite()) {
                self.variables.set_asinh(dynamics.n + j, speed);
            }
        }
    }

    /// The variables at the part `part` of a step.
    fn set_place(&mut self, step: &Passed, part: f64, dynamics: &mut Dynamics) {
        let (n, m) = (dynamics.n, self.place.len());
        // What changes at events alone is no variable.
        self.room.y.copy_from_slice(&step.start.y);
        if self.places.is_empty() {
            self.rescale(dynamics, &step.start.y);
            for at in step.all() {
                self.variables.encode(dynamics, step.t + at.s, &at.y, &mut self.place);
                // Slip velocities have digits that a difference of velocities has lost.
                for j in 0..n {
                    if let Some((i, _)) = self.variables.slip(j) {
                        self.place[n + j] = self.variables.scale(n + j).encode(at.at[i].slip[0]);
                    }
                }
                self.places.extend_from_slice(&self.place);
            }
        }
        let weights = step.nodes.weights(part);
        self.place.fill(0.0);
        for (place, weight) in self.places.chunks_exact(m.max(1)).zip(&weights) {
            self.place.iter_mut().zip(place).for_each(|(x, at)| *x += weight * at);
        }
    }

    /// The unknowns at the part `part` of a step.
    pub fn unknowns(&mut self, step: &Passed, part: f64, dynamics: &mut Dynamics, y: &mut [f64]) {
        self.set_place(step, part, dynamics);
        self.variables.decode(dynamics, step.t + part * step.length, &self.place, y);
    }

    /// Evaluates the laws at the part `part` of a step.
    fn evaluate(&mut self, step: &Passed, part: f64, dynamics: &mut Dynamics, modes: &[Mode]) {
        self.set_place(step, part, dynamics);
        let Dense { variables, room, place, .. } = self;
        Stiff { dynamics, variables, modes, base: step.t, room }.evaluate(part * step.length, place);
    }

    /// Gives the friction coefficient of a point where its load comes to nothing or begins: up to there it has one, and no
    /// stage need lie close. Whether the laws were asked.
    fn where_unloaded(
        &mut self,
        p: usize,
        step: &Passed,
        dynamics: &mut Dynamics,
        modes: &[Mode],
        mut note: impl FnMut(f64, f64),
    ) -> bool {
        let least = dynamics.sites[p].least_load;
        let mut asked = false;
        for (k, (a, b)) in step.all().zip(step.all().skip(1)).enumerate() {
            let (before, after) = (a.at[p].n - least, b.at[p].n - least);
            if (before > 0.0) == (after > 0.0) {
                continue;
            }
            asked = true;
            let mut bracket = Bracket::new((step.nodes.at(k), before), (step.nodes.at(k + 1), after));
            let mut loaded = None;
            while let Some(part) = bracket.next(0.0) {
                self.evaluate(step, part, dynamics, modes);
                let spare = dynamics.at[p].n - least;
                bracket.narrow(part, spare);
                if spare > 0.0 {
                    loaded = Some((part, dynamics.coefficient(p)));
                }
            }
            if let Some((part, value)) = loaded {
                note(step.t + step.length * part, value);
            }
        }
        asked
    }

    /// Evaluates the laws at the end of a step, and leaves the points as they were there.
    pub fn evaluate_end(&mut self, step: &Passed, dynamics: &mut Dynamics, modes: &[Mode]) {
        self.evaluate(step, 1.0, dynamics, modes);
        dynamics.at.copy_from_slice(&step.end.at);
    }

    /// The motion at the part `part` of a step, with its integrals.
    pub fn inside(&mut self, step: &Passed, part: f64, dynamics: &mut Dynamics, modes: &[Mode]) -> Inside {
        self.evaluate(step, part, dynamics, modes);
        let mut found = step.end.clone();
        found.note(part * step.length, &self.room.y, &self.room.dy, &dynamics.at);
        found.integrals.clone_from(&step.start.integrals);
        // From the start on, so that what is added is not lost beside a large sum.
        for (at, weight) in step.all().zip(step.nodes.weights(part)) {
            found.integrals.add(weight, &at.integrals);
            found.integrals.add(-weight, &step.start.integrals);
        }
        found
    }
}
