//! The velocity of a program as its power series: how far it can be followed, and the distance travelled.
use stickslip_dynamics::Dynamics;
use stickslip_motion::{SERIES_RADIANS, close_span, floor_of, from_known_zero, next_knot};
use stickslip_real::TERMS;
use stickslip_solve::polynomial::{Coefficients, integral, value};
use stickslip_structures::Signal;

/// A leading coefficient below this part of the largest is a zero at the start.
const NOTHING: f64 = 1e-12;

/// The velocities in both directions from an instant on.
#[derive(Clone, Debug)]
pub struct Velocity {
    series: [Coefficients; 2],
    /// How far they are followed: to the radius of the series, a kink or a reversal.
    pub reach: f64,
    /// 1, -1, or 0 for rest; two directions know 1 and 0 only.
    pub direction: f64,
    /// Unit vector along which the motion leaves this instant; zero at rest.
    pub along: [f64; 2],
}

impl Velocity {
    /// Rest.
    pub const REST: Velocity =
        Velocity { series: [[0.0; TERMS]; 2], reach: f64::INFINITY, direction: 0.0, along: [0.0; 2] };

    /// What the values of all functions that a path follows count at least, from one time to another.
    pub fn floors(dynamics: &Dynamics, from: f64, to: f64) -> Vec<f64> {
        given(dynamics).map(|s| floor_of(s, from, to)).collect()
    }

    /// Looks ahead from `t`, at most `longest`, with these floors; steps stay within the part `closeness` of what a power series follows.
    pub fn ahead(dynamics: &Dynamics, t: f64, longest: f64, closeness: f64, floors: &[f64]) -> Velocity {
        let series = [dynamics.surface[0].expand(t).0, dynamics.surface[1].expand(t).0];
        let (angle, given) = (closeness * SERIES_RADIANS, given(dynamics).zip(floors));
        let spans = given.map(|(s, floor)| close_span(s, t, longest, angle, *floor));
        let mut reach = spans.fold(longest, f64::min);
        reach = reach.min(next_knot(self::given(dynamics), t, t + reach) - t);
        let moves = |c: &Coefficients| {
            let power = |k: usize| reach.min(1.0 / NOTHING).powi(k as i32);
            let largest = c.iter().enumerate().fold(0.0f64, |m, (k, x)| m.max(x.abs() * power(k)));
            let first = c.iter().enumerate().find(|(k, x)| x.abs() * power(*k) > NOTHING * largest);
            first.map_or((0, 0.0), |(k, x)| (k, *x))
        };
        let leading = [moves(&series[0]), moves(&series[1])];
        // The component of the lower power leads.
        let order = leading.iter().filter(|(_, x)| *x != 0.0).map(|(k, _)| *k).min();
        let along = leading.map(|(k, x)| if Some(k) == order { x } else { 0.0 });
        let size = along[0].hypot(along[1]);
        let along = along.map(|x| if size > 0.0 { x / size } else { 0.0 });
        let direction = match dynamics.sites[0].tangent.len() {
            1 if leading[0].1 == 0.0 => 0.0,
            1 => leading[0].1.signum(),
            _ => f64::from(size > 0.0),
        };
        // A reversal: in two directions both components vanish at once.
        for (c, other) in [(0, 1), (1, 0)].into_iter().take(dynamics.sites[0].tangent.len()) {
            if let Some(root) = from_known_zero(&series[c], reach, reach, 0.0)
                && value(&series[other], root.s).abs() <= NOTHING * size_of(&series[other], reach)
            {
                reach = root.s;
            }
        }
        Velocity { series, reach, direction, along }
    }

    /// Distance travelled in a direction over `h`.
    pub fn travel(&self, direction: usize, h: f64) -> f64 {
        integral(&self.series[direction], h)
    }
}

/// The functions of time that a path follows.
fn given<'a>(dynamics: &'a Dynamics) -> impl Iterator<Item = &'a Signal> {
    dynamics.surface.iter().chain(&dynamics.given).chain(&dynamics.clocks)
}

/// The sum of the sizes of a series' terms at `s`.
fn size_of(c: &Coefficients, s: f64) -> f64 {
    c.iter().rev().fold(0.0, |sum, x| sum * s + x.abs())
}

/// A function of a step's own time as one of the run's.
pub fn shifted(signal: Signal, by: f64) -> Signal {
    if by == 0.0 || signal.is_constant() { signal } else { Signal::Shifted(by, Box::new(signal)) }
}
