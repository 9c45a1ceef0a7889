//! Bristles that bond, stretch, snap and bond again: Haessig and Friedland.
use crate::{Event, Friction, Kind, Law, LawError, Mode, Scale, Slide, State};
use stickslip_real::Scalar;
use stickslip_real::random::{mix, part};

/// Springs between the surfaces that snap when stretched too far and bond again without stretch.
///
/// F = sum of sigma s_i,   s_i' = v;   s_i = 0 where |s_i| reaches its length l_i
/// The first length of each bristle is a random part of `length`, which gives them random phases; later ones are
/// length (1 + spread (2 U - 1)) with U between 0 and 1. Random numbers follow from the seed, the point, the bristle
/// and how often it has bonded.
#[derive(Clone, Debug, Kind)]
#[kind(
    "bristle",
    claims = "odd passive rate_independent random unsteady",
    reference = "D. A. Haessig and B. Friedland, J. Dyn. Syst. Meas. Control 113 (1991) 354; Berger 2002, section 2.3",
    example = "count = 8, sigma = '100 N/m', length = '1 mm'",
    load = 10.0,
    speed = 1e-3,
    slip = 1e-3
)]
pub struct Bristle<S = f64> {
    /// Number of bristles, a whole one.
    #[param(unit = "1", default = 25.0, min = 1.0, max = 1000.0)]
    pub count: S,
    /// Stiffness of each.
    #[param(unit = "N/m", above = 0.0)]
    pub sigma: S,
    /// Stretch at which one snaps.
    #[param(unit = "m", above = 0.0)]
    pub length: S,
    /// Part by which that stretch varies from bond to bond.
    #[param(unit = "1", default = 0.0, min = 0.0, below = 1.0)]
    pub spread: S,
}

/// A number in [0, 1) that belongs to these four, mixed one after the other.
fn random(seed: u64, point: usize, bristle: usize, bond: f64) -> f64 {
    part([point as u64, bristle as u64, bond as u64].into_iter().fold(mix(seed), |state, more| mix(state ^ more)))
}

impl<S: Scalar> Bristle<S> {
    /// How many there are.
    fn bristles(&self) -> usize {
        self.count.re().round() as usize
    }

    /// The stretch at which bristle i snaps after `bond` bonds.
    fn snaps(&self, at: &Slide<S, 1>, i: usize, bond: S) -> S {
        let u = random(at.seed, at.point, i, bond.re());
        // The first is never of no length.
        if bond.re() < 0.5 { self.length * (1.0 - u) } else { self.length * (self.spread * (2.0 * u - 1.0) + 1.0) }
    }
}

impl<S: Scalar> Law<S, 1> for Bristle<S> {
    fn respond(&self, at: &Slide<S, 1>, z: &[S], dz: &mut [S]) -> Friction<S, 1> {
        let n = self.bristles();
        dz[..n].fill(at.v[0]);
        dz[n..].fill(S::zero());
        Friction::Force([z[..n].iter().fold(S::zero(), |sum, s| sum + *s) * self.sigma])
    }

    /// The stretches, then how often each has bonded.
    fn states(&self) -> Vec<State> {
        let stretch = |i: usize| State {
            axis: Some(0),
            ..State::new(format!("s_{i}"), "m", 0.0, Scale::Linear(self.length.re())).means("Stretch of a bristle.")
        };
        let bonds = |i: usize| {
            State::new(format!("bonds_{i}"), "1", 0.0, Scale::Linear(1.0))
                .means("How often a bristle has bonded.")
                .held()
        };
        (1..=self.bristles()).map(stretch).chain((1..=self.bristles()).map(bonds)).collect()
    }

    fn step(&self, at: &Slide<S, 1>, dt: S, z0: &[S], z1: &mut [S], _: &mut [S]) -> Option<[S; 1]> {
        let n = self.bristles();
        let way = at.v[0] * dt;
        let sign = if way.re() < 0.0 { -1.0 } else { 1.0 };
        for i in 0..n {
            let (mut stretch, mut bond) = (z0[i] + way, z0[n + i]);
            loop {
                let over = stretch * sign - self.snaps(at, i, bond);
                if over.re() < 0.0 {
                    break;
                }
                (stretch, bond) = (over * sign, bond + 1.0);
            }
            (z1[i], z1[n + i]) = (stretch, bond);
        }
        Some([z1[..n].iter().fold(S::zero(), |sum, s| sum + *s) * self.sigma])
    }

    /// What is left of each bristle's stretch.
    fn guards(&self, at: &Slide<S, 1>, z: &[S], g: &mut Vec<S>) {
        let n = self.bristles();
        g.extend((0..n).map(|i| self.snaps(at, i, z[n + i]) - z[i].abs()));
    }

    /// A bristle that snaps bonds again without stretch; an open contact has none that is stretched.
    fn on(&self, event: Event<S>, at: &Slide<S, 1>, z: &mut [S]) {
        let n = self.bristles();
        match event {
            Event::Guard(i) if z[i].re().abs() >= self.snaps(at, i, z[n + i]).re() * (1.0 - NEAR) => {
                (z[i], z[n + i]) = (S::zero(), z[n + i] + 1.0);
            }
            Event::Enter(Mode::Open) => z[..n].fill(S::zero()),
            _ => (),
        }
    }

    fn stored(&self, _: &Slide<S, 1>, z: &[S]) -> S {
        z[..self.bristles()].iter().fold(S::zero(), |sum, s| sum + s.square()) * self.sigma * 0.5
    }

    fn fits(&self) -> Result<(), LawError> {
        let count = self.count.re();
        if count != count.round() {
            let message = format!("there are no {count} bristles");
            return Err(LawError::new("count", "out-of-range", message, "a whole number".into()));
        }
        Ok(())
    }
}

/// A bristle snaps this part before its length, where rounding let the event fall.
const NEAR: f64 = 1e-9;
