//! Equilibrium in a set of modes: springs, loads and the reactions of closed contacts, solved together.
//!
//! K u = F + sum n p - sum t f. A closed contact keeps its gap, a stuck one its place too; in slip f = sign mu p goes
//! with the normal reaction, so that the system is not symmetric and may be singular.
use stickslip_laws::{Friction, Mode, Slide};
use stickslip_model::Model;
use stickslip_solve::dense::{dot, factor, positive_definite, substitute};
use stickslip_solve::polynomial::{Coefficients, TERMS};
use stickslip_structures::Signal;

/// A pivot below this part of what its row alone has means a singular system.
const SINGULAR: f64 = 1e-12;

/// A contact point.
pub struct Point {
    /// How messages call it.
    pub name: String,
    /// What stands before the names of its columns.
    pub prefix: String,
    /// Row of the slip.
    pub tangent: Vec<f64>,
    /// Row of the gap.
    pub normal: Vec<f64>,
    /// Gap at u = 0.
    pub gap: f64,
    /// Friction coefficient.
    pub mu: f64,
    /// Its contact, and which of its places it is.
    pub place: (usize, usize),
}

/// Everything that an equilibrium needs.
pub struct Problem<'m> {
    /// The model.
    pub model: &'m Model,
    /// Number of coordinates.
    pub n: usize,
    /// Contact points.
    pub points: Vec<Point>,
    /// What a jump flows against, up to a factor: the damping where it is positive definite, else the mass.
    pub viscosity: &'m [f64],
    /// Force on each coordinate.
    pub forces: Vec<Signal>,
    /// Length of each coordinate under a unit of energy: what makes sizes comparable.
    pub units: Vec<f64>,
}

impl<'m> Problem<'m> {
    /// Prepares a model that was not refused.
    pub fn new(model: &'m Model) -> Problem<'m> {
        let s = &model.structure;
        let n = s.len();
        let mut points = vec![];
        for (c, contact) in model.contacts.iter().enumerate() {
            for (k, place) in contact.places.iter().enumerate() {
                let name = if contact.name.is_empty() { String::new() } else { format!("`{}`", contact.name) };
                points.push(Point {
                    name: if contact.places.len() > 1 { format!("{name} at point {k}") } else { name },
                    prefix: contact.prefix(k),
                    tangent: place.tangent.first().cloned().unwrap_or_default(),
                    normal: place.normal.clone().unwrap_or_default(),
                    gap: contact.gap_at(k),
                    mu: coefficient(contact, k, 0.0, 1.0).0,
                    place: (c, k),
                });
            }
        }
        let mut forces = model.loading.forces.clone();
        forces.resize(n, Signal::ZERO);
        let stiffest = (0..n).map(|i| s.stiffness[i * n + i]).fold(0.0, f64::max);
        let unit = |k: f64| match (k > 1e-12 * stiffest, stiffest > 0.0) {
            (true, true) => k.sqrt().recip(),
            (false, true) => stiffest.sqrt().recip(),
            _ => 1.0,
        };
        Problem {
            model,
            n,
            points,
            viscosity: if positive_definite(n, &s.damping) { &s.damping } else { &s.mass },
            forces,
            units: (0..n).map(|i| unit(s.stiffness[i * n + i])).collect(),
        }
    }

    /// Expansions of the loads just after a time.
    pub fn loads(&self, t: f64) -> Vec<Coefficients> {
        self.forces.iter().map(|s| s.expand(t).0).collect()
    }

    /// The gap of a point.
    pub fn gap(&self, i: usize, u: &[f64]) -> f64 {
        self.points[i].gap + dot(&self.points[i].normal, u)
    }

    /// What a gap, or a slip, is the sum of, for coordinates of the given size.
    pub fn reach(&self, row: &[f64], size: f64) -> f64 {
        size * row.iter().zip(&self.units).map(|(a, d)| (a * d).abs()).sum::<f64>()
    }

    /// The reaction along a row that a size of forces amounts to.
    pub fn force(&self, row: &[f64], size: f64) -> f64 {
        size / row.iter().zip(&self.units).map(|(a, d)| a * d * a * d).sum::<f64>().sqrt()
    }

    /// Size of coordinates and forces, in units that can be compared.
    pub fn size(&self, u: impl Fn(usize) -> f64, force: impl Fn(usize) -> f64) -> f64 {
        (0..self.n).map(|j| (u(j) / self.units[j]).abs().max((force(j) * self.units[j]).abs())).fold(0.0, f64::max)
    }

    /// A set of modes as one word.
    pub fn state(&self, modes: &[Mode]) -> String {
        modes.iter().map(|m| m.name()).collect::<Vec<_>>().join("/")
    }
}

/// Hold and strength over the load of a point's law.
pub fn coefficient(contact: &stickslip_model::Contact, point: usize, slip: f64, load: f64) -> (f64, f64) {
    let at = vec![Slide::new([slip, 0.0], load); point + 1];
    let states = contact.friction.states();
    let z: Vec<f64> = states.iter().cycle().take(at.len() * states.len()).map(|s| s.start).collect();
    let mut answers = vec![Friction::Cone { hold: 0.0, strength: 0.0 }; at.len()];
    contact.friction.respond(&at, &z, &mut vec![0.0; z.len()], &mut answers);
    match answers[point] {
        Friction::Cone { hold, strength } => (hold / load, strength / load),
        Friction::Force(_) => (f64::NAN, f64::NAN),
    }
}

/// What moves and what holds, at one instant or in one order of an expansion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Coordinates.
    pub u: Vec<f64>,
    /// Normal reaction of each point.
    pub p: Vec<f64>,
    /// Friction of each point.
    pub f: Vec<f64>,
}

/// The system of one set of modes, factored.
pub struct Held<'a> {
    problem: &'a Problem<'a>,
    modes: &'a [Mode],
    /// Rows that keep something: the point, and whether it is the gap.
    kept: Vec<(usize, bool)>,
    scale: Vec<f64>,
    factors: Vec<f64>,
    pivots: Vec<usize>,
}

impl<'a> Held<'a> {
    /// The system with a stiffness (or a viscosity) in these modes; None where it is singular.
    pub fn new(problem: &'a Problem<'a>, matrix: &[f64], modes: &'a [Mode]) -> Option<Held<'a>> {
        let n = problem.n;
        let mut kept = vec![];
        for (i, mode) in modes.iter().enumerate() {
            if *mode != Mode::Open {
                kept.push((i, true));
            }
            if *mode == Mode::Stick {
                kept.push((i, false));
            }
        }
        let largest = |i: usize| (0..n).map(|j| matrix[i * n + j].abs()).fold(0.0, f64::max);
        let all = (0..n).map(largest).fold(0.0, f64::max);
        let mut scale: Vec<f64> = (0..n)
            .map(|i| match matrix[i * n + i] {
                k if k > 1e-12 * all => k.sqrt().recip(),
                _ if all > 0.0 => all.sqrt().recip(),
                _ => 1.0,
            })
            .collect();
        for (i, normal) in &kept {
            let row = problem.points[*i].row(*normal);
            let length: f64 = row.iter().zip(&scale).map(|(a, d)| a * d * a * d).sum();
            scale.push(length.sqrt().recip());
        }
        let m = n + kept.len();
        let mut a = vec![0.0; m * m];
        for i in 0..n {
            for j in 0..n {
                a[i * m + j] = matrix[i * n + j];
            }
        }
        for (k, (i, normal)) in kept.iter().enumerate() {
            let point = &problem.points[*i];
            let carried = if *normal { modes[*i].sign() * point.mu } else { 0.0 };
            for j in 0..n {
                a[(n + k) * m + j] = point.row(*normal)[j];
                let push = if *normal { point.normal[j] - carried * point.tangent[j] } else { -point.tangent[j] };
                a[j * m + n + k] = -push;
            }
        }
        for i in 0..m {
            for j in 0..m {
                a[i * m + j] *= scale[i] * scale[j];
            }
        }
        let mut pivots = vec![0; m];
        let regular = factor::<0>(m, &mut a, &mut pivots) && (0..m).all(|k| a[k * m + k].recip().abs() > SINGULAR);
        regular.then_some(Held { problem, modes, kept, scale, factors: a, pivots })
    }

    /// The answer to forces, when the kept rows have the values `keep`.
    pub fn solve(&self, force: impl Fn(usize) -> f64, keep: impl Fn(usize, bool) -> f64) -> Answer {
        let (n, m) = (self.problem.n, self.scale.len());
        let mut b: Vec<f64> = (0..n).map(force).collect();
        b.extend(self.kept.iter().map(|(i, normal)| keep(*i, *normal)));
        (0..m).for_each(|i| b[i] *= self.scale[i]);
        substitute::<0>(m, &self.factors, &self.pivots, &mut b);
        (0..m).for_each(|i| b[i] *= self.scale[i]);
        let points = self.modes.len();
        let mut answer = Answer { u: b[..n].to_vec(), p: vec![0.0; points], f: vec![0.0; points] };
        for (k, (i, normal)) in self.kept.iter().enumerate() {
            let r = b[n + k];
            if *normal {
                answer.p[*i] = r;
                answer.f[*i] += self.modes[*i].sign() * self.problem.points[*i].mu * r;
            } else {
                answer.f[*i] = r;
            }
        }
        answer
    }
}

impl Point {
    /// The row of the gap or of the slip.
    pub fn row(&self, normal: bool) -> &[f64] {
        if normal { &self.normal } else { &self.tangent }
    }
}

/// A motion as power series.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// Coordinates.
    pub u: Vec<Coefficients>,
    /// Normal reactions.
    pub p: Vec<Coefficients>,
    /// Friction.
    pub f: Vec<Coefficients>,
    /// Size of each order.
    pub size: Coefficients,
    /// How well the time is known from which it is followed.
    pub grain: f64,
}

impl Expansion {
    /// Nothing moves yet.
    pub fn still(at: &Answer, size: f64, grain: f64) -> Expansion {
        let constant = |x: &f64| std::array::from_fn(|k| if k == 0 { *x } else { 0.0 });
        let first = |list: &[f64]| -> Vec<Coefficients> { list.iter().map(constant).collect() };
        let mut sizes = [0.0; TERMS];
        sizes[0] = size;
        Expansion { u: first(&at.u), p: first(&at.p), f: first(&at.f), size: sizes, grain }
    }

    /// Sets one order.
    pub fn set(&mut self, k: usize, answer: &Answer) {
        let pairs = [(&mut self.u, &answer.u), (&mut self.p, &answer.p), (&mut self.f, &answer.f)];
        for (series, list) in pairs {
            series.iter_mut().zip(list).for_each(|(c, x)| c[k] = *x);
        }
    }

    /// All quantities at an offset.
    pub fn at(&self, s: f64) -> Answer {
        let sums = |list: &[Coefficients]| list.iter().map(|c| stickslip_solve::polynomial::value(c, s)).collect();
        Answer { u: sums(&self.u), p: sums(&self.p), f: sums(&self.f) }
    }

    /// All series.
    pub fn series(&self) -> Vec<Coefficients> {
        self.u.iter().chain(&self.p).chain(&self.f).copied().collect()
    }
}
