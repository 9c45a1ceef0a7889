//! A contact spread over a straight edge, part of which may be open.
//!
//! The approach is linear along the edge, a(s) = -(gap + s tilt), and the law is asked where it is positive. In
//! w = sqrt(a) a power law of half-integer exponent is a polynomial, also with its moments and its derivatives, and any
//! other exponent is smooth enough: Gauss points in w serve full contact, partial separation and the passage between
//! them alike, and nothing cancels when the tilt is small. A law that acts before the gap is closed is asked along the whole
//! edge, in parts.
use crate::{AtSite, Site};
use stickslip_laws::{Cubic, Normal, NormalFace, NormalGroup, Press};
use stickslip_model::Contact;
use stickslip_real::{Dual, Real, Scalar};
use stickslip_solve::dense::dot;
use stickslip_structures::Edge;

/// Gauss-Legendre points and weights on (0, 1).
const GAUSS: [(f64, f64); 8] = [
    (0.019855071751231856, 0.05061426814518809),
    (0.10166676129318658, 0.11119051722668723),
    (0.2372337950418355, 0.1568533229389437),
    (0.4082826787521751, 0.181341891689181),
    (0.591717321247825, 0.181341891689181),
    (0.7627662049581645, 0.1568533229389437),
    (0.8983332387068135, 0.11119051722668723),
    (0.9801449282487682, 0.05061426814518809),
];
/// Parts of an edge on which a law acts at any distance.
const PARTS: usize = 4;
/// Points on those.
const ALL: usize = PARTS * GAUSS.len();

/// How an edge lies on the surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lies<S = f64> {
    /// Gap in its middle, m.
    pub gap: S,
    /// Rate of that, m/s.
    pub gap_rate: S,
    /// Growth of the gap along the edge.
    pub tilt: S,
    /// Rate of that, 1/s.
    pub tilt_rate: S,
}

impl Lies {
    /// Of a contact at given coordinates and their rates, on a surface of this height and its rate.
    pub fn of(contact: &Contact, site: &Site, edge: &Edge, height: [f64; 2], q: &[f64], dq: &[f64]) -> Lies {
        let normal = site.normal.as_deref().unwrap_or(&[]);
        Lies {
            gap: contact.gap + dot(normal, q) - height[0],
            gap_rate: dot(normal, dq) - height[1],
            tilt: dot(&edge.lever, q),
            tilt_rate: dot(&edge.lever, dq),
        }
    }

    /// The gap where it is least.
    pub fn least_gap(&self, edge: &Edge) -> f64 {
        self.gap - 0.5 * self.tilt.abs() * edge.length
    }
}

impl<S: Scalar> Lies<S> {
    /// Places along the part that is nearer than `reach`, with gaps and weights that sum to its length; None where there is no
    /// such part.
    fn points(&self, length: f64, reach: f64) -> Option<[Point<S>; GAUSS.len()]> {
        // The end of the smaller approach is the one towards which the gap grows.
        let side = if S::zero().lt(self.tilt) { 1.0 } else { -1.0 };
        let half = self.tilt.abs() * (0.5 * length);
        let depth = -self.gap + reach;
        let (low, high) = (depth - half, depth + half);
        if high.re() <= 0.0 {
            return None;
        }
        // An end that is open stays so under small changes; one that just touches counts as closed.
        let open = low.re() <= 0.0;
        let closed = if open { high * length / (high - low) } else { S::lit(length) };
        let (first, last) = (if open { S::zero() } else { low.sqrt() }, high.sqrt());
        Some(GAUSS.map(|(x, weight)| {
            let w = first + (last - first) * x;
            let way = closed * x * (first + w) / (first + last);
            Point {
                s: (closed - 0.5 * length - way) * side,
                gap: -(w * w) + reach,
                weight: closed * weight * 2.0 * w / (first + last),
            }
        }))
    }

    /// Places along the whole edge.
    fn everywhere(&self, length: f64) -> [Point<S>; ALL] {
        let part = length / PARTS as f64;
        std::array::from_fn(|k| {
            let (x, weight) = GAUSS[k % GAUSS.len()];
            let s = part * ((k / GAUSS.len()) as f64 + x) - 0.5 * length;
            Point { s: S::lit(s), gap: self.gap + self.tilt * s, weight: S::lit(weight * part) }
        })
    }
}

/// A place on an edge.
#[derive(Clone, Copy)]
struct Point<S = f64> {
    s: S,
    gap: S,
    weight: S,
}

/// Asks the normal law at all points.
fn ask<S: Real, const N: usize>(
    (contact, edge, lies): (&Contact, &Edge, &Lies),
    t: f64,
    slip: f64,
    points: &[Point; N],
    seed: impl Fn(f64, f64) -> (S, S),
) -> [Normal<S>; N]
where
    dyn NormalGroup: NormalFace<S>,
{
    let at = points.map(|p| {
        let (gap, gap_rate) = seed(p.gap, lies.gap_rate + p.s * lies.tilt_rate);
        let mut press = Press::new(gap, gap_rate);
        press.t = S::lit(t);
        press.v = S::lit(slip);
        press.mass = S::lit(contact.mass);
        press.area = S::lit(edge.width * p.weight);
        press
    });
    let mut answers = [Normal::none(); N];
    NormalFace::<S>::respond(&*contact.normal, &at, &[], &mut answers);
    answers
}

/// Normal force, its moment and the energy stored.
pub(crate) fn press(contact: &Contact, edge: &Edge, lies: &Lies, t: f64, at: &mut AtSite) {
    (at.n, at.load, at.moment, at.area, at.pressed) = (0.0, 0.0, 0.0, 0.0, 0.0);
    at.gap = lies.least_gap(edge);
    at.gap_rate = lies.gap_rate;
    match contact.normal.reach() {
        None => gather((contact, edge, lies), t, &lies.everywhere(edge.length), at),
        Some(reach) => {
            let Some(points) = lies.points(edge.length, reach) else { return };
            gather((contact, edge, lies), t, &points, at);
        }
    }
}

fn gather<const N: usize>(of: (&Contact, &Edge, &Lies), t: f64, points: &[Point; N], at: &mut AtSite) {
    let answers = ask(of, t, at.slip[0], points, |gap, rate| (gap, rate));
    for (point, answer) in points.iter().zip(answers) {
        if let Normal::Force { n, area, stored, load } = answer {
            at.n += n;
            at.area += area;
            at.load += load;
            at.moment += point.s * n;
            at.pressed += stored;
        }
    }
}

/// The rate at which the energy stored grows. Where the edge opens there is none, so that only what is closed counts.
pub(crate) fn power(contact: &Contact, edge: &Edge, lies: &Lies, t: f64, slip: f64) -> f64 {
    match contact.normal.reach() {
        None => powers((contact, edge, lies), t, slip, &lies.everywhere(edge.length)),
        Some(reach) => match lies.points(edge.length, reach) {
            None => 0.0,
            Some(points) => powers((contact, edge, lies), t, slip, &points),
        },
    }
}

fn powers<const N: usize>(of: (&Contact, &Edge, &Lies), t: f64, slip: f64, points: &[Point; N]) -> f64 {
    if of.0.normal.claims().elastic {
        let answers = ask(of, t, slip, points, |gap, _| (gap, 0.0));
        let force = |answer: Normal<f64>| if let Normal::Force { n, .. } = answer { n } else { 0.0 };
        let rate = |p: &Point| of.2.gap_rate + p.s * of.2.tilt_rate;
        return -points.iter().zip(answers).map(|(p, answer)| force(answer) * rate(p)).sum::<f64>();
    }
    let seed = |gap, rate| (Dual::<4> { re: gap, eps: [rate, 0.0, 0.0, 0.0] }, Dual::constant(rate));
    let answers = ask(of, t, slip, points, seed);
    let stored = |answer: &Normal<Dual<4>>| if let Normal::Force { stored, .. } = answer { stored.eps[0] } else { 0.0 };
    answers.iter().map(stored).sum()
}

/// Derivatives in the gap and in its rate.
#[derive(Clone, Copy, Default)]
pub(crate) struct Slopes {
    /// Of force and moment: integrals of dp times 1, s and s^2.
    pub force: [f64; 3],
    /// Of the load that friction follows: times 1 and s.
    pub load: [f64; 2],
}

/// Derivatives of force, moment and load in the gap and in the gap rate.
pub(crate) fn tangent(contact: &Contact, edge: &Edge, lies: &Lies, t: f64, slip: f64) -> [Slopes; 2] {
    match contact.normal.reach() {
        None => slopes((contact, edge, lies), t, slip, &lies.everywhere(edge.length)),
        Some(reach) => match lies.points(edge.length, reach) {
            None => [Slopes::default(); 2],
            Some(points) => slopes((contact, edge, lies), t, slip, &points),
        },
    }
}

fn slopes<const N: usize>(of: (&Contact, &Edge, &Lies), t: f64, slip: f64, points: &[Point; N]) -> [Slopes; 2] {
    let mut sums = [Slopes::default(); 2];
    let seed = |gap, rate| (Dual::<4>::variable(gap, 0), Dual::variable(rate, 1));
    let answers = ask(of, t, slip, points, seed);
    for (point, answer) in points.iter().zip(answers) {
        if let Normal::Force { n, load, .. } = answer {
            for (k, sums) in sums.iter_mut().enumerate() {
                let levers = [1.0, point.s, point.s * point.s];
                sums.force.iter_mut().zip(levers).for_each(|(sum, lever)| *sum += n.eps[k] * lever);
                sums.load.iter_mut().zip(levers).for_each(|(sum, lever)| *sum += load.eps[k] * lever);
            }
        }
    }
    sums
}

/// Normal force, the load that friction follows, the moment and the area as power series.
pub(crate) fn expand(
    normal: &dyn NormalFace<Cubic>,
    (contact, edge): (&Contact, &Edge),
    lies: &Lies<Cubic>,
    t: f64,
    slip: Cubic,
) -> [Cubic; 4] {
    match contact.normal.reach() {
        None => sums(normal, (contact, edge), lies, t, slip, &lies.everywhere(edge.length)),
        Some(reach) => match lies.points(edge.length, reach) {
            None => [Cubic::zero(); 4],
            Some(points) => sums(normal, (contact, edge), lies, t, slip, &points),
        },
    }
}

fn sums(
    normal: &dyn NormalFace<Cubic>,
    (contact, edge): (&Contact, &Edge),
    lies: &Lies<Cubic>,
    t: f64,
    slip: Cubic,
    points: &[Point<Cubic>],
) -> [Cubic; 4] {
    let mut sums = [Cubic::zero(); 4];
    let mut answer = [Normal::none()];
    for p in points {
        let mut press = Press::new(p.gap, lies.gap_rate + p.s * lies.tilt_rate);
        (press.t, press.v) = (Cubic::lit(t), slip);
        (press.mass, press.area) = (Cubic::lit(contact.mass), p.weight * edge.width);
        normal.respond(&[press], &[], &mut answer);
        if let [Normal::Force { n, area, load, .. }] = answer {
            for (sum, x) in sums.iter_mut().zip([n, load, p.s * n, area]) {
                *sum = *sum + x;
            }
        }
    }
    sums
}
