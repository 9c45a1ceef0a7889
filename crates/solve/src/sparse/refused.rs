//! Why a sparse system is not solved.
use std::fmt;

/// Why a matrix is not accepted, or a system not solved; unknowns as the caller counts them.
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    /// Rows that do not ascend or leave the matrix, or more than 2^32 entries.
    Pattern,
    /// Sizes that do not agree.
    Size {
        /// What was needed.
        expected: usize,
        /// What came.
        found: usize,
    },
    /// A solution was asked for where nothing is factored.
    Unfactored,
    /// Factors of more than 2^32 entries.
    TooLarge {
        /// How many they would have.
        entries: usize,
    },
    /// A number that is none.
    NotFinite {
        /// Its row.
        row: usize,
    },
    /// No way to give each unknown an equation of its own.
    Unmatched {
        /// An unknown without one.
        unknown: usize,
    },
    /// A pivot that rounding alone may have made: singular, or in need of an equation outside of its front.
    Singular {
        /// The unknown that cannot be found.
        unknown: usize,
        /// The pivot, over the largest entry of its row and column.
        pivot: f64,
    },
    /// Factors so much larger than the matrix that they have no digits.
    Growth {
        /// Largest entry of the factors over the largest one of the matrix.
        growth: f64,
    },
    /// A solution whose residual stays large after refinement.
    Residual {
        /// The residual, over what the terms of its row have together.
        backward: f64,
    },
    /// A solution that refinement changes too much: the matrix is singular to rounding.
    IllConditioned {
        /// The largest change, over the largest entry of the solution.
        correction: f64,
    },
    /// Pivots of a symmetric matrix were to be counted, and it is not symmetric.
    NotSymmetric {
        /// A row that differs from its column.
        row: usize,
        /// By how much, over the largest entry.
        difference: f64,
    },
    /// Eigenvalues that did not converge.
    NotConverged {
        /// How many did.
        converged: usize,
        /// How many were asked for.
        wanted: usize,
    },
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Pattern => write!(f, "the pattern's rows do not ascend, leave the matrix or are too many"),
            Refused::Size { expected, found } => write!(f, "{found} numbers where {expected} are needed"),
            Refused::Unfactored => write!(f, "nothing is factored"),
            Refused::TooLarge { entries } => {
                write!(f, "the factors would have {entries:.2e} entries", entries = *entries as f64)
            }
            Refused::NotFinite { row } => write!(f, "an entry of row {row} is not a finite number"),
            Refused::Unmatched { unknown } => {
                write!(f, "the pattern is singular: no equation is left for unknown {unknown}")
            }
            Refused::Singular { unknown, pivot } => {
                write!(f, "the matrix is singular, or nearly: unknown {unknown} has a relative pivot of {pivot:.1e}")
            }
            Refused::Growth { growth } => write!(f, "the factors outgrow the matrix by {growth:.1e}"),
            Refused::Residual { backward } => {
                write!(f, "after refinement the relative residual is still {backward:.1e}")
            }
            Refused::IllConditioned { correction } => {
                write!(f, "the matrix is nearly singular: refinement changes the solution by {correction:.1e} of it")
            }
            Refused::NotSymmetric { row, difference } => {
                write!(
                    f,
                    "the matrix is not symmetric: row {row} and its column differ by {difference:.1e} of the largest entry"
                )
            }
            Refused::NotConverged { converged, wanted } => {
                write!(f, "{converged} of {wanted} eigenvalues converged")
            }
        }
    }
}

impl std::error::Error for Refused {}
