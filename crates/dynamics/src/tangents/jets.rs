//! The equations as power series along a direction: second and third derivatives without a formula of one's own.
//!
//! Only laws and the scales of the variables are nonlinear; what lies between them is linear and is done once for all
//! coefficients. Points slip in the modes they are in, and none reacts.
use crate::edge_contact::{Lies, expand};
use crate::{Site, Stiff};
use stickslip_laws::{Cubic, Friction, Jet, Normal, NormalJet, Press, Scale};
use stickslip_model::Model;
use stickslip_real::{Real, Series};

/// The laws of a model in power series.
pub struct Jets {
    friction: Vec<Jet>,
    normal: Vec<Option<NormalJet>>,
}

impl Jets {
    /// Of a model; or the law that has no power series.
    pub fn of(model: &Model) -> Result<Jets, &'static str> {
        let (mut friction, mut normal) = (vec![], vec![]);
        for contact in model.contacts.iter() {
            friction.push(contact.friction.jet().ok_or(contact.friction_law)?);
            normal.push(match contact.normal.claims().fixed_load {
                true => None,
                false => Some(contact.normal.jet().ok_or(contact.normal_law)?),
            });
        }
        Ok(Jets { friction, normal })
    }
}

/// The quantity behind a variable.
fn decode(scale: Scale, x: Cubic) -> Cubic {
    match scale {
        Scale::Linear(_) => x,
        Scale::Log => x.exp(),
        Scale::Asinh(c) => {
            let e = x.exp();
            (e - Cubic::lit(1.0) / e) * (0.5 * c)
        }
    }
}

/// The rate of a variable from that of its quantity.
fn encoded(scale: Scale, quantity: Cubic, rate: Cubic) -> Cubic {
    match scale {
        Scale::Linear(_) => rate,
        Scale::Log => rate / quantity,
        Scale::Asinh(c) => rate / (quantity * quantity + c * c).sqrt(),
    }
}

/// Sum of a row times a list.
fn row(by: &[f64], of: &[Cubic]) -> Cubic {
    by.iter().zip(of).filter(|(by, _)| **by != 0.0).fold(Cubic::zero(), |sum, (by, x)| sum + *x * *by)
}

impl Stiff<'_, '_> {
    /// The rates of the variables at x + s d as series in s. `rates` was called at `x`.
    pub fn expand(&self, jets: &Jets, x: &[f64], direction: &[f64], out: &mut [Cubic]) {
        let (dynamics, variables) = (&*self.dynamics, self.variables);
        let s = &dynamics.model.structure;
        let (n, t) = (dynamics.n, self.base);
        let mut y: Vec<Cubic> = self.room.y.iter().map(|y| Cubic::lit(*y)).collect();
        for ((i, scale), (x, d)) in variables.unknowns.iter().zip(&variables.scales).zip(x.iter().zip(direction)) {
            y[*i] = decode(*scale, Series([*x, *d, 0.0, 0.0]));
        }
        let mut slips: Vec<Option<Cubic>> = vec![None; dynamics.sites.len()];
        for (j, slip) in variables.slips.iter().enumerate() {
            if let Some((i, factor)) = slip {
                slips[*i] = Some(y[n + j]);
                y[n + j] = (y[n + j] - dynamics.sites[*i].surface * dynamics.surface_velocity(t)) / *factor;
            }
        }
        let (q, v, z) = (&y[..n], &y[n..2 * n], &y[2 * n..]);
        let mut dy = vec![Cubic::zero(); y.len()];
        for i in 0..n {
            dy[i] = (v[i] - s.base[i] * dynamics.base_velocity(t)) * s.orientation;
        }
        let mut forces: Vec<Cubic> = (0..n)
            .map(|i| {
                let inside = row(&s.stiffness[i * n..(i + 1) * n], q) + row(&s.damping[i * n..(i + 1) * n], &dy[..n]);
                let cubic = q[i] * q[i] * q[i] * s.cubic.get(i).copied().unwrap_or(0.0);
                -((inside + cubic) * s.orientation) + dynamics.forces[i].value(t)
            })
            .collect();
        let mut dz = vec![Cubic::zero(); z.len()];
        if !dynamics.controls.is_empty() {
            let own = dynamics.controls.unknowns();
            let dc = &mut dz[own.start - 2 * n..own.end - 2 * n];
            dynamics.controls.expand(s, (t, &self.room.y), &y, &mut forces, dc);
        }
        let mut seen = vec![];
        for (i, site) in dynamics.sites.iter().enumerate() {
            let mut at = dynamics.slides_at(i).map(Cubic::lit);
            for (d, tangent) in site.tangent.iter().enumerate() {
                at.v[d] = row(tangent, v) + site.surface * dynamics.surface[d].value(t);
            }
            if let Some(slip) = slips[i] {
                at.v[0] = slip;
            }
            if let (None, Some(normal)) = (site.fixed_load, &jets.normal[site.contact]) {
                let [force, load, moment, area, gap] = self.pressed(site, normal, q, &dy[..n], at.v[0]);
                for (j, push) in forces.iter_mut().enumerate() {
                    let along = site.normal.as_ref().map_or(0.0, |row| row[j]);
                    let lever = site.edge.as_ref().map_or(0.0, |edge| edge.lever[j]);
                    *push = *push + force * along + moment * lever;
                }
                at.n = load.pos() / site.traction_area.unwrap_or(1.0);
                (at.approach, at.area) = ((-gap + site.reach).pos(), area);
            }
            seen.push(at);
        }
        let mut contact = 0;
        dynamics.each_contact(|_, points, states| {
            let mut answers = vec![Friction::Force([Cubic::zero(); 2]); points.len()];
            let jet = &jets.friction[contact];
            jet.respond(&seen[points.clone()], &z[states.clone()], &mut dz[states], &mut answers);
            contact += 1;
            for (answer, i) in answers.iter().zip(points) {
                let site = &dynamics.sites[i];
                let friction = match answer {
                    Friction::Force(f) => *f,
                    Friction::Cone { strength, .. } if site.plane => seen[i].along(|_| *strength),
                    Friction::Cone { strength, .. } => [*strength * self.modes[i].sign(), Cubic::zero()],
                };
                for (tangent, f) in site.tangent.iter().zip(friction) {
                    let f = f * site.traction_area.unwrap_or(1.0);
                    forces.iter_mut().zip(tangent).for_each(|(force, row)| *force = *force - f * *row);
                }
            }
        });
        for i in 0..n {
            dy[n + i] = row(&dynamics.inverse_mass[i * n..(i + 1) * n], &forces);
        }
        dy[2 * n..].copy_from_slice(&dz);
        for (k, (out, i)) in out.iter_mut().zip(&variables.unknowns).enumerate() {
            let slip = k.checked_sub(n).and_then(|j| variables.slips.get(j)).copied().flatten();
            let (quantity, rate) = match slip {
                Some((site, factor)) => (seen[site].v[0], dy[*i] * factor),
                None => (y[*i], dy[*i]),
            };
            *out = encoded(variables.scales[k], quantity, rate);
        }
    }

    /// Force, load, moment, area and least gap of a point whose normal law reads the motion.
    fn pressed(&self, site: &Site, normal: &NormalJet, q: &[Cubic], dq: &[Cubic], slip: Cubic) -> [Cubic; 5] {
        let (dynamics, t) = (&*self.dynamics, self.base);
        let contact = &dynamics.model.contacts[site.contact];
        let (along, height) = (site.normal.as_deref().unwrap_or(&[]), dynamics.height(t));
        let (gap, gap_rate) = (row(along, q) + (contact.gap_at(site.point) - height[0]), row(along, dq) - height[1]);
        if let Some(edge) = &site.edge {
            let (tilt, tilt_rate) = (row(&edge.lever, q), row(&edge.lever, dq));
            let lies = Lies { gap, gap_rate, tilt, tilt_rate };
            let [force, load, moment, area] = expand(&**normal, (contact, edge), &lies, t, slip);
            return [force, load, moment, area, gap - tilt.abs() * (0.5 * edge.length)];
        }
        let mut press = Press::new(gap, gap_rate);
        press.u = site.tangent.first().map_or(Cubic::zero(), |tangent| row(tangent, q))
            * dynamics.model.structure.orientation;
        (press.v, press.t) = (slip, Cubic::lit(t));
        press.given = Cubic::lit(dynamics.given[site.contact].value(t));
        (press.mass, press.area) = (Cubic::lit(contact.mass), Cubic::lit(contact.area_at(site.point)));
        let mut answer = [Normal::none()];
        normal.respond(&[press], &[], &mut answer);
        match answer {
            [Normal::Force { n, load, area, .. }] => [n, load, Cubic::zero(), area, gap],
            [Normal::Rigid { .. }] => [Cubic::lit(f64::NAN); 5],
        }
    }
}
