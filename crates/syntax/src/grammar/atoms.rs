//! Atoms: names, literals, and expressions in brackets.

use super::expressions::yield_expr;
use super::expressions::{
    at_comprehension, can_start as can_start_expr, comprehension, expr, named_expr, star_expr,
};
use super::lists::more;
use super::strings;
use crate::kind::SyntaxKind::{
    self, BOOL_LIT, COLON, COLON_EQ, COMMA, DICT_COMP, DICT_ENTRY, DICT_EXPR, DOUBLE_STAR,
    ELLIPSIS, ELLIPSIS_LIT, FALSE_KW, FLOAT, FSTRING_START, GENERATOR_EXPR, IDENT, IMAGINARY, INT,
    L_BRACE, L_BRACKET, L_PAREN, LIST_COMP, LIST_EXPR, NAME_EXPR, NONE_KW, NONE_LIT, NUMBER_LIT,
    PAREN_EXPR, R_BRACE, R_BRACKET, R_PAREN, SET_COMP, SET_EXPR, STAR, STRING, TRUE_KW, TUPLE_EXPR,
    YIELD_KW,
};
use crate::parser::{ListKind, Mark, Parser};

const EXPRESSION: &str = "an expression";

pub(super) fn can_start(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        IDENT
            | INT
            | FLOAT
            | IMAGINARY
            | STRING
            | FSTRING_START
            | L_PAREN
            | L_BRACKET
            | L_BRACE
            | TRUE_KW
            | FALSE_KW
            | NONE_KW
            | ELLIPSIS
    )
}

pub(super) fn atom(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    let kind = match p.current() {
        IDENT => NAME_EXPR,
        INT | FLOAT | IMAGINARY => NUMBER_LIT,
        TRUE_KW | FALSE_KW => BOOL_LIT,
        NONE_KW => NONE_LIT,
        ELLIPSIS => ELLIPSIS_LIT,
        STRING | FSTRING_START => {
            strings::string_lit(p);
            return true;
        }
        L_PAREN => {
            parenthesized(p);
            return true;
        }
        L_BRACKET => {
            list(p);
            return true;
        }
        L_BRACE => {
            dict_or_set(p);
            return true;
        }
        YIELD_KW => {
            p.error("`yield` needs parentheses here");
            yield_expr(p);
            return true;
        }
        _ => {
            p.expected(EXPRESSION);
            return false;
        }
    };
    p.bump();
    p.finish_node(mark, kind);
    true
}

/// An element of a tuple, list or set: an expression, possibly named or starred.
fn element(p: &mut Parser<'_>) -> bool {
    if p.at(STAR) {
        star_expr(p);
        return true;
    }
    named_expr(p)
}

fn parenthesized(p: &mut Parser<'_>) {
    let mark = p.start();
    let opener = p.open(ListKind::Items);
    let kind = match p.current() {
        R_PAREN => TUPLE_EXPR,
        YIELD_KW => {
            yield_expr(p);
            if p.at(COMMA) {
                p.expected("`)`");
            }
            PAREN_EXPR
        }
        _ => {
            let first = p.start();
            let starred = p.at(STAR);
            if !p.at_list_end() && !element(p) {
                p.skip_one();
            }
            if at_comprehension(p) {
                comprehension(p);
                GENERATOR_EXPR
            } else if p.at(COMMA) {
                TUPLE_EXPR
            } else {
                if starred {
                    p.error_since(first, "a starred expression cannot stand alone here");
                }
                PAREN_EXPR
            }
        }
    };
    let kind = match kind {
        PAREN_EXPR if !p.at_list_end() => TUPLE_EXPR,
        kind => kind,
    };
    more(p, EXPRESSION, element);
    p.close(R_PAREN, opener, "this parenthesis");
    p.finish_node(mark, kind);
}

fn list(p: &mut Parser<'_>) {
    let mark = p.start();
    let opener = p.open(ListKind::Items);
    if !p.at_list_end() && !element(p) {
        p.skip_one();
    }
    let kind = comprehension_or(p, LIST_COMP, LIST_EXPR);
    more(p, EXPRESSION, element);
    p.close(R_BRACKET, opener, "this list");
    p.finish_node(mark, kind);
}

fn dict_or_set(p: &mut Parser<'_>) {
    let mark = p.start();
    let opener = p.open(ListKind::Other);
    if p.at_list_end() && !p.at(COLON) {
        p.close(R_BRACE, opener, "this dictionary");
        p.finish_node(mark, DICT_EXPR);
        return;
    }
    let first = p.start();
    let is_dict = p.at(DOUBLE_STAR) || {
        if !p.at(STAR) && !can_start_expr(p.current()) {
            p.expected(EXPRESSION);
            p.skip_one();
        } else {
            element(p);
        }
        p.at(COLON)
    };
    if is_dict {
        if p.at(DOUBLE_STAR) {
            entry(p);
        } else {
            entry_value(p, first);
        }
        let kind = comprehension_or(p, DICT_COMP, DICT_EXPR);
        more(p, "an entry", entry);
        p.close(R_BRACE, opener, "this dictionary");
        p.finish_node(mark, kind);
    } else {
        let kind = comprehension_or(p, SET_COMP, SET_EXPR);
        more(p, EXPRESSION, element);
        p.close(R_BRACE, opener, "this set");
        p.finish_node(mark, kind);
    }
}

/// Parses the clauses of a comprehension, if any, and returns the kind of the node.
fn comprehension_or(p: &mut Parser<'_>, comp: SyntaxKind, display: SyntaxKind) -> SyntaxKind {
    if at_comprehension(p) {
        comprehension(p);
        comp
    } else {
        display
    }
}

/// `key: value` or `**mapping`.
fn entry(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    if p.at(DOUBLE_STAR) {
        p.bump();
        expr(p);
        p.finish_node(mark, DICT_ENTRY);
        return true;
    }
    if !expr(p) {
        return false;
    }
    entry_value(p, mark);
    true
}

/// Parses the rest of an entry after its key.
fn entry_value(p: &mut Parser<'_>, mark: Mark) {
    if p.eat(COLON) {
        if p.at(COMMA) || p.at_list_end() {
            p.expected("a value");
        } else {
            expr(p);
        }
    } else if p.at(COLON_EQ) {
        super::expressions::walrus(p, mark);
    } else {
        p.expected("`:` and a value for this key");
    }
    p.finish_node(mark, DICT_ENTRY);
}
