//! Completion: variables in scope, functions, operators, constructors, attributes.

use hir::RelayFile;
use hir::relay::body::{Local, LocalId, LocalKind};
use relax::relay::ops;
use syntax::ast::AstNode;
use syntax::relay::ast::Expr;
use syntax::relay::{SyntaxKind, SyntaxNode};
use text_size::{TextRange, TextSize};

use super::definitions;
use super::signature_help::{calls_around, operator};
use crate::types::{Completion, CompletionKind, Completions};

const KEYWORDS: &[&str] = &[
    "def",
    "else",
    "extern",
    "False",
    "fn",
    "free_var",
    "if",
    "let",
    "match",
    "meta",
    "ref",
    "ref_read",
    "ref_write",
    "True",
    "type",
];

pub fn completions(file: &RelayFile, text: &str, offset: TextSize) -> Option<Completions> {
    let root = file.parse.syntax();
    let token = root.token_at_offset(offset).left_biased();
    let in_text = token.is_some_and(|it| {
        let is_text = matches!(it.kind(), SyntaxKind::COMMENT | SyntaxKind::STRING);
        is_text && it.text_range().start() < offset && offset < it.text_range().end()
    });
    if in_text {
        return None;
    }
    let replace = word_around(text, offset);
    let insert = TextRange::new(replace.start(), offset);
    let items = match text[insert].chars().next() {
        Some('%') => locals(file, &root, offset),
        Some('@') => globals(file),
        _ => names(file, &root, offset),
    };
    Some(Completions {
        insert,
        replace,
        items,
        incomplete: false,
    })
}

/// Returns the range of the word at an offset, including its sigil and dots.
fn word_around(text: &str, offset: TextSize) -> TextRange {
    let at = usize::from(offset);
    let in_word = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '.');
    let before = text[..at].trim_end_matches(in_word);
    let sigil = before.ends_with(['%', '@']);
    let start = before.len() - usize::from(sigil);
    let end = text.len() - text[at..].trim_start_matches(in_word).len();
    TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))
}

/// Returns the variables that are bound before the offset in the blocks around it.
fn locals(file: &RelayFile, root: &SyntaxNode, offset: TextSize) -> Vec<Completion> {
    let Some((_, definition, facts)) = definitions(file).filter(|it| it.1.start <= offset).last()
    else {
        return Vec::new();
    };
    let body = &definition.body;
    let place = |it: &(LocalId, &Local)| body.name_range(it.0) + definition.start;
    let bound_before = |it: &(LocalId, &Local)| place(it).end() < offset;
    let reaches = |it: &(LocalId, &Local)| {
        it.1.kind == LocalKind::Graph || scope(root, place(it)).contains_inclusive(offset)
    };
    let locals = body.locals().filter(bound_before).filter(reaches);
    let items = locals.enumerate().map(|(order, (id, local))| {
        let item = Completion::new(format!("%{}", local.name.text), CompletionKind::Variable);
        let mut item = match facts.local(id) {
            Some(ty) => item.detail(ty.to_string()),
            None => item,
        };
        // The nearest first.
        item.order = Some(u16::MAX.saturating_sub(u16::try_from(order).unwrap_or(u16::MAX)));
        item
    });
    let mut items: Vec<Completion> = items.collect();
    items.reverse();
    let mut seen = rustc_hash::FxHashSet::default();
    items.retain(|it| seen.insert(it.label.clone()));
    items
}

/// Returns the range in which the name at a range can be used.
fn scope(root: &SyntaxNode, name: TextRange) -> TextRange {
    let around = root.covering_element(name).into_token().into_iter();
    let around = around.flat_map(|it| it.parent_ancestors());
    let mut scopes = around.filter(|it| {
        matches!(
            it.kind(),
            SyntaxKind::BLOCK_EXPR
                | SyntaxKind::SEQUENCE_EXPR
                | SyntaxKind::FN_EXPR
                | SyntaxKind::FUNCTION_DEF
                | SyntaxKind::MATCH_ARM
                | SyntaxKind::SOURCE_FILE
        )
    });
    scopes.next().map_or(name, |it| it.text_range())
}

fn globals(file: &RelayFile) -> Vec<Completion> {
    let env = &file.facts.env;
    let items = env.function_names().map(|name| {
        let item = Completion::new(format!("@{name}"), CompletionKind::Function);
        match env.function(name) {
            Some(signature) => item.detail(signature.ty.to_string()),
            None => item,
        }
    });
    items.collect()
}

fn names(file: &RelayFile, root: &SyntaxNode, offset: TextSize) -> Vec<Completion> {
    let mut items = attributes(root, offset);
    let env = &file.facts.env;
    items.extend(env.constructor_names().filter_map(|name| {
        let ty = env.constructor_type(env.constructor(name)?);
        Some(Completion::new(name.clone(), CompletionKind::Function).detail(ty.to_string()))
    }));
    items.extend(
        env.adt_names()
            .map(|it| Completion::new(it.clone(), CompletionKind::Annotation)),
    );
    items.extend(ops::all().map(|entry| {
        Completion::new(entry.op.name, CompletionKind::Operator).detail(operator(entry).label)
    }));
    items.extend(
        KEYWORDS
            .iter()
            .map(|it| Completion::new(*it, CompletionKind::Keyword)),
    );
    items
}

/// Returns the attributes that the call around the offset does not have yet.
fn attributes(root: &SyntaxNode, offset: TextSize) -> Vec<Completion> {
    let Some(call) = calls_around(root, offset).next() else {
        return Vec::new();
    };
    let Some(Expr::NameExpr(name)) = call.callee() else {
        return Vec::new();
    };
    let Some(entry) = ops::by_name(&name.text()) else {
        return Vec::new();
    };
    let list = call.arg_list();
    let given = list.into_iter().flat_map(|it| it.attributes());
    let given: Vec<String> = given
        .filter(|it| !it.range().contains_inclusive(offset))
        .filter_map(|it| Some(it.name()?.text()))
        .collect();
    let missing = entry
        .attrs
        .iter()
        .filter(|it| !given.iter().any(|name| name == it.name));
    let items = missing.map(|attr| {
        let mut item = Completion::new(format!("{}=", attr.name), CompletionKind::Variable);
        item.rank = 0;
        item.detail(attr.kind.description())
    });
    items.collect()
}
