//! The type of signature help.

use text_size::TextRange;

use crate::markdown::Markdown;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    /// The signatures. In a nested call, the innermost comes first; a function has one for each overload.
    pub signatures: Vec<Signature>,
    /// The signature that fits the given arguments.
    pub active: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    pub label: String,
    pub params: Vec<Parameter>,
    pub active: Option<usize>,
    pub doc: Markdown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The range in the label.
    pub range: TextRange,
    pub doc: Markdown,
}
