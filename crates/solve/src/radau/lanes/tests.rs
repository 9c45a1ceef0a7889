use super::super::tableau::{ORDER_5, ORDER_9};
use super::super::{Radau, System, Trial};
use super::*;
use std::marker::PhantomData;
use stickslip_real::lanes::{LANES, Plain, Work};

/// A spring that stiffens, and a state that follows its velocity: q' = v, v' = -q - c q^3, s' = k (v - s) with a stiff k.
#[derive(Clone, Copy)]
struct Spring {
    c: f64,
}

const RATE: f64 = 100.0;
const END: f64 = 2.0;

impl Spring {
    #[inline(always)]
    fn rates<S: Real>(self, x: &[S; 3]) -> [S; 3] {
        [x[1], -(x[0] + x[0] * x[0] * x[0] * self.c), (x[1] - x[2]) * RATE]
    }

    #[inline(always)]
    fn jacobian<S: Real>(self, x: &[S; 3]) -> [[S; 3]; 3] {
        let (zero, k) = (S::zero(), S::lit(RATE));
        [[zero, S::lit(1.0), zero], [x[0] * x[0] * (-3.0 * self.c) - S::lit(1.0), zero, zero], [zero, k, -k]]
    }
}

impl System for Spring {
    fn dim(&self) -> usize {
        3
    }
    fn rates(&mut self, _: f64, y: &[f64], dy: &mut [f64]) {
        dy.copy_from_slice(&Spring::rates(*self, &[y[0], y[1], y[2]]));
    }
    fn jacobian(&mut self, _: f64, y: &[f64], jac: &mut [f64]) {
        jac.copy_from_slice(Spring::jacobian(*self, &[y[0], y[1], y[2]]).as_flattened());
    }
}

impl<V: Vector> LaneSystem<V, 3, 1> for Spring {
    #[inline(always)]
    fn rates(&mut self, x: &[Lanes<V>; 3], dx: &mut [Lanes<V>; 3], row_scale: &mut [Lanes<V>; 3]) {
        (*dx, *row_scale) = (Spring::rates(*self, x), [Lanes::lit(1.0); 3]);
    }
    fn weighted(&self) -> [bool; 3] {
        [false; 3]
    }
    #[inline(always)]
    fn stages<const S: usize>(
        &mut self,
        x: &[[Lanes<V>; 3]; S],
        dx: &mut [[Lanes<V>; 3]; S],
        row_scale: &mut [[Lanes<V>; 3]; S],
        _: V::Mask,
    ) {
        for k in 0..S {
            LaneSystem::rates(self, &x[k], &mut dx[k], &mut row_scale[k]);
        }
    }
    #[inline(always)]
    fn jacobian(&mut self, x: &[Lanes<V>; 3], jac: &mut [[Lanes<V>; 3]; 3], row_scale: &mut [Lanes<V>; 3], _: V::Mask) {
        (*jac, *row_scale) = (Spring::jacobian(*self, x), [Lanes::lit(1.0); 3]);
    }
}

/// Where a lane starts: each from a displacement of its own.
fn start(lane: usize) -> [f64; 3] {
    [1.0 + 0.1 * lane as f64, 0.0, 0.0]
}

/// How long steps are.
#[derive(Clone, Copy)]
enum Length {
    /// So many of one length in each lane, whatever the errors.
    Equal([u32; LANES]),
    /// As a tolerance asks.
    Tolerance(f64),
}

/// A motion to [`END`] in every lane.
struct Motions<V, const S: usize>(Spring, &'static Tableau<S>, Length, PhantomData<V>);

/// Where all lanes end.
fn ends<V: Vector, const S: usize>(c: f64, method: &'static Tableau<S>, length: Length) -> [[f64; 3]; LANES] {
    V::enter(Motions::<V, S>(Spring { c }, method, length, PhantomData))
}

impl<V: Vector, const S: usize> Work for Motions<V, S> {
    type Output = [[f64; 3]; LANES];
    #[inline(always)]
    fn run(self) -> Self::Output {
        let Motions(mut spring, method, length, _) = self;
        let rtol = if let Length::Tolerance(rtol) = length { rtol } else { 1e-15 };
        let mut radau = LaneRadau::<V, 3, 1, S>::new(method, rtol, [true; 3]);
        (0..LANES).for_each(|lane| radau.load(lane, &start(lane), &[1.0; 3], 1e-3));
        radau.begin(&mut spring);
        let (mut left, mut active) = ([END; LANES], u8::MAX);
        while active != 0 {
            let mut longest = left;
            if let Length::Equal(steps) = length {
                // A limit sets the length, not the errors.
                longest = steps.map(|n| END / f64::from(n));
                radau.next = Lanes::lit(END);
            }
            let tried = radau.trial(&mut spring, Lanes::from_array(longest), active);
            let equal = matches!(length, Length::Equal(_));
            assert!(!equal || tried.ready == tried.solved, "{left:?}");
            let taken = if equal { tried.solved } else { tried.good };
            radau.commit(taken);
            for lane in (0..LANES).filter(|lane| taken >> lane & 1 == 1) {
                left[lane] -= radau.tried().to_array()[lane];
                active &= !(u8::from(left[lane] < 1e-9) << lane);
            }
        }
        let x = radau.x.map(Lanes::to_array);
        std::array::from_fn(|lane| x.map(|all| all[lane]))
    }
}

/// The same by the integrator of numbers.
fn alone(c: f64, stages: usize, steps: u32, from: [f64; 3]) -> [f64; 3] {
    let mut radau = Radau::with_stages(3, 1e-15, stages);
    let (mut y, h) = (from, END / f64::from(steps));
    radau.begin(&mut Spring { c }, 0.0, &y);
    for _ in 0..steps {
        let trial = radau.trial(&mut Spring { c }, 0.0, &y, h, &[1.0; 3], &[true; 3]);
        let Trial::Solved { error } = trial else { panic!("{stages} stages, {steps} steps") };
        radau.accept(&mut Spring { c }, 0.0, &mut y, h, error);
    }
    y
}

/// The first two, and any.
const STEPS: [u32; LANES] = [2, 4, 8, 64, 5, 10, 3, 7];

/// Lanes with steps of their own: where these are halved, errors fall by the order of the method.
#[test]
fn order_is_five_or_nine_in_lanes_too() {
    fn order<const S: usize>(method: &'static Tableau<S>, lane: usize) {
        let ends = ends::<Plain, S>(0.0, method, Length::Equal(STEPS));
        let error = |lane: usize| (ends[lane][0] / start(lane)[0] - END.cos()).abs();
        let order = (error(lane) / error(lane + 1)).log2();
        assert!((order - (2 * S - 1) as f64).abs() < 0.3, "{S} stages: order {order}");
    }
    order(&ORDER_5, 1);
    order(&ORDER_9, 0);
}

/// The collocation of a lane is that of the integrator of numbers, up to rounding.
#[test]
fn lanes_are_the_integrator_of_numbers() {
    fn agree<const S: usize>(method: &'static Tableau<S>) {
        for (lane, end) in ends::<Plain, S>(0.0, method, Length::Equal(STEPS)).iter().enumerate() {
            let alone = alone(0.0, S, STEPS[lane], start(lane));
            for i in 0..3 {
                assert!((end[i] - alone[i]).abs() < 5e-15, "{S} stages, {} steps: {end:?} {alone:?}", STEPS[lane]);
            }
        }
    }
    agree(&ORDER_5);
    agree(&ORDER_9);
}

/// Adaptive steps of a nonlinear motion follow the tolerance over six decades.
#[test]
fn errors_of_lanes_follow_the_tolerance() {
    fn follow<const S: usize>(method: &'static Tableau<S>) {
        let exact: [_; LANES] = std::array::from_fn(|lane| alone(0.5, ORDER_9.nodes.len(), 256, start(lane)));
        let mut last = [f64::INFINITY; LANES];
        for rtol in [1e-4, 1e-6, 1e-8, 1e-10] {
            let ends = ends::<Plain, S>(0.5, method, Length::Tolerance(rtol));
            for lane in 0..LANES {
                let error = (0..3).map(|i| (ends[lane][i] - exact[lane][i]).abs()).fold(0.0, f64::max);
                assert!(error < 10.0 * rtol && error < last[lane], "{S} stages, rtol {rtol:e}, lane {lane}: {error:e}");
                last[lane] = error;
            }
        }
    }
    follow(&ORDER_5);
    follow(&ORDER_9);
}

/// Every instruction set takes the same steps, to the last bit.
#[test]
#[cfg(target_arch = "x86_64")]
fn instruction_sets_agree_to_the_last_bit() {
    use stickslip_real::lanes::{Avx2, Avx512};
    let length = Length::Tolerance(1e-8);
    let plain = ends::<Plain, 5>(0.5, &ORDER_9, length);
    if Avx2::available() {
        assert_eq!(ends::<Avx2, 5>(0.5, &ORDER_9, length), plain);
    }
    if Avx512::available() {
        assert_eq!(ends::<Avx512, 5>(0.5, &ORDER_9, length), plain);
    }
}
