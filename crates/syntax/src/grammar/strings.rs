//! Adjacent string literals, and the expressions embedded in f-strings and t-strings.

use super::expressions::yield_or_expr_list;
use crate::kind::SyntaxKind::{
    BANG, COLON, COLON_EQ, EQ, FORMAT_SPEC, FSTRING, FSTRING_END, FSTRING_FIELD, FSTRING_START,
    FSTRING_TEXT, IDENT, L_BRACE, R_BRACE, STRING, STRING_LIT,
};
use crate::parser::{ListKind, Parser};

/// Only strings of the same flavor can be concatenated by adjacency.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flavor {
    Text,
    Bytes,
    Template,
}

impl Flavor {
    fn of(text: &str) -> Flavor {
        let prefix = &text.as_bytes()[..text.len().min(2)];
        let letters = prefix.iter().take_while(|it| it.is_ascii_alphabetic());
        for letter in letters {
            match letter {
                b'b' | b'B' => return Flavor::Bytes,
                b't' | b'T' => return Flavor::Template,
                _ => {}
            }
        }
        Flavor::Text
    }
}

/// Parses one or more adjacent strings.
pub(super) fn string_lit(p: &mut Parser<'_>) {
    let mark = p.start();
    let flavor = Flavor::of(p.text());
    loop {
        if Flavor::of(p.text()) != flavor {
            p.error("text, bytes and templates cannot be joined by writing them side by side");
        }
        if p.at(STRING) {
            p.bump();
        } else {
            fstring(p);
        }
        if !matches!(p.current(), STRING | FSTRING_START) {
            break;
        }
    }
    p.finish_node(mark, STRING_LIT);
}

fn fstring(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump();
    text_and_fields(p);
    if !p.eat(FSTRING_END) {
        p.expected("the end of the string");
    }
    p.finish_node(mark, FSTRING);
}

fn text_and_fields(p: &mut Parser<'_>) {
    loop {
        match p.current() {
            FSTRING_TEXT => p.bump(),
            L_BRACE => field(p),
            _ => return,
        }
    }
}

/// `{expression}`, with an optional `=`, conversion and format spec.
fn field(p: &mut Parser<'_>) {
    let mark = p.start();
    let opener = p.open(ListKind::Other);
    if p.nested(yield_or_expr_list).is_none() {
        p.error("this is nested too deeply to be read");
    }
    if !matches!(p.current(), EQ | BANG | COLON | R_BRACE) {
        if !p.at(FSTRING_END) {
            p.expected("`}`");
        }
        p.skip_until(|it| matches!(it, EQ | BANG | COLON | R_BRACE | FSTRING_END));
    }
    p.eat(EQ);
    if p.eat(BANG) {
        conversion(p);
    }
    if p.at(COLON) || p.at(COLON_EQ) {
        let mark = p.start();
        p.bump();
        if p.nested(text_and_fields).is_none() {
            p.error("this is nested too deeply to be read");
            p.skip_until(|it| matches!(it, R_BRACE | FSTRING_END));
        }
        p.finish_node(mark, FORMAT_SPEC);
    }
    if !p.at(R_BRACE) && !p.at_list_end() {
        p.expected("`}`");
        p.skip_until(|it| matches!(it, R_BRACE | FSTRING_END));
    }
    p.close(R_BRACE, opener, "this replacement field");
    p.finish_node(mark, FSTRING_FIELD);
}

fn conversion(p: &mut Parser<'_>) {
    if p.at(IDENT) && matches!(p.text(), "s" | "r" | "a") {
        p.bump();
    } else {
        p.expected("`s`, `r` or `a`");
        p.eat(IDENT);
    }
}
