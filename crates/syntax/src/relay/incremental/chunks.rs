//! The elements of a block, whose statements may be grouped into chunks.

use std::ops::Range;

use rowan::{GreenNode, GreenNodeData, NodeOrToken};
use text_size::{TextRange, TextSize};

use crate::ast::AstNode;
use crate::chunks::{CHUNK_LINES, Grouping, ends_chunk, flatten};
use crate::relay::ast;
use crate::relay::kind::SyntaxKind::{CHUNK, L_BRACE};
use crate::relay::kind::{SyntaxElement, SyntaxKind, SyntaxNode};
use crate::subtrees::{Element, GreenChild, as_child};

/// The element of a block at an offset: a child of the block or of one of its chunks.
pub(super) fn element_at(block: &SyntaxNode, offset: TextSize) -> Option<SyntaxElement> {
    let at = TextRange::empty(offset);
    match block.child_or_token_at_range(at)? {
        NodeOrToken::Node(chunk) if chunk.kind() == CHUNK => chunk.child_or_token_at_range(at),
        element => Some(element),
    }
}

/// The element after another one of the same block.
pub(super) fn next(element: &SyntaxElement) -> Option<SyntaxElement> {
    let sibling = element.next_sibling_or_token();
    match sibling.or_else(|| chunk_around(element)?.next_sibling_or_token())? {
        NodeOrToken::Node(chunk) if chunk.kind() == CHUNK => chunk.first_child_or_token(),
        element => Some(element),
    }
}

/// The element before another one of the same block.
pub(super) fn previous(element: &SyntaxElement) -> Option<SyntaxElement> {
    let sibling = element.prev_sibling_or_token();
    match sibling.or_else(|| chunk_around(element)?.prev_sibling_or_token())? {
        NodeOrToken::Node(chunk) if chunk.kind() == CHUNK => chunk.last_child_or_token(),
        element => Some(element),
    }
}

fn chunk_around(element: &SyntaxElement) -> Option<SyntaxNode> {
    element.parent().filter(|it| it.kind() == CHUNK)
}

/// The block with the elements from `first` to `last` replaced by `new`. Its chunks are those of a full parse of `text`,
/// the text after the edit.
pub(super) fn replace(
    block: &SyntaxNode,
    (first, last): (&SyntaxElement, &SyntaxElement),
    new: Vec<Element>,
    text: &str,
) -> GreenNode {
    let (first_chunk, last_chunk) = (chunk_around(first), chunk_around(last));
    let child = |chunk: &Option<SyntaxNode>, element: &SyntaxElement| match chunk {
        Some(chunk) => NodeOrToken::Node(chunk.clone()),
        None => element.clone(),
    };
    let first_child = child(&first_chunk, first);
    let start = first_child.text_range().start();
    let mut window = first_child.index()..child(&last_chunk, last).index() + 1;
    let mut elements: Vec<Element> = Vec::new();
    if let Some(chunk) = first_chunk {
        let chunk = chunk.green();
        elements.extend(owned(chunk.children().take(first.index())));
    }
    elements.extend(new);
    if let Some(chunk) = last_chunk {
        let chunk = chunk.green();
        elements.extend(owned(chunk.children().skip(last.index() + 1)));
    }

    let green = block.green();
    let was_grouped = green.children().any(is_chunk);
    // If the last statement does not end a chunk, the next chunk is merged into this one.
    while was_grouped && !is_chunk_end(&elements, start, text) {
        let next = green.children().nth(window.end);
        let Some(NodeOrToken::Node(chunk)) = next.filter(|it| is_chunk(*it)) else {
            break;
        };
        elements.extend(owned(chunk.children()));
        window.end += 1;
    }
    let is_long = count(&elements) + count_outside(&green, &window) > CHUNK_LINES;
    match (was_grouped, is_long) {
        (false, false) => green.splice_children(window, elements),
        (true, true) => green.splice_children(window, grouped(elements, start, text)),
        _ => {
            let mut all = Vec::new();
            flatten(green.children().take(window.start), CHUNK, &mut all);
            all.extend(elements);
            flatten(green.children().skip(window.end), CHUNK, &mut all);
            if is_long {
                let has_brace = { all.first() }.is_some_and(|it| it.kind() == L_BRACE.into());
                let rest = all.split_off(usize::from(has_brace));
                let brace: TextSize = all.iter().map(text_len).sum();
                all.extend(grouped(rest, block.text_range().start() + brace, text));
            }
            GreenNode::new(green.kind(), all)
        }
    }
}

fn owned<'a>(children: impl Iterator<Item = GreenChild<'a>>) -> impl Iterator<Item = Element> {
    children.map(NodeOrToken::to_owned)
}

fn is_chunk(child: GreenChild<'_>) -> bool {
    child.kind() == CHUNK.into()
}

fn text_len(element: &Element) -> TextSize {
    as_child(element).text_len()
}

fn is_green_statement(element: &Element) -> bool {
    ast::Stmt::can_cast(SyntaxKind::of_green(element.kind()))
}

/// Whether the last of the elements, which begin at `start`, ends a chunk.
fn is_chunk_end(elements: &[Element], start: TextSize, text: &str) -> bool {
    let end = start + elements.iter().map(text_len).sum::<TextSize>();
    elements.last().is_some_and(|it| {
        is_green_statement(it)
            && ends_chunk(text[TextRange::new(end - text_len(it), end)].as_bytes())
    })
}

fn count(elements: &[Element]) -> usize {
    elements.iter().filter(|it| is_green_statement(it)).count()
}

/// The number of statements outside of some children of a block. Stops after [`CHUNK_LINES`].
fn count_outside(block: &GreenNodeData, window: &Range<usize>) -> usize {
    let mut statements = 0;
    let outside = { block.children().enumerate() }.filter(|it| !window.contains(&it.0));
    for (_, child) in outside {
        if statements > CHUNK_LINES {
            break;
        }
        let mut elements = Vec::new();
        flatten(std::iter::once(child), CHUNK, &mut elements);
        statements += count(&elements);
    }
    statements
}

/// Groups statements, and what precedes each of them, into chunks.
fn grouped(elements: Vec<Element>, start: TextSize, text: &str) -> Vec<Element> {
    let mut out = Vec::new();
    let mut chunks = Grouping::new(CHUNK, &mut out);
    let mut offset = start;
    for element in elements {
        let range = TextRange::at(offset, text_len(&element));
        offset = range.end();
        let is_statement = is_green_statement(&element);
        chunks.add(element);
        if is_statement {
            chunks.end_statement(text[range].as_bytes());
        }
    }
    chunks.finish();
    out
}
