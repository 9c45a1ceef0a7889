//! What a friction law sees.
use super::law::{Inner, Mode};
use stickslip_real::Real;

/// A speed, m/s, at which every odd smooth law is linear, and whose products with forces still do not underflow.
const REST: f64 = 1e-200;

/// The sliding at a contact point, as shown to a friction law in D = 1 or 2 directions.
///
/// A new input is a new field, never a new argument. Made by [`Slide::new`] and the setters.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Slide<S, const D: usize> {
    /// Slip velocity, m/s. A set-valued law is to use [`Slide::speed`] alone: it never sees a sign.
    pub v: [S; D],
    /// Normal force (N), or pressure (Pa) for a law that claims `traction`; never negative.
    pub n: S,
    /// Rate of `n`.
    pub n_rate: S,
    /// A load below which there is none: what is left of much larger ones, and lost in their rounding. Zero where that is not
    /// known.
    pub no_load: S,
    /// Approach of the surfaces beyond first contact, m.
    pub approach: S,
    /// Real or nominal contact area, m^2, as the normal law reports it.
    pub area: S,
    /// Distance slipped along each direction, m. It is shown by `evaluate` alone, as `u` is: elsewhere a law that claims
    /// `position` is refused.
    pub slip: [S; D],
    /// The structure's own displacement along each direction, m; differs from `slip` on a moving surface.
    pub u: [S; D],
    /// Time, s.
    pub t: S,
    /// Spin of the contact frame, rad/s. Laws see none: the group turns the vectors among their states.
    pub spin: S,
    /// Slip velocity one lag ago, for laws that need history.
    pub lagged: [S; D],
    /// Slip acceleration, m/s^2, shown to `guards` and `on` alone: a force that answered it at once would be part of
    /// what causes it.
    pub acceleration: [S; D],
    /// Rate at which the tangential force that stick holds grows, N/s; zero in slip.
    pub force_rate: S,
    /// Mode of the contact.
    pub mode: Mode,
    /// Mode one lag ago.
    pub lagged_mode: Mode,
    /// Which of a law's own inner elements stick, as `Law::inner` said at the last event: between events an integrator
    /// keeps it, so that its trial points do not switch. None: the law decides by its states.
    pub inner: Option<Inner>,
    /// Seed of the contact, which follows from that of the run; for laws with a random part.
    pub seed: u64,
    /// Index of the point in its contact.
    pub point: usize,
}

impl<S: Real, const D: usize> Slide<S, D> {
    /// Sliding at velocity `v` under the normal force `n`; everything else at rest.
    pub fn new(v: [S; D], n: S) -> Self {
        let o = S::zero();
        Slide {
            v,
            n,
            n_rate: o,
            no_load: o,
            approach: o,
            area: S::lit(1.0),
            slip: [o; D],
            u: [o; D],
            t: o,
            spin: o,
            lagged: v,
            acceleration: [o; D],
            force_rate: o,
            mode: Mode::Forward,
            lagged_mode: Mode::Forward,
            inner: None,
            seed: 0,
            point: 0,
        }
    }

    /// With this rate of the normal force.
    pub fn with_load_rate(mut self, n_rate: S) -> Self {
        self.n_rate = n_rate;
        self
    }

    /// In this mode.
    pub fn with_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// With the inner elements held in stick or slip; see [`Slide::inner`].
    pub fn with_inner(mut self, held: Option<Inner>) -> Self {
        self.inner = held;
        self
    }

    /// At this time.
    pub fn with_time(mut self, t: S) -> Self {
        self.t = t;
        self
    }

    /// In a frame that spins at this rate.
    pub fn with_spin(mut self, spin: S) -> Self {
        self.spin = spin;
        self
    }

    /// Seen at these slip and displacement.
    pub fn with_position(mut self, slip: [S; D], u: [S; D]) -> Self {
        self.slip = slip;
        self.u = u;
        self
    }

    /// Magnitude of the slip velocity, with a safe derivative at rest.
    #[inline(always)]
    pub fn speed(&self) -> S {
        norm(&self.v)
    }

    /// Rate of the speed, from the acceleration; at rest the size of the acceleration.
    pub fn speed_rate(&self) -> S {
        let speed = self.speed();
        let at_rest = speed.lt(S::lit(REST));
        let along = dot(&self.v, &self.acceleration) / S::select(at_rest, S::lit(1.0), speed);
        S::select(at_rest, norm(&self.acceleration), along)
    }

    /// A vector of the given size along the slip velocity: `size(speed) * v / speed`.
    ///
    /// `size` must vanish with the speed, as an odd smooth law does: at rest the result is zero.
    #[inline(always)]
    pub fn along(&self, size: impl FnOnce(S) -> S) -> [S; D] {
        if D == 1 {
            // In one direction the sign is carried by the argument: an odd function needs no division.
            let speed = self.speed();
            let negative = self.v[0].lt(S::zero());
            let f = size(speed);
            return [S::select(negative, -f, f); D];
        }
        // Below REST the chord of `size` stands for its slope: value and derivative are right at rest too.
        let speed = self.speed();
        let safe = S::select(speed.lt(S::lit(REST)), S::lit(REST), speed);
        let ratio = size(safe) / safe;
        self.v.map(|v| v * ratio)
    }

    /// The same sliding with other scalars.
    pub fn map<T: Real>(&self, f: impl Fn(S) -> T) -> Slide<T, D> {
        Slide {
            v: self.v.map(&f),
            n: f(self.n),
            n_rate: f(self.n_rate),
            no_load: f(self.no_load),
            approach: f(self.approach),
            area: f(self.area),
            slip: self.slip.map(&f),
            u: self.u.map(&f),
            t: f(self.t),
            spin: f(self.spin),
            lagged: self.lagged.map(&f),
            acceleration: self.acceleration.map(&f),
            force_rate: f(self.force_rate),
            mode: self.mode,
            lagged_mode: self.lagged_mode,
            inner: self.inner,
            seed: self.seed,
            point: self.point,
        }
    }

    /// The first E directions.
    #[inline(always)]
    pub fn project<const E: usize>(&self) -> Slide<S, E> {
        let cut = |x: &[S; D]| {
            let mut out = [S::zero(); E];
            let shared = E.min(D);
            out[..shared].copy_from_slice(&x[..shared]);
            out
        };
        Slide {
            v: cut(&self.v),
            n: self.n,
            n_rate: self.n_rate,
            no_load: self.no_load,
            approach: self.approach,
            area: self.area,
            slip: cut(&self.slip),
            u: cut(&self.u),
            t: self.t,
            spin: self.spin,
            lagged: cut(&self.lagged),
            acceleration: cut(&self.acceleration),
            force_rate: self.force_rate,
            mode: self.mode,
            lagged_mode: self.lagged_mode,
            inner: self.inner,
            seed: self.seed,
            point: self.point,
        }
    }
}

/// Length of a vector; safe in dual arithmetic at zero, and without under- or overflow of the squares in a line.
#[inline(always)]
pub fn norm<S: Real, const D: usize>(x: &[S; D]) -> S {
    if D == 1 {
        return x[0].abs();
    }
    let largest = x.iter().fold(S::zero(), |m, c| m.max(c.abs()));
    // Below this the square of the length, by which slopes are divided, is no number any more.
    let at_rest = largest.lt(S::lit(1e-150));
    let scale = S::select(at_rest, S::lit(1.0), largest);
    let sum = x.iter().fold(S::zero(), |s, c| s + (*c / scale).square());
    // Under the root stands at least 1, except at rest, where x_1 stands in: its slope is one-sided but finite.
    S::select(at_rest, x[0].abs(), S::select(at_rest, S::lit(1.0), sum).sqrt() * scale)
}

/// Scalar product.
#[inline(always)]
pub fn dot<S: Real, const D: usize>(a: &[S; D], b: &[S; D]) -> S {
    (0..D).fold(S::zero(), |sum, i| sum + a[i] * b[i])
}
