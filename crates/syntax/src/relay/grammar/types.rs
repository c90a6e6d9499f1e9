//! Types.

use super::expressions::{meta, too_deep};
use super::lists::list;
use crate::relay::kind::SyntaxKind::{
    ARROW, COMMA, DIM, FN_KW, FUNCTION_TYPE, IDENT, INFERRED_TYPE, INT, L_BRACKET, L_PAREN,
    META_KW, NAMED_TYPE, QUESTION, R_BRACKET, R_PAREN, REF_KW, REF_TYPE, SHAPE, TENSOR_TYPE,
    TUPLE_TYPE, TYPE_ARG_LIST, TYPE_PARAM, TYPE_PARAM_LIST, UNDERSCORE,
};
use crate::relay::parser::Parser;

/// `[A, B]` after the name of a function or type.
pub(super) fn type_params(p: &mut Parser<'_>) {
    let mark = p.start();
    let opener = p.open();
    list(p, opener, R_BRACKET, "the type parameters", |p| {
        let mark = p.start();
        let found = p.expect(IDENT);
        if found {
            p.finish_node(mark, TYPE_PARAM);
        }
        found
    });
    p.finish_node(mark, TYPE_PARAM_LIST);
}

/// `(A, B)`: the parameters of a function type, or the fields of a constructor.
pub(super) fn type_list(p: &mut Parser<'_>, what: &str) {
    let mark = p.start();
    let opener = p.open();
    list(p, opener, R_PAREN, what, ty);
    p.finish_node(mark, TYPE_ARG_LIST);
}

pub(super) fn ty(p: &mut Parser<'_>) -> bool {
    p.nested(ty_inner).unwrap_or_else(|| too_deep(p))
}

fn ty_inner(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    match p.current() {
        IDENT if p.text() == "Tensor" => {
            p.bump();
            tensor_rest(p);
            p.finish_node(mark, TENSOR_TYPE);
        }
        IDENT => {
            p.bump();
            if p.at(L_BRACKET) {
                let mark = p.start();
                let opener = p.open();
                list(p, opener, R_BRACKET, "the types", ty);
                p.finish_node(mark, TYPE_ARG_LIST);
            }
            p.finish_node(mark, NAMED_TYPE);
        }
        L_PAREN => {
            let opener = p.open();
            list(p, opener, R_PAREN, "the tuple", ty);
            p.finish_node(mark, TUPLE_TYPE);
        }
        FN_KW => {
            p.bump();
            if p.at(L_BRACKET) {
                type_params(p);
            }
            if p.at(L_PAREN) {
                type_list(p, "the types");
            } else {
                p.expected("the types in parentheses");
            }
            if p.expect(ARROW) {
                ty(p);
            }
            p.finish_node(mark, FUNCTION_TYPE);
        }
        REF_KW => {
            p.bump();
            if p.at(L_PAREN) {
                let opener = p.open();
                ty(p);
                p.close(R_PAREN, opener, "the type");
            } else {
                p.expected("`(`");
            }
            p.finish_node(mark, REF_TYPE);
        }
        UNDERSCORE => {
            p.bump();
            p.finish_node(mark, INFERRED_TYPE);
        }
        _ => {
            p.expected("a type");
            return false;
        }
    }
    true
}

/// `[(1, ?), float32]`.
fn tensor_rest(p: &mut Parser<'_>) {
    if !p.at(L_BRACKET) {
        p.expected("`[`");
        return;
    }
    let opener = p.open();
    if p.at(L_PAREN) {
        let mark = p.start();
        let opener = p.open();
        list(p, opener, R_PAREN, "the shape", dim);
        p.finish_node(mark, SHAPE);
    } else {
        p.expected("the shape in parentheses");
    }
    if p.expect(COMMA) {
        p.expect_dtype();
    }
    p.close(R_BRACKET, opener, "the type");
}

impl Parser<'_> {
    /// Parses a dtype, such as `float32` or `custom[posites2]32`.
    fn expect_dtype(&mut self) {
        let is_custom = self.text() == "custom";
        if self.expect(IDENT) && is_custom && self.eat(L_BRACKET) {
            self.expect(IDENT);
            self.expect(R_BRACKET);
            self.expect(INT);
        }
    }
}

fn dim(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    match p.current() {
        INT | QUESTION => p.bump(),
        META_KW => _ = meta(p),
        _ => {
            p.expected("a dimension");
            return false;
        }
    }
    p.finish_node(mark, DIM);
    true
}
