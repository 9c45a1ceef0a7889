//! What laws are shown once the accelerations are known.
use crate::reactions::mobility;
use crate::{Dynamics, edge_contact};
use stickslip_laws::{Friction, Mode};
use stickslip_model::Model;
use stickslip_real::Dual;

/// What laws read that follows from the accelerations.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shows {
    /// The slip acceleration.
    pub accelerations: bool,
    /// The rate of the force that stick holds.
    pub force_rates: bool,
    /// The rate of a load that depends on the motion.
    pub load_rates: bool,
}

impl Shows {
    pub fn of(model: &Model) -> Shows {
        let mut all = Shows::default();
        for contact in model.contacts.iter() {
            let claims = contact.friction.claims();
            all.accelerations |= claims.acceleration;
            all.force_rates |= claims.force_rate;
            all.load_rates |= claims.load_rate && !contact.normal.claims().fixed_load;
        }
        all
    }
}

impl Dynamics<'_> {
    /// Shows the slip acceleration to the guards.
    pub(crate) fn show_accelerations(&mut self, t: f64, dy: &[f64]) {
        for i in 0..self.sites.len() {
            for (d, row) in self.sites[i].tangent.iter().enumerate() {
                let own: f64 = (0..self.n).map(|j| row[j] * dy[self.n + j]).sum();
                self.slides[i].acceleration[d] = own + self.sites[i].surface * self.surface[d].rate(t);
            }
        }
    }

    /// Shows how fast loads that depend on the motion change, and asks for the rates of the states again: those alone read
    /// it, so that the accelerations stay what they are.
    pub(crate) fn show_load_rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        let n = self.n;
        for i in 0..self.sites.len() {
            if !self.sites[i].is_pressed() {
                continue;
            }
            let ways = self.ways(i, t, dy);
            let rate = self.normal_tangent(i, y).load.iter().zip(ways).map(|(slope, way)| slope * way).sum::<f64>();
            self.at[i].n_rate = rate;
            self.slides[i].n_rate = rate / self.sites[i].traction_area.unwrap_or(1.0);
        }
        self.ask(&y[2 * n..], &mut dy[2 * n..]);
    }

    /// Rates of what the normal law of a point reads: gap, gap rate, displacement and slip velocity.
    fn ways(&self, i: usize, t: f64, dy: &[f64]) -> [f64; 4] {
        let (n, t) = (self.n, t.min(self.until));
        let (site, s) = (&self.sites[i], &self.model.structure);
        let pull = self.base.rate(t);
        let bend = if self.profile.is_constant() { 0.0 } else { 2.0 * self.profile.expand(t).0[2] };
        let row = site.normal.as_deref().unwrap_or(&[]);
        let turns = row.iter().enumerate().map(|(j, x)| x * s.orientation * (dy[n + j] - s.base[j] * pull));
        let moves = (0..n).map(|j| site.tangent[0][j] * s.orientation * dy[j]);
        [self.at[i].gap_rate, turns.sum::<f64>() - bend, moves.sum::<f64>(), self.slip_acceleration(i, t, dy)]
    }

    /// The rate at which the energy stored in the normal direction of a point grows, after [`Dynamics::evaluate`].
    ///
    /// The slope of what an elastic law stores is its force at rest, which has no corner where that slope has one.
    pub fn pressing_power(&self, i: usize, t: f64, y: &[f64], dy: &[f64]) -> f64 {
        let site = &self.sites[i];
        let contact = &self.model.contacts[site.contact];
        if let Some(edge) = &site.edge {
            let lies = edge_contact::Lies::of(contact, site, edge, self.height(t), &y[..self.n], &dy[..self.n]);
            return edge_contact::power(contact, edge, &lies, t, self.at[i].slip[0]);
        }
        if contact.normal.claims().elastic {
            return -self.load_at_rest(i, &y[2 * self.n..]) * self.at[i].gap_rate;
        }
        let ways = self.ways(i, t, dy);
        self.normal_tangent(i, y).stored.iter().zip(ways).map(|(slope, way)| slope * way).sum()
    }

    /// Shows points in stick how fast their reaction grows, and asks what they hold.
    ///
    /// With r the residual forces, the reactions of stuck points solve W f = -(C M^-1 r + carried); so do their rates
    /// with the rates of r.
    pub(crate) fn show_force_rates(&mut self, t: f64, y: &[f64], dy: &mut [f64], modes: &[Mode]) {
        self.slides.iter_mut().for_each(|slide| slide.force_rate = 0.0);
        if !modes.iter().zip(&self.sites).any(|(mode, site)| site.cone && *mode == Mode::Stick) {
            return;
        }
        let n = self.n;
        let (q, z) = (&y[..n], &y[2 * n..]);
        let s = &self.model.structure;
        let pull = self.base.rate(t);
        let turning: Vec<f64> = (0..n).map(|j| s.orientation * (dy[n + j] - s.base[j] * pull)).collect();
        let mut rates: Vec<f64> = (0..n)
            .map(|i| {
                let inner = |j: usize| s.stiffness[i * n + j] * dy[j] + s.damping[i * n + j] * turning[j];
                let cubic = s.hardening(i, q[i]).1 * dy[i];
                self.forces[i].rate(t) - s.orientation * ((0..n).map(inner).sum::<f64>() + cubic)
            })
            .collect();
        for (i, rate) in self.friction_rates(z, dy, modes).into_iter().enumerate() {
            for (j, slot) in rates.iter_mut().enumerate() {
                *slot -= self.sites[i].tangent[0][j] * rate;
            }
        }
        // The second derivative of the surface's velocity: twice the third term of its series.
        let jerk = if self.surface[0].is_constant() { 0.0 } else { 2.0 * self.surface[0].expand(t).0[2] };
        let row = |(unknown, row): (&crate::reactions::Unknown, &Vec<f64>)| {
            let carried = if unknown.normal { 0.0 } else { self.sites[unknown.site].surface * jerk };
            -(mobility(row, &self.inverse_mass, &rates) + carried)
        };
        let mut grows: Vec<f64> = self.reactions.unknowns.iter().zip(&self.reactions.rows).map(row).collect();
        self.reactions.solve(&mut grows);
        for (unknown, rate) in self.reactions.unknowns.iter().zip(&grows).filter(|(u, _)| !u.normal) {
            let f = self.at[unknown.site].f[0];
            let grows = if f == 0.0 { rate.abs() } else { rate * f.signum() };
            for (i, part) in self.load_parts(unknown.site, modes) {
                self.slides[i].force_rate = grows * part;
            }
        }
        self.ask(z, &mut dy[2 * n..]);
        for (i, site) in self.sites.iter().enumerate() {
            if let (Mode::Stick, Friction::Cone { hold, .. }) = (modes[i], self.answers[i]) {
                self.at[i].hold = hold * site.traction_area.unwrap_or(1.0);
            }
        }
        // How a reaction is shared depends on what is held.
        self.share_again(modes);
    }

    /// Rates of the friction of points that slip: one dual number carries the time.
    fn friction_rates(&mut self, z: &[f64], dy: &[f64], modes: &[Mode]) -> Vec<f64> {
        let along = |x: f64, rate: f64| Dual::<4> { re: x, eps: [rate, 0.0, 0.0, 0.0] };
        let mut rates = vec![0.0; self.sites.len()];
        let slips = modes.iter().zip(&self.sites).any(|(mode, site)| !site.cone || mode.sign() != 0.0);
        if !slips {
            return rates;
        }
        let (n, t) = (self.n, self.slides[0].t);
        let moving: Vec<_> = (0..self.sites.len()).map(|i| self.slip_acceleration(i, t, dy)).collect();
        self.each_contact(|contact, points, states| {
            let slides = points.clone().map(|i| {
                let slide = &self.slides[i];
                let mut at = slide.map(Dual::constant);
                at.v[0] = along(slide.v[0], moving[i]);
                at.n = along(slide.n, slide.n_rate);
                at.t = along(slide.t, 1.0);
                at
            });
            let slides: Vec<_> = slides.collect();
            let own = states.clone().map(|k| along(z[k], dy[2 * n + k]));
            let z: Vec<_> = own.collect();
            let mut dz = z.clone();
            let mut answers = vec![Friction::Force([Dual::constant(0.0); 2]); slides.len()];
            contact.friction.respond(&slides, &z, &mut dz, &mut answers);
            for (i, answer) in points.zip(&answers) {
                rates[i] = match answer {
                    Friction::Force(f) => f[0].eps[0],
                    Friction::Cone { strength, .. } => modes[i].sign() * strength.eps[0],
                } * self.sites[i].traction_area.unwrap_or(1.0);
            }
        });
        rates
    }
}
