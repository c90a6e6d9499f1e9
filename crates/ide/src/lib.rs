//! What an editor asks about Relax programs, answered in plain data: texts, byte ranges, names.
//!
//! Knows no protocol and does no input or output. [`AnalysisHost`] takes changes from one writer; an
//! [`Analysis`] is a snapshot that any thread may ask. Salsa's cancellation stops here: a question that a
//! change overtook answers [`Cancelled`].

mod code_action;
mod dataflow;
pub mod diagnostics;
mod document_highlight;
mod document_symbols;
mod fixes;
#[cfg(test)]
mod fixture;
mod function_context;
mod goto_declaration;
mod goto_definition;
mod goto_type_definition;
mod host;
mod hover;
mod inlay_hints;
mod locate;
mod mentions;
mod references;
mod relevance;
mod rename;
mod runnables;
mod source_edit;
mod types;

pub use code_action::{ActionKind, CodeAction};
pub use host::{Analysis, AnalysisHost, Cancellable, Cancelled, Change, Config};
pub use relevance::contains_tvmscript;
pub use source_edit::{Replacement, SourceEdit};
pub use types::{
    Diagnostic, DocumentSymbol, FileId, FilePosition, Highlight, Hover, InlayHint,
    NavigationTarget, RelatedInformation, RenameTarget, Runnable, Severity, SymbolKind, Tag,
};
