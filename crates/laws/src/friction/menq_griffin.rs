//! Two elastic bars joined by a shear layer that yields: Menq and Griffin.
use crate::Kind;
use crate::combine::{Backbone, Masing};
use std::sync::OnceLock;
use stickslip_real::root::bracketed;
use stickslip_real::{Real, Scalar};

/// Two bars that lap over the length L, with an elastic shear layer between them that carries at most tau_m.
///
/// Bar 1 is pulled at x = L and free at 0, bar 2 is clamped at 0 and free at L. lambda^2 = k L^2/EA, rho = EA/E_2A_2.
/// The layer slips from both ends inwards and sticks in a < x < b; gross slip begins at tau_m L (or mu N). With
/// s = lambda sqrt(1+rho)/L and the stuck length b - a, while both ends slip:
/// F = tau_m [L - (b-a) + (2/s) tanh(s (b-a)/2)]
/// The slip of the law is the displacement of the loaded end; loops by Masing's rules. Under mu the load must not vary.
#[derive(Clone, Debug, Kind)]
#[kind(
    "menq-griffin",
    into = "Masing<Bars<S>>",
    one_of = "mu tau_m",
    claims = "odd passive rate_independent",
    reference = "C.-H. Menq, J. Bielak and J. H. Griffin, J. Sound Vib. 107 (1986) 279; Berger 2002, eqs 85 and 86",
    example = "EA = '1 MN', L = '10 cm', lambda = 2, rho = 0.5, tau_m = '10 kN/m'",
    load = 1000.0,
    speed = 1e-4,
    slip = 1e-4
)]
#[allow(non_snake_case)]
pub struct MenqGriffin<S = f64> {
    /// Axial stiffness E_1 A_1 of the loaded bar.
    #[param(unit = "N", above = 0.0)]
    pub EA: S,
    /// Length of the joint.
    #[param(unit = "m", above = 0.0)]
    pub L: S,
    /// Stiffness of the layer against that of the loaded bar.
    #[param(unit = "1", above = 0.0)]
    pub lambda: S,
    /// Stiffness of the loaded bar over that of the clamped one.
    #[param(unit = "1", default = 1.0, min = 0.0)]
    pub rho: S,
    /// Friction coefficient: gross slip begins at mu N.
    #[param(unit = "1", default = 0.0, min = 0.0)]
    pub mu: S,
    /// Most shear that the layer carries, per length.
    #[param(unit = "N/m", default = 0.0, min = 0.0)]
    pub tau_m: S,
}

/// The curve of first loading. Lengths in L, forces in tau_m L, displacements in tau_m L^2/EA.
#[derive(Clone, Debug)]
pub struct Bars<S> {
    p: MenqGriffin<S>,
    /// See [`Bars::landmarks`].
    landmarks: OnceLock<[f64; 3]>,
}

impl<S: Real> From<MenqGriffin<S>> for Masing<Bars<S>> {
    fn from(p: MenqGriffin<S>) -> Self {
        Masing { curve: Bars { p, landmarks: OnceLock::new() } }
    }
}

/// Distance of the difference that gives a slope.
const NEAR: f64 = 1e-6;

/// A point of the curve: load, displacement, and the ends of the stuck part.
#[derive(Clone, Copy)]
struct Point<S> {
    force: S,
    slip: S,
    a: S,
    b: S,
}

/// tanh and 1/cosh for x >= 0: a long or stiff joint would leave the range of sinh and cosh.
fn hyperbolic<S: Real>(x: S) -> (S, S) {
    let down = (-x).exp();
    (x.tanh(), down * 2.0 / (down.square() + 1.0))
}

impl<S: Scalar> Bars<S> {
    /// s L.
    fn sharpness(&self) -> S {
        self.p.lambda * (self.p.rho + 1.0).sqrt()
    }

    /// Displacement under the load `force` when the layer slips outside a < x < b.
    fn slip(&self, force: S, a: S, b: S) -> S {
        let rho = self.p.rho;
        let (g, yields) = (rho + 1.0, S::lit(1.0) / self.p.lambda.square());
        let s = self.sharpness();
        let (tanh, sech) = hyperbolic(s * (b - a));
        // Strain of the layer at the ends of the stuck part, from its slopes there.
        let (right, left) = (force - g * (-b + 1.0), rho * force - g * a);
        let stuck = |own: S, other: S| (own + other * sech) / (s * tanh);
        // Where an end of the joint slips, the layer has yielded at the end of the stuck part.
        let gone = b.re() <= a.re();
        let at_b = if b.re() < 1.0 || gone { yields } else { stuck(right, left) };
        let at_a = if a.re() > 0.0 || gone { yields } else { stuck(left, right) };
        let rest = -b + 1.0;
        let right = at_b + force * rest - g * rest.square() * 0.5;
        let left = at_a + rho * force * a - g * a.square() * 0.5;
        (right + rho * left + rho * force) / g
    }

    /// The load at which a layer that sticks from one end on yields at the distance `stuck` from it; the loaded or the
    /// clamped end slips, whichever is the first.
    fn one_end(&self, stuck: S) -> Point<S> {
        let (rho, s) = (self.p.rho, self.sharpness());
        let (tanh, sech) = hyperbolic(s * stuck);
        let yields = S::lit(1.0) / self.p.lambda.square();
        let push = s * yields * tanh + (rho + 1.0) * (-stuck + 1.0);
        if rho.re() <= 1.0 {
            let force = push / (rho * sech + 1.0);
            return Point { force, slip: self.slip(force, S::zero(), stuck), a: S::zero(), b: stuck };
        }
        let force = push / (sech + rho);
        let a = -stuck + 1.0;
        Point { force, slip: self.slip(force, a, S::lit(1.0)), a, b: S::lit(1.0) }
    }

    /// The load at which the layer sticks over the length `stuck` only, both ends slipping.
    fn both_ends(&self, stuck: S) -> Point<S> {
        let s = self.sharpness();
        let steep = (s * stuck * 0.5).tanh() / s;
        let force = -stuck + steep * 2.0 + 1.0;
        let g = self.p.rho + 1.0;
        let a = self.p.rho * force / g - steep;
        let b = -(force / g) + steep + 1.0;
        Point { force, slip: self.slip(force, a, b), a, b }
    }

    /// How far the end that slips last has slipped when the layer sticks over `stuck` only, if both slip.
    fn lag(&self, stuck: S) -> S {
        let both = self.both_ends(stuck);
        if self.p.rho.re() <= 1.0 { both.a } else { -both.b + 1.0 }
    }

    /// The displacement of first slip, the stuck length at which the second end slips, and its displacement.
    fn landmarks(&self) -> [f64; 3] {
        *self.landmarks.get_or_init(|| {
            let second = falling(&|stuck| self.lag(S::lit(stuck)).re(), [0.0, 1.0]);
            [self.one_end(S::lit(1.0)).slip.re(), second, self.both_ends(S::lit(second)).slip.re()]
        })
    }

    /// The point of the curve at a displacement.
    fn at(&self, slip: S) -> Point<S> {
        let [first, second, both] = self.landmarks();
        if slip.re() <= first {
            let first = self.one_end(S::lit(1.0));
            let share = slip / first.slip;
            return Point { force: first.force * share, slip, a: S::zero(), b: S::lit(1.0) };
        }
        let (curve, range): (fn(&Self, S) -> Point<S>, _) =
            if slip.re() < both { (Self::one_end, [second, 1.0]) } else { (Self::both_ends, [0.0, second]) };
        let end = self.both_ends(S::zero());
        if slip.re() >= end.slip.re() {
            return end;
        }
        let stuck = falling(&|stuck| (curve(self, S::lit(stuck)).slip - slip).re(), range);
        curve(self, root(&|stuck| curve(self, stuck).slip - slip, stuck, range))
    }

    /// The unit of loads: gross slip.
    fn load(&self, n: S) -> S {
        self.p.mu * n + self.p.tau_m * self.p.L
    }

    /// The unit of displacements.
    fn length(&self, n: S) -> S {
        self.load(n) * self.p.L / self.p.EA
    }
}

/// Where a falling function vanishes; where rounding hides the change of sign, the end that is nearer.
fn falling(f: &dyn Fn(f64) -> f64, [a, b]: [f64; 2]) -> f64 {
    let nearer = || if f(a).abs() < f(b).abs() { a } else { b };
    bracketed(f, a, b, f64::EPSILON).unwrap_or_else(nearer)
}

/// The root near x with its derivatives: two steps of Newton's method at a fixed slope carry them.
fn root<S: Scalar>(f: &dyn Fn(S) -> S, x: f64, [low, high]: [f64; 2]) -> S {
    let (left, right) = ((x - NEAR).max(low), (x + NEAR).min(high));
    let slope = (f(S::lit(right)).re() - f(S::lit(left)).re()) / (right - left);
    if !slope.is_finite() || slope >= 0.0 {
        return S::lit(x);
    }
    let better = S::lit(x) - f(S::lit(x)) / slope;
    better - f(better) / slope
}

impl<S: Scalar> Backbone<S> for Bars<S> {
    fn reach(&self, n: S) -> S {
        self.length(n) * self.both_ends(S::zero()).slip
    }

    fn force(&self, n: S, x: S) -> S {
        self.load(n) * self.at(x / self.length(n)).force
    }

    /// What is stored in bars and layer is half of load times displacement, less what slips; that is lost.
    fn work(&self, n: S, x: S) -> S {
        let Point { force, slip, a, b } = self.at(x / self.length(n));
        let (g, rest) = (self.p.rho + 1.0, -b + 1.0);
        // Integral of the slip beyond yield over a part that slips, from its slope at the stuck part.
        let beyond = |slope: S, y: S| (slope * 0.5 + g * y / 6.0) * y.square();
        let slipped = beyond(force - g * rest, rest) + beyond(self.p.rho * force - g * a, a);
        self.load(n) * self.length(n) * (force * slip + slipped) * 0.5
    }

    fn loaded(&self) -> bool {
        self.p.mu.re() != 0.0
    }

    /// Ends of the stuck part over L, and the loads of first and of gross slip.
    fn observe(&self, n: S, x: S) -> Vec<(&'static str, &'static str, S)> {
        let point = self.at(x / self.length(n));
        vec![
            ("front_a", "1", point.a),
            ("front_b", "1", point.b),
            ("first_slip", "N", self.load(n) * self.one_end(S::lit(1.0)).force),
            ("gross_slip", "N", self.load(n)),
        ]
    }
}
