//! Structures, drives and functions of time
