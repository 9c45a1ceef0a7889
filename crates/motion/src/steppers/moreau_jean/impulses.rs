//! What is asked of the impulses of a step, and who may hold how much.
use stickslip_dynamics::Site;
use stickslip_laws::Mode;

/// A reaction beyond its limit by this part is rounding.
pub const HELD: f64 = 1e-12;

/// A step without its contact impulses.
pub struct Asked<'a> {
    /// Velocities at the start.
    pub v: &'a [f64],
    /// Momentum that everything but the contacts gives.
    pub push: &'a [f64],
    /// Slip of each point if no velocity changed: the surface is where the step ends.
    pub slips: &'a [f64],
    /// Largest friction impulse of each point: what it is without a normal impulse, and what goes with that.
    pub limits: &'a [[f64; 2]],
    /// Rigid points that may touch in this step.
    pub closing: &'a [bool],
}

/// Why there are no impulses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unfound {
    /// They do not settle.
    Unsettled,
    /// The friction of this point is below zero under its reaction.
    Negative(usize),
}

/// Finds the contact impulses of a step: tangential (against the slip) and normal, and the jump of the velocities.
pub trait Impulses {
    /// `modes` are a guess before and the answer after. No limit without a normal impulse is below zero.
    fn find(
        &mut self,
        asked: &Asked,
        modes: &mut [Mode],
        impulses: &mut [[f64; 2]],
        jump: &mut [f64],
    ) -> Result<(), Unfound>;
    /// Passes over all contacts so far: each costs as much as the structure has entries.
    fn passes(&self) -> u64;
}

/// What a point can hold in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// In stick: without a load, and per load.
    pub hold: [f64; 2],
    /// In slip.
    pub strength: [f64; 2],
}

impl Cone {
    fn breaks_loose(&self) -> bool {
        self.hold[0] > self.strength[0] || self.hold[1] > self.strength[1]
    }

    /// Friction impulse of a step: without a normal impulse, and per normal impulse.
    fn limit(&self, h: f64, holds: bool) -> [f64; 2] {
        let [alone, per_load] = if holds { self.hold } else { self.strength };
        [h * alone, per_load]
    }
}

/// The impulses of points that may hold more in stick than they carry in slip.
///
/// A point that stuck holds up to its hold; beyond it the point is released for good, and carries its strength. One that
/// slips carries its strength; if it would turn around, it came to rest in between, and may hold. With the limits fixed
/// the impulses are unique where loads are given; every point changes its limit at most twice.
pub struct Limits {
    limits: Vec<[f64; 2]>,
    holds: Vec<bool>,
    released: Vec<bool>,
    started: Vec<Mode>,
    /// Whether some point holds more than it carries.
    loose: bool,
    /// Points that slide as one, each with the factor of its slip velocity.
    twins: Vec<Vec<(usize, f64)>>,
}

impl Limits {
    /// For these points.
    pub fn new(sites: &[Site]) -> Limits {
        let points = sites.len();
        let of = |first: usize| -> Vec<(usize, f64)> {
            let own = sites.iter().enumerate().filter(|(_, site)| site.twin.0 == first);
            own.map(|(i, site)| (i, site.twin.1)).collect()
        };
        Limits {
            twins: (0..points).map(of).filter(|group| group.len() > 1).collect(),
            limits: vec![[0.0; 2]; points],
            holds: vec![false; points],
            released: vec![false; points],
            started: vec![Mode::Open; points],
            loose: true,
        }
    }

    /// Takes note of new cones.
    pub fn set(&mut self, cones: &[Cone], h: f64) {
        self.loose = cones.iter().any(Cone::breaks_loose);
        self.limits.iter_mut().zip(cones).for_each(|(limit, cone)| *limit = cone.limit(h, false));
    }

    /// Points that slide as one stick while one of them could hold more: together they hold the sum of their limits, and each
    /// is used to the same part of its own. How an iteration happens to share them out would let one go before the others.
    fn join(&self, modes: &mut [Mode], impulses: &mut [[f64; 2]]) {
        for group in &self.twins {
            if group.iter().all(|(i, _)| modes[*i] != Mode::Stick) {
                continue;
            }
            let total: f64 = group.iter().map(|(i, factor)| factor * impulses[*i][0]).sum();
            let most: f64 = group.iter().map(|(i, factor)| factor.abs() * self.limits[*i][0]).sum();
            for (i, factor) in group {
                modes[*i] = Mode::Stick;
                let part = if most > 0.0 { total / most } else { 0.0 };
                impulses[*i][0] = part * self.limits[*i][0] * factor.signum();
            }
        }
    }

    /// Finds impulses and modes.
    pub fn find(
        &mut self,
        system: &mut dyn Impulses,
        cones: &[Cone],
        h: f64,
        asked: Asked,
        modes: &mut [Mode],
        impulses: &mut [[f64; 2]],
        jump: &mut [f64],
    ) -> Result<(), Unfound> {
        if !self.loose {
            // The limits do not depend on who stuck.
            system.find(&Asked { limits: &self.limits, ..asked }, modes, impulses, jump)?;
            self.join(modes, impulses);
            return Ok(());
        }
        self.started.copy_from_slice(modes);
        self.released.fill(false);
        for (i, cone) in cones.iter().enumerate() {
            self.holds[i] = self.started[i] == Mode::Stick;
            self.limits[i] = cone.limit(h, self.holds[i]);
        }
        loop {
            system.find(&Asked { limits: &self.limits, ..asked }, modes, impulses, jump)?;
            self.join(modes, impulses);
            let mut again = false;
            for (i, cone) in cones.iter().enumerate() {
                if !cone.breaks_loose() || modes[i].sign() == 0.0 {
                    continue;
                }
                let turned = modes[i].sign() * self.started[i].sign() < 0.0;
                if self.holds[i] {
                    (self.holds[i], self.released[i]) = (false, true);
                } else if turned && !self.released[i] {
                    (self.holds[i], modes[i]) = (true, Mode::Stick);
                } else {
                    continue;
                }
                self.limits[i] = cone.limit(h, self.holds[i]);
                again = true;
            }
            if !again {
                return Ok(());
            }
        }
    }
}
