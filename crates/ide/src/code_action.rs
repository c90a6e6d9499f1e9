//! Code actions: the types that fixes and assists share.

use text_size::TextRange;

use crate::source_edit::SourceEdit;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    QuickFix,
    RefactorExtract,
    RefactorInline,
    RefactorRewrite,
    FixAll,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeAction {
    /// Tells it apart from the others at its place.
    pub id: &'static str,
    pub title: String,
    pub kind: ActionKind,
    /// The obvious one to take.
    pub preferred: bool,
    /// Whether it leaves no choice: `source.fixAll` makes it unasked.
    pub certain: bool,
    /// Code and range of the diagnostic that it ends.
    pub ends: Option<(&'static str, TextRange)>,
    /// `None`: made when it is asked for.
    pub edit: Option<SourceEdit>,
}

/// Whose edits are wanted: they may cost more than to know that they can be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolve {
    All,
    None,
    Only(String),
}

impl Resolve {
    pub fn wants(&self, id: &str) -> bool {
        match self {
            Resolve::All => true,
            Resolve::None => false,
            Resolve::Only(only) => only == id,
        }
    }
}
