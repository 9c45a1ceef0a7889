//! The studio: a page on which a scenario is edited and seen to move.
//!
//! [`engine`] answers requests and knows no transport. `wasm` offers it to a worker of the page; [`server`] serves the page
//! on loopback and answers by a process of its own for each request, which ends when its client leaves. [`page`] holds the
//! files of the page.
pub mod engine;
pub mod page;
#[cfg(not(target_arch = "wasm32"))]
pub mod server;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
