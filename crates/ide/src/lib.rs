//! What an editor asks about Relax programs, answered in plain data: texts, byte ranges, names.
//!
//! Knows no protocol and does no input or output. [`AnalysisHost`] takes changes from one writer; an
//! [`Analysis`] is a snapshot that any thread may ask. Salsa's cancellation stops here: a question that a
//! change overtook answers [`Cancelled`].

pub mod diagnostics;
mod document_symbols;
#[cfg(test)]
mod fixture;
mod goto_definition;
mod host;
mod hover;
mod inlay_hints;
mod locate;
mod relevance;
mod runnables;
mod types;

pub use host::{Analysis, AnalysisHost, Cancellable, Cancelled, Change, Config};
pub use relevance::contains_tvmscript;
pub use types::{
    Diagnostic, DocumentSymbol, FileId, FilePosition, Hover, InlayHint, NavigationTarget,
    RelatedInformation, Runnable, Severity, SymbolKind, Tag,
};
