//! Sums of harmonics: a motion as the mean, cosines and sines of each coordinate.
use std::f64::consts::TAU;
use stickslip_solve::root::Bracket;

/// Places of a period at which a motion is looked at for where it turns, for each harmonic.
const PLACES: usize = 16;

/// Harmonics of a period: 1, cos(w t), sin(w t), cos(2 w t), ..
#[derive(Clone, Copy, Debug)]
pub struct Basis {
    /// Number of harmonics.
    pub harmonics: usize,
    /// The period, s.
    pub period: f64,
}

/// The functions of a basis at an instant, with their first and second rates.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    pub value: Vec<f64>,
    pub rate: Vec<f64>,
    pub bend: Vec<f64>,
}

impl Basis {
    /// Functions of the basis.
    pub fn len(&self) -> usize {
        2 * self.harmonics + 1
    }

    /// Angular frequency of the first harmonic.
    pub fn omega(&self) -> f64 {
        TAU / self.period
    }

    /// The functions at an instant.
    pub fn at(&self, t: f64, out: &mut Functions) {
        let omega = self.omega();
        for list in [&mut out.value, &mut out.rate, &mut out.bend] {
            list.clear();
            list.resize(self.len(), 0.0);
        }
        out.value[0] = 1.0;
        let (s1, c1) = (omega * t).sin_cos();
        let (mut s, mut c) = (s1, c1);
        for k in 1..=self.harmonics {
            let w = omega * k as f64;
            (out.value[2 * k - 1], out.value[2 * k]) = (c, s);
            (out.rate[2 * k - 1], out.rate[2 * k]) = (-w * s, w * c);
            (out.bend[2 * k - 1], out.bend[2 * k]) = (-w * w * c, -w * w * s);
            (s, c) = (s * c1 + c * s1, c * c1 - s * s1);
        }
    }

    /// By which a product with function `b`, integrated over the period, becomes the factor of that function.
    pub fn norm(&self, b: usize) -> f64 {
        if b == 0 { 1.0 / self.period } else { 2.0 / self.period }
    }

    /// Smallest and largest value of a sum, and the instants at which they are taken first.
    pub fn extremes(&self, factors: &[f64]) -> [(f64, f64); 2] {
        let count = PLACES * self.harmonics.max(1);
        let mut room = Functions::default();
        let mut look = |t: f64| {
            self.at(t, &mut room);
            let sum = |list: &[f64]| factors.iter().zip(list).map(|(a, b)| a * b).sum::<f64>();
            (sum(&room.value), sum(&room.rate))
        };
        let place = |k: usize| self.period * k as f64 / count as f64;
        let (mut low, mut high) = ((f64::INFINITY, 0.0), (f64::NEG_INFINITY, 0.0));
        let mut before = look(0.0);
        for k in 1..=count {
            let (a, b) = (place(k - 1), place(k));
            let after = look(b);
            let mut found = (before.0, a);
            if before.1 * after.1 < 0.0 {
                let mut bracket = Bracket::new((a, before.1), (b, after.1));
                while let Some(t) = bracket.next(0.0) {
                    bracket.narrow(t, look(t).1);
                }
                let t = bracket.best().0;
                found = (look(t).0, t);
            }
            for found in [(before.0, a), found] {
                low = if found.0 < low.0 { found } else { low };
                high = if found.0 > high.0 { found } else { high };
            }
            before = after;
        }
        [low, high]
    }
}
