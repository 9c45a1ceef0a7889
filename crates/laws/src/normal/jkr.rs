//! A soft adhesive sphere.
use crate::{Event, Kind, Mode, Normal, NormalLaw, Press, Scale, State};
use std::f64::consts::PI;
use stickslip_real::Real;

/// Adhesive contact of a soft sphere, after Johnson, Kendall and Roberts: it snaps in when it touches and holds until it is
/// pulled off.
///
/// N = pi w R (x^3/6 - x^(3/2)),   a = a_1 (x^2 - 4 sqrt(x))/3,   contact radius r_1 x,   x >= 1
/// r_1 = (pi w R^2/(8 E))^(1/3),   a_1 = 3/4 (pi^2 w^2 R/E^2)^(1/3)
///
/// Snap-in at a = 0 with N = -4/3 pi w R; pull-off at a = -a_1 with N = -5/6 pi w R, or under a given force at -3/2 pi w R.
/// The state `touching` (1 or 0) remembers. The Tabor parameter (R w^2/(E^2 z_0^3))^(1/3) should be above 5.
#[derive(Clone, Debug, Kind)]
#[kind(
    "jkr",
    claims = "elastic adhesive",
    reference = "K. L. Johnson, K. Kendall and A. D. Roberts, Proc. R. Soc. Lond. A 324 (1971) 301",
    example = "E = '10 MPa', R = '1 mm', w = '50 mJ/m^2', z_0 = '0.3 nm'",
    opening = 0.5e-6,
    approach = 2e-6
)]
#[allow(non_snake_case)]
pub struct Jkr<S = f64> {
    /// Contact modulus: 1/E = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2.
    #[param(unit = "Pa", above = 0.0)]
    pub E: S,
    /// Relative radius: 1/R = 1/R_1 + 1/R_2.
    #[param(unit = "m", above = 0.0)]
    pub R: S,
    /// Work of adhesion.
    #[param(unit = "J/m^2", above = 0.0)]
    pub w: S,
    /// Equilibrium separation of the atoms, for the Tabor parameter; zero where it is not known.
    #[param(unit = "m", default = 0.0, min = 0.0)]
    pub z_0: S,
}

/// Part of the approach at pull-off by which one stays short of it.
const SHORT_OF: f64 = 1e-18;
/// Newton iterations for the contact radius: the first guess is less than twice as large.
const NEWTON: usize = 6;

impl<S: Real> Jkr<S> {
    /// Approach beyond which contact can't be held, as a positive number.
    fn reach(&self) -> S {
        (self.w * self.w * self.R * (PI * PI) / (self.E * self.E)).powf(1.0 / 3.0) * 0.75
    }

    /// The square root of x at a gap: the larger root of s^4 - 4 s = 3 a/a_1.
    ///
    /// With e = s - 1 and what is left up to the pull-off, d = 1 + a/a_1: e sqrt(e^2 + 4 e + 6) = sqrt(3 d), which is convex.
    /// Newton's method comes down from the lower of two bounds, and no digit is lost where the branch ends.
    fn root(&self, gap: S) -> S {
        // At the end of the branch the stiffness is infinite: one stops short of it.
        let left = ((self.reach() - gap) / self.reach()).max(S::lit(SHORT_OF)) * 3.0;
        let target = left.sqrt();
        let mut e = (target * (1.0 / 6f64.sqrt())).min(target.sqrt());
        for _ in 0..NEWTON {
            let root = (e * e + e * 4.0 + 6.0).sqrt();
            e = e - (e * root - target) / (root + e * (e + 2.0) / root);
        }
        e + 1.0
    }

    fn unit(&self) -> S {
        self.w * self.R * PI
    }
}

impl<S: Real> NormalLaw<S> for Jkr<S> {
    fn respond(&self, at: &Press<S>, z: &[S]) -> Normal<S> {
        let s = self.root(at.gap);
        let cube = s * s * s;
        let x = s * s;
        let radius = x * (self.w * self.R * self.R * (PI / 8.0) / self.E).powf(1.0 / 3.0);
        let force = self.unit() * (cube * cube / 6.0 - cube);
        let fourth = x * x;
        let bracket = fourth * (cube * (cube / 60.0 - 1.0 / 6.0) + 0.25);
        let touching = S::lit(0.5).lt(z[0]);
        let pick = |value: S| S::select(touching, value, S::zero());
        Normal::force(pick(force), pick(radius * radius * PI))
            .storing(pick(self.unit() * self.reach() * bracket * (4.0 / 3.0)))
    }

    fn states(&self) -> Vec<State> {
        vec![State::new("touching", "1", 0.0, Scale::Linear(1.0)).means("1 in contact, 0 apart.")]
    }

    /// What touches is held up to the reach; what does not meets at zero gap.
    fn touch(&self, at: &Press<S>, z: &[S]) -> Option<S> {
        Some(S::select(S::lit(0.5).lt(z[0]), self.reach(), S::zero()) - at.gap)
    }

    fn on(&self, event: Event<S>, at: &Press<S>, z: &mut [S]) {
        z[0] = match event {
            Event::Enter(Mode::Open) => S::zero(),
            Event::Enter(_) => S::lit(1.0),
            // At the start, and after a jump: what overlaps touches, what is too far does not.
            _ => {
                let held = S::select(at.gap.lt(self.reach()), z[0], S::zero());
                S::select(at.gap.lt(S::zero()), S::lit(1.0), held)
            }
        };
    }

    fn observe(&self, at: &Press<S>, z: &[S]) -> Vec<(&'static str, &'static str, S)> {
        let Normal::Force { area, .. } = self.respond(at, z) else { return vec![] };
        let mut seen = vec![("contact_radius", "m", (area / PI).sqrt()), ("pull_off", "N", self.unit() * 1.5)];
        if S::all(S::zero().lt(self.z_0)) {
            seen.push(("tabor", "1", super::tabor(self.R, self.w, self.E, self.z_0)));
        }
        seen
    }
}
