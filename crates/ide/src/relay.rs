//! Editor features for Relay's text, one file a feature, in the plain data that those for TVMScript answer with.
//!
//! Each feature of [`crate::Analysis`] asks the one of its name here if its place is in Relay's text: a file of Relay, or a
//! string in a Python file (`embedded`). `mentions` says what each name stands for; most features are views of it.

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

/// The definitions of a file with what is known of each.
fn definitions(file: &RelayFile) -> impl Iterator<Item = (usize, &Definition, &Facts)> {
    let facts = file.facts.definitions.iter().map(|it| &**it);
    let pairs = file.module.definitions.iter().zip(facts);
    pairs
        .enumerate()
        .map(|(at, (definition, facts))| (at, definition, facts))
}
