//! Indentation: what begins a logical line, and the blocks it opens and closes.
//!
//! Knows columns. Blank lines and lines of comment have no indentation, as in Python.

use std::cmp::Ordering;

use super::Lexer;
use super::stray::Stray;
use crate::error::MATCHES_NO_BLOCK;
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

    /// Whether this is one usual step of indentation further in: four blanks or a tab.
    pub(crate) fn is_one_step_from(self, other: Column) -> bool {
        self.wide == other.wide + 4
            || (self.wide, self.narrow) == (other.wide + 8, other.narrow + 1)
    }

    pub(crate) fn is_within(self, other: Column) -> bool {
        self.wide <= other.wide
    }
}

/// The columns of the open blocks. The file's own, 0, is not among them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Indents {
    open: Vec<Column>,
    /// The column of a line that matched no open block; more lines like it are not new mistakes.
    odd: Option<Column>,
    /// Where the first of those lines begins.
    odd_start: usize,
}

impl Indents {
    /// The state inside blocks of these columns.
    pub(crate) fn within(open: Vec<Column>) -> Indents {
        Indents {
            open,
            ..Indents::default()
        }
    }

    /// Whether exactly these blocks are open, and nothing about the last line was odd.
    pub(crate) fn is_at(&self, columns: &[Column]) -> bool {
        self.open == columns && !self.is_odd()
    }

    fn is_odd(&self) -> bool {
        self.odd.is_some()
    }

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
            let mut is_joined = false;
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
                    is_joined = true;
                }
                _ => {}
            }
            if self.pos < self.bytes.len() && matches!(self.bytes[self.pos], b'\n' | b'\r' | b'#') {
                continue;
            }
            self.group.column = column;
            if self.pos < self.bytes.len() {
                let was_odd = self.indents.is_odd();
                match self.strayed(column).filter(|_| !is_joined) {
                    Some(stray) => self.stray_line(column, stray),
                    None => self.compare(column),
                }
                if was_odd || self.indents.is_odd() {
                    self.mark_fragile(self.indents.odd_start, self.pos + 1);
                }
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

    fn strayed(&self, column: Column) -> Option<Stray> {
        if self.indents.innermost().is_within(column) {
            return None;
        }
        let stray = Stray::at(self.text, self.pos, column)?;
        self.indents.open.contains(&stray.block).then_some(stray)
    }

    /// Closes the blocks inside the one that the line belongs to.
    fn stray_line(&mut self, column: Column, stray: Stray) {
        let start = self.pos - column.narrow as usize;
        self.mark_fragile(start, stray.seen);
        while self.indents.innermost() != stray.block {
            self.indents.open.pop();
            self.push(DEDENT);
        }
        self.group.column = stray.block;
        let message = "this line is indented less than the block it is in";
        self.odd_line(column, (start, self.pos), message);
    }

    /// Closes the blocks that the line is not in, and opens one if it is indented further than the last. A line between
    /// two open columns stays in the inner one. What comes of it depends on the block it ends up in, not on those closed.
    fn compare(&mut self, column: Column) {
        while let [.., outer, top] = self.indents.open[..]
            && top.wide > column.wide
            && outer.wide >= column.wide
        {
            self.indents.open.pop();
            self.push(DEDENT);
        }
        if let [only] = self.indents.open[..]
            && only.wide > column.wide
            && column.wide == 0
        {
            self.indents.open.pop();
            self.push(DEDENT);
        }
        let top = self.indents.innermost();
        let line = (self.pos - column.narrow as usize, self.pos);
        let mistake = match column.wide.cmp(&top.wide) {
            Ordering::Equal if column.narrow == top.narrow => None,
            Ordering::Greater if column.narrow > top.narrow => None,
            Ordering::Less => Some(MATCHES_NO_BLOCK),
            _ => Some("inconsistent use of tabs and spaces in indentation"),
        };
        match mistake {
            Some(message) => self.odd_line(column, line, message),
            None => self.indents.odd = None,
        }
        if column.wide > top.wide {
            if self.indents.depth() < MAX_DEPTH {
                self.indents.open.push(column);
                self.push(INDENT);
            } else {
                self.odd_line(column, line, "too many levels of indentation");
            }
        }
    }

    /// Reports a line's indentation, once for a run of lines that share it.
    fn odd_line(&mut self, column: Column, (start, end): (usize, usize), message: &'static str) {
        if self.indents.odd != Some(column) {
            if !self.indents.is_odd() {
                self.indents.odd_start = start;
            }
            self.indents.odd = Some(column);
            self.error(start, end, message);
        }
    }
}
