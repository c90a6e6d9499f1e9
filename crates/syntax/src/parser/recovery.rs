//! Brackets, and getting on after a mistake: what is skipped, and up to where.

use text_size::TextRange;

use super::Parser;
use crate::SyntaxError;
use crate::kind::SyntaxKind::{
    self, ARROW, COLON, END, EQ, ERROR, FSTRING_END, FSTRING_START, IDENT, L_BRACE, L_BRACKET,
    L_PAREN, NEWLINE, R_BRACE, R_BRACKET, R_PAREN,
};

/// What stands in brackets, as far as it tells where they end when their closing one is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    Params,
    Args,
    /// Expressions without names: a tuple, a list.
    Items,
    /// What may hold a name before a colon at the start of any line, or is not known better.
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

    /// Takes an opening bracket and returns where it is.
    pub(crate) fn open(&mut self, list: List) -> TextRange {
        let range = self.range();
        self.lists.push(list);
        if let Some(shape) = shape(self.current) {
            self.open[shape] += 1;
        }
        self.bump();
        range
    }

    /// Takes the bracket that closes the one at `opener`, or reports that it is missing.
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
            // A bracket of the wrong shape that closes nothing else was meant for this.
            if shape(self.current).is_some_and(|it| is_closing(self.current) && self.open[it] == 0)
            {
                self.skip_one();
            }
        }
    }

    /// Whether a list in brackets ends here: at any closing bracket, where the line ends, or where a list further out
    /// plainly goes on.
    pub(crate) fn at_list_end(&self) -> bool {
        match self.current {
            R_PAREN | R_BRACKET | R_BRACE | FSTRING_END | ARROW => true,
            IDENT => self.begins_outer_item(),
            COLON => matches!(self.next(), NEWLINE | END),
            _ => self.at_line_end(),
        }
    }

    /// Whether a name is that of a parameter, or at the start of a line that of an argument, in a list further out. In
    /// the list around it, either is a mistake in any Python.
    fn begins_outer_item(&self) -> bool {
        let starts_line = self.prev < self.physical_line;
        if !starts_line && self.lists.first() != Some(&List::Params) {
            return false;
        }
        let next = self.next();
        let is_item_of = |list: List| match list {
            List::Params => next == COLON || next == EQ && starts_line,
            List::Args => next == EQ && starts_line,
            List::Items | List::Other => false,
        };
        let [outer @ .., innermost] = self.lists.as_slice() else {
            return false;
        };
        let reached = outer.iter().rev().take_while(|&&it| it != List::Other);
        *innermost != List::Other && !is_item_of(*innermost) && reached.copied().any(is_item_of)
    }

    /// Whether the line begins with a parameter, in a parameter list.
    pub(crate) fn at_next_param(&self) -> bool {
        self.at(IDENT) && self.prev < self.physical_line && self.next() == COLON
    }

    /// Takes the current token into a node of its own as something that does not belong here.
    pub(crate) fn skip_one(&mut self) {
        if self.at_line_end() {
            return;
        }
        let mark = self.start();
        self.bump();
        self.finish_node(mark, ERROR);
    }

    /// Takes tokens, brackets with what they hold, up to one outside of brackets that satisfies `stop` or ends the
    /// line.
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

    /// Takes the rest of the line as something that does not belong here, and reports it.
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

/// The index of a bracket's shape.
fn shape(kind: SyntaxKind) -> Option<usize> {
    match kind {
        L_PAREN | R_PAREN => Some(0),
        L_BRACKET | R_BRACKET => Some(1),
        L_BRACE | R_BRACE => Some(2),
        _ => None,
    }
}
