//! Relay's text in strings of a Python file: the argument of a call that parses it, or a string that begins like TVM's
//! Relay text.

use std::sync::Arc;

use syntax::ast::{Arg, AstNode, AttributeExpr, BinaryExpr, CallExpr, Expr, Segments, StringLit};
use syntax::relay::VERSION;
use syntax::{SyntaxKind, SyntaxToken};
use text_size::TextRange;

use super::relay::RelayFile;
use crate::db::{Db, Language, Source, SourceFile};
use crate::text::{FROM_TEXT, PARSE};

/// Functions of TVM up to 0.19 that parse their first argument.
const PARSERS: &[&str] = &[
    "relay.fromtext",
    "relay.parse",
    "relay.parse_expr",
    "relay.parser.fromtext",
    "relay.parser.parse",
    "relay.parser.parse_expr",
    "tvm.parser.fromtext",
    "tvm.parser.parse",
    "tvm.parser.parse_expr",
    "tvm.relay.fromtext",
    "tvm.relay.parse",
    "tvm.relay.parse_expr",
    "tvm.relay.parser.fromtext",
    "tvm.relay.parser.parse",
    "tvm.relay.parser.parse_expr",
];

/// One text with its position.
#[salsa::tracked(debug)]
struct EmbeddedItem<'db> {
    #[returns(copy)]
    file: SourceFile,
    #[returns(copy)]
    ordinal: usize,
    #[tracked]
    #[returns(ref)]
    text: Arc<str>,
    #[tracked]
    #[returns(ref)]
    segments: Arc<Segments>,
}

/// A Relay text inside a Python file.
#[derive(Debug)]
pub struct Embedded {
    pub source: Source,
    pub file: RelayFile,
}

/// Returns the Relay texts in a Python file, with the mapping of their characters to the file.
pub fn embedded_relay(db: &dyn Db, file: SourceFile) -> Vec<(&Embedded, &Segments)> {
    let text = &file.source(db).text;
    let may_hold = file.source(db).language != Language::Relay && text.may_hold_relay();
    if !may_hold {
        return Vec::new();
    }
    let items = embedded_items(db, file).iter();
    items
        .map(|item| (embedded_text(db, *item), &**item.segments(db)))
        .collect()
}

#[salsa::tracked(returns(ref))]
fn embedded_items(db: &dyn Db, file: SourceFile) -> Vec<EmbeddedItem<'_>> {
    let mut literals: Vec<StringLit> = literals(file.source(db));
    literals.sort_by_key(|it| it.range().start());
    literals.dedup_by_key(|it| it.range());
    let items = literals.iter().filter_map(StringLit::value_with_places);
    let items = items.enumerate().map(|(ordinal, (text, segments))| {
        EmbeddedItem::new(db, file, ordinal, text.into(), Arc::new(segments))
    });
    items.collect()
}

#[salsa::tracked(returns(ref), no_eq)]
fn embedded_text<'db>(db: &'db dyn Db, item: EmbeddedItem<'db>) -> Embedded {
    let source = Source::of(&**item.text(db), Language::Relay);
    let parse = source
        .relay
        .clone()
        .unwrap_or_else(|| syntax::relay::parse(""));
    Embedded {
        file: RelayFile::new(parse),
        source,
    }
}

fn literals(source: &Source) -> Vec<StringLit> {
    let root = source.parse.syntax();
    let mut found = Vec::new();
    let tokens = |mark: &str| {
        let places = source.text.places(mark).to_vec();
        let root = root.clone();
        { places.into_iter() }.filter_map(move |at| syntax::tokens_at(&root, at).right_biased())
    };
    for mark in [PARSE, FROM_TEXT] {
        found.extend(tokens(mark).filter_map(|it| parsed_literal(&it)));
    }
    found.extend(tokens(VERSION).filter_map(|it| marked_literal(&it, &source.text)));
    found
}

/// Returns the string that a call parses. `token` is in the name of its callee.
fn parsed_literal(token: &SyntaxToken) -> Option<StringLit> {
    let mut nodes = token.parent_ancestors();
    let call = nodes.find_map(CallExpr::cast)?;
    let callee = call.callee()?;
    if !callee.range().contains_range(token.text_range()) {
        return None;
    }
    let name: String = callee.syntax().text().to_string();
    let is_parser = PARSERS.contains(&name.as_str());
    let first: Arg = call.arg_list()?.args().next()?;
    let is_source = first.keyword().is_none_or(|it| it.text() == "source");
    match first.value()? {
        Expr::StringLit(literal) if is_parser && is_source => Some(literal),
        _ => None,
    }
}

/// Returns a string that begins with the version of Relay's text, unless Python computes with it.
fn marked_literal(token: &SyntaxToken, text: &str) -> Option<StringLit> {
    if token.kind() != SyntaxKind::STRING {
        return None;
    }
    let literal = StringLit::cast(token.parent()?)?;
    let around = literal.syntax().parent()?;
    let is_computed = AttributeExpr::can_cast(around.kind()) || BinaryExpr::can_cast(around.kind());
    let begins = literal.value()?.trim_start().starts_with(VERSION);
    // `text = "..."`, followed by `text += "..."`.
    let (from, literal_range) = (around.text_range().start(), literal.range());
    let before = &text[TextRange::new(from, literal_range.start())];
    let name = before.trim_end().strip_suffix('=').map(str::trim);
    let rest = &text[usize::from(literal_range.end())..];
    let is_extended = name.is_some_and(|it| rest.contains(&format!("{it} +=")));
    (begins && !is_computed && !is_extended).then_some(literal)
}
