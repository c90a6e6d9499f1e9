//! The modules of a compilation, for the command line and for editors: dumps of passes in order, comparisons of two
//! modules, and comparisons as text. Knows no command line and no protocol.

pub mod costs;
pub mod dumps;
pub mod files;
pub mod graphs;
pub mod json;
pub mod neighbours;
pub mod page;
pub mod recording;
pub mod runs;
pub mod sides;
pub mod stages;
pub mod text;
#[cfg(not(target_family = "wasm"))]
pub mod verify;

/// Returns the name of a function without its module: `forward` for `Module.forward`.
pub fn bare_name(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, bare)| bare)
}
