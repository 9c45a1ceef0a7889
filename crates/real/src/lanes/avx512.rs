//! Vectors of AVX-512: one register.
//!
//! Safety of every block below: the instructions need AVX-512 F. A value of this type is made only by code that asked
//! [`Vector::available`] first; that is the rule of [`Vector::enter`], the one way in.
use super::{LANES, Vector, Work};
use std::arch::x86_64::*;
use std::sync::OnceLock;

/// Eight numbers in one register.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(__m512d);

#[target_feature(enable = "avx512f,avx512dq,avx512vl,fma")]
fn with_features<W: Work>(work: W) -> W::Output {
    work.run()
}

impl Vector for Avx512 {
    type Mask = __mmask8;

    #[inline(always)]
    fn available() -> bool {
        // Asked at every entry: one question instead of four.
        static KNOWN: OnceLock<bool> = OnceLock::new();
        *KNOWN.get_or_init(|| {
            is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("fma")
        })
    }
    #[inline(always)]
    fn enter<W: Work>(work: W) -> W::Output {
        assert!(Self::available());
        // SAFETY: checked in the line above.
        unsafe { with_features(work) }
    }
    #[inline(always)]
    fn from_array(x: [f64; LANES]) -> Self {
        // SAFETY: see above; the pointer is that of eight numbers.
        unsafe { Avx512(_mm512_loadu_pd(x.as_ptr())) }
    }
    #[inline(always)]
    fn to_array(self) -> [f64; LANES] {
        let mut out = [0.0; LANES];
        // SAFETY: see above; the pointer is that of eight numbers.
        unsafe { _mm512_storeu_pd(out.as_mut_ptr(), self.0) };
        out
    }
    #[inline(always)]
    fn splat(x: f64) -> Self {
        unsafe { Avx512(_mm512_set1_pd(x)) }
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        unsafe { Avx512(_mm512_add_pd(self.0, o.0)) }
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        unsafe { Avx512(_mm512_sub_pd(self.0, o.0)) }
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        unsafe { Avx512(_mm512_mul_pd(self.0, o.0)) }
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        unsafe { Avx512(_mm512_div_pd(self.0, o.0)) }
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        unsafe { Avx512(_mm512_fmadd_pd(self.0, a.0, b.0)) }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        unsafe { Avx512(_mm512_sqrt_pd(self.0)) }
    }
    #[inline(always)]
    fn round(self) -> Self {
        unsafe { Avx512(_mm512_roundscale_pd::<0x08>(self.0)) }
    }
    #[inline(always)]
    fn scale(self, k: Self) -> Self {
        unsafe { Avx512(_mm512_scalef_pd(self.0, k.0)) }
    }
    #[inline(always)]
    fn split(self) -> (Self, Self) {
        unsafe {
            let m = _mm512_getmant_pd::<_MM_MANT_NORM_P75_1P5, _MM_MANT_SIGN_SRC>(self.0);
            let e = _mm512_sub_pd(_mm512_getexp_pd(self.0), _mm512_getexp_pd(m));
            (Avx512(m), Avx512(e))
        }
    }
    #[inline(always)]
    fn lt(self, o: Self) -> __mmask8 {
        unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, o.0) }
    }
    #[inline(always)]
    fn select(mask: __mmask8, a: Self, b: Self) -> Self {
        unsafe { Avx512(_mm512_mask_blend_pd(mask, b.0, a.0)) }
    }
    #[inline(always)]
    fn and(a: __mmask8, b: __mmask8) -> __mmask8 {
        a & b
    }
    #[inline(always)]
    fn not(a: __mmask8) -> __mmask8 {
        !a
    }
    #[inline(always)]
    fn bits(a: __mmask8) -> u8 {
        a
    }
    #[inline(always)]
    fn mask(bits: u8) -> __mmask8 {
        bits
    }
}
