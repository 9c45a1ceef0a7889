//! Quantities of a body at its places, at any instant.
use crate::Dynamics;
use crate::contact_inputs::pressing;
use crate::laws::{LEAST_LOAD, coefficient};
use stickslip_laws::{Friction, Mode, Normal, Press, Slide};
use stickslip_model::Probe;
use stickslip_solve::dense::dot;
use stickslip_structures::{Observed, Place};

/// A slip speed below this part of the drive's is stick, for laws that creep.
const CREEP: f64 = 0.01;

/// A quantity at a place.
#[derive(Clone, Debug)]
pub enum Seen {
    /// A linear form in coordinates, or in velocities.
    Form {
        /// Unknowns with their factors.
        row: Vec<(usize, f64)>,
    },
    /// Pressure on a contact.
    Pressure(Spot),
    /// Traction on the body along a contact.
    Shear(Spot),
    /// Part of the contacts' area that slips or is open.
    SlipFraction,
    /// Normal force, friction force, or the one over the other of these points together.
    Total(Total, Vec<usize>),
}

/// A quantity of many points together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// Normal force.
    Load,
    /// Friction force.
    Friction,
    /// The one over the other.
    Coefficient,
}

/// A place on a contact.
#[derive(Clone, Debug)]
pub struct Spot {
    contact: usize,
    /// The nearest of its points.
    nearest: usize,
    gap: f64,
    place: Place,
}

/// The motion at an instant.
#[derive(Clone, Copy)]
pub struct Instant<'a> {
    /// Time, s.
    pub t: f64,
    /// All unknowns.
    pub y: &'a [f64],
    /// Displacements of a body too large for full matrices, at rest; else empty.
    pub whole: &'a [f64],
    /// Modes of the points.
    pub modes: &'a [Mode],
}

impl Dynamics<'_> {
    /// What a probe of a body asks for, with its unit.
    pub fn seen(&self, probe: &Probe) -> Result<(Seen, &'static str), String> {
        let body = self.model.structure.body.as_ref().ok_or("this structure has no places")?;
        let observed = body.observed(&probe.quantity, probe.point)?;
        let unit = observed.unit();
        let seen = match observed {
            Observed::Form { row, rate, .. } => {
                let first = if rate { self.model.structure.unknowns() } else { 0 };
                Seen::Form { row: row.into_iter().map(|(j, x)| (first + j, x)).collect() }
            }
            Observed::Pressure(at) => Seen::Pressure(self.spot(probe, at)?),
            Observed::Shear(at) => Seen::Shear(self.spot(probe, at)?),
            Observed::SlipFraction => Seen::SlipFraction,
            Observed::Load => Seen::Total(Total::Load, self.points_of(probe)),
            Observed::Friction => Seen::Total(Total::Friction, self.points_of(probe)),
            Observed::Coefficient => Seen::Total(Total::Coefficient, self.points_of(probe)),
        };
        Ok((seen, unit))
    }

    fn points_of(&self, probe: &Probe) -> Vec<usize> {
        let name = |i: &usize| &self.model.contacts[self.sites[*i].contact].name;
        (0..self.sites.len()).filter(|i| probe.contact.as_ref().is_none_or(|wanted| wanted == name(i))).collect()
    }

    fn spot(&self, probe: &Probe, at: [f64; 2]) -> Result<Spot, String> {
        let body = self.model.structure.body.as_ref().ok_or("this structure has no places")?;
        for (c, contact) in self.model.contacts.iter().enumerate() {
            if probe.contact.as_ref().is_some_and(|name| *name != contact.name) {
                continue;
            }
            let Some(place) = contact.on.as_ref().and_then(|on| body.place_on(on, at)) else { continue };
            let far = |i: &usize| {
                let own = contact.places[self.sites[*i].point].at.unwrap_or_default();
                (own[0] - at[0]).hypot(own[1] - at[1])
            };
            let points = (0..self.sites.len()).filter(|i| self.sites[*i].contact == c);
            let Some(nearest) = points.min_by(|a, b| far(a).total_cmp(&far(b))) else { continue };
            let gap = contact.profile.as_ref().map_or(contact.gap, |profile| profile.value(at[0]));
            return Ok(Spot { contact: c, nearest, gap, place });
        }
        Err(format!("`{}` is asked for at ({}, {}) m, where no contact is", probe.quantity, at[0], at[1]))
    }

    /// Its value; `forces` are normal force and friction of a point then.
    pub fn value_of(&self, seen: &Seen, at: Instant, forces: &dyn Fn(usize) -> [f64; 2]) -> f64 {
        match seen {
            Seen::Form { row } => {
                let all = if at.whole.is_empty() { at.y } else { at.whole };
                row.iter().map(|(k, x)| x * all.get(*k).copied().unwrap_or(0.0)).sum()
            }
            Seen::Pressure(spot) => self.pressure_at(spot, at).0,
            Seen::Shear(spot) => self.shear_at(spot, at, forces),
            Seen::SlipFraction => self.slip_fraction(at),
            Seen::Total(total, points) => {
                let (mut load, mut friction) = (0.0, 0.0);
                for [n, f] in points.iter().map(|i| forces(*i)) {
                    (load, friction) = (load + n, friction + f);
                }
                match total {
                    Total::Load => load,
                    Total::Friction => friction,
                    Total::Coefficient => coefficient(friction, load, LEAST_LOAD),
                }
            }
        }
    }

    /// Pressure, the part of it that friction follows, and what the friction law sees of the place.
    fn pressure_at(&self, spot: &Spot, at: Instant) -> (f64, Slide<f64, 2>) {
        let (n, site, contact) = (self.n, &self.sites[spot.nearest], &self.model.contacts[spot.contact]);
        let (q, v) = (&at.y[..n], &at.y[n..2 * n]);
        let slip = spot.place.surface * self.surface_velocity(at.t) + dot(&spot.place.tangent[0], v);
        let normal = spot.place.normal.as_deref().unwrap_or(&[]);
        let height = self.height(at.t);
        let (gap, gap_rate) = (spot.gap + dot(normal, q) - height[0], dot(normal, v) - height[1]);
        let (pressure, load, area) = match site.fixed_load {
            Some((a, b)) => {
                let p = (a + b * self.given[site.contact].value(at.t)) / contact.area_at(site.point);
                (p, p, 1.0)
            }
            None => {
                let mut press = Press::new(gap, gap_rate);
                (press.u, press.v, press.t) = (dot(&spot.place.tangent[0], q), slip, at.t);
                (press.area, press.given) = (1.0, self.given[site.contact].value(at.t));
                let memory = &at.y[2 * n + site.first_memory..][..site.memory];
                let mut answer = [Normal::none()];
                contact.normal.respond(&[press], memory, &mut answer);
                match answer {
                    [Normal::Force { n, load, area, .. }] => (n, load, area),
                    _ => (f64::NAN, f64::NAN, 1.0),
                }
            }
        };
        let mut slide = Slide::new([slip, 0.0], pressing(load));
        (slide.t, slide.area) = (at.t, area);
        slide.approach = (site.reach - gap).max(0.0);
        (pressure, slide)
    }

    fn shear_at(&self, spot: &Spot, at: Instant, forces: &dyn Fn(usize) -> [f64; 2]) -> f64 {
        let (site, contact) = (&self.sites[spot.nearest], &self.model.contacts[spot.contact]);
        let (_, mut slide) = self.pressure_at(spot, at);
        if site.cone {
            // Its direction is the point's; its size follows the pressure.
            let [load, friction] = forces(spot.nearest);
            return spot.place.surface * coefficient(friction, load, LEAST_LOAD) * slide.n;
        }
        slide.mode = at.modes[spot.nearest];
        (slide.seed, slide.point) = (self.model.seed_of(spot.contact), site.point);
        let z = &at.y[2 * self.n + site.first_state..][..site.states];
        let mut dz = vec![0.0; z.len()];
        let mut answer = [Friction::Cone { hold: 0.0, strength: 0.0 }];
        contact.friction.respond(&[slide], z, &mut dz, &mut answer);
        match answer {
            // The row of slip has the sign of -surface along the axis.
            [Friction::Force(f)] => spot.place.surface * f[0],
            [Friction::Cone { .. }] => f64::NAN,
        }
    }

    /// Part of the contacts' area that slips or is open.
    fn slip_fraction(&self, at: Instant) -> f64 {
        let (mut all, mut moving) = (0.0, 0.0);
        let (n, drive) = (self.n, self.surface_velocity(at.t).abs());
        for (i, site) in self.sites.iter().enumerate() {
            let contact = &self.model.contacts[site.contact];
            let area = contact.area_at(site.point);
            let slip = site.surface * self.surface_velocity(at.t) + dot(&site.tangent[0], &at.y[n..2 * n]);
            let open = !contact.normal.claims().fixed_load && self.approach_of(i, at.t, &at.y[..n]) == 0.0;
            let sticks = match site.cone {
                true => at.modes[i] == Mode::Stick,
                false => slip.abs() <= CREEP * drive,
            };
            all += area;
            moving += if open || !sticks { area } else { 0.0 };
        }
        if all > 0.0 { moving / all } else { 0.0 }
    }
}
