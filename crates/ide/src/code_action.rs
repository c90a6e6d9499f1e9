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
    /// Identifies the action among the others at its position.
    pub id: &'static str,
    pub title: String,
    pub kind: ActionKind,
    /// `true` if this is the obvious action to take.
    pub preferred: bool,
    /// `true` if the fix is unambiguous, so that `source.fixAll` applies it.
    pub certain: bool,
    /// The code and range of the diagnostic that the action fixes.
    pub ends: Option<(&'static str, TextRange)>,
    /// The edit; `None` if it is computed on request.
    pub edit: Option<SourceEdit>,
}

/// Which actions get their edits: computing an edit may cost more than knowing that there is one.
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
