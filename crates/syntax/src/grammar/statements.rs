//! Files, and lists of statements.

use std::hash::Hasher;

use rustc_hash::FxHasher;
use text_size::{TextRange, TextSize};

use super::{compound, simple};
use crate::error::NO_BLOCK_BEGINS;
use crate::kind::SyntaxKind::{
    CHUNK, DEDENT, END, ERROR, INDENT, NEWLINE, R_BRACE, R_BRACKET, R_PAREN, SEMICOLON,
};
use crate::parser::Parser;

/// Suites of more lines than this are grouped into chunks.
pub(crate) const CHUNK_LINES: usize = 128;
/// One line in this many ends a chunk: what is computed for each chunk is computed again for one as long as this, and
/// at worst for one some eight times as long.
const CHUNK_PERIOD: u64 = 16;

/// Whether a chunk ends after a statement. It depends on nothing but how the statement begins, so that an edit moves
/// the chunks beside it and no others.
pub(crate) fn ends_chunk(statement: &[u8]) -> bool {
    let mut hasher = FxHasher::default();
    hasher.write(&statement[..statement.len().min(64)]);
    hasher.finish().is_multiple_of(CHUNK_PERIOD)
}

pub(crate) fn file(p: &mut Parser<'_>) {
    statements(p);
    debug_assert!(p.at(END));
}

/// Statements up to the end of the block, which is left for the caller.
pub(super) fn statements(p: &mut Parser<'_>) {
    let mut ends = vec![p.stack_len()];
    let mut lines = 0;
    ungrouped_statements(p, |p, start| {
        lines += 1;
        if ends_chunk(p.text_since(start).as_bytes()) {
            ends.push(p.stack_len());
        }
    });
    if lines > CHUNK_LINES {
        if ends.last() != Some(&p.stack_len()) {
            ends.push(p.stack_len());
        }
        p.group(&ends, CHUNK);
    }
}

/// The same without chunks. `line` hears of every line of statements, and where the first of them begins.
pub(crate) fn ungrouped_statements(
    p: &mut Parser<'_>,
    mut line: impl FnMut(&Parser<'_>, TextSize),
) {
    let mut extra = 0_usize;
    let mut extra_start = p.range().start();
    let mut last_start = p.range().start();
    loop {
        match p.current() {
            END => break,
            DEDENT if extra == 0 => break,
            DEDENT => {
                extra -= 1;
                p.skip_mark();
                if extra == 0 {
                    p.mark_fragile(TextRange::new(extra_start, p.range().start()));
                }
            }
            INDENT => {
                if !p.last_line_failed() {
                    p.error_at_range(p.range(), NO_BLOCK_BEGINS);
                }
                if extra == 0 {
                    extra_start = last_start;
                }
                extra += 1;
                p.skip_mark();
            }
            _ => {
                let before = p.progress();
                if matches!(p.current(), R_PAREN | R_BRACKET | R_BRACE) {
                    p.mark_fragile(TextRange::new(last_start, p.range().end()));
                }
                last_start = p.range().start();
                statement_line(p);
                debug_assert!(p.progress() > before, "a statement must take something");
                line(p, last_start);
            }
        }
    }
}

/// A compound statement, or simple ones up to the end of their line.
fn statement_line(p: &mut Parser<'_>) {
    if compound::statement(p) {
        // A header that could not be made sense of has no suite to take the end of its line.
        if !p.at_line_start() {
            p.eat(NEWLINE);
        }
    } else {
        simple_line(p);
    }
}

/// Simple statements separated by semicolons, and the end of the line.
pub(super) fn simple_line(p: &mut Parser<'_>) {
    loop {
        if compound::misplaced(p) {
            if p.at_line_start() {
                return;
            }
        } else {
            simple::statement(p);
        }
        if p.at_line_end() {
            break;
        }
        if !p.at(SEMICOLON) {
            p.expected("the end of the statement");
            let mark = p.start();
            p.skip_until(|it| it == SEMICOLON);
            if p.has_grown(mark) {
                p.finish_node(mark, ERROR);
            }
        }
        if !p.eat(SEMICOLON) || p.at_line_end() {
            break;
        }
    }
    p.eat(NEWLINE);
}
