//! The signatures of a call.

use text_size::TextRange;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    /// Of a call in a call, first the one whose argument the cursor is in; of a function, its forms.
    pub signatures: Vec<Signature>,
    /// The one that fits what is given.
    pub active: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    pub label: String,
    pub params: Vec<Parameter>,
    pub active: Option<usize>,
    /// Markdown.
    pub doc: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// In the label.
    pub range: TextRange,
    pub doc: String,
}
