//! Combinators: semantics derived instead of copied.
