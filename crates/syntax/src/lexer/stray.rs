//! A line that is being typed to the left of its block would close it, and leave what follows without a function.
//!
//! Such a line opens no block, and yet the next line is indented further, as a block is that this one would close. That
//! next line is a mistake in any Python, so nothing legal is read anew: the line is taken as one of the block that goes
//! on after it.

use super::Lexer;
use super::indent::{Column, Indents};
use crate::kind::SyntaxKind::{
    self, ASYNC_KW, AT, CLASS_KW, COLON, DEF_KW, ELIF_KW, ELSE_KW, EXCEPT_KW, FINALLY_KW, FOR_KW,
    IF_KW, NEWLINE, TRY_KW, WHILE_KW, WITH_KW,
};

/// How far behind a line with an open bracket the mistake may be that shows the bracket to be broken.
const MAX_AHEAD: usize = 2048;

/// What begins a statement with a block, or a function. The soft keywords are names to the lexer.
const COMPOUND: &[SyntaxKind] = &[
    AT, DEF_KW, CLASS_KW, ASYNC_KW, IF_KW, ELIF_KW, ELSE_KW, FOR_KW, WHILE_KW, WITH_KW, TRY_KW,
    EXCEPT_KW, FINALLY_KW,
];
const SOFT_COMPOUND: &[&str] = &["match ", "case "];

/// A line that belongs to a block further in, if one is open where the next line stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stray {
    /// The column of that block.
    pub(super) block: Column,
    /// Where the text ends that says so.
    pub(super) seen: usize,
}

impl Stray {
    /// What the first line from `offset` on is that is not blank; `offset` is the start of a line.
    pub(crate) fn first_line(text: &str, offset: usize) -> Option<Stray> {
        let (column, start) = next_line(text.as_bytes(), offset)?;
        Stray::at(text, start, column)
    }

    /// What the line is whose text begins at `start`, in `column`.
    pub(super) fn at(text: &str, start: usize, column: Column) -> Option<Stray> {
        let end = line_end(text.as_bytes(), start);
        let (block, next) = next_line(text.as_bytes(), end)?;
        if block.is_within(column) {
            return None;
        }
        let line = HalfTyped::read(text, start, end, block)?;
        // One step further in is where the block of a header without its colon stands.
        if line.begins_compound && block.is_one_step_from(column) {
            return None;
        }
        Some(Stray {
            block,
            seen: line.seen.max(next + 1),
        })
    }
}

/// A logical line of one line that opens no block.
struct HalfTyped {
    begins_compound: bool,
    /// Where the mistake ends that breaks its brackets.
    seen: usize,
}

impl HalfTyped {
    /// Reads the line in `text[start..end]` as the lexer would if it stood in the column of `block`.
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

/// The column of the first line that begins after `from` and is not blank, and where its text begins.
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

/// Where the look ahead from the end of a line stops: with a whole line, before any text in three quotes.
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
