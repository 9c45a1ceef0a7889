//! Quantities with units, in SI inside.
//!
//! A unit is a product of powers of named units: `N/cm`, `kg cm^-3.5 s^-2`, `N/(cm kg)`. A space, `*` or `·` multiplies;
//! `a/b/c` is a/(b c). Exponents are numbers (`^-3.5`, `^(1/2)`) and, with [`unit_with`], expressions in parameters.
//!
//! ```
//! use stickslip_units::{quantity, unit};
//! let stiffness = quantity("100 N/cm").unwrap();
//! assert_eq!(stiffness.expect(&unit("N/m").unwrap()).unwrap(), 1e4);
//! assert!(stiffness.expect(&unit("kg").unwrap()).is_err());
//! ```
//!
//! Angle is bookkeeping, kept only to tell cycles from radians: see [`Quantity::expect`].
mod dimension;
mod error;
mod exponent;
mod nearest;
mod number;
mod parse;
mod quantity;
mod table;

pub use dimension::Dimension;
pub use error::{Mismatch, UnitError};
pub use nearest::nearest;
pub use number::number_prefix;
pub use parse::{number_and_unit, quantity, unit, unit_prefix, unit_with};
pub use quantity::{Quantity, Unit};
pub use table::unit_names;
