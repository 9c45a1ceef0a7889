//! Friction-blind numerics of Stickslip: nothing here knows what a contact is.
pub mod bernstein;
pub mod component_modes;
pub mod continuation;
pub mod delay;
pub mod dense;
pub mod eigen;
pub mod exponential;
pub mod fourier;
pub mod least_squares;
pub mod linear_flow;
pub mod polynomial;
pub mod quadratic;
pub mod quadrature;
pub mod radau;
pub use stickslip_real::root;
pub mod sparse;
pub mod statistics;

/// The largest size of some numbers; what is no number is not lost in it, as it is in a maximum.
#[inline]
pub fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(0.0, |most: f64, x| if most.is_nan() || x.abs() <= most { most } else { x.abs() })
}

#[cfg(test)]
mod tests {
    use super::largest;

    #[test]
    fn what_is_no_number_stays_in_the_largest() {
        assert_eq!(largest([]), 0.0);
        assert_eq!(largest([1.0, -3.0, 2.0]), 3.0);
        assert_eq!(largest([1.0, f64::NEG_INFINITY]), f64::INFINITY);
        for list in [[f64::NAN, 1.0, 2.0], [1.0, f64::NAN, 2.0], [1.0, 2.0, f64::NAN], [f64::INFINITY, f64::NAN, 1.0]] {
            assert!(largest(list).is_nan(), "{list:?}");
        }
    }
}
