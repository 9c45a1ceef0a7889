//! Physics with references: exact solutions, orders of convergence, published numbers.
