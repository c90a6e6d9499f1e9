//! Suites of compound statements.

use super::statements::{simple_line, statements};
use crate::error::INDENTED_BLOCK;
use crate::kind::SyntaxKind::{COLON, DEDENT, ERROR, INDENT, NEWLINE, SUITE};
use crate::parser::Parser;

/// Parses `:` and the suite. `what` names the statement in messages.
pub(super) fn suite(p: &mut Parser<'_>, what: &str) {
    block_of(p, what, statements);
}

/// Like [`suite`], with a parser for the contents of an indented block: `match` holds only `case` clauses.
pub(super) fn block_of(p: &mut Parser<'_>, what: &str, contents: fn(&mut Parser<'_>)) {
    if colon(p) || begins_block(p) {
        body(p, what, contents);
    }
}

fn colon(p: &mut Parser<'_>) -> bool {
    if p.eat(COLON) {
        return true;
    }
    p.expected("`:`");
    let mark = p.start();
    p.skip_until(|it| it == COLON);
    if p.has_grown(mark) {
        p.finish_node(mark, ERROR);
    }
    p.eat(COLON)
}

fn begins_block(p: &Parser<'_>) -> bool {
    p.at(NEWLINE) && p.next() == INDENT
}

fn body(p: &mut Parser<'_>, what: &str, contents: fn(&mut Parser<'_>)) {
    if !p.at_line_end() {
        let mark = p.start();
        simple_line(p);
        p.finish_node(mark, SUITE);
        return;
    }
    if !begins_block(p) {
        p.error(format!("{INDENTED_BLOCK}{what}"));
    }
    let mark = p.start();
    if p.eat(NEWLINE) && p.at(INDENT) {
        p.skip_mark();
        contents(p);
        if p.at(DEDENT) {
            p.skip_mark();
        }
    }
    if p.has_grown(mark) {
        p.finish_node(mark, SUITE);
    }
}
