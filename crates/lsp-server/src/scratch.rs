//! Where a session stores its files.

#[cfg(not(target_family = "wasm"))]
mod folder;
#[cfg(target_family = "wasm")]
mod name;

#[cfg(not(target_family = "wasm"))]
pub use folder::{Scratch, create, leftovers, write};
#[cfg(target_family = "wasm")]
pub use name::{Scratch, write};
