//! Friction with one branch for accelerating and one for decelerating slip.
use crate::contract::nested::same_neighbours;
use crate::{Claims, Event, Friction, Kind, Law, LawError, Mode, Nested, Scale, Slide, State};
use stickslip_formula::Formula;
use stickslip_real::Scalar;

/// One friction law while slip accelerates, another while it decelerates.
///
/// strength = part accelerating + (1 - part) decelerating,   hold is that of `accelerating`
/// part = 1 while the speed grows, 0 while it falls; where the acceleration changes sign at the speed w, friction passes
/// from one branch to the other over the speeds from w to w - turn (from w to w + turn on the way back)
///
/// The two branches meet nowhere: a switch at once would, where friction is higher in acceleration, leave neither branch
/// with the sign of acceleration that it is for. `turn` is the change of speed that the surfaces need.
#[derive(Clone, Debug, Kind)]
#[kind(
    "two-branch",
    claims = "odd passive set_valued acceleration",
    reference = "L. C. Bo and D. Pavelescu, Wear 82 (1982) 277; Berger 2002, 2.2; Oden & Martins 1985, Figs 38, 41-43",
    example = "accelerating = { law = 'exponential', mu_0 = 0.2, mu_1 = 0.2, alpha = '30 s/m' }, decelerating = { law = 'exponential', mu_0 = 0.2, mu_1 = 0.1, alpha = '30 s/m' }, turn = '2 mm/s'",
    load = 10.0,
    speed = 0.1,
    slip = 1e-3
)]
pub struct TwoBranch<S = f64> {
    /// Law of slip whose speed grows.
    #[param()]
    pub accelerating: Nested,
    /// Law of slip whose speed falls.
    #[param()]
    pub decelerating: Nested,
    /// Change of speed over which friction passes from one branch to the other.
    #[param(unit = "m/s", above = 0.0)]
    pub turn: S,
}

/// 1 accelerating, -1 decelerating, 0 between.
const BRANCH: usize = 0;
/// Speeds between which friction passes from one branch to the other.
const LOW: usize = 1;
const HIGH: usize = 2;

/// Slip that is slower than this part of `turn` only begins.
const BEGINS: f64 = 1e-6;

impl<S: Scalar, const D: usize> Law<S, D> for TwoBranch<S>
where
    Nested: Law<S, D>,
{
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        dz.fill(S::zero());
        let part = match z[BRANCH].re() {
            b if b > 0.5 => S::lit(1.0),
            b if b < -0.5 => S::zero(),
            _ => ((at.speed() - z[LOW]) / self.turn).max(S::zero()).min(S::lit(1.0)),
        };
        match (self.accelerating.respond(at, &[], &mut []), self.decelerating.respond(at, &[], &mut [])) {
            (Friction::Cone { hold, strength: up }, Friction::Cone { strength: down, .. }) => {
                Friction::Cone { hold, strength: down + part * (up - down) }
            }
            _ => Friction::Cone { hold: S::lit(f64::NAN), strength: S::lit(f64::NAN) },
        }
    }

    fn states(&self) -> Vec<State> {
        let speed = |name: &str, about| State::new(name, "m/s", 0.0, Scale::Linear(self.turn.re())).means(about).held();
        let about = "1 while slip accelerates, -1 while it decelerates, 0 on the way from one to the other.";
        let branch = State::new("branch", "1", 1.0, Scale::Linear(1.0)).means(about).held();
        vec![branch, speed("low", "Speed at one end of that way."), speed("high", "Speed at its other end.")]
    }

    fn velocity_scale(&self) -> Scale {
        Law::<S, D>::velocity_scale(&self.accelerating)
    }

    fn rest_speed(&self, _: &[S]) -> Option<S> {
        Law::<S, D>::rest_speed(&self.accelerating, &[])
    }

    fn guards(&self, at: &Slide<S, D>, z: &[S], g: &mut Vec<S>) {
        let (speed, always) = (at.speed(), S::lit(1.0));
        g.extend(match z[BRANCH].re() {
            // What sticks has no acceleration: its sign is rounding.
            _ if at.mode == Mode::Stick => [always, always],
            b if b > 0.5 => [at.speed_rate(), always],
            b if b < -0.5 => [-at.speed_rate(), always],
            _ => [z[HIGH] - speed, speed - z[LOW]],
        });
    }

    fn on(&self, event: Event<S>, at: &Slide<S, D>, z: &mut [S]) {
        let (speed, faster, least) = (at.speed(), at.speed_rate().re(), BEGINS * self.turn.re());
        match (event, z[BRANCH].re()) {
            // Slip that only begins grows: the sign of an acceleration that is none is rounding.
            (Event::Enter(Mode::Forward | Mode::Backward), _) if faster < 0.0 && speed.re() > least => {
                z[BRANCH] = S::lit(-1.0)
            }
            (Event::Enter(_), _) => z[BRANCH] = S::lit(1.0),
            // It grows out of such rounding: no turn.
            (Event::Guard(0), b) if b.abs() > 0.5 && b * faster > 0.0 => {}
            (Event::Guard(0), b) if b > 0.5 => z.copy_from_slice(&[S::zero(), speed - self.turn, speed]),
            (Event::Guard(0), b) if b < -0.5 => z.copy_from_slice(&[S::zero(), speed, speed + self.turn]),
            (Event::Guard(0), _) => z[BRANCH] = S::lit(1.0),
            (Event::Guard(_), _) => z[BRANCH] = S::lit(-1.0),
            (Event::Start | Event::Load { .. }, _) => {}
        }
    }

    // The branches have no memory: no guards, no energy, no inner elements, no lag of their own.

    fn own_time(&self) -> Option<f64> {
        let both = [&self.accelerating, &self.decelerating];
        both.into_iter().filter_map(Law::<S, D>::own_time).reduce(f64::min)
    }

    fn clocks(&self) -> Vec<Formula> {
        let both = [&self.accelerating, &self.decelerating];
        both.into_iter().flat_map(Law::<S, D>::clocks).collect()
    }

    /// `fits` sees to it that both have the same.
    fn kernel(&self) -> Vec<S> {
        Law::<S, D>::kernel(&self.accelerating)
    }

    fn observe(&self, at: &Slide<S, D>, _: &[S]) -> Vec<(&'static str, &'static str, S)> {
        let both = [&self.accelerating, &self.decelerating];
        both.into_iter().flat_map(|law| law.observe(at, &[])).collect()
    }

    fn fault(&self, at: &Slide<S, D>, _: &[S]) -> Option<&'static str> {
        [&self.accelerating, &self.decelerating].into_iter().find_map(|law| law.fault(at, &[]))
    }

    fn claims(&self, of_kind: Claims) -> Claims {
        let both = self.accelerating.promises().common(self.decelerating.promises());
        Claims { memoryless: false, rate_independent: false, acceleration: of_kind.acceleration, ..both }
    }

    fn fits(&self) -> Result<(), LawError> {
        for law in [&self.accelerating, &self.decelerating] {
            let c = law.promises();
            let expected = "a set-valued law without memory, such as \"stribeck\"";
            law.require(c.set_valued && c.memoryless && !c.history, "a branch is a curve over the speed", expected)?;
            Law::<S, D>::fits(law)?;
        }
        same_neighbours::<S, D>(&self.accelerating, &self.decelerating)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ContactGroup, FrictionKind, Given, Values};

    fn law() -> Box<dyn ContactGroup> {
        let branch = |mu: f64| Given::law("coulomb", [("mu", mu.into())]).unwrap();
        let given = [("accelerating", branch(0.4)), ("decelerating", branch(0.3)), ("turn", 2e-3.into())];
        let given: Vec<(String, Given)> = given.into_iter().map(|(name, value)| (name.into(), value)).collect();
        let kind = FrictionKind::named("two-branch").unwrap();
        kind.build(&[Values::resolve(kind.params, kind.one_of, &given).unwrap()], 1, 1).unwrap()
    }

    /// Where the accelerating branch begins at what stick holds, slip begins without an acceleration, and its sign is
    /// rounding: it grows all the same. Slip that was there before may well slow down.
    #[test]
    fn slip_that_begins_accelerates() {
        for (speed, rate, branch) in [(1e-17, -1e-14, 1.0), (0.1, -1e-14, -1.0), (0.1, 3.0, 1.0)] {
            let mut at = Slide::new([speed, 0.0], 10.0).with_mode(Mode::Forward);
            at.acceleration = [rate, 0.0];
            let mut z = [0.0; 3];
            law().on(0, Event::Enter(Mode::Forward), &at, &mut z);
            assert_eq!(z[BRANCH], branch, "{speed} {rate}");
            // What then comes out of rounding is no turn; what ends is.
            at.acceleration = [branch * 1e-15, 0.0];
            law().on(0, Event::Guard(0), &at, &mut z);
            assert_eq!(z[BRANCH], branch, "{speed} {rate}");
            at.acceleration = [branch * -1e-15, 0.0];
            law().on(0, Event::Guard(0), &at, &mut z);
            assert_eq!(z[BRANCH], 0.0, "{speed} {rate}");
        }
    }
}
