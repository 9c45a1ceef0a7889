//! Saturation of an output, and its integral that stops while it is clipped.
//!
//! At the limit the integral may be too fast to let the output leave and, stopped, too slow to hold it there: then the output
//! stays on the limit, and the integral runs as fast as that takes.
use super::form::{Form, Instant, Place};

/// An output this near to its limit, part of its terms, is on it.
const ON_LIMIT: f64 = 64.0 * f64::EPSILON;

/// What the integral does while the output is clipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integral {
    /// It runs: the error leads back from the limit, or there is none.
    #[default]
    Runs,
    /// It stops: the error would drive the output further.
    Stops,
    /// It keeps the output on its limit.
    Slides,
}

/// Whether an output is clipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clip {
    /// 1 at the upper limit, -1 at the lower one, 0 between them.
    pub side: i8,
    /// What its integral does meanwhile.
    pub integral: Integral,
}

impl Clip {
    /// Not clipped.
    pub const FREE: Clip = Clip { side: 0, integral: Integral::Runs };

    fn at(side: i8, integral: Integral) -> Clip {
        Clip { side, integral }
    }

    /// The output of a loop.
    pub fn output(self, place: &Place, k: usize) -> Form {
        match (self.side, place.control.saturation) {
            (0, _) | (_, None) => place.output(k),
            (side, Some(limit)) => Form::constant(f64::from(side) * limit),
        }
    }

    /// The rate of a state of a loop.
    pub fn rate(self, place: &Place, i: usize) -> Form {
        if self.side == 0 || place.control.integral != Some(i) {
            return place.rate(i);
        }
        match self.integral {
            Integral::Runs => place.rate(i),
            Integral::Stops => Form::default(),
            Integral::Slides => place.output_rate(0).scaled(-1.0 / place.control.c[i], 0.0),
        }
    }

    /// Functions that stay positive until something changes.
    pub fn guards(self, place: &Place, k: usize) -> [Form; 2] {
        let limit = place.control.saturation.unwrap_or(f64::INFINITY);
        let output = place.output(k);
        if self.side == 0 {
            return [output.scaled(-1.0, limit), output.scaled(1.0, limit)];
        }
        let side = f64::from(self.side);
        let beyond = output.scaled(side, -limit);
        let Some(drives) = place.integral_rate() else { return [beyond, Form::constant(1.0)] };
        match self.integral {
            Integral::Runs => [beyond, drives.scaled(-side, 0.0)],
            Integral::Stops => [beyond, drives.scaled(side, 0.0)],
            Integral::Slides => {
                let stopped = place.output_rate(k);
                let mut running = stopped.scaled(side, 0.0);
                running.add(side, &drives);
                [running, stopped.scaled(-side, 0.0)]
            }
        }
    }

    /// What follows where nothing is known but the instant.
    pub fn settled(self, place: &Place, k: usize, at: &Instant) -> Clip {
        let Some(limit) = place.control.saturation else { return Clip::FREE };
        let (output, size) = place.output(k).value(at);
        let slack = ON_LIMIT * (size + limit);
        if output.abs() < limit - slack {
            return Clip::FREE;
        }
        let side = if output > 0.0 { 1 } else { -1 };
        if output.abs() <= limit + slack {
            return Clip::on_limit(side, place, k, at);
        }
        match place.integral_rate() {
            Some(drives) if f64::from(side) * drives.value(at).0 > 0.0 => Clip::at(side, Integral::Stops),
            _ => Clip::at(side, Integral::Runs),
        }
    }

    /// What follows when guard `number` has come to zero.
    pub fn passed(self, number: usize, place: &Place, k: usize, at: &Instant) -> Clip {
        match (self.side, self.integral, number) {
            (0, _, 0) => Clip::on_limit(1, place, k, at),
            (0, ..) => Clip::on_limit(-1, place, k, at),
            (_, Integral::Slides, 0) => Clip::FREE,
            (side, Integral::Slides, _) => Clip::at(side, Integral::Stops),
            (side, _, 0) => Clip::on_limit(side, place, k, at),
            (side, Integral::Runs, _) => Clip::at(side, Integral::Stops),
            (side, Integral::Stops, _) => Clip::at(side, Integral::Runs),
        }
    }

    /// What follows on a limit, from where the output goes with its integral stopped and running.
    fn on_limit(side: i8, place: &Place, k: usize, at: &Instant) -> Clip {
        let toward = f64::from(side);
        let stopped = toward * place.output_rate(k).value(at).0;
        let Some(drives) = place.integral_rate() else {
            return if stopped > 0.0 { Clip::at(side, Integral::Runs) } else { Clip::FREE };
        };
        let drives = toward * drives.value(at).0;
        match () {
            _ if stopped + drives <= 0.0 => Clip::FREE,
            _ if drives <= 0.0 => Clip::at(side, Integral::Runs),
            _ if stopped >= 0.0 => Clip::at(side, Integral::Stops),
            _ => Clip::at(side, Integral::Slides),
        }
    }
}
