//! The types of answers. Every position is a byte offset into the text of a file.

pub mod completion;
mod semantic_tokens;
mod signature_help;

use relax::Severity;
use text_size::{TextRange, TextSize};

use crate::markdown::Markdown;
use crate::source_edit::SourceEdit;

pub use completion::{Completion, CompletionKind, Completions};
pub use semantic_tokens::{SemanticToken, TokenKind, TokenModifier};
pub use signature_help::{Parameter, Signature, SignatureHelp};

/// A file, identified by a number that the host assigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilePosition {
    pub file: FileId,
    pub offset: TextSize,
}

/// How an editor may show a diagnostic besides underlining it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    Unnecessary,
    Deprecated,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kebab-case name, which settings, reports and `explain` use too.
    pub code: &'static str,
    pub severity: Severity,
    pub range: TextRange,
    pub message: String,
    pub related: Vec<RelatedInformation>,
    pub tags: Vec<Tag>,
}

/// Another place of the same file that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelatedInformation {
    pub range: TextRange,
    pub message: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    pub range: TextRange,
    pub markdown: Markdown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    Module,
    Function,
    PrimFunc,
    Parameter,
    Binding,
    ShapeVar,
    Buffer,
    Block,
    Axis,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentSymbol {
    pub name: String,
    pub kind: SymbolKind,
    /// StructInfo or a signature, shown next to the name.
    pub detail: Option<String>,
    pub range: TextRange,
    pub name_range: TextRange,
    pub children: Vec<DocumentSymbol>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NavigationTarget {
    pub file: FileId,
    pub range: TextRange,
    pub name_range: TextRange,
}

impl NavigationTarget {
    /// Returns a target that is only a name.
    pub fn of_name(file: FileId, range: TextRange) -> NavigationTarget {
        NavigationTarget {
            file,
            range,
            name_range: range,
        }
    }
}

/// A mention of a symbol, and whether it assigns the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highlight {
    pub range: TextRange,
    pub write: bool,
}

/// What a rename at a position would rename.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenameTarget {
    pub range: TextRange,
    pub name: String,
}

/// The kind of an inlay hint. Each kind has a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintKind {
    StructInfo,
    Parameter,
    Dimension,
    Purity,
}

/// An inlay hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    pub offset: TextSize,
    pub label: String,
    /// The links in the label, sorted and without overlaps.
    pub links: Vec<HintLink>,
    pub kind: HintKind,
    /// The edit that inserts the label into the source, if the label is valid TVMScript.
    pub insert: Option<SourceEdit>,
    /// `true` if the hover at this position says more.
    pub explained: bool,
}

/// A part of a hint's label that links to a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HintLink {
    /// The range in the label.
    pub range: TextRange,
    /// The range in the file.
    pub target: TextRange,
}

/// A Relax function that can be run: it needs only its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runnable {
    /// `Module.forward`, or the bare name of a function outside a module.
    pub function: String,
    pub kind: RunnableKind,
    /// The range of the name in the `def`.
    pub name_range: TextRange,
    /// The shape variables of the signature that a caller must choose.
    pub dims: Vec<String>,
    pub params: Vec<RunnableParam>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunnableKind {
    Function,
    PrimFunc,
}

/// A parameter that a run creates a value for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunnableParam {
    pub name: String,
    /// The StructInfo in the file's dialect.
    pub struct_info: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    Region,
    Imports,
    Comment,
}

/// A range that can be folded to its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    pub range: TextRange,
    pub kind: FoldKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    Address(String),
    /// A range in the same file.
    Place(TextRange),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub range: TextRange,
    pub target: LinkTarget,
    pub tooltip: Option<String>,
}

/// A function in the call hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallItem {
    pub name: String,
    pub kind: SymbolKind,
    /// The name of the enclosing module or function.
    pub within: Option<String>,
    pub range: TextRange,
    pub name_range: TextRange,
}

/// A caller or a callee, with the ranges of the calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub function: CallItem,
    pub ranges: Vec<TextRange>,
}

/// A module or a function, for a search across files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceSymbol {
    pub name: String,
    pub kind: SymbolKind,
    /// The module of a function.
    pub container: Option<String>,
    pub name_range: TextRange,
}

/// A variable whose value a debugger may show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineVariable {
    pub range: TextRange,
    pub name: String,
}

/// A function and every mention of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceCount {
    pub name_range: TextRange,
    pub references: Vec<TextRange>,
}

/// Maps offsets to line numbers, starting at 0.
pub trait LineNumbers {
    fn line(&self, offset: TextSize) -> u32;
}

impl LineNumbers for line_index::LineIndex {
    fn line(&self, offset: TextSize) -> u32 {
        self.line_col(offset).line
    }
}
