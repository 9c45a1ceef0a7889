//! Quantities with units: compound units, fractional exponents, dimension check
