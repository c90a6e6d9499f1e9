//! Bindings, and the value behind them.

use super::definitions::annotation;
use super::expressions::expression;
use crate::relay::kind::SyntaxKind::{
    COLON, END, EQ, EXPR_STMT, FREE_VAR_KW, FREE_VAR_STMT, GRAPH, GRAPH_STMT, LET_KW, LET_STMT,
    LOCAL, R_BRACE, R_BRACKET, R_PAREN, SEMICOLON, SEQUENCE_EXPR,
};
use crate::relay::parser::Parser;

/// A value, perhaps with statements before it, where a list or a bracket goes on behind it.
pub(super) fn sequence(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    let before = p.progress();
    if !statements(p, false) {
        p.finish_node(mark, SEQUENCE_EXPR);
    }
    p.progress() > before
}

/// The same where nothing goes on behind it but a closing brace, a definition or the end of the file.
pub(super) fn whole_sequence(p: &mut Parser<'_>) {
    let mark = p.start();
    if !statements(p, true) {
        p.finish_node(mark, SEQUENCE_EXPR);
    }
}

/// The statements and the value of a block. Whether there was a value alone.
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
            p.error(format!("{} closes nothing", p.current().describe()));
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

/// Parses nothing but statements, from the start of one on. Whether that was all of the text.
pub(in crate::relay) fn slice_of_statements(p: &mut Parser<'_>) -> bool {
    loop {
        if p.at_definition() {
            return p.at(END);
        }
        p.start_statement();
        if is_closing(p) || !statement(p) && value(p, true) {
            return false;
        }
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

/// An expression. Whether it is the value, as opposed to a statement that is evaluated for its effect.
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
