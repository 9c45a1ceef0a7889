//! The largest value of a function between two places: golden sections and parabolas (R. P. Brent, 1973).

/// The golden section.
const GOLDEN: f64 = 0.381_966_011_250_105_1;
/// Most evaluations.
const MOST: usize = 100;

/// Place and value of the largest value between `a` and `b`, known to be near `x`; the place to `tolerance`.
pub fn largest(
    mut f: impl FnMut(f64) -> Result<f64, String>,
    (mut a, mut b): (f64, f64),
    (mut x, mut fx): (f64, f64),
    tolerance: f64,
) -> Result<(f64, f64), String> {
    let (mut w, mut fw, mut v, mut fv) = (x, fx, x, fx);
    let (mut step, mut before) = (0.0f64, 0.0f64);
    for _ in 0..MOST {
        let middle = 0.5 * (a + b);
        let least = tolerance.max(1e-12 * x.abs());
        if (x - middle).abs() <= 2.0 * least - 0.5 * (b - a) {
            break;
        }
        let mut golden = true;
        if before.abs() > least {
            let r = (x - w) * (fx - fv);
            let q = (x - v) * (fx - fw);
            let (mut p, mut q) = ((x - v) * q - (x - w) * r, 2.0 * (q - r));
            if q > 0.0 {
                p = -p;
            }
            q = q.abs();
            let last = std::mem::replace(&mut before, step);
            if p.abs() < (0.5 * q * last).abs() && p > q * (a - x) && p < q * (b - x) {
                step = p / q;
                golden = false;
                let u = x + step;
                if u - a < 2.0 * least || b - u < 2.0 * least {
                    step = least.copysign(middle - x);
                }
            }
        }
        if golden {
            before = if x < middle { b - x } else { a - x };
            step = GOLDEN * before;
        }
        let u = x + if step.abs() >= least { step } else { least.copysign(step) };
        let fu = f(u)?;
        if fu >= fx {
            if u < x {
                b = x
            } else {
                a = x
            }
            (v, fv, w, fw, x, fx) = (w, fw, x, fx, u, fu);
        } else {
            if u < x {
                a = u
            } else {
                b = u
            }
            if fu >= fw || w == x {
                (v, fv, w, fw) = (w, fw, u, fu);
            } else if fu >= fv || v == x || v == w {
                (v, fv) = (u, fu);
            }
        }
    }
    Ok((x, fx))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_and_pointed_maxima_are_located() {
        for at in [0.3, 1.7, 2.9] {
            let smooth = largest(|x| Ok(-(x - at) * (x - at)), (0.0, 3.0), (1.5, -(1.5 - at) * (1.5 - at)), 1e-9);
            assert!((smooth.unwrap().0 - at).abs() < 1e-8);
            let pointed = largest(|x: f64| Ok(-(x - at).abs()), (0.0, 3.0), (1.5, -(1.5f64 - at).abs()), 1e-9);
            assert!((pointed.unwrap().0 - at).abs() < 1e-8);
        }
    }
}
