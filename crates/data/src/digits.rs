//! Numbers for people: no more digits than a standard error supports.

/// Sizes that are written without a power of ten.
const PLAIN: std::ops::Range<f64> = 1e-3..1e6;
/// Digits of a standard error, and the least of anything beside it.
const ERROR_DIGITS: i32 = 2;

/// The power of ten of the first digit, once a number is rounded to so many digits.
fn power(x: f64, digits: i32) -> i32 {
    let text = format!("{:.*e}", digits.max(1) as usize - 1, x.abs());
    text.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0)
}

/// A number down to the digit 10^place.
fn to_place(x: f64, place: i32) -> String {
    let places = usize::try_from(-place).unwrap_or(0);
    if !PLAIN.contains(&x.abs()) {
        let after = (x.abs().log10().floor() as i32 - place).clamp(0, 16) as usize;
        return format!("{x:.after$e}");
    }
    match place > 0 {
        true => format!("{}", (x / 10f64.powi(place)).round() * 10f64.powi(place)),
        false => format!("{x:.places$}"),
    }
}

/// A number beside its standard error: down to the second digit of that, but with two digits at least.
///
/// ```
/// use stickslip_data::beside_error;
/// assert_eq!(beside_error(2.00134e7, 2.4e5), "2.001e7");
/// assert_eq!(beside_error(0.249983, 0.0912), "0.250");
/// ```
pub fn beside_error(x: f64, error: f64) -> String {
    if x == 0.0 || !x.is_finite() || !(error.is_finite() && error > 0.0) {
        return short(x, 7);
    }
    let own = power(x, ERROR_DIGITS) - (ERROR_DIGITS - 1);
    // A number has no more than seventeen digits, however small its error.
    let place = (power(error, ERROR_DIGITS) - (ERROR_DIGITS - 1)).min(own).max(own - 15);
    to_place(x, place)
}

/// A number with so many digits at most and no zeros at its end.
///
/// ```
/// use stickslip_data::short;
/// assert_eq!(short(2.9999999999999997e-6, 7), "3e-6");
/// assert_eq!(short(0.25, 7), "0.25");
/// ```
pub fn short(x: f64, digits: usize) -> String {
    if x == 0.0 || !x.is_finite() {
        // Adding zero takes the sign off a negative one.
        return format!("{}", x + 0.0);
    }
    let rounded: f64 = format!("{:.*e}", digits.max(1) - 1, x).parse().unwrap_or(x);
    if PLAIN.contains(&rounded.abs()) { format!("{rounded}") } else { format!("{rounded:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_that_the_error_supports() {
        for (x, error, text) in [
            (2.00134e7, 2.4e5, "2.001e7"),
            (2.4e5, 2.4e5, "240000"),
            (785.0907, 421.8, "790"),
            (421.8, 421.8, "420"),
            (0.0565146, 4.061687e-4, "0.05651"),
            (4.061687e-4, 4.061687e-4, "4.1e-4"),
            (-1.5, 0.0996, "-1.50"),
            (9.96e-3, 9.96e-3, "0.010"),
            (5.954715e20, 8.88857e19, "5.95e20"),
            // An end far below the error keeps two digits of its own.
            (1.234e-9, 0.5, "1.2e-9"),
            (249.9818157, 0.0900926, "249.982"),
            (0.5, 0.0, "0.5"),
            (0.0, 0.1, "0"),
            (1.0, 1e-30, "1.0000000000000000"),
        ] {
            assert_eq!(beside_error(x, error), text, "{x} with {error}");
        }
    }

    #[test]
    fn short_numbers_have_no_dust() {
        for (x, text) in [
            (2.9999999999999997e-6, "3e-6"),
            (1.4999999999999996e-6, "1.5e-6"),
            (-0.0, "0"),
            (1e6, "1e6"),
            (12.5, "12.5"),
        ] {
            assert_eq!(short(x, 7), text);
        }
    }
}
