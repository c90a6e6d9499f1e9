//! Editor features for Relay's text, one file per feature, with the same answer types as for TVMScript.
//!
//! Each feature of [`crate::Analysis`] calls the one here if the position is in Relay's text: a Relay file, or a
//! string in a Python file (`embedded`). `mentions` resolves names; most features are views of it.

pub mod completion;
mod embedded;
pub mod folding_ranges;
pub mod format;
pub mod graph;
pub mod highlights;
pub mod hover;
pub mod inlay_hints;
mod mentions;
pub mod navigation;
pub mod rename;
pub mod runnables;
pub mod semantic_tokens;
pub mod signature_help;
pub mod symbols;
#[cfg(test)]
mod tests;

pub use embedded::{embedded, text_at};

use hir::RelayFile;
use hir::relay::Facts;
use hir::relay::body::Definition;

/// Returns the definitions of a file with their facts.
fn definitions(file: &RelayFile) -> impl Iterator<Item = (usize, &Definition, &Facts)> {
    let facts = file.facts.definitions.iter().map(|it| &**it);
    let pairs = file.module.definitions.iter().zip(facts);
    pairs
        .enumerate()
        .map(|(at, (definition, facts))| (at, definition, facts))
}
