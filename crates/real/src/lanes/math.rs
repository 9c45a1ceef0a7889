//! Exponential and logarithm of vectors, to about one unit in the last place.
use super::Vector;

/// ln 2 in two parts; a product of the first with an exponent is exact.
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// Beyond these the exponential is infinite, or zero.
const LARGEST: f64 = 709.782_712_893_384;
const SMALLEST: f64 = -745.133_219_101_941_2;

/// exp(r) = 2^k exp(x - k ln 2), by its series: |r| <= ln(2)/2 leaves less than 1e-17 after thirteen terms.
#[inline(always)]
pub fn exp<V: Vector>(x: V) -> V {
    let over = V::splat(LARGEST).lt(x);
    let under = x.lt(V::splat(SMALLEST));
    let safe = V::select(over, V::splat(0.0), V::select(under, V::splat(0.0), x));
    let k = safe.mul(V::splat(std::f64::consts::LOG2_E)).round();
    let r = k.mul_add(V::splat(-LN_2_HIGH), safe);
    let r = k.mul_add(V::splat(-LN_2_LOW), r);
    // Pairs of terms (Estrin): a shorter chain than Horner's.
    let pair = |a: f64, b: f64| r.mul_add(V::splat(1.0 / b), V::splat(1.0 / a));
    let r2 = r.mul(r);
    let r4 = r2.mul(r2);
    let low = r2.mul_add(pair(2.0, 6.0), r.add(V::splat(1.0)));
    let middle = r2.mul_add(pair(720.0, 5040.0), pair(24.0, 120.0));
    let high = r2.mul_add(pair(3_628_800.0, 39_916_800.0), pair(40_320.0, 362_880.0));
    let top = pair(479_001_600.0, 6_227_020_800.0);
    let p = r4.mul_add(r4.mul_add(r4.mul_add(top, high), middle), low);
    let e = p.scale(k);
    V::select(over, V::splat(f64::INFINITY), V::select(under, V::splat(0.0), e))
}

/// ln(m 2^e) with m near one: 2 atanh(s), s = f/(2 + f), f = m - 1, |s| <= 1/5.
#[inline(always)]
pub fn ln<V: Vector>(x: V) -> V {
    let zero = V::splat(0.0);
    let positive = V::and(zero.lt(x), x.lt(V::splat(f64::INFINITY)));
    let (m, e) = V::select(positive, x, V::splat(1.0)).split();
    let f = m.sub(V::splat(1.0));
    let s = f.div(f.add(V::splat(2.0)));
    let z = s.mul(s);
    let z2 = z.mul(z);
    let z4 = z2.mul(z2);
    let pair = |k: f64| z.mul_add(V::splat(2.0 / (k + 2.0)), V::splat(2.0 / k));
    let low = z2.mul_add(pair(7.0), pair(3.0));
    let middle = z2.mul_add(pair(15.0), pair(11.0));
    let high = z2.mul_add(pair(23.0), pair(19.0));
    let rest = z.mul(z4.mul_add(z4.mul_add(high, middle), low));
    // f - f^2/2 + s (f^2/2 + rest): the small parts first, so that f is rounded once.
    let half = f.mul(f).mul(V::splat(0.5));
    let tail = half.sub(s.mul_add(half.add(rest), e.mul(V::splat(LN_2_LOW))));
    let value = e.mul_add(V::splat(LN_2_HIGH), f.sub(tail));
    // Zero, infinity, negative numbers and what is none.
    let special = V::select(
        x.lt(zero),
        V::splat(f64::NAN),
        V::select(
            V::splat(f64::MAX).lt(x),
            x,
            V::select(x.lt(V::splat(f64::MIN_POSITIVE)), V::splat(f64::NEG_INFINITY), x),
        ),
    );
    V::select(positive, value, special)
}

/// ln(1 + x): the rounding of 1 + x is put back.
#[inline(always)]
pub fn ln_1p<V: Vector>(x: V) -> V {
    let one = V::splat(1.0);
    let u = x.add(one);
    let lost = x.sub(u.sub(one)).div(u);
    // Where 1 + x is not finite, or zero, nothing was lost.
    let plain = V::and(V::splat(0.0).lt(u), u.lt(V::splat(f64::INFINITY)));
    let value = ln(u);
    V::select(plain, value.add(lost), value)
}

/// exp(x) - 1: (u - 1) x / ln u with u = exp(x), after Kahan.
#[inline(always)]
pub fn exp_m1<V: Vector>(x: V) -> V {
    let one = V::splat(1.0);
    let u = exp(x);
    let gained = u.sub(one);
    let changed = V::not(V::and(V::not(gained.lt(V::splat(0.0))), V::not(V::splat(0.0).lt(gained))));
    let near = V::and(x.lt(V::splat(1.0)), V::splat(-1.0).lt(x));
    let safe = V::select(changed, u, V::splat(2.0));
    let kahan = V::select(changed, gained.mul(x).div(ln(safe)), x);
    V::select(near, kahan, gained)
}
