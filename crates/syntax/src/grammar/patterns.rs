//! Patterns of `case` clauses.

use super::expressions::expr;
use super::lists::separated;
use super::strings;
use crate::kind::SyntaxKind;
use crate::kind::SyntaxKind::{
    AS_KW, AS_PATTERN, ATTRIBUTE_EXPR, BINARY_EXPR, BOOL_LIT, CAPTURE_PATTERN, CLASS_PATTERN,
    COLON, COMMA, DOT, DOUBLE_STAR, EQ, FALSE_KW, FLOAT, FSTRING_START, IDENT, IMAGINARY, INT,
    KEYWORD_PATTERN, L_BRACE, L_BRACKET, L_PAREN, LITERAL_PATTERN, MAPPING_PATTERN,
    MAPPING_PATTERN_ENTRY, MINUS, NAME_EXPR, NONE_KW, NONE_LIT, NUMBER_LIT, OR_PATTERN,
    PAREN_PATTERN, PATTERN_ARG_LIST, PIPE, PLUS, R_BRACE, R_BRACKET, R_PAREN, SEQUENCE_PATTERN,
    STAR, STAR_PATTERN, STRING, TRUE_KW, UNARY_EXPR, UNDERSCORE_KW, VALUE_PATTERN,
    WILDCARD_PATTERN,
};
use crate::parser::{ListKind, Parser};

const PATTERN: &str = "a pattern";

/// The outermost pattern of a `case`. A sequence needs no brackets here.
pub(super) fn top_pattern(p: &mut Parser<'_>) {
    let mark = p.start();
    if !star_or_pattern(p) {
        return;
    }
    if p.at(COMMA) {
        while p.eat(COMMA) {
            if !can_start(p.current()) {
                break;
            }
            star_or_pattern(p);
        }
        p.finish_node(mark, SEQUENCE_PATTERN);
    } else if p.last_kind() == Some(STAR_PATTERN) {
        p.error_since(mark, "a starred pattern must be part of a sequence");
    }
}

fn can_start(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        IDENT
            | INT
            | FLOAT
            | IMAGINARY
            | STRING
            | FSTRING_START
            | MINUS
            | STAR
            | NONE_KW
            | TRUE_KW
            | FALSE_KW
            | L_PAREN
            | L_BRACKET
            | L_BRACE
    )
}

fn star_or_pattern(p: &mut Parser<'_>) -> bool {
    if !p.at(STAR) {
        return pattern(p);
    }
    let mark = p.start();
    p.bump();
    if p.at(IDENT) && p.text() == "_" {
        p.bump_as(UNDERSCORE_KW);
    } else {
        p.expect(IDENT);
    }
    p.finish_node(mark, STAR_PATTERN);
    true
}

/// A pattern with an optional `as name`.
fn pattern(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    let parsed = p.nested(|p| {
        if !or_pattern(p) {
            return false;
        }
        if p.eat(AS_KW) {
            if p.at(IDENT) && p.text() == "_" {
                p.error("`_` cannot be bound by a pattern");
            }
            p.expect(IDENT);
            p.finish_node(mark, AS_PATTERN);
        }
        true
    });
    parsed.unwrap_or_else(|| {
        p.error("this is nested too deeply to be read");
        p.skip_until(|it| matches!(it, R_PAREN | R_BRACKET | R_BRACE));
        false
    })
}

fn or_pattern(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    if !closed_pattern(p) {
        return false;
    }
    if p.at(PIPE) {
        while p.eat(PIPE) {
            closed_pattern(p);
        }
        p.finish_node(mark, OR_PATTERN);
    }
    true
}

fn closed_pattern(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    match p.current() {
        INT | FLOAT | IMAGINARY | MINUS => {
            number(p);
            p.finish_node(mark, LITERAL_PATTERN);
        }
        STRING => {
            strings::string_lit(p);
            p.finish_node(mark, LITERAL_PATTERN);
        }
        FSTRING_START => {
            p.error("a pattern cannot hold a formatted string");
            strings::string_lit(p);
            p.finish_node(mark, LITERAL_PATTERN);
        }
        kind @ (NONE_KW | TRUE_KW | FALSE_KW) => {
            p.bump();
            p.finish_node(mark, if kind == NONE_KW { NONE_LIT } else { BOOL_LIT });
            p.finish_node(mark, LITERAL_PATTERN);
        }
        IDENT => name(p),
        L_PAREN => parenthesized(p),
        L_BRACKET => {
            let opener = p.open(ListKind::Other);
            separated(p, PATTERN, star_or_pattern);
            p.close(R_BRACKET, opener, "this pattern");
            p.finish_node(mark, SEQUENCE_PATTERN);
        }
        L_BRACE => mapping(p),
        _ => {
            p.expected(PATTERN);
            return false;
        }
    }
    true
}

/// `-1`, `1.5`, `2 + 3j`.
fn number(p: &mut Parser<'_>) {
    let mark = p.start();
    signed_number(p);
    if matches!(p.current(), PLUS | MINUS) {
        p.bump();
        let second = p.start();
        if p.eat(IMAGINARY) {
            p.finish_node(second, NUMBER_LIT);
        } else {
            p.expected("an imaginary number");
            if matches!(p.current(), INT | FLOAT) {
                p.bump();
                p.finish_node(second, NUMBER_LIT);
            }
        }
        p.finish_node(mark, BINARY_EXPR);
    }
}

fn signed_number(p: &mut Parser<'_>) {
    let mark = p.start();
    let negative = p.eat(MINUS);
    let number = p.start();
    if matches!(p.current(), INT | FLOAT | IMAGINARY) {
        p.bump();
        p.finish_node(number, NUMBER_LIT);
    } else {
        p.expected("a number");
    }
    if negative {
        p.finish_node(mark, UNARY_EXPR);
    }
}

/// A capture, `_`, a dotted name, or a class pattern.
fn name(p: &mut Parser<'_>) {
    let mark = p.start();
    if !matches!(p.next(), DOT | L_PAREN) {
        if p.text() == "_" {
            p.bump_as(UNDERSCORE_KW);
            p.finish_node(mark, WILDCARD_PATTERN);
        } else {
            p.bump();
            p.finish_node(mark, CAPTURE_PATTERN);
        }
        return;
    }
    p.bump();
    p.finish_node(mark, NAME_EXPR);
    while p.at(DOT) && !p.is_high() {
        p.bump();
        p.expect(IDENT);
        p.finish_node(mark, ATTRIBUTE_EXPR);
    }
    if p.at(L_PAREN) {
        class_args(p);
        p.finish_node(mark, CLASS_PATTERN);
    } else {
        p.finish_node(mark, VALUE_PATTERN);
    }
}

fn class_args(p: &mut Parser<'_>) {
    let mark = p.start();
    let opener = p.open(ListKind::Other);
    let mut named = false;
    separated(p, PATTERN, |p| {
        if p.at(IDENT) && p.next() == EQ {
            named = true;
            let mark = p.start();
            p.bump();
            p.bump();
            pattern(p);
            p.finish_node(mark, KEYWORD_PATTERN);
            return true;
        }
        if named {
            p.error("positional patterns must come before those with a name");
        }
        pattern(p)
    });
    p.close(R_PAREN, opener, "this pattern");
    p.finish_node(mark, PATTERN_ARG_LIST);
}

fn parenthesized(p: &mut Parser<'_>) {
    let mark = p.start();
    let opener = p.open(ListKind::Other);
    let empty = p.at(R_PAREN);
    let first = p.start();
    let commas = separated(p, PATTERN, star_or_pattern);
    if !empty && !commas && p.last_kind() == Some(STAR_PATTERN) {
        p.error_since(first, "a starred pattern must be part of a sequence");
    }
    p.close(R_PAREN, opener, "this pattern");
    p.finish_node(
        mark,
        if empty || commas {
            SEQUENCE_PATTERN
        } else {
            PAREN_PATTERN
        },
    );
}

fn mapping(p: &mut Parser<'_>) {
    let mark = p.start();
    let opener = p.open(ListKind::Other);
    separated(p, "an entry", entry);
    p.close(R_BRACE, opener, "this pattern");
    p.finish_node(mark, MAPPING_PATTERN);
}

fn entry(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    match p.current() {
        DOUBLE_STAR => {
            p.bump();
            p.expect(IDENT);
            p.finish_node(mark, MAPPING_PATTERN_ENTRY);
            return true;
        }
        INT | FLOAT | IMAGINARY | MINUS => number(p),
        _ => {
            if !expr(p) {
                return false;
            }
            let key = p.last_kind();
            let constant = [
                Some(SyntaxKind::STRING_LIT),
                Some(NONE_LIT),
                Some(BOOL_LIT),
                Some(ATTRIBUTE_EXPR),
            ];
            if !constant.contains(&key) {
                p.error_since(
                    mark,
                    "a key in a pattern must be a literal or a dotted name",
                );
            }
        }
    }
    if p.expect(COLON) {
        pattern(p);
    }
    p.finish_node(mark, MAPPING_PATTERN_ENTRY);
    true
}
