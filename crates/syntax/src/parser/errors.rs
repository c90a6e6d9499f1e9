//! Reporting mistakes: where they show, and which of them are only consequences of another.
//!
//! One mistake gives one error. What follows an error in the same line of text is taken for its consequence, and so is
//! whatever is missing where the logical line ends.

use std::borrow::Cow;

use text_size::{TextRange, TextSize};

use super::{Mark, Parser};
use crate::SyntaxError;
use crate::kind::SyntaxKind::{self, END, SOFT_NEWLINE};

impl Parser<'_> {
    /// Whether the current logical line has an error already, the lexer's included.
    pub(super) fn line_has_error(&self) -> bool {
        if self.line_failed || self.tokens.errors.is_empty() {
            return self.line_failed;
        }
        self.is_lexed_wrong_since(self.line)
    }

    /// Whether the lexer has found something wrong from a token up to the current one.
    fn is_lexed_wrong_since(&self, first: usize) -> bool {
        let start = TextSize::new(self.token_start(first));
        let end = TextSize::new(self.token_start(self.pos));
        let errors = &self.tokens.errors;
        let first = errors.partition_point(|it| it.range.end() < start);
        errors
            .get(first)
            .is_some_and(|it| it.range.start() < end || self.at(END))
    }

    /// Whether an error was reported in the line of text that begins with this token.
    fn physical_line_has_error(&self, line: usize) -> bool {
        self.failed_line == Some(line)
            || !self.tokens.errors.is_empty()
                && (self.is_lexed_wrong() || self.is_lexed_wrong_since(line))
    }

    /// The first token of the line of text in which a mistake at the current token shows.
    fn line_of_error(&self) -> usize {
        if self.shows_before() {
            self.line_of_prev
        } else {
            self.physical_line
        }
    }

    pub(crate) fn last_line_failed(&self) -> bool {
        self.last_line_failed
    }

    /// Where a mistake at the current token shows: the token, or the end of the last one if that is another line.
    pub(super) fn error_range(&self) -> TextRange {
        if self.at_line_end() || self.shows_before() {
            TextRange::empty(TextSize::new(self.prev_end()))
        } else {
            self.range()
        }
    }

    /// Whether the current token begins a line in brackets, so that what is missing before it is missing in another line.
    fn shows_before(&self) -> bool {
        !self.at_line_start() && self.tokens.kinds[self.prev..self.pos].contains(&SOFT_NEWLINE)
    }

    /// Reports a mistake at the current token, unless it is the consequence of one already reported.
    pub(crate) fn error(&mut self, message: impl Into<Cow<'static, str>>) {
        let error = SyntaxError::new(self.error_range(), message);
        self.report(error);
    }

    /// The same, with a message that names what is found instead.
    pub(crate) fn expected(&mut self, what: &str) {
        let found = match self.current {
            SyntaxKind::UNKNOWN => format!("the character `{}`", self.text().escape_debug()),
            kind => kind.describe().to_owned(),
        };
        self.error(format!("expected {what}, found {found}"));
    }

    /// Reports a mistake in text already taken. Text is wrong in one way at a time.
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

    /// Reports a mistake in the line before the current token, on what that line begins with.
    pub(crate) fn error_before(&mut self, mark: Mark, message: &'static str) {
        if !self.last_line_failed {
            let rest = &self.text[mark.offset as usize..];
            let len = rest.find(['\n', '\r', '#']).unwrap_or(rest.len());
            let len = rest[..len].trim_end().len();
            let range = TextRange::at(TextSize::new(mark.offset), TextSize::new(len as u32));
            self.errors.push(SyntaxError::new(range, message));
        }
    }

    /// Reports a mistake about the statement that begins at `mark`, on the keyword it begins with.
    pub(crate) fn error_since_keyword(&mut self, mark: Mark, message: &'static str) {
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

    /// Whether the lexer has found the current token wrong.
    fn is_lexed_wrong(&self) -> bool {
        let range = self.range();
        let errors = &self.tokens.errors;
        let first = errors.partition_point(|it| it.range.end() < range.start());
        errors[first..]
            .first()
            .is_some_and(|it| it.range.start() < range.end().max(range.start() + TextSize::new(1)))
    }

    pub(super) fn report(&mut self, error: SyntaxError) {
        let line = self.line_of_error();
        let follows =
            self.physical_line_has_error(line) || self.at_line_end() && self.line_has_error();
        if !follows {
            self.line_failed = true;
            self.failed_line = Some(line);
            self.errors.push(error);
        }
    }
}
