//! What can be done to the code at a place: the vocabulary that fixes and assists share.

use text_size::TextRange;

use crate::source_edit::SourceEdit;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    QuickFix,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeAction {
    /// Tells it apart from the others at its place.
    pub id: &'static str,
    pub title: String,
    pub kind: ActionKind,
    /// The obvious one to take.
    pub preferred: bool,
    /// Code and range of the diagnostic that it ends.
    pub ends: Option<(&'static str, TextRange)>,
    pub edit: SourceEdit,
}
