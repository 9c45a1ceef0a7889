//! Rows of a path: what is kept of an instant.
use super::super::loop_log::{Columns, Inside};
use super::{COLUMNS, Path};
use stickslip_data::{Outcome, Value};
use stickslip_laws::{Friction, Mode, Slide, dot, norm};
use stickslip_model::Contact;
use stickslip_motion::Clock;
use stickslip_real::Dual;
use stickslip_structures::Signal;

/// Where the friction forces stand in a row.
const FORCES: [usize; 2] = [4, 8];
/// Where the slip velocity does.
const VELOCITY: usize = 2;
/// Where its second component does.
const VELOCITY_2: usize = 7;
/// Where the second component of the slip does.
const SLIP_2: usize = 6;
/// Rates that differ by less than this part are the same.
const SAME: f64 = 1e-6;
/// Parts of the first stretch at which the slope of friction at its beginning is looked at.
const LIMIT: [f64; 2] = [1e-6, 1e-9];
/// First column of the states.
const STATES: usize = 9;

impl Path<'_> {
    /// Names and units of a row's columns, and which of them make the loop.
    pub(super) fn names(contact: &Contact) -> (Vec<(String, String)>, Columns) {
        let force = if contact.per_area { "Pa" } else { "N" };
        let mut names: Vec<(String, String)> = [
            ("t", "s"),
            ("slip", "m"),
            ("slip_velocity", "m/s"),
            ("friction", "1"),
            ("friction_force", force),
            ("normal_force", force),
            ("slip_2", "m"),
            ("slip_velocity_2", "m/s"),
            ("friction_force_2", force),
        ]
        .map(|(name, unit)| (name.to_string(), unit.to_string()))
        .to_vec();
        let states = contact.friction.states();
        names.extend(states.iter().map(|s| (format!("state.{}", s.name), s.unit.to_string())));
        if contact.friction.directions() == 1 {
            return (names, COLUMNS);
        }
        let first = names.len();
        let more = [("friction_2", "1"), ("friction_size", "1"), ("friction_force_size", force)];
        names.extend(more.map(|(name, unit)| (name.to_string(), unit.to_string())));
        (names, Columns { coefficient: first + 1, size: first + 2, across: Some(SLIP_2), ..COLUMNS })
    }

    /// Keeps the friction just after a jump of the velocity: under a law that answers at once it may be the largest, and
    /// at a reversal its slope jumps. So does that of an inner element that gives way or holds again.
    pub(super) fn keep_jump(&mut self) {
        self.dynamics.release_inner();
        self.evaluate(self.clock.now());
        let at = self.dynamics.at[0];
        let kept =
            |r: &Vec<f64>| [r[FORCES[0]], r[FORCES[1]]] == at.f && dot(&[r[VELOCITY], r[VELOCITY_2]], &at.slip) >= 0.0;
        let bends =
            |[_, before]: [f64; 2], [_, after]: [f64; 2]| (after - before).abs() > SAME * (before.abs() + after.abs());
        let (row, slopes) = self.row();
        let last = self.record.rows.last().filter(|r| kept(r)).and(self.record.slopes.last());
        if last.is_none_or(|last| bends(*last, slopes)) {
            self.keep_as_is();
        } else {
            self.note_yield(self.record.rows.len().saturating_sub(1));
            self.record.pass_start(&row);
        }
    }

    /// Notes whether inner elements stick; if they have let go, this is the row in which they do.
    fn note_yield(&mut self, row: usize) {
        let sticks = self.dynamics.sticks(0, self.modes[0], &self.z);
        if self.stuck && sticks == Some(false) && !self.dynamics.sites[0].cone {
            self.record.yields.get_or_insert(row);
        }
        self.stuck = sticks == Some(true);
    }

    /// What the law reports at the end of each slide.
    pub(super) fn report_observed(&self, out: &mut Outcome) {
        let area = self.dynamics.sites[0].traction_area.unwrap_or(1.0);
        let friction = &self.dynamics.model.contacts[0].friction;
        let observe = |slide: &super::super::loop_log::Slide| {
            let row = &self.record.rows[slide.last.min(self.record.rows.len() - 1)];
            let at =
                Slide::new([row[VELOCITY], row[VELOCITY_2]], row[5] / area).with_mode(Mode::slipping(row[VELOCITY]));
            friction.observe(0, &at, &row[STATES..])
        };
        let ends: Vec<_> = self.record.slides.iter().map(observe).collect();
        for (k, (name, unit, _)) in ends.first().into_iter().flatten().enumerate() {
            let list = ends.iter().map(|end| end.get(k).map_or(f64::NAN, |(_, _, x)| *x)).collect();
            out.set(format!("slide_end.{name}"), Value::List(list), *unit);
        }
    }

    /// The slope of friction over slip where the first motion begins, unless friction jumps there or has none.
    pub(super) fn note_tangent(&mut self) {
        if self.record.tangent.is_some() {
            return;
        }
        let before = self.dynamics.at[0];
        self.evaluate(self.clock.now());
        let at = self.dynamics.at[0];
        if self.dynamics.sites[0].cone || at.f != before.f {
            self.record.tangent = Some(f64::NAN);
        } else if at.slip != [0.0; 2] {
            self.record.tangent = Some(self.slope());
        } else {
            // A velocity that grows from zero: the slope is a limit. Where friction reads the velocity there is none.
            let clock = self.clock;
            let [far, near] = LIMIT.map(|part| {
                self.clock = Clock::default();
                self.clock.arrive(clock.now() + part * self.velocity.reach);
                self.evaluate(self.clock.now());
                self.slope()
            });
            self.clock = clock;
            self.evaluate(clock.now());
            let is_limit = (far - near).abs() <= SAME * near.abs();
            self.record.tangent = Some(if is_limit { near } else { f64::NAN });
        }
    }

    /// The rate of the force along the motion over its speed, at the instant that was last evaluated.
    fn slope(&mut self) -> f64 {
        let slip = self.dynamics.at[0].slip;
        dot(&self.friction_rate(), &slip) / dot(&slip, &slip)
    }

    /// The force at which a set-valued law lets go: the row in which stick ends.
    pub(super) fn keep_hold(&mut self) {
        if !self.dynamics.sites[0].cone || self.modes[0] != Mode::Stick {
            return;
        }
        self.evaluate(self.clock.now());
        let hold = self.dynamics.at[0].hold;
        self.dynamics.at[0].f = self.velocity.along.map(|x| x * hold);
        self.record.departure.get_or_insert(self.record.rows.len());
        self.carry(|carrier, here| carrier.hold(here));
        self.keep_as_is();
    }

    /// Keeps this instant as a row.
    pub(super) fn keep(&mut self) {
        self.evaluate(self.clock.now());
        self.keep_as_is();
    }

    /// The same at the end of a step in which coefficient and force turned like this.
    pub(super) fn keep_end(&mut self, inside: Inside) {
        self.evaluate(self.clock.now());
        let (row, rates) = self.row();
        self.keep_row(row, rates, inside);
    }

    /// Keeps the instant that was last evaluated.
    pub(super) fn keep_as_is(&mut self) {
        let (row, rates) = self.row();
        self.keep_row(row, rates, Inside::NOTHING);
    }

    fn keep_row(&mut self, row: Vec<f64>, rates: [f64; 2], inside: Inside) {
        self.note_yield(self.record.rows.len());
        self.carry(|carrier, here| carrier.row(here, rates));
        self.record.keep(row, rates, inside);
    }

    /// The instant that was last evaluated as a row, with the rates of coefficient and force.
    pub(super) fn row(&mut self) -> (Vec<f64>, [f64; 2]) {
        let at = self.dynamics.at[0];
        let scale = if at.n > 0.0 { at.n } else { f64::NAN };
        let mut row = vec![self.clock.now(), self.travel[0], at.slip[0], at.f[0] / scale, at.f[0], at.n];
        row.extend([self.travel[1], at.slip[1], at.f[1]]);
        row.extend_from_slice(&self.z);
        let (mut force, mut rate) = (at.f[0], self.friction_rate()[0]);
        if self.record.columns.across.is_some() {
            let size = norm(&at.f);
            let along = |rates: [f64; 2]| if size > 0.0 { dot(&at.f, &rates) / size } else { norm(&rates) };
            (force, rate) = (size, along(self.friction_rate()));
            row.extend([at.f[1] / scale, size / scale, size]);
        }
        (row, [(rate - force / scale * at.n_rate) / scale, rate])
    }

    /// The same where friction is a given force, whose rate is given.
    pub(super) fn keep_given(&mut self, force: &Signal) {
        let (at, t) = (self.dynamics.at[0], self.clock.now().min(self.dynamics.until));
        let (row, rate) = (self.row().0, force.rate(t));
        let inside = self.largest_given(force, t, rate);
        self.keep_row(row, [(rate - at.f[0] / at.n * at.n_rate) / at.n, rate], inside);
    }

    /// Rate of the friction force along the path: one dual number carries the time.
    pub(super) fn friction_rate(&mut self) -> [f64; 2] {
        let t = self.clock.now();
        let rates = [self.dynamics.surface[0].rate(t), self.dynamics.surface[1].rate(t)];
        self.rate_of_friction(rates)
    }

    /// The same with these rates of the velocity.
    pub(super) fn rate_of_friction(&mut self, rates: [f64; 2]) -> [f64; 2] {
        let at = self.dynamics.at[0];
        let area = self.dynamics.sites[0].traction_area.unwrap_or(1.0);
        let along = |x: f64, rate: f64| Dual::<4> { re: x, eps: [rate, 0.0, 0.0, 0.0] };
        let mut slide = Slide::new(at.slip, at.load / area)
            .with_mode(self.modes[0])
            .with_load_rate(at.n_rate / area)
            .map(Dual::constant);
        for d in 0..2 {
            slide.v[d] = along(at.slip[d], rates[d]);
        }
        slide.n = along(at.load / area, at.n_rate / area);
        slide.t = along(self.clock.now(), 1.0);
        slide.seed = self.dynamics.model.seed;
        let [z, dz] = &mut self.along;
        z.clear();
        z.extend(self.z.iter().zip(&self.dz).map(|(x, rate)| along(*x, *rate)));
        dz.clone_from(z);
        let mut answer = [Friction::Force([Dual::constant(0.0); 2])];
        self.dynamics.model.contacts[0].friction.respond(&[slide], z, dz, &mut answer);
        let rate = match answer[0] {
            Friction::Force(f) => f.map(|f| f.eps[0]),
            Friction::Cone { strength, .. } if self.dynamics.sites[0].tangent.len() > 1 => {
                let speed = slide.speed();
                slide.v.map(|v| if speed.re > 0.0 { (strength * v / speed).eps[0] } else { 0.0 })
            }
            Friction::Cone { strength, .. } => [self.modes[0].sign() * strength.eps[0], 0.0],
        };
        rate.map(|x| area * x)
    }
}
