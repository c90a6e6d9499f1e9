//! What completion offers.

use smol_str::SmolStr;
use text_size::TextRange;

use crate::source_edit::SourceEdit;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    Operator,
    Function,
    PrimFunc,
    Namespace,
    Variable,
    Buffer,
    ShapeVar,
    Constant,
    Keyword,
    DType,
    Annotation,
    Statement,
    Member,
    Snippet,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    pub label: SmolStr,
    pub kind: CompletionKind,
    /// StructInfo or parameters, beside the label.
    pub detail: Option<String>,
    /// With places to fill, `${1:x}` and `$0`, if `snippet`.
    pub text: String,
    pub snippet: bool,
    /// What the typed word is matched against, if not the label.
    pub filter: Option<SmolStr>,
    /// Lower comes first; those of one rank in alphabetical order, or in this one.
    pub rank: u8,
    pub order: Option<u16>,
    /// What [`crate::completion_document`] makes the documentation from.
    pub doc: Option<String>,
    /// What is to be imported for it.
    pub import: Option<SourceEdit>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completions {
    /// What is typed so far.
    pub insert: TextRange,
    /// The whole word, or the whole content of a string.
    pub replace: TextRange,
    pub items: Vec<Completion>,
    /// Whether further typing may bring others.
    pub incomplete: bool,
}

impl Completion {
    pub fn new(label: impl Into<SmolStr>, kind: CompletionKind) -> Completion {
        let label = label.into();
        Completion {
            text: label.to_string(),
            label,
            kind,
            detail: None,
            snippet: false,
            filter: None,
            rank: rank::OTHER,
            order: None,
            doc: None,
            import: None,
        }
    }

    pub fn detail(mut self, detail: impl Into<String>) -> Completion {
        self.detail = Some(detail.into());
        self
    }

    /// The same of what may say nothing.
    pub fn detail_of(self, detail: &str) -> Completion {
        if detail.is_empty() {
            self
        } else {
            self.detail(detail)
        }
    }

    pub fn rank(mut self, rank: u8) -> Completion {
        self.rank = rank;
        self
    }

    pub fn order(mut self, order: usize) -> Completion {
        self.order = Some(u16::try_from(order).unwrap_or(u16::MAX));
        self
    }

    pub fn doc(mut self, doc: String) -> Completion {
        self.doc = Some(doc);
        self
    }

    pub fn text(mut self, text: impl Into<String>) -> Completion {
        self.text = text.into();
        self
    }

    pub fn snippet(mut self, text: impl Into<String>) -> Completion {
        self.text = text.into();
        self.snippet = true;
        self
    }
}

/// Ranks, from what fits best.
pub mod rank {
    pub const FITS: u8 = 10;
    /// Of the right kind, but it depends on the values of shape variables.
    pub const UNPROVEN: u8 = 15;
    pub const KEYWORD: u8 = 20;
    pub const MAY_FIT: u8 = 30;
    pub const OTHER: u8 = 40;
    /// What few programs say.
    pub const RARE: u8 = 45;
    pub const NAMESPACE: u8 = 50;
    pub const SNIPPET: u8 = 60;
    pub const UNFIT: u8 = 70;
}
