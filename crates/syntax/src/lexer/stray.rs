//! Error recovery for a line that is being typed to the left of its block.
//!
//! Such a line would close the block, and the rest of the function would be outside of it. It can be recognised: it opens
//! no block, but the next line is indented further, at the column of an open block. This is an error in any Python
//! program, so valid text is not affected. The lexer puts the line into the block of the next line.

use super::Lexer;
use super::indent::{Column, Indents};
use crate::kind::SyntaxKind::{
    self, ASYNC_KW, AT, CLASS_KW, COLON, DEF_KW, ELIF_KW, ELSE_KW, EXCEPT_KW, FINALLY_KW, FOR_KW,
    IF_KW, NEWLINE, TRY_KW, WHILE_KW, WITH_KW,
};

/// How many bytes after a line with an unclosed bracket are searched for the mistake that shows that it is broken.
const MAX_AHEAD: usize = 2048;

/// Tokens that begin a compound statement or a decorator. The lexer treats soft keywords as names.
const COMPOUND: &[SyntaxKind] = &[
    AT, DEF_KW, CLASS_KW, ASYNC_KW, IF_KW, ELIF_KW, ELSE_KW, FOR_KW, WHILE_KW, WITH_KW, TRY_KW,
    EXCEPT_KW, FINALLY_KW,
];
const SOFT_COMPOUND: &[&str] = &["match ", "case "];

/// A stray line. It belongs to the block at `block`, if such a block is open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stray {
    /// The column of the next line.
    pub(super) block: Column,
    /// The end of the text that was read to decide this.
    pub(super) seen: usize,
}

impl Stray {
    /// Checks the first line at or after `offset` that is not blank. `offset` is the start of a line.
    pub(crate) fn first_line(text: &str, offset: usize) -> Option<Stray> {
        let (column, start) = next_line(text.as_bytes(), offset)?;
        Stray::at(text, start, column)
    }

    /// Checks the line whose first token is at `start`, in `column`.
    pub(super) fn at(text: &str, start: usize, column: Column) -> Option<Stray> {
        let end = line_end(text.as_bytes(), start);
        let (block, next) = next_line(text.as_bytes(), end)?;
        if block.is_within(column) {
            return None;
        }
        let line = HalfTyped::read(text, start, end, block)?;
        // One step of indentation is the block of a header without a colon.
        if line.begins_compound && block.is_one_step_from(column) {
            return None;
        }
        Some(Stray {
            block,
            seen: line.seen.max(next + 1),
        })
    }
}

/// A line that is a logical line of its own and opens no block.
struct HalfTyped {
    begins_compound: bool,
    /// Where the mistake ends that shows that its brackets are broken.
    seen: usize,
}

impl HalfTyped {
    /// Lexes the line `text[start..end]` as if it were in the column `block`.
    fn read(text: &str, start: usize, end: usize, block: Column) -> Option<HalfTyped> {
        let line = &text[start..end];
        let goes_on = line.ends_with(['\\', '(', '[', '{']);
        if goes_on || first_triple_quote(line.as_bytes()).is_some() {
            return None;
        }
        let known = &text[..end_of_look_ahead(text.as_bytes(), end)];
        let mut lexer = Lexer::new(known, start, Indents::default());
        lexer.at_line_start = false;
        lexer.group.column = block;
        while !lexer.at_line_start {
            if lexer.pos < known.len() {
                lexer.token();
            } else if known.len() < text.len() || lexer.frames.is_empty() || !lexer.break_group() {
                return None;
            }
        }
        let kinds = &lexer.out.kinds;
        let mut significant = kinds.iter().filter(|it| !it.is_trivia());
        let first = *significant.next()?;
        let last = significant.rev().find(|&&it| it != NEWLINE);
        let ends_here = text[end..lexer.pos]
            .trim_end_matches(['\n', '\r'])
            .is_empty();
        (ends_here && last != Some(&COLON)).then(|| HalfTyped {
            begins_compound: COMPOUND.contains(&first)
                || SOFT_COMPOUND.iter().any(|it| line.starts_with(it)),
            seen: lexer.out.fragile.last().map_or(end, |it| it.end().into()),
        })
    }
}

/// The column and the offset of the first token after `from`.
fn next_line(bytes: &[u8], from: usize) -> Option<(Column, usize)> {
    let mut from = from;
    loop {
        let blanks = bytes[from..]
            .iter()
            .position(|it| !matches!(it, b' ' | b'\t' | b'\x0c' | b'\n' | b'\r'))?;
        let start = from + blanks;
        match bytes[start..] {
            [b'#', ..] => from = line_end(bytes, start),
            [b'\\', b'\n' | b'\r', ..] => from = start + 1,
            _ => {
                let line = after_last_line_end(&bytes[..start]);
                return Some((Column::after(&bytes[line..start]), start));
            }
        }
    }
}

/// The end of the lookahead after a line: the end of a line, before any triple quote.
fn end_of_look_ahead(bytes: &[u8], end: usize) -> usize {
    let limit = bytes.len().min(end + MAX_AHEAD);
    match first_triple_quote(&bytes[end..limit]) {
        Some(quotes) => after_last_line_end(&bytes[..end + quotes]),
        None if limit < bytes.len() => after_last_line_end(&bytes[..limit]),
        None => limit,
    }
}

fn first_triple_quote(bytes: &[u8]) -> Option<usize> {
    bytes
        .windows(3)
        .position(|it| matches!(it, b"\"\"\"" | b"'''"))
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    let rest = &bytes[from..];
    let len = rest.iter().position(|it| matches!(it, b'\n' | b'\r'));
    from + len.unwrap_or(rest.len())
}

fn after_last_line_end(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .rposition(|it| matches!(it, b'\n' | b'\r'))
        .map_or(0, |it| it + 1)
}
