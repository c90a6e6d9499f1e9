//! Incremental reparsing: an edit reparses a few statements or definitions instead of the file.
//!
//! The statements around the edit are parsed alone if the last one ends with a semicolon, or if they reach the closing
//! brace of the body, and their brackets have no partners in other statements. Otherwise up to two statements after
//! them are added. A brace without a partner may have one; a parenthesis only where another statement of the block has
//! a mistake too. An edit in the header of a function parses the header alone, if it has no mistake before or after the
//! edit. Otherwise the definitions around the edit are parsed alone; brackets never span definitions. If none of these
//! is possible, the caller parses the whole text.
//!
//! The tree and the errors are always the same as after a full parse.

mod chunks;

use std::borrow::Cow;
use std::sync::Arc;

use rowan::NodeOrToken;
use text_size::{TextRange, TextSize};

use super::ast;
use super::kind::SyntaxKind::{
    BARE_VERSION, BLOCK_EXPR, CHUNK, DEF_KW, EXTERN_KW, FUNCTION_DEF, L_BRACE, METADATA,
    METADATA_START, R_BRACE, SEMICOLON, SEQUENCE_EXPR, TYPE_DEF, TYPE_KW,
};
use super::kind::{SyntaxElement, SyntaxKind, SyntaxNode};
use super::lexer::{self, Brackets, Context};
use super::parser::Parser;
use super::{Parse, grammar};
use crate::ast::AstNode;
use crate::chunks::flatten;
use crate::incremental::Edit;
use crate::subtrees::Element;
use crate::{NEARBY, SyntaxError};

/// Consecutive children of a node, which are parsed again.
struct Region {
    parent: SyntaxNode,
    first: SyntaxElement,
    last: SyntaxElement,
    /// Whether these are the last children of a block, with its closing brace.
    is_tail: bool,
}

impl Region {
    fn old(&self) -> TextRange {
        self.first.text_range().cover(self.last.text_range())
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
    let definition = child_around(&root, old).filter(|it| it.kind() != METADATA);
    let context = context(&root);
    let body = match &definition {
        Some(node) if node.kind() == SEQUENCE_EXPR => definition.clone(),
        Some(node) if node.kind() == FUNCTION_DEF => {
            node.children().find(|it| it.kind() == BLOCK_EXPR)
        }
        _ => None,
    };
    let parsed = body.and_then(|body| {
        if old.end() <= body.text_range().start() {
            return reparse_header(parse, &body, edit, text, context);
        }
        for more in 0..=MOST_MORE_STATEMENTS {
            let Some(region) = statements(&body, old, more) else {
                continue;
            };
            let parsed = reparse_statements(parse, &region, edit, text, context);
            if parsed.is_some() || region.is_tail {
                return parsed;
            }
        }
        None
    });
    parsed.or_else(|| reparse_definitions(parse, &root, edit, text, context))
}

fn context(root: &SyntaxNode) -> Context {
    let header = root.first_child().and_then(|it| it.first_token());
    match header {
        Some(token) if token.kind() == BARE_VERSION => Context::Old,
        _ => Context::Other,
    }
}

/// The child of the file that contains the edit and text on both sides of it.
fn child_around(root: &SyntaxNode, old: TextRange) -> Option<SyntaxNode> {
    let child = root.child_or_token_at_range(old)?.into_node()?;
    let range = child.text_range();
    (range.start() < old.start() && old.end() < range.end()).then_some(child)
}

/// How many statements after those of the edit are tried. If the edit removes the end of a statement, the next one has
/// an end.
const MOST_MORE_STATEMENTS: usize = 2;

/// The statements of `body` that contain the edit and text on both sides of it, with this many after them.
fn statements(body: &SyntaxNode, old: TextRange, mut more: usize) -> Option<Region> {
    let at = |offset: TextSize| chunks::element_at(body, offset);
    if !body.text_range().contains_range(old) {
        return None;
    }
    let begins_body = |it: &SyntaxElement| {
        let before = chunks::previous(it);
        before.is_some_and(|it| it.kind() == L_BRACE)
    };
    let mut first = at(old.start())?;
    while first.text_range().start() >= old.start()
        || !(is_statement(&first) || begins_body(&first))
    {
        first = chunks::previous(&first)?;
    }
    let mut last = at(old.end())?;
    let mut is_tail = last.kind() == R_BRACE;
    while !is_tail {
        if is_statement(&last) && last.text_range().end() > old.end() {
            if more == 0 {
                break;
            }
            more -= 1;
        }
        let next = chunks::next(&last)?;
        is_tail = next.kind() == R_BRACE && chunks::next(&next).is_none();
        last = next;
    }
    let before = std::iter::successors(chunks::previous(&first), chunks::previous)
        .find(|it| !it.kind().is_trivia());
    let begins = match &before {
        Some(NodeOrToken::Token(token)) => token.kind() == L_BRACE,
        Some(node) => is_ended_statement(node),
        // The first statement may have an error of the header.
        None => false,
    };
    let region = Region {
        parent: body.clone(),
        first,
        last,
        is_tail,
    };
    (begins && (is_tail || is_ended_statement(&region.last))).then_some(region)
}

fn is_statement(element: &SyntaxElement) -> bool {
    ast::Stmt::can_cast(element.kind())
}

fn is_ended_statement(element: &SyntaxElement) -> bool {
    let last = element.as_node().and_then(SyntaxNode::last_token);
    is_statement(element) && last.is_some_and(|it| it.kind() == SEMICOLON)
}

fn reparse_statements(
    parse: &Parse,
    region: &Region,
    edit: Edit,
    text: &str,
    context: Context,
) -> Option<Parse> {
    // An error directly after the last semicolon belongs to the next statement.
    let is_inside = |at: TextSize| region.old().contains(at);
    let block = region.parent.text_range();
    let mut others = { parse.errors.iter() }
        .filter(|it| block.contains_inclusive(it.range.start()) && !is_inside(it.range.start()));
    let is_alone = others.next().is_none();
    let have_no_partners = |kinds: &[SyntaxKind], brackets: &Brackets| {
        brackets.is_balanced() || is_alone && brackets.has_balanced_braces(kinds)
    };
    let old = kinds(region);
    if !have_no_partners(&old, &Brackets::of(&old)) {
        return None;
    }
    let new = new_range(region.old(), edit);
    if usize::from(new.len()) > NEARBY || follows_escaped_quote(text, new.start()) {
        return None;
    }
    let slice = if region.is_tail {
        Cow::Owned(OPENING.to_owned() + &text[new])
    } else {
        Cow::Borrowed(&text[new])
    };
    let tokens = lexer::lex_from(&slice, context);
    let ends = tokens.kinds.iter().rev().nth(1) == Some(&SEMICOLON);
    if !(ends || region.is_tail)
        || tokens.is_open
        || !have_no_partners(&tokens.kinds, &tokens.brackets)
        || holds_definition(&tokens.kinds)
    {
        return None;
    }
    let mut parser = Parser::new(&slice, tokens, &parse.subtrees);
    let (elements, errors) = if region.is_tail {
        end_of_body(parser)?
    } else {
        if !grammar::slice_of_statements(&mut parser) {
            return None;
        }
        let (builder, errors) = parser.finish();
        (builder.into_elements().collect(), errors)
    };
    let new = (elements, errors);
    Some(splice(parse, region, new, is_inside, edit, text))
}

/// Starts the text of the last statements of a body, which are parsed as a block.
const OPENING: &str = "{";

/// Parses a text that consists of [`OPENING`], the last statements of a body, and its brace.
fn end_of_body(mut parser: Parser<'_>) -> Option<(Vec<Element>, Vec<SyntaxError>)> {
    if !grammar::whole_block(&mut parser) {
        return None;
    }
    let (builder, errors) = parser.finish();
    let mut elements = builder.into_elements();
    let (Some(NodeOrToken::Node(block)), None) = (elements.next(), elements.next()) else {
        return None;
    };
    let mut elements = Vec::new();
    flatten(block.children().skip(1), CHUNK, &mut elements);
    let moved = |it: SyntaxError| {
        let before = TextSize::of(OPENING);
        let related = it.related.iter().map(|it| it.0);
        let mut ranges = related.chain([it.range]);
        let is_after = ranges.all(|range| range.start() >= before);
        is_after.then(|| it.map_ranges(|range| range - before))
    };
    let errors: Option<_> = errors.into_iter().map(moved).collect();
    Some((elements, errors?))
}

/// The tokens of a region before the edit, with the opening brace of its block if it has the closing one.
fn kinds(region: &Region) -> Vec<SyntaxKind> {
    let mut kinds = Vec::new();
    if region.is_tail {
        kinds.push(L_BRACE);
    }
    let mut element = Some(region.first.clone());
    while let Some(it) = element {
        match &it {
            NodeOrToken::Token(token) => kinds.push(token.kind()),
            NodeOrToken::Node(node) => {
                let tokens = node.descendants_with_tokens();
                kinds.extend(tokens.filter_map(|it| Some(it.into_token()?.kind())));
            }
        }
        element = (it != region.last).then(|| chunks::next(&it)).flatten();
    }
    kinds
}

fn holds_definition(kinds: &[SyntaxKind]) -> bool {
    let starts = [DEF_KW, TYPE_KW, EXTERN_KW, METADATA_START];
    kinds.iter().any(|it| starts.contains(it))
}

/// A body that ends the text of a header. It has no mistake.
const ANY_BODY: &str = "{0}";

/// Reparses a function up to its body, if the header has no mistake before or after the edit.
fn reparse_header(
    parse: &Parse,
    body: &SyntaxNode,
    edit: Edit,
    text: &str,
    context: Context,
) -> Option<Parse> {
    let definition = body.parent().filter(|it| it.kind() == FUNCTION_DEF)?;
    let region = Region {
        first: definition.first_child_or_token()?,
        last: body.prev_sibling_or_token()?,
        parent: definition,
        is_tail: false,
    };
    let old = kinds(&region);
    let has_mistake = |it: &SyntaxError| region.old().contains_inclusive(it.range.start());
    if !Brackets::of(&old).is_balanced() || parse.errors.iter().any(has_mistake) {
        return None;
    }
    let new = new_range(region.old(), edit);
    if usize::from(new.len()) > NEARBY || follows_escaped_quote(text, new.start()) {
        return None;
    }
    let header = text[new].to_owned() + ANY_BODY;
    let tokens = lexer::lex_from(&header, context);
    let braces = tokens.kinds.iter().filter(|it| **it == L_BRACE);
    let is_header = tokens.kinds.first() == Some(&DEF_KW)
        && !holds_definition(&tokens.kinds[1..])
        && braces.count() == 1
        && tokens.brackets.is_balanced();
    if !is_header || tokens.is_open {
        return None;
    }
    let mut parser = Parser::new(&header, tokens, &parse.subtrees);
    grammar::definitions(&mut parser);
    let (builder, errors) = parser.finish();
    let mut elements = builder.into_elements();
    let (Some(NodeOrToken::Node(function)), None) = (elements.next(), elements.next()) else {
        return None;
    };
    let mut elements: Vec<_> = function
        .children()
        .map(rowan::NodeOrToken::to_owned)
        .collect();
    let ends = { elements.pop() }.is_some_and(|it| it.kind() == BLOCK_EXPR.into());
    if !ends || !errors.is_empty() {
        return None;
    }
    let new = (elements, errors);
    Some(splice(parse, &region, new, |_| false, edit, text))
}

/// Reparses the definitions that the edit touches. If these cannot be parsed alone, adds neighbours on both sides.
fn reparse_definitions(
    parse: &Parse,
    root: &SyntaxNode,
    edit: Edit,
    text: &str,
    context: Context,
) -> Option<Parse> {
    let mut first = definition_before(root, edit.old.start());
    for _ in 0..MAX_NEIGHBOURS {
        let from = first?;
        let mut last = definition_after(&from, edit.old.end());
        for _ in 0..MAX_NEIGHBOURS {
            let Some(to) = last else { break };
            let region = Region {
                parent: root.clone(),
                first: from.clone().into(),
                last: to.clone().into(),
                is_tail: false,
            };
            if let Some(parsed) = reparse_region(parse, &region, edit, text, context) {
                return Some(parsed);
            }
            last = to.next_sibling().filter(is_definition);
        }
        first = from.prev_sibling().filter(is_definition);
    }
    None
}

/// How many definitions on each side of the edit are tried.
const MAX_NEIGHBOURS: usize = 3;

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

/// The first definition, from `first` on, that ends after an offset.
fn definition_after(first: &SyntaxNode, offset: TextSize) -> Option<SyntaxNode> {
    let mut node = Some(first.clone());
    loop {
        let it = node?;
        if is_definition(&it) && it.text_range().end() > offset {
            return Some(it);
        }
        node = it.next_sibling();
    }
}

fn reparse_region(
    parse: &Parse,
    region: &Region,
    edit: Edit,
    text: &str,
    context: Context,
) -> Option<Parse> {
    let next = std::iter::successors(region.last.next_sibling_or_token(), |it| {
        it.next_sibling_or_token()
    })
    .find(|it| !it.kind().is_trivia());
    let is_last =
        { next.as_ref() }.is_none_or(|it| matches!(it.kind(), FUNCTION_DEF | TYPE_DEF | METADATA));
    // An error at the token after the definitions may belong to them or to that token.
    let end = region.old().end();
    let next = next.map_or(end, |it| it.text_range().start());
    let is_behind =
        |it: &SyntaxError| (end..=next).contains(&it.range.start()) && !it.range.is_empty();
    let new = new_range(region.old(), edit);
    if !is_last || usize::from(new.len()) > NEARBY || parse.errors.iter().any(is_behind) {
        return None;
    }
    if follows_escaped_quote(text, new.start()) {
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
    let mut parser = Parser::new(&text[new], tokens, &parse.subtrees);
    grammar::definitions(&mut parser);
    let (builder, errors) = parser.finish();
    // The message of an error at the end would name the token after it.
    if errors.iter().any(|it| it.range.end() >= new.len()) {
        return None;
    }
    // An error at the first `def` belongs to the text before it.
    let is_inside = |at: TextSize| region.old().start() < at && region.old().contains_inclusive(at);
    let elements = builder.into_elements().collect();
    let new = (elements, errors);
    Some(splice(parse, region, new, is_inside, edit, text))
}

fn new_range(old: TextRange, edit: Edit) -> TextRange {
    TextRange::new(old.start(), edit.to_new(old.end()))
}

/// Whether a string before the offset may end elsewhere if the rest of its line changes: it has a `\"`.
fn follows_escaped_quote(text: &str, offset: TextSize) -> bool {
    let before = &text[..offset.into()];
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    before[line..].contains("\\\"")
}

/// The old parse with the region replaced by new children.
fn splice(
    parse: &Parse,
    region: &Region,
    (elements, errors): (Vec<Element>, Vec<SyntaxError>),
    is_inside: impl Fn(TextSize) -> bool,
    edit: Edit,
    text: &str,
) -> Parse {
    let ends = (&region.first, &region.last);
    let parent = chunks::replace(&region.parent, ends, elements, text);
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
    let kept = kept.map(|it| it.map_ranges(moved));
    let new = errors
        .into_iter()
        .map(|it| it.map_ranges(|range| range + start));
    let mut errors: Vec<SyntaxError> = kept.chain(new).collect();
    errors.sort_by(SyntaxError::order);
    let errors: Arc<[SyntaxError]> = errors.into();
    Parse {
        green,
        errors,
        subtrees: parse.subtrees.clone(),
    }
}
