//! Friction with one branch for accelerating and one for decelerating slip.
use crate::contract::nested::same_neighbours;
use crate::{Claims, Event, Friction, Kind, Law, LawError, Mode, Nested, Scale, Slide, State};
use stickslip_derive::delegate;
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
///
/// So part = (v - low)/turn, where the speed v takes the range from low to low + turn along as it leaves it at either end (a
/// play): friction is continuous in the speed, and does not depend on the sign of an acceleration that is zero to rounding.
/// Slip that begins, at whatever speed, has just accelerated: part = 1. A speed that jumps takes the range along like one that
/// changes fast.
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

/// The range is taken along from this part of `turn` beyond its ends: where the acceleration is zero, rounding does not
/// switch back and forth.
const BAND: f64 = 1e-9;

impl<S: Scalar> TwoBranch<S> {
    /// The part of the accelerating branch. A step that ends on a guard just beyond the range has the slopes of the inside at
    /// its end too: derivatives along it are those of one curve.
    fn part(&self, z: &[S], speed: S) -> S {
        let inside = (speed - z[LOW]) / self.turn;
        match z[BRANCH].re() {
            b if b > 0.5 => S::lit(1.0),
            b if b < -0.5 => S::zero(),
            _ if inside.re() > 1.0 + 2.0 * BAND => S::lit(1.0),
            _ if inside.re() < -2.0 * BAND => S::zero(),
            _ => inside,
        }
    }

    /// The range begins at `low`, or where the speed has taken it.
    fn carry(&self, z: &mut [S], low: S, speed: S) {
        let low = low.max(speed - self.turn).min(speed);
        z.copy_from_slice(&[S::zero(), low, low + self.turn]);
    }

    /// Slip begins at this speed.
    fn begin(&self, z: &mut [S], speed: S) {
        match speed.re() > BAND * self.turn.re() {
            true => self.carry(z, speed - self.turn, speed),
            // From rest it can only accelerate.
            false => z[BRANCH] = S::lit(1.0),
        }
    }
}

#[delegate(default(step, stored, inner, strength_inside, lag))]
impl<S: Scalar, const D: usize> Law<S, D> for TwoBranch<S>
where
    Nested: Law<S, D>,
{
    fn respond(&self, at: &Slide<S, D>, z: &[S], dz: &mut [S]) -> Friction<S, D> {
        dz.fill(S::zero());
        let part = self.part(z, at.speed());
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
            _ => [z[HIGH] + self.turn * BAND - speed, speed - z[LOW] + self.turn * BAND],
        });
    }

    fn on(&self, event: Event<S>, at: &Slide<S, D>, z: &mut [S]) {
        let (speed, faster) = (at.speed(), at.speed_rate().re());
        match (event, z[BRANCH].re()) {
            (Event::Enter(_), _) => self.begin(z, speed),
            // The branches stand for a range that ends at the speed before the jump.
            (Event::Jump { by }, b) if b > 0.5 => self.carry(z, speed - by - self.turn, speed),
            (Event::Jump { by }, b) if b < -0.5 => self.carry(z, speed - by, speed),
            (Event::Jump { .. }, _) => self.carry(z, z[LOW], speed),
            // Where slip begins without an acceleration its first sign is rounding: what grows out of it does not turn.
            (Event::Guard(0), b) if b.abs() > 0.5 && b * faster > 0.0 => {}
            (Event::Guard(0), b) if b > 0.5 => self.carry(z, speed - self.turn, speed),
            (Event::Guard(0), b) if b < -0.5 => self.carry(z, speed, speed),
            (Event::Guard(0), _) if faster > 0.0 && speed.re() > z[HIGH].re() => z[BRANCH] = S::lit(1.0),
            (Event::Guard(1), _) if faster < 0.0 && speed.re() < z[LOW].re() => z[BRANCH] = S::lit(-1.0),
            // The speed turns just where it leaves the range.
            (Event::Guard(_), _) => self.carry(z, z[LOW], speed),
            (Event::Start | Event::Load { .. }, _) => {}
        }
    }

    // The branches have no memory: no guards, no energy, no inner elements, no lag of their own.

    fn intrinsic_time(&self) -> Option<f64> {
        let both = [&self.accelerating, &self.decelerating];
        both.into_iter().filter_map(Law::<S, D>::intrinsic_time).reduce(f64::min)
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
        Claims {
            memoryless: false,
            rate_independent: false,
            piecewise_linear: false,
            acceleration: of_kind.acceleration,
            ..both
        }
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

    fn slide(speed: f64, rate: f64) -> Slide<f64, 2> {
        let mut at = Slide::new([speed, 0.0], 10.0).with_mode(Mode::Forward);
        at.acceleration = [rate, 0.0];
        at
    }

    fn strength(at: &Slide<f64, 2>, z: &[f64]) -> f64 {
        let mut answer = [Friction::Force([0.0; 2])];
        law().respond(&[*at], z, &mut [0.0; 3], &mut answer);
        match answer[0] {
            Friction::Cone { strength, .. } => strength,
            Friction::Force(_) => f64::NAN,
        }
    }

    /// Whatever sign rounding gives to an acceleration that is none.
    #[test]
    fn slip_begins_on_the_accelerating_branch() {
        for speed in [0.0, 1e-17, 0.1] {
            for rate in [-1e-14, 0.0, 1e-14, -3.0, 3.0] {
                let (at, mut z) = (slide(speed, rate), [-1.0, 0.0, 0.0]);
                law().on(0, Event::Enter(Mode::Forward), &at, &mut z);
                assert!((strength(&at, &z) - 4.0).abs() < 1e-12, "{speed} {rate}");
                let (mut g, faster) = (vec![], slide(speed + 1e-3, 1.0));
                law().guards(&[faster], &z, &mut g);
                law().on(0, Event::Guard(0), &faster, &mut z);
                assert!((strength(&faster, &z) - 4.0).abs() < 1e-12, "{speed} {rate} {g:?}");
            }
        }
    }

    /// Slip that begins without an acceleration: what comes out of rounding is no turn; what ends is.
    #[test]
    fn an_acceleration_that_grows_out_of_rounding_is_no_turn() {
        let mut z = [0.0; 3];
        law().on(0, Event::Enter(Mode::Forward), &slide(1e-17, -1e-14), &mut z);
        law().on(0, Event::Guard(0), &slide(1e-17, 1e-15), &mut z);
        assert_eq!(z[BRANCH], 1.0);
        law().on(0, Event::Guard(0), &slide(0.1, -1e-15), &mut z);
        assert_eq!(z, [0.0, 0.1 - 2e-3, 0.1]);
    }

    /// At a turn the guards are off their zeros on the inner side: the speed may be a little beyond.
    #[test]
    fn a_turn_is_not_taken_back_by_rounding() {
        for (branch, rate) in [(1.0, -1e-15), (-1.0, 1e-15)] {
            let mut z = [branch, 0.0, 0.0];
            law().on(0, Event::Guard(0), &slide(0.1, rate), &mut z);
            for speed in [0.1 - 1e-14, 0.1, 0.1 + 1e-14] {
                let mut g = vec![];
                law().guards(&[slide(speed, rate)], &z, &mut g);
                assert!(g.iter().all(|g| *g > 1e-12), "{branch} {speed} {g:?}");
            }
            // An event at a guard all the same changes nothing while the speed does not leave the range.
            let before = z;
            for k in [0, 1] {
                law().on(0, Event::Guard(k), &slide(0.1 - 1e-3 * branch, rate), &mut z);
                assert_eq!(z, before, "{branch} {k}");
            }
        }
    }

    /// As a speed that changes fast: down by half of `turn` is half-way to the other branch, by more is there, and back.
    #[test]
    fn a_jump_of_the_speed_is_a_fast_change() {
        let mut z = [1.0, 0.0, 0.0];
        for (speed, by, friction) in [(0.099, -1e-3, 3.5), (0.05, -0.049, 3.0), (0.0505, 5e-4, 3.25), (0.2, 0.1, 4.0)] {
            let at = slide(speed, 0.0);
            law().on(0, Event::Jump { by }, &at, &mut z);
            assert!((strength(&at, &z) - friction).abs() < 1e-9, "{speed} {by}: {}", strength(&at, &z));
        }
    }
}
