//! Arguments of calls, and subscripts.

use super::expressions::{at_comprehension, can_start, comprehension, expr, named_expr, star_expr};
use super::lists::{more, separated};
use crate::kind::SyntaxKind::{
    ARG_LIST, COLON, COMMA, DOUBLE_STAR, EQ, GENERATOR_EXPR, IDENT, KEYWORD_ARG, R_BRACKET,
    R_PAREN, SLICE_EXPR, STAR, STAR_ARG, TUPLE_EXPR,
};
use crate::parser::{ListKind, Parser};

/// The search for duplicate keywords remembers this many names, so that its cost stays linear.
const MAX_COMPARED_NAMES: usize = 32;

/// The arguments parsed so far, for the rules about their order.
#[derive(Default)]
struct ArgumentsSoFar {
    args: usize,
    keyword: bool,
    names: Vec<text_size::TextRange>,
    mapping: bool,
    generator: Option<text_size::TextRange>,
}

pub(super) fn arg_list(p: &mut Parser<'_>, what: &str) {
    let mark = p.start();
    let opener = p.open(ListKind::Args);
    let mut seen = ArgumentsSoFar::default();
    let commas = separated(p, "an argument", |p| arg(p, &mut seen));
    if let Some(range) = seen.generator.filter(|_| commas || seen.args > 1) {
        p.error_at_range(
            range,
            "a generator beside other arguments needs parentheses",
        );
    }
    p.close(R_PAREN, opener, what);
    p.finish_node(mark, ARG_LIST);
}

fn arg(p: &mut Parser<'_>, seen: &mut ArgumentsSoFar) -> bool {
    let mark = p.start();
    seen.args += 1;
    match p.current() {
        STAR | DOUBLE_STAR => {
            if p.at(DOUBLE_STAR) {
                seen.mapping = true;
            } else if seen.mapping {
                p.error("`*` arguments must come before `**` arguments");
            }
            p.bump();
            expr(p);
            p.finish_node(mark, STAR_ARG);
        }
        IDENT if p.next() == EQ => {
            seen.keyword = true;
            let (name, range) = (p.text(), p.range());
            if seen.names.iter().any(|&it| p.text_at(it) == name) {
                p.error_at_range(range, format!("the argument `{name}` is given twice"));
            } else if seen.names.len() < MAX_COMPARED_NAMES {
                seen.names.push(range);
            }
            p.bump();
            p.bump();
            if p.at(COMMA) || p.at_list_end() {
                p.expected("a value for this argument");
            } else {
                expr(p);
            }
            p.finish_node(mark, KEYWORD_ARG);
        }
        _ => {
            if !named_expr(p) {
                return false;
            }
            if at_comprehension(p) {
                comprehension(p);
                p.finish_node(mark, GENERATOR_EXPR);
                let range = text_size::TextRange::new(mark.offset().into(), p.prev_end().into());
                seen.generator = Some(range);
            }
            if p.at(EQ) {
                p.error(
                    "only a plain name can stand before `=` here; a comparison is written `==`",
                );
                p.bump();
                if can_start(p.current()) {
                    expr(p);
                }
                p.finish_node(mark, KEYWORD_ARG);
            } else if seen.mapping {
                p.error_since(mark, "positional arguments must come before `**` arguments");
            } else if seen.keyword {
                p.error_since(
                    mark,
                    "positional arguments must come before those with a name",
                );
            }
        }
    }
    true
}

/// Parses `[index]`. The caller wraps it with the indexed expression.
pub(super) fn subscript(p: &mut Parser<'_>) {
    let opener = p.open(ListKind::Other);
    let mark = p.start();
    if p.at(R_BRACKET) || p.at_list_end() && !p.at(COLON) {
        p.expected("an index");
    } else {
        if !index(p) {
            p.skip_one();
        }
        if !p.at_list_end() || p.at(COLON) {
            let tuple = p.at(COMMA);
            more(p, "an index", index);
            if tuple {
                p.finish_node(mark, TUPLE_EXPR);
            }
        }
    }
    p.close(R_BRACKET, opener, "this subscript");
}

/// An index, a slice or `*indices`.
fn index(p: &mut Parser<'_>) -> bool {
    if p.at(STAR) {
        star_expr(p);
        return true;
    }
    let mark = p.start();
    if !p.at(COLON) && !named_expr(p) {
        return false;
    }
    if p.eat(COLON) {
        if can_start(p.current()) {
            expr(p);
        }
        if p.eat(COLON) && can_start(p.current()) {
            expr(p);
        }
        p.finish_node(mark, SLICE_EXPR);
    }
    true
}
