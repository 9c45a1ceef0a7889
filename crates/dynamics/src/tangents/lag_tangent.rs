//! What the slip velocities of the past do to the rates, from the laws' own bodies in dual arithmetic.
use crate::Dynamics;
use crate::reactions::mobility;
use stickslip_laws::{Friction, Mode, Slide};
use stickslip_real::Dual;
use stickslip_structures::Acts;

/// The part of the motion that answers the slip velocity of one point, one lag ago.
#[derive(Clone, Debug)]
pub struct LagTangent {
    /// The lag, s.
    pub lag: f64,
    /// Slip velocity of the point, or output of a controller, for a unit of each unknown.
    pub slip: Vec<f64>,
    /// Rates of all unknowns for a unit of that.
    pub rates: Vec<f64>,
}

impl Dynamics<'_> {
    /// The late answers of all points in one direction whose laws have a lag, at the unknowns of the last evaluation.
    pub fn lag_tangents(&mut self, y: &[f64], modes: &[Mode]) -> Vec<LagTangent> {
        let (n, m) = (self.n, self.dim());
        let mut found = vec![];
        self.each_contact(|contact, points, states| {
            let Some(lag) = contact.friction.lag() else { return };
            let seeded = |i: usize| {
                let mut slide: Slide<Dual<4>, 2> = self.slides[i].map(Dual::constant);
                slide.lagged[0] = Dual::variable(self.slides[i].lagged[0], 0);
                slide
            };
            let slides: Vec<_> = points.clone().map(seeded).collect();
            let z: Vec<Dual<4>> = y[2 * n..][states.clone()].iter().map(|z| Dual::constant(*z)).collect();
            let mut dz = vec![Dual::constant(0.0); z.len()];
            let mut answers = vec![Friction::Force([Dual::constant(0.0); 2]); slides.len()];
            contact.friction.respond(&slides, &z, &mut dz, &mut answers);
            for (p, i) in points.clone().enumerate() {
                let site = &self.sites[i];
                let area = site.traction_area.unwrap_or(1.0);
                let force = match answers[p] {
                    Friction::Force(f) => f[0].eps[0],
                    Friction::Cone { strength, .. } => modes[i].sign() * strength.eps[0],
                };
                let mut slip = vec![0.0; m];
                slip[n..2 * n].copy_from_slice(&site.tangent[0]);
                let mut rates = vec![0.0; m];
                (0..n).for_each(|j| rates[n + j] = -area * force * site.tangent[0][j]);
                for k in 0..site.states {
                    rates[2 * n + site.first_state + k] = dz[p * site.states + k].eps[0];
                }
                found.push(LagTangent { lag, slip, rates });
            }
        });
        for (lag, on, slip) in self.controls.late_tangents(m) {
            if let Acts::Coordinate(i) = on {
                let mut rates = vec![0.0; m];
                rates[n + i] = self.model.structure.orientation;
                found.push(LagTangent { lag, slip, rates });
            }
        }
        let held = self.prepare_reactions(modes).is_ok() && !self.reactions.unknowns.is_empty();
        for tangent in &mut found {
            let mut force = tangent.rates[n..2 * n].to_vec();
            if held {
                let mut r: Vec<f64> =
                    self.reactions.rows.iter().map(|row| -mobility(row, &self.inverse_mass, &force)).collect();
                self.reactions.solve(&mut r);
                for (push, r) in self.reactions.push.iter().zip(&r) {
                    force.iter_mut().zip(push).for_each(|(force, push)| *force += push * r);
                }
            }
            self.accelerate(&force, &mut tangent.rates[n..2 * n]);
        }
        found
    }
}
