//! A controller given by its transfer function.
use super::{Channel, Control, ControlState, Measured, Plant};
use crate::{Ask, Keys, Refused};

pub const NAME: &str = "transfer";
pub const ABOUT: &str = "A force from the error through a transfer function.

u = numerator(s)/denominator(s) (reference - of)   on `on`
Coefficients stand in falling powers of s: numerator = [\"0.6 N s/mm\", \"3 N/mm\"], denominator = [\"2 ms\", 1]. It starts at rest.";

/// Names of its states.
const NAMES: [&str; 8] = ["c_1", "c_2", "c_3", "c_4", "c_5", "c_6", "c_7", "c_8"];

pub fn read(keys: &mut dyn Keys, plant: &Plant) -> Result<Control, Refused> {
    let (of, on) = super::names::ends(keys, plant)?;
    let reference = keys.signal(Ask::new("reference", plant.unit(of), "What it should be"))?;
    let upper = |_: usize, k: usize, count: usize| plant.gain_unit(on, of, (count - 1 - k) as i32);
    let lower = |_: usize, k: usize, count: usize| match count - 1 - k {
        0 => "1".to_string(),
        1 => "s".to_string(),
        power => format!("s^{power}"),
    };
    let numerator = single(keys, "numerator", "Coefficients above, in falling powers of s", &upper)?;
    let denominator = single(keys, "denominator", "Coefficients below, in falling powers of s", &lower)?;
    control(keys, of, &numerator, &denominator).map(|control| Control {
        on: vec![on],
        channels: vec![Channel { measured: of, reference }],
        ..control
    })
}

/// A list of numbers, leading zeros left out.
fn single(
    keys: &mut dyn Keys,
    key: &str,
    about: &str,
    unit: &dyn Fn(usize, usize, usize) -> String,
) -> Result<Vec<f64>, Refused> {
    let mut rows = keys.rows(key, about, unit)?;
    if rows.len() != 1 {
        let e = keys.refuse(key, "control::shape", format!("`{key}` is not one list of numbers"));
        return Err(e.expected("coefficients in falling powers of s"));
    }
    let list = rows.swap_remove(0);
    Ok(list.into_iter().skip_while(|x| *x == 0.0).collect())
}

/// The controllable form of a proper transfer function.
fn control(keys: &dyn Keys, of: Measured, numerator: &[f64], denominator: &[f64]) -> Result<Control, Refused> {
    let Some((leading, rest)) = denominator.split_first() else {
        let e = keys.refuse("denominator", "control::shape", "`denominator` is zero".into());
        return Err(e.expected("a coefficient other than 0"));
    };
    let n = rest.len();
    if numerator.len() > n + 1 {
        let text = format!(
            "the transfer function is not proper: the numerator has degree {}, the denominator {n}",
            numerator.len() - 1
        );
        let e = keys.refuse("numerator", "control::not-proper", text);
        return Err(e
            .expected(format!("a degree of at most {n}"))
            .hint("add a pole: multiply the denominator by (tau s + 1) with a short time tau"));
    }
    // Monic, padded to the length of the denominator.
    let below: Vec<f64> = rest.iter().map(|x| x / leading).collect();
    let mut above = vec![0.0; n + 1 - numerator.len()];
    above.extend(numerator.iter().map(|x| x / leading));
    let direct = above[0];
    // Time is measured by the roots themselves: states of one size, whatever the powers of s.
    let pace = (1..=n).map(|k| below[k - 1].abs().powf(1.0 / k as f64)).fold(0.0, f64::max);
    let pace = if pace > 0.0 { pace } else { 1.0 };
    let (mut a, mut b, mut c) = (vec![0.0; n * n], vec![0.0; n], vec![0.0; n]);
    for k in 0..n {
        if k + 1 < n {
            a[k * n + k + 1] = pace;
        }
        let power = n - k;
        a[(n - 1) * n + k] -= below[power - 1] / pace.powi(power as i32 - 1);
        c[k] = (above[power] - direct * below[power - 1]) / pace.powi(power as i32 - 1);
    }
    if n > 0 {
        b[n - 1] = 1.0;
    }
    if n > NAMES.len() {
        let text = format!("a transfer function of degree {n} is not served");
        return Err(keys.refuse("denominator", "control::shape", text).expected("a degree of at most 8"));
    }
    let unit = if matches!(of, Measured::Coordinate(_)) { "m s" } else { "m" };
    let states = NAMES[..n].iter().map(|name| ControlState { name, unit: unit.into(), follows: None }).collect();
    Ok(Control { states, a, b, c, d: vec![direct], e: vec![0.0], ..Control::default() })
}
