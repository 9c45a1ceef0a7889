//! Friction and normal laws, their contracts and their conformance suite
