//! Linear functions of unknowns, references, the driver and accelerations.
use stickslip_structures::{Control, Measured, Signal, Structure};

/// A linear function of what a controller reads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form {
    /// Constant.
    pub one: f64,
    /// Unknowns, each with its factor.
    pub y: Vec<(usize, f64)>,
    /// References, each with the factors of its value, its rate and the rate of that.
    pub references: Vec<(usize, [f64; 3])>,
    /// Factors of the driver's velocity and its rate.
    pub base: [f64; 2],
    /// Accelerations of coordinates.
    pub dv: Vec<(usize, f64)>,
}

impl Form {
    /// A constant.
    pub fn constant(one: f64) -> Form {
        Form { one, ..Form::default() }
    }

    /// An unknown.
    pub fn unknown(i: usize) -> Form {
        Form { y: vec![(i, 1.0)], ..Form::default() }
    }

    /// Adds a multiple of another one.
    pub fn add(&mut self, factor: f64, other: &Form) {
        if factor == 0.0 {
            return;
        }
        self.one += factor * other.one;
        add_entries(&mut self.y, factor, &other.y);
        add_entries(&mut self.dv, factor, &other.dv);
        for (place, factors) in &other.references {
            let scaled = factors.map(|x| factor * x);
            match self.references.iter_mut().find(|(k, _)| k == place) {
                Some((_, old)) => (0..3).for_each(|k| old[k] += scaled[k]),
                None => self.references.push((*place, scaled)),
            }
        }
        (0..2).for_each(|k| self.base[k] += factor * other.base[k]);
    }

    /// The same times a factor, and a constant.
    pub fn scaled(&self, factor: f64, one: f64) -> Form {
        let mut scaled = Form::constant(one);
        scaled.add(factor, self);
        scaled
    }

    /// Its value, and the sum of the sizes of its terms.
    pub fn value(&self, at: &Instant) -> (f64, f64) {
        let (mut sum, mut size) = (self.one, self.one.abs());
        let mut add = |x: f64| {
            sum += x;
            size += x.abs();
        };
        self.y.iter().for_each(|(i, x)| add(x * at.y[*i]));
        self.dv.iter().for_each(|(i, x)| add(x * at.dv[*i]));
        for (place, factors) in &self.references {
            let signal = &at.references[*place];
            if factors[0] != 0.0 {
                add(factors[0] * signal.value(at.t));
            }
            if factors[1] != 0.0 {
                add(factors[1] * signal.rate(at.t));
            }
            if factors[2] != 0.0 && !signal.is_constant() {
                add(factors[2] * 2.0 * signal.expand(at.t).0[2]);
            }
        }
        if self.base[0] != 0.0 {
            add(self.base[0] * at.base.value(at.t));
        }
        if self.base[1] != 0.0 {
            add(self.base[1] * at.base.rate(at.t));
        }
        (sum, size)
    }
}

fn add_entries(to: &mut Vec<(usize, f64)>, factor: f64, from: &[(usize, f64)]) {
    for (place, x) in from {
        match to.iter_mut().find(|(k, _)| k == place) {
            Some((_, old)) => *old += factor * x,
            None => to.push((*place, factor * x)),
        }
    }
}

/// What forms are evaluated at.
pub struct Instant<'a> {
    /// Time, s.
    pub t: f64,
    /// Unknowns.
    pub y: &'a [f64],
    /// Accelerations.
    pub dv: &'a [f64],
    /// References of all loops.
    pub references: &'a [Signal],
    /// Velocity of the driver.
    pub base: &'a Signal,
}

/// A loop in its place: its references begin at `reference`, its states at the unknown `first`.
pub struct Place<'a> {
    /// The loop.
    pub control: &'a Control,
    /// The structure.
    pub structure: &'a Structure,
    /// Number of its first reference.
    pub reference: usize,
    /// Its first state among the unknowns.
    pub first: usize,
}

impl Place<'_> {
    /// A channel, or its first or second rate.
    pub fn channel(&self, j: usize, order: usize) -> Form {
        let (n, s) = (self.structure.len(), self.structure);
        let channel = &self.control.channels[j];
        let mut form = Form::default();
        if !(channel.reference.is_constant() && channel.reference.value(0.0) == 0.0) {
            let mut factors = [0.0; 3];
            factors[order] = 1.0;
            form.references.push((self.reference + j, factors));
        }
        match (channel.measured, order) {
            (Measured::Coordinate(i), 0) => form.y.push((i, -1.0)),
            // q' = o (v - base V).
            (Measured::Coordinate(i), 1) => {
                form.y.push((n + i, -s.orientation));
                form.base[0] = s.orientation * s.base[i];
            }
            (Measured::Coordinate(i), _) => {
                form.dv.push((i, -s.orientation));
                form.base[1] = s.orientation * s.base[i];
            }
            (Measured::Rate(i), 0) => form.y.push((n + i, -1.0)),
            (Measured::Rate(i), _) => form.dv.push((i, -1.0)),
        }
        form
    }

    /// An output before it is clipped.
    pub fn output(&self, k: usize) -> Form {
        let control = self.control;
        let (channels, states) = (control.channels.len(), control.states.len());
        let mut form = Form::default();
        for (i, x) in Control::row(&control.c, states, k).iter().enumerate() {
            form.add(*x, &Form::unknown(self.first + i));
        }
        for j in 0..channels {
            form.add(control.d[k * channels + j], &self.channel(j, 0));
            form.add(control.e[k * channels + j], &self.channel(j, 1));
        }
        form
    }

    /// The rate of a state.
    pub fn rate(&self, i: usize) -> Form {
        let control = self.control;
        let (channels, states) = (control.channels.len(), control.states.len());
        let mut form = Form::default();
        for (k, x) in Control::row(&control.a, states, i).iter().enumerate() {
            form.add(*x, &Form::unknown(self.first + k));
        }
        for (j, x) in Control::row(&control.b, channels, i).iter().enumerate() {
            form.add(*x, &self.channel(j, 0));
        }
        form
    }

    /// The rate of an output while its integral stands.
    pub fn output_rate(&self, k: usize) -> Form {
        let control = self.control;
        let (channels, states) = (control.channels.len(), control.states.len());
        let mut form = Form::default();
        for i in (0..states).filter(|i| control.integral != Some(*i)) {
            form.add(control.c[k * states + i], &self.rate(i));
        }
        for j in 0..channels {
            form.add(control.d[k * channels + j], &self.channel(j, 1));
            if control.e[k * channels + j] != 0.0 {
                form.add(control.e[k * channels + j], &self.channel(j, 2));
            }
        }
        form
    }

    /// What the integral adds to the rate of the output while it runs.
    pub fn integral_rate(&self) -> Option<Form> {
        let i = self.control.integral?;
        Some(self.rate(i).scaled(self.control.c[i], 0.0))
    }
}
