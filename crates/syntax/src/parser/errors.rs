//! Error reporting: the ranges of errors, and the suppression of errors that follow from others.
//!
//! One mistake gives one error. Later errors in the same line of text count as its consequences, and so do errors about
//! missing text at the end of the logical line.

use std::borrow::Cow;

use text_size::{TextRange, TextSize};

use super::{Mark, Parser};
use crate::SyntaxError;
use crate::kind::SyntaxKind::{self, END, SOFT_NEWLINE};

impl Parser<'_> {
    /// Whether the current logical line already has an error from the parser or the lexer.
    pub(super) fn line_has_error(&self) -> bool {
        if self.line_failed || self.tokens.errors.is_empty() {
            return self.line_failed;
        }
        self.has_lexer_error_since(self.line)
    }

    /// Whether the lexer reported an error between token `first` and the current one.
    fn has_lexer_error_since(&self, first: usize) -> bool {
        let start = TextSize::new(self.token_start(first));
        let end = TextSize::new(self.token_start(self.pos));
        let errors = &self.tokens.errors;
        let first = errors.partition_point(|it| it.range.end() < start);
        errors
            .get(first)
            .is_some_and(|it| it.range.start() < end || self.at(END))
    }

    /// Whether the line of text that begins with this token has an error.
    fn physical_line_has_error(&self, line: usize) -> bool {
        self.failed_line == Some(line)
            || !self.tokens.errors.is_empty()
                && (self.has_lexer_error_at_current() || self.has_lexer_error_since(line))
    }

    /// The first token of the line of text to which an error at the current token belongs.
    fn line_of_error(&self) -> usize {
        if self.belongs_to_previous_line() {
            self.line_of_prev
        } else {
            self.physical_line
        }
    }

    pub(crate) fn last_line_failed(&self) -> bool {
        self.last_line_failed
    }

    /// The range of an error at the current token: the token, or the end of the last token if the current one is on
    /// another line.
    pub(super) fn error_range(&self) -> TextRange {
        if self.at_line_end() || self.belongs_to_previous_line() {
            TextRange::empty(TextSize::new(self.prev_end()))
        } else {
            self.range()
        }
    }

    /// Whether the current token begins a line inside brackets. Text that is missing before it is missing on the previous
    /// line.
    fn belongs_to_previous_line(&self) -> bool {
        !self.at_line_start() && self.tokens.kinds[self.prev..self.pos].contains(&SOFT_NEWLINE)
    }

    /// Reports an error at the current token, unless it is a consequence of an earlier one.
    pub(crate) fn error(&mut self, message: impl Into<Cow<'static, str>>) {
        let error = SyntaxError::new(self.error_range(), message);
        self.report(error);
    }

    /// Reports "expected ..., found ...".
    pub(crate) fn expected(&mut self, what: &str) {
        let found = match self.current {
            SyntaxKind::UNKNOWN => format!("the character `{}`", self.text().escape_debug()),
            kind => kind.describe().to_owned(),
        };
        self.error(format!("expected {what}, found {found}"));
    }

    /// Reports an error in the text since `mark`.
    pub(crate) fn error_since(&mut self, mark: Mark, message: impl Into<Cow<'static, str>>) {
        let end = self.prev_end().max(mark.offset);
        self.error_at_range(
            TextRange::new(TextSize::new(mark.offset), TextSize::new(end)),
            message,
        );
    }

    pub(crate) fn error_at_range(
        &mut self,
        range: TextRange,
        message: impl Into<Cow<'static, str>>,
    ) {
        if !self.line_has_error() {
            self.line_failed = true;
            self.failed_line = Some(self.physical_line);
            self.errors.push(SyntaxError::new(range, message));
        }
    }

    /// Reports an error about the line of `mark`, which is before the current one.
    pub(crate) fn error_before(&mut self, mark: Mark, message: &'static str) {
        if !self.last_line_failed {
            let rest = &self.text[mark.offset as usize..];
            let len = rest.find(['\n', '\r', '#']).unwrap_or(rest.len());
            let len = rest[..len].trim_end().len();
            let range = TextRange::at(TextSize::new(mark.offset), TextSize::new(len as u32));
            self.errors.push(SyntaxError::new(range, message));
        }
    }

    /// Reports an error about the statement at `mark`, at its keyword.
    pub(crate) fn error_at_keyword(&mut self, mark: Mark, message: &'static str) {
        let start = mark.offset as usize;
        let bytes = &self.text.as_bytes()[start..];
        let len = bytes
            .iter()
            .position(|it| !it.is_ascii_alphabetic())
            .unwrap_or(bytes.len());
        let start = TextSize::new(mark.offset);
        let range = TextRange::at(start, TextSize::new(len as u32));
        self.errors.push(SyntaxError::new(range, message));
    }

    /// Whether the lexer reported an error at the current token.
    fn has_lexer_error_at_current(&self) -> bool {
        let range = self.range();
        let errors = &self.tokens.errors;
        let first = errors.partition_point(|it| it.range.end() < range.start());
        errors[first..]
            .first()
            .is_some_and(|it| it.range.start() < range.end().max(range.start() + TextSize::new(1)))
    }

    pub(super) fn report(&mut self, error: SyntaxError) {
        let line = self.line_of_error();
        let is_consequence =
            self.physical_line_has_error(line) || self.at_line_end() && self.line_has_error();
        if !is_consequence {
            self.line_failed = true;
            self.failed_line = Some(line);
            self.errors.push(error);
        }
    }
}
