//! Expressions.

use super::attributes::{at_attribute, attribute};
use super::definitions::function_rest;
use super::lists::list;
use super::patterns::pattern;
use super::statements::{sequence, statements};
use crate::relay::kind::SyntaxKind::{
    self, ARG_LIST, BINARY_EXPR, BLOCK_EXPR, BOOL_LIT, CALL_EXPR, DOT, ELSE_KW, EQ_EQ, FALSE_KW,
    FAT_ARROW, FLOAT, FN_EXPR, FN_KW, GLOBAL, GLOBAL_EXPR, GRAPH, GREATER, GREATER_EQ, IDENT,
    IF_EXPR, IF_KW, INT, L_BRACE, L_BRACKET, L_PAREN, LESS, LESS_EQ, LOCAL, MATCH_ARM, MATCH_EXPR,
    MATCH_KW, META_EXPR, META_KW, MINUS, NAME_EXPR, NOT_EQ, NUMBER_LIT, PAREN_EXPR,
    PARTIAL_MATCH_KW, PLUS, PROJECTION_EXPR, R_BRACE, R_BRACKET, R_PAREN, REF_EXPR, REF_KW,
    REF_READ_EXPR, REF_READ_KW, REF_WRITE_EXPR, REF_WRITE_KW, SLASH, STAR, STRING, STRING_LIT,
    TOO_DEEP_EXPR, TRUE_KW, TUPLE_EXPR, VARIABLE_EXPR,
};
use crate::relay::parser::Parser;

/// Parses an expression without statements before it.
pub(super) fn expression(p: &mut Parser<'_>) -> bool {
    p.nested(|p| binary(p, 0)).unwrap_or_else(|| too_deep(p))
}

/// Reports an expression that is nested too deeply, and puts its tokens into one flat node.
pub(super) fn too_deep(p: &mut Parser<'_>) -> bool {
    p.error("this is nested too deeply to be read");
    p.skip_until_as(
        |p| matches!(p.current(), SyntaxKind::SEMICOLON | SyntaxKind::COMMA),
        TOO_DEEP_EXPR,
    );
    true
}

/// The precedence of a binary operator.
fn precedence(kind: SyntaxKind) -> Option<u8> {
    Some(match kind {
        STAR | SLASH => 4,
        PLUS | MINUS => 3,
        LESS | LESS_EQ | GREATER | GREATER_EQ => 2,
        EQ_EQ | NOT_EQ => 1,
        _ => return None,
    })
}

/// Parses operands and binary operators of higher precedence than `min`.
fn binary(p: &mut Parser<'_>, min: u8) -> bool {
    let mark = p.start();
    if !operand(p) {
        return false;
    }
    while let Some(precedence) = precedence(p.current()).filter(|it| *it > min) {
        if p.is_high() {
            return too_deep(p);
        }
        p.bump();
        binary(p, precedence);
        p.finish_node(mark, BINARY_EXPR);
    }
    true
}

/// Parses an atom with its calls and projections.
pub(super) fn operand(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    if !atom(p) {
        return false;
    }
    loop {
        let kind = match p.current() {
            L_PAREN | DOT if p.is_high() => return too_deep(p),
            L_PAREN => {
                arguments(p);
                CALL_EXPR
            }
            DOT => {
                p.bump();
                p.expect(INT);
                PROJECTION_EXPR
            }
            _ => return true,
        };
        p.finish_node(mark, kind);
    }
}

fn arguments(p: &mut Parser<'_>) {
    let mark = p.start();
    let opener = p.open();
    let mut has_attributes = false;
    list(p, opener, R_PAREN, "the arguments", |p| {
        if at_attribute(p) {
            attribute(p);
            has_attributes = true;
            return true;
        }
        let argument = p.start();
        let found = sequence(p);
        if found && has_attributes {
            p.error_since(argument, "arguments must come before the attributes");
        }
        found
    });
    p.finish_node(mark, ARG_LIST);
}

fn atom(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    let kind = match p.current() {
        INT | FLOAT => NUMBER_LIT,
        TRUE_KW | FALSE_KW => BOOL_LIT,
        LOCAL | GRAPH => VARIABLE_EXPR,
        GLOBAL => GLOBAL_EXPR,
        IDENT => return name(p),
        META_KW => return meta(p),
        L_PAREN => return parens(p),
        L_BRACE => {
            block(p, "the block");
            return true;
        }
        FN_KW => {
            p.bump();
            function_rest(p);
            p.finish_node(mark, FN_EXPR);
            return true;
        }
        IF_KW => return if_else(p),
        MATCH_KW | PARTIAL_MATCH_KW => return match_arms(p),
        REF_KW => return reference(p, 1, REF_EXPR),
        REF_READ_KW => return reference(p, 1, REF_READ_EXPR),
        REF_WRITE_KW => return reference(p, 2, REF_WRITE_EXPR),
        STRING => {
            p.error("a string is only allowed as the value of an attribute");
            STRING_LIT
        }
        MINUS => {
            p.error("Relay has no unary minus: write `negative(...)`");
            p.skip_one();
            return p.nested(operand).unwrap_or_else(|| too_deep(p));
        }
        _ => {
            p.expected("an expression");
            return false;
        }
    };
    p.bump();
    p.finish_node(mark, kind);
    true
}

/// An operator or a constructor: `nn.dense`, `Cons`.
fn name(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    p.bump();
    while p.at(DOT) && p.next() != INT {
        p.bump();
        if !p.expect(IDENT) {
            break;
        }
    }
    p.finish_node(mark, NAME_EXPR);
    true
}

/// `meta[relay.Constant][0]`.
pub(super) fn meta(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    p.bump();
    let opener = p.open();
    if p.expect(IDENT) {
        while p.eat(DOT) {
            p.expect(IDENT);
        }
    }
    p.close(R_BRACKET, opener, "the kind");
    if p.at(L_BRACKET) {
        let opener = p.open();
        p.expect(INT);
        p.close(R_BRACKET, opener, "the index");
    } else {
        p.expected("an index in brackets");
    }
    p.finish_node(mark, META_EXPR);
    true
}

fn parens(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    let opener = p.open();
    let mut count = 0;
    let has_comma = list(p, opener, R_PAREN, "the parentheses", |p| {
        count += 1;
        sequence(p)
    });
    let is_tuple = has_comma || count != 1;
    p.finish_node(mark, if is_tuple { TUPLE_EXPR } else { PAREN_EXPR });
    true
}

pub(super) fn block(p: &mut Parser<'_>, what: &str) {
    let mark = p.start();
    let opener = p.open();
    statements(p, true);
    p.close(R_BRACE, opener, what);
    p.finish_node(mark, BLOCK_EXPR);
}

fn if_else(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    p.bump();
    if p.at(L_PAREN) {
        let opener = p.open();
        sequence(p);
        p.close(R_PAREN, opener, "the condition");
    } else {
        p.expected("the condition in parentheses");
    }
    branch(p);
    if p.expect(ELSE_KW) {
        branch(p);
    }
    p.finish_node(mark, IF_EXPR);
    true
}

fn branch(p: &mut Parser<'_>) {
    if p.at(L_BRACE) {
        block(p, "the branch");
    } else {
        p.expected("a branch in braces");
        if p.at(IF_KW) {
            p.nested(if_else);
        }
    }
}

/// `match (%list) { Cons(%x, _) => %x, Nil => 0 }`.
fn match_arms(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    p.bump();
    p.nested(operand);
    if p.at(L_BRACE) {
        let opener = p.open();
        list(p, opener, R_BRACE, "the arms", arm);
    } else {
        p.expected("the arms in braces");
    }
    p.finish_node(mark, MATCH_EXPR);
    true
}

fn arm(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    if !pattern(p) {
        return false;
    }
    if p.expect(FAT_ARROW) {
        sequence(p);
    }
    p.finish_node(mark, MATCH_ARM);
    true
}

/// `ref(%x)`, `ref_read(%r)`, `ref_write(%r, %x)`.
fn reference(p: &mut Parser<'_>, wanted: usize, kind: SyntaxKind) -> bool {
    let mark = p.start();
    p.bump();
    if p.at(L_PAREN) {
        let arguments = p.start();
        let opener = p.open();
        let mut count = 0;
        list(p, opener, R_PAREN, "the arguments", |p| {
            count += 1;
            sequence(p)
        });
        p.finish_node(arguments, ARG_LIST);
        if count != wanted {
            let plural = if wanted == 1 { "" } else { "s" };
            p.error_since(
                mark,
                format!("expected {wanted} argument{plural}, found {count}"),
            );
        }
    } else {
        p.expected("`(`");
    }
    p.finish_node(mark, kind);
    true
}
