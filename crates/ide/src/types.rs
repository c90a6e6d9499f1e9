//! The vocabulary of answers: every position is a byte offset into the text of a file.

pub mod completion;
mod semantic_tokens;
mod signature_help;

use text_size::{TextRange, TextSize};

use crate::source_edit::SourceEdit;

pub use completion::{Completion, CompletionKind, Completions};
pub use semantic_tokens::{SemanticToken, TokenKind, TokenModifier};
pub use signature_help::{Parameter, Signature, SignatureHelp};

/// A file, as the host numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilePosition {
    pub file: FileId,
    pub offset: TextSize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
    Information,
    Hint,
}

impl Severity {
    /// The name used in `facts` and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Information => "information",
            Severity::Hint => "hint",
        }
    }
}

/// How an editor may show the place of a diagnostic besides underlining it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    Unnecessary,
    Deprecated,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kebab-case name, the same in settings, reports and `explain`.
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
    pub markdown: String,
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
    /// StructInfo or signature, shown beside the name.
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

/// A place that names a thing, and whether it gives it its value there.
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

/// What a hint tells, each with a setting of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintKind {
    StructInfo,
    Parameter,
    Dimension,
    Purity,
}

/// Something that the source leaves unsaid, shown in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    pub offset: TextSize,
    pub label: String,
    /// In order, apart from one another.
    pub links: Vec<HintLink>,
    pub kind: HintKind,
    /// What writes the label into the source, if that is TVMScript.
    pub insert: Option<SourceEdit>,
    /// Whether the hover beside it says more.
    pub explained: bool,
}

/// A part of a hint's label that leads somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HintLink {
    /// In the label.
    pub range: TextRange,
    /// In the file.
    pub target: TextRange,
}

/// A Relax function that can be run: it needs nothing but its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runnable {
    /// `Module.forward`, or the bare name of a function outside a module.
    pub function: String,
    /// The name in the `def`.
    pub name_range: TextRange,
    /// The shape variables of the signature that a caller must choose.
    pub dims: Vec<String>,
    pub params: Vec<RunnableParam>,
}

/// A parameter that a run makes a value for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunnableParam {
    pub name: String,
    /// Its StructInfo, in the file's dialect.
    pub struct_info: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    Region,
    Imports,
    Comment,
}

/// What can be folded to its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    pub range: TextRange,
    pub kind: FoldKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    Address(String),
    /// A place in the same file.
    Place(TextRange),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub range: TextRange,
    pub target: LinkTarget,
    pub tooltip: Option<String>,
}

/// A function in the hierarchy of calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallItem {
    pub name: String,
    pub kind: SymbolKind,
    /// The module or the function that it is in.
    pub within: Option<String>,
    pub range: TextRange,
    pub name_range: TextRange,
}

/// A function that calls or is called, and where the calls stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub function: CallItem,
    pub ranges: Vec<TextRange>,
}

/// A module or a function, as it is found from other files.
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

/// A function and every place that names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceCount {
    pub name_range: TextRange,
    pub references: Vec<TextRange>,
}

/// In which line an offset is, counted from 0.
pub trait LineNumbers {
    fn line(&self, offset: TextSize) -> u32;
}

impl LineNumbers for line_index::LineIndex {
    fn line(&self, offset: TextSize) -> u32 {
        self.line_col(offset).line
    }
}
