//! The file: its version header, definitions and metadata.

use super::attributes::{at_attribute, attribute, param_attributes};
use super::expressions::block;
use super::lists::list;
use super::statements::whole_sequence;
use super::types::{ty, type_list, type_params};
use crate::relay::kind::SyntaxKind::{
    ARROW, ATTRIBUTE_START, BARE_VERSION, COLON, CONSTRUCTOR_DEF, DEF_KW, END, EQ, ERROR,
    EXTERN_KW, FUNCTION_DEF, GLOBAL, IDENT, L_BRACE, L_BRACKET, L_PAREN, LOCAL, METADATA,
    METADATA_START, METADATA_TEXT, PARAM, PARAM_LIST, PRIM_FUNC, R_BRACE, R_BRACKET, R_PAREN,
    STRING, TYPE_DEF, TYPE_KW, VERSION_HEADER,
};
use crate::relay::parser::Parser;

pub(in crate::relay) fn file(p: &mut Parser<'_>) {
    version(p);
    definitions(p);
}

/// Parses definitions up to the end of the text. Before the first definition, an expression is allowed instead.
fn definitions(p: &mut Parser<'_>) {
    let mut has_definitions = false;
    while !p.at(END) {
        p.start_definition();
        let before = p.progress();
        match p.current() {
            DEF_KW => function_def(p),
            TYPE_KW | EXTERN_KW => type_def(p),
            METADATA_START => metadata(p),
            ATTRIBUTE_START => stray_attribute(p),
            IDENT | GLOBAL if at_prim_func(p) => prim_func(p),
            _ if has_definitions => {
                p.expected("`def` or `type`");
                let mark = p.start();
                whole_sequence(p);
                p.finish_node(mark, ERROR);
            }
            // TVM prints a single expression without a definition.
            _ => whole_sequence(p),
        }
        if p.progress() == before {
            p.skip_one();
        }
        has_definitions |= !matches!(p.last_kind(), Some(METADATA | ERROR));
    }
}

fn version(p: &mut Parser<'_>) {
    let mark = p.start();
    match p.current() {
        BARE_VERSION => p.bump(),
        ATTRIBUTE_START if p.next() == IDENT => {
            let opener = p.open();
            let is_version = p.text() == "version";
            if !is_version {
                p.error(UNKNOWN_ATTRIBUTE);
            }
            p.bump();
            p.expect(EQ);
            let is_known = matches!(p.text(), "\"0.0.4\"" | "\"0.0.5\"");
            if is_version && p.at(STRING) && !is_known {
                p.error("unknown version of Relay's text format: expected 0.0.4 or 0.0.5");
            }
            p.expect(STRING);
            p.close(R_BRACKET, opener, "the header");
        }
        _ => return,
    }
    p.finish_node(mark, VERSION_HEADER);
}

const UNKNOWN_ATTRIBUTE: &str = "expected `#[version = \"0.0.5\"]` or `#[metadata]`";

fn stray_attribute(p: &mut Parser<'_>) {
    if p.kinds_ahead().nth(1) == Some(IDENT) {
        p.error("the version must be the first line, and appear only once");
    } else {
        p.error(UNKNOWN_ATTRIBUTE);
    }
    let mark = p.start();
    p.bump();
    p.skip_until(|p| p.at(R_BRACKET));
    p.eat(R_BRACKET);
    p.finish_node(mark, ERROR);
}

fn metadata(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump();
    p.eat(METADATA_TEXT);
    p.finish_node(mark, METADATA);
}

const PRIM_FUNC_WORD: &str = "primfn";

/// `primfn(...)`, `@main = primfn(...)`.
fn at_prim_func(p: &Parser<'_>) -> bool {
    match p.current() {
        IDENT => p.text() == PRIM_FUNC_WORD && p.next() == L_PAREN,
        _ => p.texts_ahead().skip(1).take(2).eq(["=", PRIM_FUNC_WORD]),
    }
}

/// Reports a TIR function, and takes all tokens up to the next definition.
fn prim_func(p: &mut Parser<'_>) {
    p.error(
        "this is a TIR function, not a Relay function: TVM printed `primfn` with the same header, but could not read it",
    );
    let mark = p.start();
    while !matches!(p.current(), END | DEF_KW | TYPE_KW | METADATA_START) {
        p.bump();
    }
    p.finish_node(mark, PRIM_FUNC);
}

/// `def @main[A](%x: A, Inline=1) -> A { ... }`, or `def @main = meta[ExternalFunc][0]`.
fn function_def(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump();
    if !p.expect(GLOBAL) && matches!(p.next(), L_PAREN | L_BRACKET) {
        p.skip_one();
    }
    if p.eat(EQ) {
        super::expressions::operand(p);
    } else {
        function_rest(p);
    }
    p.finish_node(mark, FUNCTION_DEF);
}

/// Parses a function after its keyword and name.
pub(super) fn function_rest(p: &mut Parser<'_>) {
    if p.at(L_BRACKET) {
        type_params(p);
    }
    if p.at(L_PAREN) {
        param_list(p);
    } else {
        p.expected("the parameters in parentheses");
    }
    if p.eat(ARROW) {
        ty(p);
    }
    if p.at(L_BRACE) {
        block(p, "the function");
    } else {
        p.expected("the body in braces");
    }
}

fn param_list(p: &mut Parser<'_>) {
    let mark = p.start();
    let opener = p.open();
    list(p, opener, R_PAREN, "the parameters", |p| {
        if at_attribute(p) {
            attribute(p);
            true
        } else {
            param(p)
        }
    });
    p.finish_node(mark, PARAM_LIST);
}

fn param(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    if !p.expect(LOCAL) {
        return false;
    }
    if p.at(L_BRACE) {
        param_attributes(p);
    }
    annotation(p);
    p.finish_node(mark, PARAM);
    true
}

/// Parses `: Type`, if it is there.
pub(super) fn annotation(p: &mut Parser<'_>) {
    if p.eat(COLON) {
        ty(p);
    }
}

/// `type List[A] { Cons(A, List[A]), Nil }`, `extern type File`.
fn type_def(p: &mut Parser<'_>) {
    let mark = p.start();
    let is_extern = p.eat(EXTERN_KW);
    p.expect(TYPE_KW);
    p.expect(IDENT);
    if p.at(L_BRACKET) {
        type_params(p);
    }
    if p.at(L_BRACE) {
        let constructors = p.start();
        let opener = p.open();
        list(p, opener, R_BRACE, "the constructors", constructor);
        if is_extern {
            p.error_since(constructors, "an external type has no constructors");
        }
    } else if !is_extern && !p.at_definition() {
        p.expected("the constructors in braces");
    }
    p.finish_node(mark, TYPE_DEF);
}

fn constructor(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    if !p.expect(IDENT) {
        return false;
    }
    if p.at(L_PAREN) {
        type_list(p, "the fields");
    }
    p.finish_node(mark, CONSTRUCTOR_DEF);
    true
}
