//! Attributes of calls, functions and parameters: `axis=-1`.

use super::expressions::{meta, operand};
use super::lists::list;
use crate::relay::kind::SyntaxKind::{
    ATTRIBUTE, ATTRIBUTE_NAME, DOT, EQ, IDENT, L_BRACKET, L_PAREN, LIST_LIT, META_KW, PARAM_ATTRS,
    PAREN_EXPR, R_BRACE, R_BRACKET, R_PAREN, STRING, STRING_LIT,
};
use crate::relay::parser::Parser;

/// Whether the next tokens are `name=` or `a.name=`.
pub(super) fn at_attribute(p: &Parser<'_>) -> bool {
    let mut ahead = p.kinds_ahead();
    while ahead.next() == Some(IDENT) {
        match ahead.next() {
            Some(EQ) => return true,
            Some(DOT) => {}
            _ => return false,
        }
    }
    false
}

pub(super) fn attribute(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump();
    while p.eat(DOT) {
        p.expect(IDENT);
    }
    p.finish_node(mark, ATTRIBUTE_NAME);
    p.expect(EQ);
    value(p);
    p.finish_node(mark, ATTRIBUTE);
}

/// `{virtual_device=meta[VirtualDevice][0]}` after a parameter.
pub(super) fn param_attributes(p: &mut Parser<'_>) {
    let mark = p.start();
    let opener = p.open();
    list(p, opener, R_BRACE, "the attributes", |p| {
        let found = at_attribute(p);
        if found {
            attribute(p);
        } else {
            p.expected("an attribute");
        }
        found
    });
    p.finish_node(mark, PARAM_ATTRS);
}

fn value(p: &mut Parser<'_>) -> bool {
    let parsed = p.nested(|p| {
        let mark = p.start();
        match p.current() {
            STRING => {
                p.bump();
                p.finish_node(mark, STRING_LIT);
                true
            }
            META_KW => meta(p),
            L_BRACKET => {
                let opener = p.open();
                list(p, opener, R_BRACKET, "the list", value);
                p.finish_node(mark, LIST_LIT);
                true
            }
            L_PAREN => {
                let opener = p.open();
                value(p);
                p.close(R_PAREN, opener, "the value");
                p.finish_node(mark, PAREN_EXPR);
                true
            }
            _ => operand(p),
        }
    });
    parsed.unwrap_or_else(|| super::expressions::too_deep(p))
}
