//! Patterns of `match` arms.

use super::definitions::annotation;
use super::expressions::too_deep;
use super::lists::list;
use crate::relay::kind::SyntaxKind::{
    CONSTRUCTOR_PATTERN, IDENT, L_PAREN, LOCAL, PATTERN_LIST, R_PAREN, TUPLE_PATTERN, UNDERSCORE,
    VARIABLE_PATTERN, WILDCARD_PATTERN,
};
use crate::relay::parser::Parser;

pub(super) fn pattern(p: &mut Parser<'_>) -> bool {
    p.nested(pattern_inner).unwrap_or_else(|| too_deep(p))
}

fn pattern_inner(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    match p.current() {
        UNDERSCORE => {
            p.bump();
            p.finish_node(mark, WILDCARD_PATTERN);
        }
        LOCAL => {
            p.bump();
            annotation(p);
            p.finish_node(mark, VARIABLE_PATTERN);
        }
        IDENT => {
            p.bump();
            if p.at(L_PAREN) {
                pattern_list(p);
            }
            p.finish_node(mark, CONSTRUCTOR_PATTERN);
        }
        L_PAREN => {
            pattern_list(p);
            p.finish_node(mark, TUPLE_PATTERN);
        }
        _ => {
            p.expected("a pattern");
            return false;
        }
    }
    true
}

fn pattern_list(p: &mut Parser<'_>) {
    let mark = p.start();
    let opener = p.open();
    list(p, opener, R_PAREN, "the patterns", pattern);
    p.finish_node(mark, PATTERN_LIST);
}
