//! Files and statement lists.

use text_size::{TextRange, TextSize};

use super::{compound, simple};
use crate::chunks::ChunkEnds;
use crate::error::NO_BLOCK_BEGINS;
use crate::kind::SyntaxKind::{
    CHUNK, DEDENT, END, ERROR, INDENT, NEWLINE, R_BRACE, R_BRACKET, R_PAREN, SEMICOLON,
};
use crate::parser::Parser;

pub(crate) fn file(p: &mut Parser<'_>) {
    statements(p);
    debug_assert!(p.at(END));
}

/// Parses statements up to the end of the block, which the caller takes.
pub(super) fn statements(p: &mut Parser<'_>) {
    let mut chunks = ChunkEnds::of_block_at(p.stack_len());
    ungrouped_statements(p, |p, start| {
        chunks.add(p.stack_len(), p.text_since(start));
    });
    if let Some(ends) = chunks.finish() {
        p.group(&ends, CHUNK);
    }
}

/// Like [`statements`], but without chunks. Calls `line` after each logical line, with the offset where it begins.
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
                debug_assert!(p.progress() > before, "a statement takes a token");
                line(p, last_start);
            }
        }
    }
}

/// Parses a compound statement, or a line of simple statements.
fn statement_line(p: &mut Parser<'_>) {
    if compound::statement(p) {
        // A header with an error may have no suite, so the end of its line is not taken yet.
        if !p.at_line_start() {
            p.eat(NEWLINE);
        }
    } else {
        simple_line(p);
    }
}

/// Parses simple statements separated by semicolons, and the end of the line.
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
