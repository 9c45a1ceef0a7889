//! Rate-and-state friction whose parameters come from thermally activated creep.
use super::rate_state::{AgeingContacts, RateState};
use crate::{Choice, Kind};
use stickslip_real::Real;

/// Boltzmann's constant, J/K.
const BOLTZMANN: f64 = 1.380649e-23;

/// Rate-and-state friction of contacts that creep by thermal activation over barriers which grow with their age.
///
/// v = (omega_0 spacing/pi) sinh(F spacing/(2 sigma)) exp(-barrier/sigma),   sigma = N creep k_B T,   barrier = N (e_0 + e_1 ln(phi/t_0))
/// phi' = 1 - v phi/d_c (or the slip law)
/// This is `rate-state` in the form sinh with a = 2 creep k_B T/spacing,  b = 2 e_1/spacing,
/// mu_0 = 2 e_0/spacing + b ln(d_c/(v_0 t_0)) + a ln(2 pi v_0/(omega_0 spacing)); `evaluate` prints them.
#[derive(Clone, Debug, Kind)]
#[kind(
    "thermal-creep",
    into = "AgeingContacts<S>",
    claims = "odd passive load_linear",
    reference = "Y. F. Lim and K. Chen, Dynamics of dry friction, eqs 5-12; F. Heslot et al., Phys. Rev. E 49 (1994) 4973",
    example = "spacing = '1 nm', omega_0 = '1e12 rad/s', temperature = '300 K', creep = '1.3279e9 1/N', e_0 = '2.166e-10 m', e_1 = '0.0125 nm', d_c = '0.9 um', eta = '14 s/m'",
    load = 11.772,
    speed = 1e-6,
    slip = 0.9e-6
)]
pub struct ThermalCreep<S = f64> {
    /// Distance between neighbouring minima of the potential.
    #[param(unit = "m", above = 0.0)]
    pub spacing: S,
    /// Frequency about a minimum: how often an escape is tried.
    #[param(unit = "rad/s", above = 0.0)]
    pub omega_0: S,
    /// Temperature.
    #[param(unit = "K", above = 0.0)]
    pub temperature: S,
    /// Degrees of freedom that creep together, per normal force.
    #[param(unit = "1/N", above = 0.0)]
    pub creep: S,
    /// Barrier at the age `t_0`, per normal force.
    #[param(unit = "m", min = 0.0)]
    pub e_0: S,
    /// Growth of the barrier for each factor e of the age, per normal force.
    #[param(unit = "m", min = 0.0)]
    pub e_1: S,
    /// Age to which `e_0` belongs.
    #[param(unit = "s", default = 1.0, above = 0.0)]
    pub t_0: S,
    /// Slip over which contacts are renewed.
    #[param(unit = "m", above = 0.0)]
    pub d_c: S,
    /// Reference speed of the reported parameters; friction does not depend on it.
    #[param(unit = "m/s", default = 1e-6, above = 0.0)]
    pub v_0: S,
    /// How the age evolves.
    #[param(choices = "ageing slip", default = "ageing")]
    pub evolution: Choice,
    /// Viscous coefficient per normal force.
    #[param(unit = "s/m", default = 0.0, min = 0.0)]
    pub eta: S,
}

impl<S: Real> ThermalCreep<S> {
    /// The parameters of rate-and-state friction that follow.
    pub fn rate_state(&self) -> RateState<S> {
        let a = self.creep * self.temperature * (2.0 * BOLTZMANN) / self.spacing;
        let b = self.e_1 * 2.0 / self.spacing;
        let natural = self.omega_0 * self.spacing / std::f64::consts::TAU;
        let mu_0 =
            self.e_0 * 2.0 / self.spacing + b * (self.d_c / (self.v_0 * self.t_0)).ln() + a * (self.v_0 / natural).ln();
        RateState {
            form: Choice(0),
            evolution: self.evolution,
            mu_0,
            a,
            b: vec![b],
            v_0: self.v_0,
            d_c: vec![self.d_c],
            eta: self.eta,
            alpha: S::zero(),
        }
    }
}

impl<S: Real> From<ThermalCreep<S>> for AgeingContacts<S> {
    fn from(p: ThermalCreep<S>) -> Self {
        let parameters = p.rate_state();
        let told = vec![("a", "1", parameters.a), ("b", "1", parameters.b[0]), ("mu_0", "1", parameters.mu_0)];
        AgeingContacts::from(parameters).telling(told)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Friction, Law, Slide};

    /// Eq 8 solved for the force, written out: F = (2 sigma/spacing) asinh(v pi/(omega_0 spacing) exp(barrier/sigma)).
    #[test]
    fn friction_is_that_of_the_creep_equation_whatever_the_reference_speed() {
        for v_0 in [1e-6, 3e-4] {
            let law = ThermalCreep {
                spacing: 1e-9,
                omega_0: 1e9,
                temperature: 300.0,
                creep: 2.4e9,
                e_0: 5e-11,
                e_1: 1.25e-11,
                t_0: 1.0,
                d_c: 9e-7,
                v_0,
                evolution: Choice(0),
                eta: 0.0,
            };
            let (n, v, phi) = (12.0, 2e-6, 0.7f64);
            let sigma: f64 = n * 2.4e9 * BOLTZMANN * 300.0;
            let barrier = n * (5e-11 + 1.25e-11 * phi.ln());
            let expected =
                2.0 * sigma / 1e-9 * (v * std::f64::consts::PI / (1e9 * 1e-9) * (barrier / sigma).exp()).asinh();
            let law = AgeingContacts::from(law);
            let Friction::Force([f]) = law.respond(&Slide::new([v], n), &[phi], &mut [0.0]) else { panic!("a force") };
            assert!((f / expected - 1.0).abs() < 1e-12, "{f} {expected}");
        }
    }
}
