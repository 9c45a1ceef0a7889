use super::*;

/// Numbers over all magnitudes and signs, from a fixed generator.
fn numbers(count: usize, make: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let mut random = crate::random::SplitMix64(1);
    (0..count).map(|_| make(random.even(), random.even())).collect()
}

fn units_off(got: f64, want: f64) -> f64 {
    if got == want || (got.is_nan() && want.is_nan()) {
        return 0.0;
    }
    (got - want).abs() / (want.abs() * f64::EPSILON).max(f64::from_bits(1))
}

/// A function of all lanes.
struct Apply<V, F>(F, std::marker::PhantomData<V>);

impl<V: Vector, R, F: FnOnce() -> R> Work for Apply<V, F> {
    type Output = R;
    #[inline(always)]
    fn run(self) -> R {
        (self.0)()
    }
}

fn enter<V: Vector, R>(f: impl FnOnce() -> R) -> R {
    V::enter(Apply::<V, _>(f, std::marker::PhantomData))
}

fn compare<V: Vector>(name: &str, inputs: &[f64], most: f64, f: fn(Lanes<V>) -> Lanes<V>, exact: fn(f64) -> f64) {
    for chunk in inputs.chunks(LANES) {
        let x: [f64; LANES] = std::array::from_fn(|i| chunk[i.min(chunk.len() - 1)]);
        let y = enter::<V, _>(|| f(Lanes::from_array(x)).to_array());
        for i in 0..LANES {
            let off = units_off(y[i], exact(x[i]));
            assert!(off <= most, "{name}({:e}) = {:e}, not {:e}: {off} units", x[i], y[i], exact(x[i]));
        }
    }
}

fn functions<V: Vector>() {
    if !V::available() {
        return;
    }
    let special =
        [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, f64::MIN_POSITIVE, 5e-324];
    let mut moderate = numbers(40_000, |a, b| (a - 0.5) * 1480.0 * b);
    moderate.extend(special);
    moderate.extend([709.78, 709.79, -708.4, -745.0, -745.2]);
    compare::<V>("exp", &moderate, 2.0, Lanes::exp, f64::exp);
    let mut positive = numbers(40_000, |a, b| if b < 0.3 { 0.5 + a } else { 10f64.powf((a - 0.5) * 640.0) });
    positive.extend(special);
    compare::<V>("ln", &positive, 2.0, Lanes::ln, f64::ln);
    let mut small = numbers(40_000, |a, b| (if b < 0.5 { -1.0 } else { 1.0 }) * 10f64.powf((a - 1.0) * 20.0) * 0.99);
    small.extend([0.0, f64::INFINITY, f64::NAN, 3.0, 1e10]);
    compare::<V>("ln_1p", &small, 3.0, Lanes::ln_1p, f64::ln_1p);
    compare::<V>("exp_m1", &small, 4.0, Lanes::exp_m1, f64::exp_m1);
    compare::<V>("sqrt", &positive, 0.0, Lanes::sqrt, f64::sqrt);
    compare::<V>("abs", &moderate, 0.0, Real::abs, f64::abs);
}

#[test]
fn functions_of_lanes_agree_with_those_of_numbers() {
    functions::<Plain>();
    #[cfg(target_arch = "x86_64")]
    {
        functions::<Avx512>();
        functions::<Avx2>();
    }
}

#[test]
fn masks_choose_lane_by_lane() {
    fn check<V: Vector>() {
        if !V::available() {
            return;
        }
        let x: [f64; LANES] = std::array::from_fn(|i| i as f64);
        let (below, bits, back) = enter::<V, _>(|| {
            let lanes = Lanes::<V>::from_array(x);
            let below = lanes.lt(Lanes::lit(3.0));
            let chosen = Lanes::select(below, lanes, Lanes::lit(-1.0));
            (chosen.to_array(), V::bits(below), V::bits(V::not(V::mask(0b1010_0101))))
        });
        assert_eq!(below, [0.0, 1.0, 2.0, -1.0, -1.0, -1.0, -1.0, -1.0]);
        assert_eq!((bits, back), (0b111, 0b0101_1010));
    }
    check::<Plain>();
    #[cfg(target_arch = "x86_64")]
    {
        check::<Avx512>();
        check::<Avx2>();
    }
}
