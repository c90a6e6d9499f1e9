//! Editor features for Relax programs as plain data: texts, byte ranges, names.
//!
//! Knows no protocol and does no input or output. [`AnalysisHost`] takes changes from one writer. [`Analysis`] is a
//! snapshot that any thread may query. Salsa's cancellation stops here: a question that an edit interrupts returns
//! [`Cancelled`].

mod analysis;
mod annotations;
mod assists;
mod builders;
mod call_hierarchy;
mod callee;
mod casts;
mod code_action;
mod completion;
pub mod cost;
mod cursor;
mod dataflow;
pub mod diagnostics;
pub mod difference;
mod document_highlight;
mod document_links;
mod document_symbols;
mod draft;
mod fix_all;
mod fixes;
#[cfg(test)]
mod fixture;
mod folding_ranges;
pub mod follow;
mod format;
mod goto_declaration;
mod goto_definition;
mod goto_type_definition;
pub mod graph;
mod host;
mod hover;
mod if_frames;
mod ignores;
mod imports;
mod inlay_hints;
mod inline_values;
mod lines;
mod markdown;
mod mentions;
mod migrate;
mod parts;
pub mod passes;
mod prim_output;
mod reduce;
mod reference_counts;
mod references;
mod relay;
mod releases;
mod relevance;
mod rename;
mod respell;
mod runnables;
mod selection_ranges;
mod semantic_tokens;
mod semantics;
mod signature_help;
mod source_edit;
mod text_difference;
mod translate;
mod types;
mod unlowered;
pub mod visible;
mod workspace_symbols;

pub use analysis::{Analysis, Cancellable, Cancelled};
pub use builders::module_builders;
pub use code_action::{ActionKind, CodeAction, Resolve};
pub use completion::document as completion_document;
pub use fix_all::Sure;
pub use format::FormatOptions;
pub use hir::{Canceller, Language, Text};
pub use host::{AnalysisHost, Change, Config, ParsedText};
pub use hover::OriginNote;
pub use markdown::Markdown;
pub use migrate::{Left, Migration, migrate, migrate_and_check};
pub use reduce::reduce;
pub use relax::Severity;
pub use relevance::{concerns_tvm, contains_tvmscript};
pub use source_edit::{Replacement, SourceEdit};
pub use translate::{Translation, Untranslated, translate};
pub use types::{
    Call, CallItem, Completion, CompletionKind, Completions, Diagnostic, DocumentSymbol, FileId,
    FilePosition, Fold, FoldKind, Highlight, HintKind, HintLink, Hover, InlayHint, InlineVariable,
    LineNumbers, Link, LinkTarget, NavigationTarget, Parameter, ReferenceCount, RelatedInformation,
    RenameTarget, Runnable, RunnableKind, RunnableParam, SemanticToken, Signature, SignatureHelp,
    SymbolKind, Tag, TokenKind, TokenModifier, WorkspaceSymbol,
};
pub use workspace_symbols::matches_query;
