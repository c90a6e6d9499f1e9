//! Brackets and error recovery: which tokens are skipped after an error.

use text_size::TextRange;

use super::Parser;
use crate::SyntaxError;
use crate::kind::SyntaxKind::{
    self, ARROW, COLON, END, EQ, ERROR, FSTRING_END, FSTRING_START, IDENT, L_BRACE, L_BRACKET,
    L_PAREN, NEWLINE, R_BRACE, R_BRACKET, R_PAREN,
};

/// The contents of brackets. They decide where the brackets end if the closing one is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListKind {
    Params,
    Args,
    /// Expressions without keywords: a tuple, a list.
    Items,
    /// Any other contents. In dictionaries, a line may begin with a name and a colon.
    Other,
}

impl Parser<'_> {
    pub(crate) fn expect(&mut self, kind: SyntaxKind) -> bool {
        let found = self.eat(kind);
        if !found {
            self.expected(kind.describe());
        }
        found
    }

    /// Takes an opening bracket and returns its range.
    pub(crate) fn open(&mut self, list: ListKind) -> TextRange {
        let range = self.range();
        self.lists.push(list);
        if let Some(shape) = shape(self.current) {
            self.open[shape] += 1;
        }
        self.bump();
        range
    }

    /// Takes the closing bracket for `opener`, or reports that it is missing. `what` names the brackets.
    pub(crate) fn close(&mut self, kind: SyntaxKind, opener: TextRange, what: &str) {
        self.lists.pop();
        if let Some(shape) = shape(kind) {
            self.open[shape] -= 1;
        }
        if !self.eat(kind) {
            let message = format!("expected {} to close {what}", kind.describe());
            let error =
                SyntaxError::new(self.error_range(), message).with_related(opener, "opened here");
            self.report(error);
            // A closing bracket of the wrong shape without a partner was probably meant here.
            if shape(self.current).is_some_and(|it| is_closing(self.current) && self.open[it] == 0)
            {
                self.skip_one();
            }
        }
    }

    /// Whether a list in brackets ends here: at a closing bracket, at the end of the logical line, or at the next item of
    /// an outer list.
    pub(crate) fn at_list_end(&self) -> bool {
        match self.current {
            R_PAREN | R_BRACKET | R_BRACE | FSTRING_END | ARROW => true,
            IDENT => self.begins_outer_item(),
            COLON => matches!(self.next(), NEWLINE | END),
            _ => self.at_line_end(),
        }
    }

    /// Whether the current name begins a parameter of an outer list, or, at the start of a line, a keyword argument of one.
    /// Either would be an error in the innermost list.
    fn begins_outer_item(&self) -> bool {
        let starts_line = self.prev < self.physical_line;
        if !starts_line && self.lists.first() != Some(&ListKind::Params) {
            return false;
        }
        let next = self.next();
        let is_item_of = |list: ListKind| match list {
            ListKind::Params => next == COLON || next == EQ && starts_line,
            ListKind::Args => next == EQ && starts_line,
            ListKind::Items | ListKind::Other => false,
        };
        let [outer @ .., innermost] = self.lists.as_slice() else {
            return false;
        };
        let reached = outer.iter().rev().take_while(|&&it| it != ListKind::Other);
        *innermost != ListKind::Other && !is_item_of(*innermost) && reached.copied().any(is_item_of)
    }

    /// Whether the current token begins a line and looks like a parameter with an annotation.
    pub(crate) fn at_next_param(&self) -> bool {
        self.at(IDENT) && self.prev < self.physical_line && self.next() == COLON
    }

    /// Puts the current token into an ERROR node.
    pub(crate) fn skip_one(&mut self) {
        if self.at_line_end() {
            return;
        }
        let mark = self.start();
        self.bump();
        self.finish_node(mark, ERROR);
    }

    /// Takes tokens up to the end of the line, or up to one that satisfies `stop`. Skips brackets with their contents.
    pub(crate) fn skip_until(&mut self, stop: impl Fn(SyntaxKind) -> bool) {
        let mut depth = 0_u32;
        while !(self.at_line_end() || depth == 0 && stop(self.current)) {
            match self.current {
                L_PAREN | L_BRACKET | L_BRACE | FSTRING_START => depth += 1,
                R_PAREN | R_BRACKET | R_BRACE | FSTRING_END => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }

    /// Reports the rest of the line, and puts it into an ERROR node.
    pub(crate) fn skip_line(&mut self, expected: &str) {
        if self.at_line_end() {
            return;
        }
        self.expected(expected);
        let mark = self.start();
        self.skip_until(|_| false);
        self.finish_node(mark, ERROR);
    }
}

fn is_closing(kind: SyntaxKind) -> bool {
    matches!(kind, R_PAREN | R_BRACKET | R_BRACE)
}

/// The index of a bracket's shape in `Parser::open`.
fn shape(kind: SyntaxKind) -> Option<usize> {
    match kind {
        L_PAREN | R_PAREN => Some(0),
        L_BRACKET | R_BRACKET => Some(1),
        L_BRACE | R_BRACE => Some(2),
        _ => None,
    }
}
