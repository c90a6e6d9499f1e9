//! Expressions, parsed by precedence.

use super::{arguments, atoms, params};
use crate::kind::SyntaxKind::{
    self, AMP, AND_KW, ASYNC_KW, AT, ATTRIBUTE_EXPR, AWAIT_EXPR, AWAIT_KW, BINARY_EXPR, BOOL_EXPR,
    CALL_EXPR, CARET, COLON, COLON_EQ, COMMA, COMP_FOR, COMP_IF, COMPARE_EXPR, DOT, DOUBLE_SLASH,
    DOUBLE_STAR, ELSE_KW, EQ_EQ, FOR_KW, FROM_KW, GREATER, GREATER_EQ, IDENT, IF_EXPR, IF_KW,
    IN_KW, IS_KW, L_BRACKET, L_PAREN, LAMBDA_EXPR, LAMBDA_KW, LESS, LESS_EQ, MINUS, NAME_EXPR,
    NOT_EQ, NOT_EXPR, NOT_KW, OR_KW, PERCENT, PIPE, PLUS, SHIFT_LEFT, SHIFT_RIGHT, SLASH, STAR,
    STAR_EXPR, SUBSCRIPT_EXPR, TILDE, TOO_DEEP_EXPR, TUPLE_EXPR, UNARY_EXPR, WALRUS_EXPR,
    YIELD_EXPR, YIELD_KW,
};
use crate::parser::{Mark, Parser};

/// How tightly an operator binds.
type Precedence = u8;
const OR: Precedence = 1;
const AND: Precedence = 2;
const NOT: Precedence = 3;
const COMPARISON: Precedence = 4;
const BIT_OR: Precedence = 5;
const BIT_XOR: Precedence = 6;
const BIT_AND: Precedence = 7;
const SHIFT: Precedence = 8;
const SUM: Precedence = 9;
const PRODUCT: Precedence = 10;
const UNARY: Precedence = 11;

/// The precedence of the current token as a binary operator; 0 if it is not one.
fn precedence(p: &Parser<'_>) -> Precedence {
    match p.current() {
        OR_KW => OR,
        AND_KW => AND,
        LESS | GREATER | LESS_EQ | GREATER_EQ | EQ_EQ | NOT_EQ | IN_KW | IS_KW => COMPARISON,
        NOT_KW if p.next() == IN_KW => COMPARISON,
        PIPE => BIT_OR,
        CARET => BIT_XOR,
        AMP => BIT_AND,
        SHIFT_LEFT | SHIFT_RIGHT => SHIFT,
        PLUS | MINUS => SUM,
        STAR | SLASH | DOUBLE_SLASH | PERCENT | AT => PRODUCT,
        _ => 0,
    }
}

/// Whether an expression can begin with this token.
pub(super) fn can_start(kind: SyntaxKind) -> bool {
    matches!(kind, NOT_KW | PLUS | MINUS | TILDE | LAMBDA_KW | AWAIT_KW) || atoms::can_start(kind)
}

/// One expression, or a tuple without parentheses. Elements may be starred.
pub(super) fn expr_list(p: &mut Parser<'_>) -> bool {
    list_of(p, expr)
}

/// Like [`expr_list`], but elements may also be `name := value`: the subject of `match`.
pub(super) fn named_expr_list(p: &mut Parser<'_>) -> bool {
    list_of(p, named_expr)
}

fn list_of(p: &mut Parser<'_>, one: fn(&mut Parser<'_>) -> bool) -> bool {
    let mark = p.start();
    let starred = p.at(STAR);
    if starred {
        star_expr(p);
    } else if !one(p) {
        return false;
    }
    if !p.at(COMMA) {
        if starred {
            p.error_since(mark, "a starred expression cannot stand alone here");
        }
        return true;
    }
    while p.eat(COMMA) {
        if !(can_start(p.current()) || p.at(STAR)) {
            break;
        }
        if p.at(STAR) {
            star_expr(p);
        } else {
            one(p);
        }
    }
    p.finish_node(mark, TUPLE_EXPR);
    true
}

/// The right side of an assignment.
pub(super) fn yield_or_expr_list(p: &mut Parser<'_>) -> bool {
    if p.at(YIELD_KW) {
        yield_expr(p);
        return true;
    }
    expr_list(p)
}

pub(super) fn yield_expr(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump();
    if p.eat(FROM_KW) {
        expr(p);
    } else if can_start(p.current()) || p.at(STAR) {
        expr_list(p);
    }
    p.finish_node(mark, YIELD_EXPR);
}

/// `*iterable`.
pub(super) fn star_expr(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump();
    binary(p, BIT_OR);
    p.finish_node(mark, STAR_EXPR);
}

/// An expression that may be `name := value`.
pub(super) fn named_expr(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    if !expr(p) {
        return false;
    }
    if p.at(COLON_EQ) {
        walrus(p, mark);
    }
    true
}

/// Parses the rest of `name := value` after its left side.
pub(super) fn walrus(p: &mut Parser<'_>, mark: Mark) {
    if p.last_kind() != Some(NAME_EXPR) {
        p.error_since(mark, "`:=` can only give a value to a plain name");
    }
    p.bump();
    expr(p);
    p.finish_node(mark, WALRUS_EXPR);
}

/// One expression, without commas.
pub(super) fn expr(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    let parsed = p.nested(|p| {
        if p.at(LAMBDA_KW) {
            lambda(p);
            return true;
        }
        if !binary(p, OR) {
            return false;
        }
        if p.at(IF_KW) {
            p.bump();
            binary(p, OR);
            if p.at(ELSE_KW) {
                p.bump();
                expr(p);
            } else {
                p.expected("`else` and the value for when the condition does not hold");
            }
            p.finish_node(mark, IF_EXPR);
        }
        true
    });
    parsed.unwrap_or_else(|| too_deep(p, mark))
}

/// The target of a `for` or `with`. Stops before `in`.
pub(super) fn target(p: &mut Parser<'_>) -> bool {
    if p.at(STAR) {
        star_expr(p);
        return true;
    }
    binary(p, BIT_OR)
}

fn lambda(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump();
    if !p.at(COLON) {
        params::lambda_params(p);
    }
    p.expect(COLON);
    expr(p);
    p.finish_node(mark, LAMBDA_EXPR);
}

/// Reports an expression that is nested too deeply, and skips to the end of the innermost brackets.
fn too_deep(p: &mut Parser<'_>, mark: Mark) -> bool {
    p.error("this is nested too deeply to be read");
    let start = p.progress();
    p.skip_until(|it| {
        matches!(
            it,
            SyntaxKind::R_PAREN
                | SyntaxKind::R_BRACKET
                | SyntaxKind::R_BRACE
                | SyntaxKind::FSTRING_END
        )
    });
    let found = p.progress() > start;
    if found {
        p.finish_node(mark, TOO_DEEP_EXPR);
    }
    found
}

fn binary(p: &mut Parser<'_>, min: Precedence) -> bool {
    let mark = p.start();
    let parsed = p.nested(|p| {
        if !operand(p, min) {
            return false;
        }
        loop {
            let found = precedence(p);
            if found == 0 || found < min {
                return true;
            }
            match found {
                OR | AND => logical(p, mark, found),
                COMPARISON => comparison(p, mark),
                _ if p.is_high() => {
                    cut_chain(p, mark);
                    return true;
                }
                _ => {
                    p.bump();
                    binary(p, found + 1);
                    p.finish_node(mark, BINARY_EXPR);
                }
            }
        }
    });
    parsed.unwrap_or_else(|| too_deep(p, mark))
}

/// Parses a chain of the same `and` or `or`.
fn logical(p: &mut Parser<'_>, mark: Mark, found: Precedence) {
    let word = p.current();
    while p.eat(word) {
        binary(p, found + 1);
    }
    p.finish_node(mark, BOOL_EXPR);
}

fn comparison(p: &mut Parser<'_>, mark: Mark) {
    while precedence(p) == COMPARISON {
        match p.current() {
            NOT_KW => {
                p.bump();
                p.bump();
            }
            IS_KW => {
                p.bump();
                p.eat(NOT_KW);
            }
            _ => p.bump(),
        }
        binary(p, BIT_OR);
    }
    p.finish_node(mark, COMPARE_EXPR);
}

/// Puts the rest of a chain of operators or calls into one flat node, because the tree has reached its maximum height.
/// The chain is valid Python, so this reports no error.
fn cut_chain(p: &mut Parser<'_>, mark: Mark) {
    p.skip_until(|it| {
        matches!(
            it,
            SyntaxKind::R_PAREN
                | SyntaxKind::R_BRACKET
                | SyntaxKind::R_BRACE
                | SyntaxKind::FSTRING_END
                | SyntaxKind::EQ
                | SyntaxKind::SEMICOLON
                | COMMA
                | COLON
        )
    });
    p.finish_node(mark, TOO_DEEP_EXPR);
}

/// Parses prefix operators and their operand. `min` is the precedence of the operator before it.
fn operand(p: &mut Parser<'_>, min: Precedence) -> bool {
    match p.current() {
        NOT_KW => {
            if min > NOT {
                p.error("`not` binds less tightly than the operator before it, so this needs parentheses");
            }
            let mark = p.start();
            p.bump();
            binary(p, NOT);
            p.finish_node(mark, NOT_EXPR);
            true
        }
        PLUS | MINUS | TILDE => {
            let mark = p.start();
            p.bump();
            binary(p, UNARY);
            p.finish_node(mark, UNARY_EXPR);
            true
        }
        LAMBDA_KW => {
            p.error("`lambda` takes all that follows, so here it needs parentheses");
            lambda(p);
            true
        }
        _ => power(p),
    }
}

fn power(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    if !primary(p) {
        return false;
    }
    if p.at(DOUBLE_STAR) {
        p.bump();
        binary(p, UNARY);
        p.finish_node(mark, BINARY_EXPR);
    }
    true
}

/// An atom with the attributes, calls and subscripts that follow it.
fn primary(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    if p.at(AWAIT_KW) {
        let parsed = p.nested(|p| {
            p.bump();
            primary(p);
            p.finish_node(mark, AWAIT_EXPR);
        });
        return parsed.is_some() || too_deep(p, mark);
    }
    if !atoms::atom(p) {
        return false;
    }
    loop {
        if matches!(p.current(), DOT | L_PAREN | L_BRACKET) && p.is_high() {
            cut_chain(p, mark);
            return true;
        }
        match p.current() {
            DOT => {
                p.bump();
                attribute_name(p);
                p.finish_node(mark, ATTRIBUTE_EXPR);
            }
            L_PAREN => {
                arguments::arg_list(p, "the call");
                p.finish_node(mark, CALL_EXPR);
            }
            L_BRACKET => {
                arguments::subscript(p);
                p.finish_node(mark, SUBSCRIPT_EXPR);
            }
            _ => return true,
        }
    }
}

fn attribute_name(p: &mut Parser<'_>) {
    if p.at(IDENT) {
        p.bump();
    } else if p.current().is_keyword() && p.is_adjacent() {
        p.error(format!(
            "{} is a keyword, so it cannot name an attribute",
            p.current().describe()
        ));
        p.bump_as(IDENT);
    } else {
        p.expected("a name after `.`");
    }
}

pub(super) fn at_comprehension(p: &Parser<'_>) -> bool {
    p.at(FOR_KW) || p.at(ASYNC_KW) && p.next() == FOR_KW
}

/// Parses the clauses of a comprehension, after its element.
pub(super) fn comprehension(p: &mut Parser<'_>) {
    while at_comprehension(p) {
        let mark = p.start();
        p.eat(ASYNC_KW);
        p.bump();
        super::targets::target_list(p);
        if p.expect(IN_KW) {
            binary(p, OR);
        }
        p.finish_node(mark, COMP_FOR);
        while p.at(IF_KW) {
            let mark = p.start();
            p.bump();
            binary(p, OR);
            p.finish_node(mark, COMP_IF);
        }
    }
}
