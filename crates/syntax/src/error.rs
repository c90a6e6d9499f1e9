//! Syntax errors.

use std::borrow::Cow;
use std::cmp::Ordering;

use text_size::TextRange;

pub(crate) const INDENTED_BLOCK: &str = "expected an indented block after ";
pub(crate) const NO_BLOCK_BEGINS: &str = "this line is indented, but no block begins before it";
pub(crate) const MATCHES_NO_BLOCK: &str = "this indentation matches no block around it";
pub(crate) const RETURN_OUTSIDE: &str = "`return` is not in a function";

/// A syntax error. The tree still covers the whole text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SyntaxError {
    pub message: Cow<'static, str>,
    pub range: TextRange,
    /// A second range that explains the error, with its label.
    pub related: Option<(TextRange, Cow<'static, str>)>,
}

impl SyntaxError {
    pub fn new(range: TextRange, message: impl Into<Cow<'static, str>>) -> SyntaxError {
        SyntaxError {
            message: message.into(),
            range,
            related: None,
        }
    }

    /// Whether the error is about a line in the wrong block, or outside of any block.
    pub fn is_about_nesting(&self) -> bool {
        let lines = [NO_BLOCK_BEGINS, MATCHES_NO_BLOCK, RETURN_OUTSIDE];
        self.message.starts_with(INDENTED_BLOCK) || lines.contains(&&*self.message)
    }

    /// Orders errors by position.
    pub(crate) fn order(&self, other: &SyntaxError) -> Ordering {
        let key = |it: &SyntaxError| (it.range.start(), it.range.end());
        key(self)
            .cmp(&key(other))
            .then_with(|| self.message.cmp(&other.message))
    }

    pub(crate) fn with_related(
        mut self,
        range: TextRange,
        message: impl Into<Cow<'static, str>>,
    ) -> SyntaxError {
        self.related = Some((range, message.into()));
        self
    }

    pub(crate) fn map_ranges(mut self, map: impl Fn(TextRange) -> TextRange) -> SyntaxError {
        self.range = map(self.range);
        if let Some((range, _)) = &mut self.related {
            *range = map(*range);
        }
        self
    }
}
