//! Indentation: the columns of logical lines, and the blocks that they open and close.
//!
//! Blank lines and comment lines have no indentation, as in Python.

use std::cmp::Ordering;

use super::Lexer;
use super::stray::Stray;
use crate::error::MATCHES_NO_BLOCK;
use crate::kind::SyntaxKind::{DEDENT, INDENT, LINE_CONTINUATION, WHITESPACE};

/// CPython's limit of nested blocks.
const MAX_DEPTH: usize = 100;

/// The indentation of a line, measured twice: with tab stops at multiples of eight, and with tabs of one column. Python
/// compares lines only if both measures give the same order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Column {
    wide: u32,
    narrow: u32,
}

impl Column {
    /// The column after `blanks`, the whitespace at the start of a line.
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

    /// Whether this is indented by four spaces or one tab more than `other`.
    pub(crate) fn is_one_step_from(self, other: Column) -> bool {
        self.wide == other.wide + 4
            || (self.wide, self.narrow) == (other.wide + 8, other.narrow + 1)
    }

    /// Whether this is not indented further than `other`.
    pub(crate) fn is_within(self, other: Column) -> bool {
        self.wide <= other.wide
    }
}

/// The columns of the open blocks, without the file's column 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Indents {
    open: Vec<Column>,
    /// The column of the last line, if its indentation was an error. The next lines with this column are not reported.
    wrong: Option<Column>,
    /// Where the first of those lines begins.
    wrong_start: usize,
}

impl Indents {
    /// The state inside blocks with these columns.
    pub(crate) fn within(open: Vec<Column>) -> Indents {
        Indents {
            open,
            ..Indents::default()
        }
    }

    /// Whether exactly these blocks are open, and the indentation of the last line was correct.
    pub(crate) fn is_at(&self, columns: &[Column]) -> bool {
        self.open == columns && !self.is_wrong()
    }

    fn is_wrong(&self) -> bool {
        self.wrong.is_some()
    }

    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(crate) fn innermost(&self) -> Column {
        self.open.last().copied().unwrap_or_default()
    }
}

impl Lexer<'_> {
    /// Skips blank lines, then compares the indentation of the next line with the open blocks.
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
                let was_wrong = self.indents.is_wrong();
                match self.find_stray(column).filter(|_| !is_joined) {
                    Some(stray) => self.stray_line(column, stray),
                    None => self.open_and_close_blocks(column),
                }
                if was_wrong || self.indents.is_wrong() {
                    self.mark_fragile(self.indents.wrong_start, self.pos + 1);
                }
            }
            return;
        }
    }

    /// The indentation of a line that begins with a `\`: that of the first line that has any.
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

    fn find_stray(&self, column: Column) -> Option<Stray> {
        if self.indents.innermost().is_within(column) {
            return None;
        }
        let stray = Stray::at(self.text, self.pos, column)?;
        self.indents.open.contains(&stray.block).then_some(stray)
    }

    /// Reports a stray line, and closes the blocks inside the block that it belongs to.
    fn stray_line(&mut self, column: Column, stray: Stray) {
        let start = self.pos - column.narrow as usize;
        self.mark_fragile(start, stray.seen);
        while self.indents.innermost() != stray.block {
            self.indents.open.pop();
            self.push(DEDENT);
        }
        self.group.column = stray.block;
        let message = "this line is indented less than the block it is in";
        self.wrong_indentation(column, (start, self.pos), message);
    }

    /// Closes the blocks that the line is not in, and opens a block if it is indented further than the innermost one. A
    /// line between two open columns belongs to the inner block.
    fn open_and_close_blocks(&mut self, column: Column) {
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
            Some(message) => self.wrong_indentation(column, line, message),
            None => self.indents.wrong = None,
        }
        if column.wide > top.wide {
            if self.indents.depth() < MAX_DEPTH {
                self.indents.open.push(column);
                self.push(INDENT);
            } else {
                self.wrong_indentation(column, line, "too many levels of indentation");
            }
        }
    }

    /// Reports wrong indentation, once for consecutive lines with the same column.
    fn wrong_indentation(
        &mut self,
        column: Column,
        (start, end): (usize, usize),
        message: &'static str,
    ) {
        if self.indents.wrong != Some(column) {
            if !self.indents.is_wrong() {
                self.indents.wrong_start = start;
            }
            self.indents.wrong = Some(column);
            self.error(start, end, message);
        }
    }
}
