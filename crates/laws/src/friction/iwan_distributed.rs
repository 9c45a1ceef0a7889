//! Iwan's model with a continuous distribution of break-away slips, by Masing's rules.
use crate::Kind;
use crate::combine::{Backbone, Masing};
use stickslip_real::{Real, Scalar};

/// Jenkins elements without number: a power-law density of break-away slips, and a spike at gross slip.
///
/// F = stiffness x - R x^(chi+2)/((chi+1)(chi+2)),   0 <= x <= x_max, in first loading; loops by Masing's rules
/// x_max = limit (1+beta)/(stiffness (beta + (chi+1)/(chi+2))),   limit or mu N: the force of gross slip
/// R = limit (chi+1)/(x_max^(chi+2) (beta + (chi+1)/(chi+2)))
///
/// chi = 0, beta = 0 is the uniform distribution: F = stiffness (x - x^2/(2 x_max)). Under mu the load must not vary.
#[derive(Clone, Debug, Kind)]
#[kind(
    "iwan-distributed",
    into = "Masing<Distributed<S>>",
    one_of = "mu limit",
    claims = "odd passive rate_independent",
    reference = "D. J. Segalman, J. Appl. Mech. 72 (2005) 752; W. D. Iwan 1967; Berger 2002, Fig 5b",
    example = "stiffness = '3 N/mm', limit = '1.5 N', chi = -0.5, beta = 0.2",
    load = 10.0,
    speed = 1e-3,
    slip = 2e-3
)]
pub struct IwanDistributed<S = f64> {
    /// Stiffness at the start of loading.
    #[param(unit = "N/m", above = 0.0)]
    pub stiffness: S,
    /// Friction coefficient: gross slip begins at mu N.
    #[param(unit = "1", default = 0.0, min = 0.0)]
    pub mu: S,
    /// Force of gross slip, whatever the normal force.
    #[param(unit = "N", default = 0.0, min = 0.0)]
    pub limit: S,
    /// Exponent of the density; energy lost in small loops grows as the power chi + 3 of their force.
    #[param(unit = "1", default = 0.0, above = -1.0, max = 0.0)]
    pub chi: S,
    /// Stiffness that is left just before gross slip, over that of all the others.
    #[param(unit = "1", default = 0.0, min = 0.0)]
    pub beta: S,
}

/// The curve of first loading.
#[derive(Clone, Debug)]
pub struct Distributed<S>(IwanDistributed<S>);

impl<S: Real> From<IwanDistributed<S>> for Masing<Distributed<S>> {
    fn from(p: IwanDistributed<S>) -> Self {
        Masing { curve: Distributed(p) }
    }
}

impl<S: Scalar> Distributed<S> {
    /// (chi + 1)/(chi + 2) + beta.
    fn weight(&self) -> S {
        (self.0.chi + 1.0) / (self.0.chi + 2.0) + self.0.beta
    }

    /// (x/x_max)^(chi + 1), and the share of the stiffness that is lost before x_max.
    fn lost(&self, n: S, x: S) -> (S, S) {
        let part = (x / self.reach(n)).max(S::lit(1e-300));
        (part.pow(self.0.chi + 1.0), S::lit(1.0) / (self.0.beta + 1.0))
    }
}

impl<S: Scalar> Backbone<S> for Distributed<S> {
    fn reach(&self, n: S) -> S {
        (n * self.0.mu + self.0.limit) * (self.0.beta + 1.0) / (self.0.stiffness * self.weight())
    }

    fn force(&self, n: S, x: S) -> S {
        let (power, share) = self.lost(n, x);
        self.0.stiffness * x * (S::lit(1.0) - share * power / (self.0.chi + 2.0))
    }

    fn work(&self, n: S, x: S) -> S {
        let (power, share) = self.lost(n, x);
        let lost = share * power / ((self.0.chi + 2.0) * (self.0.chi + 3.0));
        self.0.stiffness * x * x * (S::lit(0.5) - lost)
    }

    fn loaded(&self) -> bool {
        self.0.mu.re() != 0.0
    }
}
