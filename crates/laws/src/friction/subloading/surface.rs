//! Sliding surfaces f(n, t) = F in the plane of pressure n and tangential traction t >= 0.
use stickslip_real::Real;

/// The shape of the sliding surface; all are similar about the origin, f(s n, s t) = s f(n, t).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// f = n exp(chi^2/2), chi = t/(M n).
    Tear,
    /// f = n/(1 - chi/2).
    Quadric,
}

/// Smallest pressure that is divided by.
const TINY: f64 = 1e-300;
/// Least 1 - chi/2: what is left of it by rounding where the pressure is next to nothing.
const ROUNDED: f64 = 1e-17;

impl Surface {
    /// Size f(n, t) of the surface through a point.
    #[inline(always)]
    pub fn size<S: Real>(self, m: S, n: S, t: S) -> S {
        match self {
            Surface::Tear => n * bulge(ratio(m, n, t)),
            Surface::Quadric => n * rise(ratio(m, n, t)),
        }
    }

    /// Slopes of f in n and in t.
    #[inline(always)]
    pub fn gradient<S: Real>(self, m: S, n: S, t: S) -> (S, S) {
        match self {
            Surface::Tear => {
                let chi = ratio(m, n, t);
                let b = bulge(chi);
                ((S::lit(1.0) - chi * chi) * b, chi / m * b)
            }
            Surface::Quadric => {
                let chi = ratio(m, n, t);
                let a = rise(chi);
                ((S::lit(1.0) - chi) * a * a, a * a / (m * 2.0))
            }
        }
    }

    /// The tangential traction on the surface of size F at the pressure n; zero where n exceeds F.
    #[inline(always)]
    pub fn limit<S: Real>(self, m: S, n: S, size: S) -> S {
        match self {
            Surface::Tear => {
                let beyond = size.lt(n);
                let log = (size / S::select(beyond, size, n.max(S::lit(TINY)))).ln();
                // A root has no slope at zero: the limit is then constant.
                let none = log.lt(S::lit(TINY));
                m * n * S::select(none, S::zero(), (S::select(none, S::lit(1.0), log) * 2.0).sqrt())
            }
            Surface::Quadric => m * n * (S::lit(1.0) - n / size).pos() * 2.0,
        }
    }
}

/// t/(M n).
#[inline(always)]
fn ratio<S: Real>(m: S, n: S, t: S) -> S {
    t / (m * n.max(S::lit(TINY)))
}

#[inline(always)]
fn bulge<S: Real>(chi: S) -> S {
    (chi * chi * 0.5).exp()
}

/// 1/(1 - chi/2); all surfaces end before chi = 2, beyond is no number.
#[inline(always)]
fn rise<S: Real>(chi: S) -> S {
    let left = S::lit(1.0) - chi * 0.5;
    S::lit(1.0) / S::select(left.lt(S::lit(-ROUNDED)), S::lit(f64::NAN), left.max(S::lit(ROUNDED)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hashiguchi & Ozaki, static and kinetic limits of Figs 3, 6 and 7.
    #[test]
    fn limits_are_static_and_kinetic_friction() {
        for (m, n, f_s, f_k, tear, quadric) in [
            (0.3, 10.0, 100.0, 30.0, [0.6437898078868042, 0.44469114221025335], [0.54, 0.4]),
            (0.28, 10.0, 120.0, 25.0, [0.6242061860369204, 0.37904404329558794], [0.5133333333333333, 0.336]),
            (0.16, 138.0, 1200.0, 200.0, [0.332771010323446, 0.1378349030079486], [0.2832, 0.0992]),
        ] {
            for (surface, expected) in [(Surface::Tear, tear), (Surface::Quadric, quadric)] {
                for (size, mu) in [(f_s, expected[0]), (f_k, expected[1])] {
                    let t: f64 = surface.limit(m, n, size);
                    assert!((t / n - mu).abs() < 1e-10);
                    assert!((surface.size(m, n, t) / size - 1.0).abs() < 1e-14);
                }
                assert_eq!(surface.limit(m, n, 0.9 * n), 0.0);
            }
        }
    }

    /// Eqs 32 and 36 at f_n = 10, f_t = 3.7, M = 0.3.
    #[test]
    fn gradients_agree_with_the_reference_and_with_euler() {
        let (n, t) = (10.0, 3.7);
        let (dn, dt) = Surface::Tear.gradient(0.3, n, t);
        assert!((dn + 1.1148987132791954f64).abs() < 1e-10 && (dt - 8.795576202842266f64).abs() < 1e-10);
        // Homogeneous of degree one: f = n f_n + t f_t.
        for surface in [Surface::Tear, Surface::Quadric] {
            let (dn, dt) = surface.gradient(0.3, n, t);
            assert!((n * dn + t * dt - surface.size(0.3, n, t)).abs() < 1e-12);
        }
    }
}
