//! Vectors without instructions of their own: eight numbers, one after the other or as the compiler likes.
use super::{LANES, Vector, Work};

/// Lifts a subnormal number to where it has all its digits.
const LIFT: f64 = (1u64 << LIFT_EXPONENT) as f64;
const LIFT_EXPONENT: i64 = 54;

/// Eight numbers.
#[derive(Clone, Copy, Debug)]
pub struct Plain([f64; LANES]);

impl Plain {
    #[inline(always)]
    fn with(self, o: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Plain(std::array::from_fn(|i| f(self.0[i], o.0[i])))
    }
}

impl Vector for Plain {
    type Mask = u8;

    fn available() -> bool {
        true
    }
    #[inline(always)]
    fn enter<W: Work>(work: W) -> W::Output {
        work.run()
    }
    #[inline(always)]
    fn from_array(x: [f64; LANES]) -> Self {
        Plain(x)
    }
    #[inline(always)]
    fn to_array(self) -> [f64; LANES] {
        self.0
    }
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Plain([x; LANES])
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        self.with(o, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self.with(o, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        self.with(o, |a, b| a * b)
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        self.with(o, |a, b| a / b)
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Plain(std::array::from_fn(|i| self.0[i].mul_add(a.0[i], b.0[i])))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Plain(self.0.map(f64::sqrt))
    }
    #[inline(always)]
    fn round(self) -> Self {
        Plain(self.0.map(f64::round_ties_even))
    }
    #[inline(always)]
    fn scale(self, k: Self) -> Self {
        // In two halves: 2^k itself may leave the range where the product does not.
        let power = |k: f64| f64::from_bits(((k as i64 + 1023) as u64) << 52);
        self.with(k, |x, k| x * power((0.5 * k).trunc()) * power(k - (0.5 * k).trunc()))
    }
    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let parts = self.0.map(|x| {
            let (x, lifted) = if x < f64::MIN_POSITIVE { (x * LIFT, LIFT_EXPONENT) } else { (x, 0) };
            // Counted from 0.75: the mantissa lands in [0.75, 1.5).
            let e = (x.to_bits() as i64 - 0.75f64.to_bits() as i64) >> 52;
            (f64::from_bits((x.to_bits() as i64 - (e << 52)) as u64), (e - lifted) as f64)
        });
        (Plain(parts.map(|p| p.0)), Plain(parts.map(|p| p.1)))
    }
    #[inline(always)]
    fn lt(self, o: Self) -> u8 {
        (0..LANES).fold(0, |bits, i| bits | u8::from(self.0[i] < o.0[i]) << i)
    }
    #[inline(always)]
    fn select(mask: u8, a: Self, b: Self) -> Self {
        Plain(std::array::from_fn(|i| if mask >> i & 1 == 1 { a.0[i] } else { b.0[i] }))
    }
    #[inline(always)]
    fn and(a: u8, b: u8) -> u8 {
        a & b
    }
    #[inline(always)]
    fn not(a: u8) -> u8 {
        !a
    }
    #[inline(always)]
    fn bits(a: u8) -> u8 {
        a
    }
    #[inline(always)]
    fn mask(bits: u8) -> u8 {
        bits
    }
}
