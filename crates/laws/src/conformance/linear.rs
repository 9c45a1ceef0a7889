//! Piecewise linear: with its inner elements held a law is an affine function of what it sees.
use super::Subject;
use super::regimes::Regime;
use crate::{Inner, Slide};

/// Directions looked along in each regime.
const LOOKS: u64 = 12;
/// Halvings of a distance after which a direction leads out of the piece at once.
const HALVINGS: u32 = 50;
/// What counts as zero, as part of the terms: guards may begin on their zero.
const ROUNDING: f64 = 1e-9;
/// What counts as zero, as part of the largest value: a difference of large terms.
const LEAST: f64 = 1e-12;

/// Where the law is not affine, or a guard is negative though its elements are held, in words.
pub fn violated(s: &Subject) -> Option<String> {
    let c = s.claims;
    if c.position || c.history || c.acceleration || c.force_rate || c.approach || c.real_area || c.random {
        return Some("it reads more than slip velocity, load and states".into());
    }
    let mut sizes = s.sizes.clone();
    for regime in &s.regimes {
        let guards = s.line.guards(&regime.at, &regime.z);
        sizes.resize(s.sizes.len() + guards.len(), 0.0);
        for (size, g) in sizes[s.sizes.len()..].iter_mut().zip(guards) {
            *size = if g.is_finite() { g.abs().max(*size) } else { *size };
        }
    }
    // Without a load there is no piece that both sides share.
    let mut loaded = s.regimes.iter().enumerate().filter(|(_, regime)| regime.at.n > 0.0);
    loaded.find_map(|(i, regime)| in_regime(s, regime, i, &sizes))
}

fn in_regime(s: &Subject, regime: &Regime, number: usize, sizes: &[f64]) -> Option<String> {
    let inner = s.line.inner(&regime.at, &regime.z);
    if inner.is_some_and(|inner| !inner.held) {
        return Some(format!("{}: its inner elements can't be held", regime.name));
    }
    let at = regime.at.with_inner(inner);
    let x = s.line.inputs(&at, &regime.z);
    let start = Point::new(s, &at, &x, inner);
    if let Some(k) = start.guards.iter().position(|g| inner.is_some() && *g < -ROUNDING * s.sample.load) {
        return Some(format!("{}: guard {k} is {:e} though its elements are held", regime.name, start.guards[k]));
    }
    (0..LOOKS).find_map(|look| {
        let mut random = Random(1 + number as u64 * LOOKS + look);
        // Far enough to turn a velocity around, and to meet whatever bends.
        let reach = |(k, x): (usize, &f64)| -> f64 {
            let rate = s.sample.load / s.sample.time();
            x.abs().max(0.3 * s.line.scale(k, s.sample.speed, s.sample.load, rate).abs())
        };
        let d: Vec<f64> = x.iter().enumerate().map(|one| 1.5 * random.next() * reach(one)).collect();
        let found = (0..HALVINGS).find_map(|halving| {
            let point = |times: f64| {
                let part = times * 0.5f64.powi(halving as i32);
                let moved: Vec<f64> = x.iter().zip(&d).map(|(x, d)| x + part * d).collect();
                Point::new(s, &at, &moved, inner)
            };
            let (half, whole) = (point(1.0), point(2.0));
            (half.is_inside(&start) && whole.is_inside(&start)).then_some((half, whole))
        });
        let (half, whole) = found?;
        (0..start.answer.len() + start.guards.len()).find_map(|k| {
            let [a, b, c] = [start.output(k), half.output(k), whole.output(k)];
            let size = a.abs() + 2.0 * b.abs() + c.abs();
            let bends = (a - 2.0 * b + c).abs() > ROUNDING * size + LEAST * sizes[k] || !size.is_finite();
            bends.then(|| format!("{}: output {k} is {a:e}, {b:e}, {c:e} on a line", regime.name))
        })
    })
}

/// What a law says at a point.
struct Point {
    answer: Vec<f64>,
    guards: Vec<f64>,
    cone: bool,
    velocity: f64,
    load: f64,
}

impl Point {
    fn new(s: &Subject, at: &Slide<f64, 2>, x: &[f64], inner: Option<Inner>) -> Point {
        let (at, z) = s.line.rebuild(at, x);
        let at = at.with_inner(inner);
        let answer = s.line.respond(&at, &z);
        let guards = s.line.guards(&at, &z);
        Point { answer: answer.values, guards, cone: answer.cone, velocity: at.v[0], load: at.n }
    }

    /// Whether it lies in the same piece: no guard has changed its sign, a law with modes slides the same way.
    fn is_inside(&self, start: &Point) -> bool {
        let turned = self.cone && self.velocity * start.velocity <= 0.0 && self.velocity != start.velocity;
        let same = |(a, b): (&f64, &f64)| if *b < 0.0 { *a <= 0.0 } else { *a >= 0.0 };
        self.load > 0.0 && !turned && self.guards.iter().zip(&start.guards).all(same)
    }

    fn output(&self, k: usize) -> f64 {
        self.answer.get(k).copied().unwrap_or_else(|| self.guards[k - self.answer.len()])
    }
}

/// Numbers between -1 and 1, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
