//! Rate-and-state friction: the strength of contacts that age.
//!
//! The body of `respond` costs a logarithm of each state and one of the speed, which a solver on logarithmic scales knows
//! already, and an exponential; near rest a root and a logarithm more.
use crate::{Choice, Claims, Event, Friction, Kind, Law, Scale, Slide, State};
use stickslip_real::Real;

/// Friction that depends on the slip speed and on the age phi of the contacts, F = mu N.
///
/// form log:   mu = mu_0 + a ln(v/v_0) + sum b_i ln(v_0 phi_i/d_ci) + eta v, for positive speeds
/// form sinh:  mu = a asinh( v/(2 v_0) exp((mu_0 + sum b_i ln(v_0 phi_i/d_ci))/a) ) + eta v, odd and smooth through rest
/// evolution ageing:  phi' = 1 - v phi/d_c;   slip:  phi' = -(v phi/d_c) ln(v phi/d_c)
///
/// A change of the normal force lowers each ln phi by (alpha / sum b_i) ln(N2/N1), so that mu falls by alpha ln(N2/N1); a
/// motion reads sqrt(N^2 + N_0^2) for N there, with N_0 a millionth of its largest load, so that N may vanish.
/// Several states: `states = [{ b, d_c }, ..]`.
#[derive(Clone, Debug, Kind)]
#[kind(
    "rate-state",
    into = "AgeingContacts<S>",
    claims = "odd passive load_linear",
    reference = "J. H. Dieterich, J. Geophys. Res. 84 (1979) 2161; A. Ruina, J. Geophys. Res. 88 (1983) 10359; M. F. Linker and J. H. Dieterich, J. Geophys. Res. 97 (1992) 4923; Y. F. Lim and K. Chen, Dynamics of dry friction",
    example = "mu_0 = 0.369, a = 0.011, b = 0.025, v_0 = '1 um/s', d_c = '0.9 um'",
    load = 10.0,
    speed = 1e-6,
    slip = 0.9e-6
)]
pub struct RateState<S = f64> {
    /// How the speed enters: `sinh` is right at rest and in reverse, `log` needs a positive speed.
    #[param(choices = "sinh log", default = "sinh")]
    pub form: Choice,
    /// How the age evolves.
    #[param(choices = "ageing slip", default = "ageing")]
    pub evolution: Choice,
    /// Coefficient in steady sliding at `v_0`.
    #[param(unit = "1", min = 0.0)]
    pub mu_0: S,
    /// Direct effect of the speed.
    #[param(unit = "1", above = 0.0)]
    pub a: S,
    /// Effect of the age, one for each state.
    #[param(unit = "1", min = 0.0, column = "states")]
    pub b: Vec<S>,
    /// Reference speed.
    #[param(unit = "m/s", above = 0.0)]
    pub v_0: S,
    /// Slip over which contacts are renewed, one for each state.
    #[param(unit = "m", above = 0.0, column = "states")]
    pub d_c: Vec<S>,
    /// Viscous coefficient per normal force.
    #[param(unit = "s/m", default = 0.0, min = 0.0)]
    pub eta: S,
    /// Response of the age to a change of the normal force.
    #[param(unit = "1", default = 0.0, min = 0.0)]
    pub alpha: S,
}

/// A speed, m/s, far below any that matters, above which the sinh form is exact to rounding. Where exp(mu_0/a) would
/// overflow, the law is smooth on this scale instead of its own, which no floating-point number resolves.
const SLOWEST: f64 = 1e-30;
/// Above this ln(2x), asinh x and ln(2x) agree to rounding.
const LOGARITHMIC: f64 = 20.0;
/// Above this four terms of its expansion in 1/(2x)^2 are enough.
const ABOVE: f64 = 5.0;
/// Stands for zero where a logarithm or a division needs a positive number.
const TINY: f64 = 1e-300;

/// The law made from [`RateState`]: everything that does not depend on the motion is computed once.
#[derive(Clone, Debug)]
pub struct AgeingContacts<S = f64> {
    log_form: bool,
    slip_evolution: bool,
    a: S,
    eta: S,
    alpha: S,
    v_0: S,
    /// 1/(2 v_0).
    inverse_speed: S,
    ln_v_0: S,
    /// Argument of exp at ln phi_i = 0: (mu_0 + sum b_i ln(v_0/d_ci)) / a.
    offset: S,
    /// Largest argument of exp: ln(2 v_0/SLOWEST).
    largest: S,
    /// alpha / sum b_i.
    load_effect: S,
    branches: Vec<Branch<S>>,
    /// Parameters that were computed from others, to be reported.
    told: Vec<(&'static str, &'static str, S)>,
}

impl<S> AgeingContacts<S> {
    /// The same law, which reports these parameters.
    pub(super) fn telling(self, told: Vec<(&'static str, &'static str, S)>) -> Self {
        AgeingContacts { told, ..self }
    }
}

impl<S: Real> AgeingContacts<S> {
    /// What a load that changes takes of the rate of each ln phi.
    #[inline(always)]
    fn loading<const D: usize>(&self, at: &Slide<S, D>) -> S {
        // Where both are none, their product is, and so are its derivatives in either.
        let none = |x: S| S::all(x.abs().lt(S::lit(f64::MIN_POSITIVE)));
        if none(self.load_effect) && none(at.n_rate) {
            return S::zero();
        }
        // The rate of ln N; below what counts as a load it fades away, so that a contact may open and close.
        let square = at.n * at.n + at.no_load * at.no_load;
        let open = square.lt(S::lit(TINY));
        let growth = at.n_rate * at.n / S::select(open, S::lit(1.0), square);
        self.load_effect * S::select(open, S::zero(), growth)
    }
}

/// One state.
#[derive(Clone, Copy, Debug)]
struct Branch<S> {
    /// b/a.
    weight: S,
    d_c: S,
    inverse_d_c: S,
    ln_d_c: S,
}

impl<S: Real> From<RateState<S>> for AgeingContacts<S> {
    fn from(p: RateState<S>) -> Self {
        let length = |i: usize| p.d_c[i.min(p.d_c.len() - 1)];
        let branches: Vec<_> = (0..p.b.len())
            .map(|i| Branch {
                weight: p.b[i] / p.a,
                d_c: length(i),
                inverse_d_c: S::lit(1.0) / length(i),
                ln_d_c: length(i).ln(),
            })
            .collect();
        let ln_v_0 = p.v_0.ln();
        let at_reference = p.mu_0 / p.a;
        let sum_b = p.b.iter().fold(S::zero(), |sum, b| sum + *b);
        let no_age = sum_b.lt(S::lit(TINY));
        AgeingContacts {
            log_form: p.form == Choice(1),
            slip_evolution: p.evolution == Choice(1),
            offset: branches.iter().fold(at_reference, |sum, s| sum + s.weight * (ln_v_0 - s.ln_d_c)),
            largest: ln_v_0 + (2.0 / SLOWEST).ln(),
            load_effect: S::select(no_age, S::zero(), p.alpha / S::select(no_age, S::lit(1.0), sum_b)),
            inverse_speed: S::lit(0.5) / p.v_0,
            ln_v_0,
            v_0: p.v_0,
            a: p.a,
            eta: p.eta,
            alpha: p.alpha,
            branches,
            told: vec![],
        }
    }
}

impl<S: Real, const D: usize> Law<S, D> for AgeingContacts<S> {
    #[inline(always)]
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        let speed = at.speed();
        let loading = self.loading(at);
        // The log form has no value at rest and says so; the slip law has the limit 0, and is linear below SLOWEST.
        let ln_speed = match (self.log_form, self.slip_evolution) {
            (true, _) => speed.ln(),
            (false, true) => speed.max(S::lit(SLOWEST)).ln(),
            (false, false) => S::zero(),
        };
        let mut exponent = self.offset;
        for (i, branch) in self.branches.iter().enumerate() {
            let (phi, ln_phi) = (z[i], z[i].ln());
            exponent = exponent + branch.weight * ln_phi;
            let renewed = speed * phi * branch.inverse_d_c;
            let ageing = if self.slip_evolution {
                -(renewed * (ln_speed + ln_phi - branch.ln_d_c))
            } else {
                S::lit(1.0) - renewed
            };
            dz[i] = ageing - phi * loading;
        }
        if self.log_form {
            let mu = self.a * (exponent + (ln_speed - self.ln_v_0)) + self.eta * speed;
            return Friction::Force(at.along(|_| at.n * mu));
        }
        // With x = v/c, c = 2 v_0 exp(-exponent): asinh x. Where c < SLOWEST, asinh(v/c) = asinh x + excess with
        // x = v/SLOWEST, exact for v far above SLOWEST; x/sqrt(1 + x^2) leads the excess smoothly through rest.
        let ln_speed_ratio = speed.max(S::lit(TINY)).ln() - self.ln_v_0;
        let ln_2x = exponent.min(self.largest) + ln_speed_ratio;
        // Far above c and SLOWEST, asinh(v/c) = ln(2 v/c) to the last bit: no exponential is needed.
        let far = S::lit(LOGARITHMIC).lt(ln_2x);
        let of_far = self.a * (exponent + ln_speed_ratio);
        if S::all(far) {
            return Friction::Force(at.along(|speed| at.n * (of_far + self.eta * speed)));
        }
        // Above them asinh x = ln 2x + u - 3/2 u^2 + 10/3 u^3 and x/sqrt(1 + x^2) = 1 - 2 u + 6 u^2 - 20 u^3, u = 1/(2x)^2.
        let excess = (exponent - self.largest).pos();
        let above = S::lit(ABOVE).lt(ln_2x);
        let u = (ln_2x.max(S::lit(ABOVE)) * -2.0).exp();
        let asinh = ln_2x + u * (u * (u * (10.0 / 3.0) - 1.5) + 1.0);
        let led = excess * (u * (u * (u * -20.0 + 6.0) - 2.0) + 1.0);
        let of_above = S::select(far, of_far, self.a * (asinh + led));
        if S::all(above) {
            return Friction::Force(at.along(|speed| at.n * (of_above + self.eta * speed)));
        }
        let x_per_speed = exponent.min(self.largest).exp() * self.inverse_speed;
        Friction::Force(at.along(|speed| {
            let x = x_per_speed * speed;
            let root = (x * x + 1.0).sqrt();
            let asinh = (x + x * x / (root + 1.0)).ln_1p();
            let near = self.a * (asinh + excess * (x / root));
            at.n * (S::select(above, of_above, near) + self.eta * speed)
        }))
    }

    fn states(&self) -> Vec<State> {
        let one = |(i, branch): (usize, &Branch<S>)| {
            let name = if self.branches.len() == 1 { "phi".into() } else { format!("phi_{}", i + 1) };
            let start = branch.d_c.sample() / self.v_0.sample();
            State::new(name, "s", start, Scale::Log).means("Mean age of the junctions.")
        };
        self.branches.iter().enumerate().map(one).collect()
    }

    /// Age sharpens the law without limit, so that no speed above SLOWEST is small: below it the law is linear.
    fn velocity_scale(&self) -> Scale {
        if self.log_form { Scale::Log } else { Scale::Asinh(SLOWEST) }
    }

    /// c = 2 v_0 exp(-exponent), or SLOWEST.
    fn rest_speed(&self, z: &[S]) -> Option<S> {
        if self.log_form {
            return None;
        }
        let exponent = self.branches.iter().zip(z).fold(self.offset, |sum, (branch, z)| sum + branch.weight * z.ln());
        Some(self.v_0 * 2.0 * (-exponent.min(self.largest)).exp())
    }

    /// A jump of the normal force is a jump of ln phi; a contact that opens or closes keeps its age.
    fn on(&self, event: Event<S>, _: &Slide<S, D>, z: &mut [S]) {
        if let Event::Load { from, to } = event {
            let closed = S::both(S::zero().lt(from), S::zero().lt(to));
            let ratio = S::select(closed, to, S::lit(1.0)) / S::select(closed, from, S::lit(1.0));
            let factor = (-(self.load_effect * ratio.ln())).exp();
            z.iter_mut().for_each(|phi| *phi = *phi * factor);
        }
    }

    fn observe(&self, _: &Slide<S, D>, _: &[S]) -> Vec<(&'static str, &'static str, S)> {
        self.told.clone()
    }

    /// Below the speed at which its logarithm vanishes the log form pushes: a motion that comes to rest has left it.
    fn fault(&self, at: &Slide<S, D>, z: &[S]) -> Option<&'static str> {
        let mut dz = z.to_vec();
        let Friction::Force(f) = self.respond(at, z, &mut dz) else { return None };
        let power = (0..D).map(|d| f[d].sample() * at.v[d].sample()).sum::<f64>();
        let pushes = self.log_form && at.n.sample() > 0.0 && (power.is_nan() || power <= 0.0);
        pushes.then_some(
            "the slip comes to rest, where the log form of the law pushes instead of resisting; form = \"sinh\" is right \
             there",
        )
    }

    /// The log form is undefined at rest, and pushes instead of resisting at very low speeds.
    fn claims(&self, of_kind: Claims) -> Claims {
        Claims {
            load_rate: self.alpha.sample() != 0.0,
            positive_speed: self.log_form,
            passive: !self.log_form,
            ..of_kind
        }
    }
}
