//! Subloading friction with the transition between static and kinetic friction.
use crate::{Choice, Event, Friction, Kind, Law, Mode, Scale, Slide, State, dot, norm};
use stickslip_real::Scalar;

mod surface;
pub use surface::Surface;

/// Elastic-plastic sliding whose surface shrinks by slip and recovers with time. A traction law.
///
/// Surfaces, with chi = t/(M n): tear f = n exp(chi^2/2), quadric f = n/(1 - chi/2).
///
/// f' = alpha_t (v - lambda e),   e = f/|f|,   R = f(n, |f|)/F
/// F' = -kappa (F/F_k - 1)^m lambda + eta (1 - F/F_s)^n,   R' = -u ln(R) lambda
/// Consistency, with f_n and f_t the slopes of the surface f(n, t):
/// lambda D = f_n n' + f_t alpha_t e.v - R eta (1 - F/F_s)^n,   D = alpha_t f_t - u ln(R) F - R kappa (F/F_k - 1)^m
/// Plastic where the right side is positive, else lambda = 0. Both powers are zero beyond their range.
///
/// D <= 0 under plastic loading is snap-back: no slip rate answers the motion. The rates are then not numbers.
#[derive(Clone, Debug, Kind)]
#[kind(
    "subloading",
    claims = "odd passive traction load_rate",
    reference = "K. Hashiguchi and S. Ozaki, J. Appl. Mech. JSCE (2006), eqs 18, 19, 27, 28",
    example = "M = 0.3, F_s = '100 MPa', F_k = '30 MPa', kappa = '1000 MPa/mm', m = 1, eta = '10 MPa/s', n = 2, u = '100 1/mm', alpha_t = '100 MPa/mm'",
    load = 1e7,
    speed = 1e-5,
    slip = 1e-4
)]
#[allow(non_snake_case)]
pub struct Subloading<S = f64> {
    /// Shape of the sliding surface.
    #[param(choices = "tear quadric", default = "tear")]
    pub surface: Choice,
    /// Friction parameter of the surface.
    #[param(unit = "1", above = 0.0)]
    pub M: S,
    /// Size of the surface for static friction.
    #[param(unit = "Pa", above = "F_k")]
    pub F_s: S,
    /// Size of the surface for kinetic friction.
    #[param(unit = "Pa", above = 0.0)]
    pub F_k: S,
    /// Rate at which slip shrinks the surface.
    #[param(unit = "Pa/m", min = 0.0)]
    pub kappa: S,
    /// Exponent of the shrinking.
    #[param(unit = "1", above = 0.0)]
    pub m: S,
    /// Rate at which the surface recovers with time.
    #[param(unit = "Pa/s", min = 0.0)]
    pub eta: S,
    /// Exponent of the recovery.
    #[param(unit = "1", above = 0.0)]
    pub n: S,
    /// Rate at which slip brings the traction to the surface.
    #[param(unit = "1/m", above = 0.0)]
    pub u: S,
    /// Tangential stiffness.
    #[param(unit = "Pa/m", above = 0.0)]
    pub alpha_t: S,
    /// Size of the surface at the start.
    #[param(unit = "Pa", default = "F_s", above = 0.0)]
    pub F_0: S,
}

/// Smallest number that is divided by or has a logarithm.
const TINY: f64 = 1e-300;
/// Part of the traction M n below which plastic slip loses its direction: growing pressure makes a contact without
/// traction slip, and the paper does not say which way.
const FADING: f64 = 1e-6;

/// Part of the size F below which a pressure leaves no digits for the traction: there is none.
const NOTHING: f64 = 1e-12;

/// What decides about plastic slip, and its terms.
struct Loading<S, const D: usize> {
    /// lambda D: the switch.
    drive: S,
    /// D.
    modulus: S,
    /// Loss of size per plastic slip.
    softening: S,
    /// Gain of size per time.
    recovery: S,
    /// Direction of plastic slip.
    e: [S; D],
}

/// x^p for x >= 0 as x x^(p-1): the value and, for p >= 1, the slope are right at zero. Zero for negative x.
#[inline(always)]
fn power<S: Scalar>(x: S, p: S) -> S {
    let x = x.pos();
    x * x.max(S::lit(TINY)).pow(p - 1.0)
}

impl<S: Scalar> Subloading<S> {
    /// The shape of the sliding surface.
    pub fn shape(&self) -> Surface {
        [Surface::Tear, Surface::Quadric][self.surface.0]
    }

    /// Ratio R of the surface through the traction of size `t` at the pressure `n` to the sliding surface of size `F`.
    #[inline(always)]
    #[allow(non_snake_case)]
    pub fn ratio(&self, n: S, t: S, F: S) -> S {
        self.shape().size(self.M, n, t) / F
    }

    /// Gain of size per time.
    #[inline(always)]
    fn recovery(&self, size: S) -> S {
        self.eta * power(-(size / self.F_s - 1.0), self.n)
    }

    /// Whether the pressure leaves room for any traction.
    #[inline(always)]
    fn pressed(&self, n: S, size: S) -> bool {
        n.re() > NOTHING * size.re()
    }

    #[inline(always)]
    fn loading<const D: usize>(&self, at: &Slide<S, D>, z: &[S]) -> Loading<S, D> {
        let f: [S; D] = std::array::from_fn(|i| z[i]);
        let size = z[D];
        let t = norm(&f);
        let e = f.map(|f| f / t.max(self.M * at.n * FADING).max(S::lit(TINY)));
        let (f_n, f_t) = self.shape().gradient(self.M, at.n, t);
        let ratio = self.ratio(at.n, t, size);
        let softening = self.kappa * power(size / self.F_k - 1.0, self.m);
        let recovery = self.recovery(size);
        let approach = -(self.u * ratio.max(S::lit(TINY)).ln());
        Loading {
            drive: f_n * at.n_rate + f_t * self.alpha_t * dot(&e, &at.v) - ratio * recovery,
            modulus: self.alpha_t * f_t + approach * size - ratio * softening,
            softening,
            recovery,
            e,
        }
    }
}

impl<S: Scalar, const D: usize> Law<S, D> for Subloading<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        if !self.pressed(at.n, z[D]) {
            dz[..D].fill(S::zero());
            dz[D] = self.recovery(z[D]);
            return Friction::Force([S::zero(); D]);
        }
        let Loading { drive, modulus, softening, recovery, e } = self.loading(at, z);
        let slip = if drive.re() <= 0.0 {
            S::zero()
        } else if modulus.re() <= 0.0 {
            S::lit(f64::NAN)
        } else {
            drive / modulus
        };
        for i in 0..D {
            dz[i] = self.alpha_t * (at.v[i] - slip * e[i]);
        }
        dz[D] = recovery - softening * slip;
        Friction::Force(std::array::from_fn(|i| z[i]))
    }

    fn states(&self) -> Vec<State> {
        let size = self.F_s.re();
        let mut states = State::vector::<D>("f", "Pa", self.M.re() * size, "Tangential traction.");
        states.push(State::new("F", "Pa", self.F_0.re(), Scale::Linear(size)).means("Size of the sliding surface."));
        states
    }

    /// The switch between elastic and plastic: the rates have a kink where it changes sign.
    fn guards(&self, at: &Slide<S, D>, z: &[S], g: &mut Vec<S>) {
        g.push(if self.pressed(at.n, z[D]) { self.loading(at, z).drive } else { S::lit(-1.0) });
    }

    /// A jump of the pressure leaves no traction beyond the sliding surface; an open contact carries none.
    fn on(&self, event: Event<S>, _: &Slide<S, D>, z: &mut [S]) {
        let limit = match event {
            Event::Load { to, .. } if self.pressed(to, z[D]) => self.shape().limit(self.M, to, z[D]),
            Event::Load { .. } | Event::Enter(Mode::Open) => S::zero(),
            _ => return,
        };
        let f: [S; D] = std::array::from_fn(|i| z[i]);
        let t = norm(&f);
        if t.re() > limit.re() {
            z[..D].iter_mut().for_each(|x| *x = *x / t * limit);
        }
    }

    /// Elastic energy per area, J/m^2.
    fn stored(&self, _: &Slide<S, D>, z: &[S]) -> S {
        z[..D].iter().fold(S::zero(), |sum, f| sum + f.square()) / self.alpha_t * 0.5
    }

    /// The ratio R, the slopes of the surface, and friction on the surfaces of static and of kinetic friction.
    fn observe(&self, at: &Slide<S, D>, z: &[S]) -> Vec<(&'static str, &'static str, S)> {
        let f: [S; D] = std::array::from_fn(|i| z[i]);
        let t = norm(&f);
        let (slope_n, slope_t) = self.shape().gradient(self.M, at.n, t);
        let limit = |size: S| self.shape().limit(self.M, at.n, size) / at.n.max(S::lit(TINY));
        vec![
            ("R", "1", self.ratio(at.n, t, z[D])),
            ("surface_slope_normal", "1", slope_n),
            ("surface_slope_tangential", "1", slope_t),
            ("static_limit", "1", limit(self.F_s)),
            ("kinetic_limit", "1", limit(self.F_k)),
        ]
    }

    fn fault(&self, at: &Slide<S, D>, z: &[S]) -> Option<&'static str> {
        let Loading { drive, modulus, .. } = self.loading(at, z);
        let pressed = self.pressed(at.n, z[D]);
        (pressed && drive.re() > 0.0 && modulus.re() <= 0.0).then_some(
            "snap-back: the sliding surface shrinks faster than the elastic slip can follow (D <= 0); \
             raise alpha_t or u, or lower M or kappa",
        )
    }
}

#[cfg(test)]
#[path = "subloading/tests.rs"]
mod tests;
