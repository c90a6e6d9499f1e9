//! Statements, and the value after them.

use super::definitions::annotation;
use super::expressions::expression;
use crate::relay::kind::SyntaxKind::{
    COLON, EQ, EXPR_STMT, FREE_VAR_KW, FREE_VAR_STMT, GRAPH, GRAPH_STMT, LET_KW, LET_STMT, LOCAL,
    R_BRACE, R_BRACKET, R_PAREN, SEMICOLON, SEQUENCE_EXPR,
};
use crate::relay::parser::Parser;

/// Parses a value with any statements before it, inside a list or brackets. Returns whether it found anything.
pub(super) fn sequence(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    let before = p.progress();
    if !statements(p, false) {
        p.finish_node(mark, SEQUENCE_EXPR);
    }
    p.progress() > before
}

/// Like [`sequence`], but up to a closing brace, a definition or the end of the file.
pub(super) fn whole_sequence(p: &mut Parser<'_>) {
    let mark = p.start();
    if !statements(p, true) {
        p.finish_node(mark, SEQUENCE_EXPR);
    }
}

/// Parses the statements and the value of a block. `is_whole`: they end at a closing brace, a definition or the end of
/// the file. Returns whether there was only a value.
pub(super) fn statements(p: &mut Parser<'_>, is_whole: bool) -> bool {
    let mut is_first = true;
    loop {
        if is_whole || !is_first {
            p.start_statement();
        }
        if p.at_definition() {
            p.expected("an expression");
            return false;
        }
        if is_closing(p) {
            if p.closes_something() {
                p.expected("an expression");
                return false;
            }
            p.error(format!(
                "{} has no matching opening bracket",
                p.current().describe()
            ));
            p.skip_one();
            is_first = false;
            continue;
        }
        if !statement(p) && value(p, is_whole) {
            return is_first;
        }
        is_first = false;
    }
}

fn is_closing(p: &Parser<'_>) -> bool {
    matches!(p.current(), R_PAREN | R_BRACKET | R_BRACE)
}

fn statement(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    let kind = match p.current() {
        LET_KW => {
            p.bump();
            if !p.expect(LOCAL) {
                p.skip_until(|p| matches!(p.current(), EQ | COLON | SEMICOLON) || p.at_statement());
            }
            annotation(p);
            if p.expect(EQ) {
                expression(p);
            }
            LET_STMT
        }
        GRAPH if p.next() == EQ => {
            p.bump();
            p.bump();
            expression(p);
            GRAPH_STMT
        }
        FREE_VAR_KW => {
            p.bump();
            p.expect(LOCAL);
            annotation(p);
            FREE_VAR_STMT
        }
        _ => return false,
    };
    end_of_statement(p);
    p.finish_node(mark, kind);
    true
}

fn end_of_statement(p: &mut Parser<'_>) {
    if p.eat(SEMICOLON) {
        return;
    }
    p.expected("`;`");
    if !p.starts_line() {
        p.skip_until(|p| p.at(SEMICOLON) || p.at_statement() || p.starts_line());
        p.eat(SEMICOLON);
    }
}

/// Parses an expression. Returns whether it is the value of the block; otherwise it is a statement.
fn value(p: &mut Parser<'_>, is_whole: bool) -> bool {
    let mark = p.start();
    let before = p.progress();
    if !expression(p) {
        if !is_whole {
            return true;
        }
        if p.progress() == before && !p.at(SEMICOLON) && !p.at_statement() {
            p.skip_until(|p| p.progress() > before);
        }
        if p.eat(SEMICOLON) {
            p.finish_node(mark, EXPR_STMT);
        }
        return false;
    }
    if p.at(SEMICOLON) && (is_whole || !p.in_unclosed_bracket()) {
        p.bump();
    } else if !is_whole || p.at_definition() || is_closing(p) && p.closes_something() {
        return true;
    } else {
        end_of_statement(p);
    }
    p.finish_node(mark, EXPR_STMT);
    false
}
