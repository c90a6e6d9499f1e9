//! The types of completions.

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
    /// StructInfo or parameters, shown next to the label.
    pub detail: Option<String>,
    /// The inserted text. If `snippet`, it has placeholders `${1:x}` and `$0`.
    pub text: String,
    pub snippet: bool,
    /// The text that the typed word is matched against, if not the label.
    pub filter: Option<SmolStr>,
    /// The rank: lower comes first. Items of the same rank are sorted alphabetically, or by `order`.
    pub rank: u8,
    pub order: Option<u16>,
    /// The key from which [`crate::completion_document`] makes the documentation.
    pub doc: Option<String>,
    /// The edit that adds a missing import.
    pub import: Option<SourceEdit>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completions {
    /// The range from the beginning of the word to the cursor.
    pub insert: TextRange,
    /// The range of the whole word, or of the whole contents of a string.
    pub replace: TextRange,
    pub items: Vec<Completion>,
    /// `true` if more typing may bring other items.
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

    /// Like `detail`, but an empty text sets no detail.
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

/// Ranks, from the best fit to the worst.
pub mod rank {
    pub const FITS: u8 = 10;
    /// The kind is right, but whether it fits depends on the values of shape variables.
    pub const UNPROVEN: u8 = 15;
    pub const KEYWORD: u8 = 20;
    pub const MAY_FIT: u8 = 30;
    pub const OTHER: u8 = 40;
    /// Names that few programs use.
    pub const RARE: u8 = 45;
    pub const NAMESPACE: u8 = 50;
    pub const SNIPPET: u8 = 60;
    pub const UNFIT: u8 = 70;
}
