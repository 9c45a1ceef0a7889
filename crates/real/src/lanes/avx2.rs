//! Vectors of AVX2: two registers.
//!
//! Safety of every block below: the instructions need AVX2 and FMA. A value of this type is made only by code that asked
//! [`Vector::available`] first; that is the rule of [`Vector::enter`], the one way in.
use super::{LANES, Vector, Work};
use std::arch::x86_64::*;

/// Eight numbers in two registers.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(__m256d, __m256d);

/// 3 * 2^51: adding it leaves an integer below 2^51 in the low bits.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;
/// Exponent of the smallest normal number, and what lifts subnormal numbers above it.
const LIFT: f64 = 18_014_398_509_481_984.0;
const LIFT_EXPONENT: f64 = 54.0;

#[target_feature(enable = "avx2,fma")]
fn with_features<W: Work>(work: W) -> W::Output {
    work.run()
}

impl Avx2 {
    #[inline(always)]
    fn zip(self, o: Self, f: impl Fn(__m256d, __m256d) -> __m256d) -> Self {
        Avx2(f(self.0, o.0), f(self.1, o.1))
    }
    #[inline(always)]
    fn map(self, f: impl Fn(__m256d) -> __m256d) -> Self {
        Avx2(f(self.0), f(self.1))
    }
}

/// 2^k for integers between -1022 and 1023.
#[inline(always)]
unsafe fn power_of_two(k: __m256d) -> __m256d {
    unsafe {
        let integer = _mm256_castpd_si256(_mm256_add_pd(k, _mm256_set1_pd(TO_INTEGER + 1023.0)));
        _mm256_castsi256_pd(_mm256_slli_epi64::<52>(integer))
    }
}

impl Vector for Avx2 {
    type Mask = (__m256d, __m256d);

    fn available() -> bool {
        is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
    }
    #[inline(always)]
    fn enter<W: Work>(work: W) -> W::Output {
        assert!(Self::available());
        // SAFETY: checked in the line above.
        unsafe { with_features(work) }
    }
    #[inline(always)]
    fn from_array(x: [f64; LANES]) -> Self {
        // SAFETY: see above; the pointers are those of four numbers each.
        unsafe { Avx2(_mm256_loadu_pd(x.as_ptr()), _mm256_loadu_pd(x[4..].as_ptr())) }
    }
    #[inline(always)]
    fn to_array(self) -> [f64; LANES] {
        let mut out = [0.0; LANES];
        // SAFETY: see above; the pointers are those of four numbers each.
        unsafe {
            _mm256_storeu_pd(out.as_mut_ptr(), self.0);
            _mm256_storeu_pd(out[4..].as_mut_ptr(), self.1);
        }
        out
    }
    #[inline(always)]
    fn splat(x: f64) -> Self {
        let x = unsafe { _mm256_set1_pd(x) };
        Avx2(x, x)
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        self.zip(o, |a, b| unsafe { _mm256_add_pd(a, b) })
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self.zip(o, |a, b| unsafe { _mm256_sub_pd(a, b) })
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        self.zip(o, |a, b| unsafe { _mm256_mul_pd(a, b) })
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        self.zip(o, |a, b| unsafe { _mm256_div_pd(a, b) })
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        unsafe { Avx2(_mm256_fmadd_pd(self.0, a.0, b.0), _mm256_fmadd_pd(self.1, a.1, b.1)) }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(|x| unsafe { _mm256_sqrt_pd(x) })
    }
    #[inline(always)]
    fn round(self) -> Self {
        self.map(|x| unsafe { _mm256_round_pd::<0x08>(x) })
    }
    #[inline(always)]
    fn scale(self, k: Self) -> Self {
        // In two halves: 2^k alone may be beyond the range of which the product is not.
        self.zip(k, |x, k| unsafe {
            let half = _mm256_round_pd::<0x08>(_mm256_mul_pd(k, _mm256_set1_pd(0.5)));
            _mm256_mul_pd(_mm256_mul_pd(x, power_of_two(half)), power_of_two(_mm256_sub_pd(k, half)))
        })
    }
    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let part = |x: __m256d| unsafe {
            let subnormal = _mm256_cmp_pd::<_CMP_LT_OQ>(x, _mm256_set1_pd(f64::MIN_POSITIVE));
            let x = _mm256_blendv_pd(x, _mm256_mul_pd(x, _mm256_set1_pd(LIFT)), subnormal);
            let lifted = _mm256_and_pd(subnormal, _mm256_set1_pd(LIFT_EXPONENT));
            // Counted from 0.75: the mantissa lands in [0.75, 1.5).
            let from = _mm256_set1_epi64x(0.75f64.to_bits() as i64);
            let bits = _mm256_castpd_si256(x);
            let above = _mm256_sub_epi64(bits, from);
            // A bias makes the shift of signed numbers one of unsigned ones.
            let biased = _mm256_srli_epi64::<52>(_mm256_add_epi64(above, _mm256_set1_epi64x(1 << 62)));
            let e = _mm256_sub_epi64(biased, _mm256_set1_epi64x(1 << 10));
            let m = _mm256_sub_epi64(bits, _mm256_slli_epi64::<52>(e));
            let magic = _mm256_set1_pd(TO_INTEGER);
            let real = _mm256_sub_pd(_mm256_castsi256_pd(_mm256_add_epi64(e, _mm256_castpd_si256(magic))), magic);
            (_mm256_castsi256_pd(m), _mm256_sub_pd(real, lifted))
        };
        let ((m0, e0), (m1, e1)) = (part(self.0), part(self.1));
        (Avx2(m0, m1), Avx2(e0, e1))
    }
    #[inline(always)]
    fn lt(self, o: Self) -> Self::Mask {
        unsafe { (_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, o.0), _mm256_cmp_pd::<_CMP_LT_OQ>(self.1, o.1)) }
    }
    #[inline(always)]
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
        unsafe { Avx2(_mm256_blendv_pd(b.0, a.0, mask.0), _mm256_blendv_pd(b.1, a.1, mask.1)) }
    }
    #[inline(always)]
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { (_mm256_and_pd(a.0, b.0), _mm256_and_pd(a.1, b.1)) }
    }
    #[inline(always)]
    fn not(a: Self::Mask) -> Self::Mask {
        unsafe {
            let all = _mm256_castsi256_pd(_mm256_set1_epi64x(-1));
            (_mm256_xor_pd(a.0, all), _mm256_xor_pd(a.1, all))
        }
    }
    #[inline(always)]
    fn bits(a: Self::Mask) -> u8 {
        unsafe { (_mm256_movemask_pd(a.0) | _mm256_movemask_pd(a.1) << 4) as u8 }
    }
    #[inline(always)]
    fn mask(bits: u8) -> Self::Mask {
        let lane = |i: usize| if bits >> i & 1 == 1 { f64::from_bits(u64::MAX) } else { 0.0 };
        let x = Self::from_array(std::array::from_fn(lane));
        (x.0, x.1)
    }
}
