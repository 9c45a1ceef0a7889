//! A second method: Runge-Kutta's steps of a short fixed length, halved onto each event. It shares nothing with the march.

/// Length of a step, s.
pub const STEP: f64 = 5e-5;

/// Friction of the stage.
#[derive(Clone, Copy, Debug)]
pub enum Law {
    /// Static and kinetic force, and the speed over which the one falls to the other; 0: at once.
    Cone { hold: f64, kinetic: f64, fall: f64 },
    /// LuGre: force of the bristles per deflection and rate, kinetic and static force, Stribeck speed.
    Bristles { stiffness: f64, damping: f64, kinetic: f64, hold: f64, fall: f64 },
}

/// A stage under a controller.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    pub mass: f64,
    pub law: Law,
    pub reference: f64,
    pub gains: [f64; 3],
    pub filter: f64,
    pub saturation: f64,
    pub delay: f64,
    pub sampling: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Clip {
    Free,
    /// Clipped at this side; the integral runs.
    Runs(f64),
    Stops(f64),
    /// The integral holds the output on its limit.
    Slides(f64),
}

/// x, v, integral of the error, filter, bristles.
type State = [f64; 5];

/// A motion under way.
pub struct Motion {
    stage: Stage,
    pub t: f64,
    pub y: State,
    /// 0 in stick, else the direction of slip; bristles have none.
    mode: f64,
    clip: Clip,
    /// What a sampled loop holds.
    held: f64,
    sampled: [f64; 3],
    count: u64,
    coming: Vec<(f64, f64)>,
    /// Output and its rate at the ends of all steps, for a delay.
    past: Vec<[f64; 3]>,
    pub most: f64,
}

impl Motion {
    pub fn new(stage: Stage) -> Motion {
        let e = stage.reference;
        let mut motion = Motion {
            stage,
            t: 0.0,
            y: [0.0, 0.0, 0.0, e, 0.0],
            mode: 0.0,
            clip: Clip::Free,
            held: 0.0,
            sampled: [0.0, e, e],
            count: 0,
            coming: vec![],
            past: vec![],
            most: 0.0,
        };
        let early = (stage.gains[0] * e).clamp(-stage.saturation, stage.saturation);
        motion.held = early;
        motion.past.push([f64::NEG_INFINITY, early, 0.0]);
        motion.settle();
        motion.sample();
        motion.keep();
        motion.start_slip();
        motion
    }

    /// The output without its limit, its rate while the integral stands, and what that adds.
    fn raw(&self, y: &State) -> [f64; 3] {
        let Stage { gains: [p, i, d], filter, reference, .. } = self.stage;
        let e = reference - y[0];
        let slope = (e - y[3]) / filter;
        [p * e + i * y[2] + d * slope, -p * y[1] + d * (-y[1] - slope) / filter, i * e]
    }

    fn output(&self, y: &State) -> f64 {
        match self.clip {
            Clip::Free => self.raw(y)[0],
            Clip::Runs(side) | Clip::Stops(side) | Clip::Slides(side) => side * self.stage.saturation,
        }
    }

    /// The force at a time inside the present step.
    fn force(&self, t: f64, y: &State) -> f64 {
        if self.stage.sampling > 0.0 {
            return self.held;
        }
        if self.stage.delay == 0.0 {
            return self.output(y);
        }
        let then = t - self.stage.delay;
        let k = self.past.partition_point(|entry| entry[0] <= then + 1e-12).max(1) - 1;
        let [t0, u0, d0] = self.past[k];
        let Some([t1, u1, d1]) = self.past.get(k + 1).copied().filter(|_| t0.is_finite()) else { return u0 };
        let (h, s) = (t1 - t0, ((then - t0) / (t1 - t0)).clamp(0.0, 1.0));
        if h <= 0.0 {
            return u0;
        }
        let (a, b) = (d0 * h - (u1 - u0), -d1 * h + (u1 - u0));
        (1.0 - s) * u0 + s * u1 + s * (1.0 - s) * ((1.0 - s) * a + s * b)
    }

    fn rates(&self, t: f64, y: &State) -> State {
        let Stage { mass, law, reference, filter, .. } = self.stage;
        let e = reference - y[0];
        let [_, stopped, drives] = self.raw(y);
        let integral = match self.clip {
            Clip::Free | Clip::Runs(_) => e,
            Clip::Stops(_) => 0.0,
            Clip::Slides(_) => -stopped / drives * e,
        };
        let (friction, bristles) = match law {
            Law::Cone { .. } if self.mode == 0.0 => (f64::NAN, 0.0),
            Law::Cone { hold, kinetic, fall } => {
                let part = if fall > 0.0 { (-(y[1] / fall).powi(2)).exp() } else { 0.0 };
                (self.mode * (kinetic + (hold - kinetic) * part), 0.0)
            }
            Law::Bristles { stiffness, damping, kinetic, hold, fall } => {
                let limit = kinetic + (hold - kinetic) * (-(y[1] / fall).powi(2)).exp();
                let rate = y[1] - stiffness * y[1].abs() * y[4] / limit;
                (stiffness * y[4] + damping * rate, rate)
            }
        };
        let stuck = matches!(law, Law::Cone { .. }) && self.mode == 0.0;
        let acceleration = if stuck { 0.0 } else { (self.force(t, y) - friction) / mass };
        [if stuck { 0.0 } else { y[1] }, acceleration, integral, (e - y[3]) / filter, bristles]
    }

    fn runge_kutta(&self, h: f64) -> State {
        let y = self.y;
        let at = |k: &State, c: f64| -> State { std::array::from_fn(|i| y[i] + c * h * k[i]) };
        let k1 = self.rates(self.t, &y);
        let k2 = self.rates(self.t + 0.5 * h, &at(&k1, 0.5));
        let k3 = self.rates(self.t + 0.5 * h, &at(&k2, 0.5));
        let k4 = self.rates(self.t + h, &at(&k3, 1.0));
        std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
    }

    /// What stays positive until something happens.
    fn guards(&self, t: f64, y: &State) -> [f64; 4] {
        let mut g = [1.0; 4];
        if let Law::Cone { hold, .. } = self.stage.law {
            if self.mode == 0.0 {
                let force = self.force(t, y);
                (g[0], g[1]) = (hold - force, hold + force);
            } else {
                g[0] = self.mode * y[1];
            }
        }
        let limit = self.stage.saturation;
        let [raw, stopped, drives] = self.raw(y);
        if limit.is_finite() && self.stage.sampling == 0.0 {
            (g[2], g[3]) = match self.clip {
                Clip::Free => (limit - raw, limit + raw),
                Clip::Runs(side) => (side * raw - limit, -side * drives),
                Clip::Stops(side) => (side * raw - limit, side * drives),
                Clip::Slides(side) => (side * (stopped + drives), -side * stopped),
            };
        }
        g
    }

    /// On the limit: where the output goes.
    fn on_limit(&self, side: f64) -> Clip {
        let [_, stopped, drives] = self.raw(&self.y);
        let (stopped, drives) = (side * stopped, side * drives);
        match () {
            _ if stopped + drives <= 0.0 => Clip::Free,
            _ if drives <= 0.0 => Clip::Runs(side),
            _ if stopped >= 0.0 => Clip::Stops(side),
            _ => Clip::Slides(side),
        }
    }

    fn settle(&mut self) {
        let [raw, _, drives] = self.raw(&self.y);
        if raw.abs() > self.stage.saturation {
            let side = raw.signum();
            self.clip = if side * drives > 0.0 { Clip::Stops(side) } else { Clip::Runs(side) };
        }
    }

    fn pass(&mut self, guard: usize) {
        match (guard, self.clip) {
            (0 | 1, _) if self.mode != 0.0 => {
                self.y[1] = 0.0;
                self.mode = 0.0;
                self.start_slip();
            }
            (0, _) => self.mode = 1.0,
            (1, _) => self.mode = -1.0,
            (2, Clip::Free) => self.clip = self.on_limit(1.0),
            (3, Clip::Free) => self.clip = self.on_limit(-1.0),
            (2, Clip::Slides(_)) => self.clip = Clip::Free,
            (_, Clip::Slides(side)) => self.clip = Clip::Stops(side),
            (2, Clip::Runs(side) | Clip::Stops(side)) => self.clip = self.on_limit(side),
            (_, Clip::Runs(side)) => self.clip = Clip::Stops(side),
            (_, Clip::Stops(side)) => self.clip = Clip::Runs(side),
            (_, Clip::Free) => {}
        }
    }

    /// What stick can't hold slips.
    fn start_slip(&mut self) {
        if let (Law::Cone { hold, .. }, 0.0) = (self.stage.law, self.mode) {
            let force = self.force(self.t, &self.y);
            if force.abs() > hold {
                self.mode = force.signum();
            }
        }
    }

    fn sample(&mut self) {
        let Stage { gains: [p, i, d], filter, reference, saturation, delay, sampling, .. } = self.stage;
        if sampling == 0.0 {
            return;
        }
        if self.t >= self.count as f64 * sampling - 1e-12 {
            let e = reference - self.y[0];
            let [sum, slow, _] = self.sampled;
            let slow = (slow + sampling / filter * e) / (1.0 + sampling / filter);
            let mut new = sum + sampling * e;
            let raw = p * e + i * new + d * (e - slow) / filter;
            if raw.abs() > saturation && raw * i * e > 0.0 {
                new = sum;
            }
            self.sampled = [new, slow, e];
            self.coming.push((self.count as f64 * sampling + delay, raw.clamp(-saturation, saturation)));
            self.count += 1;
        }
        while let Some((t, u)) = self.coming.first().copied().filter(|(t, _)| *t <= self.t + 1e-12) {
            let _ = t;
            self.held = u;
            self.coming.remove(0);
        }
    }

    fn keep(&mut self) {
        self.most = self.most.max(self.force(self.t, &self.y).abs());
        if self.stage.delay > 0.0 && self.stage.sampling == 0.0 {
            let [_, stopped, drives] = self.raw(&self.y);
            let rate = if self.clip == Clip::Free { stopped + drives } else { 0.0 };
            self.past.push([self.t, self.output(&self.y), rate]);
        }
    }

    /// Goes on to a time that is a multiple of the step.
    pub fn until(&mut self, end: f64) {
        let mut k = (self.t / STEP).round() as u64;
        while self.t < end - 0.5 * STEP {
            k += 1;
            let target = k as f64 * STEP;
            for _ in 0..50 {
                let h = target - self.t;
                if h <= 0.0 {
                    break;
                }
                let here = self.guards(self.t, &self.y);
                let next = self.runge_kutta(h);
                let fails = |g: &[f64; 4]| (0..4).find(|i| g[*i] < 0.0 && here[*i] > g[*i]);
                if fails(&self.guards(target, &next)).is_none() {
                    (self.t, self.y) = (target, next);
                    break;
                }
                let (mut low, mut high) = (0.0, h);
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    let there = self.runge_kutta(middle);
                    if fails(&self.guards(self.t + middle, &there)).is_none() { low = middle } else { high = middle }
                }
                let there = self.runge_kutta(high);
                let guard = fails(&self.guards(self.t + high, &there)).unwrap_or(0);
                (self.t, self.y) = (self.t + high, there);
                self.keep();
                self.pass(guard);
                self.keep();
            }
            self.t = target;
            self.sample();
            self.start_slip();
            self.keep();
        }
    }
}
