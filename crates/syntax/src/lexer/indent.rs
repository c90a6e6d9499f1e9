//! Indentation: what begins a logical line, and the blocks it opens and closes.
//!
//! Knows columns. Blank lines and lines of comment have no indentation, as in Python.

use super::Lexer;
use crate::kind::SyntaxKind::{DEDENT, INDENT, LINE_CONTINUATION, WHITESPACE};

/// As many blocks within each other as CPython takes.
const MAX_DEPTH: usize = 100;

/// How far a line is indented, measured with tabs up to the next multiple of eight and with tabs of one column. Python
/// takes two lines as comparable when both measures agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Column {
    wide: u32,
    narrow: u32,
}

impl Column {
    /// The column after `blanks`, the text from the start of a line.
    pub(crate) fn after(blanks: &[u8]) -> Column {
        let mut column = Column::default();
        for byte in blanks {
            match byte {
                b'\t' => {
                    column.wide = (column.wide / 8 + 1) * 8;
                    column.narrow += 1;
                }
                b'\x0c' => column = Column::default(),
                _ => {
                    column.wide += 1;
                    column.narrow += 1;
                }
            }
        }
        column
    }

    pub(crate) fn is_within(self, other: Column) -> bool {
        self.wide <= other.wide
    }
}

/// The columns of the open blocks. The file's own, 0, is not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Indents {
    open: Vec<Column>,
    /// The column of a line that matched no open block; more lines like it are not new mistakes.
    odd: Option<Column>,
}

impl Indents {
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(crate) fn innermost(&self) -> Column {
        self.open.last().copied().unwrap_or_default()
    }
}

impl Lexer<'_> {
    /// Skips blank lines, then compares the first line that is not blank with the open blocks.
    pub(super) fn line_start(&mut self) {
        loop {
            let start = self.pos;
            while matches!(self.peek(0), b' ' | b'\t' | b'\x0c') {
                self.pos += 1;
            }
            let mut column = Column::after(&self.bytes[start..self.pos]);
            if self.pos > start {
                self.push(WHITESPACE);
            }
            if self.pos >= self.bytes.len() {
                self.group.column = column;
                return;
            }
            match self.peek(0) {
                b'\n' | b'\r' => {
                    self.skip_newline();
                    self.soft_newline();
                    continue;
                }
                b'#' => {
                    self.comment();
                    if self.pos < self.bytes.len() {
                        self.skip_newline();
                        self.soft_newline();
                    }
                    continue;
                }
                b'\\' if matches!(self.peek(1), b'\n' | b'\r') => {
                    column = self.joined_indentation(column);
                }
                _ => {}
            }
            if self.pos < self.bytes.len() && matches!(self.bytes[self.pos], b'\n' | b'\r' | b'#') {
                continue;
            }
            self.group.column = column;
            if self.pos < self.bytes.len() {
                self.compare(column);
            }
            return;
        }
    }

    /// The indentation of a line that begins with a continuation: the first line's, unless it has none.
    fn joined_indentation(&mut self, first: Column) -> Column {
        let mut column = first;
        while self.peek(0) == b'\\' && matches!(self.peek(1), b'\n' | b'\r') {
            self.pos += 1;
            self.skip_newline();
            self.push(LINE_CONTINUATION);
            let start = self.pos;
            while matches!(self.peek(0), b' ' | b'\t' | b'\x0c') {
                self.pos += 1;
            }
            if self.pos > start {
                if column == Column::default() {
                    column = Column::after(&self.bytes[start..self.pos]);
                }
                self.push(WHITESPACE);
            }
        }
        column
    }

    fn compare(&mut self, column: Column) {
        let top = self.indents.innermost();
        if column == top {
            self.indents.odd = None;
            return;
        }
        let line = (self.pos - column.narrow as usize, self.pos);
        let consistent = column.wide.cmp(&top.wide) == column.narrow.cmp(&top.narrow);
        if !consistent {
            self.odd_line(
                column,
                line,
                "inconsistent use of tabs and spaces in indentation",
            );
            if column.wide == top.wide {
                return;
            }
        }
        if column.wide > top.wide {
            if self.indents.depth() < MAX_DEPTH {
                self.indents.open.push(column);
                self.indents.odd = None;
                self.push(INDENT);
            } else {
                self.odd_line(column, line, "too many levels of indentation");
            }
            return;
        }
        // A line between two open columns stays in the inner one.
        while let Some(top) = self.indents.open.last() {
            if top.wide <= column.wide {
                break;
            }
            let outer = self
                .indents
                .open
                .iter()
                .rev()
                .nth(1)
                .copied()
                .unwrap_or_default();
            if outer.wide < column.wide {
                self.odd_line(column, line, "this indentation matches no block around it");
                return;
            }
            self.indents.open.pop();
            self.push(DEDENT);
        }
        if column != self.indents.innermost() && consistent {
            self.odd_line(
                column,
                line,
                "inconsistent use of tabs and spaces in indentation",
            );
        } else {
            self.indents.odd = None;
        }
    }

    /// Reports a line's indentation, once for a run of lines that share it.
    fn odd_line(&mut self, column: Column, (start, end): (usize, usize), message: &'static str) {
        if self.indents.odd != Some(column) {
            self.indents.odd = Some(column);
            self.error(start, end, message);
        }
    }
}
