//! The file: its words, its tree, where things stand in it, and what is said of them.
pub mod diagnostic;
pub mod document;
pub mod paths;
pub mod tree;
pub mod words;
