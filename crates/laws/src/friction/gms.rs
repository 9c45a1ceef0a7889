//! Generalised Maxwell slip: elements that stick as springs and slide along the Stribeck curve with a lag.
use crate::{Event, Friction, Kind, Law, LawError, Mode, Scale, Slide, State};
use stickslip_real::Scalar;

/// Elements side by side that hold as springs up to their part of the Stribeck curve and follow it late in slip. Per unit
/// normal force:
///
/// stick: z_i' = k_i v until |z_i| reaches alpha_i s(v);   slip: z_i' = c (alpha_i sgn(v) - z_i/s(v)) until v turns back
/// F = N (sum of z_i + sigma_2 v),   s(v) = mu_c + (mu_s - mu_c) exp(-|v/v_s|^delta),   sum of alpha_i = 1
///
/// Passive only if the curve is followed slowly enough: c below k_i |v| where the curve rises again as the slip slows down.
#[derive(Clone, Debug, Kind)]
#[kind(
    "gms",
    claims = "odd passive_if load_linear",
    reference = "F. Al-Bender, V. Lampaert and J. Swevers, IEEE Trans. Autom. Control 50 (2005) 1883",
    example = "mu_c = 0.3, mu_s = 0.45, v_s = '1 mm/s', k = ['2e4 1/m', '1e4 1/m', '5e3 1/m'], alpha = [0.5, 0.3, 0.2], c = '30 1/s'",
    load = 10.0,
    speed = 2e-4,
    slip = 2e-5
)]
pub struct Gms<S = f64> {
    /// Kinetic (Coulomb) coefficient.
    #[param(unit = "1", above = 0.0)]
    pub mu_c: S,
    /// Static coefficient.
    #[param(unit = "1", min = "mu_c")]
    pub mu_s: S,
    /// Stribeck speed.
    #[param(unit = "m/s", above = 0.0)]
    pub v_s: S,
    /// Stiffness of each element per normal force.
    #[param(unit = "1/m", above = 0.0, column = "elements")]
    pub k: Vec<S>,
    /// Part of the curve that each element carries; their sum is 1.
    #[param(unit = "1", above = 0.0, column = "elements")]
    pub alpha: Vec<S>,
    /// How fast an element that slides follows the curve.
    #[param(unit = "1/s", above = 0.0)]
    pub c: S,
    /// Viscous coefficient per normal force.
    #[param(unit = "s/m", default = 0.0, min = 0.0)]
    pub sigma_2: S,
    /// Exponent of the Stribeck curve.
    #[param(unit = "1", default = 2.0, above = 0.0)]
    pub delta: S,
}

/// An element slides this part before its limit, where rounding let the event fall.
const NEAR: f64 = 1e-9;
/// The parts sum to 1 to this.
const WHOLE: f64 = 1e-9;

impl<S: Scalar> Gms<S> {
    /// The Stribeck curve.
    fn curve(&self, speed: S) -> S {
        let q = (speed / self.v_s).max(S::lit(1e-300));
        self.mu_c + (self.mu_s - self.mu_c) * (-q.pow(self.delta)).exp()
    }

    fn force(&self, at: &Slide<S, 1>, z: &[S]) -> S {
        let elements = z[..self.k.len()].iter().fold(S::zero(), |sum, z| sum + *z);
        at.n * (elements + self.sigma_2 * at.v[0])
    }
}

/// The sign of a number, towards the positive side at zero.
fn sign(x: f64) -> f64 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

impl<S: Scalar> Law<S, 1> for Gms<S> {
    fn respond(&self, at: &Slide<S, 1>, z: &[S], dz: &mut [S]) -> Friction<S, 1> {
        let n = self.k.len();
        let curve = self.curve(at.speed());
        for i in 0..n {
            let way = z[n + i].re();
            dz[i] = if way == 0.0 { self.k[i] * at.v[0] } else { self.c * (self.alpha[i] * way - z[i] / curve) };
        }
        dz[n..2 * n].fill(S::zero());
        Friction::Force([self.force(at, z)])
    }

    /// The forces, then which way each element slides.
    fn states(&self) -> Vec<State> {
        let axis = Some(0);
        let size = self.mu_c.re() / self.k.len().max(1) as f64;
        let force = |i: usize| State {
            axis,
            ..State::new(format!("z_{i}"), "1", 0.0, Scale::Linear(size))
                .means("Force of an element over the normal force.")
        };
        let way = |i: usize| State {
            axis,
            ..State::new(format!("way_{i}"), "1", 0.0, Scale::Linear(1.0))
                .means("Which way an element slides: 1 or -1; 0 where it sticks.")
                .held()
        };
        (1..=self.k.len()).map(force).chain((1..=self.k.len()).map(way)).collect()
    }

    fn step(&self, at: &Slide<S, 1>, dt: S, z0: &[S], z1: &mut [S], _: &mut [S]) -> Option<[S; 1]> {
        let n = self.k.len();
        let curve = self.curve(at.speed());
        for i in 0..n {
            let (limit, way) = (self.alpha[i] * curve, z0[n + i].re());
            let outward = way != 0.0 && way * at.v[0].re() > 0.0;
            let stuck = z0[i] + self.k[i] * at.v[0] * dt;
            (z1[i], z1[n + i]) = if outward {
                ((z0[i] + dt * self.c * self.alpha[i] * way) / (dt * self.c / curve + 1.0), z0[n + i])
            } else if stuck.re().abs() < limit.re() {
                (stuck, S::zero())
            } else {
                // On its limit it stays there.
                let side = sign(stuck.re());
                (limit * side, S::lit(side))
            };
        }
        Some([self.force(at, z1)])
    }

    /// What is left of each limit in stick, and the motion onwards in slip.
    fn guards(&self, at: &Slide<S, 1>, z: &[S], g: &mut Vec<S>) {
        let n = self.k.len();
        let curve = self.curve(at.speed());
        g.extend((0..n).map(|i| match z[n + i].re() {
            0.0 => self.alpha[i] * curve - z[i].abs(),
            way => at.v[0] * way,
        }));
    }

    fn on(&self, event: Event<S>, at: &Slide<S, 1>, z: &mut [S]) {
        let n = self.k.len();
        match event {
            Event::Guard(i) if z[n + i].re() != 0.0 => z[n + i] = S::zero(),
            Event::Guard(i) if z[i].re().abs() >= (1.0 - NEAR) * (self.alpha[i] * self.curve(at.speed())).re() => {
                z[n + i] = S::lit(sign(at.v[0].re()));
            }
            Event::Enter(Mode::Open) => z.fill(S::zero()),
            _ => (),
        }
    }

    fn stored(&self, at: &Slide<S, 1>, z: &[S]) -> S {
        let springs = z[..self.k.len()].iter().zip(&self.k);
        springs.fold(S::zero(), |sum, (z, k)| sum + z.square() / *k) * at.n * 0.5
    }

    fn fits(&self) -> Result<(), LawError> {
        let sum: f64 = self.alpha.iter().map(|x| x.re()).sum();
        if (sum - 1.0).abs() > WHOLE {
            let message = format!("the parts `alpha` sum to {sum}");
            return Err(LawError::new("alpha", "out-of-range", message, "parts of 1 whose sum is 1".into()));
        }
        Ok(())
    }
}
