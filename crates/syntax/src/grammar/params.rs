//! Parameters of functions and lambdas; type parameters.

use super::expressions::{expr, star_expr};
use super::lists::separated;
use crate::kind::SyntaxKind::{
    COLON, COMMA, DOUBLE_STAR, EQ, IDENT, L_BRACKET, PARAM, PARAM_LIST, R_BRACKET, R_PAREN, SLASH,
    STAR, TYPE_PARAM, TYPE_PARAM_LIST,
};
use crate::parser::{ListKind, Parser};

/// The parameters parsed so far, for the rules about their order.
#[derive(Default)]
struct ParamsSoFar {
    params: usize,
    default: bool,
    slash: bool,
    star: bool,
    bare_star: bool,
    mapping: bool,
}

pub(super) fn param_list(p: &mut Parser<'_>) {
    let mark = p.start();
    let opener = p.open(ListKind::Params);
    let mut seen = ParamsSoFar::default();
    separated(p, "a parameter", |p| param(p, &mut seen, true));
    check_bare_star(p, &seen);
    p.close(R_PAREN, opener, "the parameter list");
    p.finish_node(mark, PARAM_LIST);
}

/// Parses the parameters of a lambda, up to its colon.
pub(super) fn lambda_params(p: &mut Parser<'_>) {
    let mark = p.start();
    let mut seen = ParamsSoFar::default();
    while param(p, &mut seen, false) {
        if !p.eat(COMMA) {
            break;
        }
    }
    check_bare_star(p, &seen);
    if p.has_grown(mark) {
        p.finish_node(mark, PARAM_LIST);
    }
}

fn check_bare_star(p: &mut Parser<'_>, seen: &ParamsSoFar) {
    if seen.bare_star {
        p.error("a named parameter must follow the bare `*`");
    }
}

fn param(p: &mut Parser<'_>, seen: &mut ParamsSoFar, annotated: bool) -> bool {
    match p.current() {
        SLASH => {
            if seen.slash || seen.star || seen.params == 0 {
                p.error("`/` stands once, after a parameter and before any `*`");
            }
            seen.slash = true;
            p.bump();
            return true;
        }
        STAR if !matches!(p.next(), IDENT) => {
            if seen.star {
                p.error("there can be only one `*` in a parameter list");
            }
            seen.star = true;
            seen.bare_star = true;
            p.bump();
            return true;
        }
        IDENT | STAR | DOUBLE_STAR => {}
        _ => return false,
    }
    if seen.mapping {
        p.error("no parameter can follow `**`");
    }
    let mark = p.start();
    let stars = p.current();
    match stars {
        STAR => {
            if seen.star {
                p.error("there can be only one `*` in a parameter list");
            }
            seen.star = true;
            p.bump();
        }
        DOUBLE_STAR => {
            check_bare_star(p, seen);
            seen.mapping = true;
            p.bump();
        }
        _ => {}
    }
    seen.bare_star = false;
    seen.params += 1;
    p.expect(IDENT);
    if annotated && p.eat(COLON) {
        if p.at(STAR) && stars == STAR {
            star_expr(p);
        } else if p.at_next_param() {
            p.expected("an annotation");
        } else {
            expr(p);
        }
    }
    if p.at(EQ) {
        if stars != IDENT {
            p.error("a parameter with stars cannot have a default");
        }
        p.bump();
        expr(p);
        seen.default = true;
    } else if seen.default && !seen.star && !seen.mapping {
        p.error_since(
            mark,
            "a parameter without a default cannot follow one with a default",
        );
    }
    p.finish_node(mark, PARAM);
    true
}

/// Parses `[T, *Ts, n: int]`, if it is there.
pub(super) fn type_params(p: &mut Parser<'_>) {
    if !p.at(L_BRACKET) {
        return;
    }
    let mark = p.start();
    let opener = p.open(ListKind::Other);
    if p.at(R_BRACKET) {
        p.expected("a type parameter");
    }
    separated(p, "a type parameter", type_param);
    p.close(R_BRACKET, opener, "the type parameters");
    p.finish_node(mark, TYPE_PARAM_LIST);
}

fn type_param(p: &mut Parser<'_>) -> bool {
    if !matches!(p.current(), IDENT | STAR | DOUBLE_STAR) {
        return false;
    }
    let mark = p.start();
    if matches!(p.current(), STAR | DOUBLE_STAR) {
        p.bump();
    }
    p.expect(IDENT);
    if p.eat(COLON) {
        expr(p);
    }
    if p.eat(EQ) {
        if p.at(STAR) {
            star_expr(p);
        } else {
            expr(p);
        }
    }
    p.finish_node(mark, TYPE_PARAM);
    true
}
