//! An edit reparses a few statements, or a few definitions, not the file.
//!
//! Statements at the top of a function's body are a list in which each means the same wherever it stands: if the brackets
//! in the statements around an edit are balanced before and after it, and the last ends with its semicolon, they are
//! parsed alone. Else the definitions around the edit are, which no bracket leaves. Where neither works out, the whole text
//! is parsed.
//!
//! The promise: tree and errors are those of a fresh parse.

use std::sync::Arc;

use rowan::{GreenNode, NodeOrToken};
use text_size::{TextRange, TextSize};

use super::kind::SyntaxKind::{
    BARE_VERSION, BLOCK_EXPR, DEF_KW, EXPR_STMT, EXTERN_KW, FREE_VAR_STMT, FUNCTION_DEF,
    GRAPH_STMT, L_BRACE, LET_STMT, METADATA, METADATA_START, R_BRACE, SEMICOLON, SEQUENCE_EXPR,
    TYPE_DEF, TYPE_KW,
};
use super::kind::{SyntaxElement, SyntaxKind, SyntaxNode};
use super::lexer::{self, Brackets, Context};
use super::parser::Parser;
use super::{Parse, grammar};
use crate::{NEARBY, SyntaxError};

/// The part of a tree that is parsed again: some children of a node.
struct Region {
    parent: SyntaxNode,
    first: SyntaxElement,
    last: SyntaxElement,
}

impl Region {
    fn old(&self) -> TextRange {
        self.first.text_range().cover(self.last.text_range())
    }
}

/// Which part of the old text was replaced, and by how much text.
#[derive(Clone, Copy)]
struct Edit {
    old: TextRange,
    inserted: TextSize,
}

impl Edit {
    fn to_new(self, offset: TextSize) -> TextSize {
        offset - self.old.len() + self.inserted
    }

    fn range_to_new(self, range: TextRange) -> TextRange {
        TextRange::new(self.to_new(range.start()), self.to_new(range.end()))
    }
}

pub(super) fn reparse(
    parse: &Parse,
    old: TextRange,
    inserted: TextSize,
    text: &str,
) -> Option<Parse> {
    let edit = Edit { old, inserted };
    let root = parse.syntax();
    let definition = around(&root, old).filter(|it| it.kind() != METADATA);
    let context = context(&root);
    let body = match &definition {
        Some(node) if node.kind() == SEQUENCE_EXPR => definition.clone(),
        Some(node) if node.kind() == FUNCTION_DEF => {
            node.children().find(|it| it.kind() == BLOCK_EXPR)
        }
        _ => None,
    };
    let parsed = body
        .and_then(|body| statements(&body, old))
        .and_then(|region| statements_again(parse, &region, edit, text, context));
    parsed.or_else(|| definitions_again(parse, &root, edit, text, context))
}

fn context(root: &SyntaxNode) -> Context {
    let header = root.first_child().and_then(|it| it.first_token());
    match header {
        Some(token) if token.kind() == BARE_VERSION => Context::Old,
        _ => Context::Other,
    }
}

/// The child of the file that holds more than the edit on both sides.
fn around(root: &SyntaxNode, old: TextRange) -> Option<SyntaxNode> {
    let child = root.child_or_token_at_range(old)?.into_node()?;
    let range = child.text_range();
    (range.start() < old.start() && old.end() < range.end()).then_some(child)
}

/// The statements that hold more than the edit on both sides, in a list of statements.
fn statements(body: &SyntaxNode, old: TextRange) -> Option<Region> {
    let at = |offset: TextSize| body.child_or_token_at_range(TextRange::empty(offset));
    if !body.text_range().contains_range(old) {
        return None;
    }
    let mut first = at(old.start())?;
    while !(is_statement(&first) && first.text_range().start() < old.start()) {
        first = first.prev_sibling_or_token()?;
    }
    let mut last = at(old.end())?;
    while !(is_statement(&last) && last.text_range().end() > old.end()) {
        last = last.next_sibling_or_token()?;
    }
    let before = behind_trivia(first.prev_sibling_or_token(), |it| {
        it.prev_sibling_or_token()
    });
    let begins = match &before {
        Some(NodeOrToken::Token(token)) => token.kind() == L_BRACE,
        Some(node) => is_ended_statement(node),
        // What is wrong in the header may show at the first statement.
        None => false,
    };
    let region = Region {
        parent: body.clone(),
        first,
        last,
    };
    (begins && is_ended_statement(&region.last)).then_some(region)
}

fn behind_trivia(
    mut element: Option<SyntaxElement>,
    step: impl Fn(&SyntaxElement) -> Option<SyntaxElement>,
) -> Option<SyntaxElement> {
    while let Some(it) = element.as_ref().filter(|it| it.kind().is_trivia()) {
        element = step(it);
    }
    element
}

fn is_statement(element: &SyntaxElement) -> bool {
    matches!(
        element.kind(),
        LET_STMT | GRAPH_STMT | FREE_VAR_STMT | EXPR_STMT
    )
}

fn is_ended_statement(element: &SyntaxElement) -> bool {
    let last = element.as_node().and_then(SyntaxNode::last_token);
    is_statement(element) && last.is_some_and(|it| it.kind() == SEMICOLON)
}

fn statements_again(
    parse: &Parse,
    region: &Region,
    edit: Edit,
    text: &str,
    context: Context,
) -> Option<Parse> {
    if !was_balanced(region) {
        return None;
    }
    let new = new_range(region.old(), edit);
    let tokens = lexer::lex_from(&text[new], context);
    let ends = tokens.kinds.iter().rev().nth(1) == Some(&SEMICOLON);
    if !ends || tokens.is_open || !tokens.brackets.is_balanced() || holds_definition(&tokens.kinds)
    {
        return None;
    }
    let mut parser = Parser::new(&text[new], tokens);
    if !grammar::slice_of_statements(&mut parser) {
        return None;
    }
    let (builder, errors) = parser.finish();
    // A mistake right behind the last semicolon is one of what follows.
    let is_inside = |at: TextSize| region.old().contains(at);
    let elements = builder.into_elements().collect();
    Some(spliced(parse, region, elements, errors, is_inside, edit))
}

fn was_balanced(region: &Region) -> bool {
    let mut kinds = Vec::new();
    let mut element = Some(region.first.clone());
    while let Some(it) = element {
        match &it {
            NodeOrToken::Token(token) => kinds.push(token.kind()),
            NodeOrToken::Node(node) => {
                let tokens = node.descendants_with_tokens();
                kinds.extend(tokens.filter_map(|it| Some(it.into_token()?.kind())));
            }
        }
        element = (it != region.last)
            .then(|| it.next_sibling_or_token())
            .flatten();
    }
    Brackets::of(&kinds).is_balanced()
}

fn holds_definition(kinds: &[SyntaxKind]) -> bool {
    let starts = [DEF_KW, TYPE_KW, EXTERN_KW, METADATA_START];
    kinds.iter().any(|it| starts.contains(it))
}

/// Parses the definitions around an edit again: those that it touches, and of the others as few as it takes to begin and
/// to end with a definition that means the same alone.
fn definitions_again(
    parse: &Parse,
    root: &SyntaxNode,
    edit: Edit,
    text: &str,
    context: Context,
) -> Option<Parse> {
    let mut first = definition_before(root, edit.old.start());
    for _ in 0..MOST_BESIDE {
        let from = first?;
        let mut last = definition_behind(&from, edit.old.end());
        for _ in 0..MOST_BESIDE {
            let Some(to) = last else { break };
            let region = Region {
                parent: root.clone(),
                first: from.clone().into(),
                last: to.clone().into(),
            };
            if let Some(parsed) = definitions_of(parse, &region, edit, text, context) {
                return Some(parsed);
            }
            last = to.next_sibling().filter(is_definition);
        }
        first = from.prev_sibling().filter(is_definition);
    }
    None
}

/// Definitions on each side of an edit that are tried.
const MOST_BESIDE: usize = 3;

fn is_definition(node: &SyntaxNode) -> bool {
    matches!(node.kind(), FUNCTION_DEF | TYPE_DEF)
}

/// The last definition that begins before an offset.
fn definition_before(root: &SyntaxNode, offset: TextSize) -> Option<SyntaxNode> {
    let mut element = root.child_or_token_at_range(TextRange::empty(offset));
    loop {
        let it = element?;
        match &it {
            NodeOrToken::Node(node) if is_definition(node) && it.text_range().start() < offset => {
                return Some(node.clone());
            }
            _ => element = it.prev_sibling_or_token(),
        }
    }
}

/// The first definition from one on that ends behind an offset.
fn definition_behind(first: &SyntaxNode, offset: TextSize) -> Option<SyntaxNode> {
    let mut node = Some(first.clone());
    loop {
        let it = node?;
        if is_definition(&it) && it.text_range().end() > offset {
            return Some(it);
        }
        node = it.next_sibling();
    }
}

fn definitions_of(
    parse: &Parse,
    region: &Region,
    edit: Edit,
    text: &str,
    context: Context,
) -> Option<Parse> {
    let behind = behind_trivia(region.last.next_sibling_or_token(), |it| {
        it.next_sibling_or_token()
    });
    let is_last = behind.is_none_or(|it| matches!(it.kind(), FUNCTION_DEF | TYPE_DEF | METADATA));
    let new = new_range(region.old(), edit);
    if !is_last || usize::from(new.len()) > NEARBY {
        return None;
    }
    let tokens = lexer::lex_from(&text[new], context);
    let begins = region.first.as_node()?.first_token()?;
    let begins_as_before =
        tokens.kinds.first() == Some(&begins.kind()) && text[new].starts_with(begins.text());
    let ends = tokens.kinds.iter().rev().nth(1) == Some(&R_BRACE);
    if !begins_as_before || !ends || tokens.is_open || tokens.kinds.contains(&METADATA_START) {
        return None;
    }
    let mut parser = Parser::new(&text[new], tokens);
    grammar::definitions(&mut parser);
    let (builder, errors) = parser.finish();
    // What is missing at the end names what follows.
    if errors.iter().any(|it| it.range.end() >= new.len()) {
        return None;
    }
    // A mistake at `def` is one of what is before it.
    let is_inside = |at: TextSize| region.old().start() < at && region.old().contains_inclusive(at);
    let elements = builder.into_elements().collect();
    Some(spliced(parse, region, elements, errors, is_inside, edit))
}

fn new_range(old: TextRange, edit: Edit) -> TextRange {
    TextRange::new(old.start(), edit.to_new(old.end()))
}

/// The old parse with new children in place of a region.
fn spliced(
    parse: &Parse,
    region: &Region,
    elements: Vec<crate::builder::Element>,
    new: Vec<SyntaxError>,
    is_inside: impl Fn(TextSize) -> bool,
    edit: Edit,
) -> Parse {
    let range = region.first.index()..region.last.index() + 1;
    let parent: GreenNode = region.parent.green().into_owned();
    let parent = parent.splice_children(range, elements);
    let green = region.parent.replace_with(parent);
    let start = region.old().start();
    let old = parse.errors.iter();
    let kept = old.filter(|it| !is_inside(it.range.start())).cloned();
    let moved = |range: TextRange| {
        if range.start() <= start {
            range
        } else {
            edit.range_to_new(range)
        }
    };
    let kept = kept.map(|it| map_ranges(it, moved));
    let new = new
        .into_iter()
        .map(|it| map_ranges(it, |range| range + start));
    let mut errors: Vec<SyntaxError> = kept.chain(new).collect();
    errors.sort_by(SyntaxError::order);
    let errors: Arc<[SyntaxError]> = errors.into();
    Parse { green, errors }
}

fn map_ranges(mut error: SyntaxError, map: impl Fn(TextRange) -> TextRange) -> SyntaxError {
    error.range = map(error.range);
    if let Some((range, _)) = &mut error.related {
        *range = map(*range);
    }
    error
}
